"""Where a tool is not installed, importing its environments says what to install."""

from __future__ import annotations

import sys
from importlib import import_module

import pytest


@pytest.mark.parametrize(
    ("page", "tool", "needs", "extra"),
    [
        ("pettingzoo", "pettingzoo", "PettingZoo", "pettingzoo"),
        ("gymnasium", "gymnasium", "Gymnasium", "gymnasium"),
        ("vector", "gymnasium", "Gymnasium", "gymnasium"),
        ("openspiel", "pyspiel", "OpenSpiel", "openspiel"),
        ("jax", "jax", "JAX", "jax"),
    ],
)
def test_a_tool_that_is_missing_is_named(
    page: str, tool: str, needs: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in sys.modules if name.split(".")[0] == tool]:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setitem(sys.modules, tool, None)
    monkeypatch.delitem(sys.modules, f"duelbook.envs.{page}", raising=False)
    said = f"duelbook.envs.{page} needs {needs}, which is not installed: pip install 'duelbook\\[{extra}\\]'"
    with pytest.raises(ImportError, match=said):
        import_module(f"duelbook.envs.{page}")
