"""The battery of tests for dice and for the bits behind them: `stickman rng test`.

Needs numpy and scipy (`stickman[rng]`), which a table does not. Knows nothing of the rest of the program.
"""
