"""Refuses to build a wheel without the pages of the screens."""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SCREENS = ("seat", "dealer", "table", "info", "office", "door")


class PagesAreBuilt(BuildHookInterface[Any]):
    """An editable install needs none: it sees the pages as soon as they are built."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 (hatch's signature)
        pages = Path(self.root, "src", "stickman", "pages")
        missing = [f"{screen}.html" for screen in SCREENS if not Path(pages, f"{screen}.html").is_file()]
        if missing and version != "editable":
            raise FileNotFoundError(f"the screens are not built, {pages} lacks {', '.join(missing)}: make pages")
