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
from blimpgen.lexicon.readings import Reading
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
        return {each.predicate for each in verb_arguments(tree) if not self._has_use(each, tokens, more_is_said)}

    def _has_use(self, arguments: Arguments, tokens: tuple[str, ...], more_is_said: bool) -> bool:
        terminal = arguments.predicate.terminal
        if terminal is None or "frame" not in terminal.values or not terminal.lexemes:
            return True
        frame = terminal.values["frame"]
        return any(self._has(verb, frame, arguments, tokens, more_is_said) for verb in terminal.lexemes)

    def _has(self, verb: str, frame: str, arguments: Arguments, tokens: tuple[str, ...], more_is_said: bool) -> bool:
        """Whether a verb has a use in a frame: one that it lists, one of the table, or one that nobody has judged."""
        row = self.lexicon.verbs.rows[frame][self._rows[verb]]
        uses = self.lexicon.verb_uses.get((verb, frame), ())
        if row < 0 and not uses:
            return True
        if row >= 0 and not self._violates(row, arguments, tokens):
            return True
        return any(self._suits(use, arguments, tokens, more_is_said) for use in uses)

    def _violates(self, row: int, arguments: Arguments, tokens: tuple[str, ...]) -> bool:
        """Whether the lexicon excludes the subject or the object of a listed frame, on every reading of the noun."""
        frames = self.lexicon.verbs.frames
        return self._excluded(frames["subj_no"][row], arguments.subject, tokens) or self._excluded(
            frames["obj_no"][row], arguments.obj, tokens
        )

    def _suits(self, use: VerbUse, arguments: Arguments, tokens: tuple[str, ...], more_is_said: bool) -> bool:
        return (
            (use.doubtful != "context" or more_is_said)
            and self._admits(use.subjects, arguments.subject, tokens)
            and self._admits(use.objects, arguments.obj, tokens)
            and self._admits(_RECIPIENT, arguments.recipient, tokens)
        )

    def _excluded(self, restriction: str, phrase: Tree | None, tokens: tuple[str, ...]) -> bool:
        """Whether every reading of the noun of a phrase satisfies a restriction; of pronouns and wh-words none does."""
        readings = self._readings(phrase, tokens) if restriction != "none" else []
        return bool(readings) and all(self._vocabulary.suits(reading, restriction) for reading in readings)

    def _readings(self, phrase: Tree | None, tokens: tuple[str, ...]) -> list[Reading]:
        """The readings of the word at the head of a noun phrase, in its category."""
        head = head_of(phrase) if phrase is not None else None
        if head is None:
            return []
        text = " ".join(tokens[slice(*head.span)])
        by_text = self.lexicon.readings.by_text
        forms = (*by_text.get(text, ()), *by_text.get(uncapitalized(text), ()))
        return [reading for reading in forms if reading.category == head.label]

    def _admits(self, restriction: str, phrase: Tree | None, tokens: tuple[str, ...]) -> bool:
        """Whether a restriction admits a noun phrase; pronouns and what nobody names are admitted."""
        head = head_of(phrase) if phrase is not None and restriction != "any" else None
        if head is None or head.label not in ("N", "Name", "Wh"):
            return True
        readings = self._readings(phrase, tokens)
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
