"""Grossman, Litz, Kozyrakis: "Making Pull-Based Graph Processing Performant" (Grazelle), PPoPP 2018: its figures 5 to 10."""

from statistics import geometric_mean

from lab.papers.claims import (NO, YES, Bars, Claim, Part, across, at_least, at_most, because, between, both, gains, listed, noise_text,
                               shown, times)
from lab.papers.plan import PAPER_CORES
from lab.rounds import mean_ratio, number, ratio

INTERFACES = ["traditional", "traditional_nonatomic", "scheduler_aware"]
ENGINES = ["pull", "push", "hybrid"]
CHUNKS = [16, 64, 256, 1024, 4096]
EDGES_PER_VERTEX = [1, 2, 4, 8, 16, 32]


def over(slower, faster, noise):
    """By graph the ratio of two lists."""
    return {g: ratio(slower[g], faster[g], noise[g]) for g in slower}


def scheduler_awareness(plan):
    """Figure 5: what the interface between the scheduler and the loop is worth."""
    noise = plan.noises(plan.pull)
    pull = {i: plan.by_graph(plan.pull, phase_interface=i) for i in INTERFACES}
    atomic, plain = (over(pull[i], pull["scheduler_aware"], noise) for i in ("traditional", "traditional_nonatomic"))
    most = max(atomic.values(), key=lambda r: r.mid)
    holds = gains(atomic.values())
    yield Claim("PPoPP, figure 5", "PageRank, edge-pull: scheduler-aware over traditional with atomics",
                "up to 50x, 1.15x on a mesh", shown(atomic), "in kind" if holds == YES and most.high < 25 else holds,
                because(plan.fewer_cores(), f"so fewer collide on a total: {times(most)} at most", noise_text(noise)))
    rest = geometric_mean(plain[g].mid / atomic[g].mid for g in plain)
    yield Claim("PPoPP, figure 5", "the same over traditional without atomics (wrong results)",
                "still ahead: the shared writes cost, not only the atomics", shown(plain), gains(plain.values()),
                because(f"without atomics the traditional interface takes {times(rest)} of its time with them", noise_text(noise)))
    yield Bars("figure5", "PageRank, edge-pull", "ms", INTERFACES, across(pull))


def chunk_sizes(plan):
    """Figure 6."""
    kronecker = plan.graphs["Kronecker"]
    pull = {i: {c: plan.pull(kronecker, phase_interface=i, chunk_vectors=c) for c in CHUNKS} for i in INTERFACES}
    noise = plan.noise(plan.pull, kronecker)

    def spread(lists):
        return ratio(max(lists, key=number), min(lists, key=number), noise)

    aware = list(pull["scheduler_aware"].values())
    # "Insensitive" means within a quarter, beyond the difference between equal runs.
    even_from = next(k for k in range(len(CHUNKS)) if at_most(spread(aware[k:]), 1.25) != NO)
    gain = ", ".join(f"{times(ratio(of, pull['scheduler_aware'][c]))} ({c})" for c, of in pull["traditional"].items())
    yield Claim("PPoPP, figure 6", f"Kronecker, chunks of {CHUNKS[0]} to {CHUNKS[-1]} vectors: slowest over fastest",
                "scheduler-aware: insensitive", listed({i: times(spread(p.values())) for i, p in pull.items()}),
                f"from {CHUNKS[even_from]} vectors on" if even_from else at_most(spread(aware), 1.25),
                because("smaller chunks cost time of their own (dealing out, slots to merge)" if even_from else "",
                        f"scheduler-aware over traditional by chunk: {gain}", noise_text(noise)))
    yield Bars("figure6", "PageRank, edge-pull, Kronecker, by vectors per chunk", "ms", INTERFACES, across(pull))


def cores(plan):
    """Figure 7."""
    all_cores = plan.options.cores
    counts = sorted({1, all_cores} | {c for c in (2, 4, 8, 16) if c < all_cores})
    kronecker = plan.graphs["Kronecker"]
    pull = {i: {c: plan.pull(kronecker, phase_interface=i, cores=c) for c in counts} for i in INTERFACES}
    noise = plan.noise(plan.pull, kronecker)
    speedup = {i: ratio(p[1], p[counts[-1]], noise) for i, p in pull.items()}
    aware, atomic = speedup["scheduler_aware"], speedup["traditional"]
    # Scaling means at least 0.8 times the number of cores and, up to noise, no less than the traditional interface.
    scales = both(at_least(aware, 0.8 * counts[-1]), NO if aware.high < atomic.low else YES)
    yield Claim("PPoPP, figure 7", f"Kronecker: {counts[-1]} cores over one", "scheduler-aware scales, traditional does not",
                shown(speedup), "cannot be seen" if len(counts) == 1 else scales,
                because(plan.fewer_cores(), "with so few both scale" if at_least(atomic, 0.8 * counts[-1]) == YES else "",
                        noise_text(noise)))
    yield Bars("figure7", "PageRank, edge-pull, Kronecker, by cores", "ms", INTERFACES, across(pull))


def write_intensity(plan):
    """Figure 8: components that write each candidate, whether or not it is smaller."""
    components = {"algorithm": "connected_components"}
    noise = plan.noises(plan.pull, **components)
    aware, usual, intense = (plan.by_graph(plan.pull, **components, **more) for more in (
        {}, {"phase_interface": "traditional"}, {"phase_interface": "traditional", "write_intense": "true"}))
    more = over(intense, usual, noise)
    by_two = {g: f"{times(ratio(usual[g], aware[g]))} and {times(ratio(intense[g], aware[g]))}" for g in plan.graphs}
    yield Claim("PPoPP, figure 8", "components, edge-pull: scheduler-aware over traditional, usual and write-intense",
                "the more writes, the larger the gain", listed(by_two), gains(more.values()),
                because(plan.fewer_cores(), f"writing always costs the traditional interface {shown(more)}", noise_text(noise)))
    yield Bars("figure8", "connected components, edge-pull", "ms", ["scheduler_aware", "traditional", "write_intense"],
               {g: [aware[g], usual[g], intense[g]] for g in plan.graphs})


def packing(plan):
    """Figure 9a."""
    full = {g: {lanes: plan.packing(s, lanes) for lanes in (4, 8, 16)} for g, s in plan.graphs.items()}
    low = [g for g, f in full.items() if f[4] <= 0.75]
    yield Claim("PPoPP, figure 9a", "packing efficiency with 4, 8 and 16 lanes", "above 75 % with 4 nearly always",
                listed({g: " / ".join(f"{100 * x:.0f}" for x in f.values()) + " %" for g, f in full.items()}), NO if low else YES,
                because(f"below: {', '.join(low)}" if low else "", "counted: no noise"))
    yield Bars("figure9a", "packing efficiency, by lanes", "", ["4", "8", "16"], full)


def scales_of_rmats(options):
    return sorted({max(3, options.scale - 2 * k) for k in range(5)})


def packing_of_rmats(plan):
    """Figure 9b: R-MATs of several sizes and densities."""
    scales = scales_of_rmats(plan.options)
    full = {edges: {lanes: [plan.packing((f"--generate=kronecker:{scale}:edgefactor={edges}", "--symmetrize"), lanes) for scale in scales]
                    for lanes in (4, 8, 16)} for edges in EDGES_PER_VERTEX}
    four = {edges: of[4] for edges, of in full.items()}
    grows = all(number(one) <= number(next_one) for one, next_one in zip(four.values(), list(four.values())[1:]))
    spread = max(max(of) - min(of) for of in four.values())
    yield Claim("PPoPP, figure 9b", f"packing efficiency with 4 lanes, by generated edges per vertex, of {len(scales) * len(four)} R-MATs",
                "grows with the degree", listed({edges: f"{100 * number(of):.0f} %" for edges, of in four.items()}), YES if grows else NO,
                f"medians of {len(scales)} sizes, which differ by {100 * spread:.0f} points at most; counted: no noise",
                f"30 graphs; {len(scales) * len(four)} of 2^{scales[0]} to 2^{scales[-1]} vertices")
    yield Bars("figure9b", "packing efficiency of R-MATs, by edges per vertex", "", ["4", "8", "16"], full)


def vectors(plan):
    """Figure 10: vector over scalar code, phase by phase and end to end."""
    phases = {"edge-pull": plan.pull, "edge-push": plan.push, "vertex": plan.vertex, "end to end": plan.total}
    noise = {p: plan.noises(of) for p, of in phases.items()}
    gain = {p: over(plan.by_graph(of, simd="scalar"), plan.by_graph(of), noise[p]) for p, of in phases.items()}
    mean = {p: mean_ratio(of.values()) for p, of in gain.items()}
    compact = geometric_mean(ratio(plan.pull(s, encoding="compact", simd="scalar"), plan.pull(s, encoding="compact")).mid
                             for s in plan.graphs.values())
    expected = {"edge-pull": "about 2x", "edge-push": "little", "vertex": "little", "end to end": "most of edge-pull's"}
    for phase, of in gain.items():
        why = ""
        if phase == "edge-pull":  # "about" is taken as: 1.6 or more
            holds = at_least(mean[phase], 1.6)
            why = because("the loads of the sources are the same" if holds != YES else "",
                          f"compact encoding {times(compact)}", "the scalar code is what the compiler makes of it")
        elif phase == "end to end":
            holds, why = at_least(mean[phase], max(1, 0.8 * mean["edge-pull"].mid)), "pull only"
        else:  # "little": less than half as much again
            holds = between(mean[phase], 1 / 1.5, 1.5)
        yield Claim("PPoPP, figure 10", f"PageRank, {phase}: vectors over scalar code", expected[phase], shown(of), holds,
                    because(why, noise_text(noise[phase])))
    yield Bars("figure10", "PageRank: vector over scalar code", "times", list(plan.graphs), gain)


def vectors_elsewhere(plan):
    """Figure 10b: whole runs of the two other algorithms."""
    gain = {}
    for algorithm in ("connected_components", "bfs"):
        whole = {"algorithm": algorithm, "engine": "hybrid"}
        noise = plan.noises(plan.total, **whole)
        gain[algorithm] = over(plan.by_graph(plan.total, simd="scalar", **whole), plan.by_graph(plan.total, **whole), noise)
        yield Claim("PPoPP, figure 10b", f"{algorithm}, end to end: vectors over scalar code", "a gain", shown(gain[algorithm]),
                    gains(gain[algorithm].values()), because("pulls and pushes", noise_text(noise)))
    yield Bars("figure10b", "whole runs: vector over scalar code", "times", list(plan.graphs), gain)


def engines(plan):
    """Section 5: pull only, push only, and the choice in each iteration."""
    rows = {}
    for algorithm in ("pagerank", "connected_components", "bfs"):
        time = {g: [plan.total(s, algorithm=algorithm, engine=e) for e in ENGINES] for g, s in plan.graphs.items()}
        noise = plan.noises(plan.total, algorithm=algorithm)
        rows |= {f"{algorithm}/{g}": t for g, t in time.items()}
        lost = {g: ratio(t[2], min(t[:2], key=number), noise[g]) for g, t in time.items()}
        worst = max(lost.values(), key=lambda r: r.mid)
        yield Claim("PPoPP, section 5", f"{algorithm}: pull only / push only / hybrid, ms", "hybrid is as fast as the better",
                    listed({g: " / ".join(f"{number(x):.3g}" for x in t) for g, t in time.items()}),
                    both(*(at_most(r, 1.15) for r in lost.values())),
                    f"hybrid takes {times(worst)} of the better at worst; {noise_text(noise)}")
    yield Bars("engines", "a whole run", "ms", ENGINES, rows, log=True)


def baselines(plan):
    """What the paper's vectors are worth against plain rows, pulled and pushed."""
    noise = plan.noises(plan.pull)
    wide, compact, rows = (plan.by_graph(plan.pull, **flags) for flags in ({}, {"encoding": "compact"}, {"loop": "vertices"}))
    over_wide, over_compact = over(rows, wide, noise), over(rows, compact, noise)
    yield Claim("PPoPP, baselines", "PageRank, edge-pull: Vector-Sparse over compressed rows (CSR), wide and compact encoding",
                "ahead of engines over rows: up to 15.2x Ligra, 4.6x Polymer, 4.7x GraphMat, 66.8x X-Stream (elsewhere)",
                listed({g: f"{times(over_wide[g])} and {times(over_compact[g])}" for g in plan.graphs}), gains(over_wide.values()),
                because("the rows' loop is in the same program, and deals vertices in chunks",
                        f"compact: {gains(over_compact.values())}", noise_text(noise)))
    along_vectors, along_rows = (plan.by_graph(plan.push, push_along=way) for way in ("vectors", "rows"))
    twice = plan.noises(plan.push)
    gain = over(along_rows, along_vectors, twice)
    yield Claim("PPoPP, baselines", "PageRank, edge-push: the paper's vectors over the push of the other programs, along rows",
                "little", shown(gain), between(mean_ratio(gain.values()), 1 / 1.5, 1.5),
                because("rows also note which vertices got something", noise_text(twice)))
    yield Bars("baselines", "PageRank, an edge phase", "ms", ["wide_pull", "compact_pull", "row_pull", "wide_push", "row_push"],
               across({"wide": wide, "compact": compact, "rows": rows, "pushes": along_vectors, "row pushes": along_rows}))


PARTS = {part: Part(["engine_lab"], f"{PAPER_CORES} cores, 16 M to 3.7 G edges", lambda o: f"{o.cores} cores, graphs of 2^{o.scale} vertices") for part in (
    scheduler_awareness, chunk_sizes, cores, write_intensity, packing, packing_of_rmats, vectors, vectors_elsewhere, engines, baselines)}
