"""The official conformance runner of the Model Context Protocol against `duelbook mcp`, at both of its versions.

It needs Node 22, which npm brings along with it. What it may find fault with stands beside this file, with the reasons.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from agents_helper import http, need_mcp
from helpers import HANGING

HERE = Path(__file__).parent
RUNNER = ["node@22", "@modelcontextprotocol/conformance@0.2.0-alpha.12"]
VERSIONS = ["2026-07-28", "2025-11-25"]


@pytest.mark.slow
def test_the_official_runner_finds_nothing_but_what_is_written_down(tmp_path: Path) -> None:
    need_mcp()
    if shutil.which("npm") is None:
        pytest.skip("npm is not installed; on Debian: apt install npm")
    (tmp_path / "package.json").write_text('{"private": true}')  # --prefix would hide the machine's own settings of npm
    install = ["npm", "install", "--silent", "--no-fund", "--no-audit", *RUNNER]
    fetched = subprocess.run(install, cwd=tmp_path, capture_output=True, text=True)
    folder = tmp_path / "node_modules"
    script = folder / "@modelcontextprotocol" / "conformance" / "dist" / "index.js"
    if fetched.returncode or not script.exists():
        pytest.skip(f"the conformance runner is not installed, and npm cannot fetch it: {fetched.stderr[-200:]}")
    with http() as address:
        for version in VERSIONS:
            known = HERE / f"conformance.{version}.yml"
            words = ["server", "--url", address, "--suite", "all", "--spec-version", version]
            ran = subprocess.run(
                [folder / ".bin" / "node", script, *words, "--expected-failures", known],
                cwd=tmp_path,
                capture_output=True,
                text=True,
                timeout=HANGING,
            )
            assert ran.returncode == 0, ran.stdout[-5000:] + ran.stderr
            assert "tools-list" in ran.stdout
