"""`blimpgen correct`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from blimpgen.cli.options import Data, Seed, argument, library, message, option, write_lines

__all__ = ["correct"]


def correct(
    directory: Annotated[Path, argument("DIR", "A published data set of pairs, such as the BLiMP release.")],
    output: Annotated[Path, option("-o --output", "The folder of the corrected edition.", "OUT")],
    seed: Seed = 0,
    overwrite: Annotated[bool, option("--overwrite", "Replace another correction in OUT.")] = False,
    data: Data = None,
) -> None:
    """Correct a published data set: keep the sound pairs, repair the others or draw new ones in their place.

    OUT/errata.jsonl has for each changed pair the old one, the new one and the reason.

    Example: blimpgen correct BLiMP/data -o corrected
    """
    from blimpgen.audit import correct
    from blimpgen.audit.correction import Counts

    def done(name: str, counts: Counts) -> None:
        write_lines([f"{name}: {_told(counts)}"])

    counts = correct(directory, output, library(data), seed=seed, overwrite=overwrite, done=done)
    message(f"{output}: {_told(counts)}")


def _told(counts: object) -> str:
    """Write out counts, without what is 0."""
    return ", ".join(f"{n:,} {name}" for name, n in vars(counts).items() if n)
