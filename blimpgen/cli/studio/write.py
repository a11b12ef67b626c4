"""The pages to write a paradigm: one to begin, and the editor, beside which everything shows what the text makes."""

from __future__ import annotations

import difflib
import json
from collections.abc import Sequence
from dataclasses import replace
from urllib.parse import urlencode

from markupsafe import Markup
from nicegui import background_tasks, ui
from nicegui.awaitable_response import AwaitableResponse

from blimpgen.base.errors import BlimpgenError
from blimpgen.cli.studio.desk import PATIENCE
from blimpgen.cli.studio.frame import Studio, drawn, framed, linked, pair_lines, show, slot_table, told
from blimpgen.cli.studio.views import drafts, paradigms
from blimpgen.cli.studio.views.drafts import Draft, Finding, Opened
from blimpgen.cli.studio.views.paradigms import ParadigmView

__all__ = ["add_pages"]

_MOST_ROWS = 20_000
"""Rows of a set that is downloaded; larger ones are for the command line."""
_FILE = "yaml"
"""In the place of a format: the file of the paradigm."""
_KINDS = {"+": Markup("<ins>{}</ins>"), "-": Markup("<del>{}</del>"), "@": Markup("<small>{}</small>")}
"""First character of a line of a difference to how it is shown."""

# What the element of the editor has no method for: where the cursor is, to insert there, to take the place of all text,
# to be named. Each change says what it is, so that the editor undoes it alone, however quick what came before it was.
_BEFORE = (
    "({{ state }}) => {{ const at = state.selection.main.head; return state.sliceDoc(state.doc.lineAt(at).from, at); }}"
)
_INSERT = (
    "view => {{ const to = view.state.selection.main.head, from = to - {0}.length, insert = {1}; "
    "const change = {{ changes: {{ from, to, insert }}, selection: {{ anchor: from + insert.length }} }}; "
    "change.userEvent = 'input.complete'; "
    "if (view.state.sliceDoc(from, to) === {0}) view.dispatch(change); view.focus(); }}"
)
_REPLACE = (
    "view => view.dispatch({{ changes: {{ from: 0, to: view.state.doc.length, insert: {0} }}, userEvent: 'restore' }})"
)
_NAME = "view => {{ view.contentDOM.ariaLabel = {0}; view.scrollDOM.tabIndex = 0; }}"


def add_pages(studio: Studio) -> None:
    """Add the page to begin a paradigm, and the editor."""

    @ui.page("/write", response_timeout=PATIENCE)
    async def begin(like: str = "transitive") -> None:
        with framed(studio, "Write a paradigm"):
            async with told():
                entries = await studio.desk.ask(paradigms.catalogue)
                _begin([entry.uid for entry in entries], like, [entry.uid for entry in entries if entry.own])

    @ui.page("/write/{uid}", response_timeout=PATIENCE)
    async def write(uid: str, like: str = "") -> None:
        with framed(studio, uid):
            async with told():
                _Editor(studio, await studio.desk.ask(drafts.begin, uid, like))


def _begin(uids: Sequence[str], like: str, own: Sequence[str]) -> None:
    def go() -> None:
        if name.value:
            ui.navigate.to(f"/write/{name.value}?{urlencode({'like': original.value})}")

    show(Markup("<p>Begin with a paradigm that is like yours, and change it line by line.</p>"))
    name = ui.input("The name of yours").classes("search").props("outlined dense autofocus").on("keydown.enter", go)
    original = ui.select(list(uids), label="Like", value=like if like in uids else uids[0], with_input=True)
    original.classes("search").props("outlined dense")
    ui.button("Begin", on_click=go).props("no-caps outline")
    if own:
        links = Markup(", ").join(linked(uid, "write", uid) for uid in own)
        show(Markup("<h2>Yours</h2><p>{}</p>").format(links))


class _Editor:
    """The text, and what it makes: each change is worked on after the last one that was, and typing never waits.

    Args:
        studio: what all pages share.
        opened: the text.
    """

    def __init__(self, studio: Studio, opened: Opened) -> None:
        self.studio, self.opened, self.begun = studio, opened, opened.text
        self.working = False
        with ui.element("div").classes("desk"):
            with ui.element("section").props('aria-label="The file"'):
                self.editor = ui.codemirror(
                    opened.text,
                    language="YAML",
                    theme="githubLight",
                    on_change=self._changed,
                    line_wrapping=True,
                    keymap={"Mod-.": self._complete, "Mod-s": self._save},
                )
                self.editor.classes("editor")
                self.insertion = ui.select([], label="Insert (Ctrl and .)", with_input=True, on_change=self._insert)
                self.insertion.props("dense outlined").classes("search").on("focus", self._offer)
                self.findings = ui.element("div").props("role=status aria-live=polite")
                self._buttons()
                with ui.expansion("What you changed").props("dense"):
                    self.difference = ui.html("")
            with ui.element("section").props('aria-label="What it makes"').classes("live"):
                self.pace = ui.label("working ...").classes("count")
                self.result = ui.element("div")
                self._words()
        self.typed = ""
        self._compare()
        background_tasks.create(self._named())
        background_tasks.create(self._work())

    async def _named(self) -> None:
        """Give the editor a name that screen readers say; its element has no property for it."""
        await self.editor.client.connected(PATIENCE)
        self._run(_NAME, '"The text of the paradigm"')

    def _run(self, code: str, *values: object) -> AwaitableResponse:
        """Run a line in the browser on the view of the editor."""
        function = code.format(*values)
        code = f"getElement({self.editor.id}).editorPromise.then({function})"
        return self.editor.client.run_javascript(code, timeout=PATIENCE)

    async def _offer(self) -> None:
        """Offer what can be inserted at the cursor."""
        before = await self._run(_BEFORE)
        self.typed, offered = await self.studio.desk.ask(drafts.completions, str(before))
        texts = {text: f"{text.strip()} – {meaning or kind}" for text, kind, meaning in offered}
        self.insertion.set_options(texts, value=None)

    async def _complete(self) -> None:
        """Complete what stands before the cursor, or offer what it can become."""
        await self._offer()
        if len(self.insertion.options) == 1:
            self.insertion.value = next(iter(self.insertion.options))
        else:
            self.insertion.run_method("focus")
            self.insertion.run_method("showPopup")

    def _insert(self) -> None:
        if text := self.insertion.value:
            self.insertion.value = None
            self._run(_INSERT, json.dumps(self.typed), json.dumps(text))

    def _compare(self) -> None:
        lines = difflib.unified_diff(self._saved.splitlines(), self.opened.text.splitlines(), lineterm="", n=1)
        shown = (line for line in lines if not line.startswith(("---", "+++")))
        marked = Markup("\n").join(_KINDS.get(line[:1], Markup("{}")).format(line) for line in shown)
        self.difference.content = str(Markup("<pre>{}</pre>").format(marked or "nothing"))

    def _restore(self) -> None:
        """Go back to the text that is saved; the editor can undo it."""
        self._run(_REPLACE, json.dumps(self._saved))

    @property
    def _saved(self) -> str:
        """What is saved; before the first time what was begun with."""
        return self.begun if self.opened.saved is None else self.opened.saved

    def _buttons(self) -> None:
        with ui.row().classes("buttons"):
            ui.button("Save", on_click=self._save).props("no-caps outline")
            ui.button("Undo all", on_click=self._restore).props("no-caps outline")
            self.state = ui.label("not saved yet" if self.opened.saved is None else "saved").classes("count")
        with ui.row().classes("buttons"):
            self.rows = ui.number("Rows", value=1000, min=1, max=_MOST_ROWS, precision=0).props("dense outlined")
            self.seed = ui.number("Seed", value=0, precision=0).props("dense outlined")
            formats = {"": "set (JSON Lines)", _FILE: "the file alone", **{name: name for name in self.studio.formats}}
            self.format = ui.select(formats, value="", label="Format").props("dense outlined").classes("format")
            ui.button("Download", on_click=self._download).props("no-caps outline")

    def _words(self) -> None:
        with ui.row().classes("buttons"):
            self.slot = ui.select([], label="Words of the slot", on_change=self._candidates)
            self.slot.props("dense outlined").classes("format")
            self.word = ui.input("Why this word?").props("dense outlined").on("keydown.enter", self._typed)
        self.candidates = ui.element("div").classes("candidates")
        self.verdict = ui.element("div").props("role=status aria-live=polite")

    def _changed(self) -> None:
        self.opened = replace(self.opened, text=self.editor.value or "")
        self.state.text = "saved" if self.opened.text == self.opened.saved else "changed, not saved"
        self._compare()
        background_tasks.create(self._work())

    async def _work(self) -> None:
        """Show what the text makes, until it is what stands there; a later change is waited for by the first."""
        if self.working:
            return
        self.working = True
        try:
            shown = None
            while shown != self.opened.text:
                opened = self.opened
                draft = await self.studio.desk.ask(drafts.draft, opened, int(self.seed.value or 0))
                if self.editor.is_deleted:  # the page was left
                    return
                self._show(draft)
                shown = opened.text
                findings = None
                while findings is None and shown == self.opened.text:
                    findings = await self.studio.desk.ask(drafts.check, opened)
                if findings is not None and not self.editor.is_deleted:
                    self._mark(findings)
        except BlimpgenError as error:
            self._mark((Finding(0, str(error)),))
        finally:
            self.working = False

    def _show(self, draft: Draft) -> None:
        """Show what a text makes; of one that makes nothing, what the last one made, and what is wrong."""
        self.pace.text = f"shown after {draft.seconds:.2f} s"
        if draft.view is None:
            self._mark(draft.findings)
            self.result.classes(add="stale")
            return
        self.result.classes(remove="stale")
        self.result.clear()
        with self.result:
            _result(draft.view)
        slots = [name for name, candidates, _ in draft.view.slots if candidates]
        if slots != self.slot.options:
            self.slot.set_options(slots, value=self.slot.value if self.slot.value in slots else None)

    def _mark(self, findings: Sequence[Finding]) -> None:
        """Mark the lines in which something is wrong, and list it."""
        lines = sorted({finding.line for finding in findings if finding.line})
        # Not as properties of the editor: these are sent with its text, which would undo what is being typed.
        self.editor.run_method("setDecorations", [{"kind": "line", "line": line, "class": "wrong"} for line in lines])
        self.editor.run_method("setLineTooltips", {f.line: f.message for f in findings if f.line})
        self.findings.clear()
        with self.findings:
            ui.label(f"{len(findings)} problem{'' if len(findings) == 1 else 's'}").classes("count")
            for finding in findings:
                text = f"line {finding.line}: {finding.message}" if finding.line else finding.message
                label = ui.label(text).classes("problem")
                if finding.line:
                    label.on("click", lambda line=finding.line: self.editor.reveal_line(line))

    async def _candidates(self) -> None:
        self.candidates.clear()
        with self.candidates:
            async with told():
                if self.slot.value:
                    for word in await self.studio.desk.ask(drafts.candidates, self.opened, self.slot.value):
                        ui.button(word, on_click=lambda word=word: self._why(word)).props("flat dense no-caps")

    async def _typed(self) -> None:
        await self._why((self.word.value or "").strip())

    async def _why(self, word: str) -> None:
        self.verdict.clear()
        with self.verdict:
            async with told():
                if word and self.slot.value:
                    lines = await self.studio.desk.ask(drafts.why, self.opened, self.slot.value, word)
                    show(Markup("<pre>{}</pre>").format("\n".join(lines)))

    async def _save(self) -> bool:
        with self.findings:
            async with told():
                self.opened = await self.studio.desk.ask(drafts.save, self.opened)
                self.state.text = "saved" if self.opened.text == self.editor.value else "changed, not saved"
                self._compare()
                return True
        return False

    async def _download(self) -> None:
        """Hand the text to the browser; or save it, make its set, and hand that over."""
        if self.format.value == _FILE:
            ui.download.content(self.opened.text, f"{self.opened.uid}.yaml")
            return
        if self.opened.text != self.opened.saved and not await self._save():
            return
        with self.findings:
            async with told():
                rows, seed = min(int(self.rows.value or 1), _MOST_ROWS), int(self.seed.value or 0)
                uid, kind = self.opened.uid, self.format.value
                packed = await self.studio.desk.ask(drafts.pack, uid, rows, seed, kind)
                ui.download.content(packed, f"{uid}{f'-{kind}' if kind else ''}.zip")


def _result(view: ParadigmView) -> None:
    if view.fault:
        ui.label(f"The labels do not hold: {view.fault}").classes("problem").props("role=alert")
    else:
        said = f"by declaration: {view.derivable}" if view.derivable else "the grammar derives no bad sentence"
        ui.label(f"The labels hold: {said}").classes("good")
    cells = f" in {len(view.cells)} cells" if len(view.cells) > 1 else ""
    show(Markup("<p>{} assignments{}</p>").format(view.capacity, cells))
    show(pair_lines(view.pairs))
    show(slot_table(view.slots))
    show(Markup("<details><summary>Trees of the first pair</summary>{}</details>").format(drawn(view.trees)))
