"""A word-level LSTM as a language model of transformers, so that its loaders, its trainer and our scorer take it.

The folder of one is like that of any other model: ``config.json`` with ``"model_type": "blimpgen-lstm"``, the weights
as ``model.safetensors``, and a tokenizer. `register` tells transformers of it; no code comes with the folder.
"""

from __future__ import annotations

from typing import Any

from blimpgen.scoring.loading import scoring_library

__all__ = ["WordLstmConfig", "WordLstmForCausalLM", "register"]

torch = scoring_library("torch")
transformers = scoring_library("transformers")


class WordLstmConfig(transformers.PretrainedConfig):  # type: ignore[misc, name-defined]
    """The sizes of a word-level LSTM.

    Args:
        vocab_size: words and special tokens.
        hidden_size: width of the embedding, which is the output layer as well, and of the LSTM.
        num_hidden_layers: layers of the LSTM.
        dropout: after the embedding, between the layers and after the last one, while it is trained.
        initializer_range: the embedding is drawn evenly from minus this number to this number.
        options: of every configuration of transformers, such as the numbers of the special tokens.
    """

    model_type = "blimpgen-lstm"

    def __init__(
        self,
        vocab_size: int = 50_002,
        hidden_size: int = 1024,
        num_hidden_layers: int = 2,
        dropout: float = 0.1,
        initializer_range: float = 0.1,
        **options: Any,
    ) -> None:
        self.vocab_size, self.hidden_size, self.num_hidden_layers = vocab_size, hidden_size, num_hidden_layers
        self.dropout, self.initializer_range = dropout, initializer_range
        super().__init__(**{"tie_word_embeddings": True, **options})


class WordLstmForCausalLM(transformers.PreTrainedModel):  # type: ignore[misc, name-defined]
    """The model: embedding, LSTM, and an output layer with the weights of the embedding and a bias of its own.

    Args:
        config: its sizes.
    """

    config_class = WordLstmConfig
    base_model_prefix = "lstm"
    _tied_weights_keys = {"lm_head.weight": "embedding.weight"}  # noqa: RUF012

    def __init__(self, config: WordLstmConfig) -> None:
        super().__init__(config)
        nn, width, layers = torch.nn, config.hidden_size, config.num_hidden_layers
        self.embedding = nn.Embedding(config.vocab_size, width)
        self.dropout = nn.Dropout(config.dropout)
        self.lstm = nn.LSTM(width, width, layers, batch_first=True, dropout=config.dropout if layers > 1 else 0.0)
        self.lm_head = nn.Linear(width, config.vocab_size)
        self.post_init()

    def get_input_embeddings(self) -> Any:
        """The embedding."""
        return self.embedding

    def set_input_embeddings(self, value: Any) -> None:
        """Replace the embedding, as when tokens are added."""
        self.embedding = value

    def get_output_embeddings(self) -> Any:
        """The output layer."""
        return self.lm_head

    def set_output_embeddings(self, new_embeddings: Any) -> None:
        """Replace the output layer, as when tokens are added."""
        self.lm_head = new_embeddings

    def _init_weights(self, module: Any) -> None:
        # By its kind, not its name: embedding and output layer are replaced when tokens are added.
        init, nn = torch.nn.init, torch.nn
        if isinstance(module, nn.Embedding):
            init.uniform_(module.weight, -self.config.initializer_range, self.config.initializer_range)
        elif isinstance(module, nn.LSTM):
            bound = self.config.hidden_size**-0.5
            for weights in module.parameters():
                init.uniform_(weights, -bound, bound)
        elif isinstance(module, nn.Linear):
            init.zeros_(module.bias)

    def forward(self, input_ids: Any, attention_mask: Any = None, labels: Any = None, **options: Any) -> Any:
        """Compute the logits of the next tokens, and the loss where labels are given.

        Args:
            input_ids: numbers of tokens, sentences x length.
            attention_mask: not used: a sentence is filled up at its end, where nothing looks back from.
            labels: as `input_ids`, -100 where nothing is learned.
            options: of the loss, such as the number of tokens in a batch that is divided among devices.
        """
        states, _ = self.lstm(self.dropout(self.embedding(input_ids)))
        logits = self.lm_head(self.dropout(states))
        loss = None
        if labels is not None:
            loss = self.loss_function(logits, labels, vocab_size=self.config.vocab_size, **options)
        return transformers.modeling_outputs.CausalLMOutput(loss=loss, logits=logits)


def register() -> None:
    """Let the automatic loaders of transformers know the model."""
    transformers.AutoConfig.register(WordLstmConfig.model_type, WordLstmConfig, exist_ok=True)
    transformers.AutoModelForCausalLM.register(WordLstmConfig, WordLstmForCausalLM, exist_ok=True)
