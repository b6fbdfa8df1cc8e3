"""The pages' scripts have their types in comments; TypeScript's checker finds nothing wrong with them."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent


@pytest.mark.slow
def test_the_types_of_all_scripts_fit(tmp_path: Path) -> None:
    if shutil.which("npm") is None:
        pytest.skip("npm is not installed; on Debian: apt install npm")
    (tmp_path / "package.json").write_text('{"private": true}')  # --prefix would hide the machine's own settings of npm
    install = ["npm", "install", "--silent", "--no-fund", "--no-audit", "typescript@5.9.3"]
    fetched = subprocess.run(install, cwd=tmp_path, capture_output=True, text=True)
    checker = tmp_path / "node_modules" / ".bin" / "tsc"
    if fetched.returncode or not checker.exists():
        pytest.skip(f"typescript is not installed, and npm cannot fetch it: {fetched.stderr[-200:]}")
    checked = subprocess.run([checker, "-p", ROOT / "tsconfig.json"], capture_output=True, text=True)
    assert checked.stdout == ""
    assert checked.returncode == 0
