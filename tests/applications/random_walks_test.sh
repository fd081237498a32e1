#!/usr/bin/env bash
# Runs random_walks as a user does.
source "$(dirname "${BASH_SOURCE[0]}")/application_cases.sh" random_walks

#   10 -> 20 -> 30 -> 40: no choice
printf '10 20\n20 30\n30 40\n' >"$work/small.txt"

for split in '1 1' '1 2' '2 1' '2 2'; do
  # shellcheck disable=SC2086
  run $split --graph="$work/small.txt" --walks_per_vertex=2 --length=2 --output="$work/visits" --verify --stats_json="$work/stats.json"
  [[ $status == 0 && $(tr '\n' ',' <"$work/visits") == '10 2,20 4,30 6,40 6,' ]] &&
    prints '^random_walks: 8 walks, 10 steps, ' && prints '^verified' && grep -q '"steps": 10' "$work/stats.json"
  report $? "walks along a path are counted on $split"
  # shellcheck disable=SC2086
  run $split --generate=kronecker:10 --walks=3000 --seed=5 --trials=2 --verify --output="$work/visits.${split/ /x}"
  [[ $status == 0 && $(grep -c '^verified' "$work/out") == 1 && $(grep -c '^random_walks: 3,000 walks, ' "$work/out") == 2 ]] &&
    cmp -s "$work/visits.1x1" "$work/visits.${split/ /x}"
  report $? "kronecker:10 is verified on $split, with the same visits"
done
verifies_on '2 1' --generate=mesh2d:1x1

refuses 2 '--walks_per_vertex=0: must be at least 1' --generate=kronecker:4 --walks_per_vertex=0

end_of_cases
