"""The proof of every row: each good sentence is derived, in the closed reading, and no bad one, in the open reading.

What the recogniser sees of a row are its *terminals*: for each token the set of its readings. Many rows share them, and
more can be proven at once:

* A derivation of a good sentence uses one reading of each token. It is a *witness* for every row whose tokens have
  these readings, whatever else they have.
* If the recogniser refuses the union of the readings of many rows, it refuses each of the rows: the union is a *box*,
  and a row is proven bad if its readings lie in some box. If the union has a derivation, either some row has all the
  readings that this one uses, and is a wrong label, or the rows are divided by one of them and both halves are tried.

So the verdict is exact for every row, and the recogniser runs a few times for a cell, not once for a row.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from blimpgen.base.errors import DataError, listing
from blimpgen.generation.cache import load_proofs, store_proofs
from blimpgen.generation.compiled import CompiledCell, CompiledParadigm
from blimpgen.generation.derivations import Deriver, Row, derivable_slots, surfaces, tokens_with_mark
from blimpgen.generation.trees import derivation
from blimpgen.grammar.chart import Terminal
from blimpgen.lexicon.cells import OPEN_CLASSES
from blimpgen.paradigm import Token
from blimpgen.plan import Node
from blimpgen.realize import Columns

__all__ = ["RowProof"]

Reading: TypeAlias = "tuple[str, bool, frozenset[tuple[str, str]]]"
"""A terminal as a value: its category or word, whether it is a word, its features."""
Readings: TypeAlias = "frozenset[Reading]"

Codes: TypeAlias = NDArray[np.int32]

_SURFACE = -1
"""Stands among the nodes that readings depend on for the text of the token itself."""

_ASSERTIONS = ("bad_subject_of", "bad_object_of")

_Cause: TypeAlias = "int | str"
"""What readings depend on: the candidate of a node, or the text of the token."""


class _Texts:
    """The text of a token in each of some rows, made when it is first asked for.

    Args:
        cell: the cell.
        token: the token.
        columns: for each node the candidates of the rows.
    """

    def __init__(self, cell: CompiledCell, token: Token, columns: Columns) -> None:
        self.cell, self.token, self.columns = cell, token, columns

    def __getitem__(self, row: int) -> str:
        return self._all[row]

    @cached_property
    def _all(self) -> list[str]:
        return surfaces(self.cell, self.token, self.columns)


class _TracedRow(Row):
    """One of some rows, which notes what it was asked about: rows that agree in this give the same answers."""

    def __init__(self, cell: CompiledCell, columns: Columns, row: int, texts: _Texts) -> None:
        super().__init__(cell, columns)
        for name, value in (("row", row), ("texts", texts), ("causes", {})):
            object.__setattr__(self, name, value)

    row: int
    texts: _Texts
    causes: dict[int, _Cause]

    def chosen(self, node: Node) -> int:
        """The candidate of a node."""
        index = self.cell.plan.index(node)
        candidate = self.causes[index] = int(self.columns[index][self.row])
        return candidate

    def surface(self, token: Token) -> str:
        """The text of the token."""
        text = self.causes[_SURFACE] = self.texts[self.row]
        return text


@dataclass
class _TokenReadings:
    """The readings of one token of a cell, by what they depend on.

    Attributes:
        cell: the cell.
        token: the token.
        reading: closed or open.
        sets: the different sets of readings.
    """

    cell: CompiledCell
    token: Token
    reading: str
    sets: list[Readings] = field(default_factory=list)
    _numbers: dict[Readings, int] = field(default_factory=dict)
    _known: dict[tuple[int, ...], dict[tuple[_Cause, ...], int]] = field(default_factory=dict)

    def codes(self, columns: Columns) -> Codes:
        """Give the number of the set of readings of each row.

        Args:
            columns: for each node the candidates of the rows.
        """
        codes = np.full(len(columns[0]) if columns else 1, -1, dtype=np.int32)
        texts = _Texts(self.cell, self.token, columns)
        while len(rows := self._looked_up(codes, columns, texts)):
            nodes = self._learn(columns, int(rows[0]), texts)
            code_of = self._known[nodes]
            for row, cause in zip(rows.tolist(), self._causes(columns, rows, nodes, texts), strict=True):
                if cause not in code_of:
                    self._learn(columns, row, texts)
        return codes

    def _looked_up(self, codes: Codes, columns: Columns, texts: _Texts) -> NDArray[np.int64]:
        """Fill in the rows whose readings are known, and give the others."""
        rows = np.flatnonzero(codes < 0)
        for nodes, code_of in self._known.items():
            codes[rows] = [code_of.get(cause, -1) for cause in self._causes(columns, rows, nodes, texts)]
            rows = rows[codes[rows] < 0]
        return rows

    def _causes(
        self, columns: Columns, rows: NDArray[np.int64], nodes: tuple[int, ...], texts: _Texts
    ) -> Iterator[tuple[_Cause, ...]]:
        """What some nodes have in some rows."""
        if not nodes:
            return iter([()] * len(rows))
        values = ([texts[k] for k in rows.tolist()] if n == _SURFACE else columns[n][rows].tolist() for n in nodes)
        return zip(*values, strict=True)

    def _learn(self, columns: Columns, row: int, texts: _Texts) -> tuple[int, ...]:
        """Find the readings of a row, and the nodes that they depend on."""
        traced = _TracedRow(self.cell, columns, row, texts)
        readings = frozenset(_value(t) for t in Deriver(traced, self.reading).terminals(self.token))
        number = self._numbers.setdefault(readings, len(self.sets))
        if number == len(self.sets):
            self.sets.append(readings)
        nodes = tuple(traced.causes)
        self._known.setdefault(nodes, {})[tuple(traced.causes.values())] = number
        return nodes


def _value(terminal: Terminal) -> Reading:
    return terminal.category, terminal.literal, frozenset(terminal.values.items())


def _terminals(readings: Readings) -> list[Terminal]:
    ordered = sorted(readings, key=lambda each: (each[0], each[1], sorted(each[2])))
    return [Terminal(name, dict(values), literal) for name, literal, values in ordered]


@dataclass
class _Proven:
    """What is known of sentences of one length, in whatever cell it was found out.

    Attributes:
        boxes: unions of readings that have no derivation, token by token.
        witnesses: the readings that a derivation of a good sentence uses, token by token.
    """

    boxes: list[tuple[Readings, ...]] = field(default_factory=list)
    witnesses: list[tuple[Reading, ...]] = field(default_factory=list)


class _Sentence:
    """One sentence of a cell.

    Args:
        cell: the cell.
        name: the sentence.
        good: whether it must be derived; otherwise it must not be.
        proven: what is known of such sentences; extended.
    """

    def __init__(self, cell: CompiledCell, name: str, *, good: bool, proven: dict[tuple[bool, int], _Proven]) -> None:
        self.cell, self.name, self.good = cell, name, good
        tokens = tokens_with_mark(cell, name)
        self.tokens = tuple(_TokenReadings(cell, token, "closed" if good else "open") for token in tokens)
        self.proven = proven.setdefault((good, len(tokens)), _Proven())

    def wrong(self, columns: Columns) -> NDArray[np.int64]:
        """Find the rows that the grammar judges otherwise than the paradigm.

        Args:
            columns: for each node of the cell the candidates of some rows.

        Returns:
            The places of these rows, in ascending order.
        """
        codes = np.stack([token.codes(columns) for token in self.tokens])
        profiles, profile_of = np.unique(codes, axis=1, return_inverse=True)
        failing = self._underivable(profiles) if self.good else self._derivable(profiles)
        return np.flatnonzero(np.isin(profile_of.reshape(-1), failing)) if failing else np.zeros(0, dtype=np.int64)

    def _underivable(self, profiles: Codes) -> list[int]:
        """The profiles (columns of numbers of sets of readings) that have no derivation."""
        open_ = np.ones(profiles.shape[1], dtype=bool)
        for witness in self.proven.witnesses:
            if not open_.any():
                break
            open_ &= ~self._has(profiles, witness)
        failing = []
        while open_.any():
            first = int(np.flatnonzero(open_)[0])
            tree = self._parse([token.sets[code] for token, code in zip(self.tokens, profiles[:, first], strict=True)])
            open_[first] = False
            if tree is None:
                failing.append(first)
            else:
                self.proven.witnesses.append(tree)
                open_ &= ~self._has(profiles, tree)
        return failing

    def _derivable(self, profiles: Codes) -> list[int]:
        """The profiles that have a derivation."""
        open_ = np.ones(profiles.shape[1], dtype=bool)
        for box in self.proven.boxes:
            if not open_.any():
                break
            open_ &= ~self._inside(profiles, box)
        return sorted(self._divide(profiles, np.flatnonzero(open_)))

    def _divide(self, profiles: Codes, members: NDArray[np.int64]) -> Iterator[int]:
        agenda = [members]
        while agenda:
            members = agenda.pop()
            if not len(members):
                continue
            box = tuple(
                frozenset().union(*(token.sets[code] for code in np.unique(codes).tolist()))
                for token, codes in zip(self.tokens, profiles[:, members], strict=True)
            )
            used = self._parse(box)
            if used is None:
                self.proven.boxes.append(box)
                continue
            having = [self._with(k, reading)[profiles[k, members]] for k, reading in enumerate(used)]
            everywhere = np.logical_and.reduce(having)
            yield from members[everywhere].tolist()
            members, having = members[~everywhere], [each[~everywhere] for each in having]
            if len(members):
                # The token that divides the rest most evenly; each row lacks at least one of the readings.
                at = min(range(len(having)), key=lambda k: abs(2 * int(having[k].sum()) - len(members)))
                if having[at].all():
                    at = next(k for k in range(len(having)) if not having[k].all())
                agenda += [members[having[at]], members[~having[at]]]

    def _parse(self, readings: Sequence[Readings]) -> tuple[Reading, ...] | None:
        """The readings that a derivation uses, or None."""
        tree = self.cell.language.chart.parse([_terminals(each) for each in readings])
        return None if tree is None else tuple(map(_value, tree.terminals()))

    def _with(self, position: int, reading: Reading) -> NDArray[np.bool_]:
        """For each set of readings of a token whether it has one."""
        return np.array([reading in readings for readings in self.tokens[position].sets], dtype=bool)

    def _has(self, profiles: Codes, witness: Sequence[Reading]) -> NDArray[np.bool_]:
        rows = [self._with(k, reading)[profiles[k]] for k, reading in enumerate(witness)]
        return np.asarray(np.logical_and.reduce(rows))

    def _inside(self, profiles: Codes, box: Sequence[Readings]) -> NDArray[np.bool_]:
        rows = [
            np.array([readings <= box[k] for readings in token.sets], dtype=bool)[profiles[k]]
            for k, token in enumerate(self.tokens)
        ]
        return np.asarray(np.logical_and.reduce(rows))


class RowProof:
    """The proof of the rows of one paradigm; what is found out about some rows serves for all later ones.

    Args:
        compiled: the paradigm.
    """

    def __init__(self, compiled: CompiledParadigm) -> None:
        self.compiled = compiled
        self._proven: dict[tuple[bool, int], _Proven] = {}

    @cached_property
    def _sentences(self) -> list[list[_Sentence]]:
        """The sentences of each cell that the grammar judges."""
        return [list(self._of(cell)) for cell in self.compiled.cells]

    @cached_property
    def _blocks(self) -> dict[str, None]:
        """The digests of rows that have been proven, here or by an earlier run."""
        return dict.fromkeys(load_proofs(self.compiled.paradigm, self.compiled.language))

    def _of(self, cell: CompiledCell) -> Iterator[_Sentence]:
        paradigm = self.compiled.paradigm
        good = {better for better, _ in paradigm.pairs.values()}
        if derivable_slots(cell):
            for name in cell.sentences:
                if name in good or paradigm.model.derivable is None:
                    yield _Sentence(cell, name, good=name in good, proven=self._proven)

    def check(self, parts: Iterable[tuple[int, Columns]]) -> None:
        """Check rows; those that have been proven once are not looked at again.

        Args:
            parts: numbers of cells, each with the candidates of its nodes in some rows.

        Raises:
            DataError: a sentence that the grammar judges otherwise than the paradigm; the message counts its rows,
                names the words in which they differ from the others, and shows one with its tree.
        """
        parts = list(parts)
        digest = _digest(parts)
        if digest not in self._blocks:
            if fault := self.fault(parts):
                raise fault
            self._blocks[digest] = None
            store_proofs(self.compiled.paradigm, self.compiled.language, list(self._blocks))

    def fault(self, parts: Sequence[tuple[int, Columns]]) -> DataError | None:
        """Find what the grammar judges otherwise than the paradigm: the error of the first such sentence, or None.

        Args:
            parts: as of `check`.
        """
        faults: dict[str, list[_Fault]] = {}
        for number, columns in parts:
            for sentence in self._sentences[number]:
                if len(rows := sentence.wrong(columns)):
                    faults.setdefault(sentence.name, []).append(_Fault(sentence, columns, rows))
        count = sum(len(columns[0]) if columns else 1 for _, columns in parts)
        return next((self._error(name, each, count) for name, each in faults.items()), None)

    def _error(self, name: str, faults: Sequence[_Fault], count: int) -> DataError:
        paradigm, first = self.compiled.paradigm, faults[0]
        place = paradigm.place(*(("sentences", name) if paradigm.model.sentences else (name,)))
        rows = f"{sum(len(fault.rows) for fault in faults):,} of {count:,} rows"
        words = "; ".join(dict.fromkeys(text for fault in faults for text in fault.words()))
        shown = f"{rows}{f' ({words})' if words else ''}, such as {first.text()!r}"
        if first.sentence.good:
            what = f"the clause grammar does not derive {name!r} in {shown}: {first.categories()}"
            return DataError(f"{what}; see grammars/english/*.cfg for its rules", place, "underivable")
        shown += f": {first.tree()}"
        good = next(better for better, worse in paradigm.pairs.values() if worse == name)
        for slot in _unasserted(first.sentence.cell, name, good):
            what = (
                f"unasserted violation: only {name!r} has the slot {slot!r}, and nothing asserts that it is wrong there"
            )
            hint = "write no_frame: F, bad_subject_of: V or bad_object_of: V"
            return DataError(
                f"{what}; the clause grammar derives it in {shown}; {hint}", paradigm.place("slots", slot), "unasserted"
            )
        hint = "if the fault is one of selection alone, say so in derivable: WHY"
        return DataError(f"the clause grammar derives {name!r} too in {shown}; {hint}", place, "derivable")


def _unasserted(cell: CompiledCell, bad: str, good: str) -> list[str]:
    """Open-class slots that only the bad sentence has and that carry no assertion."""
    slots = [dict.fromkeys(token.slot for token in cell.plan.tokens[name] if token.slot) for name in (bad, good)]
    unasserted = []
    for slot in sorted(slots[0].keys() - slots[1].keys()):
        spec, node = cell.plan.specs[slot], cell.plan.slots.get(slot)
        is_open = node is not None and any(leaf.inventory.category in OPEN_CLASSES.values() for leaf in node.leaves)
        if is_open and not spec.no_frames and not spec.relations.keys() & set(_ASSERTIONS):
            unasserted.append(slot)
    return unasserted


def _digest(parts: Sequence[tuple[int, Columns]]) -> str:
    """A hash of rows."""
    digest = hashlib.blake2b(digest_size=16)
    for number, columns in parts:
        digest.update(f"{number} {len(columns)} ".encode())
        for column in columns:
            digest.update(f"{len(column)} {column.dtype.str} ".encode())
            digest.update(np.ascontiguousarray(column).data)
    return digest.hexdigest()


@dataclass(frozen=True)
class _Fault:
    """The rows of one cell in which a sentence is judged otherwise than it should be."""

    sentence: _Sentence
    columns: Columns
    rows: NDArray[np.int64]

    @cached_property
    def row(self) -> Row:
        """The first of them."""
        return Row(self.sentence.cell, [column[self.rows[:1]] for column in self.columns])

    def text(self) -> str:
        """The sentence in the first row."""
        cell = self.sentence.cell
        return cell.sentence(self.sentence.name, self.row.columns).texts(cell.language.lexicon)[0]

    def tree(self) -> str:
        """Its tree in brackets."""
        return derivation(self.row, self.sentence.name, "open")

    def categories(self) -> str:
        """What the grammar sees instead of its words."""
        return " ".join(
            token.token.text
            or "/".join(dict.fromkeys(t.category for t in Deriver(self.row).terminals(token.token)))
            or "?"
            for token in self.sentence.tokens
        )

    def words(self) -> Iterator[str]:
        """Slots with the lexemes that are there in these rows and in none of the others of the cell."""
        others = np.ones(len(self.columns[0]), dtype=bool)
        others[self.rows] = False
        plan = self.sentence.cell.plan
        for name, node in plan.slots.items():
            column = self.columns[plan.index(node)]
            wrong, right = set(column[self.rows].tolist()), set(column[others].tolist())
            if len(right) and not wrong & right and any(token.token.slot == name for token in self.sentence.tokens):
                yield f"{name}: {listing(_lexeme(node, candidate) for candidate in sorted(wrong))}"


def _lexeme(node: Node, candidate: int) -> str:
    leaf = node.leaves[int(node.leaf[candidate])]
    return leaf.inventory.ids[int(node.lexeme[candidate])]
