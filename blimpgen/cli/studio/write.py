"""The pages to write a paradigm: one to begin, and the editor, beside which everything shows what the text makes."""

from __future__ import annotations

import difflib
import json
from collections.abc import Sequence
from dataclasses import replace
from urllib.parse import urlencode

from markupsafe import Markup
from nicegui import app as pages
from nicegui import background_tasks, ui
from nicegui.awaitable_response import AwaitableResponse

from blimpgen.authoring.new_paradigm import NAME
from blimpgen.base.errors import BlimpgenError
from blimpgen.cli.studio.desk import PATIENCE
from blimpgen.cli.studio.frame import Studio, connected, drawn, framed, linked, pair_lines, show, slot_table, told
from blimpgen.cli.studio.views import drafts, paradigms
from blimpgen.cli.studio.views.drafts import Draft, Finding, Opened
from blimpgen.cli.studio.views.paradigms import ParadigmView

__all__ = ["add_pages"]

_MOST_ROWS = 20_000
"""Rows of a set that is downloaded; larger ones are for the command line."""
_FILE = "yaml"
"""In the place of a format: the file of the paradigm."""
_COMPLETIONS = "/completions"
"""Where the popup of the editor asks."""
_STAYS = 600.0
"""Seconds for which an editor whose connection is lost goes on where it was; after that its page is loaded again."""
_KINDS = {"+": Markup("<ins>{}</ins>"), "-": Markup("<del>{}</del>"), "@": Markup("<small>{}</small>")}
"""First character of a line of a difference to how it is shown."""

# What the element of the editor has no method for: a name, what its popup offers, to keep its text in the tab until it
# is saved, to take the place of all text. That change says what it is, so that the editor undoes it alone.
_NAME = "view => {{ view.contentDOM.ariaLabel = {0}; view.scrollDOM.tabIndex = 0; }}"
_ASK = (
    "async ({{ state, pos, explicit }}) => {{ const before = state.sliceDoc(state.doc.lineAt(pos).from, pos); "
    "if (!explicit && !/[\\w.+=-]$/.test(before)) return null; "
    "const answer = await fetch('{0}?' + new URLSearchParams({{ before }})); "
    "const {{ typed, options }} = await answer.json(); "
    "return {{ from: pos - typed, options, filter: false }}; }}"
)
_OFFER = (
    "view => import('nicegui-codemirror').then(({{ StateEffect, EditorState }}) => {{ "
    f"const offers = [{{{{ autocomplete: {_ASK} }}}}]; "
    "view.dispatch({{ effects: StateEffect.appendConfig.of(EditorState.languageData.of(() => offers)) }}); }})"
)
_KEPT = "view => {{ view.kept = true; return sessionStorage.getItem(location.pathname); }}"
_KEEP = "view => view.kept && sessionStorage.setItem(location.pathname, view.state.doc.toString())"
_FORGET = "view => view.state.doc.toString() === {0} && sessionStorage.removeItem(location.pathname)"
_REPLACE = (
    "view => view.dispatch({{ changes: {{ from: 0, to: view.state.doc.length, insert: {0} }}, userEvent: 'restore' }})"
)


def add_pages(studio: Studio) -> None:
    """Add the page to begin a paradigm, and the editor."""

    @ui.page("/write", response_timeout=PATIENCE)
    async def begin(like: str = "transitive") -> None:
        with framed(studio, "Write a paradigm"):
            async with told():
                entries = await studio.desk.ask(paradigms.catalogue)
                _begin([entry.uid for entry in entries], like, [entry.uid for entry in entries if entry.own])

    @pages.get(_COMPLETIONS)
    async def offered(before: str) -> dict[str, object]:
        try:
            typed, every = await studio.desk.ask(drafts.completions, before)
        except BlimpgenError:  # nothing is offered; what is wrong is told beside the editor
            typed, every = "", []
        options = [
            {"label": text, "displayLabel": text.strip(), "detail": kind, "info": info} for text, kind, info in every
        ]
        return {"typed": len(typed), "options": options}

    @ui.page("/write/{uid}", response_timeout=PATIENCE, reconnect_timeout=_STAYS)
    async def write(uid: str, like: str = "") -> None:
        with framed(studio, uid):
            async with told(back=linked("Begin another", "write")):
                _Editor(studio, await studio.desk.ask(drafts.begin, uid, like))


def _name_fault(name: str) -> str | None:
    """What is wrong with a name, if something is."""
    return None if not name or NAME.fullmatch(name) else "letters, digits and underscores, a letter first"


def _begin(uids: Sequence[str], like: str, own: Sequence[str]) -> None:
    def go() -> None:
        if name.value and name.validate():
            ui.navigate.to(f"/write/{name.value}?{urlencode({'like': original.value})}")

    show(Markup("<p>Begin with a paradigm that is like yours, and change it line by line.</p>"))
    name = ui.input("The name of yours", validation=_name_fault).classes("search")
    name.props("outlined dense autofocus").on("keydown.enter", go)
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
                    keymap={"Mod-s": self._save},
                )
                self.editor.classes("editor").on("update:value", js_handler=f"() => {self._call(_KEEP)}")
                self.findings = ui.element("div").props("role=status aria-live=polite")
                self._buttons()
                with ui.expansion("What you changed").props("dense"):
                    self.difference = ui.html("")
            with ui.element("section").props('aria-label="What it makes"').classes("live"):
                self.pace = ui.label("working ...").classes("count")
                self.result = ui.element("div")
                self._words()
        self._compare()
        background_tasks.create(self._begin())
        background_tasks.create(self._work())

    async def _begin(self) -> None:
        """Give the editor its name, what it offers, and the text that this tab had not saved when it left the page."""
        if not await connected(self.editor.client):
            return
        self._run(_NAME, '"The text of the paradigm"')
        self._run(_OFFER, _COMPLETIONS)
        kept = await self._run(_KEPT)
        if kept not in (None, self.opened.text):
            self._run(_REPLACE, json.dumps(kept))
            with self.editor.client:
                ui.notify("What you had not saved is here again.")

    def _call(self, code: str, *values: object) -> str:
        """A line that is run in the browser on the view of the editor."""
        return f"getElement({self.editor.id}).editorPromise.then({code.format(*values)})"

    def _run(self, code: str, *values: object) -> AwaitableResponse:
        return self.editor.client.run_javascript(self._call(code, *values), timeout=PATIENCE)

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
        self.refused = ui.element("div")

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
        self.refused.clear()
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
        self.refused.clear()  # a place of its own: what the check finds comes when it comes, and takes that of the last
        with self.refused:
            async with told():
                self.opened = await self.studio.desk.ask(drafts.save, self.opened)
                self.state.text = "saved" if self.opened.text == self.editor.value else "changed, not saved"
                self._compare()
                self._run(_FORGET, json.dumps(self.opened.saved))
                return True
        return False

    async def _download(self) -> None:
        """Hand the text to the browser; or save it, make its set, and hand that over."""
        if self.format.value == _FILE:
            ui.download.content(self.opened.text, f"{self.opened.uid}.yaml")
            return
        if self.opened.text != self.opened.saved and not await self._save():
            return
        self.refused.clear()
        with self.refused:
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
