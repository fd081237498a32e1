#!/usr/bin/env bash
# Runs k_core as a user does.
source "$(dirname "${BASH_SOURCE[0]}")/application_cases.sh" k_core

#   a clique of 1, 2, 3, 4, on which 5 hangs, and on that 6; 9 has a loop
printf '1 2\n1 3\n1 4\n2 3\n2 4\n3 4\n4 5\n5 6\n9 9\n' >"$work/small.txt"

for split in '1 1' '2 2'; do
  # shellcheck disable=SC2086
  run $split --graph="$work/small.txt" --symmetrize --remove_self_loops --output="$work/cores" --verify
  [[ $status == 0 && $(tr '\n' ',' <"$work/cores") == '1 3,2 3,3 3,4 3,5 1,6 1,9 0,' ]] &&
    grep -q '^k_core: the largest core number is 3, of 4 vertices' "$work/out" && grep -q '^verified' "$work/out"
  report $? "a clique with a tail has core numbers 3, 1 and 0 on $split"
  two_trials "$split" degeneracy --generate=kronecker:10 --symmetrize
done

run 1 1 --generate=mesh2d:1x1 --symmetrize --verify
check 'a vertex by itself has core number 0' prints '^k_core: the largest core number is 0, of 1 vertex;'

refuses 2 'requires an undirected graph; add --symmetrize' --generate=kronecker:4

end_of_cases
