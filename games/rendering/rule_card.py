"""The rules of one series, as its invitation lists them."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.rules.options import Options


def rule_lines(options: Options) -> tuple[tuple[str, str], ...]:
    """What the series is played by, each rule with its value; the usual ones in any case."""
    lines = [
        (_("Games"), _games(options)),
        (_("Gin"), _("%(points)s points") % {"points": options.gin}),
        (_("Undercut"), _("%(points)s points") % {"points": options.undercut}),
        (_("Knock"), _knock(options)),
    ]
    if options.spades_double:
        lines.append((_("Spade turned up"), _("points count double")))
    if options.big_gin:
        lines.append((_("Big gin"), _("%(points)s points") % {"points": options.big_gin}))
    if options.last_card == "offer":
        lines.append((_("Last discard"), _("may be taken to knock")))
    if options.entry == "strict":
        lines.append((_("Entry"), _("strict: what falls into an ended game is lost")))
    if options.series_end == "two":
        lines.append((_("Series"), _("ends when a side has won two games")))
    return tuple(lines)


def _games(options: Options) -> str:
    words = ngettext(
        "%(count)s game to %(target)s", "%(count)s games at once, to %(target)s", options.columns
    )
    return words % {"count": options.columns, "target": options.target}


def _knock(options: Options) -> str:
    if options.knock_limit == "upcard":
        return _("with as much deadwood as the upcard counts")
    if not options.knock_limit:
        return _("with gin only")
    return _("with %(points)s or less") % {"points": options.knock_limit}
