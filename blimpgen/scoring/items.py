"""The files of a result: one row a pair and method, their summary, and the signature.

``RESULTS/items.jsonl`` is the result; ``summary.json`` and ``signature.txt`` are made from it and from the call. All
log-probabilities are natural logarithms.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Literal, TypeAlias, TypedDict

import orjson
from pydantic import BaseModel, ConfigDict, Field, FiniteFloat, ValidationError

from blimpgen.base.errors import DataError, Place
from blimpgen.base.files import write_chunks

__all__ = [
    "ITEMS",
    "METHODS",
    "SIGNATURE",
    "SUMMARY",
    "Group",
    "Item",
    "Key",
    "Method",
    "MethodSummary",
    "Summary",
    "Ties",
    "as_line",
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

_BLOCK = 512


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
            description="What the pair counts: 1, 0, that of a tie; null: not counted, "
            "because both sentences are the same."
        ),
    ]
    sentence_good: Annotated[str, Field(description="The good sentence, whole.")]
    sentence_bad: Annotated[str, Field(description="The bad sentence, whole.")]

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


class Group(TypedDict):
    """The figures of a group of rows: one paradigm, one comparison of it, a phenomenon, a field, or all.

    Attributes:
        n: rows that are counted.
        ties: rows of these with equal scores.
        identical: rows that are not counted because both sentences are the same.
        paradigms: how many paradigms the group has; of several, accuracies are unweighted means over them.
        accuracy: mean credit, between 0 and 1.
        low, high: the 95 % interval: Wilson's for one paradigm or comparison, cluster bootstrap for several.
        measures: accuracy by each normalised score, see `blimpgen.scoring.measures`.
        mean_delta, median_delta: of lp_good - lp_bad.
        mean_token_difference: of n_tok_good - n_tok_bad; far from 0, sums favour the shorter side.
        flags: what deserves a look, in words.
    """

    n: int
    ties: int
    identical: int
    paradigms: int
    accuracy: float
    low: float
    high: float
    measures: dict[str, float]
    mean_delta: float
    median_delta: float
    mean_token_difference: float
    flags: list[str]


class MethodSummary(TypedDict):
    """The figures of one method.

    Attributes:
        overall: macro: the unweighted mean over paradigms.
        micro: mean credit over all rows.
        fields, terms, paradigms: by name.
        comparisons: paradigm to comparison to figures, of sets with several sentences.
    """

    overall: Group
    micro: float
    fields: dict[str, Group]
    terms: dict[str, Group]
    paradigms: dict[str, Group]
    comparisons: dict[str, dict[str, Group]]


class Summary(TypedDict):
    """``summary.json``.

    Attributes:
        signature: the line of ``signature.txt``.
        model: name or path.
        ties: the policy for equal scores.
        methods: figures by method, those only that some pair supports.
    """

    version: str
    signature: str
    model: str
    ties: Ties
    methods: dict[str, MethodSummary]


def read_items(path: str | Path) -> Iterator[Item]:
    """The rows of a result.

    Args:
        path: the folder of a result, or its ``items.jsonl``.

    Raises:
        DataError: no such file, or a line that is not of the format, with its number.
    """
    found = _inside(path, ITEMS)
    with found.open("rb") as stream:
        for number, line in enumerate(stream, start=1):
            if line.strip():
                yield _item(line, Place(found, number))


def _item(line: bytes, place: Place) -> Item:
    try:
        return Item.model_validate_json(line)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        what = f"{where}: {first['msg']}" if where else first["msg"]
        raise DataError(f"not a row of a result: {what}", place, "record") from None


def _inside(path: str | Path, name: str) -> Path:
    """A file of a result, given itself or the folder that it is in."""
    found = Path(path)
    if found.is_dir():
        found = found / name
    if not found.is_file():
        what = f"no such file; name the folder that `blimpgen verify -o` wrote, with its {name}"
        raise DataError(what, Place(found), "missing-file")
    return found


def write_items(items: Iterable[Item], path: Path) -> None:
    """Write rows as JSON Lines; the file appears whole or not at all."""
    write_chunks(path, (b"".join(block) for block in _lines(items)))


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
    """The summary of a result, given its folder or ``summary.json``.

    Raises:
        DataError: no such file, or not a summary.
    """
    found = _inside(path, SUMMARY)
    try:
        summary: Summary = orjson.loads(found.read_bytes())
        if summary.keys() >= Summary.__required_keys__:
            return summary
    except (orjson.JSONDecodeError, AttributeError):
        pass
    raise DataError("not a summary of blimpgen; repeat `blimpgen verify`", Place(found), "json")


def write_summary(summary: Summary, folder: Path) -> None:
    """Write ``summary.json`` into the folder of a result."""
    write_chunks(folder / SUMMARY, [orjson.dumps(summary, option=orjson.OPT_INDENT_2), b"\n"])


def read_signature(path: str | Path) -> str:
    """The line of ``signature.txt``, given the folder of a result or the file.

    Raises:
        DataError: no such file.
    """
    return _inside(path, SIGNATURE).read_text(encoding="utf-8").strip()
