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
for split in '1 2' '2 1'; do
  # shellcheck disable=SC2086
  run $split --graph="$work/small.txt" --length=2 --keep_walks --output="$work/walks.txt" --verify
  [[ $status == 0 && $(tr '\n' ',' <"$work/walks.txt") == '10 20 30,20 30 40,30 40,40,' ]] &&
    prints '^verified all 4 walks are the serial oracle'
  report $? "walks along a path are written on $split"
  # shellcheck disable=SC2086
  run $split --graph="$work/small.txt" --length=2 --keep_walks --output="$work/walks.npy"
  [[ $status == 0 ]] && head -c 128 "$work/walks.npy" | grep -qa "'<i8', 'fortran_order': False, 'shape': (4, 3)" &&
    [[ $(tail -c 96 "$work/walks.npy" | od -An -v -t d8 | xargs) == '10 20 30 20 30 40 30 40 -1 40 -1 -1' ]]
  report $? "... and as a matrix"
  # shellcheck disable=SC2086
  run $split --generate=kronecker:9:weights=1..255 --symmetrize --p=0.25 --q=4 --weighted --keep_walks --length=20 --verify --output="$work/walks.${split/ /x}"
  [[ $status == 0 ]] && prints '^verified all 512 walks' && cmp -s "$work/walks.1x2" "$work/walks.${split/ /x}"
  report $? "walks of node2vec are verified on $split, and the same"
  verifies_on "$split" --generate=kronecker:9 --p=4 --q=0.25 --length=20
done

refuses 2 '--p=0: must be from 1e-6 to 1e6' --generate=kronecker:4 --p=0
refuses 2 '--q=-1: must be from 1e-6 to 1e6' --generate=kronecker:4 --q=-1
refuses 2 'keep_walks' --generate=kronecker:4 --keep_walks
printf '1 2 -1\n' >"$work/negative.wel"
refuses 65 'negative' --graph="$work/negative.wel" --weighted
refuses 2 '--walks_per_vertex=0: must be at least 1' --generate=kronecker:4 --walks_per_vertex=0

end_of_cases
