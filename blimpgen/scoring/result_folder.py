"""The result of one model on one set: rows come in, in any order, and are written by one writer.

While a run is unfinished its folder holds ``signature.txt`` and the rows so far. The same call goes on from there; a
call with another signature is refused. ``items.jsonl`` and then ``summary.json`` appear when all rows are there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import orjson
from pydantic import ValidationError

from blimpgen.analysis.results import (
    ITEMS,
    SIGNATURE,
    SUMMARY,
    Item,
    LeftOut,
    Summary,
    as_line,
    item_of,
    read_items,
    read_signature,
    read_summary,
    write_items,
    write_summary,
)
from blimpgen.analysis.summary import summarize
from blimpgen.base.errors import DataError, Place, UsageError
from blimpgen.base.files import is_partial, remove_partials, write_chunks
from blimpgen.base.locks import LOCK, locked_folder
from blimpgen.base.version import __version__
from blimpgen.scoring.forward import Way
from blimpgen.scoring.judge import Policy, Rows, methods_of
from blimpgen.scoring.partial_results import PartialResults
from blimpgen.scoring.reading import Comparison
from blimpgen.scoring.scores import Identity, Unscored

__all__ = ["UNFINISHED", "Result", "ResultWriter", "open_result", "signature_of"]

UNFINISHED = "items.unfinished.jsonl"
_REASON = b'{"reason":'


@dataclass(frozen=True)
class Result:
    """What a run found.

    Attributes:
        items: all rows, in the order of the data.
        summary: their summary, with the pairs that could not be scored.
        resumed: rows that an earlier run had already.
        way: how a causal model was computed; None of other models, and of a result that was there already.
    """

    items: list[Item]
    summary: Summary
    resumed: int
    way: Way | None = None


def signature_of(identity: Identity, policy: Policy, data: str, limit: int | None = None) -> str:
    """Return the line that says what a result depends on; equal lines mean equal results, up to rounding.

    Args:
        identity: what the scorer says of itself.
        policy: what is asked of every pair.
        data: hash of the data files.
        limit: records of each paradigm.
    """
    parts = {
        "model": identity.model,
        "revision": identity.revision,
        "family": identity.family,
        "dtype": identity.dtype,
        "score": identity.score,
        "methods": ",".join(policy.methods),
        "bos": identity.bos,
        "eos": identity.eos,
        "ties": policy.ties,
        "word-correction": "yes" if policy.leading_space else "no",
        "unigrams": policy.unigrams.name if policy.unigrams else "no",
        "limit": limit,
        "data": data[:16],
        "blimpgen": __version__,
        **identity.versions,
    }
    return "; ".join(f"{key}: {'-' if value is None else value}" for key, value in parts.items())


@contextmanager
def open_result(
    comparisons: Sequence[Comparison],
    policy: Policy,
    *,
    signature: str,
    model: str,
    output: Path | None = None,
    overwrite: bool = False,
) -> Iterator[ResultWriter]:
    """Open the folder of a result, so that no other run writes into it.

    Args:
        comparisons: all pairs of the set.
        policy: what is asked of every pair.
        signature: what the result depends on.
        model: its name.
        output: the folder; nothing is written without one.
        overwrite: replace another result in the folder.

    Raises:
        UsageError: the folder holds something else, or another run is writing into it. DataError: what an earlier run
            left is damaged.
    """
    if output is None:
        yield ResultWriter(comparisons, policy, signature, model, None)
        return
    with locked_folder(output):
        _enter(output, signature, overwrite)
        remove_partials(output, (SIGNATURE, ITEMS, SUMMARY))
        yield ResultWriter(comparisons, policy, signature, model, output)


class ResultWriter:
    """The rows of a result so far; each part that comes in is kept at once, and all are written at the end.

    Args:
        comparisons, policy, signature, model, output: as of `open_result`, which locks the folder.

    Attributes:
        finished: the result that was there already.
    """

    def __init__(
        self, comparisons: Sequence[Comparison], policy: Policy, signature: str, model: str, output: Path | None
    ) -> None:
        self._comparisons, self._policy, self._output = comparisons, policy, output
        self._signature, self._model = signature, model
        self._partial = _partial_results(output) if output else None
        self._items: dict[tuple[str, str, str], Item] = {}
        self._left_out: dict[tuple[str, str], LeftOut] = {}
        self.finished = self._result_that_is_there()
        if not self.finished and self._partial:
            self._note(self._partial.read())
        self._resumed = len(self._items)
        self._way: Way | None = None

    def _result_that_is_there(self) -> Result | None:
        if not (self._output and (self._output / SUMMARY).exists()):
            return None
        items, summary = list(read_items(self._output)), read_summary(self._output)
        self._check(summary.unscored)
        _partial_results(self._output).remove()
        return Result(items, summary, len(items))

    def _check(self, unscored: Iterable[LeftOut]) -> None:
        """Refuse pairs that could not be scored, if that is an error."""
        for pair in unscored:
            if self._policy.strict:
                raise DataError(f"{pair.UID}, pair {pair.pair_id}: {pair.reason}")

    def _note(self, rows: Iterable[Item | LeftOut]) -> None:
        for row in rows:
            if isinstance(row, Item):
                self._items[row.key] = row
            else:
                self._check([row])
                self._left_out[row.UID, row.pair_id] = row

    def has(self, comparison: Comparison) -> bool:
        """Whether a pair has all its rows, or a reason why it has none."""
        methods = methods_of(comparison, self._policy)
        return comparison.key in self._left_out or all((*comparison.key, method) in self._items for method in methods)

    def add(self, comparisons: Sequence[Comparison], rows: Rows, way: Way | None = None) -> None:
        """Add the rows of some pairs; a run that is killed has all of them or none.

        Args:
            comparisons: the pairs.
            rows: of each pair, or why it has none.
            way: how the model was computed.
        """
        flat: list[Item | LeftOut] = []
        for comparison, of_pair in zip(comparisons, rows, strict=True):
            if isinstance(of_pair, Unscored):
                flat.append(LeftOut(UID=comparison.uid, pair_id=comparison.pair_id, reason=of_pair.reason))
            else:
                flat += of_pair
        self._note(flat)
        if self._partial:
            self._partial.append(flat)
        self._way = way

    def finish(self) -> Result:
        """Write the result; all rows are there.

        Raises:
            DataError: no pair could be scored.
        """
        comparisons, policy = self._comparisons, self._policy
        ordered = [
            self._items[key] for c in comparisons for m in methods_of(c, policy) if (key := (*c.key, m)) in self._items
        ]
        unscored = [self._left_out[c.key] for c in comparisons if c.key in self._left_out]
        if not ordered:
            why = f": {unscored[0].reason}" if unscored else f" with {', '.join(policy.methods)}"
            if self._output and self._partial:
                self._partial.remove()
                (self._output / SIGNATURE).unlink()
            raise DataError(f"no pair can be scored{why}; see `blimpgen verify --help`")
        sha256 = write_items(ordered, self._output / ITEMS) if self._output else ""
        summary = summarize(
            ordered, signature=self._signature, model=self._model, ties=policy.ties, unscored=unscored, sha256=sha256
        )
        if self._output and self._partial:
            write_summary(summary, self._output)
            self._partial.remove()
        return Result(ordered, summary, self._resumed, self._way)


def _enter(output: Path, signature: str, overwrite: bool) -> None:
    """Prepare the folder: leave what the same call has left, or make room.

    Raises:
        UsageError: it holds something else. DataError: what the same call has left is damaged.
    """
    names = {p.name for p in output.iterdir() if not is_partial(p) and p.name != LOCK}
    if SIGNATURE in names:
        if (old := read_signature(output)) == signature:
            if not overwrite or _is_sound(output):
                return
        elif not overwrite:
            raise UsageError(
                f"{output} holds another result ({_changed(old, signature)}); take another folder, or add --overwrite"
            )
    elif names:
        raise UsageError(f"{output} is not empty ({min(names)}); take another folder")
    # The summary first: at no time does it stand beside rows that it does not describe.
    for name in (SUMMARY, ITEMS, UNFINISHED):
        (output / name).unlink(missing_ok=True)
    write_chunks(output / SIGNATURE, [f"{signature}\n".encode()])


def _partial_results(output: Path) -> PartialResults[Item | LeftOut]:
    """The rows of a result that is not finished."""
    return PartialResults(output / UNFINISHED, _unfinished_line, _unfinished_row)


def _unfinished_line(row: Item | LeftOut) -> bytes:
    if isinstance(row, Item):
        return as_line(row)
    fields = {"reason": row.reason, "UID": row.UID, "pair_id": row.pair_id}
    return orjson.dumps(fields, option=orjson.OPT_APPEND_NEWLINE)


def _unfinished_row(line: bytes, place: Place) -> Item | LeftOut:
    if not line.startswith(_REASON):
        return item_of(line, place)
    try:
        return LeftOut.model_validate_json(line)
    except ValidationError as error:
        raise DataError(f"not a pair that is left out: {error.errors()[0]['msg']}", place, "record") from None


def _is_sound(output: Path) -> bool:
    """Whether the rows of an earlier run can be built upon."""
    try:
        if (output / SUMMARY).exists():
            return bool(list(read_items(output)))
        _partial_results(output).read()
    except DataError:
        return False
    return True


def _changed(old: str, new: str) -> str:
    """Where two signatures differ."""
    now = set(new.split("; "))
    return "; ".join(part for part in old.split("; ") if part not in now) or "an older version"
