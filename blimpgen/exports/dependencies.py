"""From the phrases of a sentence to dependencies in the manner of Universal Dependencies, by rule.

Tables say which daughter heads a phrase, which words belong to a sister (*of*, *to*, *'s*), and what a daughter is to
the head; heads are content words, as Universal Dependencies want it. A fronted wh-phrase is attached to the clause
that it introduces, also where its gap is further down. Where a sentence has no derivation, its constituents are
attached as ``dep``: nothing is said of how they belong together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from blimpgen.exports.phrase_trees import UNDERIVED, Phrase

__all__ = ["LITERAL_LEMMAS", "Dependency", "dependencies"]

_UPOS = {
    "D": "DET",
    "Dwh": "DET",
    "N": "NOUN",
    "Name": "PROPN",
    "V": "VERB",
    "VG": "VERB",
    "VP": "VERB",
    "VX": "VERB",
    "TX": "VERB",
    "TP": "VERB",
    "Aux": "AUX",
    "A": "ADJ",
    "Adv": "ADV",
    "NPI": "ADV",
    "Wh": "PRON",
    "Rel": "PRON",
    "Refl": "PRON",
    "Recip": "PRON",
    "Pron": "PRON",
    "Num": "NUM",
    "NumMod": "ADV",
    "Subordinator": "SCONJ",
    "P": "ADP",
    "NQ": "NOUN",
    "refl": "PRON",
    "pro": "PRON",
    "quant": "DET",
    "adv": "ADV",
    "mod": "ADV",
}
_WORDS = {
    "PRON": ("he", "she", "they", "it", "him", "her", "them", "there", "it's", "who", "whose", "what"),
    "ADV": (
        *("only", "even", "ever", "alone", "more", "most", "less", "least", "so", "too", "enough", "twice", "hardly"),
        *("how", "why", "when", "where"),
    ),
    "ADJ": ("fewer", "many", "much"),
    "PART": ("to", "not", "'s", "'"),
    "ADP": ("of", "by", "than", "as", "in"),
    "CCONJ": ("and", "but", "let", "or", "either", "neither", "nor"),
    "SCONJ": ("that", "from", "if", "whether"),
    "DET": ("no", "none", "half", "all", "both", "the", "a", "an", "some", "every", "such"),
    "NOUN": ("one", "ones", "order"),
    "AUX": ("be", "been", "being", "have", "had", "having", "don't"),
    "PUNCT": (".", "?", "!", ","),
}
_UPOS_OF_WORD = {word: upos for upos, words in _WORDS.items() for word in words}

_NOMINAL = ("DP", "NQ", "NB", "MN", "PN", "WHN")
_NOUNS = ("N", "Name", "NQ", "NB", "MN", "PN")
_VERBAL = ("S", "SI", "Q", "EQ", "VP", "VX", "VG", "TP", "TX", "VE", "PC", "GER", "V")
_ARGUMENTS = ("DP", "WHN", "Wh", "Dwh", "Rel", "Refl", "Pron", "he", "she", "they", "him", "her", "them", "refl", "pro")
_FRONTED = ("Wh", "WHN", "Rel", "Dwh")
# Words that belong to the sister before or after them, and as what.
_SATELLITES = {
    "'s": (-1, "case"),
    "'": (-1, "case"),
    "of": (1, "case"),
    "none": (2, "det"),  # the noun heads *none of these archers*, as it heads *none of the archers*
    "half": (2, "det"),
    "P": (1, "case"),
    "by": (1, "case"),
    "than": (1, "case"),
    "as": (1, "case"),
    "whose": (1, "nmod:poss"),
    "to": (1, "mark"),
    "that": (1, "mark"),
    "from": (1, "mark"),
    "and": (1, "cc"),
    "or": (1, "cc"),
    "nor": (1, "cc"),
    "both": (1, "det:predet"),
    "all": (1, "det:predet"),
    "either": (1, "cc:preconj"),
    "neither": (1, "cc:preconj"),
    "but": (1, "cc"),
    "if": (1, "mark"),
    "whether": (1, "mark"),
    "Subordinator": (1, "mark"),
    "let": (2, "cc"),
    "alone": (-1, "fixed"),
    "who": (1, "nsubj"),
}
_IN_SHORT_CLAUSE = {"so": "advmod", "neither": "advmod", "than": "mark", "as": "mark"}
_SHAPES = {
    "Adjunct = had DP VX": "aux@2 nsubj@2 head",
    "DP = D N than DP": "det@1 head case@3 nmod@1",
    "DP = DP , DP , and DP": "head punct@2 conj@0 punct@5 cc@5 conj@0",
    "DP = DP , DP and DP": "head punct@2 conj@0 cc@4 conj@0",
    "DP = DP and DP": "head cc@2 conj@0",
    "DP = DP nor DP": "head cc@2 conj@0",
    "DP = DP or DP": "head cc@2 conj@0",
    "DP = DP where S": "head advmod@2 acl:relcl@0",
    "DP = DP why S": "head advmod@2 acl:relcl@0",
    "DP = Pron RC": "head acl:relcl@0",
    "DP = Wh S": "head acl:relcl@0",
    "DP = every one of DP": "det@1 head case@3 nmod@1",
    "DP = hardly D N": "advmod@1 det@2 head",
    "DP = not D N": "advmod@1 det@2 head",
    "DP = such D A N": "det:predet@3 det@3 amod@3 head",
    "DP = such D NB": "det:predet@2 det@2 head",
    "EQ = how A DP Aux": "advmod@1 head nsubj@1 cop@1",
    "GER = that DP VP": "mark@2 nsubj@2 head",
    "GER = to VX": "mark@1 head",
    "NB = A , A N": "amod@3 punct@2 amod@3 head",
    "NB = Adv A N": "advmod@1 amod@2 head",
    **{f"NB = {degree} A N": "advmod@1 amod@2 head" for degree in ("more", "most", "less", "least")},
    "PN = N A DP": "head amod@0+case@2 obl@1",
    "PN = N VX": "head acl@0",
    "PN = N to VX": "head mark@2 acl@0",
    "Q = Aux DP DP": "cop@2 nsubj@2 head",
    "Q = how A Aux DP": "advmod@1 head cop@1 nsubj@1",
    "RC = whose N S": ". obj@2 head",
    "RC = whose N VP": ". nsubj@2 head",
    **{f"S = S , {word} S": "head punct@3 cc@3 conj@0" for word in ("and", "but", "or", "so")},
    **{f"S = S {word} S": "head cc@2 conj@0" for word in ("and", "but", "or")},
    "S = DP Aux VX and AC too": ". . head cc@4 conj@2 advmod@4",
    "S = DP Aux VX but AC": ". . head cc@4 conj@2",
    "S = DP Refl VP": ". nmod@0 head",
    "S = DP VX and AC too": ". head cc@3 conj@1 advmod@3",
    "S = DP VX but AC": ". head cc@3 conj@1",
    "S = it Aux DP Rel S": "expl@2 cop@2 head relative@4 acl:relcl@2",
    "S = it's Refl Rel DP VP": "nsubj@1 head . . .",
    "S = PP Aux DP": "head cop@0 nsubj@0",
    "S = PP V DP": "obl@1 head nsubj@1",
    "TOP = don't VX .": "aux@1 head punct@1",
    "TOP = how A DP Aux !": "advmod@1 head nsubj@1 cop@1 punct@1",
    "TOP = how Adv S !": "advmod@1 advmod@2 head punct@2",
    "TOP = let 's VX .": "head/VERB obj@0/PRON xcomp@0 punct@0",
    "TOP = what DP DP Aux !": "det:predet@1/DET head nsubj@1 cop@1 punct@1",
    "TOP = what DP S !": "det:predet@1/DET obj@2 head punct@2",
    "WHN = how many N": "advmod@1 amod@2 head",
    "WHN = how much N": "advmod@1 amod@2 head",
    "VP = Aux D VX": ". advmod@2 head",
    "VP = Aux such DP that S": "cop@2 det:predet@2 head mark@4 advcl@2",
    "VP = D VP": "advmod@1 head",
    "VP = Aux DP": "cop@1 head",
    "VP = Aux not DP": "cop@2 advmod@2 head",
    "VX = be DP": "cop@1 head",
    "VX = been DP": "cop@1 head",
    "VX = A DP": "head+case@1 obl@0",
    "VX = A Refl": "head+case@1 obl@0",
    "VX = A VX": "head+mark@1 advcl@0",
    "VX = A enough": "head advmod@0",
    "VX = A enough to VX": "head advmod@0 mark@3 advcl@0",
    "VX = V to DP that S": "head case@2/ADP obl@0 mark@4 ccomp@0",
    "VX = VX A than DP": "head advmod@0 case@3 obl@1",
    "VX = VX in order to VX": "head mark@4 fixed@1 mark@4 advcl@0",
    "VX = VX more Adv than DP": "head advmod@2 advmod@0 case@4 obl@2",
    "VX = have VX": "aux@1 head",
    "VX = having VX": "aux@1 head",
    "VX = less A": "advmod@1 head",
    "VX = less A than DP": "advmod@1 head case@3 obl@1",
    "VX = more A DP": "advmod@1 head+case@2 obl@1",
    "VX = so A that S": "advmod@1 head mark@3 advcl@1",
    "VX = the A": "det@1 head",
    "VX = the A PP": "det@1 head obl@1",
    "VX = the most A": "det@2 advmod@2 head",
    "VX = the most A PP": "det@2 advmod@2 head obl@2",
    "VX = too A to VX": "advmod@1 head mark@3 advcl@1",
    "VX = twice as A as DP": "advmod@1 advmod@2/ADV head case@4 obl@2",
}
"""Phrases with words of their own, as mother and daughters, to what each daughter is: the head of the phrase, or a
relation to the sister with a number from 0, and a part of speech where the word alone does not tell it. Behind a
plus stands what the preposition of an adjective is to which sister. A relative word is subject or object; what is said
of a daughter with a dot is what is said of it elsewhere."""
_PLAIN = {
    "D": "det",
    "Dwh": "det",
    "no": "det",
    "quant": "det",
    "Num": "nummod",
    "NumMod": "advmod",
    "mod": "advmod",
    "Adv": "advmod",
    "NPI": "advmod",
    "Words": "advmod",
    "not": "advmod",
    "only": "advmod",
    "even": "advmod",
    "ever": "advmod",
    "more": "advmod",
    "adv": "advmod",
    "RC": "acl:relcl",
    "Adjunct": "advcl",
    "PP": "obl",
    "there": "expl",
    "it": "expl",
    "A": "xcomp",
    "S": "ccomp",
    "EQ": "ccomp",
    "PC": "ccomp",
    "AC": "advcl",
}
_REFLEXIVE = ("Refl", "refl")
_COUNTED = ("NumMod", "fewer", "D")
_DEGREES = {"more": "Cmp", "fewer": "Cmp", "less": "Cmp", "most": "Sup", "fewest": "Sup", "least": "Sup"}
_BE = ("am", "is", "are", "was", "were", "isn't", "aren't", "wasn't", "weren't", "be", "been", "being")
LITERAL_LEMMAS = {(form, upos): "be" for form in ("been", "being", "'s") for upos in ("AUX", "VERB")}
"""A word that rules write out, with its part of speech, to its lemma."""


@dataclass
class Dependency:
    """A word with its part of speech, its head and its relation to it.

    Attributes:
        form: the word, as it stands in the tree.
        category: its category in the grammar.
        upos: universal part of speech.
        head: number of the head, from 1; 0 for the root.
        relation: universal relation.
        features: universal features that follow from category and relation: reflexive, degree, voice.
    """

    form: str
    category: str
    upos: str
    head: int = 0
    relation: str = "root"
    features: dict[str, str] = field(default_factory=dict)


def dependencies(tree: Phrase) -> list[Dependency]:
    """The words of a sentence with their heads."""
    sentence = _Sentence()
    sentence.attach(tree)
    for number, word in enumerate(sentence.words, start=1):
        word.features |= _features(word) | ({"Voice": "Pass"} if number in sentence.passive else {})
        # "There is a man": a verb of its own, neither auxiliary nor copula.
        if word.upos == "AUX" and word.relation not in ("aux", "aux:pass", "cop", "dep", "conj", "advcl"):
            word.upos = "VERB"
        # "It's himself": the verb, not the possessive. "She has been there": the place, not the expletive.
        elif word.form == "'s" and word.relation == "cop":
            word.upos = "AUX"
        elif word.form == "there" and word.relation == "advmod":
            word.upos = "ADV"
    return sentence.words


def _features(word: Dependency) -> dict[str, str]:
    """What the category of a word says of its features."""
    kind, degree = _kind(word.category), _DEGREES.get(word.form.lower())
    if kind in _REFLEXIVE and word.upos == "PRON":
        return {"PronType": "Prs", "Reflex": "Yes"}
    return {"Degree": degree} if kind in _COUNTED and degree else {}


def _kind(label: str) -> str:
    """The category without the part of a table slot, as in ``adv.good``."""
    return label.partition(".")[0] or label


def _label(phrase: Phrase) -> str:
    """What kind of daughter a phrase is; words from a table are what they are, not words from a table."""
    if phrase.label == "Words" and len(phrase.children) == 1:
        return _label(phrase.children[0])
    return _kind(phrase.label.lower() if phrase.label == phrase.word else phrase.label)


def _has_subject(phrase: Phrase) -> bool:
    """Whether a clause has a subject of its own."""
    for child in phrase.children:
        if _label(child) in _ARGUMENTS:
            return True
        if child.label in _VERBAL:
            return child.label in ("S", "SI") and _has_subject(child)
    return False


def _of_relative(phrase: Phrase, k: int) -> str:
    """What a relative word is in the clause behind it."""
    return "obj" if k + 1 < len(phrase.children) and _has_subject(phrase.children[k + 1]) else "nsubj"


def _upos(word: Phrase) -> str:
    if _kind(word.label) in ("DP", "NQ"):
        return "PROPN" if word.word[0].isupper() else "DET" if word.word in _WORDS["DET"] else "NOUN"
    asks_how = word.label == "Wh" and word.word.lower() in _WORDS["ADV"]
    return (not asks_how and _UPOS.get(_kind(word.label))) or _UPOS_OF_WORD.get(word.word.lower(), "X")


class _Sentence:
    """Collects the words of a tree; a phrase is known by the number of its head."""

    def __init__(self) -> None:
        self.words: list[Dependency] = []
        self.passive: set[int] = set()

    def attach(self, phrase: Phrase) -> int:
        """Add a phrase; the number of its head."""
        if phrase.word:
            self.words.append(Dependency(phrase.word, phrase.label, _upos(phrase)))
            return len(self.words)
        if all(child.word and child.label == phrase.label for child in phrase.children):
            return self._lexeme(phrase)
        heads = [self.attach(child) for child in phrase.children]
        labels = [_label(child) for child in phrase.children]
        shape = _SHAPES.get(f"{phrase.label} = {' '.join(labels)}", "").split()
        top = (
            [each.startswith("head") for each in shape].index(True)
            if shape
            else self._head(phrase.label, labels, heads)
        )
        for k in range(len(heads)):
            if shape and shape[k] != ".":
                self._shape(shape[k].replace("relative", _of_relative(phrase, k)), heads, k)
            elif k != top:
                self._relate(phrase, labels, heads, k, top)
        return heads[top]

    def _shape(self, stated: str, heads: Sequence[int], k: int) -> None:
        """Relate a daughter as the table of shapes says, such as ``case@2/ADP``."""
        stated, _, upos = stated.partition("/")
        relation, _, of_words_behind = stated.partition("+")
        name, _, sister = relation.partition("@")
        if sister:
            self._set(heads[k], heads[int(sister)], name)
        name, _, sister = of_words_behind.partition("@")
        for number, word in enumerate(self.words, start=1):
            if sister and word.head == heads[k] and word.relation == "fixed":
                self._set(number, heads[int(sister)], name)
                word.upos = "ADP"
        if upos:
            self.words[heads[k] - 1].upos = upos

    def _lexeme(self, phrase: Phrase) -> int:
        """A lexeme of several words: nouns are headed by the last, all others by the first."""
        numbers = [self.attach(child) for child in phrase.children]
        nominal = phrase.label in ("N", "Name", "DP", "NQ")
        head = numbers[-1 if nominal else 0]
        for number in numbers:
            word = self.words[number - 1]
            if number == head:
                continue
            if not nominal:
                verb = self.words[head - 1].upos == "VERB"
                self._set(number, head, "compound:prt" if verb else "fixed")
                word.upos = "ADP" if verb else word.upos
            else:
                self._set(number, head, "det" if word.upos == "DET" else "compound")
        return head

    def _head(self, label: str, labels: Sequence[str], heads: Sequence[int]) -> int:
        """Which daughter heads a phrase."""
        if label in _NOMINAL:
            nouns = [k for k, name in enumerate(labels) if name in _NOUNS]
            return nouns[-1] if nouns else labels.index("DP") if "DP" in labels else len(labels) - 1
        if label == "PP":
            return len(labels) - 1
        if label == "AC":  # *so did Paul*: what is left out leaves the auxiliary as the head
            return labels.index("Aux")
        if label == "VX" and labels[0] in ("DP", "A"):
            return 0
        if label == "VX" and "A" in labels and "V" not in labels and "VX" not in labels:
            return labels.index("A")  # *as tall as*, *much more careful than*
        if self._exists(labels, heads):
            return len(labels) - 2
        if "A" in labels and "Aux" in labels:
            return labels.index("A")
        if labels[0] in ("it", "it's") and "Refl" in labels:
            return labels.index("Refl")
        if "there" in labels and "Aux" in labels:
            return next((labels.index(be) for be in ("been", "be") if be in labels), labels.index("Aux"))
        verbal = [k for k, name in enumerate(labels) if name in _VERBAL and name != "GER"]
        words = [k for k, head in enumerate(heads) if self.words[head - 1].upos != "PUNCT"]
        return (verbal or words or [0])[0]

    def _exists(self, labels: Sequence[str], heads: Sequence[int]) -> bool:
        """Whether a phrase says of its last daughter, a noun phrase, that *there is* one."""
        if labels[-1] != "VX" or labels[-2:-1] not in (["be"], ["been"], ["Aux"]):
            return False
        before = self.words[: heads[-2]]
        return self.words[heads[-1] - 1].upos not in ("VERB", "AUX", "ADJ") and any(
            word.form.lower() == "there" for word in before
        )

    def _set(self, number: int, head: int, relation: str) -> None:
        self.words[number - 1].head, self.words[number - 1].relation = head, relation

    def _relate(self, phrase: Phrase, labels: Sequence[str], heads: Sequence[int], k: int, top: int) -> None:
        """Attach a daughter to the head of the phrase, or to the sister that it belongs to."""
        if self.words[heads[k] - 1].upos == "PUNCT":
            self._set(heads[k], heads[top], "punct")
        elif phrase.label == UNDERIVED:
            self._set(heads[k], heads[top], "dep")
        elif phrase.label == "AC":
            self._set(heads[k], heads[top], _IN_SHORT_CLAUSE.get(labels[k], "nsubj"))
        elif labels[k] in _SATELLITES and labels[k] != phrase.label:
            self._set(heads[k], *self._satellite(labels, heads, k, top))
            if labels[k : k + 2] == ["as", "A"]:  # of *as tall as*, the first one
                self.words[heads[k] - 1].upos = "ADV"
                self._set(heads[k], heads[k + 1], "advmod")
        else:
            self._set(heads[k], *self._relation(phrase, labels, heads, k, top))

    @staticmethod
    def _satellite(labels: Sequence[str], heads: Sequence[int], k: int, top: int) -> tuple[int, str]:
        """The sister that a small word belongs to, and as what; *'s* after *it* is a verb."""
        if labels[k] == "'s" and labels[0] == "it":
            return heads[top], "cop"
        step, relation = _SATELLITES[labels[k]]
        sister = min(max(k + step, 0), len(heads) - 1)
        if labels[k] == "and" and "fewer" in labels[k:]:
            sister = labels.index("fewer", k)
        if labels[sister] == "be" and "A" in labels[sister:]:
            sister = labels.index("A", sister)
        return heads[sister], relation

    def _relation(
        self, phrase: Phrase, labels: Sequence[str], heads: Sequence[int], k: int, top: int
    ) -> tuple[int, str]:
        """The head and the relation of a daughter that is no satellite."""
        label, head = labels[k], heads[top]
        before = labels[k - 1] if k else ""
        if phrase.label in _NOMINAL:
            return self._in_noun_phrase(phrase, labels, heads, k, top)
        if label in ("Aux", "been", "being"):
            return head, self._auxiliary(heads[k], head, labels[top])
        if label == "be":
            if "A" in labels[k:]:
                return heads[labels.index("A", k)], "cop"
            predicate = heads[k + 1] if labels[k + 1 : k + 2] == ["VX"] else 0
            copula = predicate and self.words[predicate - 1].upos not in ("VERB", "AUX")
            return (predicate, "cop") if copula else (head, "xcomp")
        if label == "Adv" and "fewer" in labels[k:]:
            return heads[labels.index("fewer", k)], "advmod"
        if label == "Adv" and before == "V" and labels[k + 1 : k + 2] == ["DP"]:
            return heads[k + 1], "advmod"  # *admires only Paul*
        if before in ("and", "alone") or label == "fewer":
            return heads[k - 2] if label == "DP" else head, "conj"
        if label in _PLAIN:
            return self._plain(phrase, labels, heads, k, top)
        if label in _ARGUMENTS:
            return self._argument(phrase, labels, heads, k, top)
        return self._verbal(labels, heads, k, top)

    @staticmethod
    def _verbal(labels: Sequence[str], heads: Sequence[int], k: int, top: int) -> tuple[int, str]:
        """A verb phrase: of a cleft, after the noun phrase of *there is* or *to be*, as a subject, or a complement."""
        if labels[k] not in _VERBAL:
            return heads[top], "dep"
        if labels[top] == "Refl":
            return heads[top], "acl:relcl"
        if labels[top] in ("be", "been", "Aux"):
            return heads[top], "nsubj"
        if labels[top] == "DP":
            return heads[top], "acl"
        if labels[k - 1] == "DP" and ("there" in labels or "be" in labels):
            return heads[k - 1], "acl"
        if labels[k - 1] in ("there", "who"):
            return heads[top], "advcl" if labels[k - 1] == "there" else "ccomp"
        return heads[top], "csubj" if k < top else "xcomp"

    @staticmethod
    def _plain(phrase: Phrase, labels: Sequence[str], heads: Sequence[int], k: int, top: int) -> tuple[int, str]:
        """Daughters that are the same nearly everywhere."""
        if labels[k] == "S" and "A" in labels[:k]:
            return heads[labels.index("A")], "ccomp"
        if labels[k] == "there" and phrase.label == "VP":
            return heads[top], "advmod"
        return heads[top], _PLAIN[labels[k]]

    def _in_noun_phrase(
        self, phrase: Phrase, labels: Sequence[str], heads: Sequence[int], k: int, top: int
    ) -> tuple[int, str]:
        label, after = labels[k], labels[k + 1] if k + 1 < len(labels) else ""
        if label == "Rel" and after == "S":
            return heads[k + 1], _of_relative(phrase, k)
        special = {
            "DP": "nmod:poss" if after in ("'s", "'") else "nmod",
            "PP": "nmod",
            "S": "acl" if phrase.label == "PN" else "acl:relcl",
            "A": "amod",
            "V": "amod",
            "N": "compound",
        }
        return heads[top], special.get(label) or _PLAIN.get(label, "dep")

    def _auxiliary(self, number: int, head: int, label: str) -> str:
        is_be = self.words[number - 1].form.lower() in _BE
        if label in ("A", "Refl") or self.words[head - 1].upos not in ("VERB", "AUX"):
            return "cop" if is_be else "aux"
        if is_be and not self.words[head - 1].form.endswith("ing"):
            self.passive.add(head)
            return "aux:pass"
        return "aux"

    def _argument(
        self, phrase: Phrase, labels: Sequence[str], heads: Sequence[int], k: int, top: int
    ) -> tuple[int, str]:
        """Subjects stand before the head, objects after it; a fronted phrase is an object if there is a subject."""
        head, before = heads[top], labels[k - 1] if k else ""
        if labels[k] == "Wh" and self.words[heads[k] - 1].upos == "ADV":
            return head, "advmod"
        if before in ("by", "than", "as"):
            return head, "obl"
        if before == "be":
            return heads[k - 1], "nsubj"
        if "there" in labels and labels[top] in ("Aux", "be", "been"):
            return head, "nsubj"
        if phrase.label == "GER":
            return head, "nmod:poss"
        if labels[top] == "Refl":
            top = next((n for n, name in enumerate(labels) if name in _VERBAL), top)
            head = heads[top]
        if labels[k] in _FRONTED and (k == 0 or labels[k] == "Rel"):
            subject = {"DP", "GER", "to"}.intersection(labels) or _has_subject(phrase.children[top])
            return head, "obj" if subject else self._subject(head)
        return head, self._subject(head) if k < top else "obj"

    def _subject(self, head: int) -> str:
        return "nsubj:pass" if head in self.passive else "nsubj"
