"""Audits of data sets, ours or a release: what guards object to in single pairs, what cheap rules score on a set."""

from blimpgen.audit.audited_sets import AuditedSet, audit_sets
from blimpgen.audit.correction import correct
from blimpgen.audit.errata import errata, gravest, read_drop_list, write_drop_lists
from blimpgen.audit.findings import Finding, audit, audit_directory
from blimpgen.audit.guards import Severity
from blimpgen.audit.proofs import OUTCOMES, Proof, prove
from blimpgen.audit.shortcuts import Shares, WordFrequencies, critical_words, shortcuts

__all__ = [
    "OUTCOMES",
    "AuditedSet",
    "Finding",
    "Proof",
    "Severity",
    "Shares",
    "WordFrequencies",
    "audit",
    "audit_directory",
    "audit_sets",
    "correct",
    "critical_words",
    "errata",
    "gravest",
    "prove",
    "read_drop_list",
    "shortcuts",
    "write_drop_lists",
]
