#!/usr/bin/env bash
# Runs bfs_delegates as a user does: it finds what bfs finds.
source "$(dirname "${BASH_SOURCE[0]}")/application_cases.sh"

#   3 -> 5 -> 9 -> 3 -> 100 <-> 200, 200 -> 7, 8 -> 3
printf '3 5\n5 9\n9 3\n3 100\n100 200\n200 100\n200 7\n8 3\n' >"$work/small.txt"
printf '3 3 0\n5 3 1\n7 200 3\n8 -1 -1\n9 5 2\n100 3 1\n200 100 2\n' >"$work/expected"

# The output about the searches, without times.
searches() { sed -nE 's/^bfs(_delegates)?: (source .* traversed), .*/\2/p' "$work/out"; }
run 1 1 bfs --generate=kronecker:10 --symmetrize --trials=3
searches >"$work/searches_of_bfs"

for split in '1 2' '2 1' '2 2'; do
  # shellcheck disable=SC2086
  run $split bfs_delegates --generate=kronecker:10 --symmetrize --trials=3 --verify
  [[ $status == 0 ]] && prints '^verified 3 searches' && searches | cmp -s - "$work/searches_of_bfs"
  report $? "searches of kronecker:10 are verified on $split, and reach what those of bfs do"
  # shellcheck disable=SC2086
  run $split bfs_delegates --graph="$work/small.txt" --source=3 --output="$work/tree" --verify
  [[ $status == 0 ]] && cmp -s "$work/tree" "$work/expected"
  report $? "the tree is written in the file's own ids, ascending, on $split"
done

end_of_cases
