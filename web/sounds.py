"""Make the sound files of the announcements, for machines whose browser has no voice: `python3 web/sounds.py`.

Needs `espeak-ng` and `opusenc` (the Debian packages espeak-ng and opus-tools), and the Node of `.venv` on the PATH.
The files are kept in the repository, so nothing of this is needed to build or to test. Each file carries its text
as its title: a test compares it with the catalogue, and fails until a changed text is spoken again.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

WEB = Path(__file__).parent
SOUNDS = WEB.parent / "src" / "stickman" / "sounds"
VOICES = {"en": ("en-us", 165), "es": ("es-419", 165), "zh": ("cmn", 210)}
"""By language, the voice and how many words it says a minute."""
LOUD = 110
"""Of 200, where the loudest would be clipped."""
KBIT_S = 20
READ = """
import { spoken } from "./src/sound/announcements.ts";
const texts = {};
for (const one of process.argv.slice(1)) texts[one] = spoken((await import(`./src/words/${one}.ts`))[one]);
console.log(JSON.stringify(texts));
"""


def texts() -> dict[str, dict[str, str]]:
    """By language and announcement, what is said, as the screens have it."""
    command = ["node", "--input-type=module", "--eval", READ, *VOICES]
    found: dict[str, dict[str, str]] = json.loads(subprocess.check_output(command, cwd=WEB))  # noqa: S603 - its own text
    return found


def record(language: str, text: str, file: Path) -> None:
    voice, pace = VOICES[language]
    say = ["espeak-ng", "-v", voice, "-s", str(pace), "-a", str(LOUD), "--stdout", text]
    wave = subprocess.check_output(say)  # noqa: S603 - the catalogue's text
    pack = ["opusenc", "--quiet", "--bitrate", str(KBIT_S), "--speech", "--downmix-mono", "--padding", "0"]
    named = ["--discard-comments", "--serial", "1", "--title", text]
    subprocess.run([*pack, *named, "-", str(file)], input=wave, check=True)  # noqa: S603 - the same


def main() -> None:
    found = texts()
    shutil.rmtree(SOUNDS, ignore_errors=True)
    for language, said in found.items():
        (SOUNDS / language).mkdir(parents=True)
        for name, text in said.items():
            record(language, text, SOUNDS / language / f"{name}.opus")


if __name__ == "__main__":
    main()
