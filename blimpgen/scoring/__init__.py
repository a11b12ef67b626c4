"""Scoring: what a language model makes of the pairs of a data set, and the files of a result."""

from blimpgen.scoring.causal import causal_lm
from blimpgen.scoring.masked import masked_lm
from blimpgen.scoring.reading import Comparison, read_comparisons
from blimpgen.scoring.run import score, verify
from blimpgen.scoring.scores import TokenScores, Unscored

__all__ = ["Comparison", "TokenScores", "Unscored", "causal_lm", "masked_lm", "read_comparisons", "score", "verify"]
