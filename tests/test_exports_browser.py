"""The jsPsych page in a browser: a list is answered, saved, and read back; nothing is asked of any network."""

from __future__ import annotations

import html
import re
from pathlib import Path
from typing import Any

import pytest

from blimpgen.cli import main
from blimpgen.exports import Options, find_format, read_source, write_export
from blimpgen.exports.answers import read_answers, read_key
from blimpgen.exports.judgement_lists import ATTENTION
from hard_export_set import csv_rows, write_hard_set
from tests.conftest import context_of

pytestmark = pytest.mark.slow

STEPS = 200
NEXT = """before => document.querySelector('#save') ? [] : (texts => texts.length && texts.join() !== before && texts)(
    [...document.querySelectorAll('button.jspsych-btn')].map(button => button.innerText))"""
"""The buttons of the next trial, once it is there; none at the end. No two in a row are the same."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("study")
    source = read_source(write_hard_set(folder / "set"))
    write_export(source, find_format("jspsych"), folder / "lists", Options(pairs=7, list_size=28))
    return folder / "lists"


class Visit:
    """A participant on the page."""

    def __init__(self, browser: Any, folder: Path, query: str) -> None:
        self.requests: list[str] = []
        self.errors: list[str] = []
        self.page = context_of(browser).new_page()
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", lambda m: self.errors.append(m.text) if m.type == "error" else None)
        self.address = (folder / "experiment.html").as_uri()
        self.page.goto(f"{self.address}?{query}")

    def answer(self, chosen: dict[tuple[str, str], str], path: Path) -> int:
        """Go through the list, choose these sentences, save the file; how many choices there were."""
        shown, before = 0, ""
        for _ in range(STEPS):
            now = self.page.wait_for_function(NEXT, arg=before).json_value()
            if not now:
                break
            before = ",".join(now)
            buttons = self.page.locator("button.jspsych-btn")
            if len(now) == 2 and now != ["Yes", "No"]:
                shown += 1
                buttons.nth(now.index(chosen[min(now), max(now)])).click()
            else:
                buttons.first.click()
        with self.page.expect_download() as download:
            self.page.click("#save")
        download.value.save_as(path)
        self.page.close()
        return shown


def test_a_list_is_answered_saved_and_read(
    browser: Any, folder: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    key = read_key(folder / "key.csv")
    lists = sorted({number for number, _ in key})
    assert lists == ["1", "2"]
    # The good sentence is chosen, save in one paradigm.
    chosen = {}
    for row in csv_rows(folder / "key.csv"):
        both = row["sentence_good"], row["sentence_bad"]
        chosen[min(both), max(both)] = both[1] if row["UID"] == "word_order" else both[0]
    for number in lists:
        visit = Visit(browser, folder, f"list={number}&participant=O%27Hara%2C%20%22{number}%22")
        trials = [row for (n, _), row in key.items() if n == number]
        assert visit.answer(chosen, tmp_path / f"{number}.csv") == len(trials)
        assert visit.requests == [f"{visit.address}?list={number}&participant=O%27Hara%2C%20%22{number}%22"]
        assert visit.errors == []
        answers = read_answers(tmp_path / f"{number}.csv", key)
        assert [(a.uid, a.pair_id) for a in answers] == [(row["UID"], row["pair_id"]) for row in trials]
        assert all(a.agrees == (a.uid != "word_order") for a in answers)
        assert [a.first for a in answers] == [
            (row["good_position"] == "1") == (row["UID"] != "word_order") for row in trials
        ]
        assert {a.worker for a in answers} == {f'O\'Hara, "{number}"'}
        assert sum(a.uid == ATTENTION for a in answers) >= 1
        text = (tmp_path / f"{number}.csv").read_text(encoding="utf-8")
        assert not any(row[name] in text for row in trials for name in ("sentence_good", "sentence_bad"))
    capfd.readouterr()
    with pytest.raises(SystemExit) as left:
        main(["judgements", *(str(tmp_path / f"{number}.csv") for number in lists), "--key", str(folder / "key.csv")])
    assert left.value.code in (0, None)
    lines = capfd.readouterr().out.splitlines()
    assert [line.split()[-1] for line in lines if line.startswith("word_order")] == ["no"]
    assert lines[-1].startswith("3 kept")


@pytest.mark.parametrize("name", ["99", "__proto__", "constructor"])
def test_an_unknown_list_is_said(browser: Any, folder: Path, name: str) -> None:
    visit = Visit(browser, folder, f"list={name}")
    assert visit.page.inner_text("body") == f"There is no list {name}; the lists are 1 to 2."
    visit.page.close()


def test_without_a_list_one_is_given(browser: Any, folder: Path) -> None:
    visit = Visit(browser, folder, "")
    assert visit.page.locator("button.jspsych-btn").inner_text() == "Start"
    assert visit.requests == [f"{visit.address}?"]
    visit.page.close()


def test_the_layout_for_mechanical_turk_reports_the_index(browser: Any, tmp_path: Path) -> None:
    source = read_source(write_hard_set(tmp_path / "set"))
    write_export(source, find_format("mturk"), tmp_path / "mturk", Options(pairs=7))
    row = csv_rows(tmp_path / "mturk" / "batch.csv")[0]
    layout = (tmp_path / "mturk" / "layout.html").read_text(encoding="utf-8")
    filled = re.sub(r"\$\{(\w+)\}", lambda match: row[match[1]], layout)
    (tmp_path / "task.html").write_text(filled, encoding="utf-8")
    page = context_of(browser).new_page()
    page.route("https://**", lambda route: route.abort())
    page.goto((tmp_path / "task.html").as_uri())
    items = [name for name in row if name.endswith("_pair")]
    texts = page.locator("crowd-form label").all_inner_texts()
    assert [text.strip() for text in texts[2:]] == [
        html.unescape(row[f"field_{k}_{side}"]) for k in range(1, len(items) + 1) for side in (1, 2)
    ]
    page.locator('input[name="pick-native"][value="1"]').check()
    chosen = {f"Choice{k}": str(1 + k % 2) for k in range(1, len(items) + 1)}
    for number, (name, side) in enumerate(chosen.items(), start=1):
        page.locator(f'input[name="pick-{number}"][value="{3 - int(side)}"]').check()
        page.locator(f'input[name="pick-{number}"][value="{side}"]').check()
        assert page.locator(f'input[name="{name}"]').input_value() == side
    assert page.locator('input[name="native"]').input_value() == "1"
    page.close()
