"""Unrolling a category of the grammar into nodes."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from functools import cache

import numpy as np

from blimpgen.base.errors import DataError, listing, nearest, respelt
from blimpgen.base.memo import Memo
from blimpgen.grammar import Grammar, Rule
from blimpgen.grammar.rules import Daughter
from blimpgen.lexicon import CATEGORIES, Inventory, Lexicon
from blimpgen.lexicon.features import split_features
from blimpgen.lexicon.forms import DEGREES
from blimpgen.lexicon.inventory import WITHHELD
from blimpgen.lexicon.restrictions import And, Atom, Expression, Or, atoms
from blimpgen.plan.features import check_features, drawn_features
from blimpgen.plan.nodes import Domain, Leaf, Node
from blimpgen.plan.spec import WORDS, SlotSpec, Values

__all__ = ["WRITTEN", "Unroller", "plain_words", "table_domain", "written_words"]

WRITTEN = "words"
"""The category of words that a paradigm writes out."""


def plain_words(spec: SlotSpec, lexicon: Lexicon) -> tuple[str, ...]:
    """List the words of a slot that name no word list.

    Args:
        spec: the slot.
        lexicon: the word lists.
    """
    return tuple(word for word in spec.words if word not in lexicon.word_lists)


def table_domain(spec: SlotSpec) -> Domain:
    """Make the domain of a slot whose rows a paradigm writes out."""
    return Domain((), tuple(dict(row) for row in spec.table))


def written_words(words: tuple[str, ...], lexicon: Lexicon) -> Inventory:
    """The inventory of words that a paradigm writes out.

    Args:
        words: the words.
        lexicon: where their strings are numbered.
    """
    return Inventory(
        WRITTEN,
        words,
        {"lemma": np.array(words, dtype=object)},
        {"form": np.array([lexicon.strings.add(w) for w in words], dtype=np.int32)},
        np.ones(len(words), dtype=np.int64),
    )


class Unroller:
    """Makes nodes from slots.

    Args:
        lexicon: the inventories.
        grammar: the phrase rules.
    """

    def __init__(self, lexicon: Lexicon, grammar: Grammar) -> None:
        self.lexicon, self.grammar = lexicon, grammar
        self._domains: dict[tuple[object, ...], Domain] = {}
        self._of_leaves: Memo[Domain] = Memo()
        self._nodes: dict[tuple[object, ...], Node] = {}

    def _domain(self, key: tuple[object, ...], leaves: Callable[[], Iterator[Leaf]]) -> Domain:
        """The domain for a key, made once; keys that come down to the same leaves share it."""
        if key not in self._domains:
            self._domains[key] = self.of_leaves(tuple(leaves()))
        return self._domains[key]

    def of_leaves(self, leaves: tuple[Leaf, ...]) -> Domain:
        """The domain of leaves that were made before; equal ones have one."""
        owners = [owner for x in leaves for owner in (x.inventory, *x.rules)]
        key = tuple((x.path, tuple(x.features.items()), len(x.rules), x.candidates.tobytes()) for x in leaves)
        return self._of_leaves.once(lambda: Domain(leaves), *owners, key=key)

    def slot(self, spec: SlotSpec) -> Node:
        """The node of a slot, with those below it; the same one in all cells that ask for the same."""
        signature = spec.signature
        key = (spec.name, signature)
        if key not in self._nodes:
            domain = self._domain(("slot", signature), lambda: self._slot_leaves(spec))
            self._nodes[key] = self._node(spec.name, domain, spec, 0, None)
        return self._nodes[key]

    def _slot_leaves(self, spec: SlotSpec) -> Iterator[Leaf]:
        options = [option.partition(".") for option in spec.cat]
        for category, _, _ in options:
            self._check_category(category, spec)
        check_features(spec, [c for c, _, _ in options], self.grammar, self.lexicon)
        for category in dict.fromkeys(c for c, _, _ in options):
            labels = {label for c, _, label in options if c == category and label}
            for label in labels:
                self.grammar.named(category, label, spec.at("cat"))
            yield from self._leaves(category, spec, 0, {}, (), labels, ())

    def _check_category(self, category: str, spec: SlotSpec) -> None:
        if self.grammar.lists and category in (*self.grammar.rules, *self.grammar.lists):
            what = f"{category} is of a grammar over word lists, which derives sentences and draws none"
            raise DataError(
                f"{what}; write slots over lists, as words: {self.grammar.lists[0]}", spec.at("cat"), "category"
            )
        if category not in self.grammar.rules and category not in CATEGORIES:
            hint = nearest(category, [*self.grammar.phrases, *CATEGORIES])
            raise DataError(f"unknown category {category!r}; {hint}", spec.at("cat"), "category")

    def table(self, spec: SlotSpec) -> Node:
        """The node of a slot whose rows a paradigm writes out."""
        key = ("table", tuple(tuple(row.items()) for row in spec.table))
        if key not in self._domains:
            self._domains[key] = table_domain(spec)
        return Node(spec.name, self._domains[key])

    def words(self, spec: SlotSpec) -> Node:
        """The node of a slot without grammar: words written out, or named word lists."""
        named = [w for w in spec.words if w in self.lexicon.word_lists]
        leaves: list[Leaf] = []
        for name in named:
            path = ((name, 1),) if len(named) > 1 else ()
            inventory = self.lexicon.inventory(f"words:{name}", spec.at("words"))
            self._check_listed(spec, name, inventory)
            if inventory.inflected:
                leaves += self._inflected(inventory, spec, path)
            else:
                leaves += self._lexical(f"words:{name}", spec, {}, path, ())
        if plain := plain_words(spec, self.lexicon):
            self._check_unannotated(spec, plain)
            inventory = written_words(plain, self.lexicon)
            leaves.append(Leaf(inventory, (), {}, (), np.arange(len(plain), dtype=np.int32)))
        return Node(spec.name, Domain(tuple(leaves)))

    def _check_listed(self, spec: SlotSpec, name: str, inventory: Inventory) -> None:
        """Whether the words of a list have the features that a slot asks for, and the values."""
        plain = [{"Number": "Sing"}, {"Number": "Plur"}]
        cells = [split_features(cell) for cell in inventory.forms] if inventory.inflected else plain
        for feature in (*spec.features, *spec.ties):
            if feature not in cells[0] and feature not in (*inventory.columns, "letters", "stem", "zipf"):
                what = f"the list {name!r} has no feature {feature!r}; {nearest(feature, cells[0])}"
                raise DataError(what, spec.at(feature), "feature")
        for feature, requested in spec.features.items():
            values = dict.fromkeys(cell[feature] for cell in cells if feature in cell)
            for value in requested.values:
                if values and value not in (*values, "any"):
                    what = f"no word of {name!r} has {feature}={value}; {nearest(value, values)}"
                    raise DataError(what, spec.at(feature), "value")

    def _inflected(self, inventory: Inventory, spec: SlotSpec, path: tuple[tuple[str, int], ...]) -> Iterator[Leaf]:
        """The leaves of a list of inflected words: one for each combination of features that the slot admits."""
        for cell, forms in inventory.forms.items():
            features = split_features(cell)
            mask = self._requested(inventory, spec, features, (), None) & (forms >= 0)
            if mask.any():
                drawn = tuple((f"{name}={value}", 1) for name, value in features.items())
                yield Leaf(inventory, (*path, *drawn), features, (), np.flatnonzero(mask).astype(np.int32))

    def _check_unannotated(self, spec: SlotSpec, words: Sequence[str]) -> None:
        """Words that are written out have no features that a key could ask for, and are no misspelt lists."""
        for word in words:
            if len(word) > 1 and word.isupper() and (meant := respelt(word, self.lexicon.word_lists)):
                lists = listing(list(self.lexicon.word_lists))
                what = f"there is no list {word!r}; did you mean {meant!r}? There are: {lists}"
                raise DataError(what, spec.at("words"), "value")
        for key in spec.keys:
            if key in spec.features or key in spec.ties or key == "is":
                what = f"{key!r} says nothing of {words[0]!r}, a word that is written out; name a list of the lexicon"
                raise DataError(f"{what}: {nearest(words[0], self.lexicon.word_lists)}", spec.at(key), "key")

    def twin(self, spec: SlotSpec, original: Node) -> Node:
        """The node of a slot that exchanges the head lexeme of another: one leaf for each frame and number.

        Args:
            spec: the slot.
            original: the node whose lexeme is exchanged.
        """
        categories = tuple(dict.fromkeys(leaf.inventory.category for leaf in original.leaves))
        degrees = tuple(dict.fromkeys(leaf.features["Degree"] for leaf in original.leaves if "Degree" in leaf.features))
        if degrees and "Degree" not in spec.features:
            spec = replace(spec, features={**spec.features, "Degree": Values(degrees)})
        signature = spec.signature
        key = (spec.name, original, signature)
        if key not in self._nodes:
            domain = self._domain(("twin", categories, signature), lambda: self._twin_leaves(spec, categories))
            self._nodes[key] = Node(spec.name, domain, twin_of=original)
        return self._nodes[key]

    def _twin_leaves(self, spec: SlotSpec, categories: tuple[str, ...]) -> Iterator[Leaf]:
        check_features(spec, categories, self.grammar, self.lexicon)
        for category in categories:
            yield from self._lexical(category, spec, {}, (), ())

    def _node(self, path: str, domain: Domain, spec: SlotSpec, level: int, parent: Node | None) -> Node:
        node = Node(path, domain, parent)
        for role, uses in domain.once("roles", lambda: _roles(domain)).items():
            node.children[role] = self._child(node, role, uses, spec, level)
        return node

    def _child(self, node: Node, role: str, uses: list[tuple[int, Daughter]], spec: SlotSpec, level: int) -> Node:
        below = spec.daughters.get(role) or SlotSpec(f"{node.path}/{role}", spec.place)
        below = replace(below, name=f"{node.path}/{role}", every=spec.every)
        kinds = tuple(
            dict.fromkeys((d.category, d.lower, d.features["form"][0] if "form" in d.features else "") for _, d in uses)
        )
        domain = self._domain(
            ("daughter", kinds, level, below.signature), lambda: self._daughter_leaves(kinds, below, level)
        )
        child = self._node(below.name, domain, below, level + uses[0][1].lower, node)
        child.active = np.zeros(len(node.leaves), dtype=bool)
        child.active[[k for k, _ in uses]] = True
        return child

    def _daughter_leaves(self, kinds: tuple[tuple[str, bool, str], ...], below: SlotSpec, level: int) -> Iterator[Leaf]:
        check_features(below, [category for category, _, _ in kinds], self.grammar, self.lexicon)
        for category, lower, form in kinds:
            if below.cat and not any(c.partition(".")[0] == category for c in below.cat):
                continue
            labels = {c.partition(".")[2] for c in below.cat if c.partition(".")[0] == category} - {""}
            yield from self._leaves(category, below, level + lower, {"form": form} if form else {}, (), labels, ())

    def _leaves(
        self,
        category: str,
        spec: SlotSpec,
        level: int,
        fixed: dict[str, str],
        path: tuple[tuple[str, int], ...],
        labels: set[str],
        rules: tuple[Rule, ...],
        restrictions: tuple[Expression, ...] = (),
    ) -> Iterator[Leaf]:
        if category not in self.grammar.rules:
            self._check_category(category, spec)
            placed = {d.role for rule in rules for d in rule.daughters}
            # a frame that the slot asks for may lack what it says of an object
            requested = {frame for option in spec.frames for frame in option} if len(spec.frames) > 1 else set()
            if not rules or spec.daughters.keys() <= placed or fixed.get("frame") in requested:
                leaves = self._lexical(category, spec, fixed, path, restrictions)
                yield from (replace(leaf, rules=rules) for leaf in leaves)
            return
        for rule in self.grammar.rules[category]:
            if rule.label not in labels if labels else not rule.weight:
                continue
            if level >= self.grammar.depth - 1 and any(d.lower for d in rule.daughters):
                continue
            if not rules and not _has_daughters(rule, spec, self.grammar):
                continue
            for features in self._choices(rule, spec, fixed):
                drawn = [(f"{name}={value}", 1) for name, value in features.items() if len(rule.features[name]) > 1]
                head = {
                    **fixed,
                    **features,
                    **{k: v[0] for k, v in rule.head.features.items() if len(v) == 1 and not v[0].startswith("?")},
                }
                more = (rule.head.restriction.expression,) if rule.head.restriction else ()
                yield from self._leaves(
                    rule.head.category,
                    spec,
                    level,
                    head,
                    (*path, (rule.name, max(rule.weight, 1)), *drawn),
                    set(),
                    (*rules, rule),
                    (*restrictions, *more),
                )

    def _choices(self, rule: Rule, spec: SlotSpec, fixed: dict[str, str]) -> Iterator[dict[str, str]]:
        names = [n for n, v in rule.features.items() if not any(x.startswith("?") or x == "any" for x in v)]
        required = dict(spec.features)
        if "form" not in required and "form" not in fixed and self._has_finite(rule.category):
            required["form"] = Values(("fin",))
        options = [
            [v for v in rule.features[n] if (n not in required or required[n].admits(v)) and fixed.get(n, v) == v]
            for n in names
        ]
        for combination in itertools.product(*options):
            yield dict(zip(names, combination, strict=True))

    def _has_finite(self, category: str) -> bool:
        return any(rule.features.get("form") == ("fin",) for rule in self.grammar.rules[category])

    def _lexical(
        self,
        category: str,
        spec: SlotSpec,
        fixed: dict[str, str],
        path: tuple[tuple[str, int], ...],
        restrictions: tuple[Expression, ...],
    ) -> Iterator[Leaf]:
        inventory = self.lexicon.inventory(category, spec.at("cat"))
        choices = {
            n: tuple(v for v in values if v == fixed.get(n, v))
            for n, values in drawn_features(category, spec.features).items()
        }
        if category.startswith("words:"):
            choices = {"Number": spec.features["Number"].values if "Number" in spec.features else ("Sing",)}
        if category == "V" and "form" in spec.features and "form" not in fixed:
            fixed = {**fixed, "form": spec.features["form"].values[0]}
        frames = self._frames(category, spec, fixed)
        for combination in itertools.product(*choices.values(), frames):
            features = {**fixed, **dict(zip(choices, combination, strict=False))}
            if frames != [""]:
                features["frame"] = combination[-1]
            drawn = tuple((f"{n}={features[n]}", 1) for n in choices) + (
                ((f"frame={combination[-1]}", 1),) if len(frames) > 1 else ()
            )
            mask = self._mask(inventory, spec, features, restrictions)
            candidates = np.flatnonzero(mask).astype(np.int32)
            if np.all(inventory.weights == 1):
                if len(candidates):
                    yield Leaf(inventory, (*path, *drawn), features, (), candidates)
                continue
            lemmas = _named(*restrictions, *spec.expressions)
            yield from self._weighted(inventory, candidates, spec, (*path, *drawn), features, lemmas)

    def _weighted(
        self,
        inventory: Inventory,
        candidates: np.typing.NDArray[np.int32],
        spec: SlotSpec,
        path: tuple[tuple[str, int], ...],
        features: dict[str, str],
        lemmas: Collection[str],
    ) -> Iterator[Leaf]:
        """The leaves of words that are drawn by weight; those of weight 0 where the slot names them, or if all are."""
        rare = not inventory.weights[candidates].any()
        named = any(n in spec.features and not spec.features[n].negated for n in ("lemma", "form"))
        for k in candidates:
            weight = int(inventory.weights[k])
            if weight or rare or named or inventory.lemmas[k] in lemmas:
                option = (inventory.ids[k], max(weight, 1))
                place = (option, *path) if inventory.category in ("Aux", "Cop") else (*path, option)
                yield Leaf(inventory, place, features, (), np.array([k], dtype=np.int32))

    def _frames(self, category: str, spec: SlotSpec, fixed: dict[str, str]) -> list[str]:
        if category != "V":
            return [""]
        options = ["&".join(option) for option in spec.frames]
        if "frame" in fixed:
            fitting = [o for o in options if fixed["frame"] in o.split("&")]
            return (fitting or []) if options else [fixed["frame"]]
        if not options:
            raise DataError(
                f"the verb of {spec.name!r} has no frame; write frame: V.NP or another", spec.place, "frame"
            )
        return options

    def _mask(
        self, inventory: Inventory, spec: SlotSpec, features: dict[str, str], restrictions: tuple[Expression, ...]
    ) -> np.typing.NDArray[np.bool_]:
        mask = np.ones(len(inventory), dtype=bool)
        extra: dict[str, np.typing.NDArray[np.object_]] | None = None
        if inventory.category == "V":
            frames = features["frame"].split("&")
            for frame in frames:
                mask &= inventory.names(frame, spec.at("frame")) if inventory.names else mask
            for frame in spec.no_frames:
                if frame not in self.lexicon.verbs.asserted:
                    hint = nearest(frame, self.lexicon.verbs.asserted)
                    raise DataError(f"unknown frame {frame!r}; {hint}", spec.at("no_frame"), "frame")
                mask &= self.lexicon.verbs.asserted[frame]
            if frames == ["V"] and not _mentions("objectless", *restrictions, *spec.expressions):
                mask &= ~inventory.incomplete
            extra = self.lexicon.verbs.frame_columns(frames[0])
        elif inventory.category == "A":
            mask &= self._adjectives(inventory, spec) & (inventory.forms[DEGREES[features.get("Degree", "Pos")]] > 0)
        for name in ("Sing", "Plur"):
            if features.get("Number") == name and inventory.category in ("N", "words"):
                mask &= inventory.forms[name] >= 0
        if {"Tense", "Polarity"} <= features.keys() and inventory.category in ("Aux", "Cop"):
            cell = f"{features['Tense'].lower()}_pl" + ("_neg" if features["Polarity"] == "Neg" else "")
            mask &= inventory.forms[cell] >= 0
        return mask & self._requested(inventory, spec, features, restrictions, extra)

    def _adjectives(self, inventory: Inventory, spec: SlotSpec) -> np.typing.NDArray[np.bool_]:
        mask = np.ones(len(inventory), dtype=bool)
        for option in spec.frames or (("A",),):  # who asks for no complement gets none: not *the guest is able*
            mask &= np.logical_and.reduce([inventory.has("frames", (f,), spec.at("frame")) for f in option])
        for frame in spec.no_frames:
            mask &= inventory.has("no_frames", (frame,), spec.at("no_frame"))
        return mask

    def _requested(
        self,
        inventory: Inventory,
        spec: SlotSpec,
        features: dict[str, str],
        restrictions: tuple[Expression, ...],
        extra: dict[str, np.typing.NDArray[np.object_]] | None,
    ) -> np.typing.NDArray[np.bool_]:
        expressions = (*restrictions, *([every] if (every := spec.every.get(inventory.category)) else []))
        mask = inventory.admitted.copy()
        asked = (*expressions, *spec.expressions)
        numbers = ("", features.get("Number"))
        marks = [mark for mark in inventory.withheld if WITHHELD[mark] in numbers and not _mentions(mark, *asked)]
        withheld = np.logical_or.reduce([np.zeros_like(mask), *(inventory.withheld[mark] for mark in marks)])
        if withheld.any():
            named = _named(*asked)
            mask &= ~withheld | np.isin(inventory.lemmas, named) if named else ~withheld
        for name, values in spec.features.items():
            if name in features:
                mask &= values.admits(features[name])
            elif values.values != ("any",) or name in WORDS:
                column = inventory.columns.get(name)
                if column is None and name in ("Number", "form", "Tense", "Polarity", "Case", "kind"):
                    continue
                has_value = inventory.has(name, values.values, spec.at(name), extra)
                mask &= ~has_value if values.negated else has_value
        for expression in expressions:
            mask &= inventory.mask(expression, spec.at("is"), extra)
        for expression, place in spec.restrictions:
            mask &= inventory.mask(expression, place, extra, one_of_several=True)
        return mask


def _roles(domain: Domain) -> dict[str, list[tuple[int, Daughter]]]:
    """The daughters of a domain by role, each with the leaf that has it."""
    roles: dict[str, list[tuple[int, Daughter]]] = {}
    for k, leaf in enumerate(domain.leaves):
        for role, daughter in leaf.daughters():
            roles.setdefault(role, []).append((k, daughter))
    return roles


@cache
def _mentions(name: str, *expressions: Expression) -> bool:
    return any(atom.name == name for expression in expressions for atom in atoms(expression))


@cache
def _named(*expressions: Expression) -> list[str]:
    """The lemmas that are asked for by name: who names a word has it, be it rare."""
    return [lemma for expression in expressions for lemma in _lemmas(expression)]


def _lemmas(expression: Expression) -> Iterator[str]:
    match expression:
        case Atom(name="lemma"):
            yield from expression.values
        case And(parts) | Or(parts):
            for part in parts:
                yield from _lemmas(part)
        case _:  # what is not to be drawn asks for nothing
            return


def _has_daughters(rule: Rule, spec: SlotSpec, grammar: Grammar) -> bool:
    for role, below in spec.daughters.items():
        daughter = _find(rule, role, grammar)
        if daughter is None:
            return False
        for name, values in below.features.items():
            fixed = daughter.features.get(name)
            if fixed and values.values != ("any",) and not any(values.admits(v) for v in fixed):
                return False
    return True


def _find(rule: Rule, role: str, grammar: Grammar) -> Daughter | None:
    daughter = rule.daughter(role)
    if daughter is None and rule.head.category in grammar.rules:
        for below in grammar.rules[rule.head.category]:
            if below.weight and (daughter := _find(below, role, grammar)):
                return daughter
    return daughter
