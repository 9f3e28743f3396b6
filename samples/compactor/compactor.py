#!/usr/bin/env python3
"""Compacts conversations for Scratchpage, as a program behind the tool interface.

It reads requests from standard input, one per line, and writes an answer to each to
standard output. A real compactor passes `task`, the messages and `tools` to a model and
answers with the calls that the model makes. This one has no model: it makes a todo of
each of the user's last requests, by calling a tool, and then answers with a summary. Try
it with a configuration file

    {"profile": {"name": "on_device"},
     "conversation": {"compactor": {"command": ["python3", "samples/compactor/compactor.py"]}}}

and `scratchpage simulate TRANSCRIPT --window 4000 --config FILE`.
"""

import json
import sys

MOST_TODOS = 3


def requests_of_the_user(task):
    said = [m.get("content", "") for m in task["offloaded"] if m["role"] == "user"]
    return [" ".join(text.split())[:120] for text in said if text.strip()]


def reply_to(task):
    wishes = requests_of_the_user(task)[-MOST_TODOS:]
    todos = [f"Asked earlier: {wish}" for wish in wishes]
    if not task["steps"]:
        calls = [
            {"id": str(n), "name": "scratch_add", "arguments": {"kind": "todo", "title": title}}
            for n, title in enumerate(todos)
            if title not in task["view"]
        ]
        if calls:
            return {"calls": calls}
    kept = sum(step["status"] == "ok" for step in task["steps"])
    count = len(task["offloaded"])
    return {"summary": f"{count} messages left, {len(wishes)} wishes among them, {kept} kept as todos."}


for line in sys.stdin:
    request = json.loads(line)
    answer = {"request_id": request["request_id"], "status": "ok", "outputs": reply_to(request["inputs"])}
    print(json.dumps(answer), flush=True)
