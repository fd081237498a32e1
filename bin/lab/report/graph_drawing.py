"""A drawing of a small graph: vertices pushed apart, edges pulling together (Fruchterman, Reingold: "Graph drawing by force-directed
placement", Software: Practice and Experience 1991). The edges come from graph_tool, by the graph's flags of the run's command."""

import collections
import csv
import math
import pathlib
import random
import re
import subprocess
import tempfile

from lab.charts import WIDTH
from lab.report import value_charts
from lab.runs import built
from lab.svg import BLUE, COLOURS, INK, Plot, counted, shade

MOST_VERTICES = 200
MOST_EDGES = 1500
ROUNDS = 200
TOOL = built("graph_tool")
NO_GRAPH = {"cores", "locales", "output", "output_format", "stats_json", "trace_json", "metrics_json", "layout", "checkpoint_dir", "resume",
            "partition", "partition_alpha", "placement", "segments", "bundle_depth"}
NO_EDGES = "A drawing requires the graph's file, and graph_tool: bin/orujo build release graph_tool"


def graph_flags(words):
    """Those of the command's flags that graph_tool has, too."""
    text = subprocess.run([TOOL, "--helpfull"], capture_output=True, text=True, check=False).stdout
    aliases = " ".join(re.findall(r"\(also (--[^)]*)\)", text))
    known = set(re.findall(r"^  --(\w+) ", text, re.M) + re.findall(r"--(\w+)", aliases))
    flags = []
    for k, word in enumerate(words):
        name, equals, _ = word.lstrip("-").partition("=")
        name = name.replace("-", "_")
        if word[:1] != "-" or name in NO_GRAPH or not {name, name.removeprefix("no")} & known:
            continue
        flags.append(word)
        if not equals and words[k + 1:] and words[k + 1][:1] != "-":
            flags.append(words[k + 1])
    return flags


def is_small(stats):
    graph = stats.get("graph")
    return isinstance(graph, dict) and 0 < graph["vertices"] <= MOST_VERTICES and 0 < graph["edges"] <= 2 * MOST_EDGES


def read_edges(stats):
    """Yields (from, to) as texts; nothing if graph_tool or the graph's file is not found."""
    command = stats.get("run", {}).get("command", [])
    if not command or not TOOL.exists():
        return
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "edges.csv")
        done = subprocess.run([TOOL, "convert", "--cores=1", *graph_flags(command[1:]), f"--output={path}"],
                              stdin=subprocess.DEVNULL, capture_output=True, check=False, timeout=60)
        if done.returncode == 0:
            with open(path, newline="", encoding="utf-8") as file:
                rows = csv.reader(file)
                next(rows, None)
                yield from ((row[0], row[1]) for row in rows)


def positions(vertices, edges):
    """vertex -> [x, y], in a square of side 1. The same graph has the same positions."""
    random_ = random.Random(1)
    at = {v: [random_.random(), random_.random()] for v in vertices}
    apart = math.sqrt(1 / len(at))  # of neighbours, about
    for round_ in range(ROUNDS):
        force = {v: [(0.5 - x) * 0.3, (0.5 - y) * 0.3] for v, (x, y) in at.items()}  # keeps components together
        pairs = [(v, w, -apart * apart) for k, v in enumerate(vertices) for w in vertices[:k]]
        for v, w, push in pairs + [(v, w, 0.0) for v, w in edges]:
            dx, dy = at[w][0] - at[v][0], at[w][1] - at[v][1]
            length = math.hypot(dx, dy) or 1e-6
            strength = push / (length * length) if push else length / apart
            for u, sign in ((v, strength), (w, -strength)):
                force[u][0] += sign * dx
                force[u][1] += sign * dy
        most = 0.1 * (1 - round_ / ROUNDS)
        for v, (fx, fy) in force.items():
            length = math.hypot(fx, fy) or 1e-6
            at[v][0] += fx / length * min(length, most)
            at[v][1] += fy / length * min(length, most)
    for axis in (0, 1):
        low, high = (edge(p[axis] for p in at.values()) for edge in (min, max))
        for p in at.values():
            p[axis] = (p[axis] - low) / (high - low) if high > low else 0.5
    return at


def fills(name, texts):
    """value text -> colour, and a sentence about them: groups by colours, the largest first; amounts by shades."""
    values = value_charts.numbers_of(name, texts)
    if values is None:
        largest = [group for group, _ in collections.Counter(texts).most_common(len(COLOURS))]
        return dict(zip(largest, COLOURS)), f"Vertices of one colour have the same {name}; grey ones are in smaller groups."
    numbers = {text: value for text, value in zip(texts, values) if value_charts.has_value(name, value)}
    low, high = min(numbers.values(), default=0), max(numbers.values(), default=1)
    return ({text: shade(0.15 + 0.85 * (number - low) / ((high - low) or 1)) for text, number in numbers.items()},
            f"The darker a vertex, the larger its {name}, from {low:g} to {high:g}.")


def draw(stats, table):
    """(drawing, caption) of a small graph, coloured by the first column of `table`, a file of --output, if there is one; (None, why) if
    the edges are not found."""
    edges = sorted({tuple(sorted(edge)) for edge in read_edges(stats) if edge[0] != edge[1]})
    if not edges:
        return None, NO_EDGES
    name, text_of = value_charts.first_column(table)
    colours, about = fills(name, list(text_of.values())) if name else ({}, "")
    vertices = sorted(set(text_of) | {v for edge in edges for v in edge})
    plot = Plot(WIDTH, 640, f"The graph: {counted(len(vertices), 'vertex', 'vertices')}, "
                f"{counted(len(edges), 'pair')} of neighbours", left=40, top=50, right=40, bottom=30)
    place = plot.pixels(positions(vertices, edges))
    for v, w in edges:
        plot.line(*place[v], *place[w], "#aaaaaa")
    for v, (x, y) in place.items():
        plot.dot(x, y, colours.get(text_of.get(v), "#aaaaaa" if name else BLUE), f"{v}: {text_of[v]}" if v in text_of else v, r=6,
                 stroke=INK, stroke_width=0.5)
    if len(vertices) <= 60:
        for v, (x, y) in place.items():
            plot.text(x + 8, y - 5, v[:24], size=10)
    return plot, f"Neighbours attract each other, other vertices repel. {about}"
