"""`blimpgen generate`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from blimpgen.base.errors import UsageError
from blimpgen.cli.options import Data, Format, Output, Profile, Seed, grouped, library
from blimpgen.cli.variant_options import MadeUpWords, TokenLimits, WordLimits, variant_of
from blimpgen.cli.writing import Sets, make_again, typed_command, write

__all__ = ["generate"]

MOST = 1_000_000_000
Style = Literal["blimp", "plain"]


@dataclass(frozen=True)
class Rows:
    """The options that say what a row is."""

    metadata: Annotated[bool, typer.Option("--metadata", help="Add slots, features and trees to each pair.")] = False
    format: Format = "jsonl"
    pairs: Annotated[bool, typer.Option("--pairs", help="Write sets of sentences as pairs, one a comparison.")] = False
    enumerate: Annotated[bool, typer.Option("--enumerate", help="Write all assignments, in order.")] = False
    style: Annotated[
        Style | None,
        typer.Option(
            "--style",
            show_default=False,
            help="Spelling: blimp as in the release, plain without capitals; otherwise as each paradigm says.",
        ),
    ] = None
    canary: Annotated[
        bool,
        typer.Option(
            "--canary",
            help="Give each row a canary, a text to search training data for, with a notice not to train on it.",
        ),
    ] = False

    def fields(self) -> dict[str, Any]:
        """The fields of the record of arguments."""
        return vars(self)


@grouped
def generate(
    *,
    context: typer.Context,
    targets: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="TARGET",
            show_default=False,
            help="UIDs, suites, or paths of paradigm files; blimp if none is given.",
        ),
    ] = None,
    n: Annotated[int | None, typer.Option("-n", min=1, max=MOST, show_default="1000", help="Rows a paradigm.")] = None,
    seed: Seed = 0,
    output: Output,
    rows: Rows,
    data: Data = None,
    profile: Profile = None,
    words: WordLimits,
    tokens: TokenLimits,
    made_up: MadeUpWords,
    sets: Sets,
    from_manifest: Annotated[
        Path | None,
        typer.Option(
            "--from-manifest",
            metavar="FILE",
            show_default=False,
            help="Make the set of this manifest again, and say what differs if its bytes do.",
        ),
    ] = None,
) -> None:
    """Generate pairs: to a folder, or those of one paradigm to standard output.

    Example: blimpgen generate adjunct_island transitive -n 100 --seed 1 -o out

    Example: blimpgen generate --from-manifest out/manifest.json -o again
    """
    if from_manifest is not None:
        make_again(context, from_manifest, output, data)
        return
    if rows.enumerate and n is not None:
        raise UsageError("--enumerate writes all assignments; leave -n away")
    from blimpgen.dataset import Arguments

    variant = variant_of(words, tokens, made_up)
    arguments = Arguments(targets=tuple(targets or ["blimp"]), n=n, seed=seed, variant=variant or None, **rows.fields())
    write(lambda: library(data, profile), arguments, output, sets, typed_command(context))
