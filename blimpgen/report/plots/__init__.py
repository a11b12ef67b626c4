"""The plots of a report, one function each, from statistics to a matplotlib figure."""
