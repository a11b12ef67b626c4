"""`blimpgen filter`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from blimpgen.base.errors import UsageError
from blimpgen.cli.options import AsJson, Data, Work, argument, grouped, library, option, write_json, write_lines
from blimpgen.cli.terminal import progress_bar

if TYPE_CHECKING:
    from blimpgen.base.engines import Engine
    from blimpgen.corpora.coverage import Coverage
    from blimpgen.corpora.filters import Filter, Filters
    from blimpgen.corpora.parsers import ParserModel
    from blimpgen.corpora.run import FilterManifest, FilterRequest

__all__ = ["filter_corpora"]


@dataclass(frozen=True)
class FilterOptions:
    """The options that say which sentences are removed."""

    names: Annotated[
        list[str] | None,
        option(
            "--filter",
            "A filter, NAME.VARIANT, a filter file, or all; may be repeated. Without a corpus: list the filters.",
            "NAME",
        ),
    ] = None
    words: Annotated[
        list[str] | None,
        option(
            "--words",
            "A file with one word a line instead of a word list of the filters; may be repeated.",
            "LIST=FILE",
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

    rejected: Annotated[bool, option("--rejected", "Write the rejected sentences too, to DIR/NAME.rejected.txt.")] = (
        False
    )
    tokenized: Annotated[
        bool, option("--tokenized", "Write words separated by spaces, not the text of the sentence.")
    ] = False
    lines: Annotated[int | None, option("--lines", "Sample so many lines of each corpus.", "N", min=1)] = None
    seed: Annotated[int, option("--seed", "Which lines are sampled.")] = 42


@dataclass(frozen=True)
class ParserOptions:
    """The options that say how raw text is parsed."""

    parser: Annotated[
        Literal["spacy", "stanza"] | None, option("--parser", "The corpus is raw text, which this library parses.")
    ] = None
    parser_model: Annotated[
        Path | None, option("--parser-model", "A pipeline of spaCy, or a language of Stanza (RESOURCES/en).", "DIR")
    ] = None
    line_is: Annotated[
        Literal["text", "sentence", "words"] | None,
        option(
            "--line-is",
            "What a line of raw text is: any text, one sentence, or its words with spaces.",
            show_default="text",
        ),
    ] = None

    def model(self, line: Literal["text", "sentence", "words"] | None = None) -> ParserModel | None:
        """The pipeline; None if the corpus is parsed.

        Args:
            line: what a line is, instead of what the option says.
        """
        from blimpgen.corpora.parsers import parser_model

        if (self.parser is None) != (self.parser_model is None):
            raise UsageError("--parser and --parser-model belong together: --parser spacy --parser-model DIR")
        if self.parser is None or self.parser_model is None:
            if self.line_is:
                raise UsageError("--line-is is about raw text, which needs --parser")
            return None
        return parser_model(self.parser, self.parser_model, line or self.line_is or "text")


@grouped
def filter_corpora(
    *,
    corpora: Annotated[
        list[Path] | None, argument("CORPUS", "CoNLL-U files, or texts with --parser; plain or gzip (.gz).")
    ] = None,
    which: FilterOptions,
    output: Annotated[Path | None, option("-o --output", "Write DIR/NAME.txt and a manifest.", "DIR")] = None,
    corpus: CorpusOptions,
    parsing: ParserOptions,
    coverage: Annotated[
        Path | None, option("--coverage", "Say what share of the good sentences of SET the filters reject.", "SET")
    ] = None,
    jobs: Annotated[int, option("--jobs", "Processes here; the bytes are the same.", min=1)] = 1,
    work: Work,
    as_json: AsJson = False,
    data: Data = None,
) -> None:
    """Remove from a parsed corpus the sentences that have a construction, or list the filters that there are.

    Example: blimpgen filter corpus.conllu.gz --filter all -o corpora

    Example: blimpgen filter train-1.conllu train-2.conllu --filter rel-cl --lines 2400000 -o corpora

    Example: blimpgen filter --coverage pairs --filter all
    """
    from blimpgen.corpora.filters import find_filters
    from blimpgen.corpora.run import FilterRequest

    if coverage and (corpora or output):
        raise UsageError("--coverage asks about a set of pairs; leave the corpus and -o out")
    if not corpora and not coverage and (which.names or output):
        raise UsageError("name a corpus: a CoNLL-U file, or a text with --parser")
    words, files = library(data), which.files()
    filters = find_filters(words.folders, words.lexicon, which.names or ["all"], files)
    if coverage:
        _show_coverage(_coverage(filters, coverage, parsing.model("sentence")), as_json=as_json)
    elif not corpora:
        _list(list(filters.filters.values()), as_json)
    elif output is None or not which.names:
        raise UsageError("name the filters with --filter NAME (or all), and a folder with -o DIR")
    else:
        request = FilterRequest(
            corpora=tuple(map(str, corpora)),
            filters=tuple(filters.filters),
            words={name: str(path) for name, path in files.items()},
            parser=parsing.model(),
            **vars(corpus),
        )
        manifest = _filter(request, filters, output, work.engine(jobs=jobs, device="cpu"))
        write_json(manifest.model_dump()) if as_json else write_lines(_table(manifest))


def _filter(request: FilterRequest, filters: Filters, output: Path, engine: Engine) -> FilterManifest:
    from blimpgen.corpora.run import filter_corpus

    try:
        with progress_bar(len(request.corpora), "filtering") as advance:
            return filter_corpus(request, filters, output, engine=engine, progress=advance)
    except KeyboardInterrupt:
        raise KeyboardInterrupt(f"interrupted; the same call finishes {output}") from None


def _coverage(filters: Filters, path: Path, model: ParserModel | None) -> list[Coverage]:
    """The share of the good sentences of targeted paradigms that each filter rejects."""
    from blimpgen.corpora.conllu import Block
    from blimpgen.corpora.coverage import covered
    from blimpgen.corpora.parsers import load_parser
    from blimpgen.exports import read_source
    from blimpgen.exports.conllu import sentence_lines

    source = read_source(path)
    parser = load_parser(model, filters) if model else None

    def parsed(uid: str) -> Block:
        good = [(each, name) for each in source.records[uid] for name in each.good_names]
        if parser:
            return parser.parse(Block(path, 1, [record.sentences[name] for record, name in good]))
        lines = (line for record, name in good for line in (*sentence_lines(source, record, name), ""))
        return Block(path, 1, [f"{line}\n" for line in lines])

    return covered(filters, list(source.records), parsed)


def _show_coverage(shares: Sequence[Coverage], *, as_json: bool) -> None:
    if as_json:
        write_json([{**each._asdict(), "share": each.share} for each in shares])
        return
    first, second = (max(map(len, names)) for names in zip(*((each.filter, each.uid) for each in shares), strict=True))
    write_lines([f"{'filter':{first}}  {'paradigm':{second}}  sentences  rejected"])
    write_lines(
        f"{each.filter:{first}}  {each.uid:{second}}  {each.sentences:>9,}  {each.share:>8.1%}" for each in shares
    )


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
