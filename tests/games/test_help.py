"""The pages that teach, and the guide at the table: true, complete, and for everybody."""

import re
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from django.contrib.auth.models import AnonymousUser
from django.template import engines
from django.template.loader import render_to_string
from django.test import RequestFactory
from django.utils.html import escape

from games.forms.series import PRESET_LABELS, SeriesForm
from games.live import Stamp
from games.models import Round
from games.option_words import OPTION_GROUPS, OPTION_WORDS, matters, origin_of
from games.rendering import regions, render_region
from games.rendering.guide import GuideContext
from games.rendering.help_pages import (
    RESULTS,
    RuleCardPage,
    examples,
    how_to_play,
    rules_page,
)
from games.rendering.words import card_name
from games.rules.actions import Discard, Draw, Pass, Resign
from games.rules.cards import Card
from games.rules.lay_offs import best_defence, extended_melds
from games.rules.melds import best_arrangement
from games.rules.options import OPTION_VALUES, PRESETS, Options
from games.rules.scoring import score_knock
from games.rules.settlement import settle
from games.rules.sheet import ScoreSheet
from games.selectors.table import Table, load_sitting, table_for
from tests.games.scenes import (
    HAND,
    SCENES,
    Scene,
    card,
    dealt,
    knocked,
    offered,
    scored,
    taken,
    to_discard,
    to_draw,
    waiting,
    with_gin,
)
from tests.tables import Played, hasty, new_table, new_user

DOCUMENT = (Path(__file__).parents[2] / "docs" / "rules.md").read_text()
HOLLYWOOD = Options()
CHANGED = Options.from_mapping({"preset": "oklahoma", "target": 200, "gin": 20})


def words(html: str) -> str:
    return " ".join(re.sub(r"<[^>]*>", " ", html).split())


def rendered(name: str, **context: object) -> str:
    request = RequestFactory().get("/")
    request.user = AnonymousUser()
    return render_to_string(f"games/help/{name}.html", context, request)


def rules_html(*, more_players: bool = False) -> str:
    return rendered("rules", rules=rules_page(PRESET_LABELS, more_players=more_players))


def how_html(guide: str = "first") -> str:
    return rendered("how_to_play", how=how_to_play("/how-to-play/", guide))


def card_html(options: Options) -> str:
    page = RuleCardPage("/series/x/", ("Bob", "Alexandra"), PRESET_LABELS[options.preset], options)
    return rendered("rule_card", card=page)


def all_pages() -> list[str]:
    cards = [card_html(options) for options in (*PRESETS.values(), CHANGED)]
    guides = [how_html(choice) for choice in ("first", "on", "off")]
    return [rules_html(), rules_html(more_players=True), *guides, *cards]


# The pages


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/how-to-play/", "/rules/", "{series}rules/"])
def test_they_are_there_for_everybody(client, path):
    table = new_table(CHANGED)
    path = path.replace("{series}", table.series.get_absolute_url())
    assert client.get(path).status_code == 200
    for user in (*table.users, new_user()):
        client.force_login(user)
        assert client.get(path).status_code == 200


@pytest.mark.django_db
def test_a_series_that_there_is_not_has_no_rules(client):
    assert client.get("/series/nowhere/rules/").status_code == 404


@pytest.mark.django_db
def test_every_page_leads_to_them(client):
    for path in ("/", "/rules/", "/how-to-play/"):
        html = client.get(path).content.decode()
        assert 'href="/rules/"' in html
        assert 'href="/how-to-play/"' in html


@pytest.mark.django_db
def test_the_table_leads_to_the_rules_of_its_series(client):
    url = new_table().series.get_absolute_url()
    assert f'href="{url}rules/"' in client.get(url).content.decode()


def test_nothing_is_left_out_for_want_of_a_value(monkeypatch):
    engine = engines["django"].engine  # type: ignore[attr-defined]
    monkeypatch.setattr(engine, "string_if_invalid", "INVALID[%s]")
    for page in all_pages():
        # The header asks who is logged in by names that a visitor doesn't have.
        main = page[page.index("<main") :]
        assert "INVALID" not in main, re.findall(r"INVALID\[[^]]*\]", main)


def test_nothing_is_inline_and_every_id_is_the_only_one():
    for page in all_pages():
        assert not re.search(r"<style|\sstyle=|\son[a-z]+=|<script(?![^>]* src=)", page)
        ids = re.findall(r'\sid="([^"]*)"', page)
        assert len(ids) == len(set(ids))


def test_every_anchor_leads_somewhere():
    known = set(re.findall(r'\sid="([^"]*)"', rules_html()))
    for page in all_pages():
        own = set(re.findall(r'\sid="([^"]*)"', page))
        assert set(re.findall(r'href="#([^"]*)"', page)) <= own
        assert set(re.findall(r'href="/rules/#([^"]*)"', page)) <= known


def test_the_contents_list_every_chapter_in_its_order():
    page = rules_html()
    contents = page[page.index('class="contents"') : page.index('class="chapters"')]
    chapters = re.findall(r'<section id="([^"]*)"><h2>(.*?)</h2>', page)
    assert re.findall(r'<li><a href="#(.*?)">(.*?)</a>', contents) == chapters


def test_headings_leave_no_step_out():
    for page in all_pages():
        levels = [int(level) for level in re.findall(r"<h([1-6])", page)]
        assert levels[0] == 1
        assert levels.count(1) == 1
        assert all(after <= before + 1 for before, after in pairwise(levels))


# Options and presets


def test_every_option_has_words_for_every_value():
    shown = [name for _title, names in OPTION_GROUPS for name in names]
    assert sorted(shown) == sorted(OPTION_VALUES)
    for name, values in OPTION_VALUES.items():
        told = [OPTION_WORDS[name].of(value) for value in values]
        assert all(told)
        assert len(set(told)) == len(told)
        assert not any("%" in text for text in told)


@pytest.mark.parametrize("name", OPTION_VALUES)
def test_every_option_has_a_section_with_its_values(name):
    page = rules_html()
    section = re.search(rf'<section id="option-{name}">(.*?)</section>', page, re.DOTALL)
    assert section is not None
    told = words(section[1])
    assert str(OPTION_WORDS[name].label) in told
    values = OPTION_VALUES[name]
    if isinstance(values, range):
        assert f"from {values[0]} to {values[-1]}" in told
    else:
        assert all(escape(OPTION_WORDS[name].of(value)) in told for value in values)
    usual = OPTION_WORDS[name].of(getattr(HOLLYWOOD, name))
    assert f"<b>{escape(usual)}</b>" in section[1]


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_tells_what_it_sets(preset):
    page = rules_html()
    found = re.search(rf'<div id="preset-{preset}">(.*?)</div>', page, re.DOTALL)
    assert found is not None
    options = PRESETS[preset]
    differs = {name for name in OPTION_VALUES if getattr(options, name) != getattr(HOLLYWOOD, name)}
    assert set(re.findall(r"#option-(\w+)", found[1])) == differs
    for name in differs:
        assert OPTION_WORDS[name].of(getattr(options, name)) in words(found[1])


@pytest.mark.parametrize("options", [*PRESETS.values(), CHANGED], ids=str)
def test_a_rule_card_shows_every_option_and_where_it_comes_from(options):
    html = card_html(options)
    rows = re.findall(r'<tr class="(\w+)( idle)?">(.*?)</tr>', html, re.DOTALL)
    told = {}
    for origin, idle, row in rows:
        name = re.search(r"/rules/#option-(\w+)", row)
        assert name is not None
        told[name[1]] = origin
        assert bool(idle) != matters(options, name[1])
        value = OPTION_WORDS[name[1]].of(getattr(options, name[1]))
        assert bool(idle) or value in words(row)
    assert told == {name: origin_of(options, name) for name in OPTION_VALUES}
    assert str(PRESET_LABELS[options.preset]) in html


def test_a_rule_card_begins_with_what_was_chosen():
    top = card_html(CHANGED).split("<table")[0]
    assert "Target : 200" in words(top)
    assert "Gin bonus : 20 points" in words(top)
    assert 'class="chosen"' not in card_html(PRESETS["oklahoma"])


def test_three_and_four_players_are_said_to_be_missing_while_they_are():
    assert "players" not in SeriesForm.base_fields
    assert all(options.players == 2 for options in PRESETS.values())
    assert rules_html().count("Not played here yet") == 2
    assert "ot played here yet" not in rules_html(more_players=True)


# Numbers and cards: what the pages show is what the rules say


def test_how_to_play_is_one_round_from_the_hand_to_the_pad():
    page = how_to_play("/", "first")
    hand = page.turn.hand
    kept = (hand | page.turn.drawn.bit) ^ page.turn.thrown.bit
    spread = best_arrangement(kept)
    other = page.knock.defence.arrangement
    assert page.turn.drawn.bit & sum(meld.cards for meld in spread.melds)
    assert 0 < spread.deadwood_points <= HOLLYWOOD.limit_for(Card["2D"])
    assert page.knock.laid_off
    result = score_knock(
        HOLLYWOOD,
        Card["2D"],
        knocker=0,
        knocker_deadwood=spread.deadwood_points,
        defender_deadwood=other.deadwood_points,
    )
    assert page.result == result
    sheet = page.sheet.sheet
    assert sheet.results[0] == (0, result.points)
    assert sheet.wins == (3, 1)
    told = words(how_html())
    left, right = other.deadwood_points, spread.deadwood_points
    assert f"{left} − {right} = {result.points}" in told
    for total in sheet.totals[0]:
        assert f" {total} " in told


def test_the_cards_of_an_example_are_there_once():
    page = how_to_play("/", "first")
    other = page.knock.defence.arrangement
    theirs = other.deadwood | sum(meld.cards for meld in other.melds)
    mine = page.turn.hand | page.turn.drawn.bit
    laid = sum(each.bit for each in page.knock.laid_off)
    assert not mine & theirs
    assert (theirs | laid).bit_count() == 10
    assert not (mine | theirs | laid) & page.turn.upcard.bit
    for example in (examples().chain, examples().broken):
        kept = example.defence.arrangement
        own = example.spread.deadwood | sum(meld.cards for meld in example.spread.melds)
        back = sum(each.bit for each in example.laid_off)
        defender = kept.deadwood | sum(meld.cards for meld in kept.melds) | back
        assert not own & defender
        assert own.bit_count() == defender.bit_count() == 10


def test_the_melds_are_melds_and_the_others_are_none():
    assert {fan.kind for fan in examples().melds} == {"run", "set"}
    assert {fan.kind for fan in examples().no_melds} == {"none"}


def test_the_lay_offs_are_the_best_ones():
    for example in (examples().chain, examples().broken):
        laid = sum(each.bit for each in example.laid_off)
        kept = example.defence.arrangement
        hand = laid | kept.deadwood | sum(meld.cards for meld in kept.melds)
        assert example.defence == best_defence(hand, example.spread.melds, gin=False)
        assert extended_melds(example.spread.melds, example.defence.lay_offs)
    assert examples().broken.kept.points < examples().unbroken.points


def test_the_first_spread_gives_less_away():
    (first, few), (second, many) = examples().spreads
    assert first.points == second.points
    assert len(few) < len(many)
    for hand, fits in examples().spreads:
        for each in fits:
            assert any(meld.fits & each.bit for meld in hand.arrangement.melds)


def test_the_scores_are_those_of_the_rules():
    page = rules_html()
    rows = re.findall(r"<tr><td>(\d+)</td><td>(\d+)</td>(.*?)</tr>", page)
    assert len(rows) == len(examples().scores)
    for knocker, defender, rest in rows:
        points = [
            score_knock(
                options,
                Card["2D"],
                knocker=0,
                knocker_deadwood=int(knocker),
                defender_deadwood=int(defender),
            ).points
            for options in (PRESETS["hollywood"], PRESETS["gin-rummy"])
        ]
        assert [int(each) for each in re.findall(r"<b>(\d+)</b>", rest)] == points


def test_oklahoma_shows_what_the_upcard_does():
    options = PRESETS["oklahoma"]
    assert [(each.limit, each.doubles) for each in examples().upcards] == [
        (options.limit_for(each.card), options.multiplier_for(each.card) == 2)
        for each in examples().upcards
    ]
    assert {each.limit for each in examples().upcards} >= {0, 10}
    assert any(each.doubles for each in examples().upcards)
    plain = replace(options, spades_double=False)
    half = score_knock(plain, Card["9S"], knocker=0, knocker_deadwood=3, defender_deadwood=12)
    assert examples().oklahoma.points == 2 * half.points


def test_the_sheets_are_those_of_the_document():
    page = rules_page(PRESET_LABELS, more_players=False)
    assert page.first_sheet.sheet.totals == ((20, 0, 0), (45, 33, 8))
    assert page.late_sheet.sheet.ended == (0, 0, 1)
    assert page.late_sheet.sheet.totals == ((105, 105, 75), (0, 75, 105))
    assert page.strict_sheet.sheet.totals == ((105, 105, 75), (0, 45, 60))
    assert page.strict_sheet.sheet.ended[2] is None
    assert page.late_sheet.sheet.results == page.strict_sheet.sheet.results == RESULTS


def test_the_settlement_is_that_of_the_rules_and_the_document():
    page = rules_page(PRESET_LABELS, more_players=False)
    settlement = settle(ScoreSheet.of(replace(HOLLYWOOD, settlement="classic"), RESULTS))
    assert settlement is not None
    assert [line.points for line in page.settled.lines] == [g.points for g in settlement.games]
    assert f"Ali wins the series by {settlement.net[0]}." in DOCUMENT
    assert f"Ali wins the series by {settlement.net[0]}." in words(rules_html())
    for line in page.settled.lines:
        assert line.difference + line.bonus + line.boxes + line.shutout == line.points
    assert page.dear_win.net == page.dear_win.counts[0] - page.dear_win.counts[1] < 0
    assert "280 to 299, a win that comes to −19." in words(rules_html())


# The guide


def newcomer(table: Table) -> Table:
    return replace(table, newcomer=True)


def guide_of(table: Table, choice: str = "first") -> GuideContext:
    context = regions(table, guide=choice)["guide"]
    assert isinstance(context, GuideContext)
    return context


def told(scene: Scene, seat: int = 0) -> tuple[str, str]:
    guide = guide_of(newcomer(scene.table(seat)))
    return guide.sentence, guide.at


def helped() -> Scene:
    """The king of spades that lies on the pile makes a set."""
    hand = "4H 5H 6H 8C QC QD 2S AC KD KC"
    other = "TS JH 3C 8D KS 9D 5C 7S 2H QS"
    return dealt(hand, other, "TD", "TC 3S").play(
        *(Pass(), Pass(), Draw(), Discard(card("TC")), Draw(), Discard(card("KS")))
    )


@pytest.mark.parametrize(
    ("scene", "sentence", "at"),
    [
        (
            offered,
            "Take the ten of diamonds if it helps a meld, or pass. It makes none yet.",
            "upcard",
        ),
        (
            lambda: dealt(HAND.replace("AC", "8H"), "TS JH 3C 8D KS 9D 5C 7S 2H KD", "3H"),
            "The three of hearts makes a run with your cards: take it.",
            "upcard",
        ),
        (
            lambda: offered().play(Pass(), Pass()),
            "Both have passed. Draw the top card of the stock.",
            "stock",
        ),
        (
            to_draw,
            "Draw from the stock: the king of diamonds makes no meld with your cards.",
            "stock",
        ),
        (helped, "Take the king of spades: it makes a set with your cards.", "upcard"),
        (
            lambda: offered().play(Pass(), Pass(), Draw()),
            "You may knock with 9: choose the ten of clubs, then press Knock.",
            "hand",
        ),
        (
            lambda: helped().play(Draw()),
            "Choose what you need least, say the eight of clubs, and press Discard.",
            "hand",
        ),
        (with_gin, "You have gin! Choose the nine of spades, then press Gin.", "hand"),
        (knocked, "Tap a marked card to lay it off on the melds above, then confirm.", "hand"),
        (
            scored,
            "Your first round! Its points stand on the score pad. Press Next round.",
            "actions",
        ),
    ],
)
def test_the_guide_says_what_can_be_done_next(scene, sentence, at):
    assert told(scene()) == (sentence, at)


def test_the_guide_says_what_to_watch_meanwhile():
    assert told(offered(), 1) == (
        "They may take the upcard first. Look for melds in your hand.",
        "",
    )
    assert told(to_draw(), 1) == ("Watch what they take: it tells you what they collect.", "")
    assert told(to_discard(), 1) == ("Watch what they discard: you may take it next.", "")
    assert told(knocked(), 1)[0].startswith("They may now lay off cards on your melds")
    ready = replace(scored(), ready=(True, False))
    assert told(ready) == ("The cards are dealt as soon as both are ready.", "")
    drawn = replace(to_draw(), state=scored().state)
    assert told(drawn)[1] == "actions"


def test_the_guide_never_says_to_throw_what_was_just_taken():
    assert "ten of diamonds" not in told(taken())[0]


def test_who_waits_for_an_opponent_is_led_to_how_to_play():
    guide = guide_of(newcomer(waiting(0)))
    html = render_region("guide", guide, stamp=Stamp(1, 0), key="Key")
    assert 'href="/how-to-play/"' in html
    assert guide_of(newcomer(waiting(None))) == GuideContext()


@pytest.mark.parametrize("scene", SCENES)
def test_no_guide_for_spectators_old_hands_and_who_has_turned_it_off(scene):
    made = SCENES[scene]()
    for table, choice in (
        (newcomer(made.table(None)), "first"),
        (newcomer(made.table(None)), "on"),
        (newcomer(made.table(0)), "off"),
        (made.table(0), "first"),
        (replace(newcomer(made.table(0)), status="over"), "on"),
    ):
        guide = guide_of(table, choice)
        html = render_region("guide", guide, stamp=Stamp(1, 0), key="Key")
        assert not guide.on
        assert " hidden" in html
        assert words(html) == ""
    assert guide_of(made.table(0), "on").on


@pytest.mark.parametrize("scene", SCENES)
@pytest.mark.parametrize("viewer", [0, 1])
def test_the_guide_points_at_something_and_says_one_thing(scene, viewer):
    guide = guide_of(newcomer(SCENES[scene]().table(viewer)))
    html = render_region("guide", guide, stamp=Stamp(1, 0), key="Key")
    assert guide.at in {"", "invite", "stock", "upcard", "hand", "actions"}
    assert guide.card is None or card_name(guide.card) in guide.sentence
    assert (f'data-card="{guide.card}"' in html) == (guide.card is not None)
    assert (f'data-at="{guide.at}"' in html) == bool(guide.at)
    assert 0 < len(guide.sentence) < 90
    assert "%" not in guide.sentence


def test_the_guide_knows_nothing_that_its_viewer_does_not():
    """The other hand and the stock are dealt anew; the sentence stays (promise S1)."""
    known = "4H 5H 6H 7H QC QD QS AC 2D 6S"
    rest = [each for each in Card if str(each) not in (*known.split(), "TD", "9C")]
    said = set()
    for seed in range(20):
        hidden = Random(seed).sample(rest, 10)
        other = " ".join(map(str, hidden))
        scene = dealt(known, other, "TD", "9C").play(Pass(), Pass(), Draw())
        said.add(guide_of(newcomer(scene.table(0))))
    assert len(said) == 1


@pytest.mark.django_db
def test_a_newcomer_is_who_has_finished_no_round_but_the_one_on_the_table():
    table = new_table()
    assert newcomers(table) == (True, True)
    table.act(Resign(), table.users[0])
    assert newcomers(table) == (True, True)
    for user in table.users:
        table.press_next(user)
    assert newcomers(table) == (False, False)
    other = new_table()
    other.series.seats.filter(number=0).update(user=table.users[0])
    assert newcomers(Played(other.series, (table.users[0], other.users[1]))) == (False, True)


@pytest.mark.django_db
def test_a_round_that_was_broken_off_makes_nobody_experienced():
    table, other = new_table(), new_table()
    Round.objects.filter(series=table.series).update(kind="void")
    other.series.seats.filter(number=0).update(user=table.users[0])
    assert newcomers(Played(other.series, (table.users[0], other.users[1]))) == (True, True)


def newcomers(table: Played) -> tuple[bool, bool]:
    sitting = load_sitting(table.series)
    first, second = (table_for(sitting, user.pk).newcomer for user in table.users)
    assert not table_for(sitting, None).newcomer
    return first, second


@pytest.mark.django_db
def test_the_guide_can_be_turned_off_at_the_table_and_on_again(client):
    table = new_table()
    url = table.series.get_absolute_url()
    client.force_login(table.turn_user)
    page = client.get(url).content.decode()
    assert 'class="guide-slip"' in page
    assert "games/guide.css" in page
    assert client.post("/guide/", {"guide": "off", "next": url})["Location"] == url
    page = client.get(url).content.decode()
    assert 'class="guide-slip"' not in page
    assert "games/guide.css" not in page
    assert 'name="guide" value="on"' in client.get("/how-to-play/").content.decode()
    client.post("/guide/", {"guide": "on"})
    assert 'class="guide-slip"' in client.get(url).content.decode()


@pytest.mark.django_db
def test_a_whole_first_round_has_its_guide():
    table = new_table()
    choose = hasty(Random(3))
    user = table.users[0]
    while not table.row.kind:
        guide = guide_of(table_for(load_sitting(table.series), user.pk))
        assert guide.on
        assert guide.sentence
        table.act(choose(table.state))
    assert guide_of(table_for(load_sitting(table.series), user.pk)).at == "actions"
