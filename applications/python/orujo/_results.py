"""Results: arrays with a value for each vertex. Each remembers its graph while that exists."""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Tuple

import numpy as np

if TYPE_CHECKING:
    from ._graph import Graph

# By id() of the array, which leaves with it. Neither the array nor its graph is kept.
_Graphs = Dict[int, Tuple["weakref.ref[np.ndarray]", "weakref.ref[Graph]"]]
_graphs: _Graphs = {}
# By id() of the sources of a result of edges.
_graphs_of_edges: _Graphs = {}


def _remember(known: _Graphs, values: np.ndarray, g: Graph) -> None:
    key = id(values)
    known[key] = weakref.ref(values, lambda _: known.pop(key, None)), weakref.ref(g)


def of(g: Graph, values: np.ndarray) -> np.ndarray:
    """The values, which remember the graph from then on."""
    _remember(_graphs, values, g)
    return values


def of_edges(g: Graph, edges: Tuple[np.ndarray, np.ndarray, np.ndarray]) -> Tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Sources, targets and values of edges, which remember the graph from then on."""
    _remember(_graphs_of_edges, edges[0], g)
    return edges


def graph_of(values: Any) -> Optional[Graph]:
    """The graph of a result of vertices, while that exists."""
    known = _graphs.get(id(values))
    return known[1]() if known else None


def graph_of_edges(edges: Tuple[Any, ...]) -> Optional[Graph]:
    """The graph of a result of edges, while that exists."""
    known = _graphs_of_edges.get(id(edges[0])) if len(edges) == 3 else None
    return known[1]() if known else None


def top(values: Any, count: int = 10, g: Optional[Graph] = None) -> List[Tuple[Any, Any]]:
    """The vertices with the greatest values, in descending order; equal values in the order of Graph.ids.

    values: an array of shape (vertices,). A result of Orujo remembers its graph while that exists. For other arrays, such
    as slices and sums of results, pass the graph. Returns at most count pairs (id or name, value).

    >>> g = orujo.Graph([("ann", "bob"), ("cyd", "bob"), ("bob", "ann")])
    >>> orujo.top(orujo.pagerank(g), 2)[0][0]
    'bob'
    >>> orujo.top(g.out_degrees * 10, 2, g)
    [('ann', 10), ('bob', 10)]
    """
    if count < 0:
        raise ValueError(f"count={count}: must be 0 or more")
    if g is None:
        g = graph_of(values)
    if g is None:
        raise ValueError("top(): these values are not a result whose graph still exists; pass the graph: top(values, count, g)")
    array = np.asarray(values)
    if array.shape != (g.vertices,):
        raise ValueError(f"values of shape {array.shape} for {g.vertices} vertices; expected one for each")
    places = np.arange(len(array))
    if 0 < count < len(array):  # sorts those alone that may be among them
        places = np.flatnonzero(array >= np.partition(array, len(array) - count)[len(array) - count])
    ascending = np.argsort(array[places][::-1], kind="stable")
    order = places[len(places) - 1 - ascending[::-1]][:count]
    ids, chosen = g.ids, array[order].tolist()
    return [(_plain(ids[place]), value) for place, value in zip(order.tolist(), chosen)]


def _plain(label: Any) -> Any:
    return label.item() if isinstance(label, np.generic) else label
