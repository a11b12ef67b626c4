"""Accuracy by phenomenon and by paradigm, beside the published figures; correlation with people."""

from __future__ import annotations

import math
from collections.abc import Mapping

from blimpgen.analysis.averages import OVERALL, Group, by_field, by_paradigm, by_term, overall
from blimpgen.analysis.columns import Columns
from blimpgen.analysis.correlation import correlate, correlations
from blimpgen.analysis.reference import HUMAN, SYSTEMS, accuracies
from blimpgen.analysis.surprises import expected, surprises
from blimpgen.report.material import HUMANS, REFERENCE, Material, Missing, Section, Table, percent, plot, with_interval
from blimpgen.report.plots.accuracy import by_phenomenon, heat_map
from blimpgen.report.plots.people import correlation_matrix, scatter
from blimpgen.report.plots.style import words

__all__ = ["by_term_section", "paradigms", "people"]

_LEAST = 5
_OPENED = 20


def by_term_section(material: Material) -> Section:
    """Accuracy by phenomenon with intervals, and the published figures of people and of GPT-2."""
    groups = {label: _terms(rows, material) for label, rows in material.models.items()}
    published = {system: _expected(system, material) for system in (HUMAN, REFERENCE)}
    figure = by_phenomenon(groups, published[HUMAN], (SYSTEMS[REFERENCE], published[REFERENCE]))
    names = [*sorted({name for of_model in groups.values() for name in of_model} - {OVERALL}), OVERALL]
    rows = [
        [
            words(name),
            *(_cell(of_model.get(name)) for of_model in groups.values()),
            percent(published[HUMAN].get(name)),
            percent(published[REFERENCE].get(name)),
        ]
        for name in names
    ]
    header = ["phenomenon", *groups, HUMANS, f"{SYSTEMS[REFERENCE]} (released pairs)"]
    return Section(
        "phenomena",
        "Accuracy by phenomenon",
        [
            "A point is the unweighted mean over the paradigms of a phenomenon, with its 95 % interval from a "
            "bootstrap of "
            "the pairs of each paradigm (Wilson's interval where there is one paradigm). The dashed line is chance.",
            "The figures of humans and of GPT-2 are those of the released BLiMP pairs, averaged over the same "
            "paradigms. "
            "They say what to expect of such paradigms, not what is right for these sentences.",
        ],
        [plot(figure, f"Accuracy by phenomenon of {', '.join(groups)}, with intervals, humans and GPT-2 beside.")],
        [
            Table("Accuracy in per cent, with 95 % intervals", header, rows, opened=True),
            _fields(material),
            *_measures(material),
        ],
    )


def _terms(rows: Columns, material: Material) -> dict[str, Group]:
    groups = by_term(rows, resamples=material.resamples, seed=material.seed)
    return {**groups, OVERALL: overall(rows, resamples=material.resamples, seed=material.seed)}


def _expected(system: str, material: Material) -> dict[str, float]:
    """Published figures of each phenomenon and of all together, over the paradigms of any model of the report."""
    accuracies: dict[str, float] = {}
    for rows in material.models.values():
        terms, together = expected(system, rows, rows.term), expected(system, rows, rows.constant(OVERALL))
        accuracies = {**terms, **together, **accuracies}
    return accuracies


def _cell(group: Group | None) -> str:
    return "–" if group is None else with_interval(group.accuracy, group.interval)


def _fields(material: Material) -> Table:
    groups = {
        label: by_field(rows, resamples=material.resamples, seed=material.seed)
        for label, rows in material.models.items()
    }
    names = sorted({name for of_model in groups.values() for name in of_model})
    rows = [[words(name), *(_cell(of_model.get(name)) for of_model in groups.values())] for name in names]
    return Table("The same by field", ["field", *groups], rows)


def _measures(material: Material) -> list[Table]:
    """Overall accuracy by scores that are normalised for length or frequency, where summaries have them."""
    measures_of = {result.label: result.measures.get(material.method, {}) for result in material.shown}
    names = list(dict.fromkeys(name for measures in measures_of.values() for name in measures))
    rows = [[name, *(percent(measures.get(name)) for measures in measures_of.values())] for name in names]
    return [Table("Overall accuracy by normalised scores, in per cent", ["score", *measures_of], rows)] if rows else []


def paradigms(material: Material) -> Section:
    """A heat map of models and paradigms, and the paradigms that deserve a look."""
    groups = {label: by_paradigm(rows) for label, rows in material.models.items()}
    terms = {
        uid: term
        for rows in material.models.values()
        for uid, term in zip(rows.uid.tolist(), rows.term.tolist(), strict=True)
    }
    published = {f"{SYSTEMS[system]} (released)": accuracies(system) for system in (REFERENCE, HUMAN)}
    systems: dict[str, Mapping[str, float]] = {label: rows.accuracies() for label, rows in material.models.items()}
    if any(uid in accuracies(HUMAN) for uid in terms):
        systems |= published
    uids = sorted(terms, key=lambda uid: (terms[uid], uid))
    rows = [
        [
            uid,
            words(terms[uid]),
            *(_cell(of_model.get(uid)) for of_model in groups.values()),
            *(percent(accuracies(system).get(uid)) for system in (HUMAN, REFERENCE)),
        ]
        for uid in uids
    ]
    header = ["paradigm", "phenomenon", *groups, HUMANS, f"{SYSTEMS[REFERENCE]} (released pairs)"]
    return Section(
        "paradigms",
        "Accuracy by paradigm",
        [
            "Blue is above chance, red below. A paradigm below chance may have its labels flipped; one far below the "
            "published model deserves a look at its sentences."
        ],
        [plot(heat_map(systems, terms), f"Heat map of {len(terms)} paradigms and {len(systems)} systems.")],
        [
            _look(material),
            Table("Accuracy in per cent, with Wilson's 95 % intervals", header, rows),
            *_compared(material),
        ],
    )


def _look(material: Material) -> Table:
    rows = [
        [item.uid, label, _cell(item.group), "; ".join(item.reasons)]
        for label, columns in material.models.items()
        for item in surprises(columns, system=REFERENCE)
    ]
    caption = "Paradigms that deserve a look" if rows else "No paradigm is below chance or far below the reference"
    return Table(caption, ["paradigm", "model", "accuracy (%)", "why"], rows, opened=len(rows) <= _OPENED)


def _compared(material: Material) -> list[Table]:
    """Of sets with several sentences: the accuracy of each comparison."""
    rows = []
    for label, columns in material.models.items():
        named = columns.where(columns.comparison != "")
        for uid in sorted(set(named.uid.tolist())):
            of_uid = named.where(named.uid == uid)
            for name in dict.fromkeys(of_uid.comparison.tolist()):
                group = by_paradigm(of_uid.where(of_uid.comparison == name))[uid]
                rows.append([uid, name, label, str(group.n), _cell(group)])
    header = ["paradigm", "comparison", "model", "pairs", "accuracy (%)"]
    return [Table("Comparisons of the sets", header, rows, opened=True)] if rows else []


def people(material: Material) -> Section | Missing:
    """Correlation of models with people and with the published models, over paradigms."""
    title = "Models and humans"
    humans = accuracies(HUMAN)
    ours = {label: rows.accuracies() for label, rows in material.models.items()}
    shared = set(humans).intersection(*ours.values())
    if len(shared) < _LEAST:
        return Missing(title, f"{len(shared)} of the paradigms have published human figures; {_LEAST} are needed")
    captions = {
        label: _caption({uid: accuracy for uid, accuracy in of.items() if uid in humans}, humans)
        for label, of in ours.items()
    }
    systems = {
        **ours,
        **{
            f"{name} (published)" if system != HUMAN else "humans": accuracies(system)
            for system, name in SYSTEMS.items()
        },
    }
    matrices = [correlations(systems, ranks=ranks) for ranks in (False, True)]
    rows = [
        [a, b, *(_coefficient(matrix.of(a, b), 3) for matrix in matrices)]
        for k, a in enumerate(systems)
        for b in list(systems)[k + 1 :]
    ]
    return Section(
        "humans",
        title,
        [
            f"Each point is a paradigm. The agreement of humans was measured on five pairs of each released paradigm; "
            f"r is "
            f"Pearson's correlation with its 95 % interval (Fisher's z). The matrix is over the {matrices[0].n} "
            f"paradigms "
            f"that all systems have."
        ],
        [
            plot(
                scatter(ours, humans, captions), "Accuracy of each model against the agreement of humans, by paradigm."
            ),
            plot(
                correlation_matrix(matrices[0], "Pearson correlation over paradigms"),
                "Correlations of every two systems.",
            ),
        ],
        [Table("Correlations over paradigms", ["system", "and", "Pearson", "Spearman"], rows)],
    )


def _caption(ours: Mapping[str, float], humans: Mapping[str, float]) -> str:
    x, y = ([of[uid] for uid in ours] for of in (humans, ours))
    correlation = correlate(x, y)
    low, high = map(_coefficient, correlation.interval)
    rank = _coefficient(correlation.spearman)
    return f"r = {_coefficient(correlation.pearson)} [{low}, {high}], rank {rank}, {correlation.n} paradigms"


def _coefficient(value: float, digits: int = 2) -> str:
    """A correlation; a dash where a system has the same accuracy everywhere, so that there is none."""
    return "–" if math.isnan(value) else f"{value:.{digits}f}"
