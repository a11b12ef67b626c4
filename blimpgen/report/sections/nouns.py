"""The study of nouns: what models make of each noun, and what a new word is taught."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from blimpgen.analysis.noun_scores import NounScores
from blimpgen.analysis.teaching import Lessons
from blimpgen.report.material import Missing, Section, Table, plot
from blimpgen.report.plots.heat import heat_map

__all__ = ["noun_scores", "teaching"]


def teaching(lessons: Lessons) -> Iterator[Section]:
    """What each type of training does to each task: a section for each new word."""
    for noun, number in lessons.numbers.items():
        of_noun = [lesson for lesson in lessons if lesson.noun == noun]
        kinds = lessons.types(noun)
        shape = len(kinds), len(lessons.tasks)
        after, before, spread = (
            np.array([getattr(lesson, name) for lesson in of_noun]).reshape(shape)
            for name in ("after", "before", "spread")
        )
        table = [
            ["before training", *(f"{value:+.2f} ({s:.2f})" for value, s in zip(before[0], spread[0], strict=True))],
            *([kind, *(f"{value:+.2f}" for value in values)] for kind, values in zip(kinds, after, strict=True)),
        ]
        label = "singular" if number == "SG" else "plural"
        yield Section(
            f"noun-{noun}",
            f"The {label} {noun}",
            [
                "How much the word that agrees with the new noun is preferred to the other one, in nats: a mean over "
                "contexts, then over the numbers of the distractor. Before training it is a mean over draws of the "
                "vectors of the new word, with the standard deviation over these in parentheses.",
                "The plot shows after minus before: orange is what training has brought nearer to agreement.",
            ],
            [
                plot(
                    heat_map(after - before, kinds, lessons.tasks, label="change (nats)"),
                    f"Change of the score of each task by type of training of {noun}.",
                )
            ],
            [Table(f"Scores of {noun} after training (nats)", ["training", *lessons.tasks], table, opened=True)],
        )


def noun_scores(scores: NounScores, counts: Mapping[str, float]) -> Iterator[Section | Missing]:
    """Scores, correlations, components and frequency, model by model; then between models.

    Args:
        scores: of all models.
        counts: form to how often it occurs.
    """
    for k, model in enumerate(scores.models):
        yield _means(scores, model, k)
        if scores.can_be_analysed(model):
            yield _shared(scores, model, k)
            yield _frequency(scores, model, counts, k)
        else:
            yield Missing(f"Correlations of {model}", "it takes three nouns that have all tasks, and two tasks")
    if len(scores.models) > 1:
        yield _between(scores)


def _means(scores: NounScores, model: str, k: int) -> Section:
    rows = [
        [each.task, f"{each.nouns}", *(f"{v:+.3f}" for v in (each.mean, each.deviation, each.singular, each.plural))]
        for each in scores.means(model)
    ]
    header = ["task", "nouns", "mean", "standard deviation", "singular targets", "plural targets"]
    return Section(
        f"scores-{k}",
        f"Scores: {model}",
        ["How much the word that agrees with a noun is preferred to the other one, in nats, over all nouns of a task."],
        tables=[Table(f"Scores of {model} (nats)", header, rows, opened=True)],
    )


def _shared(scores: NounScores, model: str, k: int) -> Section:
    values = np.array([[each.r for each in row] for row in scores.correlations(model)])
    np.fill_diagonal(values, np.nan)
    means, parts = scores.group_means(model), scores.components(model)
    within = ", ".join(f"{value:+.3f} within {name}" for name, value in means.within.items())
    rows = [
        [f"{n}", f"{share:.4f}", f"{total:.4f}", *(f"{loading:+.3f}" for loading in loadings)]
        for n, (share, total, loadings) in enumerate(
            zip(parts.explained, np.cumsum(parts.explained), parts.loadings, strict=True), start=1
        )
    ]
    header = ["component", "share", "cumulative", *scores.tasks]
    return Section(
        f"tasks-{k}",
        f"What tasks share: {model}",
        [
            f"Pearson's r over the {len(scores.complete(model))} nouns that have all tasks: mean {means.mean:+.3f}, "
            f"{means.positive} of {means.pairs} positive; {within}, {means.across:+.3f} across.",
            "The components are those of the standardised columns, that is, of the correlations.",
        ],
        [plot(heat_map(values, scores.tasks, scores.tasks, label="r", limit=1.0), f"Correlations of tasks, {model}.")],
        [Table(f"Principal components of {model}", header, rows, opened=True)],
    )


def _frequency(scores: NounScores, model: str, counts: Mapping[str, float], k: int) -> Section | Missing:
    rows = [
        [fit.group, f"{fit.regression.correlation.n:,}", f"{fit.regression.slope:+.4f}", f"{fit.regression.r2:.4f}"]
        for fit in scores.frequency(model, counts)
    ]
    title = f"Frequency: {model}"
    if not rows:
        return Missing(title, "no noun with a frequency")
    return Section(
        f"frequency-{k}",
        title,
        ["z-scores of each task and number, on the base-10 logarithm of how often the form occurs."],
        tables=[
            Table(f"Regression on frequency, {model}", ["tasks", "points", "slope", "R squared"], rows, opened=True)
        ],
    )


def _between(scores: NounScores) -> Section:
    pairs = list(scores.between_models())
    rows = [
        [f"{each.first} / {each.second}", each.task, f"{each.correlation.r:+.3f}", f"{each.correlation.p:.3g}"]
        for each in pairs
    ]
    positive = [each.correlation for each in pairs if each.correlation.r > 0]
    clear = sum(each.significant() for each in positive)
    corrected = sum(each.significant(comparisons=len(pairs)) for each in positive)
    return Section(
        "models",
        "Between models",
        [
            f"Of {len(pairs)} correlations {clear} are significantly positive (p < .05), {corrected} after the "
            "correction of Bonferroni. They are over the nouns that both models have in all tasks."
        ],
        tables=[Table("Correlations between models", ["models", "task", "r", "p"], rows, opened=True)],
    )
