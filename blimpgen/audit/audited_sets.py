"""The audit of whole sets: for every file what guards object to, and what cheap rules score."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from blimpgen.audit.findings import Finding, audit, pair_rows, vocabulary_of
from blimpgen.audit.guards import Vocabulary
from blimpgen.audit.shortcuts import Shares, WordFrequencies, critical_words, shortcuts
from blimpgen.dataset import open_set
from blimpgen.library import Library

__all__ = ["AuditedSet", "audit_sets"]


@dataclass(frozen=True)
class AuditedSet:
    """One paradigm of a data set.

    Attributes:
        uid: the paradigm.
        pairs: how many pairs it has; of sets, comparisons.
        findings: what guards object to, in the order of the pairs.
        shortcuts: rule to score.
        critical: ``good`` and ``bad`` to the spread of the words in which the sentences differ.
    """

    uid: str
    pairs: int
    findings: tuple[Finding, ...]
    shortcuts: dict[str, float]
    critical: dict[str, Shares]

    def to_dict(self) -> dict[str, Any]:
        """The audit as JSON has it; scores and shares to four places."""
        critical = {side: {**asdict(shares), "share": round(shares.share, 4)} for side, shares in self.critical.items()}
        return {
            "UID": self.uid,
            "pairs": self.pairs,
            "shortcuts": {k: round(v, 4) for k, v in self.shortcuts.items()},
            "critical": critical,
            "findings": [asdict(finding) for finding in self.findings],
        }


def audit_sets(
    directory: str | Path, library: Library, *, codes: tuple[str, ...] | None = None, with_shortcuts: bool = True
) -> Iterator[AuditedSet]:
    """Audit every ``*.jsonl`` file of a directory, one after the other, in the order of their names.

    Args:
        directory: the data set.
        library: its lexicon is what words are looked up in.
        codes: run these guards alone.
        with_shortcuts: score the cheap rules too.

    Raises:
        UsageError: no data file there, an unknown code. DataError: a line that is no record, a file that is not as its
            manifest says.
    """
    frequencies: dict[Vocabulary, WordFrequencies] = {}
    for _, records in open_set(directory).read():
        rows = [row for record in records for row in pair_rows(record)]
        findings = tuple(audit(rows, library, codes=codes))
        uid = str(rows[0]["UID"])
        pairs = [(row["sentence_good"], row["sentence_bad"]) for row in rows] if with_shortcuts else []
        vocabulary = vocabulary_of(library, uid)
        if with_shortcuts and vocabulary not in frequencies:
            frequencies[vocabulary] = WordFrequencies(vocabulary)
        scores = shortcuts(pairs, frequencies[vocabulary]) if with_shortcuts else {}
        yield AuditedSet(uid, len(rows), findings, scores, critical_words(pairs))
