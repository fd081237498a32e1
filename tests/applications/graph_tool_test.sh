#!/usr/bin/env bash
# Runs graph_tool as a user does, on a graph whose figures are known.
source "$(dirname "${BASH_SOURCE[0]}")/application_cases.sh" graph_tool

# 0 -> 1, 0 -> 2, .. 0 -> 9, 9 -> 9
{
  for v in {1..9}; do echo "0 $v"; done
  echo "9 9"
} >"$work/star.txt"

for split in '1 1' '1 2' '2 1'; do
  # shellcheck disable=SC2086
  run $split stats --graph="$work/star.txt"
  report "$status" "stats $split"
  for expected in '10 vertices, 10 edges' '1 self-loops, 1 vertices without in-edges, 8 without out-edges' \
    'by in-degree \(largest 2\)' 'by out-degree \(largest 9\)' '^ +1 +8 ' ' 4 lanes   27\.8 %' ' 8 lanes   13\.9 %' \
    '16 lanes    6\.9 %'; do
    check "stats $split prints '$expected'" prints "$expected"
  done
done
run 1 1 stats --generate=kronecker:10 --stats_json="$work/stats.json"
check 'stats writes --stats_json' grep -q '"application": "graph_tool"' "$work/stats.json"
refuses 2 'no command' --graph="$work/star.txt"
end_of_cases
