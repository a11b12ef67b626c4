"""Notes on a paradigm: what is no error, and seldom what its author means.

A noun that nothing relates to its verb is drawn whatever the verb says of it (*ate the sofa*); scenes may leave a slot
two or three words, or give way in a whole cell. A set is made all the same, so nothing else would say it.
"""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import NamedTuple, TypeAlias

import numpy as np

from blimpgen.base.errors import listing
from blimpgen.checks.problem import Problem
from blimpgen.generation.compiled import CompiledCell, CompiledParadigm
from blimpgen.generation.derivations import Deriver, Row, derivable_slots
from blimpgen.grammar.arguments import Arguments, head_of, predicate_arguments
from blimpgen.grammar.forest import Tree
from blimpgen.paradigm import Paradigm
from blimpgen.plan import Node, Plan, compile_cell
from blimpgen.plan.clauses import Clauses, Subordination
from blimpgen.plan.compiler import ARGUMENTS
from blimpgen.plan.plan import Columns
from blimpgen.plan.relations import SUBJECT_FROM_BELOW
from blimpgen.plan.slot_nodes import SlotNodes
from blimpgen.sampling import Sampler, Stream

__all__ = ["notes"]

_FEW = 8
_SHARE = 10
"""Fewer words than this, if scenes take away half or more, or than one in so many, are few."""
_HARDLY_ANY = 4
_MANY, _LARGE = 10, 0.25
"""So many words make one of them conspicuous that stands in more than this share of the rows."""
_DRAWN = 1000
"""Rows in which words are counted."""
_SAMPLE = 200
_READ = 25
"""Rows of a cell of which the sentences are compared by their words."""
_NAMED = 3
_RELATED = (*ARGUMENTS, "bad_subject_of", "bad_object_of", "asks_about", "subject", "object", "modifies")


def notes(compiled: CompiledParadigm) -> Iterator[Problem]:
    """Tell what is odd about a paradigm that has no errors.

    Args:
        compiled: the paradigm, proven.

    Yields:
        One note for each verb or adjective and noun, for each slot, and for each cell.
    """
    told: set[tuple[str, ...]] = set()
    words: dict[str, Counter[str]] = defaultdict(Counter)
    size = max(_READ, _SAMPLE // len(compiled.cells))
    for number, cell in enumerate(compiled.cells):
        rows = compiled.sample(number, size)
        for what, make in _of_cell(cell, compiled, number, [column[:_READ] for column in rows]):
            if what not in told:
                told.add(what)
                yield from make()
        _count_words(cell, rows, words)
    yield from _note_dominated(compiled, words)


_Note: TypeAlias = tuple[tuple[str, ...], Callable[[], Iterable[Problem]]]
"""What a note is about, which is told once, and what makes it."""


def _of_cell(cell: CompiledCell, compiled: CompiledParadigm, number: int, rows: Columns) -> Iterator[_Note]:
    """The notes on a cell, of which the sentences of some rows are read."""
    for beside in _unrelated(cell, compiled, number):
        what = beside.relation, beside.predicate, beside.noun
        yield what, partial(_note_unrelated, compiled, number, beside)
    for better, worse, texts in _of_other_length(cell, compiled.paradigm, rows):
        yield (better, worse), partial(_note_length, compiled, worse, texts)
    for joined in _apart(cell, compiled.paradigm):
        yield (joined.above.slot, joined.below.slot), partial(_note_apart, compiled, cell, joined, rows)
    for slot, words in _scarce(cell):
        yield (slot,), partial(_note_scarce, compiled, cell, slot, words)
    if cell.plan.gave_way:
        yield ("scene", str(number)), partial(_note_no_scene, compiled, cell)
        return
    for few in _few(cell, compiled):
        yield (few.slot,), partial(_note_few, compiled, cell, few)


class _Beside(NamedTuple):
    """A noun beside a verb or adjective of a good sentence, each a slot, and the relation that they would have."""

    sentence: str
    relation: str
    predicate: str
    noun: str


class _Few(NamedTuple):
    """A slot with its words in some rows, how many it would have without scenes, and the slots that they must suit."""

    slot: str
    words: list[str]
    others: int
    partners: list[str]


def _unrelated(cell: CompiledCell, compiled: CompiledParadigm, number: int) -> Iterator[_Beside]:
    """The nouns beside predicates that no key of a slot relates to them, as one row is derived.

    A bad sentence is not derived; what stands in it for the predicate of a good one has the same subject.
    """
    if not derivable_slots(cell) or cell.language.grammar.lists:
        return
    plan, row = cell.plan, Row(cell, compiled.sample(number, 1))
    related = {frozenset(pair) for pair in _related(plan)}
    for good in compiled.paradigm.good_names:
        tree = Deriver(row).tree(good)
        for arguments in predicate_arguments(tree) if tree else ():
            for relation, head in _nouns(arguments):
                place, of_noun = arguments.predicate.position, head.position
                others = _exchanged(plan, good, place, of_noun) if relation == "subject_of" else ()
                for name in (good, *others):
                    predicate, noun = (plan.drawn(plan.tokens[name][k].slot) for k in (place, of_noun))
                    if not predicate or not noun or frozenset((predicate, noun)) in related:
                        continue
                    if name != good and any(predicate in pair for pair in related):
                        continue  # what a bad sentence has is of another noun by design
                    if _is_predicate(plan, predicate) and plan.slots[noun].nominal.any():
                        yield _Beside(name, relation, predicate, noun)


def _apart(cell: CompiledCell, paradigm: Paradigm) -> Iterator[Subordination]:
    """The clauses of reason or contrast in which nobody is of whom, and nothing of what, the other clause speaks."""
    plan, lexicon = cell.plan, cell.language.lexicon
    nodes, pronouns = SlotNodes(paradigm, plan, lexicon), lexicon.table("pronouns")
    forms = {form for case in ("nom", "acc", "poss_det") for form in pronouns[case].tolist()} - {""}
    tokens = itertools.chain(*(plan.tokens[name] for name in paradigm.good_names))
    if any(forms & nodes.listed_forms(token) for token in tokens):
        return
    related = [*_related(plan)]
    for joined in Clauses(nodes).subordinations:
        if joined.tells and joined.tells <= {"cause", "contrary"}:
            verbs = joined.above, joined.below
            above, below = ({slot for slot, target in related if target == verb.slot} for verb in verbs)
            if above and below and above.isdisjoint(below):
                yield joined


def _note_apart(
    compiled: CompiledParadigm, cell: CompiledCell, joined: Subordination, rows: Columns
) -> Iterator[Problem]:
    """The note on two clauses that speak of different people."""
    above, below, good = joined.above.slot, joined.below.slot, compiled.paradigm.good_names[0]
    [shown] = cell.sentence(good, [column[:1] for column in rows]).texts(cell.language.lexicon)
    what = f"nobody is in the clauses of both {above!r} and {below!r}, so that one is hardly a reason, or a contrast, "
    what += f"for the other, as in {shown!r}"
    cure = f"write object_of: {below} in the subject of {above!r}, and a pronoun for it in the sentence"
    yield Problem("apart", f"{what}; {cure}", joined.place)


def _exchanged(plan: Plan, good: str, place: int, of_noun: int) -> Iterator[str]:
    """The sentences that have another word in the place of the predicate of a good one, beside the same noun."""
    tokens = plan.tokens[good]
    for name, others in plan.tokens.items():
        if (
            len(others) == len(tokens)
            and others[of_noun] == tokens[of_noun]
            and others[place].slot != tokens[place].slot
        ):
            yield name


def _related(plan: Plan) -> Iterator[tuple[str, str]]:
    """The slots of which one names the other as predicate and noun."""
    for name, spec in plan.specs.items():
        for target in itertools.chain(*(spec.relations.get(key, ()) for key in _RELATED)):
            yield plan.drawn(name), plan.drawn(target.partition(".")[0])


def _is_predicate(plan: Plan, slot: str) -> bool:
    """Whether a slot has verbs with frames, or adjectives that are said of their subject."""
    node = plan.slots[slot]
    if node.is_headed_by("A"):
        return not {frame for frames in plan.specs[slot].frames for frame in frames} & {*SUBJECT_FROM_BELOW}
    return node.is_headed_by("V") and all(leaf.frames for leaf in node.leaves)


def _nouns(arguments: Arguments) -> Iterator[tuple[str, Tree]]:
    """The words that head the noun phrases of a predicate, with the relation that each would have to it."""
    first = arguments.recipient or arguments.obj
    second = arguments.obj if arguments.recipient else None
    phrases = {
        "subject_of": arguments.subject,
        "object_of": first,
        "second_object_of": second,
        "goal_of": arguments.goal,
    }
    for relation, phrase in phrases.items():
        if noun := phrase and head_of(phrase):
            yield relation, noun


def _note_unrelated(compiled: CompiledParadigm, number: int, beside: _Beside) -> Iterator[Problem]:
    """The note on a noun and a predicate; none if whatever is drawn goes together, as a few chosen words may."""
    cell = compiled.cells[number]
    plan, relations = cell.plan, cell.language.relations
    predicate, noun = plan.slots[beside.predicate], plan.slots[beside.noun]
    columns = compiled.sample(number, _SAMPLE)
    apart = np.zeros(_SAMPLE, dtype=bool)
    of_predicate, of_noun = (columns[plan.index(node)] for node in (predicate, noun))
    is_verb = predicate.is_headed_by("V")
    constraints = (
        relations.argument(beside.relation, ARGUMENTS[beside.relation][0], predicate, noun)
        if is_verb
        else relations.said_of("modifies", predicate, noun)
    )
    for c in constraints:
        if not c.sense:
            apart |= ~c.allowed[c.classes_a[of_predicate], c.classes_b[of_noun]]
    if apart.any():
        first = [column[np.argmax(apart)][None] for column in columns]
        shown = cell.sentence(beside.sentence, first).texts(cell.language.lexicon)[0]
        kind = "verb" if is_verb else "adjective"
        what = f"slot {beside.noun!r} stands beside the {kind} {beside.predicate!r}, and nothing relates them, so that "
        what += f"{apart.sum()} of {_SAMPLE} rows have words that the lexicon keeps apart, such as {shown!r}"
        relation, slot, other = (
            (beside.relation, beside.noun, beside.predicate) if is_verb else ("modifies", beside.predicate, beside.noun)
        )
        cure = f"write {relation}: {other} in the slot {slot!r}"
        yield Problem("unrelated", f"{what}; {cure}", compiled.paradigm.place("slots", beside.noun))


def _count_words(cell: CompiledCell, rows: Columns, words: dict[str, Counter[str]]) -> None:
    """Count the words of slots of verbs, nouns and adjectives that are not those of another slot."""
    for slot, node in cell.plan.slots.items():
        if node.is_headed_by("V", "N", "A") and "lemma" not in cell.plan.specs[slot].ties:
            words[slot].update(node.column("lemma")[rows[cell.plan.index(node)]].tolist())


def _note_dominated(compiled: CompiledParadigm, words: Mapping[str, Counter[str]]) -> Iterator[Problem]:
    """The notes on slots with many words of which one stands in a large share of all rows."""
    for slot, counts in words.items():
        (word, count), rows = counts.most_common(1)[0], counts.total()
        if len(counts) >= _MANY and count > rows * _LARGE:
            what = f"{word!r} stands in {slot!r} in {count / rows:.0%} of the rows, with {len(counts) - 1} others"
            dealt = [repr(each) for each in compiled.paradigm.model.balance or () if each in words]
            instead = f" instead of {' and '.join(dealt)}" if dealt else ""
            cure = f"write balance: [{slot}]{instead}, which deals words as often and asks them for no scene, "
            cure += "or ask for less of what goes with few words"
            yield Problem("one-word", f"{what}; {cure}", compiled.paradigm.place("slots", slot))


def _of_other_length(
    cell: CompiledCell, paradigm: Paradigm, rows: Columns
) -> Iterator[tuple[str, str, tuple[str, str]]]:
    """The pairs of sentences of which some rows differ in their number of words, with the first such row."""
    language = cell.language.lexicon.language
    if paradigm.model.length is not None:
        return
    for better, worse in paradigm.pairs.values():
        texts = (cell.sentence(name, rows).texts(cell.language.lexicon) for name in (better, worse))
        for pair in zip(*texts, strict=True):
            if len({sum(not language.is_mark(token) for token in language.tokens(text)) for text in pair}) > 1:
                yield better, worse, pair
                break


def _note_length(compiled: CompiledParadigm, worse: str, pair: tuple[str, str]) -> Iterator[Problem]:
    """The note on sentences of a pair that differ in length."""
    paradigm = compiled.paradigm
    what = f"{pair[0]!r} and {pair[1]!r} have not as many words, and a model may tell them apart by that"
    place = paradigm.place(*(("sentences", worse) if paradigm.model.sentences else (worse,)))
    yield Problem("length", f"{what}; write as many words, or length: WHY", place)


def _scarce(cell: CompiledCell) -> Iterator[tuple[str, list[str]]]:
    """The slots of verbs, nouns and adjectives that have hardly a word, though their author names none."""
    for slot, node in cell.plan.slots.items():
        lemmas = list(dict.fromkeys(node.column("lemma")[cell.plan.masks[cell.plan.index(node)]].tolist()))
        names_words = "lemma" in str(cell.plan.cell.slots.get(slot, ""))
        if node.is_headed_by("V", "N", "A") and len(lemmas) <= _HARDLY_ANY and not names_words:
            yield slot, lemmas


def _few(cell: CompiledCell, compiled: CompiledParadigm) -> Iterator[_Few]:
    """The slots in which rows have few words, and would have more without scenes."""
    paradigm, plan = compiled.paradigm, cell.plan
    if paradigm.model.sense == "off" or not cell.language.lexicon.scenes.names:
        return
    columns = _sample(cell.sampler, paradigm.uid)
    free: dict[str, list[str]] | None = None
    for slot, words in _words(plan, columns).items():
        node = plan.slots[slot]
        if not _is_few(len(words), len({*node.column("lemma").tolist()})):  # without scenes there are no more
            continue
        if free is None:
            senseless = replace(paradigm, model=paradigm.model.model_copy(update={"sense": "off"}))
            without = compile_cell(senseless, plan.cell, cell.language)
            free = _words(without, _sample(Sampler(without), paradigm.uid))
        if _is_few(len(words), len(free[slot])):
            yield _Few(slot, words, len(free[slot]), _partners(plan, node, columns))


def _sample(sampler: Sampler, uid: str) -> Columns:
    """Rows that are drawn with a plan."""
    rows = np.arange(_DRAWN, dtype=np.uint64)
    draw = sampler.draw(Stream(0, uid), rows, np.zeros_like(rows))
    return draw.take(draw.ok)


def _words(plan: Plan, columns: Columns) -> dict[str, list[str]]:
    """The words that each slot with words of the lexicon has in some rows, each once."""
    return {
        slot: list(dict.fromkeys(node.column("lemma")[columns[plan.index(node)]].tolist()))
        for slot, node in plan.slots.items()
        if node.leaves
    }


def _partners(plan: Plan, node: Node, columns: Columns) -> list[str]:
    """The slots whose words in some rows share no scene with most of the words of a node."""
    kept_out = {}
    for c in plan.constraints:
        if node in (c.a, c.b) and "scene" in c.name:
            other, theirs, mine, table = c.between(node)
            met = table[np.unique(theirs[columns[plan.index(other)]])].any(axis=0)
            kept_out[other.slot] = int((~np.asarray(met)[mine[:-1]]).sum())
    most = max(kept_out, key=kept_out.__getitem__, default="")
    if most and kept_out[most]:
        return [most]
    together = itertools.chain(*(trio.nodes for trio in plan.trios if node in trio.nodes))
    return list(dict.fromkeys(other.slot for other in together if other is not node))


def _is_few(words: int, others: int) -> bool:
    return (words < _FEW and words * 2 <= others) or words * _SHARE < others


def _note_few(compiled: CompiledParadigm, cell: CompiledCell, few: _Few) -> Iterator[Problem]:
    """The note on a slot with few words."""
    beside = f" beside those of {' and '.join(map(repr, few.partners))}" if few.partners else ""
    what = f"scenes leave slot {few.slot!r} {len(few.words)} of {few.others:,} words{beside}{_in_cell(cell)}"
    what += f": {listing(few.words, _NAMED)}"
    yield Problem("few-words", f"{what}; {_CURE}", compiled.paradigm.place("slots", few.slot))


def _note_scarce(compiled: CompiledParadigm, cell: CompiledCell, slot: str, words: list[str]) -> Iterator[Problem]:
    """The note on a slot with hardly a word."""
    what = f"slot {slot!r} has {len(words)} word{'s' * (len(words) != 1)}{_in_cell(cell)}: {listing(words, _NAMED)}"
    cure = "ask for less in it; `blimpgen why` tells what keeps a word out"
    yield Problem("few-words", f"{what}; {cure}", compiled.paradigm.place("slots", slot))


def _note_no_scene(compiled: CompiledParadigm, cell: CompiledCell) -> Iterator[Problem]:
    """The note on a cell in which scenes give way."""
    what = (
        f"no words of one scene fill all slots{_in_cell(cell)}, so that less is asked of scenes: {cell.plan.gave_way}"
    )
    yield Problem("no-scene", f"{what}; {_CURE}", compiled.paradigm.place("slots"))


_CURE = "let the slots have more words, or words of another kind, or write sense: off"


def _in_cell(cell: CompiledCell) -> str:
    return f" in the cell {cell.plan.cell.name}" if cell.plan.cell.levels else ""
