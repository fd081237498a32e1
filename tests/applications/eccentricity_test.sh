#!/usr/bin/env bash
# Runs eccentricity as a user does.
source "$(dirname "${BASH_SOURCE[0]}")/application_cases.sh" eccentricity

#   10 -> 20 -> 30 -> 40, 60 -> 10, and 70 -> 80
printf '10 20\n20 30\n30 40\n60 10\n70 80\n' >"$work/small.txt"

n=0
for split in '1 1' '2 2'; do
  # shellcheck disable=SC2086
  run $split --graph="$work/small.txt" --source=10 --output="$work/distances" --verify
  [[ $status == 0 && $(tr '\n' ',' <"$work/distances") == '10 0,20 1,30 2,40 3,60 -1,70 -1,80 -1,' ]] &&
    prints '^eccentricity: the diameter is at least 3, from 1 source, ' && prints '^ +10  3$' && prints '^verified'
  report $? "distances along edges are right on $split"
  two_trials "$split" diameter_at_least --generate=kronecker:10 --symmetrize --output="$work/$((++n))"
  (($(grep -c '"eccentricity": ' "$work/stats.json") > 50))
  report $? "... and every source's eccentricity is told"
  verifies_on "$split" --generate=path:300 --sources=3
done
cmp -s "$work/1" "$work/2"
report $? 'the distances are the same on both'
verifies_on '2 1' --generate=mesh2d:40x25 --symmetrize --direction=push
verifies_on '2 1' --generate=mesh2d:40x25 --symmetrize --direction=pull
verifies_on '1 2' --generate=mesh2d:1x1

refuses 2 '--sources=65: must be from 1 to 64' --generate=kronecker:4 --sources=65
refuses 2 '--source=7: the graph has no such vertex' --graph="$work/small.txt" --source=7

end_of_cases
