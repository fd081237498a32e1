"""The files that flags_test.py gives to applications."""

import struct
import subprocess


def make_inputs(programs, work):
    rows = ["source,target,c,weight,x"]
    for k in range(60):
        a, b = (k * k + 3 * k) % 23 + 1, (7 * k + k // 5) % 29 + 1
        rows.append(f"{a},{b},{(a + b) % 19 + 1},{k % 7 + 1},{k % 5 + 11}")
    rows += ["1,2,3,9,4", "1,2,3,8,5", "5,5,5,1,1", "101,102,103,2,2", "102,103,101,3,3"]
    (work / "graph.csv").write_text("\n".join(rows) + "\n")
    (work / "acyclic.csv").write_text("source,target,c,weight,x\n1,2,4,3,5\n2,3,4,3,5\n3,4,9,3,5\n3,4,9,3,5\n5,4,9,3,5\n6,3,9,3,5\n7,8,9,3,5\n8,8,9,3,5\n")
    (work / "other.csv").write_text("source,target,c,weight,x\n1,2,3,4,5\n2,3,4,5,6\n3,1,4,5,6\n")
    (work / "types.txt").write_text("".join(f"{k} {'ab'[k % 2]}\n" for k in range(1, 24)))
    (work / "table.csv").write_text("a,b\n" + "".join(f"{k % 3},{k}\n" for k in range(50)) + "A,7\na,7\n")
    (work / "numbers.csv").write_text("".join(f"{k % 13},{k * k % 17},{k}\n" for k in range(40)))
    (work / "named.csv").write_text("source,target,weight\nada,bob,2\nbob,cy,3\ncy,ada,4\n")
    (work / "unnamed_weight.csv").write_text("source,target,c,x\n1,2,3,4\n2,3,4,5\n")
    (work / "announced_weights.txt").write_text("# Nodes: 3 Edges: 9\n1 2 5\n2 3 4\n")
    (work / "ldbc").mkdir()
    (work / "ldbc/g.properties").write_text("graph.g.vertex-file = v\ngraph.g.edge-file = e\ngraph.g.directed = true\n")
    (work / "ldbc/v").write_text("1\n2\n")
    (work / "ldbc/e").write_text("1 2\n")
    (work / "announced.txt").write_text("# Nodes: 3 Edges: 9\n1 2\n2 3\n")
    for name in ("g.mtx", "g.gr", "g.gml", "g.orj", "g.el", "g.graph", "g.adj"):
        subprocess.run([programs / "graph_tool", "generate", "mesh2d:3x3", "--symmetrize", "--cores=1", f"--output={work / name}", "--renumber=" + str(name != "g.orj").lower()],
                       stdout=subprocess.DEVNULL, check=True)
    for name in ("w.el", "w.gml", "w.gr", "w.orj", "w.wsg"):
        subprocess.run([programs / "graph_tool", "generate", "path:5:weights=1..3", "--cores=1", f"--output={work / name}", "--renumber=" + str(name != "w.orj").lower()],
                       stdout=subprocess.DEVNULL, check=True)
    (work / "g.g6").write_text("DQc\n")
    header = "{'descr': '<i4', 'fortran_order': False, 'shape': (4, 3), }".ljust(117) + "\n"
    rows = struct.pack("<12i", *(number for k in range(4) for number in (k, k + 1, k + 7)))
    (work / "w.npy").write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + rows)
    (work / "latin1").write_bytes(b"caf\xe9 au lait\n")
