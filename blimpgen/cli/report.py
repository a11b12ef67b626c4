"""`blimpgen report`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from blimpgen.cli.options import Seed, message

__all__ = ["report"]


def report(
    results: Annotated[
        list[Path],
        typer.Argument(metavar="RESULTS", show_default=False, help="Folders that `blimpgen verify -o` wrote."),
    ],
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="FILE", show_default=False, help="The HTML file to write.")
    ],
    title: Annotated[str, typer.Option("--title", show_default=False, help="The heading of the page.")] = "",
    samples: Annotated[
        int, typer.Option("--samples", min=0, help="Wrong and right sample pairs, each, of a paradigm and model.")
    ] = 2,
    resamples: Annotated[int, typer.Option("--resamples", min=1, help="Samples of each bootstrap.")] = 1000,
    seed: Seed = 0,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace FILE if it exists.")] = False,
) -> None:
    """Report results as one HTML file: of one model, of several, or of checkpoints.

    Example: blimpgen report results/gpt2 -o report.html
    """
    from blimpgen.report import check_target, read_results, write_report

    check_target(output, overwrite=overwrite)
    loaded = read_results(results)
    write_report(loaded, output, title=title, each=samples, resamples=resamples, seed=seed, overwrite=overwrite)
    message(f"{output}: {len(loaded)} result{'' if len(loaded) == 1 else 's'}, {output.stat().st_size / 1e6:.1f} MB")
