"""What the Python package finds, against NetworkX, SciPy and definitions.  python results_test.py [UNITTEST_ARGUMENT...]"""

import unittest
import warnings

import networkx as nx
import numpy as np
import orujo
from random_graphs import SEED, digraph, random_edges


def setUpModule():
    orujo.start(cores=2)


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
        shares = {v: 1 + v % 3 for v in self.g.ids[::5].tolist()}
        expected = nx.pagerank(self.nx, personalization=shares, dangling=shares, tol=1e-12, max_iter=1000)
        found = orujo.personalized_pagerank(self.g, shares, tolerance=1e-10)
        np.testing.assert_allclose(found, list(expected.values()), rtol=0, atol=1e-8)
        for wrong in ({}, {source: 0}, {source: -1}, {source: float("nan")}, {source: float("inf")}):
            with self.assertRaisesRegex(ValueError, "source=.*: must be a dictionary of vertices and their shares"):
                orujo.personalized_pagerank(self.g, wrong)
        with self.assertRaisesRegex(ValueError, "the graph has no vertex 1000000000"):
            orujo.personalized_pagerank(self.g, {10**9: 1})

    def test_ranks_by_weights(self):
        graph = nx.DiGraph()
        random = np.random.default_rng(5)
        for u, v, w in zip(self.sources.tolist(), self.targets.tolist(), random.integers(0, 4, len(self.sources)).tolist()):
            graph.add_edge(u, v, weight=w)
        sources, targets, weights = (np.array(column) for column in zip(*graph.edges(data="weight")))
        g = orujo.Graph((sources, targets, weights))
        ranks = nx.pagerank(graph, tol=1e-12, max_iter=1000)
        expected = [ranks[v] for v in g.ids.tolist()]
        np.testing.assert_allclose(orujo.pagerank(g, weighted=True, precision="double", tolerance=1e-11), expected, atol=1e-9)
        np.testing.assert_allclose(orujo.pagerank(g, weighted=True), expected, atol=1e-5)
        self.assertGreater(np.abs(orujo.pagerank(g) - expected).max(), 1e-4)
        back = {int(sources[0]): 1}
        ranks = nx.pagerank(graph, personalization=back, dangling=back, tol=1e-12, max_iter=1000)
        expected = [ranks[v] for v in g.ids.tolist()]
        found = orujo.personalized_pagerank(g, sources[0], weighted=True, tolerance=1e-11)
        np.testing.assert_allclose(found, expected, atol=1e-9)
        with self.assertRaisesRegex(ValueError, r"pagerank\(weighted=True\) requires a graph with weights"):
            orujo.pagerank(self.g, weighted=True)
        with self.assertRaisesRegex(ValueError, "negative weights"):
            orujo.pagerank(orujo.Graph(([0, 1], [1, 0], [1.0, -1.0])), weighted=True)
        with self.assertRaisesRegex(ValueError, "beyond the range"):
            orujo.pagerank(orujo.Graph(([0, 1], [1, 0], [1.0, 1e-30])), weighted=True)

    def test_ranks_from_several_sources(self):
        sources = self.g.ids[:19]
        found = orujo.personalized_pageranks(self.g, sources, tolerance=1e-10)
        for source, row in zip(sources, found):
            np.testing.assert_allclose(row, orujo.personalized_pagerank(self.g, source, tolerance=1e-10), atol=1e-9)
        vertices, ranks = orujo.personalized_neighbors(self.g, sources, 5, tolerance=1e-10)
        self.assertEqual((vertices.shape, ranks.shape), ((19, 5), (19, 5)))
        np.testing.assert_array_equal(np.take_along_axis(found, vertices, axis=1), ranks)
        np.testing.assert_array_equal(-np.sort(-found, axis=1)[:, :5], ranks)
        self.assertEqual(orujo.personalized_pageranks(self.g, []).shape, (0, self.g.vertices))
        lonely = orujo.Graph(([0], [1]), vertices=3)
        vertices, ranks = orujo.personalized_neighbors(lonely, [2, 0], 3)
        self.assertEqual(vertices.tolist(), [[2, -1, -1], [0, 1, -1]])
        self.assertEqual(ranks[0].tolist(), [1, 0, 0])
        with self.assertRaisesRegex(ValueError, "the graph has no vertex 1000000000"):
            orujo.personalized_pageranks(self.g, [10**9])

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

    def test_strongly_connected_components(self):
        labels = orujo.strongly_connected_components(self.g)
        for component in nx.strongly_connected_components(self.nx):
            self.assertEqual({min(component)}, {labels[v] for v in component})

    def test_condensation(self):
        between, component = orujo.condensation(self.g)
        expected = nx.condensation(self.nx)
        self.assertEqual((between.vertices, between.edges), (len(expected), expected.number_of_edges()))
        crossing = [(component[u], component[v]) for u, v in self.nx.edges if component[u] != component[v]]
        edges = between.to_pandas()
        found = {(int(a), int(b)): int(w) for a, b, w in zip(edges["source"], edges["target"], edges["weight"])}
        self.assertEqual(found, {pair: crossing.count(pair) for pair in set(crossing)})
        self.assertEqual(orujo.topological_sort(between).shape, (len(expected),))

    def test_levels_of_acyclic_graphs(self):
        upwards = self.sources < self.targets
        g = orujo.Graph((self.sources[upwards], self.targets[upwards]), vertices=210)
        expected = list(nx.topological_generations(digraph(self.sources[upwards], self.targets[upwards], 210)))
        self.assertEqual([level.tolist() for level in orujo.topological_generations(g)], list(map(sorted, expected)))
        place = np.argsort(orujo.topological_sort(g))
        self.assertTrue(all(place[self.sources[upwards]] < place[self.targets[upwards]]))
        with self.assertRaisesRegex(ValueError, "the graph has a cycle of 3 edges: ann -> bob -> cyd -> ann"):
            orujo.dag_levels(orujo.Graph([("cyd", "ann"), ("ann", "bob"), ("bob", "cyd"), ("bob", "dan")]))
        with self.assertRaisesRegex(ValueError, r"a cycle of 11 edges: 0 -> 1 -> .* -> 9 -> \.\.\.$"):
            orujo.dag_levels(orujo.Graph([(v, (v + 1) % 11) for v in range(11)]))

    def test_minimum_spanning_forest(self):
        weights = np.random.default_rng(SEED).permutation(len(self.sources)).astype(np.float32) - 50
        g = orujo.Graph((self.sources, self.targets, weights), vertices=210)
        sources, targets, found = orujo.minimum_spanning_forest(g)
        lightest = nx.Graph()
        for a, b, weight in sorted(zip(self.sources.tolist(), self.targets.tolist(), weights.tolist()), key=lambda e: -e[2]):
            lightest.add_edge(a, b, weight=weight)
        expected = nx.minimum_spanning_edges(lightest)
        self.assertEqual(
            list(zip(sources.tolist(), targets.tolist(), found.tolist())),
            sorted((min(a, b), max(a, b), data["weight"]) for a, b, data in expected),
        )
        self.assertEqual((sources.dtype, found.dtype), (np.int64, np.float32))

    def test_betweenness_centrality(self):
        expected = nx.betweenness_centrality(self.nx, normalized=False)
        np.testing.assert_allclose(orujo.betweenness_centrality(self.g), list(expected.values()), atol=1e-9)
        some = orujo.betweenness_centrality(self.g, [3, 5]) - orujo.betweenness_centrality(self.g, [3])
        np.testing.assert_allclose(some, orujo.betweenness_centrality(self.g, [5]), atol=1e-9)
        self.assertEqual(len(orujo.betweenness_centrality(self.g, k=7)), 210)

    def test_betweenness_centrality_by_weights(self):
        for symmetrize in False, True:
            weights = np.random.default_rng(SEED).integers(1, 4, len(self.sources)).astype(np.float32)
            g = orujo.Graph((self.sources, self.targets, weights), vertices=210, remove_duplicates=True, symmetrize=symmetrize)
            graph = nx.DiGraph()
            graph.add_nodes_from(range(210))
            edges = g.to_pandas()
            graph.add_weighted_edges_from(zip(edges["source"].tolist(), edges["target"].tolist(), edges["weight"].tolist()))
            expected = nx.betweenness_centrality(graph, normalized=False, weight="weight")
            found = orujo.betweenness_centrality(g, weighted=True)
            np.testing.assert_allclose(found, list(expected.values()), rtol=1e-9, atol=1e-9)
            self.assertGreater(np.abs(found - orujo.betweenness_centrality(g)).max(), 1)
            by_edge = nx.edge_betweenness_centrality(graph, normalized=False, weight="weight")
            sources, targets, scores = orujo.edge_betweenness_centrality(g, weighted=True)
            if symmetrize:
                by_edge = {(a, b): by_edge[a, b] + (by_edge[b, a] if a != b else 0) for a, b in by_edge if a <= b}
            self.assertEqual(list(zip(sources.tolist(), targets.tolist())), sorted(by_edge))
            np.testing.assert_allclose(scores, [by_edge[edge] for edge in sorted(by_edge)], rtol=1e-9, atol=1e-9)
        for find in orujo.betweenness_centrality, orujo.edge_betweenness_centrality:
            with self.assertRaisesRegex(ValueError, r"betweenness_centrality\(weighted=True\) requires a graph with weights"):
                find(self.g, weighted=True)
            with self.assertRaisesRegex(ValueError, "negative weights"):
                find(orujo.Graph(([0, 1], [1, 0], [1.0, -1.0])), weighted=True)
            with self.assertRaisesRegex(ValueError, r"\(weighted=True\) requires weights that make paths longer; .* do not: 1;"):
                find(orujo.Graph(([0, 1], [1, 2], [1.0, 0.0])), [0], weighted=True)

    def test_closeness_of_samples(self):
        for find in orujo.closeness_centrality, orujo.harmonic_centrality:
            exact, all_sampled = find(self.g), find(self.g, k=210, seed=5)
            np.testing.assert_allclose(all_sampled, exact, rtol=1e-13)
            self.assertEqual(find(self.g, k=100).tolist(), find(self.g, k=100, seed=1).tolist())
            self.assertNotEqual(find(self.g, k=100).tolist(), find(self.g, k=100, seed=2).tolist())
            estimates = np.mean([find(self.g, k=100, seed=seed).mean() for seed in range(40)])
            self.assertAlmostEqual(estimates / exact.mean(), 1, delta=0.05)
            for k in 0, 211:
                with self.assertRaisesRegex(ValueError, "^k="):
                    find(self.g, k=k)

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
        g = orujo.Graph(([0, 1, 2, 3, 0], [2, 2, 3, 4, 1], [1, 1, 5, 1, 1.0]), symmetrize=True)
        self.assertEqual(orujo.label_propagation(g, iterations=1, weighted=True).tolist(), [1, 0, 3, 2, 3])
        with self.assertRaisesRegex(ValueError, r"label_propagation\(weighted=True\) requires a graph with weights"):
            orujo.label_propagation(orujo.Graph([(0, 1)]), weighted=True)

    def test_what_is_for_undirected_graphs(self):
        for algorithm in (
            orujo.k_core, orujo.triangles, orujo.triangle_counting, orujo.clustering, orujo.coloring,
            orujo.maximal_independent_set, orujo.leiden, orujo.louvain,
        ):  # fmt: skip
            with self.assertRaisesRegex(ValueError, "undirected graph: make the graph with symmetrize=True"):
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

    def test_k_core_by_weights(self):
        drawn = np.random.default_rng(SEED)
        weights = {edge: float(drawn.integers(0, 64)) / 16 for edge in self.nx.edges}
        starts, ends = zip(*weights)
        g = orujo.Graph((starts, ends, list(weights.values())), vertices=300, symmetrize=True)
        left = nx.Graph()
        left.add_nodes_from(self.nx)
        left.add_weighted_edges_from((*edge, weight) for edge, weight in weights.items())
        expected, largest = [0.0] * 300, 0.0
        while left:
            v, strength = min(left.degree(weight="weight"), key=lambda each: each[1])
            expected[v] = largest = max(largest, strength)
            left.remove_node(v)
        found = orujo.k_core(g, weighted=True)
        self.assertEqual((found.tolist(), found.dtype), (expected, np.float64))
        with self.assertRaisesRegex(ValueError, r"k_core\(weighted=True\) requires a graph with weights"):
            orujo.k_core(self.g, weighted=True)
        with self.assertRaisesRegex(ValueError, "undirected graph: make the graph with symmetrize=True"):
            orujo.k_core(orujo.Graph(([0], [1], [2.0])), weighted=True)

    def test_trusses(self):
        sources, targets, support = orujo.edge_support(self.g)
        edges = list(zip(sources.tolist(), targets.tolist()))
        self.assertEqual(edges, sorted((min(edge), max(edge)) for edge in self.nx.edges))
        self.assertEqual(support.tolist(), [len(list(nx.common_neighbors(self.nx, *edge))) for edge in edges])
        sources, targets, numbers = orujo.truss_numbers(self.g)
        self.assertEqual(list(zip(sources.tolist(), targets.tolist())), edges)
        for k in range(2, numbers.max() + 2):
            kept = {edge for edge, number in zip(edges, numbers.tolist()) if number >= k}
            self.assertEqual(kept, {(min(edge), max(edge)) for edge in nx.k_truss(self.nx, k).edges})
        self.assertEqual((sources.dtype, numbers.dtype), (np.int64, np.uint32))

    def test_cliques(self):
        by_size = [clique for clique in nx.enumerate_all_cliques(self.nx) if len(clique) > 2]
        for size in 3, 4, 5, 6:
            expected = [clique for clique in by_size if len(clique) == size]
            self.assertEqual(orujo.clique_count(self.g, size), len(expected))
            counts = np.bincount([v for clique in expected for v in clique], minlength=len(self.nx))
            self.assertEqual(orujo.cliques(self.g, size).tolist(), counts.tolist())
        crowd = orujo.Graph("complete:40", symmetrize=True)
        self.assertEqual(orujo.clique_count(crowd, 5), 658008)
        self.assertEqual(orujo.cliques(crowd, 4).dtype, np.uint64)
        for size in 2, 65:
            with self.assertRaises(ValueError):
                orujo.clique_count(crowd, size)

    def test_similarities(self):
        sources, targets, values = orujo.similarity(self.g)
        edges = list(zip(sources.tolist(), targets.tolist()))
        self.assertEqual(edges, sorted((min(edge), max(edge)) for edge in self.nx.edges))
        np.testing.assert_allclose(values, [value for _, _, value in nx.jaccard_coefficient(self.nx, edges)])
        self.assertEqual((sources.dtype, values.dtype), (np.int64, np.float64))
        drawn = np.random.default_rng(7).integers(0, len(self.nx), (2, 300))
        for measure, call in (
            ("jaccard", nx.jaccard_coefficient), ("adamic_adar", nx.adamic_adar_index),
            ("resource_allocation", nx.resource_allocation_index), ("preferential_attachment", nx.preferential_attachment),
        ):  # fmt: skip
            apart = drawn[:, drawn[0] != drawn[1]]
            found = orujo.pair_similarity(self.g, *apart, measure=measure)
            expected = [value for _, _, value in call(self.nx, list(zip(*apart.tolist())))]
            np.testing.assert_allclose(found, expected, err_msg=measure)
        counts = orujo.pair_similarity(self.g, *drawn, measure="common_neighbours")
        around = [set(self.nx[v]) - {v} for v in self.nx]
        self.assertEqual(counts.tolist(), [len(around[a] & around[b]) for a, b in zip(*drawn.tolist())])
        self.assertEqual(orujo.pair_similarity(self.g, [], []).tolist(), [])
        sparse = orujo.Graph([(7, 2**40), (2**40, 9)], sparse=True, symmetrize=True)
        self.assertEqual(orujo.pair_similarity(sparse, [9, 7], [7, 2**40], "overlap").tolist(), [1, 0])
        for wrong, measure in (([8], "jaccard"), ([-7], "jaccard"), ([2**41], "jaccard"), ([7], "Jaccard"), ([7, 7], "jaccard")):
            with self.assertRaises(ValueError):
                orujo.pair_similarity(sparse, wrong, [7], measure)

    def test_triangles(self):
        expected = list(nx.triangles(self.nx).values())
        self.assertEqual(orujo.triangles(self.g).tolist(), expected)
        self.assertEqual(orujo.triangle_counting(self.g), sum(expected) // 3)
        np.testing.assert_allclose(orujo.clustering(self.g), list(nx.clustering(self.nx).values()))

    def test_clustering_by_weights(self):
        heavy, drawn = self.nx.copy(), np.random.default_rng(SEED)
        for edge in [*heavy.edges, (0, 0)]:
            heavy.add_edge(*edge, weight=float(drawn.integers(0, 64)) / 16)
        starts, ends, values = map(list, zip(*heavy.edges(data="weight")))
        g = orujo.Graph((starts, ends, values), vertices=300, symmetrize=True)
        found = orujo.clustering(g, weighted=True)
        np.testing.assert_allclose(found, list(nx.clustering(heavy, weight="weight").values()), rtol=1e-12)
        self.assertGreater(np.count_nonzero(found), 50)
        with self.assertRaisesRegex(ValueError, r"clustering\(weighted=True\) requires a graph with weights"):
            orujo.clustering(self.g, weighted=True)
        with self.assertRaisesRegex(ValueError, "negative weights"):
            orujo.clustering(orujo.Graph(([0], [1], [-1.0]), symmetrize=True), weighted=True)

    def test_coloring(self):
        colors = orujo.coloring(self.g)
        self.assertTrue(all(colors[u] != colors[v] for u, v in self.nx.edges()))
        self.assertLessEqual(colors.max(), max(d for _, d in self.nx.degree()))

    def test_communities(self):
        expected = nx.community.modularity(self.nx, nx.community.louvain_communities(self.nx, seed=SEED))
        for find in orujo.leiden, orujo.louvain:
            labels = find(self.g)
            communities = [set(np.flatnonzero(labels == label).tolist()) for label in np.unique(labels)]
            self.assertEqual([min(c) for c in communities], np.unique(labels).tolist())
            self.assertGreater(nx.community.modularity(self.nx, communities), expected - 0.02)
            if find is orujo.leiden:
                self.assertTrue(all(nx.is_connected(self.nx.subgraph(c)) for c in communities))
            self.assertEqual(find(self.g).tolist(), labels.tolist())
            self.assertNotEqual(find(self.g, seed=2).tolist(), labels.tolist())
            self.assertGreater(len(np.unique(find(self.g, resolution=3))), len(communities))
            self.assertGreater(len(np.unique(find(self.g, iterations=1, levels=1))), len(communities))
            self.assertEqual(len(np.unique(find(self.g, quality="cpm", resolution=2))), 300)
        for wrong in {"quality": "best"}, {"resolution": 0}, {"iterations": 0}, {"seed": -1}, {"levels": -1}:
            with self.assertRaises(ValueError):
                orujo.leiden(self.g, **wrong)

    def test_maximal_independent_set(self):
        inside = orujo.maximal_independent_set(self.g, seed=3)
        self.assertEqual(inside.dtype, bool)
        for v in self.nx:
            self.assertEqual(bool(inside[v]), not any(inside[u] for u in self.nx[v]))


if __name__ == "__main__":
    unittest.main()
