#!/usr/bin/env bash
# Runs bfs as a user does: right trees on any split, the output's format, clear errors with the right status.
source "$(dirname "${BASH_SOURCE[0]}")/application_cases.sh" bfs

# Two triangles joined by an edge, a vertex without out-edges and one without in-edges.
#   3 -> 5 -> 9 -> 3 -> 100 <-> 200, 200 -> 7, 8 -> 3
printf '3 5\n5 9\n9 3\n3 100\n100 200\n200 100\n200 7\n8 3\n' >"$work/small.txt"

for split in '1 1' '1 2' '2 1' '2 2'; do
  # shellcheck disable=SC2086
  run $split --generate=kronecker:10 --symmetrize --trials=3 --verify --stats_json="$work/stats.json"
  [[ $status == 0 && $(grep -c '^bfs: source ' "$work/out") == 3 && $(grep -c '^verified 3 searches' "$work/out") == 1 ]] &&
    grep -qE '^mean of 3 searches: [0-9.]+ ms, .* TEPS \(harmonic mean\)$' "$work/out" &&
    grep -q '"verified": true' "$work/stats.json" && (($(grep -c '"source": [0-9]' "$work/stats.json") == 3))
  report $? "searches of kronecker:10 are verified on $split"
  sed -n 's/^\(bfs: .* traversed\), .*/\1/p' "$work/out" >"$work/found.${split/ /x}"
  cmp -s "$work/found.1x1" "$work/found.${split/ /x}"
  report $? "sources and what they reach on $split are those on 1 1"
done

for flags in "--graph=$work/small.txt --trials=4" "--graph=$work/small.txt --symmetrize --direction=pull" \
  "--generate=kronecker:9 --direction=push --trials=2" "--generate=kronecker:9 --direction=pull --trials=2" \
  "--generate=mesh2d:31x17 --symmetrize --chaos_seed=7" "--generate=uniform:9:edgefactor=2 --push_threshold=1e9" \
  "--generate=uniform:0:edgefactor=4 --remove_self_loops" "--generate=mesh2d:1x1 --trials=2"; do
  for split in '1 1' '3 1'; do
    # shellcheck disable=SC2086
    verifies_on "$split" $flags
  done
done

printf '3 3 0\n5 3 1\n7 200 3\n8 -1 -1\n9 5 2\n100 3 1\n200 100 2\n' >"$work/expected"
for split in '1 1' '1 2' '2 1'; do
  # shellcheck disable=SC2086
  run $split --graph="$work/small.txt" --source=3 --output="$work/tree"
  [[ $status == 0 ]] && cmp -s "$work/tree" "$work/expected" &&
    grep -qE '^bfs: source 3, 4 levels, 6 vertices reached, 7 edges traversed, ' "$work/out"
  report $? "the tree is written in the file's own ids, ascending, on $split"
done

scattered_graph "$work/scattered.wel"
# Any of several parents may be reported.
same_file_on_splits ldbc --graph="$work/scattered.wel" --source=7919 --output_format=ldbc
run 1 1 --graph="$work/scattered.wel" --source=7919 --output="$work/alone.txt"
tr ' ' , <"$work/alone.txt" | sed '1i id,parent,level' >"$work/expected.csv"
run 1 1 --graph="$work/scattered.wel" --source=7919 --output="$work/alone.csv"
check 'a .csv has a header and commas' cmp -s "$work/alone.csv" "$work/expected.csv"
for split in '1 2' '2 1' '2 2 --layout=random'; do
  # shellcheck disable=SC2086
  run $split --graph="$work/scattered.wel" --source=7919 --output="$work/tree.csv"
  awk -F, 'NR == FNR { level[$1] = $3; next } FNR == 1 { next }
    { bad += $3 != level[$1] || ($3 < 0 ? $2 != -1 : $3 > 0 && level[$2] != $3 - 1) } END { exit bad + (FNR != NR / 2) }' \
    "$work/alone.csv" "$work/tree.csv"
  report $? "... with the levels of 1 1, and parents a level before, on $split"
done
same_file_on_splits ldbc --generate=kronecker:15 --symmetrize --source=1 --output_format=ldbc

# Mistakes on the command line.
refuses 2 '--source=4: the graph has no such vertex' --graph="$work/small.txt" --source=4
refuses 2 '--source=1024: the graph has no such vertex' --generate=kronecker:10 --source=1024
refuses 2 "--source=x: expected a vertex id, as this graph's vertices have no names" --generate=kronecker:4 --source=x
refuses 2 '--direction=up: must be auto, pull or push' --generate=kronecker:4 --direction=up
refuses 2 '--push_threshold=-1: must be at least 0' --generate=kronecker:4 --push_threshold=-1
refuses 2 'did you mean --direction' --directio=pull --generate=kronecker:4
refuses 2 'no graph' --verify
refuses 66 'No such file' --graph="$work/missing"
refuses 74 'cannot write' --generate=kronecker:4 --output="$work/none/tree"

run 1 1 --help
[[ $status == 0 && $(<"$work/out") == *'--source'*'--graph'*'--cores'* ]] && ! prints '^ +--direction'
report $? "--help shows the flags of the search, and not those of the engine"

end_of_cases
