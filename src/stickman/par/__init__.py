"""Exact mathematics of every bet, in fractions, computed only from the compiled cells."""
