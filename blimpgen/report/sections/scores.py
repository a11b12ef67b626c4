"""Differences of scores, shallow predictors, and prefix methods."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from blimpgen.analysis.columns import Columns
from blimpgen.analysis.paired import Paired, compare
from blimpgen.analysis.predictors import PREDICTORS, Predictor, binned, logistic
from blimpgen.report.frequency import with_frequencies
from blimpgen.report.material import Material, Missing, Section, Table, percent, plot, points
from blimpgen.report.plots.differences import forest
from blimpgen.report.plots.scores import OUTLINES, Binned, against_predictors, differences
from blimpgen.report.plots.style import words

__all__ = ["methods", "predictors", "score_differences"]

_BINS = 12
_PREFIX = ("one-prefix", "two-prefix")


def score_differences(material: Material) -> Section:
    """Histograms of the differences of scores, by phenomenon."""
    groups = {
        label: {term: rows.delta[rows.term == term] for term in sorted(set(rows.term.tolist()))}
        for label, rows in material.models.items()
    }
    table = [
        [
            words(term),
            label,
            str(len(values)),
            f"{values.mean():+.2f}",
            f"{np.median(values):+.2f}",
            f"{values.std():.2f}",
            percent(float(np.mean(values == 0))),
        ]
        for label, of_model in groups.items()
        for term, values in of_model.items()
    ]
    header = ["phenomenon", "model", "pairs", "mean", "median", "standard deviation", "ties (%)"]
    drawn = (
        "The outermost bins hold what lies further out."
        if len(groups) <= OUTLINES
        else ("A marker is the median, a bar half of the pairs, a line nine tenths of them.")
    )
    return Section(
        "differences",
        "Differences of scores",
        [
            f"How much the score of the good sentence exceeds that of the bad one, in {material.unit}. Right of zero "
            f"the "
            "model is right; mass close to zero means that small changes decide. " + drawn
        ],
        [plot(differences(groups, material.unit), "Histograms of the differences of scores, one panel a phenomenon.")],
        [Table("Differences of scores", header, table)],
    )


def predictors(material: Material) -> Section | Missing:
    """Accuracy against length, probability, frequency and confidence."""
    models = {label: with_frequencies(rows) for label, rows in material.models.items()}
    panels: dict[str, tuple[Predictor, Binned]] = {}
    table = []
    for name, predictor in PREDICTORS.items():
        values = {label: predictor.values(rows) for label, rows in models.items()}
        varying = {label: of for label, of in values.items() if len(np.unique(of[np.isfinite(of)])) > 1}
        if varying:
            panels[name] = (
                predictor,
                {
                    label: binned(
                        of, models[label].credit, bins=_BINS, equal="count", logarithmic=predictor.logarithmic
                    )
                    for label, of in varying.items()
                },
            )
            table += [_slope(predictor, label, values[label], models[label]) for label in varying]
    if not panels:
        return Missing("Accuracy and shallow predictors", "no predictor has two different values")
    unknown = [predictor.title for name, predictor in PREDICTORS.items() if name not in panels]
    header = ["predictor", "model", "change of the log-odds per standard deviation", "z"]
    return Section(
        "predictors",
        "Accuracy and shallow predictors",
        [
            "Accuracy in bins of about equal counts, with Wilson's 95 % intervals. A paradigm measures grammar only "
            "as far "
            "as accuracy does not follow from length, probability or frequency. That it grows with confidence is "
            "expected.",
            "Frequencies are those that the result was made with, or else those of the lexicon for the words that it "
            "has.",
            *([f"Not known for these results: {'; '.join(unknown)}."] if unknown else []),
        ],
        [plot(against_predictors(panels), "Accuracy against each predictor, with intervals.")],
        [Table("Logistic regression of being right on each predictor alone", header, table)],
    )


def _slope(
    predictor: Predictor, label: str, values: np.ndarray[tuple[int], np.dtype[np.float64]], rows: Columns
) -> list[str]:
    fit = logistic(values, rows.credit, logarithmic=predictor.logarithmic)
    return [predictor.title, label, f"{fit.per_sd:+.3f}", f"{fit.slope / fit.error:+.1f}"]


def methods(material: Material) -> Section | Missing:
    """Prefix methods against the full sentence."""
    title = "Prefix methods and the full sentence"
    panels: dict[str, dict[str, Paired]] = {}
    for method in _PREFIX:
        scored = {
            result.label: result.methods for result in material.shown if {"full", method} <= result.methods.keys()
        }
        if scored:
            panels[method] = {
                label: compare(of["full"], of[method], resamples=material.resamples, seed=material.seed)
                for label, of in scored.items()
            }
    if not panels:
        return Missing(title, "no result has both; run `blimpgen verify --method all`")
    shown = {
        f"full sentence minus {method}": {
            label: {term: (group.difference, group.interval) for term, group in compared.terms.items()}
            for label, compared in models.items()
        }
        for method, models in panels.items()
    }
    return Section(
        "methods",
        title,
        [
            "Accuracy by the full sentence minus accuracy by the critical word alone, on the paradigms that support "
            "both, "
            "with 95 % intervals from a paired bootstrap. Right of zero the full sentence gives the higher accuracy."
        ],
        [
            plot(
                forest(shown, "difference (percentage points)", lambda _, label: (label,)),
                "Differences of methods by phenomenon.",
            )
        ],
        [_method_table(panels)],
    )


def _method_table(panels: Mapping[str, Mapping[str, Paired]]) -> Table:
    rows = []
    for method, models in panels.items():
        for label, compared in models.items():
            rows += [
                [
                    method,
                    label,
                    words(term),
                    str(group.paradigms),
                    percent(group.first),
                    percent(group.second),
                    points(group.difference, group.interval),
                ]
                for term, group in compared.terms.items()
            ]
            sd = "" if math.isnan(compared.sd) else f" (sd {100 * compared.sd:.1f})"
            rows.append([method, label, "mean over phenomena", "", "", "", points(compared.mean) + sd])
    header = [
        "method",
        "model",
        "phenomenon",
        "paradigms",
        "full sentence (%)",
        "critical word (%)",
        "difference (points)",
    ]
    return Table("Methods", header, rows)
