"""The backend of NetworkX, against NetworkX.  python networkx_test.py [UNITTEST_ARGUMENT...]"""

import math
import random
import unittest
from decimal import Decimal
from fractions import Fraction

import networkx as nx
import numpy as np
import orujo
from orujo.networkx_backend import backend, info
from random_graphs import SEED


def setUpModule():
    orujo.start(cores=2)
    nx.config.warnings_to_ignore.add("cache")


def in_any_order(components):
    return sorted(map(sorted, components))


class results(unittest.TestCase):
    def test_results_are_those_of_networkx(self):
        undirected, directed = (nx.gnp_random_graph(60, p, seed=SEED, directed=d) for p, d in ((0.08, False), (0.03, True)))
        undirected.add_nodes_from("ab")
        for name, arguments in (
            ("connected_components", ()), ("number_connected_components", ()), ("node_connected_component", (3,)),
            ("core_number", ()), ("triangles", ()), ("clustering", ()), ("average_clustering", ()), ("transitivity", ()),
            ("single_source_shortest_path_length", (3,)), ("is_connected", ()), ("triangles", (3,)), ("pagerank", ()),
            ("betweenness_centrality", ()), ("closeness_centrality", ()), ("harmonic_centrality", ()),
            ("katz_centrality", ()), ("eigenvector_centrality", ()),
            ("strongly_connected_components", ()),
            ("number_strongly_connected_components", ()), ("is_strongly_connected", ()),
            ("is_directed_acyclic_graph", ()),
            ("k_truss", (3,)), ("edge_betweenness_centrality", ()),
            ("jaccard_coefficient", ()), ("adamic_adar_index", ()), ("resource_allocation_index", ([(0, 1), (5, 3)],)),
            ("preferential_attachment", ()),
        ):  # fmt: skip
            graph = directed if "strongly" in name or "acyclic" in name else undirected
            call = getattr(nx, name)
            expected, found = call(graph, *arguments), call(graph, *arguments, backend="orujo")
            if name == "pagerank" or name.endswith("_centrality"):
                self.assertEqual(expected.keys(), found.keys())
                np.testing.assert_allclose(list(found.values()), list(expected.values()), atol=1e-6)
            elif name == "connected_components":
                self.assertEqual(list(found), list(expected))
            elif name == "strongly_connected_components":
                self.assertEqual(in_any_order(found), in_any_order(expected))
            elif isinstance(expected, float):
                self.assertAlmostEqual(found, expected)
            elif hasattr(expected, "__next__"):
                self.assertTrue(same(list(found), list(expected)), name)
            elif isinstance(expected, nx.Graph):
                self.assertTrue(same(found, expected), name)
            else:
                self.assertEqual(found, expected)

    def test_spanning_trees_are_those_of_networkx(self):
        graph = nx.gnp_random_graph(60, 0.1, seed=SEED)
        drawn = random.Random(SEED)
        for kinds in (1, 4, 1000):
            for edge in graph.edges.values():
                edge["weight"] = drawn.randrange(kinds) - 2
                edge["name"] = str(edge)
            expected = list(nx.minimum_spanning_edges(graph))
            self.assertEqual(list(nx.minimum_spanning_edges(graph, backend="orujo")), expected)
            self.assertEqual(
                list(nx.minimum_spanning_edges(graph, data=False, backend="orujo")), [edge[:2] for edge in expected]
            )
            tree = nx.minimum_spanning_tree(graph, backend="orujo")
            self.assertEqual(list(tree.edges(data=True)), list(nx.minimum_spanning_tree(graph).edges(data=True)))
            self.assertEqual(list(tree.nodes), list(graph.nodes))

    def test_edge_betweenness_is_that_of_networkx(self):
        for directed in (False, True):
            graph = nx.relabel_nodes(nx.gnp_random_graph(40, 0.08, seed=SEED, directed=directed), lambda v: f"node {v}")
            graph.add_edge("loop", "loop")
            for arguments in ({}, {"normalized": False}, {"k": 7, "seed": 3}, {"k": 7, "seed": 3, "normalized": False}):
                found = nx.edge_betweenness_centrality(graph, **arguments, backend="orujo")
                expected = nx.edge_betweenness_centrality(graph, **arguments)
                self.assertEqual(list(found), list(expected))
                np.testing.assert_allclose(list(found.values()), list(expected.values()), rtol=1e-9)

    def test_betweenness_of_random_graphs_is_that_of_networkx(self):
        drawn, ran = random.Random(SEED), 0
        for k in range(100):
            n, directed = drawn.randrange(2, 40), drawn.random() < 0.5
            graph = nx.gnp_random_graph(n, drawn.choice([0.05, 0.1, 0.3]), seed=SEED + k, directed=directed)
            graph = nx.relabel_nodes(graph, {v: f"node {v}" for v in drawn.sample(range(n), n // 2)})
            for edge in graph.edges:
                if drawn.random() < 0.9:
                    graph.edges[edge]["km"] = drawn.choice([1, 2, 3, 0.5, float(np.float32(0.1)), float(np.float32(0.7))])
            given = dict(
                k=drawn.choice([None, drawn.randrange(1, n + 1), n]), normalized=drawn.random() < 0.5,
                weight=drawn.choice([None, "km", "km"]), seed=drawn.randrange(5),
            )  # fmt: skip
            for call in nx.betweenness_centrality, nx.edge_betweenness_centrality:
                ran += backend.can_run(call.__name__, (graph,), given) is True
                found, expected = call(graph, **given, backend="orujo"), call(graph, **given)
                self.assertEqual(list(found), list(expected), given)
                np.testing.assert_allclose(list(found.values()), list(expected.values()), rtol=1e-9, atol=1e-12, err_msg=str(given))
        self.assertEqual(ran, 200)
        path = nx.path_graph(4)
        for weight, w in (("w", 0), ("w", 0.1), ("w", -1), ("w", 1e30), ("w", 2**53), (lambda *_: 1, 1)):
            path.add_edge(0, 1, w=w)
            for call in nx.betweenness_centrality, nx.edge_betweenness_centrality:
                with self.assertRaises(NotImplementedError, msg=w):
                    call(path, weight=weight, backend="orujo")

    def test_ranks_by_weights_are_those_of_networkx(self):
        for directed in (False, True):
            graph = nx.gnp_random_graph(40, 0.08, seed=SEED, directed=directed)
            for k, edge in enumerate(graph.edges):
                graph.edges[edge].update({"weight": k % 4} if k % 5 else {})
            found, expected = nx.pagerank(graph, tol=1e-10, backend="orujo"), nx.pagerank(graph, tol=1e-10)
            self.assertEqual(list(found), list(expected))
            np.testing.assert_allclose(list(found.values()), list(expected.values()), atol=1e-8)
            for restarts in ({3: 1}, {v: v % 7 for v in range(-3, 30)}):
                options = dict(personalization=restarts, tol=1e-12, max_iter=300)
                found, expected = nx.pagerank(graph, backend="orujo", **options), nx.pagerank(graph, **options)
                np.testing.assert_allclose(list(found.values()), list(expected.values()), atol=1e-8)
        for restarts in ({}, {50: 1}, {0: -1, 1: 2}, {0: float("nan")}, {0: "x"}):
            with self.assertRaises(NotImplementedError, msg=restarts):
                nx.pagerank(nx.path_graph(3), personalization=restarts, backend="orujo")
        for weight in (-1, 0.1, True, "x"):
            graph.add_edge(0, 1, weight=weight)
            with self.assertRaises(NotImplementedError):
                nx.pagerank(graph, backend="orujo")

    def test_clustering_by_weights_is_that_of_networkx(self):
        for seed in range(100):
            graph = nx.gnp_random_graph(10 + seed % 30, 0.5, seed=seed)
            if seed % 3 == 0:
                graph.add_edge(0, 0)
            for k, edge in enumerate(graph.edges):
                graph.edges[edge].update({"w": 0.5 * (k * 7 % 9)} if k % 5 else {})
            found, expected = nx.clustering(graph, weight="w", backend="orujo"), nx.clustering(graph, weight="w")
            self.assertTrue(same(found, expected), seed)
            np.testing.assert_allclose(list(found.values()), list(expected.values()), rtol=1e-12)
            for zeros in True, False:
                given = dict(weight="w", count_zeros=zeros)
                self.assertAlmostEqual(
                    nx.average_clustering(graph, **given, backend="orujo"), nx.average_clustering(graph, **given), 12
                )
            self.assertEqual(nx.clustering(graph, 0, weight="w", backend="orujo"), found[0])
        for weight in (-1, 0.1, True, "x"):
            graph.add_edge(0, 1, w=weight)
            with self.assertRaises(NotImplementedError):
                nx.clustering(graph, weight="w", backend="orujo")
        with self.assertRaises(NotImplementedError):  # NetworkX divides by 0
            nx.clustering(nx.Graph([(0, 1, {"w": 0})]), weight="w", backend="orujo")

    def test_trusses_are_those_of_networkx(self):
        graph = nx.relaxed_caveman_graph(8, 7, 0.2, seed=SEED)
        graph.remove_edges_from(list(nx.selfloop_edges(graph)))
        graph.add_node("alone")
        graph.graph["name"] = "caves"
        for edge in graph.edges.values():
            edge["name"] = str(edge)
        sizes = []
        for k in range(1, 9):
            found, expected = nx.k_truss(graph, k, backend="orujo"), nx.k_truss(graph, k)
            self.assertTrue(same(found, expected), k)
            self.assertEqual((found.graph, type(found)), (expected.graph, nx.Graph))
            sizes.append(found.number_of_edges())
        self.assertGreater(len(set(sizes)), 3)

    def test_similarities_of_given_pairs_are_those_of_networkx(self):
        graph = nx.relabel_nodes(nx.gnp_random_graph(80, 0.1, seed=SEED), lambda v: f"n{v}")
        drawn = random.Random(SEED)
        pairs = [tuple(drawn.sample(list(graph), 2)) for _ in range(200)]
        for call in nx.jaccard_coefficient, nx.adamic_adar_index, nx.resource_allocation_index, nx.preferential_attachment:
            found, expected = list(call(graph, pairs, backend="orujo")), list(call(graph, pairs))
            self.assertTrue(same(found, expected), call)
            self.assertGreater(len({value for _, _, value in found}), 5)
        with self.assertRaises(NotImplementedError):  # all pairs of many nodes
            nx.jaccard_coefficient(nx.path_graph(2001), backend="orujo")
        with self.assertRaises(NotImplementedError):
            nx.jaccard_coefficient(nx.Graph([(0, 0), (0, 1)]), [(0, 1)], backend="orujo")

    def test_sample_graphs_are_those_of_networkx(self):
        karate = nx.relabel_nodes(nx.karate_club_graph(), lambda v: v + 1)
        for name, graph in (
            ("karate", karate), ("lesmis", nx.les_miserables_graph()), ("florentine", nx.florentine_families_graph()),
            ("davis", nx.davis_southern_women_graph()),
        ):  # fmt: skip
            sample = orujo.Graph(name).to_pandas()
            weights = sample["weight"].tolist() if "weight" in sample else None
            found = sorted(zip(sample["source"], sample["target"], weights or [1] * len(sample)))
            expected = [(a, b, d["weight"] if weights else 1) for a, b, d in graph.to_directed().edges(data=True)]
            self.assertEqual(found, sorted(expected), name)

    def test_communities(self):
        graph = nx.connected_caveman_graph(12, 6)
        cliques = in_any_order([range(6 * k, 6 * k + 6) for k in range(12)])
        for find in nx.community.leiden_communities, nx.community.louvain_communities:
            self.assertEqual(in_any_order(find(graph, seed=SEED, backend="orujo")), cliques)
            self.assertGreater(len(find(graph, resolution=50, backend="orujo")), 12)
            heavy = nx.Graph()
            heavy.add_edge(0, 1, weight=3)
            with self.assertRaises(NotImplementedError):
                find(heavy, backend="orujo")
        with nx.config(backend_priority=["orujo"]):  # the communities of NetworkX, unless one asks for others
            found = nx.community.louvain_communities(nx.karate_club_graph(), weight=None, seed=3)
        expected = nx.community.louvain_communities(nx.karate_club_graph(), weight=None, seed=3, backend="networkx")
        self.assertEqual(found, expected)

    def test_what_would_differ_is_refused(self):
        with self.assertRaises(NotImplementedError):
            nx.pagerank(nx.path_graph(3), nstart={0: 1}, backend="orujo")
        with self.assertRaises(nx.NetworkXNotImplemented):
            nx.triangles(nx.DiGraph([(0, 1)]), backend="orujo")
        heavy = nx.MultiGraph()
        heavy.add_edge(0, 1, weight=3)
        with self.assertRaises(NotImplementedError):
            nx.pagerank(heavy, backend="orujo")


# Nodes that are hard to tell apart, to sort, or to look up.
NODES = [0, 1, 2, "a", "b", (1, 2), 2.5, -7, frozenset([1]), *range(100, 104)]
NUMBERS = [
    None, -1, 0, 1, 2, 1.5, 2.5, -0.5, 1e-3, math.inf, -math.inf, math.nan, True, np.int64(2), np.float32(1.5),
    Fraction(3, 2), Decimal("1.5"), "x", [1], 1j,
]  # fmt: skip
WEIGHTS = [None, None, None, "weight", "none", 3, [1], True]


class any_arguments:
    """Draws graphs, and arguments of all kinds for them."""

    def __init__(self, seed):
        self.draw = random.Random(seed)

    def graph(self):
        draw = self.draw
        graph = draw.choice([nx.Graph, nx.DiGraph, nx.Graph, nx.DiGraph, nx.MultiGraph])()
        nodes = draw.sample(NODES, draw.choice([0, 1, 2, 5, 9, len(NODES)]))
        graph.add_nodes_from(nodes)
        for _ in range(draw.choice([0, 1, 2, 3]) * len(nodes)):
            u, v = draw.choice(nodes), draw.choice(nodes)
            if u != v or draw.random() < 0.1:
                graph.add_edge(u, v)
        if graph.size() and draw.random() < 0.2:
            for edge in list(graph.edges)[:2]:
                graph.edges[edge]["weight"] = draw.choice([1, 1, 2, math.nan, 0])
        return graph

    def node(self, graph):
        return self.draw.choice([*graph, "none", None, [1], 3.0, math.nan])

    def nodes(self, graph):
        some = list(graph)[:3]
        several = [self.node(graph) for _ in range(3)]
        return self.draw.choice([None, self.node(graph), several, some, some * 2, [], tuple(some), set(some), 7])

    def of(self, name, graph):
        one = self.draw.choice
        if name == "pagerank":
            drawn = dict(
                alpha=one([0.85, 0.5, 0, 1, *NUMBERS]), max_iter=one([100, 1, 5, 3.0, *NUMBERS]),
                tol=one([1e-6, 1e-3, 1e-12, *NUMBERS]), weight=one(WEIGHTS), personalization=one([None] * 4 + [{}, {0: 1}]),
                nstart=one([None] * 5 + [{}]), dangling=one([None] * 5 + [{0: 1}]),
            )  # fmt: skip
        elif name == "single_source_shortest_path_length":
            return dict(source=self.node(graph), cutoff=one(NUMBERS))
        elif name == "node_connected_component":
            return dict(n=self.node(graph))
        elif name == "edge_betweenness_centrality":
            drawn = dict(
                k=one([None] * 3 + [1, 2, len(graph), 2.0, -1, True]), normalized=one([True, False, 0, None, "x"]),
                weight=one(WEIGHTS), seed=one([1, 2, "x"]),
            )  # fmt: skip
            return drawn if drawn["k"] else {name: drawn[name] for name in drawn if self.draw.random() < 0.7}
        elif name == "betweenness_centrality":
            drawn = dict(
                k=one([None] * 5 + [1, len(graph), 2.0, -1]), normalized=one([True, False, 0, None, "x"]),
                weight=one(WEIGHTS), endpoints=one([False, 0, None, True]), seed=one([1, 2, "x"]),
            )  # fmt: skip
            return drawn if drawn["k"] else {name: drawn[name] for name in drawn if self.draw.random() < 0.7}
        elif name in ("katz_centrality", "eigenvector_centrality"):
            drawn = dict(
                max_iter=one([100, 1, 5, 3.0, *NUMBERS]), tol=one([1e-6, 1e-3, 1e-12, *NUMBERS]), weight=one(WEIGHTS),
                nstart=one([None] * 5 + [{}]),
            )  # fmt: skip
            if name == "katz_centrality":
                drawn.update(
                    alpha=one([0.1, 0.01, 1, *NUMBERS]), beta=one([1.0, 3, *NUMBERS]), normalized=one([True, False, 0, "x"])
                )
        elif name == "closeness_centrality":
            drawn = dict(
                u=one([None] * 5 + [self.node(graph)]), distance=one([None] * 5 + ["weight", "none", 3]),
                wf_improved=one([True, False, 0, None, "x"]),
            )  # fmt: skip
        elif name == "harmonic_centrality":
            drawn = dict(
                nbunch=self.nodes(graph) if self.draw.random() < 0.2 else None, distance=one([None] * 5 + ["weight", "none", 3]),
                sources=self.nodes(graph) if self.draw.random() < 0.2 else None,
            )  # fmt: skip
        elif name in ("minimum_spanning_edges", "minimum_spanning_tree"):
            drawn = dict(
                algorithm=one(["kruskal"] * 9 + ["prim", "boruvka", "x"]), weight=one(WEIGHTS), ignore_nan=one([False, True, 0]),
            )  # fmt: skip
            if name == "minimum_spanning_edges":
                drawn.update(keys=one([True, False]), data=one([True, False, 0, 1]))
        elif name == "k_truss":
            return dict(k=one([2, 3, 4, *NUMBERS]))
        elif name.endswith(("_coefficient", "_index", "_attachment")):
            pairs = [(self.node(graph), self.node(graph)) for _ in range(3)]
            among = [tuple(self.draw.sample(list(graph), 2)) for _ in range(5)] if len(graph) > 1 else []
            return dict(ebunch=one([None, None, pairs, among, among, tuple(among), set(among), [(0,)], 7]))
        elif name in ("triangles", "clustering", "average_clustering"):
            drawn = dict(nodes=self.nodes(graph))
            if name != "triangles":
                drawn["weight"] = one(WEIGHTS)
            if name == "average_clustering":
                drawn["count_zeros"] = one([True, False, 0, 1, None, "x"])
        else:
            return {}
        return {name: value for name, value in drawn.items() if self.draw.random() < 0.7}


def outcome(call):
    """What it returns or raises."""
    try:
        found = call()
        return list(found) if hasattr(found, "__next__") else found
    except Exception as e:
        return type(e), str(e)


def same(a, b):
    if type(a) is not type(b):
        return False
    if isinstance(a, nx.Graph):
        return list(a.nodes) == list(b.nodes) and list(a.edges(data=True)) == list(b.edges(data=True))
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(same(x, y) or x == y for x, y in zip(a, b))
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    if isinstance(a, float):
        return a == b or abs(a - b) <= 2e-6 or (a != a and b != b)
    return a == b


class arguments(unittest.TestCase):
    def test_of_every_kind_they_do_what_they_do_with_networkx(self):
        drawn = any_arguments(SEED)
        names = sorted(name for name in info()["functions"] if not name.endswith("_communities"))  # which are drawn
        ran = dict.fromkeys(names, 0)
        for k in range(300 * len(names)):
            graph, name = drawn.graph(), names[k % len(names)]
            given = drawn.of(name, graph)
            ran[name] += backend.can_run(name, (graph,), given) is True
            call = getattr(nx, name)
            expected = outcome(lambda: call(graph, **given, backend="networkx"))
            with nx.config(backend_priority=["orujo"]):
                found = outcome(lambda: call(graph, **given))
            if name == "strongly_connected_components" and isinstance(expected, list):  # they come in any order
                expected, found = ({frozenset(component) for component in all} for all in (expected, found))
            self.assertTrue(
                same(expected, found),
                f"call {k}, seed {SEED}: {name} of {graph.edges} with {given}: {expected} expected, {found} found",
            )
        for name, times in ran.items():
            self.assertGreater(times, 4, name)

    def test_cutoffs(self):
        graph = nx.path_graph(5)
        for cutoff, levels in ((-1, 1), (0, 1), (0.5, 2), (1, 2), (1.5, 3), (math.inf, 5), (math.nan, 1), (None, 5)):
            found = nx.single_source_shortest_path_length(graph, 0, cutoff=cutoff, backend="orujo")
            self.assertEqual(found, {v: v for v in range(levels)}, cutoff)


if __name__ == "__main__":
    unittest.main()
