"""The results that a report is about: what each is called, and which of them are checkpoints of one model."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from blimpgen.analysis.columns import Columns, columns, methods_of
from blimpgen.analysis.results import ITEMS, METHODS, SIGNATURE, SUMMARY, Item, read_items, read_signature, read_summary
from blimpgen.base.errors import DataError, Place, UsageError

__all__ = ["Checkpoints", "Result", "checkpoints", "headline", "read_results"]

_STEP = re.compile(
    r"(?P<unit>steps?|checkpoint|ckpt|chck|epochs?|iter(?:ation)?|tokens?)[-_ =]?"
    r"(?P<number>\d+(?:\.\d+)?)(?P<scale>[kKmMbBgG]?)(?![\d.])"
)
_SCALES = {"": 1.0, "k": 1e3, "m": 1e6, "b": 1e9, "g": 1e9}
_UNITS = {"ckpt": "checkpoint", "chck": "checkpoint", "iter": "iteration"}


@dataclass(frozen=True)
class Result:
    """One result: what one model makes of a set.

    Attributes:
        label: what it is called in the report; no two results of a report share one.
        source: the folder, or the file of rows.
        model, revision, score: as the rows have them.
        signature: the line that says how it was made; empty if there is none.
        methods: method to its rows.
        measures: method to normalised score to accuracy, from the summary of the result; empty if there is none.
    """

    label: str
    source: Path
    model: str
    revision: str | None
    score: str
    signature: str
    methods: Mapping[str, Columns]
    measures: Mapping[str, Mapping[str, float]]

    @cached_property
    def stage(self) -> tuple[str, str, float] | None:
        """Family, unit and step, if a revision, model or folder is named like a checkpoint (``step3000``)."""
        for text, rest in ((self.revision, self.model), (self.model, ""), (self.source.name, self.model)):
            match = next(reversed([*_STEP.finditer(text or "")]), None)
            if match and text:
                family = f"{rest}\0{text[: match.start()]}\0{text[match.end() :]}"
                unit = match["unit"].rstrip("s")
                return family, _UNITS.get(unit, unit), float(match["number"]) * _SCALES[match["scale"].lower()]
        return None


@dataclass(frozen=True)
class Checkpoints:
    """Results of one model at several steps of its training.

    Attributes:
        name: what the model is called.
        unit: what steps are counted in.
        results: step to result, ascending.
    """

    name: str
    unit: str
    results: Mapping[float, Result]


def read_results(paths: Sequence[str | Path]) -> list[Result]:
    """Read results.

    Args:
        paths: the folders that `blimpgen verify -o` wrote, or files of rows.

    Raises:
        UsageError: no path, or the same one twice. DataError: a file that is not a result, or holds several models.
    """
    folders = [Path(path) for path in paths]
    if not folders:
        raise UsageError("no result is named; give the folders that `blimpgen verify -o` wrote")
    for path in folders:
        if sum(path.resolve() == other.resolve() for other in folders) > 1:
            raise UsageError(f"{path} is named twice")
    return _labelled([_read(path) for path in folders])


def _read(path: Path) -> Result:
    items = list(read_items(path))
    place = Place(path / ITEMS if path.is_dir() else path)
    models = {(item.model, item.revision) for item in items}
    if not items:
        raise DataError("no row; run `blimpgen verify` to its end", place)
    if len(models) > 1:
        raise DataError(f"rows of {len(models)} models; write each result to a folder of its own", place)
    signature = read_signature(path) if path.is_dir() and (path / SIGNATURE).is_file() else ""
    first = items[0]
    methods: dict[str, Columns] = {m: columns(items, method=m) for m in METHODS if m in _counted(items)}
    if not methods:
        raise DataError("no pair is counted: in each both sentences are the same", place)
    return Result("", path, first.model, first.revision, first.score, signature, methods, _measures(path))


def _measures(path: Path) -> dict[str, dict[str, float]]:
    """What the summary says of normalised scores, macro averages over all paradigms."""
    if not (path.is_dir() and (path / SUMMARY).is_file()):
        return {}
    return {method: of.overall.measures for method, of in read_summary(path).methods.items()}


def _counted(items: Sequence[Item]) -> list[str]:
    return methods_of([item for item in items if item.credit is not None])


def _labelled(results: Sequence[Result]) -> list[Result]:
    """The results with the shortest kind of name that tells all of them apart."""
    kinds = (
        [_short(result) for result in results],
        [_short(result) + (f"@{result.revision}" if result.revision else "") for result in results],
        [result.model + (f"@{result.revision}" if result.revision else "") for result in results],
        [f"{_short(result)} ({result.score})" for result in results],
        [result.source.name for result in results],
        [str(result.source) for result in results],
    )
    names = next((kind for kind in kinds if len(set(kind)) == len(kind)), kinds[-1])
    return [replace(result, label=name) for result, name in zip(results, names, strict=True)]


def _short(result: Result) -> str:
    return Path(result.model.rstrip("/")).name or result.model


def checkpoints(results: Sequence[Result]) -> list[Checkpoints]:
    """The models of which there are several checkpoints."""
    families: dict[tuple[str, str], dict[float, Result]] = defaultdict(dict)
    for result in results:
        if result.stage is not None:
            family, unit, step = result.stage
            families[family, unit][step] = result
    grouped = []
    for (family, unit), of_family in families.items():
        if len(of_family) > 1:
            model, before, after = family.split("\0")
            name = Path(model or (before + after).rstrip("/-_@ ") or "model").name
            grouped.append(Checkpoints(name, unit, dict(sorted(of_family.items()))))
    return grouped


def headline(results: Sequence[Result]) -> str:
    """The method that a report is about: the full sentence, or else the first method that all results have.

    Raises:
        UsageError: no method that all results have.
    """
    shared = [method for method in METHODS if all(method in result.methods for result in results)]
    if not shared:
        raise UsageError("the results have no scoring method in common; report them one by one")
    return shared[0]
