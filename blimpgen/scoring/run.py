"""Verifying a data set: score what is not scored yet, and write the files of the result.

While a run is unfinished its folder holds ``signature.txt`` and the rows so far. The same call goes on from there; a
call with another signature is refused. ``items.jsonl`` appears when all rows are there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from blimpgen._version import __version__
from blimpgen.base.errors import DataError, UsageError
from blimpgen.base.files import is_partial, write_chunks
from blimpgen.base.records import Record
from blimpgen.scoring.items import (
    ITEMS,
    METHODS,
    SIGNATURE,
    SUMMARY,
    Item,
    Key,
    Method,
    Summary,
    Ties,
    as_line,
    read_items,
    read_signature,
    write_items,
    write_summary,
)
from blimpgen.scoring.judge import Policy, judge_each, methods_of
from blimpgen.scoring.reading import Comparison, to_comparisons
from blimpgen.scoring.scores import Identity, Scorer, identity_of
from blimpgen.scoring.summary import summarize

__all__ = ["CHUNK", "UNFINISHED", "Done", "Result", "score", "score_all", "signature_of", "verify"]

UNFINISHED = "items.unfinished.jsonl"
CHUNK = 1024
_FIRST = 64

Done = Callable[[int], None]


@dataclass(frozen=True)
class Result:
    """What a run found.

    Attributes:
        items: all rows, in the order of the data.
        summary: their summary.
        skipped: pairs that the scorer could not score.
        resumed: rows that an earlier run had already.
    """

    items: list[Item]
    summary: Summary
    skipped: int
    resumed: int


def signature_of(identity: Identity, policy: Policy, data: str, limit: int | None = None) -> str:
    """The line that says what a result depends on; equal lines mean equal results, up to rounding.

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


def verify(
    comparisons: Sequence[Comparison],
    scorer: Scorer,
    *,
    data: str,
    policy: Policy | None = None,
    output: Path | None = None,
    limit: int | None = None,
    overwrite: bool = False,
    done: Done | None = None,
    chunk: int = CHUNK,
) -> Result:
    """Score all pairs and write the files of the result.

    Args:
        comparisons: the pairs.
        scorer: of sentences.
        data: hash of the data files.
        policy: methods, ties, and so on.
        output: the folder of the result; nothing is written without one.
        limit: records of each paradigm, for the signature.
        overwrite: replace another result in the folder.
        done: called with the number of pairs that have been scored.
        chunk: pairs scored and written at once, at most.

    Raises:
        UsageError: the folder holds something else. DataError: no pair can be scored.
    """
    policy = policy or Policy()
    signature = signature_of(identity_of(scorer), policy, data, limit)
    earlier = _enter(output, signature, overwrite) if output else {}
    found = dict(earlier)
    open_ = [c for c in comparisons if any((c.uid, c.pair_id, m) not in earlier for m in methods_of(c, policy))]
    if done:
        done(len(comparisons) - len(open_))
    for rows in score_all(open_, scorer, policy, chunk=chunk):
        items = [item for _, row in rows for item in row]
        found.update((item.key, item) for item in items)
        if output:
            _append(output, items)
        if done:
            done(len(rows))
    return _end(comparisons, found, policy, signature, identity_of(scorer).model, output, len(earlier))


def score(
    records: Iterable[Record], scorer: Scorer, *, methods: Sequence[Method] = METHODS, ties: Ties = "half"
) -> list[Item]:
    """Score pairs and the comparisons of sets.

    Args:
        records: as `generate` and `read_jsonl` give them.
        scorer: a model such as `causal_lm` gives, or any callable ``list[str] -> list[TokenScores]``.
        methods: whole sentences, and critical words where the records have prefix fields.
        ties: what equal scores count.

    Returns:
        One row a pair and method, in their order.

    Raises:
        DataError: a score that is not a number, prefix fields that are not of their sentences.
    """
    comparisons = [c for record in records for c in to_comparisons(record)]
    rows = dict(row for part in score_all(comparisons, scorer, Policy(tuple(methods), ties)) for row in part)
    return [item for k in range(len(comparisons)) for item in rows[k]]


def score_all(
    comparisons: Sequence[Comparison], scorer: Scorer, policy: Policy, *, chunk: int = CHUNK
) -> Iterator[list[tuple[int, list[Item]]]]:
    """The rows of pairs, some pairs at a time, each with the number of its pair.

    Pairs go in the order of their good sentences, whatever their paradigm, so that those stand together which share
    their beginning. The first chunks are small, so that it shows early how fast it goes and little is lost if it is
    stopped.
    """
    order = sorted(range(len(comparisons)), key=lambda k: comparisons[k].good)
    start, size = 0, min(_FIRST, chunk)
    while start < len(order):
        part = order[start : start + size]
        yield list(zip(part, judge_each([comparisons[k] for k in part], scorer, policy), strict=True))
        start, size = start + size, min(2 * size, chunk)


def _end(
    comparisons: Sequence[Comparison],
    found: dict[Key, Item],
    policy: Policy,
    signature: str,
    model: str,
    output: Path | None,
    resumed: int,
) -> Result:
    keys = [(c, (c.uid, c.pair_id, m)) for c in comparisons for m in methods_of(c, policy)]
    items = [found[key] for _, key in keys if key in found]
    if not items:
        raise DataError(f"no pair can be scored with {', '.join(policy.methods)}; see `blimpgen verify --help`")
    skipped = len({(c.uid, c.pair_id) for c, key in keys if key not in found})
    summary = summarize(items, signature=signature, model=model, ties=policy.ties)
    if output:
        write_items(items, output / ITEMS)
        write_summary(summary, output)
        (output / UNFINISHED).unlink(missing_ok=True)
    return Result(items, summary, skipped, resumed)


def _enter(output: Path, signature: str, overwrite: bool) -> dict[Key, Item]:
    """Make the folder, or find the rows of the run that it holds."""
    if output.exists() and not output.is_dir():
        raise UsageError(f"{output} is a file; name a folder")
    names = {p.name for p in output.iterdir() if not is_partial(p)} if output.exists() else set()
    if SIGNATURE in names:
        if (old := read_signature(output)) == signature:
            return _rows(output)
        if not overwrite:
            raise UsageError(
                f"{output} holds another result ({_changed(old, signature)}); take another folder, or add --overwrite"
            )
    elif names:
        raise UsageError(f"{output} is not empty ({min(names)}); take another folder")
    output.mkdir(parents=True, exist_ok=True)
    for name in (ITEMS, SUMMARY, UNFINISHED):
        (output / name).unlink(missing_ok=True)
    write_chunks(output / SIGNATURE, [f"{signature}\n".encode()])
    return {}


def _changed(old: str, new: str) -> str:
    """Where two signatures differ."""
    now = set(new.split("; "))
    return "; ".join(part for part in old.split("; ") if part not in now) or "an older version"


def _rows(output: Path) -> dict[Key, Item]:
    """The rows that a finished or an unfinished run left; a line that was cut off is removed."""
    if (output / ITEMS).exists():
        return {item.key: item for item in read_items(output)}
    path = output / UNFINISHED
    found: dict[Key, Item] = {}
    if path.exists():
        with suppress(DataError):
            for item in read_items(path):
                found[item.key] = item
        write_items(found.values(), path)
    return found


def _append(output: Path, items: Sequence[Item]) -> None:
    with (output / UNFINISHED).open("ab") as stream:
        stream.writelines([as_line(item) for item in items])
