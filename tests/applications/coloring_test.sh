#!/usr/bin/env bash
# Runs coloring as a user does.
source "$(dirname "${BASH_SOURCE[0]}")/application_cases.sh" coloring

#   a triangle of 10, 20 and 30; 10 has two ends, 40 and 50, and 20 has one, 60; 9 has a loop
printf '10 20\n20 30\n30 10\n10 40\n50 10\n20 60\n9 9\n' >"$work/small.txt"

n=0
for split in '1 1' '2 2'; do
  # shellcheck disable=SC2086
  run $split --graph="$work/small.txt" --symmetrize --output="$work/colors" --verify
  [[ $status == 0 && $(tr '\n' ',' <"$work/colors") == '9 0,10 0,20 1,30 2,40 1,50 1,60 0,' ]] &&
    prints '^coloring: 3 colours, ' && prints '^verified'
  report $? "a triangle with ends has three colours on $split"
  two_trials "$split" colors --generate=kronecker:10 --symmetrize --output="$work/$((++n))"
done
cmp -s "$work/1" "$work/2"
report $? 'the colours are the same on both'
verifies_on '2 1' --generate=mesh2d:1x1 --symmetrize

refuses 2 'requires an undirected graph; add --symmetrize' --generate=kronecker:4

end_of_cases
