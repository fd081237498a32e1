#!/usr/bin/env bash
# Runs layout_lab as a user does.
source "$(dirname "${BASH_SOURCE[0]}")/application_cases.sh" layout_lab
several=

run 1 1 --depth=10 --queries=1000 --trials=2 --layout_levels=64,1024 --stats_json="$work/stats"
[[ $status == 0 ]] && prints '^search tree of depth 10: pseudorandom .* times as fast' &&
  prints '^search tree of depth 10: veb ' && prints '^search tree of depth 10: blocks of 64 ' &&
  prints '^search tree of depth 10: blocks of 64,1024 ' && [[ $(wc -l <"$work/out") == 7 ]]
report $? 'it measures a search tree in every layout'
check '... also in --stats_json' grep -q '"layout": "blocks of 64,1024"' "$work/stats"
check '... where all layouts agree' grep -q '"verified": true' "$work/stats"

run 1 1 --generate=mesh2d:30x20 --stats_json="$work/stats"
[[ $status == 0 ]] && prints '^graph: mesh2d:30x20, 600 vertices, 1,150 edges' && prints '^bfs: dfs ' && prints '^sssp: blocks of 64,' &&
  ! prints 'veb' && grep -q '"experiment": "sssp"' "$work/stats"
report $? 'it measures both searches of a graph'
run 1 1 --generate=watts_strogatz:500:degree=6 --boost --layouts=dfs,blocks --trials=2
[[ $status == 0 && $(wc -l <"$work/out") == 7 ]] && prints '^bfs by Boost: dfs ' && prints '^sssp by Boost: blocks of 64,'
report $? '... also of a graph of the Boost Graph Library, by its own searches'
run 1 1 --depth=8 --node_pointer --queries=1000 --layout_levels=64,1024
[[ $status == 0 && $(wc -l <"$work/out") == 7 ]] && prints '^search tree of depth 8, a pointer more: blocks of 64,1024 '
report $? 'a tree of larger nodes has the same answers in every layout'

run 1 1 --live=2000 --churn=0.5 --rounds=3 --queries=1000 --trials=2 --layout_levels=64,1024 --stats_json="$work/stats"
[[ $status == 0 && $(wc -l <"$work/out") == 9 ]] && prints '^live tree, round 3: as it grew .* 1.00 times as fast as it grew$' &&
  prints '^live tree, round 3: breadth first .* laid out in ' && prints '^live tree, round 3: blocks .* laid out in ' &&
  grep -q '"verified": true' "$work/stats" && (($(grep -c '"nodes": 2000' "$work/stats") == 6)) && grep -q '"nodes": 5000' "$work/stats"
report $? 'a tree in use is laid out anew after each round, and takes no more room then than its keys'

printf '%s\n' '5 900000000000' '900000000000 7' '7 7' '11 13' >"$work/graph.txt"
run 1 1 --graph="$work/graph.txt" --depth=1 --searches=bfs --layouts=bfs,blocks --nohuge_pages
[[ $status == 0 ]] && prints '^search tree of depth 1: blocks' && prints ', 5 vertices, 3 edges' && prints '^bfs: bfs ' &&
  ! prints '^sssp' && ! prints 'blocks of 64 '
report $? 'it measures what is asked for, of a file with ids far apart'

refuses 2 'nothing to lay out: pass --depth=22, --live=1000000'
refuses 2 '--depth=31: must be from 0 to 30' --depth=31
refuses 2 '--churn=1.5: must be from 0 to 1' --live=10 --churn=1.5
refuses 2 '--rounds=0: must be from 1 to 1000' --live=10 --rounds=0
refuses 2 '--layouts=bfs,zigzag: must be all, or a list' --depth=3 --layouts=bfs,zigzag
refuses 2 '--searches=dfs: must be bfs, sssp or bfs,sssp' --depth=3 --searches=dfs
refuses 2 '--layout_levels=64,100: must be auto, or' --depth=3 --layout_levels=64,100
refuses 66 'nowhere.txt' --graph="$work/nowhere.txt"
run 1 2 --depth=3
[[ $status == 2 ]] && says 'measures one core'
report $? 'more than one core is refused'
end_of_cases
