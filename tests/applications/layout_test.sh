#!/usr/bin/env bash
# Runs every graph application in every order of the vertices: the results are verified, and those of the ids' order.
source "$(dirname "${BASH_SOURCE[0]}")/application_cases.sh"

scattered_graph "$work/graph.txt"
told_of() {
  case $1 in
    --layout=none | --layout=auto) ! prints '^layout' ;;
    *) prints "^layout: ${1#*=}, found in" ;;
  esac
}

# every same|verified LAYOUTS APP FLAG...
every() {
  local compared=$1 layouts=$2
  shift 2
  # shellcheck disable=SC2086
  varied "$compared" "$(printf -- '--layout=%s ' $layouts)" "$@"
}
all='random degree hub_cluster bfs dfs hierarchical community'
every same "$all" connected_components --graph="$work/graph.txt"
every same "$all" sssp --graph="$work/graph.txt" --source=15838
every verified hierarchical pagerank --graph="$work/graph.txt"
for input in "--graph=$work/graph.txt" '--generate=kronecker:9:weights=1..9'; do
  every same hierarchical label_propagation "$input"
  every same 'degree hierarchical' sssp "$input" --trials=2
  every same hierarchical k_core "$input" --symmetrize
  every same degree eccentricity "$input" --sources=20
  every same degree closeness "$input" --measure=harmonic --samples=100
  every same hierarchical random_walks "$input" --length=10
  every same hierarchical coloring "$input" --symmetrize
  every same hierarchical maximal_independent_set "$input" --symmetrize
  every same 'degree hierarchical' triangle_counting "$input" --symmetrize
  every verified 'hub_cluster hierarchical' bfs "$input" --trials=2
  every verified hierarchical bfs_delegates "$input"
  every verified dfs betweenness_centrality "$input"
  every verified degree hits "$input"
  every verified bfs spectral_centrality "$input" --tolerance=1e-2
  every verified bfs personalized_pagerank "$input"
  every verified bfs collaborative_filtering "$input" --symmetrize
done

same_searches --layout=none --layout=hierarchical

# Large enough for the order by degree, without a flag.
with_hubs='--generate=kronecker:16:edgefactor=2:weights=1..9'
every same 'auto none' connected_components $with_hubs
every same 'auto none' sssp $with_hubs
every same 'auto none' label_propagation $with_hubs --iterations=3
for kernel in k_core coloring maximal_independent_set triangle_counting; do
  every same 'auto none' $kernel $with_hubs --symmetrize
done
every verified auto pagerank $with_hubs --iterations=5
every verified auto betweenness_centrality $with_hubs
every verified auto bfs $with_hubs

run 2 2 pagerank $with_hubs --stats_json="$work/stats"
[[ $status == 0 ]] && grep -q '"name": "degree"' "$work/stats" && grep -q '"hub_share": 0\.[1-9]' "$work/stats"
report $? 'what is chosen is in --stats_json'
run 1 1 pagerank --generate=mesh2d:300x300
[[ $status == 0 ]] && ! prints '^layout'
report $? 'nothing is said where no order is asked for'
run 1 2 graph_tool convert $with_hubs --output="$work/hubs.orj" && run 2 1 pagerank --graph="$work/hubs.orj"
[[ $status == 0 ]] && prints '^layout: degree, as the file has it$'
report $? 'an .orj file keeps the order'
run 2 1 pagerank --graph="$work/hubs.orj" --layout=none
[[ $status == 0 ]] && ! prints '^layout'
report $? '... unless that of the ids is asked for'

run 2 1 graph_tool layout --generate=mesh2d:40x25 --stats_json="$work/stats"
[[ $status == 0 ]] && prints '^1,000 vertices, 1,935 edges, each once' && prints '^ +hierarchical +[0-9.]+ +[0-9.]+' &&
  prints '^--layout=auto chooses none' && grep -q '"blocks_per_edge"' "$work/stats"
report $? 'graph_tool layout measures every order'
run 1 2 graph_tool layout --graph="$work/graph.txt" --layout=degree --layout_levels=64
[[ $status == 0 ]] && [[ $(grep -cE '^  [a-z]+ +[0-9.]+ +[0-9.]+ +[0-9.]+$' "$work/out") == 2 ]]
report $? '... or the one asked for, beside that of the ids'

refuses 2 '--layout=zigzag: must be none, random,' pagerank --generate=kronecker:4 --layout=zigzag
refuses 2 '--layout_levels=0: must be auto, or' pagerank --generate=kronecker:4 --layout_levels=0
refuses 2 '--layout_vertex_bytes=0: must be from 1' pagerank --generate=kronecker:4 --layout_vertex_bytes=0
refuses 2 'remove one of the two' pagerank --generate=kronecker:4 --layout=bfs --partition=hash
refuses 71 'this order of the vertices requires about 3599992 bytes at locale 0' pagerank --generate=path:100000 --layout=bfs \
  --memory_budget_bytes=3500000
end_of_cases
