"""The thesis "Optimizing Communication by Compression for Multi-GPU Scalable Breadth-First Search", Heidelberg 2016: its tables 5.4 and
5.5, and the bytes of a search on a grid of locales."""

import itertools
from statistics import geometric_mean

from lab.papers.claims import NO, NOT_COMPARED, Bars, Claim, Part, at_least, at_most, because, both, listed, noise_text, shown
from lab.rounds import Figure, noise_of, number, ratio
from lab.runs import CPUS, built, on_nodes

CODECS = ["bp128", "pfor", "varint", "stream_varint", "lz4"]
FORMATS = [*CODECS[:-1], "bitmap", "lz4"]
# Lists of numbers that have rows of their own in the tables.
IN_BITS = ("all frontiers", "uniform, 0.001", "uniform, 0.1", "uniform, 0.5", "zipf, scale 10")
IN_SPEEDS = ("all frontiers", "uniform, 0.1", "zipf, scale 10")
SPEEDS = ("compress_per_second", "decompress_per_second")
WHAT = ("column", "row", "parent")  # what is sent
# The ratio of the thesis's codec, S4-BP128, to the entropy of the gaps: 15.1 bits to 14.6.
ABOVE_ENTROPY = 15.1 / 14.6
# Percentage of bytes that it saved in the columns and rows of the grid.
SAVED = {"column": 91.5, "row": 91.8}
# And of the time that the exchanges of these took.
SAVED_TIME = {"column": 80, "row": 83}
SIDES = (1, 2, 4)  # of grids of locales
PARTS_OF_SEARCH = ["expansion", "copies", "row", "column", "reduction", "parents"]


def codecs_of(plan, again=False):
    """List -> codec -> what codec_lab says of it, as lists by round."""
    o = plan.options
    command = plan.command("codec_lab", f"--generate=kronecker:{o.codec_scale}", "--symmetrize", f"--log2_ids={o.codec_scale}",
                          f"--round_ms={o.codec_ms}", cores=1, trials=1)
    found = {}
    for t in itertools.chain(*plan.figures(command, lambda ran: ran.stats["trials"], again, placeholder=[])):
        name = "all frontiers" if t["lists"].startswith("all frontiers") else t["lists"]
        if not t["lists"].startswith("frontier"):
            found.setdefault(name, {}).setdefault(t["codec"], []).append(t)
    return found


def of(entries, key):
    return [t[key] for t in entries]


def table_bits(plan):
    """Table 5.4: bits per integer by codec, beside the entropy."""
    rows = {}
    for name, codecs in codecs_of(plan).items():
        entropy = number(of(codecs["bp128"], "entropy_bits"))
        bits = {c: number(of(t, "bits")) for c, t in codecs.items() if c != "none"}
        best = min(bits, key=bits.get)
        rows[name] = [bits.get(c, 0) for c in FORMATS] + [entropy]
        if entropy == 0 or name not in IN_BITS:  # a single gap has none
            continue
        above = ratio([bits["bp128"]], [entropy])
        pfor = bits["pfor"] / entropy
        yield Claim("thesis, table 5.4", f"{name}: bits per integer, by codec; entropy of the gaps {entropy:.1f}",
                    "bp128 15.1 at an entropy of 14.6", listed({c: f"{b:.1f}" for c, b in bits.items()}), at_most(above, ABOVE_ENTROPY),
                    because("counted: no noise", f"bp128 is {above.mid:.2f} times the entropy, pfor {pfor:.2f}, the least is {best}",
                            "a whole bit per block weighs more the lower the entropy is" if at_most(above, ABOVE_ENTROPY) == NO else "",
                            "of 32 bits it saves " + listed({c: f"{100 * (1 - b / 32):.0f} %" for c, b in bits.items()})))
    yield Bars("table54", "bits per integer of lists of vertices, by codec", "bits", [*FORMATS, "entropy"], rows)


def table_speeds(plan):
    """Table 5.5: integers per second, by codec."""
    found, again = codecs_of(plan), codecs_of(plan, again=True)
    rows = {}
    for name, codecs in found.items():
        packing = {c: t for c, t in codecs.items() if c not in ("none", "bitmap")}
        if packing.keys() >= set(CODECS):
            rows[name] = [number(of(packing[c], key)) / 1e9 for c in CODECS for key in SPEEDS]
        if name not in IN_SPEEDS:
            continue
        noise = noise_of(*((of(codecs["bp128"], key), of(again[name]["bp128"], key)) for key in SPEEDS))
        fastest = [at_least(ratio(of(packing["bp128"], key), of(packing[c], key), noise), 1) for c in packing if c != "bp128" for key in SPEEDS]
        yield Claim("thesis, table 5.5", f"{name}: G integers/s compressed / decompressed", "bp128 is the fastest of the codecs",
                    listed({c: " / ".join(f"{number(of(t, key)) / 1e9:.2g}" for key in SPEEDS)
                            for c, t in packing.items()}), both(*fastest), because("one core, one list at a time", noise_text(noise)))
    yield Bars("table55", "codecs: integers compressed and decompressed", "G/s", [f"{c} {way}" for c in CODECS for way in ("in", "out")], rows)


def search(plan, locales, codec, *more, parts=()):
    """Sums over four searches on a grid of locales: seconds of parts, and bytes sent, as they are and as ids of 64 bits."""
    names = [f"{part}_seconds" for part in parts] + [f"{what}{suffix}" for what in WHAT for suffix in ("_bytes", "_bytes_raw")]
    command = plan.command("graph500", f"--scale={plan.options.codec_scale}", "--partition=2d", "--roots=4", f"--codec={codec}",
                           "--codec_min_bytes=256", *more, locales=locales, cores=1, trials=1)
    return plan.figures(command, lambda ran: {n: sum(t[n] for t in ran.stats["trials"]) for n in names}, placeholder=dict.fromkeys(names, 1.0))[0]


def saving(less, more):
    """In percent, as counted: no noise."""
    return Figure(100 * (1 - less / max(more, 1)))


def bytes_of_a_search(plan):
    """Bytes on a grid of four locales, against 32-bit lists and against ids of 64 bits."""
    o = plan.options
    plain = search(plan, 4, "none")
    packed = {codec: search(plan, 4, codec) for codec in ("bp128", "pfor", "varint")}
    rows = {what: [sent[f"{what}_bytes"] / 1e6 for sent in (plain, *packed.values())] for what in WHAT}
    for what in WHAT:
        lists, ids = plain[f"{what}_bytes"], plain[f"{what}_bytes_raw"]
        least = min(p[f"{what}_bytes"] for p in packed.values())
        saved = {"32-bit lists": saving(least, lists), "64-bit ids": saving(least, ids)}
        bar = SAVED.get(what)
        yield Claim("thesis, chapter 5", f"bytes of the {what}s of a search on 2 x 2 locales, less than 32-bit lists that would be sent else, "
                    "and than 64-bit ids that never are", f"-{bar} % (16 GPUs, scale 22)" if bar else "not told of",
                    listed({k: f"-{v.mid:.1f} %" for k, v in saved.items()}),
                    at_least(saved["32-bit lists"], bar) if bar else NOT_COMPARED,
                    because("counted: no noise", listed({c: f"{p[f'{what}_bytes'] / 1e6:.2f} MB" for c, p in packed.items()})
                            + f", lists {lists / 1e6:.2f} MB",
                            "parents are column indices without an order, of as many bits as the column has" if what == "parent" else ""))
    yield Bars("bytes", f"bytes of four searches on 2 x 2 locales, scale {o.codec_scale}", "MB", ["32-bit lists", *packed], rows)


def exchanges_over_a_link(plan):
    """Table 7.5: what compression saves of the time of exchanges where nodes have links of 1 Gbit/s."""
    o = plan.options
    time, noises = {}, {}
    for codec in ("none", "bp128"):
        program = [built("graph500", o.programs), f"--scale={o.codec_scale}", "--partition=2d", "--roots=4", f"--codec={codec}", "--codec_min_bytes=256"]
        command = on_nodes(program, 4, options=["--rate=1gbit"])
        time[codec] = {what: plan.trials(command, lambda t, what=what: 1e3 * t[f"{what}_seconds"]) for what in SAVED_TIME}
        again = {what: plan.trials(command, lambda t, what=what: 1e3 * t[f"{what}_seconds"], again=True) for what in SAVED_TIME}
        noises[codec] = noise_of(*((time[codec][what], again[what]) for what in SAVED_TIME))
    without = plan.without.get(tuple(command))
    noise = geometric_mean(noises.values())
    for what, bar in SAVED_TIME.items():
        left = ratio(time["bp128"][what], time["none"][what], noise)
        yield Claim("thesis, table 7.5", f"time of the {what} exchanges of a search over links of 1 Gbit/s, packed against lists", f"-{bar} % (16 GPUs)",
                    "not run here" if without else f"{100 * (left.mid - 1):+.0f} %", NOT_COMPARED if without else at_most(left, 1 - bar / 100),
                    because(without or noise_text(noise), "" if without else f"lists {number(time['none'][what]):.3g} ms a search"))
    if not without:
        yield Bars("table75", f"exchanges of a search over 1 Gbit/s, 4 nodes, scale {o.codec_scale}", "ms", list(SAVED_TIME), time)


def scaling_of_grids(plan):
    """Figures 7.1 to 7.3: edges per second of grids of 1 x 1 to 4 x 4 locales of one core, and what a search consists of."""
    o = plan.options
    rates, rows = {"strong": {}, "weak": {}}, {}
    for side in SIDES:
        locales = side * side
        for kind, scale in (("strong", o.codec_scale), ("weak", o.codec_scale - 4 + locales.bit_length() - 1)):
            command = plan.command("graph500", f"--scale={scale}", "--partition=2d", "--roots=4", locales=locales, cores=1, trials=1)
            rates[kind][side] = plan.trials(command, lambda t: t["edges"] / t["seconds"])
            if kind == "strong":
                each = {part: plan.trials(command, lambda t, part=part: 1e3 * t[f"{part}_seconds"]) for part in PARTS_OF_SEARCH}
                rows[f"{side} x {side}"] = list(each.values())
    fit = [side for side in SIDES if side * side <= CPUS]
    for kind, figure in (("strong", "7.1"), ("weak", "7.2")):
        gain = {f"{side} x {side}": ratio(of, rates[kind][1]) for side, of in rates[kind].items()}
        yield Claim(f"thesis, figure {figure}", f"{kind} scaling: edges per second over those of one locale", "grows up to 16 GPUs", shown(gain),
                    both(*(at_least(gain[f"{side} x {side}"], 1) for side in fit[1:])) if len(fit) > 1 else "cannot be seen",
                    because(f"larger grids than {fit[-1]} x {fit[-1]} share {CPUS} CPUs",
                            f"one locale {number(rates[kind][1]) / 1e6:.3g} M/s"))
    yield Bars("figure73", f"a search on grids of locales, scale {o.codec_scale}", "ms", PARTS_OF_SEARCH, rows)


def grids_on_gpus(plan):
    """Breakdown of a search whose expansion runs on a GPU, and its bytes by codec: grids of 1 x 1 to 4 x 4 locales, which share the GPU."""
    o = plan.options
    emulated = o.device == "emulated"
    device = "an emulated GPU" if emulated else "one GPU"
    rows = {}
    for side in SIDES:
        packed = search(plan, side * side, "bp128", f"--device={o.device}", parts=PARTS_OF_SEARCH)
        times = {part: packed[f"{part}_seconds"] for part in PARTS_OF_SEARCH}
        whole = sum(times.values()) or 1
        rows[f"{side} x {side}"] = [1e3 * seconds / 4 for seconds in times.values()]
        shares = {part: f"{100 * seconds / whole:.0f} %" for part, seconds in times.items()}
        where = f"{side} x {side} locales on {device}"
        if side == 1:
            yield Claim("thesis, chapter 5", f"{where}: breakdown of a search", "not told of", listed(shares), NOT_COMPARED,
                        "an emulated GPU is the CPU: its times are none of a GPU's" if emulated else f"scale {o.codec_scale}")
            continue
        plain = search(plan, side * side, "none", f"--device={o.device}")
        saved = {what: saving(packed[f"{what}_bytes"], plain[f"{what}_bytes"]) for what in SAVED}
        yield Claim("thesis, chapter 5", f"{where}: bytes of columns and rows, packed on the GPU, less than 32-bit lists",
                    listed({what: f"-{SAVED[what]} %" for what in saved}), listed({what: f"-{s.mid:.1f} %" for what, s in saved.items()}),
                    both(*(at_least(saved[what], SAVED[what]) for what in saved)),
                    because("counted: no noise", "breakdown " + listed(shares), "times are none of a GPU's" if emulated else ""))
    yield Bars("grids", f"a search on grids of locales on {device}, scale {o.codec_scale}", "ms", PARTS_OF_SEARCH, rows)


PARTS = {part: Part([program], "16 GPUs, scale 22", lambda o: f"CPUs, scale {o.codec_scale}") for part, program in {
    table_bits: "codec_lab", table_speeds: "codec_lab", bytes_of_a_search: "graph500", exchanges_over_a_link: "graph500",
    scaling_of_grids: "graph500", grids_on_gpus: "graph500"}.items()}
