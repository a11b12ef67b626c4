"""Exports: sets of pairs in the formats of other tools, one small module a format.

A format's module has one function, ``files(source, options)``, which gives the files of the export one after the
other: path below the output, contents. What all formats share stands in `model` (reading), `tables` (CSV, JSON Lines)
and `write` (the formats by name, the writing).
"""

from blimpgen.exports.source import Options, Source, read_source
from blimpgen.exports.writing import FORMATS, Format, find_format, write_export

__all__ = ["FORMATS", "Format", "Options", "Source", "find_format", "read_source", "write_export"]
