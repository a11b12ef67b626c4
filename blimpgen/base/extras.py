"""Libraries that only an extra of blimpgen installs."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from blimpgen.base.errors import UsageError

__all__ = ["require"]


def require(module: str, extra: str, *, hint: str = "") -> Any:
    """Import a module that an extra of blimpgen installs.

    Args:
        module: its full name.
        extra: the name of the extra.
        hint: what else can be done, after the line to type.

    Raises:
        UsageError: it is not installed; the message has the line to type.
    """
    package = module.partition(".")[0]
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if error.name != package:
            raise
    raise UsageError(f"this needs {package}, which is not installed; type: pip install 'blimpgen[{extra}]'{hint}")
