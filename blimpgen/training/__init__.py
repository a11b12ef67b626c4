"""Training language models of words on text, and comparing what those learned that saw different texts."""
