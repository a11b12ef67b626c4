"""The report: results of verified sets as one HTML file that needs no network."""

from blimpgen.report.page import check_target, render_sections, write_report, write_sections
from blimpgen.report.results import Result, read_results

__all__ = ["Result", "check_target", "read_results", "render_sections", "write_report", "write_sections"]
