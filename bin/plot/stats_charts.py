"""Pictures of what --stats_json has: supersteps, cores, traffic, degrees, trials."""

import statistics

from svg import BLUE, COLOURS, FAINT, GREEN, GREY, INK, ORANGE, RED, SKY, Plot, Scale, counted, places, seconds_text, shade, short, time_unit

WIDTH = 940
DIRECTIONS = {"pull": BLUE, "push": ORANGE, "sweep": GREEN}


def last_run(stats):
    """The supersteps of the last run, and how many runs there are."""
    steps = stats.get("supersteps") or []
    runs = sorted({step["run"] for step in steps})
    return [step for step in steps if step["run"] == runs[-1]] if runs else [], len(runs)


def over_time(steps):
    """(superstep, its begin in seconds, its end)."""
    placed, now = [], 0.0
    for step in steps:
        placed.append((step, now, now + step["seconds"]))
        now += step["seconds"]
    return placed


def described(step):
    edges = "edges not counted" if step["edges"] is None else f"{step['edges']:,} edges inspected"
    number = f"superstep {step['superstep']}"
    if step["supersteps"] > 1:
        number += f" to {step['superstep'] + step['supersteps'] - 1}, by one core"
    return (f"{number}: {step['direction']}, frontier {step['frontier']:,}, {edges}, {seconds_text(step['seconds'])}, "
            f"cores busy {seconds_text(step['mean_busy_seconds'])} in the mean")


def supersteps_chart(steps, key, title, name):
    """A dash per superstep, as wide as it is long, at the height of its frontier or edges, in the colour of its direction."""
    plot = Plot(WIDTH, 300, title)
    placed = over_time(steps)
    factor, unit = time_unit(placed[-1][2])
    x = Scale(0, placed[-1][2] * factor, plot.left, plot.right)
    y = Scale(1, max(step[key] for step in steps), plot.bottom, plot.top, counts=True)
    plot.y_axis(y, name)
    heights = [y(step[key]) for step in steps]
    plot.polyline([(x(at * factor), high) for (_, *ends), high in zip(placed, heights) for at in ends], FAINT)
    for (step, begin, end), high in zip(placed, heights):
        left, right = x(begin * factor), x(end * factor)
        plot.rect(left, high - 3, right - left, 6, DIRECTIONS.get(step["direction"], SKY), described(step), stroke="white", stroke_width=0.5)
        if right - left > 16:
            plot.text((left + right) / 2, high - 7, str(step["superstep"]), size=10, anchor="middle")
    plot.x_axis(x, f"time since the run's begin, {unit}; a dash is a superstep, with its number where there is room")
    plot.legend(plot.left, 46, [(DIRECTIONS.get(direction, SKY), direction) for direction in sorted({step["direction"] for step in steps})])
    return plot


def split_chart(steps):
    """Where the time of each superstep went: all cores busy, some busy, the rest."""
    plot = Plot(WIDTH, 320, "Time of each superstep")
    factor, unit = time_unit(max(step["seconds"] for step in steps))
    x = Scale(0, len(steps), plot.left, plot.right)
    y = Scale(0, max(step["seconds"] for step in steps) * factor, plot.bottom, plot.top, whole=True)
    plot.y_axis(y, unit)
    for k, step in enumerate(steps):
        mean = step["mean_busy_seconds"]
        most = min(max(step["most_busy_seconds"], mean), step["seconds"])
        left, wide = x(k + 0.08), x(k + 0.92) - x(k + 0.08)
        for low, high, colour in ((0, mean, BLUE), (mean, most, ORANGE), (most, step["seconds"], GREY)):
            plot.rect(left, y(high * factor), wide, y(low * factor) - y(high * factor), colour, described(step))
    shown = places(len(steps))
    plot.x_axis(Scale(0, len(steps), plot.left + (x(1) - x(0)) / 2, plot.right + (x(1) - x(0)) / 2), "superstep", shown,
                lambda k: str(steps[k]["superstep"]))
    plot.legend(plot.left, 46, [(BLUE, "busy, mean of the cores"), (ORANGE, "more of the busiest core: imbalance"),
                                (GREY, "all cores wait")])
    return plot


def cores_chart(core_seconds):
    """Busy and waiting by core."""
    busy, waiting = core_seconds["busy"], core_seconds["waiting"]
    plot = Plot(WIDTH, 300, "Work and waiting of each core")
    most = max(b + w for b, w in zip(busy, waiting))
    factor, unit = time_unit(most)
    x = Scale(0, len(busy), plot.left, plot.right)
    y = Scale(0, most * factor, plot.bottom, plot.top, whole=True)
    plot.y_axis(y, unit)
    gap = 0.1 if len(busy) <= 100 else 0
    for core, (b, w) in enumerate(zip(busy, waiting)):
        left = x(core + gap)
        wide = min(x(core + 1 - gap) - left, 120)
        about = f"core {core}: busy {seconds_text(b)}, waiting {seconds_text(w)}"
        plot.rect(left, y(b * factor), wide, plot.bottom - y(b * factor), BLUE, about)
        plot.rect(left, y((b + w) * factor), wide, y(b * factor) - y((b + w) * factor), GREY, about)
    mean = statistics.fmean(busy)
    plot.line(plot.left, y(mean * factor), plot.right, y(mean * factor), RED, 2, stroke_dasharray="6 4")
    shift = min(x(1) - x(gap), 120 + x(gap) - x(0)) / 2 + (x(gap) - x(0)) / 2
    plot.x_axis(Scale(0, len(busy), plot.left + shift, plot.right + shift), "core", places(len(busy), 24), str)
    plot.legend(plot.left, 46, [(BLUE, "busy"), (GREY, "waiting"), (RED, f"mean busy, {seconds_text(mean)}")])
    return plot


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
    plot = Plot(WIDTH, 320, title)
    x = Scale(0, count, plot.left, plot.right)
    y = Scale(1, max(vertices for points in series.values() for _, vertices, _ in points), plot.bottom, plot.top, counts=True)
    plot.y_axis(y, "vertices")
    middle = (x(1) - x(0)) / 2
    for (name, points), colour in zip(series.items(), COLOURS):
        for (k, vertices, _), (after, then, _) in zip(points, points[1:]):
            if after == k + 1:
                plot.line(x(k) + middle, y(vertices), x(after) + middle, y(then), colour, 2)
        for k, vertices, what in points:
            plot.dot(x(k) + middle, y(vertices), colour, f"{name} {what}: {counted(vertices, 'vertex', 'vertices')}")
    plot.x_axis(Scale(0, count, plot.left + middle, plot.right + middle), axis, places(count), tell)
    plot.legend(plot.left, 46, list(zip(COLOURS, series)))
    return plot


def trials_chart(trials):
    """Seconds of each trial."""
    seconds = [trial["seconds"] for trial in trials]
    plot = Plot(WIDTH, 240, "Trials")
    factor, unit = time_unit(max(seconds))
    x, y = Scale(0, len(seconds), plot.left, plot.right), Scale(0, max(seconds) * factor, plot.bottom, plot.top, whole=True)
    plot.y_axis(y, unit)
    for k, value in enumerate(seconds):
        plot.rect(x(k + 0.1), y(value * factor), x(0.8) - x(0), plot.bottom - y(value * factor), BLUE, f"trial {k}: {seconds_text(value)}")
    middle = statistics.median(seconds)
    plot.line(plot.left, y(middle * factor), plot.right, y(middle * factor), RED, 2, stroke_dasharray="6 4")
    plot.x_axis(Scale(0, len(seconds), plot.left + (x(1) - x(0)) / 2, plot.right + (x(1) - x(0)) / 2), "trial",
                places(len(seconds)), str)
    plot.legend(plot.left, 46, [(BLUE, "a trial"), (RED, f"median, {seconds_text(middle)}")])
    return plot
