"""Loading models: what is missing is said in one line, and nothing runs code of a model that was not asked for."""

from __future__ import annotations

import hashlib
import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal, TypeAlias

from blimpgen.base.errors import DataError, UsageError, first_line
from blimpgen.base.extras import require

__all__ = [
    "DTYPES",
    "Dtype",
    "Loaded",
    "device_of",
    "fingerprint",
    "from_pretrained",
    "hushed",
    "library_versions",
    "load",
    "out_of_memory",
    "scoring_library",
    "within_memory",
]

Dtype: TypeAlias = Literal["float32", "bfloat16", "float16"]
DTYPES: tuple[Dtype, ...] = ("float32", "bfloat16", "float16")

_EDGE = 1 << 20


@dataclass(frozen=True)
class Loaded:
    """A model of transformers with its tokenizer, and what tells one run from another.

    Attributes:
        model: in evaluation mode, on its device.
        tokenizer: of the model.
        name: as it was given.
        revision: commit on the hub, or fingerprint of a folder.
        dtype: precision of its parameters.
    """

    model: Any
    tokenizer: Any
    name: str
    revision: str | None
    dtype: str


def scoring_library(module: str) -> Any:
    """Import a module that the extra ``score`` installs.

    Raises:
        UsageError: it is not installed; the message has the line to type.
    """
    return require(module, "score", hint="; the families baseline and ngram do without it")


def device_of(name: str) -> Any:
    """A device of torch; ``auto`` is the first that there is of cuda, mps and cpu.

    Raises:
        UsageError: there is no such device here.
    """
    torch = scoring_library("torch")
    if name == "auto":
        name = "cuda" if torch.cuda.is_available() else "mps" if torch.backends.mps.is_available() else "cpu"
    try:
        device = torch.device(name)
        torch.empty(0, device=device)
    except (RuntimeError, AssertionError) as error:
        raise UsageError(f"--device {name}: {first_line(error)}; use auto, cpu, or a device that is here") from None
    return device


def from_pretrained(loader: str, name: str, **options: Any) -> Any:
    """Load a model, a tokenizer or a configuration with a class of transformers.

    Args:
        loader: the name of the class, such as AutoTokenizer.
        name: a local folder, or a name on the hub.
        options: of its method `from_pretrained`.

    Raises:
        UsageError: transformers is not installed. DataError: it cannot be loaded; the message says what to do.
    """
    transformers = scoring_library("transformers")
    if _is_path(name) and not Path(name).is_dir():
        raise DataError(f"no such folder: {name}; name one that has config.json, model.safetensors and a tokenizer")
    from blimpgen.scoring import lstm

    lstm.register()
    try:
        with hushed():
            loaded = getattr(transformers, loader).from_pretrained(name, **options)
            if loader == "AutoTokenizer":
                _read_one_digit(loaded)
            return loaded
    except Exception as error:  # Broken files raise whatever the library that reads them raises.
        if out_of_memory(error):
            raise
        raise DataError(_unloadable(name, error)) from None


@contextmanager
def hushed() -> Iterator[None]:
    """No warnings, no advice of transformers, tokenizers and the hub, and a bar of progress only on a terminal."""
    logging = scoring_library("transformers").utils.logging
    loggers = logging, scoring_library("huggingface_hub").utils.logging
    verbosities, bars = [each.get_verbosity() for each in loggers], logging.is_progress_bar_enabled()
    try:
        for each in loggers:
            each.set_verbosity_error()
        if not sys.stderr.isatty():
            logging.disable_progress_bar()
        with warnings.catch_warnings(), _nothing_printed(1):
            warnings.simplefilter("ignore")
            yield
    finally:
        for each, verbosity in zip(loggers, verbosities, strict=True):
            each.set_verbosity(verbosity)
        if bars:
            logging.enable_progress_bar()


def _read_one_digit(tokenizer: Any) -> None:
    """Let a tokenizer read a digit: some damage shows only then, and its compiled code ends the program for it.

    Raises:
        ValueError: the compiled code gave up.
    """
    try:
        with _nothing_printed(1), _nothing_printed(2):
            tokenizer("0")
    except BaseException as error:
        if type(error).__name__ == "PanicException":  # no Exception, and of a module that cannot be imported
            raise ValueError(f"its tokenizer is damaged: {first_line(error)}") from None
        if not isinstance(error, Exception):
            raise


@contextmanager
def _nothing_printed(descriptor: int) -> Iterator[None]:
    """Nothing on an output: compiled parts of tokenizers write there what they ignore of a file, as it stands.

    Args:
        descriptor: 1 for standard output, 2 for standard error.
    """
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    try:
        output = os.dup(descriptor)
    except OSError:  # there is none
        yield
        return
    try:
        with open(os.devnull, "wb") as nothing:
            os.dup2(nothing.fileno(), descriptor)
        yield
    finally:
        os.dup2(output, descriptor)
        os.close(output)


def load(
    name: str,
    kind: str,
    *,
    revision: str | None = None,
    device: str = "auto",
    dtype: Dtype = "float32",
    trust_remote_code: bool = False,
) -> Loaded:
    """A model and its tokenizer, from a folder or from the hub.

    Args:
        name: a path, or a name on the hub.
        kind: the class of transformers that loads it, such as ``AutoModelForCausalLM``.
        revision: branch, tag or commit on the hub.
        device: of torch, or auto.
        dtype: precision of the forward pass; log-probabilities are float32 in any case.
        trust_remote_code: run Python code that comes with the model.

    Raises:
        UsageError: torch or transformers is not installed, or there is no such device.
        DataError: the model cannot be loaded, or has no tokenizer.
    """
    torch = scoring_library("torch")
    where = device_of(device)
    options = {"revision": revision, "trust_remote_code": trust_remote_code}
    tokenizer = from_pretrained("AutoTokenizer", name, **options)
    if len(tokenizer) <= len(tokenizer.all_special_ids):
        # Of a model without the files of a tokenizer transformers makes an empty one.
        raise DataError(
            f"cannot load {name}: it has no tokenizer; add the files tokenizer.json and tokenizer_config.json"
        )
    with within_memory(name):
        model = from_pretrained(kind, name, dtype=getattr(torch, dtype), **options).to(where).eval()
    return Loaded(
        model, tokenizer, name, fingerprint(name) or getattr(model.config, "_commit_hash", None) or revision, dtype
    )


def fingerprint(path: str | Path) -> str | None:
    """What tells the contents of a model file or folder from others: a hash of names, sizes, beginnings and ends.

    Args:
        path: what a user gave as a model; of a name on the hub there is none.
    """
    location = Path(path)
    files = sorted(p for p in location.iterdir() if p.is_file()) if location.is_dir() else [location]
    if not location.exists():
        return None
    digest = hashlib.sha256()
    for file in files:
        size = file.stat().st_size
        with file.open("rb") as stream:
            head = stream.read(_EDGE)
            stream.seek(max(len(head), size - _EDGE))
            digest.update(f"{file.name}\0{size}\n".encode() + head + stream.read(_EDGE))
    return f"sha256-{digest.hexdigest()[:16]}"


def _is_path(name: str) -> bool:
    return Path(name).exists() or name.startswith((".", "/", "~")) or name.count("/") > 1 or os.sep * 2 in name


def _unloadable(name: str, error: Exception) -> str:
    """What to say of a model that cannot be loaded, in one line."""
    if "trust_remote_code" in str(error):
        return f"{name} comes with Python code of its own; read it, and if you trust it add --trust-remote-code"
    if _is_path(name):
        return f"cannot load {name}: {first_line(error)}"
    return (
        f"cannot load {name}: {first_line(error)}; offline, or without the rights to it, give a folder that has "
        "config.json, model.safetensors and a tokenizer, as in --model ./path"
    )


def out_of_memory(error: BaseException) -> bool:
    """Whether memory has run out, on whatever device."""
    torch = sys.modules.get("torch")
    return isinstance(error, MemoryError) or (
        isinstance(error, RuntimeError)
        and (isinstance(error, torch.OutOfMemoryError if torch else ()) or "can't allocate memory" in str(error))
    )


@contextmanager
def within_memory(model: str) -> Iterator[None]:
    """Say in one line that a model takes more memory than there is.

    Raises:
        DataError: it does.
    """
    try:
        yield
        return
    except (MemoryError, RuntimeError) as error:
        if not out_of_memory(error):
            raise
    # Outside of the handler, so that what the error held is free.
    raise DataError(
        f"{model} does not fit the memory of its device; take --dtype bfloat16, --device cpu or a smaller model"
    )


def library_versions() -> dict[str, str]:
    """The libraries that scores of models depend on."""
    return {name: version(name) for name in ("torch", "transformers")}
