"""Predictions of edges, by how similar two vertices are, of the backend of NetworkX."""

from __future__ import annotations

from typing import Any, Iterator

import networkx as nx

from . import _similarities
from ._networkx_graph import Functions, has_loops, undirected

# All pairs without an edge are computed for graphs of up to this number of nodes.
MOST_NODES_OF_ALL_PAIRS = 2000


def _predictor(measure: str, number: Any) -> Any:
    def predict(G, ebunch=None) -> Iterator[Any]:
        pairs = [(u, v) for u, v in (nx.non_edges(G.nx) if ebunch is None else ebunch)]
        sources, targets = ([pair[end] for pair in pairs] for end in (0, 1))
        values = _similarities.pair_similarity(G.orujo, sources, targets, measure)
        yield from ((u, v, number(value)) for (u, v), value in zip(pairs, values.tolist()))

    return predict


def _can_predict(G, ebunch=None):
    if has_loops(G):
        return "loops count"
    if ebunch is None:
        return undirected(G) if len(G) <= MOST_NODES_OF_ALL_PAIRS else "all pairs without an edge are too many"
    if type(ebunch) not in (list, tuple):
        return "pairs must be in a list or tuple"
    if not all(type(pair) in (list, tuple) and len(pair) == 2 and pair[0] in G and pair[1] in G for pair in ebunch):
        return "pairs must be of nodes of the graph"
    if any(pair[0] == pair[1] for pair in ebunch):
        return "nodes of a pair must differ"
    return undirected(G)


functions: Functions = {
    "jaccard_coefficient": (_predictor("jaccard", lambda value: value), _can_predict),
    "adamic_adar_index": (_predictor("adamic_adar", lambda value: value or 0), _can_predict),  # 0 is an int there
    "resource_allocation_index": (_predictor("resource_allocation", lambda value: value or 0), _can_predict),
    "preferential_attachment": (_predictor("preferential_attachment", int), _can_predict),
}
