#!/usr/bin/env bash
# Runs every graph application with both partitions: hash is verified, and the results are those of range.
source "$(dirname "${BASH_SOURCE[0]}")/application_cases.sh"

scattered_graph "$work/graph.txt"
both() { varied "$1" --partition=hash "${@:2}"; }
for input in "--graph=$work/graph.txt" '--generate=kronecker:9:weights=1..9'; do
  both same connected_components "$input"
  both same label_propagation "$input"
  both same sssp "$input" --trials=2
  both same k_core "$input" --symmetrize
  both same eccentricity "$input" --sources=20
  both same closeness "$input" --measure=harmonic --samples=100
  both same random_walks "$input" --length=10
  both same coloring "$input" --symmetrize
  both same maximal_independent_set "$input" --symmetrize
  both same triangle_counting "$input" --symmetrize
  both verified bfs "$input" --trials=2
  both verified bfs_delegates "$input"
  both verified betweenness_centrality "$input"
  both verified hits "$input"
  both verified spectral_centrality "$input" --tolerance=1e-2
  both verified personalized_pagerank "$input"
  both verified pagerank "$input" --partition_alpha=0
  both verified collaborative_filtering "$input" --symmetrize
done
both same sssp --graph="$work/graph.txt" --source=15838

for algorithm in pagerank connected_components bfs; do
  run 1 2 engine_lab --generate=mesh2d:30x20 --symmetrize --algorithm=$algorithm --partition=hash --verify
  [[ $status == 0 ]] && grep -q '^verified' "$work/out"
  report $? "engine_lab --algorithm=$algorithm with hash is verified"
done

same_searches --partition=range --partition=hash

# Edges on grids of 2 x 2, 2 x 3 and 1 x 3 locales, and on one locale, where there is none.
on_grid() {
  for shape in '4 1' '6 1' '3 2' '1 2'; do
    # shellcheck disable=SC2086
    run $shape "$@" --placement=grid --verify
    [[ $status == 0 ]] && grep -q '^verified' "$work/out"
    report $? "$1 on a grid of ${shape% *} locales is verified: ${*:2}"
  done
}
for input in "--graph=$work/graph.txt" '--generate=kronecker:9:weights=1..9'; do
  on_grid pagerank "$input"
  on_grid pagerank "$input" --delta --symmetrize
  on_grid personalized_pagerank "$input" --partition=hash
  on_grid spectral_centrality "$input" --tolerance=1e-2
  on_grid eccentricity "$input" --sources=20 --symmetrize
done
for seed in 3 4; do
  run 4 1 pagerank --generate=kronecker:10 --placement=grid --chaos_seed=$seed --output="$work/ranks_$seed"
done
cmp -s "$work/ranks_3" "$work/ranks_4"
report $? 'ranks on a grid are the same whatever the order of messages'

refuses 2 '--placement=row: must be auto, by_target or grid' pagerank --generate=kronecker:4 --placement=row
refuses 2 '--placement' pagerank --generate=kronecker:4:weights=1..9 --weighted --placement=grid
refuses 2 '--placement=grid is for programs that pull along vectors of edges' bfs --generate=kronecker:4 --placement=grid
refuses 2 '--partition=grid: must be range or hash' pagerank --generate=kronecker:4 --partition=grid
refuses 2 '--partition_alpha=1000001: must be from 0 to 1000000' pagerank --generate=kronecker:4 --partition_alpha=1000001
refuses 2 '--source=7: the graph has no such vertex' bfs --graph="$work/graph.txt" --source=7 --partition=hash

end_of_cases
