"""What the regions of the table show, to whom, and how a push and an answer are made of them."""

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from random import Random

import pytest
from django.utils.html import escape

from games.live import Stamp
from games.rendering import (
    NO_DRAFT,
    REGIONS,
    Draft,
    page_context,
    regions,
    render_answer,
    render_push,
    render_region,
)
from games.rendering.hand import ROW
from games.rendering.sentences import entry_sentence, event_sentence, result_sentence
from games.rendering.words import card_name, sum_words
from games.rules.actions import (
    Action,
    BigGin,
    Defend,
    Discard,
    Draw,
    Knock,
    Pass,
    Resign,
    Take,
)
from games.rules.cards import Card, card_set, cards_in
from games.rules.options import Options
from games.rules.scoring import DRAWN_ROUND, Ending, RoundResult
from games.rules.state import Phase, RoundState
from games.selectors.table import Table
from games.services.request import Wish
from tests.games.scenes import (
    HAND,
    OTHER,
    SCENES,
    STAMP,
    Scene,
    card,
    dealt,
    knocked,
    offered,
    resigned,
    scored,
    taken,
    to_discard,
    to_draw,
    waiting,
    with_choice,
    with_gin,
    won,
)
from tests.long import long_or

VIEWERS = (0, 1, None)


def shown(table: Table, draft: Draft = NO_DRAFT) -> dict[str, str]:
    contexts = regions(table, draft)
    return {
        name: render_region(name, context, stamp=Stamp(12, 0), key="Key", csrf="Token")
        for name, context in contexts.items()
    }


def whole(table: Table, draft: Draft = NO_DRAFT) -> str:
    return "".join(shown(table, draft).values())


def words(html: str) -> str:
    return " ".join(re.sub(r"<[^>]*>", " ", html).split())


def forms(html: str) -> list[dict[str, str]]:
    """The forms in a text: the fields of each, and as `data` its action and card."""
    found = []
    for tag, body in re.findall(r"<form([^>]*)>(.*?)</form>", html, re.DOTALL):
        data = re.search(r'data-action="([^"]*)"(?: data-card="([^"]*)")?', tag)
        assert data is not None, tag
        fields = dict(re.findall(r'name="([^"]*)" value="([^"]*)"', body))
        found.append(fields | {"data": f"{data[1]} {data[2] or ''}".strip(), "tag": tag})
    return found


def cards_shown(html: str) -> set[str]:
    return set(re.findall(r"/cards/([A2-9TJQK][CDHS])\.", html)) | {
        str(each) for each in Card if card_name(each) in html
    }


# Forms


def name_of(action: Action, state: RoundState) -> str:
    match action:
        case Pass():
            return "pass"
        case Take():
            return "take"
        case Draw():
            return "draw"
        case BigGin():
            return "big-gin"
        case Resign():
            return "resign"
        case Defend():
            return "defend"
        case Discard(thrown):
            return f"discard {thrown}"
        case Knock(thrown):
            return f"knock {thrown}"


@pytest.mark.parametrize("scene", SCENES)
@pytest.mark.parametrize("viewer", VIEWERS)
def test_there_is_a_form_for_every_legal_action_and_for_no_other(scene, viewer):
    table = SCENES[scene]().table(viewer)
    assert table.play is not None
    legal = {name_of(action, SCENES[scene]().state) for action in table.play.round.actions}
    if table.play.round.phase is Phase.OVER and viewer is not None:
        legal.add("next-round")
    if viewer is not None:
        legal |= {Wish.OFFER_END, Wish.RESIGN}
    offered_forms = {form["data"] for form in forms(whole(table)) if "action" in form}
    gins = {name for name in offered_forms if name.startswith("gin ")}
    knocks = {name.replace("gin ", "knock ") for name in gins}
    assert offered_forms - gins | knocks == legal


def test_what_may_be_asked_of_the_series_depends_on_what_was_asked():
    def asked(**changes: object) -> set[str]:
        table = replace(to_draw().table(0), **changes)
        return {form["data"] for form in forms(shown(table)["actions"])} & set(Wish)

    mine, theirs = frozenset({0}), frozenset({1})
    assert asked() == {"resign-series", "offer-end"}
    assert asked(end_offered_by=mine) == {"resign-series"}
    assert asked(end_offered_by=theirs) == {"resign-series", "accept-end", "decline-end"}
    assert asked(end_declined=mine) == {"resign-series"}
    assert asked(claim_at=datetime.now(UTC)) == {"resign-series", "offer-end", "claim"}
    assert asked(status="over") == {"rematch"}
    assert asked(seat=None, play=to_draw().table(None).play) == set()


def test_clocks_are_shown_where_time_is_limited_and_the_one_that_runs_counts_down():
    until = datetime(2026, 11, 30, 12, 0, 5, tzinfo=UTC)
    timed = replace(
        to_draw().table(0),
        banks=(timedelta(seconds=605), timedelta(seconds=59)),
        runs_out_at=until,
    )
    assert "clock" not in shown(to_draw().table(0))["opponent"]
    mine, theirs = shown(timed)["actions"], shown(timed)["opponent"]
    assert f'datetime="{until.isoformat()}" data-clock' in mine
    assert "0:59" in theirs
    assert "data-clock" not in theirs
    days = replace(timed, banks=(timedelta(days=3), timedelta(days=2, hours=5)))
    assert "until 30 Nov, 12:00 UTC" in shown(days)["actions"]
    assert "2 days 5 h" in shown(days)["opponent"]


@pytest.mark.parametrize(
    ("ending", "side", "told"),
    [
        ("resigned", 0, "You have resigned: Alexandra wins the series."),
        ("resigned", 1, "Alexandra has resigned: you win the series."),
        ("time", 1, "Alexandra has run out of time: you win the series."),
        ("abandoned", 1, "Alexandra has left: you win the series."),
        ("agreed", None, "Both agreed to stop: nobody has won the series."),
    ],
)
def test_how_a_series_was_stopped_is_told(ending: str, side: int | None, told: str):
    table = replace(to_draw().table(0), status="over", ending=ending, ended_by_side=side, winner=1)
    assert told in words(whole(table))


def test_a_form_says_all_that_a_request_needs():
    form = next(f for f in forms(whole(to_discard().table(0))) if f["data"] == "discard 9C")
    assert form["action"] == "discard"
    assert (form["card"], form["round"], form["ply"]) == ("9C", "1", "7")
    assert form["csrfmiddlewaretoken"] == "Token"
    assert 'method="post" action="/series/Abc123/"' in form["tag"]
    assert " ws-send" in form["tag"]


def test_no_two_actions_share_a_key():
    keys = [form["key"] for form in forms(whole(to_discard().table(0))) if "key" in form]
    assert len(keys) == len(set(keys)) > 11
    assert all(re.fullmatch(r"[A-Za-z0-9_.-]{1,64}", key) for key in keys)


def test_fault_35_the_card_drawn_last_can_be_discarded_and_the_taken_one_can_not():
    assert "discard 9C" in {form["data"] for form in forms(whole(to_discard().table(0)))}
    page = whole(taken().table(0))
    assert "discard TD" not in {form["data"] for form in forms(page)}
    assert "10♦ was just taken" in page


def test_fault_83_a_knock_opens_its_arrangement_before_it_can_be_sent():
    hand = shown(with_choice().table(0))["hand"]
    button = re.search(r'<button type="button"[^>]*popovertarget="knock-3S"[^>]*>', hand)
    assert button is not None
    # Pressed twice it stays open: it shows, and does not toggle.
    assert 'popovertargetaction="show"' in button[0]
    dialog = hand[hand.index('id="knock-3S" popover') :]
    assert dialog.index('data-action="knock" data-card="3S"') < dialog.index("</form>")
    assert "4 or fewer Undercut, a tie too" in words(dialog)


def test_a_knock_offers_its_spreads_the_automatic_one_first():
    form = next(f for f in re.findall(r"<form[^>]*knock[^>]*3S.*?</form>", hand_of(with_choice())))
    values = re.findall(r'name="spread" value="([^"]*)" autocomplete="off"( checked)?>', form)
    assert values == [("", " checked"), ("QCQDQS/5H6H7H", "")]


def hand_of(scene: Scene, viewer: int | None = 0, draft: Draft = NO_DRAFT) -> str:
    return shown(scene.table(viewer), draft)["hand"].replace("\n", "")


def test_gin_has_a_form_of_its_own_and_a_knock_that_wastes_it_another():
    sent = {f["data"]: f for f in forms(hand_of(with_gin()))}
    assert "spread" not in sent["gin 9S"]
    assert sent["knock 9S"]["spread"]


def test_next_round_is_offered_once_to_each_player():
    scene = scored()
    assert "next-round" in {form["data"] for form in forms(whole(scene.table(0)))}
    ready = replace(scene, ready=(True, False))
    assert "next-round" not in {form["data"] for form in forms(whole(ready.table(0)))}
    assert "Waiting for Alexandra." in words(whole(ready.table(0)))


def test_two_who_have_left_the_site_are_not_one():
    """Both have the same name, and what was told of one was the other's."""
    scene = replace(scored(), names=("deleted player",) * 2, ready=(True, False))
    alike = replace(scene, present=(False, True))
    for seat in (0, 1, None):
        found = regions(alike.table(seat))
        other = found["opponent"]
        far = 0 if seat == 1 else 1
        assert (other.present, other.ready) == (alike.present[far], alike.ready[far])
        assert found["actions"].ready == (seat == 0)


# The hand


def rows_of(scene: Scene) -> list[list[list[str]]]:
    context = regions(scene.table(0))["hand"]
    return [[[str(held.card) for held in group.cards] for group in row] for row in context.rows]


def test_melds_lie_above_and_the_new_card_lies_last():
    assert rows_of(to_discard()) == [
        [["4H", "5H", "6H", "7H"], ["QC", "QD", "QS"]],
        [["AC", "2D", "6S", "9C"]],
    ]


def test_a_third_meld_lies_with_the_deadwood():
    assert [len(group) for group in rows_of(with_gin())[0]] == [4, 3]
    assert [len(group) for group in rows_of(with_gin())[1]] == [3, 1]


def test_drawing_moves_no_card_of_a_hand_without_melds():
    flat = "AC 3D 5H 7S 9C JD KH 2S 4C 6D"
    scene = dealt(flat, "TS JH 3C 8D KS 9D 5C 7D 2H KD", "TD", "TC").play(Pass(), Pass())
    before, after = rows_of(scene), rows_of(scene.play(Draw()))
    assert after == [before[0], [[*before[1][0], "TC"]]]
    assert max(sum(map(len, row)) for row in after) <= ROW


def test_the_deadwood_and_what_a_discard_leaves_are_told():
    hand = hand_of(to_discard())
    assert "deadwood <b>18</b>" in hand
    assert "Discard 9♣ <small>leaves 9</small>" in hand


def test_a_card_picked_by_the_address_is_chosen():
    hand = hand_of(to_discard(), draft=Draft.parse({"card": "9c"}))
    assert re.findall(r'id="card-(..)"[^>]* checked', hand) == ["9C"]


# The defence


def lay_forms(draft: Draft) -> dict[str, str]:
    """The toggles of the defence in the scene, with the draft each leads to."""
    page = whole(knocked().table(0), draft)
    return {f["data"]: f["lay"] for f in forms(page) if f["data"].startswith("lay-off")}


def test_lay_offs_are_toggled_one_by_one_and_taken_back_with_what_lies_on_them():
    assert lay_forms(NO_DRAFT) == {"lay-off 4H": "4H1", "lay-off 8H": "8H1"}
    chain = Draft.parse({"lay": "4H1,3H1"})
    assert lay_forms(chain) == {
        "lay-off 3H": "4H1",
        "lay-off 4H": "",
        "lay-off 8H": "4H1,3H1,8H1",
    }


def test_a_card_that_fits_two_melds_goes_to_one_then_to_the_other_then_back():
    spread = "4C 5C 6C 7D 7H 7S 9C 9D 9S AD"
    flat = "7C KC QD JH TH 5S 3D 2S 8H AS"
    scene = dealt(flat, spread, "TD", "2H KS KD").play(
        Pass(), Pass(), Draw(), Discard(card("2H")), Draw(), Knock(card("KS"))
    )
    seen = []
    draft = NO_DRAFT
    for _ in range(3):
        page = whole(scene.table(0), draft)
        lay = next(f["lay"] for f in forms(page) if f["data"] == "lay-off 7C")
        seen.append(lay)
        draft = Draft.parse({"lay": lay})
    assert seen == ["7C0", "7C2", ""]


def test_the_count_is_told_before_it_is_confirmed():
    bar = shown(knocked().table(0), Draft.parse({"lay": "8H1"}))["actions"]
    sent = {f["data"]: f for f in forms(bar)}
    assert sent["defend"]["lay_offs"] == "8H1"
    assert sent["best"]["lay"] == "4H1,3H1,8H1"
    assert "Best for me leaves 53" in words(bar)
    assert "Confirm… leaves 60" in words(bar)


def test_one_press_ends_no_series_and_gives_no_lay_off_away():
    """Only in a dialog: claim the series, resign it, keep more than the best would leave."""

    def in_dialogs(bar: str) -> str:
        return "".join(re.findall(r'<div class="dialog.*?</form></div>', bar, re.DOTALL))

    bar = shown(replace(to_draw().table(0), claim_at=datetime.now(UTC)))["actions"]
    asked = in_dialogs(bar)
    for action in ("claim", "resign-series"):
        assert bar.count(f'data-action="{action}"') == asked.count(f'data-action="{action}"') == 1
    worse = shown(knocked().table(0), Draft.parse({"lay": "8H1"}))["actions"]
    assert 'data-action="defend"' in in_dialogs(worse)
    assert "That leaves 60; the best for you leaves 53." in words(worse)
    best = shown(knocked().table(0), Draft.parse({"lay": "4H1,3H1,8H1"}))["actions"]
    assert 'data-action="defend"' in best
    assert "dialog" not in best[: best.index('class="resign"')]
    assert "Confirm leaves 53" in words(best)


def test_a_draft_that_can_not_be_is_begun_anew():
    for lay in ("KS0", "8H7", "rubbish", "3H1", "x" * 500):
        assert lay_forms(Draft.parse({"lay": lay})) == lay_forms(NO_DRAFT)


# Secrets


def test_fault_58_nothing_of_the_defender_s_hand_is_shown_before_the_defence_is_confirmed():
    own = {str(each) for each in cards_in(knocked().state.hands[0])}
    for viewer in (1, None):
        assert not cards_shown(whole(knocked().table(viewer))) & own
        assert cards_shown(whole(scored().table(viewer))) >= own
    # The draft is the defender's alone, even where another asks with it.
    draft = Draft.parse({"lay": "8H1"})
    assert whole(knocked().table(1), draft) == whole(knocked().table(1))


def test_fault_59_backs_have_no_identity():
    html = whole(to_discard().table(None))
    backs = re.findall(r"<i [^>]*>", html)
    assert set(backs) == {'<i class="back"></i>'[:-4]}
    assert len(backs) == 10 + 11 + 1


@pytest.mark.parametrize("viewer", [1, None])
def test_fault_60_a_card_drawn_from_the_stock_is_named_to_nobody_else(viewer):
    news = words(shown(to_discard().table(viewer))["news"])
    assert "Bob drew from the stock." in news
    assert "9C" not in cards_shown(whole(to_discard().table(viewer)))
    assert "You drew the nine of clubs." in words(shown(to_discard().table(0))["news"])


def hidden_from(viewer: int | None, state: RoundState) -> list[Card]:
    unknown = card_set(state.stock)
    if state.phase is not Phase.OVER:
        for seat in (0, 1):
            if seat not in (viewer, state.knocker):
                unknown |= state.hands[seat] & ~state.shown[seat]
    return list(cards_in(unknown))


@pytest.mark.parametrize("number", range(long_or(300, 12)))
def test_s1_regions_are_the_same_whatever_the_hidden_cards_are(number):
    """Random play; the cards that a viewer can't know are dealt anew and the round played again."""
    random = Random(number)
    deck = random.sample(list(Card), 52)
    scene, thrown = _random_scene(deck, random)
    for viewer in VIEWERS:
        unknown = hidden_from(viewer, scene.state)
        change = dict(zip(unknown, random.sample(unknown, len(unknown)), strict=True))
        other = dealt(
            *_as_text([change.get(each, each) for each in deck]),
        ).play(*thrown)
        assert shown(scene.table(viewer)) == shown(other.table(viewer))


def _as_text(deck: list[Card]) -> tuple[str, str, str, str]:
    def text(cards: list[Card]) -> str:
        return " ".join(map(str, cards))

    return text(deck[0:20:2]), text(deck[1:20:2]), str(deck[20]), text(deck[21:])


def _random_scene(deck: list[Card], random: Random) -> tuple[Scene, list[Action]]:
    scene, actions = dealt(*_as_text(deck)), []
    for _ in range(random.randrange(40)):
        legal = scene.table(scene.state.turn).play.round.actions
        legal = [each for each in legal if isinstance(each, Pass | Take | Draw | Discard)]
        if not legal or scene.state.phase is Phase.OVER:
            break
        actions.append(random.choice(legal))
        scene = scene.play(actions[-1])
    return scene, actions


def test_only_the_one_who_waits_is_given_the_invitation():
    assert "Tok3n" in whole(waiting(0))
    assert "Tok3n" not in whole(waiting(None))


def test_fault_78_a_name_is_shown_as_text():
    name = '"><b id="hand" hx-get="/logout">x'
    scene = replace(to_draw(), names=("Bob", name))
    html = whole(scene.table(0))
    assert escape(name) in html
    assert name not in html


# Words


def test_the_sum_of_a_round_is_written_out():
    slip = words(shown(won().table(0))["showdown"])
    assert "Gin! You score 99. gin 25 + 74 = 99 Your first win: game 1." in slip
    assert "Gin! Bob scores 99." in words(shown(won().table(1))["showdown"])


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        (RoundResult(Ending.KNOCK, 0, 0, 12, 1, 0, 9, 21), "21 − 9"),
        (RoundResult(Ending.UNDERCUT, 1, 10, 5, 1, 0, 8, 3), "10 + (8 − 3)"),
        (RoundResult(Ending.GIN, 0, 25, 38, 1, 0, 0, 38), "25 + 38"),
        (RoundResult(Ending.GIN, 0, 25, 38, 2, 0, 0, 38), "(25 + 38) × 2"),
        (RoundResult(Ending.RESIGNED, 0, 25, 30), "25 + 30"),
    ],
)
def test_sums(result, expected):
    assert sum_words(result) == expected


def test_the_pad_holds_each_side_s_running_totals_and_marks_what_is_new():
    results = tuple(
        RoundResult(Ending.KNOCK, side, 0, points, 1, side, 1, points + 1)
        for side, points in ((1, 10), (0, 18), (1, 30), (1, 4))
    )
    sheet = regions(replace(to_draw(), past=results).table(1))["sheet"]
    assert sheet.names == ("You", "Bob")
    lines = [[cell.total if cell else None for cell in row] for row in sheet.rows]
    assert lines == [
        [10, 18, 30, None, 4, None],
        [40, None, 34, None, None, None],
        [44, *[None] * 5],
    ]
    last = [cell.total for row in sheet.rows for cell in row if cell and cell.last]
    assert last == [4, 34, 44]
    assert sheet.story == ("Your third win: games 1, 2 and 3.",)
    assert sheet.sum == "Round 4: knock, 5 − 1 = 4."


def test_an_ended_game_is_told_and_marked():
    results = (RoundResult(Ending.GIN, 0, 25, 80, 1, 0, 0, 80),)
    sheet = regions(replace(to_draw(), past=results).table(0))["sheet"]
    assert sheet.story == ("Your first win: game 1.", "You win game 1, 105 to 0.")
    assert [cell.won for cell in sheet.rows[0] if cell] == [True]
    assert [column.ended for column in sheet.columns] == [True, False, False]


def test_the_end_of_a_series_is_told_with_its_settlement():
    options = Options.from_mapping({"settlement": "classic"})
    results = tuple(RoundResult(Ending.GIN, 0, 25, 35, 1, 0, 0, 35) for _ in range(3))
    scene = replace(won(), options=options, past=results, status="over", winner=0)
    page = words(whole(scene.table(0)))
    assert "You have won the series, 3 games to 0." in page
    assert "Settlement: You +" in page
    assert "Bob has won the series, 3 games to 0." in words(whole(scene.table(1)))


def test_a_drawn_round_scores_nobody():
    sheet = regions(replace(to_draw(), past=(DRAWN_ROUND,)).table(0))["sheet"]
    assert (sheet.sum, sheet.story) == ("Round 1: drawn.", ())


def test_a_resignation_is_told():
    assert "the other side resigned" in words(shown(resigned().table(0))["showdown"])


def test_a_win_that_is_entered_nowhere_is_told():
    options = Options.from_mapping({"entry": "strict"})
    results = tuple(
        RoundResult(Ending.GIN, side, 25, points, 1, side, 0, points)
        for side, points in ((0, 80), (1, 5))
    )
    table = replace(to_draw(), options=options, past=results).table(1)
    sheet = regions(table)["sheet"]
    assert sheet.story[0].startswith("Your win no. 1 falls into games that have ended")
    assert entry_sentence(table.past[1].entry, sheet.sides) == sheet.story[0]


@pytest.mark.parametrize("scene", SCENES)
@pytest.mark.parametrize("viewer", VIEWERS)
def test_every_event_and_result_is_a_sentence(scene, viewer):
    news = regions(SCENES[scene]().table(viewer))["news"]
    for event in SCENES[scene]().events:
        sentence = event_sentence(event.seen_by(viewer), news.cast)
        assert re.fullmatch(r"[A-Z].*[.!]", sentence), sentence
        assert "%" not in sentence
    result = SCENES[scene]().state.result
    if result is not None:
        assert "%" not in result_sentence(result, news.cast)


def test_the_own_turn_is_in_the_title_and_marked():
    mine, theirs = shown(to_draw().table(0))["actions"], shown(to_draw().table(1))["actions"]
    assert 'data-title="● Your turn – Alexandra – Hollywood Gin" data-mine' in mine
    assert 'data-title="Bob – Hollywood Gin" aria-label' in theirs
    assert "Bob is to draw a card." in words(theirs)


def test_who_watches_is_told_so():
    assert "You are watching." in words(shown(to_draw().table(None))["actions"])
    for player in (0, 1):
        assert "You are watching." not in words(shown(to_draw().table(player))["actions"])


def test_each_entry_of_the_pad_says_from_which_round_it_is():
    sheet = shown(scored().table(0))["sheet"]
    last = len(scored().past) + 1
    linked = re.findall(r'/rounds/(\d+)/" aria-label="(\d+), from round (\d+)">(\d+)</a>', sheet)
    assert len(linked) == sheet.count("/rounds/") > 0
    assert all(number == told and total == seen for number, total, told, seen in linked)
    assert str(last) in {number for number, *_ in linked}


def test_a_spectator_is_offered_nothing_and_sees_both_names():
    for make in SCENES.values():
        page = whole(make().table(None))
        assert not forms(page)
        assert "Bob" in page
        assert "Alexandra" in page


# Pushes and answers


def ids(html: str) -> list[str]:
    return re.findall(r'^(?:<section|.*?<section) id="([a-z]+)"', html, re.MULTILINE)


def test_regions_have_the_names_and_the_order_of_the_page():
    assert tuple(regions(to_draw().table(0))) == REGIONS
    for name, html in shown(to_draw().table(0)).items():
        assert html.startswith(f'<section id="{name}" data-version="12"')
        assert html.count("<section") == 1
        assert html.rstrip().endswith("</section>")


def pushed(before: Scene, after: Scene, viewer: int | None) -> list[str]:
    html = render_push(
        regions(before.table(viewer)),
        regions(after.table(viewer)),
        since=11,
        stamp=STAMP,
        key="Key",
    )
    return ids(html)


def test_a_push_holds_only_what_has_changed_for_its_viewer():
    before, after = to_draw(), to_discard()
    assert pushed(before, before, 0) == []
    assert pushed(before, after, 0) == ["news", "piles", "hand", "actions"]
    # What the other does leaves the own hand, and a card chosen in it, alone.
    assert pushed(before, after, 1) == ["opponent", "news", "piles", "actions"]
    ready = replace(scored(), ready=(False, True))
    assert pushed(scored(), ready, 0) == ["opponent"]
    away = replace(to_draw(), present=(True, False))
    assert pushed(to_draw(), away, 0) == ["opponent"]


def test_fault_47_a_push_says_since_when_and_up_to_where_it_reaches():
    html = render_push(
        None, {}, since=11, stamp=Stamp(13, 4, frozenset({1})), key="Key", build="b1"
    )
    assert html == (
        '<div id="pulse" hidden hx-swap-oob="true" data-since="11" data-version="13"'
        ' data-talk="4" data-stamp="13.4.1" data-build="b1"></div>'
    )


def test_everything_is_pushed_out_of_band_to_a_page_that_has_nothing():
    new = regions(to_discard().table(0))
    html = render_push(None, new, since=0, stamp=STAMP, key="Key")
    assert ids(html) == list(REGIONS)
    assert html.count('data-version="12" data-talk="3" hx-swap-oob="true"') == len(REGIONS)
    assert "csrfmiddlewaretoken" not in html


def test_fault_49_the_message_is_no_part_of_a_push_and_an_answer_names_its_request():
    push = render_push(None, regions(to_draw().table(0)), since=0, stamp=STAMP, key="Key")
    assert 'id="notice"' not in push
    assert render_answer("k.1", "stale", "Too <late>.") == (
        '<div id="ack" hidden hx-swap-oob="true" data-key="k.1" data-status="stale"></div>'
        '<div id="notice" role="alert" hx-swap-oob="true">Too &lt;late&gt;.</div>'
    )


def test_an_answer_can_not_be_broken_by_the_key_that_was_sent():
    assert '"><script' not in render_answer('"><script>', "unreadable", "")


def test_contexts_stay_the_same_while_nothing_changes():
    for make in SCENES.values():
        assert regions(make().table(0)) == regions(make().table(0))


# The page


@pytest.mark.parametrize("scene", SCENES)
def test_a_page_refreshes_itself_only_while_it_waits(scene):
    made = SCENES[scene]()
    for viewer in (0, 1):
        table = made.table(viewer)
        page = page_context(table, key="Key", csrf="Token", stamp=STAMP)
        mine = regions(table)["actions"].is_mine
        assert page.refresh is not mine
    told = page_context(made.table(0), key="Key", csrf="Token", stamp=STAMP, notice="Too late.")
    assert not told.refresh


def test_fault_82_a_card_is_named_and_never_its_place():
    html = whole(to_discard().table(0))
    assert not re.search(r'name="(place|position|index)"', html)
    assert HAND.split()[0] in html
    assert OTHER.split()[0] not in cards_shown(shown(offered().table(0))["hand"])


# Sorting without JavaScript


@pytest.mark.parametrize(
    ("sort", "expected"),
    [
        ("suit", "AC 9C QC 2D QD 4H 5H 6H 7H 6S QS"),
        ("rank", "AC 2D 4H 5H 6H 6S 7H 9C QC QD QS"),
    ],
)
def test_a_hand_is_sorted_by_the_address(sort, expected):
    draft = Draft.parse({"sort": sort})
    rows = regions(to_discard().table(0), draft)["hand"].rows
    cards = [held for row in rows for group in row for held in group.cards]
    assert " ".join(str(held.card) for held in cards) == expected
    assert [len(row[0].cards) for row in rows] == [6, 5]
    # Drawing moves the cards behind the new one only; what is melded is marked.
    assert [str(held.card) for held in cards if not held.is_melded] == [
        each for each in expected.split() if each in ("AC", "2D", "6S", "9C")
    ]


def test_a_sorting_goes_along_with_every_form_and_nothing_else_does():
    page = whole(to_discard().table(0), Draft.parse({"sort": "rank", "card": "9C"}))
    found = forms(page)
    assert found
    assert all('action="/series/Abc123/?sort=rank"' in form["tag"] for form in found)
    knocks = whole(knocked().table(0), Draft.parse({"sort": "suit", "lay": "4H1"}))
    lays = [form for form in forms(knocks) if form["data"].startswith("lay-off")]
    assert all(form["sort"] == "suit" for form in lays)
    assert 'href="?sort=rank&amp;lay=4H1"' in knocks
    assert regions(to_discard().table(0), Draft.parse({"sort": "x"})) == regions(
        to_discard().table(0)
    )


# States


def test_who_is_away_is_said_and_that_the_cards_wait():
    scene = replace(to_draw(), present=(False, True))
    opponent = regions(scene.table(1))["opponent"]
    assert (opponent.state, opponent.told) == ("away; the cards wait", "Bob is away.")
    assert 'class="seat acting away"' in shown(scene.table(1))["opponent"]
    assert regions(to_draw().table(1))["opponent"].told == "Bob is here."
    assert regions(waiting(0))["opponent"].told == ""


def test_a_drawn_round_says_why():
    scene = dealt("AC 3C 5C 7C 9D JD KD 2H 4H 6H", "AS 3S 5S 7S 9H JH KH 2C 4D 6D", "TD").play(
        Pass(), Pass()
    )
    while scene.state.phase is not Phase.OVER:
        mover = scene.table(scene.state.turn).play.round
        throws = [each for each in mover.actions if isinstance(each, Discard)]
        scene = scene.play(min(throws, key=lambda each: each.card.points) if throws else Draw())
    slip = words(shown(scene.table(0))["showdown"])
    assert slip.startswith("The round is drawn. Nobody scores. The stock is down to its last two")


def test_a_game_that_has_ended_is_told_on_the_slip_and_marked_on_the_pad():
    results = (RoundResult(Ending.GIN, 0, 25, 60, 1, 0, 0, 60),)
    page = shown(replace(won(), past=results).table(0))
    assert "You win game 1, 184 to 0." in words(page["showdown"])
    assert page["sheet"].count('class="ended fresh"') == 1
    # A round later it is no news any more.
    later = shown(replace(to_draw(), past=(*results, won().state.result, DRAWN_ROUND)).table(0))
    assert 'class="ended"' in later["sheet"]
    assert "fresh" not in later["sheet"]


def test_the_end_of_a_series_shows_its_three_games():
    results = tuple(RoundResult(Ending.GIN, 0, 25, 35, 1, 0, 0, 35) for _ in range(3))
    scene = replace(won(), past=results, status="over", winner=0)
    slip = shown(scene.table(0))["showdown"]
    assert 'class="middle showdown finale won"' in slip
    assert 'class="middle showdown finale lost"' in shown(scene.table(1))["showdown"]
    assert 'class="middle showdown finale "' in shown(scene.table(None))["showdown"]
    assert "Game 1 Game 2 Game 3 You 120 ★ 120 ★ 159 ★ Alexandra 0 0 0" in words(slip)


def test_the_next_deal_is_told_by_its_time_and_the_page_by_the_server_s():
    deal_at = datetime(2026, 11, 30, 14, 5, 30, tzinfo=UTC)
    table = replace(scored().table(0), deal_at=deal_at)
    bar = shown(table)["actions"]
    assert "Dealt by itself at 14:05:30 UTC" in words(bar)
    assert 'datetime="2026-11-30T14:05:30+00:00" data-words="in {time}"' in bar
    push = {"since": 11, "stamp": STAMP, "key": "Key", "now": deal_at}
    assert 'data-now="2026-11-30T14:05:30+00:00"' in render_push(None, regions(table), **push)
    # While nothing is counted down the pulse stays as it is.
    assert "data-now" not in render_push(None, regions(to_draw().table(0)), **push)
    over = replace(table, status="over")
    assert "Dealt by itself" not in words(shown(over)["actions"])


def test_each_event_is_named_for_those_who_hear_it():
    kinds = re.findall(r'data-kind="([a-z]+)"', shown(to_discard().table(0))["news"])
    assert kinds == ["drew", "discarded", "drew"]


def test_a_knock_s_markup_is_kept_and_never_another_table_s():
    here, there = to_discard(), replace(to_discard(), names=("Bob", "Carol"))
    for _ in range(2):
        assert "If Alexandra is left with" in words(hand_of(here))
        assert "If Carol is left with" in words(hand_of(there))
