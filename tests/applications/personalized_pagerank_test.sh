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

# Each source has its top-ranked vertices. Vertices of rank 0 are left out.
for split in '1 1' '1 2' '2 1' '2 2'; do
  # shellcheck disable=SC2086
  run $split --graph="$work/small.txt" --sources=40 --damping=0.5 --max_iterations=2 --top=2 --output="$work/near" --verify
  [[ $status == 0 ]] && prints '^verified the ranks from all 3 sources are' && prints '^personalized_pagerank: 3 sources, 2 iterations of 8 at a time' &&
    [[ $(tr '\n' ',' <"$work/near") == '10 10 0.625,10 30 0.25,20 20 0.75,20 30 0.25,40 10 0.25,40 40 0.5,' ]]
  report $? "ranks from several sources are right on $split"
  # shellcheck disable=SC2086
  run $split --generate=kronecker:10:weights=0..3 --sources=19 --trials=2 --weighted --verify
  [[ $status == 0 ]] && prints '^verified the ranks from all 18 sources'
  report $? "ranks by weights from 18 sources are verified on $split"
  verifies_on "$split" --generate=kronecker:10:weights=0..3 --weighted
done
run 1 1 --graph="$work/small.txt" --sources=40 --top=1 --output="$work/near.csv"
[[ $status == 0 && $(head -n 1 "$work/near.csv") == source,target,rank ]]
report $? 'they may be a table'

refuses 2 '--sources=0: must be at least 1' --generate=kronecker:4 --sources=0
refuses 2 '--weighted requires a graph with weights' --generate=kronecker:4 --weighted
refuses 2 '--damping=1: must be from 0 to below 1' --generate=kronecker:4 --damping=1
refuses 2 '--source=7: the graph has no such vertex' --graph="$work/small.txt" --source=7

end_of_cases
