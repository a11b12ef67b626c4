"""`blimpgen compare`."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from blimpgen.cli.options import AsJson, Data, argument, library, option, write_json
from blimpgen.cli.terminal import console

if TYPE_CHECKING:
    from blimpgen.analysis.deltas import PairedTest, Statistic
    from blimpgen.training.comparing import Compared, TargetDelta

__all__ = ["compare"]

_SHARES = ("accuracy", "targeted accuracy", "accuracy delta", "targeted accuracy delta")


def compare(
    results: Annotated[
        list[Path], argument("RESULTS", "Results of trained models, or the study's table (.csv, .csv.gz).")
    ],
    baseline: Annotated[str, option("--baseline", "The corpus that nothing was removed from.")] = "full",
    output: Annotated[
        Path | None, option("-o --output", "Write a report with the heat map of all deltas.", "FILE")
    ] = None,
    overwrite: Annotated[bool, option("--overwrite", "Replace FILE if it exists.")] = False,
    as_json: AsJson = False,
    data: Data = None,
) -> None:
    """Compare models trained on filtered corpora with those trained on all of it.

    Example: blimpgen compare results/* --baseline full
    """
    from blimpgen.base.extras import require
    from blimpgen.corpora.filters import find_filters
    from blimpgen.training.comparing import Compared, read_scored_runs

    require("scipy", "studies")
    filters = find_filters(library(data).folders, library(data).lexicon, ["all"]).filters
    targets = {name: each.model.targets for each in filters.values() for name in (each.name, *each.model.names)}
    compared = Compared(read_scored_runs(results, targets), baseline)
    if output:
        _report(compared, output, overwrite=overwrite)
    if as_json:
        write_json(_as_json(compared))
    else:
        _show(compared)


def _report(compared: Compared, path: Path, *, overwrite: bool) -> None:
    from blimpgen.report import write_sections
    from blimpgen.report.sections.deltas import deltas

    study = compared.study
    write_sections(
        lambda: [*deltas(study)],
        path,
        title=f"Filtered corpora: {', '.join(study.architectures)}",
        lead=f"What models lose that were trained without a construction, against those trained on {study.baseline}.",
        overwrite=overwrite,
    )


def _as_json(compared: Compared) -> dict[str, Any]:
    return {
        "baseline": compared.study.baseline,
        "corpora": compared.study.corpora,
        "statistics": [
            {
                "name": each.name,
                "means": {name: _number(value) for name, value in each.values.items()},
                "corpora": {name: {c: _number(v) for c, v in of.items()} for name, of in each.corpora.items()},
                "test": {"t": each.test.t, "df": each.test.df, "p": each.test.p} if each.test else None,
            }
            for each in compared.statistics()
        ],
        "perplexity and tokens": {
            name: {"runs": _number(by_run), "corpora": _number(by_corpus)}
            for name, (by_run, by_corpus) in _token_correlations(compared).items()
        },
        "mean preference": {name: _preference(compared, name) for name in compared.study.architectures},
        "regression": [{**each._asdict(), "z": each.z} for each in compared.study.regression()],
        "between architectures": {k: _number(v) for k, v in compared.architecture_correlations().items()},
        "targets": [
            {key: _number(value) if isinstance(value, float) else value for key, value in each._asdict().items()}
            for each in compared.targets()
        ],
    }


def _token_correlations(compared: Compared) -> dict[str, tuple[float, float]]:
    """Pearson's r of training tokens and perplexity, over runs and over means of corpora."""
    of, names = compared.study.token_correlation, compared.study.architectures
    return {name: (of(name, by_run=True), of(name, by_run=False)) for name in names}


def _preference(compared: Compared, architecture: str) -> float | None:
    """The mean difference in log-probability over all paradigms, of models of the baseline."""
    values = compared.preferences(architecture).values()
    return sum(values) / len(values) if values else None


def _number(value: float) -> float | None:
    return None if math.isnan(value) else value


def _show(compared: Compared) -> None:
    """Print the figures over corpora, the perplexities, and what was lost on each targeted paradigm."""
    screen, study = console(), compared.study
    overall = _table("mean over corpora", *study.architectures, "paired t-test")
    statistics = compared.statistics()
    for each in statistics:
        overall.add_row(_unit(each), *(_mean(each, name) for name in study.architectures), _test(each.test))
    screen.print(overall)
    screen.print()
    perplexities = _table("test perplexity", *study.architectures)
    for corpus in study.corpora:
        values = [statistics[0].corpora[name].get(corpus, math.nan) for name in study.architectures]
        perplexities.add_row(corpus, *(_shown(value, 3) for value in values))
    screen.print(perplexities)
    _show_correlations(compared)
    _show_regression(compared)
    rows = list(compared.targets())
    for name in study.architectures if rows else ():
        screen.print(f"\n{name}: the paradigms that each corpus is about")
        lost = _table("corpus", "paradigm", f"{study.baseline} %", "delta", "r", "effect")
        for row in rows:
            if row.architecture == name:
                lost.add_row(row.corpus, row.uid, *_figures(row))
        screen.print(lost)


def _show_correlations(compared: Compared) -> None:
    screen = console()
    for name, (by_run, by_corpus) in _token_correlations(compared).items():
        if not math.isnan(by_run):
            figures = f"{by_run:.4f} over runs, {_shown(by_corpus, 3)} over corpora"
            screen.print(f"\n{name}: r of training tokens and perplexity {figures}", soft_wrap=True)
        if (preference := _preference(compared, name)) is not None:
            screen.print(f"{name}: good over bad sentence, models of {compared.study.baseline}: {preference:.3f} nats")
    for what, r in compared.architecture_correlations().items():
        screen.print(f"r between architectures, {what}: {_shown(r, 3)}")


def _show_regression(compared: Compared) -> None:
    """Print what decides the delta of a run and paradigm, from -1 to 1."""
    coefficients = compared.study.regression()
    if not coefficients:
        return
    table = _table("regression of deltas", "estimate", "z")
    for each in coefficients:
        table.add_row(each.name, f"{each.estimate:.4g}", f"{each.z:.2f}")
    screen = console()
    screen.print()
    screen.print(table)


def _table(*titles: str) -> Any:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0))
    for title in titles:
        table.add_column(title, no_wrap=True)
    return table


def _unit(statistic: Statistic) -> str:
    return f"{statistic.name}, points" if statistic.name in _SHARES else statistic.name


def _mean(statistic: Statistic, architecture: str) -> str:
    is_share = statistic.name in _SHARES
    return _shown(statistic.values[architecture] * (100 if is_share else 1), 3)


def _test(test: PairedTest | None) -> str:
    return f"t({test.df}) = {test.t:.3f}, p = {test.p:.4g}" if test else ""


def _figures(row: TargetDelta) -> list[str]:
    shares = [_shown(100 * row.baseline, 1), _shown(100 * row.delta, 2, "+")]
    return [*shares, _shown(row.correlation, 3), _shown(row.effect, 3, "+")]


def _shown(value: float, digits: int, sign: str = "") -> str:
    return "-" if math.isnan(value) else f"{value:{sign}.{digits}f}"
