"""Results of language models as the pages show them: the folders, the report's sections, the pairs behind a figure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias
from urllib.parse import urlencode

from markupsafe import Markup

from blimpgen.base.errors import BlimpgenError, UsageError, nearest
from blimpgen.base.folders import listed_files
from blimpgen.cli.studio.views.paradigms import Pair, pair_of
from blimpgen.cli.studio.views.workspace import Workspace

if TYPE_CHECKING:
    from blimpgen.analysis.results import Group
    from blimpgen.report import Result
    from blimpgen.report.material import Table
    from blimpgen.report.plots.style import Spot

__all__ = [
    "Only",
    "ReportView",
    "ResultEntry",
    "ScoredPair",
    "ScoredPairs",
    "ScoredParadigm",
    "Verifiable",
    "listing",
    "of_paradigm",
    "pairs",
    "report",
    "verifiable",
    "verify",
]

Only: TypeAlias = Literal["all", "wrong", "differ", "first", "second"]
"""Which pairs: those that the first result has wrong, on which the results differ, which only one of two has right."""

PAGE = 100
"""Pairs on a page."""
BASELINE = "length"
"""A scorer that needs no folder: the shorter sentence is the better one."""
_DEPTHS = ("", "*/", "*/*/")
"""How deep below a folder results, sets and models stand."""


@dataclass(frozen=True)
class ResultEntry:
    """A folder of results: its path below the folder of all, and what its summary says; or what is wrong with it."""

    name: str
    model: str
    signature: str
    pairs: int
    accuracies: tuple[tuple[str, str], ...]
    problem: str = ""


@dataclass(frozen=True)
class ReportView:
    """The sections of a report as HTML, what they are of, and label to name of each result."""

    lead: str
    html: str
    labels: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class ScoredPair:
    """A pair, its paradigm, and of each result the score of the good sentence minus that of the bad one."""

    uid: str
    pair: Pair
    margins: tuple[float | None, ...]


@dataclass(frozen=True)
class ScoredPairs:
    """The pairs behind a figure.

    Attributes:
        labels: of the results.
        method, methods: by which they are scored, and all that the results have in common.
        group: a paradigm, a phenomenon, or nothing for all pairs.
        count: how many there are; pairs: those of one page, the smallest margin of the first result first.
    """

    labels: tuple[str, ...]
    method: str
    methods: tuple[str, ...]
    group: str
    count: int
    pairs: tuple[ScoredPair, ...]


@dataclass(frozen=True)
class ScoredParadigm:
    """What a result says of a paradigm: the name of the result, its model, method to accuracy."""

    name: str
    model: str
    accuracies: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Verifiable:
    """The data sets and the models that `verify` can be started with."""

    sets: tuple[str, ...]
    models: tuple[str, ...]


def listing(workspace: Workspace) -> list[ResultEntry]:
    """The results of the folder of results; of one that is not finished or damaged what is wrong."""
    return [_entry(path, name) for name, path in _results(workspace).items()]


def _entry(path: Path, name: str) -> ResultEntry:
    from blimpgen.analysis.results import SUMMARY, read_summary

    try:
        if not (path / SUMMARY).is_file():
            return ResultEntry(name, "", "", 0, (), "not finished; the same run of verify goes on with it")
        summary = read_summary(path)
    except BlimpgenError as error:
        return ResultEntry(name, "", "", 0, (), str(error))
    groups = {method: of.overall for method, of in summary.methods.items() if of.overall.n}
    return ResultEntry(
        name,
        summary.model,
        summary.signature,
        max((of.n for of in groups.values()), default=0),
        _accuracies(groups.items()),
    )


def _accuracies(groups: Iterable[tuple[str, Group]]) -> tuple[tuple[str, str], ...]:
    from blimpgen.report.material import with_interval

    return tuple((method, with_interval(of.accuracy, of.interval)) for method, of in groups)


def of_paradigm(workspace: Workspace, uid: str) -> list[ScoredParadigm]:
    """What the results say of a paradigm; one that cannot be read says nothing.

    Args:
        workspace: the folders.
        uid: the paradigm.
    """
    return list(_of_paradigm(workspace, uid))


def _of_paradigm(workspace: Workspace, uid: str) -> Iterator[ScoredParadigm]:
    from blimpgen.analysis.results import SUMMARY, read_summary

    for name, path in _results(workspace).items():
        if not (path / SUMMARY).is_file():
            continue
        try:
            summary = read_summary(path)
        except BlimpgenError:
            continue
        groups = {method: of.paradigms[uid] for method, of in summary.methods.items() if uid in of.paradigms}
        if groups:
            yield ScoredParadigm(name, summary.model, _accuracies(groups.items()))


def _results(workspace: Workspace) -> dict[str, Path]:
    from blimpgen.analysis.results import ITEMS
    from blimpgen.scoring.result_folder import UNFINISHED

    return _inside(workspace.folders.results, (ITEMS, UNFINISHED))


def _inside(folder: Path | None, patterns: Sequence[str], besides: Sequence[str] = ()) -> dict[str, Path]:
    """The folders below one that hold a file of some name, by their paths below it; links that lead out are none."""
    if folder is None:
        return {}
    home = folder.resolve()
    files = [file for depth in _DEPTHS for pattern in patterns for file in listed_files(folder, depth + pattern)]
    parents = {file.parent for file in files if file.name not in besides and file.resolve().is_relative_to(home)}
    return {path.relative_to(folder).as_posix(): path for path in sorted(parents)}


def _named(workspace: Workspace, names: Sequence[str]) -> list[Result]:
    """Read results by their names.

    Raises:
        BlimpgenError: there is none of a name, or it is damaged.
    """
    from blimpgen.report import read_results

    folders = _results(workspace)
    for name in names:
        if name not in folders:
            raise UsageError(f"no result {name!r}; {nearest(name, list(folders))}")
    paths = [folders[name] for name in dict.fromkeys(names)]
    return workspace.recent.once("results", tuple(paths), lambda: read_results(paths), most=2, version=_stamps(paths))


def _stamps(paths: Sequence[Path]) -> tuple[int, ...]:
    return tuple(file.stat().st_mtime_ns for path in paths for file in sorted(path.iterdir()))


def report(workspace: Workspace, names: Sequence[str]) -> ReportView:
    """The report of some results, with links from its figures to the pairs behind them.

    Args:
        workspace: the folders.
        names: of the results.

    Raises:
        BlimpgenError: no result of a name; results that have no scoring method in common.
    """
    from blimpgen.report import render_sections

    results = _named(workspace, names)
    labels = tuple((result.label, name) for result, name in zip(results, dict.fromkeys(names), strict=True))
    links = _Links(results, dict(labels))
    lead, html = workspace.recent.once(
        "report",
        labels,
        lambda: render_sections(results, shown=links, behind=links.behind),
        most=2,
        version=_stamps([result.source for result in results]),
    )
    return ReportView(lead, html, labels)


class _Links:
    """Makes the figures of a report lead to the pairs behind them.

    Args:
        results: of the report.
        names: label of a result to its name.
    """

    def __init__(self, results: Sequence[Result], names: dict[str, str]) -> None:
        from blimpgen.analysis.averages import OVERALL
        from blimpgen.report.plots.style import words

        self.names = names
        self.groups = {OVERALL: ""}
        for rows in (rows for result in results for rows in result.methods.values()):
            self.groups |= {words(term): term for term in set(rows.term.tolist())}
            self.groups |= {uid: uid for uid in set(rows.uid.tolist())}

    def __call__(self, table: Table, row: Sequence[str], cell: int) -> str:
        """A cell of a table: a link, if it is a figure of some result or names the group of its row."""
        group = next((text for text in row[:3] if text in self.groups), None)
        labels = [text for text in row[:3] if text in self.names]
        header = table.header[cell]
        if group is None:
            return row[cell]
        only = {"only first right": "first", "only second right": "second"}.get(header, "all")
        if header in self.names:
            labels = [header]
        elif row[cell] != group and only == "all" and not header.startswith("accuracy"):
            return row[cell]
        return Markup('<a href="{}">{}</a>').format(self._address(labels, self.groups[group], only), row[cell])

    def behind(self, spot: Spot) -> str:
        """The address of the pairs behind a place of a plot; empty for a system of which there are no pairs here."""
        if not all(label in self.names for label in spot.labels):
            return ""
        return self._address(spot.labels, self.groups.get(spot.group, spot.group), "all")

    def _address(self, labels: Sequence[str], group: str, only: str) -> str:
        of = [("of", self.names[label]) for label in labels or self.names]
        return f"/results/pairs?{urlencode([*of, ('group', group), ('only', only)])}"


def pairs(workspace: Workspace, names: Sequence[str], group: str, only: Only, method: str, start: int) -> ScoredPairs:
    """The pairs behind a figure, those with the smallest margin first.

    Args:
        workspace: the folders.
        names: of the results.
        group: a paradigm, a phenomenon, or nothing for all.
        only: which of them.
        method: of scoring; empty for the first that the results have in common.
        start: how many to pass over.

    Raises:
        BlimpgenError: no result of a name; no such pair.
    """
    from blimpgen.report.results import headline

    results = _named(workspace, names)
    shared = tuple(m for m in results[0].methods if all(m in result.methods for result in results))
    method = method if method in shared else headline(results)
    margins: dict[tuple[str, str, str, str], list[float | None]] = {}
    for number, result in enumerate(results):
        rows = result.methods[method]
        chosen = rows.where((rows.uid == group) | (rows.term == group)) if group else rows
        for key, delta in zip(chosen.keys, chosen.delta.tolist(), strict=True):
            margins.setdefault(key, [None] * len(results))[number] = delta
    if not margins:
        raise UsageError(f"no pair of {group!r} in {', '.join(names)}")
    keys = [key for key, of in margins.items() if _is_shown(of, only)]
    keys.sort(key=lambda key: [of if of is not None else float("inf") for of in margins[key]])
    shown = (
        ScoredPair(uid, pair_of(number, good, bad), tuple(margins[uid, number, good, bad]))
        for uid, number, good, bad in keys[start : start + PAGE]
    )
    return ScoredPairs(tuple(result.label for result in results), method, shared, group, len(keys), tuple(shown))


def _is_shown(margins: Sequence[float | None], only: Only) -> bool:
    right = [margin is not None and margin > 0 for margin in margins]
    if only == "all":
        return True
    if only == "wrong":
        return not right[0]
    if None in margins:  # the results are compared on the pairs that all of them have
        return False
    if only == "differ":
        return len(set(right)) > 1
    return right[:2] == [only == "first", only == "second"]


def verifiable(workspace: Workspace) -> Verifiable:
    """The data sets and the models in the folders that are stated for them."""
    return Verifiable(tuple(data_sets(workspace)), (*_models(workspace), BASELINE))


def data_sets(workspace: Workspace) -> dict[str, Path]:
    """The data sets in the folder that is stated for them, by their names."""
    from blimpgen.analysis.results import ITEMS
    from blimpgen.scoring.result_folder import UNFINISHED

    return _inside(workspace.folders.sets, ("*.jsonl",), besides=(ITEMS, UNFINISHED))


def _models(workspace: Workspace) -> dict[str, Path]:
    return _inside(workspace.folders.models, ("config.json",))


def verify(workspace: Workspace, of: str, model: str, limit: int | None) -> str:
    """Score a data set with a model, as `blimpgen verify` does with its options left as they are.

    Args:
        workspace: the folders.
        of: the name of the set.
        model: the name of a model, or `BASELINE`.
        limit: records of each paradigm; None for all.

    Returns:
        The name of the result.

    Raises:
        BlimpgenError: no such set or model; no folder of results; what `verify` raises.
    """
    from blimpgen.cli.verify import ModelOptions, ScoringOptions
    from blimpgen.dataset import data_files
    from blimpgen.scoring import run
    from blimpgen.scoring.reading import data_hash, read_comparisons

    sets, models = data_sets(workspace), {**_models(workspace), BASELINE: Path(BASELINE)}
    if workspace.folders.results is None or of not in sets or model not in models:
        raise UsageError(f"no set {of!r} or model {model!r}, or no folder of results; start the studio with all three")
    parts = [sets[of].name if of == "." else of, models[model].name if model == "." else model]
    name = "-".join([*(part.replace("/", "-") for part in parts), *([f"first-{limit}"] if limit else [])])
    comparisons = read_comparisons(sets[of], limit=limit)
    (row,) = ModelOptions(model=[str(models[model])]).rows(None)
    done = 0

    def told(pairs: int) -> None:
        nonlocal done
        done += pairs
        workspace.tell(done, len(comparisons))

    workspace.tell(0, len(comparisons))
    output = workspace.folders.results / name
    policy, data = ScoringOptions(limit=limit).policy(), data_hash(data_files(sets[of]))
    run.verify(comparisons, row.load(), data=data, policy=policy, output=output, limit=limit, done=told)
    return name
