"""Checks of data files: every problem that reading and compiling finds, not only the first.

A *problem* is one line: where it stands, what is wrong, what to do. Its *code* says which check found it.
A *note* is such a line about what is no error, and is seldom meant.
"""

from blimpgen.checks.error_codes import CODES, NOTES
from blimpgen.checks.library_checks import check
from blimpgen.checks.problem import Problem

__all__ = ["CODES", "NOTES", "Problem", "check"]
