"""What the page of studies asks of the working process: the sets that can be judged, and a new study."""

from __future__ import annotations

from typing import TYPE_CHECKING

from blimpgen.base.errors import UsageError, nearest
from blimpgen.cli.studio.views.results import data_sets
from blimpgen.cli.studio.views.workspace import Workspace

if TYPE_CHECKING:
    from blimpgen.exports.source import Source
    from blimpgen.exports.study import Design

__all__ = ["judgeable", "make"]


def judgeable(workspace: Workspace) -> list[str]:
    """The names of the data sets that people can judge."""
    return list(data_sets(workspace))


def make(workspace: Workspace, name: str, design: Design, judged: str, certain: str) -> None:
    """Make a study.

    Args:
        workspace: the folders.
        name: of the study.
        design: what its owner decides.
        judged: the name of the set that is judged.
        certain: the name of the set of the calibrators; empty for none.

    Raises:
        BlimpgenError: no such set; a set that cannot be read; what `Studies.make` raises.
    """
    from blimpgen.exports.study import Studies

    source = _source(workspace, judged)
    Studies(workspace.folders.studies).make(name, design, source, _source(workspace, certain) if certain else None)


def _source(workspace: Workspace, name: str) -> Source:
    from blimpgen.exports.source import read_source

    sets = data_sets(workspace)
    if name not in sets:
        raise UsageError(f"no data set {name!r}; {nearest(name, sets)}")
    return read_source(sets[name])
