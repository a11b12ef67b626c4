"""Putting records together: texts, prefix fields, released keys, and metadata on demand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import repeat
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from blimpgen.base.errors import DataError, nearest
from blimpgen.base.memo import Memo
from blimpgen.base.records import MinimalPair, Record, SentenceSet
from blimpgen.base.sources import whole_number
from blimpgen.english.words import unmarked
from blimpgen.generation.compiled import CompiledCell, CompiledParadigm
from blimpgen.generation.engine import BLOCK, Block, Tally, draw_set, pieces
from blimpgen.generation.metadata import explain
from blimpgen.realize import Columns, Sentence
from blimpgen.realize.contrast import differing_words, slot_numbers

__all__ = ["Assembly", "generate_records"]

Item = TypeVar("Item")


def generate_records(
    compiled: CompiledParadigm,
    n: int,
    seed: int,
    rows: range | None = None,
    *,
    block: int = BLOCK,
    tally: Tally | None = None,
) -> Iterator[Record]:
    """Generate the records of a set; see `draw_set`.

    Args:
        compiled, n, seed, rows, block, tally: as of `draw_set`.
    """
    assembly = Assembly(compiled)
    return assembly.records(draw_set(compiled, n, seed, rows, block=block, tally=tally))


class Assembly:
    """Makes rows and records of one paradigm.

    Args:
        compiled: the prepared paradigm.
        style: "blimp" adds a capital and a period to plain text, "plain" leaves them out; by default as the file says.
    """

    def __init__(self, compiled: CompiledParadigm, style: str | None = None) -> None:
        self.compiled = compiled
        self.paradigm = compiled.paradigm
        self.capital = (style or {"sentence": "blimp", "plain": "plain"}[self.paradigm.model.text]) == "blimp"
        self.style = style
        model = self.paradigm.model
        self.constant: dict[str, Any] = {
            "field": model.field,
            "linguistics_term": self.paradigm.term,
            "UID": self.paradigm.uid,
            "simple_LM_method": "simple" in model.methods,
            "one_prefix_method": "one_prefix" in model.methods,
            "two_prefix_method": "two_prefix" in model.methods,
            "lexically_identical": model.lexically_identical == "yes",
        }

    def rows(self, blocks: Iterable[Block]) -> Iterator[dict[str, Any]]:
        """Make the rows of blocks, proven, in order, as a data file has them; without metadata."""
        return self._proven(blocks, self.cell_rows)

    def records(self, blocks: Iterable[Block]) -> Iterator[Record]:
        """Make the records of blocks: the same rows, with their metadata on demand."""
        return self._proven(blocks, self.cell_records)

    def _proven(self, blocks: Iterable[Block], make: Callable[..., list[Item]]) -> Iterator[Item]:
        proof = self.compiled.proof
        for block in blocks:
            if proof is not None:
                proof.check((part.cell, part.columns) for part in block)
            cells = self.compiled.cells
            whole = {part.cell: (part.rows, cells[part.cell].shown_sentences(part.columns)) for part in block}
            for piece in pieces(block):
                yield from _in_order(piece, partial(_made, whole, make))
        if proof is not None:
            proof.store()

    def cell_rows(
        self, number: int, rows: NDArray[np.int64], columns: Columns, realised: dict[str, Sentence] | None = None
    ) -> list[dict[str, Any]]:
        """The rows of one cell, as a data file has them.

        Args:
            number: the number of the cell.
            rows: the row numbers, shape (n,).
            columns: for each node the candidates, shape (n,).
            realised: their sentences as they are written, by name; made if they are not given.
        """
        cell = self.compiled.cells[number]
        realised = cell.shown_sentences(columns) if realised is None else realised
        texts = self._texts(realised)
        ids = map(str, rows.tolist())
        if not self.paradigm.is_pair:
            order = list(self.paradigm.sentences)
            sentences = zip(*(texts[name] for name in order), strict=True)
            keys: dict[str, Iterable[Any]] = {"sentences": [dict(zip(order, s, strict=True)) for s in sentences]}
            keys["pairs"] = repeat([[name, *names] for name, names in self.paradigm.pairs.items()])
            keys["condition"] = repeat(self.condition(cell))
            keys.update(self._design(cell, columns, realised))
            keys.update(self._varied(cell, columns))
            keys.update((name, repeat(self.constant[name])) for name in ("field", "linguistics_term", "UID"))
            return _filled({**keys, "itemID": ids}, len(rows))
        good, bad = texts["good"], texts["bad"]
        keys = self._keys(cell, columns, realised, good, bad)
        return _filled({"sentence_good": good, "sentence_bad": bad, **keys, "pairID": ids}, len(rows))

    def _texts(self, realised: dict[str, Sentence]) -> dict[str, list[str]]:
        lexicon, read = self.compiled.language.lexicon, Memo[list[str]]()
        return {
            name: self._styled(sentence.texts(lexicon, capital=self.capital, read=read))
            for name, sentence in realised.items()
        }

    def cell_records(
        self, number: int, rows: NDArray[np.int64], columns: Columns, realised: dict[str, Sentence] | None = None
    ) -> list[Record]:
        """The records of rows of one cell: the same rows, with their metadata on demand.

        Args:
            number, rows, columns, realised: as of `cell_rows`.
        """
        cell = self.compiled.cells[number]
        view: Callable[..., Record] = MinimalPair if self.paradigm.is_pair else SentenceSet
        return [
            view(row, partial(explain, self.compiled, cell, columns, k, _sentences(row)))
            for k, row in enumerate(self.cell_rows(number, rows, columns, realised))
        ]

    def _styled(self, texts: list[str]) -> list[str]:
        if self.style == "blimp" and self.paradigm.model.text == "plain":
            return [t if t[-1:] in ".?!" else f"{t}." for t in texts]
        return texts

    def _design(self, cell: CompiledCell, columns: Columns, realised: dict[str, Sentence]) -> dict[str, Iterable[Any]]:
        """The keys that only enumerated designs have: the number of every slot, the words that differ."""
        if self.paradigm.model.enumerate != "yes":
            return {}
        lexicon = self.compiled.language.lexicon
        values = {
            name: differing_words(realised[better], realised[worse], lexicon)
            for name, (better, worse) in self.paradigm.pairs.items()
        }
        several = (dict(zip(values, words, strict=True)) for words in zip(*values.values(), strict=True))
        return {
            "numbers": slot_numbers(cell.plan, columns),
            "difference": values[""] if self.paradigm.is_pair else several,
        }

    def condition(self, cell: CompiledCell) -> str:
        """The condition name of a cell."""
        levels = {k: {"Sing": "sing", "Plur": "plur"}.get(v, v) for k, v in cell.plan.cell.levels.items()}
        return (self.paradigm.model.condition or "").format(**levels)

    def _keys(
        self, cell: CompiledCell, columns: Columns, realised: dict[str, Sentence], good: list[str], bad: list[str]
    ) -> dict[str, Iterable[Any]]:
        """The keys between the sentences and pairID, in released order, each with one value a row."""
        model = self.paradigm.model
        recorded = {name: self._recorded(realised, cell, expression) for name, expression in model.record.items()}
        keys: dict[str, Iterable[Any]] = {name: v for name, v in recorded.items() if name == "crucial_item"}
        if {"one_prefix", "two_prefix"} & set(model.methods):
            if not model.critical:
                what = "a method with a prefix needs the word after it; write critical: SLOT"
                raise DataError(what, self.paradigm.place("methods"), "critical")
            keys.update(self._prefixes(realised, good, bad))
        keys.update((name, v) for name, v in recorded.items() if name != "crucial_item")
        if model.condition:
            keys["condition"] = repeat(self.condition(cell))
        keys.update(self._design(cell, columns, realised))
        keys.update((name, repeat(value)) for name, value in self.constant.items())
        keys.update(self._varied(cell, columns))
        return keys

    def _varied(self, cell: CompiledCell, columns: Columns) -> dict[str, Iterable[Any]]:
        """The keys that only variants have: made-up words, each with what it stands for; frequencies by slot."""
        keys: dict[str, Iterable[Any]] = {"nonce": cell.replaced(columns)} if cell.replaced else {}
        limits = cell.language.limits
        if limits and limits.notes_frequency:
            keys["zipf"] = limits.zipf(cell.plan, columns)
        return keys

    def _recorded(self, realised: dict[str, Sentence], cell: CompiledCell, expression: str) -> list[Any]:
        """``words(slot slot ...)`` counts words; a slot gives its text in the sentence that has it."""
        counting = expression.startswith("words(") and expression.endswith(")")
        names = expression[6:-1].split() if counting else [expression]
        texts = [self._slot_texts(cell, realised, name) for name in names]
        joined = [" ".join(parts) for parts in zip(*texts, strict=True)]
        return [len(text.split()) for text in joined] if counting else joined

    def _slot_texts(self, cell: CompiledCell, realised: dict[str, Sentence], slot: str) -> list[str]:
        words = self.compiled.language.lexicon.strings.texts
        for sentence in realised.values():
            template = sentence.template
            for k, token in enumerate(template.tokens):
                if slot in (token.slot, f"{token.slot}.{token.part}") and not token.change:
                    columns = sentence.ids[template.starts[k] : template.starts[k + 1]]
                    return ["".join(parts).strip() for parts in zip(*(words[c].tolist() for c in columns), strict=True)]
        raise DataError(
            f"record: no sentence has the slot {slot!r}; {nearest(slot, cell.plan.specs)}",
            self.paradigm.place("record"),
            "record",
        )

    def _prefixes(self, realised: dict[str, Sentence], good: list[str], bad: list[str]) -> dict[str, list[str]]:
        methods = self.paradigm.model.methods
        (prefix_good, word_good), (prefix_bad, word_bad) = (
            self._split(name, realised[name], texts) for name, texts in (("good", good), ("bad", bad))
        )
        keys: dict[str, list[str]] = {}
        if "one_prefix" in methods:
            self._check_same("one_prefix", "what precedes the critical word", prefix_good, prefix_bad)
            keys.update(one_prefix_prefix=prefix_good, one_prefix_word_good=word_good, one_prefix_word_bad=word_bad)
        if "two_prefix" in methods:
            self._check_same("two_prefix", "the critical word", word_good, word_bad)
            keys.update(two_prefix_prefix_good=prefix_good, two_prefix_prefix_bad=prefix_bad, two_prefix_word=word_good)
        return keys

    def _check_same(self, method: str, what: str, good: list[str], bad: list[str]) -> None:
        if good != bad:
            first = next(g for g, b in zip(good, bad, strict=True) if g != b)
            raise DataError(
                f"{method}: {what} must be the same in good and bad, but {first!r} is not; change critical or methods",
                self.paradigm.place("critical"),
                "critical",
            )

    def _split(self, which: str, sentence: Sentence, texts: list[str]) -> tuple[list[str], list[str]]:
        """Prefix and critical word of each sentence."""
        name, _, number = (self.paradigm.model.critical or "").partition(".")
        place, tokens = self.paradigm.place("critical"), sentence.template.tokens
        token = next((k for k, t in enumerate(tokens) if name in (t.slot, t.text)), None)
        if token is None:
            what = f"critical: {which!r} has no {name!r}, which must stand in good and bad"
            raise DataError(f"{what}; {nearest(name, map(str, tokens))}", place, "critical")
        offsets = sentence.offset(token, self.compiled.language.lexicon).tolist()
        for _ in range(whole_number(number, 999, place, f"critical: the word of {name}") - 1 if number else 0):
            offsets = [t.find(" ", o) + 1 for t, o in zip(texts, offsets, strict=True)]
            if not all(offsets):
                short = texts[offsets.index(0)]
                raise DataError(f"critical: {short!r} has no word {number} from {name} on", place, "critical")
        prefixes = [t[: o - 1] if o else "" for t, o in zip(texts, offsets, strict=True)]
        written = [t[o:].partition(" ")[0] for t, o in zip(texts, offsets, strict=True)]
        words = {word: unmarked(word) for word in set(written)}
        return prefixes, [words[word] for word in written]


def _sentences(row: Mapping[str, Any]) -> dict[str, str]:
    """The sentences of a row by name."""
    return row.get("sentences") or {"good": row["sentence_good"], "bad": row["sentence_bad"]}


def _made(
    whole: Mapping[int, tuple[NDArray[np.int64], dict[str, Sentence]]],
    make: Callable[..., list[Item]],
    number: int,
    rows: NDArray[np.int64],
    columns: Columns,
) -> list[Item]:
    """What is made of some rows of a cell, with their sentences.

    Args:
        whole: the rows of a block and their sentences by the number of the cell.
        make: `Assembly.cell_rows` or `Assembly.cell_records`.
        number, rows, columns: as of these.
    """
    all_rows, realised = whole[number]
    first, shared = int(np.searchsorted(all_rows, rows[0])), Memo[NDArray[np.int32]]()
    some = slice(first, first + len(rows))
    return make(number, rows, columns, {name: sentence.part(some, shared) for name, sentence in realised.items()})


def _in_order(block: Block, make: Callable[[int, NDArray[np.int64], Columns], list[Item]]) -> list[Item]:
    """What is made of the parts of a block, in the order of the rows."""
    items = [item for part in block for item in make(*part)]
    if len(block) == 1:
        return items
    return [items[k] for k in np.argsort(np.concatenate([part.rows for part in block]), kind="stable").tolist()]


def _filled(keys: Mapping[str, Iterable[Any]], n: int) -> list[dict[str, Any]]:
    """Rows with these keys, in their order; what is the same in all rows is set once and copied."""
    base = {name: next(values) if isinstance(values, repeat) else None for name, values in keys.items()}
    rows = [base.copy() for _ in range(n)]
    for name, values in keys.items():
        if not isinstance(values, repeat):
            for row, value in zip(rows, values, strict=True):
                row[name] = value
    return rows
