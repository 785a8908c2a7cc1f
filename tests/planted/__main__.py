"""The program with the planted bets: `python -m tests.planted serve …`. A table offers them by its settings
`bets` (with `hi_lo`) and `hard_road.on`."""

from stickman.cli import main
from tests.planted import planted

if __name__ == "__main__":
    with planted():
        main()
