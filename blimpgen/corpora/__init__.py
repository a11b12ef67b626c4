"""Corpora: parsed sentences read from CoNLL-U files, and filters that remove those with a construction."""
