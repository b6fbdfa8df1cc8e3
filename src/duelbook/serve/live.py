"""A socket that follows one game: news of it go out as they are made, and acts come in.

This is the busiest place of the server, so nothing here waits. What comes is taken apart by the WebSocket protocol of
`websockets`; what goes out was made once for everybody and is handed to the system as it is. Somebody who reads too
slowly gets no more until they have caught up, and then all that they have missed in one message.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, cast

from starlette.datastructures import Headers
from starlette.requests import HTTPConnection
from starlette.types import Scope
from websockets.frames import Frame, Opcode
from websockets.http11 import Request
from websockets.protocol import OPEN
from websockets.server import ServerProtocol

from duelbook.core import DuelError
from duelbook.serve import asking
from duelbook.serve.events import Event, Json, Refused
from duelbook.serve.guard import HEADERS, address_of
from duelbook.serve.limits import LARGEST_MESSAGE, Bucket
from duelbook.serve.news import News, framed
from duelbook.serve.served import NoGame, NotYours, Served
from duelbook.serve.visitor import shown_of, viewer_of
from duelbook.serve.writing import written

if TYPE_CHECKING:
    from uvicorn.server import ServerState

    from duelbook.serve.sockets import Sockets

PATH = re.compile(r"/api/games/([0-9a-z]{1,64})/live")
MOST_UNREAD = 64 * 1024
"""Bytes that may wait for a reader before they are behind."""
MOST_PIECES = 64
"""Frames of one message."""
MOST_IN_VAIN = 200
"""Frames in a row that come too soon, before whoever sends them is let go."""
TOO_OFTEN = "That was too often; wait a second and try again."
PING = Frame(Opcode.PING, b"").serialize(mask=False)


class Live(asyncio.Protocol):
    def __init__(self, sockets: Sockets, state: ServerState) -> None:
        self._sockets, self._state = sockets, state
        self._wire = ServerProtocol(max_size=LARGEST_MESSAGE)
        self._transport: asyncio.Transport | None = None
        self._pieces: list[bytes] = []
        self._served: Served | None = None
        self._opening: asyncio.Task[None] | None = None
        self.address = self._token = ""
        self.viewer: int | None = None
        self._seq = 0
        self._asked: dict[str, str] = {}
        """Acts that are not answered yet: the name under which they are written, and their own."""
        self._bucket: Bucket | None = None
        self._soon, self._in_vain = False, 0
        """Whether the last frame came too soon, and how many in a row did."""
        self.stuck: float | None = None
        """Since when nothing more can be sent; None while they read."""
        self._behind = self._leaving = False
        self.heard = self._told = 0.0

    @property
    def game(self) -> str:
        return self._served.game if self._served is not None else ""

    # What the network says

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        transport = self._transport = cast(asyncio.Transport, transport)  # which uvloop's are, but do not say
        transport.set_write_buffer_limits(MOST_UNREAD)
        self.heard = self._told = self._sockets.now
        self._state.connections.add(self)  # type: ignore[arg-type]  # it asks no more of them than to shut down
        self._sockets.come(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self._state.connections.discard(self)
        if self._opening is not None:
            self._opening.cancel()
        self._sockets.go(self)
        if self._served is not None:
            self._served.listeners.discard(self)
        self._served, self._transport = None, None

    def data_received(self, data: bytes) -> None:
        self.heard = self._sockets.now
        self._wire.receive_data(data)
        for event in self._wire.events_received():
            if isinstance(event, Frame):
                if self._is_too_often(event):
                    return
                self._take(event)
            elif isinstance(event, Request):
                self._begin(event)
        self._pass_on()

    def _is_too_often(self, frame: Frame) -> bool:
        """Whether so much comes that whoever sends it is let go. Each frame counts, what the protocol answers too.

        A message that comes too soon is refused in words; who goes on all the same does not listen to words.
        """
        if self._bucket is None or frame.opcode is Opcode.CLOSE:
            return False
        self._soon = not self._bucket.allows(asyncio.get_running_loop().time())
        self._in_vain = self._in_vain + 1 if self._soon else 0
        if self._in_vain <= MOST_IN_VAIN and len(self._pieces) <= MOST_PIECES:
            return False
        self._sockets.desk.metrics.dropped["too often"] += 1
        self._close(1008, "That was too much, too often.")
        return True

    def _take(self, frame: Frame) -> None:
        if frame.opcode is Opcode.TEXT and frame.fin:
            self._hear_act(bytes(frame.data))
        elif frame.opcode in (Opcode.TEXT, Opcode.CONT):
            self._pieces.append(bytes(frame.data))
            if frame.fin:
                whole, self._pieces = b"".join(self._pieces), []
                self._hear_act(whole)
        elif frame.opcode is Opcode.BINARY:
            self._close(1003, "A message is an object of JSON, as text.")

    def _pass_on(self) -> None:
        """Send what the protocol itself has to say: who is pinged answers, who is left says goodbye."""
        if self._transport is None:
            return
        if output := self._wire.data_to_send():
            self._transport.write(b"".join(output))
        if self._wire.close_expected():
            self._transport.close()

    def pause_writing(self) -> None:
        self.stuck = self._sockets.now
        if self._transport is not None and not self._transport.is_closing():
            self._transport.pause_reading()  # who does not listen is not listened to

    def resume_writing(self) -> None:
        self.stuck = None
        if self._transport is not None and not self._transport.is_closing():
            self._transport.resume_reading()
        if self._behind:
            self._behind = False
            self._sockets.later(self._catch_up())

    # Coming and going

    def _begin(self, request: Request) -> None:
        assert self._transport is not None
        self._transport.pause_reading()
        self._opening = asyncio.ensure_future(self._open(request))
        self._state.tasks.add(self._opening)
        self._opening.add_done_callback(self._state.tasks.discard)

    async def _open(self, request: Request) -> None:
        """Let them in, once it is known who they are: nobody who is not hears of a game."""
        path, _, query = request.path.partition("?")
        raw = [(name.lower().encode("latin-1"), text.encode("latin-1")) for name, text in request.headers.raw_items()]
        client = self._transport.get_extra_info("peername") if self._transport is not None else None
        scope: Scope = {
            "type": "websocket",
            "scheme": "ws",
            "path": path,
            "query_string": query.encode("latin-1"),
            "headers": raw,
            "client": tuple(client[:2]) if client else None,
            "app": self._sockets.guard.app,
        }
        wrong = self._sockets.guard.check(scope, Headers(raw=raw))
        self.address = address_of(scope)
        found = PATH.fullmatch(path)
        if wrong is None and found is None:
            wrong = 404, "There is nothing to follow here."
        if wrong is None and found is not None:
            wrong = await self._find_seat(HTTPConnection(scope), found[1])
        if self._transport is None:
            return
        if wrong is not None:
            self._sockets.desk.metrics.refusals[f"socket {wrong[0]}"] += 1
            self._wire.send_response(self._wire.reject(*wrong))
        else:
            response = self._wire.accept(request)
            response.headers.update(HEADERS)
            self._wire.send_response(response)
        self._pass_on()
        self._transport.resume_reading()
        if wrong is not None:
            self._transport.close()
        elif self._wire.state is OPEN:
            await self._catch_up()

    async def _find_seat(self, connection: HTTPConnection, game: str) -> tuple[int, str] | None:
        desk = self._sockets.desk
        try:
            self._token = shown_of(connection, game)
            self.viewer = await viewer_of(connection, game)
            self._seq = asking.number(connection, "after")
            await desk.online(game)
        except NoGame as error:
            return 404, str(error)
        except DuelError as error:
            return 403, str(error)
        if (full := self._sockets.full(self, game)) is not None:
            return 503, full
        self._served = desk.follow(game, self)
        self._sockets.enter(self, game)
        limits = self._sockets.limits
        self._bucket = Bucket(limits.burst, limits.a_second, asyncio.get_running_loop().time())
        return None

    def shutdown(self) -> None:
        """The server stops: what was sent is still answered."""
        self._leaving = True
        if not self._asked:
            self._close(1012, "The server stops; it may be back soon.")

    def _close(self, code: int, reason: str) -> None:
        if self._transport is None:
            return
        if self._wire.state is OPEN:
            self._wire.send_close(code, reason)
            self._pass_on()
        self._transport.close()

    def beat(self, now: float) -> None:
        """Now and then: who is gone is let go, and who may think that the server is gone hears that it is not."""
        if self._transport is None:
            return
        patience = self._sockets.patience
        if now - self.heard > patience.gone or (self.stuck is not None and now - self.stuck > patience.slow):
            self._sockets.desk.metrics.dropped["slow" if self.stuck is not None else "gone"] += 1
            self._transport.abort()
            return
        if self._wire.state is not OPEN:
            return
        if self.viewer is not None and self._served is not None and now - self.heard <= patience.quiet:
            self._served.heard[self.viewer] = self._served.clock()
        if self.stuck is not None:
            return
        if now - self._told >= patience.quiet:
            self._send(framed(f'{{"seq":{self._seq}}}'))
        if now - self.heard >= patience.quiet:
            self._transport.write(PING)

    # What is told

    def hear(self, news: News) -> None:
        first, last = news.events[0], news.events[-1]
        if self.stuck is not None:
            self._behind = True
        elif first.seq != self._seq + 1:
            self._sockets.later(self._catch_up())
        else:
            self._seq = last.seq
            asked = self._asked.pop(first.act, None)
            if asked is not None and self.viewer is not None:
                self._send(news.answering(self.viewer, asked))
            else:
                self._send(news.frame(self.viewer))
        if news.handed and self.viewer in news.handed:
            self._close(1008, "This seat has moved to another device.")

    async def _catch_up(self) -> None:
        """All that they have missed, and the whole story: after a gap nobody has to guess."""
        if self._served is None:
            return
        online = await self._served.online()
        if self._served is None or self.stuck is not None:
            self._behind = self._served is not None
            return
        online.story.lines(online.match)
        self._send(News(online, self._served.events[self._seq :], 0).frame(self.viewer))
        self._seq = len(self._served.events)

    def _send(self, frame: bytes) -> None:
        if self._transport is not None and not self._transport.is_closing():
            self._told = self._sockets.now
            self._transport.write(frame)

    # What is done

    def _hear_act(self, data: bytes) -> None:
        """Do what a message says, and answer under the name that it gave itself."""
        if self._served is None or self._bucket is None or self._leaving:
            return
        name = ""
        try:
            message = asking.read(data)
            name = asking.text(message, "act")
            if self._soon:
                raise Refused(TOO_OFTEN)
            if message.get("do") == "ping":  # which asks for nothing but an answer
                self._send(framed(written({"answer": name, "seq": self._seq})))
                return
            if not self._sockets.guard.rate.allows(self.address):
                raise Refused(TOO_OFTEN)
            if self.viewer is None:
                raise NotYours("Only somebody who sits there can do that.")
            self._act(name, message)
        except DuelError as error:
            self._sockets.desk.metrics.refusals["message"] += 1
            self._send(framed(written({"answer": name, "refused": str(error)})))

    def _act(self, name: str, message: dict[str, Json]) -> None:
        assert self.viewer is not None
        key = f"{self.viewer} {name}"
        done = partial(self._answer, key, name)
        self._asked[key] = name
        try:
            self._sockets.desk.begin_act(self.game, self.viewer, name, message, done, self._token)
        except DuelError:
            self._asked.pop(key, None)
            raise

    def _answer(self, key: str, name: str, said: Sequence[Event] | BaseException) -> None:
        """Unless the news of it were the answer."""
        if self._asked.pop(key, None) is not None:
            if isinstance(said, DuelError):
                self._send(framed(written({"answer": name, "refused": str(said)})))
            elif isinstance(said, BaseException):
                self._sockets.failed(said)
                self._send(framed(written({"answer": name, "refused": "The server could not do that; try again."})))
            else:
                self._send(framed(written({"answer": name, "seq": said[-1].seq if said else self._seq})))
        if self._leaving and not self._asked:
            self.shutdown()
