"""Scoring: what a language model makes of the pairs of a data set, and the files of a result."""

from blimpgen.scoring.causal import causal_lm
from blimpgen.scoring.items import Item, Summary, read_items, read_signature, read_summary, write_items
from blimpgen.scoring.masked import masked_lm
from blimpgen.scoring.reading import Comparison, read_comparisons
from blimpgen.scoring.run import score, verify
from blimpgen.scoring.scores import TokenScores

__all__ = [
    "Comparison",
    "Item",
    "Summary",
    "TokenScores",
    "causal_lm",
    "masked_lm",
    "read_comparisons",
    "read_items",
    "read_signature",
    "read_summary",
    "score",
    "verify",
    "write_items",
]
