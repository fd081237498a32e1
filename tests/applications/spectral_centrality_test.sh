#!/usr/bin/env bash
# Runs spectral_centrality as a user does.
source "$(dirname "${BASH_SOURCE[0]}")/application_cases.sh" spectral_centrality

#   10 - 20 - 30, of which the second edge has weight 2
printf '10 20 1\n20 30 2\n' >"$work/small.txt"

for split in '1 1' '2 2'; do
  # shellcheck disable=SC2086
  run $split --graph="$work/small.txt" --symmetrize --measure=katz --alpha=0.25 --nonormalized --tolerance=1e-9 --output="$work/scores" --top=1 --verify
  # By hand: 20 has (1 + 3/4) / (1 - 5/16).
  [[ $status == 0 ]] && prints '^spectral_centrality: [0-9]+ iterations, ' && prints '^ +1 +20  2.5455e\+00$' && prints '^verified'
  report $? "Katz centralities are right on $split"
  # shellcheck disable=SC2086
  run $split --graph="$work/small.txt" --symmetrize --tolerance=1e-9 --top=1 --verify
  [[ $status == 0 ]] && prints '^ +1 +20  7.0711e-01$' && prints '^verified'
  report $? "... and eigenvector centralities"
  # shellcheck disable=SC2086
  run $split --graph="$work/small.txt" --symmetrize --ignore_weights --top=3 --verify
  [[ $status == 0 ]] && prints '^ +3 +30  5.0000e-01$' && prints '^verified'
  report $? "... and without weights"
  two_trials "$split" iterations --generate=kronecker:10 --symmetrize
  verifies_on "$split" --generate=kronecker:9:weights=1..9 --symmetrize
  verifies_on "$split" --generate=kronecker:9 --measure=katz --alpha=0.001
  verifies_on "$split" --generate=path:300 --measure=katz
done
verifies_on '2 1' --generate=mesh2d:1x1

refuses 2 'have not converged in 3 iterations: the last changed them by' --generate=kronecker:9 --max_iterations=3
refuses 2 'pass an --alpha below 0.' --generate=kronecker:9 --symmetrize --measure=katz --alpha=1
refuses 2 '--measure=pagerank: must be eigenvector or katz' --generate=kronecker:4 --measure=pagerank
refuses 2 '--alpha=0.5 has an effect only with --measure=katz' --generate=kronecker:4 --alpha=0.5
printf '10 20 1\n20 30 -2\n' >"$work/negative.txt"
refuses 65 'expected a weight of at least 0' --graph="$work/negative.txt"

end_of_cases
