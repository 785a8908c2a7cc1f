"""Write the transcripts beside the scripts anew: `python -m tests.playthroughs.update`, then read the diff."""

from pathlib import Path

from click.testing import CliRunner

from stickman.cli import main

SCRIPTS = sorted(Path(__file__).parent.glob("*.txt"))


def transcript(script: Path) -> str:
    """What `stickman play` prints, where it prints to no terminal."""
    result = CliRunner().invoke(main, ["play", str(script)])
    assert result.exit_code == 0, result.output
    return result.stdout


if __name__ == "__main__":
    for script in SCRIPTS:
        script.with_suffix(".out").write_text(transcript(script), "utf-8")
