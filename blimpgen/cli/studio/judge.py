"""The owner's pages of forced-choice studies: all studies, a new one, and how one of them goes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from markupsafe import Markup
from nicegui import run, ui

from blimpgen.base.errors import UsageError
from blimpgen.cli.studio.desk import PATIENCE
from blimpgen.cli.studio.frame import Studio, framed, linked, no_set, show, table, told
from blimpgen.cli.studio.guard import TAKE
from blimpgen.cli.studio.views import studies as views
from blimpgen.exports.judgement_lists import CALIBRATOR
from blimpgen.exports.study import Design, Participant, Study
from blimpgen.exports.tabular import csv_text

if TYPE_CHECKING:
    from blimpgen.analysis.intervals import Interval
    from blimpgen.analysis.judgements import Answer, Judgements

__all__ = ["add_pages"]

_PACE = 2.0
"""Seconds between two looks at what has come in."""
_CONSENT = (
    "Taking part is voluntary, and you may stop at any time by closing this page. Your answers and the time that "
    "they take are stored under a number, without your name. By going on you agree to this."
)
_PRACTICE = "The cats are asleep. | The cats is asleep.\nWhere does Maria live? | Where do Maria live?"


def add_pages(studio: Studio) -> None:
    """Add the list of studies with the form of a new one, and the page of each."""

    @ui.page("/judge", response_timeout=PATIENCE)
    async def studies() -> None:
        with framed(studio, "Judge"):
            show(Markup("<p>Let people choose between the sentences of each pair, and see whether they agree.</p>"))
            async with told():
                show(_studies(studio))
                _Form(studio, await studio.desk.ask(views.judgeable))

    @ui.page("/judge/{name}", response_timeout=PATIENCE)
    async def study(name: str) -> None:
        with framed(studio, name):
            async with told():
                await _Progress(studio, studio.studies.study(name)).look()


def _studies(studio: Studio) -> Markup:
    """All studies as a table."""
    rows = []
    for name in studio.studies.names():
        study = studio.studies.study(name)
        participants = study.participants()
        rows.append(
            (
                linked(name, "judge", name),
                study.settings.title,
                f"{sum(p.answers == p.trials for p in participants)} of {len(participants)}",
                f"{sum(p.answers for p in participants):,}",
                "closed" if study.is_closed else "open",
            )
        )
    if not rows:
        return Markup("")
    return Markup("<h2>Studies</h2>") + table(("study", "title", "done", "answers", "state"), rows, "Studies")


class _Form:
    """The form of a new study.

    Args:
        studio: what all pages share.
        sets: the names of the data sets.
    """

    def __init__(self, studio: Studio, sets: Sequence[str]) -> None:
        self.studio = studio
        show(Markup("<h2>A new study</h2>"))
        if not sets:
            show(no_set(studio.folders, "to judge"))
            return
        with ui.element("div").classes("form"):
            self._what(sets)
            self._how_many()
            self._texts()
            ui.button("Make the study", on_click=self._make).props("no-caps outline")
        self.result = ui.element("div").props("aria-live=polite")

    def _what(self, sets: Sequence[str]) -> None:
        self.name = ui.input("Name: letters, digits, _ and -").classes("search").props("outlined dense")
        self.title = ui.input("Title, which participants read", value="Sentences").classes("search")
        self.set = ui.select(list(sets), label="Set", value=sets[0]).classes("search")
        choices = {"": "none", **{name: name for name in sets}}
        self.certain = ui.select(choices, label="Set of the calibrators", value="").classes("search")
        for field in (self.title, self.set, self.certain):
            field.props("outlined dense")

    def _how_many(self) -> None:
        with ui.row().classes("buttons numbers"):
            self.pairs, self.list_size, self.participants, self.calibrators, self.seed = (
                ui.number(label, value=value, precision=0, min=least).props("dense outlined")
                for label, value, least in (
                    ("Pairs of each paradigm", 5, 1),
                    ("Pairs a participant", 40, 1),
                    ("Participants", 20, 1),
                    ("Calibrators a participant", 0, 0),
                    ("Seed", 0, None),
                )
            )
        show(
            Markup(
                "<p class='count'>Every pair is seen in either order, by about as many people as every other. One "
                "attention check is added for every ten pairs. Calibrators are pairs of which the answer is certain; "
                "everyone sees the same.</p>"
            )
        )

    def _texts(self) -> None:
        self.consent = ui.textarea("What participants agree to", value=_CONSENT).classes("search")
        self.practice = ui.textarea("Practice: good sentence | bad sentence", value=_PRACTICE).classes("search")
        for field in (self.consent, self.practice):
            field.props("outlined dense autogrow")

    async def _make(self) -> None:
        self.result.clear()
        with self.result:
            async with told():
                name = (self.name.value or "").strip()
                numbers = ("pairs", "list_size", "participants", "calibrators", "seed")
                design = Design.checked(
                    title=self.title.value,
                    consent=self.consent.value,
                    practice=tuple(_pairs(self.practice.value or "")),
                    **{number: getattr(self, number).value for number in numbers},
                )
                await self.studio.desk.ask(views.make, name, design, self.set.value, self.certain.value)
                ui.navigate.to(f"/judge/{name}")


def _pairs(text: str) -> Iterator[tuple[str, str]]:
    """The practice pairs, one a line."""
    for line in filter(None, map(str.strip, text.splitlines())):
        good, bar, bad = line.partition("|")
        if not (bar and good.strip() and bad.strip()):
            raise UsageError(f"practice: {line!r} is no pair; write: good sentence | bad sentence")
        yield good, bad


class _Progress:
    """How a study goes, shown anew whenever something has come in.

    Args:
        studio: what all pages share.
        study: the study.
    """

    def __init__(self, studio: Studio, study: Study) -> None:
        self.studio, self.study = studio, study
        self.shown: tuple[bool, list[Participant]] | None = None
        settings = study.settings
        show(Markup('<p class="lead">{}</p><p class="where">{}</p>').format(settings.title, settings.made_by))
        self.state = ui.label().props("role=status")
        with ui.row().classes("buttons"):
            self.close = ui.button(on_click=self._close).props("no-caps outline")
            ui.button("Download answers", on_click=self._answers).props("no-caps outline")
            ui.button("Download links", on_click=self._links).props("no-caps outline")
        self.agreement, self.progress = ui.element("div"), ui.element("div")
        ui.timer(_PACE, self.look)

    async def look(self) -> None:
        """Show what has come in since."""
        current = self.study.is_closed, self.study.participants()
        if current == self.shown:
            return
        self.shown = current
        is_closed, participants = current
        answers = self.study.answers()
        done, trials = sum(p.answers == p.trials for p in participants), sum(p.trials for p in participants)
        self.state.text = (
            f"{'Closed' if is_closed else 'Open'}: {len(answers):,} of {trials:,} answers, "
            f"{done} of {len(participants)} participants done"
        )
        self.close.text = "Open it once more" if is_closed else "Close the study"
        self.progress.clear()
        with self.progress:
            show(Markup("<h2>Participants</h2>") + self._participants(participants))
        await self._agreement(answers)

    async def _agreement(self, answers: Sequence[Answer]) -> None:
        heading = Markup("<h2>Agreement with the labels</h2>")
        with self.agreement:
            if not answers:
                self.agreement.clear()
                show(heading + Markup("<p>No answers yet.</p>"))
                return
            async with told():
                judged = await run.io_bound(_judge, answers)
                if judged is not None and not self.agreement.is_deleted:  # the studio ends; the page was left
                    self.agreement.clear()
                    show(heading + _judged(judged))

    def _participants(self, participants: Sequence[Participant]) -> Markup:
        rows = (
            (
                f"p{p.number}",
                Markup('<a class="token" href="{0}">{0}</a>').format(self._link(p)),
                {True: "yes", False: "no", None: ""}[p.native],
                f"{p.answers} of {p.trials}" if p.consented else "",
                p.failed or "",
                f"{p.right} of {p.calibrators}" if p.calibrators else "",
                p.latest[:19].replace("T", " "),
            )
            for p in participants
        )
        header = ("person", "link", "native", "answers", "checks failed", "calibrators", "last answer (UTC)")
        return table(header, rows, "Participants")

    def _link(self, participant: Participant) -> str:
        return f"{self.studio.address}{TAKE}/{self.study.name}/{participant.token}"

    async def _close(self) -> None:
        with self.agreement:
            async with told():
                self.study.close(closed=not self.study.is_closed)
                await self.look()

    def _answers(self) -> None:
        ui.download.content(self.study.table(), f"{self.study.name}.csv")

    def _links(self) -> None:
        rows = ({"participant": f"p{p.number}", "link": self._link(p)} for p in self.study.participants())
        ui.download.content(csv_text(("participant", "link"), rows), f"{self.study.name}-links.csv")


def _judge(answers: Sequence[Answer]) -> Judgements:
    """Count the answers; it loads numpy, which the studio starts without and pages are not to wait for."""
    from blimpgen.analysis.judgements import judge

    return judge(answers, leave_out=[CALIBRATOR])


def _judged(judged: Judgements) -> Markup:
    """The agreement of each paradigm and of those that hold, and which answers do not count."""
    rows: list[tuple[object, ...]] = [
        (
            linked(uid, "paradigm", uid),
            p.pairs,
            p.judgements,
            _share(p.individual, p.individual_interval),
            _share(p.majority, p.majority_interval),
            "yes" if p.retained else "no",
        )
        for uid, p in judged.paradigms.items()
    ]
    if judged.retained:
        individual = _share(judged.individual, judged.individual_interval)
        majority = _share(judged.majority, judged.majority_interval)
        rows.append((Markup(f"{len(judged.retained)} that hold"), "", "", individual, majority, ""))
    header = ("paradigm", "pairs", "answers", "individual agreement", "majority agreement", "holds")
    excluded = "; ".join(f"{reason}: {count:,}" for reason, count in judged.excluded.items())
    note = Markup("<p class='count'>Answers that do not count: {}</p>").format(excluded) if excluded else Markup("")
    return table(header, rows, "Agreement") + note


def _share(share: float, interval: Interval) -> str:
    return f"{share:.1%} [{interval.low:.1%}, {interval.high:.1%}]"
