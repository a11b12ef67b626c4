"""Pages and scripts filled from templates: sandboxed, and escaped for HTML."""

from __future__ import annotations

from pathlib import Path

from jinja2 import StrictUndefined
from jinja2.sandbox import SandboxedEnvironment

__all__ = ["filled"]


def filled(template: Path, **values: object) -> str:
    """The text of a template with its values; what is not marked safe is escaped."""
    environment = SandboxedEnvironment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True
    )
    return environment.from_string(template.read_text(encoding="utf-8")).render(values)
