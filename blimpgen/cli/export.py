"""`blimpgen export`: sets in the formats of other tools."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from blimpgen.base.errors import UsageError
from blimpgen.cli.options import argument, grouped, message, option

__all__ = ["export"]


@dataclass(frozen=True)
class FormatOptions:
    """The options of which each format uses its own; None is not given."""

    name: Annotated[
        str | None, option("--name", "lm-eval, hf, croissant: what the set is called.", show_default="blimpgen")
    ] = None
    keep_prefix: Annotated[
        bool | None, option("--keep-prefix", "hf: keep prefix fields and what else paradigms record.")
    ] = None
    pairs: Annotated[
        int | None, option("--pairs", "pcibex, jspsych, mturk: pairs of each paradigm.", min=1, show_default="5")
    ] = None
    list_size: Annotated[
        int | None,
        option(
            "--list-size", "pcibex, jspsych, mturk: pairs in a list.", min=1, show_default="4 for mturk, otherwise 40"
        ),
    ] = None
    seed: Annotated[
        int | None,
        option("--seed", "pcibex, jspsych, mturk: which pairs, in which order, on which side.", show_default="0"),
    ] = None


@grouped
def export(
    *,
    folder: Annotated[Path, argument("DIR", "A folder of *.jsonl files, or one such file.")],
    to: Annotated[
        str,
        option(
            "--to",
            "lm-eval, hf, babylm, minicons, syntaxgym, croissant, pcibex, jspsych, mturk, csv, txt, conllu, trees.",
            "FORMAT",
        ),
    ],
    output: Annotated[Path, option("-o --output", "The folder or file to write.", "OUT")],
    options: FormatOptions,
    overwrite: Annotated[bool, option("--overwrite", "Replace an export that is there.")] = False,
) -> None:
    """Write a set in the format of another tool.

    Example: blimpgen export out --to lm-eval -o tasks --name my_blimp
    """
    from blimpgen.exports import Options, find_format, read_source, write_export

    format = find_format(to)
    selected = {name: value for name, value in vars(options).items() if value is not None}
    for name in selected:
        if name not in format.options:
            raise UsageError(f"--to {to} has no use for --{name.replace('_', '-')}")
    count = write_export(read_source(folder), format, output, Options(**selected), overwrite=overwrite)
    message(f"{output}: {count} file{'' if count == 1 else 's'}")
