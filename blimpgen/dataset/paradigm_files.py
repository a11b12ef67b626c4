"""From a paradigm to the bytes of its file, and what the manifest says of it."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import copyfileobj
from typing import Any, BinaryIO
from uuid import NAMESPACE_URL, uuid5

from blimpgen.base.errors import DataError, UsageError
from blimpgen.base.files import write_chunks
from blimpgen.dataset.file_models import Arguments, Entry
from blimpgen.dataset.fingerprints import key_prints
from blimpgen.dataset.parquet import parquet_chunks
from blimpgen.dataset.row_lines import csv_chunks, json_chunks, rows_of
from blimpgen.generation import engine
from blimpgen.generation.compiled import CompiledParadigm
from blimpgen.generation.prepare import prepare
from blimpgen.generation.records import Assembly
from blimpgen.library import Library
from blimpgen.nouns import Contexts
from blimpgen.paradigm import Paradigm
from blimpgen.variants.record import Variant

__all__ = [
    "ROWS",
    "canary",
    "compile_checked",
    "find_paradigms",
    "make_file",
    "plan_hash",
    "rows_of_paradigm",
    "size_of",
    "write_stream",
]

ROWS = 1000
_IN_MEMORY = 1 << 26
_CHUNKS = {"jsonl": json_chunks, "csv": csv_chunks, "parquet": parquet_chunks}
_TOO_FEW = ("empty-slot", "capacity", "attempts")
"""Codes of errors that may come from the limits of a variant."""


def plan_hash(paradigm: Paradigm) -> str:
    """The SHA-256 of the checked content of a paradigm."""
    return hashlib.sha256(paradigm.content.encode()).hexdigest()


def find_paradigms(library: Library, arguments: Arguments) -> dict[str, Paradigm]:
    """The paradigms that a call asks for, by UID.

    Args:
        library: the paradigms.
        arguments: the call.

    Raises:
        UsageError: an unknown target, or two files for one UID. DataError: a file that is not of the format.
    """
    paradigms: dict[str, Paradigm] = {}
    for paradigm in library.targets(arguments.targets):
        if paradigm.uid in paradigms:
            paths = paradigms[paradigm.uid].document.path, paradigm.document.path
            raise UsageError(f"two files have the UID {paradigm.uid!r} ({paths[0]}, {paths[1]}); ask for one of them")
        paradigms[paradigm.uid] = paradigm
    return paradigms


@contextmanager
def _naming_limits(variant: Variant | None) -> Iterator[None]:
    """Adds to an error about too few words or rows the options of the variant that limit them."""
    try:
        yield
    except DataError as error:
        if error.code not in _TOO_FEW or variant is None or not variant.limits:
            raise
        what = f"{error.message}; the words are limited by {variant.limits}"
        raise DataError(what, error.place, error.code) from None


def compile_checked(library: Library, paradigm: Paradigm, arguments: Arguments) -> CompiledParadigm:
    """A paradigm, compiled and known to have the rows that are asked for; a `DataError` otherwise.

    Args:
        library: the words and rules.
        paradigm: the paradigm.
        arguments: the call.
    """
    with _naming_limits(library.variant):
        return _checked(library, paradigm, arguments)


def _checked(library: Library, paradigm: Paradigm, arguments: Arguments) -> CompiledParadigm:
    compiled = prepare(paradigm, library, seed=arguments.seed)
    if arguments.study:
        Contexts(compiled, arguments.study, arguments.seed).targets()
        return compiled
    if not _is_enumerated(paradigm, arguments):
        compiled.check_size(size_of(arguments))
        if not arguments.rows(size_of(arguments)):
            raise UsageError(f"no row of {size_of(arguments)} for the shard {arguments.shard}; take fewer shards")
    elif arguments.shard:
        raise UsageError(f"{paradigm.uid} is enumerated and has no shards; leave --shard away, or draw rows with -n")
    else:
        compiled.check_enumerable()
    return compiled


def size_of(arguments: Arguments) -> int:
    """How many rows a file is asked to have, unless all there are.

    Args:
        arguments: the call.
    """
    return ROWS if arguments.n is None else arguments.n


def _is_enumerated(paradigm: Paradigm, arguments: Arguments) -> bool:
    return arguments.enumerate or (arguments.n is None and paradigm.model.enumerate == "yes")


def canary(arguments: Arguments) -> str | None:
    """What each row of a set has under ``canary``: a text that stands nowhere else; None where it is not asked for."""
    if not arguments.canary:
        return None
    return f"Do not train on this set. blimpgen canary {uuid5(NAMESPACE_URL, f'blimpgen {arguments.seed}')}"


class _Contents:
    """The bytes of one file; what is to be said of them is known when all are taken."""

    def __init__(self, compiled: CompiledParadigm, arguments: Arguments) -> None:
        self.compiled, self.arguments = compiled, arguments
        self.tally, self.count = engine.Tally(), 0
        self.nonce: dict[str, str] = {}

    def _noted(self) -> Iterator[dict[str, Any]]:
        """The rows, with their made-up words noted for the manifest."""
        for row in self.rows():
            self.nonce.update(row.get("nonce", {}))
            yield row

    def rows(self) -> Iterator[dict[str, Any]]:
        """The rows of the file."""
        mark = canary(self.arguments)
        return ({**row, "canary": mark} for row in self._plain()) if mark else self._plain()

    def _plain(self) -> Iterator[dict[str, Any]]:
        """The rows; records, which know their metadata and their pairs, are made only where that is asked for."""
        arguments = self.arguments
        if arguments.study:
            return Contexts(self.compiled, arguments.study, arguments.seed).rows()
        if _is_enumerated(self.compiled.paradigm, arguments):
            blocks = engine.enumerate_set(self.compiled)
        else:
            size = size_of(arguments)
            rows = arguments.rows(size)
            blocks = engine.draw_set(self.compiled, size, arguments.seed, rows, tally=self.tally)
        assembly = Assembly(self.compiled, arguments.style)
        if arguments.metadata or arguments.pairs:
            return rows_of(assembly.records(blocks), metadata=arguments.metadata, pairs=arguments.pairs)
        return assembly.rows(blocks)

    def chunks(self) -> Iterator[bytes]:
        """The file in chunks."""
        rows = self._noted() if self.compiled.cells[0].replaced else self.rows()
        limits = self.compiled.language.limits
        with _naming_limits(limits.variant if limits else None):
            for count, chunk in _CHUNKS[self.arguments.format](rows):
                self.count += count
                yield chunk

    def entry(self, file: str, sha256: str) -> Entry:
        """What the manifest says of the file."""
        refusals = {reason: count for reason, count in sorted(self.tally.refusals.items()) if count}
        return Entry(
            file=file,
            count=self.count,
            sha256=sha256,
            plan=plan_hash(self.compiled.paradigm),
            keys=key_prints(self.compiled.paradigm),
            acceptance=round(self.tally.acceptance, 4),
            refusals=refusals,
            nonce=dict(sorted(self.nonce.items())),
            kept=self.compiled.real_slots,
        )


def make_file(compiled: CompiledParadigm, arguments: Arguments, path: Path) -> Entry:
    """Generate one file; it appears whole or not at all.

    Args:
        compiled: the prepared paradigm.
        arguments: the call.
        path: the file.
    """
    contents = _Contents(compiled, arguments)
    return contents.entry(path.name, write_chunks(path, contents.chunks()))


def rows_of_paradigm(compiled: CompiledParadigm, arguments: Arguments) -> Iterator[dict[str, Any]]:
    """The rows of one file, one after the other.

    Args:
        compiled: the prepared paradigm.
        arguments: the call.
    """
    return _Contents(compiled, arguments).rows()


def write_stream(compiled: CompiledParadigm, arguments: Arguments, stream: BinaryIO) -> None:
    """Generate one file into a stream, which gets nothing before everything is generated.

    Args:
        compiled: the prepared paradigm.
        arguments: the call.
        stream: where the bytes go.
    """
    with tempfile.SpooledTemporaryFile(_IN_MEMORY) as whole:
        whole.writelines(_Contents(compiled, arguments).chunks())
        whole.seek(0)
        copyfileobj(whole, stream)
