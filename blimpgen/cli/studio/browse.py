"""The pages to look at paradigms: the list of all, and one each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from urllib.parse import urlencode

from markupsafe import Markup
from nicegui import ui

from blimpgen.cli.studio.desk import PATIENCE
from blimpgen.cli.studio.frame import (
    Studio,
    connected,
    drawn,
    framed,
    linked,
    pair_lines,
    show,
    slot_table,
    table,
    told,
)
from blimpgen.cli.studio.views import paradigms, results
from blimpgen.cli.studio.views.paradigms import Entry, ParadigmView
from blimpgen.cli.studio.views.results import ScoredParadigm

__all__ = ["add_pages"]


def add_pages(studio: Studio) -> None:
    """Add the list of paradigms, and the page of each."""

    @ui.page("/", response_timeout=PATIENCE)
    async def catalogue() -> None:
        with framed(studio, "Paradigms"):
            async with told():
                _catalogue(await studio.desk.ask(paradigms.catalogue))

    @ui.page("/paradigm/{uid}", response_timeout=PATIENCE)
    async def paradigm(uid: str, seed: int = 0) -> None:
        with framed(studio, uid):
            async with told():
                _paradigm(await studio.desk.ask(paradigms.paradigm, uid, seed), seed)
                audit = ui.element("div").props("aria-live=polite")
                of_models = ui.element("div")
                if not await connected(ui.context.client):  # what follows takes longer than the rest
                    return
                with audit:
                    async with told():
                        lines = await studio.desk.ask(paradigms.audited, uid, seed)
                        if audit.is_deleted:  # the page was left
                            return
                        _audited(lines)
                with of_models:
                    async with told():
                        _scored(uid, await studio.desk.ask(results.of_paradigm, uid))


def _catalogue(entries: Sequence[Entry]) -> None:
    def search() -> None:
        words = field.value.casefold().split()
        hits = [entry for entry in entries if all(word in entry.searched for word in words)]
        count.text = f"{len(hits)} of {len(entries)} paradigms"
        content.content = str(Markup("").join(_suites(hits, opened=bool(words))))

    field = ui.input("Search names, summaries and sentences", on_change=search).classes("search")
    field.props("type=search debounce=150 autofocus outlined dense clearable clear-icon=close")
    count = ui.label().props("role=status").classes("count")
    content = ui.html("")
    search()


def _suites(entries: Sequence[Entry], *, opened: bool) -> Iterator[Markup]:
    for suite, of_suite in groupby(entries, lambda entry: entry.suite):
        members = list(of_suite)
        body = Markup("").join(_terms(members))
        state = Markup(" open") if opened or suite == "blimp" else ""
        line = "<details class='suite'{}><summary><h2>{}</h2> <small>{} paradigms</small></summary>{}</details>"
        yield Markup(line).format(state, suite, len(members), body)


def _terms(entries: Sequence[Entry]) -> Iterator[Markup]:
    for term, of_term in groupby(sorted(entries, key=lambda entry: entry.term), lambda entry: entry.term):
        yield Markup("<h3>{}</h3>").format(term.replace("_", " "))
        for entry in of_term:
            pair = pair_lines([entry.pair] if entry.pair else [])
            what = '<div class="entry"><p>{} <span class="summary">{}</span></p>{}</div>'
            yield Markup(what).format(linked(entry.uid, "paradigm", entry.uid), entry.summary, pair)


def _paradigm(view: ParadigmView, seed: int) -> None:
    where = " · ".join(filter(None, (view.suite, view.term.replace("_", " "), view.field)))
    show(Markup('<p class="lead">{}</p><p class="where">{}</p>').format(view.summary, where))
    if view.fault:
        ui.label(f"The labels do not hold: {view.fault}").classes("problem").props("role=alert")
    show(Markup("<h2>Pairs</h2>") + pair_lines(view.pairs))
    others = linked("Ten others", "paradigm", view.uid, query=f"seed={seed + 1}")
    write = (
        linked("Change it", "write", view.uid)
        if view.own
        else linked("Write one like it", "write", query=f"like={view.uid}")
    )
    show(Markup('<p class="more">{} · {}</p>').format(others, write))
    show(Markup("<h2>Slots</h2>") + _templates(view))
    show(slot_table(view.slots))
    show(Markup("<h2>What it is</h2>") + _figures(view))
    show(Markup("<h2>Trees of the first pair</h2>") + drawn(view.trees))
    source = "<h2>The file</h2><details><summary>{}</summary><pre>{}</pre></details>"
    show(Markup(source).format(view.path, view.text))


def _audited(lines: Sequence[str]) -> None:
    items = Markup("").join(Markup("<li>{}</li>").format(line) for line in lines)
    show(Markup("<h2>Guards and diversity</h2><ul>{}</ul>").format(items))


def _scored(uid: str, scored: Sequence[ScoredParadigm]) -> None:
    if scored:
        rows = (
            (
                linked(each.name, "results", "pairs", query=urlencode({"of": each.name, "group": uid})),
                each.model,
                "; ".join(f"{method} {accuracy}" for method, accuracy in each.accuracies),
            )
            for each in scored
        )
        header = ("result", "model", "accuracy in per cent, by method")
        show(Markup("<h2>Results of models</h2>") + table(header, rows, "Results of models"))


def _templates(view: ParadigmView) -> Markup:
    line = Markup("<p><code>{}: {}</code></p>")
    return Markup("").join(line.format(name, template) for name, template in view.templates.items())


def _figures(view: ParadigmView) -> Markup:
    labels = "refused: see above" if view.fault else "hold: the grammar derives the good sentences and no bad one"
    if view.derivable:
        labels = f"by declaration: {view.derivable}"
    cells = ", ".join(filter(None, view.cells)) or "one"
    facts = {
        "Assignments": view.capacity,
        "Cells": f"{len(view.cells)}: {cells}" if len(view.cells) > 1 else cells,
        "Labels": labels,
        "Methods": ", ".join(view.methods),
        "What differs from the published paradigm": view.differs,
    }
    terms = (Markup("<dt>{}</dt><dd>{}</dd>").format(name, said) for name, said in facts.items() if said)
    return Markup("<dl>{}</dl>").format(Markup("").join(terms))
