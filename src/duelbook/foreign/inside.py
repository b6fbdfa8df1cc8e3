"""What runs in a process of its own, with somebody else's file in it: makes an environment, plays what it is told.

It is started as a script and imports nothing of Duelbook: whatever the file does to its own process, the judge stands
outside. It reads one request a line and answers each with one line of JSON.
"""

from __future__ import annotations

import importlib.util
import inspect
import io
import json
import os
import random
import sys
from collections.abc import Callable
from contextlib import redirect_stdout, suppress
from pathlib import Path
from typing import Any

LONGEST_TEXT = 20_000
LONGEST_LIST = 400
LISTS_OF_MOVES = ("valid_moves", "legal_moves", "valid_actions", "legal_actions", "get_valid_moves", "get_legal_moves")
"""What those who write environments call the function that lists what may be played now."""


class Unusable(Exception):
    """The file holds nothing that can be played; the message is a whole sentence."""


def plain(value: Any, deep: int = 0) -> Any:
    """Whatever an environment shows, as JSON can say it."""
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, str):
        return value[:LONGEST_TEXT]
    if hasattr(value, "tolist"):
        return plain(value.tolist(), deep)
    if deep > 6:
        return None
    if isinstance(value, dict):
        return {str(name): plain(part, deep + 1) for name, part in list(value.items())[:LONGEST_LIST]}
    if isinstance(value, list | tuple | set):
        return [plain(part, deep + 1) for part in list(value)[:LONGEST_LIST]]
    return repr(value)[:LONGEST_TEXT] if type(value).__module__ != "builtins" else None


# Which class


def load(file: str) -> Any:
    path = Path(file)
    sys.path.insert(0, str(path.parent))
    spec = importlib.util.spec_from_file_location("environment_of_somebody", path)
    if spec is None or spec.loader is None:
        raise Unusable("It is not a file of Python.")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def find(module: Any, wanted: str) -> Callable[[], Any]:
    """The class that was named; otherwise the only one of the file that has reset and step."""
    if wanted:
        made = getattr(module, wanted, None)
        if not callable(made):
            raise Unusable(f"It has nothing called {wanted} that could be called to make an environment.")
        return made  # type: ignore[no-any-return]
    classes = [
        each
        for each in vars(module).values()
        if inspect.isclass(each)
        and each.__module__ == module.__name__
        and callable(getattr(each, "reset", None))
        and callable(getattr(each, "step", None))
    ]
    leaves = [each for each in classes if not any(other is not each and issubclass(other, each) for other in classes)]
    if not leaves:
        raise Unusable("It has no class with reset and step; name what makes an environment with --class.")
    if len(leaves) > 1:
        names = ", ".join(each.__name__ for each in leaves)
        raise Unusable(f"It has several classes with reset and step ({names}); name one with --class.")
    return leaves[0]


# How it is driven


def kind_of(env: Any) -> str:
    if not hasattr(env, "possible_agents"):
        return "gym"
    return "aec" if hasattr(env, "observe") else "parallel"


def reset(env: Any, seed: int) -> Any:
    takes = inspect.signature(env.reset).parameters
    knows = "seed" in takes or any(each.kind is inspect.Parameter.VAR_KEYWORD for each in takes.values())
    return env.reset(seed=seed) if knows else env.reset()


def rendered(env: Any) -> str | None:
    """What it draws as text, returned or printed; None where it draws nothing that can be read."""
    render = getattr(env, "render", None)
    if render is None:
        return None
    printed = io.StringIO()
    drawn = None
    with suppress(Exception), redirect_stdout(printed):
        drawn = render()
    text = drawn if isinstance(drawn, str) else printed.getvalue()
    return text[:LONGEST_TEXT] or None


def listed(env: Any, *shown: Any) -> list[Any] | None:
    """What it says may be played now, if it says so."""
    for name in LISTS_OF_MOVES:
        told = getattr(env, name, None)
        with suppress(Exception):
            said = told() if callable(told) else told
            if said is not None:
                return list(plain(said))
    for each in shown:
        mask = each.get("action_mask") if isinstance(each, dict) else None
        if mask is not None:
            return [at for at, may in enumerate(plain(mask)) if may]
    return None


def answer(env: Any, kind: str, came: Any, *, first: bool) -> dict[str, Any]:
    """What came back from reset or step, in one shape for every kind of environment."""
    if kind == "aec":
        agents = list(env.possible_agents)
        asked = env.agent_selection
        info = getattr(env, "infos", {}).get(asked, {})
        ends, cuts = getattr(env, "terminations", {}), getattr(env, "truncations", {})
        observed = env.observe(asked)
        told = [float(getattr(env, "rewards", {}).get(each, 0)) for each in agents]
        over, cut = bool(ends) and all(ends.values()), bool(cuts) and all(cuts.values())
    elif kind == "parallel":
        agents = list(env.possible_agents)
        observed, *rest = came
        rewards, ends, cuts, info = rest if not first else ({}, {}, {}, rest[0] if rest else {})
        told = [float(rewards.get(each, 0)) for each in agents]
        over, cut = bool(ends) and all(ends.values()), bool(cuts) and all(cuts.values())
    elif first:
        observed, info = came if isinstance(came, tuple) and len(came) == 2 else (came, {})
        told, over, cut = [0.0], False, False
    else:
        if not isinstance(came, tuple) or len(came) not in (4, 5):
            raise Unusable(
                f"step gave a {type(came).__name__}, not (observation, reward, terminated, truncated, info)."
            )
        observed, reward, over, *cuts, info = came
        told = [float(each) for each in reward] if isinstance(reward, list | tuple) else [float(reward)]
        over, cut = bool(over), bool(cuts[0]) if cuts else False
    return {
        "observed": plain(observed),
        "info": plain(info),
        "shown": rendered(env),
        "rewards": told,
        "terminated": over,
        "truncated": cut,
        "listed": listed(env, observed, info),
    }


def play(env: Any, kind: str, action: Any) -> Any:
    pair = tuple(action) if isinstance(action, list) else action
    if kind == "parallel":
        return env.step(dict(zip(env.possible_agents, pair, strict=True)))
    return env.step(pair)


def run(make: Callable[[], Any], seed: int, actions: list[Any], ends: bool) -> list[dict[str, Any]]:
    """One game: what was shown at first, and after each action. With `ends` only the first and the last of it."""
    random.seed(seed)
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(seed % 2**32)
    env = make()
    kind = kind_of(env)
    answers = [answer(env, kind, reset(env, seed), first=True)]
    count = 0
    for action in actions:
        count += 1
        try:
            came = play(env, kind, action)
        except Exception as error:  # noqa: BLE001 - whatever it raises is its answer
            answers.append({"raised": f"{type(error).__name__}: {error}"[:300]})
            break
        answers.append(answer(env, kind, came, first=False))
        if answers[-1]["terminated"] or answers[-1]["truncated"]:
            break
        if ends and len(answers) > 2:
            del answers[1]
    answers[-1]["count"] = count
    return answers


def hello(make: Callable[[], Any]) -> dict[str, Any]:
    """What kind of environment it is, and what its actions are: numbers, and from which on, or text."""
    env = make()
    kind = kind_of(env)
    space = getattr(env, "action_space", None)
    if kind != "gym" and callable(space):
        space = space(env.possible_agents[0])
    number = getattr(space, "n", None)
    moves = answer(env, kind, reset(env, 0), first=True)["listed"]
    numbers = number is not None or bool(moves and all(isinstance(each, int) for each in moves))
    least = min(moves) if numbers and moves and number is None else int(getattr(space, "start", 0))
    return {"kind": kind, "numbers": numbers, "least": least}


def main() -> None:
    said = os.fdopen(os.dup(1), "w", encoding="utf-8")
    asked = os.fdopen(os.dup(0), encoding="utf-8")
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):  # the file may print and ask as it likes: nobody hears it
        os.dup2(nothing, stream)
    sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: PTH123, SIM115 - open as long as we are

    def say(value: object) -> None:
        said.write(json.dumps(value) + "\n")
        said.flush()

    try:
        make = find(load(sys.argv[1]), sys.argv[2])
        say(hello(make))
    except Unusable as error:
        say({"error": str(error)})
        return
    except ModuleNotFoundError as error:
        say({"missing": error.name or str(error)})
        return
    except BaseException as error:  # noqa: BLE001 - a file can raise anything, SystemExit too
        say({"error": f"It fails with {type(error).__name__}: {error}"[:500].rstrip(".") + "."})
        return
    for line in asked:
        request = json.loads(line)
        try:
            say({"answers": run(make, request["seed"], request["actions"], request["ends"])})
        except Unusable as error:
            say({"error": str(error)})
        except Exception as error:  # noqa: BLE001 - as above
            say({"error": f"It fails with {type(error).__name__}: {error}"[:500].rstrip(".") + "."})


if __name__ == "__main__":
    main()
