"""The options of `blimpgen generate` that ask for a variant."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from blimpgen.base.errors import UsageError
from blimpgen.cli.options import message

if TYPE_CHECKING:
    from blimpgen.variants.record import Study, Variant

__all__ = [
    "FewShot",
    "MatchTokens",
    "MatchZipf",
    "MinCount",
    "NoUnk",
    "Nonce",
    "NonceCritical",
    "NonceList",
    "Nouns",
    "PastVerbs",
    "Samples",
    "SingleToken",
    "SplitShare",
    "Target",
    "TokenizerName",
    "Verbs",
    "Vocab",
    "Wug",
    "ZipfRange",
    "parts",
    "study_of",
    "variant_of",
    "write_few_shot",
]

PANEL, STUDY = "Variants", "Study of single nouns (noun_variation)"

Vocab = Annotated[
    Path | None,
    typer.Option(
        "--vocab",
        metavar="FILE",
        show_default=False,
        rich_help_panel=PANEL,
        help="Only words of this file: one a line, word TAB count, or text.",
    ),
]
MinCount = Annotated[
    int,
    typer.Option("--min-count", min=1, rich_help_panel=PANEL, help="How often a word must stand in the vocabulary."),
]
ZipfRange = Annotated[
    str | None,
    typer.Option(
        "--zipf",
        metavar="LOW:HIGH",
        show_default=False,
        rich_help_panel=PANEL,
        help="Only content words with these Zipf frequencies, such as 3:5.",
    ),
]
SplitShare = Annotated[
    str | None,
    typer.Option(
        "--split",
        metavar="lexemes:SHARE",
        show_default=False,
        rich_help_panel=PANEL,
        help="Two sets that share no content word: DIR/train with this share of the words, DIR/test with the others.",
    ),
]


Nonce = Annotated[
    str | None,
    typer.Option(
        "--nonce",
        metavar="CLASSES",
        show_default=False,
        rich_help_panel=PANEL,
        help="Made-up words for these classes: noun, verb, adj, separated by commas.",
    ),
]
NonceCritical = Annotated[
    bool,
    typer.Option("--nonce-critical", rich_help_panel=PANEL, help="Also for the words in which the sentences differ."),
]
NonceList = Annotated[
    Path | None,
    typer.Option(
        "--nonce-list",
        metavar="FILE",
        show_default=False,
        rich_help_panel=PANEL,
        help="Your own made-up words: a table with the columns class and lemma.",
    ),
]
Wug = Annotated[
    str | None,
    typer.Option(
        "--wug",
        metavar="SLOT[=SG/PL]",
        show_default=False,
        rich_help_panel=PANEL,
        help="One made-up noun in this slot: wug, wuz.",
    ),
]


MatchZipf = Annotated[
    float | None,
    typer.Option(
        "--match-zipf",
        metavar="D",
        min=0,
        show_default=False,
        rich_help_panel=PANEL,
        help="Words that are exchanged differ by at most D in Zipf frequency.",
    ),
]
TokenizerName = Annotated[
    str | None,
    typer.Option(
        "--tokenizer",
        metavar="NAME",
        show_default=False,
        rich_help_panel=PANEL,
        help="What counts tokens: tokenizer.json, a folder with one, or a name that transformers knows.",
    ),
]
MatchTokens = Annotated[
    bool, typer.Option("--match-tokens", rich_help_panel=PANEL, help="Both sentences have as many tokens.")
]
NoUnk = Annotated[bool, typer.Option("--no-unk", rich_help_panel=PANEL, help="No unknown token.")]
SingleToken = Annotated[
    list[str] | None,
    typer.Option(
        "--single-token",
        metavar="SLOT",
        show_default=False,
        rich_help_panel=PANEL,
        help="The words of this slot are single tokens; may be repeated.",
    ),
]


Target = Annotated[
    str | None,
    typer.Option(
        "--target",
        metavar="NOUN|FILE|all",
        show_default=False,
        rich_help_panel=STUDY,
        help="For each target noun sampled contexts in all versions, instead of pairs.",
    ),
]
Samples = Annotated[
    int | None, typer.Option("--samples", min=1, show_default="500", rich_help_panel=STUDY, help="Contexts a noun.")
]
FewShot = Annotated[
    bool,
    typer.Option(
        "--few-shot",
        rich_help_panel=STUDY,
        help="Write training sentences for a new noun (wug, wuz, or --target SG/PL) to DIR instead.",
    ),
]
Nouns = Annotated[
    Path | None,
    typer.Option(
        "--nouns",
        metavar="FILE",
        show_default=False,
        rich_help_panel=STUDY,
        help="Nouns instead of the lexicon's: one a line, or singular TAB plural.",
    ),
]
Verbs = Annotated[
    Path | None,
    typer.Option(
        "--verbs",
        metavar="FILE",
        show_default=False,
        rich_help_panel=STUDY,
        help="Agreeing verbs instead of the lexicon's: one a line, or plural TAB singular form.",
    ),
]
PastVerbs = Annotated[
    Path | None,
    typer.Option(
        "--past-verbs",
        metavar="FILE",
        show_default=False,
        rich_help_panel=STUDY,
        help="Verbs before a reflexive instead of the lexicon's: one past form a line.",
    ),
]


def variant_of(
    *,
    vocab: Path | None,
    min_count: int,
    zipf: str | None,
    match_zipf: float | None,
    tokenizer: str | None,
    match_tokens: bool,
    no_unk: bool,
    single_token: list[str] | None,
    nonce: str | None,
    nonce_critical: bool,
    nonce_list: Path | None,
    wug: str | None,
) -> Variant:
    """The record of what the options ask for.

    Raises:
        UsageError: an option that asks for what does not exist, or that says nothing alone. DataError: a file that
            cannot be read.
    """
    from blimpgen.variants.record import Variant, file_ref, parse_classes, parse_range, parse_wug
    from blimpgen.variants.tokenizers import tokenizer_ref

    if min_count > 1 and vocab is None:
        raise UsageError("--min-count says how often a word must stand in a vocabulary; add --vocab FILE")
    if tokenizer is None and (match_tokens or no_unk or single_token):
        raise UsageError("--match-tokens, --no-unk and --single-token count tokens; add --tokenizer NAME")
    if tokenizer is not None and not (match_tokens or no_unk or single_token):
        raise UsageError("--tokenizer says how tokens are counted; add --match-tokens, --no-unk or --single-token SLOT")
    if nonce is None and (nonce_critical or nonce_list):
        raise UsageError("--nonce-critical and --nonce-list say how words are made up; add --nonce CLASSES")
    return Variant(
        vocab=file_ref(vocab) if vocab else None,
        min_count=min_count,
        zipf=parse_range(zipf) if zipf else None,
        match_zipf=match_zipf,
        tokenizer=tokenizer_ref(tokenizer) if tokenizer else None,
        match_tokens=match_tokens,
        no_unk=no_unk,
        single_token=tuple(single_token or ()),
        nonce=parse_classes(nonce) if nonce else (),
        nonce_critical=nonce_critical,
        nonce_list=file_ref(nonce_list) if nonce_list else None,
        wug=parse_wug(wug) if wug else None,
    )


def study_of(
    *, target: str | None, samples: int | None, nouns: Path | None, verbs: Path | None, past_verbs: Path | None
) -> Study | None:
    """The record of a study of single nouns; None if none is asked for.

    Raises:
        UsageError: an option that says nothing alone. DataError: a file that cannot be read.
    """
    if target is None:
        if samples is not None or nouns or verbs or past_verbs:
            what = "--samples, --nouns, --verbs and --past-verbs belong to a study of nouns; add --target all"
            raise UsageError(what)
        return None
    from blimpgen.variants.record import Study, file_ref

    asked = {"targets": file_ref(Path(target))} if Path(target).is_file() else {"target": target}
    return Study(
        **asked,
        samples=samples or 500,
        nouns=file_ref(nouns) if nouns else None,
        verbs=file_ref(verbs) if verbs else None,
        past_verbs=file_ref(past_verbs) if past_verbs else None,
    )


def write_few_shot(target: str | None, output: Path | None) -> None:
    """Write the training files of a new noun, and say how many.

    Raises:
        UsageError: no folder, or no new noun.
    """
    from blimpgen.dataset.training import write_training

    singular, _, plural = (target or "wug/wuz").partition("/")
    if output is None or not plural:
        raise UsageError("--few-shot writes files for a new noun; add -o DIR, and --target SINGULAR/PLURAL if any")
    message(f"{output}: {len(write_training(output, singular, plural))} files of training sentences")


def parts(variant: Variant, split: str | None) -> dict[str, Variant]:
    """The variants of the two parts of a split, by the name of their folder; without a split the variant itself."""
    from blimpgen.variants.record import Split, parse_split

    if split is None:
        return {"": variant}
    share = parse_split(split)
    return {part: variant.model_copy(update={"split": Split(share=share, part=part)}) for part in ("train", "test")}
