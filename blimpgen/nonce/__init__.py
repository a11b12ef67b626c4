"""Made-up words: coined by a model of syllables, and laid over a real set where its labels do not need real ones."""

from blimpgen.nonce.coin import CLASSES, Coiner
from blimpgen.nonce.listed import ListedCoiner

__all__ = ["CLASSES", "Coiner", "ListedCoiner"]
