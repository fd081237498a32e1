#!/usr/bin/env bash
# Runs engine_lab and `bin/orujo bench papers` as a user does.
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
done

run 1 2 --generate=kronecker:10 --symmetrize --verify --phase_interface=traditional_nonatomic
[[ $status == 0 && $(grep -c 'results wrong' "$work/out") == 1 && $(grep -cE '^(verified|wrong, as allowed)' "$work/out") == 1 ]]
report $? 'without atomics it says that results may be wrong, and is not refused'
run 1 2 --generate=uniform:9 --engine=hybrid --algorithm=bfs --trials=3 --stats_json="$work/stats"
[[ $status == 0 && $(grep -c '"push_seconds"' "$work/stats") == 3 && $(grep -c '"vertex_seconds"' "$work/stats") == 3 ]] &&
  grep -q '"16": [0-9]' "$work/stats" && prints '^packing efficiency: [01]\.[0-9]+ with 4 lanes'
report $? 'each phase of each trial is told, and the packing'

refuses 2 '--encoding=wider: must be wide or compact' --generate=kronecker:5 --encoding=wider
refuses 2 '--phase_interface=new: must be traditional, traditional_nonatomic or scheduler_aware' --phase_interface=new
refuses 2 '--engine=both: must be pull, push or hybrid' --engine=both
refuses 2 '--algorithm=x: must be pagerank, connected_components or bfs' --algorithm=x
refuses 2 'wants an undirected graph: --symmetrize' --generate=kronecker:5 --algorithm=connected_components
timeout 60 "$root/bin/orujo" run -n 2 -c 1 engine_lab --generate=kronecker:5 >"$work/out" 2>"$work/err" </dev/null
status=$?
[[ $status == 2 ]] && says 'measures one locale'
report $? 'more than one locale is refused'

"$root/bin/orujo" bench papers --scale=7 --rounds=1 --trials=1 --iterations=2 --out="$work/papers" >"$work/out" 2>"$work/err" </dev/null
status=$?
((status == 0)) && cmp -s "$work/out" "$work/papers/claims.md"
report $? 'bench papers prints the table that it writes'
for row in 'figure 5' 'figure 6' 'figure 7' 'figure 8' 'figure 9' 'figure 10 | PageRank, edge-pull' \
  'figure 10 | PageRank, edge-push' 'figure 10 | PageRank, vertex' 'figure 10 | PageRank, end to end' \
  'section 5 | pagerank' 'section 5 | connected_components' 'section 5 | bfs' 'ICPP | usersched over the' \
  'ICPP | usersched over static_steal' 'ICPP | usersched_profiled over the' 'ICPP | usersched_profiled over static_steal' \
  'ICPP | usersched_profiled, chunks'; do
  grep -F "$row" "$work/papers/claims.md" | grep -qE '^(\| [^|]+ ){5}\|[^|]*\|$'
  report $? "... with a whole row for $row"
done
for plot in figure5 figure6 figure7 figure8 figure9 figure10 engines schedules chunks; do
  [[ -s $work/papers/$plot.dat && -s $work/papers/$plot.gp ]] &&
    { ! command -v gnuplot >/dev/null || [[ -s $work/papers/$plot.svg ]]; }
  report $? "... and the plot $plot"
done
command -v gnuplot >/dev/null || says 'no gnuplot'
report $? '... and says so where there is no gnuplot'
python3 "$root/bin/bench_papers.py" --lab=/bin/false --cores=1 --out="$work/none" >"$work/out" 2>"$work/err"
status=$?
((status == 1)) && says 'ended with status 1' && [[ ! -e $work/none ]]
report $? 'a run that fails ends it'

end_of_cases
