"""What all figures of one run share: options, programs, what is drawn, and what has been measured."""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

from comparison import Row
from drawing import draw_questions, write_observations
from processes import Failed, Missing, private_folder

FEW = 3  # rounds at most of what takes minutes
ASKED = 40  # questions of each kind in a round


class Progress:
    """One line on a terminal that says what is being done, or a line for each step elsewhere."""

    def __init__(self, out=sys.stderr):
        self.out, self.is_terminal = out, out.isatty()
        self.began = time.monotonic()

    def __call__(self, text):
        minutes, seconds = divmod(int(time.monotonic() - self.began), 60)
        line = f"[{minutes}:{seconds:02}] {text}"
        if self.is_terminal:
            line = "\r\x1b[K" + line[:shutil.get_terminal_size().columns - 1]
        print(line, end="" if self.is_terminal else "\n", file=self.out, flush=True)

    def clear(self):
        if self.is_terminal:
            print("\r\x1b[K", end="", file=self.out, flush=True)


class Bench:
    def __init__(self, options, say):
        self.rounds, self.sizes = options.rounds, options.sizes
        self.few = min(FEW, options.rounds)
        self.only, self.seed = set(options.only), options.seed
        self.build, self.packages = pathlib.Path(options.build).resolve(), options.packages
        self.program = str(self.build / "runtime/scratchpage")
        self.say = say
        self.rows, self.skipped, self.failed = [], {}, {}
        self.folder = None
        self._drawn = None

    def __enter__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="peers-"))
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.folder, ignore_errors=True)

    def wants(self, figure, peer):
        return not self.only or figure in self.only or peer in self.only

    def tool(self, name):
        """A program of the benchmarks."""
        return str(self.build / "tests/bench" / name)

    @property
    def most(self):
        return max(self.sizes)

    @property
    def drawn(self):
        """The file of drawn observations, as many as the largest size has."""
        if self._drawn is None:
            self.say(f"drawing {self.most} observations")
            self._drawn = self.folder / "drawn.jsonl"
            write_observations(self._drawn, self.most, self.seed)
        return self._drawn

    def questions(self):
        """For each round, the questions of each kind."""
        all_of = draw_questions(ASKED * self.rounds, self.seed)
        return [{kind: xs[i * ASKED:(i + 1) * ASKED] for kind, xs in all_of.items()} for i in range(self.rounds)]

    def add(self, row):
        self.rows.append(row)
        return row

    def row(self, *args, **more):
        return self.add(Row(*args, **more))

    def attempt(self, peer, what):
        """Calls `what`. A peer that is missing, or fails, is noted and does not end the run."""
        try:
            return what()
        except Missing as why:
            self.skipped[peer] = str(why)
        except (Failed, OSError, subprocess.SubprocessError) as why:
            self.failed[peer] = str(why)
        return None

    def summary_of(self, filter_):
        """The figures that scratchpage_bench prints for one of its benchmarks."""
        folder = private_folder()
        try:
            file = folder / "summary.json"
            done = subprocess.run(
                [self.tool("scratchpage_bench"), f"--benchmark_filter=^{filter_}(/|$)", "--summary", str(file)],
                capture_output=True, text=True)
            if done.returncode != 0 or not file.exists():
                raise Failed(f"scratchpage_bench {filter_}: {done.stderr[-300:]}")
            return json.loads(file.read_text())
        finally:
            shutil.rmtree(folder)
