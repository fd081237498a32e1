#!/usr/bin/env bash
# Runs minimum_spanning_forest as a user does.
source "$(dirname "${BASH_SOURCE[0]}")/application_cases.sh" minimum_spanning_forest

#   9 -2- 3 -1- 5     7 -4- 20     8 by itself, with a loop
#    \____2____/
printf '9 3 2\n5 3 1\n9 5 2\n20 7 4\n7 20 6\n8 8 0\n' >"$work/small.wel"
right='3 5 1,3 9 2,7 20 4,'

for split in '1 1' '1 2' '2 1' '2 2'; do
  # shellcheck disable=SC2086
  run $split --graph="$work/small.wel" --output="$work/edges" --verify
  [[ $status == 0 && $(tr '\n' ',' <"$work/edges") == "$right" ]] && prints '3 trees, 3 edges, weight 7,' && prints '^verified'
  report $? "a small forest is right on $split"
  for flags in '--generate=kronecker:11:weights=1..9' '--generate=kronecker:10 --symmetrize' \
    '--generate=uniform:11:edgefactor=1:weights=1..1000000' '--generate=path:1000 --transpose' \
    '--generate=mesh2d:60x50:weights=1..255 --symmetrize' '--generate=kronecker:14:weights=1..99 --layout=random'; do
    # shellcheck disable=SC2086
    run $split $flags --verify --stats_json="$work/stats.json"
    [[ $status == 0 && $(grep -c '^verified' "$work/out") == 1 ]] && grep -q '"verified": true' "$work/stats.json"
    report $? "$flags is verified on $split"
  done
done
two_trials '1 2' collected --generate=uniform:11:edgefactor=2:weights=1..9 --output="$work/edges"

printf 'source,target,weight\nann,bob,2\nbob,"c, d",1\nann,"c, d",2\n' >"$work/names.csv"
run 2 1 --graph="$work/names.csv" --names --output="$work/edges.csv"
[[ $status == 0 && $(tr '\n' '|' <"$work/edges.csv") == 'source,target,weight|ann,bob,2|bob,"c, d",1|' ]]
report $? 'edges have names'
run 1 1 --graph="$work/names.csv" --names --output="$work/edges.npy"
[[ $status == 2 ]] && says 'requires integer ids'
report $? '... which have no place in .npy'

# The forest is a graph, and its own forest.
scattered_graph "$work/scattered.wel"
run 1 2 --graph="$work/scattered.wel" --output="$work/forest.wel"
run 2 1 --graph="$work/forest.wel" --output="$work/again.wel" --verify
[[ $status == 0 && -s $work/forest.wel ]] && cmp -s "$work/forest.wel" "$work/again.wel"
report $? 'the edges that are written are read as a graph'

same_file_on_splits 'txt csv npy' --graph="$work/scattered.wel"
same_file_on_splits txt --generate=uniform:14:edgefactor=2
same_file_on_splits txt --generate=kronecker:13:weights=1..9
for split in '1 2' '2 1 --layout=random' '1 2 --partition=hash'; do
  # shellcheck disable=SC2086
  verifies_on "$split" --graph="$work/scattered.wel"
done

end_of_cases
