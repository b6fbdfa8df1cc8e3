"""The application: `uvicorn server.app:app`, or `python -m server.app --port 8000`."""

from __future__ import annotations

import argparse

from duelbook.agents.openenv_server import application

app = application()


def main() -> None:
    import uvicorn

    asked = argparse.ArgumentParser(description="Serve every duel as an environment of OpenEnv.")
    asked.add_argument("--host", default="127.0.0.1")
    asked.add_argument("--port", type=int, default=8000)
    given = asked.parse_args()
    uvicorn.run(app, host=given.host, port=given.port)


if __name__ == "__main__":
    main()
