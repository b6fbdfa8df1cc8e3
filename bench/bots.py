"""Two trivial programs for the benches, in Python and in C: they answer at once, with a move drawn blindly."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

PYTHON_BOT = """
import sys
drawn = 1
for line in sys.stdin:
    words = line.split()
    if words[0] == "go":
        legal = words[words.index("legal") + 1:]
        drawn = (drawn * 1103515245 + 12345) & 0x7FFFFFFF
        sys.stdout.write("bestmove " + legal[(drawn >> 16) % len(legal)] + "\\n")
    elif words[0] == "udi":
        sys.stdout.write("id name Bare\\nid author Bench\\ngame *\\nudiok\\n")
    elif words[0] == "isready":
        sys.stdout.write("readyok\\n")
    sys.stdout.flush()
"""
C_BOT = r"""
#include <stdio.h>
#include <string.h>
int main(void) {
    static char line[65536], *moves[256];
    unsigned drawn = 1;
    while (fgets(line, sizeof line, stdin)) {
        char *legal = strstr(line, " legal ");
        if (!strncmp(line, "go ", 3) && legal) {
            int count = 0;
            for (char *word = strtok(legal + 7, " \n"); word && count < 256; word = strtok(NULL, " \n"))
                moves[count++] = word;
            drawn = (drawn * 1103515245u + 12345u) & 0x7FFFFFFF;
            printf("bestmove %s\n", moves[(drawn >> 16) % count]);
        }
        else if (!strncmp(line, "udi", 3)) puts("id name Bare\nid author Bench\ngame *\nudiok");
        else if (!strncmp(line, "isready", 7)) puts("readyok");
        fflush(stdout);
    }
}
"""


def stay_on_one_processor() -> None:
    """Have this process and all that it starts share one processor.

    Otherwise the system sometimes puts a program beside us and sometimes elsewhere, and a round trip through a pipe
    takes four times as long in the second case as in the first: the contenders would be compared by that.
    """
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def programs(folder: Path) -> dict[str, list[str]]:
    """The command of each, by its language; without a C compiler there is only one."""
    (folder / "bot.py").write_text(PYTHON_BOT, encoding="utf-8")
    found = {"Python": [sys.executable, str(folder / "bot.py")]}
    compiler = shutil.which("cc")
    if compiler:
        (folder / "bot.c").write_text(C_BOT, encoding="utf-8")
        subprocess.run([compiler, "-O2", "-o", folder / "bot", folder / "bot.c"], check=True)
        found["C"] = [str(folder / "bot")]
    return found
