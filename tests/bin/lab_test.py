#!/usr/bin/env python3
"""What the benchmarks and pictures of bin/lab share: runs, rounds, options, tables, charts."""

import contextlib
import io
import pathlib
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as tree

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "bin"))

from lab import charts, frame, rounds, runs, svg  # noqa: E402
from lab.scaling import model  # noqa: E402

SVG = "{http://www.w3.org/2000/svg}"


class Runs(unittest.TestCase):
    def setUp(self):
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        self.folder = pathlib.Path(made.name)

    def program(self, body, name="program"):
        path = self.folder / name
        path.write_text("#!/bin/bash\nfor flag; do case $flag in --*=*) declare \"${flag%%=*}\" 2>/dev/null; eval \"${flag:2}\" ;; esac; done\n" + body)
        path.chmod(0o755)
        return str(path)

    def test_a_run_has_its_json_and_its_words(self):
        ran = runs.run([self.program("""echo '{"trials": [7, 8, 9]}' >$stats_json; echo out; echo err >&2; [[ ! $metrics_json ]]""")])
        self.assertEqual((ran.stats, ran.metrics, ran.out, ran.err), ({"trials": [7, 8, 9]}, {}, "out\n", "err\n"))
        self.assertEqual(ran.trials(), [8, 9])
        self.assertEqual(runs.Run({"trials": [7]}, {}, "", "").trials(), [7])

    def test_metrics_are_asked_for(self):
        ran = runs.run([self.program("echo {} >$stats_json; echo '{\"x\": 1}' >$metrics_json")], metrics=True)
        self.assertEqual(ran.metrics, {"x": 1})

    def test_the_benchmarks_write_in_their_own_way(self):
        self.assertEqual(runs.run([self.program("echo '{\"benchmarks\": []}' >$benchmark_out", "benchmarks")]).stats, {"benchmarks": []})

    def test_a_failure_tells_command_status_and_words(self):
        with self.assertRaises(runs.Failed) as found:
            runs.run([self.program("echo bad >&2; exit 4"), "--x=1"])
        self.assertNotIsInstance(found.exception, runs.NoNodes)
        self.assertEqual(found.exception.status, 4)
        self.assertRegex(str(found.exception), r"/program --x=1 --stats_json=\S+\nended with status 4:\nbad$")
        for command, status in (([str(self.folder / "none")], 127), ([self.program("exec sleep 60")], 124)):
            with self.assertRaises(runs.Failed) as found:
                runs.run(command, seconds=0.3)
            self.assertEqual(found.exception.status, status)

    def test_a_machine_without_nodes_is_no_failed_program(self):
        usual, runs.CLUSTER = runs.CLUSTER, self.program("echo 'skipped: no bridge' >&2; exit 4")
        try:
            with self.assertRaises(runs.NoNodes) as found:
                runs.run(runs.on_nodes(["program"], 2, options=["--rate=1gbit"]))
        finally:
            runs.CLUSTER = usual
        self.assertEqual(found.exception.reason, "skipped: no bridge")

    def test_commands(self):
        self.assertEqual(runs.launched(["bfs", "--x"], 2)[1:], ["run", "-n2", "bfs", "--x"])
        self.assertEqual(runs.launched(["bfs"], cores=3)[1:], ["run", "-c3", "bfs"])
        self.assertEqual(runs.on_nodes(["bfs"], 4, 2, ["--delay=5"])[1:], ["run", "-n", "4", "-c", "2", "--delay=5", "--", "bfs"])

    def test_a_module_ends_with_one_message(self):
        for arguments in ([], ["nothing"]):
            done = subprocess.run([sys.executable, ROOT / "bin/lab", *arguments], capture_output=True, text=True, check=False)
            self.assertEqual((done.returncode, done.stderr.count("\n")), (1, 1))
        done = subprocess.run([sys.executable, ROOT / "bin/lab", "papers", "--quick", "--only=packing", f"--programs={self.folder}"],
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"^orujo: \S+/engine_lab .*\nended with status 127:\n")


class Rounds(unittest.TestCase):
    def test_cases_run_in_turn(self):
        self.assertEqual(list(rounds.in_turn({"a": 1, "b": 2}, 2)), ["a", "b", "a", "b"])

    def test_figures(self):
        figure = rounds.Figure.of([3.0, 1.0, 2.0])
        self.assertEqual((figure.mid, figure.low, figure.high), (2, 1, 3))
        twice = figure / rounds.Figure(2.0, 1.0, 4.0)
        self.assertEqual((twice.mid, twice.low, twice.high), (1, 0.25, 3))
        wide = rounds.Figure(2.0).widened(2.0)
        self.assertEqual((wide.low, wide.high), (1, 4))


class Words(unittest.TestCase):
    def test_sizes_depend_on_quick(self):
        parser = frame.Parser("x", "about", "fast", {"size": ("log2", 18, 14)})
        parser.add_argument("--programs", type=frame.some_of(["a", "b"]), default=["a"])
        self.assertEqual([parser.parse_args(given).size for given in ([], ["--quick"], ["--quick", "--size=3"])], [18, 14, 3])
        self.assertEqual(parser.parse_args(["--programs=b,a"]).programs, ["b", "a"])
        with contextlib.redirect_stderr(io.StringIO()) as said, self.assertRaises(SystemExit):
            parser.parse_args(["--programs=a,c"])
        self.assertIn("--programs: a,c: some of a, b are possible", said.getvalue())

    def test_numbers_are_aligned_to_the_right(self):
        self.assertEqual(frame.aligned(("name", "time", "why"), [("a", "10 ms", "2 of 3"), ("bcdef", "7.5 ms", "")]),
                         "name     time  why\na       10 ms  2 of 3\nbcdef  7.5 ms\n")
        self.assertEqual(frame.markdown(("a", "b"), [("1", "2")]), "| a | b |\n| --- | --- |\n| 1 | 2 |\n")


class Charts(unittest.TestCase):
    def bars(self, plot):
        return {r[0].text: tuple(float(r.get(key)) for key in ("x", "y", "width", "height")) for r in tree.fromstring(plot.svg()).iter(f"{SVG}rect")
                if len(r)}

    def test_columns_are_stacked(self):
        found = self.bars(charts.columns("title", [[(2.0, "red", "low"), (1.0, "blue", "high")], [(4.0, "red", "other")]], "axis", "ab", [], "unit"))
        self.assertAlmostEqual(found["low"][1], found["high"][1] + found["high"][3], delta=0.02)
        self.assertAlmostEqual(found["low"][3], 2 * found["high"][3], delta=0.02)
        self.assertAlmostEqual(found["other"][3], 2 * found["low"][3], delta=0.02)

    def test_a_long_legend_has_several_rows_above_the_area(self):
        short, long = (svg.Plot(400, 200, "title", [("red", f"entry {k}") for k in range(count)]) for count in (2, 12))
        self.assertEqual(long.bottom - long.top, short.bottom - short.top)
        self.assertGreater(long.top, short.top)
        self.assertEqual(long.height - short.height, long.top - short.top)


class Model(unittest.TestCase):
    def test_its_constants_are_those_of_the_sources(self):
        self.assertEqual(sorted((model.PARCEL, model.BLOCK, model.PAYLOAD, model.BLOCK_HEAD, model.RUN_HEAD, 0), reverse=True),
                         [model.PARCEL, model.BLOCK, model.PAYLOAD, model.BLOCK_HEAD, model.RUN_HEAD, 0])
        self.assertTrue(1e-6 < model.FLUSH_AGE < model.MOST_AGE < 1)
        with self.assertRaisesRegex(ValueError, "block.hpp has no nonsense"):
            model.constant("system/messages/block.hpp", "nonsense")


if __name__ == "__main__":
    unittest.main()
