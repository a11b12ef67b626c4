"""The sections of a report: each is a function from the material to a section, or to why it is missing."""
