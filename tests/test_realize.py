"""Realizing: from assignments to sentences, over the frozen library in tests/golden."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from golden import frozen_library, make, stacked_library

from blimpgen.api import generate
from blimpgen.base.errors import DataError
from blimpgen.base.records import MinimalPair, SentenceSet
from blimpgen.generation.records import Assembly
from blimpgen.library import Library
from blimpgen.sampling.enumerate import enumerate_all
from tests.conftest import compiled_of

Sentences = Callable[..., list[tuple[str, str]]]


@pytest.fixture
def sentences(tmp_path: Path) -> Sentences:
    """All pairs of a paradigm, or n of a large one."""

    def every(body: str, n: int = 0) -> list[tuple[str, str]]:
        library = stacked_library(tmp_path, body)
        compiled = compiled_of(library)
        if n:
            return [(r.good, r.bad) for r in make(library, "p", n) if isinstance(r, MinimalPair)]
        assembly, found = Assembly(compiled), []
        for number, cell in enumerate(compiled.cells):
            columns = enumerate_all(cell.sampler)
            rows = assembly.cell_records(number, columns[0].astype("int64"), columns)
            found += [(r.good, r.bad) for r in rows if isinstance(r, MinimalPair)]
        return found

    return every


def goods(pairs: list[tuple[str, str]]) -> list[str]:
    return list(dict.fromkeys(good for good, _ in pairs))


class TestArticles:
    """*a* or *an* by the sound of the word that follows, in whatever sentence it stands."""

    @pytest.mark.parametrize(
        "lemma, article",
        [("guest", "a"), ("apple", "an"), ("heir", "an"), ("unicorn", "a"), ("animal doctor", "an"), ("aunt", "an")],
    )
    def test_nouns(self, sentences: Sentences, lemma: str, article: str) -> None:
        body = f"slots:\n  n: {{cat: N, Number: Sing, is: lemma={lemma}}}\ngood: a n .\nbad: n a .\n"
        assert sentences(body) == [(f"{article.capitalize()} {lemma}.", f"{lemma.capitalize()} a.")]

    @pytest.mark.parametrize("adjective, article", [("honest", "an"), ("useful", "a"), ("old", "an"), ("fond", "a")])
    def test_the_word_between(self, sentences: Sentences, adjective: str, article: str) -> None:
        body = (
            f"slots:\n"
            f"  n: {{cat: N, Number: Sing}}\n"
            f"  adj: {{cat: A, is: lemma={adjective}, modifies: n}}\n"
            "good: and a adj n .\nbad: a n adj .\n"
        )
        found = sentences(body)
        assert found
        assert all(good.startswith(f"And {article} {adjective} ") for good, _ in found)
        vowels = re.compile(r"^(An (apple|aunt|actress|animal|heir)|A (?!apple|aunt|actress|animal|heir))")
        assert all(vowels.match(bad) for _, bad in found)

    def test_inside_phrases(self, sentences: Sentences) -> None:
        body = (
            "slots:\n"
            "  subj: {cat: DP.adj, D: {lemma: a}}\n"
            "  v: {cat: VG.plain, Tense: Past, frame: V, subject: subj}\n"
            "good: subj v .\nbad: v subj .\n"
        )
        found = sentences(body)
        assert {" ".join(good.split()[:2]) for good, _ in found} == {"An honest", "An old", "A useful"}
        assert all(" an honest " in bad or " an old " in bad or " a useful " in bad for _, bad in found)

    def test_changed_noun(self, sentences: Sentences) -> None:
        """A change in place keeps its article; the article still fits the sound."""
        body = (
            "slots:\n"
            "  n: {cat: N, Number: Sing, is: lemma=apple/guest/heir}\n"
            "  d: {cat: D, lemma: a, agrees_with: n}\n"
            "good: d n .\nbad: d n[Number=other] .\n"
        )
        assert sentences(body) == [("An apple.", "An apples."), ("A guest.", "A guests."), ("An heir.", "An heirs.")]


class TestPossessives:
    @pytest.mark.parametrize(
        "possessor, expected",
        [
            ("is: lemma=guest, Number: Sing, D: {lemma: the}", {"The guest's"}),
            ("is: lemma=guest, Number: Plur, D: {lemma: the}", {"The guests'"}),
            ("is: lemma=child, Number: Plur, D: {lemma: the}", {"The children's"}),
            ("is: lemma=actress, Number: Sing, D: {lemma: the}", {"The actress's"}),
            ("is: lemma=actress, Number: Plur, D: {lemma: the}", {"The actresses'"}),
            ("is: lemma=James, cat: DP.name", {"James's"}),
            ("is: lemma=Smiths, cat: DP.name", {"The Smiths'"}),
            ("is: lemma=Omar, cat: DP.name", {"Omar's"}),
        ],
    )
    def test_clitic(self, sentences: Sentences, possessor: str, expected: set[str]) -> None:
        body = (
            f"slots:\n"
            f"  subj: {{cat: DP.poss, Number: Sing, is: lemma=aunt, possessor: {{{possessor}}}}}\n"
            "  v: {cat: VG.plain, Tense: Past, frame: V, subject: subj, is: lemma=sleep}\n"
            "good: subj v .\nbad: v subj .\n"
        )
        assert {good.removesuffix(" aunt slept.") for good in goods(sentences(body))} == expected

    def test_clitic_written_out(self, sentences: Sentences) -> None:
        body = "slots:\n  n: {cat: Name, is: lemma=Omar/Alice}\ngood: n 's and n .\nbad: n and n 's .\n"
        assert sentences(body) == [
            ("Alice's and Alice.", "Alice and Alice's."),
            ("Omar's and Omar.", "Omar and Omar's."),
        ]

    def test_clitic_written_out_behind_a_plural(self, sentences: Sentences) -> None:
        body = (
            "slots:\n"
            "  owner: {cat: DP.det, Number: Plur, D: {lemma: the}, is: lemma=guest/child}\n"
            "  n: {cat: N, Number: Sing, is: lemma=aunt}\n"
            "good: owner 's n and n .\nbad: owner[Number=other] 's n and n .\n"
        )
        assert sentences(body) == [
            ("The children's aunt and aunt.", "The child's aunt and aunt."),
            ("The guests' aunt and aunt.", "The guest's aunt and aunt."),
        ]


class TestVerbs:
    BODY = (
        "slots:\n"
        "  vp: {{cat: {cat}, {more}is: lemma={lemma}}}\n"
        "  subj: {{cat: DP.det, is: lemma=guest, D: {{lemma: the}}, subject_of: vp}}\n"
        "good: subj vp .\nbad: vp subj .\n"
    )

    @pytest.mark.parametrize(
        "cat, more, lemma, expected",
        [
            ("VP.plain", "Tense: Pres, frame: V, ", "sleep", {"The guest sleeps.", "The guests sleep."}),
            ("VP.plain", "Tense: Past, frame: V, ", "sleep", {"The guest slept.", "The guests slept."}),
            (
                "VP.have",
                "Tense: Pres, frame: V, ",
                "sing",
                {"The guest has sung.", "The guest hasn't sung.", "The guests have sung.", "The guests haven't sung."},
            ),
            (
                "VP.have",
                "Tense: Past, Polarity: Pos, frame: V, ",
                "eat",
                {"The guest had eaten.", "The guests had eaten."},
            ),
            (
                "VP.be",
                "Polarity: Neg, frame: V, ",
                "stop",
                {
                    "The guest isn't stopping.",
                    "The guests aren't stopping.",
                    "The guest wasn't stopping.",
                    "The guests weren't stopping.",
                },
            ),
            (
                "VP.do",
                "frame: V, ",
                "wait",
                {
                    "The guest doesn't wait up.",
                    "The guests don't wait up.",
                    "The guest didn't wait up.",
                    "The guests didn't wait up.",
                },
            ),
            (
                "VP.modal",
                "Polarity: Neg, frame: V, ",
                "laugh",
                {
                    "The guest can't laugh.",
                    "The guests can't laugh.",
                    "The guest won't laugh.",
                    "The guests won't laugh.",
                },
            ),
            (
                "VP.modal",
                "Polarity: Pos, frame: V, ",
                "laugh",
                {f"The {n} {m} laugh." for n in ("guest", "guests") for m in ("can", "will", "might")},
            ),
        ],
    )
    def test_forms(self, sentences: Sentences, cat: str, more: str, lemma: str, expected: set[str]) -> None:
        """Contracted negations, agreement of the finite word, irregular and doubled forms, particles."""
        assert set(goods(sentences(self.BODY.format(cat=cat, more=more, lemma=lemma)))) >= expected
        found = set(goods(sentences(self.BODY.format(cat=cat.replace("VP", "VG"), more=more, lemma=lemma))))
        assert found == expected

    def test_no_progressive_of_states(self, sentences: Sentences) -> None:
        transitive = self.BODY.format(cat="VG.be", more="frame: V.NP, ", lemma="know/cut")
        assert {good.split()[-1] for good in goods(sentences(transitive))} == {"cutting."}

    def test_auxiliary_slot_selects_the_form(self, sentences: Sentences) -> None:
        body = (
            "slots:\n"
            "  v: {cat: V, frame: V, is: lemma=eat}\n"
            "  subj: {cat: DP.name, is: lemma=Omar, subject_of: v}\n"
            "  aux: {cat: Aux, agrees_with: subj, selects: v, Polarity: Pos}\ngood: aux subj v ?\nbad: subj aux v ?\n"
        )
        found = {good.removesuffix("?").replace(" Omar", "") for good in goods(sentences(body))}
        assert found == {
            "Is eating",
            "Was eating",
            "Has eaten",
            "Had eaten",
            "Does eat",
            "Did eat",
            "Can eat",
            "Might eat",
            "Will eat",
        }

    def test_number_comes_from_the_slot_named(self, sentences: Sentences) -> None:
        body = (
            "slots:\n"
            "  v: {cat: VG.plain, Tense: Pres, frame: V, is: lemma=eat}\n"
            "  subj: {cat: N, is: lemma=goose, subject_of: v}\n"
            "  other: {cat: N, Number: other subj, is: lemma=sheep/child}\n  again: {same: v, agrees_with: other}\n"
            "good: the subj v and the other again .\nbad: the subj v and the again other .\n"
        )
        assert goods(sentences(body)) == [
            "The goose eats and the children eat.",
            "The goose eats and the sheep eat.",
            "The geese eat and the child eats.",
            "The geese eat and the sheep eats.",
        ]


class TestNouns:
    @pytest.mark.parametrize(
        "lemma, expected",
        [
            ("goose", {"The goose", "The geese"}),
            ("sheep", {"The sheep"}),
            ("rice", {"The rice"}),
            ("scissors", {"The scissors"}),
            ("knife", {"The knife", "The knives"}),
            ("cactus", {"The cactus", "The cacti"}),
            ("animal doctor", {"The animal doctor", "The animal doctors"}),
        ],
    )
    def test_forms(self, sentences: Sentences, lemma: str, expected: set[str]) -> None:
        body = (
            f"slots:\n"
            f"  subj: {{cat: DP.det, D: {{lemma: the}}, is: lemma={lemma}}}\n"
            "  w: {words: [clearly]}\ngood: subj w .\nbad: w subj .\n"
        )
        assert {good.removesuffix(" clearly.") for good in goods(sentences(body))} == expected

    @pytest.mark.parametrize(
        "lemma, expected",
        [
            (
                "guest",
                {
                    "the guest",
                    "the guests",
                    "a guest",
                    "this guest",
                    "these guests",
                    "that guest",
                    "those guests",
                    "some guests",
                    "every guest",
                    "several guests",
                    "two guests",
                    "three guests",
                },
            ),
            ("rice", {"the rice", "this rice", "that rice", "some rice"}),
            ("scissors", {"the scissors", "these scissors", "those scissors", "some scissors"}),
        ],
    )
    def test_determiner_by_number_and_countability(self, sentences: Sentences, lemma: str, expected: set[str]) -> None:
        body = (
            f"slots:\n"
            f"  subj: {{cat: DP.det, is: lemma={lemma}}}\n"
            f"  w: {{words: [clearly]}}\n"
            "good: w subj .\nbad: subj w .\n"
        )
        found = {good.removeprefix("Clearly ").removesuffix(".") for good in goods(sentences(body))}
        assert found == expected

    def test_names(self, sentences: Sentences) -> None:
        body = (
            "slots:\n"
            "  subj: {cat: DP.name}\n"
            "  v: {cat: VG.plain, Tense: Pres, frame: V, is: lemma=sing, subject: subj}\n"
            "good: subj v .\nbad: v subj .\n"
        )
        assert goods(sentences(body)) == [
            "Alice sings.",
            "James sings.",
            "Omar sings.",
            "Robin sings.",
            "The Smiths sing.",
        ]


class TestChanges:
    """A change in place exchanges one word; nothing else of the sentence moves."""

    @pytest.mark.parametrize(
        "cat, tense", [("plain", "Pres"), ("have", "Pres"), ("be", "Pres"), ("be", "Past"), ("do", "Pres")]
    )
    def test_number_of_a_verb(self, sentences: Sentences, cat: str, tense: str) -> None:
        body = (
            f"slots:\n"
            f"  vp: {{cat: VP.{cat}, Tense: {tense}}}\n"
            f"  subj: {{cat: DP, subject_of: vp}}\n"
            "good: subj vp .\nbad: subj vp[Number=other] .\n"
        )
        for good, bad in sentences(body, 60):
            differ = [(g, b) for g, b in zip(good.split(), bad.split(), strict=True) if g != b]
            assert len(differ) == 1
            if cat == "plain":
                singular, plural = sorted(w.strip(".") for w in differ[0])[::-1]
                assert singular in (f"{plural}s", f"{plural}es")

    def test_number_of_a_determiner(self, sentences: Sentences) -> None:
        body = (
            "slots:\n"
            "  n: {cat: N, is: lemma=book/cactus/sheep/rice/scissors}\n"
            "  d: {cat: D, lemma: this | that, agrees_with: n}\n"
            "good: d n .\nbad: d[Number=other] n .\n"
        )
        assert sentences(body) == [
            ("This book.", "These book."),
            ("That book.", "Those book."),
            ("This cactus.", "These cactus."),
            ("That cactus.", "Those cactus."),
            ("These books.", "This books."),
            ("Those books.", "That books."),
            ("These cacti.", "This cacti."),
            ("Those cacti.", "That cacti."),
        ]

    def test_forms_of_a_verb(self, sentences: Sentences) -> None:
        body = (
            "slots:\n"
            "  v: {cat: VG.plain, Tense: Past, frame: V.NP}\n"
            "  subj: {cat: DP.name, is: lemma=Omar, subject_of: v}\n"
            "good: subj v .\nbad: subj v[form=part] .\n"
        )
        assert sentences(body) == [
            ("Omar ate.", "Omar eaten."),
            ("Omar knew.", "Omar known."),
            ("Omar sang.", "Omar sung."),
            ("Omar wore.", "Omar worn."),
        ]
        body = body.replace("VG.plain, Tense: Past", "VG.have, Tense: Past, Polarity: Neg").replace(
            "form=part", "form=past"
        )
        assert sentences(body) == [
            ("Omar hadn't eaten.", "Omar hadn't ate."),
            ("Omar hadn't known.", "Omar hadn't knew."),
            ("Omar hadn't sung.", "Omar hadn't sang."),
            ("Omar hadn't worn.", "Omar hadn't wore."),
        ]

    def test_gender_of_a_reflexive(self, sentences: Sentences) -> None:
        body = (
            "slots:\n"
            "  v: {cat: VG.plain, Tense: Past, frame: V.NP, is: lemma=cut}\n"
            "  subj: {cat: DP.name | DP.det, is: human, Gender: Masc | Fem, Number: Sing,"
            " subject_of: v}\n"
            "  refl: {cat: Refl, agrees_with: subj}\n"
            "good: subj v refl .\n"
            "bad: subj v refl[Gender=other] .\n"
        )
        found = sentences(body)
        assert ("Omar cut himself.", "Omar cut herself.") in found
        for good, bad in found:
            feminine = bool(re.search("Alice|actress|aunt", good))
            assert good.endswith("herself." if feminine else "himself.")
            assert bad.endswith("himself." if feminine else "herself.")

    def test_a_change_does_not_spread(self, sentences: Sentences) -> None:
        body = (
            "slots:\n"
            "  n: {cat: N, is: lemma=goose}\n"
            "  v: {cat: VG.plain, Tense: Pres, frame: V, is: lemma=eat, subject: n}\n"
            "good: the n v .\nbad: the n[Number=other] v .\n"
        )
        assert sentences(body) == [("The goose eats.", "The geese eats."), ("The geese eat.", "The goose eat.")]


class TestTwins:
    def test_all_other_words_stay(self, sentences: Sentences) -> None:
        body = (
            "slots:\n"
            "  vp: {cat: VG, frame: V.NP}\n"
            "  iv: {like: vp, frame: V, no_frame: V.NP}\n"
            "  subj: {cat: DP, subject_of: [vp, iv]}\n"
            "good: subj vp .\nbad: subj iv .\n"
        )
        for good, bad in sentences(body, 200):
            words = good.rstrip(".").split(), bad.rstrip(".").split()
            assert len(words[0]) == len(words[1])
            differ = [(g, b) for g, b in zip(*words, strict=True) if g != b]
            assert len(differ) in (1, 2)
            assert words[0].index(differ[0][0]) >= len(words[0]) - 2

    def test_the_form_is_the_original_s(self, sentences: Sentences) -> None:
        body = (
            "slots:\n"
            "  vp: {cat: VG.have, frame: V.NP, Polarity: Neg, is: lemma=eat}\n"
            "  iv: {like: vp, frame: V, is: lemma=sing}\n"
            "  subj: {cat: DP.name, is: lemma=Omar, subject_of: [vp, iv]}\ngood: subj vp .\nbad: subj iv .\n"
        )
        assert sentences(body) == [
            ("Omar hasn't eaten.", "Omar hasn't sung."),
            ("Omar hadn't eaten.", "Omar hadn't sung."),
        ]

    def test_nouns_keep_number_and_article(self, sentences: Sentences) -> None:
        body = (
            "slots:\n"
            "  n: {cat: DP.det, is: lemma=guest, D: {lemma: a | this}}\n"
            "  m: {like: n, is: lemma=heir/child/rice/scissors}\n"
            "  w: {words: [clearly]}\ngood: n w .\nbad: m w .\n"
        )
        assert sorted(set(sentences(body))) == sorted(
            [
                ("A guest clearly.", "An heir clearly."),
                ("A guest clearly.", "A child clearly."),
                ("This guest clearly.", "This heir clearly."),
                ("This guest clearly.", "This child clearly."),
                ("These guests clearly.", "These heirs clearly."),
                ("These guests clearly.", "These children clearly."),
                ("These guests clearly.", "These scissors clearly."),
            ]
        )

    def test_a_name_for_a_name(self, sentences: Sentences) -> None:
        body = (
            "slots:\n"
            "  n: {cat: DP, Number: Sing, is: human}\n"
            "  m: {like: n}\n"
            "  w: {words: [clearly]}\n"
            "good: n w .\n"
            "bad: m w .\n"
        )
        names = {"Alice", "James", "Omar", "Robin"}
        for good, bad in sentences(body):
            assert (good.split()[0] in names) == (bad.split()[0] in names)


class TestTemplates:
    def test_table_columns(self, sentences: Sentences) -> None:
        body = (
            "slots:\n"
            "  q: {table: [{first: two, second: three}, {first: several, second: some}]}\n"
            "  n: {cat: N, is: lemma=book/rice, agrees_with: q.first}\n"
            "good: q.first n and q.second .\n"
            "bad: q.second and q.first n .\n"
        )
        assert sentences(body) == [
            ("Two books and three.", "Three and two books."),
            ("Several books and some.", "Some and several books."),
        ]

    def test_parts_of_a_phrase(self, sentences: Sentences) -> None:
        body = (
            "slots:\n"
            "  vp: {cat: VP, aux: {kind: modal | have}, Polarity: Pos}\n"
            "  subj: {cat: DP, subject_of: vp}\n"
            "good: subj vp.aux ever vp.rest .\nbad: subj ever vp.aux vp.rest .\n"
        )
        for good, bad in sentences(body, 60):
            assert re.search(r" (can|will|might|has|have|had) ever ", good)
            assert re.search(r" ever (can|will|might|has|have|had) ", bad)
            assert sorted(good.split()) == sorted(bad.split())

    @pytest.mark.parametrize(
        "good, message",
        [
            ("subj vp.aux .", r"the part vp\.rest is not placed"),
            ("subj vp.rest .", r"the part vp\.aux is not placed"),
            ("subj vp.aux vp.tail .", r"'vp' has no part 'tail'; there are: aux, rest"),
            ("subj vp.aux.rest .", "neither a slot nor a closed-class word"),
        ],
    )
    def test_parts_that_do_not_fit(self, sentences: Sentences, good: str, message: str) -> None:
        body = (
            f"slots:\n  vp: {{cat: VP.have}}\n  subj: {{cat: DP, subject_of: vp}}\ngood: {good}\nbad: subj vp ever .\n"
        )
        with pytest.raises(DataError, match=message):
            sentences(body)

    def test_marks_and_spaces(self, sentences: Sentences) -> None:
        body = "slots:\n  n: {cat: N, Number: Sing, is: lemma=book}\ngood: the n , only a n !\nbad: only the n ?\n"
        assert sentences(body) == [("The book, only a book!", "Only the book?")]

    @pytest.mark.parametrize(
        "style, good, listed",
        [(None, "The book", "the book"), ("plain", "the book", "the book"), ("blimp", "The book.", "The book.")],
    )
    def test_plain_text(self, tmp_path: Path, style: str | None, good: str, listed: str) -> None:
        body = "slots:\n  n: {cat: N, Number: Sing, is: lemma=book}\ngood: the n\nbad: n the\n"
        for text, expected in (("sentence", good), ("plain", listed)):
            library = stacked_library(tmp_path, f"{body}text: {text}\n")
            compiled = compiled_of(library)
            columns = enumerate_all(compiled.cells[0].sampler)
            record = Assembly(compiled, style).cell_records(0, columns[0].astype("int64"), columns)[0]
            if (text, style) != ("sentence", "blimp"):
                assert record.to_dict()["sentence_good"] == expected

    def test_word_lists(self, sentences: Sentences) -> None:
        body = (
            "slots:\n"
            "  m: {words: MAIN, Number: Plur}\n"
            "  s: {words: [likes, fears greatly]}\n"
            "good: the m s .\n"
            "bad: m the s .\n"
        )
        assert goods(sentences(body)) == [
            f"The {m} {s}." for m in ("authors", "pilots", "taxi drivers") for s in ("likes", "fears greatly")
        ]

    def test_a_changed_word_of_a_list(self, sentences: Sentences) -> None:
        body = (
            "slots:\n"
            "  m: {words: MAIN, Number: Sing}\n"
            "  s: {words: SMILES, Number: Sing}\n"
            "good: the m s .\nbad: the m s[Number=other] .\n"
        )
        assert ("The taxi driver is old.", "The taxi driver are old.") in sentences(body)


class TestRecords:
    def test_sets_keep_the_order_of_the_file(self) -> None:
        record = make(frozen_library(), "triples", 1)[0]
        assert isinstance(record, SentenceSet)
        assert list(record.sentences) == ["licensed", "intrusive", "unlicensed"]
        assert [name for name, _, _ in record.pairs] == ["gi", "iu", "gu"]

    def test_a_level_may_exchange_a_sentence(self) -> None:
        found = [r.sentences["intrusive"] for r in make(frozen_library(), "triples", 20) if isinstance(r, SentenceSet)]
        assert [" only " in text for text in found] == [False, True] * 10

    def test_recorded_keys(self) -> None:
        for record in make(frozen_library(), "changes", 40):
            row = record.to_dict()
            assert list(row)[2:7] == [
                "crucial_item",
                "one_prefix_prefix",
                "one_prefix_word_good",
                "one_prefix_word_bad",
                "dependency_length",
            ]
            assert row["sentence_good"].endswith(f" {row['crucial_item']}.")
            subject = row["sentence_good"].split()[: row["dependency_length"]]
            assert row["one_prefix_prefix"] == " ".join(subject)

    def test_prefixes_of_a_multiword_critical_item(self, tmp_path: Path) -> None:
        body = (
            "slots:\n"
            "  mod: {table: [{a: every two, b: some two}]}\n"
            "  n: {cat: N, Number: Plur, is: lemma=book}\n"
            "good: only mod.a two n .\nbad: and mod.a two n .\nmethods: [two_prefix]\ncritical: mod.2\n"
        )
        row = make(stacked_library(tmp_path, body), "p", 1)[0].to_dict()
        assert (row["two_prefix_prefix_good"], row["two_prefix_word"]) == ("Only every", "two")

    @pytest.mark.parametrize(
        "more, message",
        [
            ("methods: [one_prefix]\n", r"p\.yaml:7: .*write critical: SLOT"),
            (
                "methods: [one_prefix]\ncritical: nn\n",
                r"p\.yaml:8: critical: 'good' has no 'nn', which must stand in good and bad; did you mean 'n'",
            ),
            ("methods: [one_prefix]\ncritical: n.²\n", r"p\.yaml:8: critical: the word of n='²'; write a whole number"),
            ("methods: [one_prefix]\ncritical: n.3\n", r"p\.yaml:8: critical: 'The \w+\.' has no word 3 from n on"),
            ("record: {crucial_item: nn}\n", r"p\.yaml:7: record: no sentence has the slot 'nn'; did you mean 'n'"),
            ("condition: '{k}'\n", r"p\.yaml:7: condition: .*factor"),
        ],
    )
    def test_keys_that_cannot_be_made(self, tmp_path: Path, more: str, message: str) -> None:
        body = "slots:\n  n: {cat: N, Number: Sing}\ngood: the n .\nbad: n the .\n"
        with pytest.raises(DataError, match=message):
            make(stacked_library(tmp_path, body + more), "p", 1)


class TestSurface:
    """What holds of every sentence that the shipped paradigms give."""

    @pytest.mark.parametrize("uid", ["transitive", "principle_A_domain_3", "adjunct_island", "ellipsis_n_bar_2"])
    def test_invariants(self, library: Library, uid: str) -> None:
        for record in generate(uid, n=400, library=library):
            assert isinstance(record, MinimalPair)
            for text in (record.good, record.bad):
                assert re.fullmatch(r"[A-Z][^ ]*( [^ ]+)*[.?]", text), text
                assert not re.search(r" [.,?']|''|\ba [aeio]\w{3}|\ban [bcdfgjklmnpqrstvwyz]", text), text
