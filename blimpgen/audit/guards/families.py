"""The families of paradigms that share guards, as patterns of UIDs."""

from __future__ import annotations

__all__ = ["DETERMINER_AGREEMENT", "GENDER", "IRREGULAR_NOUNS", "PERMUTED", "REGULAR_NOUNS", "VERB_AGREEMENT"]

VERB_AGREEMENT = ("*_subject_verb_agreement_*", "distractor_agreement_*")
DETERMINER_AGREEMENT = ("determiner_noun_agreement_*",)
REGULAR_NOUNS = (
    "determiner_noun_agreement_[12]",
    "determiner_noun_agreement_with_adjective_1",
    "determiner_noun_agreement_with_adj_2",
    "regular_plural_*",
)
IRREGULAR_NOUNS = ("determiner_noun_agreement_*irregular_*", "irregular_plural_*")
GENDER = ("anaphor_gender_agreement", "principle_A_domain_3")
PERMUTED = (
    "adjunct_island",
    "complex_NP_island",
    "coordinate_structure_constraint_complex_left_branch",
    "left_branch_island_*",
    "sentential_subject_island",
    "principle_A_domain_3",
    "principle_A_reconstruction",
    "only_npi_scope",
    "sentential_negation_npi_scope",
    "ellipsis_n_bar_1",
    "existential_there_quantifiers_2",
)
