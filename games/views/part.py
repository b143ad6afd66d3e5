"""What a browser adds to the first deal as its player sits down (sit_down.js)."""

from django.http import HttpRequest

from games.rules.parts import is_part


def part_of(request: HttpRequest) -> str:
    """The part that came with the form; "" without JavaScript, or of what is none."""
    part = request.POST.get("part", "")
    return part if is_part(part) else ""
