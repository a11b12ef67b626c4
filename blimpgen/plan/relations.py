"""Relations between slots, and between a phrase and its daughters, turned into constraints.

Here the four tables of the grammar meet the lexicon: *selection* through the restriction columns, *agreement*
through number, gender and the forms a determiner has.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, partial
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from blimpgen.base.errors import DataError, Place
from blimpgen.base.memo import Memo
from blimpgen.grammar.roles import SELECTION
from blimpgen.grammar.rules import Daughter
from blimpgen.lexicon import Lexicon
from blimpgen.lexicon.frequency import Frequencies
from blimpgen.lexicon.restrictions import Atom, evaluate
from blimpgen.plan.candidate_values import ANAPHORS, compared, kinds, number_class, number_key, phi
from blimpgen.plan.constraints import BitTable, Constraint, Merged, constraint, keyed, shared_bits
from blimpgen.plan.nodes import PLURAL, Leaf, Node
from blimpgen.plan.selection import COMPLEMENTS, Selection
from blimpgen.plan.sense import Sense

__all__ = ["NEAR", "SUBJECT_FROM_BELOW", "QuestionWord", "Relations"]


@dataclass(frozen=True)
class QuestionWord:
    """A word that begins a question.

    Attributes:
        lemma: such as *why*.
        clause: which verbs and adjectives may stand in its clause.
        noun: which nouns may be the object of these.
        is_wh: whether it is a wh-word, not a complementizer.
    """

    lemma: str
    clause: str = "any"
    noun: str = "any"
    is_wh: bool = True


NEAR = (-0.6, 0.3)
"""How much rarer and how much more frequent the other word may be, on the Zipf scale.

More room below than above, because what a slot is compared with is the more frequent class: so each comes out ahead
about equally often.
"""


class Relations:
    """Builds constraints over one lexicon; what plans ask of them again and again is found out once.

    Args:
        lexicon: the words.
        selection: which restriction fits which nominal.

    Attributes:
        sense: what builds the constraints that no label rests on.
        joined: the tables of constraints between the same nodes, by the arrays that are joined.
        induced: the tables of what follows from two constraints by way of a node, by the arrays from which it does.
        fitting: the candidates of words that share a scene, by the arrays from which that follows.
    """

    def __init__(self, lexicon: Lexicon, selection: Selection) -> None:
        self.lexicon, self.selection, self.sense = lexicon, selection, Sense(lexicon)
        self.joined: Memo[Merged] = Memo()
        self.induced: Memo[NDArray[np.bool_]] = Memo()
        self.fitting: Memo[list[NDArray[np.bool_]]] = Memo()
        self._tables: Memo[Merged] = Memo()
        self._inside: dict[Node, list[Constraint]] = {}

    def _cached(self, name: str, a: Node, b: Node, key: Hashable, make: Callable[[], Merged]) -> Constraint:
        """A constraint whose table depends on the two domains and a key only; it is made once."""
        return Constraint(name, a, b, *self._tables.once(make, a.domain, b.domain, key=key))

    def argument(self, name: str, column: str, verbal: Node, nominal: Node) -> Iterator[Constraint]:
        """The nominal satisfies a restriction column (subj, obj, subj_no, obj_no) of the verb's frame.

        Args:
            name: what the constraint expresses.
            column: subj, obj, subj_no or obj_no.
            verbal, nominal: the nodes.
        """
        if verbal.inflected:
            yield self._cached(
                name,
                verbal,
                nominal,
                ("listed", column),
                lambda: self._listed([text or "any" for text in verbal.column(column).tolist()], nominal),
            )
            return
        if column in _OF_ADJECTIVES:
            yield from self.said_of(name, verbal, nominal, _OF_ADJECTIVES[column])
        width = max((len(leaf.frames) for leaf in verbal.leaves), default=0)
        if _asks(nominal):
            for k in range(width):
                yield self._cached(
                    name,
                    verbal,
                    nominal,
                    ("wh", column, k),
                    lambda k=k: self._wh_classes(nominal, self._required(verbal, column, k)),  # type: ignore[misc]
                )
            return
        for k in range(width):
            yield self._cached(
                name,
                verbal,
                nominal,
                ("argument", column, k),
                lambda k=k: self.selection.bits.merged(  # type: ignore[misc]
                    self._required(verbal, column, k), self.nominal_classes(nominal)
                ),
            )
        if width and not column.endswith("_no"):
            yield from self.sense.meeting(verbal, nominal, "doer" if column == "subj" else "thing")

    def said_of(self, name: str, predicate: Node, nominal: Node, column: str = "arg") -> Iterator[Constraint]:
        """An adjective is said of what its ``arg`` names, unless its subject is an argument of the verb below.

        Args:
            name: what the constraint expresses.
            predicate, nominal: the nodes.
            column: ``obj`` for what stands after its preposition.
        """
        if not any(leaf.inventory.category == "A" for leaf in predicate.leaves):
            return
        required = _stated(
            predicate,
            lambda leaf: leaf.inventory.category == "A" and leaf.features.get("frame") not in SUBJECT_FROM_BELOW,
            lambda leaf: self.selection.of_column("A", column),
        )
        yield self._cached(
            name,
            predicate,
            nominal,
            ("said of", column),
            lambda: (
                self._wh_classes(nominal, required)
                if _asks(nominal)
                else self.selection.bits.merged(required, self.nominal_classes(nominal))
            ),
        )

    def governed(self, word: str, verb: Node, goal: Node) -> Iterator[Constraint]:
        """A verb takes its goal after its own preposition: one gives a key to somebody, and puts it on the shelf.

        Args:
            word: the literal before the goal; empty for a slot.
            verb: the node of the verb.
            goal: that of its goal.
        """
        prepositions = verb.domain.once("prepositions", lambda: self._prepositions(verb))
        if word in self.lexicon.inventory("P").lemmas and any(prepositions):
            fits = np.array([{*each} <= {word} for each in prepositions])
            table = np.array([[False], [True]])
            yield constraint("preposition", verb, goal, fits.astype(np.int32), np.zeros(goal.size, np.int32), table)

    def _prepositions(self, verb: Node) -> list[list[str]]:
        """The prepositions after which each candidate takes a noun phrase beside its object, in all of its frames."""
        verbs, prepositions = self.lexicon.verbs, list[list[str]]()
        for leaf in verb.leaves:
            stated = [list[str]() for _ in leaf.candidates]
            for frame in {*COMPLEMENTS["goal"]}.intersection(leaf.frames):
                for each, row in zip(stated, verbs.rows[frame][leaf.candidates].tolist(), strict=True):
                    each += [verbs.frames["comp"][row].partition(":")[0]] if row >= 0 else []
            prepositions += stated
        return prepositions

    def content(self, head: Node, below: Node, column: Literal["clause", "verbs"] = "clause") -> Iterator[Constraint]:
        """What somebody says, knows or lets somebody do is such as the head asks: one warns of nothing good.

        Args:
            head: the verb or adjective that has a clause or an infinitive, or an auxiliary (nobody should glimpse
                something); with ``verbs`` an adjective that modifies an argument (nobody uses a lost phone).
            below: the verb in it, or of which that is an argument.
            column: in which the head says so.
        """
        texts = head.domain.once(("clauses", column), lambda: self._clauses(head, column))
        if {*texts} - {"any"}:
            merged = self._tables.once(
                lambda: self._listed(texts, below), head.domain, below.domain, key=("content", column)
            )
            yield Constraint("content", head, below, *merged, sense="content")

    def _clauses(self, head: Node, column: str) -> list[str]:
        """What each candidate asks of the verb of its clause: a verb in all of its frames."""
        verbs, texts = self.lexicon.verbs, list[str]()
        for leaf in head.leaves:
            if leaf.inventory.category in ("Aux", "A"):
                texts += leaf.inventory.columns[column][leaf.candidates].tolist()
                continue
            asked = [dict[str, None]() for _ in leaf.candidates]
            for frame in leaf.frames:
                for each, row in zip(asked, verbs.rows[frame][leaf.candidates].tolist(), strict=True):
                    if row >= 0 and (text := verbs.frames["clause"][row]) != "any":
                        each[f"({text})"] = None
            texts += [" & ".join(each) or "any" for each in asked]
        return texts

    def done_to_oneself(self, verb: Node) -> NDArray[np.bool_]:
        """Which candidates tell what one does to oneself; those of other frames than that of a plain object all do.

        Args:
            verb: the node of the verb before a reflexive.
        """
        verbs, parts = self.lexicon.verbs, list[NDArray[np.bool_]]()
        for leaf in verb.leaves:
            parts.append(np.ones(len(leaf.candidates), dtype=bool))
            if leaf.frames == ("V.NP",):
                parts[-1] = verbs.frame_columns("V.NP")["refl"][leaf.candidates] == "yes"
        return np.concatenate(parts)

    def _listed(self, texts: Sequence[str], other: Node) -> Merged:
        """Which words satisfy what others state, each in a text."""
        numbers = {text: k for k, text in enumerate(dict.fromkeys(texts))}
        codes = np.array([numbers[text] for text in texts], dtype=np.int32)
        return BitTable(self._satisfying(numbers, other)).merged(codes, np.arange(other.size, dtype=np.int32))

    def _satisfying(self, texts: Iterable[str], node: Node) -> NDArray[np.bool_]:
        """Which candidates satisfy restrictions, shape (texts, candidates)."""
        expressions = [self.lexicon.hierarchy.parse(text) for text in texts]
        table = np.ones((len(expressions), node.size), dtype=bool)
        for number, leaf in enumerate(node.leaves):
            where, holds = node.leaf == number, cache(partial(_holds, leaf))
            for row, expression in zip(table, expressions, strict=True):
                row[where] = evaluate(expression, holds)
        return table

    def at_once(self, a: Node, b: Node, along: Iterable[str], *, of_one_thing: bool) -> Iterator[Constraint]:
        """What one does at one time is of one class of verbs, or one of the two is done along with something else.

        Args:
            a, b: the nodes of the verbs.
            along: what the words between them ask of what is done along with something else.
            of_one_thing: whether both are done to one thing, which leaves the doings of one class.
        """
        coded: list[NDArray[np.int32]] = []
        codes: dict[tuple[str, bool], int] = {}
        along = list(along)
        for node in (a, b):
            satisfied: list[bool] = np.all(self._satisfying(along, node), axis=0).tolist()
            each = zip(node.column("class").tolist(), satisfied, strict=True)
            coded.append(np.array([codes.setdefault(code, len(codes)) for code in each], dtype=np.int32))
        classes, is_along = np.array([name for name, _ in codes]), np.array([bit for _, bit in codes])
        table = (classes[:, None] == classes) & (classes != "")
        if not of_one_thing:
            table |= is_along[:, None] | is_along
        merged = BitTable(table).merged(*coded)
        if merged[2][:-1, :-1].any():
            yield Constraint("along", a, b, *merged, sense="beside")

    def question_words(self, word: str, node: Node | None, asker: Node | None) -> list[QuestionWord]:
        """Return what begins a question: the candidates of a slot of wh-words, or a literal word; else nothing.

        A literal that also begins another clause (*when she left*) is a wh-word after a verb that takes a question.

        Args:
            word: a literal of a sentence; empty for a slot.
            node: the slot, if there is one.
            asker: the verb or adjective before it, if there is one.
        """
        if node is not None:
            columns = (node.column(name).tolist() for name in ("lemma", "clause", "noun"))
            rows = zip(*columns, strict=True) if node.is_headed_by("Wh") else ()
            return [QuestionWord(lemma, clause, noun) for lemma, clause, noun in rows]
        if asker is not None and not any(self._questions(asker)):
            for category in ("Subordinator", "Rel"):
                if word in self.lexicon.inventory(category).lemmas:
                    return []
        if word in self._complementizers_of_questions:
            return [QuestionWord(word, is_wh=False)]
        wh = self.lexicon.inventory("Wh")
        rows = zip(wh.lemmas, wh.columns["clause"], wh.columns["noun"], strict=True)
        return [QuestionWord(lemma, clause, noun) for lemma, clause, noun in rows if lemma == word]

    @cached_property
    def _complementizers_of_questions(self) -> set[str]:
        """Those with which some verb asks."""
        verbs = self.lexicon.verbs
        rows = np.concatenate([verbs.rows[frame] for frame in _QUESTIONS])
        questions = np.unique(verbs.frames["comp"][rows[rows >= 0]]).tolist()
        return {word for text in questions for word in text.split(",")} & {*self.lexicon.inventory("Comp").lemmas}

    def asked(self, words: Sequence[QuestionWord], asker: Node) -> Merged:
        """Return which words a verb asks its question with: one checks whether or when somebody left, not why.

        Args:
            words: the words.
            asker: the verb before them.
        """
        questions = self._questions(asker)
        numbers = {text: k for k, text in enumerate(dict.fromkeys(questions))}
        table = np.array([[_asks_with(text, word) for text in numbers] for word in words])
        codes = np.array([numbers[text] for text in questions], dtype=np.int32)
        return BitTable(table).merged(np.arange(len(words), dtype=np.int32), codes)

    def asked_about(self, words: Sequence[QuestionWord], below: Node) -> Merged:
        """Return which words ask about what a verb or adjective says: nobody wonders how somebody owns a house.

        Args:
            words: the words.
            below: the verb or adjective of their clause.
        """
        return self._listed([word.clause for word in words], below)

    def suiting(self, restrictions: Iterable[str], other: Node) -> Merged:
        """Return which words suit closed-class words: nouns a preposition, verbs a subordinator.

        Args:
            restrictions: what each closed-class word asks.
            other: the node of the nouns or verbs.
        """
        return self._listed([text or "any" for text in restrictions], other)

    def _questions(self, asker: Node) -> list[str]:
        """What each candidate asks, as its frames say; empty where it takes no question."""
        return asker.domain.once("questions", lambda: list(self._each_question(asker)))

    def _each_question(self, asker: Node) -> Iterator[str]:
        verbs = self.lexicon.verbs
        for leaf in asker.leaves:
            frame = next((frame for frame in leaf.frames if frame in _QUESTIONS), None)
            if frame is None:
                yield from itertools.repeat("", len(leaf.candidates))
            else:
                yield from verbs.frames["comp"][verbs.rows[frame][leaf.candidates]]

    def controlled(self, role: str, verbal: Node, nominal: Node) -> Iterator[Constraint]:
        """The nominal can be the subject of the infinitive below the verb, whichever of the arguments controls it.

        Args:
            role: what the constraint expresses.
            verbal, nominal: the nodes.
        """
        below = verbal.children.get("complement")
        if below is not None and not below.nominal.any():
            yield from self.argument(role, "subj", below, nominal)

    @cached_property
    def _frequencies(self) -> Frequencies:
        return Frequencies(self.lexicon)

    def near(self, a: Node, b: Node) -> Constraint:
        """The words are about equally frequent; one of unknown frequency goes with every word.

        Args:
            a, b: the nodes.
        """
        keys = []
        for node in (a, b):
            zipf = np.concatenate([self._frequencies.of(leaf.inventory)[leaf.candidates] for leaf in node.leaves])
            keys.append(np.round(np.nan_to_num(zipf, nan=-1.0) * 10).astype(np.int32))
        values = np.unique(np.concatenate(keys))
        unknown = values < 0
        difference = values[None, :] - values[:, None]
        close = (difference >= 10 * NEAR[0]) & (difference <= 10 * NEAR[1])
        codes = [np.searchsorted(values, key).astype(np.int32) for key in keys]
        return constraint("near zipf", a, b, codes[0], codes[1], close | unknown[:, None] | unknown[None, :])

    def _required(self, verbal: Node, column: str, k: int) -> NDArray[np.int32]:
        """The restriction number that each candidate states in a column of its k-th frame; -1 for none."""
        return _stated(
            verbal, lambda leaf: k < len(leaf.frames), lambda leaf: self.selection.of_frame(leaf.frames[k], column)
        )

    def _wh_classes(self, wh: Node, required_classes: NDArray[np.int32]) -> Merged:
        """A wh-word fits a place if some noun that it can ask about does."""
        antecedents = np.zeros(wh.size, dtype=np.int32)
        for number, leaf in enumerate(wh.leaves):
            required = self.selection.of_column(leaf.inventory.category, "antecedent")
            antecedents[wh.leaf == number] = required[leaf.candidates]
        bits = self.selection.bits.rows[:-1]
        table = shared_bits(bits, bits[antecedents])
        return BitTable(table).merged(required_classes, np.arange(wh.size, dtype=np.int32))

    def column(self, name: str, column: str, asking: Node, nominal: Node) -> Constraint:
        """The nominal satisfies a restriction column of a lexeme (``arg``, ``antecedent``).

        Args:
            name: what the constraint expresses.
            column: arg or antecedent.
            asking: the node whose lexemes have the restriction.
            nominal: the node that satisfies it.
        """

        def make() -> Merged:
            required = _stated(
                asking,
                lambda leaf: column in leaf.inventory.columns,
                lambda leaf: self.selection.of_column(leaf.inventory.category, column),
            )
            return self.selection.bits.merged(required, self.nominal_classes(nominal))

        return self._cached(name, asking, nominal, ("column", column), make)

    def relational(self, noun: Node, other: Node, link: str) -> Constraint:
        """The complement satisfies what a relational noun takes after a preposition, the possessor its ``poss``.

        Args:
            noun: the relational noun.
            other: its complement or possessor.
            link: the preposition, or ``poss``.
        """

        def make() -> Merged:
            required = _stated(
                noun, lambda leaf: leaf.inventory.category == "N", lambda leaf: self.selection.of_relational(link)
            )
            return self.selection.bits.merged(required, self.nominal_classes(other))

        name = "possessor" if link == "poss" else "complement"
        return self._cached(name, noun, other, ("relational", link), make)

    def nominal_classes(self, node: Node) -> NDArray[np.int32]:
        """The selection class of each candidate of a nominal node."""
        return node.domain.once("selection classes", lambda: self._nominal_classes(node))

    def _nominal_classes(self, node: Node) -> NDArray[np.int32]:
        offset = self.lexicon.nominals.split
        shift = np.array([offset if x.inventory.category == "Name" else 0 for x in node.leaves], dtype=np.int32)
        if not all(x.inventory.category in ("N", "Name") for x in node.leaves):
            what = f"{node.path!r} is no noun phrase; relations select nouns and names"
            raise DataError(what, _place_of_daughter(node), "relation")
        number = np.where(node.number == PLURAL, 1, 0).astype(np.int8)
        return self.selection.classes(node.lexeme + (shift[node.leaf] if len(shift) else 0), number)

    def determiner(self, noun: Node, determiner: Node) -> Constraint:
        """The determiner has a form for the number and countability of the noun.

        Nouns that are always plural (*glasses*) are not counted: their determiners stand before mass nouns too.

        Args:
            noun: the node of the noun.
            determiner: that of the determiner.
        """

        def make() -> Merged:
            cells = ("sg", "pl", "mass")
            parts = [
                np.stack([leaf.inventory.forms[cell][leaf.candidates] >= 0 for cell in cells])
                for leaf in determiner.leaves
            ]
            table = np.concatenate(parts, axis=1) if parts else np.zeros((len(cells), 0), dtype=bool)
            classes = np.where(noun.column("count") == "ptan", len(cells), number_class(noun)).astype(np.int32)
            bits = BitTable(np.vstack([table, table[1] & table[2]]))
            return bits.merged(classes, np.arange(determiner.size, dtype=np.int32))

        return self._cached("determiner", noun, determiner, "determiner", make)

    def negation(self, verbal: Node, nominal: Node, column: str) -> Constraint | None:
        """A determiner that is not natural under (or after) a negated verb does not stand there.

        Args:
            verbal, nominal: the nodes of verb and noun.
            column: under_not or after_not.
        """
        determiner = nominal.children.get("determiner")
        if determiner is None or not any(leaf.features.get("Polarity") == "Neg" for leaf in verbal.leaves):
            return None
        table = np.array([[True, True], [True, False]])
        return self._cached(
            "negation",
            verbal,
            determiner,
            ("negation", column),
            lambda: BitTable(table).merged(
                (verbal.column("Polarity") == "Neg").astype(np.int32),
                (determiner.column(column) != "yes").astype(np.int32),
            ),
        )

    def agreement(self, name: str, a: Node, b: Node) -> Constraint:
        """Number agreement, and phi agreement where one side is a reflexive.

        Args:
            name: what the constraint expresses.
            a, b: the nodes.
        """
        if any(x.inventory.category in ANAPHORS for x in (*a.leaves, *b.leaves)):
            return self.reflexive(a, b)
        if any(x.inventory.category in ("D", "Num") for x in a.leaves):
            return self.determiner(b, a)
        return self._cached(name, a, b, "number", lambda: keyed(number_key(a), number_key(b), same=True))

    def reflexive(self, a: Node, b: Node) -> Constraint:
        """A reflexive has the number and gender of its antecedent.

        Args:
            a, b: reflexive and antecedent, in either order.
        """
        anaphor, antecedent = (a, b) if any(x.inventory.category in ANAPHORS for x in a.leaves) else (b, a)

        def make() -> Merged:
            of_antecedent, bound = phi(antecedent), phi(anaphor)
            index = {value: n for n, value in enumerate(dict.fromkeys([*bound, *of_antecedent]))}
            table = np.array([[_binds(x, y) for x in index] for y in index])
            classes = [np.array([index[x] for x in values], dtype=np.int32) for values in (of_antecedent, bound)]
            return BitTable(table).merged(classes[0], classes[1])

        return self._cached("antecedent", antecedent, anaphor, "phi", make)

    def tied(self, kind: str, feature: str, a: Node, b: Node) -> Constraint:
        """A feature of two nodes is the same, or another.

        Args:
            kind: same or other.
            feature: as in `compared`.
            a, b: the nodes.
        """
        name, same = f"{kind} {feature}", kind == "same"
        return self._cached(name, a, b, name, lambda: keyed(compared(a, feature), compared(b, feature), same=same))

    def twin(self, twin: Node, original: Node) -> Iterator[Constraint]:
        """A twin has as many words as its original and goes into its forms: a progressive, or its number.

        Args:
            twin: the node that exchanges the lexeme.
            original: the node of which it does.
        """
        yield self._cached(
            "like", twin, original, "words", lambda: keyed(twin.column("words"), original.column("words"), same=True)
        )
        if any(x.inventory.category == "V" for x in twin.leaves):
            yield self._cached("like", original, twin, "progressive", lambda: _progressive(original, twin))
        else:
            yield self._cached("like", twin, original, "kind", lambda: keyed(kinds(twin), kinds(original), same=True))

    def selects(self, head: Node, verb: Node, place: Place) -> Constraint:
        """An auxiliary takes a verb form; *be* wants a verb with a progressive; not every subordinator takes a gerund.

        Args:
            head: the auxiliary or subordinator.
            verb: what it selects.
            place: where the relation stands, for errors.
        """
        if any(x.inventory.category == "Subordinator" for x in head.leaves):
            takes_gerunds, is_gerund = head.column("ving") == "yes", verb.column("form") == "ing"
            table = np.array([[True, False], [True, True]])
            return constraint("selects", head, verb, takes_gerunds.astype(np.int32), is_gerund.astype(np.int32), table)
        if not any(x.inventory.category in ("Aux", "Cop") for x in head.leaves):
            raise DataError(
                f"{head.path!r} selects nothing; auxiliaries and subordinators select verbs", place, "relation"
            )
        table = np.array([[True, True], [False, True]])
        return constraint(
            "selects",
            head,
            verb,
            (head.column("kind") == "be").astype(np.int32),
            (verb.column("prog") == "yes").astype(np.int32),
            table,
        )

    def inside(self, slot: Node) -> list[Constraint]:
        """All constraints between the nodes of a slot."""
        if slot not in self._inside:
            self._inside[slot] = [c for node in slot.all() for c in self._daughters(node)]
        return self._inside[slot]

    def _daughters(self, node: Node) -> Iterator[Constraint]:
        for role, child in node.children.items():
            yield self._allowed_daughter(node, role, child)
            yield from self._undoubled(node, role, child)
            if role == "determiner":
                yield self.determiner(node, child)
            elif role == "adjunct" and any(x.inventory.category == "A" for x in child.leaves):
                yield self.column("adjunct", "arg", child, node)
            elif role in _LINKS and node.nominal.any():
                yield self.relational(node, child, _LINKS[role])
            elif role in SELECTION and SELECTION[role] in ("subj", "obj"):
                yield from self.argument(role, SELECTION[role], node, child)
                yield from self.controlled(role, node, child)
                under = self.negation(node, child, "under_not" if role == "subject" else "after_not")
                if under is not None:
                    yield under

    def _undoubled(self, node: Node, role: str, child: Node) -> Iterator[Constraint]:
        """A determiner does not follow a rule's own word of the same form: *said that that actor left*."""
        before = np.array([_word_before(leaf, role) for leaf in node.leaves], dtype=object)
        if any(before):
            for determiner in _first_determiners(child):
                yield self._cached(
                    "word before",
                    node,
                    determiner,
                    ("word before", role),
                    lambda d=determiner: keyed(before[node.leaf], d.column("lemma"), same=False),  # type: ignore[misc]
                )

    def _allowed_daughter(self, node: Node, role: str, child: Node) -> Constraint:
        """What the rule itself asks of the daughter: category, features, restriction."""
        return self._cached(role, node, child, ("daughter", role), lambda: self._daughter_table(node, role, child))

    def _daughter_table(self, node: Node, role: str, child: Node) -> Merged:
        used = {k: d for k, leaf in enumerate(node.leaves) for r, d in leaf.daughters() if r == role}
        kinds: dict[tuple[object, ...], int] = {}
        rows: list[NDArray[np.bool_]] = []
        by_leaf = np.full(len(node.leaves), -1, dtype=np.int32)
        for k, d in used.items():
            shared = _shared_with_auxiliary(node.leaves[k], role)
            key = (d.category, tuple(sorted(d.features.items())), d.restriction, tuple(shared.items()))
            if key not in kinds:
                kinds[key] = len(rows)
                rows.append(self._fits_daughter(child, d, shared))
            by_leaf[k] = kinds[key]
        return BitTable(np.array(rows)).merged(by_leaf[node.leaf], np.arange(child.size, dtype=np.int32))

    def _fits_daughter(self, child: Node, d: Daughter, shared: dict[str, str]) -> NDArray[np.bool_]:
        mask = np.array([_heads(leaf, d) for leaf in child.leaves], dtype=bool)[child.leaf]
        for name, values in {**d.features, **{n: (v,) for n, v in shared.items()}}.items():
            if values[0].startswith("?") or values == ("any",):
                continue
            if name == "Number":
                mask &= np.isin(number_key(child), values)
            elif name != "form":
                values_of_child = child.column(name)
                mask &= np.isin(values_of_child, values) | (values_of_child == "")
        if d.restriction:
            for number, leaf in enumerate(child.leaves):
                mask[child.leaf == number] &= leaf.inventory.mask(d.restriction.expression, d.place)[leaf.candidates]
        return mask


def _stated(
    node: Node, states: Callable[[Leaf], bool], column: Callable[[Leaf], NDArray[np.int32]]
) -> NDArray[np.int32]:
    """The restriction number that each candidate states; -1 for none.

    Args:
        node: the node.
        states: whether the words of a leaf state one.
        column: the numbers of all lexemes of the inventory of a leaf.
    """
    return np.concatenate(
        [
            column(leaf)[leaf.candidates] if states(leaf) else np.full(len(leaf.candidates), -1, dtype=np.int32)
            for leaf in node.leaves
        ]
    )


def _asks(nominal: Node) -> bool:
    """Whether a phrase may be a wh-word."""
    return any(leaf.inventory.category in ("Wh", "Dwh") for leaf in nominal.leaves)


def _progressive(original: Node, twin: Node) -> Merged:
    """A verb that has no progressive does not stand for one that is in it."""
    leaves = [
        leaf.features.get("form") == "ing" or any(rule.label == "be" for rule in leaf.rules) for leaf in original.leaves
    ]
    return BitTable(np.array([[True, True], [False, True]])).merged(
        np.array(leaves, dtype=np.int32)[original.leaf], (twin.column("prog") == "yes").astype(np.int32)
    )


def _heads(leaf: Leaf, d: Daughter) -> bool:
    """Whether a leaf is a phrase of the category and form that a rule asks of its daughter."""
    if (leaf.rules[0].category if leaf.rules else leaf.inventory.category) != d.category:
        return False
    mother_forms = leaf.rules[0].features.get("form", ()) if leaf.rules else ()
    form = mother_forms[0] if len(mother_forms) == 1 else leaf.features.get("form", "")
    forms = d.features.get("form", ())
    return not form or not forms or forms[0].startswith("?") or form in forms


def _holds(leaf: Leaf, atom: Atom) -> NDArray[np.bool_]:
    """Of which candidates of a leaf an atom holds; it may ask for a feature that the leaf fixes (*Polarity*)."""
    if atom.kind == "column" and atom.name in leaf.features:
        return np.full(len(leaf.candidates), leaf.features[atom.name] in atom.values)
    is_predicate = leaf.inventory.category in ("V", "A")
    if is_predicate and atom.kind == "tag" and atom.name not in leaf.inventory.values("tags"):  # of the other alone
        return np.zeros(len(leaf.candidates), dtype=bool)
    return leaf.inventory.satisfying(atom)[leaf.candidates]


def _asks_with(questions: str, word: QuestionWord) -> bool:
    """Whether a verb with these questions asks with a word; one that takes no question says nothing of it."""
    items = questions.split(",")
    general = word.is_wh and "wh" in items and f"-{word.lemma}" not in items
    return not questions or word.lemma in items or general


def _word_before(leaf: Leaf, role: str) -> str:
    """The literal word that a rule of a leaf has right before a daughter; empty if there is none."""
    for rule in leaf.rules:
        for word, daughter in itertools.pairwise(rule.daughters):
            if word.literal and daughter.role == role:
                return word.category
    return ""


def _first_determiners(node: Node) -> Iterator[Node]:
    """The determiners with which a phrase or clause may begin."""
    for role in ("subject", "possessor"):
        if role in node.children:
            yield from _first_determiners(node.children[role])
    if "determiner" in node.children:
        yield node.children["determiner"]


def _place_of_daughter(node: Node) -> Place | None:
    """Where a rule names a node as its daughter; None for the node of a slot."""
    if node.parent is None:
        return None
    daughters = (d for leaf in node.parent.leaves for role, d in leaf.daughters() if node.parent.children[role] is node)
    return next((d.place for d in daughters), None)


_OF_ADJECTIVES = {"subj": "arg", "obj": "obj"}
"""What a relation asks of verbs, to the column in which adjectives say it."""

SUBJECT_FROM_BELOW = ("A.to.sr", "A.tough", "A.it.that")
"""Frames of adjectives whose subject is an argument of the verb below, or an expletive."""

_QUESTIONS = ("V.wh", "V.NP.wh")
"""Frames of verbs whose clause is a question."""

_LINKS = {"complement": "of", "possessor": "poss"}


def _binds(antecedent: str, anaphor: str) -> bool:
    return antecedent == anaphor or (antecedent == "Com" and anaphor in ("Masc", "Fem"))


def _shared_with_auxiliary(leaf: Leaf, role: str) -> dict[str, str]:
    """The features that an auxiliary has from the rule of its verb group."""
    try:
        return {name: leaf.features[name] for name in ("Tense", "Polarity") if role == "aux"}
    except KeyError as error:
        rule, name = leaf.rules[0], error.args[0]
        what = f"the rule {rule.label!r} has an auxiliary, but no {name}; write {name}=... before its arrow"
        raise DataError(what, rule.place, "feature") from None
