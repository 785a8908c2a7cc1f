"""The strategy lab: strategies in plain Python, played on the real felt or compiled from it and played by the
billion.

Only the felt contains rules. `play` is the reference. `explore` reads the felt into a table, which `kernel` runs on
the same dice with the same results. `exact` computes the answer without dice.
"""
