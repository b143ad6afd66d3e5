"""What a knock would do, told before it is done: on the score sheet, and to lay off on."""

import re

import pytest

from games.live import Stamp
from games.rendering import regions, render_region
from games.rendering.outlook import MOST_LEFT, Outlook
from games.rules.actions import Discard, Draw, Pass, Take
from games.rules.cards import Card, card_set, format_cards, parse_cards
from games.rules.melds import deadwood_points
from games.rules.options import Options
from games.rules.scoring import score_knock
from games.rules.sheet import ScoreSheet, SheetResult
from tests.games.scenes import dealt, to_discard, with_choice, with_gin

MINE, THEIRS = 0, 1


def outlook(*results: SheetResult, multiplier: int = 1, **options: object) -> Outlook:
    sheet = ScoreSheet.of(Options.from_mapping(options), results)
    return Outlook(sheet.options, sheet.standing, MINE, THEIRS, "Alexandra", multiplier, sheet)


def ladder(rungs) -> dict[str, str]:
    return {rung.left: rung.follows for rung in rungs}


# Bob stands at 92 in game 2 and 62 in game 3, game 1 is his; Alexandra has won once.
SKETCH = ((MINE, 40), (MINE, 30), (MINE, 32), (THEIRS, 43), (MINE, 30))


def test_a_knock_tells_what_each_count_of_the_defender_s_does():
    assert outlook(*SKETCH).standing.totals[MINE] == (102, 92, 62)
    assert ladder(outlook(*SKETCH).knock_rungs(9)) == {
        "9 or fewer": "Undercut, a tie too: Alexandra scores 10 and the difference: games 2 and 3.",
        "10 or more": "You score the difference: games 2 and 3.",
        "17 or more": "You win game 2.",
        "47 or more": "You win games 2 and 3, and the series.",
    }


def test_gin_tells_what_is_won_whatever_is_left():
    assert ladder(outlook(*SKETCH).gin_rungs(25)) == {
        "anything": "You score 25 and all of it: games 2 and 3. You win game 2.",
        "13 or more": "You win games 2 and 3, and the series.",
    }


def test_a_first_win_is_entered_in_game_1_and_can_end_nothing():
    assert ladder(outlook().knock_rungs(4)) == {
        "4 or fewer": "Undercut, a tie too: Alexandra scores 10 and the difference: game 1.",
        "5 or more": "You score the difference: game 1.",
    }
    # More than any ten cards count is no prospect.
    assert MOST_LEFT < 100 - 4 + 4
    worst = card_set(parse_cards("KC KD QC QD JH JS TH TS 9C 9D"))
    assert deadwood_points(worst) == MOST_LEFT


def test_an_undercut_that_would_win_a_game_is_told():
    near = ((THEIRS, 95), (MINE, 10))
    told = ladder(outlook(*near).knock_rungs(8))["8 or fewer"]
    assert told.endswith("games 1 and 2. Alexandra wins game 1.")
    perhaps = ((THEIRS, 86), (MINE, 10))
    told = ladder(outlook(*perhaps).knock_rungs(8))["8 or fewer"]
    assert told.endswith("Alexandra may win game 1.")


def test_doubled_points_are_counted_doubled():
    """Oklahoma: a spade was turned up."""
    doubled = outlook(*SKETCH, multiplier=2)
    assert "13 or more" in ladder(doubled.knock_rungs(9))
    assert doubled.heading == "Points count double. If Alexandra is left with"


def test_one_game_is_called_the_game():
    told = ladder(outlook((MINE, 80), columns=1).knock_rungs(5))
    assert told["6 or more"] == "You score the difference."
    assert told["25 or more"] == "You win the game."


def test_strict_entry_may_enter_a_win_nowhere():
    """Section 7: what would fall in an ended game is lost."""
    lost = outlook((THEIRS, 100), entry="strict")
    assert ladder(lost.knock_rungs(3))["4 or more"] == "You score the difference: entered nowhere."


@pytest.mark.parametrize("points", [0, 3, 9])
@pytest.mark.parametrize("multiplier", [1, 2])
def test_each_rung_is_true(points, multiplier):
    """What is told follows if the round is scored and entered by the rules."""
    upcard = Card["9S"] if multiplier == 2 else Card["9H"]
    told = outlook(*SKETCH, multiplier=multiplier, spades_double=True)
    rungs = told.gin_rungs(25) if not points else told.knock_rungs(points)
    wins = {}
    for left in range(MOST_LEFT + 1):
        result = score_knock(
            told.options, upcard, knocker=MINE, knocker_deadwood=points, defender_deadwood=left
        )
        after = told.sheet.with_result((result.winner, result.points))
        wins[left] = after.entries[-1].closed if result.winner == MINE else ()
    steps = [left for left in wins if left and wins[left] != wins[left - 1]]
    named = [rung.left for rung in rungs if "You win" in rung.follows]
    assert [left for left in named if left != "anything"] == [f"{step} or more" for step in steps]


def test_the_action_bar_says_the_most_of_it_in_short():
    assert outlook(*SKETCH).knock_hint(9) == (
        "A knock with 9 wins game 2 if Alexandra holds 17 or more."
    )
    assert outlook().knock_hint(9) == "A knock with 9 scores what Alexandra holds above it."
    assert outlook(*SKETCH).gin_hint(25) == "Gin wins game 2."
    assert outlook((MINE, 60)).gin_hint(25) == "Gin wins game 1 if Alexandra holds 15 or more."
    assert outlook().gin_hint(25) == "Gin scores 25 and all that Alexandra holds."


def test_outlooks_are_equal_where_the_sheets_stand_alike():
    one, other = outlook((MINE, 5), (THEIRS, 7)), outlook((THEIRS, 7), (MINE, 5))
    assert one == other
    assert hash(one) == hash(other)


def test_the_hint_of_the_action_bar_is_the_best_knock_s():
    assert regions(to_discard().table(0))["actions"].hint.startswith("A knock with 9 scores")
    assert regions(with_gin().table(0))["actions"].hint.startswith("Gin scores 25")
    assert regions(to_discard().table(1))["actions"].hint == ""


# Spreads


def choices(scene, card: str):
    rows = regions(scene.table(0))["hand"].rows
    held = next(h for row in rows for group in row for h in group.cards if str(h.card) == card)
    return {choice.name: choice for choice in held.knocks}


def test_a_spread_tells_what_fits_on_it_and_is_not_known_to_be_elsewhere():
    knock = choices(to_discard(), "9C")["knock"]
    assert [format_cards(spread.fits) for spread in knock.spreads] == ["3H 8H QH"]
    # A card of the pile can't be laid off, nor one of the own hand.
    hand = "4H 5H 6H 7H QC QD QS AC 2D 6S"
    other = "TS 8H 3C 8D KS 9D 5C 7S 2H KD"
    scene = dealt(hand, other, "TD", "TC 3S 9C 8C").play(
        Pass(), Pass(), Draw(), Discard(Card["TC"]), Draw(), Discard(Card["8H"]), Draw()
    )
    knock = choices(scene, "9C")["knock"]
    assert [format_cards(spread.fits) for spread in knock.spreads] == ["3H QH"]


RIVALS = "5H 6H 7H 8H 8C 8D 8S 2S 3C AD"  # the eight of hearts serves the run or the set


def test_the_choice_between_spreads_of_equal_deadwood_is_told_to_matter():
    scene = dealt(RIVALS, "TS JH 4C 9D KS 9C 5C 7S 2H KD", "TD", "KC").play(Pass(), Pass(), Draw())
    knock = choices(scene, "KC")["knock"]
    assert knock.question.endswith("choose the spread that gives them fewest places.")
    assert [(each.points, format_cards(each.fits)) for each in knock.spreads[:2]] == [
        (6, "4H"),
        (6, "4H 9H"),
    ]


def test_other_choices_are_told_not_to_matter_so():
    assert choices(to_discard(), "9C")["knock"].question == ""
    worse = choices(with_choice(), "3S")["knock"]
    assert worse.question.startswith("The other spreads leave more deadwood")


def test_a_card_that_the_other_side_took_is_marked():
    hand, other = "4H 5H 6H 7H QC QD QS AC 2D 6S", "TS JH 3C 8D KS 9D 5C 7S 2H KD"
    scene = dealt(hand, other, "8H", "TC 9C 8C").play(
        Pass(), Take(), Discard(Card["KD"]), Draw(), Discard(Card["TC"]), Draw()
    )
    scene = scene.play(Discard(Card["KS"]), Draw())
    knock = choices(scene, "8C")["knock"]
    assert knock.seen.held == Card["8H"].bit
    html = render_region("hand", regions(scene.table(0))["hand"], stamp=Stamp(1, 0), key="Key")
    assert re.search(r'<b class="held"><span[^>]*>8♥</span> Alexandra took it</b>', html)
