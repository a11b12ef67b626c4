"""What a report is made from, and the parts of its page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from blimpgen.analysis.columns import Columns
from blimpgen.analysis.intervals import Interval
from blimpgen.report.plots.style import HUMANS, Spot, spots, to_uri
from blimpgen.report.results import Checkpoints, Result, checkpoints, headline

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = [
    "HUMANS",
    "REFERENCE",
    "Material",
    "Missing",
    "Plot",
    "Section",
    "Table",
    "gather",
    "percent",
    "plot",
    "points",
    "with_interval",
]

REFERENCE = "gpt2"


@dataclass(frozen=True)
class Material:
    """The results of a report.

    Attributes:
        results: all of them.
        models: label to the rows of the headline method; of several checkpoints only the last.
        method: the headline method.
        curves: the models of which there are several checkpoints.
        resamples, seed: of every bootstrap.
    """

    results: Sequence[Result]
    models: Mapping[str, Columns]
    method: str
    curves: Sequence[Checkpoints]
    resamples: int
    seed: int

    @property
    def unit(self) -> str:
        """What scores are measured in: nats, unless one of the results counts words."""
        return "nats" if all(result.score != "length" for result in self.results) else "units of the score"

    @property
    def shown(self) -> list[Result]:
        """The results whose labels are in `models`."""
        return [result for result in self.results if result.label in self.models]


def gather(results: Sequence[Result], *, resamples: int = 1000, seed: int = 0) -> Material:
    """Sort results into models and checkpoints.

    Args:
        results: of verified sets.
        resamples, seed: of the bootstrap of intervals.

    Raises:
        UsageError: results that have no scoring method in common.
    """
    method = headline(results)
    curves = checkpoints(results)
    earlier = {id(result) for curve in curves for result in [*curve.results.values()][:-1]}
    models = {result.label: result.methods[method] for result in results if id(result) not in earlier}
    return Material(results, models, method, curves, resamples, seed)


@dataclass(frozen=True)
class Plot:
    """An image: its ``data:`` address, what it shows in words, and its places that have pairs behind them."""

    uri: str
    alt: str
    spots: Sequence[Spot] = ()


@dataclass(frozen=True)
class Table:
    """A table: what it is, its columns, its cells as text; the first cell of a row names it."""

    caption: str
    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    opened: bool = False


@dataclass(frozen=True)
class Section:
    """A part of the page.

    Attributes:
        name: its address in the page.
        title: its heading.
        text: how to read it, in paragraphs.
        plots, tables: what it shows.
    """

    name: str
    title: str
    text: Sequence[str]
    plots: Sequence[Plot] = field(default=(), repr=False)
    tables: Sequence[Table] = field(default=(), repr=False)


@dataclass(frozen=True)
class Missing:
    """A part that the results have no data for, and why."""

    title: str
    why: str


def plot(figure: Figure, alt: str) -> Plot:
    """Turn a figure into a part of the page.

    Args:
        figure: of matplotlib.
        alt: what it shows, in words.
    """
    return Plot(to_uri(figure), alt, spots(figure))


def percent(share: float | None, digits: int = 1) -> str:
    """Write a share as a percentage without its sign; a dash for none.

    Args:
        share: from 0 to 1.
        digits: behind the point.
    """
    return "–" if share is None or share != share else f"{100 * share:.{digits}f}"


def with_interval(share: float, interval: Interval) -> str:
    """Write a share with its interval, as percentages.

    Args:
        share: from 0 to 1.
        interval: of the share.
    """
    return f"{percent(share)} [{percent(interval.low)}, {percent(interval.high)}]"


def points(share: float, interval: Interval | None = None) -> str:
    """Write a difference in percentage points, with its sign and its interval.

    Args:
        share: the difference of two shares.
        interval: of the difference.
    """
    ends = "" if interval is None else f" [{100 * interval.low:+.1f}, {100 * interval.high:+.1f}]"
    return f"{100 * share:+.1f}{ends}"
