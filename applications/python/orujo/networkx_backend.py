"""The backend "orujo" of NetworkX: networkx.pagerank(G, backend="orujo"), or networkx.config.backend_priority = ["orujo"].

can_run() says no wherever the result would differ: weights that count, multigraphs, and what a function's comment says. The
conversion takes far longer than most algorithms: NetworkX keeps the converted graph beside the one that it is of.
"""

from __future__ import annotations

from math import inf
from numbers import Integral, Real
from typing import Any, Dict, Iterator, List, Sequence, Set

import networkx as nx
import numpy as np

from . import _algorithms, _centralities
from ._graph import Graph


class BackendGraph:
    """A NetworkX graph and its copy on the cores."""

    __networkx_backend__ = "orujo"
    __networkx_cache__ = None

    def __init__(self, graph: nx.Graph) -> None:
        self.nx = graph
        self.orujo = Graph(graph, ignore_weights=True)

    def is_directed(self) -> bool:
        return self.nx.is_directed()

    def is_multigraph(self) -> bool:
        return self.nx.is_multigraph()

    def __len__(self) -> int:
        return len(self.nx)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.nx)

    def __contains__(self, node: Any) -> bool:
        return node in self.nx


def _plain(graph: Any) -> nx.Graph:
    return graph.nx if isinstance(graph, BackendGraph) else graph


def _simple(graph: Any) -> Any:
    return not graph.is_multigraph() or "multigraphs have parallel edges"


def _undirected(graph: Any) -> Any:
    if graph.is_directed():
        return "for undirected graphs"
    return _simple(graph)


def _has_loops(graph: Any) -> bool:
    return any(v in neighbours for v, neighbours in _plain(graph).adjacency())


def _weights_count(graph: Any, weight: Any) -> bool:
    hash(weight)  # else NetworkX's dispatch fails, even where there are no edges
    return weight is not None and any(w != 1 for _, _, w in _plain(graph).edges(data=weight, default=1))


def _of_nodes(graph: BackendGraph, values: Sequence[Any], nodes: Any) -> Any:
    """What functions with nodes= return: of one node its value."""
    all_values = graph.orujo.as_dict(values)
    if nodes is None:
        return all_values
    if nodes in graph.nx:
        return all_values[nodes]
    return {v: all_values[v] for v in graph.nx.nbunch_iter(nodes)}


def pagerank(
    G, alpha=0.85, personalization=None, max_iter=100, tol=1.0e-6, nstart=None, weight="weight", dangling=None
) -> Dict[Any, float]:
    graph = G.orujo
    if len(graph) == 0:
        return {}
    from . import _core

    ranks, about = _core.pagerank(graph._core, alpha, len(graph) * tol, 0, max_iter, True, False)
    if not about["converged"]:
        raise nx.PowerIterationFailedConvergence(max_iter)
    return graph.as_dict(ranks)


def _can_pagerank(G, alpha=0.85, personalization=None, max_iter=100, tol=1.0e-6, nstart=None, weight="weight", dangling=None):
    if personalization is not None or nstart is not None or dangling is not None:
        return "personalization, nstart and dangling are not there"
    if not (isinstance(alpha, Real) and 0 <= alpha < 1):
        return "alpha must be from 0 to below 1"
    if not (isinstance(max_iter, Integral) and 1 <= max_iter < 2**31 and isinstance(tol, Real) and 0 < tol < inf):
        return "max_iter must be from 1 to below 2**31, and tol a positive number"
    if _weights_count(G, weight):
        return "weights do not count"
    return _simple(G)


def _sets(G, labels) -> Iterator[Set[Any]]:
    members: Dict[int, Set[Any]] = {}
    for node, label in zip(G.nx, labels.tolist()):
        members.setdefault(label, set()).add(node)
    yield from members.values()


def connected_components(G) -> Iterator[Set[Any]]:
    yield from _sets(G, _algorithms.connected_components(G.orujo))


def number_connected_components(G) -> int:
    return len(np.unique(_algorithms.connected_components(G.orujo)))


def is_connected(G) -> bool:
    return number_connected_components(G) == 1


def strongly_connected_components(G) -> Iterator[Set[Any]]:
    yield from _sets(G, _algorithms.strongly_connected_components(G.orujo))


def number_strongly_connected_components(G) -> int:
    return len(np.unique(_algorithms.strongly_connected_components(G.orujo)))


def is_strongly_connected(G) -> bool:
    return number_strongly_connected_components(G) == 1


def is_directed_acyclic_graph(G) -> bool:
    try:
        _algorithms.dag_levels(G.orujo)
    except ValueError:
        return False
    return True


def node_connected_component(G, n) -> Set[Any]:
    labels = _algorithms.connected_components(G.orujo)
    nodes = list(G.nx)
    return {nodes[k] for k in np.flatnonzero(labels == labels[G.orujo._key(n)])}


def _can_find_components(G):
    return "for undirected graphs" if G.is_directed() else len(G) > 0 or "there are no nodes"


def _can_find_directed_components(G):
    return len(G) > 0 or "there are no nodes" if G.is_directed() else "for directed graphs"


def _communities(find, G, resolution, max_level, seed) -> List[Set[Any]]:
    labels = find(G.orujo, resolution=resolution, levels=max_level or 0, seed=seed.randint(0, 2**31 - 1))
    return list(_sets(G, labels))


def leiden_communities(G, weight="weight", resolution=1, max_level=None, seed=None) -> List[Set[Any]]:
    return _communities(_algorithms.leiden, G, resolution, max_level, seed)


def louvain_communities(G, weight="weight", resolution=1, threshold=1e-7, max_level=None, seed=None) -> List[Set[Any]]:
    return _communities(_algorithms.louvain, G, resolution, max_level, seed)


def _can_find_communities(G, weight="weight", resolution=1, max_level=None, seed=None):
    if not (isinstance(resolution, Real) and 0 < resolution < 1e9):
        return "resolution must be above 0 and below 1e9"
    if max_level is not None and not (isinstance(max_level, Integral) and 1 <= max_level < 2**31):
        return "max_level must be from 1 to below 2**31"
    if _weights_count(G, weight):
        return "weights do not count"
    return _undirected(G) if len(G) > 0 else "there are no nodes"


def core_number(G) -> Dict[Any, int]:
    return G.orujo.as_dict(_algorithms.k_core(G.orujo))


def _can_number_cores(G):
    return "a loop counts" if _has_loops(G) else _undirected(G)


def k_truss(G, k) -> nx.Graph:
    nodes = list(G.nx)
    edges = zip(*(column.tolist() for column in _algorithms.truss_numbers(G.orujo)))
    truss = G.nx.copy()
    truss.remove_edges_from([(nodes[a], nodes[b]) for a, b, number in edges if number < k])
    truss.remove_nodes_from(list(nx.isolates(truss)))
    return truss


def _can_find_truss(G, k):
    if not isinstance(k, Real):
        return "k must be a number"
    return "loops are not permitted" if _has_loops(G) else _undirected(G)


def triangles(G, nodes=None):
    return _of_nodes(G, _algorithms.triangles(G.orujo), nodes)


def clustering(G, nodes=None, weight=None):
    return _of_nodes(G, [share or 0 for share in _algorithms.clustering(G.orujo).tolist()], nodes)  # 0 is an int there


def average_clustering(G, nodes=None, weight=None, count_zeros=True) -> float:
    values = clustering(G, nodes).values()
    counted = list(values) if count_zeros else [v for v in values if v != 0]
    return sum(counted) / len(counted)


def transitivity(G) -> float:
    loops = np.array([v in neighbours for v, neighbours in G.nx.adjacency()], dtype=np.int64)
    degrees = G.orujo.out_degrees.astype(np.int64) - loops
    pairs, found = int((degrees * (degrees - 1)).sum()), _algorithms.triangle_counting(G.orujo)
    return 6 * found / pairs if found else 0


def _can_cluster(G, nodes=None, weight=None, count_zeros=True):
    return "weights do not count" if weight is not None else _undirected(G)


def single_source_shortest_path_length(G, source, cutoff=None) -> Dict[Any, int]:
    levels = _algorithms.bfs(G.orujo, source).levels
    last = int(levels.max())
    if cutoff is not None:  # it is compared with the level before: with 1.5 there are two, with -1 or NaN none
        last = next((level for level in range(last) if not cutoff > level), last)
    reached = np.flatnonzero((levels >= 0) & (levels <= last))
    reached = reached[np.argsort(levels[reached], kind="stable")]
    nodes = list(G.nx)
    return {nodes[k]: level for k, level in zip(reached.tolist(), levels[reached].tolist())}


def _can_search(G, source, cutoff=None):
    if source not in G:
        return "there is no such node"
    return cutoff is None or isinstance(cutoff, Real) or "cutoff must be a number"


def betweenness_centrality(G, k=None, normalized=True, weight=None, endpoints=False, seed=None) -> Dict[Any, float]:
    scores = _centralities.betweenness_centrality(G.orujo)
    n = len(G.orujo)
    if normalized:
        scores *= 1 / ((n - 1) * (n - 2)) if n > 2 else 0
    elif not G.is_directed():
        scores /= 2
    return G.orujo.as_dict(scores)


def _can_find_betweenness(G, k=None, normalized=True, weight=None, endpoints=False, seed=None):
    if k is not None or weight is not None or endpoints:
        return "without k, weight and endpoints"
    return _simple(G)


def closeness_centrality(G, u=None, distance=None, wf_improved=True) -> Dict[Any, float]:
    return G.orujo.as_dict(_centralities.closeness_centrality(G.orujo, wf_improved=bool(wf_improved)))


def harmonic_centrality(G, nbunch=None, distance=None, sources=None) -> Dict[Any, float]:
    return G.orujo.as_dict([score or 0 for score in _centralities.harmonic_centrality(G.orujo).tolist()])  # 0 is an int there


def _converged(found: Any, G: BackendGraph, max_iter: int) -> Dict[Any, float]:
    scores, about = found
    if not about["converged"]:
        raise nx.PowerIterationFailedConvergence(max_iter)
    return G.orujo.as_dict(scores)


def katz_centrality(
    G, alpha=0.1, beta=1.0, max_iter=1000, tol=1.0e-6, nstart=None, normalized=True, weight=None
) -> Dict[Any, float]:
    from . import _core

    return _converged(_core.katz_centrality(G.orujo._core, alpha, beta, bool(normalized), float(tol), max_iter), G, max_iter)


def eigenvector_centrality(G, max_iter=100, tol=1.0e-06, nstart=None, weight=None) -> Dict[Any, float]:
    from . import _core

    return _converged(_core.eigenvector_centrality(G.orujo._core, float(tol), max_iter), G, max_iter)


def _can_iterate(G, max_iter, tol, nstart, weight):
    if nstart is not None:
        return "without nstart"
    if not (isinstance(max_iter, Integral) and 1 <= max_iter < 2**31 and isinstance(tol, Real) and 0 < tol < inf):
        return "max_iter must be from 1 to below 2**31, and tol a positive number"
    if _weights_count(G, weight):
        return "weights do not count"
    return _simple(G) if len(G) > 0 else "there are no nodes"


def _can_find_katz(G, alpha=0.1, beta=1.0, max_iter=1000, tol=1.0e-6, nstart=None, normalized=True, weight=None):
    if not all(type(x) in (int, float) and 0 < x < 1e6 for x in (alpha, beta)):
        return "alpha and beta must be numbers above 0"
    return _can_iterate(G, max_iter, tol, nstart, weight)


def _can_find_eigenvector(G, max_iter=100, tol=1.0e-06, nstart=None, weight=None):
    return _can_iterate(G, max_iter, tol, nstart, weight)


def minimum_spanning_edges(G, algorithm="kruskal", weight="weight", keys=True, data=True, ignore_nan=False) -> Iterator[Any]:
    nodes = list(G.nx)
    places = {node: place for place, node in enumerate(nodes)}
    edges = [(places[u], places[v], given.get(weight, 1)) for u, v, given in G.nx.edges(data=True)]
    if not edges:
        return
    ends = np.array([edge[:2] for edge in edges], dtype=np.int64)
    weights = np.array([edge[2] for edge in edges], dtype=np.float32)
    graph = Graph((ends[:, 0], ends[:, 1], weights), vertices=len(nodes))
    found = _algorithms.minimum_spanning_forest(graph)
    for k in np.argsort(found[2], kind="stable").tolist():  # equal ones are in order
        u, v = nodes[found[0][k]], nodes[found[1][k]]
        yield (u, v, G.nx.edges[u, v]) if data else (u, v)


def minimum_spanning_tree(G, weight="weight", algorithm="kruskal", ignore_nan=False) -> nx.Graph:
    tree = nx.Graph()
    tree.graph.update(G.nx.graph)
    tree.add_nodes_from(G.nx.nodes.items())
    tree.add_edges_from(minimum_spanning_edges(G, weight=weight))
    return tree


def _can_span(G, algorithm="kruskal", weight="weight"):
    if algorithm != "kruskal":
        return "as Kruskal's algorithm chooses"
    hash(weight)
    graph = _plain(G)
    places = {node: place for place, node in enumerate(graph)}
    for node, neighbours in graph.adjacency():
        last: Dict[float, int] = {}  # of equal weights NetworkX takes neighbours in their order here
        for other, data in neighbours.items():
            w = data.get(weight, 1)
            if type(w) not in (int, float) or abs(w) > 1e30 or w != w or float(np.float32(w)) != w:
                return "weights must be numbers of single precision"
            if places[other] > places[node]:
                if last.get(w, -1) > places[other]:
                    return "of equal weights other edges would be taken"
                last[w] = places[other]
    return _undirected(G)


def _can_find_edges(G, algorithm="kruskal", weight="weight", keys=True, data=True, ignore_nan=False):
    return _can_span(G, algorithm, weight) if _undirected(G) is True else _undirected(G)


def _can_find_tree(G, weight="weight", algorithm="kruskal", ignore_nan=False):
    return _can_span(G, algorithm, weight) if _undirected(G) is True else _undirected(G)


_known = {
    "pagerank": (pagerank, _can_pagerank),
    "connected_components": (connected_components, _can_find_components),
    "number_connected_components": (number_connected_components, _can_find_components),
    "is_connected": (is_connected, _can_find_components),
    "node_connected_component": (node_connected_component, lambda G, n: _can_find_components(G) if n in G else False),
    "weakly_connected_components": (connected_components, _can_find_directed_components),
    "number_weakly_connected_components": (number_connected_components, _can_find_directed_components),
    "is_weakly_connected": (is_connected, _can_find_directed_components),
    "strongly_connected_components": (strongly_connected_components, _can_find_directed_components),
    "number_strongly_connected_components": (number_strongly_connected_components, _can_find_directed_components),
    "is_strongly_connected": (is_strongly_connected, _can_find_directed_components),
    "is_directed_acyclic_graph": (is_directed_acyclic_graph, _can_find_directed_components),
    "leiden_communities": (leiden_communities, _can_find_communities),
    "louvain_communities": (
        louvain_communities,
        lambda G, weight="weight", resolution=1, threshold=1e-7, max_level=None, seed=None: _can_find_communities(
            G, weight, resolution, max_level
        ),
    ),
    "core_number": (core_number, _can_number_cores),
    "k_truss": (k_truss, _can_find_truss),
    "triangles": (triangles, _can_cluster),
    "clustering": (clustering, _can_cluster),
    "average_clustering": (average_clustering, _can_cluster),
    "transitivity": (transitivity, _can_cluster),
    "single_source_shortest_path_length": (single_source_shortest_path_length, _can_search),
    "betweenness_centrality": (betweenness_centrality, _can_find_betweenness),
    "closeness_centrality": (
        closeness_centrality,
        lambda G, u=None, distance=None, wf_improved=True: (u is None and distance is None) or "without u and distance",
    ),
    "harmonic_centrality": (
        harmonic_centrality,
        lambda G, nbunch=None, distance=None, sources=None: (
            (nbunch is None and distance is None and sources is None) or "without nbunch, distance and sources"
        ),
    ),
    "katz_centrality": (katz_centrality, _can_find_katz),
    "eigenvector_centrality": (eigenvector_centrality, _can_find_eigenvector),
    "minimum_spanning_edges": (minimum_spanning_edges, _can_find_edges),
    "minimum_spanning_tree": (minimum_spanning_tree, _can_find_tree),
}


class _Backend:
    """What NetworkX asks, under the names that it asks for."""

    def __init__(self) -> None:
        for name, (function, _) in _known.items():
            setattr(self, name, function)

    @staticmethod
    def convert_from_nx(graph: Any, *args: Any, **kwargs: Any) -> BackendGraph:
        return graph if isinstance(graph, BackendGraph) else BackendGraph(graph)

    @staticmethod
    def convert_to_nx(result: Any, *, name: Any = None) -> Any:
        return _plain(result)

    @staticmethod
    def should_run(name: str, args: Any, kwargs: Any) -> Any:
        return name != "louvain_communities" or "communities are others than NetworkX's"

    @staticmethod
    def can_run(name: str, args: Any, kwargs: Any) -> Any:
        graph = args[0] if args else kwargs.get("G")
        if type(graph) not in (BackendGraph, nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph):
            return "classes derived from NetworkX's may have other edges than they tell"
        try:
            return _known[name][1](*args, **kwargs) if name in _known else False
        except TypeError:  # arguments that NetworkX is to complain of
            return False


backend = _Backend()


def info() -> Dict[str, Any]:
    return {
        "backend_name": "orujo",
        "project": "Orujo",
        "package": "orujo",
        "short_summary": "Graph algorithms on all cores of a machine.",
        "functions": {name: {} for name in _known},
    }
