"""Verifying a data set: score what is not scored yet, and write the files of the result.

While a run is unfinished its folder holds ``signature.txt`` and the rows so far. The same call goes on from there; a
call with another signature is refused. ``items.jsonl`` and then ``summary.json`` appear when all rows are there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from blimpgen.analysis.results import (
    ITEMS,
    METHODS,
    SIGNATURE,
    SUMMARY,
    Item,
    LeftOut,
    Method,
    Summary,
    Ties,
    read_items,
    read_signature,
    read_summary,
    write_items,
    write_summary,
)
from blimpgen.analysis.summary import summarize
from blimpgen.base.errors import DataError, UsageError
from blimpgen.base.files import is_partial, write_chunks
from blimpgen.base.locks import LOCK, locked_folder
from blimpgen.base.records import Record
from blimpgen.base.version import __version__
from blimpgen.scoring.journal import UNFINISHED, Journal
from blimpgen.scoring.judge import Policy, judge_each, methods_of
from blimpgen.scoring.reading import Comparison, to_comparisons
from blimpgen.scoring.scores import Identity, Scorer, Unscored, identity_of

__all__ = ["CHUNK", "Done", "Result", "score", "score_all", "signature_of", "verify"]

CHUNK = 1024
_FIRST = 64

Done = Callable[[int], None]


@dataclass(frozen=True)
class Result:
    """What a run found.

    Attributes:
        items: all rows, in the order of the data.
        summary: their summary, with the pairs that could not be scored.
        resumed: rows that an earlier run had already.
    """

    items: list[Item]
    summary: Summary
    resumed: int


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
        UsageError: the folder holds something else, or another run is writing into it. DataError: no pair can be
            scored; what an earlier run left is damaged.
    """
    policy = policy or Policy()
    signature = signature_of(identity_of(scorer), policy, data, limit)
    if output is None:
        return _run(comparisons, scorer, policy, signature, None, done or _ignore, chunk)
    with locked_folder(output):
        _enter(output, signature, overwrite)
        if (output / SUMMARY).exists():
            return _finished(output, policy, len(comparisons), done or _ignore)
        return _run(comparisons, scorer, policy, signature, output, done or _ignore, chunk)


def _ignore(_pairs: int) -> None:
    """Tell nobody how far it is."""


def _run(
    comparisons: Sequence[Comparison],
    scorer: Scorer,
    policy: Policy,
    signature: str,
    output: Path | None,
    done: Done,
    chunk: int,
) -> Result:
    """Score what has no rows yet, and write the result."""
    journal = Journal(output) if output else None
    rows = journal.read() if journal else {}
    resumed = len(rows)
    reasons: dict[tuple[str, str], str] = {}
    rest = [c for c in comparisons if any((*c.key, m) not in rows for m in methods_of(c, policy))]
    done(len(comparisons) - len(rest))
    for part in score_all(rest, scorer, policy, chunk=chunk):
        items = [item for _, each in part if not isinstance(each, Unscored) for item in each]
        if journal:
            journal.append(items)
        rows.update((item.key, item) for item in items)
        reasons |= {rest[k].key: each.reason for k, each in part if isinstance(each, Unscored)}
        done(len(part))
    ordered = [rows[key] for c in comparisons for m in methods_of(c, policy) if (key := (*c.key, m)) in rows]
    unscored = [LeftOut(UID=c.uid, pair_id=c.pair_id, reason=reasons[c.key]) for c in comparisons if c.key in reasons]
    if not ordered:
        why = f": {unscored[0].reason}" if unscored else f" with {', '.join(policy.methods)}"
        raise DataError(f"no pair can be scored{why}; see `blimpgen verify --help`")
    sha256 = write_items(ordered, output / ITEMS) if output else ""
    model = identity_of(scorer).model
    summary = summarize(ordered, signature=signature, model=model, ties=policy.ties, unscored=unscored, sha256=sha256)
    if output and journal:
        write_summary(summary, output)
        journal.remove()
    return Result(ordered, summary, resumed)


def _finished(output: Path, policy: Policy, pairs: int, done: Done) -> Result:
    """Read the result of a run that came to its end."""
    items, summary = list(read_items(output)), read_summary(output)
    if policy.strict and summary.unscored:
        first = summary.unscored[0]
        raise DataError(f"{first.UID}, pair {first.pair_id}: {first.reason}")
    Journal(output).remove()
    done(pairs)
    return Result(items, summary, len(items))


def score(
    records: Iterable[Record],
    scorer: Scorer,
    *,
    methods: Sequence[Method] = METHODS,
    ties: Ties = "half",
    strict: bool = True,
) -> list[Item]:
    """Score pairs and the comparisons of sets.

    Args:
        records: as `generate` and `read_jsonl` give them.
        scorer: a model such as `causal_lm` gives, or any callable ``list[str] -> list[TokenScores]``.
        methods: whole sentences, and critical words where the records have prefix fields.
        ties: what equal scores count.
        strict: a pair that cannot be scored is an error; otherwise it has no row.

    Returns:
        One row a pair and method, in their order.

    Raises:
        DataError: a pair that cannot be scored, prefix fields that are not of their sentences.
    """
    comparisons = [c for record in records for c in to_comparisons(record)]
    policy = Policy(tuple(methods), ties, strict=strict)
    rows = dict(row for part in score_all(comparisons, scorer, policy) for row in part)
    return [item for k in range(len(comparisons)) if not isinstance(each := rows[k], Unscored) for item in each]


def score_all(
    comparisons: Sequence[Comparison], scorer: Scorer, policy: Policy, *, chunk: int = CHUNK
) -> Iterator[list[tuple[int, list[Item] | Unscored]]]:
    """Score pairs, some at a time, and return their rows, or why they have none, with the number of each pair.

    Pairs go in the order of their good sentences, whatever their paradigm, so that those stand together which share
    their beginning. The first chunks are small, so that it shows early how fast it goes and little is lost if it is
    stopped.

    Args:
        comparisons: the pairs.
        scorer: of sentences.
        policy: methods, ties, and so on.
        chunk: pairs at a time, at most.
    """
    order = sorted(range(len(comparisons)), key=lambda k: comparisons[k].good)
    start, size = 0, min(_FIRST, chunk)
    while start < len(order):
        part = order[start : start + size]
        yield list(zip(part, judge_each([comparisons[k] for k in part], scorer, policy), strict=True))
        start, size = start + size, min(2 * size, chunk)


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


def _is_sound(output: Path) -> bool:
    """Whether the rows of an earlier run can be built upon."""
    try:
        if (output / SUMMARY).exists():
            return bool(list(read_items(output)))
        Journal(output).read()
    except DataError:
        return False
    return True


def _changed(old: str, new: str) -> str:
    """Where two signatures differ."""
    now = set(new.split("; "))
    return "; ".join(part for part in old.split("; ") if part not in now) or "an older version"
