"""Every algorithm of the Python package under mpirun, on graphs that keep all edges for all, against NetworkX: a line of each process.

Vertices of a mesh are in no order of degrees, and those at the border between processes have neighbours on both sides.
"""

import random

import networkx as nx
import numpy as np
import orujo
from random_graphs import SEED, digraph, random_edges
from scipy.sparse import csgraph

WIDTH, HEIGHT = 31, 23


def mesh():
    """o-o-o
    |/|/|  with every fifth diagonal left out: degrees of 2 to 6."""
    graph = nx.grid_2d_graph(HEIGHT, WIDTH)
    inner = [(y, x) for y in range(HEIGHT - 1) for x in range(WIDTH - 1)]
    graph.add_edges_from(((y + 1, x), (y, x + 1)) for k, (y, x) in enumerate(inner) if k % 5 > 0)
    return nx.relabel_nodes(graph, {(y, x): y * WIDTH + x for y, x in list(graph)})


def shuffled(graph):
    numbers = list(graph)
    random.Random(SEED).shuffle(numbers)
    return nx.relabel_nodes(graph, dict(zip(graph, numbers)))


def in_order(by_vertex, graph):
    return [by_vertex[v] for v in range(len(graph))]


def check_undirected(graph):
    ends = np.array(graph.edges)
    g = orujo.Graph((ends[:, 0], ends[:, 1]), symmetrize=True)
    assert g.edges == 2 * graph.number_of_edges()
    triangles = in_order(nx.triangles(graph), graph)
    assert orujo.triangle_counting(g) == sum(triangles) // 3, (orujo.triangle_counting(g), sum(triangles) // 3)
    assert orujo.triangles(g).tolist() == triangles
    np.testing.assert_allclose(orujo.clustering(g), in_order(nx.clustering(graph), graph))
    assert orujo.k_core(g).tolist() == in_order(nx.core_number(graph), graph)
    weights = 1.0 + np.arange(len(ends)) % 7
    nx.set_edge_attributes(graph, dict(zip(graph.edges, weights)), "heft")
    heavy = orujo.Graph((ends[:, 0], ends[:, 1], weights), symmetrize=True)
    np.testing.assert_allclose(orujo.clustering(heavy, weighted=True), in_order(nx.clustering(graph, weight="heft"), graph))
    same = orujo.Graph((ends[:, 0], ends[:, 1], np.full(len(ends), 0.5)), symmetrize=True)
    assert orujo.k_core(same, weighted=True).tolist() == (orujo.k_core(g) / 2).tolist()
    starts, ends, scores = orujo.edge_betweenness_centrality(g)
    expected = nx.edge_betweenness_centrality(graph, normalized=False)
    expected = {(min(edge), max(edge)): 2 * score for edge, score in expected.items()}
    assert list(zip(starts.tolist(), ends.tolist())) == sorted(expected)
    np.testing.assert_allclose(scores, [expected[edge] for edge in sorted(expected)], rtol=1e-9)
    starts, ends, support = orujo.edge_support(g)
    assert len(starts) == graph.number_of_edges() and all(starts < ends)
    assert support.tolist() == [len(list(nx.common_neighbors(graph, a, b))) for a, b in zip(starts.tolist(), ends.tolist())]
    starts, ends, trusses = orujo.truss_numbers(g)
    for k in range(2, 6):
        kept = {(min(edge), max(edge)) for edge in nx.k_truss(graph, k).edges}
        assert kept == set(zip(starts[trusses >= k].tolist(), ends[trusses >= k].tolist())), k
    colors, inside = orujo.coloring(g), orujo.maximal_independent_set(g)
    assert all(colors[u] != colors[v] and not (inside[u] and inside[v]) for u, v in graph.edges)
    assert all(inside[v] or any(inside[u] for u in graph[v]) for v in graph)
    assert set(range(max(colors) + 1)) == set(colors.tolist())
    check_any(g, graph.to_directed())


def labels_of(graph, iterations):
    labels = list(range(len(graph)))
    for _ in range(iterations):
        before = list(labels)
        for v in graph:
            heard = [before[u] for u in (*graph.predecessors(v), *graph.successors(v))]
            if heard:
                labels[v] = min(set(heard), key=lambda label: (-heard.count(label), label))
    return labels


def check_any(g, graph):
    n = len(graph)
    matrix = nx.to_scipy_sparse_array(graph, nodelist=range(n), weight=None)
    ranks = in_order(nx.pagerank(graph, tol=1e-13, max_iter=2000), graph)
    np.testing.assert_allclose(orujo.pagerank(g, tolerance=1e-11, precision="double"), ranks, atol=1e-9)
    np.testing.assert_allclose(orujo.pagerank(g), ranks, atol=2e-5)
    back = {5: 1}
    ranks = in_order(nx.pagerank(graph, personalization=back, dangling=back, tol=1e-13, max_iter=2000), graph)
    np.testing.assert_allclose(orujo.personalized_pagerank(g, 5, tolerance=1e-11), ranks, atol=1e-9)
    np.testing.assert_allclose(orujo.personalized_pageranks(g, [0, 5], tolerance=1e-11)[1], ranks, atol=1e-9)
    hubs, authorities = orujo.hits(g, tolerance=1e-7, max_iterations=20000)
    dense = matrix.toarray().astype(float)
    np.testing.assert_allclose(dense @ authorities, np.linalg.norm(dense @ authorities) * hubs, atol=1e-4)
    np.testing.assert_allclose(dense.T @ hubs, np.linalg.norm(dense.T @ hubs) * authorities, atol=1e-4)
    lengths = {v: nx.single_source_shortest_path_length(graph, v) for v in (5, n - 1)}
    levels, parents = orujo.bfs(g, 5)
    assert levels.tolist() == [lengths[5].get(v, -1) for v in range(n)]
    assert all(graph.has_edge(parents[v], v) and levels[parents[v]] == levels[v] - 1 for v in range(n) if levels[v] > 0)
    assert orujo.sssp(g, 5).tolist() == [lengths[5].get(v, np.inf) for v in range(n)]
    of_sources, farthest = orujo.eccentricity(g, [5, n - 1])
    assert of_sources.tolist() == [max(lengths[v].values()) for v in (5, n - 1)]
    assert farthest.tolist() == [max(lengths[s].get(v, -1) for s in (5, n - 1)) for v in range(n)]
    for improved in True, False:
        near = in_order(nx.closeness_centrality(graph, wf_improved=improved), graph)
        assert orujo.closeness_centrality(g, wf_improved=improved).tolist() == near
    near = in_order(nx.harmonic_centrality(graph), graph)
    np.testing.assert_allclose(orujo.harmonic_centrality(g), near, rtol=1e-12)
    scores = in_order(nx.katz_centrality(graph, 0.01), graph)
    np.testing.assert_allclose(orujo.katz_centrality(g, 0.01), scores, rtol=1e-12)
    scores = in_order(nx.eigenvector_centrality(graph, max_iter=2000), graph)
    np.testing.assert_allclose(orujo.eigenvector_centrality(g, max_iterations=2000), scores, rtol=1e-9, atol=1e-12)
    between = in_order(nx.betweenness_centrality(graph, normalized=False), graph)
    np.testing.assert_allclose(orujo.betweenness_centrality(g), between, rtol=1e-9, atol=1e-9)
    ends, heavy = np.array(graph.edges), nx.DiGraph()
    heavy.add_nodes_from(range(n))
    heavy.add_weighted_edges_from((a, b, k % 3 + 1) for k, (a, b) in enumerate(ends.tolist()))
    weighed = orujo.Graph((ends[:, 0], ends[:, 1], np.arange(len(ends)) % 3 + 1), vertices=n)
    between = in_order(nx.betweenness_centrality(heavy, normalized=False, weight="weight"), heavy)
    np.testing.assert_allclose(orujo.betweenness_centrality(weighed, weighted=True), between, rtol=1e-9, atol=1e-9)
    by_edge = nx.edge_betweenness_centrality(heavy, normalized=False, weight="weight")
    starts, finishes, scores = orujo.edge_betweenness_centrality(weighed, weighted=True)
    assert list(zip(starts.tolist(), finishes.tolist())) == sorted(by_edge)
    np.testing.assert_allclose(scores, [by_edge[edge] for edge in sorted(by_edge)], rtol=1e-9, atol=1e-9)
    for connection, found in ("weak", orujo.connected_components(g)), ("strong", orujo.strongly_connected_components(g)):
        components = csgraph.connected_components(matrix, directed=True, connection=connection)[1]
        assert found.tolist() == [int(np.argmax(components == c)) for c in components], connection
    edges = csgraph.minimum_spanning_tree(matrix.maximum(matrix.T) * 2).nnz
    starts, ends, weights = orujo.minimum_spanning_forest(g)
    assert len(starts) == edges and all(starts < ends) and set(weights.tolist()) == {1}
    assert all(graph.has_edge(a, b) or graph.has_edge(b, a) for a, b in zip(starts.tolist(), ends.tolist()))
    assert nx.is_forest(nx.Graph(list(zip(starts.tolist(), ends.tolist()))))
    for walk in orujo.random_walks(g, num_walks=1, walk_length=8, p=0.5, q=2).tolist():
        assert all(graph.has_edge(a, b) for a, b in zip(walk, walk[1:]) if b >= 0)
    sample = orujo.neighbor_sample(g, [5, n - 1, 0], [3, -1])
    assert all(graph.has_edge(a, b) for a, b in zip(sample.node[sample.row].tolist(), sample.node[sample.col].tolist()))
    assert orujo.label_propagation(g, iterations=5).tolist() == labels_of(graph, 5)
    assert g.out_degrees.tolist() == in_order(graph.out_degree, graph)


orujo.start(cores=1)
for undirected in (mesh(), shuffled(mesh())):
    check_undirected(undirected)
sources, targets = random_edges(150, 700)
check_any(orujo.Graph((sources, targets), vertices=150, remove_duplicates=True), digraph(sources, targets, 150))
print(f"process {orujo.process()} is content", flush=True)
