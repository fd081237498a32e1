"""Graphs."""

from __future__ import annotations

import html
import operator
import os
import re
from typing import TYPE_CHECKING, Any, Dict, Iterable, List, Optional, Sequence, Union

import numpy as np

from . import _core, _inputs, _job, _results

if TYPE_CHECKING:
    import pandas

# The first words of "kronecker:18" and the like.
GENERATORS = (
    "kronecker", "uniform", "barabasi_albert", "watts_strogatz", "mesh2d", "mesh3d", "tree", "path", "star", "complete",
)  # fmt: skip


class Graph:
    """A graph, distributed over all cores of the job.

    data is one of

    - the name of a file in any format that Orujo reads (edge lists, Matrix Market, CSV, METIS, GraphML, ...;
      docs/reference/formats.md), compressed or not;
    - the specification of a generator, such as "kronecker:18" or "mesh2d:1000x1000:seed=2";
    - a tuple of integer arrays of shape (m,), (sources, targets) or (sources, targets, weights), which are not copied;
    - edges, (source, target) or (source, target, weight): a list or another iterable of tuples, or the rows of an array of
      shape (m, 2) or (m, 3); ends may be numbers or strings;
    - a SciPy sparse matrix or array, in which element (i, j) is an edge from i to j of that weight;
    - a table of edges, of pandas or Arrow: its first two columns, or those that are called source and target, and the
      weights in weight_column, if that is given; ends may be numbers or strings;
    - a dict of columns, as query() returns: source and target, and the weights in weight_column, if that is given;
    - a NetworkX or igraph graph; an undirected one implies symmetrize=True.

    If ends are numbers, the vertices are 0 to the largest, or to vertices - 1; with sparse=True only those that occur.

    symmetrize, remove_self_loops, remove_duplicates, keep_weight and, for files, transpose, largest_component, format, names,
    header, separator, source_column, target_column, weight_column, time_column, bipartite, strict, graph500_scale, partition
    have the meanings of the flags of these names (docs/reference/flags.md). ignore_weights=True: edges have no weights.

    keep: names of the algorithms that will be called, such as ["pagerank"]. Such a graph is made faster and is smaller.
    Without it the graph serves all.

    parts=True, under mpirun: every process passes a part of the edges; otherwise those of process 0 are used.

    Raises ValueError, with file, line and column, for malformed data, FileNotFoundError or another OSError for data that
    cannot be read, MemoryError if memory does not suffice.

    >>> g = orujo.Graph([("ann", "bob", 2.5), ("bob", "cyd", 1)])
    >>> g.ids
    ['ann', 'bob', 'cyd']
    >>> orujo.Graph(([0, 1], [1, 2]), symmetrize=True).edges
    4
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
        self._labels: Optional[List[Any]] = None
        self._index: Optional[Dict[Any, int]] = None
        self._ids: Optional[np.ndarray] = None
        self._core: _core.Graph
        changes: Dict[str, Any] = dict(
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
        """The number of vertices, which len(g) is, too."""
        return self._core.vertices

    @property
    def edges(self) -> int:
        """The number of edges, after symmetrize and the like. An undirected edge counts twice."""
        return self._core.edges

    @property
    def weighted(self) -> bool:
        """True if edges have weights, which are kept in single precision."""
        return self._core.weighted

    @property
    def symmetric(self) -> bool:
        """True if it was made with symmetrize, which some algorithms require."""
        return self._core.symmetric

    @property
    def source(self) -> str:
        """The file or generator that it was made from."""
        return self._core.source

    @property
    def build_seconds(self) -> float:
        """The duration of reading and building."""
        return self._core.seconds

    @property
    def memory_bytes(self) -> int:
        """The memory of vertices and edges at all processes. Algorithms take more while they run."""
        return self._core.bytes

    @property
    def ids(self) -> Union[np.ndarray, List[Any]]:
        """The ids of the vertices, in the order of all results: an array of shape (vertices,), a list of names, or the nodes
        of the graph that it was made from. Collective under mpirun, the first time.

        >>> orujo.Graph([(7, 9)], sparse=True).ids.tolist()
        [7, 9]
        """
        if self._labels is not None:
            return self._labels
        if self._ids is None:
            if self._core.named:
                self._labels = _core.names(self._core)
                return self._labels
            self._ids = np.arange(self.vertices, dtype=np.int64) if self._core.positions else _core.ids(self._core)
        return self._ids

    @property
    def nodes(self) -> Union[np.ndarray, List[Any]]:
        """The ids, by the name that NetworkX has for them."""
        return self.ids

    @property
    def out_degrees(self) -> np.ndarray:
        """The number of out-edges of each vertex: uint32, shape (vertices,). Collective under mpirun.

        >>> orujo.Graph([(0, 1), (0, 2)]).out_degrees.tolist()
        [2, 0, 0]
        """
        return _results.of(self, _core.out_degrees(self._core))

    def as_dict(self, values: Iterable[Any]) -> Dict[Any, Any]:
        """A result of shape (vertices,) as a dictionary by id. Raises ValueError if its length differs.

        >>> g = orujo.Graph([("a", "b")])
        >>> g.as_dict(g.out_degrees)
        {'a': 1, 'b': 0}
        """
        plain = values.tolist() if isinstance(values, np.ndarray) else list(values)
        if len(plain) != self.vertices:
            raise ValueError(f"{len(plain)} values for {self.vertices} vertices; expected one for each")
        return dict(zip(_plain(self.ids), plain))

    def as_series(self, values: Any) -> pandas.Series[Any]:
        """A result of shape (vertices,) as a pandas.Series with the ids as its index.

        >>> g = orujo.Graph([("a", "b")])
        >>> int(g.as_series(g.out_degrees)["a"])
        1
        """
        pd = _pandas("as_series")
        series: pandas.Series[Any] = pd.Series(values, index=pd.Index(self.ids))
        return series

    def to_pandas(self) -> pandas.DataFrame:
        """The edges as a pandas.DataFrame with the columns source, target and, of a weighted graph, weight.

        It has g.edges rows, ordered by source and target in the order of ids. An undirected edge is there in both
        directions. Collective under mpirun.

        >>> orujo.Graph([("b", "c", 2), ("a", "b", 0.5)]).to_pandas().values.tolist()
        [['a', 'b', 0.5], ['b', 'c', 2.0]]
        """
        pd = _pandas("to_pandas")
        sources, targets, weights = _core.edges(self._core)
        order = np.lexsort((targets, sources) if weights is None else (weights, targets, sources))
        ids = pd.Index(self.ids, tupleize_cols=False)
        table = {"source": ids.take(sources[order]), "target": ids.take(targets[order])}
        if weights is not None:
            table["weight"] = weights[order]
        frame: pandas.DataFrame = pd.DataFrame(table)
        return frame

    def __len__(self) -> int:
        return self.vertices

    @property
    def _named(self) -> bool:
        return self._labels is not None or self._core.named

    def __repr__(self) -> str:
        facts = ["undirected" if self.symmetric else "directed", "weighted" if self.weighted else "", "named" if self._named else ""]
        size = f"{_counted(self.vertices, 'vertex', 'vertices')} and {_counted(self.edges, 'edge', 'edges')}"
        return f"<orujo.Graph of {size}, {', '.join(filter(None, facts))}, {_readable(self.memory_bytes)}>"

    def _repr_html_(self) -> str:
        rows = {
            "Source": html.escape(self.source),
            "Vertices": f"{self.vertices:,}",
            "Edges": f"{self.edges:,}" + (", an undirected one as two" if self.symmetric else ""),
            "Directed": "no" if self.symmetric else "yes",
            "Weighted": "yes" if self.weighted else "no",
            "Names": "yes" if self._named else "no",
            "Memory": _readable(self.memory_bytes),
        }
        cells = "".join(f"<tr><th style='text-align:left'>{name}</th><td>{value}</td></tr>" for name, value in rows.items())
        return f"<table><caption>orujo.Graph</caption>{cells}</table>"

    def _key(self, vertex: Any) -> Any:
        """The key of a vertex in the core."""
        if self._labels is None or self._core.named:
            return vertex
        if self._index is None:
            self._index = {label: place for place, label in enumerate(_plain(self._labels))}
        try:
            return self._index[vertex]
        except KeyError:
            raise ValueError(f"the graph has no vertex {vertex!r}") from None

    def _places(self, vertices: Any) -> np.ndarray:
        """The indices of vertices into ids, int64. Collective under mpirun, the first time."""
        are_ids = self._core.positions and not self._named
        ids = None if are_ids else self.ids
        if isinstance(ids, list):
            if self._index is None:
                self._index = {label: place for place, label in enumerate(_plain(ids))}
            try:
                return np.array([self._index[vertex] for vertex in vertices], dtype=np.int64)
            except KeyError as missing:
                raise ValueError(f"the graph has no vertex {missing.args[0]!r}") from None
        wanted = np.asarray(vertices if isinstance(vertices, np.ndarray) else list(vertices))
        if wanted.ndim != 1 or (wanted.size > 0 and wanted.dtype.kind not in "iu"):
            raise TypeError("vertices: expected an array of shape (count,) of whole numbers")
        if ids is None or wanted.size == 0:
            places, known = wanted, (wanted >= 0) & (wanted < self.vertices)
        else:
            places = np.searchsorted(ids, wanted.astype(ids.dtype))
            known = (places < len(ids)) & (wanted >= 0)
            known[known] = ids[places[known]] == wanted[known]
        if not known.all():
            raise ValueError(f"the graph has no vertex {wanted[~known][0]}")
        return places.astype(np.int64)


def read_csv(
    path: Union[str, bytes, "os.PathLike[Any]"],
    source: Union[str, int, None] = None,
    target: Union[str, int, None] = None,
    weight: Union[str, int, None] = None,
    *,
    names: bool = False,
    **options: Any,
) -> Graph:
    """A graph of a table of edges, a row for each, compressed or not.

    source, target, weight: names of columns, or their numbers from 1 on. Without source and target they are found by the
    header, or are the first two columns. Without weight, edges have the weights of a column that is called so, if any.
    names=True: vertices are strings. Other options are those of Graph, such as header, separator and symmetrize.

    >>> with open("messages.csv", "w") as file:
    ...     _ = file.write("from,to,count\\nann,bob,3\\nbob,cyd,2\\n")
    >>> g = orujo.read_csv("messages.csv", source="from", target="to", weight="count", names=True)
    >>> g.ids, g.weighted
    (['ann', 'bob', 'cyd'], True)
    """
    columns: Dict[str, Any] = dict(source_column=source, target_column=target, weight_column=weight)
    try:
        return Graph(path, format="csv", names=names, **columns, **options)
    except ValueError as error:
        raise ValueError(re.sub(r"\b(source|target|weight)_column\b", r"\1", str(error))) from None


def _counted(count: int, one: str, several: str) -> str:
    return f"{count} {one if count == 1 else several}"


def _readable(count: int) -> str:
    power = min((len(str(count)) - 1) // 3, 4)
    return f"{count} B" if power == 0 else f"{count / 1000**power:.1f} {'BkMGT'[power]}B"


def _pandas(caller: str) -> Any:
    try:
        import pandas
    except ImportError:
        raise ImportError(f"{caller}() requires pandas; install it: pip install pandas") from None
    return pandas


def _plain(labels: Union[np.ndarray, List[Any]]) -> List[Any]:
    plain: List[Any] = labels.tolist() if isinstance(labels, np.ndarray) else labels
    return plain


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
    request: Dict[str, Any] = {"data": path}
    if path.partition(b":")[0].decode(errors="replace") in GENERATORS and b":" in path and not os.path.exists(path):
        request["generated"] = True
    for name, value in of_files.items():
        if value is not None:
            request[name] = str(value) if name.endswith("_column") else value
    return request
