"""The file format of compiled plans: arrays of numbers and a JSON header, laid out as a safetensors file.

A file holds only what is slow to find out: the candidates of the nodes, the constraints between them, and the
assignments of small cells. Cells, slots and templates are read again from the paradigm; lexemes, rules and inventories
are named by category and number. Reading makes names and numbers and nothing else, and every number is checked before
it is used as an index.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Hashable, Sequence
from functools import partial
from itertools import accumulate, pairwise
from typing import Annotated, Any, TypeAlias

import numpy as np
import orjson
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field

from blimpgen.base.errors import BlimpgenError
from blimpgen.base.memo import Memo
from blimpgen.grammar import Rule
from blimpgen.lexicon import CATEGORIES, Inventory
from blimpgen.paradigm import Paradigm
from blimpgen.plan import Constraint, Leaf, Node, Plan, cells
from blimpgen.plan.compiler import drawing_order, read_slots
from blimpgen.plan.constraints import Trio, TrioFault
from blimpgen.plan.features import drawn_features
from blimpgen.plan.nodes import Domain
from blimpgen.plan.phrases import WRITTEN, plain_words, table_domain, written_words
from blimpgen.plan.plan import Columns, PlannedCell, Words
from blimpgen.plan.spec import SlotSpec
from blimpgen.plan.templates import read_templates

__all__ = ["decode", "encode"]

I32: TypeAlias = NDArray[np.int32]
Bools: TypeAlias = NDArray[np.bool_]

_TENSORS = {"numbers": ("I32", 4), "tables": ("U8", 1), "header": ("U8", 1)}
_LENGTH = 8  # bytes of the length that a safetensors file begins with
_LONGEST = 4096  # bytes of the outer header
_HEAVIEST = 1 << 31  # a weight is drawn with 32 bits


Index = Annotated[int, Field(ge=0, lt=1 << 31)]
"""The place of something in a list, or a count."""
Option = tuple[str, Annotated[int, Field(ge=1, le=_HEAVIEST)]]


_Three = tuple[Index, Index, Index]


class _Record(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class _Cell(_Record):
    """What a file says of one cell; places are those of the nodes in drawing order.

    Attributes:
        slots: the head node of each slot that has one.
        masks: the table of each place.
        constraints: name, two places, the classes of both, the table, whether it is induced.
        trios: three places, the classes of each, the scenes of each, what is said of words that share none.
        removed: candidates taken out by looking ahead, by path of a node.
        agreement: slot or path of a node to what it agrees with.
        gave_way: what scenes could not fill.
        assignments: the numbers of each place.
    """

    slots: dict[str, Index]
    masks: list[Index]
    constraints: list[tuple[str, Index, Index, Index, Index, Index, bool]]
    trios: list[tuple[_Three, _Three, _Three, TrioFault]]
    removed: dict[str, Index]
    agreement: dict[str, str]
    gave_way: str
    assignments: list[Index] | None


class _Header(_Record):
    """The JSON header; what a list refers to stands in the lists above it, or before it in its own.

    Attributes:
        numbers: the length of each array of numbers.
        tables: the shape of each array of truth values.
        inventories: a category, or cell and slot whose plain words it has.
        rules: category and number.
        leaves: inventory, path, features, rules, and the numbers of the candidates.
        domains: leaves, or cell and slot whose table it has.
        nodes: path, domain, parent, table of the parent's leaves that have it, original of a twin.
        cells: the cells of the paradigm.
    """

    numbers: list[Index]
    tables: list[tuple[Index] | tuple[Index, Index]]
    inventories: list[str | tuple[Index, str]]
    rules: list[tuple[str, Index]]
    leaves: list[tuple[Index, list[Option], dict[str, str], list[Index], Index]]
    domains: list[list[Index] | tuple[Index, str]]
    nodes: list[tuple[str, Index, Index | None, Index | None, Index | None]]
    cells: list[_Cell]


def encode(key: str, plans: Sequence[PlannedCell], language: Words) -> bytes:
    """Write the plans of all cells of a paradigm.

    Args:
        key: the hash of all that the plans follow from.
        plans: the plans, in the order of the cells.
        language: the words and rules that they were compiled with.
    """
    encoder = _Encoder(language)
    encoder.cells = [encoder.cell(k, *plan) for k, plan in enumerate(plans)]
    header = orjson.dumps({name: getattr(encoder, name) for name in _Header.model_fields})
    parts = [b"".join(encoder.number_bytes), b"".join(encoder.table_bytes), header]
    sizes, body = [len(part) for part in parts], b"".join(parts)
    return _opening(key, sizes, body) + body


def _opening(key: str, sizes: Sequence[int], body: bytes | memoryview) -> bytes:
    """Write what stands before the arrays: a length, and the outer header with key and hash.

    Args:
        key: the hash of all that the plans follow from.
        sizes: the bytes of each tensor.
        body: the tensors, one after the other.
    """
    ends = list(accumulate(sizes, initial=0))
    tensors = {
        name: {"dtype": dtype, "shape": [size // width], "data_offsets": list(span)}
        for (name, (dtype, width)), size, span in zip(_TENSORS.items(), sizes, pairwise(ends), strict=True)
    }
    outer = orjson.dumps({"__metadata__": {"key": key, "sha256": hashlib.sha256(body).hexdigest()}, **tensors})
    outer += b" " * (-len(outer) % _LENGTH)
    return len(outer).to_bytes(_LENGTH, "little") + outer


class _Encoder:
    """Lists everything that plans refer to, each once; for the lists see `_Header`."""

    def __init__(self, language: Words) -> None:
        self.numbers: list[int] = []
        self.tables: list[tuple[int, ...]] = []
        self.inventories: list[Any] = []
        self.rules: list[Any] = []
        self.leaves: list[Any] = []
        self.domains: list[Any] = []
        self.nodes: list[Any] = []
        self.cells: list[Any] = []
        self.number_bytes: list[bytes] = []
        self.table_bytes: list[bytes] = []
        self._places: dict[tuple[int, Hashable], int] = {}
        by_category = language.unroller.grammar.rules.items()
        self._rules = {id(rule): (category, k) for category, rules in by_category for k, rule in enumerate(rules)}

    def cell(self, number: int, plan: Plan, columns: Columns | None) -> dict[str, Any]:
        """List what the plan of a cell consists of; what a file says of the cell."""
        slots = {}
        for name, head in plan.slots.items():
            slots[name], *_ = [self._node(node, number) for node in head.all()]
        place = {node: k for k, node in enumerate(plan.order)}
        constraints = [
            (
                c.name,
                place[c.a],
                place[c.b],
                self._numbers(c.classes_a),
                self._numbers(c.classes_b),
                self._table(c.allowed),
                c.induced,
            )
            for c in plan.constraints
        ]
        trios = [
            (
                [place[node] for node in t.nodes],
                [self._numbers(classes) for classes in t.classes],
                [self._table(scenes) for scenes in t.scenes],
                t.fault,
            )
            for t in plan.trios
        ]
        assignments = None if columns is None else [self._numbers(column) for column in columns]
        return {
            "slots": slots,
            "masks": [self._table(mask) for mask in plan.masks],
            "constraints": constraints,
            "trios": trios,
            "removed": plan.removed,
            "agreement": plan.agreement,
            "gave_way": plan.gave_way,
            "assignments": assignments,
        }

    def _once(self, members: list[Any], key: Hashable, make: Callable[[], Any]) -> int:
        """The place of something in its list, where it is put when it first comes."""
        place = self._places.get((id(members), key))
        if place is None:
            member = make()
            place = self._places[id(members), key] = len(members)
            members.append(member)
        return place

    def _numbers(self, array: I32) -> int:
        def add() -> int:
            self.number_bytes.append(content)
            return len(array)

        content = array.astype("<i4", copy=False).tobytes()
        return self._once(self.numbers, content, add)

    def _table(self, array: Bools) -> int:
        def add() -> tuple[int, ...]:
            self.table_bytes.append(content)
            return array.shape

        content = np.packbits(array).tobytes()
        return self._once(self.tables, (array.shape, content), add)

    def _node(self, node: Node, cell: int) -> int:
        return self._once(
            self.nodes,
            id(node),
            lambda: (
                node.path,
                self._once(self.domains, id(node.domain), lambda: self._domain(node, cell)),
                None if node.parent is None else self._node(node.parent, cell),
                None if node.active is None else self._table(node.active),
                None if node.twin_of is None else self._node(node.twin_of, cell),
            ),
        )

    def _domain(self, node: Node, cell: int) -> object:
        if node.rows:
            return cell, node.slot
        return [self._once(self.leaves, id(leaf), partial(self._leaf, leaf, (cell, node.slot))) for leaf in node.leaves]

    def _leaf(self, leaf: Leaf, source: tuple[int, str]) -> tuple[Any, ...]:
        inventory = leaf.inventory
        name = source if inventory.category == WRITTEN else inventory.category
        return (
            self._once(self.inventories, id(inventory), lambda: name),
            leaf.path,
            leaf.features,
            [self._rule(rule) for rule in leaf.rules],
            self._numbers(leaf.candidates),
        )

    def _rule(self, rule: Rule) -> int:
        name = self._rules[id(rule)]
        return self._once(self.rules, name, lambda: name)


def decode(content: bytes, key: str, paradigm: Paradigm, language: Words) -> list[PlannedCell]:
    """Read the plans of all cells of a paradigm.

    Args:
        content: the file.
        key: the hash that must stand in it.
        paradigm: the paradigm, from which slots and templates are read again.
        language: its words and rules.

    Raises:
        ValueError: the file is not one that `encode` writes, or has another key.
    """
    try:
        sizes, body = _split(content, key)
        ends = list(accumulate(sizes, initial=0))
        numbers, tables, header = (body[start:end] for start, end in pairwise(ends))
        decoder = _Decoder(_Header.model_validate_json(bytes(header)), numbers, tables, paradigm, language)
        return decoder.plans()
    except (LookupError, TypeError, BlimpgenError, orjson.JSONDecodeError) as error:
        raise ValueError(f"no plans: {error}") from error


def _split(content: bytes, key: str) -> tuple[list[int], memoryview]:
    """The sizes of the tensors, and all of them together; the opening must be the one that would be written."""
    length = _LENGTH + int.from_bytes(content[:_LENGTH], "little")
    _require(length <= _LONGEST, "the outer header is too long")
    outer, body = orjson.loads(content[_LENGTH:length]), memoryview(content)[length:]
    spans = [outer[name]["data_offsets"] for name in _TENSORS]
    sizes = [end - start for start, end in spans]
    _require(all(size >= 0 for size in sizes) and sum(sizes) == len(body), "the arrays do not fill the file")
    _require(content[:length] == _opening(key, sizes, body), "another key or hash")
    return sizes, body


def _require(holds: bool, what: str) -> None:
    if not holds:
        raise ValueError(what)


class _Decoder:
    """Makes plans from what a file says, after checking it.

    Args:
        header: the header.
        numbers: the arrays of numbers, one after the other.
        tables: the arrays of truth values, each beginning with a byte.
        paradigm: the paradigm.
        language: its words and rules.
    """

    def __init__(
        self, header: _Header, numbers: memoryview, tables: memoryview, paradigm: Paradigm, language: Words
    ) -> None:
        self.header, self.paradigm, self.language = header, paradigm, language
        self.numbers, self.above = _arrays_of_numbers(header.numbers, numbers)
        self.tables = _arrays_of_truths(header.tables, tables)
        parsed = Memo[SlotSpec]()
        self.cells = [read_slots(paradigm, cell, language, parsed) for cell in cells(paradigm)]
        _require(len(header.cells) == len(self.cells), "another number of cells")
        self.inventories = [self._inventory(name) for name in header.inventories]
        self.rules = [language.unroller.grammar.rules[category][number] for category, number in header.rules]
        self.leaves = [self._leaf(*leaf) for leaf in header.leaves]
        self.domains = [self._domain(domain) for domain in header.domains]
        self.nodes: list[Node] = []
        for node in header.nodes:
            self.nodes.append(self._node(*node))

    def plans(self) -> list[PlannedCell]:
        """The plan of each cell."""
        return [self._plan(plan, cell) for plan, cell in zip(self.cells, self.header.cells, strict=True)]

    def _inventory(self, name: str | tuple[int, str]) -> Inventory:
        lexicon = self.language.lexicon
        if isinstance(name, tuple):
            cell, slot = name
            return written_words(plain_words(self.cells[cell].specs[slot], lexicon), lexicon)
        listed = name.startswith("words:") and name.removeprefix("words:") in lexicon.word_lists
        _require(name in CATEGORIES or listed, "an unknown category")
        return lexicon.inventory(name)

    def _leaf(
        self, inventory: int, path: list[tuple[str, int]], features: dict[str, str], rules: list[int], candidates: int
    ) -> Leaf:
        words = self.inventories[inventory]
        _require(self.above[candidates] <= len(words), "an unknown lexeme")
        drawn = drawn_features(words.category, features).items()
        _require(all(features.get(name) in values for name, values in drawn), "an unknown feature")
        return Leaf(words, tuple(path), features, tuple([self.rules[k] for k in rules]), self.numbers[candidates])

    def _domain(self, domain: list[int] | tuple[int, str]) -> Domain:
        if isinstance(domain, tuple):
            cell, slot = domain
            return table_domain(self.cells[cell].specs[slot])
        return self.language.unroller.of_leaves(tuple([self.leaves[k] for k in domain]))

    def _node(self, path: str, domain: int, parent: int | None, active: int | None, original: int | None) -> Node:
        node = Node(path, self.domains[domain])
        if original is not None:
            node.twin_of = self.nodes[original]
        if parent is not None:
            node.parent = self.nodes[parent]
            above, _, role = path.rpartition("/")
            _require(above == node.parent.path and active is not None, "a daughter of another node")
            assert active is not None
            node.active = self.tables[active]
            _require(node.active.shape == (len(node.parent.leaves),), "a daughter of other leaves")
            node.parent.children[role] = node
        return node

    def _plan(self, plan: Plan, cell: _Cell) -> PlannedCell:
        """The plan of a cell; `plan` has its slots, and gets all else."""
        named = [name for name, spec in plan.specs.items() if not spec.same]
        plan.slots = {name: self.nodes[k] for name, k in cell.slots.items()}
        _require(list(plan.slots) == named, "other slots")
        _require(all(node.path == name for name, node in plan.slots.items()), "other slots")
        plan.order = drawing_order(plan)
        size = [node.size for node in plan.order]
        originals = {node.twin_of for node in plan.order if node.twin_of is not None}
        _require(originals <= set(plan.order), "a twin of another cell's node")
        plan.masks = [self.tables[k] for k in cell.masks]
        _require([mask.shape for mask in plan.masks] == [(n,) for n in size], "masks of other candidates")
        plan.constraints = [self._constraint(plan.order, size, *c) for c in cell.constraints]
        plan.trios = [self._trio(plan.order, size, *t) for t in cell.trios]
        names = {*plan.specs, *(node.path for node in plan.order)}
        agreeing = {*cell.agreement, *(target.partition(".")[0] for target in cell.agreement.values())}
        _require(agreeing <= names and cell.removed.keys() <= names, "an unknown node")
        plan.agreement, plan.removed, plan.gave_way = cell.agreement, cell.removed, cell.gave_way
        read_templates(self.paradigm, plan, self.language)
        return PlannedCell(
            plan, None if cell.assignments is None else self._assignments(plan.order, size, cell.assignments)
        )

    def _constraint(
        self,
        order: list[Node],
        size: list[int],
        name: str,
        a: int,
        b: int,
        left: int,
        right: int,
        table: int,
        induced: bool,
    ) -> Constraint:
        allowed, classes = self.tables[table], (self.numbers[left], self.numbers[right])
        _require(allowed.ndim == 2, "a constraint without a table")
        _require((len(classes[0]), len(classes[1])) == (size[a] + 1, size[b] + 1), "classes of other candidates")
        _require(self.above[left] <= allowed.shape[0] and self.above[right] <= allowed.shape[1], "an unknown class")
        return Constraint(name, order[a], order[b], *classes, allowed, induced)

    def _trio(
        self, order: list[Node], size: list[int], nodes: _Three, classes: _Three, scenes: _Three, fault: TrioFault
    ) -> Trio:
        numbers, tables = [self.numbers[k] for k in classes], [self.tables[k] for k in scenes]
        _require({table.ndim for table in tables} == {2}, "a trio without scenes")
        _require(len({table.shape[1] for table in tables}) == 1, "other scenes")
        _require([len(each) for each in numbers] == [size[k] + 1 for k in nodes], "classes of other candidates")
        known = all(self.above[k] <= len(table) for k, table in zip(classes, tables, strict=True))
        _require(known, "an unknown class")
        a, b, c = nodes
        return Trio((order[a], order[b], order[c]), tuple(numbers), tuple(tables), fault)

    def _assignments(self, order: list[Node], size: list[int], columns: list[int]) -> Columns:
        arrays = [self.numbers[k] for k in columns]
        _require(len(arrays) == len(order) and len({len(column) for column in arrays}) == 1, "columns of other nodes")
        for node, n, column in zip(order, size, arrays, strict=True):
            least = 0 if node.parent is None else -1
            _require(not len(column) or (least <= column.min() and column.max() < n), "an unknown candidate")
        return arrays


def _arrays_of_numbers(lengths: list[int], content: memoryview) -> tuple[list[I32], list[int]]:
    """The arrays of numbers, and for each the least number that is above all in it; negative ones count as large."""
    joined = np.frombuffer(content, "<i4").astype(np.int32, copy=False)
    ends = np.array([0, *accumulate(lengths)], dtype=np.int64)
    _require(ends[-1] == len(joined), "numbers of another length")
    above = np.zeros(len(lengths), dtype=np.int64)
    filled = np.diff(ends) > 0
    if filled.any():
        above[filled] = np.maximum.reduceat(joined.view(np.uint32), ends[:-1][filled]).astype(np.int64) + 1
    return [joined[start:end] for start, end in pairwise(ends.tolist())], above.tolist()


def _arrays_of_truths(shapes: list[tuple[int] | tuple[int, int]], content: memoryview) -> list[Bools]:
    """The arrays of truth values, which stand eight to a byte."""
    sizes = [math.prod(shape) for shape in shapes]
    begins = [0, *accumulate(-(-size // 8) for size in sizes)]
    _require(begins[-1] == len(content), "tables of another length")
    truths = np.unpackbits(np.frombuffer(content, np.uint8)).view(np.bool_)
    truths.flags.writeable = False
    return [truths[8 * k : 8 * k + n].reshape(shape) for k, n, shape in zip(begins, sizes, shapes, strict=False)]
