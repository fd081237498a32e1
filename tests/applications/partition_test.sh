#!/usr/bin/env bash
# Runs every graph application with both partitions: hash is verified, and the results are those of range.
source "$(dirname "${BASH_SOURCE[0]}")/application_cases.sh"

# Sparse ids, weighted, directed, with a component of its own (1000000007 and 5000000000).
{
  for v in {1..400}; do
    echo "$((v * 7919)) $((v * v % 401 * 7919)) $((v % 17 + 1))"
    echo "$((v % 23 * 7919)) $((v * 7919)) $((v % 5 + 1))"
  done
  echo '1000000007 5000000000 3'
} >"$work/graph.txt"

# both same|verified APP FLAG...: hash is verified on several splits, and where bits are promised gives what range gives.
both() {
  local compared=$1 split
  shift
  run 1 1 "$@" --output="$work/range"
  report "$status" "$* with ranges"
  for split in '2 1' '1 2'; do
    # shellcheck disable=SC2086
    run $split "$@" --partition=hash --verify --output="$work/hash"
    [[ $status == 0 ]] && grep -q '^verified' "$work/out" && grep -q '' "$work/hash"
    report $? "$* with hash is verified on $split"
    [[ $compared == same ]] || continue
    cmp -s "$work/range" "$work/hash"
    report $? "$* with hash on $split gives what ranges give"
  done
}
for input in "--graph=$work/graph.txt" '--generate=kronecker:9:weights=1..9'; do
  both same connected_components "$input"
  both same label_propagation "$input"
  both same sssp "$input" --trials=2
  both same k_core "$input" --symmetrize
  both same triangle_counting "$input" --symmetrize
  both verified bfs "$input" --trials=2
  both verified bfs_delegates "$input"
  both verified betweenness_centrality "$input"
  both verified pagerank "$input" --partition_alpha=0
  both verified collaborative_filtering "$input" --symmetrize
done
both same sssp --graph="$work/graph.txt" --source=15838

for algorithm in pagerank connected_components bfs; do
  run 1 2 engine_lab --generate=mesh2d:30x20 --symmetrize --algorithm=$algorithm --partition=hash --verify
  [[ $status == 0 ]] && grep -q '^verified' "$work/out"
  report $? "engine_lab --algorithm=$algorithm with hash is verified"
done

for partition in range hash; do
  run 2 1 bfs --generate=kronecker:9 --trials=4 --partition=$partition
  sed -n 's/^\(bfs: .* traversed\), .*/\1/p' "$work/out" >"$work/searches.$partition"
done
cmp -s "$work/searches.range" "$work/searches.hash" && [[ -s $work/searches.hash ]]
report $? 'the same sources are drawn, and reach as many'

refuses 2 '--partition=grid: must be range or hash' pagerank --generate=kronecker:4 --partition=grid
refuses 2 '--partition_alpha=1000001: must be from 0 to 1000000' pagerank --generate=kronecker:4 --partition_alpha=1000001
refuses 2 '--source=7: the graph has no such vertex' bfs --graph="$work/graph.txt" --source=7 --partition=hash

end_of_cases
