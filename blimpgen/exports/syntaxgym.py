"""``syntaxgym``: one suite a paradigm, for region-by-region surprisal.

A pair becomes the conditions ``good`` and ``bad`` with the regions prefix, critical and rest. Where the prefixes are
the same, or the critical words, the surprisal of the critical region is compared, otherwise that of the whole sentence.
A design becomes an item with a condition for every sentence. Its own regions and predictions are taken from the
metadata (``generate --metadata``); of a design that has none, every sentence is one region, and its comparisons are
predicted.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import takewhile
from typing import Any, TypeAlias

import orjson

from blimpgen.base.errors import DataError, Place, nearest
from blimpgen.base.records import MinimalPair, Record, SentenceSet
from blimpgen.exports.source import Files, Options, Source

__all__ = ["files"]

# The regions of a sentence: name and content.
Regions: TypeAlias = "Sequence[tuple[str, str]]"

_CONDITION = re.compile(r"[A-Za-z0-9_-]+")
_TERM = re.compile(r"\((\d+|\*);%([^%]*)%\)")
_PREFIXES = ("one_prefix_prefix", "one_prefix_prefix"), ("two_prefix_prefix_good", "two_prefix_prefix_bad")


def files(source: Source, options: Options) -> Files:
    """``UID.json`` for every paradigm.

    Args:
        source, options: as in `Format.files`.

    Raises:
        DataError: a design that was generated without its metadata; regions that do not give the sentence; a prediction
            about a region or condition that is not there.
    """
    for uid, records in source.records.items():
        if source.manifest is not None and isinstance(records[0], SentenceSet) and not records[0].metadata:
            raise DataError(f"{uid} has no regions; generate the set with --metadata", Place(source.path))
        items = [_regions(record) for record in records]
        names = [[name for name, _ in regions] for item in items for regions in item.values()]
        if any(item_names != names[0] for item_names in names) or any(item.keys() != items[0].keys() for item in items):
            raise DataError(
                f"{uid}: its records have different sentences, prefixes or regions; a suite has the same in all items",
                Place(source.path),
            )
        for record, item in zip(records, items, strict=True):
            _check(source, record, item)
        predictions = _predictions(records[0])
        _check_predictions(source, uid, predictions, names[0], items[0])
        suite = {
            "meta": {"name": uid, "metric": "sum", "comment": source.made_by},
            "region_meta": {str(k): name for k, name in enumerate(names[0], start=1)},
            "predictions": [{"type": "formula", "formula": formula} for formula in predictions],
            "items": [_item(number, item) for number, item in enumerate(items, start=1)],
        }
        yield f"{uid}.json", orjson.dumps(suite, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def _item(number: int, item: Mapping[str, Regions]) -> dict[str, Any]:
    return {
        "item_number": number,
        "conditions": [
            {
                "condition_name": name,
                "regions": [
                    {"region_number": k, "content": content} for k, (_, content) in enumerate(regions, start=1)
                ],
            }
            for name, regions in item.items()
        ],
    }


def _regions(record: Record) -> dict[str, Regions]:
    declared = record.metadata.get("regions")
    if declared:
        return {
            name: [(str(region), str(content)) for region, content in regions] for name, regions in declared.items()
        }
    if isinstance(record, SentenceSet):
        return {name: [("sentence", text)] for name, text in record.sentences.items()}
    good, bad = _prefix_lengths(record)
    return {"good": _cut(record.good, good), "bad": _cut(record.bad, bad)}


def _prefix_lengths(pair: MinimalPair) -> tuple[tuple[int, int], tuple[int, int]]:
    """Of both sentences: how many words stand before the critical region, and how many in it."""
    for first, second in _PREFIXES:
        if first in pair.row:
            return (len(pair.row[first].split()), 1), (len(pair.row[second].split()), 1)
    good, bad = pair.good.split(), pair.bad.split()
    start = _common(good, bad)
    end = _common(good[start:][::-1], bad[start:][::-1])
    return (start, len(good) - start - end), (start, len(bad) - start - end)


def _common(a: Sequence[str], b: Sequence[str]) -> int:
    """How many words both begin with."""
    return sum(1 for _ in takewhile(lambda words: words[0] == words[1], zip(a, b, strict=False)))


def _cut(sentence: str, at: tuple[int, int]) -> Regions:
    words, (start, length) = sentence.split(), at
    parts = words[:start], words[start : start + length], words[start + length :]
    return [(name, " ".join(part)) for name, part in zip(("prefix", "critical", "rest"), parts, strict=True)]


def _predictions(record: Record) -> list[str]:
    """What is expected: a larger surprisal on the left."""
    declared: list[str] | None = record.metadata.get("predictions")
    if declared:
        return declared
    if isinstance(record, SentenceSet):
        return [f"(*;%{worse}%) > (*;%{better}%)" for _, better, worse in record.pairs]
    has_prefix = any(first in record.row for first, _ in _PREFIXES)
    if has_prefix and "regions" not in record.metadata:
        return ["(2;%bad%) > (2;%good%)"]
    return ["(*;%bad%) > (*;%good%)"]


def _check(source: Source, record: Record, item: Mapping[str, Regions]) -> None:
    for name, text in record.sentences.items():
        if not _CONDITION.fullmatch(name):
            raise DataError(
                f"{record.uid}: the sentence {name!r} cannot be a condition; names have letters, digits, '_' and '-'",
                Place(source.path),
            )
        if " ".join(content for _, content in item.get(name, ()) if content) != text:
            raise DataError(
                f"{record.uid}: the regions of the sentence {name!r} do not give {text!r}; a mark belongs "
                "to the region of the word before it",
                Place(source.path),
            )


def _check_predictions(
    source: Source, uid: str, predictions: Iterable[str], regions: Sequence[str], conditions: Iterable[str]
) -> None:
    for formula in predictions:
        for region, condition in _TERM.findall(formula):
            if condition not in conditions:
                raise DataError(
                    f"{uid}: the prediction {formula!r} is about {condition!r}; {nearest(condition, conditions)}",
                    Place(source.path),
                )
            if region != "*" and not (len(region) < 5 and 1 <= int(region) <= len(regions)):
                raise DataError(
                    f"{uid}: the prediction {formula[:100]!r} is about region {region[:20]}; there are {len(regions)}",
                    Place(source.path),
                )
