"""Names: plain ASCII, unique without case, and none that looks like another (fault 74)."""

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from hypothesis import given, settings
from hypothesis import strategies as st

from accounts import names
from accounts.models import User, glance_of
from accounts.names import MAX_LENGTH, RESERVED, USERNAME_VALIDATORS, glance

TAKEN = ("anna", "limes", "bob", "Barny", "vviking", "zero_0")
LOOK_ALIKES = (
    *("\u0430nna", "Iimes", "b\u03bfb", "th\u13a5b", "bob\u0661", "an\u200bna", "an\u202ena"),
    *("1imes", "LIMES", "ANNA", "Anna", "b0b", "BoB", "Bamy", "wiking", "zero-o", "zer0_0"),
    *("anna\u0301", "\uff41nna", "anna ", " anna", "an\u00adna", "anna\u3164", "\u0131imes"),
)
FINE = ("Ann", "ann-marie", "o_o", "x2", "Lime", "bobby", "A1", "hannah", "Ali")


def validate(name: str) -> None:
    """What a name of a new account goes through, the other accounts aside."""
    for validator in USERNAME_VALIDATORS:
        validator(name)


@pytest.mark.parametrize("name", FINE)
def test_a_plain_name_is_taken(name: str) -> None:
    validate(name)


@pytest.mark.parametrize(
    "name",
    [
        *("", "1anna", "_anna", "-anna", "anna_", "anna-", "an__na", "an-_na", "an na", "an.na"),
        *("a@b", "<b>", "anna\n", "\nanna", "anna\0", "../x", "a/b", "a" * (MAX_LENGTH + 1) + "!"),
        *("j\u00fcrgen", "\u0430nna", "b\u03bfb", "th\u13a5b", "bob\u0661", "an\u200bna"),
        "an\u202ena",
    ],
)
def test_fault_74_no_other_letters(name: str) -> None:
    with pytest.raises(ValidationError):
        validate(name)


@pytest.mark.parametrize(
    "name",
    [
        *sorted(RESERVED),
        *("Admin", "ADMIN", "Moderator", "YOU", "adm1n", "r00t", "B0T", "Guest", "guest1"),
        *("Guest-7", "guest_7", "supp0rt", "AdmIn"),
    ],
)
def test_no_name_speaks_for_the_site(name: str) -> None:
    with pytest.raises(ValidationError):
        validate(name)


@pytest.mark.django_db
class TestTheDatabase:
    """The last word: unique indexes, whoever makes an account and however many at once."""

    @pytest.fixture(autouse=True)
    def _taken(self) -> None:
        User.objects.bulk_create(User(username=name) for name in TAKEN)

    # The shape is the validators' business.
    @pytest.mark.parametrize("name", [n for n in LOOK_ALIKES if n.isascii() and n == n.strip()])
    def test_fault_74_it_holds_no_two_that_look_alike(self, name: str) -> None:
        with pytest.raises(IntegrityError), transaction.atomic():
            User.objects.create(username=name)

    @pytest.mark.parametrize("name", LOOK_ALIKES)
    def test_fault_74_the_admin_is_refused_them_too(self, name: str) -> None:
        with pytest.raises(ValidationError):
            User(username=name, password="x").full_clean()

    @pytest.mark.parametrize("name", FINE)
    def test_others_are_taken(self, name: str) -> None:
        User.objects.create(username=name)

    @settings(deadline=None, max_examples=50)
    @given(name=st.from_regex(r"[A-Za-z][A-Za-z0-9_-]{0,18}", fullmatch=True))
    def test_it_sees_what_the_form_sees(self, name: str) -> None:
        with transaction.atomic():
            user = User.objects.create(username=f"x{name}")
            [seen] = User.objects.filter(pk=user.pk).values_list(glance_of("username"), flat=True)
            transaction.set_rollback(True)
        assert seen == glance(f"x{name}")


@given(name=st.text(alphabet=st.characters(max_codepoint=127)))
def test_a_glance_is_one_for_every_case_but_the_stroke_s(name: str) -> None:
    assert glance(name) == glance(name).lower()
    assert names.glance(name.replace("1", "l")) == glance(name)
