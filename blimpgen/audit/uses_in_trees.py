"""Whether the verbs of a derivation have the uses that it needs: *a cream conceals*, but *Connie* does not."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from blimpgen.audit.guards.tokens import Vocabulary
from blimpgen.english.words import uncapitalized
from blimpgen.grammar.arguments import Arguments, head_of, verb_arguments
from blimpgen.grammar.forest import Tree
from blimpgen.lexicon import Lexicon
from blimpgen.lexicon.verbs import VerbUse

__all__ = ["UsesInTrees"]

_RECIPIENT = "animate | group"
"""Who something is broken, fixed or fired for or at, in the uses with two objects: somebody."""


class UsesInTrees:
    """Judges derivations by the table of uses: all uses of a verb in a frame that it does not list.

    Args:
        lexicon: the words.
    """

    def __init__(self, lexicon: Lexicon) -> None:
        self.lexicon, self._vocabulary = lexicon, Vocabulary(lexicon)
        self._rows = {verb: row for row, verb in enumerate(lexicon.verbs.lexemes["id"])}
        self._meet = lru_cache(maxsize=None)(self._find_meet)

    def refused(self, tree: Tree, tokens: tuple[str, ...]) -> set[Tree]:
        """Find the verbs that have no use for their subject and object.

        Args:
            tree: a derivation.
            tokens: its words.

        Returns:
            Their leaves.
        """
        more_is_said = _says_more(tree)
        return {each.verb for each in verb_arguments(tree) if not self._has_use(each, tokens, more_is_said)}

    def _has_use(self, arguments: Arguments, tokens: tuple[str, ...], more_is_said: bool) -> bool:
        terminal = arguments.verb.terminal
        if terminal is None or "frame" not in terminal.values or not terminal.lexemes:
            return True
        frame = terminal.values["frame"]
        uses = {verb: self.lexicon.verb_uses.get((verb, frame), ()) for verb in terminal.lexemes}
        if any(self.lexicon.verbs.rows[frame][self._rows[verb]] >= 0 or not uses[verb] for verb in uses):
            return True
        return any(self._suits(use, arguments, tokens, more_is_said) for each in uses.values() for use in each)

    def _suits(self, use: VerbUse, arguments: Arguments, tokens: tuple[str, ...], more_is_said: bool) -> bool:
        return (
            (use.doubtful != "context" or more_is_said)
            and self._admits(use.subjects, arguments.subject, tokens)
            and self._admits(use.objects, arguments.obj, tokens)
            and self._admits(_RECIPIENT, arguments.recipient, tokens)
        )

    def _admits(self, restriction: str, phrase: Tree | None, tokens: tuple[str, ...]) -> bool:
        """Whether a restriction admits a noun phrase; pronouns and what nobody names are admitted."""
        head = head_of(phrase) if phrase is not None and restriction != "any" else None
        if head is None or head.label not in ("N", "Name", "Wh"):
            return True
        text = " ".join(tokens[slice(*head.span)])
        by_text = self.lexicon.readings.by_text
        forms = (*by_text.get(text, ()), *by_text.get(uncapitalized(text), ()))
        readings = [reading for reading in forms if reading.category == head.label]
        if head.label != "Wh":
            return any(self._vocabulary.suits(reading, restriction) for reading in readings)
        return any(self._meet(self._vocabulary.value(reading, "antecedent"), restriction) for reading in readings)

    def _find_meet(self, *restrictions: str) -> bool:
        """Whether some noun satisfies all of some restrictions."""
        nominals, parse = self.lexicon.nominals, self.lexicon.hierarchy.parse
        fits: list[NDArray[np.bool_]] = [nominals.fits(parse(restriction)) for restriction in restrictions]
        return bool(np.logical_and.reduce(fits).any())


def _says_more(tree: Tree) -> bool:
    """Whether there is more than one clause says: a second verb phrase beside the first, or an adverb."""
    if tree.label == "Adv":
        return True
    daughters = tree.pattern.flat.overt if tree.pattern is not None and tree.label in ("VP", "VX") else ()
    return any(d.role == "conjunct" for d in daughters) or any(map(_says_more, tree.children))
