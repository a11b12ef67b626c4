"""Guards of reflexives: their antecedents, their verbs, and who else might bind them."""

from __future__ import annotations

from collections.abc import Iterator

from blimpgen.audit.guards.case import Case
from blimpgen.audit.guards.chunks import VerbGroup
from blimpgen.audit.guards.clauses import Parse
from blimpgen.audit.guards.guard import Objection, Severity, guard
from blimpgen.audit.guards.nominals import Nominal
from blimpgen.audit.guards.scopes import (
    ANAPHOR,
    CLEFT,
    GENDER,
    PRONOUN,
    REFLEXIVE,
    REFLEXIVE_NUMBER,
    REFLEXIVE_SUBJECT,
    WITH_REFLEXIVE,
)
from blimpgen.audit.guards.tokens import Readings


def _reflexive(case: Case, parsed: Parse) -> tuple[int, Readings]:
    """The number of the last reflexive's chunk and its readings; (-1, ()) if there is none."""
    for k in range(len(parsed.chunks) - 1, -1, -1):
        if parsed.kind(k) == "refl":
            return k, parsed.readings(parsed.chunks[k].start, "Refl")
    return -1, ()


def _subjects(parsed: Parse) -> list[Nominal]:
    return [c.subject for c in parsed.clauses if c.subject is not None]


def _genders(case: Case, phrase: Nominal) -> set[str]:
    return {case.vocabulary.value(r, "Gender") for r in phrase.head}


def _verb_of_reflexive(case: Case, parsed: Parse) -> VerbGroup | None:
    place, _ = _reflexive(case, parsed)
    group = parsed.chunks[place - 1] if place > 0 else None
    return group if isinstance(group, VerbGroup) and group.verbs else None


@guard("unisex-name", Severity.REMARK, ANAPHOR, specs="morphology 2; semantics G7; semantics 6 D1")
def unisex_name(case: Case) -> Iterator[str]:
    """The gender of a name is uncertain: *Leslie*."""
    for phrase in _subjects(case.good):
        if phrase.kind == "name" and not _genders(case, phrase) <= {"Masc", "Fem"}:
            yield phrase.noun


@guard("gender-uncertain", Severity.DOUBTFUL, GENDER, specs="morphology 2; semantics G7; semantics 6 D1")
def gender_uncertain(case: Case) -> Iterator[str]:
    """The gender of a noun is not part of its meaning: *dancer*, *bird*."""
    phrase = _antecedent(case.bad) if case.holds(REFLEXIVE) else _local_subject(case, case.bad)
    genders = {case.vocabulary.value(r, "Gender") for r in _reflexive(case, case.bad)[1]}
    if phrase is None or phrase.kind != "noun" or phrase.numbers != {"Sing"} or not genders <= {"Masc", "Fem"}:
        return
    human = any(case.vocabulary.suits(r, "human") for r in phrase.head) and not _genders(case, phrase) <= {
        "Masc",
        "Fem",
    }
    if human or any(case.vocabulary.suits(r, "animal") for r in phrase.head):
        yield Objection(phrase.noun, Severity.WRONG if human else Severity.DOUBTFUL)


def _antecedent(parsed: Parse) -> Nominal | None:
    """The subject of a reflexive at the end: that of its clause, or the head of a relative clause before it."""
    place = next((k for k in range(len(parsed.chunks) - 1, -1, -1) if parsed.kind(k) == "refl"), 0)
    return next((c.subject for c in parsed.clauses if c.place == place - 1), None)


@guard("name-is-word", Severity.REMARK, GENDER, specs="morphology 2; syntax G6")
def name_is_word(case: Case) -> Iterator[str]:
    """A name is a word or a place as well: *April*."""
    for phrase in _subjects(case.good):
        if phrase.kind == "name" and any("word" in case.vocabulary.value(r, "tags").split(",") for r in phrase.head):
            yield phrase.noun


@guard("not-a-gender-contrast", Severity.SECOND, REFLEXIVE, specs="morphology 2")
def not_a_gender_contrast(case: Case) -> Iterator[str]:
    """The two reflexives do not differ in gender alone; *itself* differs in animacy."""
    if case.holds(REFLEXIVE_NUMBER):
        return
    genders = {case.vocabulary.value(r, "Gender") for parsed in case.both for r in _reflexive(case, parsed)[1]}
    if genders != {"Masc", "Fem"}:
        yield " | ".join("".join(parsed.sentence.words[-1:]) for parsed in case.both)


@guard("exempt-anaphor", Severity.DOUBTFUL, ANAPHOR, specs="semantics 6 D1; semantics J")
def exempt_anaphor(case: Case) -> Iterator[str]:
    """A verb of likeness leaves its reflexive free: *sounds like herself* may mean the other one."""
    for parsed in case.both:
        group = _verb_of_reflexive(case, parsed)
        if group is not None and all(case.vocabulary.frame_value(r, "V.P", "comp") == "like" for r in group.verbs):
            yield group.verb


@guard("singular-they", Severity.REMARK, REFLEXIVE_NUMBER, specs="morphology 3; semantics 1 D1")
def singular_they(case: Case) -> Iterator[str]:
    """*themselves* may mean one person: after a name, a noun of either gender, or *every waitress*."""
    place, readings = _reflexive(case, case.bad)
    local, distant = _local_subject(case, case.bad), any(c.relation == "relative" for c in case.bad.clauses)
    phrase = _head(case.bad) if distant or local is None else local
    if place < 0 or phrase is None or phrase.numbers != {"Sing"} or not _plural(case, readings):
        return
    quantified = phrase.kind == "noun" and not case.vocabulary.every(phrase.determiner, "Definite", "Def")
    owned = phrase.possessor is not None
    if phrase.kind == "name" or (quantified and not owned) or not _genders(case, phrase) <= {"Masc", "Fem"}:
        yield case.bad.text(phrase.start, phrase.end)


@guard("gender-too", Severity.SECOND, REFLEXIVE_NUMBER, specs="morphology 3")
def gender_too(case: Case) -> Iterator[str]:
    """The bad reflexive differs in gender as well as in number: *The girls hurt himself.*"""
    _, readings = _reflexive(case, case.bad)
    phrase = _local_subject(case, case.bad) if len(case.bad.clauses) == 1 else None
    if phrase is not None and phrase.numbers == {"Plur"} and readings and not _plural(case, readings):
        reflexive_genders = {case.vocabulary.value(r, "Gender") for r in readings}
        genders = _genders(case, phrase) - {"Com"}
        thing = "Neut" in reflexive_genders and "Neut" not in genders
        if phrase.kind == "noun" and (thing or (genders and not reflexive_genders & genders)):
            yield f"{phrase.noun} + {' '.join(case.bad.sentence.words[-1:])}"


def _plural(case: Case, readings: Readings) -> bool:
    return all(case.vocabulary.value(r, "Number") == "Plur" for r in readings)


@guard("antecedent-matches", Severity.DOUBTFUL, GENDER, specs="morphology 23.2; semantics I; semantics 6 D1")
def antecedent_matches(case: Case) -> Iterator[str]:
    """The subject of the bad reflexive's clause may have its gender."""
    phrase = _local_subject(case, case.bad)
    genders = {case.vocabulary.value(r, "Gender") for r in _reflexive(case, case.bad)[1]}
    if phrase is not None and genders <= {"Masc", "Fem"} and _agrees(case, phrase, case.bad):
        yield case.bad.text(phrase.start, phrase.end)


@guard("antecedent-differs", Severity.WRONG, GENDER, specs="morphology 23.1; semantics 6")
def antecedent_differs(case: Case) -> Iterator[str]:
    """The subject of the good reflexive's clause does not have its gender."""
    phrase = _local_subject(case, case.good)
    if phrase is not None and not _agrees(case, phrase, case.good):
        yield case.good.text(phrase.start, phrase.end)


@guard("antecedent-binds", Severity.DOUBTFUL, PRONOUN, specs="semantics 6 D1")
def antecedent_binds(case: Case) -> Iterator[str]:
    """The reflexive that stands for a pronoun may be bound by the subject of its clause."""
    phrase, (_, readings) = _local_subject(case, case.bad), _reflexive(case, case.bad)
    numbers = {case.vocabulary.value(r, "Number") for r in readings}
    if phrase is not None and numbers & phrase.numbers and _agrees(case, phrase, case.bad):
        yield case.bad.text(phrase.start, phrase.end)


def _local_subject(case: Case, parsed: Parse) -> Nominal | None:
    place, _ = _reflexive(case, parsed)
    return next((c.subject for c in parsed.clauses if c.place == place - 1), None)


def _agrees(case: Case, phrase: Nominal, parsed: Parse) -> bool:
    reflexive_genders = {case.vocabulary.value(r, "Gender") for r in _reflexive(case, parsed)[1]}
    genders = _genders(case, phrase)
    human = any(case.vocabulary.suits(r, "human") for r in phrase.head)
    unclear = phrase.kind == "name" and human and not genders & {"Masc", "Fem"}
    return bool(reflexive_genders & genders) or "Com" in genders or unclear


def _head(parsed: Parse) -> Nominal | None:
    """The noun phrase that begins a sentence."""
    first = parsed.chunks[0] if parsed.chunks else None
    return first if isinstance(first, Nominal) else None


@guard("antecedent-not-person", Severity.REMARK, WITH_REFLEXIVE, specs="semantics G6; semantics 1 D2")
def antecedent_not_person(case: Case) -> Iterator[str]:
    """A reflexive may stand for a thing or an animal: *The rugs aggravated themselves.*"""
    for phrase in dict.fromkeys(p for p in (_head(case.good), *_subjects(case.good)) if p is not None):
        if (
            phrase.kind != "pronoun"
            and phrase.head
            and not any(case.vocabulary.suits(r, "human | people") for r in phrase.head)
        ):
            yield case.good.text(phrase.start, phrase.end)


@guard("likeness-clefted", Severity.DOUBTFUL, CLEFT, specs="semantics 7 D1")
def likeness_clefted(case: Case) -> Iterator[str]:
    """A verb of likeness has a clefted reflexive, which it leaves free: *It's himself that Robert sounds like.*"""
    for _, group in case.good.groups:
        if group.verbs and all(case.vocabulary.frame_value(r, "V.P", "comp") == "like" for r in group.verbs):
            yield group.verb


@guard("finite-form-bare", Severity.REMARK, REFLEXIVE_SUBJECT, specs="semantics 3 D2")
def finite_form_bare(case: Case) -> Iterator[str]:
    """The finite verb of the bad sentence has a form that may be bare, too: *imagine themselves boycott it*."""
    place, _ = _reflexive(case, case.bad)
    group = case.bad.chunks[place + 1] if 0 <= place < len(case.bad.chunks) - 1 else None
    if isinstance(group, VerbGroup) and any(r.cell in ("bare", "pres_pl") for r in group.verbs):
        yield group.verb
