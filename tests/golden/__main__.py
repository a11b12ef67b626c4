"""Write the golden output anew: ``python -m tests.golden``."""

from __future__ import annotations

import sys

from . import SIZES, expected, frozen_library, produced


def main() -> None:
    """Write every golden file, and say which ones changed."""
    library = frozen_library()
    for uid in SIZES:
        path, new = expected(uid), produced(uid, library)
        path.parent.mkdir(exist_ok=True)
        same = path.exists() and path.read_bytes() == new
        path.write_bytes(new)
        sys.stdout.write(f"{path.name}: {'same' if same else 'written'}\n")


if __name__ == "__main__":
    main()
