"""Contrasts of paradigms, models compared pair by pair, and learning curves."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from itertools import combinations
from typing import TYPE_CHECKING

from blimpgen.analysis.averages import OVERALL
from blimpgen.analysis.contrasts import CONTRASTS, Contrasted, contrast, contrast_rows, possible
from blimpgen.analysis.growth import LearningCurve, learning_curve, log_fit
from blimpgen.analysis.paired import Difference, Paired, compare
from blimpgen.analysis.reference import HUMAN, SYSTEMS, accuracies
from blimpgen.analysis.surprises import expected
from blimpgen.base.errors import DataError
from blimpgen.report.material import (
    HUMANS,
    REFERENCE,
    Material,
    Missing,
    Section,
    Table,
    percent,
    plot,
    points,
    with_interval,
)
from blimpgen.report.plots.differences import contrasts as contrasts_plot
from blimpgen.report.plots.differences import forest
from blimpgen.report.plots.growth import learning_curves
from blimpgen.report.plots.style import words

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["contrasts", "curves", "paired"]

_PANELS = ("locality", "attractors", "regular-determiner-noun", "regular-subject-verb")
_MOST_PAIRS = 3


def contrasts(material: Material) -> Section | Missing:
    """Locality, attractors, regular and irregular forms."""
    title = "Locality, attractors, regular and irregular forms"
    names = [
        name for name in CONTRASTS if any(name in possible(set(rows.uid.tolist())) for rows in material.models.values())
    ]
    if not names:
        return Missing(title, "no contrast has all its paradigms; they are paradigms of agreement of the suite blimp")
    published = {HUMANS: accuracies(HUMAN), f"{SYSTEMS[REFERENCE]} (released pairs)": accuracies(REFERENCE)}
    contrasted: dict[str, dict[str, Contrasted]] = {name: _systems(name, material, published) for name in names}
    panels = [contrasted[name] for name in _PANELS if name in contrasted]
    rows = [
        [
            CONTRASTS[name].title,
            label,
            "; ".join(f"{group} {percent(mean)}" for group, mean in of.means.items()),
            points(of.difference, of.interval),
        ]
        for name in names
        for label, of in contrasted[name].items()
    ]
    header = ["contrast", "system", "macro averages (%)", "first minus the others (points)"]
    figure = contrasts_plot(panels, HUMANS, f"{SYSTEMS[REFERENCE]} (released pairs)") if panels else None
    return Section(
        "contrasts",
        title,
        [
            "Macro averages of groups of paradigms that differ in one thing. Differences of the models have 95 % "
            "intervals "
            "from a bootstrap of the pairs of each paradigm; published figures are those of the released pairs."
        ],
        [plot(figure, "Accuracy in each group of each contrast, one line a system.")] if figure else [],
        [Table("Contrasts", header, rows)],
    )


def _systems(name: str, material: Material, published: Mapping[str, Mapping[str, float]]) -> dict[str, Contrasted]:
    ours = {
        label: contrast_rows(name, rows, resamples=material.resamples, seed=material.seed)
        for label, rows in material.models.items()
        if name in possible(set(rows.uid.tolist()))
    }
    return {**ours, **{label: contrast(name, figures) for label, figures in published.items()}}


def paired(material: Material) -> Section | Missing:
    """Every two models on the pairs that both have scored."""
    title = "Models compared pair by pair"
    if len(material.models) < 2:
        return Missing(title, "there is one model")
    compared: dict[tuple[str, str], Paired] = {}
    for a, b in combinations(material.models, 2):
        try:
            compared[a, b] = compare(
                material.models[a], material.models[b], resamples=material.resamples, seed=material.seed
            )
        except DataError:
            continue
    if not compared:
        return Missing(title, "no two models have scored the same pairs")
    rows = [_paired_row(a, b, group) for (a, b), of in compared.items() for group in (of.overall, *of.terms.values())]
    header = [
        "first",
        "second",
        "phenomenon",
        "pairs",
        "first (%)",
        "second (%)",
        "difference (points)",
        "only first right",
        "only second right",
        "McNemar's p",
    ]
    return Section(
        "paired",
        title,
        [
            "Differences on the pairs that both models have scored, with 95 % intervals from a paired bootstrap. "
            "McNemar's "
            "exact test looks at the pairs that only one of the two has right; it takes pairs as independent, and each "
            "phenomenon is a test of its own."
        ],
        [plot(_compared(compared), "Differences of two models by phenomenon.")],
        [Table("Models compared", header, rows)],
    )


def _compared(compared: Mapping[tuple[str, str], Paired]) -> Figure:
    shown = {
        f"{a} minus {b}": {
            "": {name: (group.difference, group.interval) for name, group in {**of.terms, OVERALL: of.overall}.items()}
        }
        for (a, b), of in [*compared.items()][:_MOST_PAIRS]
    }
    behind = {f"{a} minus {b}": (a, b) for a, b in compared}
    return forest(shown, "difference (percentage points)", lambda title, _: behind[title])


def _paired_row(first: str, second: str, group: Difference) -> list[str]:
    p = "< 0.0001" if group.test.p < 0.0001 else f"{group.test.p:.4f}"
    return [
        first,
        second,
        words(group.name),
        str(group.n),
        percent(group.first),
        percent(group.second),
        points(group.difference, group.interval),
        str(group.test.first),
        str(group.test.second),
        p,
    ]


def curves(material: Material) -> Section | Missing:
    """Learning curves over checkpoints."""
    title = "Learning curve"
    if not material.curves:
        return Missing(title, "no two results are checkpoints of one model, named or with a revision such as step3000")
    by_unit: dict[str, dict[str, LearningCurve]] = defaultdict(dict)
    for model in material.curves:
        by_unit[model.unit][model.name] = learning_curve(
            {step: result.methods[material.method] for step, result in model.results.items()},
            resamples=material.resamples,
            seed=material.seed,
        )
    humans: dict[str, float] = {}
    for rows in material.models.values():
        humans |= {**expected(HUMAN, rows, rows.term), **expected(HUMAN, rows, rows.constant(OVERALL))}
    labels = {model.name: {step: of.label for step, of in model.results.items()} for model in material.curves}
    plots = [
        plot(learning_curves(of_unit, unit, humans, labels), f"Accuracy over {unit}s, one panel a phenomenon.")
        for unit, of_unit in by_unit.items()
    ]
    tables = [_curve_table(name, unit, curve) for unit, of_unit in by_unit.items() for name, curve in of_unit.items()]
    return Section(
        "curve",
        title,
        [
            "Accuracy at each checkpoint, with 95 % intervals. In all other sections the last checkpoint stands for "
            "the "
            "model. The gain per doubling is the slope of a line fitted to accuracy on the binary logarithm of the "
            "step."
        ],
        plots,
        tables,
    )


def _curve_table(name: str, unit: str, curve: LearningCurve) -> Table:
    groups = {OVERALL: curve.overall, **curve.terms}
    rows = []
    positive = [k for k, step in enumerate(curve.steps) if step > 0]
    for term, of in groups.items():
        gain = (
            "–"
            if len(positive) < 2
            else points(log_fit([curve.steps[k] for k in positive], [of[k].accuracy for k in positive]).slope)
        )
        rows.append([words(term), *(with_interval(group.accuracy, group.interval) for group in of), gain])
    header = ["phenomenon", *(f"{unit} {step:,g}" for step in curve.steps), "gain per doubling (points)"]
    return Table(f"{name}: accuracy in per cent", header, rows)
