"""Tables in every state, made without a database, for tests of what is shown."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from games.live import Stamp
from games.rules.actions import Action, Defend, Discard, Draw, Knock, Pass, Resign, Take
from games.rules.cards import DECK, Card, parse_card, parse_cards
from games.rules.events import Event
from games.rules.options import Options
from games.rules.round import play
from games.rules.scoring import RoundResult
from games.rules.sheet import ScoreSheet
from games.rules.state import RoundState, deal
from games.rules.view import table_view
from games.selectors.table import Chair, PastRound, Table

STAMP = Stamp(12, 3)
NAMES = ("Bob", "Alexandra")


@dataclass(frozen=True)
class Scene:
    """A round that has come so far, and the series around it."""

    state: RoundState
    events: tuple[Event, ...]
    options: Options = field(default_factory=Options)
    past: tuple[RoundResult, ...] = ()
    names: tuple[str, str] = NAMES
    ready: tuple[bool, bool] = (False, False)
    present: tuple[bool, bool] = (True, True)
    status: str = "playing"
    winner: int | None = None

    def play(self, *actions: str | Action | tuple[int, Action]) -> "Scene":
        """Go on: actions of whose turn it is, or of the seat named with them."""
        state, events = self.state, list(self.events)
        for action in actions:
            seat, action = action if isinstance(action, tuple) else (state.turn, action)
            progress = play(state, seat, action)
            state, events = progress.state, [*events, *progress.events]
        return replace(self, state=state, events=tuple(events))

    def table(self, seat: int | None) -> Table:
        """The table as a seat sees it, None for a spectator."""
        over = self.state.result is not None
        results = (*self.past, self.state.result) if self.state.result else self.past
        sheet, past = _past(self.options, results)
        return Table(
            series_id="Abc123",
            url="/series/Abc123/",
            status=self.status,  # type: ignore[arg-type]
            version=STAMP.version,
            talk=STAMP.talk,
            seat=seat,
            chairs=tuple(
                Chair(number, number, name, number + 1, self.ready[number], self.present[number])
                for number, name in enumerate(self.names)
            ),
            options=self.options,
            play=table_view(
                self.state,
                self.events,
                seat,
                number=len(self.past) + 1,
                version=STAMP.version,
                sheet=sheet,
            ),
            past=past,
            sheet=sheet,
            winner=self.winner,
            invitation=None,
            deal_at=None,
            commitment="c0" * 32,
            secret="5e" * 32 if over else None,
            next_commitment="c1" * 32,
        )


def _past(
    options: Options, results: tuple[RoundResult, ...]
) -> tuple[ScoreSheet, tuple[PastRound, ...]]:
    sheet, past = ScoreSheet(options), []
    for number, result in enumerate(results, 1):
        sheet = sheet.with_result(None if result.winner is None else (result.winner, result.points))
        past.append(PastRound(number, result, result.winner, 0, sheet.entries[-1], 12))
    return sheet, tuple(past)


def deck_of(first: str, second: str, upcard: str, stock: str = "") -> tuple[Card, ...]:
    """A deck that deals these hands, seat 0's first, then the upcard and the stock's next cards."""
    hands = zip(parse_cards(first), parse_cards(second), strict=True)
    top = [card for pair in hands for card in pair] + [parse_card(upcard), *parse_cards(stock)]
    return (*top, *(card for card in DECK if card not in top))


def dealt(
    first: str, second: str, upcard: str, stock: str = "", options: Options | None = None
) -> Scene:
    """A round just dealt by seat 1 to these hands."""
    options = options or Options()
    progress = deal(deck_of(first, second, upcard, stock), 1, options)
    return Scene(progress.state, progress.events, options)


HAND = "4H 5H 6H 7H QC QD QS AC 2D 6S"
OTHER = "TS JH 3C 8D KS 9D 5C 7S 2H KD"
DEFENDER = "8H 3H QH AC 7D 5S JC KC KS TS"
KNOCKER = "5H 6H 7H 9C 9D 9S 2C 2D 3S 2S"


def card(text: str) -> Card:
    return parse_card(text)


def offered() -> Scene:
    return dealt(HAND, OTHER, "TD", "TC 3S 9C 8C")


def to_draw() -> Scene:
    """Seat 0 is to draw; the king of diamonds lies on the pile."""
    return offered().play(Pass(), Pass(), Draw(), Discard(card("TC")), Draw(), Discard(card("KD")))


def to_discard() -> Scene:
    """Seat 0 has drawn the nine of clubs and may knock with it."""
    return to_draw().play(Draw())


def taken() -> Scene:
    return offered().play(Take())


def with_gin() -> Scene:
    """Seat 0 may throw the nine of spades and have gin."""
    hand = "4H 5H 6H 7H QC QD QS AC AD 9S"
    return dealt(hand, OTHER, "TD", "AS KC").play(Pass(), Pass(), Draw())


def with_choice() -> Scene:
    """Seat 0 may knock, and spread it in more than one way."""
    hand = "4H 5H 6H 7H QC QD QS AC AD 2S"
    return dealt(hand, OTHER, "TD", "3S KC").play(Pass(), Pass(), Draw())


def knocked() -> Scene:
    """Seat 1 has knocked with 8; seat 0 can lay off 4H, 3H, 8H on 5H 6H 7H."""
    scene = dealt(DEFENDER, KNOCKER, "TD", "JD AD 4H QD 8S")
    turns = [Draw(), Discard(card("JD")), Draw(), Discard(card("2S"))]
    turns += [Draw(), Discard(card("TS")), Draw(), Knock(card("QD"))]
    return scene.play(Pass(), Pass(), *turns)


def scored() -> Scene:
    return knocked().play(Defend())


def won() -> Scene:
    return with_gin().play(Knock(card("9S")))


def resigned() -> Scene:
    return to_draw().play((1, Resign()))


SCENES: dict[str, Callable[[], Scene]] = {
    "offered": offered,
    "to draw": to_draw,
    "to discard": to_discard,
    "taken": taken,
    "with gin": with_gin,
    "with choice": with_choice,
    "knocked": knocked,
    "scored": scored,
    "won": won,
    "resigned": resigned,
}


def waiting(seat: int | None = 0) -> Table:
    """A table at which nobody sits opposite yet."""
    options = Options()
    return Table(
        series_id="Abc123",
        url="/series/Abc123/",
        status="waiting",
        version=0,
        talk=0,
        seat=seat,
        chairs=(Chair(0, 0, NAMES[0], 1, ready=False, present=True),),
        options=options,
        play=None,
        past=(),
        sheet=ScoreSheet(options),
        winner=None,
        invitation="http://127.0.0.1:8000/invitation/Tok3n/" if seat == 0 else None,
        deal_at=None,
        commitment=None,
        secret=None,
        next_commitment="c1" * 32,
    )
