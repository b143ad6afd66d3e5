"""The action bar: whose turn it is and what can be done, in words and forms."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Self

from django.utils.translation import gettext as _

from games.rendering.cast import Cast, chair_at
from games.rendering.clocks import ClockFace
from games.rendering.defence import DefenceDraft
from games.rendering.draft import Draft
from games.rendering.forms import Turn
from games.rendering.outlook import Outlook, Rung
from games.rendering.rematch import RematchPart
from games.rendering.sorting import Sorting
from games.rendering.stopping import Stopping
from games.rendering.words import card_name, card_sign
from games.rules.actions import Action, BigGin, Discard, Draw, Knock, Pass, Resign, Take
from games.rules.cards import Card
from games.rules.melds import deadwood_points
from games.rules.state import Phase

if TYPE_CHECKING:
    from games.rules.view import SeatView
    from games.selectors.table import Table


@dataclass(frozen=True, slots=True)
class Button:
    """A form with one button: the action, its key and words, and whether it is to be suggested."""

    action: str
    hotkey: str
    label: str
    main: bool = False


@dataclass(frozen=True, slots=True)
class ActionsContext:
    """Whose turn it is, in which phase, and the actions without a card that are legal now.

    `status` is the table's. `ready`: the viewer has pressed Next round. `knock` is the least that
    a knock can leave, where one is possible. `deal_at` is when the next round is dealt by itself.
    `declined_by` was invited by name and has said no; `offered` is how the lobby offers the table.
    `shares` names the field in which a press of Next round brings the player's part in the deal.
    """

    status: str
    cast: Cast
    phase: Phase | None
    acting: int | None
    knocker: int | None
    upcard: Card | None
    taken: Card | None
    actions: tuple[Action, ...]
    knock: int | None
    outlook: Outlook | None
    defence: DefenceDraft | None
    ready: bool
    all_ready: bool
    shares: str
    knocked_with: int
    resign_costs: int
    deal_at: datetime | None
    sorting: Sorting
    turn: Turn | None
    rematch: RematchPart | None
    declined_by: str
    offered: str
    clock: ClockFace | None
    stopping: Stopping | None

    @classmethod
    def of(cls, table: "Table", cast: Cast, draft: Draft, defence: DefenceDraft | None) -> Self:
        view = table.play.round if table.play else None
        near = chair_at(table, cast.near)
        actions = view.actions if view else ()
        mine = cast.viewer is not None
        knock = _least_knock(view) if view else None
        return cls(
            status=table.status,
            cast=cast,
            phase=view.phase if view else None,
            acting=view.turn if view else None,
            knocker=view.knocker if view else None,
            upcard=view.pile[-1] if view and view.pile else None,
            taken=view.taken if view and view.turn == view.seat else None,
            actions=tuple(each for each in actions if not isinstance(each, Discard | Knock)),
            knock=knock,
            outlook=Outlook.of(table, cast) if knock is not None else None,
            defence=defence,
            ready=mine and near is not None and near.ready,
            all_ready=all(chair.ready for chair in table.chairs),
            shares="part" if table.whole_parts else "promise",
            knocked_with=view.spread.deadwood_points if view and view.spread else 0,
            resign_costs=table.options.gin,
            deal_at=table.deal_at if table.status == "playing" else None,
            sorting=Sorting(draft.sort, defence.value if defence else ""),
            turn=Turn.of(table, draft),
            rematch=RematchPart.of(table, cast),
            declined_by=table.declined_by,
            offered=table.offered,
            clock=ClockFace.of(table, cast.near),
            stopping=Stopping.of(table, cast),
        )

    @property
    def is_over(self) -> bool:
        return self.status == "over"

    @property
    def is_mine(self) -> bool:
        """Whether the viewer has to do something now."""
        if self.cast.viewer is None:
            return False
        if self.phase is Phase.OVER:
            return self.status == "playing" and not self.ready
        return self.acting is not None and self.acting == self.cast.viewer

    @property
    def is_waiting(self) -> bool:
        return self.status == "waiting"

    @property
    def title(self) -> str:
        """The title of the page's tab."""
        site = "Hollywood Gin"
        other = self.cast.name(self.cast.far)
        if self.is_mine:
            return _("● Your turn – %(name)s – %(site)s") % {"name": other, "site": site}
        if self.is_waiting:
            return _("Waiting for an opponent – %(site)s") % {"site": site}
        return f"{other} – {site}"

    @property
    def call(self) -> str:
        """Whose turn it is and what can be done, in one sentence."""
        if self.is_waiting and self.declined_by:
            return _("%(name)s has declined your invitation.") % {"name": self.declined_by}
        if self.is_waiting:
            return _("Waiting for an opponent.")
        if self.is_over:
            return _("The series is over.")
        if self.phase is Phase.OVER:
            return self._call_between()
        if not self.is_mine:
            return self._call_other()
        return self._call_mine()

    def _call_between(self) -> str:
        if self.all_ready:
            return _("The next round is being dealt.")
        if self.cast.viewer is None:
            return _("The next round follows.")
        if not self.ready:
            return _("Ready for the next round?")
        return self._named(_("Waiting for %(name)s."), self.cast.far)

    def _call_other(self) -> str:
        assert self.acting is not None, "somebody acts while a round runs"
        match self.phase:
            case Phase.OFFER | Phase.LAST_OFFER:
                words = _("%(name)s may take the upcard or pass.")
            case Phase.DRAW:
                words = _("%(name)s is to draw a card.")
            case Phase.DISCARD:
                words = _("%(name)s is to discard a card.")
            case _:
                words = _("%(name)s may lay off cards.")
        return self._named(words, self.acting)

    def _call_mine(self) -> str:
        match self.phase:
            case Phase.OFFER:
                return self._carded(_("Your turn: take the %(card)s, or pass."))
            case Phase.LAST_OFFER:
                return self._carded(_("Your turn: take the %(card)s to knock with it, or pass."))
            case Phase.DRAW if Take() in self.actions:
                return _("Your turn: draw from the stock, or take the discard.")
            case Phase.DRAW:
                return _("Your turn: draw from the stock.")
            case Phase.DISCARD if self.knock is not None:
                return _("Your turn: discard a card, or knock.")
            case Phase.DISCARD:
                return _("Your turn: discard a card.")
            case _:
                return _("Your turn: tap cards to lay off.")

    @property
    def hint(self) -> str:
        """What helps to decide, in one more sentence; often empty."""
        if self.rematch is not None and self.rematch.told:
            return self.rematch.told
        if self.stopping is not None and self.stopping.hint:
            return self.stopping.hint
        if self.is_over and self.cast.viewer is not None:
            return _("You find it again on your home page.")
        if self.is_waiting and self.declined_by:
            return _("You can take this table back on your home page.")
        if self.is_waiting and self.offered == "while here":
            return _("Stay here: with a clock, the lobby offers it only while you do.")
        if self.is_waiting and self.offered:
            return _("It stands in the lobby. You may leave: it waits on your home page.")
        if self.is_waiting and self.cast.viewer is not None:
            return _("You may leave: this table waits on your home page.")
        if self.cast.viewer is None and self.status == "playing":
            return _("You are watching.")
        if self.is_waiting or self.phase is Phase.OVER or not self.is_mine:
            return ""
        match self.phase:
            case Phase.DISCARD if self.outlook is not None:
                return self._knock_hint(self.outlook)
            case Phase.DISCARD if self.taken is not None:
                # Short, so that it stays in one line on a phone.
                return _("%(card)s can't go back in this turn.") % {"card": card_sign(self.taken)}
            case Phase.DISCARD:
                return self.choose_first
            case Phase.DRAW if Take() not in self.actions:
                return _("Both have passed.")
            case Phase.DEFENCE:
                return self._defence_hint()
            case _:
                return ""

    @property
    def choose_first(self) -> str:
        """What a key says that needs a card."""
        return _("Choose a card first.")

    def _knock_hint(self, outlook: Outlook) -> str:
        if self.has_big_gin:
            return outlook.gin_hint(outlook.options.big_gin)
        if not self.knock:
            return outlook.gin_hint(outlook.options.gin)
        return outlook.knock_hint(self.knock)

    @property
    def big_gin_rungs(self) -> tuple[Rung, ...]:
        """What big gin would do."""
        outlook = self.outlook
        return outlook.gin_rungs(outlook.options.big_gin) if outlook is not None else ()

    @property
    def deal_time(self) -> str:
        """When the next round is dealt, as a clock shows it."""
        return f"{self.deal_at.astimezone(UTC):%H:%M:%S} UTC" if self.deal_at else ""

    @property
    def deal_stamp(self) -> str:
        """The same as a page's script reads it."""
        return self.deal_at.isoformat() if self.deal_at else ""

    @property
    def _between(self) -> bool:
        return self.phase is Phase.OVER and self.cast.viewer is not None

    def _defence_hint(self) -> str:
        assert self.knocker is not None, "a defence answers a knock"
        return self.cast.say(
            self.knocker,
            "",
            _("%(name)s knocked with %(points)s; %(points)s or fewer undercut."),
            points=self.knocked_with,
        )

    @property
    def buttons(self) -> tuple[Button, ...]:
        """The actions that are sent by one press each, in their order."""
        if self.phase is Phase.OVER:
            show = self._between and self.status == "playing" and not self.ready
            return (Button("next-round", "N", _("Next round"), main=True),) if show else ()
        return tuple(
            button for kind, button in self._all_buttons().items() if kind() in self.actions
        )

    def _all_buttons(self) -> dict[type[Pass | Take | Draw | BigGin], Button]:
        take = card_sign(self.upcard) if self.upcard is not None else ""
        return {
            Pass: Button("pass", "P", _("Pass")),
            Draw: Button("draw", "D", _("Draw"), main=True),
            Take: Button("take", "T", _("Take %(card)s") % {"card": take}),
        }

    @property
    def has_big_gin(self) -> bool:
        return BigGin() in self.actions

    def counts_down(self) -> bool:
        """Whether something on the page is a matter of seconds."""
        return self.deal_at is not None or (self.clock is not None and self.clock.live)

    @property
    def can_resign(self) -> bool:
        return Resign() in self.actions

    def _named(self, words: str, seat: int) -> str:
        return words % {"name": self.cast.name(seat)}

    def _carded(self, words: str) -> str:
        return words % {"card": card_name(self.upcard) if self.upcard is not None else ""}


def _least_knock(view: "SeatView") -> int | None:
    if any(isinstance(each, BigGin) for each in view.actions):
        return 0
    thrown = [each.card for each in view.actions if isinstance(each, Knock)]
    return min((deadwood_points(view.hand ^ card.bit) for card in thrown), default=None)
