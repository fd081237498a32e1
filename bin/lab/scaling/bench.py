"""Strong and weak scaling of pagerank, bfs and gups over cores, locales and nodes. Run by `bin/orujo bench scaling`.

A node is a network namespace of this machine (tests/cluster/cluster.sh), so nodes and locales share its CPUs: with more of
them than there are, times show what the runtime adds, not how fast a cluster is. --model fits a model to such runs, and draws
it to 16,384 cores: bin/orujo bench scaling --model --help.
"""

import statistics

from lab.charts import columns, gains
from lab.frame import Parser, aligned, save, some_of
from lab.page import Page
from lab.rounds import in_turn
from lab.runs import CPUS, NoNodes, built, launched, on_nodes, run
from lab.scaling import forecast
from lab.svg import BLUE, GREY, ORANGE, seconds_text

WHAT = {"cores": "cores of one locale", "locales": "locales of one core", "nodes": "nodes of one core"}
SIZES = {"size": ("log2 of the number of vertices", 18, 16), "trials": ("trials in a run", 8, 4),
         "rounds": ("runs of each configuration, in turn", 3, 1)}


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
        self.seconds = statistics.median(trial["seconds"] for ran in found for trial in ran.trials())
        # Shares of each core's own time, as times of cores differ by some percent: a superstep ends later at one than at another.
        seconds = [ran.stats["core_seconds"] for ran in found]
        busy = [[b / max(b + w, 1e-12) for b, w in zip(each["busy"], each["waiting"])] for each in seconds]
        self.busy_mean = statistics.fmean(map(statistics.fmean, busy))
        self.busy_most = statistics.fmean(map(max, busy))
        self.waiting_most = 1 - statistics.fmean(map(min, busy))


class Bench:
    def __init__(self, options):
        self.options = options
        self.points = {}   # (scaling, kind, program, count) -> Point
        self.without = {}  # kinds that this machine does not have -> why

    def counts_of(self, kind):
        return [2**k for k in range(9) if 2**k <= getattr(self.options, kind)]

    def measure(self):
        wanted = [(scaling, kind, program, count) for scaling in ("strong", "weak") for kind in self.options.over
                  for program in self.options.programs for count in self.counts_of(kind)]
        # One core is one locale and one node, and its problem is the same for both kinds of scaling.
        same = {key: key if key[3] > 1 else ("strong", self.options.over[0], key[2], 1) for key in wanted}
        found = {key: [] for key in same.values()}
        for key in in_turn(found, self.options.rounds):
            if key[1] not in self.without:
                found[key] += self.run_once(*key)
        self.points = {key: Point(found[same[key]]) for key in wanted if found[same[key]] and key[1] not in self.without}

    def run_once(self, scaling, kind, name, count):
        """The run, in a list; an empty one where this machine cannot have such nodes."""
        size = self.options.size + (count.bit_length() - 1 if scaling == "weak" else 0)
        command = [built(name), *programs(size, self.options.trials)[name]]
        try:
            if kind == "nodes" and count > 1:
                return [run(on_nodes(command, count))]
            return [run(launched(command, *((1, count) if kind == "cores" else (count, 1))))]
        except NoNodes as why:
            self.without[kind] = f"no nodes: {why.reason}"
            return []

    def gain(self, scaling, kind, program, count):
        """Strong: how many times as fast as one. Weak: the time of one over this one's, for as much more to do."""
        one, here = (self.points.get((scaling, kind, program, k)) for k in (1, count))
        return one.seconds / here.seconds if one and here else None

    def about(self):
        size, programs_ = self.options.size, self.options.programs
        what = [f"graphs of 2^{size} vertices"] * (programs_ != ["gups"]) + [f"a table of 2^{size + 4} words (gups)"] * ("gups" in programs_)
        return (f"{CPUS} CPUs; {', '.join(what)}; for weak scaling times the cores, locales or nodes. "
                f"Medians of {self.options.rounds} x {self.options.trials} trials (bfs: 4 times as many).")

    def rows(self):
        for key, point in self.points.items():
            yield (*key, seconds_text(point.seconds), f"{self.gain(*key):.2f}", *(
                f"{100 * share:.0f} %" for share in (point.busy_mean, point.busy_most, 1 - point.busy_mean, point.waiting_most)))


HEADS = ("scaling", "over", "program", "count", "median time", "against one", "busy, mean", "busy, most", "waiting, mean", "waiting, most")


def gain_chart(bench, scaling, kind):
    counts = bench.counts_of(kind)
    series = {program: [bench.gain(scaling, kind, program, count) for count in counts] for program in bench.options.programs}
    return gains(f"{scaling.capitalize()} scaling over {WHAT[kind]}", WHAT[kind], counts, series, scaling == "weak")


def split_chart(bench, scaling, kind):
    """Shares of the time, a bar per program and count."""
    stacks, names = [], []
    for (*which, program, count), point in bench.points.items():
        if which == [scaling, kind]:
            mean, most = 100 * point.busy_mean, 100 * point.busy_most
            about = f"{program} on {count} {kind}: busy {mean:.0f} % in the mean, {most:.0f} % at most"
            stacks.append([(mean, BLUE, about), (most - mean, ORANGE, about), (100 - most, GREY, about)])
            names.append(f"{program} {count}")
    return columns(f"Where the time goes, {scaling} scaling over {kind}", stacks, f"program and {kind}",
                   names if len(names) < 8 else [name.split()[1] for name in names],
                   [(BLUE, "busy, mean"), (ORANGE, "more of the busiest"), (GREY, "waiting")], "% of a core's time", 100, width=720)


def page(bench):
    report = Page("Scaling of " + ", ".join(bench.options.programs))
    report.paragraph(bench.about())
    for sentence in bench.without.values():
        report.paragraph(sentence)
    for kind in bench.options.over:
        if not any(key[1] == kind for key in bench.points):
            continue
        report.section(f"Over {kind}")
        for name, caption in (("strong", "The same problem"), ("weak", "A problem that grows with them; 1 is as fast as one.")):
            report.picture(f"{name}_{kind}", gain_chart(bench, name, kind), caption)
            report.picture(f"{name}_{kind}_split", split_chart(bench, name, kind),
                           "Busy: runs tasks or handles messages, or has to, while another has its CPU. Waiting: has neither.")
    report.section("Table")
    report.table(HEADS, list(bench.rows()))
    return report


def options_of(arguments):
    parser = Parser("scaling", __doc__, "use small problems and few runs: some seconds", SIZES)
    for flag, known in (("--over", list(WHAT)), ("--programs", list(programs(1, 1)))):
        parser.add_argument(flag, type=some_of(known), default=known, help=f"some of {', '.join(known)} (default all)")
    for flag, most, note in (("--cores", max(2, CPUS), ""), ("--locales", max(4, CPUS), ""), ("--nodes", 4, ", up to 8")):
        parser.add_argument(flag, type=int, default=most, help=f"maximum number of {flag[2:]}{note} (default {most})")
    parser.add_page("scaling")
    options = parser.parse_args(arguments)
    if options.quick:
        options.cores, options.locales, options.nodes = (min(2, most) for most in (options.cores, options.locales, options.nodes))
    return options


def main(arguments):
    if "--model" in arguments:
        forecast.main([argument for argument in arguments if argument != "--model"])
        return
    options = options_of(arguments)
    bench = Bench(options)
    bench.measure()
    told = [dict(zip(HEADS, key)) | vars(point) for key, point in bench.points.items()]
    save(options, page(bench), f"{bench.about()}\n\n{aligned(HEADS, bench.rows())}", "scaling", told)
    for sentence in bench.without.values():
        print(sentence)
