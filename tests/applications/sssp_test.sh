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

# distances NAME RIGHT: of a graph on standard input from vertex 0, as ID DISTANCE,ID DISTANCE...
distances() {
  local split
  cat >"$work/weights.wel"
  for split in '1 1' '1 2' '2 1' '2 2'; do
    # shellcheck disable=SC2086
    run $split --graph="$work/weights.wel" --source=0 --output="$work/distances" --verify
    [[ $status == 0 && $(tr '\n' ',' <"$work/distances") == "$2" ]] && prints '^verified all'
    report $? "distances $1 on $split"
  done
}
distances 'beyond 2^24' '0 0,1 16777216,2 16777217,3 16777218,' < <(printf '0 1 16777216\n1 2 1\n2 3 1\n')
half=4503599627370496
distances 'up to 2^53' "0 0,1 $half,2 9007199254740992,3 $half,4 ${half%6}7," < <(printf '0 1 %s\n1 2 %s\n0 3 %s\n3 4 1\n' $half $half $half)
most=340282346638528859811704183484516925440
distances 'beyond single precision' '0 0,1 3.4028234663852886e+38,2 6.805646932770577e+38,' < <(printf '0 1 %s\n1 2 %s\n' $most $most)
distances 'with fractions' '0 0,1 0.1,2 0.3,3 1,' < <(printf '0 1 0.1\n1 2 0.2\n2 3 0.7\n')
distances 'with exact fractions' '0 0,1 8388606.5,2 16777213.5,3 25165820.5,' < <(printf '0 1 8388606.5\n1 2 8388607\n2 3 8388607\n')

run 1 2 --generate=kronecker:8:weights=1..9 --trials=3
[[ $status == 0 && $(grep -c '^sssp: from' "$work/out") == 3 ]] && grep -q '^mean: .* ms of 3 trials, delta ' "$work/out"
report $? 'every trial and the mean are printed'

# Whole weights that single precision rounds, in a text, by two locales, and as whole numbers of 32 bits.
printf '0 1 1\n1 2 16777217\n' >"$work/large.wel"
"$programs/graph_tool" convert --graph="$work/large.wel" --output="$work/large.gr" >"$work/out" 2>"$work/err"
[[ $? == 0 && $(<"$work/err") == *"large.wel: the weight 16777217 is read as 16777216"* ]]
report $? 'graph_tool says that a weight is rounded'
for split in '1 1' '2 1'; do
  # shellcheck disable=SC2086
  run $split --graph="$work/large.wel" --source=0
  [[ $status == 0 && $(grep -c 'is read as' "$work/err") == 1 && $(<"$work/err") == *"large.wel: the weight 16777217 is read as 16777216"* ]]
  report $? "a weight that is rounded is reported once on $split"
  # shellcheck disable=SC2086
  run $split --graph="$work/large.wel" --source=0 --ignore_weights
  [[ $status == 0 && $(<"$work/err") != *'is read as'* ]]
  report $? "... but not where weights are ignored on $split"
done
refuses 65 'large.wel: the weight 16777217 is read as 16777216' --graph="$work/large.wel" --source=0 --strict
printf '0 1 3e38\n1 2 1\n0 1 3e38\n' >"$work/sums.wel"
refuses 65 'sums.wel: the parallel edges between 0 and 1 weigh more together' --graph="$work/sums.wel" --source=0 --remove_duplicates --keep_weight=sum

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
