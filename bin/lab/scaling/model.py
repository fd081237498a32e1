"""How long gups, PageRank and BFS take on many nodes, as sums over measured pieces: a LogGP model with the CPU's part of each message.

A *phase* is what a job does between two points at which all cores wait for each other: core seconds of work, bytes and
parcels between nodes, and steps that can only follow one another. It takes

    max(CPU, wire) + steps     CPU  = (work + bytes x byte + parcels x parcel) / cores x cores per CPU
                               wire = bytes of a node / rate
                               step = the way there, or what the messages of all nodes take of the CPUs that they share

Not in it: differences between nodes (every core has the mean of everything), congestion within the network, noise of the
system, memory bandwidth that cores share, NUMA. Symmetrized Kronecker graphs only.
"""

import bisect
import math
import re
from dataclasses import dataclass, field, replace

from lab.runs import ROOT


def constant(file, name):
    """A whole number that the sources define, or assert of a size, by this name."""
    found = re.search(rf"\b{re.escape(name)} ==? ([\d'<> ]+)", (ROOT / file).read_text())
    if not found:
        raise ValueError(f"{file} has no {name} with a number")
    factor, _, power = found[1].replace("'", "").partition("<<")
    return int(factor) << int(power or 0)


BLOCK = constant("system/messages/block.hpp", "block_bytes")
PARCEL = constant("system/messages/post_office.hpp", "parcel_bytes")
BLOCK_HEAD, RUN_HEAD = (constant("system/messages/block.hpp", f"sizeof({head})") for head in ("block", "run_header"))
PAYLOAD = constant("system/collectives/exchange.cpp", "step")
# The flush timeout of a busy core is between these, grows with the cost of blocks, and is checked so many times meanwhile.
FLUSH_AGE = 1e-9 * constant("system/messages/messenger.hpp", "flush_age_ns")
MOST_AGE = 1e-9 * constant("system/runtime/job_options.cpp", "most_flush_age_ns")
AGE_FOR_COST = constant("system/messages/flush_policy.hpp", "ages_per_cost")
LOOKS = constant("system/messages/open_blocks.hpp", "looks_per_age")
POLL_UPDATES = constant("applications/messaging/random_updates.hpp", "updates_between_polls")
MOST_REDUCED = constant("system/collectives/meeting.hpp", "max_result")
REDUCTION_BYTES = 64  # the values reduced after a superstep
UPDATE_BYTES, VALUE_BYTES = 4, 4
TURN_NODES = 4  # number of nodes for which a collective is measured
EDGES_PER_VERTEX = 32  # sampled, both directions; duplicates are kept once


@dataclass(frozen=True)
class Cluster:
    nodes: int
    cores_per_node: int = 1             # of the one locale of each node
    rate: float = math.inf              # bytes per second that a node can send, and receive
    delay: float = 0.0                  # seconds each way, beyond the hop that was measured
    cpus: int | None = None  # CPUs that all nodes share, or None for a CPU for each core
    burst: float = 0.0                  # bytes that a node may send at once whatever the rate, as by a token bucket
    one_process: bool = False           # its nodes are locales of one process

    @property
    def cores(self):
        return self.nodes * self.cores_per_node

    @property
    def cores_per_cpu(self):
        return max(1.0, self.cores / self.cpus) if self.cpus else 1.0


class Curve:
    """Measured points (x, y); between them by the logarithm of x, before the first as the first, beyond the last as between the last two, if
    y grows there, and else as the last: noise must not lead to 0."""

    def __init__(self, points):
        self.points = sorted(points)

    def __call__(self, x):
        xs = [math.log2(at) for at, _ in self.points]
        ys = [y for _, y in self.points]
        if len(xs) == 1 or math.log2(x) <= xs[0]:
            return ys[0]
        k = min(bisect.bisect_right(xs, math.log2(x)), len(xs) - 1)
        slope = (ys[k] - ys[k - 1]) / (xs[k] - xs[k - 1])
        if math.log2(x) > xs[k]:
            return ys[k] + max(0.0, slope) * (math.log2(x) - xs[k])
        return ys[k - 1] + slope * (math.log2(x) - xs[k - 1])


@dataclass(frozen=True)
class Pieces:
    """Seconds, of one core where nothing else is said."""
    update: float                       # gups: draw, pack, handle one of its own
    edge: Curve                         # PageRank: one edge, by the vertices whose values a locale reads
    search: Curve                       # BFS: a whole search over the edges of the graph, likewise
    split: dict = field(default_factory=dict)  # program -> part of the work that several locales add
    mirror: dict = field(default_factory=dict)  # program -> work of both ends for a mirrored vertex, beside the sending
    crowd: dict = field(default_factory=dict)  # program -> CPU of a message among cores that share CPUs, which are not running when it comes
    byte: float = 0.0  # to another node: work of both ends
    parcel: float = 0.0                 # likewise
    relay: float = 0.0  # a byte, by the switch that delays if nodes share CPUs: it is a process like the others
    hop: float = 0.0  # a message's way to another node whose core waits for it
    turn: float = 0.0                   # CPU of a message of a collective among TURN_NODES nodes that share CPUs
    edges_per_vertex: float = 29.0  # left of EDGES_PER_VERTEX
    supersteps: float = 7.0             # of a search
    pulls: float = 3.0                  # of these
    pushed: Curve = field(default_factory=lambda: Curve([(2**18, 0.004)]))  # share of the edges that a search pushes along, by vertices


@dataclass(frozen=True)
class Phase:
    """Of the whole job, but for `steps` and `tail`."""
    work: float                         # core seconds
    bytes: float = 0.0
    messages: float = 0.0  # payload bytes are packed into this many
    parcels: float = 0.0
    collectives: float = 0.0            # one after the other
    hops: float = 0.0                   # one after the other, beside those of the collectives
    tail: float = 0.0  # share of the work that begins when all bytes have arrived


# Collectives by dissemination among fours: rounds_test.cpp counts the same.

def collective(nodes):
    """Its rounds, and the messages that a locale sends."""
    fours = 0
    while nodes >= 4:
        nodes, fours = nodes / 4, fours + 1
    rounds, messages = (0, 0) if nodes == 1 else (1, int(nodes) - 1) if nodes in (2, 3) else (2, 2)
    return fours + rounds, 3 * fours + messages


# Graphs.

def vertices_reached(scale, nodes, share=1.0):
    """Pairs of a vertex and a locale other than its own which an edge of the vertex leads to, of a Kronecker graph of 2^scale
    vertices: its mirrors; with a share of the edges, at random, those that are told. A vertex whose number has k ones of `scale`
    has a number of edges that is Poisson's, and so is how many of them lead to one of the locales: exact but for the choice of locales by edges."""
    drawn = share * EDGES_PER_VERTEX * 2.0**scale
    return sum(math.comb(scale, k) * (nodes - 1) * -math.expm1(-drawn * 0.76 ** (scale - k) * 0.24**k / nodes) for k in range(scale + 1))


MOST_LEFT, LEAST_SAVED = (constant("framework/graph/build/place_on_grid.cpp", name) for name in ("most_left_of_100", "least_saved"))


@dataclass(frozen=True)
class Cut:
    """Where edges lie: each locale mirrors vertices of some peers, and keeps edges of guests from others."""
    mirrors: float                      # of all locales
    guests: float
    mirror_peers: int                   # of a locale
    guest_peers: int

    @property
    def values(self):
        return self.mirrors + self.guests

    @property
    def peers(self):
        return self.mirror_peers + self.guest_peers


def sides(nodes):
    """Rows and columns of a grid as square as the number of locales permits."""
    rows = max(r for r in range(1, math.isqrt(nodes) + 1) if nodes % r == 0)
    return rows, nodes // rows


def by_target(scale, nodes):
    return Cut(vertices_reached(scale, nodes), 0.0, nodes - 1, 0)


def on_grid(scale, nodes):
    """A vertex is mirrored in every row of locales that its edges lead to, and a guest in every column that they come from."""
    rows, columns = sides(nodes)
    return Cut(vertices_reached(scale, rows), vertices_reached(scale, columns), rows - 1, columns - 1)


def cut_of(program, scale, cluster):
    """As the build chooses; searches keep rows, which lie by target."""
    plain, grid = by_target(scale, cluster.nodes), on_grid(scale, cluster.nodes)
    pays = program == "pagerank" and not cluster.one_process and min(sides(cluster.nodes)) > 1 and grid.values < MOST_LEFT / 100 * plain.values and plain.values - grid.values > LEAST_SAVED * cluster.cores
    return grid if pays else plain


def messages_of(bytes_of_pair, cores):
    """Messages, and parcels, from the cores of a locale to another: each core tells it by itself, in messages that are full but for the last."""
    each = bytes_of_pair / cores
    return cores * max(1.0, math.ceil(each / PAYLOAD)), cores * max(1.0, math.ceil(each / PARCEL))


# Programs.

def gups(pieces, cluster, updates):
    """A trial: `updates` over all cores, at random words."""
    remote = updates * (1 - 1 / cluster.nodes)
    filled = updates_per_block(pieces, cluster)
    blocks = min(remote, max(remote / filled, cluster.cores * (cluster.nodes - 1) * cluster.cores_per_node if remote else 0))
    to_all, waves = 2.0, 4 * math.ceil(math.log(cluster.nodes, 8)) if cluster.nodes > 1 else 0.0
    parcels = blocks / parcels_share(cluster) + 2 * (cluster.nodes - 1)
    return Phase(updates * pieces.update, remote * UPDATE_BYTES + blocks * (BLOCK_HEAD + RUN_HEAD), remote, parcels,
                 hops=to_all + waves if cluster.nodes > 1 else 0)


def flush_age(pieces, cluster):
    """Of a busy core's blocks for other nodes: the more of them are open and the more one costs, the older they get."""
    cost = (cluster.nodes - 1) * cluster.cores_per_node * pieces.parcel / parcels_share(cluster)
    return max(FLUSH_AGE, min(AGE_FOR_COST * cost, max(MOST_AGE, 2 * cost)))


def updates_per_block(pieces, cluster):
    """Blocks leave full, or for their age, for which a core looks after so many updates only. Meanwhile a core with a CPU of its own handles about
    as many parcels as it sends; one that shares its CPU met them when its turn began, and then only sends: so it is counted."""
    most = (BLOCK - BLOCK_HEAD - RUN_HEAD) / UPDATE_BYTES
    parcel = (1 - 1 / cluster.nodes) * pieces.parcel / parcels_share(cluster) if cluster.cores_per_cpu == 1 else 0.0
    age, filled = flush_age(pieces, cluster), most
    for _ in range(100):
        during = (age + max(POLL_UPDATES * pieces.update, age / LOOKS)) / (pieces.update + parcel / filled)
        filled = (filled + min(most, max(1.0, max(2 * POLL_UPDATES, during) / cluster.cores))) / 2
    return filled


def parcels_share(cluster):
    """Blocks in a parcel that are not full: those for the cores of a locale get old together, as far as there are updates for all."""
    return max(1.0, min(cluster.cores_per_node, POLL_UPDATES / cluster.nodes))


def work_on_graph(pieces, cluster, program, scale, cut=None):
    """Each locale reads values of own vertices and mirrors."""
    cut = cut or cut_of(program, scale, cluster)
    seen = (2.0**scale + cut.mirrors) / cluster.nodes
    alone = pieces.edges_per_vertex * 2.0**scale * (pieces.edge if program == "pagerank" else pieces.search)(seen)
    if cluster.nodes == 1:
        return alone
    return alone * (1 + pieces.split.get(program, 0.0)) + cut.values * pieces.mirror.get(program, 0.0)


def on_graph(pieces, cluster, program, work, payload, messages, parcels, **steps):
    """The phase with the heads of messages and blocks, and with what cores that share CPUs lose by its messages."""
    phase = Phase(work, payload + messages * 24 + parcels * (BLOCK_HEAD + RUN_HEAD), messages, parcels, **steps)
    lost = pieces.crowd.get(program, 0.0) * messages_sent(cluster, phase) if cluster.cores_per_cpu > 1 else 0.0
    return replace(phase, work=work + lost)


def messages_sent(cluster, phase):
    return phase.parcels + phase.collectives * cluster.nodes * collective(cluster.nodes)[1]


def pagerank(pieces, cluster, scale, cut=None):
    """An iteration that pulls. On a grid totals of guests make a second trip, beside the edges of own vertices."""
    cut = cut or cut_of("pagerank", scale, cluster)
    work = work_on_graph(pieces, cluster, "pagerank", scale, cut)
    if cluster.nodes == 1:
        return Phase(work)
    values = cut.values * VALUE_BYTES
    pairs = cluster.nodes * cut.peers
    messages, parcels = messages_of(values / pairs, cluster.cores_per_node)
    return on_graph(pieces, cluster, "pagerank", work, values, pairs * messages, pairs * parcels, collectives=1, hops=2 if cut.guests else 1,
                    tail=1 / cluster.nodes)


BITS_PER_MIRROR, BITS_HEAD = 2.5, 4.5   # of a search, words or list, whichever is shorter; of a message of bits, however few: counted on 2 to 64 locales
TOLD_PER_PUSH = 0.17  # mirrored vertices of frontiers that push, relative to the mirrors that their edges reach: counted likewise


def messages_of_bits(cluster, scale, pieces):
    """Of a pair of locales in a search: none where there is nothing new. The large frontiers, before and behind a pull, have something for
    every peer. Of the others one has most vertices, the rest a thirtieth each."""
    pairs = cluster.nodes * (cluster.nodes - 1)
    told = TOLD_PER_PUSH * vertices_reached(scale, cluster.nodes, pieces.pushed(2.0**scale)) / pairs
    others = max(0.0, pieces.supersteps - pieces.pulls - 1)
    return pieces.pulls - math.expm1(-told) - others * math.expm1(-told / 30)


def bytes_of_bits(mirrors, messages):
    return mirrors * BITS_PER_MIRROR / 8 + messages * BITS_HEAD


def bytes_of_sums(cluster, supersteps):
    """How many messages of bits go to each core, 4 bytes, in the reductions of supersteps; where they do not fit, 8 bytes in a collective of their own."""
    if REDUCTION_BYTES + 4 * cluster.cores <= MOST_REDUCED:
        return supersteps * cluster.nodes * collective(cluster.nodes)[1] * 4 * cluster.cores
    return supersteps * cluster.nodes * 8 * cluster.cores


def bfs(pieces, cluster, scale):
    """A search: behind every superstep the bits of what it has found leave with a reduction."""
    work = work_on_graph(pieces, cluster, "bfs", scale)
    if cluster.nodes == 1:
        return Phase(work)
    pairs, cores = cluster.nodes * (cluster.nodes - 1), cluster.cores_per_node
    exchanges = messages_of_bits(cluster, scale, pieces)
    bits = bytes_of_bits(vertices_reached(scale, cluster.nodes), pairs * exchanges)
    tellers = 1 if cluster.nodes > cores and bits / pairs / exchanges <= PAYLOAD else cores
    of_exchange, parcels_of_exchange = messages_of(bits / pairs / exchanges, tellers)
    messages, parcels = (pairs * exchanges * of_one for of_one in (of_exchange, parcels_of_exchange))
    sums = bytes_of_sums(cluster, pieces.supersteps + 1)
    return on_graph(pieces, cluster, "bfs", work, bits + sums, messages, parcels, collectives=pieces.supersteps + 1, hops=1, tail=1.0)


PHASES = {"gups": gups, "pagerank": pagerank, "bfs": bfs}


# Time.

def collective_seconds(pieces, cluster):
    if cluster.nodes == 1:
        return 0.0
    rounds, messages = collective(cluster.nodes)
    way = rounds * (pieces.hop + cluster.delay)
    if not cluster.cpus or cluster.cores <= cluster.cpus:
        return way
    # Before the core that a message is for gets its turn, all other waiting cores of its CPU poll the transport.
    turn = pieces.turn * cluster.cores_per_cpu / max(1.0, TURN_NODES / cluster.cpus)
    return max(way, cluster.nodes * messages * turn / cluster.cpus + rounds * cluster.delay)


def parts(pieces, cluster, phase):
    """Seconds by cause: work, the CPU's part of bytes and of parcels, the wire beyond these, and steps."""
    shared = cluster.cores_per_cpu / cluster.cores
    work, of_bytes, of_parcels = (shared * of for of in (phase.work, phase.bytes * pieces.byte, phase.parcels * pieces.parcel))
    if cluster.cpus and cluster.delay:  # the switch works while all nodes wait for the way there, as far as that is enough
        waits = (phase.collectives * collective(cluster.nodes)[0] + phase.hops) * cluster.delay
        of_bytes += max(0.0, shared * phase.bytes * pieces.relay - waits)
    cpu = work + of_bytes + of_parcels
    sent = phase.bytes / cluster.nodes
    wire = max(sent / cluster.rate, max(0.0, sent - cluster.burst) / cluster.rate + phase.tail * work) if sent > cluster.burst else sent / cluster.rate
    steps = phase.collectives * collective_seconds(pieces, cluster) + phase.hops * (pieces.hop + cluster.delay)
    return {"work": work, "bytes": of_bytes, "parcels": of_parcels, "wire": max(0.0, wire - cpu), "steps": steps}


def seconds(pieces, cluster, program, size):
    """size: gups: updates; others: log2 of the vertices."""
    return sum(parts(pieces, cluster, PHASES[program](pieces, cluster, size)).values())


# Memory of a node, bytes, as in docs/design/scale.md.

def memory(cluster, scale):
    blocks = cluster.cores_per_node * max(32 << 20, cluster.cores * (32 << 10))
    blocks = min(blocks, cluster.cores_per_node * cluster.cores * 16 * BLOCK)
    parcels = (4 * (cluster.nodes - 1) + 8) * PARCEL if cluster.nodes > 1 else 0
    mirrors = 24 * vertices_reached(scale, cluster.nodes) / cluster.nodes if cluster.nodes > 1 else 0
    return {"blocks": blocks, "parcels": parcels, "mirrors": mirrors}


def on_nodes(cluster, cores):
    """The cluster with so many cores: part of a node, or whole nodes."""
    if cores <= cluster.cores_per_node:
        return replace(cluster, nodes=1, cores_per_node=cores)
    return replace(cluster, nodes=round(cores / cluster.cores_per_node))
