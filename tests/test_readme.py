"""The first example of the README runs as it is printed."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def test_the_query_of_the_readme_gives_windows(tmp_path: Path) -> None:
    found = re.search(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    assert found
    script = tmp_path / "readme.py"
    script.write_text(found[1], encoding="utf-8")
    done = subprocess.run([sys.executable, script], cwd=tmp_path, capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stderr[-2000:]
    assert len(re.findall(r"^\|S[012] *\|day *\|\{", done.stdout, re.MULTILINE)) == 9, done.stdout[-2000:]
    assert re.search(r"^\| *1h *\| *[0-9]+\|", done.stdout, re.MULTILINE), done.stdout[-2000:]
