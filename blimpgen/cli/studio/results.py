"""The pages of results: the folders, the report of some of them, the pairs behind its figures, and `verify`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated
from urllib.parse import urlencode

from fastapi import Query
from markupsafe import Markup
from nicegui import ui

from blimpgen.cli.studio.desk import PATIENCE
from blimpgen.cli.studio.frame import Studio, framed, linked, no_set, show, starred, table, told
from blimpgen.cli.studio.views import results as views
from blimpgen.cli.studio.views.results import Only, ResultEntry, ScoredPair, ScoredPairs, Verifiable

__all__ = ["add_pages"]

_ONE = {"all": "all", "wrong": "those that are wrong or tied"}
_SEVERAL = {"all": "all", "wrong": "those that the first has wrong or tied", "differ": "those on which they differ"}
_TWO = {**_SEVERAL, "first": "those that only the first has right", "second": "those that only the second has right"}
_LOOK = 0.5
"""Seconds between two looks at how far a run is."""


def add_pages(studio: Studio) -> None:
    """Add the list of results, the report of some, and the pairs behind a figure."""

    @ui.page("/results", response_timeout=PATIENCE)
    async def listing() -> None:
        with framed(studio, "Results"):
            async with told():
                if studio.folders.results is None:
                    show(Markup(_NONE))
                    return
                _List(studio, await studio.desk.ask(views.listing))
                _verify(studio, await studio.desk.ask(views.verifiable))

    @ui.page("/results/report", response_timeout=PATIENCE)
    async def report(of: Annotated[list[str] | None, Query()] = None) -> None:
        with framed(studio, "Report"):
            async with told():
                shown = await studio.figures.ask(views.report, tuple(of or ()))
                names = Markup(", ").join(linked(name, "results") for _, name in shown.labels)
                show(Markup('<p class="where">{}</p><p>{} Figures lead to their pairs.</p>').format(names, shown.lead))
                show(Markup(shown.html)).classes("report")

    @ui.page("/results/pairs", response_timeout=PATIENCE)
    async def pairs(
        of: Annotated[list[str] | None, Query()] = None,
        group: str = "",
        only: Only = "all",
        method: str = "",
        start: int = 0,
    ) -> None:
        with framed(studio, group.replace("_", " ") if group else "All pairs"):
            async with told():
                names = tuple(of or ())
                view = await studio.figures.ask(views.pairs, names, group, only, method, max(start, 0))
                _pairs(view, names, only, max(start, 0))


_NONE = """<p>Start the studio with the folder where your results are, and it shows them here: <code>blimpgen studio
--results results --sets sets --models models</code>. With a folder of data sets and one of models it scores them
too.</p>"""


class _List:
    """The results, of which some are chosen for a report.

    Args:
        studio: what all pages share.
        entries: the results.
    """

    def __init__(self, studio: Studio, entries: Sequence[ResultEntry]) -> None:
        show(Markup('<p class="where">{}: {} results</p>').format(studio.folders.results, len(entries)))
        readable = [entry for entry in entries if not entry.problem]
        self.boxes = {}
        for entry in readable:
            with ui.element("div").classes("result"):
                self.boxes[entry.name] = ui.checkbox(entry.name, value=len(readable) == 1)
                figures = "; ".join(f"{method} {accuracy}" for method, accuracy in entry.accuracies)
                line = (
                    "<p>{} · {:,} pairs · accuracy in per cent: {}</p>"
                    "<details><summary>signature</summary><code>{}</code></details>"
                )
                show(Markup(line).format(entry.model, entry.pairs, figures or "none", entry.signature))
        for entry in entries:
            if entry.problem:
                ui.label(f"{entry.name}: {entry.problem}").classes("problem")
        if readable:
            ui.button("Report those that are ticked", on_click=self._open).props("no-caps outline")

    def _open(self) -> None:
        names = [name for name, box in self.boxes.items() if box.value]
        if names:
            ui.navigate.to(f"/results/report?{urlencode([('of', name) for name in names])}")
        else:
            ui.notify("Tick a result first.")


def _pairs(view: ScoredPairs, names: Sequence[str], only: Only, start: int) -> None:
    def address(**changes: object) -> str:
        query = {"group": view.group, "only": only, "method": view.method, **changes}
        return urlencode([*(("of", name) for name in names), *query.items()])

    choices = {1: _ONE, 2: _TWO}.get(len(view.labels), _SEVERAL)
    kinds = Markup(" · ").join(
        Markup("<b>{}</b>").format(text) if kind == only else linked(text, "results", "pairs", query=address(only=kind))
        for kind, text in choices.items()
    )
    methods = Markup(" · ").join(
        Markup("<b>{}</b>").format(m) if m == view.method else linked(m, "results", "pairs", query=address(method=m))
        for m in view.methods
    )
    show(Markup('<p class="where">{}</p><p>{}</p><p>{}</p>').format(" and ".join(view.labels), kinds, methods))
    until = start + len(view.pairs)
    ui.label(f"{start + 1 if view.pairs else 0:,} to {until:,} of {view.count:,}").classes("count")
    header = ("pair", *view.labels, "paradigm")
    show(table(header, (_scored(pair) for pair in view.pairs), "Pairs and margins"))
    show(
        Markup(
            "<p><small>The margin is the score of the good sentence minus that of the bad one; the smallest come "
            "first.</small></p>"
        )
    )
    if until < view.count:
        show(linked("More", "results", "pairs", query=address(start=until)))


def _class(margin: float) -> str:
    """How a margin is shown; a tie is neither right nor wrong."""
    return "good" if margin > 0 else "problem" if margin else "count"


def _scored(scored: ScoredPair) -> tuple[object, ...]:
    margins = (
        Markup('<span class="{}">{}</span>').format(_class(margin), f"{margin:+.2f}") if margin is not None else "–"
        for margin in scored.margins
    )
    return starred(scored.pair), *margins, linked(scored.uid, "paradigm", scored.uid)


def _verify(studio: Studio, choices: Verifiable) -> None:
    """The form that starts `verify`, and how far it is."""
    ui.html("<h2>Score a set with a model</h2>")
    if not choices.sets:
        show(no_set(studio.folders, "to score"))
        return
    with ui.row().classes("buttons"):
        of = ui.select(list(choices.sets), value=choices.sets[0], label="Set").props("dense outlined").classes("format")
        model = ui.select(list(choices.models), value=choices.models[0], label="Model").props("dense outlined")
        model.classes("format")
        limit = ui.number("First pairs", min=1, precision=0).props("dense outlined clearable")
    state = ui.element("div").props("role=status aria-live=polite")

    async def begin() -> None:
        with state:
            async with told():
                studio.scoring.start(of.value, model.value, int(limit.value) if limit.value else None)
        look()

    def stop() -> None:
        studio.scoring.stop()
        look()

    with ui.row().classes("buttons"):
        ui.button("Score", on_click=begin).props("no-caps outline")
        end = ui.button("Stop", on_click=stop).props("no-caps outline")
    bar = ui.linear_progress(0, show_value=False).props('aria-label="Pairs that are scored"')
    said: list[object] = [None]

    def look() -> None:
        run = studio.scoring
        end.enabled = bar.visible = run.is_running
        bar.value = run.done / run.total if run.total else 0
        text = f"{run.what}: {run.outcome or (f'{run.done:,} of {run.total:,} pairs' if run.total else 'loading')}"
        if not run.what or said[0] == (text, run.is_running):
            return
        said[0] = text, run.is_running
        state.clear()
        with state:
            ui.label(text).classes("problem" if run.failed else "count").props("role=alert" if run.failed else "")
            if run.outcome and not run.failed and not run.is_running:
                show(linked("Show the results", "results"))

    ui.timer(_LOOK, look)
