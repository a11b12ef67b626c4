"""Running guards over records or over a directory of data files, ours or a release."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from itertools import islice
from operator import or_
from pathlib import Path
from types import MappingProxyType

from blimpgen.audit.guards import ALWAYS, Case, Guard, Objection, Severity, Vocabulary, guards
from blimpgen.audit.guards.case import Test
from blimpgen.base.records import Record, Row, SentenceSet
from blimpgen.dataset import open_set
from blimpgen.library import Library
from blimpgen.paradigm import Paradigm

__all__ = ["Auditor", "Finding", "audit", "audit_directory", "pair_rows", "vocabulary_of"]

_VOCABULARIES = 8  # of the libraries of suites, and of variants


_ENGLISH = "en"


@dataclass(frozen=True)
class Finding:
    """What a guard objects to in a pair.

    Attributes:
        code: the guard.
        uid: the paradigm.
        pair_id: number of the pair in its set.
        message: what is wrong, and in which words.
        severity: what it means for whoever uses the label; one of `Severity`.
    """

    code: str
    uid: str
    pair_id: str
    message: str
    severity: Severity


def audit(
    records: Iterable[Record | Row],
    library: Library,
    *,
    codes: tuple[str, ...] | None = None,
    declared: Mapping[str, Collection[str]] = MappingProxyType({}),
) -> list[Finding]:
    """Run the guards over records.

    Args:
        records: pairs, sets (one case a comparison), or rows with the keys of the BLiMP release.
        library: its lexicon is what the guards look words up in.
        codes: run these guards alone, on the records that they are about.
        declared: UID to the keys of the paradigm that the records were made with: *derivable*, and *length* where the
            library does not have it.

    Raises:
        UsageError: an unknown code, here or among the `guards` of a paradigm.
    """
    rows = (row for record in records for row in pair_rows(record))
    return [finding for _, findings in Auditor(library, codes, declared).run(rows) for finding in findings]


def audit_directory(directory: str | Path, library: Library, *, codes: tuple[str, ...] | None = None) -> list[Finding]:
    """Run the guards over all ``*.jsonl`` files of a directory, in the order of their names.

    Args:
        directory: the folder; what lies in folders below it is not read.
        library: its lexicon is what the guards look words up in.
        codes: run these guards alone, on the records that they are about.

    Raises:
        UsageError: no data file there. DataError: a line that is no record, a file that is not as its manifest says.
    """
    data = open_set(directory)
    records = (record for _, of_file in data.read() for record in of_file)
    return audit(records, library, codes=codes, declared=data.declared)


def pair_rows(record: Record | Row) -> Sequence[Row]:
    """The pairs of a record or row: itself, or of a set one a comparison."""
    if not isinstance(record, Mapping):
        return record.to_pairs()
    if "sentences" in record:
        return SentenceSet({"condition": "", "field": "", "linguistics_term": "", **record}).to_pairs()
    return [record]


class _Guards:
    """Guards by what they need and by their scopes, so that few are run on a pair.

    Args:
        guards: all of them.
        phrases: whether phrases are found in the sentences; else what a guard needs is not known.
    """

    def __init__(self, guards: tuple[Guard, ...], phrases: bool) -> None:
        self.phrases = phrases
        self._needs = [(guard, guard.needs, guard.scope.needs, guard.scope.change) for guard in guards]
        self._asked: int = reduce(or_, (a | b | c for _, a, b, c in self._needs), ALWAYS)
        self._scopes: dict[int, tuple[list[Guard], tuple[Test, ...]]] = {}
        self._about: dict[tuple[int, tuple[bool, ...]], tuple[Guard, ...]] = {}

    def about(self, case: Case) -> tuple[Guard, ...]:
        """The guards that may find something in a pair, in their order."""
        marks = case.marks & self._asked if self.phrases else self._asked
        known = self._scopes.get(marks)
        if known is None:
            some = [guard for guard, a, b, c in self._needs if a & marks and b & marks and c & marks]
            known = self._scopes[marks] = some, tuple(dict.fromkeys(guard.scope.test for guard in some))
        some, tests = known
        held = tuple([case.once(test) for test in tests])
        found = self._about.get((marks, held))
        if found is None:
            holding = {test for test, holds in zip(tests, held, strict=True) if holds}
            found = self._about[marks, held] = tuple(guard for guard in some if guard.scope.test in holding)
        return found


@lru_cache(maxsize=_VOCABULARIES)
def _guards(codes: tuple[str, ...] | None, english: bool) -> _Guards:
    """All guards, or those with the given codes, that know the language of the sentences."""
    return _Guards(tuple(guard for guard in guards(codes) if english or guard.any_language), english)


@dataclass(frozen=True)
class _Declared:
    """What a paradigm says that concerns guards, if the library has it.

    Attributes:
        vocabulary: the words that it is made with.
        guards: those that know its language.
        free_length: whether its sentences may differ in length.
        changes_auxiliary: whether they have different auxiliaries.
        derivable: whether the labels of the records rest on what the grammar, and so the guards, do not know.
    """

    vocabulary: Vocabulary
    guards: _Guards
    free_length: bool
    changes_auxiliary: bool
    derivable: bool


_AUXILIARIES = ("Aux", "Cop")
_STEPS = ("split", "places", "good", "bad", "marks")
"""What is worked out of a pair before guards are chosen."""
_AT_ONCE = 64
"""For how many pairs a step is done before the next."""


class Auditor:
    """Runs the guards over pairs.

    Args:
        library, codes, declared: as in `audit`.
    """

    def __init__(
        self, library: Library, codes: tuple[str, ...] | None, declared: Mapping[str, Collection[str]]
    ) -> None:
        self.library, self._keys = library, declared
        self._guards = {english: _guards(codes, english) for english in (True, False)}
        self.uids = frozenset(library.uids())
        self.declared = lru_cache(maxsize=None)(self._declared)

    def run(self, rows: Iterable[Row]) -> Iterator[tuple[Case, list[Finding]]]:
        """The pairs of rows, each with what guards object to.

        Each step is done for some pairs before the next is: so code stays in the caches of the processor, which saves a
        fifth of the time.
        """
        rows = iter(rows)
        while some := [*map(self._case, islice(rows, _AT_ONCE))]:
            with_phrases = [case for case in some if self.declared(case.uid).guards.phrases]
            for step in _STEPS:
                for case in with_phrases:
                    getattr(case, step)
            about = [self.declared(case.uid).guards.about(case) for case in some]
            for case, chosen in zip(some, about, strict=True):
                yield case, [*self._findings(case, chosen)]

    def _case(self, row: Row) -> Case:
        declared, texts = self.declared(str(row["UID"])), (row["sentence_good"], row["sentence_bad"])
        free, changes = declared.free_length, declared.changes_auxiliary
        return Case(str(row["UID"]), str(row["pairID"]), *texts, row, declared.vocabulary, free, changes)

    def _findings(self, case: Case, about: Iterable[Guard]) -> Iterator[Finding]:
        for guard in about:
            found = guard.find(case)
            first = next(found, None)
            if first is not None:
                declared = self.declared(case.uid)
                details = tuple(dict.fromkeys((first, *found)))
                severity = min((_severity(guard, detail) for detail in details), key=lambda severity: severity.rank)
                message = f"{guard.message.rstrip('.')}: {'; '.join(details)}"
                if declared.derivable and severity is Severity.WRONG:
                    severity, message = Severity.REMARK, f"{message} (the paradigm says derivable)"
                yield Finding(guard.code, case.uid, case.pair_id, message, severity)

    def _declared(self, uid: str) -> _Declared:
        paradigm = self.library.paradigm(uid) if uid in self.uids else None
        keys = self._keys.get(uid, ())
        free = "length" in keys if paradigm is None else paradigm.model.length is not None
        vocabulary = _vocabulary(self.library, paradigm)
        return _Declared(
            vocabulary,
            self._guards[vocabulary.lexicon.language.code == _ENGLISH],
            free,
            paradigm is not None and _changes_auxiliary(paradigm),
            "derivable" in keys,
        )


def _changes_auxiliary(paradigm: Paradigm) -> bool:
    """Whether the sentences of a comparison have different auxiliaries by their templates.

    An auxiliary is a slot of its own, or comes with a verb that stands in two tenses (``lemma: same SLOT``).
    """
    slots = paradigm.model.slots
    auxiliary = {
        name
        for name, slot in slots.items()
        if str(slot.get("cat", "")).startswith(_AUXILIARIES) or str(slot.get("lemma", "")).startswith("same ")
    }
    used = {name: {word.partition("[")[0] for word in text.split()} for name, text in paradigm.sentences.items()}
    return any((used[good] ^ used[bad]) & auxiliary for good, bad in paradigm.pairs.values())


def _severity(guard: Guard, detail: str) -> Severity:
    return detail.severity if isinstance(detail, Objection) else guard.severity


def vocabulary_of(library: Library, uid: str) -> Vocabulary:
    """The words that a paradigm is made with; those of the main lexicon for one that the library does not have.

    Args:
        library: words and paradigms.
        uid: of the paradigm.
    """
    return _vocabulary(library, library.paradigm(uid) if uid in library.uids() else None)


def _vocabulary(library: Library, paradigm: Paradigm | None) -> Vocabulary:
    lexicon = library.language_of(paradigm).lexicon if paradigm is not None else library.lexicon
    return library.cache.once("guards", lexicon, lambda: Vocabulary(lexicon), most=_VOCABULARIES)
