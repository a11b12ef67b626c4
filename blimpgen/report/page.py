"""The report as one HTML file: no script, no network, every image inside."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from jinja2 import FileSystemLoader, StrictUndefined
from jinja2.sandbox import SandboxedEnvironment

from blimpgen.base.errors import UsageError
from blimpgen.base.files import whole_file
from blimpgen.base.locks import locked_file
from blimpgen.base.version import __version__
from blimpgen.report.material import Material, Missing, Section, gather
from blimpgen.report.plots.style import need_matplotlib, styled, words
from blimpgen.report.results import Result
from blimpgen.report.samples import samples
from blimpgen.report.sections import comparisons, overview, scores

__all__ = ["check_target", "render", "write_report"]

_TEMPLATE = "page.html.j2"
_SECTIONS = (
    overview.by_term_section,
    overview.paradigms,
    overview.people,
    scores.score_differences,
    scores.predictors,
    comparisons.contrasts,
    scores.methods,
    comparisons.curves,
    comparisons.paired,
)


def write_report(
    results: Sequence[Result],
    path: str | Path,
    *,
    title: str = "",
    each: int = 2,
    resamples: int = 1000,
    seed: int = 0,
    overwrite: bool = False,
) -> None:
    """Write a report of results as one HTML file; it appears whole or not at all.

    Args:
        results: of one model, of several, or of checkpoints; see `blimpgen.report.read_results`.
        path: the file.
        title: the heading; by default made from the names of the models.
        each: how many wrong and how many right sample pairs of each paradigm and model; 0 for none.
        resamples: how many samples each bootstrap draws.
        seed: of bootstraps and sample pairs; the same results and seed give the same bytes.
        overwrite: replace the file if it exists.

    Raises:
        UsageError: the file exists, its folder does not, matplotlib is missing, or the results have no scoring method
            in common.
    """
    target = Path(path)
    check_target(target, overwrite=overwrite)
    with locked_file(target):
        text = render(results, title=title, each=each, resamples=resamples, seed=seed)
        with whole_file(target) as stream:
            stream.write(text.encode("utf-8"))


def check_target(target: Path, *, overwrite: bool = False) -> None:
    """Whether a report can be written to a file, asked before the results are read.

    Raises:
        UsageError: the file exists, its folder does not, or matplotlib is missing.
    """
    if target.is_dir():
        raise UsageError(f"{target} is a folder; name a file, such as {target / 'report.html'}")
    if target.exists() and not overwrite:
        raise UsageError(f"{target} exists; name another file, or add --overwrite")
    if not target.parent.is_dir():
        raise UsageError(f"{target.parent}: no such folder; make it first, or name another file")
    need_matplotlib()


def render(results: Sequence[Result], *, title: str = "", each: int = 2, resamples: int = 1000, seed: int = 0) -> str:
    """A report of results as HTML; the arguments are those of `write_report`."""
    material = gather(results, resamples=resamples, seed=seed)
    with styled():
        parts = [section(material) for section in _SECTIONS]
    sections = [part for part in parts if isinstance(part, Section)]
    missing = [part for part in parts if isinstance(part, Missing)]
    environment = SandboxedEnvironment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["words"] = words
    return environment.get_template(_TEMPLATE).render(
        title=title or f"Minimal pairs: {', '.join(material.models)}",
        lead=_lead(material),
        version=__version__,
        results=[_described(result) for result in results],
        sections=sections,
        missing=missing,
        samples=samples(material, each) if each else [],
        each=each,
        unit=material.unit,
        resamples=resamples,
        seed=seed,
    )


def _lead(material: Material) -> str:
    paradigms = {uid for rows in material.models.values() for uid in rows.uid.tolist()}
    method = "" if material.method == "full" else f", by the {material.method} method"
    results, sets = len(material.results), len(paradigms)
    scored = {frozenset(rows.keys) for rows in material.models.values()}
    mixed = " The results are not of the same pairs, so their figures compare only in part." if len(scored) > 1 else ""
    return (
        f"{results} result{'s' * (results > 1)} on {sets} paradigm{'s' * (sets > 1)}. A model is right on a pair "
        f"if the good sentence has the higher score{method}.{mixed}"
    )


def _described(result: Result) -> dict[str, Any]:
    return {
        "label": result.label,
        "model": result.model,
        "revision": result.revision,
        "methods": [*result.methods],
        "pairs": max(len(rows) for rows in result.methods.values()),
        "signature": result.signature,
    }
