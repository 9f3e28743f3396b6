"""Every example in every --help is run as it is printed: in a folder with the files that it names, with today's date
in place of the one in its ids, a folder in place of /srv and /var/lib, and a server in place of pages.example.com.
"""

import datetime
import json
import re
import subprocess
import sys
import unittest

from program import LONGEST, PROGRAM, Folder, pathlib

SOURCES = pathlib.Path(sys.argv.pop(1)).resolve()
ENDLESS = 3  # seconds after which a command that runs until it is stopped is stopped
RUN_ON = ("serve", "tail", "top", "mcp")
TODAY = datetime.datetime.now(datetime.timezone.utc).strftime("%Y%m%d")
TALK = {"id": "t1", "messages": [{"role": "user", "content": "Where is my parcel?"},
                                 {"role": "assistant", "content": "It is late."}], "labels": [{}]}

# Examples whose programs or programs beside them are not here, and why.
NOT_RUN = {
    "xdg-open": "opens a browser",
    "ssh": "needs another machine",
    "curl": "needs the server of the example before",
    "zstd": "zstd may not be installed",
    "--tls-certificate": "needs a certificate",
}
# Examples of things that are not there, which say so with the exit code 1.
MAY_FIND_NOTHING = ("get ", "forget ", "trace turn_", "token revoke", "facts --correct", "facts --end", "scratch update",
                    "scratch complete", "scratch pin", "scratch unpin")


def examples_in(help):
    """The examples of a help, each on one line."""
    part = help.partition("Examples:\n")[2]
    joined = re.sub(r"\\\n\s*", "", part)
    return [line.strip() for line in joined.split("\n\n")[0].splitlines() if re.match(r"  \S", line)]


class Examples(Folder):
    def helps(self, path=()):
        text = self.run_words(*path, "--help")
        yield path, text
        listed = re.search(r"^Subcommands:\n((?:  .*\n)+)", text, re.MULTILINE)
        for command in re.findall(r"^  (\w+)", listed[1], re.MULTILINE) if listed else []:
            yield from self.helps((*path, command))

    def prepare(self):
        """The files and data that examples name."""
        (self.folder / "samples").symlink_to(SOURCES / "samples")
        (self.folder / "drafts.jsonl").write_text('{"type": "alert", "content": "Smoke"}\n')
        (self.folder / "build.log").write_text("done\n")
        (self.folder / "talks.jsonl").write_text(json.dumps(TALK) + "\n")
        (self.folder / "mine.json").write_text("{}")
        (self.folder / "other.json").write_text("{}")
        (self.folder / "keep.json").write_text('{"privacy": {"policy": "keep"}}')
        for place in ".zfunc", ".config/fish/completions", ".local/share/bash-completion/completions", "srv":
            (self.folder / place).mkdir(parents=True)
        for agent in "agent", "ada":
            self.run_words("add", "--agent", agent, "--type", "alert", "Smoke in the server room")
            for title in "one", "two":
                self.run_words("scratch", "add", "--agent", agent, "--thread", "trip", "--kind", "todo", title)
        self.run_words("export", "--agent", "ada", "ada.jsonl")
        self.run_words("checkpoint", "pages-2025-11-05.db")

    def as_here(self, example):
        result = example.replace("20251105", TODAY).replace("/srv/", f"{self.folder}/srv/")
        if "replay" in result:
            now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
            result = result.replace("--until 120", "--until 1").replace("2025-11-05T10:30:00Z", now)
        if "restore" in result:
            result = result.replace("/srv/pages", "/srv/restored")
        result = result.replace("checkpoint pages-2025-11-05.db", "checkpoint another.db")
        result = result.replace("import ada.jsonl", f"import ada.jsonl --data {self.folder}/srv/imported")
        result = result.replace(" --until 120 --agent ada", "")
        return result.replace("/var/lib/scratchpage", str(self.folder / "data"))

    def check(self, example, url):
        line = self.as_here(example).replace("https://pages.example.com:7443", url)
        # Some run until they are stopped; any other one that does not end is a failure.
        runs_on = any(f"scratchpage {word}" in example for word in RUN_ON)
        stopped = ["timeout", "-s", "TERM", str(ENDLESS)] if runs_on else []
        done = subprocess.run([*stopped, "bash", "-c", line], capture_output=True, text=True,
                              cwd=self.folder, env=self.env, stdin=subprocess.DEVNULL, timeout=LONGEST)
        allowed = {0} | ({124} if runs_on else set()) | ({1} if example.removeprefix("scratchpage ").startswith(MAY_FIND_NOTHING) else set())
        self.assertIn(done.returncode, allowed, f"{line}\n{done.stdout}{done.stderr}")

    def test_each_works_as_it_is_printed(self):
        all_examples = {example: path for path, text in self.helps() for example in examples_in(text)}
        self.assertGreater(len(all_examples), 50)
        self.prepare()
        place = self.folder / "served"
        self.run_words("add", "--data", str(place), "--agent", "ada", "--type", "alert", "Smoke")
        server = subprocess.Popen([str(PROGRAM), "serve", "--data", str(place), "--listen", "127.0.0.1:0"],
                                  stdout=subprocess.PIPE, text=True, env=self.env)
        try:
            url = server.stdout.readline().split()[0]
            for example, path in all_examples.items():
                if any(word in example for word in NOT_RUN) or example.startswith("scratchpage page"):
                    continue
                with self.subTest(command=" ".join(path), example=example):
                    self.check(example, url)
        finally:
            server.terminate()
            server.wait(LONGEST)
            server.stdout.close()

    def test_each_command_has_one(self):
        for path, text in self.helps():
            if path and "Subcommands:" not in text:
                outer = self.run_words(*path[:-1], "--help") if len(path) > 1 else ""
                self.assertIn("scratchpage " + " ".join(path), "\n".join(examples_in(text) + examples_in(outer)))


if __name__ == "__main__":
    unittest.main()
