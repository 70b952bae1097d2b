"""Refuses to build a package without its jar: it would install, and fail at its first use."""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class JarHook(BuildHookInterface):  # type: ignore[type-arg]
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return  # the checkout is used as it is, and the jar comes when it is built
        wanted = f"paddlewheel-spark_2.13-{self.metadata.version}.jar"
        folder = Path(self.root, "paddlewheel", "jars")
        found = sorted(jar.name for jar in folder.glob("*.jar"))
        if found != [wanted]:
            self.app.abort(
                f"The package needs {wanted}, and no other jar, in paddlewheel/jars; "
                f"found {', '.join(found) or 'none'}. Run, in the checkout: make build"
            )
