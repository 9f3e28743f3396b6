#!/usr/bin/env python3
"""Checks metrics and alerts with Prometheus.

promtool must find nothing wrong with the metrics of a real server. Then Prometheus, with the
rules of the documentation, scrapes the server while nobody reads an event stream, until the
alert about that fires.

usage: prometheus.py PROGRAM RULES
"""

import json
import pathlib
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

PATIENCE = 120  # seconds to wait for an alert that usually takes about ten


def start(program, folder):
    process = subprocess.Popen(
        [program, "serve", "--data", str(folder / "data"), "--listen", "127.0.0.1:0"],
        stdout=subprocess.PIPE, text=True)
    return process, process.stdout.readline().strip()


def add(url, text):
    draft = json.dumps({"type": "observation", "content": text}).encode()
    request = urllib.request.Request(f"{url}/v1/agents/ada/observations", draft,
                                     {"content-type": "application/json"})
    urllib.request.urlopen(request).read()


def check_metrics(url):
    text = urllib.request.urlopen(f"{url}/metrics").read()
    checked = subprocess.run(["promtool", "check", "metrics"], input=text, capture_output=True)
    said = (checked.stdout + checked.stderr).decode()
    if checked.returncode != 0 or said:
        sys.exit(f"promtool about the metrics: {said}")
    print(f"promtool check metrics: silent about {len(text.splitlines())} lines")


def check_rules(rules):
    checked = subprocess.run(["promtool", "check", "rules", rules], capture_output=True, text=True)
    if checked.returncode != 0:
        sys.exit(f"promtool about the rules: {checked.stdout}{checked.stderr}")
    print(f"promtool check rules: {checked.stdout.strip().splitlines()[-1]}")


def stall(url):
    """Opens an event stream and never reads it."""
    host, port = url.removeprefix("http://").split(":")
    stream = socket.socket()
    stream.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    stream.connect((host, int(port)))
    stream.sendall(b"GET /v1/agents/ada/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
    return stream


def free_port():
    with socket.socket() as any_port:
        any_port.bind(("127.0.0.1", 0))
        return any_port.getsockname()[1]


def watch(url, rules, folder):
    port = free_port()
    (folder / "prometheus.yml").write_text(json.dumps({  # JSON is YAML
        "global": {"scrape_interval": "1s", "evaluation_interval": "1s"},
        "rule_files": [str(pathlib.Path(rules).resolve())],
        "scrape_configs": [{"job_name": "scratchpage", "static_configs":
                            [{"targets": [url.removeprefix("http://")]}]}]}))
    log = open(folder / "prometheus.log", "w")
    process = subprocess.Popen(
        ["prometheus", f"--config.file={folder}/prometheus.yml", f"--storage.tsdb.path={folder}/tsdb",
         f"--web.listen-address=127.0.0.1:{port}"], stdout=log, stderr=log)
    return process, f"http://127.0.0.1:{port}"


def firing(prometheus):
    try:
        answer = json.load(urllib.request.urlopen(f"{prometheus}/api/v1/alerts", timeout=5))
    except OSError:  # Prometheus has not started yet
        return []
    return [x["labels"]["alertname"] for x in answer["data"]["alerts"] if x["state"] == "firing"]


def await_alert(prometheus, name, ends):
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        found = firing(prometheus)
        if name in found:
            return found
        ends.wait(0.5)
    sys.exit(f"{name} did not fire; firing are {firing(prometheus)}")


def main():
    program, rules = sys.argv[1:]
    check_rules(rules)
    with tempfile.TemporaryDirectory(prefix="prometheus-") as folder:
        folder = pathlib.Path(folder)
        server, url = start(program, folder)
        prometheus = None
        ends = threading.Event()
        try:
            add(url, 'quotes " and \\ and \n lines')
            check_metrics(url)
            prometheus, at = watch(url, rules, folder)
            stream = stall(url)
            filler = "x" * 60_000
            for number in range(200):  # more than the buffers of socket and stream
                add(url, f"{number} {filler}")
            found = await_alert(at, "ScratchpageSubscriberStalled", ends)
            if found != ["ScratchpageSubscriberStalled"]:
                sys.exit(f"expected no other alert, but firing are {found}")
            print("fires on a stalled subscriber: ScratchpageSubscriberStalled")
            stream.close()
        finally:
            for process in filter(None, (prometheus, server)):
                process.terminate()
                process.wait()


if __name__ == "__main__":
    main()
