"""Walks and sampled neighbours, from which models learn. Results are the same for any number of cores and processes."""

from __future__ import annotations

from operator import index
from typing import Any, Iterable, List, Mapping, NamedTuple, Optional, Sequence, Tuple

import numpy as np

from . import _core
from ._graph import Graph
from ._inputs import check


def random_walks(
    g: Graph,
    *,
    num_walks: int = 10,
    walk_length: int = 80,
    p: float = 1,
    q: float = 1,
    weighted: bool = False,
    seed: int = 1,
    types: Any = None,
    metapath: Sequence[Any] = (),
    timed: bool = False,
) -> np.ndarray:
    """Random walks along out-edges: int64, shape (vertices * num_walks, walk_length + 1), indices into Graph.ids.

    num_walks walks start at each vertex, in the order of Graph.ids. -1 follows the last vertex of a walk that ends early, at
    one without out-edges. With p and q, walks are those of node2vec: the weight of an edge back to the vertex before is
    divided by p, and that of an edge to a vertex without an edge to the vertex before by q. Both are from 1e-6 to 1e6.
    weighted=True: the probability of an edge is in proportion to its weight. Raises ValueError if a weight is negative.

    With a metapath, walks are those of metapath2vec: num_walks of them start at each vertex of its first type, and every step
    leads to a vertex of the next type. The last type is the first one, and the walk goes on from there as from the start.
    types: a dictionary of vertices and their types, or an array in the order of Graph.ids. timed=True: the weights are times,
    and none is smaller than that of the step before. p and q are 1 in both.

    >>> orujo.random_walks(orujo.Graph([(0, 1), (1, 2)]), num_walks=1, walk_length=3).tolist()
    [[0, 1, 2, -1], [1, 2, -1, -1], [2, -1, -1, -1]]
    >>> g = orujo.Graph([(0, 1), (1, 2), (2, 3)], symmetrize=True)
    >>> types = {0: "author", 1: "paper", 2: "venue", 3: "paper"}
    >>> orujo.random_walks(g, num_walks=1, walk_length=3, types=types, metapath=["author", "paper", "author"]).tolist()
    [[0, 1, 0, 1]]
    """
    check(1 <= index(num_walks) < 2**32, "num_walks", num_walks, "from 1 to 2**32 - 1")
    check(0 <= index(walk_length) < 2**32 - 1, "walk_length", walk_length, "from 0 to 2**32 - 2")
    check(1e-6 <= p <= 1e6, "p", p, "from 1e-6 to 1e6")
    check(1e-6 <= q <= 1e6, "q", q, "from 1e-6 to 1e6")
    check(0 <= index(seed) < 2**64, "seed", seed, "from 0 to 2**64 - 1")
    check((p, q) == (1, 1) or not (metapath or timed), "p, q", (p, q), "1 with metapath and with timed=True")
    check(not (weighted and timed), "timed", timed, "False with weighted=True: weights are one or the other")
    places, codes = _metapath_of(g, types, list(metapath))
    walks = _core.random_walks(g._core, num_walks, walk_length, p, q, bool(weighted), seed, codes, places, bool(timed))
    return walks.reshape(-1, walk_length + 1)


def _metapath_of(g: Graph, types: Any, metapath: List[Any]) -> Tuple[List[int], np.ndarray]:
    """The metapath in places of its own types, from 1 on, and such a place for each vertex; 0 for other types."""
    check((types is None) == (not metapath), "metapath", metapath, "given if types are, and else not")
    if not metapath:
        return [], np.zeros(0, np.uint32)
    check(len(metapath) >= 2 and metapath[0] == metapath[-1], "metapath", metapath, "two types or more, the last one the first")
    codes = np.zeros(g.vertices, np.uint32)
    if isinstance(types, Mapping):
        where, of_vertices = g._places(list(types)), list(types.values())
    else:
        where, of_vertices = np.arange(g.vertices), types.tolist() if hasattr(types, "tolist") else list(types)
        check(len(of_vertices) == g.vertices, "len(types)", len(of_vertices), f"{g.vertices}, a type for each vertex")
    place = {kind: k + 1 for k, kind in reversed(list(enumerate(metapath)))}
    codes[where] = [place.get(kind, 0) for kind in of_vertices]
    return [place[kind] for kind in metapath], codes


class NeighborSample(NamedTuple):
    """The result of neighbor_sample(), in the layout of neighbor_sample() of pyg-lib.

    node: int64, indices into Graph.ids: the seeds, then the vertices that each layer adds. row, col: int64, shape (edges,),
    the source and the target of each sampled edge, as indices into node. edge: int64, shape (edges,), the index of the edge
    among all of the graph, in ascending order of target, source and weight, or with edge_dir="out" of source, target and
    weight, as Graph.to_pandas() has them. num_sampled_nodes, num_sampled_edges: how many are of the seeds and of each layer,
    and of each layer.

    >>> orujo.neighbor_sample(orujo.Graph([(1, 0), (2, 1)]), [0], [-1, -1]).node.tolist()
    [0, 1, 2]
    """

    node: np.ndarray
    row: np.ndarray
    col: np.ndarray
    edge: np.ndarray
    num_sampled_nodes: List[int]
    num_sampled_edges: List[int]

    def blocks(self) -> List[Tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]]:
        """The blocks of DGL, of in-edges: for each layer of a network, from the first one on, the source and destination
        vertices as indices into Graph.ids, and the sources and targets of its edges, as indices into these two.

        dgl.create_block((row, col), num_src_nodes=len(src), num_dst_nodes=len(dst)) makes one of each. A vertex is sampled
        once, so its edges are the same in all blocks that it is a destination in.

        >>> sample = orujo.neighbor_sample(orujo.Graph([(1, 0), (2, 1)]), [0], [-1, -1])
        >>> [(src.tolist(), dst.tolist(), row.tolist(), col.tolist()) for src, dst, row, col in sample.blocks()]
        [([0, 1, 2], [0, 1], [1, 2], [0, 1]), ([0, 1], [0], [1], [0])]
        """
        nodes, edges = np.cumsum(self.num_sampled_nodes), np.cumsum(self.num_sampled_edges)
        layers = range(len(self.num_sampled_edges) - 1, -1, -1)
        return [(self.node[: nodes[k + 1]], self.node[: nodes[k]], self.row[: edges[k]], self.col[: edges[k]]) for k in layers]


def neighbor_sample(
    g: Graph,
    seeds: Iterable[Any],
    fanouts: Sequence[int],
    *,
    replace: bool = False,
    edge_dir: str = "in",
    seed: int = 1,
    until: Optional[float] = None,
    latest: bool = False,
) -> NeighborSample:
    """Edges drawn around vertices, layer by layer, as graph neural networks learn from them (NeighborSample).

    seeds: vertices, each once. fanouts: how many edges are drawn at each vertex of a layer; -1: all. The first is that of the
    seeds, the next that of the vertices that their edges led to first, and so on. replace=True: an edge may be drawn several
    times. edge_dir: "in" draws edges that lead to a vertex, "out" those that it has. until: the weights of edges are times,
    and no later ones are drawn. latest=True: a vertex draws its latest edges, instead of any.

    >>> sample = orujo.neighbor_sample(orujo.Graph([(1, 0), (2, 0), (3, 1)]), [0], [2, 1])
    >>> sample.node.tolist(), sample.row.tolist(), sample.col.tolist(), sample.num_sampled_nodes
    ([0, 1, 2, 3], [1, 2, 3], [0, 0, 1], [1, 2, 1])
    """
    check(edge_dir in ("in", "out"), "edge_dir", edge_dir, "'in' or 'out'")
    check(0 <= index(seed) < 2**64, "seed", seed, "from 0 to 2**64 - 1")
    for fanout in fanouts:
        check(-1 <= index(fanout) < 2**31, "fanouts", list(fanouts), "numbers from -1 to 2**31 - 1")
    check(not (latest and replace), "latest", latest, "False with replace=True")
    check(until is None or until == until, "until", until, "a number")
    keys = [g._key(v) for v in (seeds.tolist() if isinstance(seeds, np.ndarray) else seeds)]
    drawn = list(map(index, fanouts)), bool(replace), edge_dir == "in", seed, until, bool(latest)
    return NeighborSample(*_core.neighbor_sample(g._core, keys, *drawn))
