"""What programs choose by themselves, against the best of what can be asked for by hand. Run by `bin/orujo bench choices`.

Each graph runs with each algorithm as it is and with each option of a list, round after round, so that what else goes on hits all.
What counts is the fastest: of PageRank's iterations, which all do the same; of each search over the rounds, summed. Where the
program chose what an option asks for, they are the same run, and their times are taken together.

With --busy PageRank's edge phase alone runs, in engine_lab, and what counts is the processor time of all cores, which other work on
the machine changes less than the time on the wall.
"""

import json
import pathlib
import re
import statistics

from lab.frame import Parser, markdown, some_of
from lab.rounds import in_turn
from lab.runs import Failed, built, launched, run

GRAPHS = ["kronecker:16", "kronecker:18", "kronecker:20", "uniform:16", "uniform:18", "uniform:20", "uniform:20:edgefactor=4",
          "mesh2d:256x256", "mesh2d:1000x1000", "mesh3d:64x64x64", "watts_strogatz:1000000", "barabasi_albert:500000"]
QUICK = ["kronecker:8", "mesh2d:16x16"]
SIMD = ["--simd=avx2", "--simd=scalar"]
# Algorithm -> flags of every run, and the flags that runs choose from.
ALGORITHMS = {
    "pagerank": (["--iterations=10", "--top=0"],
                 [f"--segments={k}" for k in (1, 2, 4, 8, 16)] + ["--bundle_depth=16", "--chunk_vectors=1024", "--schedule=dynamic", *SIMD]),
    "bfs": ([], [f"--push_threshold={k}" for k in (5, 10, 20, 40)] + ["--direction=push", *SIMD]),
    "sssp": ([], [f"--delta={k}" for k in (10, 20, 40, 80, 160)]),  # has no kernels, nor have components: what
    "connected_components": (["--top=0"], SIMD),  # the gain by instruction sets is noise
}
BUSY = {"pagerank": ("engine_lab", ["--encoding=compact", "--iterations=10"])}
AUTO = ""


def times_of(algorithm, stats, busy):
    """Seconds of pieces that do the same in every run; PageRank's iterations are all the same piece."""
    if busy:
        return [min(sum(trial["pull_cpu_seconds"]) / trial["pulls"] for trial in stats["trials"])]
    if algorithm == "pagerank":
        return [min(step["seconds"] for step in stats["supersteps"])]
    return [trial["seconds"] for trial in stats["trials"]]


def option_chosen(told):
    """The option that asks for what the program says that it has chosen, or None."""
    segments = re.search(r"^  segments: (\d+): ", told, re.MULTILINE)
    return f"--segments={segments[1]}" if segments else None


class Row:
    """An algorithm on a graph."""

    def __init__(self):
        self.fastest = {}  # option -> by piece
        self.chosen = None

    def add(self, option, times):
        known = self.fastest.get(option, times)
        self.fastest[option] = [min(a, b) for a, b in zip(known, times, strict=True)]

    def seconds(self, option):
        options = [option]
        if self.chosen in self.fastest and option in (AUTO, self.chosen):
            options = [AUTO, self.chosen]
        return sum(min(pieces) for pieces in zip(*(self.fastest[one] for one in options), strict=True))

    def best(self):
        return min(self.fastest, key=lambda option: (self.seconds(option), option != AUTO))

    def miss(self):
        return self.seconds(AUTO) / self.seconds(self.best()) - 1


def run_once(options, algorithm, graph, option):
    """None for an instruction set that the processor has not."""
    name, always = BUSY[algorithm] if options.busy else (algorithm, ALGORITHMS[algorithm][0])
    weights = ":weights=1..255" if algorithm == "sssp" else ""
    flags = [f"--generate={graph}{weights}", "--symmetrize", f"--trials={options.trials}", "--print_settings"]
    try:
        return run(launched([built(name), *always, *flags, *filter(None, [option]), *options.flags], cores=options.cores))
    except Failed as why:
        if why.status == 2 and option.startswith("--simd="):
            return None
        raise


def measure(options):
    """(algorithm, graph) -> Row"""
    rows = {}
    cases = [(algorithm, graph, option) for graph in options.graphs for algorithm in options.algorithms
             for option in (AUTO, *ALGORITHMS[algorithm][1])]
    for algorithm, graph, option in in_turn(cases, options.rounds):
        found = run_once(options, algorithm, graph, option)
        if found:
            row = rows.setdefault((algorithm, graph), Row())
            if option == AUTO:
                row.chosen = option_chosen(found.err)
            row.add(option, times_of(algorithm, found.stats, options.busy))
    return rows


def table(rows):
    return markdown(("algorithm", "graph", "auto, ms", "chose", "best, ms", "by", "misses by"), [
        (algorithm, graph, f"{1e3 * row.seconds(AUTO):.2f}", (row.chosen or "").removeprefix("--"),
         f"{1e3 * row.seconds(row.best()):.2f}", row.best().removeprefix("--") or "auto", f"{100 * row.miss():.1f} %")
        for (algorithm, graph), row in rows.items()])


def summary(rows):
    misses = sorted((row.miss(), f"{algorithm} {graph}") for (algorithm, graph), row in rows.items())
    return (f"auto misses the best by {100 * statistics.median(miss for miss, _ in misses):.1f} % in the median, "
            f"by {100 * misses[-1][0]:.1f} % at worst ({misses[-1][1]})")


def options_of(arguments):
    parser = Parser("choices", __doc__, "use two tiny graphs and one round: some seconds",
                    {"rounds": ("runs of each option", 3, 1), "trials": ("trials in a run", 4, 1)})
    parser.add_argument("--busy", action="store_true", help="measure processor time, for a machine with other work")
    parser.add_argument("--graphs", type=str.split, help="generators' specifications with blanks between them (default twelve graphs)")
    parser.add_argument("--algorithms", type=some_of(ALGORITHMS), help="algorithms to run (default all, with --busy pagerank)")
    parser.add_argument("-c", "--cores", type=int, help="number of cores (default: as run chooses)")
    parser.add_argument("--flag", action="append", default=[], dest="flags", metavar="FLAG",
                        help="flag of all runs, such as --flag=--measures=guess")
    parser.add_argument("--json", metavar="FILE", help="also write the seconds of each option")
    options = parser.parse_args(arguments)
    known = BUSY if options.busy else ALGORITHMS
    options.algorithms = options.algorithms or list(known)
    if set(options.algorithms) - set(known):
        parser.error(f"--algorithms takes {', '.join(known)} here")
    options.graphs = options.graphs or (QUICK if options.quick else GRAPHS)
    return options


def main(arguments):
    options = options_of(arguments)
    rows = measure(options)
    print(table(rows), end="")
    print(summary(rows))
    if options.json:
        told = [{"algorithm": algorithm, "graph": graph, "chose": row.chosen, "miss": row.miss(),
                 "seconds": {option or "auto": row.seconds(option) for option in row.fastest}} for (algorithm, graph), row in rows.items()]
        pathlib.Path(options.json).write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
