"""Realisation: from assignments to sentences."""

from blimpgen.realize.emit import Columns, Forms, Layout, auxiliary_forms
from blimpgen.realize.sentences import Emitted, Sentence, Template, lay_out

__all__ = ["Columns", "Emitted", "Forms", "Layout", "Sentence", "Template", "auxiliary_forms", "lay_out"]
