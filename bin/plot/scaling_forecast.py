"""A model of how gups, pagerank and bfs scale: fitted on one core and two nodes, compared with nodes of this machine, drawn to 10^4 cores.

Nodes are network namespaces of this machine (tests/cluster/cluster.sh), which share its CPUs: the model knows how many there are, and has
a CPU for each core where it is drawn. Needs an otherwise idle machine.
"""

import argparse
import json
import pathlib
import statistics

import scaling_runs
from report import Report, write, write_png
from scaling_model import PHASES, Cluster, Curve, memory, on_nodes, parts
from scaling_runs import RATES, ROOT, NoNodes, RunFailed, of_updates
from svg import COLOURS, GREY, Plot, Scale, seconds_text, short

CORES = [2**k for k in range(15)]
UNITS = {"gups": "a trial", "pagerank": "an iteration", "bfs": "a search"}


def error_bars(comparisons):
    """program -> (least, most) of model over measured, at all that was compared."""
    bars = {}
    for c in comparisons:
        if c.fitted:
            continue
        low, high = bars.get(c.program, (1.0, 1.0))
        bars[c.program] = (min(low, 1 + c.error), max(high, 1 + c.error))
    return bars


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


class Forecast:
    """One program on more and more cores; weak: a problem of 2^size vertices (gups: 2^(size + TABLE) words) per core."""

    def __init__(self, pieces, cluster, program, size, weak, grown):
        self.program, self.weak, self.points = program, weak, []
        for cores in CORES:
            here = on_nodes(cluster, cores)
            scale = size + (cores.bit_length() - 1 if weak else grown)
            problem = of_updates(scale) if program == "gups" else scale
            told = {}
            for phase in PHASES[program](pieces, here, problem):
                for name, each in parts(pieces, here, phase).items():
                    told[name] = told.get(name, 0.0) + each
            sent = sum(phase.bytes for phase in PHASES[program](pieces, here, problem)) / here.cores
            messages = sum(phase.parcels for phase in PHASES[program](pieces, here, problem)) / here.cores
            self.points.append((here, scale, told, sent, messages, sum(memory(here, scale).values())))
        first = sum(self.points[0][2].values())
        self.gains = [first / sum(told.values()) for _, _, told, *_ in self.points]

    def rows(self):
        for (here, scale, told, sent, parcels, held), gain in zip(self.points, self.gains):
            whole = sum(told.values())
            yield (self.program, f"{here.cores:,}", f"2^{scale}", seconds_text(whole), f"{gain:.2f}",
                   *(f"{100 * told[name] / whole:.0f} %" for name in ("work", "bytes", "parcels", "wire", "steps")),
                   short(sent), short(parcels), short(held))


FORECAST = ("program", "cores", "vertices", "time", "against one core", "work", "CPU for bytes", "CPU for parcels", "wire", "steps",
            "bytes sent per core", "parcels per core", "bytes held per node")


def comparison_chart(comparisons):
    plot = Plot(620, 380, "Model and fake cluster")
    times = [t for c in comparisons for t in (c.model, *c.measured)]
    x = Scale(min(times), max(times), plot.left, plot.right, log=True)
    y = Scale(min(times), max(times), plot.bottom, plot.top, log=True)
    plot.y_axis(y, "model", tell=seconds_text)
    for factor, name, dashes in ((1, "the same", ""), (0.8, "20 % less", "4 4"), (1.2, "20 % more", "4 4")):
        low, high = x.least, x.most
        ends = [(x(t), y(t * factor)) for t in (max(low, low / factor), min(high, high / factor))]
        plot.polyline(ends, GREY, name, stroke_dasharray=dashes or "none", width=1)
    programs = list(dict.fromkeys(c.program for c in comparisons))
    for c in comparisons:
        colour = COLOURS[programs.index(c.program)]
        about = f"{c.program} on {c.nodes} nodes, {c.link}: model {seconds_text(c.model)}, measured {seconds_text(c.least)}"
        plot.line(x(c.least), y(c.model), x(max(c.measured)), y(c.model), colour)
        plot.shape("circle", about, cx=f"{x(c.least):.2f}", cy=f"{y(c.model):.2f}", r=4, fill=colour)
    plot.x_axis(x, "measured", x.ticks(), seconds_text)
    plot.legend(plot.left, 46, [(COLOURS[k], program) for k, program in enumerate(programs)])
    return plot


def forecast_chart(forecasts, bars, name):
    """Against one core, with a band as wide as the model was off where it was compared."""
    weak = forecasts[0].weak
    plot = Plot(720, 400, name)
    x = Scale(0, len(CORES) - 1, plot.left, plot.right)
    tops = [gain for f in forecasts for gain in f.gains]
    y = Scale(0, 1.2, plot.bottom, plot.top) if weak else Scale(1, max(CORES[-1], *tops), plot.bottom, plot.top, log=True)
    inside = lambda value: max(plot.top, min(plot.bottom, value))  # noqa: E731
    plot.y_axis(y, "time of one / time" if weak else "times as fast as one")
    plot.polyline([(x(k), inside(y(1 if weak else 2**k))) for k in range(len(CORES))], GREY, "ideal", stroke_dasharray="6 4")
    for f, colour in zip(forecasts, COLOURS):
        low, high = bars.get(f.program, (1.0, 1.0))
        # Measured time over the model's shows its error. One node is left out, because the model is fitted to one
        # core.
        spread = [(1.0, 1.0) if here.nodes == 1 else (low, high) for here, *_ in f.points]
        band = [(x(k), inside(y(g * off[0]))) for k, (g, off) in enumerate(zip(f.gains, spread))]
        band += [(x(k), inside(y(g * off[1]))) for k, (g, off) in reversed(list(enumerate(zip(f.gains, spread))))]
        plot.shape("polygon", f"{f.program}: as far as the model was off", points=" ".join(f"{a:.2f},{b:.2f}" for a, b in band),
                   fill=colour, fill_opacity="0.15")
        plot.polyline([(x(k), inside(y(g))) for k, g in enumerate(f.gains)], colour, f.program)
    plot.x_axis(x, "cores", range(len(CORES)), lambda k: f"{CORES[k]:,}")
    plot.legend(plot.left, 46, [(colour, f.program) for f, colour in zip(forecasts, COLOURS)] + [(GREY, "ideal")])
    return plot


def shares_chart(forecast):
    plot = Plot(620, 320, f"{forecast.program}: where the time goes, {'weak' if forecast.weak else 'strong'} scaling")
    x, y = Scale(0, len(forecast.points), plot.left, plot.right), Scale(0, 100, plot.bottom, plot.top)
    plot.y_axis(y, "% of the time")
    names = ("work", "bytes", "parcels", "wire", "steps")
    for k, (here, _, told, *_) in enumerate(forecast.points):
        whole, below = sum(told.values()), 0.0
        for name, colour in zip(names, COLOURS):
            share = 100 * told[name] / whole
            plot.rect(x(k + 0.1), y(below + share), x(0.8) - x(0), y(below) - y(below + share), colour,
                      f"{forecast.program} on {here.cores:,} cores: {name} {share:.0f} %")
            below += share
    middle = (x(1) - x(0)) / 2
    plot.x_axis(Scale(0, len(forecast.points), plot.left + middle, plot.right + middle), "cores", range(len(forecast.points)),
                lambda k: short(forecast.points[k][0].cores))
    plot.legend(plot.left, 46, list(zip(COLOURS, names)))
    return plot


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
    report = Report("How gups, pagerank and bfs would scale")
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
    for weak, name, text in ((True, f"Weak scaling, 2^{options.size} vertices per core", "A problem that grows with the cores; 1 is as fast as one core."),
                             (False, f"Strong scaling, 2^{options.size + options.grown} vertices", "The same problem on all.")):
        chosen = [f for f in forecasts if f.weak == weak]
        report.picture("weak" if weak else "strong", forecast_chart(chosen, bars, name), text)
        for f in chosen:
            report.picture(f"{'weak' if weak else 'strong'}_{f.program}", shares_chart(f), f"Of {UNITS[f.program]}.")
        report.table(FORECAST, [row for f in chosen for row in f.rows()], "The numbers")
    return report


def options_of(arguments):
    parser = argparse.ArgumentParser(prog="bin/orujo bench scaling --model", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="use small problems and few runs")
    parser.add_argument("--programs", default="gups,pagerank,bfs", help="some of gups, pagerank, bfs (default all)")
    parser.add_argument("--nodes", default="2,4,8", help="numbers of nodes to compare with (default 2,4,8)")
    parser.add_argument("--links", help="links to compare with, RATE:MICROSECONDS, - for no limit (default -,1gbit,-:500; --quick: -,1gbit)")
    parser.add_argument("--size", type=int, help="log2 of the number of vertices (default 18)")
    parser.add_argument("--trials", type=int, help="trials in a run (default 4)")
    parser.add_argument("--rounds", type=int, help="runs of each configuration, in turn (default 3)")
    parser.add_argument("--rate", default="10gbit", help="rate of the links of the drawn nodes (default 10gbit)")
    parser.add_argument("--delay", type=float, default=0, help="delay of these links in microseconds, each way, added to the measured hop (default 0)")
    parser.add_argument("--cores_per_node", type=int, default=8, help="cores of each drawn node (default 8)")
    parser.add_argument("--grown", type=int, default=10, help="strong scaling: 2^GROWN times the problem of one core (default 10)")
    parser.add_argument("--pieces", help="read measurements from this model.json instead of running programs")
    parser.add_argument("--png", action="store_true", help="also write pictures as PNG")
    parser.add_argument("--output", default=str(ROOT / "build/scaling_model"), metavar="FOLDER", help="folder for the results (default build/scaling_model)")
    options = parser.parse_args(arguments)
    options.programs, options.nodes = options.programs.split(","), [int(n) for n in options.nodes.split(",")]
    options.size = options.size or (14 if options.quick else 18)
    options.trials = options.trials or (2 if options.quick else 4)
    options.rounds = options.rounds or (1 if options.quick else 3)
    if options.quick:
        options.nodes = options.nodes[:2]
    if set(options.programs) - set(PHASES):
        parser.error("--programs takes gups, pagerank and bfs")
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
    pieces = scaling_runs.Pieces(**{name: Curve([tuple(p) for p in value]) if isinstance(value, list) else value
                                    for name, value in told["pieces"].items()})
    return pieces, [scaling_runs.Comparison(**c) for c in told["comparisons"]]


def main(arguments):
    options = options_of(arguments)
    if options.pieces:
        pieces, comparisons = read_kept(options.pieces)
    else:
        try:
            pieces = scaling_runs.fit(options)
            comparisons = scaling_runs.compare(pieces, options)
        except NoNodes as why:
            raise SystemExit(f"orujo: the model is fitted to nodes, and there are none: {why}") from why
        except RunFailed as why:
            raise SystemExit(f"orujo: {why}") from why
    cluster = Cluster(1, options.cores_per_node, options.rate, options.delay * 1e-6)
    forecasts = [Forecast(pieces, cluster, program, options.size, weak, options.grown) for weak in (True, False) for program in options.programs]
    report = page(pieces, comparisons, forecasts, options, cluster)
    folder = pathlib.Path(options.output)
    folder.mkdir(parents=True, exist_ok=True)
    table = text_of(("piece", "seconds"), list(told_of(pieces))) + "\n" + text_of(COMPARED, list(compared_rows(comparisons)))
    table += (about_errors(comparisons) + "\n" if comparisons else "")
    for weak in (True, False):
        table += f"\n{'weak' if weak else 'strong'} scaling\n" + text_of(FORECAST, [row for f in forecasts if f.weak == weak for row in f.rows()])
    write(folder / "table.txt", table)
    write(folder / "model.json", json.dumps(kept(pieces, comparisons), indent=1) + "\n")
    write(folder / "report.html", report.html())
    write(folder / "report.svg", report.svg())
    if options.png:
        write_png(report.svg(), folder / "report.png")
    print(table, end="")
    print(f"pictures: {folder / 'report.html'}")


def text_of(heads, rows):
    lines = [heads, *rows]
    widths = [max(len(str(line[k])) for line in lines) for k in range(len(heads))]
    return "".join("  ".join(str(cell).ljust(wide) for cell, wide in zip(line, widths)).rstrip() + "\n" for line in lines)
