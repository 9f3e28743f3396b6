#!/usr/bin/env python3
"""The entry point of the container, with the program that was built and without a container engine."""

import json
import os
import pathlib
import ssl
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request


class Container:
    def __init__(self, program, entry, folder):
        self.entry = entry
        self.secrets = folder / "secrets"
        self.secrets.mkdir()
        (folder / "bin").mkdir()
        (folder / "bin/scratchpage").symlink_to(program)
        self.env = {**os.environ, "PATH": f"{folder / 'bin'}:{os.environ['PATH']}",
                    "SCRATCHPAGE_SECRETS": str(self.secrets), "XDG_DATA_HOME": str(folder),
                    "SCRATCHPAGE_LISTEN": "0.0.0.0:0"}

    def run(self, *arguments):
        return subprocess.run([self.entry, *arguments], env=self.env, capture_output=True, text=True,
                              timeout=60)

    def start(self, **env):
        return subprocess.Popen([self.entry, "serve"], env={**self.env, **env}, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def check_explains(container, *lacks):
    done = container.run("serve")
    assert done.returncode == 2, done
    assert done.stdout == "", "it does not serve"
    for text in ("There is no " + str(container.secrets / "cert.pem"),
                 "There is no " + str(container.secrets / "key.pem"), "There is no token"):
        assert (text in done.stderr) == any(x in text for x in lacks), (text, done.stderr)


def make_certificate(folder):
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
                    "-nodes", "-keyout", folder / "key.pem", "-out", folder / "cert.pem", "-days", "1",
                    "-subj", "/CN=pages.example.com", "-addext", "subjectAltName=DNS:localhost"],
                   check=True, capture_output=True)


def ask(url, certificate, token=None, host=None):
    trusted = ssl.create_default_context(cafile=str(certificate))
    headers = {"authorization": f"Bearer {token}"} if token else {}
    if host:
        headers["host"] = host
    try:
        request = urllib.request.Request(url, headers=headers)
        with urllib.request.urlopen(request, context=trusted, timeout=20) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as refused:
        return refused.code, refused.read()


def main(program, source):
    entry = source / "packaging/container/entry"
    dockerfile = (source / "Dockerfile").read_text()
    assert "COPY packaging/container/entry" in dockerfile and "EXPOSE 7443" in dockerfile
    with tempfile.TemporaryDirectory(prefix="container-") as folder:
        container = Container(program, entry, pathlib.Path(folder))
        check_explains(container, "cert.pem", "key.pem", "token")
        make_certificate(container.secrets)
        check_explains(container, "token")
        made = container.run("token", "add", "--name", "dashboard", "--json")
        token = json.loads(made.stdout)["token"]
        serving = container.start(SCRATCHPAGE_HOSTS="pages.example.com localhost")
        try:
            url = serving.stdout.readline().strip()
            assert url.startswith("https://0.0.0.0:"), (url, serving.stderr.read())
            port = url.rsplit(":", 1)[1]
            here = f"https://localhost:{port}/v1/agents"
            certificate = container.secrets / "cert.pem"
            assert ask(here, certificate, token) == (200, b'{"agents":[]}')
            assert ask(here, certificate, token, f"pages.example.com:{port}")[0] == 200
            assert ask(here, certificate, token, "evil.example.com")[0] >= 400
            assert ask(here, certificate)[0] == 401, "nobody is let in without a token"
        finally:
            serving.terminate()
            _, said = serving.communicate(timeout=30)
        assert serving.returncode == 0, said
        assert token not in said, "no secret is in the log"
        (container.secrets / "cert.pem").unlink()
        check_explains(container, "cert.pem")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]))
