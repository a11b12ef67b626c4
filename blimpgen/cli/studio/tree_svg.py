"""Trees as drawings."""

from __future__ import annotations

from markupsafe import Markup

from blimpgen.authoring.display import daughters

__all__ = ["tree_svg"]

_CHARACTER, _GAP, _LEVEL, _MARGIN = 7.8, 16.0, 44.0, 18.0
"""Pixels: a character, between two words, from a category to its daughters, around everything."""


def tree_svg(tree: str, title: str) -> str:
    """Draw a tree.

    Args:
        tree: in brackets.
        title: what a screen reader says of it.

    Returns:
        An SVG element; its lines and texts have classes instead of colours.
    """
    drawing = _Drawing()
    drawing.place(tree, 0)
    width, height = drawing.right + 2 * _MARGIN - _GAP, drawing.depth * _LEVEL + 2 * _MARGIN
    return Markup('<svg class="tree" role="img" aria-label="{}" width="{:.0f}" height="{:.0f}">{}</svg>').format(
        title, width, height, Markup("").join(drawing.parts)
    )


class _Drawing:
    """Places the words side by side, and each category above the middle of its daughters."""

    def __init__(self) -> None:
        self.parts: list[Markup] = []
        self.right, self.depth = 0.0, 0

    def place(self, tree: str, depth: int, least: int = 0) -> float:
        """Draw a tree or word; where its middle is.

        Args:
            tree: a tree in brackets, or a word.
            depth: how deep it stands.
            least: how many characters its column has room for at least.
        """
        self.depth = max(self.depth, depth)
        if not tree.startswith("("):
            width = max(len(tree), least) * _CHARACTER + _GAP
            self.right += width
            return self._text(tree, self.right - width / 2, depth, "word")
        label, _, inside = tree[1:-1].partition(" ")
        below = list(daughters(inside))
        least = max(least, len(label)) if len(below) == 1 else 0
        middles = [self.place(daughter, depth + 1, least) for daughter in below]
        middle = (middles[0] + middles[-1]) / 2
        top, bottom = (_MARGIN + (depth + part) * _LEVEL for part in (0.16, 0.7))
        for x in middles:
            line = '<line x1="{:.1f}" y1="{:.1f}" x2="{:.1f}" y2="{:.1f}"/>'
            self.parts.append(Markup(line).format(middle + _MARGIN - _GAP / 2, top, x + _MARGIN - _GAP / 2, bottom))
        return self._text(label, middle, depth, "category")

    def _text(self, text: str, middle: float, depth: int, kind: str) -> float:
        x, y = middle + _MARGIN - _GAP / 2, _MARGIN + depth * _LEVEL
        self.parts.append(Markup('<text class="{}" x="{:.1f}" y="{:.1f}">{}</text>').format(kind, x, y, text))
        return middle
