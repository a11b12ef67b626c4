"""The proof of every row: each good sentence is derived, in the closed reading, and no bad one, in the open reading.

Sentences are judged as the strings that are written: a word is all that the lexicon lists for its spelling, whatever
its slot had in mind. All sentences of a block are judged in one go (`blimpgen.grammar.spans`). Which blocks have been
proven is stored with the plans.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from pydantic import TypeAdapter

from blimpgen.base.errors import DataError, listing
from blimpgen.generation.compiled import CompiledCell, CompiledParadigm
from blimpgen.generation.derivations import derivable_slots
from blimpgen.grammar.parse import Parses
from blimpgen.grammar.word_classes import Sentences
from blimpgen.lexicon.entries import BY_LIST
from blimpgen.lexicon.validation import OPEN_CLASSES
from blimpgen.lexicon.verbs import Verbs
from blimpgen.paradigm import Token
from blimpgen.plan import Node
from blimpgen.plan.cache import load_proofs, store_proofs
from blimpgen.plan.changes import agreeing, agreeing_with
from blimpgen.realize import Columns, auxiliary_forms

__all__ = ["RowProof"]

_ASSERTIONS = ("bad_subject_of", "bad_object_of")
_MOST_BLOCKS = 4096  # of rows whose digests are stored
FEW, FEW_OF = 2, 0.005
"""How many rows may be drawn anew because the grammar judges them otherwise: so many, or this share of a block."""

_STORED = TypeAdapter(list[str])
_Misjudged: TypeAlias = "dict[tuple[str, int], list[NDArray[np.int64]]]"


class _Judged(NamedTuple):
    """One sentence of a part of the rows."""

    part: int
    name: str
    reading: str
    sentences: Sentences


class RowProof:
    """The proof of the rows of one paradigm.

    Args:
        compiled: the paradigm.
    """

    def __init__(self, compiled: CompiledParadigm) -> None:
        self.compiled = compiled
        self._good = {better for better, _ in compiled.paradigm.pairs.values()}
        self._stored_blocks = 0

    @cached_property
    def _blocks(self) -> dict[str, None]:
        """The digests of rows that have been proven, here or by earlier runs."""
        stored = load_proofs(self.compiled.paradigm, self.compiled.language)
        blocks = dict.fromkeys(_STORED.validate_json(stored) if stored is not None else ())
        self._stored_blocks = len(blocks)
        return blocks

    def store(self) -> None:
        """Store which rows have been proven since, for later runs."""
        if len(self._blocks) != self._stored_blocks:
            stored = _STORED.dump_json(list(self._blocks)[-_MOST_BLOCKS:])
            store_proofs(self.compiled.paradigm, self.compiled.language, stored)
            self._stored_blocks = len(self._blocks)

    @cached_property
    def _names(self) -> list[list[str]]:
        """The sentences of each cell that the grammar judges."""
        model = self.compiled.paradigm.model
        return [
            [name for name in cell.sentences if name in self._good or model.derivable is None]
            if derivable_slots(cell) and model.unproven is None
            else []
            for cell in self.compiled.cells
        ]

    def check(self, parts: Iterable[tuple[int, Columns]]) -> None:
        """Check rows; those that have been proven once are not looked at again.

        Args:
            parts: numbers of cells, each with the candidates of its nodes in some rows.

        Raises:
            DataError: a sentence that the grammar judges otherwise than the paradigm; the message counts its rows,
                names the words in which they differ from the others, and shows one with its tree.
        """
        self.refuted(list(parts), 0, 0)

    def fault(self, parts: Sequence[tuple[int, Columns]]) -> DataError | None:
        """Find what the grammar judges otherwise than the paradigm: the error of the first such sentence, or None.

        Args:
            parts: as of `check`.
        """
        wrong = self._misjudged(parts)
        return self._fault(parts, wrong) if wrong else None

    def refuted(
        self, parts: Sequence[tuple[int, Columns]], few: int = FEW, share: float = FEW_OF
    ) -> list[NDArray[np.int64]]:
        """Find the few rows that the grammar judges otherwise than the paradigm, so that they are drawn anew.

        Args:
            parts: as of `check`.
            few, share: how many rows are a few: so many, or this share of them.

        Returns:
            For each part the places of such rows, shape (k,).

        Raises:
            DataError: as of `check`, if they are more than a few: then the paradigm is wrong, not a rare row of it.
        """
        digest = _digest(parts)
        wrong = {} if digest in self._blocks else self._misjudged(parts)
        if not wrong:
            self._blocks[digest] = None
        places: list[NDArray[np.int64]] = [np.zeros(0, dtype=np.int64) for _ in parts]
        for (_, part), rows in wrong.items():
            places[part] = np.union1d(places[part], np.concatenate(rows))
        count, size = sum(map(len, places)), sum(len(columns[0]) for _, columns in parts if columns)
        if count > max(few, size * share):
            raise self._fault(parts, wrong)
        return places

    def _misjudged(self, parts: Sequence[tuple[int, Columns]]) -> _Misjudged:
        """The rows that the grammar judges otherwise than the paradigm, by sentence and part."""
        wrong: _Misjudged = defaultdict(list)
        judged = sorted(self._judged(parts), key=lambda each: each.reading)  # good ones first
        verdicts = self.compiled.language.verdicts.derived([(each.reading, each.sentences) for each in judged])
        for each, derived in zip(judged, verdicts, strict=True):
            if len(rows := np.flatnonzero(derived != (each.reading == "closed"))):
                wrong[each.name, each.part].append(rows)
        return wrong

    def _judged(self, parts: Sequence[tuple[int, Columns]]) -> Iterator[_Judged]:
        """The sentences that are judged, each in the reading for good or for bad ones."""
        for part, (number, columns) in enumerate(parts):
            cell = self.compiled.cells[number]
            for name in self._names[number]:
                reading = "closed" if name in self._good else "open"
                sentences = self.compiled.language.word_numbers.sentences(cell.sentence(name, columns).ids)
                yield _Judged(part, name, reading, sentences)

    def _fault(self, parts: Sequence[tuple[int, Columns]], wrong: _Misjudged) -> DataError:
        """The error of the first sentence of which rows are misjudged; there is one."""
        faults: dict[str, list[_Fault]] = defaultdict(list)
        for (name, part), places in sorted(wrong.items(), key=lambda each: each[0][1]):
            number, columns = parts[part]
            rows = np.sort(np.concatenate(places))
            faults[name].append(_Fault(self.compiled.cells[number], name, name in self._good, columns, rows))
        count = sum(len(columns[0]) if columns else 1 for _, columns in parts)
        return next(self._error(name, each, count) for name, each in faults.items())

    def _error(self, name: str, faults: Sequence[_Fault], count: int) -> DataError:
        paradigm, first = self.compiled.paradigm, faults[0]
        place = paradigm.place(*(("sentences", name) if paradigm.model.sentences else (name,)))
        shown = _shown(faults, count)
        if first.is_good:
            what = f"the clause grammar does not derive {name!r} in {shown}: {first.parses.diagnosis}{first.undeclared}"
            return DataError(f"{what}; {self._where_rules_stand()}", place, "underivable")
        good = next(better for better, worse in paradigm.pairs.values() if worse == name)
        if first.text() == first.text(good):
            changes = " and ".join(str(token) for token in first.cell.plan.tokens[name] if token.change) or "its words"
            what = f"{name!r} is the same sentence as {good!r} in {shown}: {changes} changes nothing there"
            return DataError(f"{what}; change another feature or slot", place, "derivable")
        derived = f"in the open reading, in {shown}: {first.parses.first}"
        for slot in _unasserted(first.cell, name, good):
            what = f"only {name!r} has the slot {slot!r}, and nothing asserts that it is wrong there"
            hint = "write no_frame: F, bad_subject_of: V or bad_object_of: V in it, if that is the fault, or "
            return DataError(
                f"unasserted violation: {what}; the clause grammar derives it, {derived}; {hint}{self._hint(first)}",
                paradigm.place("slots", slot),
                "unasserted",
            )
        what = f"the clause grammar derives {name!r} too, {derived}"
        return DataError(f"{what}; {self._hint(first)}", place, "derivable")

    def _where_rules_stand(self) -> str:
        grammar = self.compiled.language.grammar
        folder = Path(grammar.rules["TOP"][0].place.path).parent.name
        until = ", or say unproven: WHY until they cover it" if grammar.lists else ""
        return f"see grammars/{folder}/*.cfg for its rules{until}"

    def _hint(self, fault: _Fault) -> str:
        """What to do about a bad sentence that is derived: what its tree suggests first, and what helps always."""
        if fault.unseen:
            token, unseen = fault.unseen[0]
            names = " or ".join(map(repr, unseen))
            return (
                f"{token} is not seen, since no form of {names} shows its number: give a verb Tense: Pres, or let "
                f"another slot say agrees_with: {token.slot}; if nobody can do it alone (coll=several), say "
                "derivable: WHY"
            )
        hints = [f"write is: noun=no in the slot {slot!r}, whose word is read as a noun" for slot in fault.nouns[:1]]
        hints += [
            f"write is: {restriction} in the slot {slot!r}, whose word is {why}"
            for slot, restriction, why in fault.other_readings[:1]
            if not hints
        ]
        hints += [
            f"let {slot!r} have other auxiliaries, since its {text!r} is read as the verb"
            for slot, text in fault.auxiliaries_as_verbs[:1]
        ]
        hints += [
            f"write is: bare_past=no in the slot {slot!r}, whose bare form is read as a past"
            if is_past
            else f"let the subject be singular (Number: Sing), since the bare form in {slot!r} is read as a plural"
            for slot, is_past in fault.bare_as_finite[:1]
        ]
        hints += [
            f"write is: no_frames={frame} in its slot, or {frame} into no_frames of {lexeme} in lexemes.tsv if it "
            "surely does not take it"
            for lexeme, frame in fault.unlisted[:1]
        ]
        verbs = self.compiled.language.lexicon.verbs
        for suspect, frame in fault.read_otherwise[:1]:
            key, others = f"no_frame: {frame}", ""
            if not suspect.may_assert(frame, verbs):
                is_listed = frame in BY_LIST and suspect.may_lack(frame, verbs)
                key = f"is: not {frame}" if is_listed else key
                others = "" if is_listed else " and let it have other words, since none of these asserts it"
            hints.append(f"write {key} in the slot {suspect.slot!r}{others}")
        hints.append(
            "leave the words out with is: not lemma=...; if the fault is one of selection alone, say derivable: WHY"
        )
        return ", or ".join(hints)


def _shown(faults: Sequence[_Fault], count: int) -> str:
    """In how many rows something is wrong, with which words, and one of the sentences."""
    rows = f"{sum(len(fault.rows) for fault in faults):,} of {count:,} rows"
    suspects = [each for fault in faults for each in fault.suspects or [read for read, _ in fault.read_otherwise]]
    words = "; ".join(dict.fromkeys(map(str, suspects)))
    return f"{rows}{f' ({words})' if words else ''}, such as {faults[0].text()!r}"


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


_OTHER_READINGS = (
    ("form_of", "none", "also a form of a verb"),
    ("number_stable", "yes", "a singular or a plural, as speakers have it"),
    ("adjective", "no", "also an adjective"),
)
"""Columns whose other values than the second name another reading of a word, and which it is."""


@dataclass(frozen=True)
class _Fault:
    """The rows of one cell in which a sentence is judged otherwise than it should be."""

    cell: CompiledCell
    name: str
    is_good: bool
    columns: Columns
    rows: NDArray[np.int64]

    @property
    def shown(self) -> int:
        """The row that is shown, with a word that is suspected if there is one."""
        explained = self.suspects[0].words >= 0 if self.suspects else np.ones(1, dtype=bool)
        return int(self.rows[int(np.argmax(explained))])

    def text(self, name: str = "") -> str:
        """The sentence in the row that is shown, or another of that row.

        Args:
            name: of another sentence.
        """
        row = [column[self.shown : self.shown + 1] for column in self.columns]
        return self.cell.sentence(name or self.name, row).texts(self.cell.language.lexicon)[0]

    @property
    def unseen(self) -> list[tuple[Token, list[str]]]:
        """The changes of number of words with which others agree, none of which shows it; with these others."""
        plan, lexicon, found = self.cell.plan, self.cell.language.lexicon, list[tuple[Token, list[str]]]()
        for token in plan.tokens[self.name]:
            others = agreeing_with(plan, token.slot) if token.change == ("Number", "other") else []
            if others and not any(agreeing(other, lexicon).any() for other in others):
                found.append((token, [other.slot for other in others]))
        return found

    @cached_property
    def parses(self) -> Parses:
        """What the grammar makes of it."""
        return self.cell.language.parsers["closed" if self.is_good else "open"].parse(self.text())

    @cached_property
    def read_otherwise(self) -> list[tuple[_Suspect, str]]:
        """The slots of which the word is derived with a frame that the slot neither asks for nor excludes, and that.

        Slots whose words tell these rows from the others come first: what others share is not the fault.
        """
        plan, found = self.cell.plan, []
        words = self.parses.first.words if self.parses.first else ()
        for name, node in self._worded():
            spec, column = plan.specs[name], self.columns[plan.index(node)]
            known = {*spec.no_frames, *(frame for option in spec.frames for frame in option)}
            own = [word for word in words if _lexeme(node, int(column[self.shown])) in word.lexemes]
            frames = [frame for word in own if (frame := word.features.get("frame", "")) and frame not in known]
            if spec.frames and frames:
                found.append((_Suspect(name, node, column[self.rows]), frames[0]))
        telling = {suspect.slot for suspect in self.suspects}
        return sorted(found, key=lambda each: each[0].slot not in telling)

    @cached_property
    def auxiliaries_as_verbs(self) -> list[tuple[str, str]]:
        """The slots of which the auxiliary is derived as a verb (*had the guests*), each with it."""
        plan, words = self.cell.plan, self.parses.first.words if self.parses.first else ()
        strings, auxiliaries = self.cell.language.lexicon.strings, list[tuple[str, str]]()
        verbs = [word.text for word in words if word.category == "V"]
        for name, node in self._worded():
            if (aux := node.children.get("aux")) and (k := int(self.columns[plan.index(aux)][self.shown])) >= 0:
                texts = [strings.text(form).strip() for form in auxiliary_forms(aux)[:, k].tolist()]
                auxiliaries += [(name, verb) for verb in verbs if verb in texts]
        return auxiliaries

    @cached_property
    def bare_as_finite(self) -> list[tuple[str, bool]]:
        """The slots of bare forms that are derived as finite ones, and whether as pasts, which any subject has."""
        plan, words = self.cell.plan, self.parses.first.words if self.parses.first else ()
        finite = {
            lexeme: "Number" not in word.features
            for word in words
            if word.features.get("form") == "fin"
            for lexeme in word.lexemes
        }
        bare = [
            (name, _lexeme(node, int(self.columns[plan.index(node)][self.shown])))
            for name, node in self._worded()
            if (form := plan.specs[name].features.get("form")) and form.values == ("bare",)
        ]
        return [(name, finite[lexeme]) for name, lexeme in bare if lexeme in finite]

    @cached_property
    def nouns(self) -> list[str]:
        """The slots of verbs and adjectives whose word is derived as a noun that is spelt alike, if others are left."""
        plan, words = self.cell.plan, self.parses.first.words if self.parses.first else ()
        nouns, slots = {word.text.lower() for word in words if word.category == "N"}, list[str]()
        for name, node in self._worded():
            lemma = node.lemma(int(self.columns[plan.index(node)][self.shown]))
            if node.is_headed_by("V", "A") and lemma in nouns and (node.column("noun") == "no").any():
                slots.append(name)
        return slots

    @cached_property
    def other_readings(self) -> list[tuple[str, str, str]]:
        """The slots whose words in these rows have other readings, and others have not.

        Each with the restriction that leaves others, and with what its word is besides.
        """
        plan, slots = self.cell.plan, list[tuple[str, str, str]]()
        for name, node in self._worded():
            drawn = self.columns[plan.index(node)][self.rows]
            for column, value, why in _OTHER_READINGS:
                has_reading = ~np.isin(node.column(column), (value, ""))
                if (drawn >= 0).all() and has_reading[drawn].all() and not has_reading.all():
                    slots.append((name, f"{column}={value}", why))
        return slots

    @property
    def undeclared(self) -> str:
        """Of the unknown words that stand in a list that the grammar does not declare, the first, as a hint."""
        by_text = self.cell.language.lexicon.readings.by_text
        for word in self.parses.diagnosis.unknown:
            for reading in by_text.get(word.word, ()):
                name = reading.category.removeprefix("words:")
                return f"; {word.word!r} is of the list {name}: declare lexical {name} and name it in a rule"
        return ""

    @cached_property
    def unlisted(self) -> list[tuple[str, str]]:
        """The words of lists that are derived with a frame that the lexicon neither lists nor denies, each with it."""
        grammar, lexicon, found = self.cell.language.grammar, self.cell.language.lexicon, []
        words = self.parses.first.words if self.parses.first and grammar.lists else ()
        for word, frame in ((word, word.features.get("frame", "")) for word in words):
            for lexeme in word.lexemes if frame else ():
                inventory = lexicon.inventory(f"words:{word.category}")
                if frame not in inventory.columns["frames"][inventory.ids.index(lexeme)].split(","):
                    found.append((lexeme, frame))
        return found

    def _worded(self) -> Iterator[tuple[str, Node]]:
        """The slots of which the candidates are words; those of a table are its rows."""
        return ((name, node) for name, node in self.cell.plan.slots.items() if node.leaves)

    @cached_property
    def suspects(self) -> list[_Suspect]:
        """The words that tell these rows from the others, in as few slots as explain them all.

        A word is suspected if none of the other rows has it, and a slot if its suspected words come up again and
        again; if no word does, all slots are named in which these rows have words of their own.
        """
        plan = self.cell.plan
        others = np.ones(len(self.columns[0]), dtype=bool)
        others[self.rows] = False
        every = [
            _Suspect(name, node, np.where(np.isin(own := column[self.rows], column[others]), -1, own))
            for name, node in self._worded()
            if any(token.slot == name for token in plan.tokens[self.name])
            for column in [self.columns[plan.index(node)]]
            if others.any()
        ]
        suspects, left = [], np.ones(len(self.rows), dtype=bool)
        while every and left.any():
            best = max(every, key=lambda each: each.weight(left))
            if best.weight(left) <= 0:
                break
            suspects.append(best)
            left &= best.words < 0
        return suspects or [each for each in every if (each.words >= 0).all()]


class _Suspect(NamedTuple):
    """A slot with its word in each of some rows; -1 where other rows have that word too."""

    slot: str
    node: Node
    words: NDArray[np.int32]

    def weight(self, rows: NDArray[np.bool_]) -> int:
        """How many of some rows its words explain, less the number of these words."""
        words = self.words[rows & (self.words >= 0)]
        return len(words) - len(np.unique(words))

    def may_assert(self, frame: str, verbs: Verbs) -> bool:
        """Whether `no_frame` would leave one of the verbs that the slot may have.

        Args:
            frame: the frame.
            verbs: the verbs of the lexicon.
        """
        leaves = (leaf for leaf in self.node.leaves if leaf.inventory.category == "V")
        return any(verbs.asserted[frame][leaf.candidates].any() for leaf in leaves)

    def may_lack(self, frame: str, verbs: Verbs) -> bool:
        """Whether the slot may have a verb that does not list a frame.

        Args:
            frame: the frame.
            verbs: the verbs of the lexicon.
        """
        return self.node.is_headed_by("V") and bool((verbs.rows[frame][self.node.lexeme] < 0).any())

    def __str__(self) -> str:
        words, counts = np.unique(self.words[self.words >= 0], return_counts=True)
        frequent = words[np.argsort(-counts, kind="stable")].tolist()
        return f"{self.slot}: {listing(_lexeme(self.node, word) for word in frequent)}"


def _lexeme(node: Node, candidate: int) -> str:
    leaf = node.leaves[int(node.leaf[candidate])]
    return leaf.inventory.ids[int(node.lexeme[candidate])]
