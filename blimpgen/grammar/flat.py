"""Rules as a recogniser needs them: every declared feature of every category written out.

The short rules of the files are expanded by the four tables of `roles`: heads share their features with the mother,
agreeing daughters with the head, determiners give theirs to the phrase; an open dependency is passed up from one
daughter at a time, a noun phrase may be the gap, and the subject of a clause, or what is understood as the subject of
an infinitive, closes a reflexive.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple, TypeAlias

from blimpgen.grammar.roles import CASE, DEPENDENCIES, GAP_ROLES, PERCOLATION
from blimpgen.grammar.rules import Category, Daughter, Rule

__all__ = ["NO", "Bundle", "Constants", "FlatRule", "Value", "flatten"]

Value: TypeAlias = "str | None"
"""A constant, a variable ``?x``, or None for any value."""

NO = "no"
"""The value of a dependency that is not open."""
_VALUES = {
    "gap": ("Sing", "Plur"),
    "npi": ("yes", "free"),
    "refl": ("Masc", "Fem", "Neut", "They", "Plur"),
    "sup": ("yes",),
    "expl": ("it", "there"),
}
_IN_ONE_CONJUNCT = frozenset({"refl"})
"""Dependencies that one conjunct may have alone: *introduced himself and left*."""
_ANTECEDENTS = ("subject", "possessor", "wh")
"""The roles whose filler is the antecedent of a reflexive in the verb phrase beside it, the first that is there."""


class Constants(NamedTuple):
    """What is fixed of a bundle: values that are neither open nor variables."""

    category: str
    literal: bool
    values: frozenset[tuple[str, str]]


@dataclass
class Bundle:
    """A category with a value for each feature it declares; a literal has none."""

    category: str
    literal: bool = False
    values: dict[str, Value] = field(default_factory=dict)
    fixed: set[str] = field(default_factory=set)

    @cached_property
    def constants(self) -> Constants:
        """What is fixed of it, of a bundle that changes no more."""
        fixed = ((name, value) for name, value in self.values.items() if value is not None and value[0] != "?")
        return Constants(self.category, self.literal, frozenset(fixed))

    def copy(self) -> Bundle:
        """An independent copy."""
        return Bundle(self.category, self.literal, dict(self.values), set(self.fixed))


@dataclass(frozen=True)
class FlatRule:
    """A rule written out; `gap` is the role of the daughter that is missing, if one is."""

    rule: Rule
    mother: Bundle
    daughters: tuple[Bundle, ...]
    gap: str = ""

    @property
    def overt(self) -> tuple[Daughter, ...]:
        """The daughters of the rule that are there."""
        return tuple(d for d in self.rule.daughters if not self.gap or d.role != self.gap or d.category != "DP")


def flatten(
    categories: Mapping[str, Category], rules: Iterable[Rule], agreement: Mapping[str, tuple[str, ...]]
) -> list[FlatRule]:
    """Rules written out.

    Args:
        categories: the declared categories by name.
        rules: the rules used in recognition.
        agreement: role to the features that its filler shares with the head.
    """
    return [flat for rule in rules for flat in _Flattener(categories, rule, agreement).all()]


class _Flattener:
    def __init__(
        self, categories: Mapping[str, Category], rule: Rule, agreement: Mapping[str, tuple[str, ...]]
    ) -> None:
        self.categories, self.rule, self.agreement = categories, rule, agreement

    def all(self) -> Iterator[FlatRule]:
        for gap in (None, *filter(self._may_be_gap, self.rule.daughters)):
            if gap is not None and "gap" not in self._category(self.rule.category).features:
                continue
            for form in self._forms():
                for number in _VALUES["gap"] if gap is not None else ("",):
                    yield from self._variants(gap, form, number)

    def _category(self, name: str) -> Category:
        return self.categories[name]

    def _forms(self) -> tuple[str | None, ...]:
        forms = self.rule.features.get("form")
        return forms if forms is not None and len(forms) > 1 else (None,)

    def _may_be_gap(self, daughter: Daughter) -> bool:
        """Whether a daughter may be missing: a noun phrase of which the rule asks nothing special, such as negation."""
        if daughter.role not in GAP_ROLES or daughter.category != "DP":
            return False
        defaults = self._category("DP").defaults
        asked = (
            (name, values) for name, values in daughter.features.items() if name in defaults and "any" not in values
        )
        return all(defaults[name] in values or values[0].startswith("?") for name, values in asked)

    def _variants(self, gap: Daughter | None, form: str | None, number: str) -> Iterator[FlatRule]:
        mother = self._bundle(self.rule.category, self.rule.features)
        if form is not None:
            mother.values["form"] = form
        overt = [d for d in self.rule.daughters if d is not gap]
        bundles = [Bundle(d.category, True) if d.literal else self._daughter(d) for d in overt]
        self._share(mother, overt, bundles)
        self._agree(overt, bundles, gap, mother)
        self._percolate(mother, overt, bundles)
        if gap is not None:
            self._introduce(mother, overt, bundles, gap, number)
        for variant in self._dependencies(mother, overt, bundles):
            for m, ds in self._reflexives(*variant, overt, gap):
                self._defaults(m)
                yield FlatRule(self.rule, m, tuple(ds), gap.role if gap else "")

    def _daughter(self, daughter: Daughter) -> Bundle:
        bundle = self._bundle(daughter.category, daughter.features)
        if bundle.values.get("case", "") is None and "case" not in bundle.fixed:
            bundle.values["case"] = CASE.get(daughter.role)
        return bundle

    def _bundle(self, category: str, features: object) -> Bundle:
        bundle = Bundle(category)
        assert hasattr(features, "items")
        for name in self._category(category).features:
            bundle.values[name] = None
        for name, values in features.items():
            if name in bundle.values:
                bundle.fixed.add(name)
                bundle.values[name] = values[0] if len(values) == 1 and values[0] != "any" else None
        return bundle

    def _share(self, mother: Bundle, kept: list[Daughter], bundles: list[Bundle]) -> None:
        head = next((b for d, b in zip(kept, bundles, strict=True) if d.head), None)
        if head is None:
            return
        for name in mother.values.keys() & head.values.keys() - DEPENDENCIES.keys():
            if name in mother.fixed and name in head.fixed:
                continue
            value = head.values[name] if name in head.fixed else mother.values[name]
            if name in mother.fixed and mother.values[name] is None:
                continue
            shared = value if value is not None else f"?h_{name}"
            mother.values[name] = head.values[name] = shared
            mother.fixed.add(name)

    def _agree(self, kept: list[Daughter], bundles: list[Bundle], gap: Daughter | None, mother: Bundle) -> None:
        head = next(b for d, b in zip(kept, bundles, strict=True) if d.head)
        for d, bundle in zip(kept, bundles, strict=True):
            for name in self.agreement.get(d.role, ()):
                if name in bundle.values and name in head.values:
                    self._unify(name, head, bundle, mother)

    def _unify(self, name: str, head: Bundle, bundle: Bundle, mother: Bundle) -> None:
        value = head.values[name] or bundle.values[name] or f"?a_{name}"
        head.values[name] = bundle.values[name] = value

    def _percolate(self, mother: Bundle, kept: list[Daughter], bundles: list[Bundle]) -> None:
        for d, bundle in zip(kept, bundles, strict=True):
            for name in PERCOLATION.get((self.rule.category, d.role), ()):
                # a mother that names several values takes the one that its daughter has
                is_free = name not in mother.fixed or len(self.rule.features.get(name, ())) > 1
                if name in mother.values and name in bundle.values and is_free:
                    value = bundle.values[name] or f"?p_{name}"
                    mother.values[name] = bundle.values[name] = value
                    mother.fixed.add(name)
                    bundle.fixed.add(name)

    def _dependencies(
        self, mother: Bundle, kept: list[Daughter], bundles: list[Bundle]
    ) -> Iterator[tuple[Bundle, list[Bundle]]]:
        choices = [list(self._carriers(name, mother, kept, bundles)) for name in _VALUES]
        for combination in itertools.product(*choices):
            m, ds = mother.copy(), [b.copy() for b in bundles]
            for name, choice in zip(_VALUES, combination, strict=True):
                self._pass(name, choice, m, ds, kept)
            yield m, ds

    def _carriers(
        self, name: str, mother: Bundle, kept: list[Daughter], bundles: list[Bundle]
    ) -> Iterator[tuple[tuple[int, ...], Value]]:
        """Which daughters pass the dependency up, and with which value."""
        if name not in mother.values or name in mother.fixed:
            yield (), NO
            return
        able = [
            k
            for k, (d, b) in enumerate(zip(kept, bundles, strict=True))
            if name in b.values and name not in b.fixed and self._passes(name, d)
        ]
        conjuncts = [k for k in able if kept[k].role == "conjunct" or (kept[k].head and self.rule.daughter("conjunct"))]
        if conjuncts:
            yield tuple(conjuncts), f"?d_{name}"
            yield from (((k,), value) for k in conjuncts if name in _IN_ONE_CONJUNCT for value in _VALUES[name])
            return
        if not able:
            yield (), NO
            return
        yield (able[0],), f"?d_{name}"
        for k in able[1:]:
            for value in _VALUES[name]:
                yield (k,), value

    def _passes(self, name: str, daughter: Daughter) -> bool:
        """Whether a daughter passes a dependency up; no reflexive whose antecedent is in the rule itself."""
        role = "head" if daughter.head else daughter.role
        closed = name == "refl" and role == "complement" and self.rule.controller != "subject"
        return role in DEPENDENCIES[name] and not closed

    def _pass(
        self, name: str, choice: tuple[tuple[int, ...], Value], mother: Bundle, ds: list[Bundle], kept: list[Daughter]
    ) -> None:
        carriers, value = choice
        for k, bundle in enumerate(ds):
            if name in bundle.values and name not in bundle.fixed:
                swallowed = name == "sup" and name not in mother.values
                bundle.values[name] = value if k in carriers else (None if swallowed else NO)
                if name == "refl" and name not in mother.values and kept[k].head:
                    bundle.values[name] = NO
        if name in mother.values and name not in mother.fixed:
            mother.values[name] = value
            mother.fixed.add(name)
        if name == "gap" and "gphi" in mother.values and "gphi" not in mother.fixed:
            for k in carriers:
                if "gphi" in ds[k].values and "gphi" not in ds[k].fixed:
                    ds[k].values["gphi"] = mother.values["gphi"] = "?d_gphi"

    def _introduce(
        self, mother: Bundle, kept: list[Daughter], bundles: list[Bundle], gap: Daughter, number: str
    ) -> None:
        """The missing daughter is the gap; the verb agrees with a missing subject."""
        head = next(b for d, b in zip(kept, bundles, strict=True) if d.head)
        if gap.role == "subject" and "Number" in head.values:
            if "Number" in mother.values and mother.values["Number"] == head.values["Number"]:
                mother.values["Number"] = number
            head.values["Number"] = number
        mother.values["gap"] = number
        mother.fixed.add("gap")

    def _reflexives(
        self, mother: Bundle, ds: list[Bundle], kept: list[Daughter], gap: Daughter | None
    ) -> Iterator[tuple[Bundle, list[Bundle]]]:
        """Close the reflexive of a verb phrase, by the subject of the clause or what is understood as the subject."""
        yield mother, ds
        closed, role = self._closed(mother, ds, kept)
        antecedent = next((k for k, d in enumerate(kept) if d.role == role), None)
        if closed is None or (antecedent is None and (gap is None or gap.role != role)):
            return
        m, copies = mother.copy(), [b.copy() for b in ds]
        if antecedent is None:
            m.values["gphi"] = copies[closed].values["refl"] = "?phi"
        else:
            phi = copies[antecedent].values.get("phi") or "?phi"
            copies[antecedent].values["phi"] = copies[closed].values["refl"] = phi
        yield m, copies

    def _closed(self, mother: Bundle, ds: list[Bundle], kept: list[Daughter]) -> tuple[int | None, str]:
        """The daughter whose reflexive has its antecedent in the rule, and the role of the antecedent."""
        free = [k for k, b in enumerate(ds) if "refl" in b.values and "refl" not in b.fixed]
        if "refl" not in mother.values:
            named = [d.role for d, b in zip(kept, ds, strict=True) if "phi" in b.values]
            role = next((role for role in _ANTECEDENTS if role in named), "subject")
            return next((k for k in free if kept[k].head), None), role
        role = self.rule.controller
        closes = role not in ("", "subject")
        return next((k for k in free if closes and kept[k].role == "complement"), None), role

    def _defaults(self, mother: Bundle) -> None:
        for name, value in self._category(self.rule.category).defaults.items():
            if mother.values[name] is None and name not in mother.fixed:
                mother.values[name] = value
