"""The mail of a running site: sent by its own clock, by one of two processes, once."""

import time
from pathlib import Path

import pytest
from allauth.account.models import EmailAddress
from django.db.models.functions import Now

from accounts.turn_mail import TurnMail
from games.models import Notice
from tests.postbox import open_postbox
from tests.site import Site
from tests.tables import new_table

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


def test_two_processes_send_one_mail_and_the_link_in_it_turns_it_off(tmp_path: Path) -> None:
    with open_postbox() as box:
        site = Site(tmp_path, processes=2, EMAIL_URL=box.url, EMAIL_FROM="gin@example.org").start()
        try:
            table = new_table(time_control="3d")
            user = table.turn_user
            address = f"{user.username}@example.org"
            EmailAddress.objects.create(user=user, email=address, verified=True, primary=True)
            Notice.objects.filter(user=user).update(due_at=Now())
            while not TurnMail.objects.filter(user=user).update(due_at=Now()):
                time.sleep(0.1)
            mail = box.mail_to(address)
            assert mail["Subject"] == f"Your turn against {table.waiting_user.username}"
            assert table.series.get_absolute_url() in mail.get_content()
            assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
            time.sleep(6)  # both have looked again
            assert len(box.mails) == 1
        finally:
            site.stop()
        assert site.errors() == []
