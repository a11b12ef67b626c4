"""`blimpgen judgements`: what people say of a set."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

from blimpgen.base.errors import UsageError
from blimpgen.cli.options import AsJson, argument, grouped, message, option, write_json, write_lines

if TYPE_CHECKING:
    from blimpgen.analysis.intervals import Interval
    from blimpgen.analysis.judgements import Judgements

__all__ = ["judgements"]

Unit: TypeAlias = Literal["assignment", "worker"]


@dataclass(frozen=True)
class Rule:
    """The options that say which answers count, and which paradigms hold."""

    keep: Annotated[str, option("--keep", "Keep a paradigm if a majority agrees with K of N of its pairs.", "K/N")] = (
        "4/5"
    )
    may_fail: Annotated[int, option("--may-fail", "Attention checks that an assignment may fail.", min=0)] = 0
    exclude: Annotated[Unit, option("--exclude", "What failed checks exclude.")] = "assignment"
    leave_out: Annotated[
        list[str] | None, option("--leave-out", "A filler, not to be judged; may be repeated.", "UID")
    ] = None

    def majority(self) -> tuple[int, int]:
        """K and N of --keep; a `UsageError` if it is written otherwise."""
        match = re.fullmatch(r"(\d{1,9})/(\d{1,9})", self.keep)
        if match is None:
            raise UsageError(f"--keep {self.keep!r}: expected K/N, such as 4/5")
        return int(match[1]), int(match[2])


@grouped
def judgements(
    *,
    files: Annotated[
        list[Path],
        argument(
            "FILE",
            "Answers: of the jsPsych page, of PCIbex, of a batch on Mechanical Turk, or any table with "
            "one answer a row.",
        ),
    ],
    rule: Rule,
    key: Annotated[
        Path | None, option("--key", "The key.csv of the lists, where the answers don't say what was shown.", "KEY")
    ] = None,
    pairs: Annotated[bool, option("--pairs", "Print pairs, not paradigms.")] = False,
    as_json: AsJson = False,
) -> None:
    """Read forced-choice answers: how far people agree with the labels, and which paradigms hold.

    Example: blimpgen judgements answers-*.csv --key lists/key.csv
    """
    from blimpgen.analysis.judgements import judge
    from blimpgen.exports.answers import fillers, read_answers, read_key

    majority = rule.majority()
    trials = read_key(key) if key is not None else None
    answers = [answer for file in files for answer in read_answers(file, trials)]
    out = fillers(answers, majority[1], rule.leave_out or ())
    judged = judge(answers, leave_out=out, exclude=rule.exclude, may_fail=rule.may_fail, keep=majority)
    if as_json:
        write_json(_judged(judged))
    else:
        write_lines(_pair_lines(judged) if pairs else _paradigm_lines(judged))
    for reason, count in judged.excluded.items():
        message(f"excluded, {reason}: {count:,} answers" + (f" ({', '.join(out)})" if reason == "left out" else ""))


def _paradigm_lines(judged: Judgements) -> Iterator[str]:
    from blimpgen.dataset.row_lines import spreadsheet_text

    names = {uid: spreadsheet_text(uid) for uid in judged.paradigms}
    width = max(map(len, names.values()))
    yield f"{'paradigm':{width}}  pairs  answers  individual             majority               kept"
    for uid, p in judged.paradigms.items():
        yield (
            f"{names[uid]:{width}}  {p.pairs:>5}  {p.judgements:>7}  {_share(p.individual, p.individual_interval)}  "
            f"{_share(p.majority, p.majority_interval)}  {'yes' if p.retained else 'no'}"
        )
    if judged.retained:
        yield (
            f"{f'{len(judged.retained)} kept':{width}}  {'':5}  {'':7}  "
            f"{_share(judged.individual, judged.individual_interval)}  "
            f"{_share(judged.majority, judged.majority_interval)}"
        )
    else:
        yield "none kept"


def _pair_lines(judged: Judgements) -> Iterator[str]:
    from blimpgen.dataset.row_lines import spreadsheet_text

    names = {uid: spreadsheet_text(uid) for uid in judged.paradigms}
    width = max(map(len, names.values()))
    for pair in judged.pairs:
        yield (
            f"{names[pair.uid]:{width}}  {_share(pair.share, pair.interval())}  "
            f"{pair.agreeing:>3} of {pair.judgements:<3}  {'yes' if pair.accepted else 'no ':3}  "
            f"{spreadsheet_text(pair.pair_id)}"
        )


def _share(share: float, interval: Interval) -> str:
    """A share of 1 with its interval."""
    return f"{share:.6f} [{interval.low:.3f}, {interval.high:.3f}]"


def _judged(judged: Judgements) -> dict[str, Any]:
    """What is printed as JSON."""
    return {
        "individual": judged.individual,
        "individual_interval": [*judged.individual_interval],
        "majority": judged.majority,
        "majority_interval": [*judged.majority_interval],
        "kept": judged.retained,
        "dropped": judged.dropped,
        "excluded": judged.excluded,
        "paradigms": [
            {
                "UID": uid,
                "pairs": p.pairs,
                "judgements": p.judgements,
                "individual": p.individual,
                "individual_interval": [*p.individual_interval],
                "accepted": p.accepted,
                "majority": p.majority,
                "majority_interval": [*p.majority_interval],
                "kept": p.retained,
            }
            for uid, p in judged.paradigms.items()
        ],
        "pairs": [
            {
                "UID": p.uid,
                "pair_id": p.pair_id,
                "judgements": p.judgements,
                "agreeing": p.agreeing,
                "share": p.share,
                "interval": [*p.interval()],
                "accepted": p.accepted,
            }
            for p in judged.pairs
        ],
    }
