#!/usr/bin/env bash
# Runs the commands of docs/tutorial/packages.md on this machine's packages, and checks what they find.
# Skipped (4) where there is no dpkg-query, or next to no packages.
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
page=$root/docs/tutorial/packages.md
source "$root/tests/cases.sh"
command -v dpkg-query >/dev/null || { echo "skipped: there is no dpkg-query"; exit 4; }
export ORUJO_NO_SETUP=1

# Its commands, with this build's applications, in a folder of their own.
awk '/^```sh$/ { inside = 1; next } /^```$/ { inside = 0 } inside' "$page" | sed "s#^bin/orujo run #$root/bin/orujo run #
  s#^\(bin\|applications\)/#$root/\1/#; s# *\# .*##" >"$work/commands"
cd "$work" || exit 1
"$root/applications/examples/package_dependencies.sh" >packages.txt || { echo "skipped: the packages cannot be listed"; exit 4; }
(($(wc -l <packages.txt) > 50)) || { echo "skipped: there are hardly any packages"; exit 4; }
first=''
while IFS= read -r command; do
  [[ ! $command =~ debian.txt ]] || continue  # all of Debian's is more than a test needs
  status=0
  bash -o pipefail -c "$command" >>out 2>err </dev/null || status=$?
  [[ $status == 0 ]]
  report $? "$command"
  first+=x
done <commands
[[ ${#first} -ge 6 ]]
report $? "the page has commands"
unset status

# The content of the files, by other means.
most_needed=$(cut -d' ' -f2 packages.txt | sort | uniq -c | sort -k1,1nr -k2 | awk 'NR == 1 { print $2 }')
check 'the C library is needed most' test "$most_needed" == libc6
check '... and is among the first by rank' test "$(sort -t, -k2,2gr ranks.csv | head -n 5 | grep -c '^libc6,')" == 1
check 'every package has a rank' test "$(tr " " "\n" <packages.txt | sort -u | wc -l)" == "$(tail -n +2 ranks.csv | wc -l)"
check 'ranks sum to 1' awk -F, 'NR > 1 { sum += $2 } END { exit !(sum > 0.999 && sum < 1.001) }' ranks.csv
check 'packages that need each other are in one component' awk -F, '
  FNR == NR { if (FNR > 1) label[$1] = $2; next }
  { split($0, edge, " "); if (label[edge[1]] == "" || label[edge[1]] != label[edge[2]]) exit 1 }' components.csv packages.txt
check 'a core number is at most the number of neighbours' awk -F, '
  FNR == NR { split($0, edge, " "); ++degree[edge[1]]; ++degree[edge[2]]; next }
  FNR > 1 && ($2 < 1 || $2 > degree[$1]) { exit 1 }' packages.txt cores.csv
check 'communities are within components' awk -F, '
  FNR == NR { if (FNR > 1) component[$1] = $2; next }
  FNR > 1 && component[$1] != component[$2] { exit 1 }' components.csv communities.csv
check 'the page shows the foremost packages' grep -q 'libc6: ' packages.html
end_of_cases
