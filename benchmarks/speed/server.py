"""A small web server and proxy in its own process: ``python -m benchmarks.speed.server FOLDER PORTS``.

The server gives the files of a folder from memory, on several ports, so that a crawl meets several sites. The ports are
printed as a JSON list when the server is ready. The server ends with its standard input.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import unquote

LOCAL = "127.0.0.1"
TYPES = {".html": "text/html; charset=utf-8", ".htm": "text/html", ".txt": "text/plain"}
BACKLOG = 256
ADDRESSES = "addresses.json"  # file of a folder with the names of files by address, for requests to a proxy


def answers_of(folder: Path) -> dict[str, bytes]:
    """The answer to each path: the files of a folder, folders standing for the ``index.html`` in them."""
    answers = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.suffix in TYPES:
            name = "/" + path.relative_to(folder).as_posix()
            answers[name] = answer(path.read_bytes(), TYPES[path.suffix])
            if path.name == "index.html":
                answers[name.removesuffix("index.html")] = answers[name]
    addresses = folder / ADDRESSES
    if addresses.is_file():
        names = json.loads(addresses.read_text(encoding="utf-8"))
        answers |= {unquote(address): answers[name] for address, name in names.items()}
    return answers


def answer(body: bytes, content_type: str, status: str = "200 OK") -> bytes:
    """A whole HTTP response."""
    head = f"HTTP/1.1 {status}\r\nContent-Type: {content_type}\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode("ascii") + body


NOT_FOUND = answer(b"not here", "text/plain", "404 Not Found")


async def serve(answers: Mapping[str, bytes], ports: int) -> None:
    """Serve until standard input ends."""

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                asked = head.split(b" ", 2)[1].decode("latin-1")
                path = asked.partition("?")[0] if asked.startswith("/") else asked  # a proxy gets whole addresses
                writer.write(answers.get(unquote(path), NOT_FOUND))
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    servers = [await asyncio.start_server(connected, LOCAL, 0, backlog=BACKLOG) for _ in range(ports)]
    print(json.dumps([server.sockets[0].getsockname()[1] for server in servers]), flush=True)
    await asyncio.to_thread(sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(serve(answers_of(Path(sys.argv[1])), int(sys.argv[2])))
