"""`blimpgen compare`."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from blimpgen.cli.options import AsJson, Data, library, write_json
from blimpgen.cli.terminal import console

if TYPE_CHECKING:
    from blimpgen.analysis.deltas import PairedTest, Statistic
    from blimpgen.training.comparing import Compared, TargetDelta

__all__ = ["compare"]

_SHARES = ("accuracy", "targeted accuracy", "accuracy delta", "targeted accuracy delta")


def compare(
    results: Annotated[
        list[Path],
        typer.Argument(
            metavar="RESULTS",
            show_default=False,
            help="Results of trained models, or the study's table (.csv, .csv.gz).",
        ),
    ],
    baseline: Annotated[str, typer.Option("--baseline", help="The corpus that nothing was removed from.")] = "full",
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
    if as_json:
        write_json(_as_json(compared))
    else:
        _show(compared)


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
        "targets": [
            {key: _number(value) if isinstance(value, float) else value for key, value in each._asdict().items()}
            for each in compared.targets()
        ],
    }


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
    rows = list(compared.targets())
    for name in study.architectures if rows else ():
        screen.print(f"\n{name}: the paradigms that each corpus is about")
        lost = _table("corpus", "paradigm", f"{study.baseline} %", "delta", "r", "effect")
        for row in rows:
            if row.architecture == name:
                lost.add_row(row.corpus, row.uid, *_figures(row))
        screen.print(lost)


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
