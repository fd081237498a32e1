"""Runs that scaling_model.py is fitted to, and those that it is compared with."""

import contextlib
import itertools
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass, replace

import scaling_model
from scaling_model import Cluster, Curve, Pieces

ROOT = pathlib.Path(__file__).resolve().parents[2]
APPLICATIONS = ROOT / "build/release/applications"
ITERATIONS = 12
PATIENCE = 60                               # seconds for a run
TABLE = 4                                   # gups: log2 of the words per vertex of the graphs
BURST = 256e3                               # of cluster.sh's links
RATES = {"1gbit": 125e6, "10gbit": 1250e6}  # as tc names them: bytes per second


class NoNodes(Exception):
    """This machine cannot have them; says why."""


class RunFailed(Exception):
    """A program's, with what it said."""


@dataclass
class Run:
    stats: dict
    metrics: dict
    said: str

    def seconds(self):
        """Of the trials; the first touches the memory for the first time."""
        return [trial["seconds"] for trial in self.stats["trials"][1:]]

    def median(self):
        return statistics.median(self.seconds())

    def between_locales(self, key):
        return sum(pair[key] for pair in self.metrics["traffic"] if pair["from"] != pair["to"])


def run(command, program, flags):
    with tempfile.TemporaryDirectory() as folder:
        files = [pathlib.Path(folder, name) for name in ("stats.json", "metrics.json")]
        whole = [*command, str(APPLICATIONS / program), *flags, f"--stats_json={files[0]}", f"--metrics_json={files[1]}"]
        for _ in range(3):  # mpirun may give up on nodes that are slow to answer
            try:
                done = subprocess.run(whole, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, timeout=PATIENCE,
                                      env=os.environ | {"ORUJO_NO_BUILD": "1"})
            except subprocess.TimeoutExpired:
                done = subprocess.CompletedProcess(whole, 124, "", f"not over after {PATIENCE} s")
                continue
            if done.returncode == 4:
                raise NoNodes(done.stderr.strip().splitlines()[-1])
            if done.returncode == 0:
                break
        if done.returncode != 0:
            raise RunFailed(f"{' '.join(whole)}\nended with status {done.returncode}:\n{done.stderr.strip()}")
        return Run(*(json.loads(file.read_text()) for file in files), done.stdout)


def on_cluster(cluster, program, flags, rate=None):
    if cluster.nodes == 1:
        return run([str(ROOT / "bin/orujo"), "run", "-n", "1", "-c", str(cluster.cores_per_node)], program, flags)
    options = ["-n", str(cluster.nodes), "-c", str(cluster.cores_per_node)]
    options += [f"--rate={rate}"] if rate else []
    options += [f"--delay={round(cluster.delay * 1e6)}"] if cluster.delay else []
    return run([str(ROOT / "tests/cluster/cluster.sh"), "run", *options, "--"], program, flags)


def flags_of(program, size, trials):
    graph = [f"--generate=kronecker:{size}", "--symmetrize"]
    return {"gups": [f"--log2_table={size + TABLE}", f"--trials={trials}"],
            "pagerank": [*graph, f"--iterations={ITERATIONS}", "--top=0", f"--trials={trials}"],
            "bfs": [*graph, f"--trials={6 * trials}"]}[program]


def one_time(program, run_):
    """Median seconds of what the model calls one: a trial, an iteration, a search."""
    return run_.median() / (ITERATIONS if program == "pagerank" else 1)


def of_updates(size):
    return 4 << (size + TABLE)


def cpus():
    return len(os.sched_getaffinity(0))


# Fitting: one process, and two nodes. The least of the rounds' medians counts, because other load only adds time.

def in_one_process(program, size, locales, options):
    flags = [f"--locales={locales}", "--cores=1", *flags_of(program, size, options.trials)]
    runs = [run([], program, flags) for _ in range(options.rounds)]
    return min(one_time(program, r) for r in runs), runs[-1]


def sizes_measured(size):
    return [s for s in (size - 6, size - 4, size - 2, size, size + 2) if s >= 10]


def pieces_of_one_core(options):
    update, _ = in_one_process("gups", options.size, 1, options)
    curves, pushed = {"pagerank": [], "bfs": []}, []
    for size in sizes_measured(options.size):
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
            cluster = Cluster(locales, cpus=cpus())
            alone = scaling_model.work_on_graph(pieces, cluster, program, size)
            (phase,) = scaling_model.PHASES[program](pieces, cluster, size)
            sent = scaling_model.messages_sent(cluster, phase) if cluster.cores_per_cpu > 1 else 0
            rows.append((alone, scaling_model.vertices_reached(size, locales), sent))
            wanted.append(seconds * locales / cluster.cores_per_cpu - alone)
        split[program], mirror[program], crowd[program] = least_squares(rows, wanted, [row[0] for row in rows])
    return replace(pieces, split=split, mirror=mirror, crowd=crowd)


def solve(matrix, vector):
    """By Gauss, without pivots: of matrices that are symmetric and positive."""
    rows = [[*row, value] for row, value in zip(matrix, vector)]
    for k, pivot in enumerate(rows):
        if pivot[k] <= 1e-12:
            return None
        for other in rows[:k] + rows[k + 1:]:
            factor = other[k] / pivot[k]
            other[:] = [x - factor * y for x, y in zip(other, pivot)]
    return [row[-1] / row[k] for k, row in enumerate(rows)]


def least_squares(rows, wanted, scales):
    """Factors, none below 0, with which the rows' sums are near to what is wanted, each in parts of its scale. Tries which of them are 0."""
    columns = len(rows[0])
    sizes = [max(row[k] / scale for row, scale in zip(rows, scales)) or 1.0 for k in range(columns)]
    a = [[row[k] / scale / sizes[k] for k in range(columns)] for row, scale in zip(rows, scales)]
    b = [value / scale for value, scale in zip(wanted, scales)]
    best, factors = sum(value * value for value in b), [0.0] * columns
    for used in itertools.chain.from_iterable(itertools.combinations(range(columns), n) for n in range(1, columns + 1)):
        found = solve([[sum(row[i] * row[j] for row in a) for j in used] for i in used], [sum(row[i] * v for row, v in zip(a, b)) for i in used])
        if found is None or min(found) < 0:
            continue
        off = sum((sum(row[k] * x for k, x in zip(used, found)) - v) ** 2 for row, v in zip(a, b))
        if off < best:
            best, factors = off, [0.0] * columns
            for k, x in zip(used, found):
                factors[k] = x / sizes[k]
    return factors


def messages_measured(nodes, options):
    """(there and back, a reduction) in seconds, by `tune`."""
    pattern = r"there and back (\d+) ns, a reduction over all cores (\d+) ns"
    found = [re.search(pattern, on_cluster(Cluster(nodes), "tune", ["--keep=false", "--most_bytes=65536"]).said).groups()
             for _ in range(options.rounds)]
    return [min(float(each[k]) for each in found) * 1e-9 for k in (0, 1)]


def updates_on_nodes(nodes, pieces, options, more=(), delay=0):
    """(bytes, parcels, core seconds beyond those of one core) of a trial."""
    here = Cluster(nodes, delay=delay * 1e-6, cpus=cpus())
    runs = [on_cluster(here, "gups", [*flags_of("gups", options.size, options.trials), *more]) for _ in range(options.rounds)]
    best, trials = min(runs, key=Run.median), len(runs[0].stats["trials"])
    return (best.between_locales("bytes") / trials, best.between_locales("parcels") / trials,
            best.median() * nodes / here.cores_per_cpu - of_updates(options.size) * pieces.update)


def pieces_of_nodes(pieces, options):
    """What bytes and parcels take follows from random updates on two nodes whose blocks leave soon, and late. Where CPUs are shared,
    what a collective's message and the switch that delays take is measured with four nodes."""
    points = [updates_on_nodes(2, pieces, options, [f"--flush_age_us={age}"]) for age in (1, 5, 50, 200)]
    byte, parcel = least_squares([p[:2] for p in points], [p[2] for p in points], [p[0] for p in points])
    pieces = replace(pieces, byte=byte, parcel=parcel, hop=messages_measured(2, options)[0] / 2)
    if cpus() < 4:
        nodes = scaling_model.TURN_NODES
        pieces = replace(pieces, turn=messages_measured(nodes, options)[1] * cpus() / (nodes * scaling_model.collective_messages(nodes)))
    delays = [delay for _, delay in options.links if delay]
    if delays:
        with contextlib.suppress(NoNodes):
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
    cases = [(program, nodes, rate, delay) for rate, delay in options.links for program in options.programs for nodes in options.nodes]
    found, missing = {case: [] for case in cases}, set()
    for number in range(options.rounds * len(cases)):  # round after round, so that what else goes on hits all
        program, nodes, rate, delay = case = cases[number % len(cases)]
        if (rate, delay) in missing:
            continue
        if sys.stderr.isatty():
            print(f"\rrun {number + 1} of {options.rounds * len(cases)} ", end="", file=sys.stderr)
        cluster = Cluster(nodes, delay=delay * 1e-6)
        try:
            ran = on_cluster(cluster, program, flags_of(program, options.size, options.trials), rate)
        except NoNodes:  # it has nodes, but no such links
            missing.add((rate, delay))
            continue
        except RunFailed as why:  # one of many
            print(f"orujo: left out: {why}", file=sys.stderr)
            continue
        found[case].append(one_time(program, ran))
    if sys.stderr.isatty():
        print(file=sys.stderr)
    return [Comparison(*case, forecast(pieces, options, *case), measured) for case, measured in found.items() if measured]


def forecast(pieces, options, program, nodes, rate, delay):
    cluster = Cluster(nodes, rate=RATES.get(rate, float("inf")), delay=delay * 1e-6, cpus=cpus(), burst=0.0 if delay else BURST)
    return scaling_model.seconds(pieces, cluster, program, of_updates(options.size) if program == "gups" else options.size)
