"""Read what `mutmut run` found out: which changes to the rules did no test notice, and is each of them explained?

    mutmut run && python tests/mutation/report.py

A mutant is a rule file with one small change. Mutants that survived are looked for in survivors.md by what they change,
not by their number, so that nothing there has to be numbered anew when a rule file is edited.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import NamedTuple

LEAST = 0.95
"""The share of its mutants that the tests must notice, for every rule file."""

KILLED = ("killed", "timeout")
EXPLANATIONS = Path(__file__).with_name("survivors.md")


class Mutant(NamedTuple):
    name: str
    game: str
    function: str
    status: str


class Change(NamedTuple):
    """What tells a mutant from the original: the lines of its diff, `-` and `+`, without their indentation."""

    game: str
    function: str
    diff: str


def mutmut(*arguments: str) -> str:
    command = [sys.executable, "-m", "mutmut", *arguments]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout


def mutants() -> list[Mutant]:
    """Every mutant of the last run."""
    found = re.findall(
        r"^ *(duelbook\.games\.(\w+)\.rules\.x_(\w+)__mutmut_\d+): (.+)$",
        mutmut("results", "--all", "true"),
        re.MULTILINE,
    )
    return sorted(Mutant(*row) for row in found)


def change(mutant: Mutant) -> Change:
    _, _, diff = mutmut("show", mutant.name).partition("\n@@")
    return Change(mutant.game, mutant.function, tidy(diff))


def tidy(diff: str) -> str:
    return "\n".join(f"{line[0]} {line[1:].strip()}" for line in diff.splitlines() if line[:1] in ("-", "+"))


def explained(page: str) -> set[Change]:
    """The changes under each heading `game: function` that is followed by diffs and by words that explain them."""
    changes = set()
    for section in re.split(r"^## ", page, flags=re.MULTILINE)[1:]:
        heading, _, text = section.partition("\n")
        game, _, function = heading.partition(": ")
        diffs = re.findall(r"^```diff\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
        if re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL).strip():
            changes |= {Change(game, function, tidy(diff)) for diff in diffs}
    return changes


def main() -> int:
    everything = mutants()
    survivors = [mutant for mutant in everything if mutant.status not in KILLED]
    total = Counter(mutant.game for mutant in everything)
    alive = Counter(mutant.game for mutant in survivors)
    shares = {game: 1 - alive[game] / total[game] for game in total}

    print("rule file    killed  survived   total   share")
    for game in total:
        print(f"{game:12}{total[game] - alive[game]:7}{alive[game]:10}{total[game]:8}{shares[game]:8.1%}")
    if everything:
        share = 1 - len(survivors) / len(everything)
        print(f"{'all':12}{len(everything) - len(survivors):7}{len(survivors):10}{len(everything):8}{share:8.1%}")

    known = explained(EXPLANATIONS.read_text(encoding="utf-8"))
    troubles = [f"{game}: fewer than {LEAST:.0%} were killed" for game in shares if shares[game] < LEAST]
    changes = {}
    for mutant in survivors:
        changes[mutant] = change(mutant)
        is_known = mutant.status == "survived" and changes[mutant] in known
        print(f"\n{mutant.game}: {mutant.function} ({mutant.status}, {'explained' if is_known else 'NOT EXPLAINED'})")
        print(changes[mutant].diff)
        if not is_known:
            troubles.append(f"{mutant.name} is not explained in {EXPLANATIONS.name}")
    troubles += [
        f"{game}: {function}: {EXPLANATIONS.name} explains a mutant that did not survive:\n{diff}"
        for game, function, diff in sorted(known - set(changes.values()))
    ]
    if not everything:
        troubles.append("there are no mutants; `make mutation` makes and tests them")
    print("\n" + ("\n".join(troubles) if troubles else "Every survivor is explained."))
    return 1 if troubles else 0


if __name__ == "__main__":
    sys.exit(main())
