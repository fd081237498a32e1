#!/usr/bin/env bash
# Runs triangle_counting as a user does.
source "$(dirname "${BASH_SOURCE[0]}")/application_cases.sh" triangle_counting

#   10 - 20 - 30 - 10, 30 - 40 - 20, 40 - 50; one edge twice, a self-loop
printf '10 20\n20 30\n30 10\n30 40\n40 20\n40 50\n20 10\n10 10\n' >"$work/small.txt"

for split in '1 1' '1 2' '2 1' '2 2'; do
  # shellcheck disable=SC2086
  run $split --graph="$work/small.txt" --symmetrize --output="$work/counts" --verify
  [[ $status == 0 && $(tr '\n' ',' <"$work/counts") == '10 1,20 2,30 2,40 1,50 0,' ]] &&
    prints '^triangle_counting: 2 triangles, ' && prints '^verified all 5 counts'
  report $? "a small graph's triangles are right on $split"
  # shellcheck disable=SC2086
  run $split --generate=kronecker:10 --symmetrize --trials=2 --stats_json="$work/stats.json"
  sed -n 's/, [0-9.]* s$//p' "$work/out" >"$work/found.${split/ /x}"
  [[ $status == 0 && $(wc -l <"$work/found.${split/ /x}") == 2 && $(grep -c '"triangles"' "$work/stats.json") == 2 ]] &&
    cmp -s "$work/found.1x1" "$work/found.${split/ /x}"
  report $? "those of kronecker:10 are as many on $split as on 1 1"
done
for split in '1 2' '2 1'; do
  # shellcheck disable=SC2086
  run $split --graph="$work/small.txt" --symmetrize --coefficients --output="$work/shares" --verify
  [[ $status == 0 && $(tr '\n' ',' <"$work/shares") == '10 1,20 0.6666666666666666,30 0.6666666666666666,40 0.3333333333333333,50 0,' ]] &&
    prints '^verified all 5 coefficients'
  report $? "a small graph's clustering coefficients are right on $split"
done
run 2 1 --generate=kronecker:10 --symmetrize --remove_self_loops --verify
[[ $status == 0 ]] && prints '^verified'
report $? 'counts of kronecker:10 are verified'


#   10 -(8)- 20 -(8)- 30 -(1)- 10, 30 -(1)- 40, and a loop that weighs 64: the mean of the triangle is 4
printf '10 20 8\n20 30 8\n30 10 1\n30 40 1\n40 40 64\n' >"$work/small.wel"
for split in '1 1' '1 2' '2 1' '2 2'; do
  # shellcheck disable=SC2086
  run $split --graph="$work/small.wel" --symmetrize --coefficients --weighted --output="$work/shares" --verify
  [[ $status == 0 && $(tr '\n' ',' <"$work/shares") == '10 0.0625,20 0.0625,30 0.020833333333333332,40 0,' ]] &&
    prints '^triangle_counting: 1 triangle, ' && prints '^verified all 4 coefficients'
  report $? "a small graph's weighted coefficients are right on $split"
done
scattered_graph "$work/scattered.wel"
same_file_on_splits 'txt csv npy' --graph="$work/scattered.wel" --symmetrize --coefficients --weighted
verifies_on '2 2' --generate=kronecker:9:weights=0..1 --symmetrize --coefficients --weighted --trials=2
printf '1 2 1e30\n1 2 1e30\n3 4 1\n4 5 1\n5 3 1\n' >"$work/far_apart.wel"
verifies_on '1 2' --graph="$work/far_apart.wel" --symmetrize --coefficients --weighted
printf '1 2 -1\n' >"$work/negative.wel"
refuses 65 'is negative' --graph="$work/negative.wel" --symmetrize --coefficients --weighted --verify
refuses 2 '--weighted requires a graph with weights' --generate=kronecker:5 --symmetrize --coefficients --weighted --verify
refuses 2 '--weighted requires an undirected graph; add --symmetrize' --graph="$work/small.wel" --coefficients --weighted
refuses 2 '--weighted=true has an effect only with --coefficients' --graph="$work/small.wel" --symmetrize --weighted
refuses 2 'requires an undirected graph; add --symmetrize' --generate=kronecker:8

end_of_cases
