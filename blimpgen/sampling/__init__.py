"""Sampling: addressable random numbers, choices, draws and enumeration."""

from blimpgen.sampling.random import Stream
from blimpgen.sampling.sampler import Draw, Sampler

__all__ = ["Draw", "Sampler", "Stream"]
