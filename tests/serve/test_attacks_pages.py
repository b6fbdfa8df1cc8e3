"""Attacks on pages: names that are markup, forms from elsewhere, seats that are not theirs, and nonsense."""

from __future__ import annotations

import re

import pytest

from duelbook.serve.app import STATIC
from duelbook.serve.desk import Desk
from duelbook.serve.guard import Guard
from duelbook.serve.pages.sight import MOST_SEATS
from pages_helper import Tags, Visitor, run

NASTY = (
    "<img src=x onerror=alert(1)>",
    "</script><script>alert(1)</script>",
    '"><b>',
    "a\\u202eb\\u2066c\\u200bd",
    "&lt;b&gt;",
)


@pytest.mark.parametrize("name", NASTY)
def test_no_name_becomes_markup_or_turns_the_text_around(name: str, app: Guard) -> None:
    async def tale() -> None:
        ann, bo = Visitor(app), Visitor(app)
        await ann.post("/new", duel="tower", opponent="open", name=name)
        way = ann.way
        pages = [ann.page, await bo.get("/"), await bo.get(way)]
        await bo.post(f"{way}/sit", name="Bo")
        await ann.post(f"{way}/do", do="move", said=name, act="1")
        pages += [ann.page, (await ann.http.get(f"{way}/parts")).text]
        await ann.post(f"{way}/do", do="resign", act="2", sure="1")
        pages += [await bo.get(way), await bo.get(f"{way}/review"), await bo.get(f"{way}/replay"), await bo.get("/")]
        for page in pages:
            assert not set("\u202e\u2066\u200b") & set(page)
            if not page.startswith("{"):  # which is JSON, and set as text
                assert Tags(page).strange == []

    run(tale)


def test_scripts_set_text_and_never_markup() -> None:
    forbidden = (
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|\beval\b|new Function|setHTML|srcdoc|"
        r"createContextualFragment|javascript:|createElement\(\"script"
    )
    files = list(STATIC.glob("*.js"))
    assert len(files) > 5
    for file in files:
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            assert not re.search(forbidden, line), f"{file.name}:{number}: {line}"


def test_a_form_of_another_place_is_refused(app: Guard) -> None:
    async def tale() -> None:
        ann = Visitor(app)
        await ann.post("/new", duel="tower", opponent="random", name="Ann")
        for origin in ("http://evil.test", "null", "http://duels.test.evil.test"):
            answer = await ann.http.post(
                f"{ann.way}/do", data={"do": "resign", "sure": "1", "act": "1"}, headers={"origin": origin}
            )
            assert answer.status_code == 403
        cookies = [cookie for cookie in ann.http.cookies.jar if cookie.name.startswith("seat-")]
        assert cookies
        assert all(cookie.has_nonstandard_attr("HttpOnly") for cookie in cookies)
        assert all(str(cookie.get_nonstandard_attr("SameSite")).lower() == "strict" for cookie in cookies)

    run(tale)


def test_nobody_acts_or_hands_over_a_seat_that_is_not_theirs(app: Guard) -> None:
    async def tale() -> None:
        ann, eve = Visitor(app), Visitor(app)
        await ann.post("/new", duel="tower", opponent="friend", name="Ann")
        way = ann.way
        assert "#i=" not in await eve.get(way)
        for what, fields in (
            ("do", {"do": "resign", "sure": "1", "act": "1"}),
            ("offer", {}),
            ("sit", {"name": "Eve"}),
        ):
            await eve.post(f"{way}/{what}", **fields)
            assert eve.code in (403, 409), what
        eve.http.cookies.set(f"seat-{way.rpartition('/')[2]}", "made up")
        await eve.post(f"{way}/do", do="resign", sure="1", act="1")
        assert eve.code == 403
        assert "From here you watch" in await eve.get(way)

    run(tale)


def test_nonsense_is_answered_with_a_sentence(app: Guard) -> None:
    async def tale() -> None:
        ann = Visitor(app)
        await ann.post("/new", duel="tower", opponent="random", name="Ann")
        way = ann.way
        for ask in ("?after=x", "?after=99999999999", "/replay?at=x", "/parts?lines=x", "/parts?lines=99999"):
            assert (await ann.http.get(f"{way}{ask}")).status_code < 500
        for body in (b"\xff", b"a=%ff", b"x" * 4096, b"&".join(b"a=1" for _ in range(300)), b""):
            for ask in ("/new", f"{way}/do", f"{way}/sit"):
                assert 400 <= (await ann.http.post(ask, content=body)).status_code < 500

    run(tale)


def test_thousands_of_cookies_are_not_thousands_of_games_to_look_for(
    app: Guard, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One question named five thousand seats, and each of them was looked for on the disk."""

    async def tale() -> None:
        ann = Visitor(app)
        await ann.post("/new", duel="tower", opponent="friend", name="Ann")
        looked, seat_of = [], desk.seat_of

        async def counted(game: str, token: str) -> int:
            looked.append(game)
            return await seat_of(game, token)

        monkeypatch.setattr(desk, "seat_of", counted)
        own = "; ".join(f"{cookie.name}={cookie.value}" for cookie in ann.http.cookies.jar)
        many = "; ".join(f"seat-made{number}up=x" for number in range(5000))
        page = (await ann.http.get("/", headers={"cookie": f"{many}; {own}"})).text
        assert len(looked) == MOST_SEATS
        assert "Your games" in page  # browsers name last what they got last

    run(tale)
