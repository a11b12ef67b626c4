"""blimpgen: controlled minimal pairs of English sentences, generated from paradigm files.

    import blimpgen as bg
    pairs = bg.generate("adjunct_island", n=1000, seed=0)

The names below are the public API; each is loaded when it is first used.
"""

from __future__ import annotations

from blimpgen.base.lazy import loader
from blimpgen.base.version import __version__

TYPE_CHECKING = False  # this runs before the command line can tell of Ctrl-C, and `typing` takes long to load
if TYPE_CHECKING:
    from blimpgen.analysis.results import Item, read_items
    from blimpgen.api import Parses, count, generate, list_paradigms, load_paradigm, parse, stream
    from blimpgen.base.errors import BlimpgenError, DataError, UsageError
    from blimpgen.base.records import MinimalPair, SentenceSet
    from blimpgen.checks import Problem, check
    from blimpgen.dataset import read_jsonl, to_iterable_dataset, write_jsonl
    from blimpgen.library import Library, load_library
    from blimpgen.paradigm import Paradigm
    from blimpgen.scoring import TokenScores, causal_lm, masked_lm, score

__all__ = [
    "BlimpgenError",
    "DataError",
    "Item",
    "Library",
    "MinimalPair",
    "Paradigm",
    "Parses",
    "Problem",
    "SentenceSet",
    "TokenScores",
    "UsageError",
    "__version__",
    "causal_lm",
    "check",
    "count",
    "generate",
    "list_paradigms",
    "load_library",
    "load_paradigm",
    "masked_lm",
    "parse",
    "read_items",
    "read_jsonl",
    "score",
    "stream",
    "to_iterable_dataset",
    "write_jsonl",
]

_HOME = {
    "analysis.results": ("Item", "read_items"),
    "api": ("Parses", "count", "generate", "list_paradigms", "load_paradigm", "parse", "stream"),
    "checks": ("Problem", "check"),
    "dataset": ("read_jsonl", "to_iterable_dataset", "write_jsonl"),
    "base.errors": ("BlimpgenError", "DataError", "UsageError"),
    "library": ("Library", "load_library"),
    "base.records": ("MinimalPair", "SentenceSet"),
    "paradigm": ("Paradigm",),
    "scoring": ("TokenScores", "causal_lm", "masked_lm", "score"),
}
__getattr__ = loader(__name__, _HOME)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
