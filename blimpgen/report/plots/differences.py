"""Differences: contrasts of paradigms, prefix methods against the full sentence, and pairs of models."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from blimpgen.analysis.contrasts import Contrasted
from blimpgen.analysis.intervals import Interval
from blimpgen.report.plots.style import (
    GREY,
    HUMAN,
    INK,
    accuracy_axis,
    grid,
    intervals,
    legend,
    mark,
    new_figure,
    panels,
    pen,
    words,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["contrasts", "forest"]


def contrasts(contrasted: Sequence[Mapping[str, Contrasted]], people: str, reference: str) -> Figure:
    """A panel for each contrast: the macro average of each of its groups, joined by a line for each system.

    Args:
        contrasted: for each contrast, label of a system to what it gives.
        people, reference: labels of the published systems, which are drawn in black and grey.
    """
    published: dict[str, dict[str, Any]] = {
        people: {**HUMAN, "linestyle": (0, (1, 1.5))},
        reference: {"color": GREY, "marker": "x", "linestyle": (0, (4, 2))},
    }
    across = min(2, len(contrasted))
    figure = new_figure(max(4.8, 4.3 * across), 0.8 + 2.6 * -(-len(contrasted) // across))
    every = panels(figure, len(contrasted), across, sharey=True)
    labels = list(dict.fromkeys(label for panel in contrasted for label in panel))
    low = min(100 * mean for panel in contrasted for of in panel.values() for mean in of.means.values())
    for number, (axes, panel) in enumerate(zip(every, contrasted, strict=True)):
        first = next(iter(panel.values()))
        for label, of in panel.items():
            colour, marker, line = pen(labels.index(label))
            style = published.get(label, {"color": colour, "marker": marker, "linestyle": line, "markersize": 5.5})
            axes.plot(range(len(of.means)), [100 * mean for mean in of.means.values()], label=label, **style)
        axes.set_xticks(range(len(first.means)), [*first.means])
        axes.set_xlim(-0.3, len(first.means) - 0.7)
        accuracy_axis(axes, "y", low)
        if number % across:
            axes.set_ylabel("")
        axes.set_title(first.contrast.title, fontsize=8.5)
        grid(axes, "y")
    legend(figure, max(every, key=lambda axes: len(axes.get_legend_handles_labels()[1])), last=(people, reference))
    return figure


def forest(
    differences: Mapping[str, Mapping[str, Mapping[str, tuple[float, Interval]]]],
    label: str,
    behind: Callable[[str, str], Sequence[str]],
) -> Figure:
    """A row for each phenomenon: a difference of two accuracies with its interval, about a line at zero.

    Args:
        differences: title to label of a system to phenomenon to its difference and interval, as shares.
        label: of the axis.
        behind: the labels of the results behind a difference, given its title and the label of its system.
    """
    rows = list(dict.fromkeys(name for panel in differences.values() for groups in panel.values() for name in groups))
    systems = list(dict.fromkeys(name for panel in differences.values() for name in panel))
    figure = new_figure(max(6.4, 2.4 + 3.1 * len(differences)), 1.2 + len(rows) * max(0.3, 0.15 * (len(systems) + 1)))
    every = panels(figure, len(differences), len(differences), sharex=True, sharey=True)
    for axes, (title, panel) in zip(every, differences.items(), strict=True):
        for system, groups in panel.items():
            _points(axes, rows, groups, systems, system, behind(title, system))
        axes.axvline(0, color=INK, linewidth=1, zorder=1)
        axes.set_title(title, fontsize=8.5)
        axes.set_xlabel(label)
        grid(axes, "x")
    every[0].set_yticks([-float(k) for k in range(len(rows))], [words(name) for name in rows])
    every[0].set_ylim(-len(rows) + 0.4, 0.6)
    if len(systems) > 1:
        legend(figure, max(every, key=lambda axes: len(axes.get_legend_handles_labels()[1])))
    return figure


def _points(
    axes: Axes,
    rows: Sequence[str],
    groups: Mapping[str, tuple[float, Interval]],
    systems: Sequence[str],
    label: str,
    behind: Sequence[str],
) -> None:
    k = systems.index(label)
    offset = 0.7 / (len(systems) + 1) * ((len(systems) - 1) / 2 - k)
    names = [name for name in rows if name in groups]
    intervals(axes, k, label, [groups[name] for name in names], [offset - rows.index(name) for name in names])
    for name in names:
        mark(axes, 100 * groups[name][0], offset - rows.index(name), behind, name)
