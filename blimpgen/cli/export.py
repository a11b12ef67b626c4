"""`blimpgen export`: sets in the formats of other tools."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from blimpgen.base.errors import UsageError
from blimpgen.cli.options import grouped, message

__all__ = ["export"]


@dataclass(frozen=True)
class FormatOptions:
    """The options of which each format uses its own; None is not given."""

    name: Annotated[
        str | None,
        typer.Option("--name", show_default="blimpgen", help="lm-eval, hf, croissant: what the set is called."),
    ] = None
    keep_prefix: Annotated[
        bool | None,
        typer.Option(
            "--keep-prefix", show_default=False, help="hf: keep prefix fields and what else paradigms record."
        ),
    ] = None
    pairs: Annotated[
        int | None,
        typer.Option("--pairs", min=1, show_default="5", help="pcibex, jspsych, mturk: pairs of each paradigm."),
    ] = None
    list_size: Annotated[
        int | None,
        typer.Option(
            "--list-size",
            min=1,
            show_default="4 for mturk, otherwise 40",
            help="pcibex, jspsych, mturk: pairs in a list.",
        ),
    ] = None
    seed: Annotated[
        int | None,
        typer.Option(
            "--seed", show_default="0", help="pcibex, jspsych, mturk: which pairs, in which order, on which side."
        ),
    ] = None


@grouped
def export(
    *,
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A folder of *.jsonl files, or one such file.")],
    to: Annotated[
        str,
        typer.Option(
            "--to",
            metavar="FORMAT",
            help="lm-eval, hf, babylm, minicons, syntaxgym, "
            "croissant, pcibex, jspsych, mturk, csv, txt, conllu or trees.",
        ),
    ],
    output: Annotated[Path, typer.Option("-o", "--output", metavar="OUT", help="The folder or file to write.")],
    options: FormatOptions,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace an export that is there.")] = False,
) -> None:
    """Write a set in the format of another tool.

    Example: blimpgen export out --to lm-eval -o tasks --name my_blimp
    """
    from blimpgen.exports import Options, find_format, read_source, write_export

    format = find_format(to)
    selected = {option: value for option, value in vars(options).items() if value is not None}
    for option in selected:
        if option not in format.options:
            raise UsageError(f"--to {to} has no use for --{option.replace('_', '-')}")
    count = write_export(read_source(folder), format, output, Options(**selected), overwrite=overwrite)
    message(f"{output}: {count} file{'' if count == 1 else 's'}")
