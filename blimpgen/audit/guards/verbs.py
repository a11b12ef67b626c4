"""Guards of verb groups: auxiliaries, forms, aspect, and the complements that a verb needs."""

from __future__ import annotations

from collections.abc import Iterator

from blimpgen.audit.guards.case import Case
from blimpgen.audit.guards.chunks import VerbGroup
from blimpgen.audit.guards.clauses import Parse
from blimpgen.audit.guards.guard import Severity, guard
from blimpgen.audit.guards.scopes import ANAPHOR, DEMONSTRATIVE, PARTICIPLE, VERB_AGREEMENT
from blimpgen.audit.guards.tokens import Reading, Readings

_WITH_INFINITIVE = ("V.NP.to.oc", "V.NP.to.sc", "V.to.sc")
"""Frames of the verbs that control an object or wish something; verbs of opinion have none of them."""


def last_group(parsed: Parse) -> VerbGroup | None:
    """The verb group that ends the sentence, if one does."""
    last = parsed.chunks[-1] if parsed.chunks else None
    return last if isinstance(last, VerbGroup) and last.verbs else None


def fitting(case: Case, group: VerbGroup) -> Readings:
    """The readings of the verb in the form that its auxiliary selects; all of them where none fits.

    Args:
        case: the pair, with the words of its paradigm.
        group: a verb group of one of its sentences.
    """
    selected = {case.vocabulary.value(a, "selects") for a in group.auxiliary}
    return tuple(r for r in group.verbs if r.cell in selected) or group.verbs


def stative(case: Case, group: VerbGroup) -> bool:
    """Whether the verb is a state in every reading, and never in the progressive.

    Args:
        case: the pair, with the words of its paradigm.
        group: a verb group of one of its sentences.
    """
    return case.vocabulary.every(group.verbs, "akt", "state") and not case.vocabulary.some(group.verbs, "prog", "yes")


def drops(case: Case, reading: Reading) -> bool:
    """Whether the object of a verb may be left out.

    Args:
        case: the pair, with the words of its paradigm.
        reading: of the verb.
    """
    return any(case.vocabulary.frame_value(reading, frame, "drop") not in ("", "no") for frame in ("V.NP", "V.P"))


@guard(
    "do-emphatic",
    Severity.REMARK,
    specs="morphology D11; syntax G9; semantics D; semantics 6 D4; semantics 17 D3",
    needs="do",
)
def do_emphatic(case: Case) -> Iterator[str]:
    """*do* stands in a positive statement, where only emphasis could call for it."""
    for clause in case.good.clauses:
        group = clause.group
        if group.verbs and not group.negated and case.vocabulary.every(group.auxiliary, "kind", "do"):
            yield case.good.text(group.start, group.end)


@guard(
    "stative-progressive",
    Severity.REMARK,
    specs="morphology D10; syntax G10; semantics G4; semantics 8 D2",
    needs="ing",
)
def stative_progressive(case: Case) -> Iterator[str]:
    """A stative verb, or another that goes badly with it, is in the progressive."""
    parsed = case.good
    for k, group in parsed.groups:
        readings = tuple(r for r in group.verbs if r.cell == "ing")
        if readings and _progressive(case, parsed, k, group) and not case.vocabulary.some(readings, "prog", "yes"):
            yield group.verb


def _progressive(case: Case, parsed: Parse, place: int, group: VerbGroup) -> bool:
    if group.auxiliary:
        return case.vocabulary.every(group.auxiliary, "kind", "be")
    before = parsed.chunks[place - 2] if place > 1 and parsed.kind(place - 1) == "nominal" else None
    return isinstance(before, VerbGroup) and not before.verbs and case.vocabulary.every(before.auxiliary, "kind", "be")


@guard(
    "wrong-form",
    Severity.WRONG,
    specs="morphology D2; syntax G13; semantics G3; semantics 22 D2",
    needs="misfit lone sub",
)
def wrong_form(case: Case) -> Iterator[str]:
    """A verb is not in the form that its auxiliary or conjunction selects: *was skated around, hasn't want*."""
    parsed = case.good
    for k, group in parsed.groups:
        auxiliary = parsed.auxiliary(k)
        # *dropped by Marcus* may be what Marcus dropped, though one drops by
        object_follows = parsed.kind(k + 1) in ("nominal", "wh") and not group.verb.endswith(" by")
        if auxiliary and group.verbs and not _selected(case, auxiliary, group.verbs, object_follows):
            yield parsed.text(group.start, group.end)
        elif (
            not auxiliary
            and parsed.kind(k - 1) == "sub"
            and not any(r.cell == "ing" for r in group.verbs)
            and not parsed.readings(group.start, "A")  # *as clear as*
        ):
            yield parsed.text(group.start - 1, group.end)


def _selected(case: Case, auxiliary: Readings, verbs: Readings, object_follows: bool) -> bool:
    cells = {r.cell for r in verbs}
    for reading in auxiliary:
        if case.vocabulary.value(reading, "selects") in cells:
            return True
        passive = case.vocabulary.value(reading, "kind") == "be" and "part" in cells
        if passive and (not object_follows or any(case.vocabulary.lists(v, "V.NP.NP") for v in verbs)):
            return True
    return False


@guard("no-finite-verb", Severity.WRONG, specs="morphology D2", needs="clauseless")
def no_finite_verb(case: Case) -> Iterator[str]:
    """The good sentence has no finite verb."""
    parsed = case.good
    if parsed.certain and not parsed.clauses and any(isinstance(chunk, VerbGroup) for chunk in parsed.chunks):
        yield case.sentence_good


@guard("that-complementizer", Severity.REMARK, DEMONSTRATIVE, specs="morphology D4")
def that_complementizer(case: Case) -> Iterator[str]:
    """*that* follows a verb which takes a clause, so that it may be read as a complementizer."""
    for parsed in case.both:
        for k, group in parsed.groups:
            phrase = parsed.chunks[k + 1] if parsed.kind(k + 1) in ("nominal", "comp") else None
            if (
                phrase is not None
                and parsed.sentence.words[phrase.start] == "that"
                and any(case.vocabulary.lists(r, "V.that") for r in group.verbs)
            ):
                yield parsed.text(group.start, phrase.start + 1)
                return


@guard("that-missing", Severity.REMARK, ANAPHOR, specs="semantics G5; semantics 6 D2")
def that_missing(case: Case) -> Iterator[str]:
    """The verb needs *that* before its clause."""
    parsed = case.good
    for clause in parsed.clauses:
        before = parsed.chunks[clause.place - 2] if clause.place > 1 else None
        if clause.relation == "embedded" and isinstance(before, VerbGroup) and before.verbs:
            taking = [r for r in before.verbs if case.vocabulary.lists(r, "V.that")]
            if taking and all(case.vocabulary.frame_value(r, "V.that", "that0") != "yes" for r in taking):
                yield parsed.text(before.start, before.end)


@guard("raising-frame", Severity.DOUBTFUL, VERB_AGREEMENT, specs="morphology 14; morphology 15; morphology 16")
def raising_frame(case: Case) -> Iterator[str]:
    """A verb of opinion has an object and an infinitive of action: *ascertain some patients to heal Sonia*."""
    parsed = case.good
    for k, group in parsed.groups:
        framed = [parsed.kind(k + step) for step in (1, 2, 3)] == ["nominal", "to", "group"]
        if framed and not any(case.vocabulary.lists(r, frame) for r in group.verbs for frame in _WITH_INFINITIVE):
            yield parsed.text(group.start, group.end)


@guard("collective-predicate", Severity.SECOND, VERB_AGREEMENT, specs="morphology 17; morphology 23.5")
def collective_predicate(case: Case) -> Iterator[str]:
    """The last verb needs a plural or collective subject whatever its agreement."""
    group = last_group(case.good)
    parsed = case.good
    infinitive = parsed.kind(len(parsed.chunks) - 2) == "to"
    gerund = group is not None and parsed.sentence.words[group.start - 1] == "from"
    embedded = infinitive or gerund or any(c.group is group and c.relation != "main" for c in parsed.clauses)
    readings = fitting(case, group) if group is not None and not embedded else ()
    values = {case.vocabulary.frame_value(r, "V", "coll") for r in readings if case.vocabulary.lists(r, "V")}
    if group is not None and values and "no" not in values:
        yield group.verb


@guard("participle-finite", Severity.DOUBTFUL, PARTICIPLE, specs="morphology 21; morphology 23.5")
def participle_finite(case: Case) -> Iterator[str]:
    """The participle of the bad sentence may also be a past: *shrunk*."""
    for _, group in case.bad.groups:
        cells = {r.cell for r in group.verbs}
        if {"part", "past"} <= cells and group.verb not in case.sentence_good:
            yield group.verb
