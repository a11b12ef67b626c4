"""A small word-level LSTM language model: reading, training and scoring.

A checkpoint is a folder with three files:

* ``config.json``: ``{"model_type": "blimpgen-lstm", "embedding": 200, "hidden": 200, "layers": 2, "lower": false}``;
* ``vocab.txt``: one word a line, the number of a word is its line counted from 0; ``<eos>`` and ``<unk>`` are among
  them. ``<eos>`` stands before and after every sentence;
* ``model.safetensors``: ``embedding.weight`` (words x embedding), the weights of `torch.nn.LSTM` as ``lstm.*``, and
  ``output.weight`` (words x hidden) with ``output.bias``.

Sentences are divided into words and marks by `blimpgen.english.words.spans_of_words_and_marks`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, Any

import orjson
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from blimpgen.base.errors import DataError, Place
from blimpgen.english.words import spans_of_words_and_marks
from blimpgen.scoring.batching import Batches, chunks
from blimpgen.scoring.loading import device_of, fingerprint, first_line, scoring_library
from blimpgen.scoring.scores import Identity, TokenScores

__all__ = ["LstmConfig", "LstmScorer", "is_lstm", "lstm_lm", "train_lstm"]

MODEL_TYPE = "blimpgen-lstm"
EDGE, UNKNOWN = "<eos>", "<unk>"

_CONFIG, _VOCABULARY, _WEIGHTS = "config.json", "vocab.txt", "model.safetensors"


class LstmConfig(BaseModel):
    """``config.json`` of a checkpoint."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    model_type: str = MODEL_TYPE
    embedding: Annotated[int, Field(ge=1)] = 200
    hidden: Annotated[int, Field(ge=1)] = 200
    layers: Annotated[int, Field(ge=1)] = 2
    lower: bool = False


def is_lstm(path: str | Path) -> bool:
    """Whether a folder is such a checkpoint."""
    try:
        config = orjson.loads((Path(path) / _CONFIG).read_bytes())
    except (OSError, orjson.JSONDecodeError):
        return False
    return isinstance(config, dict) and config.get("model_type") == MODEL_TYPE


def _network(config: LstmConfig, words: int) -> Any:
    """The network with random weights: embedding, LSTM, output."""
    nn = scoring_library("torch").nn
    return nn.ModuleDict(
        {
            "embedding": nn.Embedding(words, config.embedding),
            "lstm": nn.LSTM(config.embedding, config.hidden, config.layers, batch_first=True),
            "output": nn.Linear(config.hidden, words),
        }
    )


def _hidden(network: Any, tokens: Any) -> Any:
    states, _ = network["lstm"](network["embedding"](tokens))
    return states


class LstmScorer:
    """Scores sentences with an LSTM.

    Args:
        network: embedding, lstm and output.
        vocabulary: word to number; has ``<eos>`` and ``<unk>``.
        lower: sentences are put in lower case.
        eos: score the end of the sentence.
        batch_tokens: words that go into the model at once; None: what suits the device.
        name, revision: what it says of itself.
    """

    def __init__(
        self,
        network: Any,
        vocabulary: dict[str, int],
        *,
        lower: bool = False,
        eos: bool = False,
        batch_tokens: int | None = None,
        name: str = "",
        revision: str | None = None,
    ) -> None:
        self.torch = scoring_library("torch")
        self.network, self.vocabulary, self.lower, self.eos = network.eval(), vocabulary, lower, eos
        self.device = next(network.parameters()).device
        self.batches = Batches(self.device, batch_tokens)
        self.identity = Identity(
            name,
            "lstm",
            revision=revision,
            dtype="float32",
            bos=EDGE,
            eos=EDGE if eos else None,
            versions={"torch": self.torch.__version__},
        )

    def __call__(self, texts: list[str], /) -> list[TokenScores]:
        """The scores of sentences, in their order; a word that the model does not know is scored as ``<unk>``."""
        divided = [spans_of_words_and_marks(text) for text in texts]
        ends = [(len(text), len(text)) for text in texts]
        known = [_numbers([word for word, _ in words], self.vocabulary, lower=self.lower) for words in divided]
        edge = (self.vocabulary[EDGE],)
        tasks = [edge + numbers + edge * self.eos for numbers in known]
        found: dict[tuple[int, ...], list[float]] = {}

        def compute(batch: list[tuple[int, ...]]) -> None:
            found.update(zip(batch, self._forward(batch), strict=True))

        self.batches.over(sorted(set(tasks), key=len), compute)
        return [
            TokenScores(found[task], [*(span for _, span in words), *[end] * self.eos])
            for task, words, end in zip(tasks, divided, ends, strict=True)
        ]

    def _forward(self, batch: list[tuple[int, ...]]) -> list[list[float]]:
        """The log-probabilities of all words but the first of each sequence."""
        torch = self.torch
        longest = max(map(len, batch))
        tokens = torch.tensor([[*numbers, *[0] * (longest - len(numbers))] for numbers in batch], device=self.device)
        with torch.inference_mode():
            states = _hidden(self.network, tokens[:, :-1]).flatten(0, 1)
            targets = tokens[:, 1:].flatten()
            values = [
                torch.log_softmax(self.network["output"](states[a:b]).float(), -1).gather(1, targets[a:b, None])[:, 0]
                for a, b in chunks(len(states), len(self.vocabulary), self.device)
            ]
        rows = torch.cat(values).reshape(len(batch), -1).cpu().double().tolist()
        return [row[: len(numbers) - 1] for row, numbers in zip(rows, batch, strict=True)]

    def save(self, folder: str | Path) -> None:
        """Write the checkpoint."""
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        lstm = self.network["lstm"]
        config = LstmConfig(
            embedding=lstm.input_size, hidden=lstm.hidden_size, layers=lstm.num_layers, lower=self.lower
        )
        (folder / _CONFIG).write_text(config.model_dump_json(indent=1) + "\n", encoding="utf-8")
        (folder / _VOCABULARY).write_text("".join(f"{word}\n" for word in self.vocabulary), encoding="utf-8")
        scoring_library("safetensors.torch").save_file(self.network.state_dict(), folder / _WEIGHTS)


def _numbers(words: Sequence[str], vocabulary: dict[str, int], *, lower: bool) -> tuple[int, ...]:
    unknown = vocabulary[UNKNOWN]
    return tuple(vocabulary.get(word.lower() if lower else word, unknown) for word in words)


def lstm_lm(
    path: str | Path, *, device: str = "auto", eos: bool = False, batch_tokens: int | None = None
) -> LstmScorer:
    """A scorer for an LSTM.

    Args:
        path: the folder of a checkpoint, see the module.
        device: of torch, or auto.
        eos: score the end of the sentence.
        batch_tokens: words that go into the model at once; None: what suits the device.

    Raises:
        UsageError: torch is not installed. DataError: not a checkpoint.
    """
    folder = Path(path)
    place = device_of(device)
    if not is_lstm(folder):
        raise DataError(
            f'no {_CONFIG} with "model_type": "{MODEL_TYPE}"; see docs/verify.md for the format',
            Place(folder),
            "missing-file",
        )
    try:
        config = LstmConfig.model_validate_json((folder / _CONFIG).read_bytes())
        words = (folder / _VOCABULARY).read_text(encoding="utf-8").splitlines()
        network = _network(config, len(words))
        network.load_state_dict(scoring_library("safetensors.torch").load_file(folder / _WEIGHTS))
    except ValidationError as error:
        first = error.errors()[0]
        raise DataError(f"{first['loc'][0]}: {first['msg']}", Place(folder / _CONFIG), "json") from None
    except Exception as error:  # Broken weights raise whatever safetensors raises.
        raise DataError(f"not a checkpoint: {first_line(error)}", Place(folder)) from None
    vocabulary = {word: k for k, word in enumerate(words)}
    for name in (EDGE, UNKNOWN):
        if name not in vocabulary:
            raise DataError(f"no {name} among the words", Place(folder / _VOCABULARY))
    return LstmScorer(
        network.to(place),
        vocabulary,
        lower=config.lower,
        eos=eos,
        batch_tokens=batch_tokens,
        name=str(path),
        revision=fingerprint(folder),
    )


def train_lstm(
    sentences: Iterable[str],
    *,
    config: LstmConfig | None = None,
    words: int = 50_000,
    epochs: int = 5,
    batch: int = 32,
    rate: float = 0.003,
    seed: int = 0,
    device: str = "auto",
) -> LstmScorer:
    """Train an LSTM from sentences.

    Args:
        sentences: the text.
        config: sizes.
        words: at most so many words are known, the most frequent ones.
        epochs: how often the text is gone through.
        batch: sentences a step.
        rate: learning rate of Adam.
        seed: of the weights and the order of sentences.
        device: of torch, or auto.

    Raises:
        DataError: no sentences. UsageError: torch is not installed.
    """
    torch, config = scoring_library("torch"), config or LstmConfig()
    place = device_of(device)
    divided = [[word.lower() if config.lower else word for word, _ in spans_of_words_and_marks(s)] for s in sentences]
    if not divided:
        raise DataError("no sentences to train from")
    counts = Counter(word for sentence in divided for word in sentence)
    vocabulary = {word: k for k, word in enumerate([EDGE, UNKNOWN, *(w for w, _ in counts.most_common(words))])}
    rows = [_numbers(sentence, vocabulary, lower=False) for sentence in divided]
    generator = torch.Generator().manual_seed(seed)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        network = _network(config, len(vocabulary)).to(place)
    optimizer = torch.optim.Adam(network.parameters(), lr=rate)
    for _ in range(epochs):
        order = torch.randperm(len(rows), generator=generator).tolist()
        for start in range(0, len(order), batch):
            _step(network, [rows[k] for k in order[start : start + batch]], vocabulary[EDGE], optimizer, place)
    return LstmScorer(network, vocabulary, lower=config.lower, name="trained")


def _step(network: Any, rows: Sequence[tuple[int, ...]], edge: int, optimizer: Any, device: Any) -> None:
    """One step of training on some sentences."""
    torch = scoring_library("torch")
    longest = max(map(len, rows))
    inputs = torch.tensor([[edge, *row, *[edge] * (longest - len(row))] for row in rows], device=device)
    targets = torch.tensor([[*row, edge, *[-100] * (longest - len(row))] for row in rows], device=device)
    logits = network["output"](_hidden(network, inputs))
    loss = torch.nn.functional.cross_entropy(logits.flatten(0, 1), targets.flatten())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
