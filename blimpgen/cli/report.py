"""`blimpgen report`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from blimpgen.cli.options import Seed, argument, message, option

__all__ = ["report"]


def report(
    results: Annotated[list[Path], argument("RESULTS", "Folders that `blimpgen verify -o` wrote.")],
    output: Annotated[Path, option("-o --output", "The HTML file to write.", "FILE")],
    title: Annotated[str, option("--title", "The heading of the page.")] = "",
    samples: Annotated[
        int, option("--samples", "Wrong and right sample pairs, each, of a paradigm and model.", min=0)
    ] = 2,
    resamples: Annotated[int, option("--resamples", "Samples of each bootstrap.", min=1)] = 1000,
    seed: Seed = 0,
    overwrite: Annotated[bool, option("--overwrite", "Replace FILE if it exists.")] = False,
) -> None:
    """Report results as one HTML file: of one model, of several, or of checkpoints.

    Example: blimpgen report results/gpt2 -o report.html
    """
    from blimpgen.report import check_target, read_results, write_report

    check_target(output, overwrite=overwrite)
    loaded = read_results(results)
    write_report(loaded, output, title=title, each=samples, resamples=resamples, seed=seed, overwrite=overwrite)
    message(f"{output}: {len(loaded)} result{'' if len(loaded) == 1 else 's'}, {output.stat().st_size / 1e6:.1f} MB")
