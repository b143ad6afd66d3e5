"""Contexts of the pages of statistics: of a player, of two against each other, of the site."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from games.counts import ENDINGS, TURNS, Counts
from games.rendering.luck import LuckPart, LuckRow
from games.rendering.numbers import NOTHING, count, decimal, mean, percent
from games.rendering.shares import Column, Slice, bar, columns
from games.rules.scoring import Ending

type Words = str | Promise


@dataclass(frozen=True, slots=True)
class Fact:
    """A figure that is read first."""

    label: Words
    value: str
    help: str = ""


@dataclass(frozen=True, slots=True)
class StyleRow:
    """How somebody plays, beside how others do."""

    label: Words
    mine: str
    others: str


@dataclass(frozen=True, slots=True)
class PartRow:
    """Rounds by the part in them: not dealing, dealing."""

    label: Words
    rounds: int
    won: str
    points_won: str
    points_lost: str


@dataclass(frozen=True, slots=True)
class GameRow:
    """One of the three games of a series, or the only one."""

    label: str
    slices: tuple[Slice, ...]


@dataclass(frozen=True, slots=True)
class Figures:
    """What a tally says of a player. `expected` is "" where no series was rated."""

    facts: tuple[Fact, ...]
    series: tuple[Slice, ...]
    games: tuple[GameRow, ...]
    endings: tuple[Slice, ...]
    rounds: int
    turns: tuple[Column, ...]
    parts: tuple[PartRow, ...]
    expected: str


@dataclass(frozen=True, slots=True)
class StatisticsPage:
    """`templates/games/statistics.html`, as `page`.

    `is_kept`: the player keeps it to themselves. `figures` and `luck` are None where nothing was
    played to its end. `others` says whom the style is measured against. `against`: the address of
    the page of viewer and player, "" for none.
    """

    name: str
    is_kept: bool = False
    is_bot: bool = False
    is_own: bool = False
    scope: str = ""
    scopes: tuple[tuple[str, str], ...] = ()
    figures: Figures | None = None
    style: tuple[StyleRow, ...] = ()
    others: str = ""
    luck: LuckPart | None = None
    against: str = ""


@dataclass(frozen=True, slots=True)
class PairRow:
    """A figure of each of two."""

    label: Words
    one: str
    other: str


@dataclass(frozen=True, slots=True)
class PairPage:
    """`templates/games/against.html`, as `page`; `rows` are empty where the two never met.

    `is_kept`: one of them keeps what they have played to themselves.
    """

    names: tuple[str, str]
    series: tuple[Slice, ...] = ()
    rounds: tuple[Slice, ...] = ()
    rows: tuple[PairRow, ...] = ()
    luck: tuple[LuckPart, ...] = ()
    is_kept: bool = False


@dataclass(frozen=True, slots=True)
class BotRow:
    """A bot: what it has played, and the cards that it was dealt."""

    name: str
    rounds: int
    won: str
    dealt: LuckRow


@dataclass(frozen=True, slots=True)
class SitePage:
    """`templates/games/site_statistics.html`, as `page`."""

    scope: str
    scopes: tuple[tuple[str, str], ...]
    facts: tuple[Fact, ...]
    endings: tuple[Slice, ...]
    turns: tuple[Column, ...]
    parts: tuple[PartRow, ...]
    luck: LuckPart | None
    by_part: tuple[tuple[LuckRow, ...], tuple[LuckRow, ...]] | None
    bots: tuple[BotRow, ...]


_WON: Final = {
    Ending.GIN: gettext_lazy("won by gin"),
    Ending.BIG_GIN: gettext_lazy("won by big gin"),
    Ending.KNOCK: gettext_lazy("won by a knock"),
    Ending.UNDERCUT: gettext_lazy("undercut the other"),
    Ending.RESIGNED: gettext_lazy("the other gave up"),
}
_LOST: Final = {
    Ending.GIN: gettext_lazy("lost to gin"),
    Ending.BIG_GIN: gettext_lazy("lost to big gin"),
    Ending.KNOCK: gettext_lazy("lost to a knock"),
    Ending.UNDERCUT: gettext_lazy("was undercut"),
    Ending.RESIGNED: gettext_lazy("gave up"),
}
_ENDED: Final = {
    Ending.GIN: gettext_lazy("gin"),
    Ending.BIG_GIN: gettext_lazy("big gin"),
    Ending.KNOCK: gettext_lazy("knock"),
    Ending.UNDERCUT: gettext_lazy("undercut"),
    Ending.RESIGNED: gettext_lazy("given up"),
}
_DRAWN: Final = pgettext_lazy("round", "drawn")
_PARTS: Final = (gettext_lazy("Not dealing"), gettext_lazy("Dealing"))


def figures_of(counts: Counts, *, streak: int, best_streak: int) -> Figures:
    """What a player's tally says."""
    return Figures(
        facts=_facts(counts, streak, best_streak),
        series=series_bar(counts),
        games=_games(counts),
        endings=_endings(counts),
        rounds=sum(counts.rounds),
        turns=turn_columns(counts),
        parts=part_rows(counts),
        expected=_expected(counts),
    )


def series_bar(counts: Counts) -> tuple[Slice, ...]:
    """Series won and lost."""
    undecided = counts.series - counts.series_won - counts.series_lost
    return _used(
        ("won", pgettext_lazy("series", "won"), counts.series_won),
        ("drawn", pgettext_lazy("series", "without a winner"), undecided),
        ("lost", pgettext_lazy("series", "lost"), counts.series_lost),
    )


def rounds_bar(counts: Counts) -> tuple[Slice, ...]:
    """Rounds won and lost."""
    return _used(
        ("won", pgettext_lazy("rounds", "won"), sum(counts.rounds_won)),
        ("drawn", _DRAWN, counts.rounds_drawn),
        ("lost", pgettext_lazy("rounds", "lost"), sum(counts.rounds_lost)),
    )


def _used(*parts: tuple[str, Words, int]) -> tuple[Slice, ...]:
    return bar([part for part in parts if part[2]])


def _endings(counts: Counts) -> tuple[Slice, ...]:
    """From the best ending to the worst."""
    won = [(f"won-{e.name.lower()}", _WON[e], counts.won_by[n]) for n, e in enumerate(ENDINGS)]
    lost = [(f"lost-{e.name.lower()}", _LOST[e], counts.lost_by[n]) for n, e in enumerate(ENDINGS)]
    return _used(*won, ("drawn", _DRAWN, counts.rounds_drawn), *lost[::-1])


def site_endings(counts: Counts) -> tuple[Slice, ...]:
    """How rounds end, whoever won them."""
    ended = [(f"won-{e.name.lower()}", _ENDED[e], counts.won_by[n]) for n, e in enumerate(ENDINGS)]
    return _used(*ended, ("drawn", _DRAWN, counts.rounds_drawn // 2))


def turn_columns(counts: Counts) -> tuple[Column, ...]:
    """In which own turn somebody knocks or has gin."""
    labels = [*(str(turn) for turn in range(1, TURNS)), f"{TURNS}+"]
    return columns(labels, counts.knock_turns)


def part_rows(counts: Counts) -> tuple[PartRow, ...]:
    """Rounds not dealing and dealing."""
    return tuple(
        PartRow(
            label=label,
            rounds=counts.rounds[n],
            won=percent(counts.rounds_won[n], counts.rounds[n]),
            points_won=mean(counts.points_won[n], counts.rounds[n]),
            points_lost=mean(counts.points_lost[n], counts.rounds[n]),
        )
        for n, label in enumerate(_PARTS)
    )


def _facts(counts: Counts, streak: int, best_streak: int) -> tuple[Fact, ...]:
    won = sum(counts.rounds_won)
    decided = sum(counts.games_won) + sum(counts.games_lost)
    return (
        Fact(
            gettext_lazy("Series won"),
            percent(counts.series_won, counts.series),
            _of(counts.series_won, counts.series),
        ),
        Fact(
            gettext_lazy("Games won"),
            percent(sum(counts.games_won), decided),
            _of(sum(counts.games_won), decided),
        ),
        Fact(
            gettext_lazy("Rounds won"),
            percent(won, sum(counts.rounds)),
            _of(won, sum(counts.rounds)),
        ),
        Fact(gettext_lazy("In a row"), _streak(streak), _best(best_streak)),
    )


def _of(part: int, whole: int) -> str:
    return _("%(part)s of %(whole)s") % {"part": count(part), "whole": count(whole)}


def _streak(streak: int) -> str:
    if not streak:
        return NOTHING
    words = _("%(count)d won") if streak > 0 else _("%(count)d lost")
    return words % {"count": abs(streak)}


def _best(best: int) -> str:
    return _("best: %(count)d won") % {"count": best}


def _games(counts: Counts) -> tuple[GameRow, ...]:
    rows = []
    for n, (won, lost) in enumerate(zip(counts.games_won, counts.games_lost, strict=True)):
        slices = _used(
            ("won", pgettext_lazy("games", "won"), won),
            ("lost", pgettext_lazy("games", "lost"), lost),
        )
        if slices:
            rows.append(GameRow(_("Game %(number)d") % {"number": n + 1}, slices))
    return tuple(rows)


def _expected(counts: Counts) -> str:
    if not counts.rated:
        return ""
    words = _(
        "In %(count)s rated series, %(expected)s wins were to be expected by the ratings; there "
        "were %(score)s."
    )
    return words % {
        "count": count(counts.rated),
        "expected": decimal(counts.rated_expected / 1000),
        "score": decimal(counts.rated_score / 1000),
    }


# Style: what a player decides, beside what others do.


def _knocks_of_rounds(counts: Counts) -> str:
    return percent(sum(counts.knock_turns), sum(counts.rounds))


def _gins_of_knocks(counts: Counts) -> str:
    return percent(sum(counts.won_by[:2]), sum(counts.knock_turns))


def _deadwood_at_knock(counts: Counts) -> str:
    return mean(counts.knock_deadwood, counts.knocks)


def _turn_of_knock(counts: Counts) -> str:
    turns = sum((n + 1) * times for n, times in enumerate(counts.knock_turns))
    return mean(turns, sum(counts.knock_turns))


def _undercut(counts: Counts) -> str:
    return percent(counts.lost_by[ENDINGS.index(Ending.UNDERCUT)], counts.knocks)


def _undercuts_others(counts: Counts) -> str:
    undercuts = counts.won_by[ENDINGS.index(Ending.UNDERCUT)]
    knocked = counts.lost_by[ENDINGS.index(Ending.KNOCK)] + undercuts
    return percent(undercuts, knocked)


def _draws_to_knock(counts: Counts) -> str:
    return mean(counts.draws + counts.takes, sum(counts.rounds))


def _takes(counts: Counts) -> str:
    return percent(counts.takes, counts.takes + counts.draws)


_STYLE: Final[tuple[tuple[Words, Callable[[Counts], str]], ...]] = (
    (gettext_lazy("Rounds ended by their own knock or gin"), _knocks_of_rounds),
    (gettext_lazy("Of these gin"), _gins_of_knocks),
    (gettext_lazy("In which of their turns"), _turn_of_knock),
    (gettext_lazy("Deadwood at a knock"), _deadwood_at_knock),
    (gettext_lazy("Knocks that were undercut"), _undercut),
    (gettext_lazy("The other's knocks undercut"), _undercuts_others),
    (gettext_lazy("Cards drawn or taken in a round"), _draws_to_knock),
    (gettext_lazy("Of these from the discard pile"), _takes),
)


def style_rows(mine: Counts, others: Counts) -> tuple[StyleRow, ...]:
    """How somebody plays beside how others do."""
    return tuple(StyleRow(label, figure(mine), figure(others)) for label, figure in _STYLE)


def pair_rows(one: Counts, other: Counts, best: tuple[int, int]) -> tuple[PairRow, ...]:
    """Two players' figures side by side."""
    figures: Sequence[tuple[Words, Callable[[Counts], str]]] = (
        (gettext_lazy("Series won"), lambda c: count(c.series_won)),
        (gettext_lazy("Games won"), lambda c: count(sum(c.games_won))),
        (gettext_lazy("Rounds won"), lambda c: count(sum(c.rounds_won))),
        (gettext_lazy("Points won"), lambda c: count(sum(c.points_won))),
        (gettext_lazy("Gin"), lambda c: count(sum(c.won_by[:2]))),
        (gettext_lazy("Undercuts"), lambda c: count(c.won_by[ENDINGS.index(Ending.UNDERCUT)])),
        *_STYLE,
    )
    rows = [PairRow(label, figure(one), figure(other)) for label, figure in figures]
    streaks = PairRow(gettext_lazy("Most series won in a row"), count(best[0]), count(best[1]))
    return (*rows[:6], streaks, *rows[6:])


def site_facts(counts: Counts) -> tuple[Fact, ...]:
    """The site's figures; each series and each round was counted for both of its players."""
    rounds = sum(counts.rounds)
    return (
        Fact(gettext_lazy("Series"), count(counts.series // 2)),
        Fact(gettext_lazy("Rounds"), count(rounds // 2)),
        Fact(gettext_lazy("Points a round"), mean(sum(counts.points_won), rounds // 2)),
        Fact(gettext_lazy("Turns to a knock or gin"), _turn_of_knock(counts)),
    )
