"""Sampling: addressable random numbers, choices, draws and enumeration."""

from blimpgen.sampling.random import Stream
from blimpgen.sampling.sampler import Draw, Rows, Sampler, draw_together

__all__ = ["Draw", "Rows", "Sampler", "Stream", "draw_together"]
