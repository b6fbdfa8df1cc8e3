"""The pages: what they say, made here; what moves on them, in `static/`."""

from __future__ import annotations

from html import escape

from starlette.requests import Request
from starlette.responses import HTMLResponse

from duelbook import game_ids, load
from duelbook.games import rulebook
from duelbook.policies.characters import CHARACTERS
from duelbook.policies.levels import LEVELS
from duelbook.serve.desk import Desk
from duelbook.serve.online import Online
from duelbook.speech import plain_html


def _document(title: str, body: str, script: str = "") -> HTMLResponse:
    module = f'<script type="module" src="/static/{script}"></script>' if script else ""
    return HTMLResponse(f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{escape(title)}</title>
<link rel="stylesheet" href="/static/duelbook.css">
<link rel="icon" href="data:,">
{module}
</head>
<body>
<header><a class="home" href="/">Duelbook</a></header>
<main>
{body}
</main>
</body>
</html>
""")


def sorry(sentence: str, code: int) -> HTMLResponse:
    page = _document("Duelbook", f"<h1>Not here</h1><p>{plain_html(sentence)}</p><p><a href='/'>To the lobby</a></p>")
    page.status_code = code
    return page


async def lobby(desk: Desk, request: Request) -> HTMLResponse:
    duels = "".join(_duel(id, checked=at == 0) for at, id in enumerate(game_ids()))
    opponents = "".join(f'<option value="{kind}">{escape(about)}</option>' for kind, about in opponents_here(desk))
    waiting = "".join(
        f'<li><a href="/game/{online.id}#sit">{plain_html(_waits(online))}</a> waits at {escape(online.duel.name)}</li>'
        for online in await open_games(desk)
    )
    body = f"""<h1>Play a duel</h1>
<noscript><p class="note">Playing here needs JavaScript: your browser keeps the secrets that make luck honest.</p>
</noscript>
<form id="new-game">
<fieldset><legend>Which duel?</legend><div class="duels">{duels}</div></fieldset>
<fieldset class="row"><legend>Against whom?</legend>
<label for="opponent">Opponent</label>
<select id="opponent" name="opponent">{opponents}</select>
<label for="name">Your name</label>
<input id="name" name="name" maxlength="30" autocomplete="nickname" placeholder="Player 1">
<label for="first">Who begins</label>
<select id="first" name="first"><option value="1">I do</option><option value="2">they do</option>
<option value="toss">a toss decides</option></select>
<label for="pace">Time for a move</label>
<select id="pace" name="pace"><option value="0">as long as it takes</option><option value="60">a minute</option>
<option value="300">five minutes</option><option value="86400">a day</option><option value="259200">three days</option>
</select>
</fieldset>
<p><button class="primary" type="submit">Sit down</button> <span id="sending" role="status"></span></p>
</form>
<h2>Somebody waits</h2>
<ul id="waiting">{waiting or "<li>Nobody waits just now. Leave a game open, and somebody may come.</li>"}</ul>"""
    return _document("Duelbook", body, "lobby.js")


def opponents_here(desk: Desk) -> list[tuple[str, str]]:
    levels = [(f"level:{number}", f"Level {number}: {level.name}") for number, level in enumerate(LEVELS, 1)]
    programs = [(kind, kind.partition(":")[2]) for kind in sorted(desk.engines)]
    characters = [(kind, f"The {kind}: {about}") for kind, about in CHARACTERS.items()]
    friends = [("friend", "a friend, by a link that I send"), ("open", "whoever comes")]
    return [*friends, *levels, *characters, ("perfect", "Perfect play"), ("random", "Random moves"), *programs]


def _duel(id: str, *, checked: bool) -> str:
    duel = load(id)
    on = " checked" if checked else ""
    return (
        f'<label class="duel"><input type="radio" name="duel" value="{escape(id)}"{on}> '
        f"<strong>{escape(duel.name)}</strong> "
        f'<a href="/rules/{escape(id)}">rules</a></label>'
    )


async def game(desk: Desk, request: Request) -> HTMLResponse:
    """A table. What lies on it comes with the first news; without a script the words so far are there."""
    online = await desk.online(request.path_params["game"])
    title = f"{online.duel.name}: {online.seats[0].name} against {online.seats[1].name}"
    body = f"""<div id="table" data-game="{escape(online.id)}" data-duel="{escape(online.duel.id)}">
<h1>{escape(online.duel.name)}</h1>
<p id="standing" role="status">Opening the table ...</p>
<section id="scene" aria-label="The table"></section>
<section id="actions" aria-label="What you can do"></section>
<p id="note" role="alert"></p>
<section aria-label="The story"><h2>The story</h2>
<div id="story" role="log" aria-live="polite" tabindex="0"></div></section>
<section id="aside" aria-label="Around the game"></section>
</div>"""
    return _document(title, body, "table.js")


async def rules(desk: Desk, request: Request) -> HTMLResponse:
    duel = load(request.path_params["duel"])
    text = plain_html(rulebook(duel))
    return _document(f"{duel.name}: the rule book", f"<h1>{escape(duel.name)}</h1><pre class='book'>{text}</pre>")


async def open_games(desk: Desk) -> list[Online]:
    """Games in which anybody may take the free seat, newest first."""
    listed = [each for each in desk.store.games(most=200) if each.created.body.get("open")]
    games = [await desk.online(each.game) for each in listed]
    return [online for online in games if sum(seat.is_taken for seat in online.seats) == 1]


def _waits(online: Online) -> str:
    return next(seat.name for seat in online.seats if seat.is_taken)
