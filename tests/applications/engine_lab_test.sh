#!/usr/bin/env bash
# Runs engine_lab as a user does.
source "$(dirname "${BASH_SOURCE[0]}")/application_cases.sh" engine_lab
several=

verifies() {
  run 1 2 --generate=kronecker:10 --symmetrize --verify "$@"
  [[ $status == 0 && $(grep -c '^verified' "$work/out") == 1 ]]
  report $? "$* is verified"
}

for algorithm in pagerank connected_components bfs; do
  for simd in auto avx2 scalar; do
    [[ $simd != avx2 ]] || grep -q avx2 /proc/cpuinfo || continue
    verifies --algorithm=$algorithm --simd=$simd --schedule=usersched_profiled --chunk_vectors=7
    verifies --algorithm=$algorithm --simd=$simd --encoding=compact --phase_interface=traditional --segments=2
    verifies --algorithm=$algorithm --simd=$simd --engine=hybrid
  done
  verifies --algorithm=$algorithm --engine=push --write_intense
  verifies --algorithm=$algorithm --engine=push --push_along=rows
  verifies --algorithm=$algorithm --engine=hybrid --push_along=rows
  verifies --algorithm=$algorithm --loop=vertices --schedule=usersched_profiled
  verifies --algorithm=$algorithm --loop=vertices --schedule=round_robin --chunk_vertices=3
done

run 1 2 --generate=kronecker:10 --symmetrize --verify --phase_interface=traditional_nonatomic
[[ $status == 0 && $(grep -c 'results wrong' "$work/out") == 1 && $(grep -cE '^(verified|wrong, as allowed)' "$work/out") == 1 ]]
report $? 'without atomics it says that results may be wrong, and is not refused'
run 1 2 --generate=uniform:9 --engine=hybrid --algorithm=bfs --trials=3 --stats_json="$work/stats"
[[ $status == 0 && $(grep -c '"push_seconds"' "$work/stats") == 3 && $(grep -c '"vertex_seconds"' "$work/stats") == 3 ]] &&
  grep -q '"16": [0-9]' "$work/stats" && prints '^packing efficiency: [01]\.[0-9]+ with 4 lanes'
report $? 'each phase of each trial is told, and the packing'
# Preferential attachment: the first half of the vertices has nearly all in-edges, which equal parts do not share.
for schedule in static usersched_profiled; do
  run 1 2 --generate=barabasi_albert:20000 --loop=vertices --schedule=$schedule --stats_json="$work/$schedule"
done
# Counted, so that it is the same each time: nearly twice the mean, and nothing above it.
begun() { grep -oP '"dealt_imbalance": \K[-0-9.e]+' "$work/$1"; }
awk "BEGIN {exit !($(begun static) > 0.7 && $(begun usersched_profiled) < 0.03)}" &&
  grep -q '"imbalance": [0-9]' "$work/static"
report $? 'equal parts are unequal work, and profiled ones are not'
run 1 2 --generate=barabasi_albert:2000 --loop=vertices --schedule=dynamic --stats_json="$work/stats"
[[ $status == 0 ]] && grep -q '"dealt_imbalance": null' "$work/stats"
report $? 'nobody begins with a part where chunks go to whoever is free'

run 1 2 --generate=kronecker:10 --symmetrize --algorithm=connected_components --encoding=compact --count_active
[[ $status == 0 ]] && prints '^  vectors with an active source: [01]\.[0-9]{3} of all in pulls$'
report $? 'vectors with an active source are counted'

refuses 2 '--encoding=wider: must be wide or compact' --generate=kronecker:5 --encoding=wider
refuses 2 '--phase_interface=new: must be traditional, traditional_nonatomic or scheduler_aware' --phase_interface=new
refuses 2 '--engine=both: must be pull, push or hybrid' --engine=both
refuses 2 '--algorithm=x: must be pagerank, connected_components or bfs' --algorithm=x
refuses 2 '--loop=rows: must be edges or vertices' --loop=rows
refuses 2 '--engine=push has an effect only with --loop=edges' --generate=kronecker:5 --loop=vertices --engine=push
refuses 2 '--write_intense=true has an effect only where edges are pushed along vectors' --generate=kronecker:5 --engine=push --push_along=rows --write_intense
refuses 2 '--push_along=rows always writes atomically' --generate=kronecker:5 --engine=push --push_along=rows --phase_interface=traditional_nonatomic
refuses 2 '--chunk_vertices=3 has an effect only with --loop=vertices' --generate=kronecker:5 --chunk_vertices=3
refuses 2 '--count_active=true has an effect only where edges are pulled with --encoding=compact' --generate=kronecker:5 --count_active
refuses 2 'requires an undirected graph; add --symmetrize' --generate=kronecker:5 --algorithm=connected_components
timeout 60 "$root/bin/orujo" run -n 2 -c 1 engine_lab --generate=kronecker:5 >"$work/out" 2>"$work/err" </dev/null
status=$?
[[ $status == 2 ]] && says 'measures one locale'
report $? 'more than one locale is refused'

end_of_cases
