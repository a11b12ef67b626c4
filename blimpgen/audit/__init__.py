"""Audits of data sets, ours or a release: what guards object to in single pairs, what cheap rules score on a set."""

from blimpgen.audit.audited_sets import AuditedSet, audit_sets
from blimpgen.audit.errata import errata
from blimpgen.audit.findings import Finding, audit, audit_directory
from blimpgen.audit.shortcuts import Shares, WordFrequencies, critical_words, shortcuts

__all__ = [
    "AuditedSet",
    "Finding",
    "Shares",
    "WordFrequencies",
    "audit",
    "audit_directory",
    "audit_sets",
    "critical_words",
    "errata",
    "shortcuts",
]
