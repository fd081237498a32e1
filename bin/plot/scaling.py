"""Strong and weak scaling of pagerank, bfs and gups over cores, locales and nodes. Run by `bin/orujo bench scaling`.

A node is a network namespace of this machine (tests/cluster/cluster.sh), so nodes and locales share its CPUs: with more of
them than there are, times show what the runtime adds, not how fast a cluster is. --model fits a model to such runs, and draws
it to 16,384 cores: bin/orujo bench scaling --model --help.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

import scaling_forecast
from report import Report, write, write_png
from svg import BLUE, COLOURS, GREY, ORANGE, Plot, Scale, seconds_text

ROOT = pathlib.Path(__file__).resolve().parents[2]
KINDS = ["cores", "locales", "nodes"]
WHAT = {"cores": "cores of one locale", "locales": "locales of one core", "nodes": "nodes of one core"}


def programs(size, trials):
    """Name -> flags of a problem of 2^size vertices or table words."""
    return {
        "pagerank": [f"--generate=kronecker:{size}", "--iterations=10", "--top=0", f"--trials={trials}"],
        "bfs": [f"--generate=kronecker:{size}", "--symmetrize", f"--trials={4 * trials}"],
        "gups": [f"--log2_table={size + 4}", f"--trials={trials}"],
    }


class Point:
    """What the runs of one program on so many cores, locales or nodes came to."""

    def __init__(self, found):
        # The first trial is left out, because it touches the memory for the first time.
        self.seconds = statistics.median(t["seconds"] for stats in found for t in stats["trials"][1:] or stats["trials"])
        # Shares of each core's own time, as times of cores differ by some percent: a superstep ends later at one than at another.
        busy = [[b / max(b + w, 1e-12) for b, w in zip(stats["core_seconds"]["busy"], stats["core_seconds"]["waiting"])] for stats in found]
        self.busy_mean = statistics.fmean(map(statistics.fmean, busy))
        self.busy_most = statistics.fmean(map(max, busy))
        self.waiting_most = 1 - statistics.fmean(map(min, busy))

    def told(self):
        return dict(vars(self))


def command_of(kind, count, program):
    if kind == "nodes" and count > 1:
        return [str(ROOT / "tests/cluster/cluster.sh"), "run", "-n", str(count), "-c", "1", "--", program]
    locales, cores = (count, 1) if kind in ("locales", "nodes") else (1, count)
    return [str(ROOT / "bin/orujo"), "run", "-n", str(locales), "-c", str(cores), program]


class Bench:
    def __init__(self, options):
        self.options = options
        self.points = {}   # (weak, kind, program, count) -> Point
        self.skipped = []  # sentences

    def counts_of(self, kind):
        most = {"cores": self.options.cores, "locales": self.options.locales, "nodes": self.options.nodes}[kind]
        return [count for count in (1, 2, 4, 8, 16, 32, 64, 128, 256) if count <= most]

    def measure(self):
        wanted = [(weak, kind, program, count) for weak in (False, True) for kind in self.options.over
                  for program in self.options.programs for count in self.counts_of(kind)]
        # One core is one locale and one node, and its problem is the same for both kinds of scaling.
        same = {key: key if key[3] > 1 else (False, self.options.over[0], key[2], 1) for key in wanted}
        plan = list(dict.fromkeys(same.values()))
        found = {key: [] for key in plan}
        without = set()  # kinds that this machine does not have
        for number in range(self.options.rounds * len(plan)):  # round after round, so that other load affects all of them
            key = plan[number % len(plan)]
            if key[1] in without:
                continue
            if sys.stderr.isatty():
                print(f"\rrun {number + 1} of {self.options.rounds * len(plan)} ", end="", file=sys.stderr)
            stats = self.run_once(*key)
            if stats is None:
                without.add(key[1])
            else:
                found[key].append(stats)
        if sys.stderr.isatty():
            print(file=sys.stderr)
        self.points = {key: Point(found[same[key]]) for key in wanted if found[same[key]] and key[1] not in without}

    def run_once(self, weak, kind, program, count):
        """The stats of a run, or None where this machine cannot have such nodes."""
        size = self.options.size + (count.bit_length() - 1 if weak else 0)
        path = ROOT / "build/release/applications" / program
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "stats.json")
            command = command_of(kind, count, str(path)) + programs(size, self.options.trials)[program] + [f"--stats_json={file}"]
            done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False,
                                  env=os.environ | {"ORUJO_NO_BUILD": "1"})
            if kind == "nodes" and done.returncode == 4:
                self.skipped.append(f"no nodes: {done.stderr.strip().splitlines()[-1]}")
                return None
            if done.returncode != 0:
                sys.exit(f"orujo: {' '.join(command)}\nended with status {done.returncode}:\n{done.stderr.strip()}")
            return json.loads(file.read_text())

    def gain(self, weak, kind, program, count):
        """Strong: how many times as fast as one. Weak: the time of one over this one's, for as much more to do."""
        one, here = self.points.get((weak, kind, program, 1)), self.points.get((weak, kind, program, count))
        return one.seconds / here.seconds if one and here else None

    def about(self):
        size, programs_ = self.options.size, self.options.programs
        what = [f"graphs of 2^{size} vertices"] * (programs_ != ["gups"]) + [f"a table of 2^{size + 4} words (gups)"] * ("gups" in programs_)
        return (f"{len(os.sched_getaffinity(0))} CPUs; {', '.join(what)}; for weak scaling times the cores, locales or nodes. "
                f"Medians of {self.options.rounds} x {self.options.trials} trials (bfs: 4 times as many).")

    def rows(self):
        for (weak, kind, program, count), point in self.points.items():
            yield ("weak" if weak else "strong", kind, program, count, seconds_text(point.seconds),
                   f"{self.gain(weak, kind, program, count):.2f}", f"{100 * point.busy_mean:.0f} %", f"{100 * point.busy_most:.0f} %",
                   f"{100 * (1 - point.busy_mean):.0f} %", f"{100 * point.waiting_most:.0f} %")


HEADS = ("scaling", "over", "program", "count", "median time", "against one", "busy, mean", "busy, most", "waiting, mean", "waiting, most")


def text_table(rows):
    lines = [HEADS, *rows]
    widths = [max(len(str(line[k])) for line in lines) for k in range(len(HEADS))]
    return "".join("  ".join(str(cell).ljust(wide) if k < 3 else str(cell).rjust(wide)
                             for k, (cell, wide) in enumerate(zip(line, widths))).rstrip() + "\n" for line in lines)


def gain_chart(bench, weak, kind):
    name = "Weak" if weak else "Strong"
    plot = Plot(620, 340, f"{name} scaling over {WHAT[kind]}")
    counts = bench.counts_of(kind)
    x = Scale(0, len(counts), plot.left, plot.right)
    gains = {program: [bench.gain(weak, kind, program, count) for count in counts] for program in bench.options.programs}
    y = Scale(0, max([1.1] + [gain for told in gains.values() for gain in told if gain] + ([] if weak else [counts[-1]])), plot.bottom, plot.top)
    plot.y_axis(y, "time of one / time" if weak else "times as fast as one", tell=lambda value: f"{value:g}")
    ideal = [(x(k + 0.5), y(1 if weak else count)) for k, count in enumerate(counts)]
    plot.polyline(ideal, GREY, "ideal", stroke_dasharray="6 4")
    for (program, told), colour in zip(gains.items(), COLOURS):
        points = [(x(k + 0.5), y(gain)) for k, gain in enumerate(told) if gain]
        plot.polyline(points, colour, program)
        for k, (at, high) in enumerate(points):
            plot.shape("circle", f"{program}, {counts[k]}: {told[k]:.2f}", cx=f"{at:.2f}", cy=f"{high:.2f}", r=4, fill=colour)
    middle = (x(1) - x(0)) / 2
    plot.x_axis(Scale(0, len(counts), plot.left + middle, plot.right + middle), WHAT[kind], range(len(counts)), lambda k: str(counts[k]))
    plot.legend(plot.left, 46, [(colour, program) for program, colour in zip(gains, COLOURS)] + [(GREY, "ideal")])
    return plot


def split_chart(bench, weak, kind):
    """Shares of the time, a bar per program and count."""
    name = "weak" if weak else "strong"
    plot = Plot(620, 320, f"Where the time goes, {name} scaling over {kind}")
    bars = [(program, count, bench.points[weak, kind, program, count]) for program in bench.options.programs
            for count in bench.counts_of(kind) if (weak, kind, program, count) in bench.points]
    x, y = Scale(0, len(bars), plot.left, plot.right), Scale(0, 100, plot.bottom, plot.top)
    plot.y_axis(y, "% of a core's time")
    for k, (program, count, point) in enumerate(bars):
        mean, most = 100 * point.busy_mean, 100 * point.busy_most
        about = f"{program} on {count} {kind}: busy {mean:.0f} % in the mean, {most:.0f} % at most"
        for low, high, colour in ((0, mean, BLUE), (mean, most, ORANGE), (most, 100, GREY)):
            plot.rect(x(k + 0.1), y(high), x(0.8) - x(0), y(low) - y(high), colour, about)
    middle = (x(1) - x(0)) / 2
    plot.x_axis(Scale(0, len(bars), plot.left + middle, plot.right + middle), f"program and {kind}", range(len(bars)),
                lambda k: f"{bars[k][0]} {bars[k][1]}" if len(bars) < 8 else str(bars[k][1]))
    plot.legend(plot.left, 46, [(BLUE, "busy, mean"), (ORANGE, "more of the busiest"), (GREY, "waiting")])
    return plot


def page(bench):
    report = Report("Scaling of " + ", ".join(bench.options.programs))
    report.paragraph(bench.about())
    for sentence in dict.fromkeys(bench.skipped):
        report.paragraph(sentence)
    for kind in bench.options.over:
        if not any(key[1] == kind for key in bench.points):
            continue
        report.section(f"Over {kind}")
        for weak in (False, True):
            name = "weak" if weak else "strong"
            report.picture(f"{name}_{kind}", gain_chart(bench, weak, kind),
                           "The same problem" if not weak else "A problem that grows with them; 1 is as fast as one.")
            report.picture(f"{name}_{kind}_split", split_chart(bench, weak, kind),
                           "Busy: runs tasks or handles messages, or has to, while another has its CPU. Waiting: has neither.")
    report.section("Table")
    report.table(HEADS, list(bench.rows()))
    return report


def options_of(arguments):
    cpus = len(os.sched_getaffinity(0))
    parser = argparse.ArgumentParser(prog="bin/orujo bench scaling", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="use small problems and few runs: some seconds")
    parser.add_argument("--over", default=",".join(KINDS), help="some of cores, locales, nodes (default all)")
    parser.add_argument("--programs", default="pagerank,bfs,gups", help="some of pagerank, bfs, gups (default all)")
    parser.add_argument("--cores", type=int, default=max(2, cpus), help=f"maximum number of cores (default {max(2, cpus)})")
    parser.add_argument("--locales", type=int, default=max(4, cpus), help=f"maximum number of locales (default {max(4, cpus)})")
    parser.add_argument("--nodes", type=int, default=4, help="maximum number of nodes, up to 8 (default 4)")
    parser.add_argument("--size", type=int, help="log2 of the number of vertices (default 18, of --quick 16)")
    parser.add_argument("--trials", type=int, help="trials in a run (default 8, of --quick 4)")
    parser.add_argument("--rounds", type=int, help="runs of each configuration, in turn (default 3, of --quick 1)")
    parser.add_argument("--png", action="store_true", help="also write pictures as PNG")
    parser.add_argument("--output", default=str(ROOT / "build/scaling"), metavar="FOLDER", help="folder for the results (default build/scaling)")
    options = parser.parse_args(arguments)
    options.over, options.programs = options.over.split(","), options.programs.split(",")
    if set(options.over) - set(KINDS) or set(options.programs) - set(programs(1, 1)):
        parser.error("--over takes cores, locales and nodes, --programs pagerank, bfs and gups")
    if options.quick:
        options.cores, options.locales, options.nodes = (min(2, most) for most in (options.cores, options.locales, options.nodes))
    options.size = options.size or (16 if options.quick else 18)
    options.trials = options.trials or (4 if options.quick else 8)
    options.rounds = options.rounds or (1 if options.quick else 3)
    return options


def main():
    if "--model" in sys.argv[1:]:
        scaling_forecast.main([argument for argument in sys.argv[1:] if argument != "--model"])
        return
    options = options_of(sys.argv[1:])
    bench = Bench(options)
    bench.measure()
    folder = pathlib.Path(options.output)
    folder.mkdir(parents=True, exist_ok=True)
    table = f"{bench.about()}\n\n{text_table(bench.rows())}"
    report = page(bench)
    write(folder / "table.txt", table)
    write(folder / "scaling.json", json.dumps([{"scaling": "weak" if key[0] else "strong", "over": key[1], "program": key[2], "count": key[3],
                                                **point.told()} for key, point in bench.points.items()], indent=1) + "\n")
    write(folder / "report.html", report.html())
    write(folder / "report.svg", report.svg())
    if options.png:
        write_png(report.svg(), folder / "report.png")
    print(table, end="")
    for sentence in dict.fromkeys(bench.skipped):
        print(sentence)
    print(f"pictures: {folder / 'report.html'}")


if __name__ == "__main__":
    main()
