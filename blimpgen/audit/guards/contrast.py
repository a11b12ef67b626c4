"""Guards of the contrast: what must stay the same in both sentences, and what must not stand twice in one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from blimpgen.audit.guards.chunks import VerbGroup
from blimpgen.audit.guards.clauses import Clause, tenses
from blimpgen.audit.guards.guard import Case, all_but, guard
from blimpgen.audit.guards.nominals import Nominal

_NEGATED = all_but(
    "irregular_*", "sentential_negation_npi_*", "npi_*", "matrix_question_*", "existential_there_quantifiers_*"
)
_REPEATING = all_but("ellipsis_n_bar_*")


def _aligned(case: Case) -> Iterator[tuple[Clause, Clause]]:
    good, bad = (parsed.clauses for parsed in case.both)
    if len(good) == len(bad):
        yield from zip(good, bad, strict=True)


def _shown(case: Case, a: Clause, b: Clause) -> str:
    return f"{case.good.text(a.group.start, a.group.end)} | {case.bad.text(b.group.start, b.group.end)}"


@guard("tense-differs", all_but("irregular_past_*"), specs="morphology D6; syntax G2; semantics G10; semantics 8 D3")
def tense_differs(case: Case) -> Iterator[str]:
    """The verbs of the two sentences have different tenses."""
    for a, b in _aligned(case):
        if bool(a.group.auxiliary) == bool(b.group.auxiliary) and not tenses(a.group) & tenses(b.group):
            yield _shown(case, a, b)


@guard("polarity-differs", _NEGATED, specs="morphology D6; morphology 23.3; semantics G10")
def polarity_differs(case: Case) -> Iterator[str]:
    """One sentence is negated where the other is not."""
    for a, b in _aligned(case):
        if a.group.negated != b.group.negated:
            yield _shown(case, a, b)


@guard("auxiliary-differs", _NEGATED, specs="syntax G2; semantics G10")
def auxiliary_differs(case: Case) -> Iterator[str]:
    """The sentences have different auxiliaries, or only one has an auxiliary."""
    for a, b in _aligned(case):
        if {r.row for r in a.group.auxiliary} != {r.row for r in b.group.auxiliary}:
            yield _shown(case, a, b)


@guard("name-twice", specs="semantics G9; syntax G12")
def name_twice(case: Case) -> Iterator[str]:
    """A name stands twice in a sentence."""
    names = ((p.noun for p in parsed.nominals() if p.kind == "name") for parsed in case.both)
    yield from dict.fromkeys(name for sentence_names in names for name in _twice(sentence_names))


@guard("lemma-twice", _REPEATING, specs="syntax G12; morphology 8")
def lemma_twice(case: Case) -> Iterator[str]:
    """A noun or verb stands twice in the good sentence."""
    yield from _twice(case.vocabulary.value(p.head[0], "lemma") for p in case.good.nominals() if p.kind == "noun")
    yield from _twice(_surface_lemma(case, group) for _, group in case.good.groups() if group.verbs)


def _surface_lemma(case: Case, group: VerbGroup) -> str:
    return " ".join(case.vocabulary.value(group.verbs[0], column) for column in ("lemma", "prt")).strip()


def _twice(items: Iterator[str]) -> list[str]:
    return [item for item, times in Counter(items).items() if times > 1]


@guard("standalone-quantifier", specs="syntax B26")
def standalone_quantifier(case: Case) -> Iterator[str]:
    """A quantifier that stands alone is put before a noun (*a lot guests*)."""
    columns = case.vocabulary.lexicon.inventory("D").columns
    bound = {"-", "", *columns["sg"], *columns["pl"], *columns["mass"]}
    alone = {tuple(form.split()) for form in columns["npe"] if form not in bound}
    words = tuple(w.lower() for w in case.good.sentence.words)
    starts = {c.start for c in case.good.chunks if isinstance(c, Nominal)}
    for form in alone:
        for k in range(len(words) - len(form)):
            if words[k : k + len(form)] == form and k + len(form) in starts:
                yield case.good.text(k, k + len(form) + 1)
