"""Whether a paradigm makes its worked examples: some assignment must give both sentences word by word.

Every slot is restricted to the words that occur in the example. What is left is so little that all of it can be
enumerated and compared.
"""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass

from blimpgen.base.errors import DataError
from blimpgen.checks.example_cells import Restricted, Shown
from blimpgen.english.words import uncapitalized, words_without_marks
from blimpgen.generation.compiled import CompiledParadigm
from blimpgen.realize import Columns

__all__ = ["check_example"]

_COMPARED = 1000


@dataclass(frozen=True, order=True)
class _Failure:
    """How far a search came, and what it lacked there."""

    stage: int
    message: str


def check_example(compiled: CompiledParadigm, number: int) -> None:
    """Find an assignment that gives a worked example.

    Args:
        compiled: the paradigm.
        number: which of its examples, from 0.

    Raises:
        DataError: there is none; with what comes nearest.
    """
    example = compiled.paradigm.model.examples[number]
    shown = Shown((example.good, example.bad), compiled.language.lexicon.strings.texts)
    words = [_readings(word) for word in dict.fromkeys(words_without_marks(f"{example.good} {example.bad}"))]
    every = [Restricted(cell, shown) for cell in compiled.cells]
    failures: list[_Failure] = []
    lacking: list[tuple[int, str]] = []
    for restricted in every:
        if missing := [word for word in words if not restricted.words.intersection(word)]:
            lacking.append((-len(missing), _without(compiled, restricted, every, missing)))
            continue
        failure = _search(compiled, restricted, example.good, example.bad)
        if failure is None:
            return
        failures.append(failure)
    what = max(failures).message if failures else max(lacking)[1]
    raise DataError(f"no assignment gives this example: {what}", compiled.paradigm.place("examples", number), "example")


def _without(
    compiled: CompiledParadigm, restricted: Restricted, every: Sequence[Restricted], missing: Sequence[tuple[str, ...]]
) -> str:
    """Say which word a cell lacks: one that no cell has, if there is one."""
    nowhere = [word for word in missing if not any(each.words.intersection(word) for each in every)]
    word, name = (nowhere or missing)[0][0], restricted.cell.plan.cell.name
    if not any(compiled.language.lexicon.readings.by_text.get(form) for form in (nowhere or missing)[0]):
        return f"{word!r} is no word of the lexicon"
    what = (
        f"{word!r} is no word of {'this paradigm' if nowhere else f'the cell {name}, which has the most of its words'}"
    )
    return f"{what}; blimpgen why {compiled.paradigm.uid} SLOT {word} says why"


def _search(compiled: CompiledParadigm, restricted: Restricted, good: str, bad: str) -> _Failure | None:
    if restricted.unfilled:
        return _Failure(0, f"none of its words may fill slot {restricted.unfilled!r}")
    columns = restricted.assignments()
    if columns is None:
        return _Failure(1, "too many assignments have its words; take a plainer example")
    if not columns or not len(columns[0]):
        better = next(iter(compiled.paradigm.pairs.values()))[0]
        alone = Shown((good,), compiled.language.lexicon.strings.texts)
        return _Failure(1, f"its words do not go together: {restricted.refused(better, alone)}")
    return _compare(compiled, restricted, columns, good, bad)


def _readings(word: str) -> tuple[str, ...]:
    bare = word.partition("'")[0]
    return word, uncapitalized(word), bare, bare.lower()


def _compare(
    compiled: CompiledParadigm, restricted: Restricted, columns: Columns, good: str, bad: str
) -> _Failure | None:
    cell = restricted.cell
    lexicon, capital = cell.language.lexicon, compiled.paradigm.model.text == "sentence"
    texts = {name: t.realise(columns, lexicon).texts(lexicon, capital=capital) for name, t in cell.templates.items()}
    failures = []
    for better, worse in compiled.paradigm.pairs.values():
        rows = [k for k, text in enumerate(texts[better]) if text == good]
        both = [k for k in rows if texts[worse][k] == bad]
        if any(restricted.completes(columns, k) for k in both):
            return None
        if both:
            failures.append(_Failure(4, "nothing fits the slots that it does not show"))
        elif rows:
            partners = [texts[worse][k] for k in rows]
            failures.append(_Failure(3, f"with its good sentence goes {_nearest(bad, partners)}"))
        else:
            failures.append(_Failure(2, f"the nearest good sentence is {_nearest(good, texts[better])}"))
    return max(failures)


def _nearest(text: str, known: Sequence[str]) -> str:
    return repr(difflib.get_close_matches(text, list(dict.fromkeys(known))[:_COMPARED], n=1, cutoff=0.0)[0])
