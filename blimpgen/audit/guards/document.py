"""The tables of ``docs/guards.md``, filled from the registry so that they cannot drift."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from blimpgen.audit.guards.guard import guards

__all__ = ["ELSEWHERE", "fill"]

ELSEWHERE = MappingProxyType(
    {
        "morphology D5": "lexicon: `agr` of collectives; `bad-agrees` where the label falls",
        "morphology D12": "the features of the slot: `irregular`",
        "morphology D13": "selection in the lexicon (plausibility, no label)",
        "morphology D15": "set level: lemma shares in the artefact audit",
        "syntax G5": "selection in the lexicon: `subj_no`, `obj_no`",
        "syntax G8": "the paradigms that end in a name",
        "syntax G14": "set level: lemma shares in the artefact audit",
        "semantics G6": "selection in the lexicon (plausibility)",
        "semantics G8": "the lexicon has no such nouns",
        "semantics 6 D3": "set level: `balance` and the artefact audit",
        "semantics 6 D5": "legitimate distractor, no defect",
        "semantics 8 D5": "selection in the lexicon (plausibility)",
        "semantics 22 D3": "no rule possible",
    }
)


def fill(text: str, examples: Mapping[str, str]) -> str:
    """The document with its two tables filled in, each between a pair of comments.

    Args:
        text: the document.
        examples: code to a pair that the guard rejects, as ``good | bad``.
    """
    for name, table in (("guards", _guard_table(examples)), ("numbers", _number_table())):
        begin, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
        before, _, rest = text.partition(begin)
        text = f"{before}{begin}\n{table}\n{end}{rest.partition(end)[2]}"
    return text


def _guard_table(examples: Mapping[str, str]) -> str:
    rows = [(f"`{g.code}`", g.severity, g.message, g.scope.title, examples.get(g.code, "")) for g in guards()]
    return _table(("code", "severity", "what it objects to", "pairs", "a pair that it rejects"), rows)


def _number_table() -> str:
    codes: dict[str, list[str]] = defaultdict(list)
    for guard in guards():
        for number in guard.specs:
            codes[number].append(f"`{guard.code}`")
    rows = {number: ", ".join(names) for number, names in codes.items()} | dict(ELSEWHERE)
    return _table(("number", "codes"), [(number, rows[number]) for number in sorted(rows, key=_order)])


def _order(number: str) -> tuple[object, ...]:
    area, first, *_ = number.split()
    numbers = [float(n) for n in re.findall(r"\d+(?:\.\d+)?", number)]
    letter = "" if first[0].isdigit() else first[0]
    return ["morphology", "syntax", "semantics"].index(area), letter, numbers, number


def _table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    lines = [head, tuple("---" for _ in head), *(tuple(cell.replace("|", "\\|") for cell in row) for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
