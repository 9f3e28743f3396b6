#!/usr/bin/env python3
"""The comparison with peers says what was measured, whatever is installed.

usage: peers_test.py [SOURCE_DIR]
"""

import contextlib
import io
import json
import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import unittest
import xml.dom.minidom

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import drawing  # noqa: E402
import peers  # noqa: E402
import report  # noqa: E402
import search  # noqa: E402
from answering import obey, timed  # noqa: E402
from bench import Bench, Progress  # noqa: E402
from clients import Drain, Redis, as_resp  # noqa: E402
from comparison import LESS, MORE, Row, short_number, table_of  # noqa: E402
from processes import Failed, Missing, Program, Server, found, package_in, private_folder  # noqa: E402


def refused(*arguments):
    """What the options say about wrong arguments."""
    said = io.StringIO()
    with contextlib.redirect_stderr(said):
        try:
            peers.read_options(["build", *arguments])
        except SystemExit as end:
            return end.code, said.getvalue().splitlines()[-1]
    return 0, ""


def bench_of(*arguments):
    return Bench(peers.read_options(["build", *arguments]), Progress(io.StringIO()))


class Drawings(unittest.TestCase):
    def test_the_same_seed_draws_the_same(self):
        self.assertEqual(drawing.Drawing(7).observation(), drawing.Drawing(7).observation())
        self.assertEqual(drawing.draw_questions(5, 7), drawing.draw_questions(5, 7))
        self.assertNotEqual(drawing.Drawing(7).observation(), drawing.Drawing(8).observation())

    def test_an_observation_has_twelve_words_three_different_tags_and_a_goal(self):
        drawn = drawing.Drawing()
        for _ in range(200):
            one = drawn.observation()
            self.assertEqual(len(one["content"].split()), 12)
            self.assertEqual(len(set(one["tags"])), 3)
            self.assertRegex(one["context"]["goal_id"], r"^goal_\d{1,3}$")

    def test_the_first_word_is_more_frequent_than_the_hundredth(self):
        drawn = drawing.Drawing()
        words = [w for _ in range(2_000) for w in drawn.observation()["content"].split()]
        self.assertGreater(words.count(drawn.words[0]), 20 * max(1, words.count(drawn.words[99])))

    def test_questions_are_of_the_words_and_tags_of_the_observations(self):
        drawn, questions = drawing.Drawing(), drawing.draw_questions(20)
        for text in questions["text"]:
            self.assertEqual(len(set(text.split())), 4)
            self.assertLessEqual(set(text.split()), set(drawn.words[:10]))
        for pair in questions["tags"]:
            self.assertEqual(len(set(pair) & set(drawn.tags)), 2)

    def test_a_file_is_read_as_it_was_drawn(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "drawn"
            drawing.write_observations(file, 5)
            self.assertEqual([n for n, _ in drawing.read_observations(file, 3)], [0, 1, 2])
            self.assertEqual(next(drawing.read_observations(file, 1))[1], drawing.Drawing().observation())


class Sqlite(unittest.TestCase):
    def test_it_counts_what_there_is(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "drawn"
            drawing.write_observations(file, 1_000)
            drawn, questions = [x for _, x in drawing.read_observations(file, 1_000)], drawing.draw_questions(10)
            one = Program([sys.executable, HERE / "sqlite_contestant.py"])
            one.order("load", file=str(file), count=1_000)
            for kind, matches in (("text", lambda q, x: set(q.split()) & set(x["content"].split())),
                                  ("tags", lambda q, x: set(q) <= set(x["tags"])),
                                  ("goal", lambda q, x: x["context"]["goal_id"] == q)):
                answer = one.order(kind, questions=questions[kind], seconds=60)
                self.assertEqual(answer["totals"], [sum(bool(matches(q, x)) for x in drawn) for q in questions[kind]])
            one.close()


class Comparisons(unittest.TestCase):
    def test_a_ratio_above_one_says_that_we_are_better_whichever_value_is(self):
        less = Row("f", "w", "µs", LESS, "page", "peer", None, [10, 20, 10], [20, 20, 40])
        more = Row("f", "w", "a second", MORE, "page", "peer", None, [10, 20, 10], [20, 20, 40])
        self.assertEqual(less.as_json()["ratio"], 2)
        self.assertEqual(more.as_json()["ratio"], 0.5)

    def test_the_ratio_is_the_median_of_the_rounds_and_not_the_ratio_of_medians(self):
        row = Row("f", "w", "µs", LESS, "page", "peer", None, [1, 10, 100], [3, 20, 100])
        self.assertEqual(row.as_json()["ratio"], 2)
        self.assertEqual((row.as_json()["ratio_from"], row.as_json()["ratio_to"]), (1, 3))

    def test_numbers_have_three_digits_that_count(self):
        for number, shown in ((0, "0"), (0.01234, "0.0123"), (0.5, "0.50"), (3.14159, "3.14"), (31.41, "31.4"),
                              (314.1, "314"), (1_234_567, "1 234 567")):
            self.assertEqual(short_number(number), shown)

    def test_a_table_has_the_ratio_first_and_is_plain_without_colours(self):
        row = Row("f", "finding", "µs", LESS, "page", "Redis", 1_000, [10], [5]).as_json()
        plain, coloured = table_of([row]), table_of([row], colours=True)
        self.assertTrue(plain.splitlines()[1].startswith("0.50 ×"), plain)
        self.assertNotIn("\x1b", plain)
        self.assertIn("\x1b[31m0.50 ×", coloured)


class Options(unittest.TestCase):
    def test_wrong_options_are_refused_with_what_is_expected(self):
        for arguments, said in [
                (["--rounds", "0"], "argument --rounds: expected a whole number from 1 to 1000, got '0'"),
                (["--rounds", "many"], "got 'many'"), (["--sizes", "10"], "from 1000 to 10000000, got '10'"),
                (["--sizes", "1000,,2000"], "got ''"), (["--only", "text,valkey"], "got 'valkey'"),
                (["--only", ""], "got ''"), (["--seed", "-1"], "--seed"), (["--colour"], "unrecognized arguments")]:
            code, told = refused(*arguments)
            self.assertEqual(code, 2, arguments)
            self.assertIn(said, told, arguments)

    def test_sizes_are_in_order_and_once(self):
        self.assertEqual(peers.read_options(["b", "--sizes", "10000,1000,10000"]).sizes, [1_000, 10_000])

    def test_only_names_figures_and_peers(self):
        bench = bench_of("--only", "text,redis")
        self.assertTrue(bench.wants("text", "xapian") and bench.wants("tags", "redis"))
        self.assertFalse(bench.wants("tags", "sqlite"))
        self.assertTrue(bench_of().wants("tags", "sqlite"))

    def test_each_round_has_questions_of_its_own(self):
        first, second = bench_of("--rounds", "2").questions()
        self.assertEqual(len(first["tags"]), len(second["tags"]))
        self.assertNotEqual(first["tags"], second["tags"])


class MissingPeers(unittest.TestCase):
    def setUp(self):
        self.path = os.environ["PATH"]
        os.environ["PATH"] = "/nowhere"

    def tearDown(self):
        os.environ["PATH"] = self.path

    def test_a_missing_program_is_named_with_its_package(self):
        with self.assertRaisesRegex(Missing, "there is no no-such-server; apt-get install no-such-package"):
            found("no-such-server", "no-such-package")

    def test_a_missing_package_of_npm_is_named(self):
        with self.assertRaisesRegex(Missing, "there is no package @langchain/langgraph"):
            package_in("/nowhere", "@langchain/langgraph")

    def test_it_is_skipped_and_the_others_are_measured(self):
        bench = bench_of()
        self.assertIsNone(bench.attempt("nats", lambda: found("no-such-server", "no-such-package")))
        self.assertEqual(bench.attempt("redis", lambda: 5), 5)
        self.assertIn("no-such-package", bench.skipped["nats"])
        self.assertEqual(bench.failed, {})

    def test_one_that_fails_is_not_called_missing(self):
        bench = bench_of()

        def fail():
            raise Failed("it is full")
        bench.attempt("redis", fail)
        self.assertEqual((bench.failed, bench.skipped), ({"redis": "it is full"}, {}))


class Contests(unittest.TestCase):
    def test_a_contestant_that_fails_costs_its_own_rows_alone(self):
        class Answering:
            def order(self, do, **_):
                if do == "tags_counted":
                    raise Failed("it is full")
                return {"us": [10.0], "totals": [3]}
        bench = bench_of("--rounds", "2")
        contest = search.Contest(bench, 1_000, [x for x in search.PAIRS if x.peer == "redis"])
        contest.contestants = {"serve": Answering(), "redis": Answering()}
        rows = contest.rows()
        self.assertEqual([(len(x.our_values), x.peer) for x in rows],
                         [(2, "Redis SINTER"), (0, "Redis SINTERCARD, total only")])
        self.assertEqual(bench.failed, {"redis": "it is full"})

    def test_different_totals_are_noted(self):
        class Answering:
            def __init__(self, total):
                self.total = total

            def order(self, do, **_):
                return {"us": [10.0], "totals": [self.total]}
        contest = search.Contest(bench_of("--rounds", "1"), 1_000, [x for x in search.PAIRS if x.peer == "redis"])
        contest.contestants = {"serve": Answering(3), "redis": Answering(4)}
        self.assertEqual([x.note for x in contest.rows()], ["the totals differ"] * 2)


class Processes(unittest.TestCase):
    def test_orders_are_obeyed_and_errors_are_answered(self):
        class Contestant:
            def text(self, questions, seconds):
                return timed(questions, seconds, lambda x: len(x))
        said = io.StringIO()
        obey(Contestant(), ['{"do": "text", "questions": ["one", "three"], "seconds": 60}', '{"do": "dance"}'], said)
        first, second = map(json.loads, said.getvalue().splitlines())
        self.assertEqual(first["totals"], [3, 5])
        self.assertIn("dance", second["error"])

    def test_at_least_one_question_is_asked_and_none_when_the_time_is_over(self):
        self.assertEqual(timed(["a", "b"], -1, lambda x: 1)["totals"], [1])

    def test_a_contestant_that_ends_is_a_failure(self):
        one = Program([sys.executable, "-c", "input()"])
        with self.assertRaisesRegex(Failed, "has ended with 0"):
            one.order("load", file="", count=1)
        one.close()

    def test_a_server_that_does_not_start_says_why_and_leaves_no_folder(self):
        folder = private_folder()
        with self.assertRaisesRegex(Failed, "no room here"):
            Server([sys.executable, "-c", "import sys; sys.exit('no room here')"], 1, folder)
        self.assertFalse(folder.exists())

    def test_a_program_that_is_not_there_is_a_failure_and_leaves_no_folder(self):
        folder = private_folder()
        with self.assertRaisesRegex(Failed, "no-such-server"):
            Server(["/no-such-server"], 1, folder)
        self.assertFalse(folder.exists())


class Clients(unittest.TestCase):
    def test_commands_are_counted_in_bytes(self):
        self.assertEqual(as_resp("SET", "ü", 5), "*3\r\n$3\r\nSET\r\n$2\r\nü\r\n$1\r\n5\r\n".encode())

    def test_answers_of_redis_may_come_in_pieces(self):
        redis = Redis.__new__(Redis)
        redis.socket, other = socket.socketpair()
        redis.rest = b""
        for piece in (b"*3\r\n$2\r", b"\nok\r\n:1", b"7\r\n$-1\r\n-ERR fu", b"ll\r\n"):
            other.sendall(piece)
        self.assertEqual(redis.answer(), [b"ok", 17, None])
        with self.assertRaisesRegex(Failed, "ERR full"):
            redis.answer()
        redis.close()
        other.close()

    def test_markers_are_counted_once_although_they_come_in_pieces(self):
        reading, writing = socket.socketpair()
        drain = Drain([reading], b"abcab", 3)
        for piece in (b"--abc", b"ab", b"cab", b"abca", b"b abcab"):
            writing.sendall(piece)
            os.sched_yield()
        drain.wait()
        writing.close()
        reading.close()

    def test_a_lost_connection_is_a_failure(self):
        reading, writing = socket.socketpair()
        drain = Drain([reading], b"x", 3)
        writing.sendall(b"x x")
        writing.shutdown(socket.SHUT_WR)
        with self.assertRaises(Failed):
            drain.wait()
        writing.close()
        reading.close()


def sample():
    rows = [Row("tags", "two tags, ten and exact total", "µs", LESS, "page", "Redis <1>", size, [ours], [theirs]).as_json()
            for size, ours, theirs in ((1_000, 20, 10), (10_000, 25, 200))]
    rows.append(Row("ends", "slowest read", "ms", LESS, "serve", "Redis", 10_000, [1, 2], [2, 4], note="a | b").as_json())
    return {"command": "./dev bench peers", "began": "a", "ended": "b", "rounds": 2, "seed": 1,
            "machine": {"processor": "p", "cores": 2, "memory_gib": 4, "system": "s", "load_before": 0.1},
            "versions": {"redis-server": "7"}, "skipped": {"nats": "there is no nats-server"}, "failed": {}, "rows": rows}


class Reports(unittest.TestCase):
    def test_it_tells_conditions_what_was_skipped_and_where_a_peer_is_better(self):
        text, plots = report.page_of(sample(), "benchmarks")
        self.assertIn("./dev bench peers", text)
        self.assertIn("- Not measured: nats: there is no nats-server.", text)
        self.assertIn("**Redis <1>** is 2.00 times as good as *page*", text)
        self.assertIn("| **0.50** |", text)
        self.assertIn("a \\| b", text)
        self.assertEqual(list(plots), ["benchmarks-tags.svg"])
        self.assertIn("](benchmarks-tags.svg)", text)

    def test_a_plot_is_xml_with_a_line_for_each_contestant(self):
        plot = report.page_of(sample(), "benchmarks")[1]["benchmarks-tags.svg"]
        self.assertEqual(len(xml.dom.minidom.parseString(plot).getElementsByTagName("polyline")), 2)

    def test_the_text_above_the_line_is_kept_and_drawing_twice_gives_the_same(self):
        with tempfile.TemporaryDirectory() as folder:
            page, file = pathlib.Path(folder) / "page.md", pathlib.Path(folder) / "figures.json"
            page.write_text("# Words\n\n" + report.LINE + "old\n")
            file.write_text(json.dumps(sample()))
            command = [sys.executable, "-B", HERE / "report.py", file, page]
            subprocess.run(command, check=True)
            once = page.read_text()
            subprocess.run(command, check=True)
            self.assertEqual(page.read_text(), once)
            self.assertTrue(once.startswith("# Words\n\n" + report.LINE))
            self.assertNotIn("old", once)
            self.assertTrue((page.parent / "page-tags.svg").exists())

    def test_a_file_that_is_no_report_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            page, file = pathlib.Path(folder) / "page.md", pathlib.Path(folder) / "figures.json"
            page.write_text(report.LINE)
            for text in ("{", "{}"):
                file.write_text(text)
                done = subprocess.run([sys.executable, "-B", HERE / "report.py", file, page], capture_output=True, text=True)
                self.assertEqual(done.returncode, 1)
                self.assertIn("expected a file of ./dev bench peers --json", done.stderr)

    def test_the_page_of_the_project_has_the_line(self):
        self.assertIn(report.LINE, (HERE.parents[2] / "docs/benchmarks.md").read_text())


if __name__ == "__main__":
    unittest.main()
