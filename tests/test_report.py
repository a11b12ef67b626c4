"""The report: one file that needs nothing else, adapts to what it is given, and shows what the rows say."""

from __future__ import annotations

import base64
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from blimpgen.analysis.averages import by_term
from blimpgen.analysis.columns import columns
from blimpgen.analysis.contrasts import CONTRASTS
from blimpgen.analysis.results import Item, write_items, write_summary
from blimpgen.analysis.summary import summarize
from blimpgen.base.errors import BlimpgenError, DataError, UsageError
from blimpgen.base.files import sha256_of
from blimpgen.cli import main
from blimpgen.report import check_target, read_results, write_report
from blimpgen.report.frequency import with_frequencies
from blimpgen.report.material import Missing, Section, gather, percent, points
from blimpgen.report.page import render
from blimpgen.report.plots.accuracy import by_phenomenon
from blimpgen.report.plots.style import pen, styled, to_uri
from blimpgen.report.results import checkpoints
from blimpgen.report.samples import samples
from blimpgen.report.sections import comparisons, overview, scores
from random_results import item, items

UIDS = CONTRASTS["attractors"].uids
MANY = (*UIDS, "adjunct_island", "transitive")
VOID = {"meta", "img", "br"}
SECTIONS = (
    "phenomena",
    "paradigms",
    "humans",
    "differences",
    "predictors",
    "contrasts",
    "methods",
    "curve",
    "paired",
    "samples",
    "sources",
)


@pytest.fixture(scope="module")
def plots() -> None:
    pytest.importorskip("matplotlib", reason="the plots of a report need the extra 'report'")


def write(folder: Path, rows: list[Item], signature: str = "") -> Path:
    folder.mkdir(parents=True)
    write_items(rows, folder / "items.jsonl")
    if signature:
        (folder / "signature.txt").write_text(f"{signature}\n", encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Path]:
    """Two models, one with a prefix method, and three checkpoints of a third."""
    base = tmp_path_factory.mktemp("results")
    level = dict.fromkeys(MANY, 0.8)
    prefix = list(items(dict.fromkeys(UIDS, 0.7), 12, seed=5, method="one-prefix", model="org/alpha"))
    made = {
        "alpha": write(base / "alpha", [*items(level, 12, seed=1, model="org/alpha"), *prefix], "model: alpha"),
        "beta": write(base / "beta", list(items(dict.fromkeys(MANY, 0.6), 12, seed=2, model="org/beta"))),
    }
    for step, accuracy in ((100, 0.5), (200, 0.6), (6400, 0.9)):
        rows = items(dict.fromkeys(MANY, accuracy), 12, seed=step, model="org/gamma", revision=f"step{step}")
        made[f"step{step}"] = write(base / f"step{step}", list(rows))
    return made


@pytest.fixture(scope="module")
def quick(plots: None) -> Iterator[None]:
    """Plots are made and not drawn, which takes most of the time of a report."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("blimpgen.report.material.to_uri", lambda figure: "data:,")
        yield


@pytest.fixture(scope="module")
def page(folders: Mapping[str, Path], quick: None) -> str:
    return render(read_results([*folders.values()]), resamples=50)


class Page(HTMLParser):
    """Checks that tags are balanced, and gathers what a page refers to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.images: list[dict[str, str | None]] = []
        self.tags: set[str] = set()
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.tags.add(tag)
        self.ids += [given["id"] or ""] if "id" in given else []
        self.links += [value or "" for name, value in attrs if name in ("href", "src", "action", "data", "srcset")]
        self.images += [given] if tag == "img" else []
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def svg(uri: str) -> ElementTree.Element:
    return ElementTree.fromstring(base64.b64decode(uri.removeprefix("data:image/svg+xml;base64,")))


def test_the_page_is_whole_and_needs_nothing_else(page: str) -> None:
    parsed = Page(page)
    assert set(SECTIONS) <= set(parsed.ids)
    assert len(parsed.ids) == len(set(parsed.ids))
    assert "script" not in parsed.tags
    for link in parsed.links:
        assert link.startswith("data:") or link.removeprefix("#") in parsed.ids
    assert "url(" not in page
    assert "default-src 'none'" in page


def test_every_plot_has_a_description(page: str) -> None:
    images = Page(page).images
    assert len(images) == 10
    assert all((image["alt"] or "").endswith(".") for image in images)


@pytest.mark.slow
def test_every_plot_is_an_image_and_the_same_again(folders: Mapping[str, Path], plots: None, tmp_path: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("blimpgen.report.material.to_uri", to_uri)
        for name in ("one.html", "two.html"):
            write_report(read_results([*folders.values()]), tmp_path / name, resamples=50)
    text = (tmp_path / "one.html").read_text(encoding="utf-8")
    assert (tmp_path / "two.html").read_text(encoding="utf-8") == text
    images = Page(text).images
    assert len(images) == 10
    for image in images:
        root = svg(image["src"] or "")
        assert root.tag.endswith("svg")
        assert len(list(root.iter())) > 50
        assert not [e for e in root.iter() if e.tag.endswith(("script", "foreignObject"))]
        links = [value for e in root.iter() for name, value in e.attrib.items() if name.endswith("href")]
        assert all(link.startswith(("#", "data:image/png;base64,")) for link in links)


def test_published_figures_are_labelled_as_such(page: str) -> None:
    assert page.count("humans (released pairs)") >= 3
    assert "GPT-2 (released pairs)" in page
    assert "They are figures of the released pairs." in page


def test_the_last_checkpoint_stands_for_its_model(page: str) -> None:
    assert "gamma@step6400" in page
    assert "<h1>Minimal pairs: alpha, beta, gamma@step6400</h1>" in " ".join(page.split())
    assert re.search(r'<th scope="col">step 100</th><th scope="col">step 200</th><th scope="col">step 6,400</th>', page)


@pytest.mark.slow
def test_same_numbers_same_image(plots: None) -> None:
    groups = {"m": by_term(columns(items(dict.fromkeys(UIDS, 0.8), 5)))}
    with styled():
        first, second = (to_uri(by_phenomenon(groups, {}, ("GPT-2", {}))) for _ in range(2))
    assert first == second
    assert len(list(svg(first).iter())) > 50


def test_text_of_results_is_never_markup(quick: None, tmp_path: Path) -> None:
    """A sentence, a paradigm and a model with markup in their names are shown as text."""
    evil = "<script>alert(1)</script>"
    rows = [
        item("x", str(k), float(k - 3), model=evil, term=f"t{evil}").model_copy(
            update={"UID": f"x{evil}", "sentence_good": f"A {evil} & b.", "sentence_bad": f"A {evil} & c."}
        )
        for k in range(8)
    ]
    write_report(read_results([write(tmp_path / "evil", rows, signature=evil)]), tmp_path / "evil.html", resamples=10)
    text = (tmp_path / "evil.html").read_text(encoding="utf-8")
    assert "script" not in Page(text).tags
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp; <mark>b</mark>." in text


def test_eighteen_systems_are_drawn_in_eighteen_ways() -> None:
    assert len({pen(number) for number in range(18)}) == 18
    assert len({(pen(number).colour, pen(number).marker) for number in range(18)}) == 18


@pytest.mark.parametrize(
    "rows",
    [
        [item("transitive", "0", 1.0)],
        [item("transitive", str(k), 0.0) for k in range(3)],
        [item("mine", str(k), 1.0, term="", words=4) for k in range(2)],
        [item("transitive", str(k), -1.0, method="one-prefix") for k in range(2)],
    ],
    ids=["one pair", "only ties", "nothing published", "no full sentence"],
)
def test_smallest_results_make_a_report(rows: list[Item], quick: None, tmp_path: Path) -> None:
    write_report(read_results([write(tmp_path / "r", rows)]), tmp_path / "r.html", resamples=10)
    parsed = Page((tmp_path / "r.html").read_text(encoding="utf-8"))
    assert {"phenomena", "paradigms", "differences", "samples", "missing"} <= set(parsed.ids)


def test_more_models_than_outlines_are_drawn_by_their_quartiles(quick: None, tmp_path: Path) -> None:
    paths = [
        write(tmp_path / f"m{k}", [item("transitive", str(j), j - 1.0, model=f"m{k}") for j in range(4)])
        for k in range(5)
    ]
    few, many = (scores.score_differences(gather(read_results(paths[:n]))) for n in (4, 5))
    assert "outermost bins" in few.text[0]
    assert "median" in many.text[0]
    assert len(many.tables[0].rows) == 5


def test_normalised_scores_come_from_the_summary(quick: None, tmp_path: Path) -> None:
    rows = [item("transitive", str(k), k - 1.0) for k in range(4)]
    folder = write(tmp_path / "r", rows)
    sha256 = sha256_of(folder / "items.jsonl")
    write_summary(summarize(rows, signature="", model="model-a", ties="half", sha256=sha256), folder)
    table = overview.by_term_section(gather(read_results([folder]), resamples=10)).tables[-1]
    assert table.caption.startswith("Overall accuracy by normalised scores")
    assert {row[0]: row[1] for row in table.rows}["lp"] == "62.5"


def test_frequencies_are_those_of_the_lexicon_where_a_result_has_none() -> None:
    row = item("transitive", "0", 1.0).model_copy(update={"sentence_good": "The doctor praised zorks."})
    common = row.model_copy(update={"sentence_good": "The house praised zorks."})
    unknown = row.model_copy(update={"sentence_good": "Zorks."})
    found = with_frequencies(columns([row, common, unknown])).frequency
    assert found[0] < found[1] < 0
    assert np.isnan(found[2])
    given = columns([item("transitive", "0", 1.0, unigram=-42.0)])
    assert with_frequencies(given) is given


def test_a_constant_model_has_no_correlation(quick: None, tmp_path: Path) -> None:
    rows = [item(uid, str(k), float(k)) for uid in MANY for k in (1, 2)]
    section = overview.people(gather(read_results([write(tmp_path / "r", rows)])))
    assert isinstance(section, Section)
    assert list(section.tables[0].rows[0]) == ["model-a", "5-gram (published)", "–", "–"]


def test_models_of_different_phenomena_share_a_report(quick: None, tmp_path: Path) -> None:
    paths = [
        write(tmp_path / uid, [item(uid, str(k), k - 1.0, model=uid) for k in range(4)])
        for uid in ("transitive", "adjunct_island")
    ]
    table = overview.by_term_section(gather(read_results(paths), resamples=10)).tables[0]
    assert [row[0] for row in table.rows] == ["argument structure", "island effects", "overall"]
    assert [row[1] == "–" for row in table.rows] == [False, True, False]


def test_sample_pairs_are_marked_and_of_both_kinds(folders: Mapping[str, Path]) -> None:
    material = gather(read_results([folders["alpha"], folders["beta"]]))
    found = samples(material, 2)
    assert [paradigm.uid for paradigm in found] == sorted(MANY, key=lambda uid: (_term(uid), uid))
    for paradigm in found:
        assert [label for label, _ in paradigm.models] == ["alpha", "beta"]
        for label, pairs in paradigm.models:
            rows = material.models[label].of([paradigm.uid])
            wrong = int((rows.delta <= 0).sum())
            assert [pair.verdict for pair in pairs] == ["wrong"] * min(2, wrong) + ["right"] * min(2, 12 - wrong)
            assert all("<mark>arrives</mark>." in pair.good and "<mark>arrive</mark>." in pair.bad for pair in pairs)
    assert samples(material, 2) == found


def _term(uid: str) -> str:
    return item(uid, "0", 1.0).linguistics_term


def test_tables_say_what_the_rows_say(quick: None, tmp_path: Path) -> None:
    rows = [item("adjunct_island", str(k), 1.0 if k < 9 else -1.0) for k in range(10)]
    rows += [item("transitive", str(k), 1.0 if k < 5 else 0.0) for k in range(10)]
    material = gather(read_results([write(tmp_path / "r", rows)]), resamples=200)
    section = overview.by_term_section(material)
    table = {row[0]: list(row[1:]) for row in section.tables[0].rows}
    assert [cell.split(" ")[0] for cell in table["island effects"]] == ["90.0", "94.0", "89.4"]
    assert table["argument structure"] == ["75.0 [44.2, 91.9]", "99.0", "86.0"]
    assert table["overall"][0].startswith("82.5 [")
    assert table["overall"][1:] == ["96.5", "87.7"]


def test_comparisons_of_sets_have_a_table(quick: None, tmp_path: Path) -> None:
    rows = [
        item("x", "0", delta).model_copy(update={"pair_id": f"{k}-{name}", "comparison": name})
        for k in range(10)
        for name, delta in (("gi", 1.0), ("gu", 2.0 * (k % 2) - 1))
    ]
    section = overview.paradigms(gather(read_results([write(tmp_path / "sets", rows)])))
    (table,) = [table for table in section.tables if table.caption == "Comparisons of the sets"]
    assert [row[:4] for row in table.rows] == [["x", "gi", "model-a", "10"], ["x", "gu", "model-a", "10"]]
    assert [row[4].split(" ")[0] for row in table.rows] == ["100.0", "50.0"]


def test_what_is_not_given_is_said(folders: Mapping[str, Path], tmp_path: Path) -> None:
    strange = [item("mine", str(k), 1.0 if k % 3 else -1.0, words=5) for k in range(9)]
    material = gather(read_results([write(tmp_path / "strange", strange)]))
    missing = [
        overview.people(material),
        comparisons.contrasts(material),
        comparisons.curves(material),
        comparisons.paired(material),
        scores.methods(material),
    ]
    assert all(isinstance(part, Missing) for part in missing)
    whys = [part.why for part in missing if isinstance(part, Missing)]
    assert whys[0].startswith("0 of the paradigms have published human figures")
    assert whys[3] == "there is one model"
    assert "--method all" in whys[4]


def test_models_without_a_common_pair_are_not_compared(
    folders: Mapping[str, Path], quick: None, tmp_path: Path
) -> None:
    other = write(tmp_path / "other", [item("mine", str(k), 1.0, model="z") for k in range(4)])
    results = read_results([folders["alpha"], other])
    found = comparisons.paired(gather(results))
    assert isinstance(found, Missing)
    assert found.why == "no two models have scored the same pairs"
    assert "not of the same pairs" in render(results, resamples=10)


def test_paired_section_names_both_models(folders: Mapping[str, Path], quick: None) -> None:
    found = comparisons.paired(gather(read_results([folders["alpha"], folders["beta"]]), resamples=50))
    assert isinstance(found, Section)
    first = found.tables[0].rows[0]
    assert list(first[:4]) == ["alpha", "beta", "overall", str(12 * len(MANY))]
    assert float(first[6].split(" ")[0]) == pytest.approx(float(first[4]) - float(first[5]), abs=0.11)


@pytest.mark.parametrize(
    "model, revision, folder, expected",
    [
        ("org/m", "step3000", "r", ("step", 3000)),
        ("org/m", "step143k", "r", ("step", 143000)),
        ("runs/m/checkpoint-500", None, "r", ("checkpoint", 500)),
        ("babylm/m", "chck_10M", "r", ("checkpoint", 10_000_000)),
        ("local", None, "epoch_3", ("epoch", 3)),
        ("m", "iter_2", "r", ("iteration", 2)),
        ("gpt2", None, "results", None),
        ("m", "main", "r", None),
    ],
)
def test_names_of_checkpoints(
    model: str, revision: str | None, folder: str, expected: tuple[str, float] | None, tmp_path: Path
) -> None:
    (result,) = read_results([write(tmp_path / folder, [item("x", "0", 1.0, model=model, revision=revision)])])
    assert (result.stage[1:] if result.stage else None) == expected


def test_checkpoints_of_two_models_are_two_curves(tmp_path: Path) -> None:
    paths = [
        write(tmp_path / f"{model}{step}", [item("x", "0", 1.0, model=f"org/{model}", revision=f"step{step}")])
        for model in ("a", "b")
        for step in (20, 3)
    ]
    found = checkpoints(read_results(paths))
    assert {(curve.name, curve.unit, tuple(curve.results)) for curve in found} == {
        ("a", "step", (3, 20)),
        ("b", "step", (3, 20)),
    }
    assert list(gather(read_results(paths)).models) == ["a@step20", "b@step20"]


@pytest.mark.parametrize(
    "models, expected",
    [(["org/a", "org/b"], ["a", "b"]), (["one/a", "two/a"], ["one/a", "two/a"]), (["a", "a"], ["r0", "r1"])],
)
def test_labels_tell_results_apart(models: list[str], expected: list[str], tmp_path: Path) -> None:
    paths = [write(tmp_path / f"r{k}", [item("x", "0", 1.0, model=model)]) for k, model in enumerate(models)]
    assert [result.label for result in read_results(paths)] == expected


def test_wrong_calls_are_told_in_one_line(folders: Mapping[str, Path], tmp_path: Path) -> None:
    def told(kind: type[BlimpgenError], call: object, *arguments: object, **options: object) -> str:
        with pytest.raises(kind) as error:
            call(*arguments, **options)  # type: ignore[operator]
        assert "\n" not in str(error.value)
        return str(error.value)

    alpha = folders["alpha"]
    two = write(tmp_path / "two", [item("x", "0", 1.0, model="a"), item("x", "1", 1.0, model="b")])
    empty = write(tmp_path / "empty", [])
    same = write(tmp_path / "same", [item("x", "0", 0.0, credit=None)])
    assert "name the folder that `blimpgen verify -o` wrote" in told(DataError, read_results, [tmp_path / "none"])
    assert "is named twice" in told(UsageError, read_results, [alpha, alpha])
    assert "no result is named" in told(UsageError, read_results, [])
    assert "rows of 2 models" in told(DataError, read_results, [two])
    assert "no row" in told(DataError, read_results, [empty])
    assert "no pair is counted" in told(DataError, read_results, [same])
    prefix = write(tmp_path / "prefix", [item("x", "0", 1.0, model="p", method="two-prefix")])
    assert "no scoring method in common" in told(UsageError, gather, read_results([alpha, prefix]))
    there = tmp_path / "there.html"
    there.write_text("mine", encoding="utf-8")
    assert "add --overwrite" in told(UsageError, check_target, there)
    assert "is a folder; name a file" in told(UsageError, check_target, tmp_path)
    assert "no such folder" in told(UsageError, check_target, tmp_path / "no" / "report.html")
    assert there.read_text(encoding="utf-8") == "mine"


def test_the_command_writes_one_file(quick: None, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    results = write(tmp_path / "r", [item("transitive", str(k), k - 2.0) for k in range(6)])
    target = tmp_path / "report.html"
    with pytest.raises(SystemExit) as left:
        main(["report", str(results), "-o", str(target), "--title", "A title", "--resamples", "10", "--samples", "0"])
    out, err = capfd.readouterr()
    assert (left.value.code, out) == (0, "")
    assert err.startswith(f"{target}: 1 result, ")
    text = target.read_text(encoding="utf-8")
    assert "<h1>A title</h1>" in text
    assert 'id="samples"' not in text
    assert sorted(path.name for path in tmp_path.iterdir()) == ["r", "report.html"]
    with pytest.raises(SystemExit) as left:
        main(["report", str(results), "-o", str(target)])
    assert left.value.code == 2
    assert capfd.readouterr().err == f"{target} exists; name another file, or add --overwrite\n"


@pytest.mark.slow
def test_without_matplotlib_the_message_says_what_to_install(tmp_path: Path) -> None:
    """In a process of its own, in which matplotlib cannot be found."""
    code = """
import importlib.util, sys
find = importlib.util.find_spec
importlib.util.find_spec = lambda name, *rest: None if name == "matplotlib" else find(name, *rest)
sys.modules["matplotlib"] = None
from blimpgen.cli import main
main(["report", "results", "-o", "report.html"])
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "a report needs matplotlib, which is not installed: pip install 'blimpgen[report]'\n"


def test_numbers_are_written_the_same_way_everywhere() -> None:
    assert [percent(0.12345), percent(None), percent(float("nan")), percent(1)] == ["12.3", "–", "–", "100.0"]
    assert points(-0.0514) == "-5.1"
    interval = columns([item("x", "0", 1.0)])
    assert np.isnan(interval.frequency).all()
