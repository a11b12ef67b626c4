"""Reading grammar files (``*.cfg``): a CFG as in a textbook, with named rules, heads, roles, features and weights.

# comment
depth 2
phrase DP   Number neg=no         a category, the features it carries in recognition, their defaults
lexical N   Number
group VG = VP with V for VX       the rules of VP again, with V as the head in place of VX
agree subject Number Person       what a daughter in a role shares with the head
DP.det[Definite=Def] -> determiner:D adjunct:A[pos=attr] N[Number=Plur, is not kin]*  {52}

``is`` restricts the head word of a daughter wherever the rule is used, ``draw`` only where sentences are drawn.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from blimpgen.base.errors import DataError, Place, nearest
from blimpgen.base.sources import read_text, whole_number
from blimpgen.grammar.roles import AGREEMENT, ROLES
from blimpgen.grammar.rules import NOBODY, Category, Daughter, Features, Group, Restriction, Rule
from blimpgen.lexicon.restrictions import And, Expression
from blimpgen.lexicon.rows import MOST_WEIGHT

__all__ = ["GrammarText", "read_grammar_files"]

_MOST_RULES, _MOST_LEVELS = 1_000, 12
_RULE = re.compile(
    r"^(?P<name>[A-Z]\w*)(?:\.(?P<label>\w+))?\s*(?:\[(?P<features>[^\]]*)\])?\s*->\s*(?P<body>.*?)"
    r"\s*(?:\{(?P<weight>\d+)\})?\s*$"
)
_VARIABLE = re.compile(r"=\s*\?(\w+)")
_ITEM = re.compile(
    r"\s*(?:(?P<role>[a-z]\w*):)??(?P<lower>lower:)?(?:\"(?P<literal>[^\"]+)\"|(?P<category>[A-Z]\w*))"
    r"(?:\[(?P<features>[^\]]*)\])?(?P<head>\*)?(?:\(subject=(?P<control>\w+)\))?(?=\s|$)"
)


@dataclass
class GrammarText:
    """Everything that the files of a grammar declare; categories, groups and rules by name, agreement by role.

    In `agreed` stands for each feature that ``agree`` names where it does so.
    """

    depth: int = 2
    agreement: dict[str, tuple[str, ...]] = field(default_factory=lambda: dict(AGREEMENT))
    agreed: dict[str, Place] = field(default_factory=dict)
    categories: dict[str, Category] = field(default_factory=dict)
    groups: dict[str, Group] = field(default_factory=dict)
    rules: dict[str, Rule] = field(default_factory=dict)


def read_grammar_files(paths: list[Path], parse: Callable[[str, Place], Expression]) -> GrammarText:
    """Read the files in order.

    Args:
        paths: the files.
        parse: parses a restriction (``is ...``), knowing the macros of the lexicon.

    Raises:
        DataError: a line that is not of the notation, or a rule declared twice.
    """
    text = GrammarText()
    for path in paths:
        for number, line in enumerate(read_text(path).splitlines(), start=1):
            content = _uncommented(line)
            if content:
                _line(text, content, Place(path, number), parse)
    return text


def _uncommented(line: str) -> str:
    quoted = False
    for k, char in enumerate(line):
        quoted ^= char == '"'
        if char == "#" and not quoted:
            return line[:k].strip()
    return line.strip()


def _line(text: GrammarText, content: str, place: Place, parse: Callable[[str, Place], Expression]) -> None:
    if "->" in content:
        rule = _rule(content, place, parse)
        first = text.rules.setdefault(rule.name, rule)
        if first is not rule:
            raise DataError(f"the rule {rule.name} stands twice (first at {first.place})", place, "rule")
        if len(text.rules) > _MOST_RULES:
            raise DataError(f"a grammar has at most {_MOST_RULES:,} rules", place, "rule")
        return
    word, *rest = content.split()
    if word == "depth" and len(rest) == 1:
        text.depth = whole_number(rest[0], _MOST_LEVELS, place, "depth")
    elif word in ("phrase", "lexical") and rest:
        _new(rest[0], text, place)
        features = [part.partition("=") for part in rest[1:]]
        defaults = {name: value for name, equals, value in features if equals}
        text.categories[rest[0]] = Category(rest[0], word == "lexical", tuple(f[0] for f in features), defaults, place)
    elif word == "group" and len(rest) == 7 and (rest[1], rest[3], rest[5]) == ("=", "with", "for"):
        _new(rest[0], text, place)
        text.groups[rest[0]] = Group(rest[0], rest[2], rest[4], rest[6], place)
    elif word == "agree" and len(rest) > 1:
        if rest[0] not in ROLES:
            raise DataError(f"unknown role {rest[0]!r}; {nearest(rest[0], ROLES)}", place, "role")
        text.agreement[rest[0]] = tuple(rest[1:])
        text.agreed |= dict.fromkeys(rest[1:], place)
    else:
        raise DataError(
            f"not a rule (NAME -> ...) nor a declaration (depth, phrase, lexical, group, agree): {content!r}",
            place,
            "rule",
        )


def _new(name: str, text: GrammarText, place: Place) -> None:
    earlier = text.categories.get(name) or text.groups.get(name)
    if earlier is not None:
        raise DataError(f"the symbol {name!r} is declared twice (first at {earlier.place})", place, "symbol")


def _rule(content: str, place: Place, parse: Callable[[str, Place], Expression]) -> Rule:
    match = _RULE.match(content)
    if not match:
        raise DataError(f"not a rule; write CATEGORY.label -> DAUGHTERS {{weight}}: {content!r}", place, "rule")
    daughters = tuple(_daughters(match["body"], place, parse))
    features, restriction, _ = _features(match["features"], place, parse)
    if restriction is not None:
        raise DataError("'is' and 'draw' restrict a daughter; write them in its brackets", place, "feature")
    weight = whole_number(match["weight"] or "1", MOST_WEIGHT, place, "weight")
    rule = Rule(match["name"], match["label"] or "", features, daughters, weight, place)
    _check_variables(content, rule)
    heads = sum(d.head for d in daughters)
    if heads != 1:
        count = f"{heads} heads" if heads else "no head"
        raise DataError(f"the rule {rule.name} has {count}; mark one daughter with '*'", place, "head")
    for d in daughters:
        if not (d.head or d.literal or d.role):
            raise DataError(
                f"{d.category} in {rule.name} has no role; write ROLE:{d.category} with one of: {', '.join(ROLES)}",
                place,
                "role",
            )
    return rule


def _check_variables(content: str, rule: Rule) -> None:
    """Whether every variable of a rule stands twice: one that stands once, most often misspelt, ties nothing."""
    counts = Counter(_VARIABLE.findall(content))
    for name, count in counts.items():
        if count == 1:
            others = ", ".join(f"?{other}" for other in counts if other != name)
            hint = (
                f"the others are {others}" if others else "write the value, or the variable where it is to be the same"
            )
            raise DataError(f"?{name} stands once in {rule.name}, and ties nothing; {hint}", rule.place, "feature")


def _daughters(body: str, place: Place, parse: Callable[[str, Place], Expression]) -> Iterator[Daughter]:
    at = 0
    while at < len(body.rstrip()):
        match = _ITEM.match(body, at)
        if not match:
            raise DataError(f"cannot read the daughter at {body[at:].strip()!r}", place, "rule")
        role = match["role"] or ""
        if role and role not in ROLES:
            raise DataError(f"unknown role {role!r}; {nearest(role, ROLES)}", place, "role")
        control = match["control"] or ""
        if control and control not in (*ROLES, NOBODY):
            raise DataError(f"unknown role {control!r}; {nearest(control, (*ROLES, NOBODY))}", place, "role")
        if (literal := match["literal"]) and literal.split() != [literal]:
            words = " ".join(f'"{word}"' for word in literal.split())
            raise DataError(f'"{literal}" is no single word; write {words}', place, "rule")
        features, restriction, requirement = _features(match["features"], place, parse)
        if several := next((f"{name}={'/'.join(values)}" for name, values in features.items() if values[1:]), ""):
            raise DataError(f"{several}: a daughter has one value; write a rule for each", place, "feature")
        yield Daughter(
            match["literal"] or match["category"],
            bool(match["literal"]),
            role,
            bool(match["head"]),
            bool(match["lower"]),
            features,
            restriction,
            requirement,
            control,
            place,
        )
        at = match.end()


def _features(
    text: str | None, place: Place, parse: Callable[[str, Place], Expression]
) -> tuple[Features, Restriction | None, Restriction | None]:
    """What stands in brackets: features, all restrictions, and the one that recognition has too."""
    features: dict[str, tuple[str, ...]] = {}
    restrictions: dict[str, Expression] = {}
    for part in filter(None, (p.strip() for p in (text or "").split(","))):
        word, _, restriction = part.partition(" ")
        if word in ("is", "draw") and restriction:
            restrictions[" ".join(part.split())] = parse(restriction, place)
            continue
        name, equals, values = (p.strip() for p in part.partition("="))
        if not equals or not values or not all(values.split("/")):
            raise DataError(f"not a feature: {part!r}; write NAME=VALUE", place, "feature")
        features[name] = tuple(values.split("/"))
    requirements = [Restriction(*each) for each in restrictions.items() if each[0].startswith("is ")]
    if len(requirements) > 1:
        raise DataError(f"{' and '.join(repr(r.text) for r in requirements)}: write one, with '&'", place, "feature")
    parts = tuple(restrictions.values())
    asked = " & ".join(text.partition(" ")[2] for text in restrictions)
    both = Restriction(asked, And(parts) if len(parts) > 1 else parts[0]) if parts else None
    return features, both, next(iter(requirements), None)
