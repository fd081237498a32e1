#!/usr/bin/env bash
# Converts graphs to .orj on some splits, computes on others, and says what is wrong with bad files.
source "$(dirname "${BASH_SOURCE[0]}")/application_cases.sh"

# convert SPLIT FILE FLAG...
convert() {
  # shellcheck disable=SC2086
  run $1 graph_tool convert --output="$work/$2" "${@:3}"
}

# same_results SOURCE FLAG...: of the graph of $original and of $work/$file, on several splits, by application.
same_results() {
  local source=$1 program split
  shift
  for program in 'pagerank --iterations=5' "bfs --source=$source" "sssp --source=$source"; do
    # shellcheck disable=SC2086
    run 1 1 $program $original --output="$work/expected" "$@"
    [[ $status == 0 ]] || { report 1 "$program $original"; continue; }
    for split in '1 1' '1 2' '2 2' '3 1'; do
      # shellcheck disable=SC2086
      run $split $program --graph="$work/$file" --verify --output="$work/output" "$@"
      [[ $status == 0 && $(<"$work/out") == *"$file (orj), "* ]] && same_output "${program%% *}"
      report $? "$program of $file on $split is that of $original $*"
    done
  done
}
# Sums of floating-point numbers differ in their last digits; any tree of a search is as good.
same_output() {
  case $1 in
  pagerank) paste "$work/expected" "$work/output" | awk '{d = $2 - $4; if ($1 != $3 || d * d > 1e-12 * $2 * $2) exit 1}' ;;
  bfs) cmp -s <(cut -d' ' -f1 "$work/expected") <(cut -d' ' -f1 "$work/output") ;;
  *) cmp -s "$work/expected" "$work/output" ;;
  esac
}

# Sparse ids, weights, self-loops and parallel edges; the largest id only has a self-loop.
awk 'BEGIN {srand(7); for (k = 0; k < 4000; ++k) print int(rand() * 300) * 1000003, int(rand() * rand() * 300) * 1000003, int(rand() * 50) / 4;
            print 900000000, 900000000, 1}' >"$work/list.txt"
original="--graph=$work/list.txt"
for split in '1 1' '1 2' '2 2' '3 1'; do
  convert "$split" "list ${split/ /x}.orj" --graph="$work/list.txt"
  cmp -s "$work/list 1x1.orj" "$work/list ${split/ /x}.orj"
  report $? "list.txt converted on $split is the same file"
done
mv "$work/list 3x1.orj" "$work/list.orj"
file=list.orj
same_results 1000003
same_results 1000003 --symmetrize --remove_self_loops
same_results 1000003 --partition=hash

original='--generate=kronecker:11 --symmetrize' file=kronecker.orj
# shellcheck disable=SC2086
convert '2 1' "$file" $original
same_results 5
convert '1 1' hash.orj --generate=kronecker:11 --symmetrize --partition=hash
file=hash.orj
same_results 5
# shellcheck disable=SC2086
convert '2 2' laid.orj $original --layout=hierarchical
file=laid.orj
same_results 5
same_results 5 --layout=random
# shellcheck disable=SC2086
convert '1 2' random.orj $original --layout=random --layout_seed=5
file=random.orj
same_results 5
# From one .orj to another, by way of its edges.
convert '2 2' again.orj --graph="$work/hash.orj" --partition=range --symmetrize
cmp -s "$work/again.orj" "$work/kronecker.orj"
report $? 'hash.orj converted to the order of the ids is kronecker.orj'

for split in '1 1' '1 2' '3 1'; do
  for good in list kronecker hash laid random; do
    # shellcheck disable=SC2086
    run $split graph_tool check --graph="$work/$good.orj"
    [[ $status == 0 ]] && prints "$good.orj: orj, version 1, .* bytes" && prints '^all is well'
    report $? "$good.orj is well on $split"
  done
done
run 1 2 graph_tool check --graph="$work/list.txt"
[[ $status == 0 ]] && prints 'list.txt: edge_list, [0-9,]* bytes' && prints ' vertices, 4,001 edges, weighted' && prints '^all is well'
report $? 'check tells what another format holds'

# flipped FROM TO BYTE
flipped() {
  python3 - "$work/$1" "$work/$2" "$3" <<'END'
import sys
content = bytearray(open(sys.argv[1], "rb").read())
content[int(sys.argv[3])] ^= 64
open(sys.argv[2], "wb").write(content)
END
}
several=4
flipped kronecker.orj version.orj 8
flipped kronecker.orj header.orj 4000
flipped kronecker.orj offsets.orj 4200
head -c 20000 "$work/kronecker.orj" >"$work/cut.orj"
{ cat "$work/kronecker.orj"; echo; } >"$work/longer.orj"
for command in 'pagerank' 'graph_tool check'; do
  # shellcheck disable=SC2206
  application=($command)
  refuses 65 'version.orj: byte 8: header: its version is 65, but 1 is read; copy or convert the file again' --graph="$work/version.orj"
  refuses 65 'header.orj: byte 0: header: is damaged: its checksum differs' --graph="$work/header.orj"
  refuses 65 'offsets.orj: byte 4096: section in_offsets: its 16392 bytes from here on are damaged' --graph="$work/offsets.orj"
  refuses 65 'cut.orj: byte 20000: header: the file has 20000 bytes, but was written with' --graph="$work/cut.orj"
  refuses 65 'longer.orj: byte ' --graph="$work/longer.orj"
  refuses 65 'list.txt: byte 0: header: this is not an .orj file; remove --format' --graph="$work/list.txt" --format=orj
  refuses 66 "cannot open graph '$work/none.orj'" --graph="$work/none.orj"
done
# A damaged form of the edges is told by those who read it, and another one read; without a whole one all say the same.
application=()
run 1 1 graph_tool check --graph="$work/kronecker.orj"
begin_of() { awk -v section="$1" '$1 == section { gsub(",", "", $5); print $5 + 8 }' "$work/sections"; }
cp "$work/out" "$work/sections"
flipped kronecker.orj rows.orj "$(begin_of in_neighbours)"
flipped kronecker.orj vectors.orj "$(begin_of vectors)"
flipped rows.orj both.orj "$(begin_of vectors)"
run 1 1 pagerank --iterations=5 --graph="$work/kronecker.orj" --output="$work/expected"
for damaged in 'rows in_neighbours' 'vectors vectors'; do
  told=0
  for split in '1 1' '1 3' '2 2' '3 1'; do
    # shellcheck disable=SC2086
    run $split pagerank --iterations=5 --graph="$work/${damaged% *}.orj" --verify --output="$work/output"
    ! says "^W.*section ${damaged#* }: .* are damaged: .*; its edges are read from another section" || told=$((told + 1))
    [[ $status == 0 ]] && same_output pagerank
    report $? "${damaged% *}.orj gives what kronecker.orj gives on $split"
  done
  ((told > 0 && told < 4))
  report $? "... and splits that read the damaged section say so"
  refuses 65 "section ${damaged#* }: " graph_tool check --graph="$work/${damaged% *}.orj"
done
application=(pagerank)
refuses 65 "both.orj: byte $(($(begin_of in_neighbours) - 8)): section in_neighbours: " --graph="$work/both.orj"
application=(random_walks)
refuses 65 "both.orj: byte $(($(begin_of in_neighbours) - 8)): section in_neighbours: " --graph="$work/both.orj"
gzip -k "$work/kronecker.orj"
application=(pagerank)
refuses 65 'a compressed .orj cannot be read: decompress it first' --graph="$work/kronecker.orj.gz" --format=orj
application=(graph_tool convert)
refuses 2 'no format has this suffix' --graph="$work/list.txt" --output="$work/x"
refuses 74 "cannot write '$work/none/x.orj'" --graph="$work/list.txt" --output="$work/none/x.orj"
[[ -z $(find "$work" -name '*.partial') ]]
report $? 'nothing half written is left'
end_of_cases
