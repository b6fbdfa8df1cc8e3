"""A server that speaks the two interfaces of language models, on this machine alone, and fails in every way they do.

What it answers is said by a script: a function from the request to a `Said`, or a list of them, of which the last one
stays. Without one it plays the first of the legal moves that the prompt names.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Lock, Thread
from typing import Any, NamedTuple

OPENAI, ANTHROPIC = "openai", "anthropic"
PATHS = {"/v1/chat/completions": OPENAI, "/v1/messages": ANTHROPIC}
BROKEN, CLEAN, STALL, ENDLESS, MALFORMED = "broken", "clean", "stall", "endless", "malformed"
"""How a stream goes on after its pieces: the line breaks, it ends too early, nothing more comes, more and more comes,
or what comes is no JSON."""
TOKENS = (100, 7)


class Request(NamedTuple):
    """What a client sent."""

    interface: str
    headers: Mapping[str, str]
    body: dict[str, Any]
    number: int
    """Counted from 0."""

    @property
    def system(self) -> str:
        if self.interface == ANTHROPIC:
            return str(self.body.get("system", ""))
        return "".join(each["content"] for each in self.body["messages"] if each["role"] == "system")

    @property
    def question(self) -> str:
        return str(self.body["messages"][-1]["content"])

    def legal(self) -> list[str]:
        """The moves that the shipped prompt says can be played now."""
        found = re.search(r"^The moves that you can play now: (.*)$", self.question, re.MULTILINE)
        return found[1].split(", ") if found else []


class Said(NamedTuple):
    """How a request is answered."""

    text: str = ""
    ended: str = "stop"
    """stop, length or refusal."""
    refusal: str = ""
    thinking: str = ""
    tokens: tuple[int, int] | None = TOKENS
    """What it says that it took; None for a server that does not say."""
    then: str = ""
    """What becomes of the stream after the text, if it does not end as it should."""
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    error: str = "The server is out of sorts."


def first_move(request: Request) -> Said:
    """A model that plays the first legal move."""
    return Said(f"I look at the position.\n\nmove: {request.legal()[0]}")


Script = Callable[[Request], Said] | Sequence[Said]


class ModelServer:
    """The server while it runs; `requests` are all that it was sent."""

    def __init__(self, script: Script = first_move) -> None:
        self.script = script
        self.requests: list[Request] = []
        self.let_go = Event()
        """Ends whatever stalls."""
        self._lock = Lock()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                with suppress(ConnectionError):
                    _answer(self, outer)

            def log_message(self, format: str, *words: object) -> None:
                """Nothing is said of it."""

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = True
        self.address = f"http://127.0.0.1:{self._http.server_port}"
        self._thread = Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        self._thread.start()

    def url(self, interface: str = OPENAI) -> str:
        """What is given as the base URL: one of the two packages adds the version by itself."""
        return f"{self.address}/v1" if interface == OPENAI else self.address

    def hear(self, interface: str, headers: Mapping[str, str], body: dict[str, Any]) -> Said:
        with self._lock:
            request = Request(interface, headers, body, len(self.requests))
            self.requests.append(request)
            script = self.script
            return script(request) if callable(script) else script[min(request.number, len(script) - 1)]

    def close(self) -> None:
        self.let_go.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()


@contextmanager
def model_server(script: Script = first_move) -> Iterator[ModelServer]:
    """A server for a while. No proxy of whoever runs the tests stands between."""
    before = {name: os.environ.get(name) for name in ("NO_PROXY", "no_proxy")}
    os.environ |= dict.fromkeys(before, "127.0.0.1")
    server = ModelServer(script)
    try:
        yield server
    finally:
        server.close()
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def _answer(handler: BaseHTTPRequestHandler, server: ModelServer) -> None:
    body = json.loads(handler.rfile.read(int(handler.headers["content-length"])))
    interface = PATHS.get(handler.path)
    if interface is None:
        _send_json(
            handler, 404, (), {"error": {"message": f"There is nothing at {handler.path}.", "type": "not_found"}}
        )
        return
    headers = {name.lower(): value for name, value in handler.headers.items()}
    said = server.hear(interface, headers, body)
    if said.status != 200:
        error = {"message": said.error, "type": "error", "code": None}
        _send_json(handler, said.status, said.headers, {"type": "error", "error": error})
    elif not body.get("stream"):
        _send_json(handler, 200, said.headers, _whole(interface, body, said))
    else:
        _stream(handler, server, interface, body, said)


def _send_json(handler: BaseHTTPRequestHandler, status: int, headers: Sequence[tuple[str, str]], value: object) -> None:
    data = json.dumps(value).encode()
    handler.send_response(status)
    for name, text in (*headers, ("content-type", "application/json"), ("content-length", str(len(data)))):
        handler.send_header(name, text)
    handler.end_headers()
    handler.wfile.write(data)


def _whole(interface: str, body: dict[str, Any], said: Said) -> dict[str, Any]:
    """An answer in one piece."""
    tokens = said.tokens or (0, 0)
    if interface == ANTHROPIC:
        return {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": body["model"],
            "content": [{"type": "text", "text": said.refusal or said.text}],
            "stop_reason": _stop_reason(said),
            "stop_sequence": None,
            "usage": {"input_tokens": tokens[0], "output_tokens": tokens[1]},
        }
    message = {"role": "assistant", "content": said.text, "refusal": said.refusal or None}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 0,
        "model": body["model"],
        "choices": [{"index": 0, "message": message, "finish_reason": _finish_reason(said), "logprobs": None}],
        "usage": {"prompt_tokens": tokens[0], "completion_tokens": tokens[1], "total_tokens": sum(tokens)},
    }


def _stop_reason(said: Said) -> str:
    return {"stop": "end_turn", "length": "max_tokens"}.get(said.ended, said.ended)


def _finish_reason(said: Said) -> str:
    return (
        "stop"
        if said.ended == "refusal" and said.refusal
        else {"refusal": "content_filter"}.get(said.ended, said.ended)
    )


def _stream(
    handler: BaseHTTPRequestHandler, server: ModelServer, interface: str, body: dict[str, Any], said: Said
) -> None:
    handler.send_response(200)
    for name, text in (*said.headers, ("content-type", "text/event-stream"), ("transfer-encoding", "chunked")):
        handler.send_header(name, text)
    handler.end_headers()
    before, piece, after = _events(interface, body, said)
    for event in before:
        _send(handler, event)
    if said.then == MALFORMED:
        _send(handler, "data: {this is no JSON\n\n")
    while said.then == ENDLESS and not server.let_go.wait(0.01):
        _send(handler, piece)
    if said.then == STALL:
        server.let_go.wait()
    if said.then in (STALL, BROKEN, ENDLESS):
        handler.close_connection = True
        return
    for event in () if said.then in (CLEAN, MALFORMED) else after:
        _send(handler, event)
    handler.wfile.write(b"0\r\n\r\n")


def _send(handler: BaseHTTPRequestHandler, event: str) -> None:
    data = event.encode()
    handler.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))


def _events(interface: str, body: dict[str, Any], said: Said) -> tuple[list[str], str, list[str]]:
    """The pieces of an answer, one piece that could come again, and how the answer ends."""
    pieces = re.findall(r"\S+\s*|\s+", said.text)
    if interface == ANTHROPIC:
        return _anthropic_events(body, said, pieces)
    return _openai_events(body, said, pieces)


def _openai_events(body: dict[str, Any], said: Said, pieces: list[str]) -> tuple[list[str], str, list[str]]:
    def chunk(delta: dict[str, Any], finish: str | None = None) -> str:
        choice = {"index": 0, "delta": delta, "finish_reason": finish, "logprobs": None}
        return _data({**common, "choices": [choice]})

    common = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 0, "model": body["model"]}
    before = [chunk({"role": "assistant", "content": ""})]
    before += [chunk({"reasoning_content": said.thinking})] if said.thinking else []
    before += [chunk({"content": piece}) for piece in pieces]
    before += [chunk({"refusal": said.refusal})] if said.refusal else []
    after = [chunk({}, _finish_reason(said))]
    if said.tokens and body.get("stream_options", {}).get("include_usage"):
        taken, given = said.tokens
        usage = {"prompt_tokens": taken, "completion_tokens": given, "total_tokens": taken + given}
        after.append(_data({**common, "choices": [], "usage": usage}))
    return before, chunk({"content": "and so on "}), [*after, "data: [DONE]\n\n"]


def _anthropic_events(body: dict[str, Any], said: Said, pieces: list[str]) -> tuple[list[str], str, list[str]]:
    def delta(index: int, kind: str, field: str, text: str) -> str:
        return _event("content_block_delta", {"index": index, "delta": {"type": kind, field: text}})

    taken, given = said.tokens or (0, 0)
    message = {"id": "msg_1", "type": "message", "role": "assistant", "model": body["model"], "content": []}
    message |= {"stop_reason": None, "stop_sequence": None, "usage": {"input_tokens": taken, "output_tokens": 1}}
    before = [_event("message_start", {"message": message})]
    if said.thinking:
        block = {"type": "thinking", "thinking": "", "signature": ""}
        before.append(_event("content_block_start", {"index": 0, "content_block": block}))
        before.append(delta(0, "thinking_delta", "thinking", said.thinking))
        before.append(_event("content_block_stop", {"index": 0}))
    block = {"type": "text", "text": ""}
    before.append(_event("content_block_start", {"index": 1, "content_block": block}))
    before += [delta(1, "text_delta", "text", piece) for piece in [*pieces, said.refusal] if piece]
    ended = {"delta": {"stop_reason": _stop_reason(said), "stop_sequence": None}, "usage": {"output_tokens": given}}
    after = [_event("content_block_stop", {"index": 1}), _event("message_delta", ended), _event("message_stop", {})]
    return before, delta(1, "text_delta", "text", "and so on "), after


def _data(value: object) -> str:
    return f"data: {json.dumps(value)}\n\n"


def _event(name: str, value: dict[str, Any]) -> str:
    return f"event: {name}\ndata: {json.dumps({'type': name, **value})}\n\n"
