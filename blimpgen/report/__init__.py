"""The report: results of verified sets as one HTML file that needs no network."""

from blimpgen.report.page import check_target, write_report
from blimpgen.report.results import Result, read_results

__all__ = ["Result", "check_target", "read_results", "write_report"]
