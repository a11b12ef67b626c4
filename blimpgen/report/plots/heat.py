"""Tables of figures as coloured cells."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from blimpgen.report.plots.style import INK, new_figure, readable

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["heat_map"]


def heat_map(
    values: NDArray[np.float64],
    rows: Sequence[str],
    columns: Sequence[str],
    *,
    label: str,
    title: str = "",
    digits: int = 2,
    limit: float | None = None,
    marked: Collection[tuple[int, int]] = (),
) -> Figure:
    """Cells coloured from the lowest negative to the highest positive value, white at 0, with their figures.

    Args:
        values: rows x columns; a cell that is not a number stays empty.
        rows, columns: their names.
        label: what the colours stand for.
        title: of the plot.
        digits: of the figures.
        limit: the value of the darkest colours; by default the largest one there is.
        marked: cells with a frame, each as its row and column.
    """
    from matplotlib import colormaps
    from matplotlib.colors import Normalize
    from matplotlib.patches import Rectangle

    across, down = len(columns), len(rows)
    figure = new_figure(2.8 + 0.56 * across, 1.7 + 0.26 * down)
    axes = figure.subplots()
    finite = np.abs(values[np.isfinite(values)])
    most = limit or (float(finite.max()) if finite.size else 1.0) or 1.0
    colours, scale = colormaps["PuOr_r"], Normalize(-most, most)
    image = axes.imshow(values, cmap=colours, norm=scale, aspect="auto")
    for (i, j), value in np.ndenumerate(values):
        if np.isfinite(value):
            colour = readable(colours(scale(value)))
            axes.text(j, i, f"{value:.{digits}f}", ha="center", va="center", fontsize=6.5, color=colour)
    for i, j in marked:
        axes.add_patch(Rectangle((j - 0.5, i - 0.5), 1, 1, fill=False, edgecolor=INK, linewidth=1.6))
    axes.set_xticks(range(across), columns, rotation=35, ha="right", rotation_mode="anchor")
    axes.set_yticks(range(down), rows)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    if title:
        axes.set_title(title)
    figure.colorbar(image, ax=axes, fraction=0.04, pad=0.02, label=label)
    return figure
