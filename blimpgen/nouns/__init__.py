"""Variation between nouns: the ten tasks of Yu et al. (2020), noun by noun, with their scores and analyses."""

from blimpgen.nouns.target_contexts import Contexts
from blimpgen.variants.record import Study

__all__ = ["Contexts", "Study"]
