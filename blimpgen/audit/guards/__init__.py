"""Guards: coded checks of sentence pairs that read the strings and the lexicon only, so that they run on any set.

``tokens`` gives every analysis of a word, ``kinds`` what phrases depend on in it, ``chunks`` and ``clauses`` shallow
phrases and subjects. ``case`` is a pair prepared for all guards, ``guard`` says what a guard is, ``scopes`` which pairs
it is about, ``uses`` which uses verbs have; the other modules hold the guards by topic. Importing the package registers
them all.
"""

from blimpgen.audit.guards import agreement, arguments, binding, contrast, licensing, nouns, predicates, surface, verbs
from blimpgen.audit.guards.case import ALWAYS, Case, Scope
from blimpgen.audit.guards.guard import Guard, Objection, Severity, guards
from blimpgen.audit.guards.tokens import Vocabulary

__all__ = ["ALWAYS", "TOPICS", "Case", "Guard", "Objection", "Scope", "Severity", "Vocabulary", "guards"]

TOPICS = (surface, contrast, agreement, nouns, verbs, arguments, binding, licensing, predicates)
