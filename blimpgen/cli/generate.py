"""`blimpgen generate`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from blimpgen.base.errors import UsageError
from blimpgen.cli.options import Data, Format, Output, Profile, Seed, argument, grouped, library, option
from blimpgen.cli.variant_options import MadeUpWords, TokenLimits, WordLimits, variant_of
from blimpgen.cli.writing import Sets, remake, typed_command, write

__all__ = ["generate"]

Style = Literal["blimp", "plain"]


@dataclass(frozen=True)
class Rows:
    """The options that say what a row is."""

    metadata: Annotated[bool, option("--metadata", "Add slots, features and trees to each pair.")] = False
    format: Format = "jsonl"
    shard: Annotated[
        str | None, option("--shard", "Write only the i-th of k ranges of the rows, for one job of many.", "I/K")
    ] = None
    pairs: Annotated[bool, option("--pairs", "Write sets of sentences as pairs, one a comparison.")] = False
    enumerate: Annotated[bool, option("--enumerate", "Write all assignments, in order.")] = False
    style: Annotated[
        Style | None,
        option(
            "--style", "Spelling: blimp as in the release, plain without capitals; otherwise as each paradigm says."
        ),
    ] = None
    canary: Annotated[
        bool,
        option(
            "--canary", "Give each row a canary, a text to search training data for, with a notice not to train on it."
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
        list[str] | None, argument("TARGET", "UIDs, suites, or paths of paradigm files; blimp if none is given.")
    ] = None,
    n: Annotated[int | None, option("-n", "Rows a paradigm.", min=1, show_default="1000")] = None,
    seed: Seed = 0,
    output: Output,
    rows: Rows,
    data: Data = None,
    profile: Profile = None,
    words: WordLimits,
    tokens: TokenLimits,
    made_up_words: MadeUpWords,
    sets: Sets,
    from_manifest: Annotated[
        Path | None,
        option("--from-manifest", "Make the set of this manifest again, and say what differs if its bytes do.", "FILE"),
    ] = None,
) -> None:
    """Generate pairs: to a folder, or those of one paradigm to standard output.

    Example: blimpgen generate adjunct_island transitive -n 100 --seed 1 -o out

    Example: blimpgen generate --from-manifest out/manifest.json -o again
    """
    if from_manifest is not None:
        remake(context, from_manifest, output, data)
        return
    if rows.enumerate and n is not None:
        raise UsageError("--enumerate writes all assignments; leave -n away")
    from blimpgen.dataset import Arguments, check_shard

    if rows.shard:
        check_shard(rows.shard)
    variant = variant_of(words, tokens, made_up_words)
    arguments = Arguments(targets=tuple(targets or ["blimp"]), n=n, seed=seed, variant=variant or None, **rows.fields())
    write(lambda: library(data, profile), arguments, output, sets, typed_command(context))
