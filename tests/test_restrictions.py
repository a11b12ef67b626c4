"""The restriction language: what a text means, and what is refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from blimpgen.base.errors import DataError, Place
from blimpgen.lexicon.restrictions import And, Atom, Expression, Not, Or, atoms, evaluate, expand, parse_restriction

HUMAN, ANIMAL, VEHICLE = (Atom("name", name) for name in ("human", "animal", "vehicle"))


class TestParse:
    @pytest.mark.parametrize(
        "text, expected",
        [
            ("human", HUMAN),
            ("  human ", HUMAN),
            ("any", Atom("any", "any")),
            ("none", Atom("none", "none")),
            ("+edible", Atom("tag", "edible")),
            ("$inert", Atom("macro", "inert")),
            ("human | animal", Or((HUMAN, ANIMAL))),
            ("human|animal", Or((HUMAN, ANIMAL))),
            ("not human", Not(HUMAN)),
            ("not not human", Not(Not(HUMAN))),
            ("human | animal & vehicle", Or((HUMAN, And((ANIMAL, VEHICLE))))),
            ("(human | animal) & vehicle", And((Or((HUMAN, ANIMAL)), VEHICLE))),
            ("not human & animal", And((Not(HUMAN), ANIMAL))),
            ("not (human & animal)", Not(And((HUMAN, ANIMAL)))),
            ("human | animal | vehicle", Or((HUMAN, ANIMAL, VEHICLE))),
            ("Number=Plur", Atom("column", "Number", ("Plur",))),
            ("Gender=Masc/Fem", Atom("column", "Gender", ("Masc", "Fem"))),
            ("lemma=ice cream/high school", Atom("column", "lemma", ("ice cream", "high school"))),
            ("lemma=ice cream | food", Or((Atom("column", "lemma", ("ice cream",)), Atom("name", "food")))),
            ("lemma=mother-in-law", Atom("column", "lemma", ("mother-in-law",))),
            ("class=amuse-31.1", Atom("column", "class", ("amuse-31.1",))),
            ("V.NP.to.oc", Atom("name", "V.NP.to.oc")),
            ("notable", Atom("name", "notable")),
        ],
    )
    def test_meaning(self, text: str, expected: Expression) -> None:
        assert parse_restriction(text) == expected

    @pytest.mark.parametrize(
        "text, words",
        [
            ("", "it is empty; write 'any'"),
            ("   ", "it is empty"),
            ("human |", "an operand is missing at the end"),
            ("| human", "an operand is missing before '|'"),
            ("human & & animal", "an operand is missing before '&'"),
            ("not", "an operand is missing at the end"),
            ("not & human", "an operand is missing before '&'"),
            ("(human", "a ')' is missing"),
            ("human)", "')'"),
            ("()", "an operand is missing before ')'"),
            ("human animal", "'animal'"),
            ("Number=", "a value is missing"),
            ("Gender=Masc/", "a value is missing"),
            ("Gender=/Fem", "a value is missing"),
            ("=Plur", "'=' has no place here"),
            ("#edible", "write '+tag'"),
            ("!human", "write 'not X'"),
            ("+", "'+' has no place here"),
            ("$", "'$' has no place here"),
        ],
    )
    def test_refused(self, text: str, words: str) -> None:
        place = Place(Path("verb_frames.tsv"), 7)
        with pytest.raises(DataError) as error:
            parse_restriction(text, place)
        assert words in error.value.message
        assert str(error.value).startswith("verb_frames.tsv:7: restriction ")

    @pytest.mark.parametrize("atom", ["human", "+edible", "$inert", "Number=Sing/Plur", "any"])
    def test_an_atom_prints_as_it_is_written(self, atom: str) -> None:
        parsed = parse_restriction(atom)
        assert isinstance(parsed, Atom)
        assert str(parsed) == atom


class TestMacros:
    def test_macros_are_replaced_everywhere(self) -> None:
        macros = {"agent": parse_restriction("human | group")}
        found = expand(parse_restriction("not ($agent & +portable) | $agent"), macros)
        assert [str(a) for a in atoms(found)] == ["human", "group", "+portable", "human", "group"]

    def test_an_unknown_macro_names_its_neighbour(self) -> None:
        with pytest.raises(DataError, match=r"unknown macro \$agnt; did you mean 'agent'"):
            expand(parse_restriction("$agnt"), {"agent": HUMAN})


def _several(inner: st.SearchStrategy[Expression]) -> st.SearchStrategy[tuple[Expression, ...]]:
    return st.lists(inner, min_size=2, max_size=3).map(tuple)


NAMES = "abc"
LEAVES = st.sampled_from([Atom("name", name) for name in NAMES])
TREES: st.SearchStrategy[Expression] = st.recursive(
    LEAVES, lambda inner: st.one_of(inner.map(Not), _several(inner).map(And), _several(inner).map(Or))
)
# every combination of truth values of the three leaves, one a column
WORLDS = {name: np.array([bool(k >> i & 1) for k in range(8)]) for i, name in enumerate(NAMES)}


def written(tree: Expression) -> str:
    """The tree as a text with all its parentheses."""
    match tree:
        case Atom():
            return str(tree)
        case Not(part):
            return f"not ({written(part)})"
        case And(parts):
            return "(" + " & ".join(written(p) for p in parts) + ")"
        case Or(parts):
            return "(" + " | ".join(written(p) for p in parts) + ")"


def holds(tree: Expression, world: int) -> bool:
    """Truth by definition, one world at a time."""
    match tree:
        case Atom(name=name):
            return bool(WORLDS[name][world])
        case Not(part):
            return not holds(part, world)
        case And(parts):
            return all(holds(p, world) for p in parts)
        case Or(parts):
            return any(holds(p, world) for p in parts)


class TestEvaluate:
    @given(TREES)
    def test_a_written_tree_means_the_tree(self, tree: Expression) -> None:
        result = evaluate(parse_restriction(written(tree)), lambda atom: WORLDS[atom.name])
        assert result.tolist() == [holds(tree, k) for k in range(8)]

    @pytest.mark.parametrize(
        "text, expected",
        [
            ("a & b | c", lambda a, b, c: (a and b) or c),
            ("a | b & c", lambda a, b, c: a or (b and c)),
            ("not a & b", lambda a, b, c: not a and b),
            ("not a | not b & c", lambda a, b, c: not a or (not b and c)),
        ],
    )
    def test_precedence(self, text: str, expected: object) -> None:
        result = evaluate(parse_restriction(text), lambda atom: WORLDS[atom.name])
        assert callable(expected)
        assert result.tolist() == [expected(*(bool(WORLDS[n][k]) for n in NAMES)) for k in range(8)]

    @given(st.text(alphabet="ab &|()not=/+$ "))
    def test_no_text_gives_anything_but_a_tree_or_a_located_error(self, text: str) -> None:
        found: list[object] = []
        try:
            found += atoms(parse_restriction(text, Place("x", 1)))
        except DataError as error:
            found += [error.place] if error.place == Place("x", 1) else []
        assert found
