"""Small languages drawn at random, and all their transitive sentences, found without the library."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

__all__ = ["PARADIGM", "Drawn", "languages", "transitive_sentences"]

PARADIGM = """\
slots:
  verb: {cat: VP, frame: V.NP}
  subj: {cat: DP, subject_of: verb}
  obj:  {cat: DP, object_of: verb}
good: subj verb obj .
bad:  subj obj verb .
"""
TYPES = ("human", "animal", "food")
RESTRICTIONS: Mapping[str, tuple[str, ...]] = {
    "any": TYPES,
    "human": ("human",),
    "human | animal": ("human", "animal"),
    "not human": ("animal", "food"),
    "not human & not animal": ("food",),
    "none": (),
}
RULES: Mapping[str, str] = {
    "name": "DP.name -> Name*",
    "det": "DP.det -> determiner:D N*",
    "bare": "DP.bare -> N[Number=Plur]*",
    "adj": "DP.adj -> determiner:D adjunct:A[pos=both] N*",
    "past": "VP.past[form=fin, Tense=Past, Polarity=Pos] -> V[form=fin]*",
    "have": "VP.have[form=fin, Tense=Pres, Polarity=Pos/Neg] -> aux:Aux[kind=have] V[form=part]*",
}
LEXICAL: Mapping[str, str] = {
    "Name": "Number",
    "N": "Number",
    "D": "Number",
    "A": "pos",
    "V": "form frame",
    "Aux": "kind",
}


@dataclass(frozen=True)
class Drawn:
    """A language: its rules by label, the text of its grammar, and its tables as `small_library` takes them."""

    rules: tuple[str, ...]
    grammar: str
    tables: dict[str, list[str]]

    def rows(self, table: str) -> list[list[str]]:
        """The rows of a table."""
        return [line.split(";") for line in self.tables[table][1:]]


@st.composite
def languages(draw: st.DrawFn) -> Drawn:
    """A few rules, nouns, names, adjectives, verbs and determiners."""
    restrictions = st.sampled_from([*RESTRICTIONS, "any", "any", "not human", "human | animal"])
    nouns = [
        f"{lemma}.1;{lemma};{draw(st.sampled_from(TYPES))};{draw(st.sampled_from(('count', 'mass', 'ptan')))};"
        f"{draw(st.sampled_from(('', '=', '-', f'{lemma}en')))}"
        for lemma in draw(_some("ant", "bee", "oyster", "sheep", "uncle", least=3))
    ]
    cells = ("the;the;the", "a;;", ";two;", "some;some;some", ";most;most", "this;these;this")
    determiners = [
        f"d{k}.1;d{k};art;{forms};{draw(st.integers(0 if k else 1, 5))}"
        for k, forms in enumerate(draw(_some(*cells))[:3])
    ]
    tables = {
        "nouns": ["id;lemma;types;count;plural", *nouns],
        "names": ["id;lemma;types", *(f"{x}.1;{x};human" for x in draw(_some("Ann", "Bob", least=0)))],
        "adjectives": ["id;lemma;arg", *(f"{x}.1;{x};{draw(restrictions)}" for x in draw(_some("old", "red")))],
        "verbs": ["id;lemma;past"],
        "verb_frames": ["id;frame;subj;obj"],
        "determiners": ["id;lemma;kind;sg;pl;mass;weight", *determiners],
    }
    for verb in draw(_some("see", "fear", "hit")):
        tables["verbs"].append(f"{verb}.1;{verb};{verb}z")
        tables["verb_frames"].append(f"{verb}.1;V.NP;{draw(restrictions)};{draw(restrictions)}")
    rules = (*draw(_some("name", "det", "bare", "adj")), *draw(_some("past", "have")))
    lines = [f"{RULES[rule]} {{{draw(st.integers(1, 9))}}}" for rule in rules]
    return Drawn(rules, _grammar(lines), tables)


def _some(*values: str, least: int = 1) -> Any:
    return st.lists(st.sampled_from(values), min_size=least, max_size=len(values), unique=True)


def _grammar(rules: list[str]) -> str:
    used = {
        symbol
        for rule in rules
        for symbol in LEXICAL
        if f"{symbol}*" in rule or f"{symbol}[" in rule or f"{symbol} " in rule
    }
    declared = [f"lexical {symbol} {LEXICAL[symbol]}" for symbol in LEXICAL if symbol in used]
    head = ["phrase TOP", "phrase DP Number", "phrase VP form Tense Polarity", *declared, "TOP.s -> subject:DP VP*"]
    return "\n".join([*head, *rules, ""])


@dataclass(frozen=True)
class _Phrase:
    """A noun phrase by itself: its content words, the type of its head, its number, its text."""

    words: frozenset[str]
    kind: str
    plural: bool
    text: str


def _phrases(drawn: Drawn) -> Iterator[_Phrase]:
    if "name" in drawn.rules:
        for key, name, kind in drawn.rows("names"):
            yield _Phrase(frozenset([key]), kind, False, name)
    for key, lemma, kind, count, plural in drawn.rows("nouns"):
        for cell, form in _forms(lemma, count, plural):
            if "bare" in drawn.rules and cell == "pl":
                yield _Phrase(frozenset([key]), kind, True, form)
            for word in _determiners(drawn, cell, count):
                if "det" in drawn.rules:
                    yield _Phrase(frozenset([key]), kind, cell == "pl", _after(word, form))
                for adjective, quality, fits in drawn.rows("adjectives") if "adj" in drawn.rules else ():
                    if kind in RESTRICTIONS[fits]:
                        text = _after(word, f"{quality} {form}")
                        yield _Phrase(frozenset([key, adjective]), kind, cell == "pl", text)


def _determiners(drawn: Drawn, cell: str, count: str) -> list[str]:
    """The forms that determiners have before a noun in the singular (sg), the plural (pl), or a mass noun (mass).

    What is always plural is not counted, so its determiners stand before mass nouns too.
    """
    found = (
        {"sg": sg, "pl": pl, "mass": mass}[cell]
        for _, _, _, sg, pl, mass, weight in drawn.rows("determiners")
        if int(weight) and (count != "ptan" or mass)
    )
    return [word for word in found if word]


def _forms(lemma: str, count: str, plural: str) -> Iterator[tuple[str, str]]:
    if count == "mass":
        yield "mass", lemma
    elif count == "ptan":
        yield "pl", lemma
    else:
        yield "sg", lemma
        if plural != "-":
            yield "pl", {"": f"{lemma}s", "=": lemma}.get(plural, plural)


def _after(word: str, text: str) -> str:
    return f"an {text}" if word == "a" and text[0] in "aeiou" else f"{word} {text}"


def transitive_sentences(drawn: Drawn) -> set[str]:
    """All good sentences of `PARADIGM` in a language."""
    phrases = list(_phrases(drawn))
    found = set()
    for key, _, subjects, objects in drawn.rows("verb_frames"):
        past = f"{key.removesuffix('.1')}z"
        for subj, obj in itertools.product(phrases, repeat=2):
            if (
                subj.words & obj.words
                or subj.kind not in RESTRICTIONS[subjects]
                or obj.kind not in RESTRICTIONS[objects]
            ):
                continue
            auxiliary = "have" if subj.plural else "has"
            groups = [past] if "past" in drawn.rules else []
            groups += [f"{auxiliary} {past}", f"{auxiliary}n't {past}"] if "have" in drawn.rules else []
            found |= {f"{subj.text[0].upper()}{subj.text[1:]} {group} {obj.text}." for group in groups}
    return found
