"""The codes of errors in files, and of notes: one word for each kind, under which `blimpgen check --json` reports it.

They stand in the one registry with those of guards, so that no word means two things.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from blimpgen.base.codes import declare

__all__ = ["CODES", "NOTES"]

CODES: Mapping[str, str] = MappingProxyType(
    {
        "data": "a data set, a model or a request with a fault that has no code of its own",
        # files
        "missing-file": "a file that does not exist or cannot be read",
        "encoding": "a file that is not UTF-8",
        "yaml": "a YAML file that is not plain YAML: a tag, an anchor, a repeated key, an empty value",
        "tsv": "a table with an unknown name or column, a row with the wrong number of cells, stray spaces",
        "json": "a line of a data set that is not JSON",
        "answers": "forced-choice answers, or their key, that cannot be read",
        # words
        "duplicate": "two rows with the same key",
        "value": "a value that the column, feature or key does not have",
        "type": "a semantic type that is not in the hierarchy",
        "tag": "an affordance tag that does not exist",
        "restriction": "a restriction that cannot be parsed, or that asks what its words cannot answer",
        "frame": "a frame that does not exist, or a verb slot without one",
        "verb-class": "a verb class that does not exist",
        "verb-id": "a row of `verb_frames.tsv` whose verb does not exist",
        "negative": "a frame that is both listed and asserted impossible, or excepted from what no class asserts",
        "library": "a library beside the main one that does not exist",
        # rules
        "rule": "a line of a grammar that is no rule, or a rule that stands twice",
        "head": "a rule without a head, or with two",
        "role": "a daughter without a role, or with an unknown one",
        "symbol": "a symbol that is not defined, stands twice, or that nothing reaches",
        "recursion": "rules that recur without `lower:`",
        "category": "a category or named rule that does not exist",
        "feature": "a feature, column or key of a slot that its category does not have",
        # paradigms
        "key": "an unknown or missing key of a paradigm file",
        "extends": "a paradigm that extends an unknown one, itself, or one that extends another",
        "slot": "a slot that does not exist, stands too late, or has the name of a word",
        "words": "an empty list of words, or one that does not exist",
        "table": "a table slot without rows, or whose rows have different columns",
        "relation": "a relation that cannot hold between the two slots",
        "limit": "more cells, slots, sentences, words or tokens than a paradigm may have",
        "factor": "a factor that `vary` does not have, or one without proper levels",
        "balance": "an entry of `balance` that is no slot, factor or feature",
        "condition": "a condition name with a place that is no factor",
        "template": "a token of a sentence that cannot be read, or a phrase of which not all parts are placed",
        "sentence": "a sentence that does not exist, in a comparison or a level, or two that are the same",
        "change": "a change in place that does not exist, or that no word allows",
        "controller": "a finite verb, auxiliary or determiner with nothing to agree with",
        "empty-slot": "a slot that nothing fits, with the constraint that emptied it",
        "critical": "a critical word that is missing, or around which the sentences differ too much",
        "record": "a recorded key that cannot be computed, or a line of a data set or result that is no row of it",
        "regions": "a group of regions that is missing, or not in the order of the sentences",
        # what the paradigm gives
        "capacity": "more rows than the paradigm can give",
        "attempts": "a row that no attempt settles",
        "wrong-label": "a good sentence that is the bad one of another row",
        "unasserted": "a word that only the bad sentence has, and that nothing asserts to be wrong there",
        "underivable": "a good sentence that the clause grammar does not derive",
        "derivable": "a bad sentence that the clause grammar derives, in a paradigm that does not say why",
        "example": "a worked example that no assignment gives word by word",
    }
)
"""Code to what it is about."""

NOTES: Mapping[str, str] = MappingProxyType(
    {
        "unrelated": "a noun beside a verb or adjective whose argument it is, though no key of a slot relates them",
        "length": "sentences of a pair with different numbers of words, in a paradigm that does not say why",
        "few-words": "a slot that has hardly a word, or to which scenes leave few of those that it has without them",
        "apart": "a clause of reason or contrast in which nobody is of whom the other clause speaks",
        "one-word": "a slot of many words in which one stands in more than a quarter of the rows",
        "no-scene": "a cell that no words of one scene can fill, so that less or nothing is asked of scenes",
    }
)
"""Code to what it is about, of what is no error: the set is made, and may not be what its author means."""

for _kind, _codes in (("check", CODES), ("note", NOTES)):
    for _code, _meaning in _codes.items():
        declare(_code, _kind, f"{_meaning[0].upper()}{_meaning[1:]}.")
