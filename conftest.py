"""The suite's own surroundings: whoever runs the tests, nothing of theirs is read or written."""

from __future__ import annotations

import gc
import os
import shutil
import signal
import tempfile
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest

import slow_helper
from duelbook.engine import limits
from duelbook.llm import asking

STEERING = ("ANTHROPIC_", "DUELBOOK_", "HYPOTHESIS_", "LC_", "MPL", "NUMBA_", "OPENAI_", "PYTHON", "TEXTUAL", "XDG_")
"""How names begin that change what is tested: a person's settings and keys, not the suite's."""
COLOURS = {"CLICOLOR", "COLORTERM", "FORCE_COLOR", "NO_COLOR"}
WINDOW = {"COLUMNS", "INPUTRC", "LANGUAGE", "LINES", "STY", "TMUX"}
KEPT = {"PYTHONPATH"}

LEAVING = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT") if hasattr(signal, name)]
OURS = pytest.StashKey[Path]()
QUICK = "not slow"
"""What `make test` runs."""


ROOMS = {
    "HOME": "home",
    "XDG_CACHE_HOME": "cache",
    "XDG_CONFIG_HOME": "config",
    "XDG_DATA_HOME": "data",
    "XDG_STATE_HOME": "state",
    "NUMBA_CACHE_DIR": "compiled",
    "HYPOTHESIS_STORAGE_DIRECTORY": "examples",
}
"""What belongs to somebody, and where the suite has its own."""


def pytest_addoption(parser: pytest.Parser) -> None:
    options = parser.getgroup("duelbook")
    options.addoption("--plain-install", type=Path, help="a virtual environment that holds the built package alone")
    options.addoption("--nothing-skipped", action="store_true", help="fail if any test was skipped")
    options.addoption("--may-skip", metavar="REASON", help="but for tests whose reason to be skipped holds these words")


def forget_whose_machine_this_is() -> None:
    for name in set(os.environ) - KEPT - set(ROOMS):
        if name.startswith(STEERING) or name in COLOURS | WINDOW:
            del os.environ[name]
    os.environ["LANG"] = "C.UTF-8"
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as a shell leaves it for what runs in its background
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if os.name != "nt":
        signal.signal(signal.SIGHUP, signal.SIG_DFL)  # `nohup` lets it be ignored


def settle_in(folder: Path) -> None:
    """From now on everything of ours is in this folder, for this process and all that it starts.

    One folder for the whole run: what one test has compiled or solved, no other has to.
    """
    for name, room in ROOMS.items():
        (folder / room).mkdir()
        os.environ[name] = str(folder / room)


def pytest_configure(config: pytest.Config) -> None:
    forget_whose_machine_this_is()
    slow_helper.whole = config.getoption("markexpr") != QUICK
    if not hasattr(config, "workerinput"):  # a worker among several gets its folder from the process that started it
        config.stash[OURS] = Path(tempfile.mkdtemp(prefix="duelbook-suite-"))
        settle_in(config.stash[OURS])


@pytest.fixture(autouse=True)
def signals_as_they_were() -> Iterator[None]:
    """A game that was played in this process ignores Ctrl-C at its end. The next test, and what it starts, must not."""
    usual = {number: signal.getsignal(number) for number in LEAVING}
    yield
    for number, handler in usual.items():
        if signal.getsignal(number) != handler:
            signal.signal(number, handler)


@pytest.fixture(autouse=True)
def programs_kept_in_as_usual(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a command that ran in this process was told about programs and models, no other test is."""
    monkeypatch.setattr(limits, "_usual", limits.Surroundings())
    monkeypatch.setattr(asking, "_usual", asking.Asking())


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Generator[None, object, object]:
    """Whoever collects looks for no garbage meanwhile, for what is loaded stays."""
    if session.config.getoption("numprocesses", None):  # the workers do it
        return (yield)
    tell_hypothesis()
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


def tell_hypothesis() -> None:
    """No example has to be done in some time, on whatever machine; a quick run has few of them.

    For these it reads no sources: looking for constants to try in all of them takes longer than the examples do.
    """
    from hypothesis import settings
    from hypothesis.internal.conjecture import providers

    settings.register_profile("ours", deadline=None, max_examples=100 if slow_helper.whole else 10)
    settings.load_profile("ours")
    if not slow_helper.whole:
        providers._get_local_constants = lambda: providers._local_constants


def pytest_collection_finish() -> None:
    """What has been loaded by now stays to the end: nobody need walk through it again and again to look for garbage."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


def pytest_sessionfinish(session: pytest.Session) -> None:
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter is None or not session.config.getoption("--nothing-skipped"):
        return
    excuse = session.config.getoption("--may-skip")
    for report in reporter.stats.get("skipped", []):
        if excuse and excuse in report.longrepr[2]:
            continue
        reporter.write_line(f"SKIPPED, though nothing may be: {report.nodeid}: {report.longrepr[2]}", red=True)
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_unconfigure(config: pytest.Config) -> None:
    if OURS in config.stash:
        shutil.rmtree(config.stash[OURS], ignore_errors=True)
