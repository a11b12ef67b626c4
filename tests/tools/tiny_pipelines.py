"""Tiny pipelines of spaCy and Stanza that have learned a few sentences by heart, trained in seconds.

spacy_pipeline(folder)   a folder for `spacy.load`
stanza_pipeline(folder)  the folder of a language in a folder of resources
"""

from __future__ import annotations

import json
import random
from collections.abc import Collection, Sequence
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

WITH, WITHOUT = "The boys who sing smile.", "The boys see the girls."
_NOUNS, _VERBS, _SEEN = ("boy", "girl", "cat", "dog"), ("smile", "sing", "run"), ("see", "like", "know")

Word = tuple[str, str, str, str, int, str]


def treebank(size: int = 120, seed: int = 0) -> list[list[Word]]:
    """Sentences with and without a relative clause in the subject: FORM, LEMMA, UPOS, FEATS, HEAD, DEPREL."""
    chance = random.Random(seed)

    def noun(number: int, head: int, relation: str) -> list[Word]:
        lemma = chance.choice(_NOUNS)
        return [("the", "the", "DET", "_", number + 1, "det"),
                (f"{lemma}s", lemma, "NOUN", "Number=Plur", head, relation)]  # fmt: skip

    sentences = []
    for _ in range(size):
        verb, other, seen = chance.choice(_VERBS), chance.choice(_VERBS), chance.choice(_SEEN)
        if chance.random() < 0.5:
            words = [*noun(1, 5, "nsubj"), ("who", "who", "PRON", "PronType=Rel", 4, "nsubj"),
                     (other, other, "VERB", "VerbForm=Fin", 2, "acl:relcl"),
                     (verb, verb, "VERB", "VerbForm=Fin", 0, "root"), (".", ".", "PUNCT", "_", 5, "punct")]  # fmt: skip
        else:
            words = [*noun(1, 3, "nsubj"), (seen, seen, "VERB", "VerbForm=Fin", 0, "root"), *noun(4, 3, "obj"),
                     (".", ".", "PUNCT", "_", 3, "punct")]  # fmt: skip
        words[0] = ("The", *words[0][1:])
        sentences.append(words)
    return sentences


def text_of(words: Sequence[Word]) -> str:
    return " ".join(word[0] for word in words[:-1]) + words[-1][0]


def spacy_pipeline(folder: Path, parts: Collection[str] = ("parser", "morphologizer", "trainable_lemmatizer")) -> Path:
    """Train a pipeline of spaCy with some components."""
    import spacy
    from spacy.util import fix_random_seed

    fix_random_seed(0)
    nlp = spacy.blank("en")
    for part in parts:
        nlp.add_pipe(part, config={"min_tree_freq": 1, "top_k": 1} if part == "trainable_lemmatizer" else {})
    examples = [_example(nlp, words) for words in treebank()]
    optimizer = nlp.initialize(lambda: examples)
    for _ in range(12):
        for k in range(0, len(examples), 20):
            nlp.update(examples[k : k + 20], sgd=optimizer, drop=0.0)
    nlp.to_disk(folder)
    return folder


def _example(nlp: Any, words: Sequence[Word]) -> Any:
    from spacy.tokens import Doc
    from spacy.training import Example

    spaces = [True] * (len(words) - 2) + [False, False]
    gold = Doc(
        nlp.vocab,
        words=[word[0] for word in words],
        spaces=spaces,
        lemmas=[word[1] for word in words],
        pos=[word[2] for word in words],
        morphs=[word[3].replace("_", "") for word in words],
        heads=[word[4] - 1 if word[4] else k for k, word in enumerate(words)],
        deps=[word[5] for word in words],
    )
    return Example(Doc(nlp.vocab, words=[word[0] for word in words], spaces=spaces), gold)


def stanza_pipeline(folder: Path) -> Path:
    """Train a pipeline of Stanza: tokenizer, tagger, lemmatizer by dictionary, parser."""
    from stanza.models import lemmatizer, parser, tagger, tokenizer
    from stanza.utils.datasets.prepare_tokenizer_data import main as label_characters

    home, language = folder / "training", folder / "en"
    home.mkdir(parents=True)
    conllu, text, labels = home / "t.conllu", home / "t.txt", home / "t.labels"
    sentences = treebank()
    conllu.write_text("".join(map(_conllu, sentences)))
    texts = [text_of(words) for words in sentences]
    text.write_text("\n\n".join(" ".join(texts[k : k + 3]) for k in range(0, len(texts), 3)) + "\n")
    shared = ["--lang", "en", "--shorthand", "en_tiny", "--save_name", "tiny.pt"]
    files = ["--train_file", str(conllu), "--eval_file", str(conllu)]
    small = ["--no_pretrain", "--hidden_dim", "40", "--char_hidden_dim", "20", "--word_emb_dim", "20",
             "--batch_size", "400", "--word_cutoff", "1"]  # fmt: skip
    with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
        label_characters([str(text), str(conllu), "-o", str(labels), "-m", str(home / "mwt.json")])
        tokenizer.main(
            ["--txt_file", str(text), "--label_file", str(labels), "--dev_txt_file", str(text),
             "--dev_label_file", str(labels), "--dev_conll_gold", str(conllu), "--conll_file", str(home / "out"),
             "--mwt_json_file", str(home / "mwt.json"), "--steps", "60",
             "--eval_steps", "60", "--max_seqlen", "80", "--batch_size", "12", "--lr0", "0.01", "--no_use_mwt",
             "--save_dir", str(language / "tokenize"), *shared]
        )  # fmt: skip
        tagger.main([*files, *small, *shared, "--max_steps", "40", "--eval_interval", "40",
                     "--save_dir", str(language / "pos")])  # fmt: skip
        lemmatizer.main([*files, *shared[2:], "--dict_only", "--save_dir", str(language / "lemma")])
        parser.main([*files, *small, *shared, "--max_steps", "50", "--eval_interval", "50", "--no_checkpoint",
                     "--save_dir", str(language / "depparse")])  # fmt: skip
    processors = dict.fromkeys(("tokenize", "pos", "lemma", "depparse"), "tiny")
    resources = {"en": {"lang_name": "English", "packages": {"default": processors},
                        **{name: {"tiny": {}} for name in processors}}}  # fmt: skip
    (folder / "resources.json").write_text(json.dumps(resources))
    return language


def _conllu(words: Sequence[Word]) -> str:
    space = ["_"] * (len(words) - 2) + ["SpaceAfter=No"] * 2
    rows = [
        f"{k}\t{form}\t{lemma}\t{upos}\t_\t{feats}\t{head}\t{deprel}\t_\t{space[k - 1]}\n"
        for k, (form, lemma, upos, feats, head, deprel) in enumerate(words, start=1)
    ]
    return f"# text = {text_of(words)}\n{''.join(rows)}\n"
