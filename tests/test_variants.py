"""Variants that choose among the real words: vocabulary, frequency, lexical holdout."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from blimpgen.api import generate
from blimpgen.base.errors import DataError, UsageError
from blimpgen.dataset import Arguments, read_manifest, write_set
from blimpgen.english.words import plain_words
from blimpgen.lexicon import CATEGORIES
from blimpgen.lexicon.frequency import Frequencies
from blimpgen.library import Library, default_library
from blimpgen.variants.record import FileRef, Split, Variant, file_ref, parse_range, parse_split
from blimpgen.variants.tokenizers import load_tokenizer, tokenizer_ref
from blimpgen.variants.vocabulary import Vocabulary, read_vocabulary
from tests.conftest import in_tiers

OPEN = ("N", "Name", "V", "A", "Adv")
QUICK = "determiner_noun_agreement_1"
ADVERBS = "sentential_negation_npi_licensor_present"  # an adverb, or "not"


def lexemes_of(pairs):
    """The ids of all lexemes in the metadata of pairs that are content words alone (the auxiliary is have.1 too)."""
    lexicon = default_library().lexicon
    closed = {name for category in set(CATEGORIES) - set(OPEN) for name in lexicon.inventory(category).ids}
    known = {name for category in OPEN for name in lexicon.inventory(category).ids} - closed
    return {name for pair in pairs for name in re.findall(r"lexeme'?\"?: ?'?\"?([^'\"]+)", str(pair))} & known


def frequent_words(size: int) -> list[str]:
    """The closed classes and the forms of the most frequent lexemes."""
    lexicon = default_library().lexicon
    words = dict.fromkeys(["been", "being"])  # in rules and templates, in no table
    words |= dict.fromkeys(part.lower() for word in sorted(lexicon.closed_words) for part in word.split())
    ranked = []
    for category in OPEN:
        inventory = lexicon.inventory(category)
        zipf = Frequencies(lexicon).of(inventory)
        for k, name in enumerate(inventory.ids):
            forms = [lexicon.strings.text(int(f[k])) for f in inventory.forms.values() if f[k] >= 0]
            ranked.append((-zipf[k], name, forms))
    for _, _, forms in sorted(ranked):
        words |= dict.fromkeys(word for form in forms for word in plain_words(form))
    return list(words)[:size]


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """A vocabulary of 5,000 words, and the library of its variant."""
    path = tmp_path_factory.mktemp("vocab") / "words.txt"
    path.write_text("\n".join(frequent_words(5000)) + "\n", encoding="utf-8")
    variant = Variant(vocab=file_ref(path))
    return read_vocabulary(variant.vocab, 1), default_library().varied(variant)


@pytest.mark.parametrize("uid", in_tiers(default_library().uids("blimp"), ()))
def test_small_vocabulary_still_gives_a_thousand_pairs(small, uid):
    vocabulary, library = small
    made = generate(uid, n=1000, library=library)
    assert len({pair.good for pair in made}) == 1000
    assert not {word for pair in made for s in (pair.good, pair.bad) for word in vocabulary.missing(s)}


def test_words_are_compared_without_case_and_possessive():
    vocabulary = Vocabulary(Counter({"dog": 2, "boss": 2, "is": 2, "n't": 2, "old-fashioned": 2, "cat": 1}), 2)
    for known in ("Dog.", "the dog's"[4:], "dogs'"[:0] + "boss'", "isn't", "old-fashioned", "DOG\u2019s"):
        assert vocabulary.has(known), known
    assert vocabulary.missing("The dog's cats aren't old-fashioned.") == ["the", "cats", "aren't"]
    assert not vocabulary.has("cat")


@pytest.mark.parametrize(
    ("text", "least", "known"),
    [
        ("dog\ncat\n", 1, {"dog", "cat"}),
        ("dog\t7\ncat\t1\n", 2, {"dog"}),
        ("The dog saw the dog's cat.\nNobody did.\n", 2, {"the", "dog"}),
    ],
)
def test_vocabulary_files(tmp_path, text, least, known):
    (tmp_path / "v").write_text(text, encoding="utf-8")
    assert read_vocabulary(file_ref(tmp_path / "v"), least).words == known


def test_vocabulary_that_has_nothing(tmp_path):
    (tmp_path / "v").write_text("dog\ncat\n", encoding="utf-8")
    with pytest.raises(DataError, match="no word stands 2 times"):
        read_vocabulary(file_ref(tmp_path / "v"), 2)
    (tmp_path / "latin").write_bytes(b"caf\xe9\n")
    with pytest.raises(DataError, match="UTF-8"):
        read_vocabulary(file_ref(tmp_path / "latin"), 1)


def test_only_lexemes_all_of_whose_forms_are_known(small):
    vocabulary, library = small
    inventory = library.lexicon.inventory("V")
    text = library.lexicon.strings.text
    for k in np.flatnonzero(inventory.admitted)[:200]:
        assert all(vocabulary.has(text(int(forms[k]))) for forms in inventory.forms.values())
    out = set(library.language("").limits.fell_out()["V"])
    assert out == {inventory.ids[k] for k in np.flatnonzero(~inventory.admitted & inventory.unasked)}


@pytest.mark.slow
def test_a_paradigm_that_cannot_is_named_and_the_others_are_made(tmp_path, call):
    words = [w for w in frequent_words(5000) if w not in ("this", "these", "that", "those")]
    (tmp_path / "v").write_text("\n".join(words), encoding="utf-8")
    code, _, told = call("generate", QUICK, "transitive", "-n", 20, "-o", tmp_path / "out", "--vocab", tmp_path / "v")
    manifest = read_manifest(tmp_path / "out")
    assert code == 0
    assert ([*manifest.sets], [*manifest.refused]) == (["transitive"], [QUICK])
    assert f"left out: {QUICK}: " in told
    assert "lexemes that fell out" in told
    code, _, told = call("generate", QUICK, "-n", 20, "-o", tmp_path / "none", "--vocab", tmp_path / "v")
    assert code == 1
    assert "a word that the vocabulary lacks" in told
    assert not (tmp_path / "none").exists()


@pytest.mark.slow
def test_a_word_of_the_template_that_the_vocabulary_lacks(tmp_path):
    (tmp_path / "v").write_text("\n".join(w for w in frequent_words(5000) if w != "ever"), encoding="utf-8")
    library = default_library().varied(Variant(vocab=file_ref(tmp_path / "v")))
    with pytest.raises(DataError, match="lacks words of the template: ever"):
        generate("only_npi_scope", n=10, library=library)


@pytest.mark.parametrize("arguments", [("--zipf", "9:10"), ("--zipf", "7:10", "--match-zipf", "0")])
def test_an_error_about_too_few_words_names_what_limits_them(call, arguments):
    code, _, told = call("generate", "transitive", "-n", 20, *arguments)
    assert code == 1
    assert f"the words are limited by {' '.join(arguments)}" in told


def test_limits_as_they_are_typed():
    variant = Variant(
        vocab=FileRef(path="v.txt", sha256="0" * 64),
        min_count=2,
        zipf=(3, 5),
        match_zipf=0.5,
        split=Split(share=0.5, part="test"),
        match_tokens=True,
        single_token=("verb",),
    )
    assert variant.limits == (
        "--vocab v.txt --min-count 2 --zipf 3:5 --match-zipf 0.5 --split lexemes:0.5 (part test) "
        "--match-tokens --single-token verb"
    )
    assert Variant(nonce=("noun",)).limits == ""


@pytest.mark.slow
def test_frequency_range():
    library = default_library().varied(Variant(zipf=(3.0, 5.0)))
    frequencies = Frequencies(library.lexicon).by_id
    made = generate("transitive", n=100, library=library)
    measured = [frequencies[name] for name in lexemes_of(pair.metadata for pair in made)]
    assert len(measured) > 50
    assert 3.0 <= min(measured) <= max(measured) <= 5.0


def test_two_parts_share_no_content_word():
    def lexemes(part: str) -> set[str]:
        library = default_library().varied(Variant(split=Split(share=0.5, part=part)))
        found: set[str] = set()
        for category in OPEN:
            inventory = library.lexicon.inventory(category)
            found |= {inventory.columns["lemma"][k].lower() for k in np.flatnonzero(inventory.admitted)}
        return found

    train, test = lexemes("train"), lexemes("test")
    assert not train & test
    assert 0.4 < len(train) / len(train | test) < 0.6


@pytest.mark.slow
def test_split_of_all_paradigms():
    """Most of them give two sets of 1000 pairs; no lexeme of any of the one stands in any of the other. How many is
    a matter of chance: a paradigm that names two verbs cannot be made where both are in one half."""
    library = default_library()
    parts = [library.varied(Variant(split=Split(share=0.5, part=part))) for part in ("train", "test")]
    used: list[set[str]] = [set(), set()]
    whole = 0
    for uid in library.suites["blimp"].files:
        try:
            made = [generate(uid, n=1000, library=part) for part in parts]
        except DataError:
            continue
        whole += 1
        for found, pairs in zip(used, made, strict=True):
            found |= lexemes_of(pair.metadata for pair in pairs[:50])
    assert whole >= 55
    assert min(map(len, used)) > 600
    assert not used[0] & used[1]


@pytest.mark.slow
def test_split_writes_two_sets(tmp_path, call):
    code, _, told = call("generate", "transitive", "-n", 40, "-o", tmp_path, "--metadata", "--split", "lexemes:0.7")
    assert code == 0, told
    used = []
    for part in ("train", "test"):
        used.append(lexemes_of((tmp_path / part / "transitive.jsonl").read_text(encoding="utf-8").splitlines()))
        assert read_manifest(tmp_path / part).arguments.variant.split == Split(share=0.7, part=part)
    assert min(map(len, used)) > 25
    assert not used[0] & used[1]


@pytest.mark.slow
def test_a_variant_is_made_again_from_its_record(tmp_path, small):
    _, library = small
    arguments = Arguments(targets=(QUICK,), n=50, seed=3, variant=library.variant)
    first = write_set(default_library(), arguments, tmp_path / "a")
    again = write_set(Library(default_library().folders), read_manifest(tmp_path / "a").arguments, tmp_path / "b")
    assert first.sets[QUICK].sha256 == again.sets[QUICK].sha256
    plain = write_set(default_library(), arguments.model_copy(update={"variant": None}), tmp_path / "c")
    assert plain.sets[QUICK].sha256 != first.sets[QUICK].sha256
    assert "variant" in json.loads((tmp_path / "a" / "manifest.json").read_bytes())["arguments"]


@pytest.mark.slow
def test_several_processes_make_the_same(tmp_path, small):
    _, library = small
    arguments = Arguments(targets=(QUICK, "anaphor_number_agreement"), n=20, variant=library.variant)
    one = write_set(default_library(), arguments, tmp_path / "a", jobs=1)
    two = write_set(default_library(), arguments, tmp_path / "b", jobs=2)
    assert one.sets == two.sets


def test_a_file_that_changed_is_not_taken_for_the_old_one(tmp_path):
    path: Path = tmp_path / "v"
    path.write_text("dog\n", encoding="utf-8")
    reference = file_ref(path)
    path.write_text("cat\n", encoding="utf-8")
    with pytest.raises(DataError, match="not the file that the set was made with"):
        read_vocabulary(reference, 1)
    with pytest.raises(DataError, match="cannot be read"):
        FileRef(path=str(tmp_path / "none"), sha256=reference.sha256).read()


@pytest.mark.parametrize("text", ["5:3", "3", "a:b"])
def test_no_range(text):
    with pytest.raises(UsageError, match="write LOW:HIGH"):
        parse_range(text)


@pytest.mark.parametrize("text", ["0.5", "lexemes:1", "words:0.5", "lexemes:x"])
def test_no_split(text):
    with pytest.raises(UsageError, match="write lexemes:SHARE"):
        parse_split(text)


def test_open_ranges():
    assert parse_range("3:") == (3.0, 10.0)
    assert parse_range(":5") == (0.0, 5.0)


def test_min_count_without_a_vocabulary(call):
    code, _, told = call("generate", QUICK, "--min-count", 2)
    assert (code, "add --vocab FILE" in told) == (2, True)


@pytest.mark.parametrize("uid", in_tiers(("transitive", "causative"), ()))
def test_exchanged_words_are_about_as_frequent(uid):
    made = generate(uid, n=100, library=default_library().varied(Variant(match_zipf=0.5)))
    assert len({pair.good for pair in made}) == 100
    for pair in made:
        a, b = (pair.row["zipf"][slot] for slot in ("verb", "iv"))
        assert abs(a - b) <= 0.5 + 1e-9
    plain = generate(uid, n=100, library=default_library().varied(Variant(match_zipf=9)))
    assert any(abs(p.row["zipf"]["verb"] - p.row["zipf"]["iv"]) > 0.5 for p in plain)


@pytest.fixture(scope="module", params=in_tiers(("bpe", "wordpiece"), ("wordpiece",)))
def tokenizer(request, tmp_path_factory):
    """Two tokenizers of different kinds, trained on generated sentences, as a tokenizer.json and as a folder."""
    tokenizers = pytest.importorskip("tokenizers")
    text = [
        s
        for uid in (QUICK, "transitive", "causative", ADVERBS)
        for p in generate(uid, n=100, seed=5)
        for s in (p.good, p.bad)
    ]
    text = [s for s in text if "certainly" not in s]  # of more tokens than "not"
    folder = tmp_path_factory.mktemp(request.param)
    if request.param == "bpe":
        made = tokenizers.Tokenizer(tokenizers.models.BPE())
        made.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
        made.train_from_iterator(
            text,
            tokenizers.trainers.BpeTrainer(
                vocab_size=1500, initial_alphabet=tokenizers.pre_tokenizers.ByteLevel.alphabet(), show_progress=False
            ),
        )
    else:
        made = tokenizers.Tokenizer(tokenizers.models.WordPiece(unk_token="[UNK]"))
        made.normalizer = tokenizers.normalizers.Lowercase()
        made.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
        text = [s for s in text if "z" not in s.lower()]  # z is unknown to it
        made.train_from_iterator(
            text, tokenizers.trainers.WordPieceTrainer(vocab_size=900, special_tokens=["[UNK]"], show_progress=False)
        )
    made.save(str(folder / "tokenizer.json"))
    return made, str(folder / "tokenizer.json" if request.param == "bpe" else folder)


@pytest.mark.slow
@pytest.mark.parametrize("uid", in_tiers((QUICK, "transitive", ADVERBS), (ADVERBS,)))
def test_sentences_of_as_many_tokens(tokenizer, uid):
    made, name = tokenizer
    library = default_library().varied(Variant(tokenizer=tokenizer_ref(name), match_tokens=True))

    def lengths(pairs):
        return [[len(made.encode(s, add_special_tokens=False).ids) for s in (p.good, p.bad)] for p in pairs]

    assert any(a != b for a, b in lengths(generate(uid, n=100)))
    pairs = generate(uid, n=100, library=library)
    assert len({p.good for p in pairs}) == 100
    assert all(a == b for a, b in lengths(pairs))


@pytest.mark.slow
def test_no_unknown_token(tokenizer):
    made, name = tokenizer
    reference = tokenizer_ref(name)
    library = default_library().varied(Variant(tokenizer=reference, no_unk=True))
    unknown = made.token_to_id("[UNK]")
    plain, pairs = (
        [made.encode(s).ids for p in generate("transitive", n=200, library=lib) for s in (p.good, p.bad)]
        for lib in (default_library(), library)
    )
    if unknown is not None:
        assert any(unknown in ids for ids in plain)
    assert not any(unknown in ids for ids in pairs)


@pytest.mark.slow
def test_single_tokens_in_a_slot(tokenizer):
    made, name = tokenizer
    library = default_library().varied(Variant(tokenizer=tokenizer_ref(name), single_token=("noun",)))
    for pair in generate(QUICK, n=30, library=library):
        for sentence in (pair.good, pair.bad):
            word = sentence.rstrip(".").split()[-1]
            assert (
                len(made.encode(f"the {word}", add_special_tokens=False).ids)
                == len(made.encode("the", add_special_tokens=False).ids) + 1
            )


@pytest.mark.slow
def test_another_tokenizer_is_not_taken_for_the_one_of_the_set(tokenizer):
    _, name = tokenizer
    wrong = tokenizer_ref(name).model_copy(update={"sha256": "0" * 64})
    with pytest.raises(DataError, match="not the tokenizer that the set was made with"):
        generate(QUICK, n=2, library=default_library().varied(Variant(tokenizer=wrong, no_unk=True)))


@pytest.mark.slow
def test_mistakes_with_tokenizers(tmp_path, call, tokenizer):
    (tmp_path / "tokenizer.json").write_text("{}", encoding="utf-8")
    with pytest.raises(DataError, match="not a tokenizer"):
        load_tokenizer(str(tmp_path))
    code, _, told = call("generate", QUICK, "-n", 2, "--no-unk")
    assert (code, "add --tokenizer NAME" in told) == (2, True)
    code, _, told = call("generate", QUICK, "-n", 2, "--tokenizer", tokenizer[1])
    assert (code, "add --match-tokens, --no-unk or --single-token SLOT" in told) == (2, True)
    with pytest.raises(UsageError, match="no slot 'nuon'; did you mean 'noun'"):
        generate(
            QUICK,
            n=2,
            library=default_library().varied(Variant(tokenizer=tokenizer_ref(tokenizer[1]), single_token=("nuon",))),
        )


@pytest.mark.slow
def test_tokenizer_of_transformers(tmp_path):
    pytest.importorskip("transformers")
    (tmp_path / "vocab.txt").write_text("[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nthe\ndog\n##s\n", encoding="utf-8")
    (tmp_path / "tokenizer_config.json").write_text('{"tokenizer_class": "BertTokenizer"}', encoding="utf-8")
    tokenizer = load_tokenizer(str(tmp_path))
    assert tokenizer.counts(["the dogs", "the dog"]) == [3, 2]
    assert tokenizer.unknowns(["the dogs", "the cat"]) == [False, True]
