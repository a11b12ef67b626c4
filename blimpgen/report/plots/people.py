"""Models and people: correlation over paradigms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from blimpgen.analysis.correlation import Correlations
from blimpgen.analysis.intervals import Array
from blimpgen.report.plots.style import GREY, INK, grid, mark, new_figure, panels, pen, readable

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["correlation_matrix", "scatter"]

_NAMED = 4
_BEHIND = 15
_APART = 4.5
_LEFT = 55
_ACROSS = 2


def correlation_matrix(correlations: Correlations, title: str) -> Figure:
    """Coefficients of every two systems, as coloured cells below the diagonal.

    Args:
        correlations: of every two systems.
        title: of the figure.
    """
    from matplotlib import colormaps
    from matplotlib.colors import Normalize

    n = len(correlations.names)
    figure = new_figure(2.6 + 0.62 * n, 1.5 + 0.5 * n)
    axes = figure.subplots()
    shown = np.where(np.tri(n, k=-1, dtype=bool), correlations.values, np.nan)[1:, :-1]
    colours, scale = colormaps["PuOr_r"], Normalize(-1, 1)
    image = axes.imshow(shown, cmap=colours, norm=scale, aspect="auto")
    for (i, j), value in np.ndenumerate(shown):
        if np.isfinite(value):
            colour = readable(colours(scale(value)))
            axes.text(j, i, f"{value:.2f}", ha="center", va="center", fontsize=8.5, color=colour, in_layout=False)
    axes.set_xticks(range(n - 1), correlations.names[:-1], rotation=35, ha="right", rotation_mode="anchor")
    axes.set_yticks(range(n - 1), correlations.names[1:])
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    axes.set_title(title)
    figure.colorbar(image, ax=axes, fraction=0.05, pad=0.02, label="correlation coefficient")
    return figure


def scatter(
    models: Mapping[str, Mapping[str, float]], people: Mapping[str, float], captions: Mapping[str, str]
) -> Figure:
    """A panel for each model: every paradigm by the agreement of people and the accuracy of the model.

    Args:
        models: label to uid to accuracy.
        people: uid to the published agreement of people.
        captions: label to what stands in the corner of its panel.
    """
    across = min(_ACROSS, len(models))
    down = -(-len(models) // across)
    figure = new_figure(4.4 * across, 0.2 + 3.8 * down)
    for k, (axes, (label, accuracies)) in enumerate(
        zip(panels(figure, len(models), across, sharex=True, sharey=True), models.items(), strict=True)
    ):
        uids = [uid for uid in accuracies if uid in people]
        x, y = (100 * np.array([of[uid] for uid in uids]) for of in (people, accuracies))
        axes.plot([0, 100], [0, 100], color=GREY, linewidth=0.9, linestyle=(0, (4, 3)))
        axes.plot(x, y, linestyle="none", marker=pen(k).marker, color=pen(k).colour, markersize=5, alpha=0.75)
        for uid, across_x, up_y in zip(uids, x.tolist(), y.tolist(), strict=True):
            mark(axes, across_x, up_y, [label], uid)
        _name_outliers(axes, uids, x, y)
        axes.set_title(label, pad=17)
        axes.text(0, 1.02, captions[label], transform=axes.transAxes, fontsize=8, color=INK)
        axes.set_xlim(_LEFT, 101)
        axes.set_ylim(-2, 102)
        axes.set_xlabel("human agreement on the released pairs (%)")
        grid(axes, "both")
        if k % across == 0:
            axes.set_ylabel("accuracy of the model (%)")
    return figure


def _name_outliers(axes: Axes, uids: Sequence[str], x: Array, y: Array) -> None:
    """Names of the paradigms where the model falls furthest behind people, at the left where there are few points."""
    height = np.inf
    for k in sorted(np.argsort(y - x)[:_NAMED].tolist(), key=lambda k: -y[k]):
        if y[k] < x[k] - _BEHIND:
            height = min(float(y[k]), height - _APART)
            axes.annotate(
                uids[k],
                (x[k], y[k]),
                xytext=(_LEFT + 0.8, height),
                ha="left",
                va="center",
                fontsize=6.5,
                color=INK,
                arrowprops={"arrowstyle": "-", "color": GREY, "linewidth": 0.5, "shrinkB": 2},
            )
