"""The command line: data on standard output, messages on standard error.

Exit codes: 0 fine, 1 problems found or an error in the data, 2 wrong usage, 130 interrupted. Each command imports
what it needs when it runs, so that help and `list` answer at once.
"""

from blimpgen.cli.program import commands, main

__all__ = ["commands", "main"]
