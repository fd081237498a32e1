#!/usr/bin/env bash
# Runs graph_tool as a user does, on a graph whose figures are known.
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
source "$root/tests/cases.sh"

run() {
  timeout 120 "$root/bin/orujo" run "$@" >"$work/out" 2>"$work/err" </dev/null
  status=$?
}

# 0 -> 1, 0 -> 2, .. 0 -> 9, 9 -> 9
{
  for v in {1..9}; do echo "0 $v"; done
  echo "9 9"
} >"$work/star.txt"

for split in '-n 1 -c 1' '-n 1 -c 2' '-n 2 -c 1'; do
  # shellcheck disable=SC2086
  run $split graph_tool stats --graph="$work/star.txt"
  report "$status" "stats $split"
  for expected in '10 vertices, 10 edges' '1 self-loops, 1 vertices without in-edges, 8 without out-edges' \
    'by in-degree \(largest 2\)' 'by out-degree \(largest 9\)' '^ +1 +8 ' ' 4 lanes   27\.8 %' ' 8 lanes   13\.9 %' \
    '16 lanes    6\.9 %'; do
    check "stats $split prints '$expected'" prints "$expected"
  done
done
run -n 1 graph_tool stats --generate=kronecker:10 --stats_json="$work/stats.json"
check 'stats writes --stats_json' grep -q '"application": "graph_tool"' "$work/stats.json"
run -n 1 graph_tool --graph="$work/star.txt"
report "$((status != 2))" 'graph_tool without a command ends with 2'
check 'graph_tool without a command says so' says 'no command'
end_of_cases
