"""Data sets: records to files and back, nothing ever half-written.

A *set* is a folder with one file a paradigm and a manifest. `write_set` makes it, `open_set` reads it; `write_jsonl`
and `read_jsonl` handle single files. Each name is loaded when it is first used: reading a set does
not load what makes one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from blimpgen.base.lazy import loader

if TYPE_CHECKING:
    from blimpgen.dataset.file_models import Arguments, Entry, Manifest, PairRow, SetRow, check_shard, read_manifest
    from blimpgen.dataset.iterable import to_iterable_dataset
    from blimpgen.dataset.paradigm_files import compile_checked, find_paradigms, write_stream
    from blimpgen.dataset.reading import DataSet, data_files, open_set, read_jsonl
    from blimpgen.dataset.row_lines import write_jsonl
    from blimpgen.dataset.updating import differences, update_set
    from blimpgen.dataset.writing import write_set

__all__ = [
    "Arguments",
    "DataSet",
    "Entry",
    "Manifest",
    "PairRow",
    "SetRow",
    "check_shard",
    "compile_checked",
    "data_files",
    "differences",
    "find_paradigms",
    "open_set",
    "read_jsonl",
    "read_manifest",
    "to_iterable_dataset",
    "update_set",
    "write_jsonl",
    "write_set",
    "write_stream",
]

_HOME = {
    "updating": ("differences", "update_set"),
    "file_models": ("Arguments", "Entry", "Manifest", "PairRow", "SetRow", "check_shard", "read_manifest"),
    "iterable": ("to_iterable_dataset",),
    "row_lines": ("write_jsonl",),
    "paradigm_files": ("compile_checked", "find_paradigms", "write_stream"),
    "reading": ("DataSet", "data_files", "open_set", "read_jsonl"),
    "writing": ("write_set",),
}
__getattr__ = loader(__name__, _HOME)
