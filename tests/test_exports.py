"""Exports against their stated formats: nothing lost, nothing overwritten. Real readers: test_exports_consumers."""

from __future__ import annotations

import contextlib
import csv
import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

import blimpgen as bg
from blimpgen.base.errors import DataError, UsageError
from blimpgen.dataset import Arguments, read_manifest, write_set
from blimpgen.dataset.row_lines import plain_text
from blimpgen.exports import FORMATS, Options, Source, find_format, read_source, write_export
from blimpgen.exports.babylm import FAST
from blimpgen.exports.dependencies import dependencies
from blimpgen.exports.formats import RECORD
from blimpgen.exports.phrase_trees import Phrase
from blimpgen.library import Library
from hard_export_set import NAMES, conllu, csv_rows, json_rows, write_hard_set
from ud_rules import Token, faults, tokens

HUB = [
    "sentence_good",
    "sentence_bad",
    "field",
    "linguistics_term",
    "UID",
    "simple_LM_method",
    "one_prefix_method",
    "two_prefix_method",
    "lexically_identical",
    "pair_id",
]
GRAMMARS = Path(__file__).resolve().parent.parent / "grammars" / "english"
FIXTURES = Path(__file__).parent / "fixtures"
UIDS = ["agreement_with_commas", "ever_after_all", "gaps", "word_order"]

Export = Callable[..., Path]


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Source:
    return read_source(write_hard_set(tmp_path_factory.mktemp("hard")))


@pytest.fixture
def export(source: Source, tmp_path: Path) -> Export:
    def run(format: str, *, of: Source = source, overwrite: bool = False, **options: Any) -> Path:
        write_export(of, find_format(format), tmp_path / "out", Options(**options), overwrite=overwrite)
        return tmp_path / "out"

    return run


def pairs(source: Source) -> list[tuple[str, str, str, str]]:
    return [
        (uid, row["pairID"], row["sentence_good"], row["sentence_bad"])
        for uid, rows in source.rows.items()
        for row in rows
    ]


def test_csv_holds_every_key_of_every_pair(source: Source, export: Export) -> None:
    rows = csv_rows(export("csv"))
    assert [(r["UID"], r["pairID"], r["sentence_good"], r["sentence_bad"]) for r in rows] == pairs(source)
    first = rows[0]
    assert next(iter(first)) == "sentence_good"
    assert list(first)[-1] == "pairID"
    assert (first["one_prefix_word_bad"], first["two_prefix_word"], first["simple_LM_method"]) == ("sings", "", "true")
    assert {(r["comparison"], r["itemID"]) for r in rows if r["UID"] == "gaps"} == {
        (name, str(k)) for name in ("gap", "full") for k in range(len(NAMES))
    }


def test_txt_has_the_bad_sentence_first(source: Source, export: Export) -> None:
    folder = export("txt")
    for uid in UIDS:
        lines = (folder / f"{uid}.txt").read_text(encoding="utf-8").splitlines()
        assert lines == [row[key] for row in source.rows[uid] for key in ("sentence_bad", "sentence_good")]


def test_minicons_columns_are_arguments_of_its_scorers(export: Export) -> None:
    rows = {(row["UID"], row["pair_id"]): row for row in csv_rows(export("minicons"))}
    one, two, none = rows["agreement_with_commas", "1"], rows["ever_after_all", "1"], rows["word_order", "1"]
    assert f"{one['prefix_good']} {one['word_good']}." == one["sentence_good"]
    assert f"{one['prefix_bad']} {one['word_bad']}." == one["sentence_bad"]
    assert two["sentence_good"].startswith(f"{two['prefix_good']} {two['word_good']}")
    assert two["sentence_bad"].startswith(f"{two['prefix_bad']} {two['word_bad']}")
    assert two["word_good"] == two["word_bad"] == "ever"
    assert {none[f"{part}_{side}"] for part in ("prefix", "word") for side in ("good", "bad")} == {""}


def test_babylm_layout(source: Source, export: Export) -> None:
    folder = export("babylm")
    full, fast = folder / "full_eval" / "blimp_filtered", folder / "fast_eval" / "blimp_fast"
    for part in (full, fast):
        assert sorted(path.name for path in part.iterdir()) == [f"{uid}.jsonl" for uid in UIDS]
    for uid in UIDS:
        rows = json_rows(full / f"{uid}.jsonl")
        assert [{**row} for row in source.rows[uid]] == rows
        assert json_rows(fast / f"{uid}.jsonl") == rows[:FAST]
        assert all(row["UID"] == uid for row in rows)
        assert all({"sentence_good", "sentence_bad", "field", "linguistics_term"} <= row.keys() for row in rows)


def test_babylm_refuses_a_dot_in_a_uid(tmp_path: Path, export: Export) -> None:
    row = {
        "sentence_good": "A.",
        "sentence_bad": "B.",
        "UID": "a.b",
        "pairID": "0",
        "field": "f",
        "linguistics_term": "t",
    }
    (tmp_path / "a.b.jsonl").write_text(json.dumps(row))
    with pytest.raises(DataError, match=r"'a\.b' has a dot"):
        export("babylm", of=read_source(tmp_path / "a.b.jsonl"))
    assert not (tmp_path / "out").exists()


def test_fast_evaluation_is_cut(tmp_path: Path, export: Export) -> None:
    rows = [
        {
            "sentence_good": f"{k} a.",
            "sentence_bad": f"{k} b.",
            "UID": "u",
            "pairID": str(k),
            "field": "f",
            "linguistics_term": "t",
        }
        for k in range(250)
    ]
    (tmp_path / "u.jsonl").write_text("\n".join(map(json.dumps, rows)))
    folder = export("babylm", of=read_source(tmp_path))
    assert json_rows(folder / "fast_eval" / "blimp_fast" / "u.jsonl") == rows[:200]
    assert len(json_rows(folder / "full_eval" / "blimp_filtered" / "u.jsonl")) == 250


def test_lm_eval_files(source: Source, export: Export) -> None:
    folder = export("lm-eval", name="mine")
    template = yaml.safe_load((folder / "_mine_template_yaml").read_text())
    assert template["target_delimiter"] == template["doc_to_text"] == ""
    assert (template["test_split"], template["doc_to_target"], template["num_fewshot"]) == ("train", 0, 0)
    for uid in UIDS:
        task = yaml.safe_load((folder / f"{uid}.yaml").read_text())
        assert (task["include"], task["task"]) == ("_mine_template_yaml", f"mine_{uid}")
        data = Path(task["dataset_kwargs"]["data_files"])
        assert data == (folder / "data" / f"{uid}.jsonl").resolve()
        assert [(r["sentence_good"], r["sentence_bad"]) for r in json_rows(data)] == [
            p[2:] for p in pairs(source) if p[0] == uid
        ]
    groups = {path.name: yaml.safe_load(path.read_text()) for path in folder.glob("_mine*.yaml")}
    assert groups["_mine.yaml"]["task"] == [f"mine_{uid}" for uid in UIDS]
    assert groups["_mine_field_syntax.yaml"]["task"] == ["mine_gaps", "mine_word_order"]
    assert groups["_mine_term_polarity.yaml"]["task"] == ["mine_ever_after_all"]
    assert len(groups) == 1 + 4 + 3
    for group in groups.values():
        assert {m["metric"] for m in group["aggregate_metric_list"]} == {"acc", "acc_norm", "acc_bytes"}
        assert not any(m["weight_by_size"] for m in group["aggregate_metric_list"])


def test_lm_eval_names_are_task_names(export: Export) -> None:
    with pytest.raises(UsageError, match="--name 'my set': names of tasks have letters"):
        export("lm-eval", name="my set")


def _card(folder: Path) -> dict[str, Any]:
    head = re.match(r"---\n(.*?)\n---\n", (folder / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    assert head
    card: dict[str, Any] = yaml.safe_load(head[1])
    return card


@pytest.mark.parametrize("keep_prefix", [False, True])
def test_hf_card_describes_the_columns(export: Export, keep_prefix: bool) -> None:
    folder = export("hf", name="A set: ours", keep_prefix=keep_prefix)
    card = _card(folder)
    assert (card["license"], card["language"], card["pretty_name"]) == ("cc-by-4.0", ["en"], "A set: ours")
    assert card["size_categories"] == ["n<1K"]
    for config, info in zip(card["configs"], card["dataset_info"], strict=True):
        uid = config["config_name"]
        assert info["config_name"] == uid
        (data,) = config["data_files"]
        rows = json_rows(folder / data["path"])
        names = [feature["name"] for feature in info["features"]]
        assert all(list(row) == names for row in rows)
        more = {
            "agreement_with_commas": [
                "one_prefix_prefix",
                "one_prefix_word_good",
                "one_prefix_word_bad",
                "dependency_length",
            ],
            "ever_after_all": ["two_prefix_prefix_good", "two_prefix_prefix_bad", "two_prefix_word"],
            "gaps": ["condition", "comparison", "itemID"],
        }
        assert names == HUB + (more.get(uid, []) if keep_prefix else [])
        split = info["splits"][0]
        assert (split["name"], split["num_examples"]) == ("train", len(rows))
        assert split["num_bytes"] == (folder / data["path"]).stat().st_size
        dtypes = {feature["name"]: feature["dtype"] for feature in info["features"]}
        assert dtypes["pair_id"] == "int32"
        assert dtypes["simple_LM_method"] == "bool"
        assert dtypes.get("dependency_length", "int64") == "int64"
    assert [config["config_name"] for config in card["configs"]] == UIDS


def test_hub_formats_need_numbers_and_the_same_keys(tmp_path: Path, export: Export) -> None:
    row = {
        "sentence_good": "A.",
        "sentence_bad": "B.",
        "UID": "u",
        "pairID": "first",
        "field": "f",
        "linguistics_term": "t",
        "lexically_identical": True,
        **dict.fromkeys(("simple_LM_method", "one_prefix_method", "two_prefix_method"), False),
    }
    (tmp_path / "u.jsonl").write_text(json.dumps(row))
    with pytest.raises(DataError, match="pairID 'first' is not a number"):
        export("hf", of=read_source(tmp_path))
    (tmp_path / "u.jsonl").write_text(json.dumps({**row, "pairID": "9" * 5000}))
    with pytest.raises(DataError, match="is not a number"):
        export("hf", of=read_source(tmp_path))
    rows = [{**row, "pairID": "0"}, {**row, "pairID": "1", "crucial_item": "x"}]
    (tmp_path / "u.jsonl").write_text("\n".join(map(json.dumps, rows)))
    with pytest.raises(DataError, match="row 1 has other keys"):
        export("hf", of=read_source(tmp_path), keep_prefix=True)
    del rows[1]["field"]
    (tmp_path / "u.jsonl").write_text("\n".join(map(json.dumps, rows)))
    with pytest.raises(DataError, match="u, pair 1 has no 'field', which this format needs"):
        export("hf", of=read_source(tmp_path))


def test_croissant_describes_every_file(export: Export) -> None:
    folder = export("croissant", name="mine")
    description = json.loads((folder / "croissant.json").read_text(encoding="utf-8"))
    written = json.loads((folder / RECORD).read_text())["files"]
    assert (description["name"], description["conformsTo"]) == ("mine", "http://mlcommons.org/croissant/1.0")
    assert {o["contentUrl"]: o["sha256"] for o in description["distribution"]} == {
        f"data/{uid}.jsonl": written[f"data/{uid}.jsonl"] for uid in UIDS
    }
    for records in description["recordSet"]:
        uid = records["name"]
        columns = {field["source"]["extract"]["column"]: field["dataType"] for field in records["field"]}
        assert list(columns)[: len(HUB)] == HUB
        assert columns["pair_id"] == "sc:Integer"
        assert columns["simple_LM_method"] == "sc:Boolean"
        assert records["key"] == {"@id": f"{uid}/pair_id"}
        assert set(json_rows(folder / "data" / f"{uid}.jsonl")[0]) == set(columns)


TERM = r"\((\d+|\*);%[\w-]+%\)"
FORMULA = re.compile(rf"{TERM}( [+-] {TERM})* [<>=] {TERM}( [+-] {TERM})*")


def suite(path: Path) -> dict[str, Any]:
    """A SyntaxGym suite, checked against what is written of its format."""
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    assert found.keys() == {"meta", "region_meta", "predictions", "items"}
    assert found["meta"]["name"] == path.stem
    assert found["meta"]["metric"] in ("sum", "mean", "median", "range", "max", "min")
    numbers = list(range(1, len(found["region_meta"]) + 1))
    assert list(found["region_meta"]) == [str(k) for k in numbers]
    names = [c["condition_name"] for c in found["items"][0]["conditions"]]
    assert all(re.fullmatch(r"[A-Za-z0-9_-]+", name) for name in names)
    for number, item in enumerate(found["items"], start=1):
        assert item["item_number"] == number
        assert [c["condition_name"] for c in item["conditions"]] == names
        for condition in item["conditions"]:
            assert [r["region_number"] for r in condition["regions"]] == numbers
            assert all(r["content"] == r["content"].strip() for r in condition["regions"])
    assert found["predictions"]
    for prediction in found["predictions"]:
        assert prediction["type"] == "formula"
        assert FORMULA.fullmatch(prediction["formula"])
        assert set(re.findall(r"%([\w-]+)%", prediction["formula"])) <= set(names)
    return found


def texts(found: dict[str, Any]) -> list[dict[str, str]]:
    return [
        {c["condition_name"]: " ".join(r["content"] for r in c["regions"] if r["content"]) for c in item["conditions"]}
        for item in found["items"]
    ]


def formulas(found: dict[str, Any]) -> list[str]:
    return [prediction["formula"] for prediction in found["predictions"]]


def test_syntaxgym_suites_of_pairs(source: Source, export: Export) -> None:
    folder = export("syntaxgym")
    suites = {uid: suite(folder / f"{uid}.json") for uid in UIDS}
    for uid in set(UIDS) - {"gaps"}:
        assert texts(suites[uid]) == [
            {"good": row["sentence_good"], "bad": row["sentence_bad"]} for row in source.rows[uid]
        ]
        assert list(suites[uid]["region_meta"].values()) == ["prefix", "critical", "rest"]
    assert formulas(suites["agreement_with_commas"]) == formulas(suites["ever_after_all"]) == ["(2;%bad%) > (2;%good%)"]
    assert formulas(suites["word_order"]) == ["(*;%bad%) > (*;%good%)"]
    good, bad = (c["regions"] for c in suites["ever_after_all"]["items"][0]["conditions"])
    assert [r["content"] for r in good] == ["Nobody Zoë O'Hara knows has", "ever", "left."]
    assert [r["content"] for r in bad] == ["Everybody Zoë O'Hara knows has", "ever", "left."]


def test_syntaxgym_suites_of_designs(source: Source, export: Export) -> None:
    found = suite(export("syntaxgym") / "gaps.json")
    assert texts(found) == [dict(record.sentences) for record in source.records["gaps"]]
    assert formulas(found) == ["(*;%that_gap%) > (*;%wh_gap%)", "(*;%wh_full%) > (*;%that_full%)"]


def test_syntaxgym_takes_regions_of_designs(library: Library, tmp_path: Path, export: Export) -> None:
    paradigm = library.paradigm("filler_gap_2x2")
    write_set(library, Arguments(targets=(paradigm.uid,), n=4, metadata=True), tmp_path / "set")
    source = read_source(tmp_path / "set")
    found = suite(export("syntaxgym", of=source) / "filler_gap_2x2.json")
    assert list(found["region_meta"].values()) == paradigm.model.regions
    assert formulas(found) == paradigm.model.predictions
    assert texts(found) == [dict(record.sentences) for record in source.records[paradigm.uid]]
    first = {c["condition_name"]: [r["content"] for r in c["regions"]] for c in found["items"][0]["conditions"]}
    assert first["wh_full"][1] != first["that_full"][1] == "that"
    assert first["wh_gap"][3] == "" != first["wh_full"][3]


def test_syntaxgym_refuses_a_design_whose_regions_were_not_written(
    library: Library, tmp_path: Path, export: Export
) -> None:
    write_set(library, Arguments(targets=("filler_gap_2x2",), n=4), tmp_path / "set")
    with pytest.raises(DataError, match=r"filler_gap_2x2 has no regions; generate the set with --metadata"):
        export("syntaxgym", of=read_source(tmp_path / "set"))


def _with_metadata(folder: Path, **metadata: Any) -> Source:
    row = {
        "sentences": {"a": "A b.", "c": "C d."},
        "pairs": [["x", "a", "c"]],
        "UID": "u",
        "itemID": "0",
        "metadata": {
            "regions": {"a": [["1", "A"], ["2", "b."]], "c": [["1", "C"], ["2", "d."]]},
            "predictions": ["(2;%c%) > (2;%a%)"],
            **metadata,
        },
    }
    (folder / "u.jsonl").write_text(json.dumps(row))
    return read_source(folder)


def test_syntaxgym_checks_regions_and_predictions(tmp_path: Path, export: Export) -> None:
    assert suite(export("syntaxgym", of=_with_metadata(tmp_path)) / "u.json")
    with pytest.raises(DataError, match=r"regions of the sentence 'c' do not give 'C d\.'"):
        export(
            "syntaxgym",
            of=_with_metadata(tmp_path, regions={"a": [["1", "A b."]], "c": [["1", "C d"]]}),
            overwrite=True,
        )
    with pytest.raises(DataError, match="is about 'b'; there are: a, c"):
        export("syntaxgym", of=_with_metadata(tmp_path, predictions=["(2;%b%) > (2;%a%)"]), overwrite=True)
    for region in ("3", "9" * 5000):
        with pytest.raises(DataError, match=rf"is about region {region[:20]}; there are 2"):
            export("syntaxgym", of=_with_metadata(tmp_path, predictions=[f"({region};%c%) > (2;%a%)"]), overwrite=True)


def test_trees_stand_line_by_line(library: Library, tmp_path: Path, export: Export) -> None:
    write_set(library, Arguments(targets=("transitive", "simple_agrmt"), n=6, metadata=True), tmp_path / "set")
    source = read_source(tmp_path / "set")
    folder = export("trees", of=source)
    for uid, records in source.records.items():
        for name in ("good", "bad"):
            lines = (folder / f"{uid}.{name}.mrg").read_text(encoding="utf-8").splitlines()
            assert len(lines) == len(records)
            for line, record in zip(lines, records, strict=True):
                assert line.count("(") == line.count(")")
                words = " ".join(re.findall(r"(?<= )[^()]+(?=\))", line))
                glued = re.sub(r" (?=[.?!,]|'s\b|' )", "", words)
                assert glued.lower() == record.sentences[name].lower()
                assert line.startswith("(TOP " if uid == "transitive" else "(* (X ")


def relations(words: list[list[str]]) -> str:
    """Each word with its lemma, part of speech, relation and head."""
    forms = ["ROOT", *(word[1] for word in words)]
    return " ".join(f"{w[1]}/{w[2]}/{w[3]}/{w[7]}:{forms[int(w[6])]}" for w in words)


ANALYSED = (
    "distractor_agreement_relational_noun",
    "existential_there_subject_raising",
    "expletive_it_object_raising",
    "passive_1",
    "wh_questions_object_gap",
)


def test_conllu_has_the_features_that_words_were_drawn_with(library: Library, tmp_path: Path, export: Export) -> None:
    uid = "regular_plural_subject_verb_agreement_1"
    write_set(library, Arguments(targets=(uid,), n=20, metadata=True), tmp_path / "set")
    sentences = conllu(export("conllu", of=read_source(tmp_path / "set")))
    good, bad = ([words for comments, words in sentences if comments["sentence"] == side] for side in ("good", "bad"))
    assert {word[5] for words in good for word in words if word[3] == "NOUN"} <= {"Number=Sing", "Number=Plur", "_"}
    for better, worse in zip(good, bad, strict=True):
        ((before, after),) = [
            (one[5], other[5]) for one, other in zip(better, worse, strict=True) if one[1] != other[1]
        ]
        assert re.fullmatch(r"Mood=Ind\|(Polarity=Neg\|)?Tense=(Past|Pres)\|VerbForm=Fin", before)
        assert after == "_"
        assert all(one[5] == other[5] for one, other in zip(better, worse, strict=True) if one[1] == other[1])


def test_conllu_is_valid_and_says_what_depends_on_what(library: Library, tmp_path: Path, export: Export) -> None:
    write_set(
        library, Arguments(targets=(*ANALYSED, "filler_gap_2x2", "simple_agrmt"), n=6, metadata=True), tmp_path / "set"
    )
    source = read_source(tmp_path / "set")
    sentences = conllu(export("conllu", of=source))
    assert [(c["UID"], c["pair_id"], c["sentence"], c["text"]) for c, _ in sentences] == [
        (uid, str(k), name, text)
        for uid, records in source.records.items()
        for k, record in enumerate(records)
        for name, text in record.sentences.items()
    ]
    found = {}
    for comments, words in sentences:
        if comments["tree"].startswith("(TOP "):
            assert not {"dep", "X"} & {word[column] for word in words for column in (3, 7)}, comments["tree"]
            found.setdefault(comments["UID"], relations(words))
        else:
            assert all(word[7] != "nsubj" for word in words)
    assert found["distractor_agreement_relational_noun"].split()[2].startswith("of/of/ADP/case:")
    assert "/NOUN/nmod:" in found["distractor_agreement_relational_noun"]
    there = found["existential_there_subject_raising"]
    assert re.match(r"There/there/PRON/expl:(\w+) ", there)
    assert re.search(r" to/to/PART/mark:be be/be/VERB/xcomp:\w+ ", there)
    assert re.search(r"/nsubj:be .*/VERB/acl:", there)
    it = found["expletive_it_object_raising"]
    adjective = re.search(r" (\w+)/\w+/ADJ/xcomp:(\w+) ", it)
    assert adjective
    assert f" it/it/PRON/expl:{adjective[2]} to/to/PART/mark:{adjective[1]} be/be/AUX/cop:{adjective[1]} " in it
    assert f"/VERB/ccomp:{adjective[1]}" in it
    passive = found["passive_1"]
    assert re.search(r"/nsubj:pass:(\w+) .*/be/AUX/aux:pass:\1 \1/\w+/VERB/root:ROOT by/by/ADP/case:(\S+)", passive)
    assert "/obl:" in passive
    relative = found["wh_questions_object_gap"]
    assert re.search(r" (who|that|which)/\w+/PRON/obj:(\w+) .*/nsubj:\2 .*/VERB/acl:relcl:", relative)


def test_every_word_of_the_grammar_has_a_part_of_speech() -> None:
    rules = "".join(path.read_text(encoding="utf-8") for path in sorted(GRAMMARS.glob("*.cfg")))
    written_out = set(re.findall(r'"([^" ]+)"', re.sub(r"^#.*", "", rules, flags=re.MULTILINE)))
    assert {"that", "to", "and"} <= written_out
    without = [
        word
        for word in sorted(written_out)
        if dependencies(Phrase("TOP", (Phrase(word, word=word), Phrase("V", word="run"))))[0].upos == "X"
    ]
    assert without == []


def _phrase(tree: Any) -> Phrase:
    """A tree with every word under a label of its own, as sets have it in their metadata."""
    if isinstance(tree, str):
        return Phrase(tree, word=tree)
    if len(tree) == 1 and isinstance(tree[0], str):
        words = tuple(Phrase(tree.label(), word=word) for word in tree[0].split())
        return words[0] if len(words) == 1 else Phrase(tree.label(), words)
    return Phrase(tree.label(), tuple(map(_phrase, tree)))


def test_no_rule_leaves_a_word_without_its_relation() -> None:
    """What *dep* says is that nothing is known; UD wants an adverb for *as* before *tall*, a subject once a clause."""
    for sentence in (FIXTURES / "grammar_sentences.txt").read_text(encoding="utf-8").splitlines():
        parse = bg.parse(sentence).first or bg.parse(sentence, reading="open").first
        assert parse is not None, sentence
        words = dependencies(_phrase(parse.tree))
        told = [Token(k, word.form, word.upos, word.head, word.relation) for k, word in enumerate(words, start=1)]
        assert [word for word in told if word.relation == "dep" or word.upos == "X"] == [], sentence
        assert list(faults(told)) == [], sentence
        assert [word.relation for word in told].count("root") == 1


def test_the_first_as_of_an_equative_is_an_adverb() -> None:
    words = [Phrase("as", word="as"), Phrase("A", word="tall"), Phrase("as", word="as"), Phrase("DP", word="Paul")]
    found = [(word.upos, word.head, word.relation) for word in dependencies(Phrase("VX", tuple(words)))]
    assert found[0] == ("ADV", 2, "advmod")
    assert found[2:] == [("ADP", 4, "case"), ("PROPN", 2, "obl")]


def test_trees_need_metadata(export: Export) -> None:
    with pytest.raises(DataError, match="agreement_with_commas has no trees; generate the set with --metadata"):
        export("trees")


def test_every_format_is_made_of_a_generated_set(library: Library, tmp_path: Path) -> None:
    arguments = Arguments(targets=("transitive", "filler_gap_2x2"), n=6, metadata=True)
    write_set(library, arguments, tmp_path / "set")
    source = read_source(tmp_path / "set")
    assert list(source.rows) == list(read_manifest(tmp_path / "set").sets) == ["transitive", "filler_gap_2x2"]
    for name, format in FORMATS.items():
        count = write_export(source, format, tmp_path / name, Options())
        found = [path for path in (tmp_path / name, *(tmp_path / name).rglob("*")) if path.is_file()]
        assert len(found) == count, name
        assert format.single == (tmp_path / name).is_file()
    record = json.loads((tmp_path / "hf" / RECORD).read_text())
    assert record["made_by"].startswith("Generated by blimpgen")
    assert record["options"] == {"name": "blimpgen", "keep_prefix": False}


def test_an_export_is_not_overwritten_unasked(export: Export, tmp_path: Path) -> None:
    folder = export("txt")
    with pytest.raises(UsageError, match=r"is not empty .* add --overwrite"):
        export("txt")
    (folder / "mine.txt").write_text("mine")
    (folder / "gaps.txt").write_text("old")
    export("lm-eval", overwrite=True)
    assert (folder / "mine.txt").read_text() == "mine"
    assert not (folder / "gaps.txt").exists()
    assert (folder / "gaps.yaml").exists()
    assert not list(tmp_path.glob(".*partial"))


def test_overwriting_removes_only_what_an_export_wrote(export: Export, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "gaps.txt").write_text("mine")
    with pytest.raises(UsageError, match=r"gaps\.txt was not written by an export"):
        export("txt", overwrite=True)
    (tmp_path / "kept").write_text("mine")
    record = {"format": "txt", "version": "0", "made_by": "", "options": {}, "files": {"../kept": "", "gaps.txt": ""}}
    (tmp_path / "out" / RECORD).write_text(json.dumps(record))
    with pytest.raises(UsageError, match="was not written by an export"):
        export("txt", overwrite=True)
    assert (tmp_path / "kept").exists()


def test_single_files_are_not_overwritten_unasked(export: Export, tmp_path: Path) -> None:
    (tmp_path / "out").write_text("mine")
    for format in ("csv", "txt"):
        with pytest.raises(UsageError, match="out is"):
            export(format)
    assert (tmp_path / "out").read_text() == "mine"
    export("csv", overwrite=True)
    assert (tmp_path / "out").read_text().startswith("sentence_good,")
    with pytest.raises(UsageError, match="is a file; --to txt writes a folder"):
        export("txt", overwrite=True)


@pytest.mark.parametrize(
    "n, targets",
    [
        (4, ("existential_there_quantifiers_2", "principle_A_reconstruction", "left_branch_island_echo_question")),
        pytest.param(10, ("blimp",), marks=pytest.mark.slow),
    ],
)
def test_conllu_passes_the_third_level_of_the_validator(
    library: Library, tmp_path: Path, export: Export, n: int, targets: tuple[str, ...]
) -> None:
    write_set(library, Arguments(targets=targets, n=n, metadata=True), tmp_path / "set")
    text = export("conllu", of=read_source(tmp_path / "set")).read_text(encoding="utf-8")
    blocks = [tokens(block) for block in text.split("\n\n") if block.strip()]
    assert len(blocks) >= 2 * n * len(targets)
    assert [fault for words in blocks for fault in faults(words)] == []


def test_the_rules_of_the_validator_find_faults() -> None:
    clitic = Token(2, "'s", "PART", 3, "cop")
    place = Token(3, "there", "PRON", 4, "advmod")
    words = [Token(1, "It", "PRON", 3, "nsubj"), clitic, place, Token(4, "x", "X", 0, "root")]
    assert [name for name, _ in faults(words)] == ["rel-upos-cop", "rel-upos-advmod"]


@pytest.mark.parametrize("first", ["=", "+", "-", "@", "\t", "\r"])
def test_no_cell_is_a_formula(tmp_path: Path, export: Export, first: str) -> None:
    good = f"{first}HYPERLINK(1) sings."
    row = {"sentence_good": good, "sentence_bad": "'tis bad.", "UID": f"u{first.strip()}", "pairID": "0", "field": "f"}
    (tmp_path / "u.jsonl").write_text(json.dumps({**row, "linguistics_term": "t"}) + "\n")
    for format in ("csv", "minicons"):
        with export(format, of=read_source(tmp_path / "u.jsonl"), overwrite=True).open(
            newline="", encoding="utf-8"
        ) as stream:
            (cells,) = csv.DictReader(stream)
        assert cells["sentence_good"] == f"'{good}"
        assert plain_text(cells["sentence_good"]) == good
        assert plain_text(cells["sentence_bad"]) == cells["sentence_bad"] == "'tis bad."


@pytest.mark.parametrize("kind", ["link", "pipe"])
def test_only_regular_files_are_replaced(export: Export, tmp_path: Path, kind: str) -> None:
    victim, out = tmp_path / "victim", export("csv")
    victim.write_text("precious")
    out.unlink()
    if kind == "link":
        out.symlink_to(victim)
    else:
        os.mkfifo(out)
    with pytest.raises(UsageError, match="is no regular file; move it"):
        export("csv", overwrite=True)
    assert victim.read_text() == "precious"


def test_a_crafted_record_removes_nothing_outside(export: Export, tmp_path: Path) -> None:
    victim = tmp_path / "victim.txt"
    victim.write_text("precious")
    out = export("txt")
    record = json.loads((out / "export.json").read_text())
    (out / "below").symlink_to(tmp_path)
    for name in ("../victim.txt", str(victim), "below/victim.txt", "\0"):
        (out / "export.json").write_text(json.dumps({**record, "files": {**record["files"], name: "0" * 64}}))
        with contextlib.suppress(UsageError):
            export("txt", overwrite=True)
        assert victim.read_text() == "precious"


def test_a_folder_for_a_file_is_refused(export: Export, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    with pytest.raises(UsageError, match="is a folder; --to csv writes one file"):
        export("csv", overwrite=True)


def test_unknown_format_and_missing_folders(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="unknown format 'lmeval'; did you mean 'lm-eval'"):
        find_format("lmeval")
    with pytest.raises(UsageError, match=r"nowhere: no such file or directory; .*blimpgen generate"):
        read_source(tmp_path / "nowhere")
    with pytest.raises(UsageError, match=r"no \*\.jsonl file in it"):
        read_source(tmp_path)
    (tmp_path / "u.csv").write_text("x")
    with pytest.raises(UsageError, match="it holds CSV files, and JSON Lines are read"):
        read_source(tmp_path)


def test_a_pair_that_is_there_twice_is_refused(tmp_path: Path) -> None:
    row = json.dumps({"sentence_good": "A.", "sentence_bad": "B.", "UID": "u", "pairID": "7"})
    (tmp_path / "u.jsonl").write_text(f"{row}\n{row}\n")
    with pytest.raises(DataError, match=r"u\.jsonl: u has two records with the number 7"):
        read_source(tmp_path)


@pytest.mark.slow
def test_the_released_files_can_be_exported(shared_data: Path, export: Export) -> None:
    source = read_source(shared_data / "blimp_sample")
    rows = csv_rows(export("csv", of=source))
    assert len(rows) == sum(map(len, source.rows.values())) == 67 * 200
    assert len({row["UID"] for row in rows}) == 67
