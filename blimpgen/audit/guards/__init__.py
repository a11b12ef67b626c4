"""Guards: coded checks of sentence pairs that read the strings and the lexicon only, so that they run on any set.

``tokens`` gives every analysis of a word, ``chunks`` and ``clauses`` shallow phrases and subjects, ``model`` says what
a guard is; the other modules hold the guards by topic. Importing the package registers them all.
"""

from blimpgen.audit.guards import agreement, arguments, binding, contrast, licensing, nouns, predicates, surface, verbs
from blimpgen.audit.guards.guard import Case, Guard, Scope, guards
from blimpgen.audit.guards.tokens import Vocabulary

__all__ = ["TOPICS", "Case", "Guard", "Scope", "Vocabulary", "guards"]

TOPICS = (surface, contrast, agreement, nouns, verbs, arguments, binding, licensing, predicates)
