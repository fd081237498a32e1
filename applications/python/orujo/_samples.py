"""Walks and sampled neighbours, from which models learn. Results are the same for any number of cores and processes."""

from __future__ import annotations

from operator import index
from typing import Any, Iterable, List, NamedTuple, Sequence, Tuple

import numpy as np

from . import _core
from ._graph import Graph
from ._inputs import check


def random_walks(
    g: Graph, *, num_walks: int = 10, walk_length: int = 80, p: float = 1, q: float = 1, weighted: bool = False, seed: int = 1
) -> np.ndarray:
    """Random walks along out-edges: int64, shape (vertices * num_walks, walk_length + 1), indices into Graph.ids.

    num_walks walks start at each vertex, in the order of Graph.ids. -1 follows the last vertex of a walk that ends early, at
    one without out-edges. With p and q, walks are those of node2vec: the weight of an edge back to the vertex before is
    divided by p, and that of an edge to a vertex without an edge to the vertex before by q. Both are from 1e-6 to 1e6.
    weighted=True: the probability of an edge is in proportion to its weight. Raises ValueError if a weight is negative.

    >>> orujo.random_walks(orujo.Graph([(0, 1), (1, 2)]), num_walks=1, walk_length=3).tolist()
    [[0, 1, 2, -1], [1, 2, -1, -1], [2, -1, -1, -1]]
    """
    check(1 <= index(num_walks) < 2**32, "num_walks", num_walks, "from 1 to 2**32 - 1")
    check(0 <= index(walk_length) < 2**32 - 1, "walk_length", walk_length, "from 0 to 2**32 - 2")
    check(1e-6 <= p <= 1e6, "p", p, "from 1e-6 to 1e6")
    check(1e-6 <= q <= 1e6, "q", q, "from 1e-6 to 1e6")
    check(0 <= index(seed) < 2**64, "seed", seed, "from 0 to 2**64 - 1")
    return _core.random_walks(g._core, num_walks, walk_length, p, q, bool(weighted), seed).reshape(-1, walk_length + 1)


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
    g: Graph, seeds: Iterable[Any], fanouts: Sequence[int], *, replace: bool = False, edge_dir: str = "in", seed: int = 1
) -> NeighborSample:
    """Edges drawn around vertices, layer by layer, as graph neural networks learn from them (NeighborSample).

    seeds: vertices, each once. fanouts: how many edges are drawn at each vertex of a layer; -1: all. The first is that of the
    seeds, the next that of the vertices that their edges led to first, and so on. replace=True: an edge may be drawn several
    times. edge_dir: "in" draws edges that lead to a vertex, "out" those that it has.

    >>> sample = orujo.neighbor_sample(orujo.Graph([(1, 0), (2, 0), (3, 1)]), [0], [2, 1])
    >>> sample.node.tolist(), sample.row.tolist(), sample.col.tolist(), sample.num_sampled_nodes
    ([0, 1, 2, 3], [1, 2, 3], [0, 0, 1], [1, 2, 1])
    """
    check(edge_dir in ("in", "out"), "edge_dir", edge_dir, "'in' or 'out'")
    check(0 <= index(seed) < 2**64, "seed", seed, "from 0 to 2**64 - 1")
    for fanout in fanouts:
        check(-1 <= index(fanout) < 2**31, "fanouts", list(fanouts), "numbers from -1 to 2**31 - 1")
    keys = [g._key(v) for v in (seeds.tolist() if isinstance(seeds, np.ndarray) else seeds)]
    return NeighborSample(*_core.neighbor_sample(g._core, keys, list(map(index, fanouts)), bool(replace), edge_dir == "in", seed))
