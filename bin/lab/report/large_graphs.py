"""A drawing of a graph too large to draw its vertices: groups of a result as discs, joined by the edges between them (the quotient graph);
other results as rings around the centre, after LaNet-vi (Alvarez-Hamelin, Dall'Asta, Barrat, Vespignani: "Large scale networks
fingerprinting and visualization using the k-core decomposition", NIPS 2005), with a sample of the edges."""

import cmath
import collections
import itertools
import math
import random

from lab.charts import WIDTH
from lab.report import graph_drawing, value_charts
from lab.svg import BLUE, FAINT, INK, Plot, shade, short

MOST_EDGES = 4_000_000  # read in some 2 s
SAMPLE = 1000           # edges drawn between rings
MOST_RINGS = 24
HALVINGS = 12           # rings of values of any size
MOST_DISCS = 40
LARGEST = 28  # radius of a disc
NEAR = ("level", "distance")  # columns whose least values are in the centre
EVEN = ("core", *NEAR)        # columns whose differences have a meaning


def draw(stats, table):
    """(drawing, caption) by the first column of `table`, a file of --output; (None, why) if there is no drawing."""
    count = stats["graph"]["edges"]
    if count > MOST_EDGES:
        return None, f"Graphs of more than {MOST_EDGES:,} edges are not drawn."
    name, text_of = value_charts.first_column(table)
    if not name:
        return None, "A drawing of a graph of this size requires --output=FILE.csv."
    if value_charts.numbers_of(name, text_of.values()) is None:
        return groups(name, text_of, graph_drawing.read_edges(stats))
    chosen = set(random.Random(1).sample(range(count), min(SAMPLE, count)))
    sample = [edge for k, edge in enumerate(graph_drawing.read_edges(stats)) if k in chosen]
    return rings(name, text_of, sample, count) if sample else (None, graph_drawing.NO_EDGES)


def groups(name, text_of, edges):
    """The quotient graph of the largest groups."""
    sizes = collections.Counter(text_of.values())
    between = collections.Counter((text_of.get(v), text_of.get(w)) for v, w in edges)
    if not between:
        return None, graph_drawing.NO_EDGES
    across = collections.Counter()
    for (a, b), count in between.items():
        if a != b:
            across[min(a, b), max(a, b)] += count
    if not across:
        return None, f"The graph is not drawn, as no edge joins two groups of one {name}."
    shown = dict(sizes.most_common(MOST_DISCS))
    lines = sorted((count, pair) for pair, count in across.items() if pair[0] in shown and pair[1] in shown)
    plot = Plot(WIDTH, 680, f"The graph by {name}: the {len(shown)} largest of {len(sizes):,} groups", left=70, top=90, right=70, bottom=70)
    place = plot.pixels(graph_drawing.positions(list(shown), [pair for _, pair in lines]))
    most = max(shown.values())
    radius = {group: max(LARGEST * math.sqrt(size / most), 3) for group, size in shown.items()}
    part(place, radius)
    for count, (a, b) in lines:
        plot.line(*place[a], *place[b], "#aaaaaa", f"{max(12 * count / lines[-1][0], 0.3):.2f}")
    for group, r in radius.items():
        plot.dot(*place[group], BLUE, f"{group}: {shown[group]:,}", r, stroke="white", stroke_width=1)
    for group, r in radius.items():
        plot.text(place[group][0], place[group][1] + r + 12, group[:24], size=11, anchor="middle")
    total, apart = sum(between.values()), sum(across.values())
    widest = f", up to {lines[-1][0]:,}" if lines else ""
    return plot, (f"The area of a disc is the number of vertices of one {name}, and the width of a line the number of edges between two groups"
                  f"{widest}. {100 * (total - apart) / total:.1f} % of all edges lie within a group.")


def part(place, radius):
    """Moves discs that overlap apart, with room for a name between them."""
    for _ in range(100):
        for a, b in itertools.combinations(place, 2):
            dx, dy = place[b][0] - place[a][0], place[b][1] - place[a][1]
            length = math.hypot(dx, dy) or 1e-6
            push = max(0, radius[a] + radius[b] + 18 - length) / length / 2
            for group, sign in ((a, -push), (b, push)):
                place[group][0] = min(max(place[group][0] + sign * dx, 40), WIDTH - 40)
                place[group][1] = min(max(place[group][1] + sign * dy, 70), 620)


def ring_maker(name, numbers):
    """The function of a value's ring, counted from the centre on, and the rings' names. Few whole numbers, and what is EVEN, have rings of
    equally many values; other rings have values down to half of the largest, a quarter, and so on."""
    low, high, near = min(numbers), max(numbers), name in NEAR
    if name in EVEN or value_charts.are_few(set(numbers)):
        whole = all(number == int(number) for number in numbers)
        width = math.ceil((high - low + 1) / MOST_RINGS) if whole else (high - low) / MOST_RINGS or 1
        count = int((high - low) // width) + 1
        firsts = [max(low + k * width if near else high - (k + 1) * width + whole, low) for k in range(count)]
        return (lambda value: int((value - low if near else high - value) // width),
                [f"{first:g}" if width == 1 else f"from {first:.6g}" for first in firsts])
    least = min((number for number in numbers if number > 0), default=high)
    count = min(HALVINGS, 1 + int(math.log2(high / least))) if high > 0 else 1
    return (lambda value: min(int(math.log2(high / value)), count - 1) if value > 0 else count - 1,
            [f"above {short(half) if half >= 0.01 else format(half, '.2g')}" for half in (high / 2 ** (k + 1) for k in range(count - 1))] + ["less"])


def angles(ring_of, edges):
    """vertex -> angle: near those of its neighbours in rings further in, and even within each ring."""
    random_ = random.Random(1)
    neighbours = collections.defaultdict(list)
    for v, w in edges:
        neighbours[v].append(w)
        neighbours[w].append(v)
    angle = {}
    for ring in range(max(ring_of.values()) + 1):
        mine = sorted(v for v in ring_of if ring_of[v] == ring)
        wanted = {}
        for v in mine:
            middle = sum(cmath.rect(1, angle[w]) for w in neighbours[v] if w in angle)
            wanted[v] = cmath.phase(middle) % math.tau if middle else random_.uniform(0, math.tau)
        even = [(v, math.tau * k / len(mine)) for k, v in enumerate(sorted(mine, key=wanted.get))]
        turn = cmath.phase(sum(cmath.rect(1, wanted[v] - a) for v, a in even) or 1)
        angle.update((v, a + turn) for v, a in even)
    return angle


def rings(name, text_of, sample, count):
    values = {v: value for v, value in ((v, float(text)) for v, text in text_of.items()) if value_charts.has_value(name, value)}
    ring, names = ring_maker(name, values.values())
    edges = [(v, w) for v, w in sample if v in values and w in values]
    ring_of = {v: ring(values[v]) for edge in edges for v in edge}
    plot = Plot(WIDTH, 720, f"The graph by {name}: {len(edges):,} of {count:,} edges", left=40)
    x, y, fills = WIDTH / 2 + 60, 385, [shade(1 - 0.85 * k / len(names)) for k in range(len(names))]
    shown = collections.Counter(ring_of.values())
    areas = [shown[k] + 0.5 * len(ring_of) / len(names) for k in range(len(names))]  # also of a ring without vertices
    ends = [0.0, *(315 * math.sqrt(whole / sum(areas)) for whole in itertools.accumulate(areas))]
    plot.text(plot.left, 60, name)
    for k, (fill, text) in enumerate(zip(fills, names)):
        plot.key(plot.left, 82 + 22 * k, fill, text)
        plot.shape("circle", f"{name} {text}", cx=x, cy=y, r=f"{ends[k + 1]:.1f}", fill="none", stroke=FAINT)
    random_, place = random.Random(1), {}
    for v, angle in angles(ring_of, edges).items():
        k = ring_of[v]
        r = 0 if k == 0 and shown[0] == 1 else math.sqrt(random_.uniform(ends[k] ** 2, ends[k + 1] ** 2))
        place[v] = x + r * math.cos(angle), y + r * math.sin(angle)
    plot.shape("path", d="".join(f"M{place[v][0]:.2f} {place[v][1]:.2f}L{place[w][0]:.2f} {place[w][1]:.2f}" for v, w in edges),
               fill="none", stroke="#aaaaaa", stroke_width=0.5)
    for v, at in place.items():
        plot.dot(*at, fills[ring_of[v]], f"{v}: {text_of[v]}", 3, stroke=INK, stroke_width=0.3)
    return plot, (f"Edges chosen at random, and the vertices that they join: those of many edges are shown more often. The ring of a vertex "
                  f"shows its {name}; the area of a ring grows with its vertices. Angles are near those of neighbours further in.")
