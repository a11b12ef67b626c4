"""Exports: sets of pairs in the formats of other tools, one small module a format.

The module of a format has one function, ``files(source, options)``, which yields the files of the export: path below
the output, contents; see `Format.files`. All formats share `source` (reading), `tabular` (CSV, JSON Lines) and
`formats` (the formats by name, and writing).
"""

from blimpgen.exports.formats import FORMATS, Format, find_format, write_export
from blimpgen.exports.source import Options, Source, read_source

__all__ = ["FORMATS", "Format", "Options", "Source", "find_format", "read_source", "write_export"]
