"""The formats of what is written, as pydantic models; `blimpgen schema` prints their JSON Schema.

A *row* is one line of a data file. The *manifest* stands beside the files and says what made them. While a run is
unfinished the *run state* stands there instead. *Arguments* and library hash decide every byte of a set, except the
block ``run`` of its manifest.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from blimpgen.base.errors import BlimpgenError, DataError, Place, UsageError
from blimpgen.base.files import is_regular
from blimpgen.base.folders import check_name
from blimpgen.variants.record import Study, Variant

__all__ = [
    "MANIFEST",
    "RUN",
    "Arguments",
    "Entry",
    "Manifest",
    "PairRow",
    "Run",
    "RunState",
    "SetRow",
    "check_shard",
    "read_manifest",
]

MANIFEST = "manifest.json"
RUN = "run.json"

Sha256 = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]


def _checked(check: Callable[[str], str]) -> AfterValidator:
    """A check whose error is one of the value, as pydantic wants it."""

    def validated(text: str) -> str:
        try:
            return check(text)
        except BlimpgenError as error:
            raise ValueError(str(error)) from None

    return AfterValidator(validated)


Name = Annotated[str, _checked(check_name)]
FileName = Annotated[Name, StringConstraints(pattern=r"\.(jsonl|csv|parquet)$")]


def check_shard(text: str) -> str:
    """The name of one of equal ranges of rows, if it is written I/K.

    Raises:
        UsageError: it is not.
    """
    numbers = [int(part) for part in text.split("/") if re.fullmatch("[0-9]{1,6}", part)]
    if len(numbers) != 2 or text.count("/") != 1 or not 1 <= numbers[0] <= numbers[1]:
        raise UsageError(f"no shard {text!r}: write I/K, such as 3/8 for the third of eight ranges of rows")
    return text


Shard = Annotated[str, _checked(check_shard)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class PairRow(BaseModel):
    """A minimal pair, with the keys, key order and types of the BLiMP release; a paradigm may add keys of its own."""

    model_config = ConfigDict(extra="allow", frozen=True)

    sentence_good: str
    sentence_bad: str
    crucial_item: Annotated[str | None, Field(description="The word that the contrast turns on.")] = None
    one_prefix_prefix: Annotated[str | None, Field(description="What stands before the critical word in both.")] = None
    one_prefix_word_good: str | None = None
    one_prefix_word_bad: str | None = None
    two_prefix_prefix_good: Annotated[str | None, Field(description="What stands before the critical word.")] = None
    two_prefix_prefix_bad: str | None = None
    two_prefix_word: Annotated[str | None, Field(description="The critical word, the same in both.")] = None
    dependency_length: int | None = None
    condition: Annotated[str | None, Field(description="The cell of the design.")] = None
    numbers: Annotated[dict[str, str] | None, Field(description="Of enumerated designs: slot to Sing or Plur.")] = None
    difference: Annotated[
        list[tuple[str, str]] | None,
        Field(description="Of enumerated designs: words of the good sentence, words of the bad one, span by span."),
    ] = None
    field: Annotated[str, Field(description="morphology, syntax, semantics or syntax_semantics.")]
    linguistics_term: Annotated[str, Field(description="The phenomenon.")]
    UID: Annotated[str, Field(description="The paradigm.")]
    simple_LM_method: bool
    one_prefix_method: bool
    two_prefix_method: bool
    lexically_identical: Annotated[bool, Field(description="Both sentences have the same words.")]
    nonce: Annotated[dict[str, str] | None, Field(description="Made-up lemma to class and lexeme.")] = None
    zipf: Annotated[dict[str, float] | None, Field(description="Slot to the Zipf frequency of its word.")] = None
    comparison: Annotated[str | None, Field(description="With --pairs: which comparison of the set.")] = None
    itemID: Annotated[str | None, Field(description="With --pairs: the set it comes from.")] = None
    pairID: Annotated[str, Field(description="Number of the pair in its file, from 0.")]
    metadata: Annotated[dict[str, Any] | None, Field(description="With --metadata: slots, features, trees.")] = None
    canary: Annotated[str | None, Field(description="With --canary: by which training data can be searched.")] = None


class SetRow(_Strict):
    """A set of more than two sentences with the comparisons to be made."""

    sentences: Annotated[dict[str, str], Field(description="Name to sentence.")]
    pairs: Annotated[list[tuple[str, str, str]], Field(description="Comparison, better sentence, worse sentence.")]
    condition: Annotated[str, Field(description="The cell of the design.")]
    nonce: Annotated[dict[str, str] | None, Field(description="Made-up lemma to class and lexeme.")] = None
    zipf: Annotated[dict[str, float] | None, Field(description="Slot to the Zipf frequency of its word.")] = None
    numbers: Annotated[dict[str, str] | None, Field(description="Of enumerated designs: slot to Sing or Plur.")] = None
    difference: Annotated[
        dict[str, list[tuple[str, str]]] | None,
        Field(description="Of enumerated designs: comparison to the words that differ, span by span."),
    ] = None
    field: str
    linguistics_term: str
    UID: Annotated[str, Field(description="The paradigm.")]
    itemID: Annotated[str, Field(description="Number of the set in its file, from 0.")]
    metadata: Annotated[dict[str, Any] | None, Field(description="With --metadata: slots, trees, regions.")] = None
    canary: Annotated[str | None, Field(description="With --canary: by which training data can be searched.")] = None


class Arguments(_Strict):
    """What a call of `generate` asks for."""

    targets: Annotated[tuple[str, ...], Field(description="UIDs, suites, paths of paradigm files.")]
    n: Annotated[int | None, Field(description="Rows a paradigm; null: 1000, or all of an enumerated one.")] = None
    seed: int = 0
    metadata: bool = False
    format: Literal["jsonl", "csv", "parquet"] = "jsonl"
    shard: Annotated[Shard | None, Field(description="i/k: the i-th of k equal ranges of the rows.")] = None
    pairs: Annotated[bool, Field(description="Sets are written as pairs, one row a comparison.")] = False
    enumerate: Annotated[bool, Field(description="All assignments, in order.")] = False
    style: Annotated[Literal["blimp", "plain"] | None, Field(description="null: as each paradigm says.")] = None
    profile: Annotated[str | None, Field(description="Which words of a suite that has several word lists.")] = None
    study: Annotated[Study | None, Field(description="Of noun_variation: noun by noun, in all versions.")] = None
    variant: Annotated[Variant | None, Field(description="Other words than the paradigms' own.")] = None
    canary: Annotated[bool, Field(description="Each row has a canary, by which training data can be searched.")] = False

    def rows(self, n: int) -> range:
        """The rows of this shard, or all.

        Args:
            n: rows of the whole set.
        """
        number, shards = map(int, (self.shard or "1/1").split("/"))
        return range(n * (number - 1) // shards, n * number // shards)


class Entry(_Strict):
    """What the manifest says of one paradigm."""

    file: FileName
    count: Annotated[int, Field(description="Rows in the file.")]
    sha256: Sha256
    plan: Annotated[Sha256, Field(description="SHA-256 of the checked content of the paradigm file.")]
    keys: Annotated[
        dict[str, str], Field(description="Key of the paradigm file to six digits of the SHA-256 of its content.")
    ] = {}
    acceptance: Annotated[float, Field(description="Share of attempts that became rows.")]
    refusals: Annotated[dict[str, int], Field(description="Refused attempts by reason.")]
    library: Annotated[
        Sha256 | None, Field(description="After an update of other files: the data that this one was made with.")
    ] = None
    nonce: Annotated[dict[str, str], Field(description="Made-up lemma to class and lexeme that it stands for.")] = {}
    kept: Annotated[dict[str, str], Field(description="With made-up words: places that stay real, and why.")] = {}


class Run(_Strict):
    """What differs from run to run."""

    time: Annotated[str, Field(description="When it ended, UTC.")]
    duration: Annotated[float, Field(description="Seconds; of a resumed run its last part.")]
    command: str
    data: Annotated[str | None, Field(description="The folder given with --data.")] = None


class Manifest(_Strict):
    """``manifest.json``: what a folder holds and how to make it again. Its file is written last."""

    version: Annotated[str, Field(description="The version of blimpgen.")]
    seed: int
    arguments: Arguments
    library: Annotated[Sha256, Field(description="SHA-256 of all data files.")]
    languages: Annotated[dict[str, str], Field(description="BCP 47 tag to name of the languages of the sets.")] = {
        "en": "English"
    }
    data: Annotated[
        dict[str, Sha256], Field(description="Tables and rules by folder and name; 0 is what is shipped.")
    ] = {}
    canary: Annotated[str | None, Field(description="What every row has under the key canary.")] = None
    sets: Annotated[dict[Name, Entry], Field(description="By UID, in the order in which they were asked for.")]
    refused: Annotated[dict[str, str], Field(description="Of a variant: UIDs that it cannot make, and why.")] = {}
    fell_out: Annotated[
        dict[str, list[str]], Field(description="Of a variant: by category, lexemes that it excludes.")
    ] = {}
    run: Annotated[Run, Field(description="The one block that the arguments do not determine.")]
    lines: Annotated[
        dict[str, str], Field(description="Tables and rules: four characters a line, which tell lines apart.")
    ] = {}


class RunState(_Strict):
    """``run.json``: an unfinished run, so that the same call can finish it.

    Attributes:
        plans: UID to plan hash, for every file that is to be written.
        finished: the entries of the files that are complete.
        refused: UIDs that a variant cannot make, and why.
        replaces: files of an older set that this run removes.
    """

    version: str
    command: str
    arguments: Arguments
    library: Sha256
    plans: dict[Name, Sha256]
    finished: dict[Name, Entry] = {}
    refused: dict[str, str] = {}
    replaces: tuple[FileName, ...] = ()

    @property
    def files(self) -> dict[str, str]:
        """UID to the name of its file."""
        return {uid: f"{uid}.{self.arguments.format}" for uid in self.plans}

    def same_data(self, other: RunState) -> bool:
        """Whether version, words, rules and paradigms are the same."""
        return (self.version, self.library, self.plans) == (other.version, other.library, other.plans)


def read_manifest(path: Path) -> Manifest:
    """The manifest of a set, by its folder or as a file.

    Raises:
        DataError: there is none, or it is not of the format.
    """
    folder, path = (path, path / MANIFEST) if path.is_dir() or path.suffix != ".json" else (path.parent, path)
    if not is_regular(path):
        raise DataError(f"no {path.name}; this is no set of blimpgen, or its run is unfinished", Place(folder))
    try:
        return Manifest.model_validate_json(path.read_bytes())
    except ValidationError as error:
        raise DataError(f"not a manifest of blimpgen: {error.errors()[0]['msg']}", Place(path)) from None
