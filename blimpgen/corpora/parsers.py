"""Parsing raw text with a pipeline of spaCy or Stanza that lies on the disk; nothing is fetched from anywhere.

A pipeline gives the columns of CoNLL-U. One that lacks what the filters ask about, or that is not of Universal
Dependencies, is refused before it reads a line: its filters would reject nothing and say nothing.
"""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, Literal, NamedTuple, Protocol, TypeAlias

from pydantic import BaseModel, ConfigDict

from blimpgen.base.errors import DataError, Place
from blimpgen.base.extras import require
from blimpgen.base.files import sha256_of
from blimpgen.corpora.conllu import Block
from blimpgen.corpora.filters import Filters
from blimpgen.corpora.patterns import KEYS

__all__ = ["LineIs", "Offer", "Parser", "ParserModel", "ParserName", "Word", "load_parser", "missing", "parser_model"]

ParserName: TypeAlias = Literal["spacy", "stanza"]
LineIs: TypeAlias = Literal["text", "sentence", "words"]

_RELATIONS = (
    "acl advcl advmod amod appos aux case cc ccomp clf compound conj cop csubj dep det discourse dislocated expl fixed "
    "flat goeswith iobj list mark nmod nsubj nummod obj obl orphan parataxis punct reparandum root vocative xcomp"
)
_UNIVERSAL = frozenset(_RELATIONS.split())
_PARTS = {"lemma": "lemmatizer", "upos": "tagger of parts of speech", "feats": "tagger of features", "deprel": "parser"}
_ASSIGNED = {"token.lemma": "lemma", "token.pos": "upos", "token.morph": "feats", "token.dep": "deprel"}
_PROCESSORS = ("tokenize", "pos", "lemma", "depparse")


class ParserModel(BaseModel):
    """A pipeline, and what it is given.

    Attributes:
        parser: the library that it is of.
        folder: where it lies.
        line: what a line of the text is: any text, one sentence, or the words of one, separated by spaces.
        sha256: of the names and contents of its files.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    parser: ParserName
    folder: str
    line: LineIs = "text"
    sha256: str


class Word(NamedTuple):
    """What a pipeline says of a word; empty where it says nothing. The head is counted from 1, 0 is none."""

    form: str
    lemma: str
    upos: str
    feats: str
    head: int
    deprel: str


Parsed: TypeAlias = tuple[str, Sequence[Word]]


@dataclass(frozen=True)
class Offer:
    """What a pipeline can say of words.

    Attributes:
        columns: names as of the keys of a filter: lemma, upos, feats, deprel.
        relations: the relations between words.
        features: names of features.
    """

    columns: frozenset[str]
    relations: frozenset[str] = field(repr=False)
    features: frozenset[str] = field(repr=False)


class _Pipeline(Protocol):
    offer: Offer

    def parse(self, lines: Sequence[str]) -> Iterator[Parsed]:
        """Divide lines into sentences and parse them."""


def parser_model(parser: ParserName, folder: Path, line: LineIs) -> ParserModel:
    """Describe a pipeline that lies on the disk.

    Args:
        parser: the library.
        folder: of spaCy, the folder of a pipeline; of Stanza, that of a language in the folder of its resources.
        line: what a line of the text is.

    Raises:
        DataError: there is no such folder, or nothing in it.
    """
    digest = hashlib.sha256()
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    if not files:
        raise DataError(f"no pipeline of {parser} here; name the folder of one", Place(folder), "missing-file")
    for path in files:
        digest.update(f"{path.relative_to(folder).as_posix()}\0{sha256_of(path)}\n".encode())
    return ParserModel(parser=parser, folder=str(folder), line=line, sha256=digest.hexdigest())


def load_parser(model: ParserModel, filters: Filters) -> Parser:
    """Load a pipeline.

    Args:
        model: the pipeline.
        filters: what is asked about its sentences.

    Raises:
        UsageError: the library is not installed. DataError: it cannot be loaded, or lacks what a filter asks about.
    """
    folder = Path(model.folder)
    library = require(model.parser, model.parser)
    try:
        with warnings.catch_warnings(action="ignore"):
            pipeline = _LIBRARIES[model.parser](library, folder, model.line)
    except Exception as error:  # whatever the libraries raise for a folder that is not as they want it
        why = str(error).strip().partition("\n")[0] or type(error).__name__
        raise DataError(f"cannot be loaded by {model.parser}: {why}", Place(folder), "missing-file") from None
    for what in missing(pipeline.offer, filters):
        raise DataError(f"the pipeline has {what}; take another one, or other filters", Place(folder), "data")
    return Parser(pipeline)


def missing(offer: Offer, filters: Filters) -> Iterator[str]:
    """List what filters ask about and a pipeline does not say.

    Args:
        offer: what it says.
        filters: the filters.
    """
    if "deprel" not in offer.columns:
        yield "no parser, which every filter needs"
    for relation in sorted(offer.relations):
        if relation.partition(":")[0] not in _UNIVERSAL:
            yield f"the relation {relation!r}, which is not of Universal Dependencies"
    for name, each in filters.filters.items():
        for test in each.tests:
            for key in test.keys:
                column = key.partition(".")[0] if key in KEYS else "feats"
                if column not in offer.columns and column != "form":
                    yield f"no {_PARTS[column]}, which {name} needs"
                if column == "feats" and key not in offer.features:
                    yield f"no feature {key}, which {name} needs"
            if test.keys == ("deprel",) and not (test.negated or test.listed or _matches(offer.relations, test.values)):
                yield f"no relation {'/'.join(test.values)}, which {name} needs"


def _matches(relations: Iterable[str], values: Sequence[str]) -> bool:
    return any(fnmatchcase(relation, value) for relation in relations for value in values)


class Parser:
    """Parses lines of text.

    Args:
        pipeline: of a library.
    """

    def __init__(self, pipeline: _Pipeline) -> None:
        self._pipeline = pipeline

    def parse(self, block: Block) -> Block:
        """Parse the lines of a text: the same as CoNLL-U, for `parse_block`."""
        lines = [text for line in block.lines if (text := " ".join(line.split()))]
        sentences = self._pipeline.parse(lines)
        return Block(block.path, block.first, [line for each in sentences for line in _conllu(*each)])


def _conllu(text: str, words: Sequence[Word]) -> Iterator[str]:
    yield f"# text = {text}\n"
    for number, word in enumerate(words, start=1):
        lemma, upos, feats = (value or "_" for value in (word.lemma, word.upos, word.feats))
        yield f"{number}\t{word.form}\t{lemma}\t{upos}\t_\t{feats}\t{word.head}\t{word.deprel or '_'}\t_\t_\n"
    yield "\n"


class _Spacy:
    """A pipeline of spaCy."""

    def __init__(self, spacy: Any, folder: Path, line: LineIs) -> None:
        self._nlp, self._doc, self._line = spacy.load(folder, exclude=["ner"]), spacy.tokens.Doc, line
        assigned = {of for part in self._nlp.analyze_pipes()["summary"].values() for of in part["assigns"]}
        relations = {part.lower() for label in self._labels("parser") for part in label.split("||")}
        features = {pair.partition("=")[0] for label in self._labels("morphologizer") for pair in label.split("|")}
        columns = frozenset(column for of, column in _ASSIGNED.items() if of in assigned)
        self.offer = Offer(columns, frozenset(relations), frozenset(features))

    def _labels(self, name: str) -> tuple[str, ...]:
        return self._nlp.get_pipe(name).labels if name in self._nlp.pipe_names else ()

    def parse(self, lines: Sequence[str]) -> Iterator[Parsed]:
        """Divide lines into sentences and parse them."""
        for doc in self._nlp.pipe(map(self._document, lines)):
            for sentence in doc.sents if self._line == "text" else [doc[:]]:
                heads = [0 if token.head == token else token.head.i - sentence.start + 1 for token in sentence]
                yield (
                    sentence.text,
                    [
                        Word(token.text, token.lemma_, token.pos_, str(token.morph), head, token.dep_.lower())
                        for token, head in zip(sentence, heads, strict=True)
                    ],
                )

    def _document(self, line: str) -> Any:
        """The words of a line; of one that is a sentence, with its bounds, which the parser keeps."""
        doc = self._doc(self._nlp.vocab, words=line.split()) if self._line == "words" else self._nlp.make_doc(line)
        for token in doc if self._line != "text" else ():
            token.is_sent_start = token.i == 0
        return doc


class _Stanza:
    """A pipeline of Stanza."""

    def __init__(self, stanza: Any, folder: Path, line: LineIs) -> None:
        self._words = line == "words"
        self._pipeline = stanza.Pipeline(
            folder.name,
            dir=str(folder.parent),
            processors=",".join(_PROCESSORS),
            download_method=None,
            logging_level="ERROR",
            tokenize_no_ssplit=line == "sentence",
            tokenize_pretokenized=self._words,
        )
        relations, features = (
            frozenset(self._pipeline.processors[name].vocab[column].state_dict()["_id2unit"])
            for name, column in (("depparse", "deprel"), ("pos", "feats"))
        )
        self.offer = Offer(frozenset(_PARTS), frozenset(name for name in relations if name[0] != "<"), features)

    def parse(self, lines: Sequence[str]) -> Iterator[Parsed]:
        """Divide lines into sentences and parse them."""
        if not lines:
            return
        for sentence in self._pipeline(
            [line.split() for line in lines] if self._words else "\n\n".join(lines)
        ).sentences:
            yield (
                " ".join(word.text for word in sentence.words) if self._words else sentence.text,
                [
                    Word(word.text, word.lemma or "", word.upos or "", word.feats or "", word.head, word.deprel)
                    for word in sentence.words
                ],
            )


_LIBRARIES: dict[ParserName, Callable[[Any, Path, LineIs], _Pipeline]] = {"spacy": _Spacy, "stanza": _Stanza}
