"""What a grammar file says, as frozen dataclasses.

A *rule* ``VP.have[form=fin] -> aux:Aux[kind=have] VX[form=part]* {16}`` has a name, a mother category with features,
a head (``*``), a *role* for every other daughter, and a weight. A daughter in quotes is a literal. ``lower:`` is the
same category one level down. Weights say how often a rule is drawn and nothing of grammaticality: a rule of weight
0 is never drawn, only recognised.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from blimpgen.base.errors import Place
from blimpgen.lexicon.restrictions import Expression

__all__ = ["FORMS", "NOBODY", "Category", "Daughter", "Features", "Group", "Restriction", "Rule"]

FORMS = ("bare", "fin", "ing", "part", "past", "pred")
"""Values of the feature ``form``, of verbs and of their phrases; *pred* is what follows the copula."""
Features = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True)
class Category:
    """A declared category: phrase or lexical, with the features it carries in recognition and their defaults."""

    name: str
    lexical: bool
    features: tuple[str, ...]
    defaults: Mapping[str, str]
    place: Place = field(compare=False)


@dataclass(frozen=True)
class Group:
    """A category whose rules are those of `base` with `verb` as the head instead of `phrase` (for drawing only)."""

    name: str
    base: str
    verb: str
    phrase: str
    place: Place = field(compare=False)


NOBODY = "none"
"""In the place of the role whose filler is the subject of a complement: no phrase is."""


class Restriction(NamedTuple):
    """What ``is ...`` or ``draw ...`` asks: as it is written, and as an expression."""

    text: str
    expression: Expression


@dataclass(frozen=True)
class Daughter:
    """One item of a right-hand side.

    Attributes:
        category: category name, or the quoted word of a literal.
        literal: whether it is a word written out.
        role: its role; empty for the head and for literals.
        head: whether it is the head.
        lower: whether it is one level down.
        features: feature to admitted values; a value ``?x`` is a variable of the rule.
        restriction: what ``is ...`` and ``draw ...`` ask of its lexical head where the rule is drawn.
        requirement: what ``is ...`` alone asks, in drawing and in recognition.
        control: for a complement: the role of the daughter that is its subject, or none.
        place: where it stands.
    """

    category: str
    literal: bool = False
    role: str = ""
    head: bool = False
    lower: bool = False
    features: Features = field(default_factory=dict)
    restriction: Restriction | None = None
    requirement: Restriction | None = None
    control: str = ""
    place: Place | None = field(default=None, compare=False)


@dataclass(frozen=True)
class Rule:
    """One phrase rule; `label` is the part of the name after the dot."""

    category: str
    label: str
    features: Features
    daughters: tuple[Daughter, ...]
    weight: int
    place: Place = field(compare=False)

    @property
    def name(self) -> str:
        """The full name, ``DP.det``."""
        return f"{self.category}.{self.label}" if self.label else self.category

    @cached_property
    def head(self) -> Daughter:
        """The head daughter."""
        return next(d for d in self.daughters if d.head)

    @property
    def controller(self) -> str:
        """The role whose filler is understood as the subject of the verb phrase in the complement.

        It is the one that the rule names with ``(subject=ROLE)``; otherwise the object, or else the pivot, or else the
        subject of the clause. Empty after ``(subject=none)``: a word of the rule is the subject (*expect there to be*).
        """
        named = next((d.control for d in self.daughters if d.control), "")
        if named:
            return "" if named == NOBODY else named
        return next((role for role in ("object", "pivot") if self.daughter(role)), "subject")

    def daughter(self, role: str) -> Daughter | None:
        """The daughter with a role, if there is one."""
        return next((d for d in self.daughters if d.role == role), None)
