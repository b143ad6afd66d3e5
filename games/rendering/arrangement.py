"""The arrangement before a knock as markup: the button that opens it, its spreads, its prospects.

As in `held`, what does not change is kept.
"""

from functools import cache, lru_cache

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from games.rendering.faces import face_in, sign_in
from games.rendering.forms import Forms
from games.rendering.knocks import KnockChoice, Spread
from games.rendering.outlook import Outlook, Rung
from games.rendering.words import card_sign
from games.rules.cards import Card, CardSet, cards_in


def arrangement(forms: Forms, choice: KnockChoice, language: str) -> str:
    """The button that opens the arrangement, and that, which alone holds the form.

    `language` is the present one.
    """
    form = forms.card_action(choice.name, choice.card)
    head, foot = _frame(choice.card, choice.points, language)
    prospects = _prospects(choice.outlook, choice.points, language)
    return f"{head}{form}{_spreads(choice, language)}{prospects}{foot}"


@cache
def _frame(card: Card, points: int, language: str) -> tuple[str, str]:
    """What stands before and behind the form's own parts."""
    action, key, do = ("knock", "K", _("Knock")) if points else ("gin", "G", _("Gin"))
    words = {"card": card_sign(card), "points": points}
    if points:
        opens, title = _("Knock with %(points)s…"), _("Knock with %(points)s, discarding %(card)s")
    else:
        opens, title = _("Gin…"), _("Gin, discarding %(card)s")
    name = f"{action}-{card}"
    head = (
        f'<button type="button" class="button brass" id="open-{name}" data-hotkey="{key}"'
        f' popovertarget="{name}" popovertargetaction="show">{escape(opens % words)}</button>'
        f'<div class="dialog knock" id="{name}" popover role="dialog" tabindex="-1" autofocus'
        f' aria-label="{escape(do)}"><h2>{escape(title % words)}</h2>'
    )
    foot = (
        f'<div class="buttons"><button type="button" class="button quiet" popovertarget="{name}"'
        f' popovertargetaction="hide">{escape(_("Not yet"))}</button>'
        f'<button class="button brass">{escape(do)}</button></div></form></div>'
    )
    return head, foot


def _spreads(choice: KnockChoice, language: str) -> str:
    """The one spread, or those to choose from, the automatic one checked."""
    only = choice.spreads[0]
    if len(choice.spreads) > 1:
        ways = "".join(_way(choice, spread, language) for spread in choice.spreads)
        why = escape(choice.question)
        return f'<fieldset class="spreads"><legend>{why}</legend>{ways}</fieldset>'
    value = f'<input type="hidden" name="spread" value="{only.value}">' if only.value else ""
    return f'{_laid(only, language)}<p class="fits">{_fits(choice, only, language)}</p>{value}'


def _way(choice: KnockChoice, spread: Spread, language: str) -> str:
    checked = " checked" if spread is choice.spreads[0] else ""
    return (
        f'<label><input type="radio" name="spread" value="{spread.value}" autocomplete="off"'
        f"{checked}><span>{_laid(spread, language)}"
        f'<span class="fits">{_fits(choice, spread, language)}</span></span></label>'
    )


def _laid(spread: Spread, language: str) -> str:
    """A spread as it would lie on the table: its melds, then the deadwood."""
    melds = "".join(_cards(meld.cards, "", language) for meld in spread.arrangement.melds)
    deadwood = spread.arrangement.deadwood
    loose = _cards(deadwood, " deadwood", language) if deadwood else ""
    return f'<span class="laid">{melds}{loose}</span>'


@lru_cache(maxsize=4096)
def _cards(cards: CardSet, kind: str, language: str) -> str:
    faces = "".join(f"<i>{face_in(card, language)}</i>" for card in cards_in(cards))
    return f'<span class="cards{kind}">{faces}</span>'


def _fits(choice: KnockChoice, spread: Spread, language: str) -> str:
    """What the spread leaves, and which cards could be laid off on it."""
    if choice.is_gin:
        return ""
    signs = "".join(_fitting(choice, card, language) for card in cards_in(spread.fits))
    return _left(spread.points, bool(spread.fits), language) + signs


@cache
def _left(points: int, has_fits: bool, language: str) -> str:
    words = _("Deadwood %(points)s.") % {"points": points}
    return escape(f"{words} {_('Fits on it:') if has_fits else _('Nothing fits on it.')}")


def _fitting(choice: KnockChoice, card: Card, language: str) -> str:
    if not choice.seen.held & card.bit:
        return f" {sign_in(card, language)}"
    words = _("%(name)s took it") % {"name": choice.outlook.name}
    return f' <b class="held">{sign_in(card, language)} {escape(words)}</b>'


@lru_cache(maxsize=1024)
def _prospects(outlook: Outlook, points: int, language: str) -> str:
    bonus = outlook.options.gin
    rungs = outlook.knock_rungs(points) if points else outlook.gin_rungs(bonus)
    return ladder(outlook.heading, rungs)


def ladder(heading: str, rungs: tuple[Rung, ...]) -> SafeString:
    """What a knock would do, by what the defender is left with."""
    lines = "".join(
        f"<div><dt>{escape(rung.left)}</dt><dd>{escape(rung.follows)}</dd></div>" for rung in rungs
    )
    return mark_safe(  # noqa: S308 (every part is escaped)
        f'<h3>{escape(heading)}</h3><dl class="ladder">{lines}</dl>'
    )
