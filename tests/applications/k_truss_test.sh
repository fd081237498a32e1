#!/usr/bin/env bash
# Runs k_truss as a user does.
source "$(dirname "${BASH_SOURCE[0]}")/application_cases.sh" k_truss

#   a clique of 1, 2, 3, 4, which shares the edge 3 - 4 with the triangle 3, 4, 5; 5 - 6 and a loop
printf '1 2\n1 3\n1 4\n2 3\n2 4\n3 4\n4 5\n5 3\n5 6\n6 6\n3 1\n' >"$work/small.txt"
trusses='1 2 4,1 3 4,1 4 4,2 3 4,2 4 4,3 4 4,3 5 3,4 5 3,5 6 2,'
supports='1 2 2,1 3 2,1 4 2,2 3 2,2 4 2,3 4 3,3 5 1,4 5 1,5 6 0,'

for split in '1 1' '1 2' '2 1' '2 2'; do
  # shellcheck disable=SC2086
  run $split --graph="$work/small.txt" --symmetrize --output="$work/edges" --verify
  [[ $status == 0 && $(tr '\n' ',' <"$work/edges") == "$trusses" ]] && prints '^verified' &&
    prints '^k_truss: the largest truss number is 4, of 6 edges; 5 triangles, 3 levels,'
  report $? "a small graph has truss numbers 4, 3 and 2 on $split"
  # shellcheck disable=SC2086
  run $split --graph="$work/small.txt" --symmetrize --support --output="$work/edges" --verify
  [[ $status == 0 && $(tr '\n' ',' <"$work/edges") == "$supports" ]] && prints '^verified' &&
    prints '^k_truss: the largest support is 3, of 1 edge; 5 triangles,'
  report $? "... and supports on $split"
  for flags in '--generate=kronecker:10' '--generate=kronecker:9 --support' '--generate=uniform:9:edgefactor=12' \
    '--generate=mesh2d:60x50' '--generate=kronecker:9 --layout=random'; do
    # shellcheck disable=SC2086
    run $split $flags --symmetrize --verify --stats_json="$work/stats.json"
    [[ $status == 0 && $(grep -c '^verified' "$work/out") == 1 ]] && grep -q '"verified": true' "$work/stats.json"
    report $? "$flags is verified on $split"
  done
done
two_trials '1 2' triangles --generate=kronecker:9 --symmetrize --output="$work/edges"

run 1 1 --generate=mesh2d:1x1 --symmetrize --verify
check 'a graph without edges has no truss' prints '^k_truss: the largest truss number is 0, of 0 edges; 0 triangles, 0 levels'

printf 'source,target\nann,bob\nbob,"c, d"\nann,"c, d"\n' >"$work/names.csv"
run 2 1 --graph="$work/names.csv" --names --symmetrize --output="$work/edges.csv"
[[ $status == 0 && $(tr '\n' '|' <"$work/edges.csv") == 'source,target,truss|ann,bob,3|ann,"c, d",3|bob,"c, d",3|' ]]
report $? 'edges have names'
run 2 1 --graph="$work/names.csv" --names --symmetrize --support --output="$work/edges.csv"
[[ $status == 0 && $(head -n 1 "$work/edges.csv") == 'source,target,support' ]]
report $? '... and supports a column of their own'

refuses 2 'requires an undirected graph; add --symmetrize' --generate=kronecker:4

scattered_graph "$work/scattered.wel"
same_file_on_splits 'txt csv npy' --graph="$work/scattered.wel" --symmetrize
same_file_on_splits txt --generate=kronecker:10 --symmetrize
for split in '1 2' '2 1 --layout=random' '1 2 --partition=hash'; do
  # shellcheck disable=SC2086
  verifies_on "$split" --graph="$work/scattered.wel" --symmetrize
done

end_of_cases
