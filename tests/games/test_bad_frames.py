"""Frames that no page sends are harmless (promise S5, fault 89)."""

import json
import random
from contextlib import suppress
from typing import Any

import pytest

from games import consumers
from games.consumers import ABUSE, PONG
from games.rules.actions import Discard, Pass
from games.rules.cards import DECK, cards_in
from games.rules.state import Phase
from games.threads import in_thread
from tests.fields import action_fields, part_fields
from tests.long import long_or
from tests.page import elements_of
from tests.tables import new_table, new_user, next_key
from tests.visit import Scene, opened, scene, to_phase

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("empty_house")]


@pytest.fixture
def table() -> Scene:
    return scene(new_table())


class TestBadFrames:
    """Promise S5, fault 89."""

    KINDS = (
        "{",
        "null",
        "[]",
        "5",
        '"x"',
        "{}",
        '{"type": 42}',
        '{"hello": "x"}',
        '{"action": {}}',
        '{"action": "deal", "round": "1", "ply": "0", "key": "k"}',
        '{"action": "draw", "round": ["1"], "ply": null, "key": 5}',
        '{"action": "draw", "round": "1", "ply": "0", "key": "\\ud800"}',
        "[" * 10_000,
        '{"a":' * 10_000,
        "NaN",
        '{"hello": 1e999}',
        '{"hello": ' + "9" * 5000 + "}",
        '{"action": "\\u0000", "HEADERS": {"HX-Request": "true"}}',
        "\x00",
        "",
    )

    @pytest.mark.parametrize("frame", KINDS)
    async def test_s5_one_refusal_and_the_socket_lives(
        self, table: Scene, frame: str, caplog: pytest.LogCaptureFixture
    ) -> None:
        page = await opened(table, table.mover)
        elements = elements_of(await page.ask(frame))
        assert elements["ack"].attributes["data-status"] == "unreadable"
        assert "could not read" in elements["notice"].html
        assert await page.is_quiet()
        assert await page.act(action_fields(await table.now(), Pass())) == "done"
        await page.leave()
        assert caplog.get_records("call") == []

    async def test_s5_a_binary_frame(self, table: Scene) -> None:
        page = await opened(table, table.mover)
        await page.wire.send_input({"type": "websocket.receive", "bytes": b"\xff\x00"})
        await page.next()
        assert page.page.acks == {"": "unreadable"}
        await page.leave()

    async def test_s5_the_third_within_ten_seconds_closes(self, table: Scene) -> None:
        page = await opened(table, table.mover)
        for frame in ("{", '{"action": "x", "key": "a"}', "[]"):
            await page.send(frame)
        assert await page.code() == ABUSE
        await page.leave()

    async def test_s5_three_in_a_long_time_do_not(
        self, table: Scene, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        page = await opened(table, table.mover)
        monkeypatch.setattr(consumers, "BAD_FRAMES_WITHIN", 0.0)
        for _ in range(6):
            await page.ask("{")
        await page.leave()

    async def test_s5_nothing_is_answered_after_the_end(
        self, table: Scene, caplog: pytest.LogCaptureFixture
    ) -> None:
        page = await opened(table, table.mover)
        fields = action_fields(await table.now(), Pass())
        for frame in ["{"] * 10 + [fields, {"hello": 0, "stamp": ""}]:
            await page.send(frame)
        assert await page.code() == ABUSE
        assert await page.is_quiet()
        await page.leave()
        assert (await table.now()).ply == 0
        assert caplog.get_records("call") == []

    async def test_s5_fuzzed_frames(
        self, table: Scene, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        monkeypatch.setattr(consumers, "BAD_FRAMES_WITHIN", 0.0)
        monkeypatch.setattr(consumers, "FRAMES_WITHIN", 0.0)
        chance = random.Random(5)
        page = await opened(table, await in_thread(new_user))
        row = await table.now()
        for _ in range(long_or(10_000, 600)):
            right = chance.choice([action_fields(row, Pass()), part_fields(row, "ab" * 32)])
            frame = fuzzed(chance, right)
            is_pong = _is_pong(frame)
            await page.send(frame)
            if is_pong:
                continue
            elements = elements_of(await page.next())
            assert {"ack", "notice"} <= elements.keys() or "pulse" in elements, frame
        assert caplog.get_records("call") == []
        assert (await table.now()).log == "1"
        await page.leave()

    async def test_fault_89_what_htmx_adds_is_passed_over(self, table: Scene) -> None:
        page = await opened(table, table.mover)
        fields = action_fields(await table.now(), Pass())
        extra = {"HEADERS": {"HX-Request": "true", "HX-Trigger": None}, "csrfmiddlewaretoken": "x"}
        assert await page.act({**fields, **extra}) == "done"
        await page.leave()

    async def test_fault_62_one_answer_for_every_card_that_is_not_held(self) -> None:
        table = await in_thread(to_phase, Phase.DISCARD)
        state = await in_thread(lambda: table.state)
        page = await opened(table, table.mover)
        fields = action_fields(await table.now(), Discard(DECK[0]))
        theirs = cards_in(state.hands[1 - state.turn])[0]
        cards = [theirs, state.stock[0], *state.pile[-1:], "1X", "", "x" * 3000, "9c9c", "♠♠", "\0"]
        notices = set()
        for card in cards:
            assert await page.act({**fields, "card": str(card), "key": next_key()}) == "illegal"
            notices.add(elements_of(page.texts[-1])["notice"].html)
        assert len(notices) == 1
        await page.leave()

    async def test_a_strange_key_is_not_sent_back(self, table: Scene) -> None:
        page = await opened(table, table.mover)
        fields = action_fields(await table.now(), Pass())
        for key in ("<b id=hand>", "k" * 65):
            text = await page.ask({**fields, "key": key})
            assert elements_of(text)["ack"].attributes["data-key"] == ""
        await page.leave()

    async def test_too_many_frames_are_told_to_slow_down(self, table: Scene) -> None:
        page = await opened(table, table.mover)
        fields = action_fields(await table.now(), Pass())
        statuses = [await page.act({**fields, "key": next_key()}) for _ in range(60)]
        assert statuses[0] == "done"
        assert statuses[-1] == "slow-down"
        await page.leave()

    async def test_s6_a_hello_counts_as_several_frames(
        self, table: Scene, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(consumers, "FRAMES_WITHIN", 600.0)  # this machine may be slow
        page = await opened(table, table.mover)  # with the first hello
        texts = [await page.ask({"hello": 1, "stamp": "x"}) for _ in range(8)]
        slow = ["slow-down" in text for text in texts]
        assert slow == [False] * 6 + [True] * 2
        await page.leave()


def _is_pong(frame: str) -> bool:
    with suppress(ValueError):
        value = json.loads(frame)
        return bool(value == PONG)
    return False


def fuzzed(chance: random.Random, fields: dict[str, str]) -> str:
    """A frame that is nearly right, or nothing at all."""
    values: list[Any] = [
        *(None, True, 0, -1, 1.5, [], {}, "", "x", "0", "1", "9C", "\ud800", "\0", "é" * 300),
        *("0f" * 32, "0F" * 32, "next-round", "part"),
        {"hello": 1},
        ["9C"],
    ]
    frame: dict[str, Any] = dict(fields)
    for _ in range(chance.randint(1, 4)):
        name = chance.choice(
            [*fields, "hello", "pong", "card", "spread", "lay_offs", "stamp", "promise", "part", ""]
        )
        if chance.random() < 0.3:
            frame.pop(name, None)
        else:
            frame[name] = chance.choice(values)
    text = json.dumps(frame)
    if chance.random() < 0.3:
        place = chance.randrange(len(text))
        text = text[:place] + chance.choice(["", "{", '"', "\\", "\x00", "é"]) + text[place + 1 :]
    return text
