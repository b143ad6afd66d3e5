"""What somebody looks for in a list of finished series."""

from collections.abc import Iterable, Iterator
from datetime import date, datetime, tzinfo
from typing import Any, Final

from django import forms
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.models import Seat
from games.selectors.history import Picks, opponent_named

OTHER_RULES: Final = "other"

type Choices = list[tuple[str | Promise, str | Promise | list[tuple[str, str]]]]


class HistoryForm(forms.Form):
    """All of it may be left open. `picks()` is what was chosen; what can't be read is open too.

    `formats` are offered with their names, and the months and years of a zone from a first end
    until now.
    """

    opponent = forms.CharField(
        label=_("Opponent"),
        max_length=20,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "off"}),
    )
    format = forms.ChoiceField(label=_("Rules"), required=False)
    result = forms.ChoiceField(label=_("Result"), required=False)
    rated = forms.ChoiceField(
        label=_("Rating"),
        required=False,
        choices=[("", _("Any")), ("yes", _("Rated")), ("no", _("Casual"))],
    )
    period = forms.ChoiceField(label=_("Ended in"), required=False)

    def __init__(
        self,
        data: Any = None,
        *,
        formats: Iterable[tuple[str, str]],
        zone: tzinfo,
        first: datetime | None,
        now: datetime,
    ) -> None:
        super().__init__(data)
        self.zone = zone
        self._offer("format", [("", _("All rules")), *formats, (OTHER_RULES, _("Other rules"))])
        self._offer("result", [("", _("All results")), *Seat.Result.choices])
        self._offer("period", [("", _("Any time")), *_periods(first or now, now, zone)])

    def _offer(self, name: str, choices: Choices) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField), "it offers choices"
        field.choices = choices

    def picks(self) -> Picks:
        """What is looked for."""
        self.is_valid()
        told = self.cleaned_data
        opponent = told.get("opponent", "").strip()
        since, until = _bounds(told.get("period", ""), self.zone)
        return Picks(
            opponent=opponent_named(opponent) if opponent else None,
            format=_format(told.get("format", "")),
            result=told.get("result") or None,
            is_rated={"yes": True, "no": False}.get(told.get("rated", "")),
            since=since,
            until=until,
        )


def _format(value: str) -> str | None:
    return "" if value == OTHER_RULES else value or None


def _periods(first: datetime, now: datetime, zone: tzinfo) -> Iterator[tuple[str, Any]]:
    """The years from now back to the first, each with its months."""
    first, now = first.astimezone(zone), now.astimezone(zone)
    for year in range(now.year, first.year - 1, -1):
        last = now.month if year == now.year else 12
        least = first.month if year == first.year else 1
        months = [date(year, month, 1) for month in range(last, least - 1, -1)]
        words = [(f"{each:%Y-%m}", date_format(each, "YEAR_MONTH_FORMAT")) for each in months]
        yield str(year), [(str(year), _("All of %(year)s") % {"year": year}), *words]


def _bounds(period: str, zone: tzinfo) -> tuple[datetime | None, datetime | None]:
    """When a period begins, and when the next one does, by the clocks of a zone."""
    if not period:
        return None, None
    year, _dash, month = period.partition("-")
    since = datetime(int(year), int(month or 1), 1, tzinfo=zone)
    if not month:
        return since, since.replace(year=since.year + 1)
    months = since.year * 12 + since.month  # of all years, counted to the next month
    return since, since.replace(year=months // 12, month=months % 12 + 1)
