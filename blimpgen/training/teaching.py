"""Teaching a model a new word: a token is added, a few sentences are learned, and agreement with the word is scored.

The settings are those of Yu et al. (2020): the rows of the new token are drawn as the library draws those of a new
model, all weights are trained with AdamW on the sentences one by one, four at a time, and before any training the
score is a mean over thirty draws of these rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from blimpgen.analysis.teaching import TaughtScore
from blimpgen.base.errors import DataError, Place, UsageError
from blimpgen.base.extras import require
from blimpgen.base.files import sha256_of
from blimpgen.base.folders import listed_files
from blimpgen.base.version import __version__
from blimpgen.nouns import Contexts
from blimpgen.scoring.loading import Loaded, hushed
from blimpgen.scoring.model_families import Options
from blimpgen.training.noun_models import Family, NounModel, load_model
from blimpgen.training.score_folder import score_folder
from blimpgen.training.vocabulary import read_lines

__all__ = ["EPOCHS", "Experiment", "TeachingRequest", "few_shot_experiments", "teach"]

EPOCHS: Mapping[Family, int] = {"causal": 2, "masked": 4}
"""How often the sentences are learned in the study."""

_TRAINING_SEED = 1
_LINES_A_STEP = 4
_RATE = 5e-5
_MASKED_SHARE = 0.15
_UNLEARNED = -100

Number: TypeAlias = Literal["SG", "PL"]
Progress: TypeAlias = Callable[[int, str], None]


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Experiment(_Model):
    """One model: a new word, and what it is trained on.

    Attributes:
        noun: the word.
        number: of the word.
        training: type of training; None for none.
        file: path of its sentences.
        sha256: of the file.
        seed: of the rows of the word, and of training.
    """

    noun: str
    number: Number
    training: str | None = None
    file: str | None = None
    sha256: str | None = None
    seed: int = _TRAINING_SEED


class TeachingRequest(_Model):
    """What decides the scores.

    Attributes:
        model, revision: name and fingerprint of the model.
        family: causal or masked.
        nouns: singular and plural of the new word; each experiment has one of them.
        experiments: all of them, those before training first.
        tasks: UIDs.
        samples: contexts of each task.
        seed: decides which contexts are drawn.
        data: hash of words, rules and paradigms.
        epochs: how often the sentences are learned.
        rate: learning rate at first; it falls to 0 evenly.
        learn_padding: as published for GPT-2: short lines are filled up with token 0, which is learned too.
        bos: start token before a sentence.
        leading_space: a space before a sentence.
    """

    version: str = __version__
    model: str
    revision: str | None
    family: Family
    nouns: tuple[str, str]
    experiments: tuple[Experiment, ...]
    tasks: tuple[str, ...]
    samples: int
    seed: int
    data: str
    epochs: Annotated[int, Field(ge=1)]
    rate: float = _RATE
    learn_padding: bool = False
    bos: str = "no"
    leading_space: bool = False


def few_shot_experiments(folder: Path, nouns: tuple[str, str], seeds: int) -> list[Experiment]:
    """List the experiments of a folder of training sentences: each noun before training, then after each type.

    Args:
        folder: with files ``NOUN-TYPE.txt``, a sentence a line.
        nouns: singular and plural of the new word.
        seeds: how many draws of the rows of the word are scored before training.

    Raises:
        UsageError: no such folder, no file, or one of another noun. DataError: a file without the noun in each line.
    """
    if not folder.is_dir():
        raise UsageError(f"{folder}: no such folder; `blimpgen nouns --few-shot -o {folder}` writes one")
    taught: list[Experiment] = []
    for path in listed_files(folder, "*.txt"):
        number, noun = _noun_of(path, nouns)
        for line, text in enumerate(read_lines(path), start=1):
            if noun not in text.replace(".", " ").split():
                raise DataError(f"no {noun!r} in this sentence", Place(path, line))
        kind = path.stem.removeprefix(f"{noun}-")
        taught.append(Experiment(noun=noun, number=number, training=kind, file=str(path), sha256=sha256_of(path)))
    if not taught:
        raise UsageError(f"{folder}: no training sentences (*.txt) in it; `blimpgen nouns --few-shot` writes some")
    baselines = [
        Experiment(noun=noun, number=number, seed=seed)
        for noun, number in dict.fromkeys((each.noun, each.number) for each in taught)
        for seed in range(1, seeds + 1)
    ]
    return [*baselines, *taught]


def _noun_of(path: Path, nouns: tuple[str, str]) -> tuple[Number, str]:
    numbers: tuple[Number, Number] = ("SG", "PL")
    for number, noun in zip(numbers, nouns, strict=True):
        if path.stem.startswith(f"{noun}-"):
            return number, noun
    names = " nor ".join(f"{noun}-TYPE.txt" for noun in nouns)
    raise UsageError(f"{path} is neither {names}; name the new noun with --target SINGULAR/PLURAL")


def teach(
    request: TeachingRequest,
    contexts: Mapping[str, Contexts],
    options: Options,
    folder: Path,
    *,
    progress: Progress | None = None,
) -> list[TaughtScore]:
    """Score a model before and after it has learned sentences with a new word; a killed run is finished.

    Args:
        request: what is scored.
        contexts: its tasks.
        options: what the call says about the model.
        folder: where the scores are written.
        progress: called after each experiment with 1 and its name.

    Returns:
        All rows, experiment by experiment.

    Raises:
        UsageError: the folder holds something else, or a library is not installed. DataError: a word that is a token
            of the model already, sentences that cannot be scored, training that diverges.
    """
    for library in ("torch", "transformers", "accelerate"):
        require(library, "studies")
    with score_folder(folder, request, TaughtScore) as scores:
        rows = {_key(row): row for row in scores.rows()}
        scored = {key[:4] for key in rows}
        for experiment in request.experiments:
            if _key(experiment) not in scored:
                of_experiment = list(_Teaching(request, experiment, options, folder).rows(contexts))
                scores.append(of_experiment)
                rows.update((_key(row), row) for row in of_experiment)
            if progress:
                progress(1, f"{experiment.noun} {experiment.training or 'before training'}")
        ordered = list(rows.values())
        scores.finish(ordered)
        return ordered


def _key(row: TaughtScore | Experiment) -> tuple[Any, ...]:
    key = row.noun, row.number, row.training, row.seed
    return (*key, row.task, row.configuration) if isinstance(row, TaughtScore) else key


class _Teaching:
    """One experiment: the model with the new word, as it is drawn.

    Args:
        request: what is scored.
        experiment: the word and its sentences.
        options: what the call says about the model.
        folder: of the run.
    """

    def __init__(self, request: TeachingRequest, experiment: Experiment, options: Options, folder: Path) -> None:
        self.request, self.experiment, self.options, self.folder = request, experiment, options, folder
        loaded = load_model(options, request.family)
        self.model, self.tokenizer = loaded.model, loaded.tokenizer
        add_word(loaded, experiment.noun, experiment.seed)

    def rows(self, contexts: Mapping[str, Contexts]) -> Iterator[TaughtScore]:
        """Train on the sentences, if there are any, and score all tasks."""
        experiment = self.experiment
        if experiment.file is not None:
            self._train(list(read_lines(Path(experiment.file))))
        model = NounModel(self.model, self.tokenizer, self.request.family, self.options)
        for task, of_task in contexts.items():
            for name, total in model.totals(of_task, self.request.nouns, experiment.number).items():
                yield TaughtScore(
                    noun=experiment.noun,
                    number=experiment.number,
                    training=experiment.training,
                    seed=experiment.seed,
                    task=task,
                    configuration=name,
                    total=total.value,
                    samples=total.samples,
                )

    def _train(self, sentences: Sequence[str]) -> None:
        transformers = require("transformers", "studies")
        lines = [self.tokenizer(sentence)["input_ids"] for sentence in sentences]
        with hushed():
            trainer = transformers.Trainer(
                self.model, self._arguments(), data_collator=self._collator(), train_dataset=lines
            )
            trainer.remove_callback(transformers.PrinterCallback)
            trainer.train()
        self.model.eval()

    def _arguments(self) -> Any:
        """The settings of the study."""
        on_cpu = self.model.device.type == "cpu"
        return require("transformers", "studies").TrainingArguments(
            output_dir=str(self.folder),
            num_train_epochs=self.request.epochs,
            per_device_train_batch_size=_LINES_A_STEP,
            learning_rate=self.request.rate,
            seed=self.experiment.seed,
            use_cpu=on_cpu,
            save_strategy="no",
            remove_unused_columns=False,
            logging_strategy="no",
            report_to="none",
            disable_tqdm=True,
        )

    def _collator(self) -> Callable[[Sequence[Any]], dict[str, Any]]:
        if self.request.family == "causal":
            return self._filled_up
        masking = require("transformers", "studies").DataCollatorForLanguageModeling(
            self.tokenizer, mlm_probability=_MASKED_SHARE
        )

        def masked(lines: Sequence[Any]) -> dict[str, Any]:
            """Mask until there is something to learn: a step without a mask has no loss that is a number."""
            while True:
                batch: dict[str, Any] = masking([{"input_ids": line} for line in lines])
                if (batch["labels"] != _UNLEARNED).any():
                    return batch

        return masked

    def _filled_up(self, lines: Sequence[Any]) -> dict[str, Any]:
        torch = require("torch", "studies")
        tokens = np.zeros((len(lines), max(map(len, lines))), dtype=np.int64)
        mask = np.zeros_like(tokens)
        for k, line in enumerate(lines):
            tokens[k, : len(line)], mask[k, : len(line)] = line, 1
        labels = tokens if self.request.learn_padding else np.where(mask, tokens, _UNLEARNED)
        batch = {"input_ids": tokens, "labels": labels}
        if not self.request.learn_padding:
            batch["attention_mask"] = mask
        return {name: torch.from_numpy(values.copy()) for name, values in batch.items()}


def add_word(loaded: Loaded, word: str, seed: int) -> None:
    """Add a token for a word to a model; its rows are drawn as those of a new model are.

    Args:
        loaded: the model with its tokenizer, which are changed.
        word: the new word; inside a sentence the token takes the space before it.
        seed: of the draw.

    Raises:
        DataError: the word is a token of the tokenizer already.
    """
    transformers = require("transformers", "studies")
    if word in loaded.tokenizer.get_vocab():
        raise DataError(f"{word!r} is a token of {loaded.name} already; take a noun that it does not have")
    loaded.tokenizer.add_tokens([transformers.AddedToken(word, lstrip=True, single_word=True, normalized=False)])
    number = loaded.tokenizer.convert_tokens_to_ids(word)
    transformers.set_seed(seed)
    with hushed():
        # First without what a model has above its tokens: the rows of the new one are to be new.
        for size in (number, number + 1):
            loaded.model.resize_token_embeddings(size, mean_resizing=False)
