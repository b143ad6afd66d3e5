"""A stretch of wire between a browser and the site, which a test can damage."""

import socket
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field

from tests.site import free_port


@dataclass
class Wire:
    """Passes bytes on both ways, from its own port to another one, until told otherwise.

    `swallow`: all packets vanish without a word, those of new connections too. `hold_down`: what
    the site says is kept back, until it is released.
    """

    target: int = 0
    port: int = field(default_factory=free_port)
    swallow: bool = False
    hold_down: bool = False
    ended: bool = False
    _sockets: list[socket.socket] = field(default_factory=list)

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self, target: int) -> "Wire":
        self.target = target
        listener = socket.create_server(("127.0.0.1", self.port))
        self._sockets.append(listener)
        threading.Thread(target=self._accept, args=(listener,), daemon=True).start()
        return self

    def stop(self) -> None:
        self.ended = True
        for each in self._sockets:
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()

    def _accept(self, listener: socket.socket) -> None:
        with suppress(OSError):
            while True:
                near, _ = listener.accept()
                far = socket.create_connection(("127.0.0.1", self.target))
                self._sockets += [near, far]
                for pair in ((near, far, False), (far, near, True)):
                    threading.Thread(target=self._pump, args=pair, daemon=True).start()

    def _pump(self, source: socket.socket, sink: socket.socket, is_down: bool) -> None:
        with suppress(OSError):
            while data := source.recv(65536):
                while is_down and self.hold_down and not self.ended:
                    time.sleep(0.02)
                if not self.swallow:
                    sink.sendall(data)
        if not self.swallow:
            with suppress(OSError):
                sink.shutdown(socket.SHUT_WR)
