"""Learning curves over checkpoints."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from blimpgen.analysis.averages import OVERALL, Group
from blimpgen.analysis.growth import LearningCurve
from blimpgen.report.plots.style import HUMANS, INK, accuracy_axis, grid, legend, mark, new_figure, panels, pen, words

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["learning_curves"]

_ACROSS = 5
_WIDE = 20


def learning_curves(
    curves: Mapping[str, LearningCurve],
    unit: str,
    people: Mapping[str, float],
    labels: Mapping[str, Mapping[float, str]],
) -> Figure:
    """A panel for the overall accuracy and one for each phenomenon, over the steps of training.

    Args:
        curves: name of a model to its curve.
        unit: of the steps.
        people: phenomenon to the published agreement of people.
        labels: name of a model to step to the label of its result.
    """
    names = list(dict.fromkeys(name for curve in curves.values() for name in (OVERALL, *curve.terms)))
    across = min(_ACROSS, len(names))
    figure = new_figure(max(4.6, 2.0 * across), 1.0 + 1.8 * -(-len(names) // across))
    every = panels(figure, len(names), across, sharex=True, sharey=True)
    steps = [step for curve in curves.values() for step in curve.steps]
    low = min(
        100 * group.interval.low
        for curve in curves.values()
        for groups in (curve.overall, *curve.terms.values())
        for group in groups
    )
    for number, (axes, name) in enumerate(zip(every, names, strict=True)):
        for k, (model, curve) in enumerate(curves.items()):
            groups = curve.overall if name == OVERALL else curve.terms.get(name, ())
            _line(axes, curve.steps, groups, k, model)
            for step, group in zip(curve.steps, groups, strict=False):
                mark(axes, step, 100 * group.accuracy, [labels[model][step]], name)
        if name in people:
            axes.axhline(100 * people[name], color=INK, linestyle=(0, (1, 1.5)), linewidth=1.3, label=HUMANS)
        accuracy_axis(axes, "y", low)
        if number % across:
            axes.set_ylabel("")
        axes.set_title(words(name), fontsize=8.5)
        grid(axes, "both")
    if min(steps) > 0 and max(steps) > _WIDE * min(steps):
        every[0].set_xscale("log")
    figure.supxlabel(unit, fontsize=9)
    legend(figure, max(every, key=lambda axes: len(axes.get_legend_handles_labels()[1])), last=(HUMANS,))
    return figure


def _line(axes: Axes, steps: tuple[float, ...], groups: tuple[Group, ...], k: int, model: str) -> None:
    if groups:
        ends = np.array([[100 * group.interval.low, 100 * group.interval.high] for group in groups]).T
        colour, marker, line = pen(k)
        axes.fill_between(steps, *ends, color=colour, alpha=0.18, linewidth=0)
        axes.plot(
            steps,
            [100 * group.accuracy for group in groups],
            color=colour,
            marker=marker,
            linestyle=line,
            markersize=4,
            label=model,
        )
