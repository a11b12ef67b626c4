"""Accuracy by phenomenon and by paradigm."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from blimpgen.analysis.averages import OVERALL, Group
from blimpgen.report.plots.style import (
    GREY,
    HUMAN,
    HUMANS,
    accuracy_axis,
    grid,
    intervals,
    legend,
    mark,
    new_figure,
    readable,
    words,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["by_phenomenon", "heat_map"]


def by_phenomenon(
    models: Mapping[str, Mapping[str, Group]], people: Mapping[str, float], reference: tuple[str, Mapping[str, float]]
) -> Figure:
    """A row for each phenomenon, with a point and its interval for each model.

    Args:
        models: label to phenomenon to accuracy; `OVERALL` is shown last, set apart.
        people: phenomenon to the published agreement of people.
        reference: name and figures of a published model.
    """
    rows = sorted({name for groups in models.values() for name in groups} - {OVERALL})
    rows = [*rows, *([OVERALL] if any(OVERALL in groups for groups in models.values()) else [])]
    place = {name: -float(k) - (0.5 if name == OVERALL else 0) for k, name in enumerate(rows)}
    step = 0.7 / (len(models) + 1)
    figure = new_figure(8.2, 1.4 + len(rows) * max(0.34, 0.13 * (len(models) + 1)))
    axes = figure.subplots()
    for k, (label, groups) in enumerate(models.items()):
        names = [name for name in rows if name in groups]
        offset = step * ((len(models) - 1) / 2 - k)
        shares = [(groups[name].accuracy, groups[name].interval) for name in names]
        intervals(axes, k, label, shares, [place[name] + offset for name in names])
        for name in names:
            mark(axes, 100 * groups[name].accuracy, place[name] + offset, [label], name)
    _published(figure, place, people, reference)
    if OVERALL in place:
        axes.axhline(place[OVERALL] + 0.75, color=GREY, linewidth=0.8)
    axes.set_yticks([place[name] for name in rows], [words(name) for name in rows])
    axes.set_ylim(min(place.values()) - 0.6, 0.6)
    accuracy_axis(axes, "x", min(100 * group.interval.low for groups in models.values() for group in groups.values()))
    grid(axes, "x")
    legend(figure, axes, last=(HUMANS, f"{reference[0]} (released pairs)"))
    return figure


def _published(
    figure: Figure, place: Mapping[str, float], people: Mapping[str, float], reference: tuple[str, Mapping[str, float]]
) -> None:
    (axes,) = figure.axes
    name, figures = reference
    present = [row for row in place if row in figures]
    if present:
        axes.plot(
            [100 * figures[row] for row in present],
            [place[row] for row in present],
            linestyle="none",
            marker="|",
            markersize=11,
            markeredgewidth=1.6,
            color=GREY,
            zorder=2,
            label=f"{name} (released pairs)",
        )
    present = [row for row in place if row in people]
    if present:
        axes.plot(
            [100 * people[row] for row in present],
            [place[row] for row in present],
            linestyle="none",
            zorder=4,
            label=HUMANS,
            **HUMAN,
        )


def heat_map(systems: Mapping[str, Mapping[str, float]], terms: Mapping[str, str]) -> Figure:
    """A cell for each paradigm and system, coloured by accuracy: blue above chance, red below.

    Args:
        systems: label to uid to accuracy.
        terms: uid to its phenomenon; the rows, which are grouped by phenomenon.
    """
    from matplotlib import colormaps
    from matplotlib.colors import Normalize

    rows = sorted(terms, key=lambda uid: (terms[uid], uid))
    values = np.array([[100 * accuracies.get(uid, np.nan) for accuracies in systems.values()] for uid in rows])
    height = 1.5 + 0.19 * len(rows)
    figure = new_figure(4.6 + 0.62 * len(systems), height)
    axes = figure.subplots()
    colours, scale = colormaps["RdBu"], Normalize(0, 100)
    image = axes.imshow(values, cmap=colours, norm=scale, aspect="auto", interpolation="nearest")
    for (i, j), value in np.ndenumerate(values):
        if np.isfinite(value):
            colour = readable(colours(scale(value)))
            axes.text(j, i, f"{value:.0f}", ha="center", va="center", fontsize=7, color=colour, in_layout=False)
            mark(axes, j, i, [[*systems][j]], rows[i], size=1)
    axes.set_xticks(range(len(systems)), [*systems], rotation=35, ha="left", rotation_mode="anchor")
    axes.xaxis.tick_top()
    axes.set_yticks(range(len(rows)), rows, fontsize=7)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    _bounds(figure, [terms[uid] for uid in rows])
    figure.colorbar(
        image,
        ax=axes,
        location="bottom",
        fraction=0.13 / height,
        pad=0.1 / height,
        aspect=20,
        label="accuracy (%); 50 is chance",
    )
    return figure


def _bounds(figure: Figure, terms: Sequence[str]) -> None:
    """A line between phenomena, and their names at the right."""
    (axes,) = figure.axes
    starts = [k for k, term in enumerate(terms) if k == 0 or terms[k - 1] != term]
    for start, end in zip(starts, [*starts[1:], len(terms)], strict=True):
        if start:
            axes.axhline(start - 0.5, color="white", linewidth=3)
        axes.annotate(
            words(terms[start]),
            (1, (start + end) / 2 - 0.5),
            xycoords=("axes fraction", "data"),
            xytext=(6, 0),
            textcoords="offset points",
            va="center",
            fontsize=7.5,
            color=GREY,
        )
