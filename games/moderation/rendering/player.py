"""What the players' pages of moderation show: all that their templates are given."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final, Self

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts.models import Sanction
from games.conduct import RULES, Rule
from games.leaver_words import LeaverWords
from games.models import Message
from games.moderation.forms.player import AppealForm, ReportForm
from games.moderation.models import Appeal, Case, Letter, Report
from games.phrases import phrase_words

type Words = str | Promise

HEADINGS: Final[dict[str, Words]] = {
    Sanction.Kind.WARNING: _("A warning"),
    Sanction.Kind.MUTE: _("You can't write in chats"),
    Sanction.Kind.UNRATED: _("You can't begin rated series"),
    Sanction.Kind.TIMEOUT: _("You can't begin series with people"),
    Sanction.Kind.SUSPENSION: _("Your account is suspended"),
    Sanction.Kind.CLOSING: _("Your account is closed"),
}
MEANINGS: Final[dict[str, Words]] = {
    Sanction.Kind.WARNING: _("You can begin new series with people once you have read it."),
    Sanction.Kind.MUTE: _("You read what others write, and play as before."),
    Sanction.Kind.UNRATED: _("You play series that are not rated, with everybody."),
    Sanction.Kind.TIMEOUT: _("You play on what has begun, and against bots."),
    Sanction.Kind.SUSPENSION: _(
        "Until it ends this page is all that you see. The series that you were playing are "
        "resigned; your account and what you have played before are kept."
    ),
    Sanction.Kind.CLOSING: _(
        "This page is all that you see. The series that you were playing are resigned. You can "
        "take your data along."
    ),
}
CARRIED_OVER: Final = _(
    "This address belonged to an account that was under this when it was deleted. What is left of "
    "the term goes on here."
)
OUTCOMES: Final[dict[str, Words]] = {
    "": _("A moderator will look at it."),
    Case.Outcome.ACTED: _("Something was done about it. Thank you for telling us."),
    Case.Outcome.DISMISSED: _("We looked at it and found nothing against the rules."),
}
MENDED: Final[dict[str, Words]] = {
    Letter.Kind.RENAMED: _(
        "A moderator has given you another name. You log in with the new one; nobody gets the old "
        "one any more."
    ),
    Letter.Kind.LINE: _("A moderator has removed a line of yours from a chat."),
    Letter.Kind.PROFILE: _("A moderator has removed what you had written in your profile."),
    Letter.Kind.VOID: _(
        "A series that you played was declared void. It stays in your list, and counts in no "
        "rating and no statistics."
    ),
    Letter.Kind.REFUND: _(
        "What you lost in ratings to somebody who did not play by the rules was given back to you."
    ),
}


@dataclass(frozen=True, slots=True)
class AttachedLine:
    """A line of a chat that goes along with a report."""

    name: str
    words: str
    sent_at: datetime

    @classmethod
    def of(cls, message: Message) -> Self:
        return cls(message.author.shown_name, message.words, message.sent_at)


@dataclass(frozen=True, slots=True)
class ReportPage:
    """`templates/games/moderation/report.html`, as `report`.

    `series` is the address where it happened, "" where it happened nowhere in particular, `round`
    the number of the last one; both and `lines` are attached. `key` makes it one report.
    """

    name: str
    path: str
    form: ReportForm
    key: str
    series: str
    round: int
    lines: tuple[AttachedLine, ...]
    way_back: str
    notice: Words = ""

    @property
    def choices(self) -> tuple[tuple[Rule, bool], ...]:
        """The rules, and whether each is the one that was chosen."""
        chosen = self.form["rule"].value()
        return tuple((rule, code == chosen) for code, rule in RULES.items())


@dataclass(frozen=True, slots=True)
class AppealPart:
    """An appeal with its answer, if it has one: `granted` is None until then."""

    text: str
    made_at: datetime
    granted: bool | None
    answer: str
    answered_at: datetime | None
    is_new: bool

    @classmethod
    def of(cls, appeal: Appeal) -> Self:
        is_new = appeal.answered_at is not None and appeal.answer_seen_at is None
        return cls(
            appeal.text,
            appeal.made_at,
            appeal.granted,
            appeal.answer,
            appeal.answered_at,
            is_new,
        )


@dataclass(frozen=True, slots=True)
class SanctionPart:
    """One sanction as its person reads it. `form`: they can appeal by it, else None.

    `until` is None for good, and for a warning. `ended`: it is over, by its term or taken back.
    """

    id: int
    kind: str
    rule: Rule | None
    text: Words
    since: datetime
    until: datetime | None
    acknowledged: bool
    taken_back: bool
    ended: bool
    appeal: AppealPart | None
    form: AppealForm | None

    @classmethod
    def of(cls, row: Sanction, form: AppealForm | None = None) -> Self:
        """In words; `form` holds what was refused, of an appeal against this one."""
        is_warning = row.kind == Sanction.Kind.WARNING
        appeal = getattr(row, "appeal", None)
        taken_back = row.lifted_at is not None
        now: datetime = row.now  # type: ignore[attr-defined] # by sanctions_of
        has_run = row.until is not None and row.until <= now
        ended = taken_back or (row.acknowledged_at is not None if is_warning else has_run)
        may_appeal = appeal is None and not taken_back and (is_warning or not ended)
        return cls(
            id=row.pk,
            kind=row.kind,
            rule=RULES.get(row.rule),
            text=row.text or CARRIED_OVER,
            since=row.since,
            until=None if is_warning else row.until,
            acknowledged=row.acknowledged_at is not None,
            taken_back=taken_back,
            ended=ended,
            appeal=AppealPart.of(appeal) if appeal else None,
            form=(form or AppealForm(auto_id=f"appeal-{row.pk}-%s")) if may_appeal else None,
        )

    @property
    def heading(self) -> Words:
        return HEADINGS[self.kind]

    @property
    def meaning(self) -> Words:
        """What it means as long as it holds."""
        return "" if self.ended else MEANINGS[self.kind]

    @property
    def is_warning(self) -> bool:
        return self.kind == Sanction.Kind.WARNING

    @property
    def to_acknowledge(self) -> bool:
        """Whether it waits for them to say that they have read it."""
        return self.is_warning and not self.ended


@dataclass(frozen=True, slots=True)
class ReportedPart:
    """A report of one's own, and what became of it."""

    name: str
    rule: Rule | None
    made_at: datetime
    is_done: bool
    is_new: bool
    outcome: Words

    @classmethod
    def of(cls, report: Report) -> Self:
        is_done = report.case.closed_at is not None
        return cls(
            name=report.case.person.shown_name,
            rule=RULES.get(report.rule),
            made_at=report.made_at,
            is_done=is_done,
            is_new=is_done and report.outcome_seen_at is None,
            outcome=OUTCOMES[report.case.outcome],
        )


@dataclass(frozen=True, slots=True)
class LetterPart:
    """What was mended of theirs: `what` was done, and `quote` what they had written themselves.

    `ratings` are those that stand elsewhere since: before and after.
    """

    what: Words
    rule: Rule | None
    text: str
    quote: str
    series: str
    ratings: tuple[tuple[int, int], ...]
    made_at: datetime
    is_new: bool

    @classmethod
    def of(cls, letter: Letter) -> Self:
        return cls(
            what=MENDED[letter.kind],
            rule=RULES.get(letter.rule),
            text=letter.text,
            quote=phrase_words(letter.quote),
            series=letter.series.get_absolute_url() if letter.series else "",
            ratings=tuple((before, after) for before, after in letter.facts.get("ratings", ())),
            made_at=letter.made_at,
            is_new=letter.seen_at is None,
        )


@dataclass(frozen=True, slots=True)
class StandingPage:
    """`templates/games/moderation/standing.html`, as `page`.

    `shut_out`: it is all that they see. `leaver` says what leaving has led to, None without any.
    `zone` names the clocks of all times.
    """

    shut_out: bool
    is_guest: bool
    sanctions: tuple[SanctionPart, ...]
    letters: tuple[LetterPart, ...]
    reports: tuple[ReportedPart, ...]
    leaver: LeaverWords | None
    zone: str
    notice: Words = ""

    @property
    def present(self) -> tuple[SanctionPart, ...]:
        """Those that hold now."""
        return tuple(part for part in self.sanctions if not part.ended)

    @property
    def past(self) -> tuple[SanctionPart, ...]:
        return tuple(part for part in self.sanctions if part.ended)
