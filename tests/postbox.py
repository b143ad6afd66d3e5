"""A mail server that keeps what it gets, for servers under test."""

import socketserver
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Final

GREETING: Final = b"220 postbox\r\n"
FINE: Final = b"250 OK\r\n"
WITHIN: Final = 20.0  # seconds


@dataclass
class PostBox:
    """What has come, oldest first."""

    port: int = 0
    mails: list[EmailMessage] = field(default_factory=list)

    @property
    def url(self) -> str:
        """As the setting EMAIL_URL."""
        return f"smtp://127.0.0.1:{self.port}"

    def mail_to(self, address: str, count: int = 1) -> EmailMessage:
        """Wait for so many mails to an address; the last of them."""
        end = time.monotonic() + WITHIN
        while time.monotonic() < end:
            found = [mail for mail in list(self.mails) if mail["To"] == address]
            if len(found) >= count:
                return found[-1]
            time.sleep(0.05)
        raise AssertionError(f"no mail to {address}: {[mail['To'] for mail in self.mails]}")


@contextmanager
def open_postbox() -> Iterator[PostBox]:
    """A post box on a free port, as long as the block lasts."""
    box = PostBox()

    class Session(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            self.wfile.write(GREETING)
            while line := self.rfile.readline():
                word = line[:4].upper().strip()
                if word == b"QUIT":
                    self.wfile.write(b"221 bye\r\n")
                    return
                if word == b"DATA":
                    self.wfile.write(b"354 go on\r\n")
                    box.mails.append(self._read())
                self.wfile.write(FINE)

        def _read(self) -> EmailMessage:
            lines = []
            while (line := self.rfile.readline()) not in (b".\r\n", b""):
                lines.append(line.removeprefix(b"."))
            mail = message_from_bytes(b"".join(lines), policy=policy.default)
            assert isinstance(mail, EmailMessage)
            return mail

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Session) as server:
        server.daemon_threads = True
        box.port = server.server_address[1]
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield box
        server.shutdown()
