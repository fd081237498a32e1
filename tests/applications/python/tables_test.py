"""Tables into graphs and graphs into tables, and how the Python package shows both.  python tables_test.py [UNITTEST_ARGUMENT...]"""

import gc
import importlib.util
import os
import subprocess
import sys
import tempfile
import unittest

import networkx as nx
import numpy as np
import orujo
from random_graphs import SEED, random_edges


def setUpModule():
    orujo.start(cores=3)


class tables(unittest.TestCase):
    def file(self, content, name="calls.csv"):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = os.path.join(folder.name, name)
        with open(path, "w") as to:
            to.write(content)
        return path

    def test_csv(self):
        path = self.file("when,to,from,minutes\n1,bob,ann,2.5\n2,cyd,bob,4\n")
        g = orujo.read_csv(path, source="from", target="to", weight="minutes", names=True)
        self.assertEqual(g.as_dict(orujo.sssp(g, "ann")), {"ann": 0, "bob": 2.5, "cyd": 6.5})
        g = orujo.read_csv(path, source=3, target=2, names=True, symmetrize=True)
        self.assertEqual((g.ids, g.weighted, g.edges), (["ann", "bob", "cyd"], False, 4))
        g = orujo.read_csv(self.file("7;9\n9;11\n", "calls.txt"), header=False)  # by its content no table
        self.assertEqual(list(g.ids), [7, 9, 11])
        with self.assertRaisesRegex(ValueError, "calls.csv:1.*'cost'.*'minutes'"):
            orujo.read_csv(path, source="from", target="to", weight="cost", names=True)
        with self.assertRaisesRegex(ValueError, "choose an edge's ends by source and target"):
            orujo.read_csv(self.file("x,y,z\n1,2,3\n"))
        with self.assertRaisesRegex(TypeError, "unexpected keyword argument 'sep'"):
            orujo.read_csv(path, sep=",")

    def test_pandas(self):
        if not importlib.util.find_spec("pandas"):
            self.skipTest("pandas is not installed")
        sources, targets = random_edges()
        weights = np.random.default_rng(SEED).integers(1, 100, len(sources))
        expected = sorted(zip(sources.tolist(), targets.tolist(), weights.tolist()))
        for keep in (None, ["pagerank", "sssp"], ["triangles", "sssp"], ["hits", "sssp"]):  # each form of edges
            g = orujo.Graph((sources, targets, weights), keep=keep)
            table = g.to_pandas()
            self.assertEqual(list(table.columns), ["source", "target", "weight"])
            self.assertEqual(list(table.itertuples(index=False, name=None)), expected)
        table = orujo.Graph((sources, targets), keep=["pagerank"]).to_pandas()
        self.assertEqual(list(table.columns), ["source", "target"])
        self.assertEqual(list(table.itertuples(index=False, name=None)), sorted(zip(sources.tolist(), targets.tolist())))
        graph = nx.path_graph(["x", ("y", 1), 3])  # nodes of any type, and an edge in both directions
        table = orujo.Graph(graph).to_pandas()
        self.assertEqual(list(table.itertuples(index=False, name=None)), [("x", ("y", 1)), (("y", 1), "x"), (("y", 1), 3), (3, ("y", 1))])
        named = orujo.Graph([("b", "c", 2), ("a", "b", 0.5)])
        again = orujo.Graph(named.to_pandas(), weight_column="weight")
        self.assertEqual((again.ids, orujo.sssp(again, "a").tolist()), (["a", "b", "c"], [0, 0.5, 2.5]))
        sparse = orujo.Graph([(10, 2**40), (2**40, 7)], sparse=True)
        self.assertEqual(sparse.to_pandas().values.tolist(), [[10, 2**40], [2**40, 7]])
        self.assertEqual(len(orujo.Graph(([], []), vertices=3).to_pandas()), 0)
        shuffled = self.file("".join(f"{s} {t}\n" for s, t in zip(sources.tolist(), targets.tolist())), "edges.txt")
        table = orujo.Graph(shuffled, partition="hash").to_pandas()
        self.assertEqual(list(table.itertuples(index=False, name=None)), sorted(zip(sources.tolist(), targets.tolist())))

    def test_no_pandas(self):
        ran = subprocess.run(
            [sys.executable, "-c", "import sys, orujo; sys.modules['pandas'] = None; orujo.Graph('path:2').to_pandas()"],
            capture_output=True, text=True, timeout=120)  # fmt: skip
        self.assertIn("ImportError: to_pandas() requires pandas; install it: pip install pandas", ran.stderr)

    def test_top(self):
        g = orujo.Graph([("a", "b"), ("a", "c"), ("b", "c"), ("d", "c")])
        self.assertEqual(orujo.top(g.out_degrees, 3), [("a", 2), ("b", 1), ("d", 1)])
        self.assertEqual(orujo.top(g.out_degrees), [("a", 2), ("b", 1), ("d", 1), ("c", 0)])
        self.assertEqual(orujo.top(g.out_degrees, 0), [])
        self.assertEqual(orujo.top(orujo.pagerank(g), 1)[0][0], "c")
        self.assertEqual(orujo.top([1, 5, 5, 2], 2, g), [("b", 5), ("c", 5)])
        rng = np.random.default_rng(SEED)
        g = orujo.Graph("path:500")
        for values in (rng.integers(0, 9, 500), rng.random(500) < 0.5, rng.random(500), rng.integers(0, 9, 500).astype("u1")):
            expected = sorted(enumerate(values.tolist()), key=lambda pair: -pair[1])  # stable
            for count in (1, 7, 499, 500, 600):
                self.assertEqual(orujo.top(values, count, g), expected[:count])
        chosen = orujo.maximal_independent_set(orujo.Graph("complete:3", symmetrize=True))
        gc.collect()
        for wrong, says in (
            (lambda: orujo.top(np.zeros(500)), "pass the graph"),
            (lambda: orujo.top(chosen), "pass the graph"),  # it is gone
            (lambda: orujo.top(np.zeros(4), 2, g), r"values of shape \(4,\) for 500 vertices"),
            (lambda: orujo.top(g.out_degrees, -1), "count=-1: must be 0 or more"),
        ):
            with self.assertRaisesRegex(ValueError, says):
                wrong()

    def test_results_keep_no_graph(self):
        ranks = [orujo.pagerank(orujo.Graph("path:5")) for _ in range(3)]
        gc.collect()
        before = len(orujo._results._graphs)
        del ranks
        self.assertEqual(len(orujo._results._graphs), before - 3)

    def test_what_is_shown(self):
        g = orujo.Graph([("a", "b", 2)])
        self.assertRegex(repr(g), r"^<orujo.Graph of 2 vertices and 1 edge, directed, weighted, named, \d+ B>$")
        self.assertRegex(repr(orujo.Graph("kronecker:10", symmetrize=True)), r"^<orujo.Graph of 1024 vertices and \d+ edges, undirected, [\d.]+ kB>$")
        page = g._repr_html_()
        for name, value in (("Vertices", "2"), ("Edges", "1"), ("Directed", "yes"), ("Weighted", "yes"), ("Names", "yes")):
            self.assertRegex(page, f"{name}</th><td>{value}</td>")
        self.assertIn("edges in memory", page)
        odd = self.file("1 2\n", "a<b>&c.txt")
        self.assertIn("a&lt;b&gt;&amp;c.txt", orujo.Graph(odd)._repr_html_())
        self.assertEqual((len(g), g.nodes), (2, ["a", "b"]))

    def test_memory(self):
        one, all_forms = orujo.Graph("kronecker:12", keep=["pagerank"]), orujo.Graph("kronecker:12")
        self.assertGreater(all_forms.memory_bytes, one.memory_bytes + 8 * one.edges)
        self.assertGreater(one.memory_bytes, 4 * one.edges)
        self.assertLess(all_forms.memory_bytes, 30 * one.edges)


if __name__ == "__main__":
    unittest.main()
