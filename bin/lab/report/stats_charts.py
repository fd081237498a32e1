"""Pictures of what --stats_json has: supersteps, cores, traffic, degrees, trials."""

import itertools
import statistics

from lab.charts import WIDTH, columns, slots
from lab.svg import BLUE, COLOURS, FAINT, GREEN, GREY, INK, ORANGE, RED, SKY, Plot, Scale, counted, places, seconds_text, shade, short, time_unit

DIRECTIONS = {"pull": BLUE, "push": ORANGE, "sweep": GREEN}


def last_run(stats):
    """The supersteps of the last run, and how many runs there are."""
    steps = stats.get("supersteps") or []
    runs = sorted({step["run"] for step in steps})
    return [step for step in steps if step["run"] == runs[-1]] if runs else [], len(runs)


def described(step):
    edges = "edges not counted" if step["edges"] is None else f"{step['edges']:,} edges inspected"
    number = f"superstep {step['superstep']}"
    if step["supersteps"] > 1:
        number += f" to {step['superstep'] + step['supersteps'] - 1}, by one core"
    return (f"{number}: {step['direction']}, frontier {step['frontier']:,}, {edges}, {seconds_text(step['seconds'])}, "
            f"cores busy {seconds_text(step['mean_busy_seconds'])} in the mean")


def supersteps_chart(steps, key, title, name):
    """A dash per superstep, as wide as it is long, at the height of its frontier or edges, in the colour of its direction."""
    directions = sorted({step["direction"] for step in steps})
    plot = Plot(WIDTH, 300, title, [(DIRECTIONS.get(direction, SKY), direction) for direction in directions])
    ends = list(itertools.accumulate(step["seconds"] for step in steps))
    factor, unit = time_unit(ends[-1])
    x = Scale(0, ends[-1] * factor, plot.left, plot.right)
    y = Scale(1, max(step[key] for step in steps), plot.bottom, plot.top, counts=True)
    plot.y_axis(y, name)
    placed = [(step, x(begin * factor), x(end * factor), y(step[key])) for step, begin, end in zip(steps, [0.0, *ends], ends)]
    plot.polyline([(at, high) for _, left, right, high in placed for at in (left, right)], FAINT)
    for step, left, right, high in placed:
        plot.rect(left, high - 3, right - left, 6, DIRECTIONS.get(step["direction"], SKY), described(step), stroke="white", stroke_width=0.5)
        if right - left > 16:
            plot.text((left + right) / 2, high - 7, str(step["superstep"]), size=10, anchor="middle")
    plot.x_axis(x, f"time since the run's begin, {unit}; a dash is a superstep, with its number where there is room")
    return plot


def split_chart(steps):
    """Where the time of each superstep went: all cores busy, some busy, the rest."""
    stacks = []
    for step in steps:
        mean, most = (min(step[key], step["seconds"]) for key in ("mean_busy_seconds", "most_busy_seconds"))  # by other clocks
        most = max(mean, most)
        stacks.append([(seconds, colour, described(step)) for seconds, colour in ((mean, BLUE), (most - mean, ORANGE), (step["seconds"] - most, GREY))])
    return columns("Time of each superstep", stacks, "superstep", [step["superstep"] for step in steps],
                   [(BLUE, "busy, mean of the cores"), (ORANGE, "more of the busiest core: imbalance"), (GREY, "all cores wait")])


def cores_chart(core_seconds):
    """Busy and waiting by core."""
    stacks = []
    for core, (busy, waiting) in enumerate(zip(core_seconds["busy"], core_seconds["waiting"])):
        about = f"core {core}: busy {seconds_text(busy)}, waiting {seconds_text(waiting)}"
        stacks.append([(busy, BLUE, about), (waiting, GREY, about)])
    mean = statistics.fmean(core_seconds["busy"])
    return columns("Work and waiting of each core", stacks, "core", range(len(stacks)),
                   [(BLUE, "busy"), (GREY, "waiting"), (RED, f"mean busy, {seconds_text(mean)}")], mark=mean)


def imbalance(values):
    """By how much the largest exceeds the mean, in percent."""
    mean = statistics.fmean(values) if values else 0
    return 100 * (max(values) / mean - 1) if mean > 0 else 0.0


def traffic_chart(traffic, locales, key="bytes"):
    """From whom (rows) to whom (columns)."""
    cell = max(4, min(64, 640 // locales))
    plot = Plot(max(cell * locales + 210, 420), cell * locales + 120, f"Traffic between locales, {key}", left=86, top=44, bottom=76)
    table = {(pair["from"], pair["to"]): pair[key] for pair in traffic}
    most = max(table.values(), default=0)
    for (row, column), value in sorted(table.items()):
        part = value / most if most else 0
        x, y = plot.left + column * cell, plot.top + row * cell
        plot.rect(x, y, cell, cell, shade(part), f"from locale {row} to {column}: {value:,} {key}", stroke="white",
                  stroke_width=1 if cell > 8 else 0)
        if cell >= 48:
            plot.text(x + cell / 2, y + cell / 2 + 4, short(value), size=11, anchor="middle", fill="white" if part > 0.5 else "black")
    end = plot.left + cell * locales
    plot.rect(plot.left, plot.top, cell * locales, cell * locales, "none", stroke=INK, stroke_width=1)
    for k in places(locales, max(1, 640 // max(cell, 24))):
        plot.text(plot.left + (k + 0.5) * cell, plot.top + cell * locales + 16, str(k), size=11, anchor="middle")
        plot.text(plot.left - 8, plot.top + (k + 0.5) * cell + 4, str(k), size=11, anchor="end")
    plot.text((plot.left + end) / 2, plot.top + cell * locales + 38, "to locale", anchor="middle")
    plot.text(30, plot.top + cell * locales / 2, "from locale", anchor="middle", turned=True)
    for k in range(11):  # the scale
        plot.rect(end + 24, plot.top + 110 - k * 10, 14, 10, shade(k / 10))
    plot.text(end + 44, plot.top + 20, short(most), size=11)
    plot.text(end + 44, plot.top + 120, "0", size=11)
    return plot


def degrees_chart(degrees):
    """Vertices by degree, in a line per side; one if both sides are the same. Both axes are logarithmic."""
    sides = {f"{side}-degree": [(b["least"].bit_length(), b["vertices"], f"{b['least']:,} to {b['most']:,}") for b in degrees[side]]
             for side in ("out", "in") if degrees.get(side)}
    if len(sides) > 1 and degrees["out"] == degrees["in"]:
        sides = {"out-degree and in-degree": sides["out-degree"]}
    count = 1 + max(k for points in sides.values() for k, _, _ in points)
    return counts_chart("Vertices by degree", "degree: from this number to below the next", sides, count,
                        lambda k: "0" if k == 0 else str(1 << (k - 1)) if k < 18 else short(1 << (k - 1)))


def counts_chart(title, axis, series, count, tell):
    """Vertices of each of `count` kinds on a logarithmic axis. series: name -> [(kind, vertices, the kind in words)]. A line connects
    kinds that are neighbours."""
    plot = Plot(WIDTH, 320, title, zip(COLOURS, series))
    x = slots(count, plot)
    y = Scale(1, max(vertices for points in series.values() for _, vertices, _ in points), plot.bottom, plot.top, counts=True)
    plot.y_axis(y, "vertices")
    for (name, points), colour in zip(series.items(), COLOURS):
        for (k, vertices, _), (after, then, _) in zip(points, points[1:]):
            if after == k + 1:
                plot.line(x(k), y(vertices), x(after), y(then), colour, 2)
        for k, vertices, what in points:
            plot.dot(x(k), y(vertices), colour, f"{name} {what}: {counted(vertices, 'vertex', 'vertices')}")
    plot.x_axis(x, axis, places(count), tell)
    return plot


def trials_chart(trials):
    """Seconds of each trial."""
    seconds = [trial["seconds"] for trial in trials]
    middle = statistics.median(seconds)
    return columns("Trials", [[(value, BLUE, f"trial {k}: {seconds_text(value)}")] for k, value in enumerate(seconds)], "trial",
                   range(len(seconds)), [(BLUE, "a trial"), (RED, f"median, {seconds_text(middle)}")], mark=middle, height=240)
