"""The contestants' side of the protocol: one order in JSON a line, one answer in JSON a line."""

import json
import sys
import time


def timed(questions, seconds, ask):
    """Asks one question after the other until all are answered or the time is over, at least one.
    `ask` returns how many match. Answers the microseconds and the totals."""
    times, totals = [], []
    begin = time.perf_counter()
    for question in questions:
        started = time.perf_counter()
        total = ask(question)
        times.append((time.perf_counter() - started) * 1e6)
        totals.append(total)
        if time.perf_counter() - begin > seconds:
            break
    return {"us": times, "totals": totals}


def obey(contestant, orders=sys.stdin, answers=sys.stdout):
    """Each order names a method of the contestant; its other members are the arguments."""
    for line in orders:
        order = json.loads(line)
        try:
            answer = getattr(contestant, order.pop("do"))(**order)
        except Exception as why:  # noqa: BLE001 - the other side tells it
            answer = {"error": f"{type(why).__name__}: {why}"}
        print(json.dumps(answer), file=answers, flush=True)
