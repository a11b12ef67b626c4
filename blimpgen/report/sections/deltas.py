"""What models trained on filtered corpora lose, by corpus and paradigm."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from blimpgen.analysis.deltas import Study
from blimpgen.report.material import Section, Table, percent, plot
from blimpgen.report.plots.heat import heat_map

__all__ = ["deltas"]

_DARKEST = 25.0


def deltas(study: Study) -> Iterator[Section]:
    """The accuracy deltas of all corpora and paradigms, a section for each architecture."""
    for architecture in study.architectures:
        corpora = [
            c for c in study.corpora[1:] if any((r.architecture, r.corpus) == (architecture, c) for r in study.runs)
        ]
        values = np.array([[100 * study.delta(architecture, c, uid) for c in corpora] for uid in study.uids])
        marked = [
            (i, j)
            for i, uid in enumerate(study.uids)
            for j, corpus in enumerate(corpora)
            if uid in study.targets[corpus]
        ]
        table = [
            [uid, percent(study.accuracy(architecture, study.baseline, uid)), *(f"{value:+.2f}" for value in row)]
            for uid, row in zip(study.uids, values, strict=True)
        ]
        yield Section(
            f"deltas-{architecture}",
            f"Accuracy deltas: {architecture}",
            [
                f"Accuracy minus that of models trained on {study.baseline}, in percentage points, means over seeds. "
                "Frames mark the paradigms that test what a filter has removed."
            ],
            [
                plot(
                    heat_map(
                        values.reshape(len(study.uids), len(corpora)),
                        study.uids,
                        corpora,
                        label="delta (points)",
                        digits=1,
                        limit=_DARKEST,
                        marked=marked,
                    ),
                    f"Accuracy delta of each paradigm and corpus, {architecture}.",
                )
            ]
            if corpora
            else [],
            [Table(f"Deltas of {architecture} (points)", ["paradigm", f"{study.baseline} (%)", *corpora], table)],
        )
