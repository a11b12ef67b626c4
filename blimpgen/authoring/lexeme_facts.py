"""Lexemes as an author looks at them: found by a word, and described by what selection reads in their row."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from blimpgen.base.errors import Place, UsageError, respelt
from blimpgen.lexicon import Inventory, Lexicon
from blimpgen.lexicon.schema import FRAMES, TABLES

__all__ = ["Fact", "Lexeme", "find"]

_FORMS = ("plural", "past", "part", "pres3", "ing", "infl", "onset")
_HIDDEN = ("id", "lemma", "src", "note", "weight", *_FORMS)
_USUAL = {
    c.name: {d.default for t in TABLES.values() for d in t.columns if d.name == c.name}
    for table in TABLES.values()
    for c in table.columns
    if c.name not in _HIDDEN
}
_FRAME = tuple(name for name in TABLES["verb_frames"].names if name not in ("id", "frame", "note"))


@dataclass(frozen=True)
class Fact:
    """Something that a data file says: the text, and where it stands."""

    text: str
    place: Place | None = None


@dataclass(frozen=True)
class Lexeme:
    """One lexeme of an inventory, by its number there."""

    inventory: Inventory
    number: int

    @property
    def id(self) -> str:
        """Its id, ``think.1``."""
        return self.inventory.ids[self.number]

    @property
    def place(self) -> Place | None:
        """Where its row stands; none for a word that a paradigm writes out."""
        return self.inventory.places[self.number] if self.inventory.places else None

    def facts(self, lexicon: Lexicon, frames: tuple[str, ...] = tuple(FRAMES)) -> Iterator[Fact]:
        """What is said of it in its row and, of a verb, in the rows of the frames that it lists among some.

        Args:
            lexicon: where the frames of verbs are.
            frames: of which the rows are shown.
        """
        columns = {name: str(data[self.number]) for name, data in self.inventory.columns.items()}
        shown = {name: cell for name, cell in columns.items() if cell not in _USUAL.get(name, (cell,))}
        scenes = [lexicon.scenes.names[k] for k in lexicon.scenes.of_doings(self.inventory)[self.number].nonzero()[0]]
        shown |= {"scenes": ",".join(scenes)} if scenes else {}
        if self.inventory.category == "N":
            peers = [lexicon.peers.names[k] for k in lexicon.peers.of(self.inventory)[self.number].nonzero()[0]]
            shown |= {"peers": ",".join(peers)} if peers else {}
        yield Fact(", ".join([self.id, *(f"{name}={cell}" for name, cell in shown.items())]), self.place)
        yield from self.frames(lexicon, frames)

    def frames(self, lexicon: Lexicon, frames: tuple[str, ...] = tuple(FRAMES)) -> Iterator[Fact]:
        """What the rows of a verb's frames say; nothing of another word.

        Args:
            lexicon: where the frames of verbs are.
            frames: of which the rows are shown, if the verb lists them.
        """
        verbs = lexicon.verbs
        for frame in frames if self.inventory.category == "V" else ():
            row = int(verbs.rows[frame][self.number])
            if row >= 0:
                cells = {name: verbs.frames[name][row] for name in _FRAME}
                said = ", ".join(f"{name}: {cell}" for name, cell in cells.items() if cell not in _USUAL[name])
                yield Fact(f"{frame}: {said}" if said else frame, verbs.frames.places[row])


def find(lexicon: Lexicon, word: str) -> list[Lexeme]:
    """The lexemes with a word: as their id, lemma or a form.

    Args:
        lexicon: all words.
        word: an id (``bank.1``), a lemma, or any inflected form.

    Raises:
        UsageError: there is none.
    """
    lexemes = [
        Lexeme(inventory, number)
        for inventory in lexicon.inventories()
        for number in range(len(inventory))
        if word in _words(lexicon, inventory, number)
    ]
    if not lexemes:
        lemmas = dict.fromkeys(
            str(lemma) for inventory in lexicon.inventories() for lemma in inventory.columns["lemma"]
        )
        meant = respelt(word, lemmas)
        hint = f"did you mean {meant!r}?" if meant else "blimpgen lexicon looks words up."
        raise UsageError(
            f"the lexicon has no word {word!r}; {hint} A new word is a row in lexicon/ of a folder of "
            "yours, given with --data DIR"
        )
    return lexemes


def _words(lexicon: Lexicon, inventory: Inventory, number: int) -> Iterator[str]:
    yield inventory.ids[number]
    yield str(inventory.columns["lemma"][number])
    yield from lexicon.inflected(inventory, number).values()
