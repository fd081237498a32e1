"""Shortest paths and spanning trees of the backend of NetworkX."""

from __future__ import annotations

from numbers import Real
from typing import Any, Dict, Iterator

import networkx as nx
import numpy as np

from . import _algorithms
from ._graph import Graph
from ._networkx_graph import Functions, plain, undirected


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
    graph = plain(G)
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
    return undirected(G)


def _can_find_edges(G, algorithm="kruskal", weight="weight", keys=True, data=True, ignore_nan=False):
    return _can_span(G, algorithm, weight) if undirected(G) is True else undirected(G)


def _can_find_tree(G, weight="weight", algorithm="kruskal", ignore_nan=False):
    return _can_span(G, algorithm, weight) if undirected(G) is True else undirected(G)


functions: Functions = {
    "single_source_shortest_path_length": (single_source_shortest_path_length, _can_search),
    "minimum_spanning_edges": (minimum_spanning_edges, _can_find_edges),
    "minimum_spanning_tree": (minimum_spanning_tree, _can_find_tree),
}
