"""`python -m stickman` is the command `stickman`."""

from stickman.cli import main

main()
