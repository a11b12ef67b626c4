"""The corrected edition: what stays, what is repaired, what is drawn, and what stands in its errata."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from blimpgen.audit import Severity, audit, correct
from blimpgen.audit import correction as module
from blimpgen.audit.correction import ERRATA
from blimpgen.base.errors import DataError, UsageError
from blimpgen.library import Library
from tests.conftest import Call

LABEL = (Severity.WRONG, Severity.DOUBTFUL)
SET = {
    "regular_plural_subject_verb_agreement_1": [
        ("The bakers hug Anna.", "The bakers hugs Anna."),
        ("The bakers hugs Robert.", "The bakers hug Robert."),
        ("The judges hurt Anna.", "The judge hurt Anna."),
    ],
    "determiner_noun_agreement_1": [("The bakers admires this vase.", "The bakers admires this vases.")],
    "ellipsis_n_bar_2": [
        (
            "Anna praised one actor and Robert praised two generous actor.",
            "Anna praised one famous actor and Robert praised two generous.",
        )
    ],
    "transitive": [
        ("The baker hugged Anna.", "The baker yawned Anna."),
        ("The baker hugged Robert.", "The baker joked around Robert."),
    ],
    "mine": [("The baker  hugged Anna.", "The baker compromised Anna."), ("Anna hug Robert.", "Robert hug Anna.")],
}


def lines_of(uid: str) -> list[str]:
    """The lines of a file of a small release, with keys of its own and blanks that no program of ours writes."""
    rows: list[dict[str, Any]] = []
    for number, (good, bad) in enumerate(SET[uid]):
        row = {"sentence_good": good, "sentence_bad": bad, "field": "syntax", "UID": uid, "pairID": str(number)}
        if uid == "determiner_noun_agreement_1":
            prefix = good.rsplit(" ", 1)[0]
            row |= {"one_prefix_prefix": prefix, "one_prefix_word_good": "vase", "one_prefix_word_bad": "vases"}
        rows.append(row)
    return [json.dumps(row) for row in rows]


@pytest.fixture
def release(tmp_path: Path) -> Path:
    folder = tmp_path / "release"
    folder.mkdir()
    for uid in SET:
        (folder / f"{uid}.jsonl").write_text("".join(line + "\n" for line in lines_of(uid)), encoding="utf-8")
    return folder


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_the_corrected_edition(call: Call, release: Path, tmp_path: Path, library: Library) -> None:
    told = call("correct", release, "-o", tmp_path / "new")
    assert told.code == 0
    assert told.err == f"{tmp_path / 'new'}: 2 unchanged, 3 repaired, 2 drawn, 2 left\n"
    assert "transitive.jsonl: 1 unchanged, 1 drawn\n" in told.out
    errata = {(item["UID"], item["pairID"]): item for item in rows(tmp_path / "new" / ERRATA)}
    for uid in SET:
        old = lines_of(uid)
        new = (tmp_path / "new" / f"{uid}.jsonl").read_text(encoding="utf-8").splitlines()
        assert len(new) == len(old)
        for was, is_now in zip(old, new, strict=True):
            item = errata.get((uid, json.loads(was)["pairID"]))
            assert (was == is_now) is (item is None or item["how"] == "left")
            assert list(json.loads(was)) == list(json.loads(is_now))
        clean = [row for row in map(json.loads, new) if errata.get((uid, row["pairID"]), {}).get("how") != "left"]
        assert not [finding for finding in audit(clean, library) if finding.severity in LABEL]
    agreement = errata["regular_plural_subject_verb_agreement_1", "1"]
    assert (agreement["how"], agreement["reason"][0]["code"]) == ("repaired", "bad-agrees")
    assert agreement["new"] == {"sentence_good": "The bakers hug Robert.", "sentence_bad": "The bakers hugs Robert."}
    noun = errata["ellipsis_n_bar_2", "0"]["new"]["sentence_good"]
    assert noun == "Anna praised one actor and Robert praised two generous actors."
    [demonstrative] = rows(tmp_path / "new" / "determiner_noun_agreement_1.jsonl")
    assert demonstrative["sentence_bad"] == "The bakers admire this vases."
    assert demonstrative["one_prefix_prefix"] == "The bakers admire this"
    assert errata["transitive", "1"]["how"] == "drawn"
    assert errata["mine", "1"]["new"] is None


def test_the_same_call_gives_the_same_bytes_and_goes_on_where_it_stopped(
    release: Path, tmp_path: Path, library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    correct(release, tmp_path / "whole", library)
    other = correct(release, tmp_path / "other", library, seed=1)
    assert other.drawn == 2

    def interrupted(name: str, _counts: object) -> None:
        if name.startswith("mine"):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        correct(release, tmp_path / "new", library, done=interrupted)
    assert not (tmp_path / "new" / ERRATA).exists()
    made: list[str] = []
    corrected_file = module._corrected_file

    def counted(source: Path, target: Path, library: Library, seed: int) -> Any:
        made.append(source.name)
        return corrected_file(source, target, library, seed)

    monkeypatch.setattr(module, "_corrected_file", counted)
    correct(release, tmp_path / "new", library)
    names = sorted(f"{uid}.jsonl" for uid in SET)
    assert made == names[names.index("mine.jsonl") + 1 :]
    for name in (*names, ERRATA):
        assert (tmp_path / "new" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()
    differing = [n for n in names if (tmp_path / "other" / n).read_bytes() != (tmp_path / "whole" / n).read_bytes()]
    assert "transitive.jsonl" in differing


def test_refusals(release: Path, tmp_path: Path, library: Library, call: Call) -> None:
    correct(release, tmp_path / "new", library)
    with pytest.raises(UsageError, match="holds a correction of other data"):
        correct(release, tmp_path / "new", library, seed=1)
    assert correct(release, tmp_path / "new", library, seed=1, overwrite=True).drawn == 2
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "precious.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(UsageError, match=r"is not empty \(precious.txt\)"):
        correct(release, tmp_path / "full", library, overwrite=True)
    assert call("correct", tmp_path / "none", "-o", tmp_path / "x").code == 2
    assert not (tmp_path / "x").exists()
    line = json.dumps({"sentences": {"a": "A.", "b": "B."}, "pairs": [["x", "a", "b"]], "UID": "s", "itemID": "0"})
    (tmp_path / "sets").mkdir()
    (tmp_path / "sets" / "s.jsonl").write_text(line + "\n", encoding="utf-8")
    with pytest.raises(DataError, match="only pairs are corrected"):
        correct(tmp_path / "sets", tmp_path / "y", library)


@pytest.mark.slow
def test_the_sample_of_the_release(shared_data: Path, tmp_path: Path, library: Library) -> None:
    source = shared_data / "blimp_sample"
    counts = correct(source, tmp_path / "new", library)
    assert sum(vars(counts).values()) == 67 * 200
    # A linguist's reading finds some 11.5 % of the labels wrong or doubtful; what is changed goes little beyond.
    assert (counts.left, counts.unchanged > 0.85 * 67 * 200, counts.repaired > 100) == (0, True, True)
    changed = {(item["UID"], item["pairID"]) for item in rows(tmp_path / "new" / ERRATA)}
    for path in source.glob("*.jsonl"):
        new = (tmp_path / "new" / path.name).read_bytes().splitlines()
        for was, is_now in zip(path.read_bytes().splitlines(), new, strict=True):
            old, row = json.loads(was), json.loads(is_now)
            assert list(old) == list(row)
            assert (old["UID"], old["pairID"]) == (row["UID"], row["pairID"])
            assert (was == is_now) is ((row["UID"], row["pairID"]) not in changed)
    fresh = [row for path in (tmp_path / "new").glob("*_*.jsonl") for row in rows(path)]
    assert not [finding for finding in audit(fresh, library) if finding.severity in LABEL]
