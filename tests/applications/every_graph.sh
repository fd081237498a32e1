#!/usr/bin/env bash
# Verifies every application on the graphs given and on generated ones: on every split of locales and cores, in every
# direction, with every codec. By hand, as it takes a while:
#   tests/applications/every_graph.sh [--splits='1x1 2x2'] [GRAPH...]
# Results that must be the same for every process layout (locales x cores) are compared with those of 1x1.
arguments=("$@")
set --
source "$(dirname "${BASH_SOURCE[0]}")/application_cases.sh"

splits='1x1 1x2 2x1 2x2 4x1 3x2'
graphs=()
for argument in "${arguments[@]}"; do
  case $argument in
    --splits=*) splits=${argument#*=} ;;
    --*) echo "no option '$argument'; see the head of ${BASH_SOURCE[0]}" >&2; exit 2 ;;
    *) graphs+=("--graph=$argument") ;;
  esac
done
graphs+=(--generate=kronecker:10 --generate=kronecker:9:edgefactor=3:weights=1..9 --generate=uniform:10:edgefactor=2
  --generate=mesh2d:1x1 --generate=mesh2d:2000x1 --generate=mesh2d:40x25:weights=1..255)

# A star, two hubs that share their leaves, repeated edges, self-loops, ids far apart, and an edge by itself.
{
  for ((v = 1; v <= 300; v++)); do echo "0 $v"; done
  for ((v = 200; v <= 500; v++)); do printf '%s 900000000000\n900000000000 %s\n' "$v" "$v"; done
  printf '7 7\n7 7\n7 8\n7 8\n12345678901234 12345678901235\n'
} >"$work/hubs.txt"
graphs+=("--graph=$work/hubs.txt")

# Applications with the flags that they are run with; those marked with = write the same on any split.
undirected='--symmetrize --remove_self_loops'
applications=(
  '  pagerank' '  pagerank --delta' "  pagerank $undirected"
  '  hits' "  hits $undirected" '  personalized_pagerank' "  personalized_pagerank $undirected" '  personalized_pagerank --sources=9'
  '= connected_components' "= connected_components $undirected"
  '= leiden --symmetrize' '= leiden --symmetrize --method=louvain'
  '= strongly_connected_components' "= strongly_connected_components $undirected"
  '= minimum_spanning_forest' "= minimum_spanning_forest $undirected" '= bfs --trials=3' "= bfs $undirected" '= bfs_delegates' '= random_walks --length=10' '= random_walks --length=10 --p=0.5 --q=2 --weighted --keep_walks' "= random_walks --length=10 --types=$work/types.txt --metapath=t0,t1,t2,t0" '= neighbour_sample --batch=20' '= neighbour_sample --fanouts=3,2 --replace --edge_dir=out'
  '= sssp' "= sssp $undirected"
  "= k_core $undirected" "= k_core $undirected --weighted" "= k_truss --symmetrize" "= k_truss --symmetrize --support" "= cliques --symmetrize" "= similarity --symmetrize" "= similarity --symmetrize --measure=adamic_adar" "= maximal_independent_set --symmetrize" "= coloring --symmetrize" "= eccentricity" "= closeness --samples=100" "= closeness --measure=harmonic --samples=100" "= label_propagation --iterations=10" "= triangle_counting $undirected" "= triangle_counting $undirected --coefficients" "= triangle_counting $undirected --coefficients --weighted"
  "  spectral_centrality --tolerance=1e-3" "  spectral_centrality --measure=katz --alpha=0.0001" "  spectral_centrality $undirected --tolerance=1e-3"
  "  betweenness_centrality --trials=1" "  betweenness_centrality --edges --trials=1" "= betweenness_centrality --weighted --trials=1" "= betweenness_centrality --weighted --edges --trials=1" "  collaborative_filtering $undirected --iterations=3")

# verified SPLIT FLAG...: one case.
verified() {
  local split=$1
  shift
  # shellcheck disable=SC2086
  run ${split/x/ } "$@" --verify --output="$work/output"
  [[ $status == 0 && $(grep -cE '^verified' "$work/out") -ge 1 ]]
  report $? "$split: $*"
}

# promised APPLICATION FILE prints the part of its output that is the same in any layout. A search may find any
# parent.
promised() {
  if [[ $1 == bfs* ]]; then cut -d ' ' -f 1,3 "$2"; else cat "$2"; fi
}

# has FLAG APPLICATION is true if it has the flag. Some have no codec, or no direction to choose; pagerank has one
# with --delta.
has() { [[ $("$root/bin/orujo" run "$2" --helpfull 2>/dev/null) == *"  --$1 "* ]]; }

for graph in "${graphs[@]}"; do
  run 1 1 connected_components "$graph" --output="$work/ids"
  awk '{ print $1, "t" NR % 3 }' "$work/ids" >"$work/types.txt"
  for line in "${applications[@]}"; do
    read -ra flags <<<"${line:2}"
    # These require weights.
    [[ ${flags[*]} != @(collaborative_filtering|*\ --weighted)* || $graph == *weights=* ]] || continue
    for split in $splits; do
      verified "$split" "${flags[@]}" "$graph"
      [[ $line == =* ]] || continue
      promised "${flags[0]}" "$work/output" >"$work/now"
      [[ $split == "${splits%% *}" ]] && cp "$work/now" "$work/first"
      cmp -s "$work/now" "$work/first"
      report $? "$split writes what ${splits%% *} writes: ${flags[*]} $graph"
    done
    if has codec "${flags[0]}"; then
      verified 2x2 "${flags[@]}" "$graph" --codec=none
      for codec in bp128 varint bitmap lz4 pfor; do
        verified 2x2 "${flags[@]}" "$graph" --codec=$codec --codec_min_bytes=0
      done
    fi
    if has direction "${flags[0]}" && [[ ${flags[0]} != pagerank || ${flags[*]} == *--delta* ]]; then
      for direction in push pull; do verified 2x2 "${flags[@]}" "$graph" --direction=$direction; done
    fi
  done
done
for split in $splits; do
  # shellcheck disable=SC2086
  run ${split/x/ } graph500 --scale=9 --kernel=both --roots=4 --verify
  ((status == 0)) && prints '^valid: [0-9]+ tree'
  report $? "$split: graph500 --kernel=both"
done
end_of_cases
