"""Sample pairs, right and wrong, with the words in which they differ marked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from markupsafe import Markup, escape

from blimpgen.analysis.columns import Columns
from blimpgen.authoring.display import Marks, marked
from blimpgen.report.material import Material

__all__ = ["Paradigm", "Sample", "samples"]

# Characters that no sentence has, so that a mark can be told from text when the text is escaped.
_MARKS: Marks = ("\ue000", "\ue001")


@dataclass(frozen=True)
class Sample:
    """A pair with its difference marked, and what a model makes of it."""

    good: Markup
    bad: Markup
    delta: float

    @property
    def verdict(self) -> str:
        """right, wrong or tie."""
        return "tie" if self.delta == 0 else "right" if self.delta > 0 else "wrong"


@dataclass(frozen=True)
class Paradigm:
    """The sample pairs of a paradigm: of each model those that it has wrong, and those that it has right."""

    uid: str
    term: str
    models: Sequence[tuple[str, Sequence[Sample]]]


def samples(material: Material, each: int) -> list[Paradigm]:
    """Sample pairs of every paradigm, by phenomenon and uid, with a seed.

    Args:
        material: the results.
        each: how many wrong and how many right pairs of each paradigm and model, at most.
    """
    rng = np.random.default_rng(material.seed)
    terms = {
        uid: term
        for rows in material.models.values()
        for uid, term in zip(rows.uid.tolist(), rows.term.tolist(), strict=True)
    }
    return [
        Paradigm(
            uid,
            terms[uid],
            [
                (label, _drawn(rows.where(rows.uid == uid), each, rng))
                for label, rows in material.models.items()
                if uid in rows.uid
            ],
        )
        for uid in sorted(terms, key=lambda uid: (terms[uid], uid))
    ]


def _drawn(rows: Columns, each: int, rng: np.random.Generator) -> list[Sample]:
    wrong, right = np.flatnonzero(rows.delta <= 0), np.flatnonzero(rows.delta > 0)
    numbers = [number for part in (wrong, right) for number in np.sort(rng.permutation(part)[:each]).tolist()]
    return [_sample(rows.good[k], rows.bad[k], float(rows.delta[k])) for k in numbers]


def _sample(good: str, bad: str, delta: float) -> Sample:
    shown_good, shown_bad = (_highlighted(text) for text in marked(good, bad, _MARKS))
    return Sample(shown_good, shown_bad, delta)


def _highlighted(text: str) -> Markup:
    opened, closed = _MARKS
    return Markup(str(escape(text)).replace(opened, "<mark>").replace(closed, "</mark>"))
