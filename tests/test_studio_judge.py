"""A study in the browser: from the form to the table of answers, on a phone, and with twenty people at once."""

from __future__ import annotations

import asyncio
import html
import json
import os
import re
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.parse
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from blimpgen.exports import read_source
from blimpgen.exports.answers import read_answers
from blimpgen.exports.study import Design, Studies
from tests.conftest import Call, choose, context_of, shown_as

pytestmark = pytest.mark.slow

KEYS = (("f", "1", "ArrowLeft", "ArrowUp"), ("j", "2", "ArrowRight", "ArrowDown"))
KIND = "update:modelValue"
SEATS, TRIALS, PATIENCE = 20, 60, 10
TWICE = "for (let k = 0; k < 2; k++) document.querySelector('.choice').click()"


class Running:
    """A studio that can be killed and started once more at the same address.

    Args:
        folder: where data, studies and sets lie.
    """

    def __init__(self, folder: Path) -> None:
        self.folder, self.studies = folder, Studies(folder / "studies")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}"
        self.start()

    def start(self) -> None:
        folders = [f"--{name}={self.folder / name}" for name in ("data", "studies", "sets")]
        command = [sys.executable, "-m", "blimpgen", "studio", *folders, f"--port={self.port}"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        self.link = self.process.stdout.readline().strip()

    def end(self, number: int) -> None:
        self.process.send_signal(number)
        self.process.wait(120)

    def links(self, name: str) -> list[str]:
        return [f"{self.address}/take/{name}/{p.token}" for p in self.studies.study(name).participants()]


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    pytest.importorskip("nicegui")
    folder = tmp_path_factory.mktemp("studio")
    for name, paradigms, rows in (("judged", 10, 10), ("certain", 2, 2)):
        (folder / "sets" / name).mkdir(parents=True)
        for k in range(paradigms):
            pairs = ((f"{name} {k} {row} is so. <b>", f"{name} {k} {row} is not.", str(row)) for row in range(rows))
            lines = ({"sentence_good": a, "sentence_bad": b, "UID": f"{name}_{k}", "pairID": n} for a, b, n in pairs)
            (folder / "sets" / name / f"{name}_{k}.jsonl").write_text("\n".join(map(json.dumps, lines)))
    studio = Running(folder)
    yield studio
    studio.end(signal.SIGINT)
    assert studio.process.returncode == 0


def agreed(page: Any, link: str) -> Any:
    """The page of a participant who has agreed and practised."""
    page.goto(link)
    page.get_by_text("Yes", exact=True).click()
    page.get_by_role("button", name="I agree").click()
    for number in (1, 2):
        page.get_by_text(f"Practice {number} of 2").wait_for()
        page.locator(".choice").first.click()
        page.get_by_role("button", name="Next").click()
    return page


def read(page: Any, number: int) -> None:
    """Wait until a trial is shown, and for the time that the fastest reader takes."""
    page.get_by_text(f"{number} of 8", exact=True).wait_for()
    page.wait_for_timeout(350)


def made(page: Any, running: Running, name: str) -> list[str]:
    """Make a study with the form; the links of its participants."""
    page.goto(running.link)
    page.get_by_role("link", name="Judge", exact=True).click()
    page.get_by_label("Name:").fill(name)
    for label, folder in (("Set", "judged"), ("Set of the calibrators", "certain")):
        choose(page, label, folder)
    numbers = {"Pairs of each paradigm": "1", "Pairs a participant": "5", "Participants": "4"}
    numbers["Calibrators a participant"] = "2"
    for label, value in numbers.items():
        page.get_by_label(label, exact=True).fill(value)
    assert {label: page.get_by_label(label, exact=True).input_value() for label in numbers} == numbers
    page.get_by_role("button", name="Make the study").click()
    page.get_by_role("button", name="Close the study").wait_for()
    return [link.get_attribute("href") for link in page.locator("td a[href*='/take/']").all()]


def test_from_the_form_to_the_answers(browser: Any, running: Running, tmp_path: Path, call: Call) -> None:
    page = context_of(browser).new_page()
    links = made(page, running, "pilot")
    assert links == running.links("pilot")
    assert page.get_by_role("status").first.inner_text() == "Open: 0 of 32 answers, 0 of 4 participants done"
    phone = context_of(browser, viewport={"width": 360, "height": 640}, has_touch=True, is_mobile=True)
    person = agreed(phone.new_page(), links[0])
    for number in range(1, 5):
        read(person, number)
        assert person.evaluate("document.documentElement.scrollWidth") <= 360
        person.locator(".choice").nth(number % 2).tap()
    person.get_by_text("5 of 8", exact=True).wait_for()
    shown = person.locator(".choice").all_inner_texts()
    phone.close()  # closed, and opened elsewhere: the same trial is there
    elsewhere = context_of(browser).new_page()
    elsewhere.goto(links[0])
    elsewhere.get_by_text("5 of 8", exact=True).wait_for()
    assert elsewhere.locator(".choice").all_inner_texts() == shown
    read(elsewhere, 5)
    elsewhere.evaluate(TWICE)  # the second answers nothing
    read(elsewhere, 6)
    elsewhere.keyboard.press("Control+j")
    for number, key in ((6, "f"), (7, "2"), (8, "ArrowRight")):
        read(elsewhere, number)
        elsewhere.keyboard.press(key)
    elsewhere.get_by_text("Thank you! All your answers are stored.").wait_for()
    page.get_by_text("Open: 8 of 32 answers, 1 of 4 participants done").wait_for()
    page.get_by_role("columnheader", name="individual agreement").wait_for()
    page.get_by_role("region", name="Agreement").locator("tbody tr").nth(4).wait_for()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download answers").click()
    download.value.save_as(tmp_path / "answers.csv")
    answers = read_answers(tmp_path / "answers.csv")
    assert answers == running.studies.study("pilot").answers()
    positions = [answer.first for answer in answers]
    assert positions == [False, True, False, True, True, True, False, False]
    assert call("judgements", tmp_path / "answers.csv", "--keep", "1/1", "--may-fail", 9).code == 0
    page.get_by_role("button", name="Close the study").click()
    page.get_by_role("button", name="Open it once more").wait_for()
    late = context_of(browser).new_page()
    late.goto(links[1])
    late.get_by_text("This study is closed").wait_for()


def test_what_is_wrong_is_said_on_the_page(browser: Any, running: Running) -> None:
    page = context_of(browser, viewport={"width": 360, "height": 640}).new_page()
    page.goto(running.link)
    page.goto(f"{running.address}/judge")
    choose(page, "Set", "judged")
    for name, said in (("../evil", "is no name for a study"), ("x", "100 pairs"), ("x", "practice: 'one' is no pair")):
        page.get_by_label("Name:").fill(name)
        page.get_by_label("Pairs of each").fill("10")
        page.get_by_label("Participants", exact=True).fill("2")
        page.get_by_label("Practice").fill("one" if "practice" in said else "")
        page.get_by_role("button", name="Make the study").click()
        page.get_by_role("alert").get_by_text(said).wait_for()
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.goto(f"{running.address}/judge/nosuch")
    page.get_by_role("alert").get_by_text("no study 'nosuch'").wait_for()
    page.goto(f"{running.address}/take/nosuch/token")
    page.get_by_role("alert").get_by_text("no study 'nosuch'").wait_for()


def test_accessible(browser: Any, running: Running) -> None:
    """At 360 pixels and dark, wide and light: no finding of axe on any screen, nothing wider than the window."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    context = {"exclude": [["#q-loading-bar"]]}  # the framework's, of a moment

    def look(page: Any) -> None:
        for width, scheme in ((1100, "light"), (360, "dark")):
            shown_as(page, width, scheme)
            findings = axe.run(page, context=context).response["violations"]
            assert [(each["id"], each["nodes"][0]["html"]) for each in findings] == []
        assert page.evaluate("document.documentElement.scrollWidth") <= 360

    page = context_of(browser).new_page()
    links = made(page, running, "looks")
    other = context_of(browser).new_page()
    other.goto(links[1])
    other.get_by_role("button", name="I agree").wait_for()
    look(other)
    other.close()
    person = agreed(context_of(browser).new_page(), links[0])
    read(person, 1)
    person.keyboard.press("f")
    page.get_by_text("Open: 1 of 32 answers").wait_for()
    look(person)
    look(page)
    page.goto(f"{running.address}/judge")
    page.get_by_label("Name:").wait_for()
    look(page)


def test_a_participant_sees_no_page_of_the_author(running: Running) -> None:
    """Every page that the studio has is refused to who came by the link of a participant."""
    from nicegui import Client

    from blimpgen.cli.studio.desk import Desk
    from blimpgen.cli.studio.frame import Studio
    from blimpgen.cli.studio.scoring import Scoring
    from blimpgen.cli.studio.server import PAGES
    from blimpgen.cli.studio.views.workspace import Folders

    running.studies.make("closed_shop", Design(title="T", consent="C"), read_source(running.folder / "sets" / "judged"))
    link, other = running.links("closed_shop")[:2]
    opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
    assert opener.open(link).status == opener.open(other).status == 200
    folders = Folders(running.folder)
    for page in PAGES:
        page.add_pages(Studio(folders, Desk(folders), Desk(folders), Scoring(folders), running.studies))
    routes = {re.sub(r"{\w+}", "x", route) for route in Client.page_routes.values()}
    assert {"/", "/words", "/judge", "/judge/x", "/write/x", "/take/x/x"} <= routes
    others = {"/judge/closed_shop", link.rpartition("/")[0], f"{link}x", "/login", "/completions?before=m"}
    for route in routes | others:
        with pytest.raises(urllib.error.HTTPError) as refused:
            opener.open(route if route.startswith("http") else running.address + route)
        assert refused.value.code == 403, route


class Seat:
    """A participant without a browser, who says to the studio what the script of the page says.

    Args:
        link: of the participant.
    """

    def __init__(self, link: str) -> None:
        self.link = link
        self.elements: dict[str, Any] = {}
        self.changed = asyncio.Event()

    async def open(self) -> Any:
        """Open the page, and agree if that is asked."""
        import aiohttp
        import socketio

        async with aiohttp.ClientSession() as session, session.get(self.link, raise_for_status=True) as answer:
            text, cookie = await answer.text(), answer.headers["set-cookie"].partition(";")[0]
        query = dict(re.findall(r"'(client_id|next_message_id)': '?([\w-]+)", text))
        self.client = query["client_id"]
        self.elements = json.loads(html.unescape(re.search(r"parseElements\(String.raw`(.*)`\), {\n", text)[1]))
        address = self.link.partition("/take")[0]
        self.socket = socketio.AsyncClient(reconnection=False)
        self.socket.on("update", self._update)
        query |= {"implicit_handshake": "true", "document_id": "d", "tab_id": "t"}
        headers = {"origin": address, "cookie": cookie}
        path = "/_nicegui_ws/socket.io"
        await self.socket.connect(
            f"{address}?{urllib.parse.urlencode(query)}", headers, transports=["websocket"], socketio_path=path
        )
        if self._named("choice") == [] and "I agree" in self._said():
            await self._emit(next(key for key in self.elements if self._listener(key, KIND)), KIND, "0")
            await self._emit(*self._named("go"), "click")
        return self

    def _update(self, message: dict[str, Any]) -> None:
        self.elements.update((key, element) for key, element in message.items() if key != "_id")
        self.elements = {key: element for key, element in self.elements.items() if element is not None}
        self.changed.set()

    def _said(self) -> str:
        return json.dumps([[element.get("text"), element.get("props")] for element in self.elements.values()])

    def _named(self, name: str) -> list[str]:
        return [key for key, element in self.elements.items() if name in element.get("class", ())]

    def _listener(self, key: str, kind: str) -> str | None:
        events = self.elements[key].get("events", ())
        return next((event["listener_id"] for event in events if event["type"] == kind), None)

    async def _emit(self, key: str, kind: str, *arguments: str) -> None:
        listener = self._listener(key, kind)
        event = {"id": int(key), "client_id": self.client, "listener_id": listener, "args": arguments}
        await self.socket.emit("event", event)

    async def shown(self, last: int) -> int:
        """The number of the trial that is shown, once it is another than the last; after thanks one past the end."""
        async with asyncio.timeout(PATIENCE):
            while True:
                said = self._said()
                match = re.search(rf'"(\d+) of {TRIALS}"', said)
                number = TRIALS + 1 if "Thank you" in said else int(match[1]) if match else 0
                if number not in (0, last):
                    return number
                if not self.socket.connected:
                    raise ConnectionError
                self.changed.clear()
                with suppress(TimeoutError):
                    await asyncio.wait_for(self.changed.wait(), 1)

    async def choose(self, position: int, number: int) -> None:
        await self._emit(self._named("choice")[position - 1], "click")

    async def leave(self) -> None:
        await self.socket.disconnect()


class Browser:
    """A participant with a real browser.

    Args:
        link: of the participant.
        launch: gives a browser that runs.
    """

    def __init__(self, link: str, launch: Callable[[], Any]) -> None:
        self.link, self.launch = link, launch

    async def open(self) -> Any:
        self.page = await (await self.launch().new_context(viewport={"width": 360, "height": 640})).new_page()
        await self.page.goto(self.link)
        await self.page.locator(".choice, .q-radio, .lead").first.wait_for()
        if await self.page.get_by_role("button", name="I agree").count():
            await self.page.get_by_text("Yes", exact=True).click()
            await self.page.get_by_role("button", name="I agree").click()
        return self

    async def shown(self, last: int) -> int:
        """As of a seat."""
        script = """([last, end]) => {
            const said = document.body.innerText;
            const number = said.includes('Thank you') ? end : Number(/(\\d+) of \\d+/.exec(said)?.[1]);
            return number && number !== last && number;
        }"""
        options = {"arg": [last, TRIALS + 1], "timeout": 1000 * PATIENCE, "polling": 100}
        return int(await (await self.page.wait_for_function(script, **options)).json_value())

    async def choose(self, position: int, number: int) -> None:
        if number % 3:
            await self.page.keyboard.press(KEYS[position - 1][number % 4])
        else:
            await self.page.locator(".choice").nth(position - 1).click(timeout=1000 * PATIENCE)

    async def leave(self) -> None:
        await self.page.close()


async def take(person: Seat | Browser, seat: int, pressed: dict[tuple[int, int], int]) -> None:
    """Answer every trial; whatever fails, open the link once more and go on."""
    import aiohttp
    import socketio.exceptions
    from playwright.async_api import Error

    page, last, position = None, 0, 0
    while last <= TRIALS:
        try:
            shown = await (page or await person.open()).shown(last if page else 0)
            page = person
            if shown > last > 0:
                pressed[seat, last] = position
            last = shown
            await asyncio.sleep(0.35)  # an answer that comes sooner is none
            if seat % 5 == 4 and last == TRIALS // 2 and (seat, 0) not in pressed:
                pressed[seat, 0] = 0  # leaves, and comes back
                await page.leave()
                page = None
            elif last <= TRIALS:
                position = (seat + last) % 3 % 2 + 1
                await page.choose(position, last)
        except (OSError, TimeoutError, aiohttp.ClientError, socketio.exceptions.SocketIOError, Error):
            page = None
            await asyncio.sleep(0.2)
    pressed.pop((seat, 0), None)


async def interrupt(running: Running, browsers: list[Any], pressed: dict[tuple[int, int], int], launch: Any) -> None:
    """Kill one of the browsers after a third of the answers, and the studio after two thirds."""
    while len(pressed) < SEATS * TRIALS // 3:
        await asyncio.sleep(0.05)
    session = await browsers[-1].new_browser_cdp_session()
    processes = (await session.send("SystemInfo.getProcessInfo"))["processInfo"]
    browsers.append(await launch())
    os.kill(next(process["id"] for process in processes if process["type"] == "browser"), signal.SIGKILL)
    while len(pressed) < SEATS * TRIALS * 2 // 3:
        await asyncio.sleep(0.05)
    running.end(signal.SIGKILL)
    await asyncio.sleep(0.5)
    running.start()


async def session(running: Running, links: list[str], options: dict[str, Any]) -> dict[tuple[int, int], int]:
    """Twenty people at once, three of them with real browsers; what each of them pressed."""
    from playwright.async_api import async_playwright

    pressed: dict[tuple[int, int], int] = {}
    async with async_playwright() as playwright:

        async def launch() -> Any:
            return await playwright.chromium.launch(**options)

        browsers = [await launch(), await launch()]
        people: list[Seat | Browser] = [Seat(link) for link in links[3:]]
        people += [Browser(links[0], lambda: browsers[0]), Browser(links[1], lambda: browsers[0])]
        people.append(Browser(links[2], lambda: browsers[-1]))
        seats = [links.index(person.link) + 1 for person in people]
        taking = (take(person, seat, pressed) for person, seat in zip(people, seats, strict=True))
        async with asyncio.timeout(1200):
            await asyncio.gather(interrupt(running, browsers, pressed, launch), *taking)
    return pressed


def test_twenty_at_once_with_sixty_answers_each(
    running: Running, browser_options: dict[str, Any], tmp_path: Path, call: Call
) -> None:
    """A browser is killed, four leave, and the studio is killed once: 1,200 answers, none twice, lost or changed."""
    sets = {name: read_source(running.folder / "sets" / name) for name in ("judged", "certain")}
    design = Design(title="Sentences", consent="Yes?", pairs=10, list_size=50, participants=SEATS, calibrators=4)
    running.studies.make("validation", design, sets["judged"], sets["certain"])
    with ThreadPoolExecutor(1) as elsewhere:  # the other tests' browser has the loop of this thread
        people = session(running, running.links("validation"), browser_options)
        pressed = elsewhere.submit(asyncio.run, people).result()
    study = running.studies.study("validation")
    assert [(p.answers, p.trials) for p in study.participants()] == [(TRIALS, TRIALS)] * SEATS
    (tmp_path / "answers.csv").write_text(study.table())
    answers = read_answers(tmp_path / "answers.csv")
    assert len(answers) == SEATS * TRIALS
    assert set(Counter((answer.worker, answer.uid, answer.pair_id) for answer in answers).values()) == {1}
    stored = {(int(a.worker[1:]), k % TRIALS + 1): 1 if a.first else 2 for k, a in enumerate(answers)}
    assert stored == pressed
    judged = Counter((answer.uid, answer.pair_id) for answer in answers if answer.uid.startswith("judged"))
    assert len(judged) == 100
    assert set(judged.values()) == {10}
    outcome = call("judgements", tmp_path / "answers.csv", "--may-fail", 9)
    assert outcome.code == 0
    assert "excluded, left out: 80 answers (calibrator)" in outcome.err
