"""`duelbook completion`: what a shell offers when Tab is pressed, and the script that has it ask."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import click
from click.shell_completion import CompletionItem, ShellComplete, split_arg_string

from duelbook.cli.options import hand_over
from duelbook.speech import either

SCRIPTS = Path(__file__).parent / "shells"
SHELLS = ("bash", "zsh", "fish")


@click.command
@click.argument("shell", type=click.Choice(SHELLS), required=False)
@click.option("--for", "line", hidden=True)
@click.option("--breaks", default="", hidden=True)
@click.pass_context
def command(ctx: click.Context, shell: str | None, line: str | None, breaks: str) -> None:
    """Print the script that completes commands in SHELL: bash, zsh or fish.

    \b
    To have it in every shell, put a line into the file that the shell reads when it starts:
      bash  ~/.bashrc    eval "$(duelbook completion bash)"
      zsh   ~/.zshrc     eval "$(duelbook completion zsh)"    (behind compinit)
      fish  ~/.config/fish/config.fish    duelbook completion fish | source

    Tab then completes commands, options, duels, players, rules and saved games.
    """
    if line is not None:
        for item in offered(ctx.find_root().command, line):
            hand_over(item.type, behind_breaks(line, str(item.value), breaks), item.help or "")
    elif shell is not None:
        for row in (SCRIPTS / f"duelbook.{shell}").read_text(encoding="utf-8").splitlines():
            hand_over(row)
    else:  # to standard output nothing goes but a script, for a shell runs what it finds there
        raise click.UsageError(f"Say for which shell: {either(SHELLS)}. How to set it up: duelbook completion --help")


def offered(whole: click.Command, line: str) -> list[CompletionItem]:
    """What can stand where a command line ends, which begins with the name of the program."""
    words = split_arg_string(line)
    begun = words.pop() if len(words) > 1 and not line[-1].isspace() else ""
    # Before an option has got its value click knows of no argument, so `completing` is told all that was typed.
    asked = ShellComplete(whole, {"obj": words[1:]}, "duelbook", "")
    with suppress(click.UsageError):  # a command that is not there
        return asked.get_completions(words[1:], begun)
    return []


def behind_breaks(line: str, value: str, breaks: str) -> str:
    """What the shell puts there. Bash breaks a word into several and replaces the last of them: the 3 of `level:3`."""
    begun = "" if line[-1:].isspace() else split_arg_string(line)[-1]
    kept = max(begun.rfind(letter) for letter in breaks) + 1 if breaks else 0
    return value.removeprefix(begun[:kept]) if kept else value
