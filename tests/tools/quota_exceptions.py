"""What the quotas of the suite blimp do not ask of a paradigm, with the reason; the tests say if one is not needed."""

from __future__ import annotations

_RAISING = "predicates that raise are among the commonest of the language, and no control predicate is"
_EVER = "the contrast is between certain words"
_FEW_PARTICIPLES = "few participles stand before a noun, beside a past that does not"

CAPACITY = {"irregular_past_participle_adjectives": _FEW_PARTICIPLES}
"""Paradigms that make fewer than a million pairs."""

SHARES = {
    ("animate_subject_passive", "agent"): "few people are called by words as short and as common as those of things",
    ("causative", "iv"): "few verbs without an object are as frequent as one that alternates and suit its object",
    ("causative", "verb"): "few verbs that alternate are as frequent as one that does not and suits subject or object",
    ("inchoative", "verb"): "few verbs that alternate share their subject with the object of one that does not",
    ("existential_there_object_raising", "raise"): "few verbs wish that something be there",
    ("expletive_it_object_raising", "raise"): "few verbs say what one finds a fact to be",
}
"""Critical slots with a lemma above 5 %."""

_TRADES = "who has a trade does what belongs to it, so that fewer nouns than names go with a verb"

NAMES = {
    ("anaphor_gender_agreement", "subj"): "names and nouns in equal shares, as the contrast is tested with both",
    ("principle_A_c_command", "obj"): "names and nouns in equal shares, as few nouns have a certain gender",
    ("only_npi_scope", "subj"): "only stands before a name or what is somebody's",
    ("distractor_agreement_relative_clause", "obj"): "people, and a name is as good as the",
    ("existential_there_object_raising", "subj"): _TRADES,
    ("wh_questions_object_gap", "subj"): _TRADES,
}
"""Slots that take common nouns and have more names than 35 %."""

LENGTHS = {
    "tough_vs_raising_2": "what somebody is rumored to do is done to several, who stand without an article",
    "existential_there_object_raising": "what there is has one quality or none, and only a third of it does something",
    "distractor_agreement_relational_noun": "what relatives of people do has no clause and no infinitive behind it",
    "inchoative": "half of the things have an owner",
    "irregular_past_participle_verbs": "there is always an object: without it the bad sentence is a noun phrase",
    "complex_NP_island": "relative clauses in the simple past and heads without possessors: the good sentence is hard "
    "enough to read",
    "principle_A_case_1": "what people say of themselves is mostly a verb alone: that one jogged, won, overreacted",
    "ellipsis_n_bar_1": "no relational noun without its relation, and no adjectives of several words",
    "superlative_quantifiers_1": "what follows (let alone twenty) leaves the bad sentence no reading",
    "superlative_quantifiers_2": "what follows (and probably fewer) leaves the bad sentence no reading",
}
"""Paradigms whose sentences are more than a tenth shorter or longer than the released ones."""

FREQUENCIES = {
    "drop_argument": "what is done habitually is common, and so are its verbs",
    "existential_there_object_raising": _RAISING,
    "existential_there_subject_raising": _RAISING,
    "expletive_it_object_raising": _RAISING,
    "npi_present_1": _EVER,
    "npi_present_2": _EVER,
    "only_npi_licensor_present": _EVER,
    "tough_vs_raising_2": _RAISING,
}
"""Paradigms in which the sentence with the more frequent words, or the other, is good in more than 60 %."""

_THAT = "the contrast is between that, who and what"
_PRONOUN = "the contrast is between a reflexive and a shorter word; anaphor_gender_agreement has two of one length"

LETTERS = {
    "causative": "verbs of what happens to things are short, and those of what only people do are not",
    "drop_argument": "verbs of habit are short, and those that need their object are not; see transitive",
    "inchoative": "verbs of change are short, and those that need their object are not; see passive_1",
    "existential_there_quantifiers_1": "a is shorter than every; existential_there_quantifiers_2 has every twice",
    "irregular_past_participle_adjectives": "participles are longer than pasts; the other way round in "
    "irregular_past_participle_verbs",
    "irregular_past_participle_verbs": "participles are longer than pasts; the other way round in "
    "irregular_past_participle_adjectives",
    "npi_present_1": _EVER,
    "npi_present_2": _EVER,
    "sentential_negation_npi_licensor_present": "not is shorter than adverbs; npi_present_2 has good adverbs",
    "superlative_quantifiers_1": "more than is longer than at most; in superlative_quantifiers_2 both have at most",
    "superlative_quantifiers_2": "no is shorter than the and this",
    "principle_A_c_command": "themselves cannot be bad after one person, who may be they",
    "principle_A_domain_2": "themselves cannot be bad after one person, who may be they",
    "principle_A_case_1": _PRONOUN,
    "principle_A_case_2": "a gerund is longer than a past",
    "principle_A_domain_1": _PRONOUN,
    "wh_island": "who is longer than he, and as long as she",
    "wh_questions_object_gap": _THAT,
    "wh_questions_subject_gap": _THAT,
    "wh_vs_that_no_gap": f"{_THAT}; its sibling with a gap points the other way",
    "wh_vs_that_no_gap_long_distance": f"{_THAT}; its sibling with a gap points the other way",
    "wh_vs_that_with_gap": f"{_THAT}; its sibling without one points the other way",
    "wh_vs_that_with_gap_long_distance": f"{_THAT}; its sibling without one points the other way",
}
"""Paradigms in which the shorter sentence in letters, or the longer, is good in more than 60 %."""
