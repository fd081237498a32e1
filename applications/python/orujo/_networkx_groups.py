"""Components, communities, cores, trusses and triangles of the backend of NetworkX."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, Dict, Iterator, List, Set

import networkx as nx
import numpy as np

from . import _algorithms
from ._networkx_graph import (
    Functions,
    has_loops,
    of_nodes,
    plain,
    sets_of,
    undirected,
    weighted_copy,
    weights_count,
    weights_fit,
)


def connected_components(G) -> Iterator[Set[Any]]:
    yield from sets_of(G, _algorithms.connected_components(G.orujo))


def number_connected_components(G) -> int:
    return len(np.unique(_algorithms.connected_components(G.orujo)))


def is_connected(G) -> bool:
    return number_connected_components(G) == 1


def strongly_connected_components(G) -> Iterator[Set[Any]]:
    yield from sets_of(G, _algorithms.strongly_connected_components(G.orujo))


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
    return list(sets_of(G, labels))


def leiden_communities(G, weight="weight", resolution=1, max_level=None, seed=None) -> List[Set[Any]]:
    return _communities(_algorithms.leiden, G, resolution, max_level, seed)


def louvain_communities(G, weight="weight", resolution=1, threshold=1e-7, max_level=None, seed=None) -> List[Set[Any]]:
    return _communities(_algorithms.louvain, G, resolution, max_level, seed)


def _can_find_communities(G, weight="weight", resolution=1, max_level=None, seed=None):
    if not (isinstance(resolution, Real) and 0 < resolution < 1e9):
        return "resolution must be above 0 and below 1e9"
    if max_level is not None and not (isinstance(max_level, Integral) and 1 <= max_level < 2**31):
        return "max_level must be from 1 to below 2**31"
    if weights_count(G, weight):
        return "weights do not count"
    return undirected(G) if len(G) > 0 else "there are no nodes"


def core_number(G) -> Dict[Any, int]:
    return G.orujo.as_dict(_algorithms.k_core(G.orujo))


def _can_number_cores(G):
    return "a loop counts" if has_loops(G) else undirected(G)


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
    return "loops are not permitted" if has_loops(G) else undirected(G)


def triangles(G, nodes=None):
    return of_nodes(G, _algorithms.triangles(G.orujo), nodes)


def clustering(G, nodes=None, weight=None):
    weighted = weights_count(G, weight)
    shares = _algorithms.clustering(weighted_copy(G, weight) if weighted else G.orujo, weighted=weighted)
    return of_nodes(G, [share or 0 for share in shares.tolist()], nodes)  # 0 is an int there


def average_clustering(G, nodes=None, weight=None, count_zeros=True) -> float:
    values = clustering(G, nodes, weight).values()
    counted = list(values) if count_zeros else [v for v in values if v != 0]
    return sum(counted) / len(counted)


def transitivity(G) -> float:
    loops = np.array([v in neighbours for v, neighbours in G.nx.adjacency()], dtype=np.int64)
    degrees = G.orujo.out_degrees.astype(np.int64) - loops
    pairs, found = int((degrees * (degrees - 1)).sum()), _algorithms.triangle_counting(G.orujo)
    return 6 * found / pairs if found else 0


def _can_cluster(G, nodes=None, weight=None, count_zeros=True):
    if weights_count(G, weight) and not any(w for _, _, w in plain(G).edges(data=weight, default=1)):
        return "all weights are 0"
    fit = undirected(G)
    return weights_fit(G, weight) if fit is True else fit


functions: Functions = {
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
}
