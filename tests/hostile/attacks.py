#!/usr/bin/env python3
"""Runs attacks on a server, and shows whether each was refused.

usage: attacks.py PROGRAM [--list] [--only NAME]

Each attack is a function that takes the server `s`; its name says what the server must refuse. It
runs on a server with tokens of a tool, an agent and a person, and on one without tokens, where it
comes from another program of this machine. An attack returns what it has achieved; a false value
means that it was refused. The exit code is 1 if an attack has achieved something or is broken.
"""

import argparse
import http.client
import inspect
import sys

import attacks_at_the_door
import attacks_of_much
import attacks_on_consent
import attacks_on_goals
import attacks_on_turns
import attacks_on_words
from attacked_server import Server

TOPICS = [attacks_on_consent, attacks_on_turns, attacks_on_goals, attacks_on_words, attacks_at_the_door,
          attacks_of_much]


def attacks_of(topic):
    """The functions of the module that take `s` alone, in their order."""
    return [x for x in vars(topic).values() if inspect.isfunction(x) and x.__module__ == topic.__name__
            and list(inspect.signature(x).parameters) == ["s"]]


ATTACKS = [attack for topic in TOPICS for attack in attacks_of(topic)]


def outcome_of(attack, program, with_tokens):
    """What the attack has achieved on a new server; false if it was refused."""
    server = Server(program, with_tokens, config=getattr(attack, "config", None))
    try:
        return attack(server)
    except (RuntimeError, OSError, http.client.HTTPException, KeyError, TypeError, IndexError) as err:
        return "broken: %s %s" % (type(err).__name__, err)
    finally:
        server.end()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("program")
    parser.add_argument("--only")
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    if options.list:
        print("\n".join(x.__name__ for x in ATTACKS))
        return 0
    achieved = 0
    for attack in ATTACKS:
        if options.only and options.only != attack.__name__:
            continue
        for with_tokens in (True, False):
            got = outcome_of(attack, options.program, with_tokens)
            achieved += bool(got)
            print("%-9s %-15s %-58s %s" % ("ACHIEVED" if got else "refused",
                  "with tokens" if with_tokens else "without tokens", attack.__name__, got or ""), flush=True)
    return 1 if achieved else 0


if __name__ == "__main__":
    sys.exit(main())
