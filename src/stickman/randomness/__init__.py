"""The battery of tests for dice and for the bits behind them: `stickman rng test`.

It needs numpy and scipy (`stickman[rng]`), which a table does not, and nothing else of this program.
"""
