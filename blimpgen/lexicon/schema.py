"""The layout of the lexicon: every table with its columns, their values, defaults and meaning.

This is the one place that knows the columns. The reader checks files against it, `docs/lexicon.md` is filled
from it, and `blimpgen check` quotes it.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType

__all__ = ["CATEGORIES", "DETERMINER_KINDS", "FRAMES", "FUNCTION_KINDS", "HIERARCHY", "TABLES", "Column", "TableSpec"]


@dataclass(frozen=True)
class Column:
    """One column.

    Attributes:
        name: as in the header row; UD features are capitalised.
        doc: what it says.
        values: the closed set of values, empty if open; of a list or of relations, those of its items.
        default: what an empty cell means.
        kind: text, list, types, restriction (of nouns), verbs, adjectives, clauses or predicates (a restriction of
            these; of verbs, or of verbs and adjectives, in a clause), relations, frames or form.
    """

    name: str
    doc: str
    values: tuple[str, ...] = ()
    default: str = ""
    kind: str = "text"


@dataclass(frozen=True)
class TableSpec:
    """One table: file name without ``.tsv``, what a row is, key columns, all columns."""

    name: str
    doc: str
    key: tuple[str, ...]
    columns: tuple[Column, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The column names in order."""
        return tuple(column.name for column in self.columns)


FRAMES = MappingProxyType(
    {
        "V": "NP V (The ship vanished.)",
        "V.NP": "NP V NP (The clerk admired the vase.)",
        "V.P": "NP V P NP (The clerk listened to the song.)",
        "V.NP.NP": "NP V NP NP (The clerk gave the guest a key.)",
        "V.NP.P": "NP V NP P NP (The clerk gave a key to the guest.)",
        "V.NP.loc": "NP V NP PP (The clerk put the key on the shelf.)",
        "V.loc": "NP V PP (The ladder leaned against the wall.)",
        "V.that": "NP V (that) S (The clerk said that the guest left.)",
        "V.that.bare": "NP V that NP VP (The clerk insisted that the guest leave.)",
        "V.wh": "NP V wh-S (The clerk wondered who left.)",
        "V.NP.that": "NP V NP that S (The clerk told the guest that it rained.)",
        "V.NP.wh": "NP V NP wh-S (The clerk asked the guest who left.)",
        "V.to.sc": "subject control (The clerk tried to leave.)",
        "V.to.sr": "subject raising (The clerk seemed to leave.)",
        "V.NP.to.oc": "object control (The clerk persuaded the guest to leave.)",
        "V.NP.to.or": "raising to object (The clerk expected there to be a storm.)",
        "V.NP.to.sc": "subject control over an object (The clerk promised the guest to leave.)",
        "V.ing": "gerund complement (The clerk enjoyed singing.)",
        "V.NP.ing": "NP V NP V-ing (The clerk imagined the guest singing.)",
        "V.NP.from": "NP V NP from V-ing (The clerk kept the guest from leaving.)",
        "V.NP.bare": "NP V NP VP (The clerk let the guest leave.)",
        "it.V.that": "it V that S (It seemed that the guest left.)",
        "it.V.NP.that": "it V NP that S (It annoyed the guest that the clerk left.)",
        "V.pred": "linking verb (The clerk became famous.)",
        "V.NP.pred": "small clause (The clerk considered the guest clever.)",
        "A": "NP be A (The guest is tall.)",
        "A.P": "NP be A P NP (The guest is fond of the clerk.)",
        "A.it.that": "it be A that S (It is clear that the guest left.)",
        "A.that": "NP be A that S (The guest is glad that the clerk left.)",
        "A.wh": "NP be A wh-S (The guest is unsure who left.)",
        "A.to.sc": "subject control (The guest is eager to leave.)",
        "A.to.sr": "subject raising (The guest is likely to leave.)",
        "A.tough": "tough movement (The guest is easy to please.)",
    }
)

HIERARCHY = (
    TableSpec(
        "types",
        "semantic types, one hierarchy",
        ("type",),
        (
            Column("type", "name of the type"),
            Column("parent", "the type above; empty for the root"),
            Column("example", "a noun of exactly this type"),
        ),
    ),
    TableSpec(
        "tags",
        "affordances, inherited from types",
        ("tag",),
        (
            Column("tag", "name of the tag; written +tag in a restriction"),
            Column("types", "types whose nouns have it unless they say otherwise", kind="list"),
            Column("meaning", "what it says of a noun"),
            Column("question", "what one asks of a noun to see whether it has the tag"),
        ),
    ),
    TableSpec(
        "macros",
        "named restrictions",
        ("macro",),
        (
            Column("macro", "name; written $name in a restriction"),
            Column("means", "the restriction it stands for"),
            Column("comment", "what it is for"),
        ),
    ),
)

_YES_NO = ("yes", "no")
_AKTIONSART = ("state", "act", "acc", "ach", "semel")
_LEVELS = ("stage", "indiv")
_PROGRESSIVE = ("yes", "no", "marked")
_PASSIVE = ("yes", "no", "pseudo")
_REFLEXIVE = ("yes", "odd", "no")
_LICENSORS = ("neg", "n-word", "DE-restr", "DE-scope", "question", "conditional", "only", "adversative")
_COMMON = (
    Column("tags", "+tag adds an affordance to a noun, -tag removes one; a mark such as rare has no sign", kind="list"),
    Column("onset", "V or C where spelling misleads a/an; empty: as it is spelt", ("V", "C")),
    Column("src", "blimp: a word of the released data; core: new", ("blimp", "core"), "core"),
    Column("note", "for the reader"),
)
_LIKE = Column("like", "the word in whose places it stands: a list of a table that names that one means this one too")


def _lexeme(*columns: Column) -> tuple[Column, ...]:
    return (Column("id", "lemma.n, unique in its table"), Column("lemma", "citation form"), *columns, *_COMMON)


TABLES = MappingProxyType(
    {
        table.name: table
        for table in (
            TableSpec(
                "nouns",
                "common nouns",
                ("id",),
                _lexeme(
                    Column("types", "types joined by +; several for dot objects (book: document+info)", kind="types"),
                    Column(
                        "count",
                        "count, mass, both, ptan (plural only, without numerals)",
                        ("count", "mass", "both", "ptan"),
                        "count",
                    ),
                    Column("plural", "empty: by rule (a mass noun has none); a form; = the same; - none", kind="form"),
                    Column("plural_alt", "other accepted plurals: never generated, block a bad sentence", kind="list"),
                    Column(
                        "Gender",
                        "Masc or Fem only if the word means it; empty: Com of humans, else Neut",
                        ("Com", "Masc", "Fem", "Neut"),
                    ),
                    Column("stereo", "m or f: a bias of society, never used by the grammar", ("m", "f")),
                    Column(
                        "rel",
                        "relational: poss or poss:RESTRICTION, of:..., about:..., that, to",
                        ("poss", "of", "about", "that", "to"),
                        kind="relations",
                    ),
                    Column("agr", "verb agreement of the singular", ("Sing", "Plur", "either"), "Sing"),
                    Column("distrib", "a group noun that takes collective predicates in the singular", _YES_NO, "no"),
                    Column(
                        "number_stable", "no: the number is unstable for some speakers (media, data)", _YES_NO, "yes"
                    ),
                    Column(
                        "covers",
                        "nouns for what is also one of these, or the same: never compared or joined with it",
                        kind="restriction",
                    ),
                    _LIKE,
                ),
            ),
            TableSpec(
                "names",
                "proper names",
                ("id",),
                _lexeme(
                    Column("kind", "kind of name", ("given", "full", "family_pl", "place", "org", "work"), "given"),
                    Column("Gender", "Com: unisex; empty: Neut", ("Masc", "Fem", "Com", "Neut")),
                    Column("Number", "Plur for families and ranges", ("Sing", "Plur"), "Sing"),
                    Column("det", "the, where the name takes it", ("the",)),
                    Column("types", "types joined by +", kind="types"),
                    Column("topicable", "can be what a book is about", _YES_NO, "no"),
                ),
            ),
            TableSpec(
                "verbs",
                "verb lexemes: inflection and aspect",
                ("id",),
                _lexeme(
                    Column("prt", "particle, preposition or fixed rest: up:sep, up:insep, about:prep, fishing:fixed"),
                    Column("infl", "dbl: doubles its last consonant", ("dbl",)),
                    Column("past", "irregular past", kind="form"),
                    Column("part", "irregular participle", kind="form"),
                    Column("pres3", "irregular third person singular", kind="form"),
                    Column("ing", "irregular -ing form", kind="form"),
                    Column("past_alt", "other accepted pasts: never generated, block a bad sentence", kind="list"),
                    Column("part_alt", "other accepted participles", kind="list"),
                    Column("class", "key of verb_classes"),
                    Column("akt", "Vendler class", _AKTIONSART, "act"),
                    Column("lvl", "stage or individual level", _LEVELS, "stage"),
                    Column(
                        "stage",
                        "when it comes among what is done to one thing: 1 (*build*) to 9 (*sell*); never: not before "
                        "or after something else (*unwrap*, which *wrap* undoes)",
                        ("any", "never", *"123456789"),
                        "any",
                    ),
                    Column("prog", "progressive: yes, no, marked", _PROGRESSIVE, "yes"),
                    Column("attributive", "the participle stands before a noun (a broken vase)", _YES_NO, "no"),
                    Column(
                        "no_frames",
                        "frames asserted impossible for the lemma; -FRAME: not, as its class says",
                        kind="frames",
                    ),
                    _LIKE,
                ),
            ),
            TableSpec(
                "verb_frames",
                "one row a verb and frame",
                ("id", "frame"),
                (
                    Column("id", "id of the verb"),
                    Column("frame", "one of the frames", kind="frames"),
                    Column("subj", "which nouns may be its subject", default="any", kind="restriction"),
                    Column(
                        "subj_no", "which nouns are clear violations as its subject", default="none", kind="restriction"
                    ),
                    Column("obj", "which nouns may be its object", default="any", kind="restriction"),
                    Column(
                        "obj_no", "which nouns are clear violations as its object", default="none", kind="restriction"
                    ),
                    Column(
                        "comp",
                        "ctrl=subj, ctrl=obj, theta=comp; questions: whether,wh,-why; to:RESTRICTION; the preposition",
                    ),
                    Column("passive", "whether the object can become the subject", _PASSIVE, "yes"),
                    Column(
                        "drop",
                        "object drop: no, indefinite, definite; in a row of V, def: a complement is understood",
                        ("no", "indef", "def"),
                        "no",
                    ),
                    Column(
                        "alt",
                        "alternation: causative-inchoative, reciprocal, dative, locative, middle, cognate",
                        ("ci", "recip", "dat", "loc", "mid", "cog"),
                    ),
                    Column(
                        "coll",
                        "has a plural or a group as its subject: it is usual (yes: chat), or nobody can do it alone "
                        "(several: gather)",
                        ("yes", "no", "several"),
                        "no",
                    ),
                    Column("refl", "a reflexive object is natural", _REFLEXIVE, "no"),
                    Column("that0", "the complementizer may drop", _YES_NO, "no"),
                    Column("fact", "the clause is presupposed", ("factive",)),
                    Column("clause", "which verbs its clause or infinitive may have", default="any", kind="clauses"),
                    Column("note", "for the reader"),
                ),
            ),
            TableSpec(
                "verb_uses",
                "uses of verbs that a reader knows and nothing is made with; a bad sentence that has one is not bad",
                ("id", "frame", "subj", "obj"),
                (
                    Column("id", "id of the verb"),
                    Column("frame", "one of the frames", kind="frames"),
                    Column("subj", "which nouns may be its subject", default="any", kind="restriction"),
                    Column("obj", "which nouns may be its object", default="any", kind="restriction"),
                    Column(
                        "doubtful",
                        "yes: some speakers do not have the use, or seldom think of it; context: nobody has it unless "
                        "more is said than the clause (*seek and find*, *scares easily*)",
                        ("no", "yes", "context"),
                        "no",
                    ),
                    Column("note", "an example"),
                ),
            ),
            TableSpec(
                "verb_classes",
                "defaults of the members of a verb class",
                ("class", "frame"),
                (
                    Column("class", "VerbNet or Levin name and number"),
                    Column("title", "what the members have in common"),
                    Column(
                        "frame", "empty: defaults of the lexeme; a frame: defaults of that frame's row", kind="frames"
                    ),
                    Column("akt", "as in verbs", _AKTIONSART),
                    Column("lvl", "as in verbs", _LEVELS),
                    Column("prog", "as in verbs", _PROGRESSIVE),
                    Column("no_frames", "asserted impossible for every member that does not list it", kind="frames"),
                    Column("subj", "as in verb_frames", kind="restriction"),
                    Column("subj_no", "as in verb_frames", kind="restriction"),
                    Column("obj", "as in verb_frames", kind="restriction"),
                    Column("obj_no", "as in verb_frames", kind="restriction"),
                    Column("refl", "as in verb_frames", _REFLEXIVE),
                    Column("passive", "as in verb_frames", _PASSIVE),
                ),
            ),
            TableSpec(
                "scenes",
                "walks of life: words of different ones do not meet in a sentence, those of none go with all",
                ("scene",),
                (
                    Column("scene", "name of the scene"),
                    Column("meaning", "what goes on in it"),
                    Column("nouns", "who and what belongs to it", kind="restriction"),
                    Column("verbs", "what is done in it", kind="verbs"),
                    Column("adjectives", "what is said of people and things in it", kind="adjectives"),
                    Column(
                        "strangers", "people to whom it gives nothing in common: anybody does it", kind="restriction"
                    ),
                    Column("contrary", "the scene of what is done in spite of it"),
                ),
            ),
            TableSpec(
                "peers",
                "classes of things that one compares, or names in one breath",
                ("peers",),
                (
                    Column("peers", "name of the class"),
                    Column("meaning", "what its members are, or are used for"),
                    Column("nouns", "its members", kind="restriction"),
                    Column(
                        "adjectives", "by which they are compared; empty: by any; none: only joined", kind="adjectives"
                    ),
                ),
            ),
            TableSpec(
                "adjectives",
                "adjectives and predicative phrases",
                ("id",),
                _lexeme(
                    Column(
                        "prt", "preposition of one that takes a noun phrase, which has the frame A.P alone: of:prep"
                    ),
                    Column("comp", "comparative: er (rule), a form, more, none", default="more"),
                    Column("sup", "superlative: est (rule; so where comp is er), a form, most, none", default="most"),
                    Column(
                        "pos",
                        "where it is drawn: before nouns, behind a copula, or both; no label rests on it",
                        ("attr", "pred", "both"),
                        "both",
                    ),
                    Column("arg", "which nouns it modifies or is said of", default="any", kind="restriction"),
                    Column("obj", "which nouns stand after its preposition", default="any", kind="restriction"),
                    Column("frames", "complements it takes", default="A", kind="frames"),
                    Column("no_frames", "complements asserted impossible", kind="frames"),
                    Column("lvl", "stage or individual level", _LEVELS, "indiv"),
                    Column(
                        "cls",
                        "semantic class",
                        (
                            "colour",
                            "size",
                            "age",
                            "quality",
                            "emotion",
                            "cognition",
                            "shape",
                            "modal",
                            "origin",
                            "evaluative",
                            "participial",
                        ),
                        "quality",
                    ),
                    Column("of_verb", "verb with the same stem: *break* for *broken*, *clean* for *clean*"),
                    Column(
                        "verbs",
                        "the verbs of which what it modifies is the subject or object",
                        default="any",
                        kind="clauses",
                    ),
                    Column("clause", "which verbs its that-clause may have", default="any", kind="clauses"),
                    _LIKE,
                ),
            ),
            TableSpec(
                "adverbs",
                "adverbs",
                ("id",),
                _lexeme(
                    Column(
                        "cls",
                        "semantic class",
                        (
                            "freq",
                            "manner",
                            "degree",
                            "epistemic",
                            "evaluative",
                            "temporal",
                            "place",
                            "linking",
                            "focus",
                            "neg",
                        ),
                    ),
                    Column(
                        "time",
                        "the time it names, seen from now; recent: a past that the present perfect takes too",
                        ("past", "recent", "present", "future", "none"),
                        "none",
                    ),
                    Column(
                        "slot",
                        "positions: before the verb, first, last, before an adjective (very) or comparative (much)",
                        ("pre_v", "initial", "final", "pre_a", "pre_cmp"),
                        kind="list",
                    ),
                    Column("polarity", "none, NPI or PPI", ("none", "NPI", "PPI"), "none"),
                    Column("licensor", "licenses polarity items", _YES_NO, "no"),
                    Column("modifies", "which verbs it fits", default="any", kind="verbs"),
                ),
            ),
            TableSpec(
                "determiners",
                "determiners, quantifiers, numerals and their modifiers",
                ("id",),
                _lexeme(
                    Column(
                        "kind",
                        "article, demonstrative, quantifier, numeral, modifier",
                        ("art", "dem", "quant", "num", "mod"),
                    ),
                    Column("sg", "form before a singular count noun; empty: none", kind="form"),
                    Column("pl", "form before a plural", kind="form"),
                    Column("mass", "form before a mass noun", kind="form"),
                    Column(
                        "open",
                        "number classes that some speakers or contexts allow besides: refused in bad sentences only",
                        ("sg", "pl", "mass"),
                        kind="list",
                    ),
                    Column("Definite", "UD definiteness", ("Def", "Ind"), "Ind"),
                    Column("strength", "strong determiners are barred after there", ("weak", "strong"), "weak"),
                    Column("there", "acceptability after there", ("ok", "bad", "marg"), "ok"),
                    Column("restr", "monotonicity of the restrictor", ("up", "down", "none"), "none"),
                    Column("scope", "monotonicity of the scope", ("up", "down", "none"), "none"),
                    Column("npi_r", "licenses polarity items in the restrictor", ("yes", "no", "marg"), "no"),
                    Column("npi_s", "licenses polarity items in the scope", ("yes", "no", "marg"), "no"),
                    Column("npe", "form left when the noun is dropped; - none", kind="form"),
                    Column("sup", "a superlative numeral modifier (at least)", _YES_NO, "no"),
                    Column("neg", "a negative determiner", _YES_NO, "no"),
                    Column(
                        "q",
                        "quantificational force",
                        ("none", "some", "all", "most", "many", "few", "no", "num"),
                        "none",
                    ),
                    Column(
                        "under_not",
                        "natural as subject of a negated verb; odd: not wrong, but nobody would say it",
                        ("yes", "no", "odd"),
                        "yes",
                    ),
                    Column("after_not", "natural as object of a negated verb", _YES_NO, "yes"),
                    Column("weight", "how often it is drawn; 0: only where a slot names it", default="0"),
                ),
            ),
            TableSpec(
                "auxiliaries",
                "auxiliaries, modals and the copula",
                ("id",),
                _lexeme(
                    Column("kind", "which verb group it makes", ("modal", "have", "be", "do")),
                    Column("selects", "the verb form it takes", ("bare", "ing", "part")),
                    *(
                        Column(f"{tense}_{number}{neg}", "a form" + (" with n't" if neg else ""), kind="form")
                        for tense in ("pres", "past")
                        for number in ("sg", "pl")
                        for neg in ("", "_neg")
                    ),
                    Column("part", "the participle, which a template may write out", kind="form"),
                    Column("weight", "how often it is drawn, against others of its kind", default="1"),
                    Column("clause", "which verbs it is drawn with", default="any", kind="clauses"),
                ),
            ),
            TableSpec(
                "pronouns",
                "personal pronouns and their reflexives",
                ("id",),
                _lexeme(
                    Column("Person", "UD person", ("1", "2", "3")),
                    Column("Number", "UD number", ("Sing", "Plur")),
                    Column("Gender", "UD gender", ("Masc", "Fem", "Neut", "Com")),
                    Column("nom", "nominative", kind="form"),
                    Column("acc", "accusative", kind="form"),
                    Column("poss_det", "possessive determiner", kind="form"),
                    Column("poss_pron", "possessive pronoun", kind="form"),
                    Column("refl", "reflexive", kind="form"),
                    Column("neg", "a negative pronoun", _YES_NO, "no"),
                    Column("open", "yes: known only to the open reading (singular they)", _YES_NO, "no"),
                ),
            ),
            TableSpec(
                "function",
                "wh-words, relativizers, complementizers, subordinators, prepositions, particles",
                ("id",),
                _lexeme(
                    Column(
                        "kind",
                        "word class",
                        ("comp", "rel", "wh", "dwh", "sconj", "adp", "cconj", "part", "focus", "expl", "npi"),
                    ),
                    Column("selects", "what it takes", ("S", "VP.ing", "VP.to", "NP", "none"), "none"),
                    Column(
                        "antecedent",
                        "which nouns a relativizer follows or a wh-word asks about",
                        default="any",
                        kind="restriction",
                    ),
                    Column("ving", "a subordinator that takes a subjectless gerund", _YES_NO, "no"),
                    Column("finite", "a subordinator that takes a finite clause: not without, despite", _YES_NO, "yes"),
                    Column(
                        "main",
                        "which verbs say what is done to somebody on account of his own doings in its clause",
                        default="any",
                        kind="clauses",
                    ),
                    Column(
                        "tells",
                        "what a subordinator's clause, or the noun behind a preposition, tells of: what comes earlier "
                        "or later, is at the same time, is a cause or condition, or is contrary",
                        ("earlier", "later", "meanwhile", "cause", "contrary", "none"),
                        "none",
                    ),
                    Column(
                        "clause",
                        "which verbs and adjectives may stand in the clause of a wh-word, or which verbs in that of a "
                        "subordinator and in the clause that this, or a preposition with its noun, modifies",
                        default="any",
                        kind="predicates",
                    ),
                    Column(
                        "along",
                        "which verbs tell what somebody does along with something else, where a conjunction or "
                        "subordinator joins two doings of one time",
                        default="any",
                        kind="clauses",
                    ),
                    Column(
                        "noun",
                        "which nouns stand behind a preposition, or are the object of the verb that a wh-word asks "
                        "about",
                        default="any",
                        kind="restriction",
                    ),
                    Column("weight", "how often it is drawn, against the others that fit", default="1"),
                ),
            ),
            TableSpec(
                "polarity",
                "polarity items",
                ("id",),
                _lexeme(
                    Column("cat", "category", ("adv", "det", "phrase")),
                    Column("strength", "weak, strong or minimizer", ("weak", "strong", "minimizer")),
                    Column("slot", "position", ("pre_v", "final", "object")),
                    Column("licensors", "what licenses it", _LICENSORS, kind="list"),
                ),
            ),
            TableSpec(
                "words",
                "plain word lists",
                ("list", "lemma"),
                (
                    Column("list", "name of the list, used as `words: NAME`"),
                    Column("lemma", "the word, or its singular form"),
                    Column("plural", "its plural form, where the list inflects", kind="form"),
                ),
            ),
            TableSpec(
                "lexemes",
                "words that inflect by class, one row a word",
                ("lemma", "class"),
                (
                    Column("lemma", "the word in its citation form"),
                    Column("class", "its inflection classes; a later one overrides cells of an earlier", kind="list"),
                    Column("features", "UD features of all its forms: Gender=Fem"),
                    Column(
                        "also",
                        "features that some speakers or another sense give its forms too (la médico, el cometa): never "
                        "drawn; a bad sentence that would be good with them is refused",
                        kind="list",
                    ),
                    Column("stems", "its stem changes by name: stressed:e>ie,soft:z>c"),
                    Column("types", "its semantic types; a bare NAME in a restriction", kind="list"),
                    Column("subj", "which words may be its subject", default="any"),
                    Column("obj", "which words may be its object", default="any"),
                    Column("frames", "what it takes, in names of the language: trans, comp_sub", kind="list"),
                    Column("no_frames", "what it surely does not take; asked of bad sentences", kind="list"),
                    Column("tags", "its tags", kind="list"),
                    Column("note", "for the reader"),
                ),
            ),
            TableSpec(
                "inflection",
                "inflection classes, one row a cell",
                ("class", "list", "features"),
                (
                    Column("class", "name of the class"),
                    Column("list", "the list in which the form stands, used as `words: LIST`"),
                    Column("features", "UD features of the cell: Number=Plur"),
                    Column("drop", "what the lemma loses: the first of these endings that it has", kind="list"),
                    Column("stem", "the stem changes that apply here, of those that the word has", kind="list"),
                    Column("ending", "what is added to the stem"),
                ),
            ),
            TableSpec(
                "inflected",
                "words of lists with all their forms, one form a row",
                ("list", "lemma", "features"),
                (
                    Column("list", "name of the list, used as `words: NAME`"),
                    Column("lemma", "the word"),
                    Column(
                        "features", "UD features of the form: Gender=Fem|Number=Plur; the same ones in a whole list"
                    ),
                    Column("form", "the form; empty where the word has none", kind="form"),
                ),
            ),
        )
    }
)

FUNCTION_KINDS = {
    "Wh": "wh",
    "Dwh": "dwh",
    "Rel": "rel",
    "Comp": "comp",
    "Subordinator": "sconj",
    "P": "adp",
    "Conj": "cconj",
    "Part": "part",
    "Focus": "focus",
    "Expl": "expl",
    "NPI": "npi",
}
"""Category to the kind of its rows in the table of function words."""
DETERMINER_KINDS = {"D": ("art", "dem", "quant", "num"), "Num": ("num",), "NumMod": ("mod",)}
"""Category to the kinds of its rows in the table of determiners."""
CATEGORIES = ("N", "Name", "V", "A", "Adv", "Aux", "Cop", "Refl", "Recip", "Pron", *DETERMINER_KINDS, *FUNCTION_KINDS)
"""The categories that paradigm files and rules may name."""
