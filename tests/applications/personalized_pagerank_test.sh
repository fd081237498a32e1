#!/usr/bin/env bash
# Runs personalized_pagerank as a user does.
source "$(dirname "${BASH_SOURCE[0]}")/application_cases.sh" personalized_pagerank

#   10 -> 20 -> 30, 10 -> 30, 40 -> 10: one iteration and two with a damping of a half
printf '10 20\n20 30\n10 30\n40 10\n' >"$work/small.txt"

for split in '1 1' '2 2'; do
  # shellcheck disable=SC2086
  run $split --graph="$work/small.txt" --source=10 --damping=0.5 --max_iterations=2 --output="$work/ranks" --verify
  [[ $status == 0 && $(tr '\n' ',' <"$work/ranks") == '10 0.625,20 0.125,30 0.25,40 0,' ]] &&
    prints '^personalized_pagerank: source 10, 2 iterations, ' && prints '^not converged' && prints '^verified' &&
    prints '^ +1 +10  6.2500e-01$'
  report $? "ranks are right on $split"
  # shellcheck disable=SC2086
  run $split --generate=kronecker:10 --trials=2 --seed=3 --verify --stats_json="$work/stats.json"
  [[ $status == 0 && $(grep -c '^verified' "$work/out") == 1 ]] && grep -q '"verified": true' "$work/stats.json" &&
    (($(grep -c '"source": [0-9]' "$work/stats.json") == 2)) && ! prints '^not converged'
  report $? "kronecker:10 is verified on $split"
  verifies_on "$split" --generate=mesh2d:40x25 --source=512 --tolerance=1e-9
done

refuses 2 '--damping=1: must be from 0 to below 1' --generate=kronecker:4 --damping=1
refuses 2 '--source=7: the graph has no such vertex' --graph="$work/small.txt" --source=7

end_of_cases
