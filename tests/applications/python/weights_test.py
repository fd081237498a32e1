"""What the Python package finds by the weights of edges.  python weights_test.py [UNITTEST_ARGUMENT...]"""

import unittest

import networkx as nx
import numpy as np
import orujo
import scipy.sparse
from random_graphs import SEED, random_edges
from scipy.sparse import csgraph


def setUpModule():
    orujo.start(cores=2)


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

    def test_distances_have_more_digits_than_single_precision(self):
        g = orujo.Graph(([0, 1, 2], [1, 2, 3], [2**24, 1, 1]))
        self.assertEqual(orujo.sssp(g, 0).tolist(), [0, 2**24, 2**24 + 1, 2**24 + 2])
        g = orujo.Graph(([0, 1], [1, 2], np.array([3e38, 3e38], np.float32)))
        self.assertEqual(orujo.sssp(g, 0).tolist(), [0, float(np.float32(3e38)), 2 * float(np.float32(3e38))])

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

    def test_spectral_centralities_of_weights(self):
        sources, targets, weights = np.array([0, 1, 2, 0]), np.array([1, 2, 0, 2]), np.array([2.5, 1, 0.5, 4])
        g, graph = orujo.Graph((sources, targets, weights)), nx.DiGraph()
        graph.add_weighted_edges_from(zip(sources.tolist(), targets.tolist(), weights.tolist()))
        for ours, theirs in (
            (orujo.katz_centrality(g, 0.2), nx.katz_centrality(graph, 0.2, weight="weight")),
            (orujo.eigenvector_centrality(g), nx.eigenvector_centrality(graph, weight="weight")),
        ):
            np.testing.assert_allclose(ours, [theirs[v] for v in range(3)], rtol=1e-12)
        with self.assertRaisesRegex(RuntimeError, "^katz_centrality has not converged in 100 iterations: .*smaller alpha"):
            orujo.katz_centrality(g, 2, max_iterations=100)
        with self.assertRaisesRegex(RuntimeError, "^eigenvector_centrality has not converged in 2 iterations"):
            orujo.eigenvector_centrality(g, max_iterations=2)
        with self.assertRaisesRegex(ValueError, "negative weights"):
            orujo.eigenvector_centrality(orujo.Graph((sources, targets, -weights)))
        with self.assertRaisesRegex(ValueError, "^alpha="):
            orujo.katz_centrality(g, -1)


if __name__ == "__main__":
    unittest.main()
