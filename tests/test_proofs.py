"""Proofs of sets: what is derived of every pair, and why a pair is not proven."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import orjson
import pytest

import blimpgen as bg
from blimpgen.audit import Proof, prove
from blimpgen.cli import main
from blimpgen.dataset import write_jsonl
from blimpgen.library import default_library

SAMPLE = Path(__file__).parents[2] / "shared" / "data" / "blimp_sample"
PAIRS = {
    "proven": ("The boys sleep.", "The boys sleeps."),
    "without-good": ("The men hurts Anna.", "The men hurting Anna."),
    "bad-listed": ("Anna said that Dan slept.", "Anna said Dan slept."),
    "other-variety": ("Anna admired herself.", "Anna admired themselves."),
    "doubtful-use": ("Anna knew what the guests could lift.", "Anna knew that the guests could lift."),
    "use-of-clothes": ("Anna knew what the guests could wear.", "Anna knew that the guests could wear."),
    "use-clothes-have": ("Anna knew that the shoes could shrink.", "Anna knew that the shoes could wear."),
    "use-in-context": ("Anna knew what the guests could find.", "Anna knew that the guests could find."),
    "use-with-context": ("Anna knew what the guests could find.", "Anna knew that the guests could sleep and find."),
    "excluded-subject": ("Anna envied the guests.", "The sandwich envied the guests."),
    "subject-of-another-kind": ("Anna attacked the guests.", "The storm attacked the guests."),
    "open-use": ("Anna knew what the guests could mend.", "Anna knew that the guests could mend."),
    "unknown": ("The boys sleep.", "The boys glorped."),
    "too-long": ("The boys sleep" + " and sleep" * 60 + ".", "The boys sleeps."),
}


def written(folder: Path, pairs: Mapping[str, tuple[str, str]]) -> Path:
    """A file of pairs in the least form that is read: no field but the sentences and the number."""
    path = folder / "mine.jsonl"
    rows = [{"sentence_good": g, "sentence_bad": b, "pairID": name} for name, (g, b) in pairs.items()]
    path.write_bytes(b"\n".join(map(orjson.dumps, rows)) + b"\n")
    return path


@pytest.fixture(scope="module")
def proofs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Proof]:
    path = written(tmp_path_factory.mktemp("proofs"), PAIRS)
    return {proof.pair_id: proof for proof in prove(path, default_library())}


def test_every_pair_has_its_outcome(proofs: dict[str, Proof]) -> None:
    assert {name: proof.outcome for name, proof in proofs.items()} == {
        "proven": "proven",
        "without-good": "good not derived",
        "bad-listed": "bad derived",
        "other-variety": "bad derived",
        "doubtful-use": "bad derived",
        "use-of-clothes": "proven",
        "use-clothes-have": "bad derived",
        "use-in-context": "proven",
        "use-with-context": "bad derived",
        "excluded-subject": "proven",
        "subject-of-another-kind": "bad derived",
        "open-use": "unknown words",
        "unknown": "unknown words",
        "too-long": "good not derived",
    }


def test_the_evidence_says_why(proofs: dict[str, Proof]) -> None:
    assert proofs["without-good"].clashes[0].startswith("VP 'hurts Anna' has Number=Sing")
    assert "(DP The men)" in proofs["without-good"].constituents
    assert proofs["bad-listed"].tree.startswith("(TOP (S (DP (Name Anna))")
    assert proofs["bad-listed"].rests_on == ()
    assert proofs["other-variety"].rests_on == ("themselves: phi=They",)
    assert proofs["doubtful-use"].rests_on == ("lift: frame=V",)
    assert proofs["open-use"].rests_on == ("mend: frame=V",)
    assert "(V mend)" in proofs["open-use"].tree
    assert proofs["unknown"].unknown == ("glorped",)
    assert "a sentence has at most 100" in proofs["too-long"].clashes[0]


def test_a_fault_of_the_set_is_told_from_one_of_the_grammar(proofs: dict[str, Proof]) -> None:
    # guards object to "The men hurts"; some speakers have "Anna admired themselves"; "said Dan slept" is everybody's
    assert proofs["without-good"].fault == "label wrong"
    assert proofs["other-variety"].fault == "label doubtful"
    assert proofs["use-clothes-have"].fault == "label doubtful"
    assert proofs["bad-listed"].fault == ""
    assert {proof.fault for proof in proofs.values() if proof.outcome in ("proven", "unknown words")} == {""}


def test_processes_change_nothing(tmp_path: Path) -> None:
    rows = {f"{name}-{k}": pair for k in range(8) for name, pair in list(PAIRS.items())[:4]}
    path = written(tmp_path, rows)
    assert list(prove(path, default_library(), jobs=2)) == list(prove(path, default_library()))


def call(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        main(["prove", *arguments])
    return int(ended.value.code or 0), *capsys.readouterr()


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = call(capsys, str(written(tmp_path, PAIRS)))
    assert code == 1
    assert out == (
        "mine: 14 pairs, 4 proven, 2 good not derived (1 a fault of the set), 6 bad derived (4 a fault of the set), "
        "2 unknown words\n"
    )
    assert err.startswith("14 pairs: 4 proven")
    code, out, _ = call(capsys, str(written(tmp_path, {"0": PAIRS["proven"], "1": PAIRS["unknown"]})), "--json")
    assert code == 0
    assert [orjson.loads(line)["outcome"] for line in out.splitlines()] == ["proven", "unknown words"]
    code, out, err = call(capsys, str(tmp_path / "none"))
    assert code != 0
    assert out == ""
    assert err.endswith("no such file or directory; name a data set; `blimpgen generate -o DIR` makes one\n")


def outcomes(suite: str, n: int, seed: int, folder: Path) -> dict[str, Counter[str]]:
    counts: dict[str, Counter[str]] = {}
    for uid in bg.list_paradigms(suite=suite):
        path = folder / f"{uid}.jsonl"
        write_jsonl(bg.generate(uid, n=n, seed=seed), path)
        if default_library().paradigm(uid).model.derivable is None:
            counts[uid] = Counter(proof.outcome for proof in prove(path, default_library()))
    return counts


@pytest.mark.slow
@pytest.mark.parametrize("suite", ["blimp", "blimp_rejected", "designs"])
def test_our_own_sets_are_proven(suite: str, tmp_path: Path) -> None:
    for uid, counts in outcomes(suite, 50, 3, tmp_path).items():
        assert set(counts) == {"proven"}, uid


ARGUMENT_STRUCTURE = "argument_structure"


@pytest.mark.slow
@pytest.mark.skipif(not SAMPLE.is_dir(), reason="needs the sample of the release")
def test_the_release_is_derived() -> None:
    """Of the pairs whose words are known, nearly all good sentences; of the bad ones that rest on structure, few."""
    proofs = list(prove(SAMPLE, default_library()))
    known = [proof for proof in proofs if not proof.unknown]
    assert len(known) > 13_000
    assert sum(not proof.constituents for proof in known) > 0.95 * len(known)
    structure = [p for p in known if field_of(p.uid) != ARGUMENT_STRUCTURE]
    derived = [p for p in structure if p.tree]
    # three in a thousand are read as *had somebody watched*, and three as two objects (*cleaned us some fish*)
    assert len(derived) < 0.085 * len(structure)
    ours = [p for p in derived if not p.fault]
    assert len(ours) <= 0.025 * (len(structure) - len(derived) + len(ours))
    underived = [p for p in known if p.outcome == "good not derived"]
    assert sum(not p.fault for p in underived) < 0.05 * len(underived)
    # what rests on uses that the lexicon lists or knows of some speakers is a fault of the release
    unsettled = [p for p in derived if p.outcome == "unknown words"]
    assert len(unsettled) < 0.0075 * (len(structure) - len(derived) + len(unsettled))


def field_of(uid: str) -> str:
    return default_library().paradigm(uid).document.path.parent.name
