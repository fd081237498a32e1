#!/usr/bin/env bash
# Runs hits as a user does.
source "$(dirname "${BASH_SOURCE[0]}")/application_cases.sh" hits

#   10 -> 30, 10 -> 40, 10 -> 50, 10 -> 60: one hub of four equal authorities
printf '10 30\n10 40\n10 50\n10 60\n' >"$work/small.txt"

for split in '1 1' '2 2'; do
  # shellcheck disable=SC2086
  run $split --graph="$work/small.txt" --output="$work/scores" --top=1 --verify
  [[ $status == 0 && $(tr '\n' ',' <"$work/scores") == '10 1 0,30 0 0.5,40 0 0.5,50 0 0.5,60 0 0.5,' ]] &&
    prints '^hits: 2 iterations, ' && prints '^ +1 +10  1.0000e\+00$' && prints '^ +1 +30  5.0000e-01$' && prints '^verified'
  report $? "scores are right on $split"
  two_trials "$split" iterations --generate=kronecker:10
  verifies_on "$split" --generate=mesh2d:40x25 --max_iterations=5
  check '... and was not converged' prints '^not converged'
  verifies_on "$split" --generate=kronecker:9 --symmetrize
done
verifies_on '2 1' --generate=mesh2d:1x1

# Stars of 1, 22 and 21 leaves: what is not the strongest shrinks in every iteration, and beyond the normal numbers.
{
  printf '0 1\n'
  for ((v = 3; v < 25; ++v)); do printf '2 %d\n' "$v"; done
  for ((v = 26; v < 47; ++v)); do printf '25 %d\n' "$v"; done
} >"$work/stars.txt"
run 1 2 --graph="$work/stars.txt" --verify
[[ $status == 0 ]] && prints '^ +1 +2  1.0000e\+00$' && prints '^ +3 +0  1\.[0-9]+e-31[0-9]$' && prints '^verified'
report $? 'scores below all normal numbers are told, too'

refuses 2 '--tolerance=0: must be at least 1e-7' --generate=kronecker:4 --tolerance=0

end_of_cases
