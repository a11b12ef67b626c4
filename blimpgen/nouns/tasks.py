"""The ten tasks of the study, each ready to give contexts for any noun."""

from __future__ import annotations

from collections.abc import Sequence

from blimpgen.base.errors import UsageError, nearest
from blimpgen.generation.prepare import prepare
from blimpgen.library import Library
from blimpgen.nouns.target_contexts import Contexts, TokenTests
from blimpgen.variants.record import Study
from blimpgen.variants.tokenizers import load_tokenizer

__all__ = ["SUITE", "study_contexts"]

SUITE = "noun_variation"
_AGREEING = "verb"


def study_contexts(
    library: Library,
    study: Study,
    seed: int,
    *,
    tasks: Sequence[str] = (),
    tokenizer: str | None = None,
    mask: str | None = None,
) -> dict[str, Contexts]:
    """Prepare tasks of the study, with the words that the tokenizer of a model can be asked about.

    Left out are words of which a form has the unknown token, or whose two forms have different numbers of tokens; for a
    masked model also verbs of several tokens, as it fills in but one.

    Args:
        library: words, rules and paradigms.
        study: which nouns, how many contexts.
        seed: decides which contexts are drawn.
        tasks: UIDs of the suite; all ten if there are none.
        tokenizer: a file, a folder, or a name that transformers knows; without one no word is left out.
        mask: how the mask of a masked model is written.

    Returns:
        UID to its contexts, in the order of the suite.

    Raises:
        UsageError: no such task, no such target noun. DataError: no word passes the tests of the tokenizer.
    """
    every = list(library.uids(SUITE))
    for task in tasks:
        if task not in every:
            raise UsageError(f"no task {task!r}; {nearest(task, every)}")
    single = (_AGREEING,) if mask else ()
    tests = TokenTests(load_tokenizer(tokenizer), single_token=single) if tokenizer is not None else None
    return {
        uid: Contexts(prepare(uid, library), study, seed, mask, tests) for uid in every if uid in tasks or not tasks
    }
