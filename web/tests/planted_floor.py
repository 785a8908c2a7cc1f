"""The program with the planted bets: `planted_floor.py serve --demo …`."""

import runpy
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))
runpy.run_module("tests.planted", run_name="__main__")
