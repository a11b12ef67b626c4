"""Statistics of verified sets: published figures, intervals, contrasts, correlations, human judgements.

Every function works on plain data: numbers, mappings from uid to accuracy, rows of items. Those that test hypotheses
need SciPy (the extra ``analysis``), the others numpy only.
"""
