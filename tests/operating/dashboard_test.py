#!/usr/bin/env python3
"""The dashboard for Grafana and the alerts, against the series of a real Prometheus.

It runs a server, does some work on it, lets Prometheus scrape it, and checks that the query of every
panel and of every variable gives series. It takes the files of this checkout and Debian's prometheus.
"""

import json
import pathlib
import shutil
import socket
import subprocess
import sys
import threading
import urllib.parse
import urllib.request

from served import Served

TRIES = 300  # of 0.2 seconds
WITH_TOOLS = {"profile": {"scratchbook": True}}  # so that there is a tool to call


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


class Prometheus:
    def __init__(self, folder, target, rules):
        self.port = free_port()
        config = folder / "prometheus.yml"
        shutil.copy(rules, folder / "scratchpage.rules.yml")
        config.write_text(
            "global: {scrape_interval: 1s, evaluation_interval: 1s}\n"
            "rule_files: [scratchpage.rules.yml]\n"
            "scrape_configs:\n"
            "  - job_name: scratchpage\n"
            f"    static_configs: [{{targets: ['127.0.0.1:{target}']}}]\n")
        self.process = subprocess.Popen(
            ["prometheus", f"--config.file={config}", f"--storage.tsdb.path={folder / 'series'}",
             f"--web.listen-address=127.0.0.1:{self.port}", "--log.level=error"])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(60)

    def ask(self, path, **query):
        url = f"http://127.0.0.1:{self.port}/api/v1/{path}?{urllib.parse.urlencode(query)}"
        with urllib.request.urlopen(url, timeout=20) as answer:
            return json.load(answer)["data"]

    def series(self, expression):
        try:
            return self.ask("query", query=expression)["result"]
        except urllib.error.HTTPError as why:
            raise AssertionError(f"{expression}: {why.read().decode()}") from None
        except urllib.error.URLError:
            return []  # it does not listen yet


def filled_in(expression):
    for name, value in (("$__rate_interval", "30s"), ("$job", "scratchpage"), ("$agent", ".*")):
        expression = expression.replace(name, value)
    return expression


def expressions_of(dashboard):
    for panel in dashboard["panels"]:
        for target in panel.get("targets", []):
            yield panel["title"], filled_in(target["expr"])


def work(server):
    """Does something that each panel shows."""
    client = server.client()
    client.add("ada", "A ship is late")
    tools = [{"tool_id": "scratch_add", "inputs": {"kind": "note", "title": "Ask the harbour"}}]
    status, text = client.ask("POST", "/v1/agents/ada/turns",
                              {"input": "I live in Oslo. Is a ship late?", "plan": tools})
    assert status == 200, text
    assert client.ask("PATCH", "/v1/agents/ada/observations/obs_20000101_001",
                      {"changes": {"content": "x"}})[0] == 404
    for _ in range(2):  # memories are counted for the next scrape
        assert client.ask("GET", "/metrics")[0] == 200


def check_rules(rules):
    done = subprocess.run(["promtool", "check", "rules", rules], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def main(program, source):
    dashboard = json.loads((source / "packaging/grafana/scratchpage.json").read_text())
    rules = source / "docs/scratchpage.rules.yml"
    check_rules(rules)
    ids = [panel["id"] for panel in dashboard["panels"]]
    assert len(ids) == len(set(ids)), "panels have ids of their own"
    missing = dict((expression, title) for title, expression in expressions_of(dashboard))
    assert len(missing) > 30
    with (Served(program, config=WITH_TOOLS) as server,
          Prometheus(server.folder, server.port, rules) as prometheus):
        work(server)
        for _ in range(TRIES):
            missing = {x: title for x, title in missing.items() if not prometheus.series(x)}
            if not missing:
                break
            threading.Event().wait(0.2)
        metrics = server.client().ask("GET", "/metrics")[1].decode()
        assert not missing, f"without series: {missing}\n{metrics}"
        alerts = prometheus.ask("rules")["groups"][0]["rules"]
        assert alerts and all(x["health"] == "ok" for x in alerts), alerts
        assert all(x["state"] == "inactive" for x in alerts), alerts
        series = prometheus.ask("series", **{"match[]": '{__name__=~"scratchpage_.*"}'})
        print(f"{len(ids)} panels, {len(series)} series of one agent")


if __name__ == "__main__":
    main(str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2]))
