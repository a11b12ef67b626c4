"""What an author asks: why a row is as it is, why a word is not used, and where to begin a paradigm."""

from blimpgen.authoring.lexemes import Fact
from blimpgen.authoring.row import Choice, Explained, explain_row
from blimpgen.authoring.why import Reason, Verdict, why

__all__ = ["Choice", "Explained", "Fact", "Reason", "Verdict", "explain_row", "why"]
