"""Scores: histograms of their differences, and accuracy against shallow predictors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from blimpgen.analysis.intervals import Array
from blimpgen.analysis.predictors import Bin, Predictor
from blimpgen.report.plots.style import INK, Pen, accuracy_axis, grid, legend, mark_all, new_figure, panels, pen, words

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["OUTLINES", "Binned", "against_predictors", "differences"]

Binned: TypeAlias = Mapping[str, Sequence[Bin]]

OUTLINES = 4
_ACROSS = 4
_PREDICTORS_ACROSS = 3
_BINS = 32
_PERCENTILES = (0.5, 99.5)
_COUNTED = ("words", "tokens")


def differences(models: Mapping[str, Mapping[str, Array]], unit: str) -> Figure:
    """A panel for each phenomenon: how far the good sentence is preferred.

    One model is drawn as a filled histogram, its wrong pairs in another colour and hatched; a few as outlines; more by
    their median, quartiles, and the range of the middle 90 per cent.

    Args:
        models: label to phenomenon to differences of scores.
        unit: of the scores.
    """
    names = list(dict.fromkeys(name for groups in models.values() for name in groups))
    across = min(_ACROSS, len(names))
    figure = new_figure(max(4.6, 2.35 * across), 1.0 + 1.65 * -(-len(names) // across))
    every = panels(figure, len(names), across)
    for axes, name in zip(every, names, strict=True):
        draw = _panel if len(models) <= OUTLINES else _ranges
        draw(axes, {label: groups[name] for label, groups in models.items() if name in groups}, [*models])
        axes.set_title(words(name), fontsize=8.5)
        mark_all(axes, [label for label, groups in models.items() if name in groups], name)
    figure.supxlabel(f"score of the good sentence minus score of the bad one ({unit})", fontsize=9)
    if len(models) <= OUTLINES:
        figure.supylabel("pairs (%)", fontsize=9)
    legend(figure, max(every, key=lambda axes: len(axes.get_legend_handles_labels()[1])), columns=3)
    return figure


def _panel(axes: Axes, models: Mapping[str, Array], labels: Sequence[str]) -> None:
    every = np.concatenate([*models.values()])
    low, high = np.percentile(every, _PERCENTILES)
    reach = max(abs(low), abs(high)) or 1.0
    edges = np.linspace(-reach, reach, _BINS + 1)
    for label, values in models.items():
        colour, _, line = pen(labels.index(label))
        # What lies further out is counted in the outermost bins, so that every pair is shown.
        inside = np.clip(values, edges[0], edges[-1])
        weights = np.full(len(values), 100 / len(values))
        if len(labels) == 1:
            _filled(axes, inside, weights, edges)
        else:
            axes.hist(
                inside,
                edges,
                weights=weights,
                histtype="step",
                color=colour,
                linestyle=line,
                linewidth=1.3,
                label=label,
            )
    axes.axvline(0, color=INK, linewidth=1)
    grid(axes, "y")


def _ranges(axes: Axes, models: Mapping[str, Array], labels: Sequence[str]) -> None:
    for label, values in models.items():
        k = labels.index(label)
        lowest, low, middle, high, highest = np.percentile(values, (5, 25, 50, 75, 95))
        axes.plot((lowest, highest), (-k, -k), color=pen(k).colour, linewidth=1)
        axes.plot((low, high), (-k, -k), color=pen(k).colour, linewidth=4, alpha=0.55, solid_capstyle="butt")
        axes.plot(middle, -k, linestyle="none", marker=pen(k).marker, markersize=4.5, color=pen(k).colour, label=label)
    axes.axvline(0, color=INK, linewidth=1)
    axes.set_yticks([])
    axes.set_ylim(0.4 - len(labels), 0.6)
    grid(axes, "x")


def _filled(axes: Axes, values: Array, weights: Array, edges: Array) -> None:
    # A tie is drawn with the right ones: it lies on the line between the colours.
    right = values >= 0
    axes.hist(values[right], edges, weights=weights[right], color=pen(0).colour, label="good sentence preferred")
    axes.hist(
        values[~right],
        edges,
        weights=weights[~right],
        color=pen(1).colour,
        hatch="////",
        edgecolor="white",
        linewidth=0,
        label="bad sentence preferred",
    )


def against_predictors(predictors: Mapping[str, tuple[Predictor, Binned]]) -> Figure:
    """A panel for each predictor: mean accuracy in bins, with intervals, for each model.

    Args:
        predictors: name to the predictor, and label of a model to its bins.
    """
    across = min(_PREDICTORS_ACROSS, len(predictors))
    figure = new_figure(max(4.6, 3.3 * across), 0.7 + 2.4 * -(-len(predictors) // across))
    every = panels(figure, len(predictors), across, sharey=True)
    labels = list(dict.fromkeys(label for _, models in predictors.values() for label in models))
    low = min(100 * b.interval.low for _, models in predictors.values() for bins in models.values() for b in bins)
    for number, (axes, (predictor, models)) in enumerate(zip(every, predictors.values(), strict=True)):
        for label, bins in models.items():
            _line(axes, bins, pen(labels.index(label)), label)
        accuracy_axis(axes, "y", low)
        axes.set_xlabel(f"{predictor.title} ({predictor.unit})", fontsize=8.5)
        if number % across:
            axes.set_ylabel("")
        if predictor.logarithmic:
            _logarithmic(axes, [b.middle for bins in models.values() for b in bins])
        elif predictor.unit in _COUNTED:
            axes.locator_params(axis="x", integer=True)
        grid(axes, "both")
    legend(figure, max(every, key=lambda axes: len(axes.get_legend_handles_labels()[1])))
    return figure


def _line(axes: Axes, bins: Sequence[Bin], drawn: Pen, label: str) -> None:
    x = [b.middle for b in bins]
    ends = np.array([[100 * b.interval.low, 100 * b.interval.high] for b in bins]).T
    axes.fill_between(x, *ends, color=drawn.colour, alpha=0.15, linewidth=0)
    axes.plot(
        x,
        [100 * b.accuracy for b in bins],
        marker=drawn.marker,
        markersize=4,
        color=drawn.colour,
        linestyle=drawn.line,
        label=label,
    )


def _logarithmic(axes: Axes, values: Sequence[float]) -> None:
    """A logarithmic x axis with plain numbers, as many of each power of ten as there is room for."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    decades = np.log10(max(values) / min(values))
    axes.set_xscale("log")
    axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5) if decades < 1.5 else (1, 3) if decades < 2.5 else (1,)))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,g}"))
    axes.xaxis.set_minor_formatter(NullFormatter())
