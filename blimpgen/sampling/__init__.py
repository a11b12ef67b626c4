"""Sampling: addressable random numbers, choices, draws and enumeration."""

from blimpgen.sampling.draw import Draw, Rows, draw_together
from blimpgen.sampling.random import Stream
from blimpgen.sampling.sampler import Sampler

__all__ = ["Draw", "Rows", "Sampler", "Stream", "draw_together"]
