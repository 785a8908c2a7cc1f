"""Exact mathematics of every bet, in fractions, from the compiled cells alone."""
