"""`blimpgen verify`."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

from blimpgen.cli.options import Work, argument, grouped, message, option
from blimpgen.cli.terminal import console, progress_bar

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from rich.console import Console

    from blimpgen.analysis.columns import Columns
    from blimpgen.analysis.results import LeftOut, MethodSummary
    from blimpgen.base.errors import BlimpgenError
    from blimpgen.lexicon.frequency import WordFrequencies
    from blimpgen.scoring.judge import Policy
    from blimpgen.scoring.pair_table import RowOfModel, SetOfPairs
    from blimpgen.scoring.result_folder import Result

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

_MODEL = (
    "Path or hub name of a model; a text file or a model of KenLM; length or unigram; package.module:function. "
    "May stand several times."
)
_MODELS = "More models: a table with the column model, and perhaps revision."
_FAMILY = "causal, masked, ngram, baseline, callable, or an installed family; auto looks at the model."
_CORRECTION = "Correct critical words for tokens that begin with a space."
_SHARE = "Compute common prefixes once; it changes nothing but the speed."
_UNIGRAMS = "Counts of words (word, tab, count), for SLOR and unigram."
_DROP_LIST = "Score also without the pairs of a list of `blimpgen audit --drop-lists`; may stand several times."
_RESULTS = "Write items.jsonl, summary.json, signature.txt there; of several models or sets, in a folder for each."


@dataclass(frozen=True)
class ModelOptions:
    """The options that say which model scores, and how it is run."""

    model: Annotated[list[str] | None, option("--model", _MODEL, "M")] = None
    models: Annotated[Path | None, option("--models", _MODELS, "FILE")] = None
    family: Annotated[str, option("--family", _FAMILY)] = "auto"
    revision: Annotated[str | None, option("--revision", "Branch, tag or commit on the hub.")] = None
    score: Annotated[_Score, option("--score", "Score of a masked model.")] = "pll_word_l2r"
    bos: Annotated[_Start, option("--bos", "Start token before the sentence.")] = "auto"
    eos: Annotated[_YesNo, option("--eos", "Score an end token.")] = "no"
    leading_space: Annotated[bool, option("--leading-space", "Put a space before the sentence.")] = False
    order: Annotated[int, option("--order", "Words an n-gram has, of a model that is trained.", min=1)] = 3
    device: Annotated[str, option("--device", "Device of torch.")] = "auto"
    dtype: Annotated[_Precision, option("--dtype", "Precision of the model.")] = "float32"
    batch_tokens: Annotated[
        int | None, option("--batch-tokens", "Tokens that go into the model at once.", "N", min=1)
    ] = None
    share_prefixes: Annotated[bool, option("--share-prefixes/--no-share-prefixes", _SHARE)] = True
    trust_remote_code: Annotated[bool, option("--trust-remote-code", "Run Python code that comes with the model.")] = (
        False
    )

    def rows(self, frequencies: WordFrequencies | None) -> list[RowOfModel]:
        """Name the models, which are loaded where they score.

        Args:
            frequencies: those of words, if a file of them is given.

        Raises:
            UsageError: no model. DataError: a table of models that cannot be read.
        """
        from functools import partial

        from blimpgen.base.errors import UsageError
        from blimpgen.scoring.model_families import ListedModel, Options, read_models, scorer_for
        from blimpgen.scoring.pair_table import RowOfModel

        listed = [ListedModel(name, None, "") for name in self.model or ()]
        listed += read_models(self.models) if self.models else []
        if not listed:
            raise UsageError("no model; name one with --model, or a table of models with --models")
        settings = {k: v for k, v in vars(self).items() if k not in ("model", "models", "family", "revision", "eos")}
        rows = []
        for each in listed:
            revision = each.revision or self.revision
            options = Options(each.model, revision=revision, eos=self.eos == "yes", frequencies=frequencies, **settings)
            name = f"{each.model}@{revision}" if revision else each.model
            rows.append(RowOfModel(name, partial(scorer_for, self.family, options), each.source))
        return rows


@dataclass(frozen=True)
class ScoringOptions:
    """The options that say what of the data is scored, and what counts as right."""

    method: Annotated[_Method, option("--method", "What is scored.")] = "all"
    word_correction: Annotated[bool, option("--word-correction/--no-word-correction", _CORRECTION)] = True
    ties: Annotated[_Ties, option("--ties", "What equal scores count.")] = "half"
    unigrams: Annotated[Path | None, option("--unigrams", _UNIGRAMS, "FILE")] = None
    limit: Annotated[int | None, option("--limit", "Only the first N records of each paradigm.", "N", min=1)] = None
    strict: Annotated[bool, option("--strict", "A pair that cannot be scored is an error.")] = False

    def policy(self) -> Policy:
        """What is asked of every pair; a `DataError` for a file of counts that cannot be read."""
        from blimpgen.analysis.results import METHODS
        from blimpgen.lexicon.frequency import read_word_frequencies
        from blimpgen.scoring.judge import Policy

        methods = tuple(m for m in METHODS if self.method in ("all", m))
        frequencies = read_word_frequencies(self.unigrams) if self.unigrams else None
        return Policy(methods, self.ties, self.word_correction, frequencies, self.strict)


@grouped
def verify(
    *,
    paths: Annotated[list[Path], argument("SETS", "Data sets, ours or the BLiMP release, or files of them.")],
    model: ModelOptions,
    scoring: ScoringOptions,
    output: Annotated[Path | None, option("-o --output", _RESULTS, "RESULTS")] = None,
    work: Work,
    drop_list: Annotated[list[Path] | None, option("--drop-list", _DROP_LIST, "FILE")] = None,
    overwrite: Annotated[bool, option("--overwrite", "Replace another result in RESULTS.")] = False,
) -> None:
    """Score data sets with language models: which sentence of each pair they prefer.

    Example: blimpgen verify out --model gpt2 -o results/gpt2
    """
    from blimpgen.audit import read_drop_list
    from blimpgen.scoring.pair_table import PairTable, result_folders

    engine, policy = work.engine(device=model.device), scoring.policy()
    drop_lists = {file.name: read_drop_list(file) for file in drop_list or ()}
    models, sets = model.rows(policy.unigrams), _sets(paths, scoring.limit)
    folders = result_folders(output, [each.name for each in models], [each.name for each in sets]) if output else {}
    outcomes = (_Several if len(models) * len(sets) > 1 else _One)(models, sets, folders, drop_lists)
    try:
        with (
            progress_bar(len(models) * sum(len(each.comparisons) for each in sets), "pairs") as advance,
            PairTable(
                models,
                sets,
                policy,
                finished=outcomes.add,
                folders=folders,
                limit=scoring.limit,
                overwrite=overwrite,
                done=(lambda pairs: advance(pairs, "pairs")) if advance else None,
            ) as table,
        ):
            engine(table)
    except KeyboardInterrupt:
        raise KeyboardInterrupt(f"interrupted; the same call goes on with {output}" if output else "") from None
    outcomes.show()


def _sets(paths: Sequence[Path], limit: int | None) -> list[SetOfPairs]:
    from blimpgen.dataset import data_files
    from blimpgen.scoring.pair_table import SetOfPairs
    from blimpgen.scoring.reading import data_hash, read_comparisons

    hashes = [data_hash(data_files(path)) for path in paths]
    names = [path.stem if path.is_file() else path.resolve().name for path in paths]
    return [
        SetOfPairs(name, read_comparisons(path, limit=limit), data)
        for path, name, data in zip(paths, names, hashes, strict=True)
    ]


@dataclass
class _One:
    """The result of a model on a set, which is shown whole.

    Attributes:
        models, sets: the rows and columns of the work.
        folders: number of a model and a set to the folder of their result.
        drop_lists: name of a list to its pairs, by UID and pairID.
    """

    models: Sequence[RowOfModel]
    sets: Sequence[SetOfPairs]
    folders: Mapping[tuple[int, int], Path]
    drop_lists: Mapping[str, frozenset[tuple[str, str]]]
    outcome: Result | BlimpgenError | None = field(default=None, init=False)

    def add(self, _model: int, _set: int, outcome: Result | BlimpgenError) -> None:
        """Take it, or why there is none."""
        self.outcome = outcome

    def show(self) -> None:
        """Print it; an error if there is none."""
        from blimpgen.base.errors import BlimpgenError

        assert self.outcome, "the work was not done"
        if isinstance(self.outcome, BlimpgenError):
            source = self.models[0].source
            raise type(self.outcome)(f"{source}: {self.outcome}") if source else self.outcome
        folder = self.folders.get((0, 0))
        _show(self.outcome)
        _tell(self.outcome, folder)
        for line in _without(self.outcome, self.drop_lists, folder):
            console().print(line, soft_wrap=True)


@dataclass
class _Several(_One):
    """The results of several models or sets, each told when it is there and shown as a row of a table."""

    rows: dict[tuple[int, int], tuple[str, ...]] = field(default_factory=dict, init=False)
    errors: dict[int, BlimpgenError] = field(default_factory=dict, init=False)

    def add(self, model: int, of_set: int, outcome: Result | BlimpgenError) -> None:
        """Tell a result, or why there is none."""
        from blimpgen.analysis.results import METHODS
        from blimpgen.base.errors import BlimpgenError

        names = self.models[model].name, self.sets[of_set].name
        if isinstance(outcome, BlimpgenError):
            if self.errors.get(model) is not outcome:  # one that cannot be loaded is told once, not for each set
                message(f"{self.models[model].source or names[0]}: {outcome}")
            self.errors[model] = outcome
            self.rows[model, of_set] = (*names, "failed")
            return
        folder, summaries = self.folders.get((model, of_set)), outcome.summary.methods
        _tell(outcome, folder)
        for line in _without(outcome, self.drop_lists, folder):
            console().print(f"{' '.join(names)}: {line}", soft_wrap=True)
        accuracies = [_percent(summaries[m].overall.accuracy) if m in summaries else "" for m in METHODS]
        pairs = len({item.key[:2] for item in outcome.items})
        self.rows[model, of_set] = (*names, f"{pairs:,}", *accuracies)

    def show(self) -> None:
        """Print the table; an error if a model failed."""
        from rich.table import Table

        from blimpgen.analysis.results import METHODS
        from blimpgen.scoring.pair_table import models_failed

        table = Table(title="accuracy in percent", title_justify="left", box=None, pad_edge=False)
        for name in ("model", "set", "pairs", *METHODS):
            table.add_column(name, justify="left" if name in ("model", "set") else "right")
        for _, row in sorted(self.rows.items()):
            table.add_row(*row)
        console().print(table)
        if self.errors:
            raise models_failed([self.models[number].name for number in sorted(self.errors)], len(self.models))


def _without(
    result: Result, drop_lists: Mapping[str, frozenset[tuple[str, str]]], output: Path | None
) -> Iterator[str]:
    """Describe the accuracies without the pairs of each list, all pairs first; write them beside the result.

    Args:
        result: the items.
        drop_lists: name of a list to its pairs, by UID and pairID.
        output: the folder of the result.
    """
    import json

    import numpy as np

    from blimpgen.analysis.averages import by_paradigm, overall
    from blimpgen.analysis.columns import columns, methods_of
    from blimpgen.base.files import write_chunks

    if not drop_lists:
        return
    figures: dict[str, dict[str, dict[str, dict[str, float]]]] = {}
    for method in methods_of(result.items):
        rows = columns(result.items, method=method)
        keys = list(zip(rows.uid.tolist(), rows.pair_id.tolist(), strict=True))
        for name, pairs in {"all pairs": frozenset[tuple[str, str]](), **drop_lists}.items():
            left = rows.where(np.array([key not in pairs for key in keys], dtype=bool))
            groups = {**by_paradigm(left), "overall": overall(left)} if len(left) else {}
            counted = {uid: {"n": group.n, "accuracy": group.accuracy} for uid, group in groups.items()}
            figures.setdefault(method, {})[name] = counted
            mean = counted.get("overall", {"n": 0})
            what = name if name == "all pairs" else f"without {name}"
            yield f"{method}, {what}: {_percent(mean.get('accuracy'))} (n = {mean['n']:,})"
    if output:
        write_chunks(output / "without.json", [json.dumps(figures, indent=1).encode() + b"\n"])


def _tell(result: Result, output: Path | None) -> None:
    """Print what is no result on standard error."""
    _tell_unscored(result.summary.unscored)
    if result.way == "plain":
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


def _show(result: Result) -> None:
    """Print the tables, one a method, and the paradigms that deserve a look."""
    from blimpgen.analysis.columns import columns
    from blimpgen.scoring.baseline import BASELINES

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
        if result.summary.model not in BASELINES:
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


def _table(method: str, summary: MethodSummary, more_columns: dict[str, dict[str, float]]) -> Any:
    from rich.table import Table

    table = Table(title=f"{method}: accuracy in percent", title_justify="left", box=None, pad_edge=False)
    for name in ("phenomenon", "paradigms", "pairs", "ties", "accuracy", "95 %", "mean_lp", *more_columns):
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
            *(_percent(figures.get(name)) for figures in more_columns.values()),
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
