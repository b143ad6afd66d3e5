"""Two browsers add their parts to a deal, and a third one checks it."""

import json

import pytest
from playwright.sync_api import Page, expect

from games.models import Round, Series
from games.rules.cards import format_cards
from games.rules.deck import deal_message, shuffled_deck
from games.rules.options import Options
from games.rules.parts import How
from games.services.lobby import LOBBY, set_table
from games.services.series import Terms, create_series
from tests.e2e.browser import DESK, Person, Visit, shoot, until
from tests.e2e.dealing import dealt_table, plain_action
from tests.tables import Played, new_user

pytestmark = pytest.mark.browser


def play_out(table: Played) -> None:
    """Play plainly, by the services, to the result."""
    while not table.row.kind:
        table.act(plain_action(table.state))


def press(person: Person) -> None:
    person.table.button("next-round").click()


def both_at(visit: Visit, table: Played, **options: object) -> tuple[Person, Person]:
    path = table.series.get_absolute_url()
    one, other = (visit(user, path, **options).linked() for user in table.users)
    return one, other


def is_dealt(table: Played, number: int, person: Person) -> Round:
    until(lambda: table.row.number == number or None, person.page)
    return table.row


def hows(row: Round) -> list[How]:
    return [part.how for part in row.parts]


def over() -> Played:
    """A table whose first round is over."""
    table = dealt_table(lambda story: True)
    play_out(table)
    return table


def verdict(page: Page) -> str:
    shown = page.locator("#verdict p:visible")
    expect(shown).to_have_count(1)
    return shown.inner_text()


def test_f2_two_browsers_give_their_parts_and_the_page_says_that_it_matches(visit: Visit) -> None:
    table = over()
    one, other = both_at(visit, table)
    press(one)
    expect(one.table.button("next-round")).to_have_count(0)
    press(other)
    row = is_dealt(table, 2, one)
    assert hows(row) == [How.KEPT, How.KEPT]
    for person in (one, other):
        expect(person.table.part("#hand .face")).to_have_count(10)
        expect(person.table.part("#witness .ok")).not_to_have_attribute("hidden", "")
        expect(person.table.part("#witness .wrong")).to_have_attribute("hidden", "")
    sent = [json.loads(frame) for frame in (*one.sent_actions(), *other.sent_actions())]
    assert [frame["action"] for frame in sent].count("part") == 2
    assert not [frame for frame in sent if frame["action"] == "next-round" and "part" in frame]
    play_out(table)
    one.page.locator(".deal summary").click()
    expect(one.page.locator(".deal")).to_contain_text(row.parts[1].part)
    one.page.locator("#check-deal").click()
    assert "It matches." in verdict(one.page)
    expect(one.page.locator(".checks li:visible")).to_have_count(4)
    shoot(one.page, "deal-matches")
    watcher = visit(path=f"/verify/{table.series.slug}/2/", size=DESK)
    assert "It matches." in verdict(watcher.page)
    first = watcher.page.locator('[data-pile="first"] span').all_inner_texts()
    dealt = format_cards(row.proof.deck[:20:2]).replace("T", "10")
    assert " ".join(first).translate(str.maketrans("♣♦♥♠", "CDHS")) == dealt


def test_f2_what_was_changed_does_not_match(visit: Visit) -> None:
    table = over()
    page = visit(path=f"/verify/{table.series.slug}/1/").page
    assert "It matches." in verdict(page)
    for field in ("secret", "commitment", "deck"):
        value = page.locator(f"#{field}").input_value()
        # Another last digit; or the last two cards in the other order.
        last = value.split(" ")
        changed = " ".join([*last[:-2], last[-1], last[-2]]) if len(last) > 1 else ""
        other = changed or value[:-1] + ("0" if value[-1] != "0" else "1")
        page.locator(f"#{field}").fill(other)
        page.get_by_role("button", name="Check").click()
        assert "It does not match." in verdict(page), field
        page.locator(f"#{field}").fill(value)
    page.locator("#secret").fill("nothing")
    page.get_by_role("button", name="Check").click()
    assert "64 digits" in verdict(page)


VECTORS = """async (vectors) => {
  const { fromHex, hmac, sha256, shuffledDeck, toHex } = await import(
    document.getElementById("verdict").dataset.deal);
  return {
    sha: vectors.sha.map((text) => toHex(sha256(new TextEncoder().encode(text)))),
    hmac: vectors.hmac.map(([key, text]) => toHex(hmac(fromHex(key), fromHex(text)))),
    decks: vectors.decks.map(([secret, message]) => shuffledDeck(secret, message).join(" ")),
  };
}"""


def test_the_browsers_own_sha_256_is_the_one_of_the_standard(visit: Visit) -> None:
    """FIPS 180-4's examples, RFC 4231's, and decks as games.rules.deck makes them."""
    decks = [
        (f"{number:064x}", deal_message("Ab-c_3", number, 0, "0f" * 32)) for number in range(200)
    ]
    vectors = {
        "sha": ["", "abc", "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", "a" * 1000],
        "hmac": [
            ("0b" * 20, b"Hi There".hex()),
            (b"Jefe".hex(), b"what do ya want for nothing?".hex()),
            ("aa" * 20, "dd" * 50),
            ("aa" * 131, b"Test Using Larger Than Block-Size Key - Hash Key First".hex()),
        ],
        "decks": decks,
    }
    found = visit(path="/verify/").page.evaluate(VECTORS, vectors)
    assert found["sha"] == [
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
        "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3",
    ]
    assert found["hmac"] == [
        "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7",
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
        "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe",
        "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
    ]
    assert found["decks"] == [
        format_cards(shuffled_deck(bytes.fromhex(secret), message)) for secret, message in decks
    ]


def test_a_browser_notices_that_the_fingerprint_was_exchanged(visit: Visit) -> None:
    table = over()
    one, other = both_at(visit, table)
    press(one)
    expect(one.table.button("next-round")).to_have_count(0)
    # Both have seen the fingerprint, and neither looks again before the deal.
    expect(other.table.part("#opponent")).to_contain_text("ready for the next round")
    Series.objects.filter(pk=table.series.pk).update(next_secret=bytes(32))
    press(other)
    assert hows(is_dealt(table, 2, other)) == [How.KEPT, How.KEPT]
    for person in (one, other):
        expect(person.table.part("#witness .wrong")).not_to_have_attribute("hidden", "")


def test_a_reload_between_promise_and_part_keeps_the_part(visit: Visit) -> None:
    table = over()
    one, other = both_at(visit, table)
    press(one)
    expect(one.table.button("next-round")).to_have_count(0)
    one.page.reload()
    one.linked()
    press(other)
    assert hows(is_dealt(table, 2, other)) == [How.KEPT, How.KEPT]


def test_a_second_tab_tells_the_part_that_the_first_has_promised(visit: Visit) -> None:
    table = over()
    one, other = both_at(visit, table)
    second = one.open_tab(table.series.get_absolute_url())
    # Its script has run: what the first tab stores comes later.
    second.wait_for_load_state("networkidle")
    press(one)
    expect(one.table.button("next-round")).to_have_count(0)
    expect(second.locator('form[data-action="next-round"]')).to_have_count(0)
    one.page.close()
    press(other)
    assert hows(is_dealt(table, 2, other)) == [How.KEPT, How.KEPT]


def test_without_javascript_nobody_waits(visit: Visit) -> None:
    table = over()
    path = table.series.get_absolute_url()
    one = visit(table.users[0], path, java_script_enabled=False)
    other = visit(table.users[1], path, java_script_enabled=False)
    press(one)
    press(other)
    assert hows(table.row) == [How.NONE, How.NONE]
    assert table.row.number == 2


def test_who_waits_and_who_comes_by_the_link_add_their_parts_to_the_first_deal(
    visit: Visit,
) -> None:
    host, guest = new_user(), new_user()
    series = create_series(user=host, options=Options())
    waiting = visit(host, series.get_absolute_url()).linked()
    until(lambda: "told" if '"part"' in "".join(waiting.sent) else None, waiting.page)
    expect(waiting.page.locator('form[data-action="part"]')).to_have_count(0)
    coming = visit(guest, f"/invitation/{series.invitation.token}/")
    coming.page.get_by_role("button", name="Sit down").click()
    expect(coming.table.part("#hand .face")).to_have_count(10)
    assert hows(Round.objects.get(series=series)) == [How.WHOLE, How.WHOLE]


def test_the_lobby_brings_a_part_and_the_browser_is_a_witness(visit: Visit) -> None:
    series = set_table(user=new_user(), terms=Terms(Options()), company=LOBBY)
    coming = visit(new_user(), "/lobby/")
    coming.page.locator(f"#join-{series.slug}").click()
    expect(coming.table.part("#hand .face")).to_have_count(10)
    expect(coming.table.part("#witness .ok")).not_to_have_attribute("hidden", "")
    assert hows(Round.objects.get(series=series)) == [How.NONE, How.WHOLE]
