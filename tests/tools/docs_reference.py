"""The reference pages as the program itself gives them: its commands from their help, its names from docstrings."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any, Literal, get_args, get_origin, get_type_hints

import blimpgen
from blimpgen import cli

__all__ = ["api", "code", "command_reference", "commands", "examples", "table"]

_SECTION = re.compile(r"^(?P<name>Args|Attributes|Returns|Yields|Raises):(?P<text>.*)$")
_ITEM = re.compile(r"^ {4}(?P<names>[\w, *]+): (?P<text>.*)$")


def table(header: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A Markdown table; a bar inside a cell is escaped."""
    lines = [list(header), *(list(row) for row in rows)]
    cells = [[cell.replace("|", "\\|") for cell in line] for line in lines]
    cells.insert(1, ["---"] * len(cells[0]))
    return "\n".join(f"| {' | '.join(line)} |" for line in cells)


def code(text: str) -> str:
    """The text as code; nothing for an empty one."""
    return f"`{text}`" if text else ""


def commands() -> dict[str, Any]:
    """The commands of the program by name."""
    return dict(cli.commands().commands)


def examples(command: Any) -> list[str]:
    """The examples in a command's help."""
    return [
        " ".join(part.split()).removeprefix("Example: ")
        for part in _paragraphs(command.help)
        if part.startswith("Example: ")
    ]


def command_reference() -> str:
    """Every command: what it does, examples, its arguments and options."""
    return "\n\n".join(_command(name, command) for name, command in commands().items())


def _paragraphs(text: str | None) -> list[str]:
    return inspect.cleandoc(text or "").split("\n\n")


def _command(name: str, command: Any) -> str:
    said = [" ".join(part.split()) for part in _paragraphs(command.help) if not part.startswith("Example: ")]
    types = get_type_hints(command.callback)
    rows = [
        (code(_parameter(p, types.get(p.name))), " ".join((p.help or "").split()), code(_default(p)))
        for p in command.params
        if "--help" not in p.opts
    ]
    shown = "\n".join(("```sh", *examples(command), "```"))
    options = table(("argument or option", "what it says", "default"), rows)
    return "\n\n".join((f"## blimpgen {name}", *said, shown, options))


def _parameter(parameter: Any, hint: Any) -> str:
    if parameter.param_type_name == "argument":
        return str(parameter.metavar or parameter.name.upper())
    value = "" if parameter.is_flag else parameter.metavar or _value(hint)
    return f"{', '.join(parameter.opts)} {value}".strip()


def _value(hint: Any) -> str:
    """What an option takes: its choices, or N for a number."""
    kinds = [kind for kind in (*get_args(hint), hint) if kind is not type(None)]
    choices = [get_args(kind) for kind in (hint, *kinds) if get_origin(kind) is Literal]
    if choices:
        return "|".join(choices[0])
    return "N" if kinds and kinds[0] in (int, float) else "VALUE"


def _default(parameter: Any) -> str:
    if isinstance(parameter.show_default, str):
        return parameter.show_default
    none = any(parameter.default is value for value in (None, False)) or callable(parameter.default)
    if none or not parameter.show_default:
        return ""
    return str(getattr(parameter.default, "value", parameter.default))


def api() -> str:
    """Every public name: its call, and what its docstring says of arguments, results and errors."""
    names = [name for name in blimpgen.__all__ if not name.startswith("__")]
    return "\n\n".join(_public(name, getattr(blimpgen, name)) for name in names)


def _public(name: str, value: Any) -> str:
    call = f"```text\n{name}{inspect.signature(value)}\n```" if inspect.isfunction(value) else ""
    members = list(_members(value)) if inspect.isclass(value) and not issubclass(value, BaseException) else []
    listed = table(("member", "what it gives"), members) if members else ""
    return "\n\n".join(part for part in (f"## {name}", call, _documented(value), listed) if part)


def _members(value: type) -> Iterator[tuple[str, str]]:
    for name, member in vars(value).items():
        if name.startswith("_") or not getattr(member, "__doc__", None):
            continue
        if isinstance(member, (property, cached_property)):
            yield code(name), _sentence(member)
        elif inspect.isfunction(member) or isinstance(member, (classmethod, staticmethod)):
            yield code(f"{name}{_arguments(getattr(member, '__func__', member))}"), _sentence(member)


def _arguments(function: Any) -> str:
    signature = inspect.signature(function)
    kept = [p.replace(annotation=p.empty) for p in signature.parameters.values() if p.name not in ("self", "cls")]
    return str(signature.replace(parameters=kept, return_annotation=inspect.Signature.empty))


def _sentence(member: Any) -> str:
    return " ".join((inspect.getdoc(member) or "").split("\n\n")[0].split()).replace("``", "`")


def _documented(value: Any) -> str:
    """A docstring as Markdown: its sections as lists."""
    parts: list[str] = []
    for line in (inspect.getdoc(value) or "").split("\n"):
        if section := _SECTION.match(line):
            parts.append(f"\n**{section['name']}**:{section['text']}" + ("" if section["text"] else "\n"))
        elif item := _ITEM.match(line):
            names = ", ".join(code(name.strip()) for name in item["names"].split(","))
            parts.append(f"* {names}: {item['text']}")
        else:
            parts.append(f"  {line.strip()}" if line.startswith("        ") else line.strip())
    return "\n".join(parts).replace("``", "`").strip()
