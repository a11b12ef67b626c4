"""Filtering a corpus: one pass over its files, all filters at once, in constant memory, and resumable at any moment.

Sentences are read in blocks, which are filtered in any order and by whoever does the work, and written in their own.
After each block the state file says how far every output has come; a run that was killed cuts the outputs back to that
point and goes on behind it. When the last block is written, the outputs are sampled
down if that is asked for, get their names, and are described by the manifest.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field
from functools import partial
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, TypeAlias

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, ValidationError

from blimpgen.base.engines import Engine, work_here
from blimpgen.base.errors import BlimpgenError, DataError, Place, UsageError
from blimpgen.base.files import naming, remove_partials, sha256_of, whole_file, write_chunks
from blimpgen.base.locks import locked_folder
from blimpgen.base.version import __version__
from blimpgen.base.work_table import Row, WorkTable
from blimpgen.corpora.conllu import Block, Sentences, parse_block, read_blocks, read_lines
from blimpgen.corpora.filters import FULL, Filters
from blimpgen.corpora.parsers import ParserModel, load_parser, parser_model

__all__ = ["LONGEST", "MANIFEST", "CorpusFile", "FilterManifest", "FilterRequest", "filter_corpus"]

MANIFEST, STATE = "manifest.json", "run.json"
LONGEST = 512
"""Lines of more words than this are never sampled (Patil, Jumelet et al. 2024)."""

_REJECTED = ".rejected"
_UNFINISHED = ".unfinished"
_WAITING = 256
"""So many blocks are filtered and wait for one before them, at most."""
_SMALLEST = 1 << 16
"""Bytes of a corpus for which another worker has nothing to do."""

Progress: TypeAlias = Callable[[int, str], None]
"""Takes how many more corpora are done, and a text on how far the run has come."""


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class FilterRequest(_Model):
    """What decides the bytes of the outputs.

    Attributes:
        corpora: paths of files, in the order in which they are read.
        filters: names of filters.
        words: word list to the file that replaces it.
        rejected: whether the rejected sentences are written as well.
        tokenized: write the words separated by spaces, not the text of the sentence.
        lines: how many lines of each corpus are kept; all if None.
        seed: decides which.
        parser: the pipeline that parses the files; None: they are CoNLL-U.
    """

    corpora: tuple[str, ...]
    filters: tuple[str, ...]
    words: dict[str, str] = {}
    rejected: bool = False
    tokenized: bool = False
    lines: int | None = None
    seed: int = 42
    parser: ParserModel | None = None


class Output(_Model):
    """How far a file has come: its size in bytes, its sentences, and their words."""

    bytes: int = 0
    sentences: int = 0
    words: int = 0


class State(_Model):
    """An unfinished run: the lines that are done of each corpus, and the outputs as they were then."""

    version: str
    request: FilterRequest
    sizes: dict[str, int]
    consumed: dict[str, int] = {}
    outputs: dict[str, Output] = {}


class CorpusFile(_Model):
    """A file of a finished run.

    Attributes:
        file: its name in the folder.
        sentences: sentences that the filter left (or rejected), before sampling.
        share: those as a share of all sentences.
        lines: lines of the file.
        words: words of the file, as they were parsed.
        sha256: its hash.
    """

    file: str
    sentences: int
    share: float
    lines: int
    words: int
    sha256: str


class FilterManifest(_Model):
    """What stands in the folder of a finished run."""

    version: str
    request: FilterRequest
    corpora: dict[str, str]
    sentences: int
    files: dict[str, CorpusFile]


@dataclass(frozen=True)
class _Judged:
    """One block after filtering: its last line, the lines that are written, their words, and who rejects which."""

    last: int
    lines: Sequence[str] = field(repr=False)
    words: NDArray[np.int64] = field(repr=False)
    rejected: Mapping[str, NDArray[np.bool_]] = field(repr=False)


def filter_corpus(
    request: FilterRequest,
    filters: Filters,
    folder: Path,
    *,
    engine: Engine = work_here,
    progress: Progress | None = None,
) -> FilterManifest:
    """Write the sentences of a corpus that each filter accepts, and all of them as the corpus ``full``.

    A run that was killed is finished by the same call; a finished one is left as it is and its manifest returned.

    Args:
        request: the corpus and what is written of it.
        filters: the filters that the request names.
        folder: where the files are written: ``NAME.txt``, ``NAME.rejected.txt``, ``manifest.json``.
        engine: does the work; the bytes are the same.
        progress: called after every block.

    Raises:
        UsageError: the folder holds something else. DataError: a corpus that is not CoNLL-U, that has no sentence, or
            from which fewer lines are left than are asked for.
    """
    with locked_folder(folder):
        if finished := _finished(folder, request):
            _tidy(folder, _outputs(filters, request))  # a run may have been killed when the manifest was whole
            return finished
        run = _Run(request, filters, folder, _unfinished(folder, request), progress)
        remove_partials(folder, [STATE, MANIFEST, *(f"{name}.txt" for name in run.outputs)])
        try:
            with run:
                engine(run)
            return run.finish()
        except DataError:
            run.undo()  # a corpus or a request that has to be changed: the same call could not go on
            raise


def _finished(folder: Path, request: FilterRequest) -> FilterManifest | None:
    path = folder / MANIFEST
    if not path.exists():
        return None
    try:
        manifest = FilterManifest.model_validate_json(path.read_bytes())
    except ValidationError:
        raise UsageError(f"{path} was not written by blimpgen filter; take another folder") from None
    if manifest.request != request:
        raise UsageError(f"{folder} holds a finished run with other arguments; take another folder")
    return manifest


def _unfinished(folder: Path, request: FilterRequest) -> State:
    """The state of the run in a folder, or of a new one."""
    sizes = {name: _size(Path(name)) for name in request.corpora}
    new = State(version=__version__, request=request, sizes=sizes)
    path = folder / STATE
    if not path.exists():
        if others := sorted(p.name for p in folder.iterdir() if not p.name.startswith(".")):
            raise UsageError(f"{folder} is not empty ({others[0]}); take another folder")
        return new
    try:
        state = State.model_validate_json(path.read_bytes())
    except ValidationError:
        raise UsageError(f"{path} was not written by blimpgen filter; take another folder") from None
    if (state.version, state.request, state.sizes) != (new.version, new.request, new.sizes):
        what = f"{folder} holds an unfinished run with other arguments, other files or another version of blimpgen"
        raise UsageError(f"{what}; repeat that call, or take another folder")
    return state


def _outputs(filters: Filters, request: FilterRequest) -> list[str]:
    """The names of the corpora that a run writes."""
    rejected = [f"{name}{_REJECTED}" for name in filters.filters] if request.rejected else []
    return [FULL, *filters.filters, *rejected]


def _unfinished_file(folder: Path, name: str) -> Path:
    """Where the lines of a corpus stand until all are written."""
    return folder / f".{name}{_UNFINISHED}"


def _tidy(folder: Path, outputs: Iterable[str]) -> None:
    """Remove what a folder holds only while its run is unfinished; the state last, so that it tells of the rest."""
    for name in outputs:
        _unfinished_file(folder, name).unlink(missing_ok=True)
    (folder / STATE).unlink(missing_ok=True)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError as error:
        raise DataError(f"cannot be read: {error.strerror}", Place(path), "missing-file") from None


@dataclass(frozen=True)
class _Piece:
    """A block, by its number in the run, and the corpus that it is of."""

    number: int
    corpus: int
    block: Block = field(repr=False)


class _Run(WorkTable[_Piece, _Judged], AbstractContextManager["_Run"]):
    """One run: a table of one row, the filters, whose pieces are blocks.

    Args:
        request: what is asked for.
        filters: the filters.
        folder: where the files are written.
        state: how far the run has come.
        progress: called after every block.
    """

    def __init__(
        self, request: FilterRequest, filters: Filters, folder: Path, state: State, progress: Progress | None
    ) -> None:
        super().__init__([Row("the filters", partial(_Judge, filters, request))])
        self.request, self.filters, self.folder = request, filters, folder
        self.consumed = {name: state.consumed.get(name, 0) for name in request.corpora}
        self.outputs = {name: state.outputs.get(name, Output()) for name in _outputs(filters, request)}
        self.sizes = state.sizes
        self._progress = progress or _tell_nobody
        self._waiting: dict[int, tuple[_Piece, _Judged | BlimpgenError]] = {}
        self._written, self._corpora_done, self._is_open = 0, 0, True
        self._blocks: int | None = None  # not known until all are read
        self._stack, self._streams = ExitStack(), dict[str, BinaryIO]()
        self._note()

    def __enter__(self) -> _Run:
        """Open the unfinished outputs, as they were after the last block."""
        for name, output in self.outputs.items():
            if not self._path(name).exists():
                stream = self._stack.enter_context(self._unfinished(name).open("ab"))
                stream.truncate(output.bytes)
                self._streams[name] = stream
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the outputs."""
        self._stack.close()

    def _path(self, name: str) -> Path:
        return self.folder / f"{name}.txt"

    def _unfinished(self, name: str) -> Path:
        return _unfinished_file(self.folder, name)

    def _note(self) -> None:
        state = State(
            version=__version__, request=self.request, sizes=self.sizes, consumed=self.consumed, outputs=self.outputs
        )
        write_chunks(self.folder / STATE, [state.model_dump_json().encode()])

    @property
    def most_workers(self) -> int:
        """As many as there may be blocks."""
        return 1 + sum(self.sizes.values()) // _SMALLEST

    def is_open(self, row: int) -> bool:
        """Whether there are blocks that are not written."""
        return self._is_open

    def pieces(self, row: int, identity: object) -> Iterator[_Piece]:
        """Read the blocks that are not done; a state is noted after whole blocks only."""
        number = 0
        for place, corpus in enumerate(self.request.corpora):
            done = self.consumed[corpus]  # at this moment: it grows while the blocks are written
            blocks = read_lines(Path(corpus)) if self.request.parser else read_blocks(Path(corpus))
            for block in blocks:
                if block.first > done:
                    yield _Piece(number, place, block)
                    number += 1
        self._blocks = number
        self._end_if_all_is_written()

    def next(self, row: int) -> _Piece | None:
        """Take a block that nobody has; none while too many wait for one before them."""
        if len(self._waiting) >= _WAITING and not self._lost[row]:
            return None
        return super().next(row)

    def part(self, piece: _Piece) -> Block:
        """The block."""
        return piece.block

    def add(self, piece: _Piece, answer: _Judged) -> None:
        """Write a block, if all before it are written, and those that waited for it."""
        self._take(piece, answer)

    def fail(self, row: int, error: BlimpgenError, piece: _Piece | None = None) -> None:
        """Raise an error when all before it is written, so that it is the first of the corpus.

        Args:
            row: the only one.
            error: what is wrong.
            piece: with which block; with the filters if there is none.
        """
        if piece is None:
            raise error
        self._take(piece, error)

    def _take(self, piece: _Piece, answer: _Judged | BlimpgenError) -> None:
        self._waiting[piece.number] = piece, answer
        while self._written in self._waiting:
            piece, answer = self._waiting.pop(self._written)
            if isinstance(answer, BlimpgenError):
                raise answer
            self._write(answer)
            corpus = self.request.corpora[piece.corpus]
            self.consumed[corpus] = answer.last
            self._note()
            self._written += 1
            self._progress(piece.corpus - self._corpora_done, f"{corpus}: {self.outputs[FULL].sentences:,} sentences")
            self._corpora_done = piece.corpus
        self._end_if_all_is_written()

    def _end_if_all_is_written(self) -> None:
        if self._written == self._blocks:
            self._is_open = False
            self._progress(len(self.request.corpora) - self._corpora_done, self.request.corpora[-1])
            if not self.outputs[FULL].sentences:
                raise DataError("no sentence", Place(self.request.corpora[0]))

    def _write(self, judged: _Judged) -> None:
        lines = np.array([f"{line}\n".encode() for line in judged.lines], dtype=object)
        everything = np.zeros(len(lines), dtype=bool)
        for name, stream in self._streams.items():
            of = name.removesuffix(_REJECTED)
            rejected = judged.rejected.get(of, everything)
            selected = rejected if name != of else ~rejected
            raw = b"".join(lines[selected].tolist())
            with naming(self._unfinished(name)):
                stream.write(raw)
                stream.flush()
            before = self.outputs[name]
            self.outputs[name] = Output(
                bytes=before.bytes + len(raw),
                sentences=before.sentences + int(selected.sum()),
                words=before.words + int(judged.words[selected].sum()),
            )

    def undo(self) -> None:
        """Remove everything that the run wrote."""
        for name in self.outputs:
            self._path(name).unlink(missing_ok=True)
        _tidy(self.folder, self.outputs)

    def finish(self) -> FilterManifest:
        """Sample the outputs, give them their names, and write the manifest."""
        total = self.outputs[FULL].sentences
        files = {}
        for name, output in self.outputs.items():
            lines, words = output.sentences, output.words
            if self.request.lines is None or name.endswith(_REJECTED):
                if self._unfinished(name).exists():
                    self._unfinished(name).replace(self._path(name))
            else:
                lines, words = self._sampled(name)
            files[name] = CorpusFile(
                file=self._path(name).name,
                sentences=output.sentences,
                share=round(output.sentences / total, 6),
                lines=lines,
                words=words,
                sha256=sha256_of(self._path(name)),
            )
        corpora = {name: sha256_of(Path(name)) for name in self.request.corpora}
        manifest = FilterManifest(
            version=__version__, request=self.request, corpora=corpora, sentences=total, files=files
        )
        write_chunks(self.folder / MANIFEST, [manifest.model_dump_json(indent=2).encode(), b"\n"])
        _tidy(self.folder, self.outputs)
        return manifest

    def _sampled(self, name: str) -> tuple[int, int]:
        """Sample the lines of an output in their order: how many there are now, and their words."""
        requested = self.request.lines or 0
        source = self._unfinished(name)
        with source.open("rb") as stream:
            eligible = sum(1 for line in stream if 0 < len(line.split()) <= LONGEST)
        if eligible < requested:
            what = f"{name} has {eligible:,} lines of 1 to {LONGEST} words; {requested:,} cannot be sampled"
            raise DataError(f"{what}; take a smaller --lines")
        sampled = iter(sorted(random.Random(self.request.seed).sample(range(eligible), requested)))
        words = 0
        with source.open("rb") as stream, whole_file(self._path(name)) as written:
            usable = (line for line in stream if 0 < len(line.split()) <= LONGEST)
            place = -1
            for number in sampled:
                line = next(islice(usable, number - place - 1, None))
                place = number
                words += len(line.split())
                written.write(line)
        return requested, words


def _tell_nobody(_corpora: int, _text: str) -> None:
    """Tell nobody how far it is."""


class _Judge:
    """Parses and filters blocks.

    Args:
        filters: the filters.
        request: what is asked for.

    Attributes:
        identity: the version of the library that parses, if one does.

    Raises:
        DataError: the files of its pipeline are not those of the request.
    """

    def __init__(self, filters: Filters, request: FilterRequest) -> None:
        self._filters, self._tokenized, self._parser = filters, request.tokenized, None
        self.identity = ""
        if model := request.parser:
            if parser_model(model.parser, Path(model.folder), model.line) != model:
                what = "the files of the pipeline are not those of the call; copy the same ones to all machines"
                raise DataError(what, Place(model.folder))
            self._parser, self.identity = load_parser(model, filters), f"{model.parser} {version(model.parser)}"

    def __call__(self, block: Block) -> _Judged:
        """Filter a block."""
        sentences = parse_block(self._parser.parse(block) if self._parser else block)
        lines = list(_tokenized(sentences)) if self._tokenized else sentences.texts
        return _Judged(block.last, lines, sentences.lengths, self._filters.rejected(sentences))


def _tokenized(sentences: Sentences) -> Iterator[str]:
    forms = sentences.columns["form"]
    words = np.array(forms.values, dtype=object)[forms.codes]
    for begin, end in zip(sentences.starts[:-1].tolist(), sentences.starts[1:].tolist(), strict=True):
        yield " ".join(words[begin:end])
