"""`blimpgen verify`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

import typer

from blimpgen.cli.options import message
from blimpgen.cli.terminal import console, progress_bar

if TYPE_CHECKING:
    from rich.console import Console

    from blimpgen.analysis.columns import Columns
    from blimpgen.analysis.results import LeftOut, MethodSummary
    from blimpgen.scoring.families import Options
    from blimpgen.scoring.judge import Policy
    from blimpgen.scoring.run import Result

__all__ = ["verify"]

_PUBLISHED = {"gpt2": "GPT-2", "human": "human"}
_SOURCE = "GPT-2 and human: published for the released pairs of the same paradigms (Warstadt et al. 2020)"
_SHOWN = 20


_Method: TypeAlias = Literal["all", "full", "one-prefix", "two-prefix"]
_YesNo: TypeAlias = Literal["yes", "no"]
_Start: TypeAlias = Literal["auto", "yes", "no"]
_Ties: TypeAlias = Literal["half", "correct", "wrong"]
_Precision: TypeAlias = Literal["float32", "bfloat16", "float16"]
_Score: TypeAlias = Literal["pll_word_l2r", "pll_original", "masked_word"]


def _option(name: str, text: str, **settings: Any) -> Any:
    return typer.Option(*name.split(), help=text, **settings)


_MODEL = "Path or hub name of a model; a text file or a model of KenLM; length or unigram; package.module:function."
_FAMILY = "causal, masked, ngram, baseline, callable, or an installed family; auto looks at the model."
_CORRECTION = "Correct critical words for tokens that begin with a space."
_SHARE = "Compute common prefixes once; it changes nothing but the speed."
_HIDDEN: dict[str, Any] = {"show_default": False}
_NUMBER: dict[str, Any] = {"min": 1, "metavar": "N", "show_default": False}


def verify(
    path: Annotated[
        Path, typer.Argument(metavar="DIR", help="A data set, ours or the BLiMP release, or one of its files.")
    ],
    model: Annotated[str, _option("--model", _MODEL, metavar="M")],
    family: Annotated[str, _option("--family", _FAMILY)] = "auto",
    method: Annotated[_Method, _option("--method", "What is scored.")] = "all",
    output: Annotated[
        Path | None,
        _option("-o --output", "Write items.jsonl, summary.json, signature.txt there.", metavar="RESULTS", **_HIDDEN),
    ] = None,
    revision: Annotated[str | None, _option("--revision", "Branch, tag or commit on the hub.", **_HIDDEN)] = None,
    score: Annotated[_Score, _option("--score", "Score of a masked model.")] = "pll_word_l2r",
    bos: Annotated[_Start, _option("--bos", "Start token before the sentence.")] = "auto",
    eos: Annotated[_YesNo, _option("--eos", "Score an end token.")] = "no",
    leading_space: Annotated[bool, _option("--leading-space", "Put a space before the sentence.")] = False,
    word_correction: Annotated[bool, _option("--word-correction/--no-word-correction", _CORRECTION)] = True,
    ties: Annotated[_Ties, _option("--ties", "What equal scores count.")] = "half",
    unigrams: Annotated[
        Path | None,
        _option("--unigrams", "Counts of words (word, tab, count), for SLOR and unigram.", metavar="FILE", **_HIDDEN),
    ] = None,
    order: Annotated[int, _option("--order", "Words an n-gram has, of a model that is trained.", min=1)] = 3,
    device: Annotated[str, _option("--device", "Device of torch.")] = "auto",
    dtype: Annotated[_Precision, _option("--dtype", "Precision of the model.")] = "float32",
    batch_tokens: Annotated[
        int | None, _option("--batch-tokens", "Tokens that go into the model at once.", **_NUMBER)
    ] = None,
    share_prefixes: Annotated[bool, _option("--share-prefixes/--no-share-prefixes", _SHARE)] = True,
    limit: Annotated[int | None, _option("--limit", "Only the first N records of each paradigm.", **_NUMBER)] = None,
    strict: Annotated[bool, _option("--strict", "A pair that cannot be scored is an error.")] = False,
    trust_remote_code: Annotated[
        bool, _option("--trust-remote-code", "Run Python code that comes with the model.")
    ] = False,
    overwrite: Annotated[bool, _option("--overwrite", "Replace another result in RESULTS.")] = False,
) -> None:
    """Score a data set with a language model: which sentence of each pair it prefers.

    Example: blimpgen verify out --model gpt2 -o results/gpt2
    """
    from blimpgen.analysis.results import METHODS
    from blimpgen.lexicon.frequency import read_word_frequencies
    from blimpgen.scoring.families import Options
    from blimpgen.scoring.judge import Policy

    frequencies = read_word_frequencies(unigrams) if unigrams else None
    methods = tuple(m for m in METHODS if method in ("all", m))
    options = Options(
        model,
        revision=revision,
        device=device,
        dtype=dtype,
        bos=bos,
        eos=eos == "yes",
        leading_space=leading_space,
        batch_tokens=batch_tokens,
        share_prefixes=share_prefixes,
        score=score,
        order=order,
        frequencies=frequencies,
        trust_remote_code=trust_remote_code,
    )
    policy = Policy(methods, ties, word_correction, frequencies, strict)
    _verify(path, family, options, policy, output=output, limit=limit, overwrite=overwrite)


def _verify(
    path: Path,
    family: str,
    options: Options,
    policy: Policy,
    *,
    output: Path | None,
    limit: int | None,
    overwrite: bool,
) -> None:
    """Read the data, score it, and print what is found."""
    from blimpgen.dataset import data_files
    from blimpgen.scoring.families import scorer_for
    from blimpgen.scoring.reading import data_hash, read_comparisons
    from blimpgen.scoring.run import verify as run
    from blimpgen.scoring.scores import identity_of

    files = data_files(path)
    comparisons = read_comparisons(path, limit=limit)
    scorer = scorer_for(family, options)
    try:
        with progress_bar(len(comparisons), "pairs") as advance:
            result = run(
                comparisons,
                scorer,
                data=data_hash(files),
                policy=policy,
                output=output,
                limit=limit,
                overwrite=overwrite,
                done=(lambda pairs: advance(pairs, "pairs")) if advance else None,
            )
    except KeyboardInterrupt:
        raise KeyboardInterrupt(f"interrupted; the same call goes on with {output}" if output else "") from None
    _show(result, identity_of(scorer).family == "baseline")
    _tell(result, scorer, output)


def _tell(result: Result, scorer: Any, output: Path | None) -> None:
    """Print what is no result on standard error."""
    _tell_unscored(result.summary.unscored)
    if getattr(getattr(scorer, "forward", None), "way", None) == "plain":
        message("this architecture takes no batches as we make them, so its sentences were scored one by one")
    if output:
        taken = f", {result.resumed:,} of them from before" if result.resumed else ""
        message(f"{output}: {len(result.items):,} rows{taken}")


def _tell_unscored(pairs: tuple[LeftOut, ...]) -> None:
    if pairs:
        message(f"{len(pairs):,} pair{'s' * (len(pairs) > 1)} could not be scored and {_are(len(pairs))} left out:")
    for pair in pairs[:_SHOWN]:
        message(f"  {pair.UID}, pair {pair.pair_id}: {pair.reason}")
    if len(pairs) > _SHOWN:
        message(f"  and {len(pairs) - _SHOWN:,} more; `unscored` in summary.json has all")


def _are(n: int) -> str:
    return "are" if n > 1 else "is"


def _show(result: Result, baseline: bool) -> None:
    """Print the tables, one a method, and the paradigms that deserve a look."""
    from blimpgen.analysis.columns import columns

    screen = console()
    summaries = {m: s for m, s in result.summary.methods.items() if s.overall.n}
    rows = columns(result.items) if "full" in summaries else None
    for method, summary in summaries.items():
        if rows is not None and method == "full":
            screen.print(_against_published(summary, rows))
        else:
            screen.print(_against_full(method, summary, rows))
        screen.print()
    if rows is not None:
        screen.print(_SOURCE)
        if not baseline:
            _print_surprises(screen, rows)


def _against_published(summary: MethodSummary, rows: Columns) -> Any:
    """Accuracies of whole sentences beside the published ones of the same paradigms."""
    from blimpgen.analysis.averages import OVERALL
    from blimpgen.analysis.surprises import expected

    names = [rows.term, rows.constant(OVERALL)]
    published = [{k: v for name in names for k, v in expected(system, rows, name).items()} for system in _PUBLISHED]
    return _table("full", summary, dict(zip(_PUBLISHED.values(), published, strict=True)))


def _against_full(method: str, summary: MethodSummary, rows: Columns | None) -> Any:
    """Accuracies of critical words beside those of whole sentences of the same paradigms."""
    from blimpgen.analysis.averages import macro

    same = rows.of(summary.paradigms) if rows else None
    terms = dict(zip(same.uid.tolist(), same.term.tolist(), strict=True)) if same else {}
    accuracies = same.accuracies() if same else {}
    return _table(method, summary, {"full": {**macro(accuracies, terms), **macro(accuracies)}} if accuracies else {})


def _table(method: str, summary: MethodSummary, beside: dict[str, dict[str, float]]) -> Any:
    from rich.table import Table

    table = Table(title=f"{method}: accuracy in percent", title_justify="left", box=None, pad_edge=False)
    for name in ("phenomenon", "paradigms", "pairs", "ties", "accuracy", "95 %", "mean_lp", *beside):
        table.add_column(name, justify="left" if name == "phenomenon" else "right")
    for name, group in [*sorted(summary.terms.items()), ("overall", summary.overall)]:
        interval = f"{_percent(group.low)} - {_percent(group.high)}"
        table.add_row(
            name,
            str(group.paradigms),
            f"{group.n:,}",
            f"{group.ties:,}",
            _percent(group.accuracy),
            interval,
            _percent(group.measures.get("mean_lp")),
            *(_percent(figures.get(name)) for figures in beside.values()),
        )
    return table


def _percent(value: float | None) -> str:
    return "" if value is None else f"{100 * value:.1f}"


def _print_surprises(console: Console, rows: Columns) -> None:
    from blimpgen.analysis.surprises import surprises

    entries = surprises(rows)
    if entries:
        count = len(entries)
        console.print(f"{count} paradigms deserve a look:" if count > 1 else "1 paradigm deserves a look:")
    for surprise in entries[:_SHOWN]:
        low, high = surprise.group.interval
        console.print(
            f"  {surprise.uid}  {_percent(surprise.group.accuracy)} ({_percent(low)} - {_percent(high)}): "
            f"{'; '.join(surprise.reasons)}",
            soft_wrap=True,
            markup=False,
        )
    if len(entries) > _SHOWN:
        console.print(f"  and {len(entries) - _SHOWN} more; `paradigms` in summary.json has all")
