"""A sentence that is typed in, as the pages show it: its trees, or what is wrong with it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice

from blimpgen.cli.studio.views.paradigms import Drawn
from blimpgen.cli.studio.views.workspace import Workspace

__all__ = ["Sentence", "parse"]

_MOST_TREES, _SEARCHED = 5, 100
"""How many trees are drawn, and among how many derivations they are looked for."""


@dataclass(frozen=True)
class Sentence:
    """A sentence that was parsed: whether it is derived, trees and what its words are, or why it is not."""

    headline: str
    derived: bool
    trees: tuple[Drawn, ...]
    words: tuple[tuple[str, str, str, str], ...]
    reasons: tuple[str, ...]


def parse(workspace: Workspace, text: str, reading: str) -> Sentence:
    """A sentence as `blimpgen parse` tells it.

    Args:
        workspace: the data.
        text: the sentence.
        reading: closed or open.

    Raises:
        UsageError: no letters, or too many words.
    """
    from blimpgen import api
    from blimpgen.cli.parse import reasons
    from blimpgen.cli.studio.tree_svg import tree_svg

    parses = api.parse(text, reading=reading, library=workspace.library)
    if not parses:
        headline, *lines = reasons(parses)
        return Sentence(headline, False, (), (), tuple(line.strip() for line in lines))
    trees = list({str(tree): tree for tree in islice(parses, _SEARCHED)}.values())[:_MOST_TREES]
    words = (
        (word.text, word.category, " ".join(f"{n}={v}" for n, v in word.features.items()), ", ".join(word.lexemes))
        for word in trees[0].words
    )
    number = "one derivation" if parses.count == 1 else f"{parses.count:,} derivations"
    more = f"; {len(trees)} trees of different form are drawn" if 1 < len(trees) < parses.count else ""
    return Sentence(
        f"derived in the {reading} reading: {number}{more}",
        True,
        tuple(Drawn(str(k), str(tree), tree_svg(str(tree), f"Tree {k}")) for k, tree in enumerate(trees, start=1)),
        tuple(words),
        (),
    )
