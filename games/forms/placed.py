"""A form that sets an address aside for what it makes, so that two presses make it once."""

from typing import Any

from django import forms
from django.core.signing import BadSignature, Signer

from games.models.series import new_slug


class PlacedForm(forms.Form):
    """`place()` is the address that this form, as it was shown to this user, set aside; None where
    there is none to trust."""

    address = forms.CharField(widget=forms.HiddenInput, required=False)

    def __init__(self, *args: Any, user_id: int | str | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._signer = Signer(salt=f"new series of {user_id}")
        self.fields["address"].initial = self._signer.sign(new_slug())

    def place(self) -> str | None:
        try:
            return self._signer.unsign(self.cleaned_data["address"])
        except BadSignature:
            return None
