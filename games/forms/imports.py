"""The form that brings in series from elsewhere, as the records that docs/notation.md defines."""

import hashlib
from itertools import islice
from typing import Any, Final

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.forms.placed import PlacedForm
from games.rules.errors import RulesError
from games.rules.log import located
from games.rules.series_record import LONGEST_NAME, TITLE, SeriesRecord, parse_all
from games.services.imports import moment_of
from games.time_control import TimeControl

MOST_BYTES: Final = 500_000
MOST_SERIES: Final = 25
# From the first line of a record down.
_TO_TIME: Final = 6
_TO_STARTED: Final = 9


class ImportForm(PlacedForm):
    """A text or a file of records, and who the importer was. Valid, it has `records`.

    Whatever was sent stays in the form; of a file, its text.
    """

    text = forms.CharField(
        label=gettext_lazy("Record"),
        required=False,
        strip=False,  # a message names a line
        widget=forms.Textarea(attrs={"rows": 12, "spellcheck": "false", "class": "record"}),
        help_text=gettext_lazy("It begins with “Hollywood Gin series 1”; several may follow."),
    )
    file = forms.FileField(
        label=gettext_lazy("Or a text file"),
        required=False,
        allow_empty_file=True,
        widget=forms.FileInput(attrs={"accept": ".txt,text/plain"}),
        help_text=gettext_lazy("It takes the place of the text."),
    )
    name = forms.CharField(
        label=gettext_lazy("Your name in it"),
        max_length=LONGEST_NAME,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        help_text=gettext_lazy("As the record has it; empty if you did not play."),
    )
    records: tuple[SeriesRecord, ...] = ()

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        try:
            text = self._text(cleaned.get("file"), cleaned.get("text", ""))
            self.records = _read(text)
        except RulesError as error:
            # The message names the line; it quotes the text and has no other language.
            raise forms.ValidationError({"text": error.message}) from None
        except UnicodeDecodeError:
            raise forms.ValidationError({"file": _("That is no text in UTF-8.")}) from None
        self._check_name(cleaned.get("name", ""))
        return cleaned

    def key(self) -> str | None:
        """What is the same whenever this form sends the same; None where it can't be trusted."""
        place, found = self.place(), self.cleaned_data
        if place is None:
            return None
        told = "\n".join((place, found["name"], *(each.format() for each in self.records)))
        return hashlib.sha256(told.encode()).hexdigest()

    def _text(self, file: "UploadedFile[bytes] | None", text: str) -> str:
        """What is to be read. Raises ValidationError or UnicodeDecodeError."""
        if file is not None:
            if (file.size or 0) > MOST_BYTES:
                raise forms.ValidationError({"file": _too_long()})
            text = file.read().decode("utf-8-sig")
            self.data = {**self.data, "text": text}
        if len(text.encode()) > MOST_BYTES:
            raise forms.ValidationError({"text": _too_long()})
        if not text.strip():
            raise forms.ValidationError({"text": _("Paste a record, or choose a file.")})
        return text

    def _check_name(self, name: str) -> None:
        names = {player for record in self.records for player in record.players}
        if name and name not in names:
            words = _("Nobody in it is called that, but: %(names)s.")
            shown = ", ".join(sorted(names))
            raise forms.ValidationError({"name": words % {"names": shown}})


def _read(text: str) -> tuple[SeriesRecord, ...]:
    """The records of a text. Raises RulesError or ValidationError."""
    records = tuple(islice(parse_all(text), MOST_SERIES + 1))
    if len(records) > MOST_SERIES:
        words = _("More than %(most)s series at once: take some of them out.")
        raise forms.ValidationError({"text": words % {"most": MOST_SERIES}})
    lines = [n for n, line in enumerate(text.split("\n"), 1) if line.strip() == TITLE]
    for first, record in zip(lines, records, strict=True):
        with located(f"Line {first + _TO_TIME}"):
            TimeControl.parse(record.control)
        for line, time in enumerate((record.started, record.ended), first + _TO_STARTED):
            moment = moment_of(time)
            if moment is not None and moment > timezone.now():
                words = _("Line %(line)s: %(time)s has not come yet.")
                raise forms.ValidationError({"text": words % {"line": line, "time": time}})
    return records


def _too_long() -> str:
    return _("That is too long: %(most)s kB at most.") % {"most": MOST_BYTES // 1000}
