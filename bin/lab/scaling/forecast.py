"""A model of how gups, pagerank and bfs scale: fitted on one core and two nodes, compared with nodes of this machine, drawn to 10^4 cores.

Nodes are network namespaces of this machine (tests/cluster/cluster.sh), which share its CPUs: the model knows how many there are, and has
a CPU for each core where it is drawn. Needs an otherwise idle machine.
"""

import json
import pathlib
import statistics
from dataclasses import dataclass

from lab.charts import columns, gains
from lab.frame import Parser, aligned, save, some_of
from lab.page import Page
from lab.runs import NoNodes
from lab.scaling import measured
from lab.scaling.measured import RATES, of_updates
from lab.scaling.model import PHASES, Cluster, Curve, memory, on_nodes, parts
from lab.svg import COLOURS, GREY, Plot, Scale, seconds_text, short

CORES = [2**k for k in range(15)]
UNITS = {"gups": "a trial", "pagerank": "an iteration", "bfs": "a search"}


def error_bars(comparisons):
    """program -> (least, most) of model over measured, at all that was compared."""
    off = {c.program: [1.0] for c in comparisons}
    for c in comparisons:
        off[c.program] += [] if c.fitted else [1 + c.error]
    return {program: (min(factors), max(factors)) for program, factors in off.items()}


def about_errors(comparisons):
    off = sorted(abs(c.error) for c in comparisons if not c.fitted)
    if not off:
        return "Nothing was compared but what the model is fitted to."
    within = sum(e <= 0.2 for e in off)
    return (f"The model is off by {100 * statistics.median(off):.0f} % in the median and {100 * off[-1]:.0f} % at most; "
            f"within 20 % at {within} of {len(off)}.")


COMPARED = ("program", "nodes", "link", "model", "measured, least", "most", "model / measured")


def compared_rows(comparisons):
    for c in comparisons:
        yield (c.program, c.nodes, c.link, seconds_text(c.model), seconds_text(c.least), seconds_text(max(c.measured)),
               f"{1 + c.error:.2f}" + (" (fitted)" if c.fitted else ""))


@dataclass
class Point:
    """One program on so many cores."""
    here: Cluster
    scale: int
    seconds: dict  # part of the time -> seconds
    sent: float    # bytes of a core
    parcels: float
    held: float    # bytes of a node

    @property
    def whole(self):
        return sum(self.seconds.values())


class Forecast:
    """One program on more and more cores; weak scaling: a problem of 2^size vertices (gups: 2^(size + TABLE) words) per core."""

    def __init__(self, pieces, cluster, program, size, scaling, grown):
        self.program, self.scaling, self.points = program, scaling, []
        for cores in CORES:
            here = on_nodes(cluster, cores)
            scale = size + (cores.bit_length() - 1 if scaling == "weak" else grown)
            phase = PHASES[program](pieces, here, of_updates(scale) if program == "gups" else scale)
            self.points.append(Point(here, scale, parts(pieces, here, phase), phase.bytes / here.cores, phase.parcels / here.cores,
                                     sum(memory(here, scale).values())))
        self.gains = [self.points[0].whole / point.whole for point in self.points]


def forecast_rows(forecasts):
    return [(f.program, f"{point.here.cores:,}", f"2^{point.scale}", seconds_text(point.whole), f"{gain:.2f}",
             *(f"{100 * seconds / point.whole:.0f} %" for seconds in point.seconds.values()),
             short(point.sent), short(point.parcels), short(point.held)) for f in forecasts for point, gain in zip(f.points, f.gains)]


FORECAST = ("program", "cores", "vertices", "time", "against one core", "work", "CPU for bytes", "CPU for parcels", "wire", "steps",
            "bytes sent per core", "parcels per core", "bytes held per node")


def comparison_chart(comparisons):
    programs = list(dict.fromkeys(c.program for c in comparisons))
    plot = Plot(620, 380, "Model and fake cluster", zip(COLOURS, programs))
    times = [t for c in comparisons for t in (c.model, *c.measured)]
    x = Scale(min(times), max(times), plot.left, plot.right, log=True)
    y = Scale(min(times), max(times), plot.bottom, plot.top, log=True)
    plot.y_axis(y, "model", tell=seconds_text)
    for factor, name, dashes in ((1, "the same", ""), (0.8, "20 % less", "4 4"), (1.2, "20 % more", "4 4")):
        low, high = x.least, x.most
        ends = [(x(t), y(t * factor)) for t in (max(low, low / factor), min(high, high / factor))]
        plot.polyline(ends, GREY, name, stroke_dasharray=dashes or "none", width=1)
    for c in comparisons:
        colour = COLOURS[programs.index(c.program)]
        about = f"{c.program} on {c.nodes} nodes, {c.link}: model {seconds_text(c.model)}, measured {seconds_text(c.least)}"
        plot.line(x(c.least), y(c.model), x(max(c.measured)), y(c.model), colour)
        plot.dot(x(c.least), y(c.model), colour, about)
    plot.x_axis(x, "measured", x.ticks(), seconds_text)
    return plot


def forecast_chart(forecasts, bars, name, weak):
    """Against one core, with a band as wide as the model was off where it was compared. One node is left out, because the model is
    fitted to one core."""
    bands = {f.program: [(1.0, 1.0) if point.here.nodes == 1 else bars.get(f.program, (1.0, 1.0)) for point in f.points] for f in forecasts}
    return gains(name, "cores", CORES, {f.program: f.gains for f in forecasts}, weak, bands, log=not weak)


def shares_chart(forecast):
    stacks = [[(100 * seconds / point.whole, colour, f"{forecast.program} on {point.here.cores:,} cores: {name} {100 * seconds / point.whole:.0f} %")
               for (name, seconds), colour in zip(point.seconds.items(), COLOURS)] for point in forecast.points]
    return columns(f"{forecast.program}: where the time goes, {forecast.scaling} scaling", stacks, "cores",
                   [short(cores) for cores in CORES], list(zip(COLOURS, forecast.points[0].seconds)), "% of the time", 100, width=720)


def told_of(pieces):
    """Rows of what was measured."""
    yield "an update of gups", seconds_text(pieces.update)
    for name, curve in (("an edge of pagerank", pieces.edge), ("an edge of the graph of a search", pieces.search)):
        yield name, ", ".join(f"{seconds_text(y)} (2^{x.bit_length() - 1})" for x, y in curve.points)
    for program in pieces.split:
        yield f"{program} on several locales", f"{100 * pieces.split[program]:.0f} % more, {seconds_text(pieces.mirror[program])} per mirror" + (
            f", {seconds_text(pieces.crowd[program])} per message where cores share CPUs" if pieces.crowd.get(program) else "")
    yield "CPU for a byte to another node", seconds_text(pieces.byte)
    yield "CPU for a parcel to another node", seconds_text(pieces.parcel)
    yield "a word's way to another node", seconds_text(pieces.hop)
    if pieces.relay:
        yield "CPU for a byte of the switch that delays", seconds_text(pieces.relay)
    if pieces.turn:
        yield "CPU for a message of a collective, CPUs shared", seconds_text(pieces.turn)
    yield "supersteps of a search, of these pulls", f"{pieces.supersteps:.1f}, {pieces.pulls:.1f}"


def page(pieces, comparisons, forecasts, options, cluster):
    report = Page("How gups, pagerank and bfs would scale")
    report.section("The model and this machine")
    report.paragraph(__doc__.split("\n\n")[1])
    if comparisons:
        report.paragraph(about_errors(comparisons))
        report.picture("comparison", comparison_chart(comparisons), "Each point is a program on so many nodes; a line from the least to the most of its runs.")
        report.table(COMPARED, list(compared_rows(comparisons)))
    report.table(("measured", "seconds"), list(told_of(pieces)))
    report.section("Drawn")
    report.paragraph(f"Nodes of {cluster.cores_per_node} cores, {short(8 * cluster.rate)}bit/s and {seconds_text(cluster.delay)} each way beyond the hop that was "
                     "measured; messages cost what they do here, by TCP. Bands are as wide as the model was off where it was compared, with few nodes: "
                     "how far it is off with many nobody has measured.")
    bars = error_bars(comparisons)
    for scaling, name, text in (
            ("weak", f"Weak scaling, 2^{options.size} vertices per core", "A problem that grows with the cores; 1 is as fast as one core."),
            ("strong", f"Strong scaling, 2^{options.size + options.grown} vertices", "The same problem on all.")):
        report.picture(scaling, forecast_chart(forecasts[scaling], bars, name, scaling == "weak"), text)
        for f in forecasts[scaling]:
            report.picture(f"{scaling}_{f.program}", shares_chart(f), f"Of {UNITS[f.program]}.")
        report.table(FORECAST, forecast_rows(forecasts[scaling]), "The numbers")
    return report


def options_of(arguments):
    parser = Parser("scaling --model", __doc__, "use small problems and few runs", {
        "size": ("log2 of the number of vertices", 18, 14), "trials": ("trials in a run", 4, 2),
        "rounds": ("runs of each configuration, in turn", 3, 1)})
    parser.add_argument("--programs", type=some_of(PHASES), default=list(PHASES), help="some of gups, pagerank, bfs (default all)")
    parser.add_argument("--nodes", default="2,4,8", help="numbers of nodes to compare with (default 2,4,8)")
    parser.add_argument("--links", help="links to compare with, RATE:MICROSECONDS, - for no limit (default -,1gbit,-:500; --quick: -,1gbit)")
    parser.add_argument("--rate", default="10gbit", help="rate of the links of the drawn nodes (default 10gbit)")
    parser.add_argument("--delay", type=float, default=0, help="delay of these links in microseconds, each way, added to the measured hop (default 0)")
    parser.add_argument("--cores_per_node", type=int, default=8, help="cores of each drawn node (default 8)")
    parser.add_argument("--grown", type=int, default=10, help="strong scaling: 2^GROWN times the problem of one core (default 10)")
    parser.add_argument("--pieces", help="read measurements from this model.json instead of running programs")
    parser.add_page("scaling_model")
    options = parser.parse_args(arguments)
    options.nodes = [int(n) for n in options.nodes.split(",")][:2 if options.quick else None]
    try:
        options.links = [link_of(text) for text in (options.links or ("-,1gbit" if options.quick else "-,1gbit,-:500")).split(",")]
        options.rate = RATES.get(options.rate) or float(options.rate.removesuffix("gbit")) * 125e6
    except ValueError:
        parser.error("a rate is such as 10gbit, a link such as 1gbit, 1gbit:500 or -:500")
    return options


def link_of(text):
    rate, _, delay = text.partition(":")
    if rate != "-" and rate not in RATES:
        raise ValueError(text)
    return (None if rate == "-" else rate), int(delay or 0)


def kept(pieces, comparisons):
    """As JSON."""
    told = {name: value.points if isinstance(value, Curve) else value for name, value in vars(pieces).items()}
    return {"pieces": told, "comparisons": [vars(c) for c in comparisons]}


def read_kept(path):
    told = json.loads(pathlib.Path(path).read_text())
    pieces = measured.Pieces(**{name: Curve([tuple(p) for p in value]) if isinstance(value, list) else value
                                    for name, value in told["pieces"].items()})
    return pieces, [measured.Comparison(**c) for c in told["comparisons"]]


def main(arguments):
    options = options_of(arguments)
    if options.pieces:
        pieces, comparisons = read_kept(options.pieces)
    else:
        try:
            pieces = measured.fit(options)
            comparisons = measured.compare(pieces, options)
        except NoNodes as why:
            raise SystemExit(f"orujo: the model is fitted to nodes, and there are none: {why.reason}") from why
    cluster = Cluster(1, options.cores_per_node, options.rate, options.delay * 1e-6)
    forecasts = {scaling: [Forecast(pieces, cluster, program, options.size, scaling, options.grown) for program in options.programs]
                 for scaling in ("weak", "strong")}
    table = aligned(("piece", "seconds"), told_of(pieces)) + "\n" + aligned(COMPARED, compared_rows(comparisons))
    table += (about_errors(comparisons) + "\n" if comparisons else "")
    for scaling, chosen in forecasts.items():
        table += f"\n{scaling} scaling\n" + aligned(FORECAST, forecast_rows(chosen))
    save(options, page(pieces, comparisons, forecasts, options, cluster), table, "model", kept(pieces, comparisons))
