"""A finished round, action by action: the page of one step, and what changes from step to step."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from django.utils.functional import cached_property
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.rendering.cast import Cast
from games.rendering.charts import Line, LineChart
from games.rendering.knowledge import Knowledge
from games.rendering.reasons import reason_sentence
from games.rendering.round_luck import CardsPart
from games.rendering.sentences import closed_sentences, entry_sentence, event_sentence
from games.rendering.showdown import LaidCard, LaidMeld, OpenHand, ShowdownContext
from games.rendering.sorting import by_rank
from games.rendering.words import ENDINGS, meld_word, sum_words
from games.rules.cards import NO_CARDS, Card, CardSet, cards_in
from games.rules.events import Scored
from games.rules.melds import best_arrangement
from games.rules.round import RoundState
from games.rules.scoring import RoundResult
from games.rules.sheet import Entry
from games.rules.state import Phase
from games.rules.view import SeatView, view_for

if TYPE_CHECKING:
    from games.selectors.review import Place, Replay

TEN: Final = 10
BOTH: Final = None
"""Both hands lie open; else a round is seen from one of the board seats, 0 or 1."""


@dataclass(frozen=True, slots=True)
class ReplayHand:
    """A hand on the felt, best arranged; without melds and deadwood where it is not seen.

    `counts` is its deadwood, `after` what the best discard of eleven cards leaves. `fresh` is the
    card that has just come, `seen` those that the other knows of. `bot`: a bot plays it.
    """

    name: str
    bot: bool
    open: bool
    acting: bool
    won: bool
    size: int
    melds: tuple[LaidMeld, ...]
    deadwood: tuple[Card, ...]
    counts: int
    after: int | None
    fresh: Card | None
    seen: CardSet
    what: str = ""
    thrown: Card | None = None

    @property
    def backs(self) -> str:
        """One letter for each card that nobody has seen, for a template to loop over."""
        return "x" * (self.size - self.seen.bit_count())

    @property
    def state(self) -> str:
        """What is to be known of it beside its cards, in words."""
        if self.what:
            return self.what
        return _("to play") if self.acting else ""

    @property
    def fresh_cards(self) -> tuple[Card, ...]:
        return () if self.fresh is None else (self.fresh,)

    @property
    def seen_cards(self) -> tuple[Card, ...]:
        return cards_in(self.seen)


@dataclass(frozen=True, slots=True)
class StepLine:
    """An action in the list of them: its number, its sentence, its address, whether it is shown."""

    ply: int
    words: str
    url: str
    here: bool
    near: bool


@dataclass(frozen=True)
class ReplayPage:
    """`templates/games/replay.html`, as `replay`: a round after `ply` actions.

    `url` is the round's own address, `series_url` that of its series' rounds. `eyes` is the seat it
    is seen from, `BOTH` where both hands lie open. `address` is the whole address of this step, to
    be `shared` where others may see it. `deal_url` is where the deal can be checked, `cards`
    who had the better ones.
    """

    url: str
    series_url: str
    number: int
    ply: int
    round: "Replay"
    place: "Place"
    cast: Cast
    sides: Cast
    eyes: int | None = BOTH
    address: str = ""
    shared: bool = False
    deal_url: str = ""
    cards: CardsPart | None = None

    # What is shown of the round

    @cached_property
    def state(self) -> RoundState:
        return self.round.steps[self.ply].state

    @cached_property
    def views(self) -> tuple[SeatView, SeatView]:
        """What each of the two saw."""
        return view_for(self.state, 0), view_for(self.state, 1)

    @property
    def view(self) -> SeatView:
        """What everybody saw; of the piles there is nothing else to know."""
        return self.views[self.near]

    @property
    def near(self) -> int:
        return self.cast.near if self.eyes is None else self.eyes

    @property
    def far(self) -> int:
        return 1 - self.near

    @property
    def is_over(self) -> bool:
        return self.state.phase is Phase.OVER

    @property
    def far_hand(self) -> ReplayHand:
        return self._hand(self.far)

    @property
    def near_hand(self) -> ReplayHand:
        return self._hand(self.near)

    def _hand(self, seat: int) -> ReplayHand:
        state, view = self.state, self.views[seat]
        acting = view.turn == seat
        shown = self._shown(seat)
        return ReplayHand(
            name=self.name(seat),
            bot=seat in self.cast.bots,
            open=shown is not None,
            acting=acting,
            won=shown.won if shown else False,
            size=view.hand_sizes[seat],
            melds=shown.melds if shown else (),
            deadwood=shown.deadwood if shown else (),
            counts=shown.points if shown else 0,
            after=None if self.is_over or view.hand_sizes[seat] <= TEN else self._count(seat),
            fresh=(state.drawn or state.taken) if acting else None,
            seen=NO_CARDS if self.is_over else state.shown[seat],
            what=shown.what if shown else "",
            thrown=shown.thrown if shown else None,
        )

    def _count(self, seat: int) -> int:
        return self.round.deadwood[self.ply][seat]

    def _shown(self, seat: int) -> OpenHand | None:
        """The cards of a hand that may be seen by these eyes; None where it is closed to them."""
        if self.is_over or self.state.knocker == seat:
            return self._open_hands[seat]
        if self.eyes not in (BOTH, seat):
            return None
        arrangement = best_arrangement(self.views[seat].hand)
        melds = (
            LaidMeld(meld_word(meld), tuple(map(LaidCard, cards_in(meld.cards))))
            for meld in arrangement.melds
        )
        loose = by_rank(arrangement.deadwood)
        points = arrangement.deadwood_points
        return OpenHand(
            name=self.name(seat),
            bot=seat in self.cast.bots,
            what="",
            melds=tuple(melds),
            deadwood=loose,
            points=points,
            won=False,
            thrown=None,
        )

    @cached_property
    def _open_hands(self) -> dict[int, OpenHand]:
        """The hands that lie on the table after a knock, as the table shows them."""
        view = self.view
        context = ShowdownContext(
            cast=self.cast,
            open=True,
            knocker=view.knocker,
            spread=view.spread,
            defence=view.defence,
            cards=view.hands,
            knock_card=view.knock_card,
            result=view.result,
            stock_size=view.stock_size,
        )
        seats = (self.cast.far, self.cast.near)
        shown = [seat for seat in seats if view.hands or seat == view.knocker]
        return dict(zip(shown, context.hands, strict=True))

    def name(self, seat: int) -> str:
        """What a seat's player is called."""
        return _("You") if self.cast.is_you(seat) else self.cast.name(seat)

    @property
    def upcard(self) -> Card | None:
        return self.view.pile[-1] if self.view.pile else None

    @property
    def beneath(self) -> Card | None:
        return self.view.pile[-2] if len(self.view.pile) > 1 else None

    @property
    def just_thrown(self) -> bool:
        """Whether the pile's top card is what has just happened."""
        return self.view.phase in (Phase.DRAW, Phase.LAST_OFFER) and self.upcard is not None

    @property
    def dealer_words(self) -> str:
        return self.cast.say(self.view.dealer, _("You dealt"), _("%(name)s dealt"))

    # What is said

    @property
    def sentences(self) -> tuple[str, ...]:
        """What the action of this step was and did; how the round ended stands on the slip."""
        return self._sentences(self.ply)

    def _sentences(self, ply: int) -> tuple[str, ...]:
        events = [each for each in self.round.steps[ply].events if not isinstance(each, Scored)]
        if self.eyes is not None:
            events = [event.seen_by(self.eyes) for event in events]
        return tuple(event_sentence(event, self.cast) for event in events)

    @property
    def reason(self) -> str:
        """Why a bot did it, where one did."""
        reason = self.round.reasons.get(self.ply)
        before = self.round.steps[self.ply - 1].state.turn if self.ply else 0
        return reason_sentence(reason, self.cast.name(before)) if reason else ""

    @property
    def told(self) -> str:
        """All of it for those who listen, with how many actions there are."""
        words = [self.counter, *self.sentences]
        return " ".join([*words, self.headline] if self.is_over else words)

    @property
    def counter(self) -> str:
        if not self.ply:
            return _("The deal.")
        return _("Action %(ply)s of %(last)s.") % {"ply": self.ply, "last": self.round.last}

    @property
    def result(self) -> RoundResult:
        result = self.round.steps[-1].state.result
        assert result is not None, "a round that is over has a result"
        return result

    @property
    def kind(self) -> str:
        return str(ENDINGS[self.result.kind])

    @property
    def sum(self) -> str:
        return sum_words(self.result) if self.result.winner is not None else ""

    @property
    def headline(self) -> str:
        return event_sentence(self.round.steps[-1].events[-1], self.cast)

    @property
    def entry(self) -> Entry | None:
        return self.place.entry

    @property
    def story(self) -> tuple[str, ...]:
        """Where the points were entered, and what that ended."""
        if self.entry is None or self.entry.side is None:
            return ()
        return (entry_sentence(self.entry, self.sides), *closed_sentences(self.entry, self.sides))

    @property
    def players(self) -> str:
        return " – ".join(self.cast.names)

    @property
    def title(self) -> str:
        words = {"number": self.number, "players": self.players}
        return _("Round %(number)s: %(players)s") % words

    @property
    def summary(self) -> str:
        """The round in a line, for whoever gets a link to it: nobody there is "you"."""
        cast = replace(self.cast, viewer=None)
        result = event_sentence(self.round.steps[-1].events[-1], cast)
        count = ngettext("%(count)s action", "%(count)s actions", self.round.last)
        return f"{result} {count % {'count': self.round.last}}."

    @property
    def picture(self) -> str:
        """The address of a picture of this step, for where a link to it is shown."""
        return f"{self.address}picture.png" if self.shared else ""

    @property
    def picture_words(self) -> str:
        """The picture in words."""
        return f"{self.title}. {self.counter} {' '.join(self.sentences)}"

    # Where one can go

    @property
    def query(self) -> str:
        return "" if self.eyes is None else f"?seat={self.eyes}"

    def _at(self, ply: int) -> str:
        return f"{self.url}{ply}/{self.query}"

    @property
    def first_url(self) -> str:
        return self._at(0) if self.ply else ""

    @property
    def back_url(self) -> str:
        return self._at(self.ply - 1) if self.ply else ""

    @property
    def forward_url(self) -> str:
        return self._at(self.ply + 1) if self.ply < self.round.last else ""

    @property
    def last_url(self) -> str:
        return self._at(self.round.last) if self.ply < self.round.last else ""

    @property
    def before_url(self) -> str:
        return self._round_url(self.place.before)

    @property
    def after_url(self) -> str:
        return self._round_url(self.place.after)

    def _round_url(self, number: int | None) -> str:
        return f"{self.series_url}{number}/{self.query}" if number is not None else ""

    @property
    def looks(self) -> tuple[tuple[str, str, bool], ...]:
        """The ways to look at the round: what each is called, its address, whether it is this."""
        here = f"{self.url}{self.ply}/"
        both = (_("Both hands"), here, self.eyes is None)
        seats = (self.cast.near, self.cast.far)
        return (both, *((self.name(s), f"{here}?seat={s}", self.eyes == s) for s in seats))

    @property
    def actions(self) -> tuple[StepLine, ...]:
        """Every action with its address; the deal comes first."""
        return tuple(
            StepLine(
                ply=ply,
                words=" ".join(self._sentences(ply)),
                url=self._at(ply),
                here=ply == self.ply,
                near=ply > 0 and self.round.steps[ply - 1].state.turn == self.near,
            )
            for ply in range(len(self.round.steps))
        )

    # What is drawn

    @property
    def counted(self) -> tuple[int, ...]:
        """The seats whose deadwood these eyes know: at the end both."""
        both = self.eyes is None or self.is_over
        return (self.near, self.far) if both else (self.near,)

    @property
    def chart(self) -> LineChart:
        """The deadwood over the round."""
        deadwood = self.round.deadwood
        return LineChart(
            label=" ".join((_("Deadwood over the round."), *map(self._chart_words, self.counted))),
            lines=tuple(
                Line(self.name(seat), tuple(each[seat] for each in deadwood))
                for seat in self.counted
            ),
            at=self.ply,
            limit=self.view.knock_limit,
        )

    def _chart_words(self, seat: int) -> str:
        return self.cast.say(
            seat,
            _("You had %(first)s after the deal and have %(now)s here."),
            _("%(name)s had %(first)s after the deal and has %(now)s here."),
            first=self.round.deadwood[0][seat],
            now=self._count(seat),
        )

    @property
    def chart_rows(self) -> tuple[tuple[int, str, tuple[int, ...]], ...]:
        """The same as a table: the action, its address, and the deadwood of each that is drawn."""
        return tuple(
            (ply, self._at(ply), tuple(each[seat] for seat in self.counted))
            for ply, each in enumerate(self.round.deadwood)
        )

    @property
    def knowledge(self) -> tuple[Knowledge, ...]:
        """What those whose eyes these are knew."""
        seats = (self.near, self.far) if self.eyes is None else (self.eyes,)
        return tuple(Knowledge(self.views[seat], self.name(seat)) for seat in seats)
