"""The lexicon: tables of annotated lexemes, read from TSV files and offered as columns."""

from blimpgen.lexicon.inventory import Inventory
from blimpgen.lexicon.read import Lexicon
from blimpgen.lexicon.schema import CATEGORIES

__all__ = ["CATEGORIES", "Inventory", "Lexicon"]
