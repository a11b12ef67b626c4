"""How plots look: colours that colour-blind readers can tell apart, markers that double them, and SVG as text."""

from __future__ import annotations

import base64
import importlib.util
import io
import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from blimpgen.analysis.intervals import Interval
from blimpgen.base.errors import UsageError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.transforms import Transform

__all__ = [
    "GREY",
    "HUMAN",
    "HUMANS",
    "INK",
    "Pen",
    "Spot",
    "accuracy_axis",
    "grid",
    "intervals",
    "legend",
    "mark",
    "mark_all",
    "need_matplotlib",
    "new_figure",
    "panels",
    "pen",
    "readable",
    "spots",
    "styled",
    "to_uri",
    "words",
]

# The palette of Okabe and Ito (2008), darkest contrast first; black and grey are kept for people and for chance.
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
_MARKERS = ("o", "s", "^", "v", "P", "X")
_DASHES: tuple[Any, ...] = ("-", (0, (5, 1.5)), (0, (2, 1)))
INK = "#222222"
GREY = "#767676"
HUMAN: dict[str, Any] = {
    "color": INK,
    "marker": "D",
    "markersize": 5.5,
    "markerfacecolor": "white",
    "markeredgewidth": 1.3,
}
CHANCE = 50.0
HUMANS = "humans (released pairs)"
PERCENT = "accuracy (%)"

_WORDS = {
    "control_raising": "control and raising",
    "determiner_noun_agreement": "determiner-noun agreement",
    "filler_gap_dependency": "filler-gap dependency",
    "npi_licensing": "NPI licensing",
    "subject_verb_agreement": "subject-verb agreement",
    "syntax_semantics": "syntax and semantics",
}

_RC: dict[str, Any] = {
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 9,
    "axes.titlesize": 10,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.labelsize": 9,
    "axes.edgecolor": GREY,
    "axes.labelcolor": INK,
    "axes.linewidth": 0.8,
    "axes.axisbelow": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "xtick.labelsize": 8.5,
    "ytick.labelsize": 8.5,
    "grid.color": "#DDDDDD",
    "grid.linewidth": 0.7,
    "legend.frameon": False,
    "legend.fontsize": 8.5,
    "lines.linewidth": 1.6,
    "svg.hashsalt": "blimpgen",
    "svg.fonttype": "path",
    "figure.facecolor": "white",
}


class Pen(NamedTuple):
    """How one system is drawn in all plots: a colour, a marker, and a line style."""

    colour: str
    marker: str
    line: Any


class Spot(NamedTuple):
    """A place of a plot that has pairs behind it.

    Attributes:
        left, top: its middle, as shares of the width and the height of the image, from the upper left corner.
        width, height: the same of its size; 0 for a point.
        labels: of the results.
        group: the paradigm or phenomenon.
    """

    left: float
    top: float
    width: float
    height: float
    labels: tuple[str, ...]
    group: str


class _Mark(NamedTuple):
    """A rectangle in the coordinates of a plot, or a point, and what is behind it."""

    transform: Transform
    corners: tuple[tuple[float, float], tuple[float, float]]
    labels: tuple[str, ...]
    group: str


_MARKS: dict[Figure, list[_Mark]] = {}
"""What is behind the places of the figures that are being drawn; they have no room for it themselves."""


def mark(axes: Axes, x: float, y: float, labels: Sequence[str], group: str, size: float = 0.0) -> None:
    """Note what is behind a place of a plot.

    Args:
        axes: the plot.
        x, y: the place.
        labels: of the results.
        group: the paradigm or phenomenon.
        size: in the units of the axes; 0 for a point.
    """
    corners = (x - size / 2, y - size / 2), (x + size / 2, y + size / 2)
    _MARKS.setdefault(axes.figure, []).append(_Mark(axes.transData, corners, tuple(labels), group))


def mark_all(axes: Axes, labels: Sequence[str], group: str) -> None:
    """Note what is behind a whole plot.

    Args:
        axes: the plot.
        labels: of the results.
        group: the paradigm or phenomenon.
    """
    _MARKS.setdefault(axes.figure, []).append(_Mark(axes.transAxes, ((0, 0), (1, 1)), tuple(labels), group))


def spots(figure: Figure) -> tuple[Spot, ...]:
    """The places of a figure that have pairs behind them, once it has been drawn; they are told once."""
    every = []
    for transform, corners, labels, group in _MARKS.pop(figure, ()):
        (left, low), (right, high) = (transform.transform(corners) / figure.bbox.size).tolist()
        middle = (left + right) / 2, 1 - (low + high) / 2
        every.append(Spot(*middle, abs(right - left), abs(high - low), labels, group))
    return tuple(every)


def pen(number: int) -> Pen:
    """The pen of a system, by its place among all; no two of the first eighteen are the same."""
    turn, place = divmod(number, len(_COLOURS))
    return Pen(_COLOURS[place], _MARKERS[(place + turn) % len(_MARKERS)], _DASHES[turn % len(_DASHES)])


def need_matplotlib() -> None:
    """Say what to install if there is no matplotlib.

    Raises:
        UsageError: matplotlib is not installed.
    """
    if importlib.util.find_spec("matplotlib") is None:
        raise UsageError("a report needs matplotlib, which is not installed: pip install 'blimpgen[report]'")


@contextmanager
def styled() -> Iterator[None]:
    """While plots are made and written: the settings of this module, whatever the user's own are."""
    import matplotlib as mpl

    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update(_RC)
        yield


def new_figure(width: float, height: float) -> Figure:
    """Make an empty figure that arranges its parts itself, apart from any window or state of pyplot.

    Args:
        width, height: in inches.
    """
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained")


def to_uri(figure: Figure) -> str:
    """A figure as a ``data:`` address of an SVG image, with the same bytes for the same figure."""
    stream = io.BytesIO()
    figure.savefig(stream, format="svg", metadata={"Date": None, "Creator": None})
    return "data:image/svg+xml;base64," + base64.b64encode(stream.getvalue()).decode("ascii")


def words(name: str) -> str:
    """The name of a phenomenon or field as words."""
    return _WORDS.get(name) or name.replace("_", " ")


def intervals(axes: Axes, k: int, label: str, shares: Sequence[tuple[float, Interval]], y: Sequence[float]) -> None:
    """Draw the shares of a system as points with their intervals.

    Args:
        axes: the plot; x is in percent.
        k: the number of the system, which decides its pen.
        label: its name, for the legend.
        shares: each with its interval, from 0 to 1.
        y: the height of each.
    """
    x = np.array([100 * share for share, _ in shares])
    ends = np.array([(100 * interval.low, 100 * interval.high) for _, interval in shares]).T
    axes.errorbar(
        x,
        y,
        xerr=np.abs(ends - x),
        fmt=pen(k).marker,
        color=pen(k).colour,
        markersize=5.5,
        elinewidth=1.6,
        label=label,
        zorder=3,
    )


def grid(axes: Axes, which: Literal["x", "y", "both"]) -> None:
    """Draw light lines behind the data.

    Args:
        axes: the plot.
        which: along which axis.
    """
    axes.grid(True, axis=which)
    axes.tick_params(length=0)


def accuracy_axis(axes: Axes, which: str, lowest: float) -> None:
    """Make an axis one of percentages up to 100, with a dashed line at chance.

    Args:
        axes: the plot.
        which: x or y.
        lowest: the lowest value; the axis begins at the ten below it.
    """
    low = 10 * math.floor(min(lowest, 45.0) / 10)
    line = axes.axvline if which == "x" else axes.axhline
    limits = axes.set_xlim if which == "x" else axes.set_ylim
    label = axes.set_xlabel if which == "x" else axes.set_ylabel
    line(CHANCE, color=GREY, linestyle=(0, (4, 3)), linewidth=1, zorder=1)
    limits(low, 101.5)
    label(PERCENT)


def legend(figure: Figure, axes: Axes, *, columns: int = 5, last: Sequence[str] = ()) -> None:
    """A legend of the entries of some axes above all plots.

    Args:
        figure: where it stands.
        axes: whose entries it has.
        columns: how many, at most.
        last: labels that come after all others.
    """
    entries = sorted(zip(*axes.get_legend_handles_labels(), strict=True), key=lambda entry: entry[1] in last)
    if entries:
        handles, labels = zip(*entries, strict=True)
        figure.legend(handles, labels, loc="outside upper center", ncols=min(columns, len(labels)))


def panels(figure: Figure, count: int, across: int, **shared: bool) -> list[Axes]:
    """Make axes in rows, each of which shows the ticks of its own x axis.

    Args:
        figure: where they stand.
        count: how many.
        across: how many a row.
        shared: which axes they share, as in ``Figure.subplots``.
    """
    down = -(-count // across)
    every = list(figure.subplots(down, across, squeeze=False, **shared).flat)
    for spare in every[count:]:
        spare.set_visible(False)
    for axes in every[:count]:
        axes.tick_params(labelbottom=True)
    return every[:count]


def readable(background: Any) -> str:
    """Black or white, whichever stands out from a colour (red, green, blue from 0 to 1)."""
    red, green, blue = background[:3]
    return "white" if 0.299 * red + 0.587 * green + 0.114 * blue < 0.52 else INK
