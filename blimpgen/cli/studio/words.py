"""The pages to look at words: a table that the restriction language searches, and one lexeme each."""

from __future__ import annotations

from markupsafe import Markup
from nicegui import ui

from blimpgen.cli.studio.desk import PATIENCE
from blimpgen.cli.studio.frame import Studio, framed, linked, show, table, told
from blimpgen.cli.studio.views import words as views
from blimpgen.cli.studio.views.words import LexemeView, WordTable

__all__ = ["add_pages"]

_EXAMPLES = ("noun: human & Number=Plur", "verb: V.NP & not V", "adjective: +bounded", "believe")


def add_pages(studio: Studio) -> None:
    """Add the table of words, and the page of each lexeme."""

    @ui.page("/words", response_timeout=PATIENCE)
    async def words(query: str = "") -> None:
        with framed(studio, "Words"):
            await _search(studio, query)

    @ui.page("/word/{category}/{name}", response_timeout=PATIENCE)
    async def word(category: str, name: str) -> None:
        with framed(studio, name):
            async with told():
                _lexeme(await studio.desk.ask(views.lexeme, category, name))


async def _search(studio: Studio, query: str) -> None:
    async def search() -> None:
        results.clear()
        with results:
            if (field.value or "").strip():
                async with told():
                    _results(await studio.desk.ask(views.words, field.value))

    field = ui.input("A word, or a category with a restriction", value=query).classes("search")
    field.props("type=search outlined dense autofocus").on("keydown.enter", search)
    examples = Markup(", ").join(linked(text, "words", query=_query(text)) for text in _EXAMPLES)
    show(Markup("<p>Enter looks it up. For example: {}.</p>").format(examples))
    results = ui.element("div").props("aria-live=polite")
    await search()


def _query(text: str) -> str:
    from urllib.parse import urlencode

    return urlencode({"query": text})


def _results(words: WordTable) -> None:
    rest = f", the first {len(words.rows)} are shown" if words.count > len(words.rows) else ""
    ui.label(f"{words.count:,} lexeme{'' if words.count == 1 else 's'}{rest}").classes("count")
    rows = ((linked(name, "word", category, name), category, said) for name, category, said in words.rows)
    show(table(("lexeme", "category", "what its table says"), rows, "Words"))


def _lexeme(lexeme: LexemeView) -> None:
    show(Markup('<p class="where">{}</p>').format(lexeme.category))
    show(Markup("<h2>Forms</h2>") + table(("cell", "form"), lexeme.forms.items(), "Forms"))
    show(Markup("<h2>What the tables say</h2>") + table(("annotation", "place"), lexeme.facts, "Annotation"))
    show(Markup("<h2>All readings of its forms</h2>") + table(("form", "reading"), lexeme.readings, "Readings"))
    if lexeme.sentences:
        line = Markup("<p>{} <small>{}</small></p>")
        sentences = (line.format(text, linked(uid, "paradigm", uid)) for text, uid in lexeme.sentences)
        show(Markup("<h2>Sentences</h2>") + Markup("").join(sentences))
