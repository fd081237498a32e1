#!/usr/bin/env bash
# Converts graphs as a user does, from every format to every other and back; on any number of locales.
source "$(dirname "${BASH_SOURCE[0]}")/application_cases.sh" graph_tool

# converts NAME LOCALES CORES FLAG...
converts() {
  local name=$1
  shift
  run "$@"
  report "$status" "$name"
}
# same NAME FILE FILE: the same edges in any order.
same() {
  cmp -s <(sort "$2") <(sort "$3") && [[ -s $2 ]]
  report $? "$1"
}

# Symmetric, with whole weights and every id: all formats can hold it.
converts 'generates an edge list' 1 2 generate mesh2d:9x7:weights=1..9 --symmetrize --output="$work/start.el"
check 'it has every edge twice' test "$(wc -l <"$work/start.el")" == 220
same 'another split writes the same' "$work/start.el" <(
  run 2 2 generate mesh2d:9x7:weights=1..9 --symmetrize --output="$work/again.wel"
  cat "$work/again.wel"
)
# shifted BY FILE: the edge list with larger ids.
shifted() { awk -v by="$1" '{ $1 += by; $2 += by; print }' "$2"; }
# Where these files count their vertices from; others keep the ids.
declare -A counts_from=([mtx]=1 [gr]=1 [graph]=1 [mtx.zst]=1 [wsg]=0 [adj]=0 [adj.gz]=0)
formats=(el mtx gr graph wsg orj adj g500 adj.gz mtx.zst graphml gml.gz el.gz)
previous=$work/start.el
split=0 first=0
for suffix in "${formats[@]}"; do
  splits=('1 1' '2 1' '1 3' '2 2' '3 1')
  # shellcheck disable=SC2086
  run ${splits[split++ % 5]} convert --graph="$previous" --output="$work/chain.$suffix"
  report "$status" "${previous##*/} is written as chain.$suffix"
  by=$((${counts_from[$suffix]:-$first} - first)) first=${counts_from[$suffix]:-$first}
  case $by in
    0) ! says 'each id' ;;
    1) says "^W.*chain\.$suffix: .* numbers vertices from 1, so each id in it is larger by 1 than in .*${previous##*/}" ;;
    -1) says "^W.*chain\.$suffix: .* numbers vertices from 0, so each id in it is less by 1 than in .*${previous##*/}" ;;
  esac
  report $? "it is told where ids change by $by"
  converts "chain.$suffix is written as an edge list" 2 1 convert --graph="$work/chain.$suffix" --output="$work/back.el"
  cmp -s <(shifted "$first" "$work/start.el") "$work/back.el"
  report $? "from an edge list to $suffix and back is the identity, with ids from $first"
  previous=$work/chain.$suffix
done
check 'compressed files are' bash -c "gzip -t '$work/chain.adj.gz' && zstd -qt '$work/chain.mtx.zst'"
check 'packed edges have their weights beside them' test "$(stat -c %s "$work/chain.g500.weights")" == 880

# Isolated vertices, self-loops, repeated edges, no weights.
converts 'generates without weights' 2 1 generate uniform:6:edgefactor=1 --output="$work/loops.mtx"
for suffix in gr sg adj orj gml graphml; do
  converts "loops.mtx is written as $suffix" 1 2 convert --graph="$work/loops.mtx" --output="$work/loops.$suffix"
  converts 'and back' 1 1 convert --graph="$work/loops.$suffix" --output="$work/back.mtx"
  cmp -s "$work/loops.mtx" "$work/back.mtx"
  report $? "from a matrix to $suffix and back is the identity"
done
converts 'a list of edges is made of it' 1 1 convert --graph="$work/loops.mtx" --output="$work/loops.el"
check 'vertices without edges are missed' says 'edge_list cannot hold vertices without edges; [0-9]+ of 64 are dropped'

printf '10 500\n500 10\n10 70\n10 10\n10 70\n' >"$work/sparse.el"
converts 'sparse ids stay in a list of edges' 2 2 convert --graph="$work/sparse.el" --output="$work/sparse.g500"
converts 'and come back' 1 1 convert --graph="$work/sparse.g500" --output="$work/sparse_back.el"
same 'from sparse ids to packed edges and back is the identity' "$work/sparse.el" "$work/sparse_back.el"
converts 'sparse ids stay in an .orj file in any order' 2 1 convert --graph="$work/sparse.el" --layout=degree --output="$work/sparse.orj"
converts 'and come back' 1 2 convert --graph="$work/sparse.orj" --output="$work/sparse_back.el"
same 'from sparse ids to .orj and back is the identity' "$work/sparse.el" "$work/sparse_back.el"
converts 'and their largest component is cut out' 2 1 convert --graph="$work/sparse.orj" --largest_component --output="$work/largest.el"
same 'which is all of it' "$work/sparse.el" "$work/largest.el"
printf '%%%%MatrixMarket matrix coordinate pattern general\n5 5 2\n3 2\n5 5\n' >"$work/gaps.mtx"
converts 'the numbering of a file stays with its largest component' 2 1 convert --graph="$work/gaps.mtx" --largest_component --output="$work/gaps.csv"
check 'as without it' cmp -s "$work/gaps.csv" <(printf 'source,target\n3,2\n')

# Applications print the ids of any file that has ids, or that numbers its vertices in the same way. The way from any
# format to any other and back is therefore the identity.
declare -A ids=([from_zero]='0 1 2 3 4 5 6' [from_one]='1 2 3 4 5 6 7' [sparse]='4 70 71 5000000000 5000000001 5000000002 99999999999999'
  [large]='1 9007199254740993 9223372036854775807 9223372036854775808 9223372036854775809 18446744073709551614 18446744073709551615')
holds() {  # FORMAT IDS: whether the format has such ids
  case $1 in mtx) [[ $2 == from_one ]] ;; adj) [[ $2 == from_zero ]] ;; g500) [[ $2 != large ]] ;; esac
}
keeps_ids() { run "$@"; [[ $status == 0 ]] && ! says 'each id'; }
for kind in "${!ids[@]}"; do
  read -ra id <<<"${ids[$kind]}"
  for ends in '0 1' '0 6' '1 2' '2 2' '3 4' '5 3' '6 1' '6 1'; do
    echo "${id[${ends% *}]} ${id[${ends#* }]} $((${ends% *} + 1)).5"
  done >"$work/given.el"
  converts "a graph with ids $kind is written" 2 2 convert --graph="$work/given.el" --output="$work/ids.el"
  same 'by the same ids' "$work/given.el" "$work/ids.el"
  for from in el csv mtx adj g500 graphml gml; do
    holds "$from" "$kind" || continue
    check "ids $kind are written as $from" keeps_ids 2 1 convert --graph="$work/ids.el" --output="$work/from.$from"
    for to in el csv mtx adj g500 orj graphml gml; do
      holds "$to" "$kind" || continue
      keeps_ids 1 2 convert --graph="$work/from.$from" --output="$work/to.$to" &&
        keeps_ids 2 1 convert --graph="$work/to.$to" --output="$work/again.$from" &&
        cmp -s "$work/from.$from" "$work/again.$from"
      report $? "ids $kind from $from to $to and back are the same"
    done
  done
done
for shape in 'directed 1' 'directed 0'; do
  printf 'graph [ %s node [ id 1 ] node [ id 3 ] node [ id 2 ] edge [ source 1 target 2 ] edge [ source 3 target 2 ] ]' "$shape" >"$work/one.gml"
  printf '{"%s": %s, "nodes": [{"id": 1}, {"id": 2}, {"id": 3}], "links": [{"source": 1, "target": 2}, {"source": 3, "target": 2}]}' \
    "${shape% *}" "$([[ $shape == *1 ]] && echo true || echo false)" >"$work/one.json"
  [[ $shape == *1 ]] && printf 'digraph { 1 -> 2; 3 -> 2 }' >"$work/one.dot" || printf 'graph { 1 -- 2; 3 -- 2 }' >"$work/one.dot"
  [[ $shape == *1 ]] && printf '1 2\n3 2\n' >"$work/one.adjlist" || printf '1 2\n2 1 3\n3 2\n' >"$work/one.adjlist"
  [[ $shape == *1 ]] && printf '*Vertices 3\n*Arcs\n1 2\n3 2\n' >"$work/one.net" || printf '*Vertices 3\n*Edges\n1 2\n3 2\n' >"$work/one.net"
  for document in gml json dot adjlist net; do
    converts "$document of vertices 1 to 3 is written, $shape" 2 1 convert --graph="$work/one.$document" --ignore_weights --output="$work/one.csv"
    cmp -s <(tail -n +2 "$work/one.csv") <([[ $shape == *1 ]] && printf '1,2\n3,2\n' || printf '1,2\n2,1\n2,3\n3,2\n')
    report $? 'by the ids that it has'
  done
done
converts 'an application loads what is written' 2 1 convert --graph="$work/sparse.el" --renumber --symmetrize \
  --remove_self_loops --output="$work/small.graph"
check 'the METIS file is known' cmp -s "$work/small.graph" <(printf '3 2\n2 3\n1\n1\n')
converts '--to overrules the name' 1 1 convert --graph="$work/small.graph" --to=metis --output="$work/small.txt"
check 'the METIS file is the same' cmp -s "$work/small.graph" "$work/small.txt"

refuses 65 'pass --renumber' convert --graph="$work/sparse.el" --output="$work/no.mtx"
refuses 65 'pass --remove_self_loops' convert --graph="$work/sparse.el" --renumber --output="$work/no.graph"
refuses 65 'name it .wsg' convert --graph="$work/start.el" --output="$work/no.sg"
refuses 2 'pass --output=FILE' convert --graph="$work/start.el"
refuses 2 'no format has this suffix; pass --to=edge_list' convert --graph="$work/start.el" --output="$work/no.thing"
refuses 2 'gap is not compressed' convert --graph="$work/start.el" --output="$work/no.wsg.gz"
refuses 2 'remove --partition and --layout' convert --graph="$work/start.el" --partition=hash --output="$work/no.el"
refuses 2 'remove --partition and --layout' convert --graph="$work/start.el" --layout=bfs --output="$work/no.el"
refuses 2 'an .orj file keeps the ids' convert --graph="$work/start.el" --renumber --output="$work/no.orj"
refuses 2 'orj is not compressed' convert --graph="$work/start.el" --output="$work/no.orj.gz"
refuses 2 '--to=word: must be auto, edge_list' convert --graph="$work/start.el" --to=word --output="$work/no.el"
refuses 74 'No such file or directory' convert --graph="$work/start.el" --output="$work/nowhere/no.el"
check 'nothing is left of what failed' bash -c "! ls -A '$work' | grep -E '^no\.|partial'"
run 1 1 generate path:5 --output="$work/path.el" --stats_json="$work/stats.json"
check 'what was written is in --stats_json' grep -q '"bytes": 16' "$work/stats.json"
end_of_cases
