"""Small clients of servers on loopback, each on one connection: as little work as possible beside what
is measured."""

import json
import os
import selectors

from processes import Failed, connected

SILENCE = 60  # seconds after which readers give up


class Lines:
    """A connection of which lines and blocks are read."""

    def __init__(self, port):
        self.socket = connected(port)
        self.rest = b""

    def send(self, data):
        self.socket.sendall(data)

    def more(self):
        part = self.socket.recv(1 << 20)
        if not part:
            raise Failed("the server has closed the connection")
        self.rest += part

    def line(self):
        while (end := self.rest.find(b"\r\n")) < 0:
            self.more()
        found, self.rest = self.rest[:end], self.rest[end + 2:]
        return found

    def block(self, size):
        while len(self.rest) < size:
            self.more()
        found, self.rest = self.rest[:size], self.rest[size:]
        return found

    def close(self):
        self.socket.close()


class Http(Lines):
    """HTTP/1.1 with one request at a time."""

    def ask(self, method, path, body=None):
        return self.ask_raw(method, path, b"" if body is None else json.dumps(body, separators=(",", ":")).encode())

    def ask_raw(self, method, path, data):
        self.send(f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
                  f"Content-Length: {len(data)}\r\n\r\n".encode() + data)
        status, length = int(self.line().split()[1]), 0
        while header := self.line():
            name, _, value = header.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        answer = self.block(length)
        if status >= 300:
            raise Failed(f"{method} {path}: {status} {answer[:300].decode(errors='replace')}")
        return answer


def as_resp(*words):
    """A command in the form that Redis reads."""
    parts = [f"*{len(words)}\r\n".encode()]
    for word in words:
        data = word if isinstance(word, bytes) else str(word).encode()
        parts.append(b"$%d\r\n%s\r\n" % (len(data), data))
    return b"".join(parts)


class Redis(Lines):
    def answer(self):
        line = self.line()
        kind, rest = line[:1], line[1:]
        if kind == b"-":
            raise Failed(f"redis: {rest.decode()}")
        if kind == b":":
            return int(rest)
        if kind == b"+":
            return rest
        if kind == b"$":
            if rest == b"-1":
                return None
            return self.block(int(rest) + 2)[:-2]
        return [self.answer() for _ in range(int(rest))]

    def ask(self, *words):
        self.send(as_resp(*words))
        return self.answer()

    def ask_all(self, commands):
        """Sends the commands together, and takes their answers."""
        self.send(b"".join(as_resp(*x) for x in commands))
        return [self.answer() for _ in commands]


class Nats(Lines):
    def __init__(self, port):
        super().__init__(port)
        self.line()  # INFO
        self.send(b'CONNECT {"verbose":false,"pedantic":false,"headers":true,"no_responders":true}\r\nPING\r\n')
        self.until(b"PONG")

    def until(self, word):
        while self.line() != word:
            pass

    def ask(self, subject, what):
        """A request to the server's own API, and its answer."""
        data = json.dumps(what).encode()
        self.send(b"SUB _IN 1\r\nPUB %s _IN %d\r\n%s\r\n" % (subject.encode(), len(data), data))
        while True:
            line = self.line()
            if line.startswith(b"MSG "):
                answer = json.loads(self.block(int(line.split()[-1]) + 2))
                self.send(b"UNSUB 1\r\n")
                if "error" in answer:
                    raise Failed(f"nats: {answer['error']}")
                return answer


class Drain:
    """Reads connections in a process of its own until each has had a marker so many times."""

    def __init__(self, sockets, marker, count):
        self.done, done = os.pipe()
        self.child = os.fork()
        if self.child == 0:
            try:
                if self.read(sockets, marker, count):
                    os.write(done, b"1")
            finally:
                os._exit(0)
        os.close(done)

    @staticmethod
    def read(sockets, marker, count):
        """Whether each had it, before a connection was lost and without a minute in which nothing came."""
        waiting = selectors.DefaultSelector()
        for one in sockets:
            one.setblocking(True)
            waiting.register(one, selectors.EVENT_READ, [0, b""])
        left = len(sockets)
        while left:
            ready = waiting.select(SILENCE)
            if not ready:
                return False
            for key, _ in ready:
                part = key.fileobj.recv(1 << 18)
                if not part:
                    return False
                seen, tail = key.data
                text = tail + part
                seen += text.count(marker)
                cut = text.rfind(marker)
                key.data[:] = seen, text[max(cut + len(marker) if cut >= 0 else 0, len(text) - len(marker) + 1):]
                if seen >= count:
                    waiting.unregister(key.fileobj)
                    left -= 1
        return True

    def wait(self):
        ended = os.read(self.done, 1)
        os.close(self.done)
        os.waitpid(self.child, 0)
        if ended != b"1":
            raise Failed("a subscriber did not get everything")
