#!/usr/bin/env bash
# Reads the example of every format in docs/formats.md, and says what is wrong with bad files.
source "$(dirname "${BASH_SOURCE[0]}")/application_cases.sh"

# example HEADING: the first block below it.
example() { awk -v heading="## $1" '$0 == heading {here = 1} here && /^```/ {if (inside) exit; inside = 1; next} here && inside' "$root/docs/formats.md"; }

example 'Edge lists' >"$work/list.txt"
example 'Matrix Market' >"$work/matrix"
example DIMACS >"$work/dimacs"
example METIS | gzip >"$work/metis.graph.gz"
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

# reads FILE FORMAT 'VERTICES ... EDGES' APPLICATION FLAG... <EXPECTED OUTPUT, on every split
reads() {
  local file=$1 format=$2 size=$3 split
  shift 3
  cat >"$work/expected"
  for split in '1 1' '1 3' '2 2'; do
    # shellcheck disable=SC2086
    run $split "$1" --graph="$work/$file" --output="$work/output" --verify "${@:2}"
    [[ $status == 0 && $(<"$work/out") == *"$file ($format), $size edges, "* ]] && cmp -s "$work/output" "$work/expected"
    report $? "$file is read as $format on $split"
  done
}

reads list.txt edge_list '4 vertices, 3' connected_components < <(printf '%s 0\n' 0 1 2 3)
reads matrix matrix_market '3 vertices, 4' sssp --source=2 < <(printf '1 0.5\n2 0\n3 7.5\n')
reads dimacs dimacs '3 vertices, 2' sssp --source=3 < <(printf '1 4\n2 34\n3 0\n')
reads metis.graph.gz metis '4 vertices, 6' sssp --source=2 < <(printf '1 0.5\n2 0\n3 7.5\n4 15.5\n')
reads gap gap '4 vertices, 6' sssp --source=1 --partition=hash < <(printf '0 0\n1 0\n2 7\n3 15\n')
printf '%%%%MatrixMarket matrix coordinate pattern general\n5 5 1\n5 2\n' >"$work/isolated"
reads isolated matrix_market '5 vertices, 1' connected_components < <(printf '1 1\n2 2\n3 3\n4 4\n5 2\n')
example METIS >"$work/by_hand"
reads by_hand metis '4 vertices, 6' connected_components --format=metis < <(printf '%s 1\n' 1 2 3 4)

application=(pagerank)
printf '%%%%MatrixMarket matrix coordinate real general\n3 3 2\n1 2 3\n1 4 3\n' >"$work/bad.mtx"
refuses 65 "bad.mtx:4:3: '4' is no vertex of the file; expected a decimal vertex id from 1 to 3" --graph="$work/bad.mtx"
printf '3 2\n2 3\n1\n1 2\n' >"$work/bad.graph"
refuses 65 'bad.graph: its header announces 4 neighbours (two for each edge), but it has 5' --graph="$work/bad.graph"
printf '\1\0\0\0\0\0\0\0\0\0\0\0' >"$work/galois.gr"
refuses 65 "this looks like Galois' binary .gr" --graph="$work/galois.gr"
head -c 60 "$work/gap" >"$work/cut.sg"
refuses 65 'no serialized graph of the GAP suite' --graph="$work/cut.sg" --format=gap
refuses 2 '--format=mtx: must be auto, edge_list, matrix_market, dimacs, metis, gap or orj' --graph="$work/matrix" --format=mtx
end_of_cases
