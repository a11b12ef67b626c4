"""Print the table; exit with 1 if a budget is exceeded."""

from __future__ import annotations

import sys

from .measure import shown, table


def main() -> int:
    """Print each row as it is measured."""
    within = True
    for row in table():
        sys.stdout.write(f"{shown(row)}\n")
        sys.stdout.flush()
        within &= row.within
    return 0 if within else 1


if __name__ == "__main__":
    sys.exit(main())
