"""What an author asks: why a row is as it is, why a word is not used, and where to begin a paradigm."""

from blimpgen.authoring.exclusion import Reason, Verdict, why
from blimpgen.authoring.lexeme_facts import Fact
from blimpgen.authoring.row_choices import Choice, Explained, explain_row

__all__ = ["Choice", "Explained", "Fact", "Reason", "Verdict", "explain_row", "why"]
