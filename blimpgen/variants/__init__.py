"""Variants: what a set may ask for besides its paradigm, and the limits that follow from it."""
