"""Graphs."""

from __future__ import annotations

import operator
import os
from typing import Any, Dict, Iterable, List, Optional, Sequence, Union

import numpy as np

from . import _core, _inputs, _job

# The first words of "kronecker:18" and the like.
GENERATORS = (
    "kronecker", "uniform", "barabasi_albert", "watts_strogatz", "mesh2d", "mesh3d", "tree", "path", "star", "complete",
)  # fmt: skip


class Graph:
    """A graph, spread over all cores of the job.

    data is one of

    - the name of a file in any format that Orujo reads (edge lists, Matrix Market, CSV, METIS, GraphML, ...; docs/reference/formats.md),
      compressed or not;
    - what is to be generated, such as "kronecker:18" or "mesh2d:1000x1000:seed=2";
    - a tuple of arrays (sources, targets) or (sources, targets, weights) of whole numbers, read where they lie, without a
      copy;
    - edges, (source, target) or (source, target, weight): a list or another iterable of tuples, or the rows of an array of
      shape (m, 2) or (m, 3); ends may be numbers or strings;
    - a SciPy sparse matrix or array, in which element (i, j) is an edge from i to j of that weight;
    - a table of edges, of pandas or Arrow: its first two columns, or those that are called source and target, and the
      weights in weight_column, if that is given; ends may be numbers or strings;
    - a NetworkX or igraph graph; where it is undirected, symmetrize=True is implied.

    Of numbers, the vertices are 0 to the largest that occurs, or vertices - 1; with sparse=True only those that occur.

    symmetrize, remove_self_loops, remove_duplicates, keep_weight, transpose, largest_component and, of files, format, names,
    header, separator, source_column, target_column, weight_column, time_column, bipartite, strict, graph500_scale, partition
    are what the flags of these names are (docs/reference/flags.md). ignore_weights=True: edges have none.

    keep: names of the algorithms that will be called, such as ["pagerank"]: a graph that is for few of them is made faster
    and smaller. Without it the graph serves all.

    parts=True, under mpirun: every process brings a part of the edges; else process 0's are taken.

    Raises ValueError, with file, line and column, for what is no graph, FileNotFoundError or another OSError for what cannot
    be read, MemoryError where it has no room.
    """

    def __init__(
        self,
        data: Any,
        *,
        symmetrize: Optional[bool] = None,
        remove_self_loops: bool = False,
        remove_duplicates: bool = False,
        keep_weight: str = "lightest",
        ignore_weights: bool = False,
        vertices: Optional[int] = None,
        sparse: bool = False,
        parts: bool = False,
        keep: Optional[Sequence[str]] = None,
        **of_files: Any,
    ) -> None:
        _job.ensure_started()
        self._labels: Optional[Sequence[Any]] = None
        self._index: Optional[Dict[Any, int]] = None
        self._ids: Optional[np.ndarray] = None
        self._core: _core.Graph
        changes = dict(
            symmetrize=bool(symmetrize),
            remove_self_loops=bool(remove_self_loops),
            remove_duplicates=bool(remove_duplicates),
            keep_weight=str(keep_weight),
        )
        ignore_weights, sparse, parts = bool(ignore_weights), bool(sparse), bool(parts)
        wanted = [keep] if isinstance(keep, str) else list(map(str, keep or ()))
        if vertices is not None and not 0 <= operator.index(vertices) < 2**64:
            raise ValueError(f"vertices={vertices}: must be from 0 to 2**64 - 1")
        if isinstance(data, (str, bytes, os.PathLike)):
            if vertices is not None or sparse or parts:
                raise ValueError("vertices, sparse and parts apply to edges in memory, not to files and generators")
            self._core = _core.load({**_request(os.fspath(data), of_files), **changes, "ignore_weights": ignore_weights}, wanted)
            return
        edges = _inputs.edges_of(data, of_files, ignore_weights)
        if edges.undirected and symmetrize is None:
            changes["symmetrize"] = True
        if edges.vertices is not None and vertices is None:
            vertices = edges.vertices
        if edges.labels is not None:
            vertices, sparse = len(edges.labels), False
        self._labels = edges.labels
        self._core = _core.build(
            sources=edges.sources,
            targets=edges.targets,
            weights=None if ignore_weights else edges.weights,
            vertices=None if sparse else vertices,
            sparse=sparse,
            parts=parts,
            keep=wanted,
            **changes,
        )

    @property
    def vertices(self) -> int:
        """How many there are."""
        return self._core.vertices

    @property
    def edges(self) -> int:
        """How many there are, after symmetrize and the like: an undirected edge counts twice."""
        return self._core.edges

    @property
    def weighted(self) -> bool:
        """Whether edges have weights, which are kept in single precision."""
        return self._core.weighted

    @property
    def symmetric(self) -> bool:
        """Whether it was made with symmetrize: some algorithms want it."""
        return self._core.symmetric

    @property
    def source(self) -> str:
        """Where it is from."""
        return self._core.source

    @property
    def build_seconds(self) -> float:
        """What reading and building took."""
        return self._core.seconds

    @property
    def ids(self) -> Sequence[Any]:
        """What the vertices are called, in the order in which all results have them: an array of ids, a list of names, or
        the nodes of the graph that it was made from. Collective under mpirun, the first time."""
        if self._labels is not None:
            return self._labels
        if self._ids is None:
            if self._core.named:
                self._labels = _core.names(self._core)
                return self._labels
            self._ids = np.arange(self.vertices, dtype=np.int64) if self._core.positions else _core.ids(self._core)
        return self._ids

    @property
    def out_degrees(self) -> np.ndarray:
        """By vertex. Collective under mpirun."""
        return _core.out_degrees(self._core)

    def as_dict(self, values: Iterable[Any]) -> Dict[Any, Any]:
        """A result as a dictionary from what the vertices are called. Raises ValueError where values has not one for each."""
        plain = values.tolist() if isinstance(values, np.ndarray) else list(values)
        if len(plain) != self.vertices:
            raise ValueError(f"{len(plain)} values for {self.vertices} vertices; expected one for each")
        return dict(zip(_plain(self.ids), plain))

    def as_series(self, values: Any) -> Any:
        """A result as a pandas.Series with what the vertices are called as its index."""
        import pandas

        return pandas.Series(values, index=pandas.Index(self.ids))

    def __len__(self) -> int:
        return self.vertices

    def __repr__(self) -> str:
        kinds = [word for word, holds in (("symmetric", self.symmetric), ("weighted", self.weighted)) if holds]
        return f"<orujo.Graph of {self.vertices} vertices and {self.edges} edges{', ' if kinds else ''}{', '.join(kinds)}>"

    def _key(self, vertex: Any) -> Union[int, str]:
        """What the core calls the vertex that the user calls so."""
        if self._labels is None or self._core.named:
            return vertex
        if self._index is None:
            self._index = {label: place for place, label in enumerate(_plain(self._labels))}
        try:
            return self._index[vertex]
        except KeyError:
            raise ValueError(f"the graph has no vertex {vertex!r}") from None


def _plain(labels: Sequence[Any]) -> List[Any]:
    return labels.tolist() if isinstance(labels, np.ndarray) else list(labels)


def _request(data: Union[str, bytes], of_files: Dict[str, Any]) -> Dict[str, Any]:
    known = {
        "format", "names", "header", "separator", "source_column", "target_column", "weight_column", "time_column",
        "bipartite", "graph500_scale", "strict", "transpose", "largest_component", "partition",
    }  # fmt: skip
    for name in of_files:
        if name not in known:
            raise TypeError(f"Graph() got an unexpected keyword argument '{name}'")
    path = os.fsencode(data)
    if b"\0" in path:
        raise ValueError("embedded null byte")  # as open() says
    request = {"data": path}
    if path.partition(b":")[0].decode(errors="replace") in GENERATORS and b":" in path and not os.path.exists(path):
        request["generated"] = True
    for name, value in of_files.items():
        if value is not None:
            request[name] = str(value) if name.endswith("_column") else value
    return request
