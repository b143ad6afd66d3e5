"""What has happened, told in sentences to one viewer."""

from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.rendering.cast import Cast
from games.rendering.words import card_name, card_names, game_words
from games.rules.events import (
    BrokenOff,
    Dealt,
    Discarded,
    Drew,
    Event,
    Knocked,
    LaidOff,
    Passed,
    Resigned,
    Scored,
    Took,
)
from games.rules.scoring import Ending, RoundResult
from games.rules.sheet import Entry

_ORDINALS: Final = (gettext_lazy("first"), gettext_lazy("second"), gettext_lazy("third"))


def event_sentence(event: Event, cast: Cast) -> str:
    """Tell one event as its viewer may know it."""
    match event:
        case Dealt():
            return cast.say(
                event.dealer,
                _("You dealt; the upcard is the %(card)s."),
                _("%(name)s dealt; the upcard is the %(card)s."),
                card=card_name(event.upcard),
            )
        case Passed():
            return cast.say(event.seat, _("You passed."), _("%(name)s passed."))
        case Resigned():
            return cast.say(
                event.seat, _("You resigned the round."), _("%(name)s resigned the round.")
            )
        case BrokenOff():
            return _("The round was broken off.")
        case Scored():
            return result_sentence(event.result, cast)
        case Knocked():
            return _knock_sentence(event, cast)
        case LaidOff():
            return _lay_off_sentence(event, cast)
        case Took() | Drew() | Discarded():
            return _card_sentence(event, cast)


def _card_sentence(event: Took | Drew | Discarded, cast: Cast) -> str:
    card = card_name(event.card) if event.card is not None else ""
    match event:
        case Took():
            you, they = _("You took the %(card)s."), _("%(name)s took the %(card)s.")
        case Drew() if card:
            you, they = _("You drew the %(card)s."), _("%(name)s drew the %(card)s.")
        case Drew():
            you, they = _("You drew from the stock."), _("%(name)s drew from the stock.")
        case Discarded():
            you, they = _("You discarded the %(card)s."), _("%(name)s discarded the %(card)s.")
    return cast.say(event.seat, you, they, card=card)


def _knock_sentence(event: Knocked, cast: Cast) -> str:
    points = event.spread.deadwood_points
    if event.big_gin:
        you, they = _("You have big gin!"), _("%(name)s has big gin!")
    elif not points:
        you, they = _("You have gin!"), _("%(name)s has gin!")
    else:
        you, they = _("You knocked with %(points)s."), _("%(name)s knocked with %(points)s.")
    return cast.say(event.seat, you, they, points=points)


def _lay_off_sentence(event: LaidOff, cast: Cast) -> str:
    if not event.lay_offs:
        return cast.say(event.seat, _("You laid nothing off."), _("%(name)s laid nothing off."))
    return cast.say(
        event.seat,
        _("You laid off the %(cards)s."),
        _("%(name)s laid off the %(cards)s."),
        cards=card_names(lay_off.card for lay_off in event.lay_offs),
    )


def result_sentence(result: RoundResult, cast: Cast) -> str:
    """Tell how a round ended and what it scores."""
    if result.winner is None:
        if result.kind is Ending.VOID:
            return _("The round was broken off and does not count.")
        return _("The round is drawn. Nobody scores.")
    match result.kind:
        case Ending.GIN:
            you, they = _("Gin! You score %(points)s."), _("Gin! %(name)s scores %(points)s.")
        case Ending.BIG_GIN:
            you = _("Big gin! You score %(points)s.")
            they = _("Big gin! %(name)s scores %(points)s.")
        case Ending.UNDERCUT:
            you = _("Undercut! You score %(points)s.")
            they = _("Undercut! %(name)s scores %(points)s.")
        case Ending.RESIGNED:
            you = _("You score %(points)s: the other side resigned.")
            they = _("%(name)s scores %(points)s: the other side resigned.")
        case _:
            you, they = _("You score %(points)s."), _("%(name)s scores %(points)s.")
    return cast.say(result.winner, you, they, points=result.points)


def entry_sentence(entry: Entry, side_cast: Cast) -> str:
    """Tell where a round's points were entered: "Your second win: games 1 and 2."."""
    if entry.side is None:
        return ""
    if not entry.games:
        return side_cast.say(
            entry.side,
            _("Your win no. %(win)s falls into games that have ended: it is entered nowhere."),
            _("%(name)s: win no. %(win)s falls into games that have ended, entered nowhere."),
            win=entry.win,
        )
    if entry.win <= len(_ORDINALS):
        you, they = _("Your %(win)s win: %(games)s."), _("%(name)s, %(win)s win: %(games)s.")
        win = str(_ORDINALS[entry.win - 1])
    else:
        you = _("Your win no. %(win)s: %(games)s.")
        they = _("%(name)s, win no. %(win)s: %(games)s.")
        win = str(entry.win)
    return side_cast.say(entry.side, you, they, win=win, games=game_words(entry.games))


def closed_sentences(entry: Entry, side_cast: Cast) -> list[str]:
    """Tell which games ended by a round, with their totals, the winner's first."""
    sentences = []
    for game in entry.closed:
        winner = entry.after.ended[game]
        assert winner is not None, "a closed game has a winner"
        totals = [side[game] for side in entry.after.totals]
        sentences.append(
            side_cast.say(
                winner,
                _("You win game %(game)s, %(won)s to %(lost)s."),
                _("%(name)s wins game %(game)s, %(won)s to %(lost)s."),
                game=game + 1,
                won=totals[winner],
                lost=max(total for side, total in enumerate(totals) if side != winner),
            )
        )
    return sentences
