"""Runs that the model is fitted to, and those that it is compared with."""

import contextlib
import itertools
import re
import statistics
import sys
from dataclasses import dataclass, replace

from lab import runs
from lab.rounds import in_turn
from lab.runs import CPUS, Failed, NoNodes, built, launched, on_nodes
from lab.scaling import model
from lab.scaling.model import Cluster, Curve, Pieces

ITERATIONS = 12
PATIENCE = 60                               # seconds for a run
TABLE = 4                                   # gups: log2 of the words per vertex of the graphs
BURST = 256e3                               # of cluster.sh's links
RATES = {"1gbit": 125e6, "10gbit": 1250e6}  # as tc names them: bytes per second


def run(command):
    """A command that fails runs up to three times, because mpirun may give up on nodes that are slow to answer."""
    for left in (2, 1, 0):
        try:
            return runs.run(command, metrics=True, seconds=PATIENCE)
        except NoNodes:
            raise
        except Failed:
            if left == 0:
                raise


def median(ran):
    return statistics.median(trial["seconds"] for trial in ran.trials())


def between_locales(ran, key):
    return sum(pair[key] for pair in ran.metrics["traffic"] if pair["from"] != pair["to"])


def on_cluster(cluster, program, flags, rate=None):
    command = [built(program), *flags]
    if cluster.nodes == 1:
        return run(launched(command, 1, cluster.cores_per_node))
    options = [f"--rate={rate}"] if rate else []
    options += [f"--delay={round(cluster.delay * 1e6)}"] if cluster.delay else []
    return run(on_nodes(command, cluster.nodes, cluster.cores_per_node, options))


def flags_of(program, size, trials):
    graph = [f"--generate=kronecker:{size}", "--symmetrize"]
    return {"gups": [f"--log2_table={size + TABLE}", f"--trials={trials}"],
            "pagerank": [*graph, f"--iterations={ITERATIONS}", "--top=0", f"--trials={trials}"],
            "bfs": [*graph, f"--trials={6 * trials}"]}[program]


def one_time(program, ran):
    """Median seconds of what the model calls one: a trial, an iteration, a search."""
    return median(ran) / (ITERATIONS if program == "pagerank" else 1)


def of_updates(size):
    return 4 << (size + TABLE)


# Fitting: one process, and two nodes. The least of the rounds' medians counts, because other load only adds time.

def in_one_process(program, size, locales, options):
    command = [built(program), f"--locales={locales}", "--cores=1", *flags_of(program, size, options.trials)]
    found = [run(command) for _ in range(options.rounds)]
    return min(one_time(program, ran) for ran in found), found[-1]


def pieces_of_one_core(options):
    update, _ = in_one_process("gups", options.size, 1, options)
    curves, pushed = {"pagerank": [], "bfs": []}, []
    for size in (size for size in range(options.size - 6, options.size + 3, 2) if size >= 10):
        for program, points in curves.items():
            seconds, ran = in_one_process(program, size, 1, options)
            points.append((2**size, seconds / ran.stats["graph"]["edges"]))
            if program == "bfs":
                along = sum(s["edges"] or 0 for s in ran.stats["supersteps"] if s["direction"] == "push")
                pushed.append((2**size, along / len(ran.stats["trials"]) / ran.stats["graph"]["edges"]))
                if size == options.size:
                    search = ran.stats
    return Pieces(update / of_updates(options.size), Curve(curves["pagerank"]), Curve(curves["bfs"]), pushed=Curve(pushed),
                  edges_per_vertex=search["graph"]["edges"] / 2**options.size,
                  supersteps=statistics.fmean(t["iterations"] for t in search["trials"]),
                  pulls=statistics.fmean(t["pulls"] for t in search["trials"]))


def pieces_of_locales(pieces, options):
    """What graphs cost where they are split, by 2, 4 and 8 locales in one process: no node, no MPI."""
    split, mirror, crowd = {}, {}, {}
    for program in ("pagerank", "bfs"):
        rows, wanted = [], []
        for size, locales in itertools.product((options.size, options.size + 2), (2, 4, 8)):
            seconds, _ = in_one_process(program, size, locales, options)
            cluster = Cluster(locales, cpus=CPUS, one_process=True)
            alone = model.work_on_graph(pieces, cluster, program, size)
            phase = model.PHASES[program](pieces, cluster, size)
            sent = model.messages_sent(cluster, phase) if cluster.cores_per_cpu > 1 else 0
            rows.append((alone, model.cut_of(program, size, cluster).values, sent))
            wanted.append(seconds * locales / cluster.cores_per_cpu - alone)
        split[program], mirror[program], crowd[program] = least_squares(rows, wanted, [row[0] for row in rows])
    return replace(pieces, split=split, mirror=mirror, crowd=crowd)


def least_squares(rows, wanted, scales, sweeps=10_000):
    """Factors, none below 0, with which the rows' sums are nearest to what is wanted, each in parts of its scale. By coordinate descent:
    a sweep makes each factor in turn the best beside the others."""
    columns = [[row[k] / scale for row, scale in zip(rows, scales)] for k in range(len(rows[0]))]
    left = [value / scale for value, scale in zip(wanted, scales)]  # of what is wanted, beyond the sums
    factors = [0.0] * len(columns)
    for _ in range(sweeps):
        for k, column in enumerate(columns):
            step = sum(x * y for x, y in zip(column, left)) / (sum(x * x for x in column) or 1.0)
            step = max(step, -factors[k])
            factors[k] += step
            left = [y - step * x for x, y in zip(column, left)]
    return factors


def messages_measured(nodes, options):
    """(there and back, a reduction) in seconds, by `tune`."""
    pattern = r"there and back (\d+) ns, a reduction over all cores (\d+) ns"
    found = [re.search(pattern, on_cluster(Cluster(nodes), "tune", ["--keep=false", "--most_bytes=65536"]).out).groups()
             for _ in range(options.rounds)]
    return [min(float(each[k]) for each in found) * 1e-9 for k in (0, 1)]


def updates_on_nodes(nodes, pieces, options, more=(), delay=0):
    """(bytes, parcels, core seconds beyond those of one core) of a trial."""
    here = Cluster(nodes, delay=delay * 1e-6, cpus=CPUS)
    best = min((on_cluster(here, "gups", [*flags_of("gups", options.size, options.trials), *more]) for _ in range(options.rounds)), key=median)
    trials = len(best.stats["trials"])
    return (between_locales(best, "bytes") / trials, between_locales(best, "parcels") / trials,
            median(best) * nodes / here.cores_per_cpu - of_updates(options.size) * pieces.update)


def pieces_of_nodes(pieces, options):
    """What bytes and parcels take follows from random updates on two nodes whose blocks leave soon, and late. Where CPUs are shared,
    what a collective's message and the switch that delays take is measured with four nodes."""
    points = [updates_on_nodes(2, pieces, options, [f"--flush_age_us={age}"]) for age in (1, 5, 50, 200)]
    byte, parcel = least_squares([p[:2] for p in points], [p[2] for p in points], [p[0] for p in points])
    pieces = replace(pieces, byte=byte, parcel=parcel, hop=messages_measured(2, options)[0] / 2)
    if CPUS < 4:
        nodes = model.TURN_NODES
        pieces = replace(pieces, turn=messages_measured(nodes, options)[1] * CPUS / (nodes * model.collective(nodes)[1]))
    delays = [delay for _, delay in options.links if delay]
    if delays:
        with contextlib.suppress(NoNodes):  # it has nodes, but no such links
            sent, parcels, cpu = updates_on_nodes(4, pieces, options, delay=delays[0])
            pieces = replace(pieces, relay=max(0.0, (cpu - parcels * parcel) / sent - byte))
    return pieces


def fit(options):
    return pieces_of_nodes(pieces_of_locales(pieces_of_one_core(options), options), options)


# Comparing.

@dataclass
class Comparison:
    program: str
    nodes: int
    rate: str | None
    delay: int        # microseconds
    model: float
    measured: list    # the rounds' medians

    @property
    def least(self):
        return min(self.measured)

    @property
    def error(self):
        return self.model / self.least - 1

    @property
    def fitted(self):
        """What the pieces of nodes are measured by."""
        return self.program == "gups" and (self.nodes == 4 if self.delay else self.nodes == 2 and not self.rate)

    @property
    def link(self):
        return (self.rate or "no limit") + (f", {self.delay} us" if self.delay else "")


def compare(pieces, options):
    cases = itertools.product(options.links, options.programs, options.nodes)
    found, missing = {(program, nodes, *link): [] for link, program, nodes in cases}, set()
    for case in in_turn(found, options.rounds):
        program, nodes, rate, delay = case
        if (rate, delay) in missing:
            continue
        try:
            ran = on_cluster(Cluster(nodes, delay=delay * 1e-6), program, flags_of(program, options.size, options.trials), rate)
            found[case].append(one_time(program, ran))
        except NoNodes:  # it has nodes, but no such links
            missing.add((rate, delay))
        except Failed as why:  # one of many
            print(f"orujo: left out: {why}", file=sys.stderr)
    return [Comparison(*case, forecast(pieces, options, *case), measured) for case, measured in found.items() if measured]


def forecast(pieces, options, program, nodes, rate, delay):
    cluster = Cluster(nodes, rate=RATES.get(rate, float("inf")), delay=delay * 1e-6, cpus=CPUS, burst=0.0 if delay else BURST)
    return model.seconds(pieces, cluster, program, of_updates(options.size) if program == "gups" else options.size)
