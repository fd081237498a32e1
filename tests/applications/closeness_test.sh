#!/usr/bin/env bash
# Runs closeness as a user does.
source "$(dirname "${BASH_SOURCE[0]}")/application_cases.sh" closeness

#   10 -> 20 -> 30, and 40 by itself
printf '10 20\n20 30\n40 40\n' >"$work/small.txt"

# scores EXPECTED FLAG... compares the output, with commas for ends of lines.
scores() {
  local expected=$1
  shift
  # shellcheck disable=SC2086
  run $split --graph="$work/small.txt" --output="$work/scores" --verify "$@"
  [[ $status == 0 && $(tr '\n' ',' <"$work/scores") == "$expected" ]] && prints '^verified'
  report $? "scores are right on $split with $*"
}

n=0
for split in '1 1' '2 2'; do
  scores '10 0,20 0.3333333333333333,30 0.4444444444444444,40 0,' --top=1
  check '... and the nearest is told' eval "prints '^closeness: 4 sources, 3 vertices reached in all, ' && prints '^ +1 +30  4.4444e-01\$'"
  scores '10 0,20 1,30 0.6666666666666666,40 0,' --nowf_improved
  scores '10 0,20 1,30 1.5,40 0,' --measure=harmonic
  two_trials "$split" reached --generate=kronecker:9 --symmetrize --measure=harmonic --output="$work/$((++n))"
  verifies_on "$split" --generate=kronecker:10 --samples=65
  check '... from the sample' prints '^closeness: 65 sources, '
  verifies_on "$split" --generate=path:300
done
cmp -s "$work/1" "$work/2"
report $? 'the centralities are the same on both'
verifies_on '2 1' --generate=mesh2d:20x15 --symmetrize --direction=push
verifies_on '2 1' --generate=mesh2d:20x15 --symmetrize --direction=pull --measure=harmonic
verifies_on '1 2' --generate=mesh2d:1x1

refuses 2 '--measure=nearness: must be closeness or harmonic' --generate=kronecker:4 --measure=nearness
refuses 2 'seed' --generate=kronecker:4 --seed=3
refuses 2 'wf_improved' --generate=kronecker:4 --measure=harmonic --nowf_improved

end_of_cases
