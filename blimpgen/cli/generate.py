"""`blimpgen generate`."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from blimpgen.base.errors import UsageError
from blimpgen.cli.making import Call, make_again, to_folders, to_stream
from blimpgen.cli.options import Data, Profile, Seed, library
from blimpgen.cli.variants import (
    FewShot,
    MatchTokens,
    MatchZipf,
    MinCount,
    Nonce,
    NonceCritical,
    NonceList,
    NoUnk,
    Nouns,
    PastVerbs,
    Samples,
    SingleToken,
    SplitShare,
    Target,
    TokenizerName,
    Verbs,
    Vocab,
    Wug,
    ZipfRange,
    parts,
    study_of,
    variant_of,
    write_few_shot,
)

__all__ = ["generate"]

MOST = 1_000_000_000


class Format(StrEnum):
    """File formats."""

    jsonl = "jsonl"
    csv = "csv"


class Style(StrEnum):
    """Spelling of sentences."""

    blimp = "blimp"
    plain = "plain"


def generate(
    context: typer.Context,
    targets: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="TARGET",
            show_default=False,
            help="UIDs, suites, or paths of paradigm files; blimp if none is given.",
        ),
    ] = None,
    n: Annotated[int | None, typer.Option("-n", min=1, max=MOST, show_default="1000", help="Rows a paradigm.")] = None,
    seed: Seed = 0,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o", "--output", metavar="DIR", show_default=False, help="Write DIR/<UID>.jsonl and DIR/manifest.json."
        ),
    ] = None,
    metadata: Annotated[bool, typer.Option("--metadata", help="Add slots, features and trees to each pair.")] = False,
    format: Annotated[Format, typer.Option("--format", help="File format.")] = Format.jsonl,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace a set that blimpgen wrote to DIR.")] = False,
    jobs: Annotated[int, typer.Option("--jobs", min=1, help="Processes; the bytes are the same.")] = 1,
    data: Data = None,
    profile: Profile = None,
    pairs: Annotated[bool, typer.Option("--pairs", help="Write sets of sentences as pairs, one a comparison.")] = False,
    enumerate: Annotated[bool, typer.Option("--enumerate", help="Write all assignments, in order.")] = False,
    style: Annotated[
        Style | None,
        typer.Option(
            "--style",
            show_default=False,
            help="Spelling: blimp as in the release, plain without capitals; otherwise as each paradigm says.",
        ),
    ] = None,
    vocab: Vocab = None,
    min_count: MinCount = 1,
    zipf: ZipfRange = None,
    match_zipf: MatchZipf = None,
    split: SplitShare = None,
    tokenizer: TokenizerName = None,
    match_tokens: MatchTokens = False,
    no_unk: NoUnk = False,
    single_token: SingleToken = None,
    nonce: Nonce = None,
    nonce_critical: NonceCritical = False,
    nonce_list: NonceList = None,
    wug: Wug = None,
    target: Target = None,
    samples: Samples = None,
    few_shot: FewShot = False,
    nouns: Nouns = None,
    verbs: Verbs = None,
    past_verbs: PastVerbs = None,
    canary: Annotated[
        bool,
        typer.Option(
            "--canary",
            help="Give each row a canary, a text to search training data for, with a notice not to train on it.",
        ),
    ] = False,
    replicates: Annotated[
        int | None,
        typer.Option(
            "--replicates",
            metavar="R",
            min=1,
            show_default=False,
            help="R sets with the seeds from --seed on, in DIR/seed-S.",
        ),
    ] = None,
    update: Annotated[bool, typer.Option("--update", help="Make only these files of the set in DIR anew.")] = False,
    from_manifest: Annotated[
        Path | None,
        typer.Option(
            "--from-manifest",
            metavar="FILE",
            show_default=False,
            help="Make the set of this manifest again, and say what differs if its bytes do.",
        ),
    ] = None,
) -> None:
    """Generate pairs: to a folder, or those of one paradigm to standard output.

    Example: blimpgen generate adjunct_island transitive -n 100 --seed 1 -o out

    Example: blimpgen generate --from-manifest out/manifest.json -o again
    """
    call = Call.of(context, output, overwrite=overwrite, jobs=jobs)
    if from_manifest is not None:
        make_again(context, from_manifest, call, data)
        return
    if few_shot:
        write_few_shot(target, output)
        return
    if enumerate and n is not None:
        raise UsageError("--enumerate writes all assignments; leave -n away")
    from blimpgen.dataset import Arguments

    study = study_of(target=target, samples=samples, nouns=nouns, verbs=verbs, past_verbs=past_verbs)
    variant = variant_of(
        vocab=vocab,
        min_count=min_count,
        zipf=zipf,
        match_zipf=match_zipf,
        tokenizer=tokenizer,
        match_tokens=match_tokens,
        no_unk=no_unk,
        single_token=single_token,
        nonce=nonce,
        nonce_critical=nonce_critical,
        nonce_list=nonce_list,
        wug=wug,
    )
    arguments = Arguments(
        targets=tuple(targets or ["blimp"]),
        n=n,
        seed=seed,
        metadata=metadata,
        format=format.value,
        pairs=pairs,
        enumerate=enumerate,
        style=style.value if style else None,
        study=study,
        variant=variant or None,
        canary=canary,
    )
    call.check_folder(split=split, replicates=replicates, update=update)
    words = library(data, profile)
    if output is None:
        to_stream(words, arguments, call)
    else:
        to_folders(words, arguments, call, parts=parts(variant, split), replicates=replicates, update=update)
