#!/usr/bin/env python3
"""What applications write of a run and of its result: --stats_json, and --output as .csv and .npy.  written_files_test.py BUILD_FOLDER"""

import ast
import calendar
import csv
import socket
import struct
import time
import unittest

from plot_test import BUILD, Case, run


class Stats(Case):
    def test_a_vertex_program_tells_of_each_superstep_and_each_core(self):
        told = self.stats("pagerank", "--generate=kronecker:10", "--iterations=7", "--trials=2", "--top=0")
        steps = told["supersteps"]
        self.assertEqual([(s["run"], s["superstep"]) for s in steps], [(r, k) for r in (0, 1) for k in range(7)])
        for step, trial in zip(steps[::7], told["trials"]):
            self.assertLess(step["seconds"], trial["seconds"])
        for step in steps:
            self.assertEqual((step["direction"], step["edges"]), ("pull", told["graph"]["edges"]))
            self.assertGreater(step["seconds"], 0)
            self.assertGreaterEqual(step["most_busy_seconds"], step["mean_busy_seconds"])
            self.assertGreaterEqual(step["most_waiting_seconds"], step["mean_waiting_seconds"])
        busy, waiting = told["core_seconds"]["busy"], told["core_seconds"]["waiting"]
        self.assertEqual((len(busy), len(waiting), told["supersteps_left_out"]), (4, 4, 0))
        self.assertAlmostEqual(sum(busy) / 4, sum(s["mean_busy_seconds"] for s in steps), places=6)

    def test_a_search_tells_its_directions_and_its_frontiers(self):
        told = self.stats("bfs", "--generate=kronecker:10", "--symmetrize")
        steps = told["supersteps"]
        self.assertEqual(steps[0]["frontier"], 1)
        self.assertEqual(sum(s["frontier"] for s in steps), told["trials"][0]["reached"])
        self.assertEqual(sum(s["direction"] == "pull" for s in steps), told["trials"][0]["pulls"])
        self.assertTrue(all(s["edges"] is None for s in steps if s["direction"] == "pull"))
        self.assertGreater(steps[0]["edges"], 0)

    def test_degrees_are_those_of_all_vertices_and_edges(self):
        told = self.stats("k_core", "--generate=star:9", "--symmetrize")
        self.assertEqual(told["degrees"], {side: [{"least": 1, "most": 1, "vertices": 8}, {"least": 8, "most": 8, "vertices": 1}]
                                           for side in ("out", "in")})

    def test_what_has_no_supersteps_tells_of_its_cores_and_of_traffic(self):
        told = self.stats("gups", "--log2_table=14", "--trials=2")
        self.assertNotIn("supersteps", told)
        seconds = told["trials"][-1]["seconds"]
        for busy, waiting in zip(told["core_seconds"]["busy"], told["core_seconds"]["waiting"], strict=True):
            self.assertAlmostEqual(busy + waiting, seconds)
        pairs = {(pair["from"], pair["to"]): pair for pair in told["traffic"]}
        self.assertEqual(set(pairs), {(a, b) for a in (0, 1) for b in (0, 1)})
        # Half of all updates leave the locale.
        self.assertGreater(pairs[0, 1]["messages"] + pairs[1, 0]["messages"], 2 * 4 * 2**14 * 0.4)

    def test_the_run_is_named(self):
        before = time.time()
        told = self.stats("gups", "--log2_table=10", "--trials=2")["run"]
        self.assertEqual(told["host"], socket.gethostname())
        self.assertEqual(run("gups", "--version").stdout, f"orujo {told['version']}\n")
        self.assertEqual(told["command"], [str(BUILD / "applications/gups"), "--locales=2", "--cores=2", "--log2_table=10", "--trials=2",
                                           f"--stats_json={self.work}/gups.json"])
        self.assertTrue(int(before) <= calendar.timegm(time.strptime(told["date"], "%Y-%m-%dT%H:%M:%SZ")) <= time.time())


class Results(Case):
    def records(self, path):
        """The names, and the rows, of a NumPy file of format 1.0."""
        data = path.read_bytes()
        self.assertEqual(data[:8], b"\x93NUMPY\x01\x00")
        size = struct.unpack("<H", data[8:10])[0]
        self.assertEqual((10 + size) % 64, 0)
        head = ast.literal_eval(data[10:10 + size].decode("latin-1"))
        self.assertEqual(head["fortran_order"], False)
        codes = {"<u8": "Q", "<i8": "q", "<f4": "f", "<f8": "d", "<u4": "I", "<i4": "i", "|u1": "B"}
        rows = list(struct.iter_unpack("<" + "".join(codes[kind] for _, kind in head["descr"]), data[10 + size:]))
        self.assertEqual(head["shape"], (len(rows),))
        return [name for name, _ in head["descr"]], rows

    def test_csv_and_npy_have_what_the_text_has(self):
        (self.work / "sparse.txt").write_text("".join(f"{k * 7919} {k * k % 97 * 7919}\n" for k in range(97)))
        graph = [f"--graph={self.work}/sparse.txt", "--symmetrize"]
        for application, columns, flags in (
                ("pagerank", ["rank"], ["--iterations=5"]), ("pagerank", ["rank"], ["--iterations=5", "--precision=double"]),
                ("bfs", ["parent", "level"], ["--source=7919"]), ("connected_components", ["label"], []),
                ("label_propagation", ["label"], []), ("hits", ["hub", "authority"], []), ("k_core", ["core"], [])):
            texts = {}
            for split in ((1, 1), (2, 2)):
                for kind in ("txt", "csv", "npy"):
                    path = self.work / f"values.{kind}"
                    run(application, *graph, *flags, f"--output={path}", split=split)
                    texts[split, kind] = path.read_bytes()
                lines = [line.split() for line in texts[split, "txt"].decode().splitlines()]
                rows = list(csv.reader(texts[split, "csv"].decode().splitlines()))
                self.assertEqual(rows, [["id", *columns], *lines])
                names, records = self.records(self.work / "values.npy")
                self.assertEqual(names, ["id", *columns])
                narrow = (lambda v: struct.unpack("f", struct.pack("f", v))[0]) if application == "pagerank" and len(flags) == 1 else float
                self.assertEqual([(int(line[0]), *map(narrow, map(float, line[1:]))) for line in lines],
                                 [(record[0], *map(float, record[1:])) for record in records])
            if application not in ("pagerank", "hits"):  # sums in another order
                self.assertEqual(texts[(1, 1), "npy"], texts[(2, 2), "npy"])

    def test_names_are_quoted_in_csv_and_have_no_place_in_npy(self):
        (self.work / "names.csv").write_text('from,to\n"Oslo, old",Bergen\nVoss,"Oslo, old"\n')
        graph = [f"--graph={self.work}/names.csv", "--names", "--symmetrize"]
        run("connected_components", *graph, f"--output={self.work}/labels.csv")
        self.assertEqual(list(csv.reader((self.work / "labels.csv").read_text().splitlines())),
                         [["id", "label"], ["Bergen", "Bergen"], ["Oslo, old", "Bergen"], ["Voss", "Bergen"]])
        said = run("connected_components", *graph, f"--output={self.work}/labels.npy", fails=2)
        self.assertIn("write a .csv", said.stderr)
        self.assertFalse((self.work / "labels.npy").exists())
        run("bfs", "--generate=path:4", "--output_format=ldbc", f"--output={self.work}/x.npy", fails=2)


if __name__ == "__main__":
    unittest.main(argv=[__file__])
