"""What all pages have: the frame around them, and the pieces that they are made of."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from markupsafe import Markup
from nicegui import Client, ui

from blimpgen.base.errors import BlimpgenError
from blimpgen.cli.studio.desk import PATIENCE, Desk
from blimpgen.cli.studio.scoring import Scoring
from blimpgen.cli.studio.views.paradigms import MARKS, Drawn, Pair
from blimpgen.cli.studio.views.workspace import Folders
from blimpgen.exports.study import Studies

__all__ = [
    "Studio",
    "connected",
    "drawn",
    "framed",
    "linked",
    "no_set",
    "pair_lines",
    "plain",
    "show",
    "slot_table",
    "starred",
    "table",
    "told",
]

_STYLE = Path(__file__).with_name("style.css")
_PAGES = {
    "/": "Browse",
    "/words": "Words",
    "/parse": "Parse",
    "/write": "Write",
    "/results": "Results",
    "/judge": "Judge",
}


@dataclass
class Studio:
    """What all pages share.

    Attributes:
        folders: those of the user.
        desk: does the work.
        figures: does the work on results, whose libraries take memory; ended when nobody looks at them.
        scoring: what `verify` is doing.
        studies: those that people take part in.
        address: of the studio, to which links lead.
        formats: in which sets can be exported.
        dark: whether pages are dark; None as the browser says.
    """

    folders: Folders
    desk: Desk
    figures: Desk
    scoring: Scoring
    studies: Studies
    address: str = ""
    formats: tuple[str, ...] = ()
    dark: bool | None = None

    def close(self) -> None:
        """End all processes."""
        self.scoring.stop()
        for desk in (self.desk, self.figures):
            desk.close()


@contextmanager
def framed(studio: Studio, title: str) -> Iterator[None]:
    """Put a page into its frame.

    Args:
        studio: what all pages share.
        title: the heading.
    """
    ui.page_title(f"{title} - blimpgen studio")
    ui.add_css(_STYLE)
    dark = ui.dark_mode(studio.dark)

    def turn() -> None:
        studio.dark = dark.value = {None: True, True: False, False: None}[studio.dark]
        button.text = _shade(studio)

    with ui.header(), ui.element("nav").props('aria-label="Pages"'):
        ui.label("blimpgen studio").classes("name")
        for address, name in _PAGES.items():
            ui.link(name, address)
        button = ui.button(_shade(studio), on_click=turn).props("flat dense no-caps").classes("shade")
    with ui.element("div").classes("sheet"):
        show(Markup("<h1>{}</h1>").format(title))
        yield


@contextmanager
def plain(title: str) -> Iterator[None]:
    """Put a page into a frame that leads nowhere else: a participant's.

    Args:
        title: the title of the page.
    """
    ui.page_title(title)
    ui.add_css(_STYLE)
    ui.dark_mode(None)
    with ui.element("div").classes("sheet taking"):
        yield


def _shade(studio: Studio) -> str:
    return {None: "Colours: as the system", True: "Colours: dark", False: "Colours: light"}[studio.dark]


@asynccontextmanager
async def told(back: Markup | None = None) -> AsyncIterator[None]:
    """Show a user's mistake on the page, in the place of what it keeps from being shown.

    Args:
        back: a link to where it can be mended.
    """
    try:
        yield
    except BlimpgenError as error:
        ui.label(str(error)).classes("problem").props("role=alert")
        if back:
            show(Markup("<p>{}</p>").format(back))


async def connected(client: Client) -> bool:
    """Wait for the browser of a page; whether one came, and not a preview of the link, say, that takes HTML alone."""
    try:
        await client.connected(PATIENCE)
    except TimeoutError:
        return False
    return True


def no_set(folders: Folders, purpose: str) -> Markup:
    """What is said where there is no data set, with the cure.

    Args:
        folders: those of the user.
        purpose: what it would be for: ``to score``.
    """
    cure = "start the studio with <code>--sets DIR</code>."
    if folders.sets:
        cure = Markup(
            "unpack a set that you downloaded into <code>{0}</code>, or type "
            "<code>blimpgen generate UID -o {0}/NAME</code>, and load this page again."
        ).format(folders.sets)
    return Markup("<p>There is no data set {}: {}</p>").format(purpose, Markup(cure))


def show(markup: Markup) -> ui.html:
    """Put escaped HTML onto the page."""
    return ui.html(str(markup))


def linked(text: str, *address: str, query: str = "") -> Markup:
    """A link to a page of the studio.

    Args:
        text: what is clicked on.
        address: the parts of its path.
        query: what stands after the question mark.
    """
    path = "/" + "/".join(quote(part, safe="") for part in address)
    return Markup('<a href="{}">{}</a>').format(path + (f"?{query}" if query else ""), text)


def pair_lines(pairs: Iterable[Pair]) -> Markup:
    """Pairs, the bad sentence starred, with the words marked in which they differ."""
    return Markup("").join(starred(pair) for pair in pairs)


def starred(pair: Pair) -> Markup:
    """A pair, the bad sentence starred."""
    line = '<div class="pair"><small>{}</small><span>{}</span><span class="star">*</span><span>{}</span></div>'
    return Markup(line).format(pair.label, _marked(pair.good), _marked(pair.bad))


def _marked(sentence: str) -> Markup:
    """A sentence with its marks as elements."""
    return Markup(str(Markup.escape(sentence)).replace(MARKS[0], "<mark>").replace(MARKS[1], "</mark>"))


def table(header: Sequence[str], rows: Iterable[Sequence[object]], caption: str) -> Markup:
    """A table; what is no `Markup` is escaped.

    Args:
        header: the names of the columns.
        rows: the cells.
        caption: what a screen reader says of it.
    """
    head = Markup("").join(Markup('<th scope="col">{}</th>').format(name) for name in header)
    body = Markup("").join(
        Markup("<tr>{}</tr>").format(Markup("").join(Markup("<td>{}</td>").format(cell) for cell in row))
        for row in rows
    )
    whole = '<div class="scroll" tabindex="0" role="region" aria-label="{0}"><table aria-label="{0}">'
    return Markup(whole + "<thead><tr>{1}</tr></thead><tbody>{2}</tbody></table></div>").format(caption, head, body)


def slot_table(slots: Iterable[Sequence[object]]) -> Markup:
    """The slots of a paradigm as a table."""
    return table(("slot", "candidates", "what it asks"), slots, "Slots")


def drawn(trees: Iterable[Drawn]) -> Markup:
    """Trees as drawings, each with its brackets to be copied."""
    figure = (
        '<figure><figcaption>{}</figcaption><div class="scroll" tabindex="0" role="region" aria-label="{}">{}</div>'
        "<details><summary>in brackets</summary><code>{}</code></details></figure>"
    )
    return Markup("").join(
        Markup(figure).format(tree.name, f"Tree: {tree.name}", Markup(tree.svg), tree.brackets) for tree in trees
    )
