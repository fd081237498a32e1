"""Walks and sampled neighbours of the Python package, against definitions.  python samples_test.py [UNITTEST_ARGUMENT...]"""

import unittest

import numpy as np
import orujo
from random_graphs import random_edges


def setUpModule():
    orujo.start(cores=2)


class walks(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.sources, cls.targets = random_edges()
        cls.g = orujo.Graph((cls.sources, cls.targets, np.ones(len(cls.sources))), vertices=210)
        cls.edges = set(zip(cls.sources.tolist(), cls.targets.tolist()))

    def test_every_step_is_an_edge(self):
        for options in ({}, {"p": 0.25, "q": 4}, {"p": 4, "q": 0.5, "weighted": True}):
            found = orujo.random_walks(self.g, num_walks=3, walk_length=12, **options)
            self.assertEqual((found.shape, found.dtype), ((630, 13), np.int64))
            self.assertEqual(found[:, 0].tolist(), np.repeat(np.arange(210), 3).tolist())
            for walk in found.tolist():
                length = walk.index(-1) if -1 in walk else 13
                self.assertEqual(set(walk[length:]) - {-1}, set())
                self.assertTrue(all(step in self.edges for step in zip(walk[: length - 1], walk[1:length])))
                self.assertTrue(length == 13 or self.g.out_degrees[walk[length - 1]] == 0)

    def test_seeds_repeat(self):
        found = [orujo.random_walks(self.g, num_walks=1, walk_length=9, q=0.5, seed=s).tolist() for s in (1, 1, 2)]
        self.assertEqual(found[0], found[1])
        self.assertNotEqual(found[0], found[2])

    def test_weights_and_biases_are_probabilities(self):
        # The edge 2 - 3 weighs 6. After 1 and 2, a walk goes back with 1/p, to 0, which has an edge to 1, with 1, to 3 with 6/q.
        g = orujo.Graph(([0, 0, 1, 2], [1, 2, 2, 3], [1.0, 1, 1, 6]), symmetrize=True)
        found = orujo.random_walks(g, num_walks=20000, walk_length=2, p=0.5, q=2, weighted=True)
        steps = found[(found[:, 0] == 1) & (found[:, 1] == 2), 2]
        shares = np.bincount(steps, minlength=4) / len(steps)
        np.testing.assert_allclose(shares, np.array([1, 2, 0, 3]) / 6, atol=0.015)
        shares = np.bincount(found[found[:, 0] == 2, 1], minlength=4) / 20000
        np.testing.assert_allclose(shares, np.array([1, 1, 0, 6]) / 8, atol=0.015)

    def test_metapaths(self):
        types = np.arange(210) % 3
        words = {v: "abc"[v % 3] for v in range(210) if v % 3 < 2}
        found = orujo.random_walks(self.g, num_walks=2, walk_length=5, types=types, metapath=[1, 0, 0, 1])
        self.assertEqual(found[:, 0].tolist(), np.repeat(np.arange(1, 210, 3), 2).tolist())
        self.assertEqual(found.tolist(), orujo.random_walks(self.g, num_walks=2, walk_length=5, types=words, metapath="baab").tolist())
        ends = 0
        for walk in found.tolist():
            for k, (a, b) in enumerate(zip(walk, walk[1:])):
                next_type = (0, 0, 1, 0, 0)[k]
                if b >= 0:
                    self.assertIn((a, b), self.edges)
                    self.assertEqual(types[b], next_type)
                elif a >= 0:
                    ends += 1
                    self.assertFalse(any(s == a and t % 3 == next_type for s, t in self.edges))
        self.assertGreater(ends, 0)
        named = orujo.Graph([("ann", "p"), ("bob", "p")], symmetrize=True)
        walks = orujo.random_walks(named, num_walks=9, walk_length=1, types={"p": 7, "ann": 8}, metapath=[7, 8, 7])
        self.assertEqual({tuple(named.ids[v] for v in walk) for walk in walks}, {("p", "ann")})
        self.assertEqual(orujo.random_walks(self.g, walk_length=5, types=types, metapath=[9, 0, 9]).shape, (0, 6))
        for wrong, said in (
            ({"metapath": [0, 1, 0]}, "metapath="), ({"types": types}, "metapath="), ({"types": types, "metapath": [0, 1]}, "metapath="),
            ({"types": types[:9], "metapath": [0, 1, 0]}, "len.types.=9"), ({"types": types, "metapath": [0, 1, 0], "p": 2}, "p, q="),
            ({"types": {999: 1}, "metapath": [0, 1, 0]}, "no vertex 999"),
        ):  # fmt: skip
            with self.assertRaisesRegex(ValueError, said):
                orujo.random_walks(self.g, **wrong)

    def test_times(self):
        times = np.arange(len(self.sources)) % 50
        g = orujo.Graph((self.sources, self.targets, times), vertices=210)
        of_edge = {}
        for s, t, time in zip(self.sources.tolist(), self.targets.tolist(), times.tolist()):
            of_edge.setdefault((s, t), set()).add(time)
        lengths = set()
        for walk in orujo.random_walks(g, num_walks=3, walk_length=12, timed=True).tolist():
            time = 0  # the earliest that is possible
            for a, b in zip(walk, walk[1:]):
                if b >= 0:
                    time = min(t for t in of_edge[a, b] if t >= time)
            lengths.add(walk.index(-1) if -1 in walk else 13)
        self.assertGreater(len(lengths), 3)
        path = orujo.Graph(([0, 1, 1], [1, 2, 3], [5.0, 4, 5]))
        self.assertEqual(orujo.random_walks(path, num_walks=1, walk_length=3, timed=True)[0].tolist(), [0, 1, 3, -1])
        for wrong in ({"weighted": True}, {"q": 2}):
            with self.assertRaisesRegex(ValueError, "timed"):
                orujo.random_walks(path, timed=True, **wrong)

    def test_mistakes(self):
        for wrong in ({"p": 0}, {"q": 1e7}, {"num_walks": 0}, {"walk_length": -1}, {"seed": -1}):
            with self.assertRaisesRegex(ValueError, f"{next(iter(wrong))}=.*must be from"):
                orujo.random_walks(self.g, **wrong)
        negative = orujo.Graph(([0], [1], [-1.0]))
        with self.assertRaisesRegex(ValueError, "negative weights"):
            orujo.random_walks(negative, weighted=True)
        with self.assertRaisesRegex(ValueError, r"random_walks\(weighted=True\) requires a graph with weights"):
            orujo.random_walks(orujo.Graph([(0, 1)]), weighted=True)
        self.assertEqual(orujo.random_walks(negative, num_walks=1, walk_length=1).tolist(), [[0, 1], [1, -1]])
        self.assertEqual(orujo.random_walks(orujo.Graph([]), walk_length=3).shape, (0, 4))
        with self.assertRaisesRegex(MemoryError, "random_walks"):
            orujo.random_walks(self.g, num_walks=2**31, walk_length=2**31)


class neighbours(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.sources, cls.targets = random_edges()
        cls.g = orujo.Graph((cls.sources, cls.targets), vertices=210)
        cls.by_source = np.lexsort((cls.targets, cls.sources))
        cls.by_target = np.lexsort((cls.sources, cls.targets))

    def test_layers(self):
        seeds = [17, 3, 200, 41]
        for edge_dir, replace in (("in", False), ("out", False), ("in", True)):
            s = orujo.neighbor_sample(self.g, seeds, [4, 3, -1], edge_dir=edge_dir, replace=replace, seed=9)
            order, ends = (self.by_target, self.targets) if edge_dir == "in" else (self.by_source, self.sources)
            np.testing.assert_array_equal(s.node[s.row], self.sources[order][s.edge])
            np.testing.assert_array_equal(s.node[s.col], self.targets[order][s.edge])
            self.assertEqual(s.node[:4].tolist(), seeds)
            self.assertEqual(len(set(s.node.tolist())), len(s.node))
            nodes, edges = np.cumsum(s.num_sampled_nodes), np.cumsum(s.num_sampled_edges)
            self.assertEqual((nodes[-1], edges[-1]), (len(s.node), len(s.row)))
            at = s.col if edge_dir == "in" else s.row
            degrees = np.bincount(ends, minlength=210)
            for layer, fanout in enumerate([4, 3, 10**9]):
                first, last = (0, *nodes)[layer], nodes[layer]
                drawn = np.bincount(at[(0, *edges)[layer] : edges[layer]], minlength=last)
                expected = np.minimum(degrees[s.node[first:last]], fanout)
                if replace and fanout < 10**9:
                    expected = np.where(expected > 0, fanout, 0)
                self.assertEqual(drawn[first:last].tolist(), expected.tolist())
                self.assertEqual(drawn[:first].sum(), 0)
            if not replace:
                self.assertEqual(len(set(s.edge.tolist())), len(s.edge))

    def test_blocks(self):
        s = orujo.neighbor_sample(self.g, [5, 6], [3, 2])
        outer, inner = s.blocks()
        self.assertEqual(inner[1].tolist(), [5, 6])
        self.assertEqual(outer[1].tolist(), inner[0].tolist())
        for src, dst, row, col in (outer, inner):
            self.assertEqual(src[: len(dst)].tolist(), dst.tolist())
            self.assertTrue((row < len(src)).all() and (col < len(dst)).all())
        self.assertEqual(len(outer[2]), len(s.row))

    def test_times(self):
        times = np.arange(len(self.sources)) % 50
        g = orujo.Graph((self.sources, self.targets, times), vertices=210)
        order = np.lexsort((times, self.sources, self.targets))
        s = orujo.neighbor_sample(g, range(210), [-1], until=20)
        self.assertEqual(sorted(s.edge.tolist()), np.flatnonzero(times[order] <= 20).tolist())
        s = orujo.neighbor_sample(g, range(210), [2], until=20, latest=True)
        for v in range(210):
            drawn = sorted(times[order][s.edge[s.col == v]].tolist())
            self.assertEqual(drawn, sorted(times[(self.targets == v) & (times <= 20)].tolist())[-2:])
        for wrong, said in (({"latest": True, "replace": True}, "latest="), ({"until": float("nan")}, "until=")):
            with self.assertRaisesRegex(ValueError, said):
                orujo.neighbor_sample(g, [1], [1], **wrong)

    def test_seeds_are_vertices(self):
        g = orujo.Graph([("ann", "bob"), ("cyd", "bob")])
        s = orujo.neighbor_sample(g, ["bob"], [-1])
        self.assertEqual([g.ids[v] for v in s.node], ["bob", "ann", "cyd"])
        self.assertEqual(orujo.neighbor_sample(self.g, np.array([7, 8]), []).node.tolist(), [7, 8])
        self.assertEqual(orujo.neighbor_sample(orujo.Graph([(10**12, 5)], sparse=True), [5], [1]).node.tolist(), [0, 1])

    def test_mistakes(self):
        for seeds, fanouts, options, said in (
            ([210], [1], {}, "no vertex 210"), ([1, 1], [1], {}, "there twice"), ([1], [-2], {}, "fanouts="),
            ([1], [1], {"edge_dir": "both"}, "edge_dir=both"), ([1], [1], {"seed": -1}, "seed="),
        ):  # fmt: skip
            with self.assertRaisesRegex(ValueError, said):
                orujo.neighbor_sample(self.g, seeds, fanouts, **options)


if __name__ == "__main__":
    unittest.main()
