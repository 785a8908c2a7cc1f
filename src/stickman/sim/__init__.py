"""The strategy lab: strategies in plain Python, played on the real felt or compiled from it and run by the billion.

The felt is the only rule book. `play` is the reference; `explore` reads the felt into a table that `kernel` runs on
the same dice with the same results; `exact` needs no dice at all.
"""
