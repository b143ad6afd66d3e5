"""What moderators have to do: reports, a case that Clara has claimed, an appeal."""

from datetime import timedelta

from django.db.models import F
from django.urls import reverse

from accounts.models import Sanction, User
from accounts.sanctions import impose
from accounts.traces import leave_traces
from games.models import Message, Series
from games.moderation import roles
from games.moderation.models import Case, Report, Signal
from games.moderation.services import cases, sanctions
from games.moderation.services.reports import file_report
from games.moderation.services.signals import note_signal
from games.moderation.services.staff import appoint
from tests.screenshots.tables import People
from tests.staff import new_moderator, with_second_factor


def moderated(people: People, table: str) -> str:
    """Make all of it; the address of the case. `table` is that of a table of Bob's."""
    appoint(with_second_factor(people.clara), roles.SENIOR, 0)
    clara = User.objects.get(pk=people.clara.pk)
    series = Series.objects.get(slug=table.strip("/").split("/")[-1])
    other = new_moderator("Marek")
    told(people.alexandra, people.bob, "respect", "He swore at me when I had gin.", series)
    told(people.nino, people.bob, "stalling", "Lets his clock run whenever he is behind.")
    told(people.bob, people.greta, "help", "Nobody knocks that well.", series)
    told(people.dora, people.fritz, "name", "")
    Case.objects.filter(person=people.fritz).update(opened_at=F("opened_at") - timedelta(days=2))
    case = Case.objects.get(person=people.bob)
    quoted = ["Hurry up.", "You are the luckiest player I ever met, and the slowest.", "thanks"]
    report = Report.objects.get(reporter=people.alexandra)
    report.evidence |= {
        "chat": [
            {"author": author.pk, "text": line, "at": f"2026-11-30T10:1{n}:00+00:00"}
            for n, (author, line) in enumerate(
                zip((people.bob, people.bob, people.alexandra), quoted, strict=True)
            )
        ]
    }
    report.save()
    cases.claim(case.pk, clara)
    cases.write_note(case.pk, clara, "Third quarrel of the two this month. Both were loud.")
    for kind in (Sanction.Kind.WARNING, Sanction.Kind.MUTE):
        made = impose(
            user_id=people.bob.pk,
            kind=kind,
            rule="respect",
            text="You insulted your opponent on 12 November, at the end of the second game.",
            imposed_by_id=other.pk,
        )
    sanctions.file_appeal(made.pk, people.bob, "It was a joke among friends, ask her.\nPlease.")
    for relative in (people.bob, people.nino):
        leave_traces(relative.pk, "203.0.113.7", "browser")
    facts: dict[str, int | float | str | None] = {"fed": 41, "discards": 78, "one_in": 730_000}
    note_signal(Signal.Kind.FED, "fed", people.bob.pk, other_id=people.nino.pk, facts=facts)
    note_signal(
        Signal.Kind.PAIR, "pair", people.bob.pk, other_id=people.nino.pk, facts={"rated": 6}
    )
    Message.objects.create(
        series=series, room="players", author=people.bob, text="Hurry up.", key="said"
    )
    return reverse("moderation_case", args=[case.pk])


def told(reporter: User, person: User, rule: str, text: str, series: Series | None = None) -> None:
    file_report(
        reporter=reporter,
        person=person,
        rule=rule,
        text=text,
        key=f"{reporter.pk}-{person.pk}",
        series=series,
    )
