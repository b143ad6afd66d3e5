"""Random options and results for the score sheet."""

from hypothesis import strategies as st

from games.rules.options import Options
from games.rules.sheet import ScoreSheet

sheet_options = st.builds(
    Options,
    columns=st.sampled_from([3, 1]),
    target=st.sampled_from([50, 100, 150, 500]),
    entry=st.sampled_from(["late", "strict"]),
    series_end=st.sampled_from(["all", "two"]),
    settlement=st.just("classic"),
    box=st.sampled_from([25, 20, 0]),
    shutout=st.sampled_from(["double", "flat"]),
    players=st.sampled_from([2, 3, 4]),
)


@st.composite
def score_sheets(draw, options=sheet_options, to_the_end=False):
    """Draw a sheet at some point of a series, or at its end."""
    sheet = ScoreSheet(draw(options))
    points = st.integers(1, draw(st.sampled_from([9, 60, 260])))
    results = st.one_of(st.none(), st.tuples(st.integers(0, sheet.sides - 1), points))
    for _ in range(draw(st.integers(0, 25))):
        if not sheet.is_over:
            sheet = sheet.with_result(draw(results))
    while to_the_end and not sheet.is_over:
        sheet = sheet.with_result((draw(st.integers(0, sheet.sides - 1)), 100))
    return sheet
