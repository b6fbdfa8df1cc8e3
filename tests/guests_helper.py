"""Duels of other packages, installed as pip leaves them: a folder with the package and its dist-info beside it."""

from __future__ import annotations

import importlib
import shutil
import sys
from itertools import count
from pathlib import Path

import pytest

from duelbook import Game
from duelbook.games import load

EXAMPLES = Path(__file__).parent.parent / "docs" / "examples"
GUESTS = ("race", "pig", "rps")
"""One of each kind: turns one after the other, luck, picks of both at once."""

_number = count(1)


def install(site: Path, example: str, name: str = "", entry: str = "", package: str = "") -> Path:
    """Put an example into a folder of packages, under another name if one is given. Its own folder comes back."""
    name = name or example
    target = site / name
    shutil.copytree(EXAMPLES / example, target, ignore=shutil.ignore_patterns("__pycache__"))
    if name != example:
        for file in target.glob("*.py"):
            text = file.read_text(encoding="utf-8")
            text = text.replace(f"from {example}", f"from {name}").replace(f'id="{example}"', f'id="{name}"')
            file.write_text(text, encoding="utf-8")
    info = site / f"{(package or f'duelbook_{name}')}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package or f'duelbook-{name}'}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[duelbook.games]\n{entry or name} = {name}:GAME\n")
    return target


def arrive(monkeypatch: pytest.MonkeyPatch, site: Path) -> None:
    """The packages of this folder are installed, for this process and those that it starts, until the test is over."""
    monkeypatch.syspath_prepend(str(site))
    monkeypatch.setenv("PYTHONPATH", str(site))
    importlib.invalidate_caches()
    for name in [path.name for path in site.iterdir() if path.is_dir()]:
        for module in [each for each in sys.modules if each.split(".")[0] == name]:
            monkeypatch.delitem(sys.modules, module)


def spoilt(
    monkeypatch: pytest.MonkeyPatch, site: Path, example: str, file: str = "", old: str = "", new: str = ""
) -> Game:
    """An example under a name of its own, installed, with one text of one file changed: an author's mistake."""
    name = f"{example}{next(_number)}x"
    folder = install(site, example, name)
    if file:
        text = (folder / file).read_text(encoding="utf-8")
        assert old in text
        (folder / file).write_text(text.replace(old, new), encoding="utf-8")
    arrive(monkeypatch, site)
    return load(name)
