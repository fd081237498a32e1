#!/usr/bin/env bash
# Runs sssp as a user does.
source "$(dirname "${BASH_SOURCE[0]}")/application_cases.sh" sssp

#   10 -7-> 20 -0.5-> 40        10 -2-> 30 -3-> 20        50 -1-> 10
printf '10 20 7\n20 40 0.5\n10 30 2\n30 20 3\n50 10 1\n' >"$work/small.wel"
right='10 0,20 5,30 2,40 5.5,50 inf,'

for split in '1 1' '1 2' '2 1' '2 2' '4 1'; do
  # shellcheck disable=SC2086
  run $split --graph="$work/small.wel" --source=10 --output="$work/distances" --verify
  [[ $status == 0 && $(tr '\n' ',' <"$work/distances") == "$right" ]] && grep -q '^verified' "$work/out" &&
    grep -q '^sssp: from 10, 4 vertices reached, longest distance 5.5, ' "$work/out"
  report $? "small distances are right on $split"
  for flags in '--generate=kronecker:10:weights=1..255 --symmetrize' '--generate=kronecker:10:weights=0..3 --delta=2' \
    '--generate=uniform:10:edgefactor=4 --trials=2 --seed=5' '--generate=mesh2d:30x20:weights=1..9 --symmetrize'; do
    # shellcheck disable=SC2086
    run $split $flags --verify --stats_json="$work/stats.json"
    [[ $status == 0 && $(grep -c '^verified' "$work/out") == 1 ]] && grep -q '"verified": true' "$work/stats.json"
    report $? "$flags is verified on $split"
    grep '^sssp' "$work/out" | sed 's/, [0-9.]* ms.*//' >"$work/found.${split/ /x}.${flags//[^a-z0-9]/_}"
    cmp -s "$work/found.1x1.${flags//[^a-z0-9]/_}" "$work/found.${split/ /x}.${flags//[^a-z0-9]/_}"
    report $? '... and finds what it finds on 1 1'
  done
done

run 1 2 --generate=kronecker:8:weights=1..9 --trials=3
[[ $status == 0 && $(grep -c '^sssp: from' "$work/out") == 3 ]] && grep -q '^mean: .* ms of 3 trials, delta ' "$work/out"
report $? 'every trial and the mean are printed'

printf '1 2 3\n2 3 nan\n' >"$work/nan.wel"
refuses 65 "nan.wel:2:5: 'nan' is not finite" --graph="$work/nan.wel"
run 1 1 --graph="$work/nan.wel" --source=1 --ignore_weights --verify
[[ $status == 0 && $(<"$work/out") == *'longest distance 2,'* ]]
report $? 'a weight that is not looked at may be anything'
printf '1 2 3\n2 3 -4\n3 1 1\n' >"$work/negative.wel"
for locales in 1 3; do
  run $locales 1 --graph="$work/negative.wel"
  [[ $status == 65 && $(<"$work/err") == *"negative.wel:2:5: '-4' is negative; expected a weight of at least 0"* ]]
  report $? "a negative weight is refused with its edge on $locales"
done
run 1 1 --graph="$work/small.wel" --source=11
[[ $status == 2 && $(<"$work/err") == *'no such vertex'* ]]
report $? 'a source that is no vertex is a usage error'
run 1 1 --graph="$work/small.wel" --delta=-1
[[ $status == 2 && $(<"$work/err") == *'--delta=-1: must be 0, or from'* ]]
report $? 'a negative delta is a usage error'

end_of_cases
