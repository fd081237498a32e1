#!/usr/bin/env bash
# Runs maximal_independent_set as a user does.
source "$(dirname "${BASH_SOURCE[0]}")/application_cases.sh" maximal_independent_set

#   20 - 10 - 30    a star with 40 and 50, too; 9 has a loop
printf '10 20\n10 30\n10 40\n50 10\n9 9\n' >"$work/small.txt"

n=0
for split in '1 1' '2 2'; do
  # shellcheck disable=SC2086
  run $split --graph="$work/small.txt" --symmetrize --output="$work/set" --verify
  [[ $status == 0 && $(tr '\n' ',' <"$work/set") =~ ^9\ 1,10\ (1,20\ 0,30\ 0,40\ 0,50\ 0|0,20\ 1,30\ 1,40\ 1,50\ 1),$ ]] &&
    prints '^maximal_independent_set: [25] of 6 vertices' && prints '^verified'
  report $? "a star has its centre or its ends in the set on $split"
  two_trials "$split" size --generate=kronecker:10 --symmetrize --output="$work/$((++n))"
done
cmp -s "$work/1" "$work/2"
report $? 'the set is the same on both'
run 2 1 --generate=kronecker:10 --symmetrize --seed=2 --verify --output="$work/3"
[[ $status == 0 ]] && ! cmp -s "$work/1" "$work/3"
report $? 'another seed gives another set'

run 1 1 --generate=mesh2d:1x1 --symmetrize --verify
check 'a vertex by itself is in the set' prints '^maximal_independent_set: 1 of 1 vertex, '

refuses 2 'requires an undirected graph; add --symmetrize' --generate=kronecker:4

end_of_cases
