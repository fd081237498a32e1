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


#   a triangle of edges of 5, on which 4 hangs by 9, and on that 5 by 2
printf '1 2 5\n2 3 5\n3 1 5\n3 4 9\n4 5 2\n' >"$work/small.wel"
for split in '1 1' '1 2' '2 1' '2 2'; do
  # shellcheck disable=SC2086
  run $split --graph="$work/small.wel" --symmetrize --weighted --output="$work/cores" --verify
  [[ $status == 0 && $(tr '\n' ',' <"$work/cores") == '1 10,2 10,3 10,4 9,5 2,' ]] &&
    prints '^k_core: the largest core number is 10, of 3 vertices; ' && prints '^verified all 5 core numbers'
  report $? "a triangle with a tail has core numbers by weight 10, 9 and 2 on $split"
  two_trials "$split" degeneracy --generate=kronecker:9:weights=0..1 --symmetrize --weighted
done
scattered_graph "$work/scattered.wel"
same_file_on_splits 'txt csv npy' --graph="$work/scattered.wel" --symmetrize --weighted
printf '1 2 1e30\n3 4 1e-9\n4 5 1\n5 3 0.1\n' >"$work/far_apart.wel"
verifies_on '1 2' --graph="$work/far_apart.wel" --symmetrize --weighted
printf '1 2 -1\n' >"$work/negative.wel"
refuses 65 'is negative' --graph="$work/negative.wel" --symmetrize --weighted
refuses 2 '--weighted requires a graph with weights' --generate=kronecker:4 --symmetrize --weighted
refuses 2 'requires an undirected graph; add --symmetrize' --generate=kronecker:4

end_of_cases
