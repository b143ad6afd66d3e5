"""What the reasons of bots give away (promise S1; faults 59, 60): nothing while the round runs."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.bots import Reason, ReasonCode
from games.models import Round
from games.models.reasons import write_reason
from games.rules.cards import Card
from games.window import Window
from tests.games.test_secrecy import (
    _fixed_sources,  # noqa: F401 (fixture)
    admin_addresses,
)
from tests.house import bot_table, play_round
from tests.tables import Played, new_user

pytestmark = pytest.mark.django_db

KEPT = "".join(write_reason(ply, Reason(ReasonCode.SAFE, Card["7D"], 7)) for ply in range(9))


@pytest.fixture(autouse=True)
def _at_once(settings: Any) -> None:
    settings.BOT_PACE = 0


def sent_to(client: Client, user: User | None, table: Played) -> list[bytes]:
    """All that somebody gets who looks at the table in every way."""
    table.series.seats.update(seen_at=None)  # to have looked leaves a trace
    addresses = [table.series.get_absolute_url(), reverse("home"), *admin_addresses(table.row)]
    pages = [client.get(address).content for address in addresses]
    window = Window(table.series.slug, user.pk if user else None, None, "dev")
    return [*pages, window.hello(0, "").encode()]


@pytest.mark.usefixtures("_fixed_sources")
def test_s1_no_reason_leaves_before_the_round_is_over() -> None:
    table = bot_table()
    viewers = (*table.users, new_user(), User.objects.create_superuser("boss"), None)
    for viewer in viewers:
        client = Client()
        if viewer is not None:
            client.force_login(viewer)
        seen = []
        for reasons in ("", KEPT):
            Round.objects.filter(pk=table.row.pk).update(reasons=reasons)
            seen.append(sent_to(client, viewer, table))
        assert seen[0] == seen[1], viewer


@pytest.mark.usefixtures("_fixed_sources")
def test_s1_such_a_leak_would_be_noticed() -> None:
    """The test above is worth something: once the round is over the same bytes differ."""
    table = bot_table()
    row = play_round(table)
    seen = []
    for reasons in ("", row.reasons):
        Round.objects.filter(pk=row.pk).update(reasons=reasons)
        seen.append(sent_to(Client(), None, table))
    assert seen[0] != seen[1]
