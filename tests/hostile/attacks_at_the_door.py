"""Attacks on authentication: who gets access, under which name, and with malformed requests."""

import os
import socket
import time

from attacked_server import PATIENCE, meanwhile, request, send_on, waited_for


# -- access without a valid token --------------------------------------------------------------------

def everybody_is_let_in_when_the_tokens_are_gone(s):
    if not s.with_tokens:
        return None
    s.call("agent", "add_observation", type="observation", content="Secret")
    os.remove(os.path.join(s.data, "tokens.json"))
    for _ in range(15):
        if s.send("GET", "/v1/agents/ada/observations")[0] == 200:
            return "everybody reads the page"
        time.sleep(.2)
    return None


def a_get_makes_an_agent(s):
    for path in ("/rpc?agent=eve", "/mcp?agent=eve"):
        s.send("GET", path, headers=s.headers("agent"))
    return "eve" in s.agents() and "the agent is there"


def a_refused_request_makes_an_agent(s):
    s.send("POST", "/v1/agents/eve/observations", {"type": "nothing", "content": " "}, s.headers("agent"))
    s.call("agent", "update_observation", agent="eve", observation_id="x", changes={"status": "resolved"})
    return "eve" in s.agents() and "the agent is there"


def a_reader_makes_an_agent(s):
    s.send("GET", "/rpc?agent=eve", headers=s.headers("reader"))
    s.call("reader", "list_observations", agent="eve")
    return "eve" in s.agents() and "the agent is there"


def an_image_in_a_foreign_page_is_answered(s):
    status, _ = s.send("GET", "/v1/agents", headers={
        **s.headers("agent"), "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"})
    return status == 200 and "it was answered"


# -- access after a token was revoked --------------------------------------------------------------------

def a_token_that_was_revoked_goes_on_with_a_batch(s):
    if not s.with_tokens:
        return None
    turn = s.call("agent", "begin_turn", input="Work", hold=True, thread_id="h")["turn_id"]
    waits = [{**request("await_turn", turn_id=turn), "id": i} for i in range(16)]
    late = {**request("add_observation", type="observation", content="Late"), "id": 99}
    answers = []

    def ask(link):
        answers.append(send_on(link, "POST", "/rpc?agent=ada", waits + [late], s.headers("other")))
        return True
    with meanwhile(s, ask):
        time.sleep(.5)
        s.run("token", "revoke", "--data", s.data, s.tokens["other"].split("_")[1])
        waited_for(lambda: s.send("GET", "/v1/agents", headers=s.headers("other"))[0] == 401, "it is not revoked")
        s.call("agent", "end_turn", turn_id=turn)
    found = s.call("agent", "list_observations", source="other")
    return found["total_count"] > 0 and "an observation was added"


def lets_anybody_in(server, *arguments):
    """Starts the server with these arguments; true if it serves without a token."""
    return server.start(*arguments) and server.send("GET", "/v1/agents")[0] == 200 and "everybody is let in"


def everybody_is_let_in_when_the_file_of_tokens_is_missing(s):
    s.stop()
    return lets_anybody_in(s, "--tokens", os.path.join(s.folder, "elsewhere", "tokens.json"))


def everybody_is_let_in_when_the_tokens_are_a_link_to_nothing(s):
    s.stop()
    tokens = os.path.join(s.data, "tokens.json")
    if os.path.exists(tokens):
        os.remove(tokens)
    os.symlink(os.path.join(s.folder, "elsewhere", "tokens.json"), tokens)
    return lets_anybody_in(s)


# -- false names -------------------------------------------------------------------------------------------

def let_in(server, names, role="daemon"):
    """The names under which a client gets a token, or may claim without tokens, and can add an observation."""
    found = [x for x in names if server.call(server.named(x, role), "add_observation", type="observation", content="x")]
    return found and "let in: " + ascii(found)


def somebody_is_called_like_a_daemon_but_for_what_nobody_sees(s):
    return let_in(s, ["executor ", "executor\n", "exec\u200butor"])


def a_tool_is_called_like_a_daemon(s):
    return let_in(s, ["executor", "frontal_cortex"], "tool")


def somebody_has_a_name_that_is_not_what_it_looks_like(s):
    return let_in(s, [" ", "a\nb", "a\u202eb", "ann "])


def somebody_is_called_like_a_daemon_in_letters_that_look_the_same(s):
    return let_in(s, ["\u0435xecutor", "\uff45\uff58\uff45\uff43\uff55\uff54\uff4f\uff52", "execut\u03bfr",
                      "\U0001d41executor", "clari\ufb01er", "cIarifier"])


def somebody_is_called_like_a_daemon_but_for_punctuation(s):
    return let_in(s, ["executor.", "\"executor\"", "frontal cortex", "frontal\u2010cortex", "daemon executor"])


def somebody_has_a_name_that_says_who_somebody_else_is(s):
    return let_in(s, ["user ann", "User\u00a0ann", "tool gauge", "ann, relayed by nobody"])


def a_tool_is_a_person(s):
    who = s.named("gauge2", "tool", "--person") if s.with_tokens else None
    added = who and s.add(who, "x")
    return added and "user" in s.observation(added)["source"] and "it speaks as one"


# -- ambiguous requests ----------------------------------------------------------------------------------------

def raw(s, text):
    host, port = s.host.rsplit(":", 1)
    with socket.create_connection((host, int(port)), PATIENCE) as link:
        link.sendall(text.encode())
        return link.recv(64).split(b" ")[1:2]


def a_body_has_two_lengths(s):
    head = "GET /healthz HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nContent-Length: 0\r\n\r\n"
    return raw(s, head) == [b"200"] and "it was answered"


def a_header_is_folded(s):
    head = "GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-A: b\r\n c\r\n\r\n"
    return raw(s, head) == [b"200"] and "it was answered"


def a_foreign_name_asks_whether_the_server_is_well(s):
    return s.send("GET", "/healthz", headers={"Host": "evil.example"})[0] == 200 and "it was answered"


def a_compressed_body_is_taken(s):
    status, _ = s.send("POST", "/v1/agents/ada/observations", {"type": "observation", "content": "x"},
                       {**s.headers("agent"), "Content-Encoding": "gzip"})
    return status == 201 and "it was taken"
