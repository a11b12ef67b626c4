"""Names of a package that are loaded when they are first used, so that no command loads what it does not need."""

from __future__ import annotations

import sys
from importlib import import_module

TYPE_CHECKING = False  # every package loads this, and `typing` takes long
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

__all__ = ["loader"]


def loader(package: str, home: Mapping[str, tuple[str, ...]]) -> Callable[[str], Any]:
    """The ``__getattr__`` of a package.

    Args:
        package: its name.
        home: module below it to the names that it has from there.

    Returns:
        A function from a name to its value, which is an AttributeError with all names for another.
    """
    module_of = {name: module for module, names in home.items() for name in names}

    def load(name: str) -> Any:
        if name not in module_of:
            existing = ", ".join(sorted(module_of))
            raise AttributeError(f"module {package!r} has no attribute {name!r}; there are: {existing}")
        value = getattr(import_module(f"{package}.{module_of[name]}"), name)
        setattr(sys.modules[package], name, value)
        return value

    return load
