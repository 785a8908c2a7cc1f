"""Stickman: an electronic craps table."""
