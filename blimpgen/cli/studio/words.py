"""The pages of words: a table that the restriction language searches, one lexeme each, and a form to add a word."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlencode

from markupsafe import Markup
from nicegui import ui

from blimpgen.cli.studio.desk import PATIENCE
from blimpgen.cli.studio.frame import Studio, framed, linked, show, table, told
from blimpgen.cli.studio.views import new_words
from blimpgen.cli.studio.views import words as views
from blimpgen.cli.studio.views.new_words import AskedWord, WordView
from blimpgen.cli.studio.views.words import LexemeView, WordTable

__all__ = ["add_pages"]

_EXAMPLES = ("noun: human & Number=Plur", "verb: V.NP & not V", "adjective: +bounded", "believe")


def add_pages(studio: Studio) -> None:
    """Add the table of words, the page of each lexeme, and the form to add one."""

    @ui.page("/words", response_timeout=PATIENCE)
    async def words(query: str = "") -> None:
        with framed(studio, "Words"):
            await _search(studio, query)

    @ui.page("/word/{category}/{name}", response_timeout=PATIENCE)
    async def word(category: str, name: str) -> None:
        with framed(studio, name):
            async with told():
                _lexeme(await studio.desk.ask(views.lexeme, category, name))

    @ui.page("/words/new", response_timeout=PATIENCE)
    async def new(like: str = "") -> None:
        with framed(studio, "Add a word"):
            async with told():
                _Form(studio, await studio.desk.ask(new_words.classes), like)


async def _search(studio: Studio, query: str) -> None:
    async def search() -> None:
        results.clear()
        with results:
            if (field.value or "").strip():
                async with told():
                    _results(await studio.desk.ask(views.words, field.value))

    field = ui.input("A word, or a category with a restriction", value=query).classes("search")
    field.props("type=search outlined dense autofocus").on("keydown.enter", search)
    examples = Markup(", ").join(linked(text, "words", query=urlencode({"query": text})) for text in _EXAMPLES)
    adding = linked("Add a word", "words", "new")
    show(Markup("<p>Enter looks it up. For example: {}. {}</p>").format(examples, adding))
    results = ui.element("div").props("aria-live=polite")
    await search()


def _results(words: WordTable) -> None:
    rest = f", the first {len(words.rows)} are shown" if words.count > len(words.rows) else ""
    ui.label(f"{words.count:,} lexeme{'' if words.count == 1 else 's'}{rest}").classes("count")
    rows = ((linked(name, "word", category, name), category, said) for name, category, said in words.rows)
    show(table(("lexeme", "category", "what its table says"), rows, "Words"))


def _lexeme(lexeme: LexemeView) -> None:
    like = linked("Add one like it", "words", "new", query=urlencode({"like": lexeme.id}))
    show(Markup('<p class="where">{} {}</p>').format(lexeme.category, like))
    show(Markup("<h2>Forms</h2>") + table(("cell", "form"), lexeme.forms.items(), "Forms"))
    show(Markup("<h2>What the tables say</h2>") + table(("annotation", "place"), lexeme.facts, "Annotation"))
    show(Markup("<h2>All readings of its forms</h2>") + table(("form", "reading"), lexeme.readings, "Readings"))
    if lexeme.sentences:
        line = Markup("<p>{} <small>{}</small></p>")
        sentences = (line.format(text, linked(uid, "paradigm", uid)) for text, uid in lexeme.sentences)
        show(Markup("<h2>Sentences</h2>") + Markup("").join(sentences))


class _Form:
    """The form of a word: shows what it goes with before it is written.

    Args:
        studio: what all pages share.
        classes: that a word can be of.
        like: the word that it is like, at first.
    """

    def __init__(self, studio: Studio, classes: tuple[str, ...], like: str) -> None:
        self.studio = studio
        show(Markup("<p>Say what it is, or which word it is like. What is said in the boxes comes on top.</p>"))
        self.lemma = ui.input("The word").classes("search").props("outlined dense autofocus")
        self.like = ui.input("Like the word", value=like).classes("search").props("outlined dense")
        self.word_class = ui.select(["", *classes], value="", label="Class").classes("search").props("outlined dense")
        self.cells = ui.textarea("Cells: COLUMN=CELL, a line each").classes("search").props("outlined dense autogrow")
        self.frames = ui.textarea("Frames of a verb: V.NP; subj: human; obj: +edible, a line each")
        self.frames.classes("search").props("outlined dense autogrow")
        self.sense = ui.checkbox("Another sense of a word that is there")
        with ui.row().classes("buttons"):
            ui.button("Look", on_click=lambda: self._show(new_words.look)).props("no-caps outline")
            ui.button("Add", on_click=lambda: self._show(new_words.add)).props("no-caps outline")
        self.result = ui.element("div").props("role=status aria-live=polite")
        self.working = False

    async def _show(self, view: Callable[..., WordView]) -> None:
        if self.working:
            return
        self.working = True
        try:
            self.result.clear()
            with self.result:
                waiting = ui.label("working ...").classes("count")
                async with told():
                    _word(await self.studio.desk.ask(view, self._asked()))
                waiting.delete()
        finally:
            self.working = False

    def _asked(self) -> AskedWord:
        return AskedWord(
            self.lemma.value or "",
            self.word_class.value or "",
            self.like.value or "",
            self.cells.value or "",
            self.frames.value or "",
            bool(self.sense.value),
        )


def _word(word: WordView) -> None:
    for path in word.written:
        ui.label(f"written: {path}").classes("count")
    if word.wanting:
        show(Markup("<h2>What it still wants</h2>") + table(("column", "what it says"), word.wanting, "Wanting"))
    show(Markup("<h2>Its rows</h2>") + table(("table", "cells"), word.rows, "Rows"))
    if word.fits:
        show(Markup("<h2>What it goes with</h2><pre>{}</pre>").format("\n".join(word.fits)))
    if word.homographs:
        show(Markup("<h2>What else its forms are</h2><pre>{}</pre>").format("\n".join(word.homographs)))
    if not word.wanting:
        lines = Markup("").join(Markup("<p>{}</p>").format(text) for text in word.sentences)
        show(Markup("<h2>Sentences</h2>") + (lines or Markup("<p>The shipped paradigms do not draw it.</p>")))
