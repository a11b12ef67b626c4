"""The studio in a browser, as a person uses it."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import urllib.error
import urllib.request
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote_plus

import pytest

from blimpgen.dataset import Arguments, write_set
from blimpgen.library import Library
from tests.conftest import choose, context_of, shown_as

pytestmark = pytest.mark.slow

MARKUP = "<img src=x onerror=alert(1)>"


class Running(NamedTuple):
    """A studio: its link, its address, and its data folder."""

    link: str
    address: str
    data: Path


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory, library: Library) -> Iterator[Running]:
    pytest.importorskip("nicegui")
    data = tmp_path_factory.mktemp("studio") / "data"
    folder = data / "paradigms" / "mine" / "terms"
    folder.mkdir(parents=True)
    text = library.paradigm("transitive").document.path.read_text(encoding="utf-8")
    (folder / "hostile.yaml").write_text(text.replace("Only a transitive", f"{MARKUP} Only a transitive"))
    home = data.parent
    write_set(library, Arguments(targets=("transitive", "sentential_subject_island"), n=20), home / "sets" / "two")
    for name in ("results", "models"):
        (home / name).mkdir()
    folders = [part for name in ("results", "sets", "models") for part in (f"--{name}", str(home / name))]
    command = [sys.executable, "-m", "blimpgen", "studio", "--data", str(data), *folders]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        link = process.stdout.readline().strip()
        yield Running(link, link.partition("/?")[0], data)
        process.send_signal(signal.SIGINT)
        assert process.wait(120) == 0


@pytest.fixture
def page(browser: Any, running: Running) -> Iterator[Any]:
    """A page that came by the link; nothing on it may fail, and nothing may be asked of any network."""
    context = context_of(browser)
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)
    page.on("request", lambda request: errors.append(request.url) if running.address not in request.url else None)
    page.on("dialog", lambda dialog: errors.append(f"dialog: {dialog.message}"))
    page.goto(running.link)
    page.get_by_text(re.compile(r"of \d+ paradigms")).wait_for()
    yield page
    assert [error for error in errors if not error.startswith(("data:", "blob:"))] == []
    context.close()


def test_without_the_link_nothing_is_shown(running: Running, page: Any) -> None:
    for path in ("/", "/words", "/paradigm/transitive"):
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(running.address + path)
        assert refused.value.code == 403


def test_browse_search_and_look(page: Any, library: Library) -> None:
    every = len(list(library.uids())) + 1
    assert page.locator(".entry").count() == every
    page.get_by_label("Search").fill("gap principle_A")
    page.get_by_text(f"0 of {every} paradigms", exact=True).wait_for()
    page.get_by_label("Search").fill("binding herself")
    page.locator(".entry").first.wait_for()
    assert page.locator(".entry").count() < 20
    page.get_by_label("Search").fill("anaphor_gender_agreement")
    page.get_by_role("link", name="anaphor_gender_agreement", exact=True).click()
    page.get_by_role("heading", name="Pairs").wait_for()
    assert page.locator(".pair").count() == 10
    assert page.locator(".pair mark").count() == 20
    first = page.locator(".pair").first.inner_text()
    assert page.locator("svg.tree").count() == 2
    page.get_by_role("link", name="Ten others").click()
    page.wait_for_url("**seed=1")
    assert page.locator(".pair").first.inner_text() != first


def test_html_in_a_file_is_text(page: Any, running: Running) -> None:
    assert page.get_by_text(MARKUP).count() == 1
    page.goto(f"{running.address}/paradigm/hostile")
    page.get_by_text(MARKUP).first.wait_for()
    assert page.locator("img[src=x]").count() == 0
    for path in (f"/paradigm/{MARKUP}", f"/words?query=noun: {MARKUP}", f"/word/N/{MARKUP}"):
        page.goto(running.address + path)
        page.get_by_role("alert").wait_for()
        assert page.locator("img[src=x]").count() == 0


def test_words(page: Any) -> None:
    page.get_by_role("link", name="Words").click()
    page.get_by_label("A word, or").fill("noun: human & lemma=teacher & Number=Plur")
    page.keyboard.press("Enter")
    page.get_by_role("link", name="teacher.1", exact=True).click()
    page.get_by_role("cell", name="teachers").first.wait_for()
    assert "eacher" in page.get_by_role("heading", name="Sentences").locator("..").inner_text()
    page.get_by_role("link", name="Words", exact=True).click()
    page.wait_for_url("**/words")
    page.get_by_label("A word, or").fill("noun: humam")
    page.keyboard.press("Enter")
    assert "did you mean 'human'?" in page.get_by_role("alert").inner_text()


def test_a_word_is_added(page: Any, running: Running) -> None:
    page.get_by_role("link", name="Words").click()
    page.get_by_role("link", name="Add a word").click()
    page.get_by_label("The word", exact=True).fill("flumpet")
    page.get_by_role("button", name="Look").click()
    page.get_by_role("alert").get_by_text("say what flumpet is").wait_for()
    page.get_by_label("Like the word").fill("trumpet")
    page.get_by_role("button", name="Look").click()
    page.get_by_role("heading", name="What it goes with").wait_for()
    table = running.data / "lexicon" / "nouns.tsv"
    assert not table.exists()
    page.get_by_role("button", name="Add", exact=True).click()
    page.get_by_text(f"written: {table}").wait_for()
    page.get_by_role("link", name="Words").click()
    page.get_by_label("A word, or").fill("flumpet")
    page.keyboard.press("Enter")
    page.get_by_role("link", name="flumpet.1", exact=True).click()
    page.get_by_role("cell", name="flumpets").first.wait_for()


def test_parse(page: Any) -> None:
    page.get_by_role("link", name="Parse").click()
    page.get_by_label("An English sentence").fill("The boys that the teacher likes sleep.")
    page.keyboard.press("Enter")
    page.get_by_text("derived in the closed reading").wait_for()
    assert page.locator("svg.tree").first.get_attribute("aria-label") == "Tree 1"
    page.get_by_label("An English sentence").fill("The boys that the teacher likes sleeps.")
    page.keyboard.press("Enter")
    page.get_by_text("not derived in the closed reading").wait_for()
    assert page.get_by_text("Number").count()
    assert page.locator("svg.tree").count() == 0


PATHS = {
    "/": "of \\d+ paradigms",
    "/paradigm/transitive": "rules: ",
    "/paradigm/nosuch": "no paradigm",
    "/words?query=noun: human": "lexemes",
    "/word/V/believe.1": "Sentences",
    "/words/new": "Say what it is",
    "/parse": "Enter|Parse",
    "/write": "Begin with",
    "/write/new_one?like=transitive": "0 problems",
    "/judge": "stud(y|ies)",
    "/results": "Score a set",
    "/results/report?of=two-length": "Accuracy by paradigm",
    "/results/pairs?of=two-length&group=transitive": "1 to 20 of 20",
}
"""Page to what stands on it when all of it is there."""


@pytest.fixture(scope="module")
def scored(running: Running) -> None:
    """A result, made by the command."""
    home = running.data.parent
    command = ["verify", str(home / "sets" / "two"), "--model", "length", "-o", str(home / "results" / "two-length")]
    subprocess.run([sys.executable, "-m", "blimpgen", *command], check=True, capture_output=True)


@pytest.mark.parametrize("path", PATHS)
def test_narrow_labelled_and_accessible(page: Any, running: Running, scored: None, path: str) -> None:
    """At 360 pixels by keyboard; no finding of axe at all, wide and light, narrow and dark."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page.goto(running.address + path)
    page.get_by_text(re.compile(PATHS[path])).first.wait_for()
    for width, scheme in ((1100, "light"), (360, "dark")):
        shown_as(page, width, scheme)
        findings = axe.run(page).response["violations"]
        assert [(each["id"], each["nodes"][0]["html"]) for each in findings] == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert page.locator("h1").count() == 1
    assert page.locator("html").get_attribute("lang") == "en-US"
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement !== document.body")


def test_score_report_and_the_pairs_behind_a_figure(page: Any, running: Running, scored: None) -> None:
    page.goto(f"{running.address}/results")
    page.get_by_label("First pairs").fill("10")
    page.get_by_role("button", name="Score").click()
    page.get_by_text("written: two-length-first-10").wait_for()
    assert (running.data.parent / "results" / "two-length-first-10" / "summary.json").is_file()
    page.get_by_role("link", name="Show the results").click()
    page.get_by_role("checkbox", name="two-length-first-10").click()
    page.get_by_role("button", name="Report").click()
    page.get_by_role("heading", name="Accuracy by paradigm").wait_for()
    assert page.locator(".report figure img").count() >= 2
    report = page.url
    page.locator(".report figure a[title^='island effects']").first.click()  # a point of a plot
    page.wait_for_url("**/results/pairs?**")
    page.get_by_text("of 10").wait_for()
    page.goto(report)
    page.get_by_role("link", name="island effects").first.click()
    page.wait_for_url("**/results/pairs?**")
    page.get_by_text("of 10").wait_for()
    assert page.locator(".pair mark").count() >= 20
    page.get_by_role("link", name="sentential_subject_island").first.click()
    page.get_by_role("heading", name="Results of models").wait_for()
    page.get_by_role("link", name="two-length-first-10").click()
    page.wait_for_url("**/results/pairs?**")
    page.get_by_text("of 10").wait_for()


def begun(page: Any, running: Running, uid: str, like: str) -> Any:
    """Begin a paradigm like another one; the editor, once everything beside it is there."""
    page.goto(f"{running.address}/paradigm/{like}")
    page.get_by_role("link", name="Write one like it").click()
    page.get_by_label("The name of yours").fill(uid)
    page.get_by_role("button", name="Begin").click()
    page.wait_for_url(f"**/write/{uid}*")
    page.get_by_text("0 problems").wait_for()
    return page.locator(".cm-content")


def retyped(page: Any, old: str, new: str) -> None:
    """Type over a text of the editor, found as a reader finds it."""
    page.locator(".cm-line", has_text=old).last.click()
    page.keyboard.press("Home")
    page.keyboard.press("Shift+End")
    page.keyboard.type(new)


def completed(page: Any, typed: str, text: str) -> None:
    """Type, and choose from the popup at the cursor with the keys, once it has its offers for all that was typed."""
    with page.expect_response(lambda answer: "/completions" in answer.url and answer.url.endswith(quote_plus(typed))):
        page.keyboard.type(typed)
    chosen = page.get_by_role("listbox", name="Completions").get_by_role("option", name=text).first
    chosen.wait_for()
    page.locator(".cm-tooltip-autocomplete:not(.cm-tooltip-autocomplete-disabled)").wait_for()
    page.wait_for_timeout(300)  # the editor takes a key that comes sooner for one of the text
    while chosen.get_attribute("aria-selected") != "true":
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")


def test_from_a_like_one_to_an_exported_set(page: Any, running: Running, tmp_path: Path) -> None:
    begun(page, running, "my_first", "transitive")
    assert page.locator(".pair").count() == 10
    assert page.get_by_text("The labels hold").count() == 1
    retyped(page, "verb: {cat: VG", "verb: {cat: VG, frame: V.NP, is: words=1 & not lemma=concern}")
    page.get_by_role("cell", name="not lemma=concern").wait_for()
    page.get_by_text("0 problems").wait_for()
    choose(page, "Words of the slot", "iv")
    page.locator(".candidates button").first.click()
    page.get_by_text("fits iv").wait_for()
    page.get_by_label("Why this word?").fill("devour")
    page.keyboard.press("Enter")
    page.get_by_text("does not fit iv").wait_for()
    choose(page, "Format", "lm-eval")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download").click()
    download.value.save_as(tmp_path / "set.zip")
    names = zipfile.ZipFile(tmp_path / "set.zip").namelist()
    assert any(name.endswith("my_first.jsonl") for name in names)
    saved = running.data / "paradigms" / "mine" / "argument_structure" / "my_first.yaml"
    assert "is: words=1 & not lemma=concern}" in saved.read_text(encoding="utf-8")
    page.get_by_role("link", name="Browse").click()
    page.locator("a", has_text="my_first").wait_for(state="attached")
    saved.unlink()


def test_completion_difference_and_undo(page: Any, running: Running) -> None:
    editor = begun(page, running, "my_fourth", "transitive")
    retyped(page, "verb: {cat: VG", "verb: {cat: VG,")
    completed(page, " fram", "frame:")
    editor.locator(".cm-line", has_text="verb: {cat: VG, frame: ").wait_for()
    completed(page, "V.NP.wh, is: words=1 & lemma=dev", "devour")
    editor.locator(".cm-line", has_text="lemma=devour").wait_for()
    page.get_by_text("What you changed").click()
    page.locator("ins", has_text="lemma=devour").wait_for()
    page.get_by_role("button", name="Undo all").click()
    page.locator("pre", has_text=re.compile("^nothing$")).wait_for()
    page.get_by_text("0 problems").wait_for()
    editor.locator(".cm-line", has_text="slots:").last.click()
    page.keyboard.press("Control+z")  # alone, however soon after it
    page.locator("ins", has_text="lemma=devour").wait_for()
    choose(page, "Format", "the file alone")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download").click()
    assert "frame: V.NP.wh" in Path(download.value.path()).read_text(encoding="utf-8")
    assert not list(running.data.rglob("my_fourth.yaml"))


def test_the_popup_stands_at_the_cursor_and_keeps_still_in_prose(page: Any, running: Running) -> None:
    editor = begun(page, running, "my_fifth", "transitive")
    popup = page.locator(".cm-tooltip-autocomplete")
    retyped(page, "verb: {cat: VG", "verb: {cat: VG, ")
    assert popup.count() == 0
    page.keyboard.press("Control+Space")
    popup.get_by_text("no_frame:").wait_for()
    cursor, box = page.locator(".cm-cursor-primary").bounding_box(), popup.bounding_box()
    assert abs(box["x"] - cursor["x"]) < 40
    assert abs(box["y"] - cursor["y"] - cursor["height"]) < 40
    page.keyboard.press("Escape")
    popup.wait_for(state="detached")
    with page.expect_response("**/completions?*"):
        retyped(page, "summary:", "summary: Only a tr")
    page.keyboard.press("Enter")
    page.keyboard.type("# more")
    editor.locator(".cm-line", has_text=re.compile("^# more$")).wait_for()
    assert editor.locator(".cm-line", has_text=re.compile("^summary: Only a tr$")).count() == 1
    assert popup.count() == 0


def test_unsaved_text_outlives_the_connection_and_the_page(page: Any, running: Running) -> None:
    """What is typed while nothing reaches the studio arrives later; a page loaded again has it as well."""
    editor = begun(page, running, "my_sixth", "transitive")
    page.evaluate("document.body.dataset.page = 'the same'")
    page.evaluate("window.socket.io.engine.close()")
    retyped(page, "verb: {cat: VG", "verb: {cat: VG, frame: V.NP, is: words=1 & not lemma=concern}")
    page.get_by_role("cell", name="not lemma=concern").wait_for()
    assert page.locator("body").get_attribute("data-page") == "the same"
    page.reload()
    editor.locator(".cm-line", has_text="lemma=concern").wait_for()
    page.get_by_role("cell", name="not lemma=concern").wait_for()
    page.get_by_text("changed, not saved").or_(page.get_by_text("not saved yet")).wait_for()
    page.get_by_text("0 problems").wait_for()
    page.get_by_role("button", name="Save").click()
    page.get_by_text("saved", exact=True).wait_for()
    page.wait_for_function("sessionStorage.getItem(location.pathname) === null")
    next(running.data.rglob("my_sixth.yaml")).unlink()


def test_problems_stand_at_their_lines(page: Any, running: Running) -> None:
    begun(page, running, "my_second", "transitive")
    retyped(page, "bad:  subj iv", "bad: subj ivv obj .")
    page.get_by_text("did you mean 'iv'?").wait_for()
    assert "ivv obj" in page.locator(".cm-line.wrong").inner_text()
    page.locator(".stale").wait_for()
    page.get_by_text("did you mean 'iv'?").click()
    retyped(page, "bad: subj ivv", "bad: subj iv obj .")
    page.get_by_text("0 problems").wait_for()
    for mark in (".cm-line.wrong", ".stale"):
        page.locator(mark).wait_for(state="detached")
    assert not list(running.data.rglob("my_second.yaml"))


def test_a_label_trap_is_refused_with_its_tree(page: Any, running: Running) -> None:
    begun(page, running, "my_third", "transitive")
    retyped(page, "iv:   {like: verb", "iv: {like: verb, zipf: near verb, frame: V.NP}")
    page.get_by_role("alert").get_by_text("The labels do not hold").wait_for()
    assert "(S " in page.get_by_role("alert").first.inner_text()
    page.get_by_role("button", name="Download").click()
    page.locator("section").first.get_by_role("alert").wait_for()
    page.get_by_text("line 19: unasserted violation").wait_for()
    assert page.locator("section").first.get_by_role("alert").is_visible()
    next(running.data.rglob("my_third.yaml")).unlink()


def test_a_name_that_is_none_is_told_where_it_is_typed(page: Any, running: Running) -> None:
    page.goto(f"{running.address}/write?like=transitive")
    page.get_by_label("The name of yours").fill("my reflexives")
    page.get_by_role("button", name="Begin").click()
    page.get_by_text("letters, digits and underscores").wait_for()
    assert page.get_by_label("The name of yours").input_value() == "my reflexives"
    page.goto(f"{running.address}/write/transitive?like=passive_1")
    page.get_by_role("alert").get_by_text("there is a paradigm 'transitive'").wait_for()
    page.get_by_role("link", name="Begin another").wait_for()
