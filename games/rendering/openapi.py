"""The API in the words of OpenAPI 3.1, for programs that read such a description."""

from typing import Any, Final

from games.models import Seat, Series
from games.rules.cards import RANKS, SUITS
from games.rules.scoring import Ending
from games.rules.series_record import TITLE

type Schema = dict[str, Any]

_TEXT: Final[Schema] = {"type": "string"}
_NUMBER: Final[Schema] = {"type": "integer", "minimum": 0}
_SIDE: Final[Schema] = {"enum": [0, 1]}
_SIDE_OR_NULL: Final[Schema] = {"enum": [0, 1, None]}
_TEXT_OR_NULL: Final[Schema] = {"type": ["string", "null"]}
_MOMENT: Final[Schema] = {"type": ["string", "null"], "format": "date-time"}
_HEX: Final[Schema] = {"type": "string", "pattern": "^[0-9a-f]{64}$"}
_TOTALS: Final[Schema] = {
    "type": "array",
    "description": "The totals of each game, by side",
    "items": {"type": "array", "items": _NUMBER},
}


def openapi(site: str) -> dict[str, Any]:
    """The description, of the API at this site."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Hollywood Gin",
            "version": "1",
            "description": "Finished series. Limited to 60 requests a minute.",
        },
        "servers": [{"url": site}],
        "paths": {
            "/api/series/{series}/": {"get": _SERIES},
            "/api/players/{name}/series/": {"get": _LIST},
            "/api/openapi.json": {
                "get": {
                    "operationId": "getDescription",
                    "summary": "This description",
                    "responses": {"200": _answer("OpenAPI 3.1", {"type": "object"})},
                }
            },
        },
        "components": {"schemas": _SCHEMAS},
    }


def _object(**properties: Schema) -> Schema:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _ref(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}


def _list(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def _answer(what: str, schema: Schema) -> Schema:
    return {"description": what, "content": {"application/json": {"schema": schema}}}


def _refused(what: str) -> Schema:
    return _answer(what, _ref("Error"))


def _parameter(name: str, place: str, what: str, schema: Schema = _TEXT) -> Schema:
    required = place == "path"
    return {"name": name, "in": place, "required": required, "description": what, "schema": schema}


_TOO_MANY: Final[Schema] = {
    **_refused("Too many requests"),
    "headers": {"Retry-After": {"description": "Seconds", "schema": _NUMBER}},
}

_SERIES: Final[Schema] = {
    "operationId": "getSeries",
    "summary": "A finished series with every round",
    "parameters": [_parameter("series", "path", "Its address")],
    "responses": {
        "200": _answer("The series", _ref("Series")),
        "304": {"description": "Not changed since the ETag that was sent"},
        "404": _refused("None, private, or still being played"),
        "429": _TOO_MANY,
    },
}

_LIST: Final[Schema] = {
    "operationId": "listSeries",
    "summary": "The finished series of a player, newest first",
    "parameters": [
        _parameter("name", "path", "The player"),
        _parameter("cursor", "query", "As `next` has it"),
        _parameter("opponent", "query", "Against this player only"),
        _parameter("result", "query", "With this result only", {"enum": Seat.Result.values}),
        _parameter("rated", "query", "Rated ones, or the others", {"enum": ["yes", "no"]}),
        _parameter("format", "query", "A preset with `live` or `days`: `hollywood live`"),
        _parameter("period", "query", "Ended in this year or month: `2026`, `2026-03`"),
    ],
    "responses": {
        "200": _answer("A page of the list", _ref("Page")),
        "304": {"description": "Not changed since the ETag that was sent"},
        "400": _refused("No such cursor"),
        "404": _refused("No such player, or they keep it to themselves"),
        "429": _TOO_MANY,
    },
}

_SUMMARY: Final[Schema] = {
    "series": _TEXT,
    "url": {"type": "string", "format": "uri"},
    "players": _list(_ref("Player")),
    "options": {
        "type": "object",
        "description": "The preset, and each option that differs from it",
        "required": ["preset"],
        "additionalProperties": {"type": ["string", "integer", "boolean"]},
    },
    "time_control": _TEXT_OR_NULL,
    "rated": {"type": "boolean"},
    "voided": {"type": "boolean", "description": "Declared void by the moderators"},
    "source": {"enum": Series.Source.values},
    "started_at": _MOMENT,
    "ended_at": _MOMENT,
    "ending": {"enum": Series.Ending.values},
    "ended_by": {**_SIDE_OR_NULL, "description": "Who resigned, ran out of time or left"},
    "winner": {"enum": [0, 1, "shared", None]},
}

_SCHEMAS: Final[dict[str, Schema]] = {
    "Error": _object(error=_TEXT),
    "Player": _object(
        seat=_SIDE,
        name={"type": "string", "description": "`deleted player` for who has gone"},
        bot={"type": "boolean"},
        result={"enum": Seat.Result.values},
    ),
    "Summary": _object(**_SUMMARY),
    "Page": _object(player=_TEXT, series=_list(_ref("Summary")), next=_TEXT_OR_NULL),
    "Series": _object(
        format={"const": TITLE},
        **_SUMMARY,
        first_dealer=_SIDE,
        games=_object(totals=_TOTALS, won_by=_list(_SIDE_OR_NULL)),
        rounds=_list(_ref("Round")),
    ),
    "Round": _object(
        round={"type": "integer", "minimum": 1},
        dealer=_SIDE_OR_NULL,
        kind={"enum": [str(each) for each in Ending if each is not Ending.VOID]},
        winner=_SIDE_OR_NULL,
        points=_NUMBER,
        bonus=_NUMBER,
        difference=_NUMBER,
        multiplier={"enum": [1, 2]},
        sheet=_TOTALS,
        log={**_TEXT_OR_NULL, "description": "What was done, shortly"},
        record={**_TEXT_OR_NULL, "description": "The cards and every action, to be read"},
        deal={"anyOf": [_ref("Deal"), {"type": "null"}]},
    ),
    "Deal": _object(
        format={"const": "Hollywood Gin deal 1"},
        series=_TEXT,
        round={"type": "integer", "minimum": 1},
        board=_NUMBER,
        commitment=_HEX,
        secret=_HEX,
        promises=_list({"type": ["string", "null"]}),
        parts=_list(_TEXT),
        deck={"type": "string", "pattern": f"^([{RANKS}][{SUITS}] ){{51}}[{RANKS}][{SUITS}]$"},
    ),
}
