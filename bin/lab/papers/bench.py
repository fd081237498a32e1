"""Repeats what five papers claim, and writes a table and plots. Run by `bin/orujo bench papers`.

  grappa       Nelson et al.: "Latency-Tolerant Software Distributed Shared Memory", USENIX ATC 2015
  grazelle     Grossman, Litz, Kozyrakis: "Making Pull-Based Graph Processing Performant", PPoPP 2018
  schedules    Bak, Guo, Balaji, Sarkar: "Optimized Execution of Parallel Loops via User-Defined Scheduling Policies", ICPP 2019
  compression  "Optimizing Communication by Compression for Multi-GPU Scalable Breadth-First Search", thesis, Heidelberg 2016
  blocking     Roy: "Memory Hierarchy Sensitive Graph Layout", arXiv 1203.5675
"""

import argparse
import pathlib
import sys

from lab.frame import Parser, markdown
from lab.papers import blocking, compression, grappa, grazelle, schedules
from lab.papers.claims import Claim
from lab.papers.plan import Plan
from lab.runs import BUILD, CPUS, ROOT, free_memory

PAPERS = {module.__name__.rpartition(".")[2]: module.PARTS for module in (grappa, grazelle, schedules, compression, blocking)}
ABOUT = {part: about for parts in PAPERS.values() for part, about in parts.items()}
PARTS = {part.__name__: part for part in ABOUT}


def in_half_of_memory(most, bytes_of_one):
    """As many as fit into half of the free memory, of the paper's at most."""
    return min(most, free_memory() // (2 * bytes_of_one))


def power_in_half_of_memory(most, bytes_of_one):
    return in_half_of_memory(2 ** most, bytes_of_one).bit_length() - 1


# Sizes: what they are, if they have a flag, the usual value, that of --quick, and that of --large if it is another.
SIZES = {
    "scale": ("graphs of grazelle and schedules have 2^N vertices", 18, 14, power_in_half_of_memory(25, 1_000)),
    "iterations": ("iterations of PageRank", 10, 4),
    "steps": ("time steps of minimd", 100, 20),
    "rounds": ("runs of each configuration, in turn", 2, 1),
    "trials": ("trials of each run; the first does not count", 3, 2),
    "codec_scale": ("graphs of compression have 2^N vertices", 18, 14, power_in_half_of_memory(22, 1_000)),
    "vertices": ("vertices of the graphs of blocking", 300_000, 20_000, in_half_of_memory(10_000_000, 500)),
    "boost_vertices": (None, 300_000, 20_000, in_half_of_memory(10_000_000, 1_700)),
    "codec_ms": (None, 2, 0), "layout_trials": (None, 3, 2), "queries": (None, 300_000, 20_000, 3_000_000),
    "depths": (None, [16, 18, 20, 22], [10, 14], [16, 19, 22, power_in_half_of_memory(25, 100)]),
    "keys": (None, 300_000, 5_000, 3_000_000), "benchmark_seconds": (None, 0.2, 0.01), "words": (None, 20, 14, 26), "hops": (None, 1_000, 50),
    "table": (None, 22, 16, 26), "search_graphs": (None, [0, 1, 2], [2]), "search_scale": (None, 16, 10, 20), "points": (None, 300_000, 20_000),
    "clusters": (None, [10, 100], [10], [10, 100, 10_000]), "triples": (None, 200_000, 5_000, in_half_of_memory(5_000_000, 1_000)),
    "sizes": (None, ["10", "20"], ["6", "8"], ["20", "32"]),
}


def parse_arguments(arguments):
    parser = Parser("papers", f"{__doc__}\nAbout a quarter of an hour on 2 cores.", "use small inputs and one round: less than a minute", SIZES,
                    "use inputs as large as the papers' or as half of the free memory holds: some hours")
    parser.add_argument("--paper", action="append", choices=list(PAPERS), metavar="NAME", help=f"run only this paper; may be repeated: {', '.join(PAPERS)}")
    parser.add_argument("--only", nargs="+", choices=list(PARTS), metavar="PART", help=f"run only these parts: {', '.join(PARTS)}")
    parser.add_argument("--cores", type=int, default=CPUS, help="number of cores (default all)")
    parser.add_argument("--device", default="emulated",
                        help="device of searches on grids of locales: emulated (default; bytes are those of a GPU, times are not), or cuda, with --programs=build/cuda")
    parser.add_argument("--nopin", action="store_true", help="do not bind cores to CPUs: less noise on a shared machine")
    parser.add_argument("--graphs", nargs="*", default=[], metavar="FILE",
                        help="additional graphs for the loops over vertices")
    parser.add_argument("--sizes", type=lambda text: text.split(","), help="sizes of minimd (default 10,20, of --quick 6,8, of --large 20,32)")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "build/papers", help="folder for the results (default build/papers)")
    parser.add_argument("--programs", type=pathlib.Path, default=BUILD, help="folder of the build (default build/release)")
    parser.add_argument("--targets", action="store_true", help=argparse.SUPPRESS)  # prints build targets instead of running
    return parser.parse_args(arguments)


def parts_of(options):
    wanted = [part for name, parts in PAPERS.items() if name in (options.paper or PAPERS) for part in parts]
    return [part for part in wanted if part.__name__ in (options.only or PARTS)]


def targets_of(options):
    return sorted({program for part in parts_of(options) for program in ABOUT[part].programs})


def gather(plan):
    """All claims and charts, from what the plan knows by now."""
    claims, charts = [], []
    for part in parts_of(plan.options):
        size = ABOUT[part].size(plan.options)
        for each in part(plan):
            if isinstance(each, Claim):
                claims.append(each._replace(size=each.size or size))
            else:
                charts.append(each)
    return claims, charts


def table(plan, claims):
    o = plan.options
    return (f"{o.cores} cores; medians of {o.rounds} alternating rounds of {o.trials} trials each, the first left out. \"Cannot tell\": "
            f"the rounds, or the same run twice, lie on both sides of the bar. Sizes: the paper's; those here.\n\n{plan.told()}\n\n"
            + markdown(Claim._fields, claims))


def main(arguments):
    options = parse_arguments(arguments)
    if options.targets:
        print(*targets_of(options))
        return
    plan = Plan(options)
    gather(plan)
    plan.measure()
    claims, charts = gather(plan)
    folder = options.out
    folder.mkdir(parents=True, exist_ok=True)
    text = table(plan, claims)
    (folder / "claims.md").write_text(text)
    for chart in charts:
        chart.write(folder)
    print(text, end="")
    print(f"orujo: the table and the plots are in {folder}", file=sys.stderr)
