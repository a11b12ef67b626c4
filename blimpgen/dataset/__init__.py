"""Data sets: records to files and back, nothing ever half-written.

A *set* is a folder with one file a paradigm and a manifest. `write_set` makes it, `write_jsonl` and `read_jsonl`
handle single files. Each name is loaded when it is first used: reading a set does not load what makes one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from blimpgen.base.lazy import loader

if TYPE_CHECKING:
    from blimpgen.dataset.again import differences, update_set
    from blimpgen.dataset.formats import Arguments, Entry, Manifest, PairRow, SetRow, read_manifest
    from blimpgen.dataset.make import compile_checked, find_paradigms, write_stream
    from blimpgen.dataset.rows import read_jsonl, write_jsonl
    from blimpgen.dataset.write import write_set

__all__ = [
    "Arguments",
    "Entry",
    "Manifest",
    "PairRow",
    "SetRow",
    "compile_checked",
    "differences",
    "find_paradigms",
    "read_jsonl",
    "read_manifest",
    "update_set",
    "write_jsonl",
    "write_set",
    "write_stream",
]

_HOME = {
    "again": ("differences", "update_set"),
    "formats": ("Arguments", "Entry", "Manifest", "PairRow", "SetRow", "read_manifest"),
    "make": ("compile_checked", "find_paradigms", "write_stream"),
    "rows": ("read_jsonl", "write_jsonl"),
    "write": ("write_set",),
}
__getattr__ = loader(__name__, _HOME)
