"""`blimpgen filter`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from blimpgen.base.errors import UsageError
from blimpgen.cli.options import AsJson, Data, grouped, library, write_json, write_lines
from blimpgen.cli.terminal import progress_bar

if TYPE_CHECKING:
    from blimpgen.corpora.filters import Filter, Filters
    from blimpgen.corpora.run import FilterManifest, FilterRequest

__all__ = ["filter_corpora"]


@dataclass(frozen=True)
class FilterOptions:
    """The options that say which sentences are removed."""

    names: Annotated[
        list[str] | None,
        typer.Option(
            "--filter",
            metavar="NAME",
            show_default=False,
            help="A filter, NAME.VARIANT, a filter file, or all; may be repeated. Without a corpus: list the filters.",
        ),
    ] = None
    words: Annotated[
        list[str] | None,
        typer.Option(
            "--words",
            metavar="LIST=FILE",
            show_default=False,
            help="A file with one word a line instead of a word list of the filters; may be repeated.",
        ),
    ] = None

    def files(self) -> dict[str, Path]:
        """The files that replace word lists, by the names of these."""
        files = {}
        for text in self.words or ():
            name, equals, path = text.partition("=")
            if not (name and equals and path):
                raise UsageError(f"--words {text}: write LIST=FILE, such as npi=my_items.txt")
            files[name] = Path(path)
        return files


@dataclass(frozen=True)
class CorpusOptions:
    """The options that say what is written of the sentences that are left."""

    rejected: Annotated[
        bool, typer.Option("--rejected", help="Write the rejected sentences too, to DIR/NAME.rejected.txt.")
    ] = False
    tokenized: Annotated[
        bool, typer.Option("--tokenized", help="Write words separated by spaces, not the text of the sentence.")
    ] = False
    lines: Annotated[
        int | None,
        typer.Option("--lines", metavar="N", min=1, show_default=False, help="Sample so many lines of each corpus."),
    ] = None
    seed: Annotated[int, typer.Option("--seed", help="Which lines are sampled.")] = 42


@grouped
def filter_corpora(
    *,
    corpora: Annotated[
        list[Path] | None,
        typer.Argument(metavar="CORPUS", show_default=False, help="CoNLL-U files, plain or gzip (.gz)."),
    ] = None,
    which: FilterOptions,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="DIR", show_default=False, help="Write DIR/NAME.txt and a manifest."),
    ] = None,
    corpus: CorpusOptions,
    jobs: Annotated[int, typer.Option("--jobs", min=1, help="Processes; the bytes are the same.")] = 1,
    as_json: AsJson = False,
    data: Data = None,
) -> None:
    """Remove from a parsed corpus the sentences that have a construction, or list the filters that there are.

    Example: blimpgen filter corpus.conllu.gz --filter all -o corpora

    Example: blimpgen filter train-1.conllu train-2.conllu --filter rel-cl --lines 2400000 -o corpora
    """
    from blimpgen.corpora.filters import find_filters
    from blimpgen.corpora.run import FilterRequest

    if not corpora and (which.names or output):
        raise UsageError("name a corpus: a CoNLL-U file")
    words, files = library(data), which.files()
    filters = find_filters(words.folders, words.lexicon, which.names or ["all"], files)
    if not corpora:
        _list(list(filters.filters.values()), as_json)
    elif output is None or not which.names:
        raise UsageError("name the filters with --filter NAME (or all), and a folder with -o DIR")
    else:
        replaced = {name: str(path) for name, path in files.items()}
        request = FilterRequest(
            corpora=tuple(map(str, corpora)), filters=tuple(filters.filters), words=replaced, **vars(corpus)
        )
        manifest = _filter(request, filters, output, jobs)
        write_json(manifest.model_dump()) if as_json else write_lines(_table(manifest))


def _filter(request: FilterRequest, filters: Filters, output: Path, jobs: int) -> FilterManifest:
    from blimpgen.corpora.run import filter_corpus

    try:
        with progress_bar(len(request.corpora), "filtering") as advance:
            return filter_corpus(request, filters, output, jobs=jobs, progress=advance)
    except KeyboardInterrupt:
        raise KeyboardInterrupt(f"interrupted; the same call finishes {output}") from None


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
        write_lines([f"{each.name:{width}}  {each.model.summary}{variants}"])


def _table(manifest: FilterManifest) -> Iterator[str]:
    """The files of a run, one a line."""
    width = max(map(len, manifest.files))
    yield f"{'':{width}}  {'sentences':>11}  {'share':>7}  {'lines':>11}  {'words':>13}"
    for name, each in manifest.files.items():
        yield f"{name:{width}}  {each.sentences:>11,}  {each.share:>7.2%}  {each.lines:>11,}  {each.words:>13,}"
