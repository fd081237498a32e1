"""Pictures of what --trace_json has: what each core did when, phases, curves."""

import itertools
import math
from collections import defaultdict

from lab.charts import WIDTH, columns
from lab.report.stats_charts import imbalance
from lab.svg import COLOURS, FAINT, GREY, Plot, Scale, places, seconds_text, short, time_unit

WAITING = {"idle": GREY, "nap": "#cccccc"}  # polls without finding anything, sleeps until a message or an alarm
AROUND = ("reading", "building", "computing", "verifying", "writing", "collective")  # scopes outside of an algorithm
MOST_PHASES = 7  # with a colour of their own
OTHERS = "#555555"
BINS = 400       # of the time, in pictures over time
MOST_LINES = 48  # cores with a line of their own
MOST_PIECES = 40_000  # in the page, for its zoom
THIN = 0.3       # height of a nap's bar, in those of others


class Trace:
    """The spans of each core, each with the time that is its own: what no span within it has."""

    def __init__(self, document):
        about = document.get("otherData", {})
        self.cores = about.get("cores", 1)
        self.dropped = sum(about.get("dropped_events_by_core", []))
        self.pieces = defaultdict(list)                      # core -> [(name, begin, end)] in seconds, disjoint
        self.curves = defaultdict(lambda: defaultdict(list))  # name -> core -> [(seconds, value)]
        spans, work, around = defaultdict(list), [], []
        for event in document["traceEvents"]:
            if event["ph"] == "X":
                begin = event["ts"] * 1e-6
                spans[event["tid"]].append((begin, begin + event["dur"] * 1e-6, event["name"]))
                if event.get("cat") == "scope":
                    (around if event["name"] in AROUND else work).append(spans[event["tid"]][-1])
            elif event["ph"] == "C":
                name = event["name"].rsplit(", core ", 1)[0]
                value = next(iter(event["args"].values()))
                self.curves[name][event["tid"] % self.cores].append((event["ts"] * 1e-6, value))
        for thread, found in spans.items():
            if thread < self.cores:  # those that overlap others are on further lines
                self.pieces[thread] = list(own_pieces(sorted(found, key=lambda span: (span[0], -span[1]))))
        ends = [end for found in spans.values() for _, end, _ in found]
        self.seconds = max(ends, default=0.0)
        self.begin = min((begin for found in spans.values() for begin, _, _ in found), default=0.0)
        work = work or [span for span in around if span[2] == "computing"]  # of an algorithm without scopes
        self.work = (min(begin for begin, *_ in work), max(end for _, end, _ in work)) if work else None
        self.rows = [core for core in range(self.cores) if core in self.pieces][:MOST_LINES]  # cores with a line of their own
        self.row_height = max(10, min(26, 500 // max(len(self.rows), 1)))

    def totals(self, first=-math.inf, last=math.inf):
        """name -> seconds by core, between these moments."""
        found = defaultdict(lambda: [0.0] * self.cores)
        for core, pieces in self.pieces.items():
            for name, begin, end in pieces:
                found[name][core] += max(min(end, last) - max(begin, first), 0.0)
        return found


def own_pieces(spans):
    """(name, begin, end), disjoint, of spans of which one holds the other or not, sorted by begin, holders first."""
    around = []  # (end, name), outermost first
    now = 0.0
    for begin, end, name in (*spans, (math.inf, math.inf, None)):  # the last ends all others
        while around and around[-1][0] <= begin:
            last, its_name = around.pop()
            if last > now:
                yield its_name, now, last
                now = last
        if around and begin > now:
            yield around[-1][1], now, begin
        now = max(now, begin)
        around.append((end, name))


def phases(trace):
    """Names of the phases by their share of the time, or of that of the work if it is larger, and the colours of all; waiting is grey."""
    totals, share = trace.totals(), defaultdict(float)
    for part in (totals, trace.totals(*trace.work)) if trace.work else (totals,):
        whole = sum(map(sum, part.values())) or 1
        for name, seconds in part.items():
            share[name] = max(share[name], sum(seconds) / whole)
    names = sorted((name for name in totals if name not in WAITING), key=lambda name: -share[name])
    return totals, names, dict(zip(names, COLOURS[:MOST_PHASES])) | WAITING


def legend_of(names, colours):
    entries = [(colours[name], name) for name in names if name in colours]
    if len(names) > len(entries):
        entries.append((OTHERS, "others"))
    return entries + [(colour, name) for name, colour in WAITING.items()]


def phases_chart(trace):
    """A bar per core: the time of each phase."""
    totals, names, colours = phases(trace)
    shown = [name for name in (*names, *WAITING) if name in totals]
    stacks = [[(totals[name][core], colours.get(name, OTHERS), f"core {core}, {name}: {seconds_text(totals[name][core])}")
               for name in shown if totals[name][core] > 0] for core in range(trace.cores)]
    return columns("Time of each core by phase, without inner spans", stacks, "core", range(trace.cores), legend_of(names, colours))


def timeline_chart(trace, title, begin, end):
    """A line per core: in which phase it was most of each short time between these moments."""
    _, names, colours = phases(trace)
    cores, high = trace.rows, trace.row_height
    plot = Plot(WIDTH, 58 + high * len(cores) + 52, title, legend_of(names, colours))
    span = max(end - begin, 1e-9)
    factor, unit = time_unit(span)
    x = Scale(0, span * factor, plot.left, plot.right)
    for row in range(len(cores)):
        plot.rect(plot.left, plot.top + row * high, plot.right - plot.left, high - 2, "#f4f4f4")
    for row in places(len(cores), 24):
        plot.text(plot.left - 9, plot.top + (row + 0.5) * high + 3, str(cores[row]), size=11, anchor="end")
    plot.text(22, (plot.top + plot.bottom) / 2, "core", anchor="middle", turned=True)
    with plot.group("lanes"):
        for row, core in enumerate(cores):
            for name, first, last in runs_of_bins(trace.pieces[core], begin, span, BINS):
                left, right = x(first * span / BINS * factor), x(last * span / BINS * factor)
                tall = (high - 2) * (THIN if name == "nap" else 1)
                plot.rect(left, plot.top + row * high + (high - 2 - tall) / 2, right - left, tall, colours.get(name, OTHERS),
                          f"core {core}: {name}")
    with plot.group("axis"):
        plot.x_axis(x, f"time, {unit}" if begin == trace.begin else f"time from {seconds_text(begin - trace.begin)} on, {unit}")
    return plot


def zoom_data(trace, plot):
    """What zoom.js needs to draw any part of this plot of the whole trace: of each row the pieces as indices of names, begins and ends, in
    units of the span / 2^24. Pieces beyond MOST_PIECES are joined by the time bins that hold them."""
    totals, _, colours = phases(trace)
    names, span = list(totals), max(trace.seconds - trace.begin, 1e-9)
    rows = [trace.pieces[core] for core in trace.rows]
    if sum(map(len, rows)) > MOST_PIECES:
        bins = MOST_PIECES // len(rows)
        rows = [[(name, trace.begin + first * span / bins, trace.begin + last * span / bins)
                 for name, first, last in runs_of_bins(row, trace.begin, span, bins)] for row in rows]
    unit = span / 2 ** 24
    flat = [[part for name, begin, end in row
             for part in (names.index(name), round((begin - trace.begin) / unit), round((end - trace.begin) / unit))] for row in rows]
    work = [moment - trace.begin for moment in trace.work] if trace.work else None
    return {"names": names, "fills": [colours.get(name, OTHERS) for name in names], "cores": trace.rows, "rows": flat, "seconds": span,
            "work": work, "bins": BINS, "thin": THIN, "left": plot.left, "right": plot.right, "top": plot.top, "bottom": plot.bottom,
            "high": trace.row_height}


def runs_of_bins(pieces, begin, span, bins):
    """(name, first bin, last bin + 1): of each bin the phase that has most of it, where any has half of it."""
    shares = [defaultdict(float) for _ in range(bins)]
    for name, start, end in pieces:
        first, last = max((start - begin) / span * bins, 0), (end - begin) / span * bins
        for k in range(int(first), min(int(last), bins - 1) + 1):
            shares[k][name] += max(0.0, min(last, k + 1) - max(first, k))
    of_bin = []
    for share in shares:
        best = max(share, key=share.get, default=None)
        of_bin.append(best if best and sum(share.values()) >= 0.5 else None)
    first = 0
    for name, same in itertools.groupby(of_bin):
        last = first + len(list(same))
        if name:
            yield name, first, last
        first = last


def curve_chart(trace, name, unit_name, title):
    """The sum over the cores, over time."""
    of_core = trace.curves[name]
    plot = Plot(WIDTH, 220, title, top=40)
    span = trace.seconds - trace.begin
    factor, unit = time_unit(span)
    moments = sorted((when, core, value) for core, samples in of_core.items() for when, value in samples)
    now, points, whole = {}, [], 0
    for when, core, value in moments:
        whole += value - now.get(core, 0)
        now[core] = value
        if len(now) == len(of_core):  # all are known
            points.append((when - trace.begin, whole))
    if len(points) > 4 * BINS:
        points = points[::len(points) // (2 * BINS)]
    x = Scale(0, span * factor, plot.left, plot.right)
    y = Scale(0, max((value for _, value in points), default=1), plot.bottom, plot.top, whole=True)
    plot.y_axis(y, unit_name, y.ticks(4), short)
    plot.x_axis(x, f"time, {unit}")
    plot.line(plot.left, plot.bottom, plot.right, plot.bottom, FAINT)
    if points:
        plot.polyline([(min(max(x(when * factor), plot.left), plot.right), y(value)) for when, value in points], COLOURS[0], title)
    return plot


CURVES = {
    "messages handled": ("messages/s", "Messages handled per second, all cores"),
    "tasks ready": ("tasks", "Tasks that could run, all cores"),
    "memory": ("bytes", "Memory of the processes, all locales"),
}


def phase_rows(trace):
    """(phase, mean seconds, most seconds, which core, imbalance in percent), the longest first."""
    totals, names, _ = phases(trace)
    rows = []
    for name in [*sorted(names, key=lambda name: -sum(totals[name])), *(name for name in WAITING if name in totals)]:
        values = totals[name]
        most = max(values)
        rows.append((name, sum(values) / len(values), most, values.index(most), imbalance(values)))
    return rows
