"""`blimpgen verify`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from blimpgen.cli.options import message

if TYPE_CHECKING:
    from blimpgen.analysis.columns import Columns
    from blimpgen.scoring.items import MethodSummary
    from blimpgen.scoring.run import Result

__all__ = ["verify"]

_PUBLISHED = {"gpt2": "GPT-2", "human": "human"}
_SOURCE = "GPT-2 and human: published for the released pairs of the same paradigms (Warstadt et al. 2020)"
_SHOWN = 20
_WIDTH = 110


class Methods(StrEnum):
    """What is scored."""

    all = "all"
    full = "full"
    one_prefix = "one-prefix"
    two_prefix = "two-prefix"


class Start(StrEnum):
    """Whether a start token stands before the sentence."""

    auto = "auto"
    yes = "yes"
    no = "no"


class YesNo(StrEnum):
    """Yes or no."""

    yes = "yes"
    no = "no"


class TiePolicy(StrEnum):
    """What equal scores count."""

    half = "half"
    correct = "correct"
    wrong = "wrong"


class Precision(StrEnum):
    """Precision of the forward pass."""

    float32 = "float32"
    bfloat16 = "bfloat16"
    float16 = "float16"


class Score(StrEnum):
    """Scores of masked models."""

    pll_word_l2r = "pll_word_l2r"
    pll_original = "pll_original"
    masked_word = "masked_word"


def verify(
    path: Annotated[
        Path, typer.Argument(metavar="DIR", help="A data set, ours or the BLiMP release, or one of its files.")
    ],
    model: Annotated[
        str,
        typer.Option(
            "--model",
            metavar="M",
            help="Path or hub name of a model; a text file or a "
            "model of KenLM; length or unigram; package.module:function.",
        ),
    ],
    family: Annotated[
        str,
        typer.Option(
            "--family",
            help="causal, masked, ngram, lstm, baseline, callable, or an installed family; auto looks at the model.",
        ),
    ] = "auto",
    method: Annotated[Methods, typer.Option("--method", help="What is scored.")] = Methods.all,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="RESULTS",
            show_default=False,
            help="Write items.jsonl, summary.json, signature.txt there.",
        ),
    ] = None,
    revision: Annotated[
        str | None, typer.Option("--revision", show_default=False, help="Branch, tag or commit on the hub.")
    ] = None,
    score: Annotated[Score, typer.Option("--score", help="Score of a masked model.")] = Score.pll_word_l2r,
    bos: Annotated[Start, typer.Option("--bos", help="Start token before the sentence.")] = Start.auto,
    eos: Annotated[YesNo, typer.Option("--eos", help="Score an end token.")] = YesNo.no,
    leading_space: Annotated[bool, typer.Option("--leading-space", help="Put a space before the sentence.")] = False,
    word_correction: Annotated[
        bool,
        typer.Option(
            "--word-correction/--no-word-correction", help="Correct critical words for tokens that begin with a space."
        ),
    ] = True,
    ties: Annotated[TiePolicy, typer.Option("--ties", help="What equal scores count.")] = TiePolicy.half,
    unigrams: Annotated[
        Path | None,
        typer.Option(
            "--unigrams",
            metavar="FILE",
            show_default=False,
            help="Counts of words (word, tab, count), for SLOR and unigram.",
        ),
    ] = None,
    order: Annotated[int, typer.Option("--order", min=1, help="Words an n-gram has, of a model that is trained.")] = 3,
    device: Annotated[str, typer.Option("--device", help="Device of torch.")] = "auto",
    dtype: Annotated[Precision, typer.Option("--dtype", help="Precision of the model.")] = Precision.float32,
    batch_tokens: Annotated[
        int | None,
        typer.Option(
            "--batch-tokens", min=1, metavar="N", show_default=False, help="Tokens that go into the model at once."
        ),
    ] = None,
    share_prefixes: Annotated[
        bool,
        typer.Option(
            "--share-prefixes/--no-share-prefixes",
            help="Compute common prefixes once; it changes nothing but the speed.",
        ),
    ] = True,
    limit: Annotated[
        int | None,
        typer.Option(
            "--limit", min=1, metavar="N", show_default=False, help="Only the first N records of each paradigm."
        ),
    ] = None,
    trust_remote_code: Annotated[
        bool, typer.Option("--trust-remote-code", help="Run Python code that comes with the model.")
    ] = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace another result in RESULTS.")] = False,
) -> None:
    """Score a data set with a language model: which sentence of each pair it prefers.

    Example: blimpgen verify out --model gpt2 -o results/gpt2
    """
    from blimpgen.dataset import data_files
    from blimpgen.scoring.baseline import counted
    from blimpgen.scoring.families import Options, scorer_for
    from blimpgen.scoring.items import METHODS
    from blimpgen.scoring.judge import Policy
    from blimpgen.scoring.reading import data_hash, read_comparisons
    from blimpgen.scoring.run import verify as run
    from blimpgen.scoring.scores import identity_of

    files = data_files(path)
    comparisons = read_comparisons(path, limit=limit)
    frequencies = counted(unigrams) if unigrams else None
    methods = tuple(m for m in METHODS if method in (Methods.all, m))
    policy = Policy(methods, ties.value, word_correction, frequencies)
    options = Options(
        model,
        revision,
        device,
        dtype.value,
        bos.value,
        eos is YesNo.yes,
        leading_space,
        batch_tokens,
        share_prefixes,
        score.value,
        order,
        frequencies,
        trust_remote_code,
    )
    scorer = scorer_for(family, options)
    try:
        with _progress(len(comparisons)) as done:
            result = run(
                comparisons,
                scorer,
                data=data_hash(files),
                policy=policy,
                output=output,
                limit=limit,
                overwrite=overwrite,
                done=done,
            )
    except KeyboardInterrupt:
        raise KeyboardInterrupt(f"interrupted; the same call goes on with {output}" if output else "") from None
    _show(result, identity_of(scorer).family == "baseline")
    _tell(result, scorer, output)


@contextmanager
def _progress(total: int) -> Iterator[Callable[[int], None] | None]:
    """A bar on standard error, only if that is a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("pairs", total=total)

        def done(pairs: int) -> None:
            bar.update(task, advance=pairs)

        yield done


def _tell(result: Result, scorer: Any, output: Path | None) -> None:
    """What is no result, on standard error."""
    if result.skipped:
        message(f"{result.skipped:,} pairs have no such score and are left out")
    if getattr(getattr(scorer, "forward", None), "way", None) == "plain":
        message("this architecture takes no batches as we make them, so its sentences were scored one by one")
    if output:
        taken = f", {result.resumed:,} of them from before" if result.resumed else ""
        message(f"{output}: {len(result.items):,} rows{taken}")


def _show(result: Result, baseline: bool) -> None:
    """The tables, one a method, and the paradigms that deserve a look."""
    from rich.console import Console

    from blimpgen.analysis.columns import columns

    console = Console(file=sys.stdout, width=None if sys.stdout.isatty() else _WIDTH, highlight=False)
    summaries = {m: s for m, s in result.summary["methods"].items() if s["overall"]["n"]}
    rows = columns(result.items) if "full" in summaries else None
    for method, summary in summaries.items():
        if rows is not None and method == "full":
            console.print(_against_published(summary, rows))
        else:
            console.print(_against_full(method, summary, rows))
        console.print()
    if rows is not None:
        console.print(_SOURCE)
        if not baseline:
            _look(console, rows)


def _against_published(summary: MethodSummary, rows: Columns) -> Any:
    """Accuracies of whole sentences beside the published ones of the same paradigms."""
    import numpy as np

    from blimpgen.analysis.averages import OVERALL
    from blimpgen.analysis.beside import expected

    names = [rows.term, np.full(len(rows), OVERALL, dtype=object)]
    published = [{k: v for name in names for k, v in expected(system, rows, name).items()} for system in _PUBLISHED]
    return _table("full", summary, dict(zip(_PUBLISHED.values(), published, strict=True)))


def _against_full(method: str, summary: MethodSummary, rows: Columns | None) -> Any:
    """Accuracies of critical words beside those of whole sentences of the same paradigms."""
    from blimpgen.analysis.averages import macro

    same = rows.of(summary["paradigms"]) if rows else None
    terms = dict(zip(same.uid.tolist(), same.term.tolist(), strict=True)) if same else {}
    accuracies = same.accuracies() if same else {}
    return _table(method, summary, {"full": {**macro(accuracies, terms), **macro(accuracies)}} if accuracies else {})


def _table(method: str, summary: MethodSummary, beside: dict[str, dict[str, float]]) -> Any:
    from rich.table import Table

    table = Table(title=f"{method}: accuracy in percent", title_justify="left", box=None, pad_edge=False)
    for name in ("phenomenon", "paradigms", "pairs", "ties", "accuracy", "95 %", "mean_lp", *beside):
        table.add_column(name, justify="left" if name == "phenomenon" else "right")
    for name, group in [*sorted(summary["terms"].items()), ("overall", summary["overall"])]:
        interval = f"{_percent(group['low'])} - {_percent(group['high'])}"
        table.add_row(
            name,
            str(group["paradigms"]),
            f"{group['n']:,}",
            f"{group['ties']:,}",
            _percent(group["accuracy"]),
            interval,
            _percent(group["measures"].get("mean_lp")),
            *(_percent(figures.get(name)) for figures in beside.values()),
        )
    return table


def _percent(value: float | None) -> str:
    return "" if value is None else f"{100 * value:.1f}"


def _look(console: Any, rows: Columns) -> None:
    from blimpgen.analysis.beside import look

    found = look(rows)
    if found:
        console.print(f"{len(found)} paradigms deserve a look:" if len(found) > 1 else "1 paradigm deserves a look:")
    for item in found[:_SHOWN]:
        low, high = item.group.interval
        console.print(
            f"  {item.group.name}  {_percent(item.group.accuracy)} ({_percent(low)} - {_percent(high)}): "
            f"{'; '.join(item.reasons)}",
            soft_wrap=True,
        )
    if len(found) > _SHOWN:
        console.print(f"  and {len(found) - _SHOWN} more; `paradigms` in summary.json has all")
