"""What the Python package makes graphs of, and what it refuses.  python inputs_test.py [UNITTEST_ARGUMENT...]"""

import gzip
import importlib.util
import os
import pathlib
import tempfile
import unittest

import networkx as nx
import numpy as np
import orujo
import scipy.sparse


def setUpModule():
    orujo.start(cores=2)


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

    def test_arrays_of_other_libraries(self):
        class in_process:  # that NumPy reads in place by DLPack alone
            def __init__(self, values):
                self.values = np.asarray(values)

            def __dlpack__(self, **how):
                return self.values.__dlpack__(**how)

            def __dlpack_device__(self):
                return self.values.__dlpack_device__()

        class on_gpu:  # as CuPy's, which refuse to be read as if they were not
            def __init__(self, values):
                self.values = np.asarray(values)

            def __array__(self, *_):
                raise TypeError("implicit conversion to a NumPy array is not allowed")

            def __dlpack_device__(self):
                return (2, 0)

            def get(self):
                return self.values

        class tensor(on_gpu):  # as PyTorch's
            get = property()

            def cpu(self):
                return self

            def numpy(self):
                return self.values

        for kind in (in_process, on_gpu, tensor):
            self.check(orujo.Graph((kind([0, 1]), kind([1, 2]))), [0, 1, 2])
            self.check(orujo.Graph((kind([0, 1]), [1, 2], kind([0.5, 2]))), [0, 1, 2], weighted=True)
        self.check(orujo.Graph(on_gpu([[0, 1], [1, 2]])), [0, 1, 2])

    def test_columns_of_packed_records(self):
        for kind in ([("on", "i1"), ("end", "i8")], [("on", "i4"), ("end", "i8"), ("off", "i4")]):
            records = np.zeros(3, dtype=kind)
            records["end"] = [0, 1, 2]
            self.check(orujo.Graph((records["end"][:2], records["end"][1:])), [0, 1, 2])
            self.check(orujo.Graph(([0, 1], [1, 2], records["end"][:2])), [0, 1, 2], weighted=True)

    def test_edges_one_by_one(self):
        pairs, triples = [(0, 1), (1, 2)], [(0, 1, 0.5), (1, 2, 2)]
        for edges in (pairs, [list(pair) for pair in pairs], iter(pairs), zip(*zip(*pairs)), set(pairs), np.array(pairs),
                      np.array(pairs, np.uint8)[::-1], np.array(pairs, float), [np.array(pair) for pair in pairs],
                      nx.DiGraph(pairs).edges):  # fmt: skip
            self.check(orujo.Graph(edges), [0, 1, 2])
        for edges in (triples, [list(triple) for triple in triples], iter(triples), np.array(triples), nx.DiGraph(pairs).edges(data="w", default=2)):
            self.check(orujo.Graph(edges), [0, 1, 2], weighted=True)
        self.assertEqual(orujo.sssp(orujo.Graph(triples), 0).tolist(), [0, 0.5, 2.5])
        for count in range(6):  # as many as columns, too
            star = orujo.Graph([(0, leaf) for leaf in range(1, count + 1)])
            self.assertEqual(star.out_degrees.tolist(), [count] * (count > 0) + [0] * count)
            self.assertFalse(star.weighted)
        self.check(orujo.Graph([("a", "b"), ("b", "c")]), ["a", "b", "c"])
        self.check(orujo.Graph([("a", "a\0", 1.5), ("a\0", "b", 2)]), ["a", "a\0", "b"], weighted=True)
        self.check(orujo.Graph([(7, 2**63), (2**63, 2**64 - 1)], sparse=True), [7, 2**63, 2**64 - 1])
        self.check(orujo.Graph(np.array([("a", "b"), ("b", "c")])), ["a", "b", "c"])

    def test_what_is_no_edge(self):
        for wrong, kind, says in (
            (((0, 1), (0, 2)), TypeError, "a tuple of tuples, which may be edges or columns"),
            ([(0, 1), (1, 2, 3)], ValueError, "edge 1 is .1, 2, 3., edge 0 is .0, 1.: all have a weight, or none"),
            ([(0, 1), 5], TypeError, "edge 1 is 5; expected .source, target. or"),
            ([np.arange(9), np.arange(9)], TypeError, "edge 0 is array.*; columns are given as a tuple of arrays"),
            (["edges.txt"], TypeError, "edge 0 is 'edges.txt'"),
            ({0: [1]}, TypeError, "of a dict: expected"),
            (np.zeros((2, 9), int), ValueError, r"an array of shape .2, 9.: expected .m, 2. or .m, 3."),
            (np.array([[0, 1], [0, 1.5]]), ValueError, "edge 1 has the target 1.5; expected a whole number"),
            (np.array([[0, np.nan]]), ValueError, "edge 0 has the target nan"),
            ([(0, 1.5)], TypeError, "edge 0 has the target 1.5; expected a whole number or a string"),
            ([("a", "b"), (None, "c")], TypeError, "edge 1 has no source; expected a whole number or a string"),
            ([("a", 1), ("b", float("nan"))], TypeError, "edge 1 has no target"),
            ([("a", 1), (1, "a")], TypeError, "some sources are whole numbers and some are strings"),
            ([(0, 2**64)], ValueError, "targets: expected whole numbers from 0 to"),
            ([(0, -1)], ValueError, "edge 0 has the target -1; expected vertices from 0 on"),
            ([(0, 1, "x")], TypeError, "weights: expected numbers"),
        ):
            with self.assertRaisesRegex(kind, says):
                orujo.Graph(wrong)

    def test_masked_arrays(self):
        masked = np.ma.array([0, 1], mask=[0, 1])
        for wrong in ((masked, [1, 2]), ([0, 1], masked), ([0, 1], [1, 2], masked), np.ma.array([[0, 1], [1, 2]], mask=[[0, 1], [0, 0]])):
            with self.assertRaisesRegex(ValueError, "element 1 is masked"):
                orujo.Graph(wrong)
        self.check(orujo.Graph((np.ma.array([0, 1]), np.ma.array([1, 2], mask=False))), [0, 1, 2])

    def test_values_by_vertex_are_as_many_as_vertices(self):
        g = orujo.Graph(([0, 1], [1, 2]))
        self.assertEqual(g.as_dict(iter("xyz")), {0: "x", 1: "y", 2: "z"})
        for wrong in (np.zeros(2), [1, 2, 3, 4], ()):
            with self.assertRaisesRegex(ValueError, "values for 3 vertices"):
                g.as_dict(wrong)

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
        self.check(orujo.Graph(pandas.DataFrame({"s": pandas.array([0, 1], dtype="Int64"), "t": [1, 2]})), [0, 1, 2])
        self.check(orujo.Graph(pandas.DataFrame({"s": pandas.Categorical(["a", "b"]), "t": ["b", "c"]})), ["a", "b", "c"])
        for ends in (["a", None], [1, None], pandas.array([1, None], dtype="Int64"), pandas.to_datetime(["2024-01-01", None])):
            with self.assertRaisesRegex(TypeError, "edge 1 has no source"):
                orujo.Graph(pandas.DataFrame({"source": ends, "target": ["b", "c"]}))
        with self.assertRaisesRegex(ValueError, "shape .2,.: expected"):
            orujo.Graph(table["source"])

    @unittest.skipUnless(importlib.util.find_spec("pyarrow"), "pyarrow is not installed")
    def test_arrow(self):
        import pyarrow

        table = pyarrow.table({"source": [0, 1], "target": [1, 2], "weight": [2.0, 3.0]})
        self.check(orujo.Graph(table), [0, 1, 2])
        self.check(orujo.Graph(table, weight_column="weight"), [0, 1, 2], weighted=True)
        self.check(orujo.Graph(pyarrow.table({"from": ["a", "b"], "to": ["b", "c"]})), ["a", "b", "c"])
        for ends in (["a", None], [1, None]):
            with self.assertRaisesRegex(TypeError, "edge 1 has no target"):
                orujo.Graph(pyarrow.table({"from": ["a", "b"], "to": ends}))

    def test_generated(self):
        g = orujo.Graph("path:3", symmetrize=True)
        self.check(g, [0, 1, 2])
        self.assertEqual(repr(g), f"<orujo.Graph of 3 vertices and 4 edges, undirected, {g.memory_bytes} B>")
        with self.assertRaisesRegex(ValueError, "is not a whole number of 0..40"):
            orujo.Graph("kronecker:99")

    def test_kept_edges(self):
        g = orujo.Graph(([0, 1], [1, 2]), keep=["pagerank"])
        self.assertEqual(len(orujo.pagerank(g)), 3)
        with self.assertRaisesRegex(ValueError, r"bfs\(\) requires edges that this graph does not keep"):
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
        with self.assertRaisesRegex(ValueError, "vertices have names: pass one as a str"):
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

    def test_mistakes_are_told_in_words_of_python(self):
        table, edges = self.file("t.csv", "x,y,z\n1,2,3\n"), self.file("a.txt", "1 2\n")
        for call, says in (
            (lambda: orujo.Graph(table), "choose an edge's ends by source_column and target_column"),
            (lambda: orujo.Graph(edges, format="edge_list", source_column="x"),
             'source_column and similar arguments are for tables: remove them, or pass format="csv"$'),
            (lambda: orujo.Graph("none.csv"), "cannot open graph 'none.csv': No such file or directory; check the path$"),
            (lambda: orujo.Graph(self.file("n.txt", "1 x\n")), "or a name with names=True$"),
            (lambda: orujo.Graph("path:3", names=True), "^names=True has no effect"),
            (lambda: orujo.Graph("kronecker:99"), "^kronecker:99: scale '99' is not a whole number"),
            (lambda: orujo.Graph(os.path.join(self.folder.name, "none--graph")), "none--graph': No such file or directory; check the path$"),
        ):
            with self.assertRaises((ValueError, OSError)) as caught:
                call()
            self.assertRegex(str(caught.exception), says)
            self.assertNotIn(" --", str(caught.exception))

    def test_paths(self):
        path = os.fsencode(self.folder.name) + b"/\xff--graph"
        pathlib.Path(os.fsdecode(path)).write_bytes(b"1 2\n")
        for name in (path, os.fsdecode(path), pathlib.Path(os.fsdecode(path))):
            g = orujo.Graph(name)
            self.assertEqual(g.ids.tolist(), [1, 2])
            self.assertEqual(g.source, os.fsdecode(path))
        for name in (os.fsdecode(path) + "\0x", path + b"\0"):
            with self.assertRaisesRegex(ValueError, "embedded null byte"):
                orujo.Graph(name)
        with self.assertRaises(FileNotFoundError) as caught:
            orujo.Graph(path + b"\xfe")
        self.assertIn(os.fsdecode(path + b"\xfe"), str(caught.exception))

    def test_names_that_are_no_unicode_come_back(self):
        g = orujo.Graph(self.file("names.txt", b"V\xf6ss Oslo\n"), names=True)
        self.assertEqual(g.ids, ["Oslo", "V\udcf6ss"])
        self.assertEqual(orujo.bfs(g, g.ids[1]).levels.tolist(), [1, 0])


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
            (lambda: orujo.hits(g, max_iterations=0), "max_iterations=0: must be from 1 to 2..31 - 1"),
            (lambda: orujo.label_propagation(g, iterations=2**40), "iterations=1099511627776: must be from 0 to"),
            (lambda: orujo.Graph(([0], [1]), vertices=-1), "vertices=-1: must be from 0 to"),
            (lambda: orujo.betweenness_centrality(g, k=4), "k=4: must be from 1 to the number of vertices, 3"),
            (lambda: orujo.eccentricity(g, []), "0 sources: pass from 1 to 64"),
            (lambda: orujo.bfs(g, -1), "a vertex's id is from 0"),
            (lambda: orujo.bfs(g, "a"), "vertices have no names: pass an id"),
        ):
            with self.assertRaisesRegex(ValueError, says):
                call()
        for call, says in (
            (lambda: orujo.bfs(g, 1.5), "'float' object"),
            (lambda: orujo.bfs(g, None), "'NoneType' object"),
            (lambda: orujo.pagerank(g, max_iterations=1.5), "'float' object"),
            (lambda: orujo.Graph("path:3", names=1), "names=1: must be True or False"),
            (lambda: orujo.Graph("path:3", format=3), "format=3: must be a string"),
            (lambda: orujo.Graph("path:3", graph500_scale="x"), "graph500_scale='x': must be a whole number"),
        ):
            with self.assertRaisesRegex(TypeError, says):
                call()

    def test_texts_that_are_no_unicode(self):
        g = orujo.Graph("path:3")
        for call in (
            lambda: orujo.bfs(g, "\udc80"),
            lambda: orujo.Graph("path:3", format="\udc80"),
            lambda: orujo.Graph("path:3", keep=["\udc80"]),
            lambda: orujo.Graph(([0], [1]), keep=["\udc80"]),
            lambda: orujo.Graph(([0], [1]), keep_weight="\udc80"),
            lambda: orujo.Graph("a\ud800"),
            lambda: orujo.start(metrics_json="a\0b"),
        ):
            with self.assertRaises(ValueError):
                call()


if __name__ == "__main__":
    unittest.main()
