"""An MCP server for tests that misbehaves on command.

usage: scripted_server.py [--http] [MODE...]

Over HTTP it writes its port to the standard output, and ends when its input ends.

Modes:
  silent          never answers `initialize`
  babbles         writes other lines between the messages
  old             supports only 2024-11-05
  modern          supports only 2026-07-28, without `initialize`
  pages           lists its tools one a page
  heavy           has hundreds of further tools with long schemas
  restless        reports changed tools after each list
  asks            sends requests to the client once it is ready
  stubborn        ignores the end of its input and SIGTERM
  stream          (http) answers with event streams
  breaks          (http) event streams break after the first event
  forgetful       (http) forgets its session after the first call
  tls FILE        (http) uses TLS, with the key and the certificate in FILE
  secret          (http) requires the header "Authorization: Bearer open-sesame"
"""

import base64
import json
import os
import signal
import ssl
import sys
import threading
import time

LEGACY, OLD, MODERN = "2025-11-25", "2024-11-05", "2026-07-28"
META = "io.modelcontextprotocol/"


def tool(name, **more):
    return {"name": name, "description": f"Does {name}", "inputSchema": {"type": "object"}, **more}


READS = {"annotations": {"readOnlyHint": True}}
TOOLS = [
    tool("echo", **READS),
    tool("hang", **READS),
    tool("die"),
    tool("flood", **READS),
    tool("fail", **READS),
    tool("picture", **READS),
    tool("wrong_id", **READS),
    tool("grow", **READS),
    tool("read", **READS),
    tool("told", **READS),
    tool("environment", **READS),
    tool("erase", annotations={"destructiveHint": True}),
]
# The argument of `echo` is also sent in a header.
TOOLS[0]["inputSchema"] = {
    "type": "object", "properties": {"text": {"type": "string", "x-mcp-header": "Text"}}}


def text(x):
    return {"content": [{"type": "text", "text": x}]}


class Server:
    def __init__(self, modes, write):
        self.modes = modes
        self.write = write  # sends a message to the client
        self.tools = list(TOOLS)
        if self.on("heavy"):
            schema = {"type": "object", "properties": {
                f"p{i}": {"type": "string", "description": "d" * 100} for i in range(400)}}
            self.tools += [tool(f"t{i}", **{**READS, "inputSchema": schema}) for i in range(500)]
        self.told = []  # the client's notifications and answers, for the tool `told`

    def on(self, mode):
        return mode in self.modes

    def handle(self, message):
        """The answer to a message; None if it has none."""
        method, id = message.get("method"), message.get("id")
        if method is None:
            self.told.append("answer " + str(message.get("error", {}).get("code", "result")))
            return None
        if id is None:
            self.told.append(method)
            if method == "notifications/initialized" and self.on("asks"):
                for n, what in enumerate(["ping", "roots/list", "sampling/createMessage"]):
                    self.write({"jsonrpc": "2.0", "id": f"q{n}", "method": what})
            return None
        try:
            result = self.result_of(method, message.get("params", {}), id)
        except LookupError as e:
            return {"jsonrpc": "2.0", "id": id, "error": {"code": e.args[0], "message": e.args[1]}}
        if result is None:
            return None
        if self.on("modern"):
            result["resultType"] = "complete"
        return {"jsonrpc": "2.0", "id": id, "result": result}

    def result_of(self, method, params, id):
        if self.on("modern"):
            if params.get("_meta", {}).get(META + "protocolVersion") != MODERN:
                raise LookupError(-32602, "no revision")
            if method == "server/discover":
                info = {META + "serverInfo": {"name": "scripted", "version": "1"}}
                return {"supportedVersions": [MODERN], "capabilities": {"tools": {}}, "_meta": info}
        elif method == "initialize":
            if self.on("silent"):
                return None
            return {
                "protocolVersion": OLD if self.on("old") else LEGACY,
                "capabilities": {"tools": {"listChanged": True}},
                "serverInfo": {"name": "scripted", "version": "1"},
            }
        if method == "tools/list":
            return self.page(params.get("cursor"))
        if method == "tools/call":
            return self.call(params["name"], params.get("arguments", {}), id)
        raise LookupError(-32601, "no method " + method)

    def page(self, cursor):
        if self.on("restless"):
            self.write({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"})
        size = 1 if self.on("pages") else 64
        at = int(cursor or 0)
        page = {"tools": self.tools[at : at + size]}
        if at + size < len(self.tools):
            page["nextCursor"] = str(at + size)
        return page

    def call(self, name, arguments, id):
        if name == "echo":
            return text(str(arguments.get("text", "")))
        if name == "hang":
            return None
        if name == "die":
            print("out of cheese", file=sys.stderr, flush=True)
            os._exit(7)
        if name == "flood":
            return text("x" * int(arguments["bytes"]))
        if name == "fail":
            return {**text("no such planet"), "isError": True}
        if name == "picture":
            return {"content": [{"type": "image", "data": "aGVsbG8=", "mimeType": "image/png"}]}
        if name == "wrong_id":
            self.write({"jsonrpc": "2.0", "id": 999999, "result": text("for nobody")})
            return text("for you")
        if name == "grow":
            self.tools.append(tool(arguments["name"], **READS))
            self.write({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"})
            return text("grown")
        if name == "read":
            with open(arguments["path"], encoding="utf-8") as file:
                return text(file.read())
        if name == "told":
            return text(" ".join(self.told))
        if name == "environment":
            return text(" ".join(f"{k}={os.environ.get(k, '')}" for k in arguments["names"]))
        if name == "erase":
            return text("erased")
        raise LookupError(-32602, "unknown tool " + name)


def serve_stdio(modes):
    lock = threading.Lock()

    def write(message):
        with lock:
            sys.stdout.write(json.dumps(message) + "\n")
            sys.stdout.flush()

    server = Server(modes, write)
    if "stubborn" in modes:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if "babbles" in modes:
        print("Server is running on stdio\n\n[not json]", flush=True)
    for line in sys.stdin:
        answer = server.handle(json.loads(line))
        if answer:
            write(answer)
    while "stubborn" in modes:
        signal.pause()


def serve_http(modes):
    from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

    state = threading.Condition()
    unasked = []  # messages for the listening stream
    sessions = set()
    kept = {}  # answers of broken streams, by event id
    server = Server(modes, lambda m: tell(m))

    def tell(message):
        with state:
            unasked.append(message)
            state.notify_all()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *args):
            pass

        def reply(self, status, body=None, **headers):
            data = b"" if body is None else json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(data)))
            if body is not None:
                self.send_header("Content-Type", "application/json; charset=utf-8")
            for name, value in headers.items():
                self.send_header(name.replace("_", "-"), value)
            self.end_headers()
            self.wfile.write(data)

        def begin_stream(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Connection", "close")
            self.end_headers()
            self.close_connection = True

        def event(self, message, id=None):
            head = f"id: {id}\n" if id else ""
            self.wfile.write(f"{head}event: message\ndata: {json.dumps(message)}\n\n".encode())
            self.wfile.flush()

        def refused(self):
            if "secret" in modes and self.headers.get("Authorization") != "Bearer open-sesame":
                self.reply(401)
                return True
            return False

        def head_fits(self, message):
            """Whether the headers of a modern request match its body."""
            method, params = message.get("method"), message.get("params", {})
            if method != "server/discover" and self.headers.get("Mcp-Method") != method:
                return False
            if method != "tools/call" or params["name"] != "echo":
                return True
            said = self.headers.get("Mcp-Param-Text")
            if said is not None and said.startswith("=?base64?"):
                said = base64.b64decode(said[9:-2]).decode()
            return said == params.get("arguments", {}).get("text")

        def session(self):
            return self.headers.get("Mcp-Session-Id") in sessions

        def do_POST(self):
            message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            if self.refused():
                return
            method = message.get("method")
            if "modern" in modes:
                if not self.head_fits(message):
                    return self.reply(400, {"jsonrpc": "2.0", "error": {"code": -32020, "message": "head"}})
            elif method != "initialize" and not self.session():
                return self.reply(404)
            if method == "tools/call" and "forgetful" in modes and server.told.count("forgot") == 0:
                server.told.append("forgot")
                sessions.clear()
                return self.reply(404)
            answer = server.handle(message)
            if answer is None and message.get("id") is None:
                return self.reply(202)
            if answer is None:  # waits until the client gives up
                self.connection.settimeout(60)
                try:
                    self.rfile.read(1)
                except OSError:
                    pass
                return
            if method == "initialize":
                session = f"session-{len(sessions)}-{time.monotonic_ns()}"
                sessions.add(session)
                return self.reply(200, answer, Mcp_Session_Id=session)
            if "error" in answer and "modern" in modes:
                return self.reply(400, answer)
            if "stream" in modes and method == "tools/call":
                self.begin_stream()
                if "breaks" in modes:
                    kept["e1"] = answer
                    self.wfile.write(b"id: e1\nretry: 1\ndata: \n\n")
                else:
                    self.wfile.write(b": hello\n\n")
                    self.event({"jsonrpc": "2.0", "method": "notifications/progress"})
                    self.event(answer)
                return
            self.reply(200, answer)

        def do_GET(self):
            if self.refused():
                return
            last = self.headers.get("Last-Event-ID")
            if last in kept:
                self.begin_stream()
                return self.event(kept.pop(last))
            if "modern" in modes or not self.session():
                return self.reply(405)
            self.begin_stream()
            self.wfile.write(b": listening\n\n")
            self.wfile.flush()
            while self.session():
                with state:
                    state.wait_for(lambda: unasked or not self.session(), timeout=30)
                    messages, unasked[:] = list(unasked), []
                for message in messages:
                    self.event(message)

        def do_DELETE(self):
            known = self.session()
            with state:
                sessions.discard(self.headers.get("Mcp-Session-Id"))
                state.notify_all()
            self.reply(200 if known else 404)
            if known:
                print("session ended", flush=True)

    class Http(ThreadingHTTPServer):
        daemon_threads = True

    http = Http(("127.0.0.1", 0), Handler)
    if "tls" in modes:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(modes[modes.index("tls") + 1])
        http.socket = context.wrap_socket(http.socket, server_side=True)
    print(http.server_port, flush=True)
    threading.Thread(target=http.serve_forever, daemon=True).start()
    sys.stdin.read()  # until the test closes the input


def main():
    arguments = sys.argv[1:]
    if arguments[:1] == ["--http"]:
        serve_http(arguments[1:])
    else:
        serve_stdio(arguments)


main()
