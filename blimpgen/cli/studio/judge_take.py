"""The page of a participant: consent, practice, one choice a screen, and thanks.

What is shown follows from the file of the study alone, so that whoever closes the browser, or opens the link elsewhere,
goes on where they were.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable

from markupsafe import Markup
from nicegui import events, ui

from blimpgen.base.errors import UsageError
from blimpgen.cli.studio.desk import PATIENCE
from blimpgen.cli.studio.frame import Studio, plain, show, told
from blimpgen.cli.studio.guard import TAKE
from blimpgen.exports.judgement_lists import QUESTION, Trial
from blimpgen.exports.study import Study

__all__ = ["add_pages"]

_KEYS = {
    **dict.fromkeys(("f", "1", "arrowleft", "arrowup"), 1),
    **dict.fromkeys(("j", "2", "arrowright", "arrowdown"), 2),
}
"""The keys of the first and of the second sentence."""
_HINT = "Press F or 1 for the first sentence, J or 2 for the second, or use the arrow keys."


def add_pages(studio: Studio) -> None:
    """Add the page of a participant."""

    @ui.page(f"{TAKE}/{{name}}/{{token}}", response_timeout=PATIENCE)
    async def take(name: str, token: str) -> None:
        with plain("Sentences"):
            async with told():
                study = studio.studies.study(name)
                number = study.number(token)
                if number is None:
                    raise UsageError("this link belongs to no participant; use the link that you were sent")
                await _Session(study, number).go_on()


class _Session:
    """What a participant sees, screen by screen.

    Args:
        study: the study.
        number: the participant.
    """

    def __init__(self, study: Study, number: int) -> None:
        self.study, self.number = study, number
        ui.page_title(study.settings.title)
        show(Markup("<h1>{}</h1>").format(study.settings.title))
        self.bar = ui.linear_progress(0, show_value=False, size="8px").props('aria-label="Progress"')
        self.place = ui.label().classes("count").props("role=status")
        self.screen = ui.element("div").props("aria-live=polite").classes("screen")

    async def go_on(self) -> None:
        """Show what comes next."""
        settings = self.study.settings
        participant = self.study.participant(self.number)
        trial = self.study.next_trial(self.number)
        self.bar.value = participant.answers / participant.trials
        self.place.text = ""
        self.screen.clear()
        with self.screen:
            if trial is None:
                show(Markup("<p class='lead'>Thank you! All your answers are stored. You may close this page.</p>"))
            elif self.study.is_closed:
                show(Markup("<p class='lead'>This study is closed; it takes no more answers. Thank you!</p>"))
            elif not participant.consented:
                self._consent()
            elif participant.practised < len(settings.practice):
                self.place.text = f"Practice {participant.practised + 1} of {len(settings.practice)}"
                self._practice(*settings.practice[participant.practised], participant.practised)
            else:
                self.place.text = f"{trial.item} of {participant.trials}"
                self._trial(trial)

    def _consent(self) -> None:
        settings = self.study.settings

        async def agree() -> None:
            with self.screen:
                async with told():
                    if native.value is None:
                        raise UsageError("please say whether it is your native language")
                    self.study.consent(self.number, native=native.value == "Yes")
                    await self.go_on()

        paragraphs = (*settings.consent.split("\n"), settings.instruction)
        show(Markup("").join(Markup("<p>{}</p>").format(text) for text in paragraphs if text.strip()))
        question = f"Is {settings.language} your native language?"
        show(Markup("<p>{}</p>").format(question))
        native = ui.radio(["Yes", "No"]).props("inline")
        native.props["aria-label"] = question
        ui.button("I agree to take part", on_click=agree).props("no-caps outline").classes("go")

    def _practice(self, good: str, bad: str, place: int) -> None:
        good_position = (place + self.study.settings.seed) % 2 + 1

        async def choose(position: int) -> None:
            self.study.practise(self.number)
            self.screen.clear()
            with self.screen:
                if position == good_position:
                    show(Markup("<p class='good lead'>Yes, most people choose this sentence:</p>"))
                else:
                    show(Markup("<p class='problem lead'>Most people choose the other sentence:</p>"))
                show(Markup("<p class='lead'>{}</p>").format(good))
                _go_on("Next", self.go_on)

        _choice((good, bad) if good_position == 1 else (bad, good), choose)

    def _trial(self, trial: Trial) -> None:
        shown = time.monotonic()

        async def choose(position: int) -> None:
            with self.screen:
                async with told():
                    self.study.answer(trial, position, time.monotonic() - shown)
                    await self.go_on()

        _choice(trial.sentences, choose)


def _choice(sentences: tuple[str, str], choose: Callable[[int], Awaitable[None]]) -> None:
    """Two sentences to choose from, with the mouse, a finger or a key.

    The elements are those of this choice alone: a second click or key that comes before the next choice is shown has
    nothing to answer.
    """

    async def press(event: events.KeyEventArguments) -> None:
        position = _KEYS.get(str(event.key.name).lower())
        held = event.modifiers.alt or event.modifiers.ctrl or event.modifiers.meta
        if position and event.action.keydown and not held:
            await choose(position)

    show(Markup("<p>{}</p>").format(QUESTION))
    for position, sentence in enumerate(sentences, start=1):
        button = ui.button(on_click=lambda position=position: choose(position)).props("no-caps outline")
        with button.classes("choice"):
            ui.label(str(position)).classes("key").props("aria-hidden=true")
            ui.label(sentence)
    show(Markup("<p class='count hint'>{}</p>").format(_HINT))
    ui.keyboard(press, repeating=False, ignore=[])


def _go_on(text: str, go_on: Callable[[], Awaitable[None]]) -> None:
    """A button that goes on, as Enter does."""

    async def press(event: events.KeyEventArguments) -> None:
        if event.key.enter and event.action.keydown:
            await go_on()

    ui.button(text, on_click=go_on).props("no-caps outline").classes("go")
    ui.keyboard(press, repeating=False, ignore=[])
