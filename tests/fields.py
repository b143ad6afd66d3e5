"""The fields of the table's forms, as a page or a program sends them."""

from games.models import Round
from games.rules.actions import Action, BigGin, Defend, Discard, Draw, Knock, Pass, Resign, Take
from tests.tables import next_key

_NAMES = {
    Pass: "pass",
    Take: "take",
    Draw: "draw",
    Discard: "discard",
    Knock: "knock",
    BigGin: "big-gin",
    Defend: "defend",
    Resign: "resign",
}


def action_fields(row: Round, action: Action, key: str = "") -> dict[str, str]:
    """The form that does an action on a round as it stands."""
    fields = {
        "action": _NAMES[type(action)],
        "round": str(row.number),
        "ply": str(row.ply),
        "key": key or next_key(),
    }
    match action:
        case Discard(card):
            fields["card"] = str(card)
        case Knock(card, melds):
            fields["card"] = str(card)
            if melds is not None:
                fields["spread"] = "/".join(str(meld).replace(" ", "") for meld in melds)
        case Defend(lay_offs) if lay_offs is not None:
            fields["lay_offs"] = ",".join(f"{each.card}{each.meld}" for each in lay_offs)
    return fields


def next_round_fields(row: Round, key: str = "", **given: str) -> dict[str, str]:
    """The form Next round, perhaps with a promise or a part."""
    return {"action": "next-round", "round": str(row.number), "key": key or next_key(), **given}


def part_fields(row: Round | None, part: str, key: str = "") -> dict[str, str]:
    """The form that tells a part in the deal after this round, None being before the first."""
    number = row.number if row else 0
    return {"action": "part", "round": str(number), "key": key or next_key(), "part": part}
