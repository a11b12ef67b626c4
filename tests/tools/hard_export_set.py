"""A small data set that is hard to export: names with quotes, apostrophes, commas, tags and braces, and a design."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path
from typing import Any

from blimpgen.base.records import MinimalPair, Record, SentenceSet
from blimpgen.dataset import write_jsonl

NAMES = ("Zoë O'Hara", 'Ann "the Ant" Ames', "Smith, Jr.", "Tom & Tim", "<b>Bo</b>", "{{ Moustache }}", "</script> Kay")
METHODS = ("simple_LM_method", "one_prefix_method", "two_prefix_method")


def _keys(uid: str, term: str, field: str, method: str, **more: Any) -> dict[str, Any]:
    methods = {name: name in ("simple_LM_method", method) for name in METHODS}
    return {**more, "field": field, "linguistics_term": term, "UID": uid, **methods, "lexically_identical": False}


def _pair(k: int, good: str, bad: str, keys: dict[str, Any]) -> MinimalPair:
    return MinimalPair({"sentence_good": good, "sentence_bad": bad, **keys, "pairID": str(k)})


def _agreement(k: int, name: str) -> MinimalPair:
    prefix = f"{name}'s friends, all {k + 2},"
    keys = _keys(
        "agreement_with_commas",
        "agreement",
        "morphology",
        METHODS[1],
        one_prefix_prefix=prefix,
        one_prefix_word_good="sing",
        one_prefix_word_bad="sings",
        dependency_length=k,
    )
    return _pair(k, f"{prefix} sing.", f"{prefix} sings.", keys)


def _licensing(k: int, name: str) -> MinimalPair:
    keys = _keys(
        "ever_after_all",
        "polarity",
        "syntax_semantics",
        METHODS[2],
        two_prefix_prefix_good=f"Nobody {name} knows has",
        two_prefix_prefix_bad=f"Everybody {name} knows has",
        two_prefix_word="ever",
    )
    return _pair(k, f"Nobody {name} knows has ever left.", f"Everybody {name} knows has ever left.", keys)


def _plain(k: int, name: str) -> MinimalPair:
    return _pair(k, f"{name} slept.", f"Slept {name}.", _keys("word_order", "order", "syntax", METHODS[0]))


def _design(k: int, name: str) -> SentenceSet:
    sentences = {
        "wh_gap": f"I know who {name} saw.",
        "that_gap": f"I know that {name} saw.",
        "wh_full": f"I know who {name} saw Al.",
        "that_full": f"I know that {name} saw Al.",
    }
    pairs = [["gap", "wh_gap", "that_gap"], ["full", "that_full", "wh_full"]]
    names = {"condition": "c", "field": "syntax", "linguistics_term": "filler_gap", "UID": "gaps", "itemID": str(k)}
    return SentenceSet({"sentences": sentences, "pairs": pairs, **names})


def write_hard_set(folder: Path, *, design: bool = True) -> Path:
    """Write the set, one file a paradigm."""
    folder.mkdir(parents=True, exist_ok=True)
    for make in (_agreement, _licensing, _plain, *((_design,) if design else ())):
        records: list[Record] = [make(k, name) for k, name in enumerate(NAMES)]
        write_jsonl(records, folder / f"{records[0].uid}.jsonl")
    return folder


UPOS = frozenset(
    (
        "ADJ",
        "ADP",
        "ADV",
        "AUX",
        "CCONJ",
        "DET",
        "INTJ",
        "NOUN",
        "NUM",
        "PART",
        "PRON",
        "PROPN",
        "PUNCT",
        "SCONJ",
        "SYM",
        "VERB",
        "X",
    )
)
RELATIONS = frozenset(
    (
        "acl",
        "advcl",
        "advmod",
        "amod",
        "appos",
        "aux",
        "case",
        "cc",
        "ccomp",
        "clf",
        "compound",
        "conj",
        "cop",
        "csubj",
        "dep",
        "det",
        "discourse",
        "dislocated",
        "expl",
        "fixed",
        "flat",
        "goeswith",
        "iobj",
        "list",
        "mark",
        "nmod",
        "nsubj",
        "nummod",
        "obj",
        "obl",
        "orphan",
        "parataxis",
        "punct",
        "reparandum",
        "root",
        "vocative",
        "xcomp",
    )
)


def conllu(path: Path) -> list[tuple[dict[str, str], list[list[str]]]]:
    """The sentences of a CoNLL-U file, comments and words, each checked for what the format demands."""
    found = []
    text = path.read_text(encoding="utf-8")
    assert text.endswith("\n\n")
    for block in text.removesuffix("\n\n").split("\n\n"):
        lines = block.split("\n")
        comments = dict(line.removeprefix("# ").split(" = ", 1) for line in lines if line.startswith("#"))
        words = [line.split("\t") for line in lines if not line.startswith("#")]
        assert all(len(word) == 10 and all(word) for word in words), block
        assert [word[0] for word in words] == [str(k) for k in range(1, len(words) + 1)]
        assert {word[3] for word in words} <= UPOS, block
        assert {word[7].partition(":")[0] for word in words} <= RELATIONS, block
        for feats in (word[5].split("|") for word in words if word[5] != "_"):
            assert feats == sorted(set(feats)), block
            assert all(re.fullmatch(r"[A-Z][A-Za-z]*=[A-Z][a-z]*", feat) for feat in feats), block
        joined = "".join(word[1] + ("" if "SpaceAfter=No" in word[9] else " ") for word in words).strip()
        assert joined == comments["text"]
        heads = [int(word[6]) for word in words]
        assert [word[7] for word in words if word[6] == "0"] == ["root"], block
        for number in range(1, len(words) + 1):
            seen = set()
            while number:
                assert number not in seen, f"a circle: {block}"
                seen.add(number)
                number = heads[number - 1]
        found.append((comments, words))
    assert len({comments["sent_id"] for comments, _ in found}) == len(found)
    return found


def json_rows(path: Path) -> list[dict[str, Any]]:
    """The rows of a JSON Lines file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def csv_rows(path: Path) -> list[dict[str, str]]:
    """The rows of a CSV file."""
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))
