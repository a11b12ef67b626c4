"""`blimpgen schema`."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

import typer

from blimpgen.cli.options import write_json

__all__ = ["schema"]

Kind: TypeAlias = Literal["paradigm", "pair", "set", "manifest"]


def schema(kind: Annotated[Kind, typer.Argument(help="Of what.")] = "paradigm") -> None:
    """Print the JSON Schema of a format.

    Example: blimpgen schema paradigm > paradigm.schema.json
    """
    from blimpgen.checks.json_schemas import schema

    write_json(schema(kind))
