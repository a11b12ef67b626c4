"""The page to parse a sentence."""

from __future__ import annotations

from markupsafe import Markup
from nicegui import ui

from blimpgen.cli.studio.desk import PATIENCE
from blimpgen.cli.studio.frame import Studio, drawn, framed, show, table, told
from blimpgen.cli.studio.views import sentences
from blimpgen.cli.studio.views.sentences import Sentence

__all__ = ["add_pages"]

_READINGS = {"closed": "what the lexicon lists", "open": "all that it does not exclude"}


def add_pages(studio: Studio) -> None:
    """Add the page to parse a sentence."""

    @ui.page("/parse", response_timeout=PATIENCE)
    async def parse() -> None:
        with framed(studio, "Parse a sentence"):
            _form(studio)


def _form(studio: Studio) -> None:
    async def work() -> None:
        result.clear()
        with result:
            async with told():
                _sentence(await studio.desk.ask(sentences.parse, field.value or "", reading.value))

    field = ui.input("An English sentence", value="The teacher that the boys like sleeps.").classes("search")
    field.props("outlined dense autofocus").on("keydown.enter", work)
    with ui.row():
        reading = ui.radio(_READINGS, value="closed", on_change=work).props('inline aria-label="Reading"')
        ui.button("Parse", on_click=work).props("no-caps outline")
    result = ui.element("div").props("aria-live=polite")


def _sentence(sentence: Sentence) -> None:
    ui.label(sentence.headline).classes("good" if sentence.derived else "problem")
    if sentence.derived:
        show(drawn(sentence.trees))
        show(table(("word", "category", "features", "lexemes"), sentence.words, "Words of the first tree"))
    else:
        show(Markup("<ul>{}</ul>").format(Markup("").join(Markup("<li>{}</li>").format(r) for r in sentence.reasons)))
