"""What making data costs, measured by hand: ``python -m tests.benchmarks``, or ``pytest -m benchmark``.

Times are CPU seconds, the best of several runs, in one process where nothing else is said. The *floor* is the cost
of joining the words of the same records and serialising them with orjson; budgets are ratios to it.
"""
