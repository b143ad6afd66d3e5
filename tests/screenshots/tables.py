"""The tables that are photographed, each played by the site's own services to where it stands."""

import time
from collections.abc import Callable
from dataclasses import dataclass, fields
from datetime import timedelta
from functools import cache
from typing import Final

from django.db import transaction
from django.db.models.functions import Now
from django.utils import timezone

from accounts.models import Profile, Sanction, User
from accounts.sanctions import impose
from games.models import Announcement, Listing, Message, Rating, Round, Seat, Series
from games.moderation import roles
from games.moderation.models import Case, Letter
from games.moderation.services import cases
from games.moderation.services.letters import write_letter
from games.moderation.services.reports import file_report
from games.moderation.services.sanctions import answer_appeal, file_appeal
from games.rules.actions import Action, Defend, Discard, Draw, Knock, Pass
from games.rules.cards import parse_card
from games.rules.options import Options
from games.rules.scoring import Ending, RoundResult
from games.rules.state import deal
from games.selectors.standing import finished_rounds, series_state
from games.services import series as series_service
from games.services.bot_series import bot_user
from games.services.chat import say
from games.services.series import accept_invitation, create_series
from tests.e2e.dealing import plain_action, story_of
from tests.screenshots.decks import secret_for, shuffled
from tests.staff import new_moderator
from tests.tables import Played

MOST: Final = 60  # states of a round that is played on the way

type Wish = Callable[[RoundResult], bool]


def won_by(seat: int, least: int, most: int, *endings: Ending) -> Wish:
    """A round that this seat wins, with so many points."""
    return lambda result: (
        result.winner == seat
        and least <= result.points <= most
        and (not endings or result.kind in endings)
    )


# As on the sketch: game 1 has ended, games 2 and 3 are open.
SIX: Final = (
    won_by(1, 16, 20, Ending.KNOCK),
    won_by(0, 10, 16, Ending.UNDERCUT, Ending.KNOCK),
    won_by(1, 40, 48, Ending.GIN),
    won_by(0, 26, 32, Ending.KNOCK),
    won_by(0, 2, 7, Ending.KNOCK),
    won_by(0, 60, 68, Ending.GIN),
)
TWO: Final = SIX[1::-1]
# Seat 0 wins the series in the last of them.
ALL: Final = (*SIX, won_by(0, 40, 60, Ending.GIN), won_by(0, 30, 60), won_by(0, 30, 90))


@dataclass(frozen=True)
class People:
    """Who sits at all of the tables."""

    bob: User
    alexandra: User
    nino: User
    clara: User
    dora: User
    emil: User
    fritz: User
    greta: User
    hugo: User
    ida: User


PASSWORD: Final = "three-games-at-once"


def new_people() -> People:
    names = (field.name.title() for field in fields(People))
    people = People(*(User.objects.create(username=name) for name in names))
    people.bob.set_password(PASSWORD)
    people.bob.save()
    User.objects.create(username="Guest-4821", kind=User.Kind.GUEST)
    return people


def rate_people(people: People) -> None:
    """Some of them have played enough for a place among the best."""
    for name, value, count in (("alexandra", 1834, 61), ("bob", 1702, 24), ("clara", 1640, 12)):
        known = {"deviation": 70, "volatility": 0.06, "series_count": count, "rated_at": Now()}
        for format_ in ("hollywood live", "hollywood days"):
            Rating.objects.update_or_create(
                user=getattr(people, name), format=format_, defaults={**known, "value": value}
            )


def listed(user: User, options: Options, clock: str = "", **ratings: int) -> None:
    """A table with a free seat in the lobby, and its host there."""
    series = create_series(user=user, options=options)
    Series.objects.filter(pk=series.pk).update(time_control=clock)
    Listing.objects.create(series=series, **ratings)
    _meet(series)


def tell(user: User, about: str) -> None:
    Profile.objects.update_or_create(user=user, defaults={"about": about, "country": "RS"})


def announce() -> None:
    """The operator says that the site restarts, for some seconds; soon each process knows."""
    now = timezone.now()
    Announcement.objects.create(
        text="The site restarts for an update. Tables stay as they are; come back in a minute.",
        at=now.replace(hour=21, minute=0, second=0, microsecond=0),
        level=Announcement.Level.WARNING,
        shown_until=now + timedelta(seconds=8),
    )
    time.sleep(3)


def waiting_table(user: User) -> Series:
    """Nobody has sat down yet; the link is the same each time."""
    series = create_series(user=user, options=Options())
    series.invitation.token = "Zk3x9QpLmA2r7T"
    series.invitation.save()
    return series


def new_table(
    users: tuple[User, User], past: tuple[Wish, ...] = (), deck: str = "sketch"
) -> Played:
    """Two players after some rounds, and the next one dealt.

    Whoever has won the last round deals; the first is dealt by the second of them. Without a deck
    no other round follows.
    """
    series = create_series(user=users[0], options=Options())
    table = Played(series, users)
    _prepare(table, past[0] if past else None, deck, 1)
    series_service.draw_lot = lambda players: 1
    accept_invitation(token=series.invitation.token, user=users[1])
    series.refresh_from_db()
    for number in range(1, len(past) + 1):
        _play_out(table)
        hold_the_deals(3600)  # to find the next deck may take longer than the site waits
        if number < len(past) or deck:
            wish = past[number] if number < len(past) else None
            _prepare(table, wish, deck, next_dealer(table))
            next_round(table)
    _meet(series)
    return table


def next_dealer(table: Played) -> int:
    table.series.refresh_from_db()
    return series_state(table.series, finished_rounds(table.series)).dealing_side


def _prepare(table: Played, wish: Wish | None, deck: str, dealer: int) -> None:
    """Store the secret of the next round: of one that ends as wished, or of a prepared deck."""
    name = deck if wish is None else _deck_for(wish, dealer, table.series.options)
    Series.objects.filter(pk=table.series.pk).update(next_secret=secret_for(name))


@cache
def _deck_for(wish: Wish, dealer: int, options: Options) -> str:
    for number in range(1, 20_000):
        dealt = deal(shuffled(number), dealer, options).state
        last = story_of(dealt, MOST)[-1]
        if last.result is not None and wish(last.result):
            return str(number)
    raise AssertionError("no deck ends so")


def _play_out(table: Played) -> None:
    while table.state.result is None:
        done(table, plain_action(table.state))


def done(table: Played, *actions: Action) -> Played:
    """Whoever's turn it is acts."""
    for action in actions:
        outcome = table.act(action)
        assert outcome.status == "done", (action, outcome)
    return table


def next_round(table: Played) -> Played:
    for user in table.users:
        table.press_next(user)
    return table


def _meet(series: Series) -> None:
    """Both are there, whatever becomes of their sockets."""
    Seat.objects.filter(series=series).update(seen_at=Now() + timedelta(days=1))


def leave(table: Played, seat: int) -> Played:
    """This player has been away for long."""
    earlier = Now() - timedelta(hours=1)
    Seat.objects.filter(series=table.series, number=seat).update(seen_at=earlier)
    return table


def against_the_clock(table: Played, seconds: float) -> Played:
    """So much is left to whose turn it is, and nine minutes to the other."""
    Series.objects.filter(pk=table.series.pk).update(time_control="600+5")
    bank = timedelta(seconds=541)
    Round.objects.filter(pk=table.row.pk).update(
        first_bank=bank, second_bank=bank, due_at=Now() + timedelta(seconds=seconds)
    )
    return table


def against_a_bot(table: Played, seat: int = 1) -> Played:
    """As if a bot had sat there all the time; it does nothing more."""
    seats = Seat.objects.filter(series=table.series, number=seat)
    seats.update(bot="club", user=bot_user("club"))
    return table


def hold_the_deals(seconds: int = 29) -> None:
    """No next round is dealt meanwhile: what is due is due in half a minute, again and again."""
    due = Round.objects.filter(due_at__isnull=False).exclude(kind="")
    due.update(due_at=Now() + timedelta(seconds=seconds))


# Where the prepared rounds come to


def to_draw(table: Played) -> Played:
    """Bob, who has dealt, is to draw; the king of diamonds lies on the pile."""
    done(table, Pass(), Pass())
    for thrown in ("TC", "3S", "KD"):
        done(table, Draw(), Discard(parse_card(thrown)))
    return table


def to_discard(table: Played) -> Played:
    """Bob has drawn the nine of clubs, and may knock."""
    return done(to_draw(table), Draw())


def drawn_card(table: Played) -> Played:
    """Bob has just drawn the first card."""
    return done(table, Pass(), Pass(), Draw())


def knocked(table: Played) -> Played:
    """Alexandra has knocked; Bob can lay off three cards."""
    done(table, Pass(), Pass())
    for thrown in ("JD", "2S", "TS"):
        done(table, Draw(), Discard(parse_card(thrown)))
    return done(table, Draw(), Knock(parse_card("QD")))


def scored(table: Played) -> Played:
    return done(knocked(table), Defend())


def gin(table: Played) -> Played:
    return done(drawn_card(table), Knock(parse_card("9S")))


def drawn_round(table: Played) -> Played:
    """Nobody knocks until the stock ends."""
    done(table, Pass(), Pass())
    while table.state.result is None:
        done(table, Draw())
        card = table.state.drawn
        assert card is not None, "it has just been drawn"
        done(table, Discard(card))
    return table


def talked(table: Played) -> Played:
    """Both have said something, and somebody who watches too."""
    alexandra = table.users[1]
    for number, (user, words, phrase) in enumerate(
        (
            (alexandra, "", "hello"),
            (table.users[0], "Good evening! Nice to meet you again.", ""),
            (alexandra, "That gin in the third round was pure luck, I must say.", ""),
            (table.users[0], "", "thanks"),
            (alexandra, "Where did you learn it? My grandfather always kept the kings…", ""),
        )
    ):
        say(
            series=table.series,
            user_id=user.pk,
            key=f"{table.series.pk}-{number}",
            text=words,
            phrase=phrase,
        )
        Message.objects.update(sent_at=Now() - timedelta(minutes=7))
    return table


@transaction.atomic
def told_by_moderators(people: People) -> None:
    """Ida is warned and has a mute behind her, which she appealed; Hugo is suspended."""
    until = timezone.now() + timedelta(days=6)
    kind = Sanction.Kind
    mute = impose(
        user_id=people.ida.pk,
        kind=kind.MUTE,
        rule="spam",
        text="You sent eleven people the address of your shop.",
        until=until,
    )
    judge = new_moderator("Judith", roles.SENIOR)
    appeal = file_appeal(mute.pk, people.ida, "It is not my shop, it is my sister's!")
    answer_appeal(appeal.pk, judge, granted=False, answer="That makes it no better. It ends soon.")
    Sanction.objects.filter(pk=mute.pk).update(until=Now() - timedelta(days=1))
    impose(
        user_id=people.ida.pk,
        kind=kind.WARNING,
        rule="stalling",
        text="Twice this week you let the clock run out where you were losing.\n\nPlease resign.",
    )
    impose(
        user_id=people.hugo.pk,
        kind=kind.SUSPENSION,
        rule="respect",
        text="You threatened somebody in a chat, after a warning for the same.",
        until=until,
    )
    write_letter(
        Letter.Kind.LINE,
        people.ida.pk,
        rule="spam",
        text="This is no place to sell anything.",
        quote="All fabrics half price this week, ask me!",
    )
    moved = {"ratings": [[1488, 1500]]}
    write_letter(Letter.Kind.REFUND, people.ida.pk, rule="help", facts=moved)
    for number, outcome in enumerate((Case.Outcome.ACTED, Case.Outcome.DISMISSED, None)):
        person = (people.fritz, people.emil, people.greta)[number]
        report = file_report(
            reporter=people.ida, person=person, rule="respect", text="", key=f"ida-{number}"
        )
        if outcome is not None:
            cases.claim(report.case_id, judge)
            cases.close(report.case_id, judge, outcome)
