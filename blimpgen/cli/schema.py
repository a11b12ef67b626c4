"""`blimpgen schema`."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from blimpgen.cli.options import argument, write_json

__all__ = ["schema"]

Kind: TypeAlias = Literal["paradigm", "filter", "pair", "set", "manifest"]


def schema(kind: Annotated[Kind, argument("", "Of what.")] = "paradigm") -> None:
    """Print the JSON Schema of a format.

    Example: blimpgen schema paradigm > paradigm.schema.json
    """
    from blimpgen.checks.json_schemas import schema

    write_json(schema(kind))
