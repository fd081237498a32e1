"""A NetworkX graph beside its copy on the cores, and conditions on graphs that the files _networkx_*.py of functions share."""

from __future__ import annotations

from typing import Any, Callable, Dict, Iterator, Sequence, Set, Tuple

import networkx as nx
import numpy as np

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


def plain(graph: Any) -> nx.Graph:
    return graph.nx if isinstance(graph, BackendGraph) else graph


def simple(graph: Any) -> Any:
    return not graph.is_multigraph() or "multigraphs have parallel edges"


def undirected(graph: Any) -> Any:
    if graph.is_directed():
        return "for undirected graphs"
    return simple(graph)


def has_loops(graph: Any) -> bool:
    return any(v in neighbours for v, neighbours in plain(graph).adjacency())


def weights_count(graph: Any, weight: Any) -> bool:
    hash(weight)  # else NetworkX's dispatch fails, even where there are no edges
    return weight is not None and any(w != 1 for _, _, w in plain(graph).edges(data=weight, default=1))


def weights_fit(graph: Any, weight: Any) -> Any:
    """Whether all weights are numbers from 0 on of single precision, as a Graph has them."""
    for _, _, w in plain(graph).edges(data=weight, default=1) if weight is not None else ():
        if type(w) not in (int, float) or not 0 <= w <= 1e30 or float(np.float32(w)) != w:
            return "weights must be numbers of single precision from 0 on"
    return True


def weighted_copy(G: BackendGraph, weight: Any) -> Graph:
    """The graph with this attribute of edges for weights, or 1. Vertices are the positions of nodes."""
    places = {node: place for place, node in enumerate(G.nx)}
    edges = [(places[u], places[v], w) for u, v, w in G.nx.edges(data=weight, default=1)]
    ends = np.array([edge[:2] for edge in edges], dtype=np.int64).reshape(len(edges), 2)
    weights = np.array([edge[2] for edge in edges], dtype=np.float32)
    return Graph((ends[:, 0], ends[:, 1], weights), vertices=len(places), symmetrize=not G.is_directed())


def of_nodes(graph: BackendGraph, values: Sequence[Any], nodes: Any) -> Any:
    """What functions with nodes= return: of one node its value."""
    all_values = graph.orujo.as_dict(values)
    if nodes is None:
        return all_values
    if nodes in graph.nx:
        return all_values[nodes]
    return {v: all_values[v] for v in graph.nx.nbunch_iter(nodes)}


def sets_of(G, labels) -> Iterator[Set[Any]]:
    members: Dict[int, Set[Any]] = {}
    for node, label in zip(G.nx, labels.tolist()):
        members.setdefault(label, set()).add(node)
    yield from members.values()


# By name, each with its can_run(): True, or why not.
Functions = Dict[str, Tuple[Callable[..., Any], Callable[..., Any]]]
