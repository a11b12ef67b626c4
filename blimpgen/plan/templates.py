"""The templates of a cell, read against its slots: every token is something that can be realised."""

from __future__ import annotations

from functools import partial

from blimpgen.base.errors import DataError, Place, listing, nearest
from blimpgen.english.words import split_clitics
from blimpgen.lexicon import Lexicon
from blimpgen.paradigm import Paradigm, Token, parse_template
from blimpgen.plan.cells import sentence_place
from blimpgen.plan.plan import Plan, Words
from blimpgen.plan.sizes import TOKENS, check_size
from blimpgen.plan.spec import SlotSpec

__all__ = ["check_names", "check_table_words", "read_template", "read_templates"]


def check_names(paradigm: Paradigm, plan: Plan, lexicon: Lexicon) -> None:
    """Whether the slots have names that a template cannot take for a word.

    Args:
        paradigm: the paradigm.
        plan: the plan of a cell, which has slots.
        lexicon: the words.

    Raises:
        DataError: slots with the names of closed-class words.
    """
    named = [name for name in plan.specs if lexicon.is_word(name)]
    if named:
        table = lexicon.closed_words[named[0]]
        what = f"slot {named[0]!r} has the name of a closed-class word (of {table}.tsv); choose another name"
        if len(named) > 1:
            what = f"the slots {listing(map(repr, named))} have names of closed-class words; choose other names"
        raise DataError(what, paradigm.place("slots", named[0]), "slot")


def read_templates(paradigm: Paradigm, plan: Plan, language: Words) -> None:
    """Read all sentences of a plan's cell into its tokens.

    Args:
        paradigm: the paradigm.
        plan: its plan, which has slots and nodes.
        language: words and rules.

    Raises:
        DataError: see `read_template`.
    """
    for name, text in plan.cell.sentences.items():
        plan.tokens[name] = read_template(text, plan, language, sentence_place(paradigm, plan.cell, name))


def check_table_words(spec: SlotSpec, lexicon: Lexicon) -> None:
    """Check that the words of a table are words of the lexicon, of any category or list.

    Args:
        spec: the slot with the table.
        lexicon: the words.

    Raises:
        DataError: the lexicon has no such word.
    """
    for text in dict.fromkeys(text for row in spec.table for text in row.values()):
        if not all(lexicon.is_word(word) for word in text.split()):
            listed = lexicon.table("words")
            forms = {*lexicon.readings.by_text, *lexicon.closed_words, *listed["lemma"], *listed["plural"]}
            unknown = [word for word in split_clitics(text) if word not in forms]
            if unknown and text not in forms:
                what = f"{unknown[0]!r} is no word of the lexicon; write another, or add it to a list of words.tsv"
                raise DataError(what, spec.at("table"), "words")


def read_template(text: str, plan: Plan, language: Words, place: Place) -> tuple[Token, ...]:
    """The tokens of a template.

    Args:
        text: the template.
        plan: the plan of its cell, which has slots and nodes.
        language: words and rules; what the rules write out may be written here too.
        place: where it stands, for errors.

    Raises:
        DataError: an unknown slot or word, a part that its slot does not have, a sentence without a word.
    """
    check_size("tokens in a template", len(text.split()), TOKENS, place)
    lexicon, quoted = language.lexicon, language.unroller.grammar.literals
    slot_for = partial(_slot_for, lexicon=lexicon)

    def is_literal(item: str) -> bool:
        return lexicon.is_literal(item) or item in quoted

    tokens = parse_template(text, plan.specs, is_literal, place, lexicon.closed_words, slot_for=slot_for)
    for token in tokens:
        if token.slot:
            _check_part(token, plan, place)
    if all(lexicon.language.is_mark(token.text) for token in tokens):
        raise DataError("the sentence has no words; write slots and closed-class words", place, "template")
    return tokens


def _slot_for(word: str, lexicon: Lexicon) -> str:
    """A slot with a word of an open class, as a paradigm writes it: {cat: Adv, lemma: very}; empty for other words."""
    readings = {reading.category: reading for reading in lexicon.readings.by_text.get(word, ())}
    for category in ("Adv", "A", "V", "N"):
        if category in readings:
            lemma = lexicon.inventory(category).columns["lemma"][readings[category].row]
            return f"{{cat: {category}, lemma: {lemma}}}"
    return ""


def _check_part(token: Token, plan: Plan, place: Place) -> None:
    spec = plan.specs[token.slot]
    if spec.table:
        columns = list(spec.table[0])
        if token.part not in columns:
            what = f"has no column {token.part!r}; {nearest(token.part, columns)}"
            hint = f"stands without a column; write {' or '.join(f'{token.slot}.{c}' for c in columns)}"
            raise DataError(f"the table {token.slot!r} {what if token.part else hint}", place, "template")
    elif token.part:
        node = plan.slots.get(token.slot)
        if node is not None and "aux" not in (node.twin_of or node).children:
            raise DataError(
                f"slot {token.slot!r} has no parts; only a verb phrase with auxiliaries has aux and rest",
                place,
                "template",
            )
