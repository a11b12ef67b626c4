"""The report as one HTML file: no script, no network, every image inside."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from jinja2 import FileSystemLoader, StrictUndefined
from jinja2.sandbox import SandboxedEnvironment

from blimpgen.base.errors import UsageError
from blimpgen.base.files import whole_file
from blimpgen.base.locks import locked_file
from blimpgen.base.version import __version__
from blimpgen.report.material import Material, Missing, Section, Table, gather
from blimpgen.report.plots.style import Spot, need_matplotlib, styled, words
from blimpgen.report.results import Result
from blimpgen.report.samples import samples
from blimpgen.report.sections import comparisons, overview, scores

__all__ = ["check_target", "render", "render_sections", "shown_as_text", "write_report", "write_sections"]

_TEMPLATE = "page.html.j2"
_SECTIONS_TEMPLATE = "sections.html.j2"
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


def shown_as_text(_table: Table, row: Sequence[str], cell: int) -> str:
    """The text of a cell.

    Args:
        row: its row.
        cell: its number in the row.
    """
    return row[cell]


def leads_nowhere(_spot: Spot) -> str:
    """The address behind a place of a plot in a page that stands alone: none."""
    return ""


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
    make = partial(render, results, title=title, each=each, resamples=resamples, seed=seed)
    _write(make, Path(path), overwrite=overwrite)


def write_sections(
    make: Callable[[], Sequence[Section | Missing]], path: str | Path, *, title: str, lead: str, overwrite: bool = False
) -> None:
    """Write a page of sections as one HTML file; it appears whole or not at all.

    Args:
        make: makes the sections; called while plots have the style of reports.
        path: the file.
        title: the heading.
        lead: what stands below it.
        overwrite: replace the file if it exists.

    Raises:
        UsageError: the file exists, its folder does not, or matplotlib is missing.
    """

    def text() -> str:
        with styled():
            parts = list(make())
        return _page(parts, title=title, lead=lead)

    _write(text, Path(path), overwrite=overwrite)


def _write(make: Callable[[], str], target: Path, *, overwrite: bool) -> None:
    check_target(target, overwrite=overwrite)
    with locked_file(target):
        text = make()
        with whole_file(target) as stream:
            stream.write(text.encode("utf-8"))


def check_target(target: Path, *, overwrite: bool = False) -> None:
    """Check that a report can be written to a file, before the results are read.

    Args:
        target: the file.
        overwrite: whether it may exist.

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
    """Render results as one HTML page.

    Args:
        results, title, each, resamples, seed: as in `write_report`.
    """
    material = gather(results, resamples=resamples, seed=seed)
    return _page(
        _parts(material),
        title=title or f"Minimal pairs: {', '.join(material.models)}",
        lead=_lead(material),
        results=[_described(result) for result in results],
        samples=samples(material, each) if each else [],
        each=each,
        unit=material.unit,
        resamples=resamples,
        seed=seed,
    )


def render_sections(
    results: Sequence[Result],
    *,
    shown: Callable[[Table, Sequence[str], int], str] = shown_as_text,
    behind: Callable[[Spot], str] = leads_nowhere,
    resamples: int = 1000,
    seed: int = 0,
) -> tuple[str, str]:
    """Render the sections of a report as HTML, to be put into another page.

    Args:
        results, resamples, seed: as in `write_report`.
        shown: what stands in a cell of a table, given its row and its number in the row.
        behind: the address of the pairs behind a place of a plot; empty if there is none.

    Returns:
        What they are of, in words, and the HTML.

    Raises:
        UsageError: matplotlib is missing, or the results have no scoring method in common.
    """
    need_matplotlib()
    material = gather(results, resamples=resamples, seed=seed)
    parts = [part for part in _parts(material) if isinstance(part, Section)]
    template = _environment().get_template(_SECTIONS_TEMPLATE)
    return _lead(material), template.render(sections=parts, shown=shown, behind=behind)


def _parts(material: Material) -> list[Section | Missing]:
    with styled():
        return [section(material) for section in _SECTIONS]


def _environment() -> SandboxedEnvironment:
    environment = SandboxedEnvironment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["words"] = words
    return environment


def _page(parts: Sequence[Section | Missing], *, title: str, lead: str, **of_results: Any) -> str:
    """A page of sections; one of results has their table, sample pairs and sources too."""
    return (
        _environment()
        .get_template(_TEMPLATE)
        .render(
            title=title,
            lead=lead,
            version=__version__,
            sections=[part for part in parts if isinstance(part, Section)],
            missing=[part for part in parts if isinstance(part, Missing)],
            shown=shown_as_text,
            behind=leads_nowhere,
            **{"results": (), "samples": (), **of_results},
        )
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
