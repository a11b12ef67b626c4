"""Running guards over records or over a directory of data files, ours or a release."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from operator import or_
from pathlib import Path
from types import MappingProxyType

from blimpgen.audit.guards import Case, Guard, Objection, Scope, Severity, Vocabulary, guards
from blimpgen.base.records import Record, Row, SentenceSet
from blimpgen.dataset import open_set
from blimpgen.library import Library
from blimpgen.paradigm import Paradigm

__all__ = ["Finding", "audit", "audit_directory", "pair_rows", "vocabulary_of"]

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
    auditor = _Auditor(library, guards(codes), declared)
    return [finding for record in records for row in pair_rows(record) for finding in auditor.run(row)]


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
        self.guards = guards
        self._asked = reduce(or_, (guard.needs | guard.scope.needs for guard in guards), 0) if phrases else 0
        self._scopes: dict[int, tuple[Scope, ...]] = {}
        self._about: dict[tuple[int, tuple[bool, ...]], tuple[Guard, ...]] = {}

    def about(self, case: Case) -> tuple[Guard, ...]:
        """The guards that may find something in a pair, in their order."""
        marks = self._asked and (case.good.marks | case.bad.marks) & self._asked
        scopes = self._scopes.get(marks)
        if scopes is None:
            scopes = self._scopes[marks] = tuple(dict.fromkeys(guard.scope for guard in self._with(marks)))
        held = tuple([case.holds(scope) for scope in scopes])
        found = self._about.get((marks, held))
        if found is None:
            holding = {scope for scope, holds in zip(scopes, held, strict=True) if holds}
            found = tuple(guard for guard in self._with(marks) if guard.scope in holding)
            self._about[marks, held] = found
        return found

    def _with(self, marks: int) -> Iterator[Guard]:
        for guard in self.guards:
            if all(not needs & self._asked or needs & marks for needs in (guard.needs, guard.scope.needs)):
                yield guard


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


class _Auditor:
    def __init__(self, library: Library, guards: tuple[Guard, ...], declared: Mapping[str, Collection[str]]) -> None:
        self.library, self.guards, self._keys = library, guards, declared
        self.uids = frozenset(library.uids())
        self.declared = lru_cache(maxsize=None)(self._declared)

    def run(self, row: Row) -> Iterator[Finding]:
        uid, pair_id = str(row["UID"]), str(row["pairID"])
        declared = self.declared(uid)
        texts = row["sentence_good"], row["sentence_bad"]
        case = Case(uid, pair_id, *texts, row, declared.vocabulary, declared.free_length, declared.changes_auxiliary)
        for guard in declared.guards.about(case):
            found = guard.find(case)
            first = next(found, None)
            if first is not None:
                details = tuple(dict.fromkeys((first, *found)))
                severity = min((_severity(guard, detail) for detail in details), key=lambda severity: severity.rank)
                message = f"{guard.message.rstrip('.')}: {'; '.join(details)}"
                if declared.derivable and severity is Severity.WRONG:
                    severity, message = Severity.REMARK, f"{message} (the paradigm says derivable)"
                yield Finding(guard.code, uid, pair_id, message, severity)

    def _declared(self, uid: str) -> _Declared:
        paradigm = self.library.paradigm(uid) if uid in self.uids else None
        keys = self._keys.get(uid, ())
        free = "length" in keys if paradigm is None else paradigm.model.length is not None
        vocabulary = _vocabulary(self.library, paradigm)
        english = vocabulary.lexicon.language.code == _ENGLISH
        guards = tuple(guard for guard in self.guards if english or guard.any_language)
        return _Declared(
            vocabulary,
            _Guards(guards, english),
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
