"""A grammar: its rules checked and indexed, for drawing and for recognising."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import TYPE_CHECKING

from blimpgen.base.errors import DataError, Place, UsageError, nearest
from blimpgen.grammar.flat import FlatRule, flatten
from blimpgen.grammar.notation import GrammarText, read_grammar_files
from blimpgen.grammar.roles import DEPENDENCIES, FILLERS, PERCOLATION
from blimpgen.grammar.rules import FORMS, Category, Daughter, Features, Group, Restriction, Rule
from blimpgen.lexicon.restrictions import Expression
from blimpgen.lexicon.schema import CATEGORIES, FRAMES

if TYPE_CHECKING:
    from nltk.grammar import FeatureGrammar

    from blimpgen.lexicon.entries import Entries

_MOST_HEIGHT = 30

__all__ = ["Grammar", "reachable", "read_grammar"]


@dataclass(frozen=True)
class Grammar:
    """The rules of one library.

    Attributes:
        depth: how many levels ``lower:`` unrolls to.
        categories: declared categories by name.
        groups: derived categories by name.
        rules: category to its rules, in file order (groups included).
        requirements: what ``is`` asks in rules, each with the categories whose head word decides it.
        agreement: role to the features that its filler shares with the head.
        entries: looks words up; a library attaches its lexicon's.
    """

    depth: int
    categories: dict[str, Category]
    groups: dict[str, Group]
    rules: dict[str, tuple[Rule, ...]] = field(repr=False)
    requirements: Mapping[Restriction, frozenset[str]] = field(default_factory=dict, repr=False)
    agreement: Mapping[str, tuple[str, ...]] = field(default_factory=dict, repr=False)
    entries: Entries | None = field(default=None, repr=False, compare=False)

    def to_nltk(self, words: Iterable[str], *, reading: str = "closed") -> FeatureGrammar:
        """The grammar with the entries of some words, as an `nltk.grammar.FeatureGrammar`.

        Args:
            words: the tokens of one or more sentences (see `blimpgen.grammar.tokens` and `Entries.joined`).
            reading: closed (what the lexicon lists) or open (what it does not exclude).
        """
        from blimpgen.grammar.nltk_export import to_nltk

        if self.entries is None:
            raise UsageError("this grammar was read without a lexicon; take it from a library")
        return to_nltk(self.categories, self.flat, self.entries, words, reading)

    def __bool__(self) -> bool:
        return bool(self.rules)

    @property
    def phrases(self) -> tuple[str, ...]:
        """All categories that have rules."""
        return tuple(self.rules)

    def recognised(self) -> Iterator[Rule]:
        """The rules used in recognition: all but those of groups; what ``is`` asks is a feature of its daughter."""
        for category, rules in self.rules.items():
            if category not in self.groups:
                yield from map(_with_requirements, rules)

    @cached_property
    def flat(self) -> tuple[FlatRule, ...]:
        """The rules used in recognition, every feature written out."""
        return tuple(flatten(self.categories, self.recognised(), self.agreement))

    @cached_property
    def lists(self) -> tuple[str, ...]:
        """The lexical categories that are word lists of the lexicon; with any, its phrases are not drawn."""
        return tuple(name for name, category in self.categories.items() if _is_list(category))

    @cached_property
    def literals(self) -> frozenset[str]:
        """The words that rules write out: *than, too, enough*."""
        return frozenset(
            d.category for rules in self.rules.values() for rule in rules for d in rule.daughters if d.literal
        )

    def heads(self, category: str) -> set[str]:
        """A category, and all that may be its head, or the head of that."""
        return _heads(category, self.rules)

    def reached(self, options: Iterable[str], *, drawn: bool) -> tuple[list[Rule], list[str]]:
        """Return the rules from some categories down to their head words, and the categories of these.

        Args:
            options: the categories, with the label of a rule or without: VG.be, DP.
            drawn: whether of a category without a label only the rules count that are drawn.
        """
        agenda = [option.partition(".") for option in dict.fromkeys(options)]
        rules, words = list[Rule](), dict[str, None]()
        for category, _, label in agenda:
            if category not in self.rules:
                words[category] = None
            for rule in self.rules.get(category, ()):
                if rule.label == label if label else rule.weight or not drawn:
                    rules.append(rule)
                    if (rule.head.category, "", "") not in agenda:
                        agenda.append((rule.head.category, "", ""))
        return rules, [*words]

    def named(self, category: str, label: str, place: Place | None = None) -> Rule:
        """The rule ``category.label``; an unknown one is an error with the nearest name.

        Args:
            category: a phrase or lexical category.
            label: what distinguishes the rule from the others of its category.
            place: where the name stands, for the error.

        Raises:
            DataError: the category has no such rule.
        """
        for rule in self.rules.get(category, ()):
            if rule.label == label:
                return rule
        names = [f"{category}.{rule.label}" for rule in self.rules.get(category, ())]
        raise DataError(f"no rule {category}.{label}; {nearest(f'{category}.{label}', names)}", place, "category")


def read_grammar(paths: list[Path], parse: Callable[[str, Place], Expression]) -> Grammar:
    """Read and check grammar files.

    Args:
        paths: the files, in the order in which they are read.
        parse: reads what ``is`` asks of a daughter, written at a place.

    Raises:
        DataError: an undefined symbol, recursion, a rule without a head, a daughter without a role, a symbol that
            nothing reaches.
    """
    text = read_grammar_files(paths, parse)
    drawn = not any(map(_is_list, text.categories.values()))
    rules: dict[str, list[Rule]] = {}
    for rule in text.rules.values():
        rules.setdefault(rule.category, []).append(rule if drawn else replace(rule, weight=0))
    _check_symbols(text, rules)
    _check_agreement(text)
    for group in text.groups.values():
        rules[group.name] = [_regroup(rule, group) for rule in rules.get(group.base, ()) if rule.weight]
    _check_recursion(rules)
    _check_reachable(text, rules)
    _check_derived(text, rules)
    requirements = _requirements(rules)
    categories = {
        name: replace(category, features=(*category.features, *_asked_of(name, requirements)))
        for name, category in text.categories.items()
    }
    sealed = {category: tuple(of_category) for category, of_category in rules.items()}
    return Grammar(text.depth, categories, text.groups, sealed, requirements, text.agreement)


def _is_list(category: Category) -> bool:
    """Whether the words of a category are those of a list: it is none of the categories that the tables have."""
    return category.lexical and category.name not in CATEGORIES


def _requirements(rules: Mapping[str, Sequence[Rule]]) -> dict[Restriction, frozenset[str]]:
    """What ``is`` asks, each with the categories whose head word decides it."""
    categories: dict[Restriction, frozenset[str]] = {}
    for daughter in (d for each in rules.values() for rule in each for d in rule.daughters):
        if daughter.requirement is not None:
            earlier = categories.get(daughter.requirement, frozenset())
            categories[daughter.requirement] = earlier | _heads(daughter.category, rules)
    return categories


def _heads(category: str, rules: Mapping[str, Sequence[Rule]]) -> set[str]:
    """A category, and all that may be its head, or the head of that."""
    heads, agenda = {category}, [category]
    while agenda:
        new = {rule.head.category for rule in rules.get(agenda.pop(), ()) if not rule.head.literal} - heads
        heads |= new
        agenda += new
    return heads


def _asked_of(category: str, requirements: Mapping[Restriction, frozenset[str]]) -> Iterator[str]:
    """The names of what ``is`` asks of a category."""
    return (restriction.text for restriction, categories in requirements.items() if category in categories)


def _with_requirements(rule: Rule) -> Rule:
    """A rule with what ``is`` asks as a feature of its daughter."""
    daughters = (
        replace(d, features={**d.features, d.requirement.text: ("yes",)}) if d.requirement else d
        for d in rule.daughters
    )
    return replace(rule, daughters=tuple(daughters))


def _regroup(rule: Rule, group: Group) -> Rule:
    daughters = tuple(
        replace(d, category=group.verb) if d.head and d.category == group.phrase else d for d in rule.daughters
    )
    return replace(rule, category=group.name, daughters=daughters)


def _check_symbols(text: GrammarText, rules: dict[str, list[Rule]]) -> None:
    categories, listed = [*text.categories], any(map(_is_list, text.categories.values()))
    for group in text.groups.values():
        for name in (group.base, group.verb, group.phrase):
            if name not in text.categories:
                hint = nearest(name, categories)
                raise DataError(f"undefined symbol {name!r} in the group {group.name}; {hint}", group.place, "symbol")
    for rule in text.rules.values():
        if rule.category not in text.categories or text.categories[rule.category].lexical:
            hint = nearest(rule.category, categories)
            raise DataError(f"{rule.category!r} is not declared as a phrase; {hint}", rule.place, "symbol")
        _check_form(rule.features, rule)
        for d in rule.daughters:
            if d.literal:
                continue
            if d.category not in text.categories or not (text.categories[d.category].lexical or d.category in rules):
                raise DataError(
                    f"undefined symbol {d.category!r} in {rule.name}; {nearest(d.category, categories)}",
                    rule.place,
                    "symbol",
                )
            if not listed and d.category not in FILLERS.get(d.role, (d.category,)):
                fillers = " or ".join(FILLERS[d.role])
                what = f"{d.category} in {rule.name} cannot be its {d.role}; write {d.role}:{fillers}, or another role"
                raise DataError(what, rule.place, "role")
            _check_features(d, text.categories[d.category], rule)


def _check_agreement(text: GrammarText) -> None:
    """Refuse agreement in a feature that no category has."""
    features = dict.fromkeys(name for category in text.categories.values() for name in category.features)
    for name, place in text.agreed.items():
        if name not in features:
            raise DataError(f"agree: no category has a feature {name!r}; {nearest(name, features)}", place, "feature")


def _check_features(d: Daughter, category: Category, rule: Rule) -> None:
    for name in d.features:
        if name not in category.features:
            raise DataError(
                f"{d.category} in {rule.name} has no feature {name!r}; {nearest(name, category.features)}",
                rule.place,
                "feature",
            )
    _check_form(d.features, rule)
    frames = d.features.get("frame", ()) if category.name in CATEGORIES else ()
    for frame in frames:
        if frame not in (*FRAMES, "any") and not frame.startswith("?"):
            what = f"no word has frame={frame}, as {rule.name} asks of {d.category}; {nearest(frame, FRAMES)}"
            raise DataError(what, rule.place, "value")


def _check_form(features: Features, rule: Rule) -> None:
    for form in features.get("form", ()):
        if form not in (*FORMS, "any") and not form.startswith("?"):
            raise DataError(f"no form={form} in {rule.name}; {nearest(form, FORMS)}", rule.place, "value")


def _check_derived(text: GrammarText, rules: Mapping[str, Sequence[Rule]]) -> None:
    """Refuse features that derive nothing.

    They are those of a phrase that its head of the same category has already, and values that are asked of a phrase
    and that no rule gives it.
    """
    for rule in text.rules.values():
        head = rule.head
        for name, values in rule.features.items() if head.category == rule.category else ():
            if name not in head.features and len(values) == 1 and values[0] != "any" and values[0][0] != "?":
                own = f"lower:{head.category}[{name}"
                what = (
                    f"{name}={values[0]} in {rule.name} derives nothing: its head has to be {name}={values[0]} itself"
                )
                hint = f"write {own}=any]* to give the phrase its own, or {own}={values[0]}]* to ask it of the head"
                raise DataError(f"{what}; {hint}", rule.place, "feature")
        for daughter in rule.daughters:
            for name, values in daughter.features.items():
                given = _given(daughter.category, name, text, rules, frozenset())
                if given is not None and not {"any", *given} & set(values) and values[0][0] != "?":
                    what = f"{daughter.category}[{name}={'/'.join(values)}] in {rule.name} derives nothing"
                    hint = f"no rule of {daughter.category} gives it; {nearest(values[0], sorted(given))}"
                    raise DataError(f"{what}: {hint}", rule.place, "feature")


def _given(
    category: str, name: str, text: GrammarText, rules: Mapping[str, Sequence[Rule]], above: frozenset[str]
) -> set[str] | None:
    """The values of a feature that the rules of a phrase may give it; None if it may have any."""
    if text.categories[category].lexical or name in DEPENDENCIES or name.endswith("phi"):
        return None
    given: set[str] = set()
    for rule in rules.get(category, ()) if category not in above else ():
        values: Iterable[str] | None = rule.features.get(name)
        percolated = any(name in PERCOLATION.get((category, d.role), ()) for d in rule.daughters)
        if values is None and not percolated and not rule.head.literal:
            values = rule.head.features.get(name)
            if values is None and name in text.categories[rule.head.category].features:
                values = _given(rule.head.category, name, text, rules, above | {category})
                if values is None:
                    return None
        if values is None and name in text.categories[category].defaults:
            values = (text.categories[category].defaults[name],)
        if percolated or values is None or any(value == "any" or value[0] == "?" for value in values):
            return None
        given.update(values)
    return given


def _check_recursion(rules: dict[str, list[Rule]]) -> None:
    """Refuse categories that contain themselves on one level, and drawn rules whose head is the level below."""
    below = {
        c: {d.category for r in rs for d in r.daughters if not d.literal and not d.lower} for c, rs in rules.items()
    }
    order = TopologicalSorter(below)
    try:
        heights: dict[str, int] = {}
        for category in order.static_order():
            heights[category] = 1 + max((heights[c] for c in below.get(category, ())), default=0)
    except CycleError as error:
        cycle = error.args[1][::-1]
        uses = ((rule, d) for rule in rules[cycle[-2]] for d in rule.daughters if not (d.literal or d.lower))
        place = next(rule.place for rule, d in uses if d.category == cycle[-1])
        what = f"the rules recur: {' -> '.join(cycle)}; write lower:{cycle[-1]} for the level below"
        raise DataError(what, place, "recursion") from None
    for category, category_rules in rules.items():
        if heights[category] > _MOST_HEIGHT:
            what = f"{category} stands over {heights[category]} levels of categories; at most {_MOST_HEIGHT}"
            raise DataError(what, category_rules[0].place, "recursion")
        for rule in category_rules:
            if rule.weight and rule.head.lower:
                what = f"{rule.name} has its head on the level below, so it is only recognised; write the weight {{0}}"
                raise DataError(what, rule.place, "recursion")


def reachable(categories: Iterable[str], rules: Mapping[str, Sequence[Rule]]) -> set[str]:
    """The categories that may stand below some categories, these included.

    Args:
        categories: where the search begins.
        rules: the rules of each category.
    """
    reached = set(categories)
    agenda = list(reached)
    while agenda:
        for rule in rules.get(agenda.pop(), ()):
            new = {d.category for d in rule.daughters if not d.literal} - reached
            reached |= new
            agenda += sorted(new)
    return reached


def _check_reachable(text: GrammarText, rules: dict[str, list[Rule]]) -> None:
    groups = text.groups.values()
    reached = reachable(["TOP", *(g.name for g in groups), *(g.verb for g in groups)], rules)
    for name, category in text.categories.items():
        if name not in reached and any(not c.lexical for c in text.categories.values()):
            raise DataError(
                f"nothing reaches the symbol {name!r}; use it in a rule or remove it", category.place, "symbol"
            )
