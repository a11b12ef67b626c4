"""The audit of whole sets: for every file what guards object to, and what cheap rules score."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from blimpgen.audit.findings import Auditor, Finding, pair_rows, vocabulary_of
from blimpgen.audit.guards import Severity, Vocabulary
from blimpgen.audit.guards.tokens import Places
from blimpgen.audit.proofs import prove
from blimpgen.audit.shortcuts import Shares, WordFrequencies, critical_words, shortcuts
from blimpgen.base.errors import BlimpgenError
from blimpgen.base.garbage import uncollected
from blimpgen.base.records import Row
from blimpgen.dataset import open_set
from blimpgen.dataset.reading import check_numbers, read_file
from blimpgen.dataset.workers import spread_in_order
from blimpgen.library import Library

__all__ = ["PROOF_CODES", "AuditedSet", "audit_rows", "audit_sets"]

PROOF_CODES = {
    "good not derived": ("good-not-derived", "The grammar does not derive the good sentence"),
    "bad derived": ("bad-derived", "The grammar derives the bad sentence"),
    "unknown words": ("unknown-words", "The lexicon does not have all words"),
}
"""Outcome of a proof to the code under which an audit reports it, and its meaning."""


_MAY_BE_CONTRAST = {"tense-differs": ("bad-agrees",), "auxiliary-differs": (), "polarity-differs": ()}
"""Guards whose finding may be what a paradigm is about, to others that then find nothing of their own."""

_CONTRAST = 0.95
"""In how many of the pairs it is."""

_FEWEST = 20
"""Pairs below which nothing is taken for the contrast."""


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

    def without_remarks(self) -> AuditedSet:
        """The same without the findings that are no errors."""
        return replace(self, findings=tuple(f for f in self.findings if f.severity != Severity.REMARK))

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
    directory: str | Path,
    library: Library,
    *,
    codes: tuple[str, ...] | None = None,
    with_shortcuts: bool = True,
    with_proofs: bool = False,
    jobs: int = 1,
) -> Iterator[AuditedSet]:
    """Audit every ``*.jsonl`` file of a directory, in the order of their names.

    Args:
        directory: the data set.
        library: its lexicon is what words are looked up in.
        codes: run these guards alone.
        with_shortcuts: score the cheap rules too.
        with_proofs: say also what the grammar does not prove: a good sentence that it does not derive has a wrong
            label, the rest are remarks.
        jobs: processes; what comes out is the same.

    Raises:
        UsageError: no data file there, an unknown code. DataError: a line that is no record, a file that is not as its
            manifest says.
    """
    data = open_set(directory)
    files, audit_file = data.files, _Audit(library, codes, with_shortcuts, data.declared)
    unproven = _unproven(directory, library, jobs) if with_proofs else {}
    seen: dict[tuple[str, str], Path] = {}
    for path, audited in zip(files, spread_in_order(audit_file, files, jobs), strict=True):
        if isinstance(audited, BlimpgenError):
            raise audited
        numbers, one = audited
        check_numbers(numbers, path, seen)
        yield replace(one, findings=(*one.findings, *unproven.get(one.uid, ())))


@dataclass(frozen=True)
class _Audit:
    """Audits files; another process that does not inherit the library reads it again."""

    library: Library = field(repr=False)
    codes: tuple[str, ...] | None
    with_shortcuts: bool
    declared: Mapping[str, Collection[str]]
    _frequencies: dict[Vocabulary, WordFrequencies] = field(default_factory=dict, repr=False)

    def __reduce__(self) -> tuple[object, ...]:
        return _audit, (self.library.folders, self.library.profile, self.codes, self.with_shortcuts, self.declared)

    def __call__(self, path: Path) -> tuple[list[tuple[str, str]], AuditedSet] | BlimpgenError:
        """Audit a file; with the numbers of its records. What the user is to mend comes out, it is not raised."""
        try:
            with uncollected():
                records = read_file(path)
                rows = [row for record in records for row in pair_rows(record)]
                known = self._frequencies if self.with_shortcuts else None
                audited = audit_rows(rows, self.library, codes=self.codes, frequencies=known, declared=self.declared)
        except BlimpgenError as error:
            return error
        return [(record.uid, record.id) for record in records], audited


def _audit(
    folders: Sequence[Path],
    profile: str | None,
    codes: tuple[str, ...] | None,
    with_shortcuts: bool,
    declared: Mapping[str, Collection[str]],
) -> _Audit:
    return _Audit(Library(folders, profile), codes, with_shortcuts, declared)


def audit_rows(
    rows: Sequence[Row],
    library: Library,
    *,
    codes: tuple[str, ...] | None = None,
    frequencies: dict[Vocabulary, WordFrequencies] | None = None,
    declared: Mapping[str, Collection[str]] = MappingProxyType({}),
) -> AuditedSet:
    """Audit the pairs of one paradigm.

    Args:
        rows: at least one pair.
        library: its lexicon is what words are looked up in.
        codes: run these guards alone.
        frequencies: of the vocabularies that were met already; None if no cheap rules are to be scored.
        declared: as in `audit`.
    """
    uid = str(rows[0]["UID"])
    found, places = list[Finding](), list[tuple[Places, Places]]()
    vocabulary = vocabulary_of(library, uid)
    for case, of_pair in Auditor(library, codes, declared).run(rows):
        found.extend(of_pair)
        if frequencies is not None and case.vocabulary is vocabulary:
            places.append(case.places)
    findings = tuple(_without_contrast(found, len(rows)))
    if frequencies is None:
        return AuditedSet(uid, len(rows), findings, {}, critical_words([]))
    pairs = [(row["sentence_good"], row["sentence_bad"]) for row in rows]
    if vocabulary not in frequencies:
        frequencies[vocabulary] = WordFrequencies(vocabulary)
    scores = shortcuts(pairs, frequencies[vocabulary], places if len(places) == len(pairs) else None)
    return AuditedSet(uid, len(rows), findings, scores, critical_words(pairs))


def _without_contrast(findings: Sequence[Finding], pairs: int) -> Iterator[Finding]:
    """Leave out findings that nearly all pairs of a paradigm have, since they are what it is about; one remark stays.

    A set about tenses has other tenses in all its pairs; in one about agreement it is a slip of some of them.
    """
    counts = Counter(finding.code for finding in findings)
    contrasts = {code for code in _MAY_BE_CONTRAST if counts[code] >= max(_CONTRAST * pairs, _FEWEST)}
    covered = contrasts.union(*(_MAY_BE_CONTRAST[code] for code in contrasts))
    told = set[str]()
    for finding in findings:
        if finding.code not in covered:
            yield finding
        elif finding.code in contrasts - told:
            told.add(finding.code)
            share = f"{counts[finding.code]:,} of {pairs:,} pairs, so that it is taken for the contrast"
            yield replace(finding, message=f"{finding.message} (in {share})", severity=Severity.REMARK)


def _unproven(directory: str | Path, library: Library, jobs: int) -> dict[str, list[Finding]]:
    """What the grammar does not prove, by UID; a paradigm whose labels do not rest on it is left out."""
    findings: dict[str, list[Finding]] = {}
    for proof in prove(directory, library, jobs):
        if proof.outcome in PROOF_CODES and not proof.declared:
            code, meaning = PROOF_CODES[proof.outcome]
            reasons = "; ".join((*proof.unknown, *proof.clashes, *proof.rests_on)) or proof.tree
            message = f"{meaning}: {reasons}" if reasons else meaning
            severity = Severity.WRONG if proof.outcome == "good not derived" else Severity.REMARK
            findings.setdefault(proof.uid, []).append(Finding(code, proof.uid, proof.pair_id, message, severity))
    return findings
