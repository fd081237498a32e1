"""The Python package, against NetworkX, SciPy and definitions.  python orujo_test.py [UNITTEST_ARGUMENT...]"""

import gzip
import importlib.util
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import unittest
import warnings

import networkx as nx
import numpy as np
import orujo
import scipy.sparse
from scipy.sparse import csgraph

SEED = 20240229


def setUpModule():
    orujo.start(cores=2)


def random_edges(vertices=200, edges=900, seed=SEED):
    draw = np.random.default_rng(seed)
    return draw.integers(0, vertices, edges), draw.integers(0, vertices, edges)


def digraph(sources, targets, vertices):
    """Without parallel edges."""
    graph = nx.DiGraph()
    graph.add_nodes_from(range(vertices))
    graph.add_edges_from(zip(sources.tolist(), targets.tolist()))
    return graph


class directed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.sources, cls.targets = random_edges()
        cls.g = orujo.Graph((cls.sources, cls.targets), vertices=210, remove_duplicates=True)
        cls.nx = digraph(cls.sources, cls.targets, 210)

    def test_edges_and_degrees(self):
        self.assertEqual(self.g.edges, self.nx.number_of_edges())
        self.assertEqual(self.g.out_degrees.tolist(), [d for _, d in self.nx.out_degree()])
        self.assertEqual(self.g.ids.tolist(), list(range(210)))

    def test_pagerank(self):
        expected = np.array(list(nx.pagerank(self.nx, tol=1e-12, max_iter=1000).values()))
        for precision, kind, bound in (("single", np.float32, 2e-5), ("double", np.float64, 1e-9)):
            tolerance = 1e-12 if precision == "double" else 1e-6
            ranks = orujo.pagerank(self.g, tolerance=tolerance, precision=precision)
            self.assertEqual(ranks.dtype, kind)
            np.testing.assert_allclose(ranks, expected, rtol=0, atol=bound)
        with self.assertWarnsRegex(RuntimeWarning, "pagerank has not converged in 2 iterations"):
            orujo.pagerank(self.g, max_iterations=2)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            orujo.pagerank(self.g, iterations=2)

    def test_ranks_that_are_lost(self):
        self.assertLess(orujo.pagerank(self.g, dangling="ignore").sum(), 0.99)

    def test_personalized_pagerank(self):
        source = int(self.sources[0])
        back = {source: 1}
        expected = nx.pagerank(self.nx, personalization=back, dangling=back, tol=1e-12, max_iter=1000)
        found = orujo.personalized_pagerank(self.g, source, tolerance=1e-10)
        np.testing.assert_allclose(found, list(expected.values()), rtol=0, atol=1e-8)

    def test_hits(self):
        hubs, authorities = orujo.hits(self.g, tolerance=1e-7)
        matrix = nx.to_numpy_array(self.nx)
        for found, square in ((hubs, matrix @ matrix.T), (authorities, matrix.T @ matrix)):
            strongest = np.abs(np.linalg.eigh(square)[1][:, -1])
            np.testing.assert_allclose(found, strongest, rtol=0, atol=1e-5)

    def test_bfs(self):
        source = int(self.sources[0])
        levels, parents = orujo.bfs(self.g, source)
        expected = nx.single_source_shortest_path_length(self.nx, source)
        self.assertEqual({v: level for v, level in enumerate(levels.tolist()) if level >= 0}, expected)
        for v, parent in enumerate(parents.tolist()):
            if levels[v] > 0:
                self.assertTrue(self.nx.has_edge(parent, v))
                self.assertEqual(levels[parent], levels[v] - 1)
            else:
                self.assertEqual(parent, v if v == source else -1)

    def test_connected_components(self):
        labels = orujo.connected_components(self.g)
        for component in nx.weakly_connected_components(self.nx):
            self.assertEqual({min(component)}, {labels[v] for v in component})

    def test_betweenness_centrality(self):
        expected = nx.betweenness_centrality(self.nx, normalized=False)
        np.testing.assert_allclose(orujo.betweenness_centrality(self.g), list(expected.values()), atol=1e-9)
        some = orujo.betweenness_centrality(self.g, [3, 5]) - orujo.betweenness_centrality(self.g, [3])
        np.testing.assert_allclose(some, orujo.betweenness_centrality(self.g, [5]), atol=1e-9)
        self.assertEqual(len(orujo.betweenness_centrality(self.g, k=7)), 210)

    def test_eccentricity(self):
        sources = [int(v) for v in self.sources[:5]]
        of_sources, farthest = orujo.eccentricity(self.g, sources)
        lengths = [nx.single_source_shortest_path_length(self.nx, v) for v in sources]
        self.assertEqual(of_sources.tolist(), [max(all.values()) for all in lengths])
        self.assertEqual(farthest.tolist(), [max(all.get(v, -1) for all in lengths) for v in range(210)])

    def test_label_propagation(self):
        labels = list(range(210))
        for _ in range(4):
            before = list(labels)
            for v in self.nx:
                heard = [before[u] for u in self.nx.predecessors(v)] + [before[u] for u in self.nx.successors(v)]
                if heard:
                    labels[v] = min(set(heard), key=lambda label: (-heard.count(label), label))
        self.assertEqual(orujo.label_propagation(self.g, iterations=4).tolist(), labels)

    def test_what_is_for_undirected_graphs(self):
        for algorithm in (
            orujo.k_core, orujo.triangles, orujo.triangle_counting, orujo.clustering, orujo.coloring,
            orujo.maximal_independent_set,
        ):  # fmt: skip
            with self.assertRaisesRegex(ValueError, "undirected graphs: make the graph with symmetrize=True"):
                algorithm(self.g)


class undirected(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        sources, targets = random_edges(300, 1500)
        cls.g = orujo.Graph((sources, targets), vertices=300, symmetrize=True, remove_self_loops=True)
        cls.nx = digraph(sources, targets, 300).to_undirected()
        cls.nx.remove_edges_from(list(nx.selfloop_edges(cls.nx)))

    def test_k_core(self):
        self.assertEqual(orujo.k_core(self.g).tolist(), list(nx.core_number(self.nx).values()))

    def test_triangles(self):
        expected = list(nx.triangles(self.nx).values())
        self.assertEqual(orujo.triangles(self.g).tolist(), expected)
        self.assertEqual(orujo.triangle_counting(self.g), sum(expected) // 3)
        np.testing.assert_allclose(orujo.clustering(self.g), list(nx.clustering(self.nx).values()))

    def test_coloring(self):
        colors = orujo.coloring(self.g)
        self.assertTrue(all(colors[u] != colors[v] for u, v in self.nx.edges()))
        self.assertLessEqual(colors.max(), max(d for _, d in self.nx.degree()))

    def test_maximal_independent_set(self):
        inside = orujo.maximal_independent_set(self.g, seed=3)
        self.assertEqual(inside.dtype, bool)
        for v in self.nx:
            self.assertEqual(bool(inside[v]), not any(inside[u] for u in self.nx[v]))


class weights(unittest.TestCase):
    def test_sssp(self):
        sources, targets = random_edges()
        lengths = np.random.default_rng(SEED).integers(1, 100, 900)
        matrix = scipy.sparse.coo_array((lengths, (sources, targets)), shape=(200, 200))
        matrix.sum_duplicates()
        expected = csgraph.dijkstra(matrix, indices=int(sources[0]))
        for g in (
            orujo.Graph(matrix),
            orujo.Graph((sources, targets, lengths), vertices=200, remove_duplicates=True, keep_weight="sum"),
            orujo.Graph((matrix.row, matrix.col, matrix.data.astype(np.float32)), vertices=200, keep="sssp"),
        ):
            self.assertTrue(g.weighted)
            np.testing.assert_array_equal(orujo.sssp(g, sources[0]), expected)

    def test_edges_without_weights_have_length_one(self):
        g = orujo.Graph(([0, 1], [1, 2]))
        self.assertEqual(orujo.sssp(g, 0).tolist(), [0, 1, 2])
        g = orujo.Graph(([0, 1], [1, 2], [5, 5]), ignore_weights=True)
        self.assertEqual(orujo.sssp(g, 0).tolist(), [0, 1, 2])

    def test_negative_ones_are_refused_by_sssp_alone(self):
        g = orujo.Graph(([0, 1], [1, 2], [1.0, -1.0]))
        self.assertEqual(orujo.bfs(g, 0).levels.tolist(), [0, 1, 2])
        with self.assertRaisesRegex(ValueError, "negative weights"):
            orujo.sssp(g, 0)


class inputs(unittest.TestCase):
    """The path a - b - c in every form, and what is said of others."""

    def check(self, g, ids, weighted=False):
        self.assertEqual(list(g.ids), ids)
        self.assertEqual(g.weighted, weighted)
        levels, parents = orujo.bfs(g, ids[0])
        self.assertEqual(levels.tolist(), [0, 1, 2])
        self.assertEqual(parents.tolist(), [0, 0, 1])
        self.assertEqual(g.as_dict(levels), dict(zip(ids, [0, 1, 2])))

    def test_arrays_of_all_types_and_strides(self):
        for kind in ("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", ">i4"):
            self.check(orujo.Graph((np.array([0, 1], kind), np.array([1, 2], np.int64))), [0, 1, 2])
        pairs = np.array([[0, 1], [1, 2]])
        self.check(orujo.Graph((pairs[:, 0], pairs[:, 1])), [0, 1, 2])
        self.check(orujo.Graph((np.array([2, 1])[::-1] - 1, np.array([1, 2]))), [0, 1, 2])
        readonly = np.array([0, 1])
        readonly.flags.writeable = False
        self.check(orujo.Graph((readonly, [1, 2], [0.5, 2])), [0, 1, 2], weighted=True)

    def test_sparse_ids(self):
        g = orujo.Graph(([10, 2**40], np.array([2**40, 2**63], np.uint64)), sparse=True)
        self.check(g, [10, 2**40, 2**63])
        with self.assertRaisesRegex(ValueError, "2 edges in memory go to vertices up to 1099511627776"):
            orujo.Graph(([0, 1], [1, 2**40]))

    def test_no_edges(self):
        g = orujo.Graph(([], []), vertices=3)
        self.assertEqual((g.vertices, g.edges), (3, 0))
        np.testing.assert_allclose(orujo.pagerank(g), [1 / 3] * 3, rtol=1e-6)
        self.assertEqual(orujo.connected_components(g).tolist(), [0, 1, 2])
        self.assertEqual(len(orujo.pagerank(orujo.Graph(([], [])))), 0)

    def test_scipy(self):
        for kind in (scipy.sparse.csr_array, scipy.sparse.csc_matrix, scipy.sparse.coo_array):
            matrix = kind(np.array([[0, 1, 0], [0, 0, 1], [0, 0, 0]], dtype=float))
            self.check(orujo.Graph(matrix), [0, 1, 2])
            self.check(orujo.Graph(2 * matrix), [0, 1, 2], weighted=True)
        with self.assertRaisesRegex(ValueError, "a matrix of 2 x 3: that of a graph is square"):
            orujo.Graph(scipy.sparse.coo_array((2, 3)))

    def test_networkx(self):
        self.check(orujo.Graph(nx.path_graph(["x", ("y", 1), 3])), ["x", ("y", 1), 3])
        graph = nx.DiGraph([("a", "b"), ("b", "c")])
        self.check(orujo.Graph(graph), ["a", "b", "c"])
        self.assertFalse(orujo.Graph(graph).symmetric)
        graph["a"]["b"]["weight"] = 2
        self.check(orujo.Graph(graph), ["a", "b", "c"], weighted=True)
        with self.assertRaisesRegex(ValueError, "the graph has no vertex 'd'"):
            orujo.bfs(orujo.Graph(graph), "d")

    @unittest.skipUnless(importlib.util.find_spec("igraph"), "igraph is not installed")
    def test_igraph(self):
        import igraph

        self.check(orujo.Graph(igraph.Graph([(0, 1), (1, 2)])), [0, 1, 2])
        graph = igraph.Graph([(0, 1), (1, 2)], directed=True, vertex_attrs={"name": ["a", "b", "c"]}, edge_attrs={"weight": [1, 2]})
        self.check(orujo.Graph(graph), ["a", "b", "c"], weighted=True)

    @unittest.skipUnless(importlib.util.find_spec("pandas"), "pandas is not installed")
    def test_pandas(self):
        import pandas

        table = pandas.DataFrame({"when": [1, 2], "source": [0, 1], "target": [1, 2], "km": [3.5, 4]})
        self.check(orujo.Graph(table), [0, 1, 2])
        self.check(orujo.Graph(table, weight_column="km"), [0, 1, 2], weighted=True)
        g = orujo.Graph(pandas.DataFrame([["a", "b"], ["b", "c"]]))
        self.check(g, ["a", "b", "c"])
        self.assertEqual(g.as_series(orujo.bfs(g, "a").levels)["c"], 2)
        with self.assertRaisesRegex(ValueError, "the table has no column 'x'; it has 'when', 'source', 'target', 'km'"):
            orujo.Graph(table, source_column="x")

    @unittest.skipUnless(importlib.util.find_spec("pyarrow"), "pyarrow is not installed")
    def test_arrow(self):
        import pyarrow

        table = pyarrow.table({"source": [0, 1], "target": [1, 2], "weight": [2.0, 3.0]})
        self.check(orujo.Graph(table), [0, 1, 2])
        self.check(orujo.Graph(table, weight_column="weight"), [0, 1, 2], weighted=True)
        self.check(orujo.Graph(pyarrow.table({"from": ["a", "b"], "to": ["b", "c"]})), ["a", "b", "c"])

    def test_generated(self):
        g = orujo.Graph("path:3", symmetrize=True)
        self.check(g, [0, 1, 2])
        self.assertEqual(repr(g), "<orujo.Graph of 3 vertices and 4 edges, symmetric>")
        with self.assertRaisesRegex(ValueError, "is not a whole number of 0..40"):
            orujo.Graph("kronecker:99")

    def test_kept_edges(self):
        g = orujo.Graph(([0, 1], [1, 2]), keep=["pagerank"])
        self.assertEqual(len(orujo.pagerank(g)), 3)
        with self.assertRaisesRegex(ValueError, r"bfs\(\) needs edges that this graph does not keep"):
            orujo.bfs(g, 0)
        with self.assertRaisesRegex(ValueError, "keep: there is no algorithm 'page_rank'"):
            orujo.Graph("path:3", keep=["page_rank"])


class files(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def file(self, name, content):
        path = pathlib.Path(self.folder.name, name)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def test_formats(self):
        for name, content in (
            ("edges.txt", "7 9\n9 30\n"),
            ("edges.txt.gz", gzip.compress(b"7 9\n9 30\n")),
            ("edges.csv", "from,to,on\n7,9,x\n9,30,y\n"),
        ):
            g = orujo.Graph(self.file(name, content))
            self.assertEqual(g.ids.tolist(), [7, 9, 30])
            self.assertEqual(orujo.bfs(g, 7).levels.tolist(), [0, 1, 2])
            self.assertEqual(g.as_dict(orujo.connected_components(g)), {7: 0, 9: 0, 30: 0})
        with self.assertRaisesRegex(ValueError, "the graph has no vertex 8"):
            orujo.bfs(g, 8)

    def test_names(self):
        g = orujo.Graph(self.file("roads.csv", "to,km,from\nOslo,5,Bergen\nVoss,2.5,Oslo\n"), names=True,
                        source_column="from", target_column="to", weight_column="km")  # fmt: skip
        self.assertEqual(g.ids, ["Bergen", "Oslo", "Voss"])
        self.assertEqual(g.as_dict(orujo.sssp(g, "Bergen")), {"Bergen": 0, "Oslo": 5, "Voss": 7.5})
        with self.assertRaisesRegex(ValueError, "the graph has no vertex 'Bodo'"):
            orujo.bfs(g, "Bodo")
        with self.assertRaisesRegex(ValueError, "vertices have names: give one as a str"):
            orujo.bfs(g, 1)

    def test_numbers_that_are_no_positions(self):
        path = self.file("edges.txt", "".join(f"{k} {k + 1}\n{k + 50} {k + 51}\n" for k in range(1, 40)))
        g = orujo.Graph(path, partition="hash")
        self.assertEqual(set(orujo.connected_components(g).tolist()), {0, 40})
        self.assertEqual(orujo.bfs(g, 1).parents[:5].tolist(), [0, 0, 1, 2, 3])

    def test_mistakes(self):
        with self.assertRaisesRegex(ValueError, r"wrong\.txt:2:3: "):
            orujo.Graph(self.file("wrong.txt", "1 2\n3 x\n"))
        with self.assertRaisesRegex(FileNotFoundError, "No such file"):
            orujo.Graph(os.path.join(self.folder.name, "none.txt"))
        with self.assertRaisesRegex(IsADirectoryError, "it is a directory"):
            orujo.Graph(self.folder.name)
        with self.assertRaisesRegex(ValueError, "format"):
            orujo.Graph(self.file("a.txt", "1 2\n"), format="xls")
        with self.assertRaisesRegex(TypeError, "unexpected keyword argument 'simetrize'"):
            orujo.Graph(self.file("a.txt", "1 2\n"), simetrize=True)


class mistakes(unittest.TestCase):
    def test_arrays(self):
        for wrong, kind, says in (
            (([0, 1], [1]), ValueError, "2 sources and 1 targets"),
            (([0, 1], [1, 2], [1]), ValueError, "2 edges and 1 weights"),
            (([0.5], [1]), TypeError, "sources: expected whole numbers, not float64"),
            (([[0]], [1]), ValueError, "an array of one dimension"),
            (([0], [-1]), ValueError, "edge 0 has the target -1; expected vertices from 0 on"),
            (([0, 1], [1, 2], [1, np.inf]), ValueError, "edge 1 in memory has the weight inf"),
            (3, TypeError, "Graph.. of a int: expected"),
        ):
            with self.assertRaisesRegex(kind, says):
                orujo.Graph(wrong)
        with self.assertRaisesRegex(ValueError, "edge 1 in memory goes from 1 to 2; expected vertices below 2"):
            orujo.Graph(([0, 1], [1, 2]), vertices=2)
        with self.assertRaisesRegex(ValueError, "keep_weight='first': must be"):
            orujo.Graph(([0], [1]), keep_weight="first")

    def test_arguments(self):
        g = orujo.Graph("path:3")
        for call, says in (
            (lambda: orujo.pagerank(g, 1.5), "damping=1.5: must be from 0 to below 1"),
            (lambda: orujo.pagerank(g, tolerance=1e-9), "tolerance=1e-09: must be at least 5e-7"),
            (lambda: orujo.hits(g, max_iterations=0), "max_iterations=0: must be at least 1"),
            (lambda: orujo.betweenness_centrality(g, k=4), "k=4: must be from 1 to the number of vertices, 3"),
            (lambda: orujo.eccentricity(g, []), "0 sources: give from 1 to 64"),
            (lambda: orujo.bfs(g, -1), "a vertex's id is from 0"),
            (lambda: orujo.bfs(g, "a"), "vertices have no names: give an id"),
        ):
            with self.assertRaisesRegex(ValueError, says):
                call()
        with self.assertRaises(TypeError):
            orujo.bfs(g, 1.5)


class backend(unittest.TestCase):
    def test_results_are_those_of_networkx(self):
        nx.config.warnings_to_ignore.add("cache")
        graph = nx.gnp_random_graph(60, 0.08, seed=SEED)
        graph.add_nodes_from("ab")
        for name, arguments in (
            ("connected_components", ()), ("number_connected_components", ()), ("node_connected_component", (3,)),
            ("core_number", ()), ("triangles", ()), ("clustering", ()), ("average_clustering", ()), ("transitivity", ()),
            ("single_source_shortest_path_length", (3,)), ("is_connected", ()), ("triangles", (3,)), ("pagerank", ()),
            ("betweenness_centrality", ()),
        ):  # fmt: skip
            call = getattr(nx, name)
            expected, found = call(graph, *arguments), call(graph, *arguments, backend="orujo")
            if name in ("pagerank", "betweenness_centrality"):
                self.assertEqual(expected.keys(), found.keys())
                np.testing.assert_allclose(list(found.values()), list(expected.values()), atol=1e-6)
            elif name == "connected_components":
                self.assertEqual(list(found), list(expected))
            elif isinstance(expected, float):
                self.assertAlmostEqual(found, expected)
            else:
                self.assertEqual(found, expected)

    def test_what_would_differ_is_refused(self):
        with self.assertRaises(NotImplementedError):
            nx.pagerank(nx.path_graph(3), personalization={0: 1}, backend="orujo")
        with self.assertRaises(nx.NetworkXNotImplemented):
            nx.triangles(nx.DiGraph([(0, 1)]), backend="orujo")
        heavy = nx.Graph()
        heavy.add_edge(0, 1, weight=3)
        with self.assertRaises(NotImplementedError):
            nx.pagerank(heavy, backend="orujo")


class the_interpreter(unittest.TestCase):
    def test_other_threads_go_on_and_may_call(self):
        at_work, done = threading.Event(), threading.Event()
        turns = [0]

        def count():
            at_work.set()
            while not done.is_set():
                turns[0] += 1

        counting = threading.Thread(target=count)
        counting.start()
        at_work.wait()
        before = turns[0]
        orujo.Graph("kronecker:14")
        between = turns[0]
        done.set()
        counting.join()
        self.assertGreater(between, before)
        g, sums = orujo.Graph("kronecker:10"), []
        callers = [threading.Thread(target=lambda: sums.append(orujo.pagerank(g).sum())) for _ in range(4)]
        for caller in callers:
            caller.start()
        for caller in callers:
            caller.join()
        np.testing.assert_allclose(sums, [1] * 4, rtol=1e-5)

    def test_interrupts(self):
        g = orujo.Graph("kronecker:10")
        over = threading.Event()

        def interrupt():
            while not over.wait(0.01):
                os.kill(os.getpid(), signal.SIGINT)

        caught = 0
        interrupting = threading.Thread(target=interrupt)
        try:
            interrupting.start()
            orujo.pagerank(g, tolerance=0, precision="double", max_iterations=2**31 - 1)
        except KeyboardInterrupt:
            caught += 1
        while True:  # one more may be on its way
            try:
                over.set()
                interrupting.join()
                break
            except KeyboardInterrupt:
                pass
        self.assertEqual(caught, 1)
        self.assertAlmostEqual(float(orujo.pagerank(g).sum()), 1, places=4)

    def run_python(self, script):
        return subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120)

    def test_jobs_one_after_the_other(self):
        ran = self.run_python(
            "import orujo\n"
            "g = orujo.Graph('path:4')\n"
            "try: orujo.start()\n"
            "except RuntimeError as e: print(e)\n"
            "orujo.stop()\n"
            "try: orujo.pagerank(g)\n"
            "except RuntimeError as e: print(e)\n"
            "for wrong in ({'simd': 'none'}, {'coers': 1}, {'cores': -1}):\n"
            "  try: orujo.start(**wrong)\n"
            "  except ValueError as e: print(e)\n"
            "orujo.start(cores=1, locales=2)\n"
            "print(orujo.cores(), orujo.bfs(orujo.Graph('path:4'), 0).levels)\n"
        )
        lines = ran.stdout.splitlines()
        self.assertEqual((ran.returncode, ran.stderr, len(lines)), (0, "", 6), ran)
        self.assertIn("started already", lines[0])
        self.assertIn("the graph is gone with the job that had it", lines[1])
        self.assertIn("--simd=none", lines[2])
        self.assertIn("coers", lines[3])
        self.assertIn("--cores=-1", lines[4])
        self.assertEqual(lines[5], "2 [0 1 2 3]")

    def test_results_outlive_graphs_and_jobs(self):
        ran = self.run_python(
            "import gc, orujo\n"
            "orujo.start(cores=2)\n"
            "ranks = [orujo.pagerank(orujo.Graph('kronecker:8')) for _ in range(20)]\n"
            "gc.collect()\n"
            "orujo.stop()\n"
            "print(round(float(sum(r.sum() for r in ranks)), 3))\n"
        )
        self.assertEqual((ran.returncode, ran.stdout, ran.stderr), (0, "20.0\n", ""))


if __name__ == "__main__":
    unittest.main()
