"""Paradigms: one YAML file each, read and checked."""

from blimpgen.paradigm.file_model import ParadigmModel
from blimpgen.paradigm.read import Paradigm, read_paradigm
from blimpgen.paradigm.sentence import Token, parse_template

__all__ = ["Paradigm", "ParadigmModel", "Token", "parse_template", "read_paradigm"]
