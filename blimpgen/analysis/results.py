"""The files of a result: one row a pair and method, their summary, and the signature.

``RESULTS/items.jsonl`` is the result; ``summary.json``, which has its hash, and ``signature.txt`` are made from it and
from the call. All log-probabilities are natural logarithms.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Literal, TypeAlias

import orjson
from pydantic import BaseModel, ConfigDict, Field, FiniteFloat, ValidationError, model_validator

from blimpgen.analysis.intervals import Interval
from blimpgen.base.errors import DataError, Place
from blimpgen.base.files import sha256_of, write_chunks

__all__ = [
    "CREDIT",
    "ITEMS",
    "METHODS",
    "SIGNATURE",
    "SUMMARY",
    "Group",
    "Item",
    "Key",
    "LeftOut",
    "Method",
    "MethodSummary",
    "Summary",
    "Ties",
    "as_line",
    "check_hash",
    "item_of",
    "read_items",
    "read_signature",
    "read_summary",
    "write_items",
    "write_summary",
]

ITEMS = "items.jsonl"
SUMMARY = "summary.json"
SIGNATURE = "signature.txt"

Method: TypeAlias = Literal["full", "one-prefix", "two-prefix"]
Ties: TypeAlias = Literal["half", "correct", "wrong"]
Key: TypeAlias = "tuple[str, str, str]"

METHODS: tuple[Method, ...] = ("full", "one-prefix", "two-prefix")

CREDIT: Mapping[Ties, float] = MappingProxyType({"half": 0.5, "correct": 1.0, "wrong": 0.0})
"""Policy for equal scores to what they count."""

_BLOCK = 512
_WORD = r"\S"
_NEAR = 1e-9
_FOLLOWING = "tie", "correct", "credit", "mean_lp_good", "mean_lp_bad"


class Item(BaseModel):
    """One line of ``items.jsonl``: what a model makes of a pair, by one method."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    UID: Annotated[str, Field(description="The paradigm.")]
    pair_id: Annotated[str, Field(description="The pair in its paradigm; of a set, its number and the comparison.")]
    comparison: Annotated[str | None, Field(description="Of a set with several sentences: which comparison.")] = None
    condition: Annotated[str | None, Field(description="The cell of the design, if there is one.")] = None
    field: Annotated[str, Field(description="Subfield of linguistics.")]
    linguistics_term: Annotated[str, Field(description="The phenomenon; s-selection is part of argument_structure.")]
    model: Annotated[str, Field(description="Name or path, as it was given.")]
    revision: Annotated[str | None, Field(description="Commit of the model, or a hash of its files.")] = None
    dtype: Annotated[str | None, Field(description="Precision of the model; log-probabilities are float32.")] = None
    method: Annotated[Method, Field(description="full: the whole sentence; the others: the critical word.")]
    score: Annotated[str, Field(description="What lp is: log_prob, pll_word_l2r, pll_original, masked_word, ...")]
    bos: Annotated[str | None, Field(description="The token before the sentence; null: none.")] = None
    eos: Annotated[str | None, Field(description="The token after it that was scored; null: none.")] = None
    lp_good: Annotated[FiniteFloat, Field(description="Sum of log-probabilities, of the sentence or critical word.")]
    lp_bad: Annotated[FiniteFloat, Field(description="The same of the bad one.")]
    n_tok_good: Annotated[int, Field(ge=0, description="Tokens in that sum.")]
    n_tok_bad: Annotated[int, Field(ge=0, description="The same of the bad one.")]
    mean_lp_good: Annotated[FiniteFloat, Field(description="lp / n_tok.")]
    mean_lp_bad: Annotated[FiniteFloat, Field(description="The same of the bad one.")]
    uni_good: Annotated[
        FiniteFloat | None, Field(description="Sum of log unigram probabilities of the words, with --unigrams.")
    ] = None
    uni_bad: Annotated[FiniteFloat | None, Field(description="The same of the bad one.")] = None
    tie: Annotated[bool, Field(description="lp_good == lp_bad.")]
    correct: Annotated[bool, Field(description="lp_good > lp_bad.")]
    credit: Annotated[
        float | None,
        Field(
            ge=0,
            le=1,
            description="What the pair counts: 1, 0, that of a tie; null: not counted, "
            "because both sentences are the same.",
        ),
    ]
    sentence_good: Annotated[str, Field(pattern=_WORD, description="The good sentence, whole.")]
    sentence_bad: Annotated[str, Field(pattern=_WORD, description="The bad sentence, whole.")]

    @model_validator(mode="after")
    def _is_consistent(self) -> Item:
        """Refuse figures that do not follow from the scores of the same row."""
        tolerance = _NEAR * (1 + abs(self.lp_good) + abs(self.lp_bad))
        follows = (
            self.tie == (self.lp_good == self.lp_bad),
            self.correct == (self.lp_good > self.lp_bad),
            self.credit is None or self.tie or self.credit == self.correct,
            abs(self.mean_lp_good * max(self.n_tok_good, 1) - self.lp_good) < tolerance,
            abs(self.mean_lp_bad * max(self.n_tok_bad, 1) - self.lp_bad) < tolerance,
        )
        if not all(follows):
            wrong = ", ".join(name for name, holds in zip(_FOLLOWING, follows, strict=True) if not holds)
            raise ValueError(f"{wrong} of this row and its lp_good and lp_bad do not fit together")
        return self

    @property
    def key(self) -> Key:
        """What names the row among those of a result: UID, pair_id, method."""
        return self.UID, self.pair_id, self.method

    @property
    def record(self) -> str:
        """The pair, or the set that the comparison comes from."""
        return self.pair_id if self.comparison is None else self.pair_id.removesuffix(f"-{self.comparison}")

    @property
    def delta(self) -> float:
        """How much the good one is preferred: lp_good - lp_bad."""
        return self.lp_good - self.lp_bad


class Group(BaseModel):
    """The figures of a group of rows: one paradigm, one comparison of it, a phenomenon, a field, or all.

    Attributes:
        n: rows that are counted.
        ties: rows of these with equal scores.
        identical: rows that are not counted because both sentences are the same.
        paradigms: how many paradigms the counted rows have; of several, accuracies are unweighted means over them.
        accuracy: mean credit, from 0 to 1.
        low, high: the 95 % interval: Wilson's for pairs of one paradigm; for several paradigms, and for sets with
            several comparisons, a bootstrap of the records of each paradigm.
        measures: accuracy by each normalised score, see `blimpgen.analysis.measures`.
        mean_delta, median_delta: of lp_good - lp_bad.
        mean_token_difference: of n_tok_good - n_tok_bad; far from 0, sums favour the shorter side.
        flags: what deserves a look, in words.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    n: int = 0
    ties: int = 0
    identical: int = 0
    paradigms: int = 0
    accuracy: float = 0.0
    low: float = 0.0
    high: float = 1.0
    measures: dict[str, float] = Field(default_factory=dict)
    mean_delta: float = 0.0
    median_delta: float = 0.0
    mean_token_difference: float = 0.0
    flags: tuple[str, ...] = ()

    @property
    def interval(self) -> Interval:
        """The interval of the accuracy."""
        return Interval(self.low, self.high)


class MethodSummary(BaseModel):
    """The figures of one method.

    Attributes:
        overall: macro: the unweighted mean over paradigms.
        micro: mean credit over all rows.
        fields, terms, paradigms: by name.
        comparisons: paradigm to comparison to figures, of sets with several sentences.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    overall: Group
    micro: float
    fields: dict[str, Group]
    terms: dict[str, Group]
    paradigms: dict[str, Group]
    comparisons: dict[str, dict[str, Group]]


class LeftOut(BaseModel):
    """A pair that could not be scored, and why."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    UID: str
    pair_id: str
    reason: str


class Summary(BaseModel):
    """``summary.json``.

    Attributes:
        version: of blimpgen.
        signature: the line of ``signature.txt``.
        model: name or path.
        ties: the policy for equal scores.
        sha256: of ``items.jsonl``; empty of a result that was not written.
        unscored: the pairs that are left out.
        methods: figures by method, those only that some pair supports.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    version: str
    signature: str
    model: str
    ties: Ties
    sha256: str
    unscored: tuple[LeftOut, ...]
    methods: dict[Method, MethodSummary]


def read_items(path: str | Path) -> Iterator[Item]:
    """Read the rows of a result.

    Args:
        path: the folder of a result, or its ``items.jsonl``.

    Raises:
        DataError: no such file, a line that is not of the format, with its number, or, given a folder, rows that are
            not those which its summary describes.
    """
    file = _inside(path, ITEMS)
    with file.open("rb") as stream:
        for number, line in enumerate(stream, start=1):
            if line.strip():
                yield item_of(line, Place(file, number))
    if Path(path).is_dir() and (file.parent / SUMMARY).is_file():
        check_hash(file, read_summary(path))


def check_hash(file: Path, summary: Summary) -> None:
    """Make sure that rows are those which a summary describes.

    Args:
        file: ``items.jsonl``.
        summary: of the same folder.

    Raises:
        DataError: they are not.
    """
    if sha256_of(file) != summary.sha256:
        raise DataError(
            f"the rows are not those that {SUMMARY} beside it describes; repeat `blimpgen verify` with --overwrite",
            Place(file),
            "record",
        )


def item_of(line: bytes, place: Place) -> Item:
    """Read one row.

    Args:
        line: of ``items.jsonl``.
        place: what errors name.

    Raises:
        DataError: it is not of the format.
    """
    try:
        return Item.model_validate_json(line)
    except ValidationError as error:
        raise DataError(f"not a row of a result: {_first_problem(error)}", place, "record") from None


def _first_problem(error: ValidationError) -> str:
    first = error.errors()[0]
    return ": ".join([*(str(part) for part in first["loc"]), first["msg"].removeprefix("Value error, ")])


def _inside(path: str | Path, name: str) -> Path:
    """Return a file of a result, given itself or the folder that it is in."""
    file = Path(path)
    if file.is_dir():
        file = file / name
    if not file.is_file():
        what = f"no such file; name the folder that `blimpgen verify -o` wrote, with its {name}"
        raise DataError(what, Place(file), "missing-file")
    return file


def write_items(items: Iterable[Item], path: Path) -> str:
    """Write rows as JSON Lines, whole or not at all, and return their SHA-256.

    Args:
        items: the rows.
        path: the file; replaced if it exists.
    """
    return write_chunks(path, (b"".join(block) for block in _lines(items)))


def _lines(items: Iterable[Item]) -> Iterator[list[bytes]]:
    block: list[bytes] = []
    for item in items:
        block.append(as_line(item))
        if len(block) == _BLOCK:
            yield block
            block = []
    yield block


def as_line(item: Item) -> bytes:
    """The row as one line of bytes."""
    return orjson.dumps(item.model_dump(), option=orjson.OPT_APPEND_NEWLINE)


def read_summary(path: str | Path) -> Summary:
    """Read the summary of a result, given its folder or ``summary.json``.

    Raises:
        DataError: no such file, or not a summary.
    """
    file = _inside(path, SUMMARY)
    try:
        return Summary.model_validate_json(file.read_bytes())
    except ValidationError as error:
        what = f"not a summary of blimpgen: {_first_problem(error)}; repeat `blimpgen verify`"
        raise DataError(what, Place(file), "json") from None


def write_summary(summary: Summary, folder: Path) -> None:
    """Write ``summary.json``.

    Args:
        summary: of the rows in the folder.
        folder: of the result.
    """
    write_chunks(folder / SUMMARY, [orjson.dumps(summary.model_dump(), option=orjson.OPT_INDENT_2), b"\n"])


def read_signature(path: str | Path) -> str:
    """Read the line of ``signature.txt``, given the folder of a result or the file.

    Raises:
        DataError: no such file, or not text.
    """
    file = _inside(path, SIGNATURE)
    try:
        return file.read_text(encoding="utf-8").strip()
    except UnicodeDecodeError:
        raise DataError("not a text in UTF-8; repeat `blimpgen verify`", Place(file), "encoding") from None
