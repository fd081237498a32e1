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

# Authors 1 and 2, papers 3 and 4, the venue 5:   1 - 3 - 5 - 4 - 2
printf '1 3\n3 5\n5 4\n4 2\n' >"$work/papers.txt"
printf '# types\n1 author\n2 author\n3 paper\n4 paper\n5 venue\n' >"$work/types.txt"
metapath=(--graph="$work/papers.txt" --symmetrize --types="$work/types.txt" --keep_walks --output="$work/walks.txt" --verify)
for v in {0..511}; do echo "$v t$((v % 3))"; done >"$work/types512.txt"
# Times:   1 -> 2 at 5, 2 -> 3 at 4 and 2 -> 4 at 5, 4 -> 2 at 7
printf 'from,to,time\n1,2,5\n2,3,4\n2,4,5\n4,2,7\n' >"$work/times.csv"
for split in '1 2' '2 1'; do
  # shellcheck disable=SC2086
  run $split "${metapath[@]}" --length=2 --metapath=author,paper,author
  [[ $status == 0 && $(tr '\n' ',' <"$work/walks.txt") == '1 3 1,2 4 2,' ]] && prints '^verified all 2 walks'
  report $? "walks of a metapath are written on $split"
  # shellcheck disable=SC2086
  run $split "${metapath[@]}" --length=9 --metapath=venue,paper,author,venue
  [[ $status == 0 ]] && prints '^verified the walk is' && grep -qE '^5 (3 1|4 2)$' "$work/walks.txt" && (($(wc -l <"$work/walks.txt") == 1))
  report $? "... and end where there is no vertex of the next type"
  # shellcheck disable=SC2086
  run $split --graph="$work/times.csv" --time_column=time --length=9 --keep_walks --output="$work/walks.txt" --verify
  [[ $status == 0 && $(sed 's/^2 [34].*/2/' "$work/walks.txt" | tr '\n' ',') == '1 2 4 2,2,3,4 2,' ]] && prints '^verified all 4 walks'
  report $? "walks in the order of times are written on $split"
  verifies_on "$split" --generate=kronecker:9 --symmetrize --types="$work/types512.txt" --metapath=t0,t1,t0
done
refuses 2 'metapath=a: must be two types or more' --graph="$work/papers.txt" --metapath=a --types="$work/types.txt"
refuses 2 'metapath=a,b: must be two types or more' --graph="$work/papers.txt" --metapath=a,b --types="$work/types.txt"
refuses 2 'types' --graph="$work/papers.txt" --types="$work/types.txt"
refuses 2 'metapath' --graph="$work/papers.txt" --metapath=a,b,a
refuses 2 'without --metapath' --graph="$work/papers.txt" --metapath=a,b,a --types="$work/types.txt" --p=2
refuses 2 'without --time_column' --graph="$work/times.csv" --time_column=time --weighted
refuses 2 'time_column' --generate=kronecker:4 --time_column=time
refuses 65 "no column 'when' for --time_column" --graph="$work/times.csv" --time_column=when
printf '1 author\n9 author\n' >"$work/wrong.txt"
refuses 65 'wrong.txt:2:1: 9 is not in the graph' --graph="$work/papers.txt" --metapath=a,b,a --types="$work/wrong.txt"
refuses 66 'none.txt' --graph="$work/papers.txt" --metapath=a,b,a --types="$work/none.txt"

refuses 2 '--p=0: must be from 1e-6 to 1e6' --generate=kronecker:4 --p=0
refuses 2 '--q=-1: must be from 1e-6 to 1e6' --generate=kronecker:4 --q=-1
refuses 2 'keep_walks' --generate=kronecker:4 --keep_walks
printf '1 2 -1\n' >"$work/negative.wel"
refuses 65 'negative' --graph="$work/negative.wel" --weighted
refuses 2 '--weighted requires a graph with weights' --generate=kronecker:4 --weighted
refuses 2 '--walks_per_vertex=0: must be at least 1' --generate=kronecker:4 --walks_per_vertex=0

end_of_cases
