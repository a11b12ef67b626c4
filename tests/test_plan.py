"""Plans: slots bound to candidates, relations bound to constraints, cells, and what cannot be planned."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from golden import FOLDER, GRAMMAR, frozen_library, small_library, stacked_library
from hypothesis import given
from hypothesis import strategies as st

from blimpgen.base.errors import DataError
from blimpgen.base.memo import Memo
from blimpgen.generation.compiled import CompiledParadigm
from blimpgen.generation.prepare import prepare
from blimpgen.library import Library, default_library
from blimpgen.paradigm import read_paradigm
from blimpgen.plan import Node, Plan, cells, compile_cell
from blimpgen.plan.cells import dealt_slots
from blimpgen.plan.constraints import conjoined, constraint
from blimpgen.plan.nodes import Domain
from blimpgen.sampling.enumerate import enumerate_all
from tests.conftest import compiled_of, tiered

Compile = Callable[[str], CompiledParadigm]

PEOPLE = {"actress", "animal_doctor", "aunt", "brother", "child", "committee", "guest", "heir", "waiter"}
ANIMALS = {"goose", "sheep", "unicorn"}
DETERMINERS = ("s/determiner", "o/determiner")
END = "  w: {words: [clearly]}\ngood: w .\nbad: w w .\n"


@pytest.fixture
def compiled(tmp_path: Path) -> Compile:
    """Compiles a paradigm over the frozen library."""

    def make(body: str) -> CompiledParadigm:
        library = stacked_library(tmp_path, body)
        return compiled_of(library)

    return make


def planned(folder: Path, body: str) -> Plan:
    """The plan of the only cell of a paradigm, of which some slots may stand in no sentence."""
    library = stacked_library(folder, body)
    paradigm = library.paradigm("p")
    return compile_cell(paradigm, next(cells(paradigm)), library.language_of(paradigm))


@pytest.fixture
def slot(tmp_path: Path) -> Callable[[str], list[str]]:
    """The candidates of one slot by themselves: lexeme ids, each once, in table order."""

    def candidates(constraints: str) -> list[str]:
        plan = planned(tmp_path, f"slots:\n  x: {{{constraints}}}\n{END}")
        return lexemes(plan.slots["x"], plan)

    return candidates


def lexemes(node: Node, plan: Plan) -> list[str]:
    kept = np.flatnonzero(plan.masks[plan.index(node)])
    ids = [node.leaves[int(node.leaf[k])].inventory.ids[int(node.lexeme[k])] for k in kept]
    return list(dict.fromkeys(i.removesuffix(".1") for i in ids))


def together(paradigm: CompiledParadigm, *slots: str) -> set[tuple[str, ...]]:
    """The lexemes that some slots have together, over all assignments."""
    cell = paradigm.cells[0]
    columns = enumerate_all(cell.sampler)
    found = []
    for name in slots:
        head, _, role = name.partition("/")
        node = cell.plan.slots[head].children[role] if role else cell.plan.slots[head]
        column = columns[cell.plan.index(node)]
        ids = [
            node.leaves[int(node.leaf[k])].inventory.ids[int(node.lexeme[k])].removesuffix(".1") if k >= 0 else ""
            for k in column.tolist()
        ]
        found.append(ids)
    return set(zip(*found, strict=True))


class TestCandidates:
    @pytest.mark.parametrize(
        "constraints, expected",
        [
            ("cat: N, is: animal", "goose sheep unicorn"),
            ("cat: N, is: not physical & count=count", "mile"),
            ("cat: N, is: food | measure", "apple mile rice"),
            ("cat: N, is: +edible & count=mass", "rice"),
            ("cat: N, is: lemma=animal doctor/heir", "animal_doctor heir"),
            ("cat: N, Number: Plur, is: food", "apple"),
            ("cat: N, Number: Sing, is: artifact & not document", "cactus knife"),
            ("cat: N, Gender: Fem", "actress aunt"),
            ("cat: N, Gender: not Com, is: human", "actress aunt brother waiter"),
            ("cat: N, is: words=2", "animal_doctor"),
            ("cat: N, is: irregular=yes", "cactus child goose knife sheep"),
            ("cat: N, is: rel=poss", "aunt brother"),
            ("cat: N, number_stable: yes, agr: either", "committee"),
            ("cat: Name, Number: Plur", "Smiths"),
            ("cat: DP.name", "Alice James Omar Robin Smiths"),
            ("cat: DP.poss", "aunt brother"),
            ("cat: DP.name | DP.poss", "Alice James Omar Robin Smiths aunt brother"),
            ("cat: DP.det, is: human, D: {strength: weak}", "actress animal_doctor child committee guest heir waiter"),
            ("cat: D, lemma: this | that", "this that"),
            ("cat: D, lemma: 'no'", "no"),
            ("cat: D, strength: strong", "the this that every"),
            ("cat: Num", "two three"),
            ("cat: V, form: past, frame: V.P", "listen"),
            ("cat: V, form: past, frame: V.NP & V", "eat sing stop"),
            ("cat: V, form: past, frame: V.that | V.P", "know say listen"),
            ("cat: V, form: past, frame: V, no_frame: V.NP", "laugh sleep vanish wait"),
            ("cat: V, form: past, frame: V, is: objectless=yes", "eat sing stop"),
            ("cat: V, form: past, frame: V.that, is: +bridge & that0=yes", "know say"),
            ("cat: V, form: past, frame: V.NP, is: class=admire-31.2", "admire"),
            ("cat: V, form: past, frame: V.NP, is: refl=yes", "admire cut hurt"),
            ("cat: V, form: past, frame: V.NP, is: prt_kind=sep", "look"),
            ("cat: VG.be, frame: V.NP", "cut eat hurt look sing stop wear"),
            ("cat: VG.plain, frame: V.NP", "admire cut eat hurt know look sing stop wear"),
            ("cat: A, is: pos=pred", "fond"),
            ("cat: Adv, is: slot=final", "often"),
            ("cat: Aux, kind: modal, Polarity: Neg", "can will"),
            ("cat: Refl", "he she it they"),
            ("cat: Wh, is: lemma=who", "who"),
        ],
    )
    def test_a_slot_by_itself(self, slot: Callable[[str], list[str]], constraints: str, expected: str) -> None:
        got = slot(constraints)
        assert [g.removesuffix(".2") for g in got] == expected.split()

    @pytest.mark.parametrize("good, expected", [("v them .", False), ("v pron.acc .", False), ("v n .", True)])
    def test_no_particle_that_can_be_separated_stands_before_a_pronoun(
        self, tmp_path: Path, good: str, expected: bool
    ) -> None:
        """*Looked up it* is no good sentence; *looked up her friend* is one."""
        slots = "v: {cat: V, form: past, frame: V.NP}\n  n: {cat: N}\n  pron: {table: [{acc: her}, {acc: them}]}"
        plan = planned(tmp_path, f"slots:\n  {slots}\ngood: {good}\nbad: v v .\n")
        assert any(name.startswith("look") for name in lexemes(plan.slots["v"], plan)) == expected

    def test_a_possessor_is_no_pronoun_behind_a_particle(self, tmp_path: Path) -> None:
        path = tmp_path / "p.yaml"
        slots = "v: {cat: VG.plain, Tense: Past, frame: V.NP, is: prt_kind=sep}\n  n: {cat: N}"
        path.write_text(f"summary: s\nfield: syntax\nslots:\n  {slots}\ngood: he v her n .\nbad: v he her n .\n")
        paradigm = read_paradigm(path)
        plan = compile_cell(paradigm, next(cells(paradigm)), default_library().language_of(paradigm))
        assert plan.masks[plan.index(plan.slots["v"])].any()

    def test_a_negative_holds_for_all_homographs(self, tmp_path: Path) -> None:
        body = "slots:\n  v: {cat: V, form: past, frame: V, no_frame: V.NP}\ngood: v .\nbad: v and .\n"
        verbs = [
            "id;lemma;prt;past;no_frames",
            "run.1;run;;ran;V.NP",
            "run.2;run;;ran",
            "fall.1;fall;;fell;V.NP",
            "run.3;run;up;ran;V.NP",
        ]
        frames = ["id;frame;subj", "run.1;V", "run.2;V.NP", "fall.1;V", "run.3;V"]
        library = small_library(tmp_path, {"p": body}, verbs=verbs, verb_frames=frames)
        plan = compiled_of(library).cells[0].plan
        assert lexemes(plan.slots["v"], plan) == ["fall", "run.3"]

    def test_leaves_are_ways_through_the_rules(self, tmp_path: Path) -> None:
        node = planned(tmp_path, f"slots:\n  x: {{cat: DP, is: human}}\n{END}").slots["x"]
        ways = [
            (leaf.rules[0].name, leaf.features.get("Number", ""), dict(leaf.path)["DP." + leaf.rules[0].label])
            for leaf in node.leaves
        ]
        assert ways == [
            ("DP.name", "", 3),
            ("DP.det", "Sing", 5),
            ("DP.det", "Plur", 5),
            ("DP.bare", "Plur", 1),
            ("DP.poss", "Sing", 1),
            ("DP.poss", "Plur", 1),
        ]

    def test_nothing_recurs(self, tmp_path: Path) -> None:
        """A possessor is one level down, where no possessor stands."""
        plan = planned(tmp_path, f"slots:\n  x: {{cat: DP.poss}}\n{END}")
        assert [node.path for node in plan.order] == ["x", "x/possessor", "x/possessor/determiner", "w"]

    def test_daughters_of_a_verb_phrase(self, compiled: Compile) -> None:
        plan = compiled("slots:\n  s: {cat: Name}\n  x: {cat: VP, subject: s}\ngood: s x .\nbad: x s .\n").cells[0].plan
        assert [node.path for node in plan.order] == [
            "s",
            "x",
            "x/object",
            "x/object/determiner",
            "x/object/possessor",
            "x/object/possessor/determiner",
            "x/aux",
        ]


@pytest.mark.parametrize("key", ["lemma: some | all", "is: lemma=some/all"])
def test_a_word_of_no_weight_is_drawn_where_a_slot_names_it(key: str, tmp_path: Path) -> None:
    path = tmp_path / "p.yaml"
    path.write_text(f"summary: x\nfield: syntax\nslots:\n  det: {{cat: D, {key}}}\ngood: det .\nbad: det det .\n")
    library = default_library()
    paradigm = library.paradigm(path)
    plan = compile_cell(paradigm, next(cells(paradigm)), library.language_of(paradigm))
    assert lexemes(plan.slots["det"], plan) == ["some", "all"]


class TestRelations:
    def test_subject_and_object(self, compiled: Compile) -> None:
        found = together(
            compiled(
                "slots:\n"
                "  v: {cat: V, form: past, frame: V.NP, is: lemma=eat/wear}\n"
                "  s: {cat: N, Number: Sing, subject_of: v}\n"
                "  o: {cat: N, Number: Sing, object_of: v}\ngood: the s v the o .\nbad: the o v the s .\n"
            ),
            "s",
            "v",
            "o",
        )
        assert found == {(s, "eat", o) for s in PEOPLE | ANIMALS for o in ("apple", "rice")} | {
            (s, "wear", o) for s in PEOPLE for o in ("cactus", "knife")
        }

    def test_an_adjective_is_said_of_what_it_names(self, compiled: Compile) -> None:
        found = together(
            compiled(
                "slots:\n"
                "  adj: {cat: A, is: lemma=honest/old/useful}\n"
                "  s: {cat: N, Number: Sing, is: lemma=aunt/knife/honesty, subject_of: adj}\n"
                "good: the s is adj .\nbad: adj is the s .\n"
            ),
            "adj",
            "s",
        )
        assert found == {("honest", "aunt"), ("old", "aunt"), ("old", "knife"), ("useful", "knife")}

    def test_a_list_of_relations_holds_as_a_whole(self, compiled: Compile) -> None:
        body = (
            "slots:\n"
            "  v: {cat: V, form: past, frame: V.NP, is: lemma=hurt/know}\n"
            "  u: {cat: V, form: past, frame: V, is: lemma=stop}\n"
            "  s: {cat: N, Number: Sing, subject_of: [v, u]}\ngood: the s v and u .\nbad: the s u v .\n"
        )
        found = together(compiled(body), "v", "s")
        assert {s for v, s in found if v == "know"} == PEOPLE
        assert {s for v, s in found if v == "hurt"} == PEOPLE | {"book", "cactus", "knife"}

    @pytest.mark.parametrize(
        "left, right",
        [
            ("s: {cat: N, subject_of: v}", "v: {cat: V, form: past, frame: V}"),
            ("s: {cat: N}", "v: {cat: V, form: past, frame: V, subject: s}"),
            ("v: {cat: V, form: past, frame: V}", "s: {cat: N, subject_of: v}"),
        ],
    )
    def test_both_ends_may_state_a_relation(self, compiled: Compile, left: str, right: str) -> None:
        found = together(compiled(f"slots:\n  {left}\n  {right}\ngood: the s v .\nbad: v the s .\n"), "s", "v")
        assert ("sheep", "sleep") in found
        assert ("book", "sleep") not in found

    @pytest.mark.parametrize(
        "relation, expected",
        [
            ("bad_object_of", {("eat", "honesty"), ("eat", "mile"), ("cut", "honesty"), ("cut", "mile")}),
            ("bad_subject_of", {("eat", "honesty"), ("eat", "mile"), ("cut", "honesty"), ("cut", "mile")}),
        ],
    )
    def test_violations(self, compiled: Compile, relation: str, expected: set[tuple[str, str]]) -> None:
        found = together(
            compiled(
                f"slots:\n"
                f"  v: {{cat: V, form: past, frame: V.NP, is: lemma=eat/cut}}\n"
                f"  x: {{cat: N, Number: Sing, {relation}: v}}\n"
                "good: v x .\nbad: x v .\n"
            ),
            "v",
            "x",
        )
        assert found == expected

    def test_types_of_a_noun(self, compiled: Compile) -> None:
        """A noun fits by one of its types; it violates only by all of them."""
        fits = together(
            compiled(
                "slots:\n"
                "  v: {cat: V, form: past, frame: V, is: lemma=laugh}\n"
                "  x: {cat: N, subject_of: v}\n"
                "good: x v .\nbad: v x .\n"
            ),
            "x",
        )
        assert ("committee",) in fits
        with pytest.raises(DataError, match="nothing fits"):
            compiled(
                "slots:\n"
                "  v: {cat: V, form: past, frame: V, is: lemma=laugh}\n"
                "  x: {cat: N, is: lemma=committee, bad_subject_of: v}\ngood: x v .\nbad: v x .\n"
            )

    def test_adjectives(self, compiled: Compile) -> None:
        found = together(
            compiled(
                "slots:\n"
                "  n: {cat: N, Number: Sing, is: lemma=knife/heir/honesty/committee}\n"
                "  adj: {cat: A, modifies: n}\ngood: the adj n .\nbad: the n adj .\n"
            ),
            "adj",
            "n",
        )
        assert found == {
            ("honest", "heir"),
            ("honest", "committee"),
            ("old", "knife"),
            ("old", "heir"),
            ("old", "committee"),
            ("useful", "knife"),
            ("fond", "heir"),
            ("fond", "committee"),
        }

    def test_adverbs(self, compiled: Compile) -> None:
        found = together(
            compiled(
                "slots:\n"
                "  v: {cat: V, form: past, frame: V, is: lemma=vanish/eat}\n"
                "  adv: {cat: Adv, modifies: v}\n"
                "good: adv v .\nbad: v adv .\n"
            ),
            "adv",
            "v",
        )
        assert found == {("never", "vanish"), ("never", "eat"), ("often", "eat"), ("suddenly", "vanish")}

    def test_questions(self, compiled: Compile) -> None:
        found = together(
            compiled(
                "slots:\n"
                "  n: {cat: N, Number: Sing, is: lemma=heir/knife/committee}\n"
                "  wh: {cat: Wh, asks_about: n}\n"
                "good: wh n .\nbad: n wh .\n"
            ),
            "wh",
            "n",
        )
        assert found == {("who.2", "heir"), ("who.2", "committee"), ("what", "knife")}

    def test_wh_word_in_a_place(self, compiled: Compile) -> None:
        found = together(
            compiled(
                "slots:\n"
                "  v: {cat: V, form: past, frame: V.NP}\n"
                "  wh: {cat: Wh, object_of: v}\n"
                "good: wh v .\n"
                "bad: v wh .\n"
            ),
            "wh",
            "v",
        )
        assert {v for wh, v in found if wh == "who.2"} == {"admire", "hurt", "know", "stop"}
        assert {v for wh, v in found if wh == "what"} == {
            "admire", "cut", "eat", "know", "look", "sing", "stop", "wear"
        }  # fmt: skip

    def test_relative_pronouns(self, compiled: Compile) -> None:
        found = together(
            compiled(
                "slots:\n"
                "  n: {cat: N, Number: Sing, is: lemma=heir/knife}\n"
                "  r: {cat: Rel, antecedent: n}\n"
                "good: n r .\nbad: r n .\n"
            ),
            "r",
            "n",
        )
        assert found == {("who", "heir"), ("that", "heir"), ("that", "knife")}

    def test_determiners_by_agreement(self, compiled: Compile) -> None:
        found = together(
            compiled("slots:\n  n: {cat: N, is: lemma=rice}\n  d: {cat: D, agrees_with: n}\ngood: d n .\nbad: n d .\n"),
            "d",
        )
        assert found == {("the",), ("this",), ("that",), ("some",)}

    def test_reflexives(self, compiled: Compile) -> None:
        found = together(
            compiled("slots:\n  n: {cat: DP.name}\n  r: {cat: Refl, agrees_with: n}\ngood: n r .\nbad: r n .\n"),
            "n",
            "r",
        )
        assert found == {("Alice", "she"), ("James", "he"), ("Omar", "he"), ("Smiths", "they")}

    def test_subordinators_and_progressives(self, compiled: Compile) -> None:
        found = together(
            compiled(
                "slots:\n"
                "  v: {cat: V, form: ing, frame: V}\n"
                "  c: {cat: Subordinator, selects: v}\n"
                "good: c v .\n"
                "bad: v c .\n"
            ),
            "c",
        )
        assert found == {("before",), ("without",)}
        found = together(
            compiled(
                "slots:\n"
                "  v: {cat: V, frame: V.NP, is: lemma=know/cut}\n"
                "  aux: {cat: Aux, selects: v, agrees_with: n}\n"
                "  n: {cat: Name}\ngood: n aux v .\nbad: aux n v .\n"
            ),
            "aux",
            "v",
        )
        assert ("be", "know") not in found
        assert {("be", "cut"), ("have", "know"), ("can", "know")} <= found

    def test_determiners_under_negation(self, compiled: Compile) -> None:
        body = (
            "slots:\n"
            "  v: {cat: VG.have, frame: V.NP, Polarity: POL, is: lemma=eat}\n"
            "  s: {cat: DP.det, subject_of: v}\n"
            "  o: {cat: DP.det, object_of: v}\ngood: s v o .\nbad: s o v .\n"
        )
        positive, negative = (
            [set(column) for column in zip(*together(compiled(body.replace("POL", p)), *DETERMINERS), strict=True)]
            for p in ("Pos", "Neg")
        )
        assert [p - n for p, n in zip(positive, negative, strict=True)] == [{"every"}, {"every", "some"}]

    @pytest.mark.parametrize(
        "kind, expected",
        [("same Number", {("Sing", "Sing"), ("Plur", "Plur")}), ("other Number", {("Sing", "Plur"), ("Plur", "Sing")})],
    )
    def test_ties(self, compiled: Compile, kind: str, expected: set[tuple[str, str]]) -> None:
        which = kind.split()[0]
        cell = compiled(
            f"slots:\n"
            f"  n: {{cat: N, is: lemma=book}}\n"
            f"  m: {{cat: N, is: lemma=knife, Number: {which} n}}\n"
            f"good: n m .\n"
            f"bad: m n .\n"
        ).cells[0]
        columns = enumerate_all(cell.sampler)
        numbers = [
            [("Sing", "Plur")[k] for k in cell.plan.slots[s].number[columns[cell.plan.index(cell.plan.slots[s])]]]
            for s in "nm"
        ]
        assert set(zip(*numbers, strict=True)) == expected

    def test_a_daughter_is_tied_to_the_head_of_its_own_slot(self, compiled: Compile) -> None:
        cell = compiled(
            "slots:\n"
            "  n: {cat: DP.poss, is: lemma=aunt, possessor: {cat: DP.det, is: lemma=guest, Number: other n}}\n"
            "  v: {cat: VG.plain, Tense: Past, frame: V, subject: n, is: lemma=sleep}\n"
            "good: n v .\nbad: v n .\n"
        ).cells[0]
        columns, plan = enumerate_all(cell.sampler), cell.plan
        nodes = plan.slots["n"], plan.slots["n"].children["possessor"]
        numbers = {tuple(int(n.number[columns[plan.index(n)][k]]) for n in nodes) for k in range(len(columns[0]))}
        assert numbers == {(0, 1), (1, 0)}

    def test_ties_of_gender(self, compiled: Compile) -> None:
        found = together(
            compiled(
                "slots:\n"
                "  n: {cat: N, Number: Sing, is: role, Gender: Masc | Fem}\n"
                "  m: {cat: N, Number: Sing, is: kin, Gender: other n}\ngood: n m .\nbad: m n .\n"
            ),
            "n",
            "m",
        )
        assert found == {("actress", "brother"), ("waiter", "aunt")}

    def test_ties_of_daughters(self, compiled: Compile) -> None:
        found = together(
            compiled(
                "slots:\n"
                "  n: {cat: DP.det, is: lemma=guest}\n"
                "  m: {cat: DP.det, is: lemma=heir, D: {lemma: other n}}\n"
                "good: n m .\nbad: m n .\n"
            ),
            "n/determiner",
            "m/determiner",
        )
        assert all(a != b for a, b in found)


class TestTwins:
    def test_as_many_words(self, compiled: Compile) -> None:
        found = together(
            compiled(
                "slots:\n"
                "  n: {cat: Name}\n"
                "  v: {cat: VG.plain, frame: V.NP, is: lemma=eat/look, subject: n}\n"
                "  t: {like: v, frame: V}\n"
                "good: n v .\nbad: n t .\n"
            ),
            "v",
            "t",
        )
        assert {t for v, t in found if v == "look"} == {"wait"}
        assert {t for v, t in found if v == "eat"} == {"laugh", "sing", "sleep", "stop", "vanish"}

    def test_progressives(self, compiled: Compile) -> None:
        found = together(
            compiled(
                "slots:\n"
                "  n: {cat: Name}\n"
                "  v: {cat: VG.be | VG.plain, frame: V.that | V.P, subject: n}\n"
                "  t: {like: v, frame: V.NP, is: words=1}\ngood: n v .\nbad: n t .\n"
            ),
            "v",
            "t",
        )
        assert ("say", "admire") in found
        plan = compiled(
            "slots:\n"
            "  n: {cat: Name}\n"
            "  v: {cat: VG.be, frame: V.that | V.P, subject: n}\n"
            "  t: {like: v, frame: V.NP, is: words=1}\ngood: n v .\nbad: n t .\n"
        )
        assert not {"admire", "know"} & {t for _, t in together(plan, "v", "t")}

    def test_selection_of_the_twin_holds_too(self, compiled: Compile) -> None:
        found = together(
            compiled(
                "slots:\n"
                "  v: {cat: VG.plain, frame: V.NP, is: lemma=stop}\n"
                "  t: {like: v, frame: V, is: lemma=sleep/vanish}\n"
                "  s: {cat: N, Number: Sing, subject_of: [v, t]}\ngood: the s v .\nbad: the s t .\n"
            ),
            "s",
            "t",
        )
        assert ("guest", "vanish") in found
        assert ("guest", "sleep") in found
        assert {s for s, _ in found} == PEOPLE

    def test_a_twin_of_a_phrase_has_the_same_rule(self, compiled: Compile) -> None:
        body = (
            "slots:\n"
            "  n: {cat: DP.name | DP.det, Number: Sing, is: human}\n"
            "  m: {like: n}\n"
            "  w: {words: [clearly]}\n"
            "good: n w .\n"
            "bad: m w .\n"
        )
        found = together(compiled(body), "n", "m")
        names = {"Alice", "James", "Omar", "Robin"}
        assert found
        assert all((a in names) == (b in names) and a != b for a, b in found)


class TestChanges:
    """Only choices are kept whose change makes the sentence bad on every reading of the words."""

    def kept(self, paradigm: CompiledParadigm, slot: str) -> list[str]:
        return sorted({ids[0] for ids in together(paradigm, slot)})

    def test_forms_that_show_no_number(self, compiled: Compile) -> None:
        body = (
            "slots:\n"
            "  v: {cat: VG.plain, Tense: Pres, frame: V.NP, is: words=1}\n"
            "  s: {cat: DP.name, subject_of: v}\n"
            "good: s v .\nbad: s v[Number=other] .\n"
        )
        assert self.kept(compiled(body), "v") == ["admire", "eat", "know", "sing", "stop", "wear"]

    def test_pasts_that_are_participles(self, compiled: Compile) -> None:
        body = (
            "slots:\n"
            "  v: {cat: VG.plain, Tense: Past, frame: V.NP | V}\n"
            "  s: {cat: DP.name, subject_of: v}\n"
            "good: s v .\nbad: s v[form=part] .\n"
        )
        assert self.kept(compiled(body), "v") == ["eat", "know", "sing", "wear"]

    def test_variants_block_a_change(self, tmp_path: Path) -> None:
        body = (
            "slots:\n"
            "  v: {cat: VP.past, frame: V}\n"
            "  s: {cat: DP.name, subject_of: v}\n"
            "good: s v .\n"
            "bad: s v[form=part] .\n"
        )
        verbs = [
            "id;lemma;past;part;past_alt",
            "run.1;run;ran;run",
            "sink.1;sink;sank;sunk;sunk",
            "fly.1;fly;flew;flown",
            "fl.1;fl;fled;fled;flown",
            "go.1;go;went;gone",
        ]
        frames = ["id;frame;subj", *(f"{v};V" for v in ("run.1", "sink.1", "fly.1", "fl.1", "go.1"))]
        library = small_library(tmp_path, {"p": body}, verbs=verbs, verb_frames=frames)
        assert self.kept(compiled_of(library), "v") == ["go"]

    def test_nouns_with_one_form(self, compiled: Compile) -> None:
        body = (
            "slots:\n"
            "  n: {cat: N, is: not human}\n"
            "  d: {cat: D, lemma: this | the, agrees_with: n}\n"
            "good: d n .\nbad: d n[Number=other] .\n"
        )
        paradigm = compiled(body)
        assert self.kept(paradigm, "n") == ["apple", "book", "cactus", "goose", "knife", "mile", "unicorn"]
        assert self.kept(paradigm, "d") == ["this"]

    def test_subjects_whose_number_is_in_doubt(self, compiled: Compile) -> None:
        body = (
            "slots:\n"
            "  v: {cat: VG.plain, Tense: Pres, frame: V, is: lemma=laugh}\n"
            "  s: {cat: N, Number: Sing, subject_of: v}\n"
            "good: the s v .\nbad: the s v[Number=other] .\n"
        )
        assert "committee" not in self.kept(compiled(body), "s")
        assert "guest" in self.kept(compiled(body), "s")

    def test_subjects_that_some_count_without_an_ending(self, tmp_path: Path) -> None:
        body = (
            "slots:\n"
            "  v: {cat: VP.have, frame: V}\n"
            "  s: {cat: N, Number: Sing, subject_of: v}\n"
            "good: the s v .\nbad: the s v[Number=other] .\n"
        )
        nouns = ["id;lemma;types;plural_alt", "lion.1;lion;animal;lion", "bear.1;bear;animal"]
        library = small_library(tmp_path, {"p": body}, nouns=nouns)
        assert self.kept(compiled_of(library), "s") == ["bear"]

    def test_determiners(self, compiled: Compile) -> None:
        body = (
            "slots:\n"
            "  n: {cat: N, is: lemma=book}\n"
            "  d: {cat: D, agrees_with: n}\n"
            "good: d n .\n"
            "bad: d[Number=other] n .\n"
        )
        assert self.kept(compiled(body), "d") == ["that", "this"]


class TestLookingAhead:
    def test_candidates_without_partners_are_counted(self, compiled: Compile) -> None:
        plan = (
            compiled(
                "slots:\n"
                "  v: {cat: V, form: past, frame: V.NP}\n"
                "  o: {cat: N, object_of: v, is: food}\n"
                "good: v o .\n"
                "bad: o v .\n"
            )
            .cells[0]
            .plan
        )
        assert lexemes(plan.slots["v"], plan) == ["admire", "cut", "eat", "know"]
        assert plan.removed == {"v": 5, "o": 0}

    def test_two_slots_that_share_a_partner(self, compiled: Compile) -> None:
        """The verbs are chosen together, so that the noun after them never fails."""
        cell = compiled(
            "slots:\n"
            "  v: {cat: V, form: past, frame: V.NP, is: lemma=eat/wear/look}\n"
            "  u: {cat: V, form: past, frame: V.NP, is: lemma=cut/sing/stop/admire}\n"
            "  o: {cat: N, object_of: [v, u]}\ngood: v u o .\nbad: u v o .\n"
        ).cells[0]
        assert together_fits(cell.plan, "v", "u") == {
            ("eat", "cut"),
            ("eat", "admire"),
            ("wear", "stop"),
            ("wear", "admire"),
            ("look", "cut"),
            ("look", "sing"),
            ("look", "stop"),
            ("look", "admire"),
        }

    def test_a_daughter_is_no_partner_where_it_is_not(self, tmp_path: Path) -> None:
        """Bare plurals need no determiner that fits a plural."""
        rules = GRAMMAR.replace("DP.det   ->", "DP.bare -> N[Number=Plur]* {1}\nDP.det   ->")
        body = "slots:\n  s: {cat: DP}\n  v: {cat: VP.past, frame: V, subject: s}\ngood: s v .\nbad: v s .\n"
        library = small_library(
            tmp_path,
            {"p": body},
            grammar=rules,
            determiners=["id;lemma;kind;sg;pl;mass;weight", "every.1;every;quant;every;;;3"],
        )
        cell = compiled_of(library).cells[0]
        texts = (
            cell.templates["good"]
            .realise(enumerate_all(cell.sampler), cell.language.lexicon)
            .texts(cell.language.lexicon)
        )
        assert "Cats fell." in texts
        assert "Every cat fell." in texts
        assert not any(t.startswith("Every cats") or t.startswith("Cat ") for t in texts)

    def test_nothing_left(self, compiled: Compile) -> None:
        with pytest.raises(
            DataError, match=r"p\.yaml:4: nothing fits slot 'v': no candidate has a partner in 'o' \(object_of\)"
        ):
            compiled(
                "slots:\n"
                "  v: {cat: V, form: past, frame: V.NP, is: lemma=eat}\n"
                "  o: {cat: N, object_of: v, is: lemma=honesty}\n"
                "good: v o .\n"
                "bad: o v .\n"
            )


def together_fits(plan: Plan, a: str, b: str) -> set[tuple[str, str]]:
    """The pairs of lexemes that the constraint between two nodes allows."""
    left, right = plan.slots[a], plan.slots[b]
    found = next(c for c in plan.constraints if {c.a, c.b} == {left, right})
    if found.a is not left:
        left, right = right, left
    pairs = {
        (i, j)
        for i in range(left.size)
        for j in range(right.size)
        if plan.masks[plan.index(left)][i]
        and plan.masks[plan.index(right)][j]
        and found.allowed[found.classes_a[i], found.classes_b[j]]
    }
    names = {(lexeme(left, i), lexeme(right, j)) for i, j in pairs}
    return names if left is plan.slots[a] else {(j, i) for i, j in names}


def lexeme(node: Node, k: int) -> str:
    return node.leaves[int(node.leaf[k])].inventory.ids[int(node.lexeme[k])].removesuffix(".1")


class TestConstraintTables:
    """Classes may be merged and conjoined, but what is allowed stays the same."""

    @given(st.data())
    def test_merged_and_conjoined(self, data: st.DataObject) -> None:
        n, m = data.draw(st.integers(1, 6)), data.draw(st.integers(1, 6))
        a, b = (
            Node(name, Domain((), tuple({"x": str(k)} for k in range(size)))) for name, size in (("a", n), ("b", m))
        )
        drawn = []
        for turned in (False, data.draw(st.booleans())):
            rows, cols = data.draw(st.integers(1, 4)), data.draw(st.integers(1, 4))
            allowed = np.array(data.draw(st.lists(st.booleans(), min_size=rows * cols, max_size=rows * cols))).reshape(
                rows, cols
            )
            left = np.array(data.draw(st.lists(st.integers(-1, rows - 1), min_size=n, max_size=n)), dtype=np.int32)
            right = np.array(data.draw(st.lists(st.integers(0, cols - 1), min_size=m, max_size=m)), dtype=np.int32)
            padded = np.concatenate([allowed, np.ones((1, cols), dtype=bool)])
            truth = padded[left][:, right]
            made = constraint("c", a, b, left, right, allowed)
            if turned:
                made = type(made)("c", b, a, made.classes_b, made.classes_a, made.allowed.T)
            drawn.append((made, truth))
        both = conjoined(drawn[0][0], drawn[1][0], Memo())
        for made, truth in (drawn[0], (both, drawn[0][1] & drawn[1][1])):
            table = made.allowed[made.classes_a][:, made.classes_b]
            assert table[:-1, :-1].tolist() == truth.tolist()
            assert table[-1].all()
            assert table[:, -1].all()


class TestCells:
    def read(self, folder: Path, body: str) -> CompiledParadigm:
        library = stacked_library(folder, body)
        return compiled_of(library)

    def test_factors_outermost_in_file_order(self, tmp_path: Path) -> None:
        paradigm = frozen_library().paradigm("changes")
        found = [dict(cell.levels) for cell in cells(paradigm)]
        assert found == [{"finite": f, "subj.Number": n} for f in ("plain", "have") for n in ("Sing", "Plur")]
        assert dealt_slots(paradigm) == ()
        assert dealt_slots(frozen_library().paradigm("twins")) == ("iv",)

    def test_levels_change_slots_and_sentences(self, compiled: Compile) -> None:
        paradigm = compiled(
            "slots:\n"
            "  n: {cat: N, is: animal | food, Number: =n}\n"
            "vary:\n"
            "  n: [Sing, Plur]\n"
            "  k: {a: {n: {is: food}}, b: {n: {is: animal}, sentences: {bad: n and .}}, c: {}}\n"
            "good: n .\nbad: and n .\n"
        )
        names = [cell.plan.cell.name for cell in paradigm.cells]
        assert names == [f"n={n}, k={k}" for n in ("Sing", "Plur") for k in "abc"]
        assert [cell.plan.cell.sentences["bad"] for cell in paradigm.cells[:3]] == ["and n .", "n and .", "and n ."]
        assert [lexemes(cell.plan.slots["n"], cell.plan) for cell in paradigm.cells[3:5]] == [
            ["apple"],
            ["goose", "sheep", "unicorn"],
        ]

    def test_restrictions_of_a_slot_and_of_levels_hold_together(self, compiled: Compile) -> None:
        paradigm = compiled(
            "slots:\n"
            "  n: {cat: DP.det, is: animal | food, D: {is: strength=weak}}\n"
            "vary:\n"
            "  k: {a: {n: {is: not lemma=goose}}, b: {}}\n"
            "  m: {a: {n: {is: animal, D: {is: lemma=a/two/the}}}, b: {}}\n"
            "good: n ever .\nbad: ever n .\n"
        )
        nouns = {cell.plan.cell.name: set(lexemes(cell.plan.slots["n"], cell.plan)) for cell in paradigm.cells}
        assert nouns["k=a, m=a"] == {"sheep", "unicorn"}
        assert nouns["k=b, m=a"] == {"sheep", "unicorn", "goose"}
        assert nouns["k=a, m=b"] == {"sheep", "unicorn", "apple", "rice"}
        assert {d for _, d in together(paradigm, "n", "n/determiner")} >= {"a", "two"}
        first = paradigm.cells[0].plan
        assert set(lexemes(first.slots["n"].children["determiner"], first)) == {"a", "two"}

    @pytest.mark.parametrize("own, level", [("anmal", "food"), ("animal", "fod")])
    def test_each_restriction_has_its_own_line(self, compiled: Compile, own: str, level: str) -> None:
        body = f"slots:\n  n:\n    cat: N\n    is: {own}\nvary:\n  k:\n    a:\n      n:\n        is: {level}\n"
        wrong = own if own != "animal" else level
        with pytest.raises(DataError, match=wrong) as error:
            compiled(body + "good: n .\nbad: . n\n")
        assert error.value.place is not None
        assert error.value.place.path.read_text().splitlines()[error.value.place.line - 1].endswith(f"is: {wrong}")

    def test_a_level_merges_mapping_by_mapping(self, compiled: Compile) -> None:
        paradigm = compiled(
            "slots:\n"
            "  n: {cat: DP.det, is: animal, D: {strength: weak}}\n"
            "vary: {k: {a: {n: {D: {lemma: a | two}}}}}\n"
            "good: n ever .\nbad: ever n .\n"
        )
        assert {d for _, d in together(paradigm, "n", "n/determiner")} == {"a", "two"}

    @pytest.mark.parametrize(
        "slot, balance, levels",
        [
            ("cat: N", "n.Number", ["Sing", "Plur"]),
            ("cat: N, Gender: Fem | Masc", "n.Gender", ["Fem", "Masc"]),
            ("cat: DP.det, D: {lemma: the | some | a}", "n.D.lemma", ["the", "some", "a"]),
        ],
    )
    def test_balanced_features(self, compiled: Compile, slot: str, balance: str, levels: list[str]) -> None:
        paradigm = compiled(
            f"slots:\n  n: {{{slot}}}\n  w: {{words: [clearly]}}\ngood: n w .\nbad: w n .\nbalance: [{balance}]\n"
        )
        assert [dict(cell.plan.cell.levels) for cell in paradigm.cells] == [{balance: level} for level in levels]


H = (
    "slots:\n"
    "  verb: {cat: VG.plain, Tense: Past, frame: V}\n"
    "  subj: {cat: DP, subject_of: verb%s}\n"
    "%sgood: subj verb .\n"
    "bad: verb subj .\n"
)


class TestRefusals:
    """Line, what is wrong, and what to do about it."""

    @pytest.mark.parametrize(
        "body, message",
        [
            (H % (", is: huma", ""), r":5: unknown type 'huma'; did you mean 'human'"),
            (H % (", is: +edble", ""), r":5: unknown tag \+edble; did you mean 'edible'"),
            (H % (", is: $sentiant", ""), r":5: unknown macro \$sentiant; did you mean 'sentient'"),
            (H % (", is: cont=mass", ""), r":5: .* has no feature 'cont'"),
            (H % (", Colour: red", ""), r":5: .* has no feature 'Colour'; there are: "),
            (H % (", Number: Dual", ""), r":5: no .* has Number=Dual; there are: .*Sing"),
            (H % (", D: {lemma: same verb}", ""), r":5: slot 'verb' has no determiner"),
            (H % (", every: {V: prog=yes}", ""), r":5: every: no V in slot 'subj'; there are: .*N"),
            (H % ("", "  x: {cat: N, D: {lemma: a}}\n"), r":6: N has no determiner; there are none"),
            (H % (", Number: same sbj", ""), r":5: unknown slot 'sbj'; did you mean 'subj'"),
            (H % (", Number: =n", ""), r":5: unknown factor 'n'; there are none"),
            (H % (", D: {lemma: thee}", ""), r":5: no D has lemma=thee; did you mean 'three'"),
            (H.replace("cat: DP", "cat: DDP") % ("", ""), r":5: unknown category 'DDP'; did you mean 'DP'"),
            (H.replace("cat: DP", "cat: DP.dett") % ("", ""), r":5: no rule DP.dett; did you mean 'DP.det'"),
            (H.replace("frame: V}", "frame: V.NQ}") % ("", ""), r":4: unknown frame 'V.NQ'; did you mean 'V.NP'"),
            (H.replace("frame: V}", "frame: V, no_frame: V.NQ}") % ("", ""), r":4: unknown frame 'V.NQ'"),
            (H.replace(", frame: V}", "}") % ("", ""), r":4: the verb of 'verb' has no frame; write frame: V.NP"),
            (
                H.replace("frame: V}", "frame: V, no_frame: V.NP.NP}") % ("", ""),
                r":4: nothing fits slot 'verb': without 'no_frame.*' \d+ candidates",
            ),
            (
                H % (", is: animal & human", ""),
                r":5: nothing fits slot 'subj': without 'is.*' \d+ candidates would fit",
            ),
            (
                H.replace("subject_of: verb", "subject_of: vreb") % ("", ""),
                r":5: unknown slot 'vreb'; did you mean 'verb'",
            ),
            (H % ("", "  x: {like: sbj}\n"), r":6: unknown slot 'sbj'; did you mean 'subj'"),
            (H % ("", "  x: {same: sbj}\n"), r":6: unknown slot 'sbj'; did you mean 'subj'"),
            (H % ("", "  x: {like: y}\n  y: {cat: N}\n"), r":6: slot 'y' must stand above 'x'"),
            (H % ("", "  x: {same: y}\n  y: {cat: N}\n"), r":6: slot 'y' must stand above 'x'"),
            (H % ("", "  x: {same: x}\n"), r":6: slot 'x' must stand above 'x'"),
            (H % ("", "  x: {cat: N, object_of: subj}\n"), r":6: "),
            (H % (", frame: V.NP", ""), r":5: "),
            (H % (", no_frame: V.NP", ""), r":5: "),
            (H % (", modifies: verb", ""), r":5: "),
            (H % ("", "  x: {Number: Sing}\n"), r":6: slot 'x' has no category; write cat: DP, or like: SLOT"),
            (H % ("", "  x: {cat: Conj, selects: verb}\n"), r":6: 'x' selects nothing; auxiliaries and subordinators"),
            (H % ("", "  x: {cat: A, modifies: verb}\n"), r"'verb' is no noun phrase"),
            (
                H % ("", "  x: {cat: N, agrees_with: q.frst}\n  q: {table: [{first: two}]}\n"),
                r":6: the table 'q' has no column 'frst'; did you mean 'first'",
            ),
            (
                H % ("", "  q: {table: [{first: two}, {second: two}]}\n"),
                r":6: row 2 of the table has the columns second; the first row has first",
            ),
            (H % ("", "  x: table\n"), r":6: .*(slot|mapping)"),
            (
                H % ("", "  the: {cat: N}\n"),
                r":6: slot 'the' has the name of a closed-class word \(of determiners\.tsv\); choose another name",
            ),
            (
                H.replace("verb subj .", "verb subj q .") % ("", "  q: {table: [{first: two}]}\n"),
                r":8: the table 'q' stands without a column; write q.first",
            ),
            (
                H.replace("verb subj .", "verb subj q.frst .") % ("", "  q: {table: [{first: two}]}\n"),
                r":8: the table 'q' has no column 'frst'",
            ),
            (
                H.replace("verb subj .", "verb sbj .") % ("", ""),
                r":7: 'sbj' is neither a slot nor a closed-class word; did you mean 'subj'",
            ),
            (
                H.replace("verb subj .", "verb[Numbr=other] subj .") % ("", ""),
                r":7: no change Numbr=other; did you mean 'Number=other'",
            ),
            (H.replace("verb subj .", "verb[Number other] subj .") % ("", ""), r":7: "),
            (
                H.replace("verb subj .", "verb[Number=other] subj .") % ("", ""),
                r":7: no filler of 'verb' can be changed to Number=other without another reading",
            ),
            (
                H % ("", "") + "vary: {k: {a: {sbj: {Number: Sing}}}}\n",
                r":8: 'sbj' is no slot; did you mean 'subj'.*; what only levels fill stands there too, as sbj: {}",
            ),
            (
                H % ("", "") + "vary: {k: {a: {sentences: {godo: verb}}}}\n",
                r":8: 'godo' is no sentence; did you mean 'good'",
            ),
            (H % ("", "") + "vary: {k: []}\n", r":8: the factor 'k' has no levels"),
            (H % ("", "") + "balance: [sbj]\n", r":8: .*'sbj'.* did you mean 'subj'"),
            (H % ("", "") + "balance: [subj.Colour]\n", r":8: 'subj.Colour': .* in the slot"),
            (
                H.replace("VG.plain, Tense: Past", "VG.have").replace(", subject_of: verb", "") % ("", ""),
                r":4: the auxiliary of 'verb' has no subject; write agrees_with or subject_of",
            ),
            (
                H.replace("VG.plain, Tense: Past", "V") % ("", ""),
                r":4: the verb of 'verb' has no form; write form: ing",
            ),
            (
                H.replace("good: subj", "good: d subj") % ("", "  d: {cat: D}\n"),
                r":6: the determiner 'd' has no noun; write agrees_with",
            ),
        ],
    )
    def test_message(self, compiled: Compile, body: str, message: str) -> None:
        with pytest.raises(DataError, match=message):
            compiled(body)

    @pytest.mark.parametrize("body", [H % ("", "  x: {like: subj, cat: N}\n")])
    def test_keys_that_say_nothing(self, compiled: Compile, body: str) -> None:
        with pytest.raises(DataError):
            compiled(body)

    def test_a_value_of_one_category_only(self, compiled: Compile) -> None:
        compiled(H % (", is: not lemma=guest", ""))

    def test_an_object_asked_for_is_there(self, compiled: Compile) -> None:
        paradigm = compiled(
            "slots:\n"
            "  s: {cat: Name}\n"
            "  v: {cat: VP.plain, Tense: Past, object: {cat: DP.name}, subject: s}\n"
            "good: s v .\nbad: v s .\n"
        )
        assert all(o for (o,) in together(paradigm, "v/object"))


class TestShippedPlans:
    """Every shipped paradigm can be planned."""

    @pytest.mark.parametrize("uid", tiered(default_library().uids()))
    def test_all(self, uid: str, library: Library) -> None:
        for cell in compiled_of(library, uid).cells:
            assert len(cell.plan.masks) == len(cell.plan.order)
            assert all(
                mask.any() for node, mask in zip(cell.plan.order, cell.plan.masks, strict=True) if node.parent is None
            )

    def test_plans_are_kept_by_content(self, tmp_path: Path) -> None:
        library = Library([FOLDER])
        path = tmp_path / "q.yaml"
        path.write_bytes((FOLDER / "paradigms/golden/twins/twins.yaml").read_bytes())
        first = prepare(read_paradigm(path), library, unproven=lambda fault: None)
        assert prepare(read_paradigm(path), library, unproven=lambda fault: None).cells is first.cells
        path.write_text(path.read_text().replace("balance: [iv]", ""))
        assert prepare(read_paradigm(path), library, unproven=lambda fault: None).cells is not first.cells
