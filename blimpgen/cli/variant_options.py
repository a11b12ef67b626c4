"""The options that ask for a variant of a set: limited words, limited tokens, made-up words.

Each group becomes fields of the record `Variant`, which the manifest of the set keeps.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from blimpgen.base.errors import UsageError
from blimpgen.cli.options import option

if TYPE_CHECKING:
    from blimpgen.variants.record import Variant

__all__ = ["MadeUpWords", "TokenLimits", "WordLimits", "variant_of"]


@dataclass(frozen=True)
class WordLimits:
    """The options that limit the words of a set."""

    vocab: Annotated[
        Path | None, option("--vocab", "Only words of this file: one a line, word TAB count, or text.", "FILE")
    ] = None
    min_count: Annotated[int, option("--min-count", "How often a word must stand in the vocabulary.", min=1)] = 1
    zipf: Annotated[
        str | None, option("--zipf", "Only content words with these Zipf frequencies, such as 3:5.", "LOW:HIGH")
    ] = None
    match_zipf: Annotated[
        float | None,
        option("--match-zipf", "Words that are exchanged differ by at most D in Zipf frequency.", "D", min=0),
    ] = None

    def fields(self) -> dict[str, Any]:
        """The fields of the variant.

        Raises:
            UsageError: an option that says nothing alone. DataError: a file that cannot be read.
        """
        from blimpgen.variants.record import file_ref, parse_range

        if self.min_count > 1 and self.vocab is None:
            raise UsageError("--min-count says how often a word must stand in a vocabulary; add --vocab FILE")
        if self.match_zipf is not None and not math.isfinite(self.match_zipf):
            raise UsageError(f"--match-zipf {self.match_zipf}: write a number, such as 0.5")
        return {
            "vocab": file_ref(self.vocab) if self.vocab else None,
            "min_count": self.min_count,
            "zipf": parse_range(self.zipf) if self.zipf else None,
            "match_zipf": self.match_zipf,
        }


@dataclass(frozen=True)
class TokenLimits:
    """The options that limit the tokens of a set."""

    tokenizer: Annotated[
        str | None,
        option(
            "--tokenizer",
            "What counts tokens: tokenizer.json, a folder with one, or a name that transformers knows.",
            "NAME",
        ),
    ] = None
    match_tokens: Annotated[bool, option("--match-tokens", "Both sentences have as many tokens.")] = False
    no_unk: Annotated[bool, option("--no-unk", "No unknown token.")] = False
    single_token: Annotated[
        list[str] | None, option("--single-token", "The words of this slot are single tokens; may be repeated.", "SLOT")
    ] = None

    def fields(self) -> dict[str, Any]:
        """The fields of the variant.

        Raises:
            UsageError: an option that says nothing alone. DataError: a tokenizer that cannot be read.
        """
        from blimpgen.variants.tokenizers import tokenizer_ref

        limited = self.match_tokens or self.no_unk or self.single_token
        if self.tokenizer is None and limited:
            raise UsageError("--match-tokens, --no-unk and --single-token count tokens; add --tokenizer NAME")
        if self.tokenizer is not None and not limited:
            what = "--tokenizer says how tokens are counted; add --match-tokens, --no-unk or --single-token SLOT"
            raise UsageError(what)
        return {
            "tokenizer": tokenizer_ref(self.tokenizer) if self.tokenizer else None,
            "match_tokens": self.match_tokens,
            "no_unk": self.no_unk,
            "single_token": tuple(self.single_token or ()),
        }


@dataclass(frozen=True)
class MadeUpWords:
    """The options that put made-up words into a set."""

    nonce: Annotated[
        str | None,
        option("--nonce", "Made-up words for these classes: noun, verb, adj, separated by commas.", "CLASSES"),
    ] = None
    nonce_critical: Annotated[bool, option("--nonce-critical", "Also for the words in which the sentences differ.")] = (
        False
    )
    nonce_list: Annotated[
        Path | None, option("--nonce-list", "Your own made-up words: a table with the columns class and lemma.", "FILE")
    ] = None
    wug: Annotated[str | None, option("--wug", "One made-up noun in this slot: wug, wuz.", "SLOT[=SG/PL]")] = None

    def fields(self) -> dict[str, Any]:
        """The fields of the variant.

        Raises:
            UsageError: an option that asks for what does not exist, or that says nothing alone. DataError: a list that
                cannot be read.
        """
        from blimpgen.variants.record import file_ref, parse_classes, parse_wug

        if self.nonce is None and (self.nonce_critical or self.nonce_list):
            raise UsageError("--nonce-critical and --nonce-list say how words are made up; add --nonce CLASSES")
        return {
            "nonce": parse_classes(self.nonce) if self.nonce else (),
            "nonce_critical": self.nonce_critical,
            "nonce_list": file_ref(self.nonce_list) if self.nonce_list else None,
            "wug": parse_wug(self.wug) if self.wug else None,
        }


def variant_of(*groups: WordLimits | TokenLimits | MadeUpWords) -> Variant:
    """The record of what groups of options ask for together."""
    from blimpgen.variants.record import Variant

    return Variant(**{name: value for group in groups for name, value in group.fields().items()})
