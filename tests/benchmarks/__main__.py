"""Print the table, or with ``margins`` what one pair more of each paradigm costs; exit with 1 over a budget."""

from __future__ import annotations

import sys

from .measure import margins, shown, table


def main() -> int:
    """Print each row as it is measured."""
    within = True
    for row in margins() if sys.argv[1:] == ["margins"] else table():
        sys.stdout.write(f"{shown(row)}\n")
        sys.stdout.flush()
        within &= row.within
    return 0 if within else 1


if __name__ == "__main__":
    sys.exit(main())
