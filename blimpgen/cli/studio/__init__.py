"""`blimpgen studio`: pages in the browser to look at paradigms and words, to parse, and to write paradigms.

The pages call what the other commands call. A process of its own does the work (`desk`), so that a page answers while
a paradigm is compiled; nothing comes to a page but who came by the link (`guard`).
"""

from blimpgen.cli.studio.studio import studio

__all__ = ["studio"]
