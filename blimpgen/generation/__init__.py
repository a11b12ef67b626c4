"""Generating: from a paradigm to proven plans, and from these to records."""
