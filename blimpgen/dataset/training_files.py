"""Files of training sentences for a new noun."""

from __future__ import annotations

from pathlib import Path

from blimpgen.base.errors import UsageError
from blimpgen.base.files import write_chunks
from blimpgen.base.locks import locked_folder
from blimpgen.nouns.few_shot import TRAINING, training_sentences

__all__ = ["write_training"]


def write_training(folder: Path, singular: str = "wug", plural: str = "wuz") -> list[Path]:
    """Write one file a type, ``<noun>-<type>.txt``, one sentence a line.

    Args:
        folder: where they go; made if need be.
        singular, plural: the two new nouns; each experiment has one of them.

    Raises:
        UsageError: one of the files is there already.
    """
    planned = {
        folder / f"{noun}-{kind}.txt": training_sentences(kind, noun, number)
        for number, noun in (("SG", singular), ("PL", plural))
        for kind in TRAINING[number]
    }
    with locked_folder(folder):
        if there := [path for path in planned if path.exists()]:
            raise UsageError(f"{there[0]} is there already; take another folder")
        for path, sentences in planned.items():
            write_chunks(path, ["".join(f"{sentence}\n" for sentence in sentences).encode()])
    return list(planned)
