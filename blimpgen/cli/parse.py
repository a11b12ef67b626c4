"""`blimpgen parse`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any, Literal

from blimpgen.cli.options import AsJson, Data, argument, library, option, write_json, write_lines

if TYPE_CHECKING:
    from blimpgen.api import Parses

__all__ = ["parse", "reasons"]

Reading = Annotated[
    Literal["closed", "open"],
    option("--reading", "What the lexicon lists (closed), or all that it does not exclude (open)."),
]


def parse(
    sentence: Annotated[str, argument("SENTENCE", "A sentence, in quotes.")],
    reading: Reading = "closed",
    all_trees: Annotated[bool, option("--all", "Show all trees, at most 100, not the first only.")] = False,
    language: Annotated[
        str | None, option("--language", "Another language that has a grammar, such as spanish.", "NAME")
    ] = None,
    as_json: AsJson = False,
    data: Data = None,
) -> None:
    """Parse a sentence: its trees, what each word is; if the grammar does not derive it, why.

    Example: blimpgen parse "The teacher that the boys like sleeps."
    """
    from blimpgen.api import parse

    parses = parse(sentence, reading=reading, language=language, library=library(data))
    if as_json:
        write_json(_as_json(parses, all_trees))
    else:
        write_lines(_lines(parses, all_trees) if parses else reasons(parses))


def _lines(parses: Parses, all_trees: bool) -> Iterator[str]:
    from blimpgen.authoring.display import tree_lines

    number = "1 derivation" if parses.count == 1 else f"{parses.count:,} derivations"
    hint = "; --all shows more" if parses.count > 1 and not all_trees else ""
    yield f"derived in the {parses.reading} reading: {number}{hint}"
    shown = list(parses) if all_trees else [parse for parse in [parses.first] if parse]
    for parse in shown:
        yield ""
        yield from tree_lines(str(parse))
        yield from (
            f"    {word.text}  {word.category}  {_features(word.features)}  {', '.join(word.lexemes)}".rstrip()
            for word in parse.words
            if word.category
        )
    if all_trees and parses.count > len(shown):
        yield f"the first {len(shown)} are shown"


def _features(features: dict[str, str]) -> str:
    return " ".join(f"{name}={value}" for name, value in features.items())


def reasons(parses: Parses) -> Iterator[str]:
    """Why a sentence is not derived, as lines."""
    diagnosis = parses.diagnosis
    yield f"not derived in the {parses.reading} reading"
    if diagnosis.unjoined:
        yield f"    unjoined  {diagnosis}"
        return
    for unknown in diagnosis.unknown:
        if unknown.is_untaken:
            yield f"    unknown   {unknown.word!r} to the rules: the lexicon has it, but no rule takes it"
        elif unknown.longer:
            yield f"    unknown   {unknown.word!r} by itself; there is {', '.join(unknown.longer)}"
        else:
            hint = f"; did you mean {unknown.nearest!r}?" if unknown.nearest else ""
            yield f"    unknown   {unknown.word!r}{hint}"
    for clash in diagnosis.clashes:
        yield f"    clash     {clash}"
    yield f"    longest   {' '.join(map(str, diagnosis.constituents))}"


def _as_json(parses: Parses, all_trees: bool) -> dict[str, Any]:
    shown = list(parses) if all_trees else [parse for parse in [parses.first] if parse]
    return {
        "text": parses.text,
        "reading": parses.reading,
        "tokens": parses.tokens,
        "derived": bool(parses),
        "count": parses.count if parses.count < 2**63 else str(parses.count),
        "parses": [{"tree": str(parse), "words": [asdict(word) for word in parse.words]} for parse in shown],
        **asdict(parses.diagnosis),
    }
