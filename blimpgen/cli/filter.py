"""`blimpgen filter`."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from blimpgen.base.errors import UsageError
from blimpgen.cli.options import AsJson, Data, library, message, write_json

if TYPE_CHECKING:
    from blimpgen.corpora.filters import Filter
    from blimpgen.corpora.run import FilterManifest, Progress

__all__ = ["filter_corpora"]


def filter_corpora(
    corpora: Annotated[
        list[Path] | None,
        typer.Argument(metavar="CORPUS", show_default=False, help="CoNLL-U files, plain or gzip (.gz)."),
    ] = None,
    names: Annotated[
        list[str] | None,
        typer.Option(
            "--filter",
            metavar="NAME",
            show_default=False,
            help="A filter, NAME.VARIANT, a filter file, or all; may be repeated. Without a corpus: list the filters.",
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="DIR", show_default=False, help="Write DIR/NAME.txt and a manifest."),
    ] = None,
    rejected: Annotated[
        bool, typer.Option("--rejected", help="Write the rejected sentences too, to DIR/NAME.rejected.txt.")
    ] = False,
    tokenized: Annotated[
        bool, typer.Option("--tokenized", help="Write words separated by spaces, not the text of the sentence.")
    ] = False,
    lines: Annotated[
        int | None,
        typer.Option("--lines", metavar="N", min=1, show_default=False, help="Sample so many lines of each corpus."),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="Which lines are sampled.")] = 42,
    words: Annotated[
        list[str] | None,
        typer.Option(
            "--words",
            metavar="LIST=FILE",
            show_default=False,
            help="A file with one word a line instead of a word list of the filters; may be repeated.",
        ),
    ] = None,
    jobs: Annotated[int, typer.Option("--jobs", min=1, help="Processes; the bytes are the same.")] = 1,
    as_json: AsJson = False,
    data: Data = None,
) -> None:
    """Remove from a parsed corpus the sentences that have a construction, or list the filters that there are.

    Example: blimpgen filter corpus.conllu.gz --filter all -o corpora

    Example: blimpgen filter train-1.conllu train-2.conllu --filter rel-cl --lines 2400000 -o corpora
    """
    from blimpgen.corpora.filters import find_filters
    from blimpgen.corpora.run import FilterRequest, filter_corpus

    if not corpora and (names or output):
        raise UsageError("name a corpus: a CoNLL-U file")
    folders, lexicon = library(data).folders, library(data).lexicon
    files = dict(_word_file(text) for text in words or ())
    filters = find_filters(folders, lexicon, names or ["all"], files)
    if not corpora:
        _list(list(filters.filters.values()), as_json)
        return
    if output is None or not names:
        raise UsageError("name the filters with --filter NAME (or all), and a folder with -o DIR")
    request = FilterRequest(
        corpora=tuple(map(str, corpora)),
        filters=tuple(filters.filters),
        words={name: str(path) for name, path in files.items()},
        rejected=rejected,
        tokenized=tokenized,
        lines=lines,
        seed=seed,
    )
    try:
        with _progress() as progress:
            manifest = filter_corpus(request, filters, output, jobs=jobs, progress=progress)
    except KeyboardInterrupt:
        raise KeyboardInterrupt(f"interrupted; the same call finishes {output}") from None
    if as_json:
        write_json(manifest.model_dump())
    else:
        typer.echo("\n".join(_table(manifest)))


def _word_file(text: str) -> tuple[str, Path]:
    name, equals, path = text.partition("=")
    if not (name and equals and path):
        raise UsageError(f"--words {text}: write LIST=FILE, such as npi=my_items.txt")
    return name, Path(path)


def _list(filters: Sequence[Filter], as_json: bool) -> None:
    if as_json:
        write_json(
            [
                {
                    "name": each.name,
                    "names": each.model.names,
                    "variants": list(each.model.variants),
                    "targets": each.model.targets,
                    "summary": each.model.summary,
                }
                for each in filters
            ]
        )
        return
    width = max((len(each.name) for each in filters), default=0)
    for each in filters:
        variants = "".join(f"; {each.name}.{name}: {v.summary}" for name, v in each.model.variants.items())
        typer.echo(f"{each.name:{width}}  {each.model.summary}{variants}")


def _table(manifest: FilterManifest) -> Iterator[str]:
    """The files of a run, one a line."""
    width = max(map(len, manifest.files))
    yield f"{'':{width}}  {'sentences':>11}  {'share':>7}  {'lines':>11}  {'words':>13}"
    for name, each in manifest.files.items():
        yield f"{name:{width}}  {each.sentences:>11,}  {each.share:>7.2%}  {each.lines:>11,}  {each.words:>13,}"


@contextmanager
def _progress() -> Iterator[Progress | None]:
    """Sentences that are done, on standard error, only if that is a terminal."""
    if not sys.stderr.isatty():
        yield None
        return

    def show(path: Path, done: int) -> None:
        print(f"\r{path}: {done:,} sentences", end="", file=sys.stderr, flush=True)

    yield show
    message("")
