"""Training a model on a text: `transformers.Trainer` on Accelerate, in a folder that a killed run goes on from.

While it is unfinished the folder holds ``run.json``, which says what is trained, and ``checkpoints``, one an epoch. At
the end it holds the model with its tokenizer, and ``training.json``. Several processes, as ``accelerate launch`` starts
them, share the batches; the first of them writes.
"""

from __future__ import annotations

import errno
import json
import math
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from blimpgen.base.errors import DataError, Place, UsageError
from blimpgen.base.extras import require
from blimpgen.base.files import remove_partials, sha256_of, write_chunks
from blimpgen.base.locks import locked_folder
from blimpgen.base.version import __version__
from blimpgen.scoring.loading import hushed
from blimpgen.training.architecture import Architecture, new_model
from blimpgen.training.vocabulary import encode_lines, new_tokenizer, read_lines, read_tokenizer

__all__ = ["PRECISIONS", "TRAINING", "Precision", "Training", "TrainingRequest", "read_training", "train_model"]

TRAINING, STATE = "training.json", "run.json"
_CHECKPOINTS, _CHECKPOINT, _CHECKPOINT_STATE = "checkpoints", "checkpoint-", "trainer_state.json"
_TOKENIZER = "tokenizer.json"
_CANNOT_WRITE = ("while serializing: I/O error", "inline_container", "PytorchStreamWriter failed")
"""What errors of safetensors and torch say when a file cannot be written."""
_REPORTS = 500
"""How often a run says which step it has come to."""
_IGNORED = -100
"""The label of what is not learned, in torch."""

Precision: TypeAlias = Literal["auto", "float32", "bfloat16", "float16"]
PRECISIONS: tuple[Precision, ...] = ("auto", "float32", "bfloat16", "float16")
Progress: TypeAlias = Callable[[float, float | None], None]
Steps: TypeAlias = Callable[[float, str], None]


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class TrainingRequest(_Model):
    """What decides a model.

    Attributes:
        text: path of the text, a sentence a line.
        architecture: its name, or that of its file.
        sizes: of the model.
        seed: of its weights, of dropout, and of the order of lines.
        validation: path of the text whose perplexity decides which epoch is kept, and when to stop.
        test: path of a text whose perplexity is measured at the end.
        vocabulary: path of another text that the words are taken from, or of a trained model.
        epochs: how often the text is read, at most.
        batch: lines a step, over all processes.
        rate: learning rate at the beginning; it falls to 0 evenly.
        patience: epochs without a better validation perplexity after which training stops.
        precision: of the forward pass; auto: mixed on a GPU.
    """

    text: str
    architecture: str
    sizes: Architecture
    seed: int = 0
    validation: str | None = None
    test: str | None = None
    vocabulary: str | None = None
    epochs: Annotated[int, Field(ge=1)] = 40
    batch: Annotated[int, Field(ge=1)] = 32
    rate: Annotated[float, Field(gt=0)] = 5e-5
    patience: Annotated[int, Field(ge=1)] = 5
    precision: Precision = "auto"


class State(_Model):
    """An unfinished run: its request, and the hashes of the files that it reads."""

    version: str
    request: TrainingRequest
    files: dict[str, str]


class Training(State):
    """``training.json``: how a model came to be.

    Attributes:
        corpus: name of the text, without folder and ending.
        lines, tokens: of the text; a line's end is a token.
        vocabulary: tokens of the model.
        parameters: numbers that were trained.
        epochs: how often the text was read.
        validation_perplexity, test_perplexity: exp of the mean surprisal of all tokens of the text, in nats.
    """

    corpus: str
    lines: int
    tokens: int
    vocabulary: int
    parameters: int
    epochs: float
    validation_perplexity: float | None
    test_perplexity: float | None


def read_training(folder: Path) -> Training:
    """Read how the model of a folder came to be.

    Raises:
        DataError: it was not trained by blimpgen, or its file is damaged.
    """
    path = folder / TRAINING
    try:
        return Training.model_validate_json(path.read_bytes())
    except OSError:
        raise DataError("not there; name the folder of a model that blimpgen trained", Place(path)) from None
    except ValidationError as error:
        raise DataError(f"not a record of training: {error.errors()[0]['msg']}", Place(path), "json") from None


def train_model(
    request: TrainingRequest, folder: Path, *, progress: Progress | None = None, steps: Steps | None = None
) -> Training | None:
    """Train a model, or go on with it; a finished one is left as it is.

    Args:
        request: the model.
        folder: where it is written.
        progress: called after each epoch with the epochs that are done and the validation perplexity.
        steps: called some hundred times with the part of an epoch that was read since, and which epoch it is.

    Returns:
        How the model came to be; None in all processes but the first.

    Raises:
        UsageError: the folder holds something else, or a library is not installed. DataError: a text that cannot be
            trained on, a vocabulary that does not fit, training that diverges.
    """
    for library in ("torch", "transformers", "accelerate"):
        require(library, "studies")
    processes = require("accelerate", "studies").PartialState(cpu=_on_cpu())
    with _alone(folder, processes.is_main_process):
        state = State(version=__version__, request=request, files=_hashes(request))
        if finished := _finished(folder, state):
            if not processes.is_main_process:
                return None
            _undo(folder)  # what is left of a run that was killed when the model was whole
            return finished
        if processes.is_main_process:
            _enter(folder, state)
            remove_partials(folder, (STATE, TRAINING))
        processes.wait_for_everyone()
        try:
            with hushed(), _telling_full_disks(folder):
                training = _Run(request, folder, processes.num_processes).train(state, _reporting(progress, steps))
        except (DataError, UsageError):
            if processes.is_main_process:
                _undo(folder)  # a text or a request that has to be changed: the same call could not go on
            raise
        return training if processes.is_main_process else None


@contextmanager
def _telling_full_disks(folder: Path) -> Iterator[None]:
    """What safetensors and torch raise when they cannot write is an error of writing.

    Raises:
        OSError: with the name of the folder.
    """
    try:
        yield
    except Exception as error:
        if any(sign in str(error) for sign in _CANNOT_WRITE):
            raise OSError(errno.ENOSPC, "a checkpoint cannot be written; is the disk full?", str(folder)) from None
        raise


@contextmanager
def _alone(folder: Path, is_main: bool) -> Iterator[None]:
    if not is_main:
        yield
        return
    with locked_folder(folder):
        yield


def _hashes(request: TrainingRequest) -> dict[str, str]:
    files = {}
    for name in (request.text, request.validation, request.test, request.vocabulary):
        if name is None:
            continue
        path = Path(name) / _TOKENIZER if Path(name).is_dir() else Path(name)
        if not path.is_file():
            raise DataError("no such file; name a text, a sentence a line", Place(path), "missing-file")
        files[name] = sha256_of(path)
    return files


def _finished(folder: Path, state: State) -> Training | None:
    if not (folder / TRAINING).exists():
        return None
    training = read_training(folder)
    if (training.request, training.files) != (state.request, state.files):
        raise UsageError(f"{folder} holds a model that was trained otherwise; take another folder")
    return training


def _enter(folder: Path, state: State) -> None:
    """Prepare the folder: leave what the same call has left, or claim an empty one."""
    path = folder / STATE
    if not path.exists():
        if others := sorted(p.name for p in folder.iterdir() if not p.name.startswith(".")):
            raise UsageError(f"{folder} is not empty ({others[0]}); take another folder")
        write_chunks(path, [state.model_dump_json(indent=1).encode(), b"\n"])
        return
    try:
        before = State.model_validate_json(path.read_bytes())
    except ValidationError:
        raise UsageError(f"{path} was not written by blimpgen train; take another folder") from None
    if before != state:
        what = f"{folder} holds unfinished training with other arguments, other texts or another version of blimpgen"
        raise UsageError(f"{what}; repeat that call, or take another folder")
    for checkpoint in (folder / _CHECKPOINTS).glob(f"{_CHECKPOINT}*"):
        if not _is_whole(checkpoint):
            shutil.rmtree(checkpoint)


def _is_whole(checkpoint: Path) -> bool:
    """Whether a checkpoint was written to its end, which is its state: JSON that is cut short is none."""
    try:
        json.loads((checkpoint / _CHECKPOINT_STATE).read_bytes())
    except (OSError, ValueError):
        return False
    return True


def _undo(folder: Path) -> None:
    """Remove everything that an unfinished run wrote."""
    shutil.rmtree(folder / _CHECKPOINTS, ignore_errors=True)
    (folder / STATE).unlink(missing_ok=True)


class _Run:
    """One run.

    Args:
        request: the model.
        folder: where it is written.
        processes: how many share the batches.
    """

    def __init__(self, request: TrainingRequest, folder: Path, processes: int) -> None:
        self.request, self.folder = request, folder
        positions = request.sizes.positions
        source = Path(request.vocabulary or request.text)
        self.tokenizer = (
            read_tokenizer(source, positions)
            if source.is_dir()
            else new_tokenizer(read_lines(source), request.sizes.words, positions)
        )
        self.text, self.validation, self.test = (
            encode_lines(Path(name), self.tokenizer, positions) if name else None
            for name in (request.text, request.validation, request.test)
        )
        if request.batch % processes:
            raise UsageError(f"--batch {request.batch} cannot be divided among {processes} processes")
        self.lines_of_process = request.batch // processes

    def train(self, state: State, reporting: Any) -> Training:
        """Train what is left to train, and write the model."""
        trainer = self._trainer(reporting)
        checkpoints = self.folder / _CHECKPOINTS
        latest = max(checkpoints.glob(f"{_CHECKPOINT}*"), key=_step_of, default=None)
        trainer.train(resume_from_checkpoint=str(latest) if latest else None)
        training = self._measured(trainer, state)
        if trainer.is_world_process_zero():
            trainer.save_model(str(self.folder))
            (self.folder / "training_args.bin").unlink(missing_ok=True)
            write_chunks(self.folder / TRAINING, [training.model_dump_json(indent=1).encode(), b"\n"])
            _undo(self.folder)
        return training

    def _trainer(self, reporting: Any) -> Any:
        transformers = require("transformers", "studies")
        transformers.set_seed(self.request.seed)
        model = new_model(self.request.sizes, len(self.tokenizer), self.tokenizer.eos_token_id)
        stopping = [transformers.EarlyStoppingCallback(self.request.patience)] if self.validation else []
        trainer = transformers.Trainer(
            model,
            self._arguments(),
            data_collator=self._batch,
            train_dataset=self.text,
            eval_dataset=self.validation,
            processing_class=self.tokenizer,
            compute_metrics=_Surprisal(),
            preprocess_logits_for_metrics=_surprisals,
            callbacks=[reporting, *stopping],
        )
        trainer.remove_callback(transformers.PrinterCallback)
        return trainer

    def _arguments(self) -> Any:
        """The settings of Patil, Jumelet et al. (2024) where the request names no others."""
        request, is_validated = self.request, self.validation is not None
        return require("transformers", "studies").TrainingArguments(
            # Whole, because the best checkpoint is remembered by its path.
            output_dir=str((self.folder / _CHECKPOINTS).resolve()),
            num_train_epochs=request.epochs,
            per_device_train_batch_size=self.lines_of_process,
            per_device_eval_batch_size=self.lines_of_process,
            learning_rate=request.rate,
            seed=request.seed,
            use_cpu=_on_cpu(),
            **_mixed(request.precision),
            save_strategy="epoch",
            save_total_limit=1,
            restore_callback_states_from_checkpoint=True,
            eval_strategy="epoch" if is_validated else "no",
            batch_eval_metrics=True,
            load_best_model_at_end=is_validated,
            metric_for_best_model="eval_surprisal" if is_validated else None,
            greater_is_better=False if is_validated else None,
            remove_unused_columns=False,
            logging_strategy="no",
            report_to="none",
            disable_tqdm=True,
            log_level_replica="error",
            ddp_find_unused_parameters=False,
        )

    def _batch(self, lines: Sequence[Any]) -> dict[str, Any]:
        """Put lines into one batch, filled up with the edge token, which is not learned there."""
        torch = require("torch", "studies")
        shape = len(lines), max(map(len, lines))
        tokens = np.full(shape, self.tokenizer.eos_token_id, dtype=np.int64)
        mask = np.zeros(shape, dtype=np.int64)
        for k, line in enumerate(lines):
            tokens[k, : len(line)], mask[k, : len(line)] = line, 1
        labels = np.where(mask, tokens, _IGNORED)
        return {
            name: torch.from_numpy(values)
            for name, values in (("input_ids", tokens), ("attention_mask", mask), ("labels", labels))
        }

    def _measured(self, trainer: Any, state: State) -> Training:
        perplexities = [
            trainer.evaluate(text, metric_key_prefix=name)[f"{name}_perplexity"] if text else None
            for name, text in (("validation", self.validation), ("test", self.test))
        ]
        if any(value is not None and not math.isfinite(value) for value in perplexities):
            raise DataError("training diverged: the perplexity is no number; take a smaller --rate", Place(self.folder))
        lines: Any = self.text
        return Training(
            **dict(state),
            corpus=Path(self.request.text).stem,
            lines=len(lines),
            tokens=lines.scored,
            vocabulary=len(self.tokenizer),
            parameters=trainer.model.num_parameters(only_trainable=True),
            epochs=trainer.state.epoch,
            validation_perplexity=perplexities[0],
            test_perplexity=perplexities[1],
        )


def _step_of(checkpoint: Path) -> int:
    return int(checkpoint.name.removeprefix(_CHECKPOINT))


def _on_cpu() -> bool:
    torch = require("torch", "studies")
    return not (torch.cuda.is_available() or torch.backends.mps.is_available())


def _mixed(precision: Precision) -> dict[str, bool]:
    """The arguments of the trainer for a precision; weights and optimizer are float32 in any case."""
    cuda = require("torch", "studies").cuda
    if precision == "auto":
        precision = "float32" if not cuda.is_available() else "bfloat16" if cuda.is_bf16_supported() else "float16"
    return {"bf16": precision == "bfloat16", "fp16": precision == "float16"}


def _surprisals(logits: Any, labels: Any) -> Any:
    """Compute the surprisal of each line in nats, and how many tokens it has: lines x 2."""
    torch = require("torch", "studies")
    targets = labels[:, 1:]
    nats = torch.nn.functional.cross_entropy(
        logits[:, :-1].flatten(0, 1).float(), targets.flatten(), reduction="none", ignore_index=_IGNORED
    )
    return torch.stack([nats.view(targets.shape).sum(1), (targets != _IGNORED).sum(1)], dim=1)


class _Surprisal:
    """The mean surprisal of all tokens of a text, and its perplexity, batch after batch."""

    def __init__(self) -> None:
        self.total = np.zeros(2)

    def __call__(self, prediction: Any, compute_result: bool) -> dict[str, float]:
        """Add a batch; the figures at the end."""
        self.total += prediction.predictions.double().sum(0).cpu().numpy()
        if not compute_result:
            return {}
        (nats, tokens), self.total = self.total, np.zeros(2)
        surprisal = float(nats / tokens)
        return {"surprisal": surprisal, "perplexity": math.exp(min(surprisal, 700.0))}


def _reporting(progress: Progress | None, steps: Steps | None) -> Any:
    """A callback of the trainer that says how far it is; see `train_model`."""
    transformers = require("transformers", "studies")

    class Reporting(transformers.TrainerCallback):  # type: ignore[misc, name-defined]
        read = 0.0
        """The epochs that were told of."""

        def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
            if steps and state.is_world_process_zero and state.global_step % max(1, state.max_steps // _REPORTS) == 0:
                steps(state.epoch - self.read, f"epoch {math.ceil(state.epoch)}")
                self.read = state.epoch

        def on_evaluate(self, args: Any, state: Any, control: Any, metrics: Any = None, **_: Any) -> None:
            if progress and state.is_world_process_zero and "eval_perplexity" in (metrics or {}):
                progress(state.epoch, metrics["eval_perplexity"])

        def on_epoch_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
            if progress and state.is_world_process_zero and not control.should_evaluate:
                progress(state.epoch, None)

    return Reporting()
