"""Checks of data files: every problem that reading and compiling finds, not only the first.

A *problem* is one line: where it stands, what is wrong, what to do. Its *code* says which check found it.
"""

from blimpgen.checks.codes import CODES
from blimpgen.checks.problems import Problem
from blimpgen.checks.run import check

__all__ = ["CODES", "Problem", "check"]
