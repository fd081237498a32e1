"""Queries of the Python package, against SQLite.  python query_test.py [UNITTEST_ARGUMENT...]"""

import collections
import gc
import importlib.util
import os
import sqlite3
import tempfile
import unittest

import networkx as nx
import numpy as np
import orujo
from random_graphs import SEED, random_edges


def setUpModule():
    print("seed", SEED)
    orujo.start(cores=3)


def rows_of(answer):
    """NULL is None."""
    columns = []
    for values in answer.values():
        plain = values.tolist()
        columns.append([None if value != value else value for value in plain])
    return list(zip(*columns))


def of_sqlite(sql, **tables):
    """tables: columns by name, of plain values."""
    database = sqlite3.connect(":memory:")
    for name, columns in tables.items():
        database.execute(f"CREATE TABLE {name} ({', '.join(columns)})")
        database.executemany(f"INSERT INTO {name} VALUES ({', '.join('?' * len(columns))})", list(zip(*columns.values())))
    return database.execute(sql).fetchall()


def plain(columns):
    return {name: np.asarray(values).tolist() for name, values in columns.items()}


class queries(unittest.TestCase):
    def check(self, sql, tables, columns):
        """Both have the same rows, in any order. tables: as query() takes them; columns: as of_sqlite() does."""
        found, expected = rows_of(orujo.query(sql, **tables)), of_sqlite(sql, **columns)
        self.assertEqual(len(found), len(expected), sql)
        key = lambda row: [(value is None, str(type(value)), value if value is not None else 0) for value in row]  # noqa: E731
        for ours, theirs in zip(sorted(found, key=key), sorted(expected, key=key)):
            self.assertEqual(len(ours), len(theirs))
            for one, other in zip(ours, theirs):
                if isinstance(other, float):
                    self.assertAlmostEqual(one, other, places=9)
                else:
                    self.assertEqual(one, other, sql)
        return found

    def test_random_columns(self):
        rng = np.random.default_rng(SEED)
        for rows in (0, 1, 7, 3000):
            numbers = [None if missing else int(value) for missing, value in zip(rng.random(rows) < 0.2, rng.integers(-5, 6, rows))]
            reals = [None if missing else float(value) for missing, value in zip(rng.random(rows) < 0.2, rng.integers(0, 9, rows) / 4)]
            words = [None if missing else "äöü"[value] * 2 for missing, value in zip(rng.random(rows) < 0.2, rng.integers(0, 3, rows))]
            kept = {"number": numbers, "real": reals, "word": words}
            if rows < 7:  # all may be missing
                kept = {"number": numbers}
            arrays = dict(kept)
            arrays["number"] = np.ma.MaskedArray([value or 0 for value in numbers], mask=[value is None for value in numbers], dtype="i2")
            if "real" in kept:
                arrays["real"] = np.array([np.nan if value is None else value for value in reals], dtype="f4")
                arrays["word"] = np.array(words, dtype=object)
            for given in (kept, arrays):
                self.check("SELECT * FROM t", {"t": given}, {"t": kept})
                self.check("SELECT count(*), count(number), sum(number) FROM t", {"t": given}, {"t": kept})
                if "real" not in kept:
                    continue
                self.check("SELECT word, number, count(*), avg(real) FROM t GROUP BY word, number", {"t": given}, {"t": kept})
                self.check("SELECT a.word, b.real FROM t AS a JOIN t AS b ON a.number = b.number + 4 WHERE a.real > 1.5 AND b.word = 'ää'",
                           {"t": given}, {"t": kept})  # fmt: skip

    def test_edges_and_ranks(self):
        sources, targets = random_edges()
        g = orujo.Graph((sources, targets))
        ranks, components = orujo.pagerank(g, precision="double"), orujo.connected_components(g)
        edges = plain({"source": sources, "target": targets})
        values = {"vertex": list(range(len(g))), "value": ranks.tolist()}
        labels = {"vertex": list(range(len(g))), "value": components.tolist()}
        self.check("SELECT source, target, a.value + b.value AS sum FROM edges JOIN ranks AS a ON source = a.vertex "
                   "JOIN ranks AS b ON target = b.vertex", {"edges": g, "ranks": ranks}, {"edges": edges, "ranks": values})  # fmt: skip
        self.check("SELECT c.value, count(*), max(r.value) FROM ranks AS r JOIN components AS c ON r.vertex = c.vertex GROUP BY c.value",
                   {"ranks": ranks, "components": components}, {"ranks": values, "components": labels})  # fmt: skip
        triangles = ("SELECT count(*) FROM e AS a JOIN e AS b ON a.target = b.source JOIN e AS c ON b.target = c.source AND c.target = a.source "
                     "WHERE a.source < b.source AND b.source < c.source")  # fmt: skip
        for keep in (["pagerank"], ["triangles"], ["hits"]):  # each form of edges
            found = orujo.query("SELECT source, target FROM e", e=orujo.Graph((sources, targets), keep=keep))
            self.assertEqual(sorted(rows_of(found)), sorted(zip(sources.tolist(), targets.tolist())))
        both = orujo.Graph((sources, targets), symmetrize=True, remove_self_loops=True)
        self.assertEqual(rows_of(orujo.query(triangles, e=both)), [(orujo.triangle_counting(both),)])

    def test_patterns(self):
        sources, targets = random_edges()
        g = orujo.Graph((sources, targets), symmetrize=True, remove_self_loops=True)
        for pattern, size in (("(a)-[]->(b)-[]->(c)<-[]-(a)", 3), ("(a)-[]->(b)-[]->(c)-[]->(d), (d)<-[]-(a)-[]->(c), (b)-[]->(d)", 4)):
            order = " AND ".join(f"{x} < {y}" for x, y in zip("abcd", "bcd"[: size - 1]))
            found = orujo.query(f"SELECT count(*) AS n FROM match('{pattern}') WHERE {order}", edges=g)
            self.assertEqual(found["n"].tolist(), [orujo.clique_count(g, size)])
        likes = {"who": [1, 1, 2, 3, 3], "whom": [7, 8, 7, 8, 9], "stars": [5, 4, None, 3, 1]}
        edges = {"source": [1, 2, 3, 1], "target": [2, 3, 1, 3]}
        self.assertEqual(
            sorted(rows_of(orujo.query("SELECT a, b, c, x.stars FROM match('(a)-[]->(b)-[x:likes]->(c)<-[likes]-(a)')", edges=edges, likes=likes))),
            sorted(of_sqlite("SELECT e.source, e.target, x.whom, x.stars FROM edges e JOIN likes x ON e.target = x.who "
                             "JOIN likes y ON y.who = e.source AND y.whom = x.whom", edges=edges, likes=likes)))  # fmt: skip
        five = "SELECT count(*) AS n, sum(e) AS s FROM match('(a)-[]->(b)-[]->(c)-[]->(d)-[]->(e)-[]->(a)') WHERE a < c AND b <> d"
        sqlite = ("SELECT count(*), sum(z.source) FROM edges v JOIN edges w ON v.target = w.source JOIN edges x ON w.target = x.source "
                  "JOIN edges y ON x.target = y.source JOIN edges z ON y.target = z.source AND z.target = v.source "
                  "WHERE v.source < x.source AND w.source <> x.target")  # fmt: skip
        few = nx.gnp_random_graph(25, 0.15, seed=SEED, directed=True)
        columns = {"source": [s for s, _ in few.edges], "target": [t for _, t in few.edges]}
        self.assertEqual(rows_of(orujo.query(five, edges=orujo.Graph(few))), of_sqlite(sqlite, edges=columns))
        with self.assertRaisesRegex(ValueError, "query:1:21: the pattern has its end where a vertex"):
            orujo.query("SELECT 1 FROM match('(a)-[]->')", edges=g)

    def test_an_answer_is_a_graph(self):
        sources, targets = random_edges()
        weights = np.random.default_rng(SEED).integers(1, 9, len(sources))
        g = orujo.Graph((sources, targets, weights))
        again = orujo.Graph(orujo.query("SELECT source, target, weight FROM edges WHERE weight > 4", edges=g), weight_column="weight", vertices=len(g))
        heavy = weights > 4
        expected = orujo.sssp(orujo.Graph((sources[heavy], targets[heavy], weights[heavy]), vertices=len(g)), 0)
        np.testing.assert_array_equal(orujo.sssp(again, 0), expected)
        named = orujo.Graph([("ann", "bob", 2), ("bob", "cyd", 1), ("dan", "ann", 3)])
        back = orujo.Graph(orujo.query("SELECT target AS source, source AS target, weight FROM edges", edges=named), weight_column="weight")
        self.assertEqual(sorted(map(tuple, back.to_pandas().values.tolist())), [("ann", "dan", 3), ("bob", "ann", 2), ("cyd", "bob", 1)])
        other = orujo.query("SELECT source AS a, target AS b FROM edges", edges=named)
        self.assertEqual(orujo.Graph(other, source_column="a", target_column="b").ids, named.ids)
        with self.assertRaisesRegex(TypeError, "of a dict: expected"):
            orujo.Graph(other)
        empty = orujo.query("SELECT source, target FROM edges WHERE weight > 100", edges=named)
        self.assertEqual((orujo.Graph(empty).vertices, orujo.Graph(empty).edges), (0, 0))

    def test_results_of_edges(self):
        sources, targets = random_edges()
        g = orujo.Graph((sources, targets), symmetrize=True)
        named = orujo.Graph(nx.relabel_nodes(nx.gnp_random_graph(30, 0.2, seed=1), "v{}".format))
        for graph in (g, named):
            for call in (orujo.truss_numbers, orujo.edge_support, orujo.similarity, orujo.minimum_spanning_forest,
                         orujo.edge_betweenness_centrality):  # fmt: skip
                result = call(graph)
                ids = np.asarray(graph.ids, dtype=object)
                columns = {"source": ids[result[0]].tolist(), "target": ids[result[1]].tolist(), "value": result[2].tolist()}
                self.check("SELECT * FROM edges", {"edges": result}, {"edges": columns})
        tuples = {"source": sources.tolist(), "target": targets.tolist()}
        self.check("SELECT target, count(*) FROM edges GROUP BY 1", {"edges": (sources, targets)}, {"edges": tuples})

    def test_results_keep_no_graph(self):
        results = [orujo.minimum_spanning_forest(orujo.Graph("path:5")) for _ in range(3)]
        gc.collect()
        self.assertEqual(rows_of(orujo.query("SELECT max(weight) FROM t", t=results[0])), [(1.0,)])  # as of any columns
        before = len(orujo._results._graphs_of_edges)
        del results
        self.assertEqual(len(orujo._results._graphs_of_edges), before - 3)

    def test_vertices_of_any_kind(self):
        expected = [(10, 2**40), (2**40, 7)]
        self.assertEqual(sorted(rows_of(orujo.query("SELECT * FROM t", t=orujo.Graph(expected, sparse=True)))), expected)
        graph = nx.DiGraph([(5, -3), (-3, 8)])
        self.assertEqual(sorted(rows_of(orujo.query("SELECT * FROM t", t=orujo.Graph(graph)))), [(-3, 8), (5, -3)])
        bits = orujo.maximal_independent_set(g := orujo.Graph("complete:3", symmetrize=True))
        self.assertEqual(rows_of(orujo.query("SELECT sum(value) FROM t", t=bits)), [(1,)])
        self.assertEqual(orujo.query("SELECT count(*) AS n FROM t", t=g)["n"].tolist(), [6])
        for ids, error, says in (
            ([(1, 2**63)], ValueError, "the table 't', 'vertices': 9223372036854775808 is beyond 63 bits"),
            (nx.Graph([(1, "a")]), TypeError, "the table 't', 'vertices': row 1 has 'a'; expected numbers alone, or strings alone"),
            (nx.Graph([((0, 1), (0, 2))]), TypeError, r"row 0 has \(0, 1\); expected numbers alone, or strings alone"),
        ):
            with self.assertRaisesRegex(error, says):
                orujo.query("SELECT * FROM t", t=orujo.Graph(ids, **({} if isinstance(ids, nx.Graph) else {"sparse": True})))

    def test_tables_of_other_libraries(self):
        records = np.array([(1, 0.5), (2, 1.5)], dtype=[("id", "i4"), ("size", "f8")])
        tables = [{"id": [1, 2], "size": [0.5, 1.5]}, records]
        if importlib.util.find_spec("pandas"):
            import pandas

            tables.append(pandas.DataFrame({"id": [1, 2], "size": [0.5, 1.5]}, index=[7, 9]))
            odd = pandas.DataFrame({"id": pandas.array([1, None], dtype="Int64"), "word": pandas.Categorical(["x", None]), "day": ["a", "b"]})
            found = orujo.query("SELECT * FROM t ORDER BY day", t=odd)
            self.assertEqual((rows_of(found), found["id"].dtype.kind), ([(1, "x", "a"), (None, None, "b")], "i"))
            frame = pandas.DataFrame(orujo.query("SELECT id, word FROM t ORDER BY day", t=odd))
            self.assertEqual((frame["id"].isna().tolist(), frame["word"].isna().tolist()), ([False, True], [False, True]))
            with self.assertRaisesRegex(TypeError, r"the table 't', 'day': expected numbers or strings, not datetime64.*astype\(str\)"):
                orujo.query("SELECT * FROM t", t=pandas.DataFrame({"day": pandas.to_datetime(["2024-02-29"])}))
        if importlib.util.find_spec("pyarrow"):
            import pyarrow

            tables.append(pyarrow.table({"id": [1, 2], "size": [0.5, 1.5]}))
            words = pyarrow.table({"word": ["a", None], "flag": [True, None], "id": [2**62 + 1, None]})
            found = rows_of(orujo.query("SELECT * FROM t ORDER BY word NULLS LAST", t=words))
            self.assertEqual(found, [("a", 1, 2**62 + 1), (None, None, None)])
        for table in tables:
            self.assertEqual(rows_of(orujo.query("SELECT id + 1 AS id, size FROM t ORDER BY 1", t=table)), [(2, 0.5), (3, 1.5)])

    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "people.csv")
            with open(path, "w") as to:
                to.write("name,town\nann,Oslo\nbob,\n")
            g = orujo.Graph([("ann", "bob"), ("bob", "cyd")])
            sql = "SELECT source, town FROM edges LEFT JOIN people ON source = name ORDER BY source"
            self.assertEqual(rows_of(orujo.query(sql, edges=g, people=path)), [("ann", "Oslo"), ("bob", None)])
            with open(path, "a") as to:
                to.write("cyd\n")
            with self.assertRaisesRegex(ValueError, "people.csv:4.*column"):
                orujo.query(sql, edges=g, people=path)
            path = os.path.join(folder, "calls.mtx")
            with open(path, "w") as to:
                to.write("%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n2 1 0.5\n3 3 4\n")
            found = orujo.query("SELECT source, target, weight FROM calls ORDER BY 1", calls=path)
            self.assertEqual(rows_of(found), [(1, 2, 0.5), (2, 1, 0.5), (3, 3, 4.0)])
        with self.assertRaisesRegex(FileNotFoundError, "calls.mtx"):
            orujo.query(sql, edges=g, people=path)
        with self.assertRaisesRegex(ValueError, "embedded null byte"):
            orujo.query("SELECT * FROM t", t="a\0b")

    def test_answers(self):
        t = {"n": [1, 2, 3], "x": [0.5, None, 2.0], "s": ["b", None, "ä\tö"], "m": [None, 2**62, -(2**62)]}
        answer = orujo.query("SELECT n, x, s, m FROM t ORDER BY n", t=t)
        self.assertEqual([type(answer[name]) for name in "nxs"], [np.ndarray] * 3)
        self.assertEqual([answer[name].dtype.kind for name in "nxsm"], ["i", "f", "O", "i"])
        self.assertEqual(answer["s"].tolist(), ["b", None, "ä\tö"])
        self.assertEqual(answer["m"].tolist(), [None, 2**62, -(2**62)])
        self.assertTrue(np.isnan(answer["x"][1]))
        self.assertEqual(rows_of(orujo.query("SELECT 1 AS one, 'x' AS word")), [(1, "x")])
        steps = orujo.query("EXPLAIN SELECT count(*) FROM t", t=t)
        self.assertEqual((list(steps), steps["rows"][-1]), (["rows", "seconds", "step"], 3))
        self.assertIn("t", steps["step"][-1])
        words = {"order": [1], "two words": [2]}
        self.assertEqual(rows_of(orujo.query('SELECT "order", "two words" FROM t', t=words)), [(1, 2)])

    def test_mistakes(self):
        t = {"n": [1, 2]}
        gone = orujo.pagerank(orujo.Graph("path:5"))
        gc.collect()
        for sql, tables, error, says in (
            ("SELEC n FROM t", {"t": t}, ValueError, "query:1:1"),
            ("SELECT m FROM t", {"t": t}, ValueError, "query:1:8.*m"),
            ("SELECT n FROM u", {"t": t}, ValueError, "query:1:15.*u"),
            ("SELECT n, n FROM t", {"t": t}, ValueError, "two columns of the answer are called 'n'; rename one: AS name"),
            ("SELECT sum(n) FROM t", {"t": {"n": [2**62, 2**62]}}, ValueError, "integers beyond 64 bits"),
            ("SELECT 1 AS one", {"t": t, "T": t}, ValueError, "two tables are called 'T'"),
            ("SELECT 1 AS one", {"t": {}}, ValueError, "the table 't' has no columns"),
            ("SELECT 1 AS one", {"t": {"a": [1], "b": []}}, ValueError, "1 rows in the column 'a' and 0 in 'b'"),
            ("SELECT 1 AS one", {"t": {"a": [1, "x"]}}, TypeError, "the table 't', 'a': row 1 has 'x'"),
            ("SELECT 1 AS one", {"t": {"a": ["x", 2.5]}}, TypeError, "the table 't', 'a': row 1 has 2.5"),
            ("SELECT 1 AS one", {"t": {"a": [b"x"]}}, TypeError, "row 0 has b'x'"),
            ("SELECT 1 AS one", {"t": {"a": np.array([b"x"])}}, TypeError, "expected numbers or strings"),
            ("SELECT 1 AS one", {"t": {"a": [2**63]}}, ValueError, "an integer is beyond 64 bits"),
            ("SELECT 1 AS one", {"t": {"a": np.zeros((2, 2))}}, ValueError, "expected an array of one dimension, not 2"),
            ("SELECT 1 AS one", {"t": {"a": ["\udcff"]}}, ValueError, "the table t: a text that is not UTF-8"),
            ("SELECT 1 AS one", {"t": 5}, TypeError, "the table 't' is a int; expected a Graph, a result"),
            ("SELECT 1 AS one", {"t": gone}, TypeError, "the table 't' is a ndarray; expected a Graph, a result whose graph exists"),
        ):
            with self.assertRaisesRegex(error, says, msg=(sql, tables)):
                orujo.query(sql, **tables)
        with self.assertRaises(TypeError):
            orujo.query(sql="SELECT 1")
        self.assertEqual(rows_of(orujo.query("SELECT max(n) FROM t", t=t)), [(2,)])  # the job goes on

    def test_many_rows(self):
        rows = 300_000
        rng = np.random.default_rng(SEED)
        keys, values = rng.integers(0, 1000, rows), rng.integers(0, 100, rows)
        answer = orujo.query("SELECT key, sum(value) AS sum FROM t GROUP BY key", t={"key": keys, "value": values})
        expected = collections.Counter()
        for key, value in zip(keys.tolist(), values.tolist()):
            expected[key] += value
        self.assertEqual(dict(zip(answer["key"].tolist(), answer["sum"].tolist())), dict(expected))
        again = orujo.query("SELECT key, value FROM t ORDER BY key, value", t={"key": keys, "value": values})
        self.assertEqual(list(zip(again["key"].tolist(), again["value"].tolist())), sorted(zip(keys.tolist(), values.tolist())))


if __name__ == "__main__":
    unittest.main()
