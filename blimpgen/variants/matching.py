"""Constraints that a variant adds to a plan: exchanged words of like frequency, forms of as many tokens."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import product

import numpy as np
from numpy.typing import NDArray

from blimpgen.base.errors import UsageError, nearest
from blimpgen.english.words import is_mark
from blimpgen.lexicon import Inventory
from blimpgen.lexicon.frequency import Frequencies
from blimpgen.lexicon.strings import StringPool
from blimpgen.paradigm import Token
from blimpgen.plan import Leaf, Node, Plan
from blimpgen.plan.constraints import Constraint, constraint
from blimpgen.variants.tokenizers import Tokenizer

__all__ = ["TokenLengths", "exchanged", "like_frequency", "like_tokens", "one_length", "single_tokens", "zipf_of"]

Mask = NDArray[np.bool_]
_VERBAL = ("bare", "pres_sg", "pres_pl", "past", "part", "ing")


def exchanged(plan: Plan) -> list[tuple[Node, Node]]:
    """The pairs of slots of which a sentence has the one and another the other, twins among them."""
    pairs = []
    for name, spec in plan.specs.items():
        if spec.like and name in plan.slots and spec.like in plan.slots:
            pairs.append((plan.slots[spec.like], plan.slots[name]))
    sentences = [{token.slot for token in tokens if token.slot in plan.slots} for tokens in plan.tokens.values()]
    if len(sentences) == 2:
        only = [sorted(mine - other) for mine, other in (sentences, sentences[::-1])]
        for a, b in product(*only):
            nodes = plan.slots[a], plan.slots[b]
            if _categories(nodes[0]) == _categories(nodes[1]) and nodes not in pairs and nodes[::-1] not in pairs:
                pairs.append(nodes)
    return pairs


def _categories(node: Node) -> set[str]:
    return {leaf.inventory.category for leaf in node.leaves}


def zipf_of(node: Node, frequencies: Frequencies) -> NDArray[np.float64]:
    """The frequency of each candidate of a node; NaN where it is unknown.

    Args:
        node: the node.
        frequencies: those of all lexemes.
    """
    return _by_leaf(node, lambda leaf: frequencies.of(leaf.inventory)[leaf.candidates])


def _by_leaf(node: Node, values: Callable[[Leaf], NDArray[np.float64]]) -> NDArray[np.float64]:
    parts = [values(leaf) for leaf in node.leaves]
    return np.concatenate(parts) if parts else np.full(node.size, np.nan)


def like_frequency(plan: Plan, frequencies: Frequencies, most: float) -> Iterator[Constraint]:
    """Exchanged words differ by at most so much; a word without a frequency goes with every other.

    Args:
        plan: the plan.
        frequencies: those of all lexemes.
        most: how far two words may be apart on the Zipf scale.
    """
    for a, b in exchanged(plan):
        values = [np.unique(zipf_of(node, frequencies)) for node in (a, b)]
        far = np.abs(values[0][:, None] - values[1][None, :]) > most + 1e-9
        classes = [
            np.searchsorted(edges, zipf_of(node, frequencies)).astype(np.int32)
            for edges, node in zip(values, (a, b), strict=True)
        ]
        yield constraint("match-zipf", a, b, classes[0], classes[1], ~far)


class TokenLengths:
    """Tokens of the forms of inventories.

    Args:
        strings: the forms.
        tokenizer: counts their tokens.
    """

    def __init__(self, strings: StringPool, tokenizer: Tokenizer) -> None:
        self.strings, self.tokenizer = strings, tokenizer

    def of(self, inventory: Inventory, cell: str) -> NDArray[np.int64]:
        """Count the tokens of each lexeme's form; -1 where it has none.

        Args:
            inventory: the lexemes.
            cell: the form.
        """
        numbers = inventory.forms.get(cell)
        if numbers is None:
            return np.full(len(inventory), -1, dtype=np.int64)
        word, text = self.tokenizer.word, self.strings.text
        return np.array([word(text(n)) if n >= 0 else -1 for n in numbers.tolist()], dtype=np.int64)


def _cells(leaf: Leaf) -> tuple[str, ...]:
    """The cells that a leaf may show."""
    if leaf.inventory.category == "V":
        form = leaf.features.get("form", "")
        if form in ("", "fin"):
            return ("past",) if leaf.features.get("Tense") == "Past" else ("pres_sg", "pres_pl")
        return (form,)
    number = leaf.features.get("Number")
    if "Sing" in leaf.inventory.forms:
        return ({"Sing": "Sing", "Plur": "Plur"}.get(number or "", "Sing"),)
    return tuple(leaf.inventory.forms)


def like_tokens(plan: Plan, lengths: TokenLengths) -> Iterator[Constraint]:
    """Exchanged words have as many tokens, in all forms that the sentence may show of the first.

    Args:
        plan: the plan.
        lengths: counts tokens.
    """
    for a, b in exchanged(plan):
        shown = sorted({cell for leaf in a.leaves for cell in _cells(leaf)})
        first = _by_cell(a, shown, lengths, lambda leaf, cell: cell in _cells(leaf))
        second = _by_cell(b, shown, lengths, lambda leaf, cell: True)
        rows, cols = sorted(set(first)), sorted(set(second))
        table = np.array(
            [
                [all(-1 in both or len({*both}) == 1 for both in zip(row, column, strict=True)) for column in cols]
                for row in rows
            ]
        )
        yield constraint(
            "match-tokens",
            a,
            b,
            np.array([rows.index(x) for x in first], dtype=np.int32),
            np.array([cols.index(x) for x in second], dtype=np.int32),
            table,
        )


def _by_cell(
    node: Node, cells: Sequence[str], lengths: TokenLengths, shows: Callable[[Leaf, str], bool]
) -> list[tuple[int, ...]]:
    """Tokens of each candidate of a node in some cells; -1 where it does not show the cell."""
    table = np.full((node.size, len(cells)), -1, dtype=np.int64)
    for k, leaf in enumerate(node.leaves):
        for column, cell in enumerate(cells):
            if shows(leaf, cell):
                table[node.leaf == k, column] = lengths.of(leaf.inventory, cell)[leaf.candidates]
    return list(map(tuple, table.tolist()))


def one_length(plan: Plan, lengths: TokenLengths) -> Iterator[tuple[Node, Mask]]:
    """For each slot in which the sentences differ by themselves, the candidates with as many tokens in both.

    A word that is changed in place has two forms, a row of a table two columns; a word may also stand where the other
    sentence has words that the template writes out.

    Args:
        plan: the plan.
        lengths: counts tokens.
    """
    for tokens in plan.tokens.values():
        for token in tokens:
            node = plan.slots.get(token.slot)
            if token.change is None or node is None:
                continue
            mask = np.ones(node.size, dtype=bool)
            for k, leaf in enumerate(node.leaves):
                pair = _changed(leaf, token.change)
                if pair is not None:
                    a, b = (lengths.of(leaf.inventory, cell)[leaf.candidates] for cell in pair)
                    mask[node.leaf == k] = a == b
            yield node, mask
    yield from _by_parts(plan, lengths)


def _by_parts(plan: Plan, lengths: TokenLengths) -> Iterator[tuple[Node, Mask]]:
    """Slots that alone are not the same in both sentences: all else has as many tokens anyway."""
    if len(plan.tokens) != 2:
        return
    good, bad = (Counter(tokens) for tokens in plan.tokens.values())
    sides = [[*(good - bad).elements()], [*(bad - good).elements()]]
    names = {token.slot for side in sides for token in side if token.slot}
    if len(names) != 1 or any(token.change for side in sides for token in side):
        return
    node = plan.slots.get(names.pop())
    if node is None:
        return

    def tokens_of(side: list[Token], k: int) -> int:
        texts = (token.text or _text(node, token, k, lengths.strings) for token in side)
        return sum(lengths.tokenizer.word(text) for text in texts if not is_mark(text))

    if node.rows or {leaf.inventory.category for leaf in node.leaves} == {"Adv"}:
        yield node, np.array([tokens_of(sides[0], k) == tokens_of(sides[1], k) for k in range(node.size)], dtype=bool)


def _text(node: Node, token: Token, k: int, strings: StringPool) -> str:
    """What a slot of closed words or of adverbs shows."""
    if node.rows:
        return node.rows[k][token.part]
    cell = next(iter(node.leaves[int(node.leaf[k])].inventory.forms))
    return strings.text(int(node.domain.forms(cell)[k])).strip()


def _changed(leaf: Leaf, change: tuple[str, str]) -> tuple[str, str] | None:
    """The two cells of a change of a content word."""
    if leaf.inventory.category == "N":
        return "Sing", "Plur"
    if leaf.inventory.category == "V" and change[0] == "form":
        return "past", "part"
    finite = leaf.inventory.category == "V" and _cells(leaf) == ("pres_sg", "pres_pl")
    return ("pres_sg", "pres_pl") if finite and not (leaf.rules and leaf.rules[0].daughter("aux")) else None


def single_tokens(plan: Plan, slot: str, lengths: TokenLengths) -> tuple[Node, Mask]:
    """The candidates of a slot whose shown forms, changed ones too, are single tokens inside a sentence.

    Args:
        plan: the plan.
        slot: the slot.
        lengths: counts tokens.

    Raises:
        UsageError: there is no such slot.
    """
    if slot not in plan.slots:
        raise UsageError(f"--single-token: no slot {slot!r}; {nearest(slot, plan.slots)}")
    node = plan.slots[slot]
    changes = [t.change for tokens in plan.tokens.values() for t in tokens if t.slot == slot and t.change]
    mask = np.ones(node.size, dtype=bool)
    for k, leaf in enumerate(node.leaves):
        cells = {*_cells(leaf), *(cell for change in changes for cell in _changed(leaf, change) or ())}
        for cell in sorted(cells):
            mask[node.leaf == k] &= np.isin(lengths.of(leaf.inventory, cell)[leaf.candidates], (1, -1))
    return node, mask
