"""Proof of pairs from anywhere: the good sentence must have a derivation, and the bad one none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple, TypeAlias

from blimpgen.audit.findings import audit
from blimpgen.audit.guards import Severity
from blimpgen.audit.uses_in_trees import UsesInTrees
from blimpgen.base.errors import UsageError
from blimpgen.base.memo import Memo
from blimpgen.base.records import Row
from blimpgen.dataset import open_set
from blimpgen.dataset.workers import spread_in_order
from blimpgen.grammar.chart import Arc, Tree
from blimpgen.grammar.parse import MOST_TREES, Parse, Parser, Parses
from blimpgen.library import Library

__all__ = ["OUTCOMES", "Proof", "prove"]

OUTCOMES = ("proven", "good not derived", "bad derived", "unknown words")
"""What can come out for a pair: unknown words are told first, then what is wrong with the good sentence.

A word is unknown too where the sentence rests on a use of it that the lexicon neither lists nor excludes: if *mend* has
an object only, *knew that he mended* is no clause, and if it can do without, it is one; the lexicon does not say. Where
it calls the use doubtful, nobody can count on the bad sentence being bad, nor on the good one being good.
"""

_NOT_PROVEN = frozenset({"good not derived", "bad derived"})
_OF_LABELS = frozenset({Severity.WRONG, Severity.DOUBTFUL})
"""What a guard may object to in a label."""
_OPEN = frozenset({"frame", "pos"})
"""Features whose values the lexicon may leave open: what a word takes, and whether an adjective precedes nouns."""
Arcs: TypeAlias = Sequence[Sequence[Arc]]
"""The readings of a sentence: for each position the terminals that end there."""
_Search: TypeAlias = Callable[[Arcs, tuple[str, ...]], "Tree | None"]
"""Finds the derivation that counts."""
_AT_ONCE = 200
"""How many pairs a process takes at a time."""


@dataclass(frozen=True)
class Proof:
    """What the grammar says of one pair.

    Attributes:
        uid: its paradigm.
        pair_id: its number.
        good: the sentence that is called good.
        bad: the sentence that is called bad.
        outcome: one of `OUTCOMES`.
        unknown: the words that neither the lexicon nor a rule has.
        rests_on: what a derivation of the sentence in question needs, and the closed reading does not know: uses that
            are neither listed nor excluded (``lift: frame=V``), those of other varieties (``themselves: phi=They``).
        clashes: of a good sentence that is not derived the features in the way, each with its rule; of a text that is
            no sentence, why.
        constituents: of such a sentence the fewest constituents that cover the sentence.
        tree: a derivation of the bad sentence, if it has one.
        declared: why the library's paradigm of this name does not rest on the grammar, if it says so.
        fault: of a pair that is not proven what is wrong with the label itself, ``label wrong`` or ``label doubtful``:
            what guards say, who read the pair without the grammar, and doubtful where the bad sentence has derivations
            only with what some speakers say. Empty where nobody says so: then the fault may be the grammar's.
    """

    uid: str
    pair_id: str
    good: str
    bad: str
    outcome: str = OUTCOMES[0]
    unknown: tuple[str, ...] = ()
    rests_on: tuple[str, ...] = ()
    clashes: tuple[str, ...] = ()
    constituents: tuple[str, ...] = ()
    tree: str = ""
    declared: str = ""
    fault: str = ""


def prove(path: str | Path, library: Library, jobs: int = 1) -> Iterator[Proof]:
    """Prove every pair of a data set, in the order of its files.

    A good sentence must have a derivation in the closed reading, a bad one none in the open reading. Words and rules
    are those of the library's paradigm of the same name, and the main ones where it has none.

    Args:
        path: a folder or a file of pairs or of sets of sentences.
        library: the words and rules.
        jobs: processes; what comes out is the same.

    Raises:
        UsageError: no data there. DataError: a line that is no record.
    """
    rows = [row for _, records in open_set(path).read() for record in records for row in record.to_pairs()]
    parts = [rows[start : start + _AT_ONCE] for start in range(0, len(rows), _AT_ONCE)]
    for proofs in spread_in_order(_Prover(library), parts, jobs):
        yield from proofs


@dataclass(frozen=True)
class _Prover:
    """Proves rows; another process that does not inherit the library reads it again."""

    library: Library = field(repr=False)
    _uses: Memo[UsesInTrees] = field(default_factory=Memo, repr=False)

    def __reduce__(self) -> tuple[object, ...]:
        return _prover, (self.library.folders, self.library.profile)

    def __call__(self, rows: Sequence[Row]) -> list[Proof]:
        return [self._with_fault(self._proof(row), row) for row in rows]

    def _with_fault(self, proof: Proof, row: Row) -> Proof:
        """The proof with what is wrong with the label, if something is."""
        if proof.outcome not in _NOT_PROVEN:
            return proof
        faults = {finding.severity for finding in audit([row], self.library)} & _OF_LABELS
        if proof.outcome == "bad derived" and proof.rests_on:
            faults |= {Severity.DOUBTFUL}
        gravest = min(faults, key=lambda severity: severity.rank, default=None)
        return replace(proof, fault=gravest.value) if gravest else proof

    def _proof(self, row: Row) -> Proof:
        uid, good, bad = (str(row[key]) for key in ("UID", "sentence_good", "sentence_bad"))
        paradigm = self.library.paradigm(uid) if uid in self.library.uids() else None
        language = self.library.language_of(paradigm) if paradigm else self.library.language("")
        declared = (paradigm.model.derivable or paradigm.model.unproven if paradigm else None) or ""
        closed, opened = (language.parsers[reading] for reading in ("closed", "open"))

        def proof(outcome: str, **evidence: tuple[str, ...] | str) -> Proof:
            return Proof(uid, str(row["pairID"]), good, bad, outcome, declared=declared, **evidence)  # type: ignore[arg-type]

        try:
            if unknown := (*opened.unknown(good), *opened.unknown(bad)):
                return proof("unknown words", unknown=tuple(dict.fromkeys(unknown)))
            parses = closed.parse(good)
            if not parses:
                needed = _needed(opened, closed, good, _any_derivation(opened))
                outcome = OUTCOMES[3 if needed and (needed.unsaid or needed.doubtful) else 1]
                return proof(outcome, rests_on=needed.uses if needed else (), **_reasons(parses))
            if needed := _needed(opened, closed, bad, self._with_uses(opened)):
                return proof(OUTCOMES[3 if needed.unsaid else 2], tree=needed.tree, rests_on=needed.uses)
        except UsageError as error:
            return proof("good not derived", clashes=(str(error),))
        return proof("proven")

    def _with_uses(self, parser: Parser) -> _Search:
        """The search for a derivation whose verbs have the uses that it needs."""
        uses = self._uses.once(lambda: UsesInTrees(parser.entries.lexicon), parser)

        def search(arcs: Arcs, tokens: tuple[str, ...]) -> Tree | None:
            while trees := parser.chart.forest(arcs).trees(MOST_TREES):
                refused = [uses.refused(tree, tokens) for tree in trees]
                if not all(refused):
                    return next(tree for tree, leaves in zip(trees, refused, strict=True) if not leaves)
                if len(trees) < MOST_TREES:
                    return None
                # too many to look at: without the verb that most of them fail for, the others come to light
                worst = Counter(leaf for leaves in refused for leaf in leaves).most_common(1)[0][0]
                at, end = worst.span
                fewer = [arc for arc in arcs[end - 1] if arc[0] != at or arc[2] is not worst.terminal]
                arcs = [*arcs[: end - 1], fewer, *arcs[end:]]
            return None

        return search


def _prover(folders: Sequence[Path], profile: str | None) -> _Prover:
    return _Prover(Library(folders, profile))


def _reasons(parses: Parses) -> dict[str, tuple[str, ...]]:
    diagnosis = parses.diagnosis
    pieces = (
        f"({piece.category} {piece.words})" if piece.category else piece.words for piece in diagnosis.constituents
    )
    return {"clashes": tuple(map(str, diagnosis.clashes)), "constituents": tuple(pieces)}


class _Needed(NamedTuple):
    """What a derivation in the open reading needs that the closed reading does not know.

    Attributes:
        tree: the derivation, in brackets.
        uses: the uses that it needs.
        unsaid: whether one of them is neither listed, excluded nor called doubtful.
        doubtful: whether one is called doubtful.
    """

    tree: str
    uses: tuple[str, ...]
    unsaid: bool
    doubtful: bool


def _any_derivation(parser: Parser) -> _Search:
    return lambda arcs, _: next(iter(parser.chart.forest(arcs).trees(1)), None)


def _needed(opened: Parser, closed: Parser, text: str, search: _Search) -> _Needed | None:
    """Find a derivation with as few uses that the closed reading does not know as can be; None if there is none.

    Word by word the uses that the closed reading does not know are left out as long as there is a derivation.
    """
    tokens = opened.tokens(text)
    listed = closed.lattice(tokens)
    arcs = list(map(_merged, listed, opened.lattice(tokens)))
    tree = search(arcs, tokens)
    if tree is None:
        return None
    for end, ending in enumerate(arcs):
        known = {arc[:2] for arc in listed[end]}
        for at in dict.fromkeys(arc[0] for arc in ending if arc[:2] not in known):
            fewer = [arc for arc in arcs[end] if arc[0] != at or arc[:2] in known]
            if simpler := search([*arcs[:end], fewer, *arcs[end + 1 :]], tokens):
                arcs[end], tree = fewer, simpler
    leaves = [_use(opened, tokens, leaf, listed[leaf.span[1] - 1]) for leaf in tree.leaves()]
    missing = [(word, missed) for word, missed in filter(None, leaves)]
    texts = (f"{word}: {' '.join(f'{name}={value}' for name, value in missed.items())}" for word, missed in missing)
    doubtful = [
        opened.entries.is_doubtful(word, missed.get("frame", "")) for word, missed in missing if missed.keys() <= _OPEN
    ]
    return _Needed(str(Parse(opened.grammar, tokens, tree)), tuple(texts), not all(doubtful), any(doubtful))


def _merged(listed: Sequence[Arc], opened: Sequence[Arc]) -> list[Arc]:
    """What is listed, and what the open reading adds."""
    known = {arc[:2] for arc in listed}
    return [*listed, *(arc for arc in opened if arc[:2] not in known)]


def _use(parser: Parser, tokens: Sequence[str], leaf: Tree, listed: Sequence[Arc]) -> tuple[str, dict[str, str]] | None:
    """The word of a leaf and the values that the closed reading does not know of it; nothing if it knows the whole."""
    known = [symbol.values for start, symbol, _ in listed if start == leaf.span[0] and symbol.name == leaf.label]
    if leaf.values in known or (leaf.terminal is not None and leaf.terminal.literal):
        return None
    values = dict(zip(parser.grammar.categories[leaf.label].features, leaf.values, strict=True))
    missed = {name: value for k, (name, value) in enumerate(values.items()) if all(each[k] != value for each in known)}
    return " ".join(tokens[slice(*leaf.span)]), {name: value for name, value in (missed or values).items() if value}
