"""Programs that misbehave, each in the way that its first argument names. In all else they keep to the protocol."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

HOW = sys.argv[1] if len(sys.argv) > 1 else ""
FOR_EVER = 600
STEERING = "\x1b]0;owned\x07 \u202e\u200b"


def say(*lines: str) -> None:
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    sys.stdout.flush()


def flood(file: int, piece: bytes) -> None:
    while True:
        os.write(file, piece)


def answer(legal: list[str]) -> None:
    """What each does when it is asked for a move."""
    move = f"bestmove {legal[0]}"
    match HOW:
        case "crash":
            print("Traceback: I have divided by zero.", file=sys.stderr, flush=True)
            os._exit(3)
        case "segfault":
            os.kill(os.getpid(), signal.SIGSEGV)
        case "hang":
            time.sleep(FOR_EVER)
        case "hang-and-ignore-terminate":
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            time.sleep(FOR_EVER)
        case "late":
            time.sleep(0.8)
            say(move)
        case "flood-stdout":
            flood(1, b"info string one more line\n" * 1000)
        case "flood-stderr":
            flood(2, b"one more line\n" * 1000)
        case "chatter-on-stderr":
            os.write(2, b"thinking aloud\n" * 20_000)
            say(move)
        case "huge-line":
            flood(1, b"x" * 10_000)
        case "binary":
            os.write(1, bytes(range(128, 256)) + b"\n")
        case "garbage":
            say("I would rather build.")
        case "illegal":
            say("bestmove attack")
        case "unknown-move":
            say("bestmove castle")
        case "answer-with-nul":
            say("bestmove build_4\x00")
        case "answer-without-width":
            say("bestmove build_4\u200b")
        case "answer-that-steers":
            say("bestmove \x1b]0;owned\x07")
        case "last-words-that-steer":
            print(STEERING, file=sys.stderr, flush=True)
            os._exit(1)
        case "flood-afterwards":
            say(move)
            flood(1, b"info string one more line\n" * 1000)
        case "no-move":
            say("bestmove")
        case "prepare-a-move":
            say("preparing a move", move)
        case "two-answers":
            say(move, move)
        case "two-answers-apart":
            say(move)
            time.sleep(0.02)
            say(move)
        case "slow":
            time.sleep(0.08)
            say(move)
        case "info":
            print("thinking\x1b[2J aloud", file=sys.stderr, flush=True)
            say("info depth 3 score 0.25 string looks good", "", f"  {move}  ", "info string as I said")
        case "close-stdout":
            os.close(1)
            time.sleep(FOR_EVER)
        case "eat-memory":
            hoard = []
            while True:
                hoard.append(bytearray(1 << 24))
        case "burn":
            while True:
                pass
        case "child":
            subprocess.Popen([sys.executable, "-c", f"import time; time.sleep({FOR_EVER})"])
            say(move)
        case _:
            say(move)


def prepare() -> None:
    """What each does when it is asked whether it is ready."""
    match HOW:
        case "prepare":
            say(*["preparing  the board \x1b[2J"] * 5)
        case "prepare-and-hang":
            say("preparing")
            time.sleep(FOR_EVER)
        case "prepare-for-ever":
            while True:
                say("preparing still")
                time.sleep(0.01)


def main() -> None:
    if HOW == "crash-at-start":
        sys.exit("There is no configuration file.")
    if HOW == "ignore-quit":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    for line in sys.stdin:
        command, *words = line.split() or [""]
        if command == "udi":
            if HOW == "silent":
                time.sleep(FOR_EVER)
            if HOW == "greet":
                say("Welcome to my bot!")
            names = [] if HOW == "nameless" else ["id name Bad"]
            games = "tower" if HOW == "only-tower" else "*"
            if HOW == "steer":
                say(f"id name {STEERING}", f"id author {STEERING}", f"game {STEERING.split()[0]}")
                say(f"option name Te{STEERING}mper type combo default a var {STEERING}", "udiok")
                continue
            say(
                *names,
                f"id author {HOW}",
                f"game {games}",
                "option name Temper type spin default 3 min 1 max 5",
                "udiok",
            )
        elif command == "isready":
            prepare()
            say("readyok")
        elif command == "go":
            answer(words[words.index("legal") + 1 :])
        elif command == "quit" and HOW != "ignore-quit":
            break
    if HOW == "ignore-quit":
        time.sleep(FOR_EVER)


if __name__ == "__main__":
    main()
