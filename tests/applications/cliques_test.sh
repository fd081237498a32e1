#!/usr/bin/env bash
# Runs cliques as a user does.
source "$(dirname "${BASH_SOURCE[0]}")/application_cases.sh" cliques

#   a clique of 1, 2, 3, 4, which shares the edge 3 - 4 with the triangle 3, 4, 5; 5 - 6 and a loop
printf '1 2\n1 3\n1 4\n2 3\n2 4\n3 4\n4 5\n5 3\n5 6\n6 6\n3 1\n' >"$work/small.txt"

for split in '1 1' '1 2' '2 1' '2 2'; do
  # shellcheck disable=SC2086
  run $split --graph="$work/small.txt" --symmetrize --size=3 --output="$work/counts" --verify
  [[ $status == 0 && $(tr '\n' ',' <"$work/counts") == '1 3,2 3,3 4,4 4,5 1,6 0,' ]] && prints '^verified' &&
    prints '^cliques: 5 cliques of 3 vertices,'
  report $? "a small graph has triangles on $split"
  # shellcheck disable=SC2086
  run $split --graph="$work/small.txt" --symmetrize --output="$work/counts" --verify
  [[ $status == 0 && $(tr '\n' ',' <"$work/counts") == '1 1,2 1,3 1,4 1,5 0,6 0,' ]] && prints '^verified' &&
    prints '^cliques: 1 clique of 4 vertices,'
  report $? "... and a clique of 4 on $split"
  for flags in '--generate=kronecker:8' '--generate=kronecker:7 --size=6' '--generate=uniform:8:edgefactor=12 --size=3' \
    '--generate=mesh2d:60x50 --size=5' '--generate=complete:14 --size=14' '--generate=kronecker:7 --size=5 --layout=random'; do
    # shellcheck disable=SC2086
    run $split $flags --symmetrize --verify --stats_json="$work/stats.json"
    [[ $status == 0 && $(grep -c '^verified' "$work/out") == 1 ]] && grep -q '"verified": true' "$work/stats.json"
    report $? "$flags is verified on $split"
  done
  # shellcheck disable=SC2086
  run $split --generate=complete:150 --symmetrize --size=4
  [[ $status == 0 ]] && prints '^cliques: 20,260,275 cliques of 4 vertices,'
  report $? "cliques are counted without those of vertices on $split"
done
two_trials '1 2' cliques --generate=kronecker:8 --symmetrize --output="$work/counts"

run 1 1 --generate=mesh2d:1x1 --symmetrize --verify
check 'a graph without edges has no cliques' prints '^cliques: 0 cliques of 4 vertices,'

refuses 2 'requires an undirected graph; add --symmetrize' --generate=kronecker:4
refuses 2 'size' --generate=kronecker:4 --symmetrize --size=2
refuses 2 'size' --generate=kronecker:4 --symmetrize --size=65

scattered_graph "$work/scattered.wel"
same_file_on_splits 'txt csv npy' --graph="$work/scattered.wel" --symmetrize --size=3
same_file_on_splits txt --generate=kronecker:9 --symmetrize
for split in '1 2' '2 1 --layout=random' '1 2 --partition=hash'; do
  # shellcheck disable=SC2086
  verifies_on "$split" --graph="$work/scattered.wel" --symmetrize
done

end_of_cases
