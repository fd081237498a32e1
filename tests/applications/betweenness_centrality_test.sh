#!/usr/bin/env bash
# Runs betweenness_centrality as a user does.
source "$(dirname "${BASH_SOURCE[0]}")/application_cases.sh" betweenness_centrality

#   10 -> 20 -> 40 -> 50 and 10 -> 30 -> 40; 60 -> 10
printf '10 20\n20 40\n10 30\n30 40\n40 50\n60 10\n' >"$work/small.txt"

for split in '1 1' '1 2' '2 1' '2 2'; do
  # shellcheck disable=SC2086
  run $split --graph="$work/small.txt" --source=10 --output="$work/scores" --verify
  [[ $status == 0 && $(tr '\n' ',' <"$work/scores") == '10 0,20 1,30 1,40 1,50 0,60 0,' ]] &&
    prints '^betweenness_centrality: 1 source, 5 vertices reached in all, 4 levels, ' && prints '^verified all 6 scores'
  report $? "a small graph's scores are right on $split"
  # shellcheck disable=SC2086
  run $split --generate=kronecker:10 --symmetrize --sources=5 --seed=3 --trials=2 --top=2 --verify
  sed -n 's/, [0-9.]* s$//p' "$work/out" >"$work/found.${split/ /x}"
  [[ $status == 0 && $(wc -l <"$work/found.${split/ /x}") == 2 ]] && prints '^verified' && prints '^ *2  .*e' &&
    cmp -s "$work/found.1x1" "$work/found.${split/ /x}"
  report $? "scores of kronecker:10 are verified on $split"
done

# Behind each diamond there are twice as many shortest paths, 2^1100 in the end. A joint has all vertices behind it.
for ((k = 0; k < 1100; ++k)); do
  a=$((3 * k))
  printf '%s %s\n' $a $((a + 1)) $a $((a + 2)) $((a + 1)) $((a + 3)) $((a + 2)) $((a + 3))
done >"$work/diamonds.txt"
for split in '1 1' '1 2' '2 1' '2 2'; do
  # shellcheck disable=SC2086
  run $split --graph="$work/diamonds.txt" --source=0 --top=0 --output="$work/scores" --verify
  [[ $status == 0 ]] && prints '^verified all 3301 scores' && awk '
    $1 % 3 == 0 && $1 > 0 && $2 != 3300 - $1 || $1 % 3 && $2 != (3298 - 3 * int($1 / 3)) / 2 { bad = 1 }
    END { exit bad || NR != 3301 }' "$work/scores"
  report $? "scores are exact where paths are more than a double counts on $split"
done

for split in '1 1' '1 2' '2 1' '2 2' '3 2' '4 1'; do
  # shellcheck disable=SC2086
  run $split --graph="$work/small.txt" --source=10 --edges --output="$work/edges" --verify
  [[ $status == 0 && $(tr '\n' ',' <"$work/edges") == '10 20 2,10 30 2,20 40 1,30 40 1,40 50 1,60 10 0,' ]] && prints '^verified all 6 scores'
  report $? "scores of a small graph's edges are right on $split"
  for flags in '--generate=kronecker:9 --symmetrize --sources=5' '--generate=kronecker:9 --sources=5' \
    '--generate=mesh2d:40x25 --symmetrize --sources=20' '--generate=mesh2d:520x520 --sources=1'; do
    [[ $flags == *520* && $split != '2 1' ]] || verifies_on "$split" --edges $flags
  done
done
refuses 2 '--top=3 has an effect only without --edges' --generate=kronecker:8 --edges --top=3

#   10 -1-> 20 -2-> 40, 10 -2-> 30 -1-> 40, 10 -4-> 40 -1-> 50, 60 -1-> 10: the direct edge to 40 is no shortest path
printf '10 20 1\n20 40 2\n10 30 2\n30 40 1\n10 40 4\n40 50 1\n60 10 1\n' >"$work/small.wel"
for split in '1 1' '1 2' '2 1' '2 2' '3 2' '4 1'; do
  # shellcheck disable=SC2086
  run $split --graph="$work/small.wel" --source=10 --weighted --output="$work/scores" --verify
  [[ $status == 0 && $(tr '\n' ',' <"$work/scores") == '10 0,20 1,30 1,40 1,50 0,60 0,' ]] && prints '^verified all 6 scores' &&
    prints '^betweenness_centrality: 1 source, 5 vertices reached in all, [0-9]+ rounds?, '
  report $? "scores by weights are right on $split"
  # shellcheck disable=SC2086
  run $split --graph="$work/small.wel" --source=10 --weighted --edges --output="$work/edges" --verify
  [[ $status == 0 && $(tr '\n' ',' <"$work/edges") == '10 20 2,10 30 2,10 40 0,20 40 1,30 40 1,40 50 1,60 10 0,' ]] &&
    prints '^verified all 7 scores'
  report $? "scores of edges by weights are right on $split"
  for flags in '--generate=kronecker:10:weights=1..9 --symmetrize --sources=5 --trials=2' '--generate=mesh2d:40x25:weights=1..3 --sources=9'; do
    verifies_on "$split" --weighted $flags
    verifies_on "$split" --weighted --edges $flags
  done
  # shellcheck disable=SC2086
  run $split --generate=kronecker:9:edgefactor=3:weights=1..3 --symmetrize --weighted --sources=7 --output="$work/scores.${split/ /x}"
  [[ $status == 0 ]] && cmp -s "$work/scores.1x1" "$work/scores.${split/ /x}"
  report $? "scores by weights are the same to the bit on $split as on 1 1"
done
refuses 2 '--weighted requires a graph with weights' --generate=kronecker:4 --weighted
printf '1 2 -1\n' >"$work/negative.wel"
refuses 65 'is negative' --graph="$work/negative.wel" --weighted
printf '1 2 1\n2 3 0\n3 1 1\n' >"$work/zero.wel"
for edges in '' --edges; do
  # shellcheck disable=SC2086
  refuses 65 'requires weights that make paths longer; edges of shortest paths that do not: 1; raise' --graph="$work/zero.wel" --source=1 --weighted $edges
done
printf '1 2 1e17\n2 3 1\n' >"$work/lost.wel"
refuses 65 'requires weights that make paths longer' --graph="$work/lost.wel" --source=1 --weighted
verifies_on '2 1' --graph="$work/zero.wel" --source=1

refuses 2 '--sources=0: must be at least 1' --generate=kronecker:8 --sources=0

end_of_cases
