"""The grammar: phrase rules read from ``.cfg`` files, one description for drawing and for recognising."""

from blimpgen.grammar.grammar import Grammar, reachable, read_grammar
from blimpgen.grammar.rules import Daughter, Rule

__all__ = ["Daughter", "Grammar", "Rule", "reachable", "read_grammar"]
