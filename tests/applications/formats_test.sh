#!/usr/bin/env bash
# Reads the example of every format in docs/reference, and says what is wrong with bad files.
source "$(dirname "${BASH_SOURCE[0]}")/application_cases.sh"

# example HEADING [K]: the K-th block below this heading of a page on formats, the first without K.
example() {
  awk -v heading="## $1" -v fence=$((2 * ${2:-1} - 1)) \
    '$0 == heading {here = 1} here && /^```/ {++fences; next} here && fences == fence' \
    "$root/docs/reference/tables.md" "$root/docs/reference/other_formats.md"
}

example 'Edge lists' >"$work/list.txt"
example 'Edge lists' 2 >"$work/names.txt"
example 'Matrix Market' >"$work/matrix"
example DIMACS >"$work/dimacs"
example Tables >"$work/table.csv"
example Tables 2 >"$work/out.konect"
example Tables 3 >"$work/ratings.dat"
example METIS | gzip >"$work/metis.graph.gz"
example Adjacency >"$work/adjacency"
gzip -c "$work/adjacency" >"$work/adjacency.adj.gz"
# The METIS example as the GAP suite has it: 4 vertices, 6 edges.
python3 - "$work/gap" <<'END'
import struct, sys
rows = [[(1, .5), (2, 7)], [(0, .5)], [(0, 7), (3, 8)], [(2, 8)]]
ends = [sum(len(r) for r in rows[:v]) for v in range(5)]
with open(sys.argv[1], "wb") as f:
    f.write(struct.pack("<?qq", False, 6, 4) + struct.pack("<5q", *ends))
    for row in rows:
        for target, weight in row: f.write(struct.pack("<ii", target, int(weight)))
END
python3 - "$work/packed.g500" <<'END'
import struct, sys
edges = [(0, 1, 30), (0, 3, .5), (2 ** 33 + 2, 0, 7)]
with open(sys.argv[1], "wb") as f:
    for a, b, _ in edges: f.write(struct.pack("<III", a % 2 ** 32, b % 2 ** 32, (a >> 32) | (b >> 32) << 16))
with open(sys.argv[1] + ".weights", "wb") as f:
    for _, _, weight in edges: f.write(struct.pack("<f", weight))
END

# reads FILE FORMAT 'VERTICES ... EDGES' APPLICATION FLAG... <EXPECTED OUTPUT, on every split
reads() {
  local file=$1 format=$2 size=$3 split
  shift 3
  cat >"$work/expected"
  for split in '1 1' '1 3' '2 2'; do
    # shellcheck disable=SC2086
    run $split "$1" --graph="$work/$file" --output="$work/output" --verify "${@:2}"
    [[ $status == 0 && $(<"$work/out") == *"$file"*" ($format), $size edge"*", "* ]] && cmp -s "$work/output" "$work/expected"
    report $? "$file is read as $format on $split"
  done
}

reads list.txt edge_list '4 vertices, 3' connected_components < <(printf '%s 0\n' 0 1 2 3)
reads names.txt edge_list '4 vertices, 3' bfs --names --source=carol < <(printf '%s\n' 'alice -1 -1' 'bob carol 1' 'carol carol 0' 'zoë bob 2')
reads matrix matrix_market '3 vertices, 4' sssp --source=2 < <(printf '1 0.5\n2 0\n3 7.5\n')
reads dimacs dimacs '3 vertices, 2' sssp --source=3 < <(printf '1 4\n2 34\n3 0\n')
reads table.csv csv '3 vertices, 2' sssp --source=10 < <(printf '10 0\n20 0.5\n30 2.5\n')
reads ratings.dat csv '4 vertices, 3' sssp --weight_column=3 --source=1 < <(printf '1 0\n2 inf\n3 5\n5 2\n')
printf 'From,To,Km\n1,2,0.5\n2,5,2\n' >"$work/distances.csv"
reads distances.csv csv '3 vertices, 2' sssp --source_column=from --target_column=TO --weight=km --source=1 < <(printf '1 0\n2 0.5\n5 2.5\n')
reads out.konect konect '5 vertices, 3' sssp --source=1 < <(printf '1 0\n2 inf\n3 5\n4 inf\n5 4\n')
reads metis.graph.gz metis '4 vertices, 6' sssp --source=2 < <(printf '1 0.5\n2 0\n3 7.5\n4 15.5\n')
reads gap gap '4 vertices, 6' sssp --source=1 --partition=hash < <(printf '0 0\n1 0\n2 7\n3 15\n')
for file in adjacency adjacency.adj.gz; do
  reads $file adjacency '4 vertices, 3' sssp --source=2 < <(printf '0 7\n1 37\n2 0\n3 7.5\n')
done
reads packed.g500 graph500 '4 vertices, 3' sssp --source=8589934594 < <(printf '0 7\n1 37\n3 7.5\n8589934594 0\n')
printf '%%%%MatrixMarket matrix coordinate pattern general\n5 5 1\n5 2\n' >"$work/isolated"
reads isolated matrix_market '5 vertices, 1' connected_components < <(printf '1 1\n2 2\n3 3\n4 4\n5 2\n')
example METIS >"$work/by_hand"
reads by_hand metis '4 vertices, 6' connected_components --format=metis < <(printf '%s 1\n' 1 2 3 4)

printf '1 2 {}\n2 5 {"a": "x"}\n' >"$work/networkx.edgelist"
reads networkx.edgelist edge_list '3 vertices, 2' connected_components < <(printf '%s 1\n' 1 2 5)
printf "1 2 {'since': 'May, 7', 'weight': 0.5}\n2 5 {'weight': 2}\n" >"$work/networkx.txt"
reads networkx.txt edge_list '3 vertices, 2' sssp --source=1 < <(printf '1 0\n2 0.5\n5 2.5\n')
printf 'WeightedEdgeArray\n0 1 2\n1 4 3\n' >"$work/pbbs"
reads pbbs edge_list '3 vertices, 2' sssp --source=0 < <(printf '0 0\n1 2\n4 5\n')
printf 'c text\np max 3 2\nn 1 s\nn 3 t\na 1 2 5\na 2 3 4\n' >"$work/flow.max"
reads flow.max dimacs '3 vertices, 2' sssp --source=1 < <(printf '1 0\n2 5\n3 9\n')

k=0
for suffix in graphml gexf gml net dot json g6 adjlist; do example Documents $((++k)) >"$work/example.$suffix"; done
reads example.graphml graphml '3 vertices, 3' sssp --source=n0 < <(printf 'n0 0\nn1 0.5\nn2 2.5\n')
reads example.gexf gexf '3 vertices, 3' sssp --names --source=Cy < <(printf 'Ann 1\n"Bob B" 1.5\nCy 0\n')
reads example.gml gml '2 vertices, 1' sssp --source=1 < <(printf '1 0\n2 0.5\n')
reads example.gml gml '2 vertices, 1' connected_components --names < <(printf 'Ann Ann\n"Bob & Cy" Ann\n')
reads example.net pajek '3 vertices, 3' sssp --source=1 < <(printf '1 0\n2 0.5\n3 7.5\n')
reads example.dot dot '4 vertices, 2' sssp --source=a < <(printf 'a 0\nb 2\nc 4\n"d e" inf\n')
reads example.json json '3 vertices, 2' sssp --source=5 < <(printf '1 2\n2 2.5\n5 0\n')
reads example.g6 graph6 '5 vertices, 8' connected_components < <(printf '%s 0\n' 0 1 2 3 4)
reads example.adjlist adjlist '4 vertices, 3' connected_components < <(printf '1 1\n2 1\n3 1\n4 4\n')
gzip -c "$work/example.json" >"$work/json.txt.gz"
reads json.txt.gz json '3 vertices, 2' sssp --ignore_weights --source=5 < <(printf '1 1\n2 2\n5 0\n')

# The files that the Python examples write, made without their packages, which need not be installed.
{ example 'NumPy and SciPy'; example 'NumPy and SciPy' 2; } >"$work/examples.py"
python3 - "$work" <<'END'
import ast, re, struct, sys, zipfile
text = open(sys.argv[1] + "/examples.py").read()
def array(kind, shape, values):
    header = f"{{'descr': '<{kind}8', 'fortran_order': False, 'shape': {shape}, }}"
    header += " " * (63 - (10 + len(header)) % 64) + "\n"
    return b"\x93NUMPY\1\0" + struct.pack("<H", len(header)) + header.encode() + struct.pack(f"<{len(values)}{'d' if kind == 'f' else 'q'}", *values)
rows = ast.literal_eval(re.search(r"numpy\.array\((.*?)\)\)", text)[1])
open(sys.argv[1] + "/edges.npy", "wb").write(array("i", f"({len(rows)}, 2)", sum(rows, [])))
data, indices, ends = ast.literal_eval(re.search(r"csr_matrix\((\(.*?\))\)", text)[1])
with zipfile.ZipFile(sys.argv[1] + "/graph.npz", "w", zipfile.ZIP_DEFLATED) as z:
    for name, kind, values in (("indices", "i", indices), ("indptr", "i", ends), ("shape", "i", [3, 3]), ("data", "f", data)):
        z.writestr(name + ".npy", array(kind, f"({len(values)},)", values))
    z.writestr("format.npy", array("i", "()", []).replace(b"<i8", b"|S3") + b"csr")
END
reads edges.npy npy '4 vertices, 4' connected_components < <(printf '%s 0\n' 0 1 2 7)
reads graph.npz npz '3 vertices, 3' sssp --source=0 < <(printf '0 0\n1 0.5\n2 2.5\n')

# Compressed in parts.
{ echo source,target,cost; for v in {100..9000}; do echo "0,$((v * 7919 % 104729)),$((v % 64))"; done; } >"$work/long.csv"
for part in 1 2 3; do tail -n "+$((part * 2000 - 1999))" "$work/long.csv" | head -n "$((part < 3 ? 2000 : 9000))" | gzip -1c; done >"$work/parts.csv.gz"
application=(sssp)
run 1 1 --graph="$work/long.csv" --source=0 --output="$work/expected"
run 2 2 --graph="$work/parts.csv.gz" --source=0 --output="$work/output" --verify
[[ $status == 0 ]] && prints ', 8,901 edges,' && cmp -s "$work/output" "$work/expected"
report $? 'a file of several members is read as what it holds'
application=()
printf 'PAR1xxxx' >"$work/edges.parquet"

example 'LDBC Graphalytics' >"$work/example.properties"
example 'LDBC Graphalytics' 2 >"$work/example.e"
printf '%s\n' 2 3 7 5000000000012 >"$work/example.v"
reads example.properties ldbc '4 vertices, 4' sssp --source=7 --output_format=ldbc < <(printf '2 2.5\n3 2\n7 0\n5000000000012 Infinity\n')
reads example.e ldbc '4 vertices, 4' connected_components < <(printf '2 2\n3 2\n7 2\n5000000000012 5000000000012\n')
reads example.v ldbc '4 vertices, 4' bfs --source=2 --output_format=ldbc < <(printf '2 0\n3 1\n7 2\n5000000000012 9223372036854775807\n')

# Line ends of old Macs, CR alone, in every text.
mkdir "$work/mac"
cp "$work/by_hand" "$work/by_hand.graph"
for file in list.txt matrix dimacs table.csv ratings.dat out.konect by_hand.graph adjacency networkx.txt pbbs flow.max example.v example.e \
  example.properties example.graphml example.gexf example.gml example.net example.dot example.json example.g6 example.adjlist; do
  tr '\n' '\r' <"$work/$file" >"$work/mac/$file"
  [[ $file != example.[ve] ]] || continue
  run 1 1 connected_components --graph="$work/$file" --ignore_weights --output="$work/expected"
  for split in '1 1' '1 3' '2 2'; do
    # shellcheck disable=SC2086
    run $split connected_components --graph="$work/mac/$file" --ignore_weights --output="$work/output" --verify
    [[ $status == 0 && -s $work/expected ]] && cmp -s "$work/output" "$work/expected"
    report $? "$file with CR line ends is read as it is with others on $split"
  done
done
{ echo source,target; for v in {1..20000}; do echo "$v,$((v / 2))"; done; } | tr '\n' '\r' >"$work/mac.csv"
gzip -c "$work/mac.csv" >"$work/mac.csv.gz"
for file in mac.csv mac.csv.gz; do
  run 2 2 connected_components --graph="$work/$file" --verify
  [[ $status == 0 ]] && prints ', 20,001 vertices, 20,000 edges'
  report $? "$file has a line for each edge"
done

# SuiteSparse's and KONECT's archives, and others.
python3 - "$work" <<'END'
import io, lzma, sys, tarfile, zipfile
work = sys.argv[1]
text_of = lambda name: open(f"{work}/{name}").read()
def tar(name, how, members):
    with tarfile.open(f"{work}/{name}", how) as t:
        for path, text in members:
            about = tarfile.TarInfo(path)
            about.size = len(text)
            t.addfile(about, io.BytesIO(text.encode()))
tar("west.tar.gz", "w:gz", [("west/west.mtx", text_of("matrix")), ("west/west_b.mtx", "x")])
tar("download.tsv.bip.tar.bz2", "w:bz2", [("bip/README.bip", "x"), ("bip/out.bip", text_of("out.konect")), ("bip/meta.bip", "x")])
tar("several.tar.xz", "w:xz", [("a/1.el", "1 2\n"), ("a/2.el", "1 2\n")])
with zipfile.ZipFile(work + "/list.zip", "w", zipfile.ZIP_DEFLATED) as z: z.writestr("list.txt", text_of("list.txt"))
open(work + "/matrix.mtx.xz", "wb").write(lzma.compress(text_of("matrix").encode()))
END
reads west.tar.gz matrix_market '3 vertices, 4' sssp --source=2 < <(printf '1 0.5\n2 0\n3 7.5\n')
reads download.tsv.bip.tar.bz2 konect '5 vertices, 3' sssp --source=1 < <(printf '1 0\n2 inf\n3 5\n4 inf\n5 4\n')
check 'the line about the graph says what was read' prints '^graph: .*/download.tsv.bip.tar.bz2/bip/out.bip \(konect\)'
reads list.zip edge_list '4 vertices, 3' connected_components < <(printf '%s 0\n' 0 1 2 3)
reads matrix.mtx.xz matrix_market '3 vertices, 4' sssp --source=2 < <(printf '1 0.5\n2 0\n3 7.5\n')

# Files that are read, but may have been meant otherwise.
printf '4 3\n1 2\n2 3\n4 1\n' >"$work/n_m.el"
printf '# Undirected graph: x.ungraph.txt\n# Nodes: 3 Edges: 2\n# FromNodeId\tToNodeId\n1\t2\n2\t3\n' >"$work/snap.txt"
for split in '1 1' '1 3' '2 2'; do
  # shellcheck disable=SC2086
  run $split graph_tool check --graph="$work/n_m.el"
  [[ $status == 0 ]] && prints ' 4 edges' && says "^W.*n_m.el: the first line, '4 3', may be the numbers of vertices and edges"
  report $? "counts in front of an edge list are told on $split"
  # shellcheck disable=SC2086
  run $split bfs --graph="$work/snap.txt" --source=2
  [[ $status == 0 ]] && says '^W.*snap.txt: its header says that the graph is undirected; pass --symmetrize'
  report $? "that a graph is said to be undirected is told on $split"
  # shellcheck disable=SC2086
  run $split bfs --graph="$work/snap.txt" --source=2 --symmetrize
  check '... and not with --symmetrize' goes_in_silence
done
printf '%% sym weighted\n1,2,0.5\n2,3,1\n' >"$work/commas.edges"
reads commas.edges konect '3 vertices, 4' sssp --source=3 < <(printf '1 1.5\n2 1\n3 0\n')
sed 's/^%%/%/' "$work/matrix" >"$work/one_percent.mtx"
reads one_percent.mtx matrix_market '3 vertices, 4' sssp --source=2 < <(printf '1 0.5\n2 0\n3 7.5\n')
python3 - "$work" <<'END'
import struct, sys, zipfile
def array(kind, width, values):
    header = f"{{'descr': '<{kind}{width}', 'fortran_order': False, 'shape': ({len(values) // 2}, 2), }}"
    header += " " * (63 - (10 + len(header)) % 64) + "\n"
    return b"\x93NUMPY\1\0" + struct.pack("<H", len(header)) + header.encode() + struct.pack(f"<{len(values)}{'d' if width == 8 else 'f'}", *values)
big = array("f", 8, [0, 2 ** 53, 0, 2 ** 53 + 2, 0, 1, 0, 1])
open(sys.argv[1] + "/big.npy", "wb").write(big)
open(sys.argv[1] + "/exact.npy", "wb").write(array("f", 4, [0, 1, 0, 3, 0, 5, 0, 2 ** 24]))
open(sys.argv[1] + "/small.npy", "wb").write(array("f", 4, [0, 1, 0, 3, 0, 5, 0, 2 ** 24 + 2]))
with zipfile.ZipFile(sys.argv[1] + "/two.npz", "w") as z:
    for name in ("a", "b"): z.writestr(name + ".npy", big)
END
reads exact.npy npy '5 vertices, 4' connected_components < <(printf '%s 0\n' 0 1 3 5 16777216)

application=(pagerank)
several=4
refuses 65 "big.npy: entry 3 is 9007199254740994, which may be another id that was rounded, as floats of 64 bits hold whole numbers exactly only up to 2^53; save array.astype('int64')" --graph="$work/big.npy"
refuses 65 'small.npy: entry 7 is 16777218, which may be another id that was rounded, as floats of 32 bits' --graph="$work/small.npy"
refuses 65 "two.npz: holds 'a', 'b'; expected a matrix of scipy.sparse.save_npz, or one array of edges: save that by numpy.save" --graph="$work/two.npz"
refuses 65 "edges.parquet: this is Parquet, which is not read; write a table: duckdb -c" --graph="$work/edges.parquet"
refuses 65 "several.tar.xz: holds several files, and it is not clear which is the graph: 'a/1.el', 'a/2.el'; unpack it" --graph="$work/several.tar.xz"
head -c 100 "$work/west.tar.gz" >"$work/cut.tar.gz"
refuses 65 'cut.tar.gz: the gzip data ends in the middle at byte 100' --graph="$work/cut.tar.gz"
printf '<!DOCTYPE g [<!ENTITY a "aa">]><graphml/>' >"$work/bomb.graphml"
refuses 65 'bomb.graphml:1:25: entities are declared' --graph="$work/bomb.graphml"
printf 'digraph { a -> {b c} }' >"$work/groups.dot"
refuses 65 "groups.dot:1:16: '{'; expected edges between nodes, none of subgraphs" --graph="$work/groups.dot"
printf '2\nx\n' >"$work/bad.v"
sed 's/example/bad/g' "$work/example.properties" >"$work/bad.properties"
cp "$work/example.e" "$work/bad.e"
refuses 65 "bad.v:2:1: 'x' is not a number" --graph="$work/bad.properties"
printf '3 3 2\n1 2 4\n3 1 5\n' >"$work/sizes.txt"
refuses 65 'sizes.txt:1:1: this looks like the size line of a Matrix Market file without its banner' --graph="$work/sizes.txt"
printf 'Source;Target;Type;Id\n1;2;Undirected;0\n2;3;Directed;1\n' >"$work/gephi.csv"
refuses 65 "gephi.csv:3:5: an edge of the type 'Directed' after others that are undirected" --graph="$work/gephi.csv"
refuses 65 'example.gexf:1:1: this begins like gexf, but --source_column and similar flags are for tables' --graph="$work/example.gexf" --source_column=1
printf '%%%%MatrixMarket matrix coordinate real general\n3 3 2\n1 2 3\n1 4 3\n' >"$work/bad.mtx"
refuses 65 "bad.mtx:4:3: '4' is not a vertex of the file; expected a decimal vertex id from 1 to 3" --graph="$work/bad.mtx"
printf '3 2\n2 3\n1\n1 2\n' >"$work/bad.graph"
refuses 65 'bad.graph:1:1: this announces 4 neighbours (two for each edge), but the file has 5' --graph="$work/bad.graph"
printf '\1\0\0\0\0\0\0\0\0\0\0\0' >"$work/galois.gr"
refuses 65 "this looks like Galois' binary .gr" --graph="$work/galois.gr"
head -c 60 "$work/gap" >"$work/cut.sg"
refuses 65 'not a serialized graph of the GAP suite' --graph="$work/cut.sg" --format=gap
printf '3 2\n2 3\n3\n1\n' >"$work/one_way.graph"
gzip -c "$work/one_way.graph" >"$work/one_way.graph.gz"
refuses 65 'one_way.graph.gz:2:1: vertex 1 has the neighbour 2, which does not list it' --graph="$work/one_way.graph.gz"
printf 'AdjacencyGraph 2 1\n0\n1\n5\n' >"$work/bad.adj"
refuses 65 "bad.adj:4:1: '5' is not a vertex of the file; expected a number from 0 to 1" --graph="$work/bad.adj"
refuses 65 "packed.g500: byte 24: 8589934594 is not a vertex; expected one from 0 to 1048575, as --graph500_scale says" \
  --graph="$work/packed.g500" --graph500_scale=20
head -c 8 "$work/packed.g500.weights" >"$work/few.g500.weights"
cp "$work/packed.g500" "$work/few.g500"
refuses 65 'few.g500.weights: 2 weights for the 3 edges' --graph="$work/few.g500"
several=2

# A refused file takes at most 256 MB and four times its (decompressed) size in each process.
mkdir "$work/measured"
cat >"$work/measured/pagerank" <<END
#!/usr/bin/env python3
import resource, subprocess, sys
status = subprocess.call(["$programs/pagerank", *sys.argv[1:]])
with open("$work/peaks", "a") as f: print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=f)
sys.exit(status)
END
chmod +x "$work/measured/pagerank"
frugally_refuses() { # frugally_refuses MILLION_BYTES TEXT FLAG...
  [[ $by == loopback ]] || return 0 # which does the same: each process is measured
  local by=launcher every_refusal=1 programs=$work/measured largest limit=$(((256 + 4 * $1) * 1000))
  refuses 65 "${@:2}"
  largest=$(sort -n "$work/peaks" | tail -n 1)
  # Three processes, of which mpirun ends one that is late, before it could tell.
  (($(wc -l <"$work/peaks") >= 2 && largest <= limit))
  report $? "... within $limit KB: $largest"
  rm "$work/peaks"
}
head -c 60000000 /dev/zero | tr '\0' 7 | gzip >"$work/token.el.gz"
frugally_refuses 0 'token.el.gz:1:1: a line longer than 65536 bytes' --graph="$work/token.el.gz"
{ yes '12345678 87654321' | head -n 700000; echo '1 x'; } >"$work/last.el"
frugally_refuses 12 "last.el:700001:3: 'x' is not a number" --graph="$work/last.el"
gzip -c "$work/last.el" >"$work/last.el.gz"
frugally_refuses 12 "last.el.gz:700001:3: 'x' is not a number" --graph="$work/last.el.gz"
head -c 10000 "$work/last.el.gz" >"$work/cut.el.gz"
frugally_refuses 12 'cut.el.gz: the gzip data ends in the middle at byte 10000' --graph="$work/cut.el.gz"
printf '%%%%MatrixMarket matrix coordinate pattern general\n3 3 2000000000\n1 2\n' >"$work/announced.mtx"
frugally_refuses 0 'announced.mtx' --graph="$work/announced.mtx"
printf '4000000000 8000000000\n2\n1\n' >"$work/announced.graph"
frugally_refuses 0 'announced.graph' --graph="$work/announced.graph"

yes '1 2' | head -n 3000000 | gzip >"$work/repeated.el.gz"
refuses 71 'repeated.el.gz: its edges require more memory than there is, 40000000 bytes for one reader of them' \
  --graph="$work/repeated.el.gz" --memory_budget_bytes=40000000
head -c 36000000 /dev/zero >"$work/repeated.g500"
several=1
refuses 71 'reading the edges requires about 48000000 bytes per locale and --memory_budget_bytes allows 40000000' \
  --graph="$work/repeated.g500" --memory_budget_bytes=40000000
several=2

# The changes of edges on the way, with 1 -> 2 -> 3, 7 <- 8 -> 9, 5 and parallel edges.
printf '%s\n' '# Nodes: 7 Edges: 8' '1 2 1' '2 3 1' '8 7 4' '8 9 5' '5 5 1' '8 9 2' '8 9 3' >"$work/parts.wel"
changes() { # changes 'FLAG...' 'VERTICES' 'SOURCE': <EXPECTED DISTANCES
  local split
  cat >"$work/expected"
  for split in '1 1' '1 3' '2 2' '3 1'; do
    # shellcheck disable=SC2086
    run $split --graph="$work/parts.wel" $1 --source=$3 --output="$work/output" --verify
    [[ $status == 0 && $(<"$work/out") == *", $2 vertices, "* ]] && cmp -s "$work/output" "$work/expected"
    report $? "sssp $1 on $split"
  done
}
application=(sssp)
changes --transpose 7 3 < <(printf '%s\n' '1 2' '2 1' '3 0' '5 inf' '7 inf' '8 inf' '9 inf')
changes --largest_component 3 1 < <(printf '%s\n' '1 0' '2 1' '3 2')
changes '--largest_component --transpose --remove_duplicates' 3 3 < <(printf '%s\n' '1 2' '2 1' '3 0')
for keep in 'lightest 2' 'heaviest 5' 'sum 10'; do
  changes "--remove_duplicates --keep_weight=${keep% *}" 7 8 \
    < <(printf '%s\n' '1 inf' '2 inf' '3 inf' '5 inf' '7 4' '8 0' "9 ${keep#* }")
done
refuses 65 'its header says 8 edges, but it has 7; --nostrict' --graph="$work/parts.wel" --strict
run 2 1 --graph="$work/parts.wel" --source=1
[[ $status == 0 && $(<"$work/err") == *'its header says 8 edges, but it has 7'* ]]
report $? 'without --strict that is a warning'
run 1 1 --graph="$work/parts.wel" --source=1 --stats_json="$work/stats.json"
check '--stats_json has the bytes that were read' grep -q '"bytes": 62' "$work/stats.json"
refuses 2 '--keep_weight=first: must be lightest, heaviest or sum' --graph="$work/parts.wel" --keep_weight=first
application=(pagerank)
refuses 2 '--format=mtx: must be auto, edge_list, matrix_market, dimacs, metis, csv, konect, gap, adjacency, graph500, orj, graphml, gexf, gml, pajek, dot, json, graph6, adjlist, npy, npz or ldbc' --graph="$work/matrix" --format=mtx
end_of_cases
