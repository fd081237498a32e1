#!/usr/bin/env bash
# Runs kmeans as a user does: made points and tables on any split, clear errors, statistics.
source "$(dirname "${BASH_SOURCE[0]}")/application_cases.sh" kmeans

verifies_on '1 2' --generate=20000x8 --clusters=16
verifies_on '2 2' --generate=3000x3 --clusters=40 --blobs=0 --start=random --chaos_seed=3 --simd=scalar

{
  echo 'name,x,"the ""y"""'
  for k in {1..60}; do echo "row $k,$((k % 3 * 100 + k % 7)),$((k % 3 * -50)).$((k % 5))"; done
} >"$work/points.csv"
run 2 1 --input="$work/points.csv" --header --columns='the "y",x' --clusters=3 --verify --trials=2 \
  --output="$work/labels" --centers_output="$work/centers" --stats_json="$work/stats.json"
[[ $status == 0 ]] && prints '^verified' && (($(wc -l <"$work/labels") == 60 && $(wc -l <"$work/centers") == 4)) &&
  (($(sort -u -k2,2 "$work/labels" | wc -l) == 3)) && grep -q '"converged": true' "$work/stats.json" &&
  awk '{label = k++ % 3 in of ? of[(k - 1) % 3] : (of[(k - 1) % 3] = $2); if (label != $2) exit 1}' "$work/labels"
report $? 'columns of a table are clustered'

mkdir "$work/d"
printf 'x,y\n0,0\n0,1\n' >"$work/d/1.csv"
printf 'y,x\n9,100\n8,100\n' >"$work/d/2.csv"
run 2 1 --input="$work/d" --header --columns=x,y --clusters=2 --verify --centers_output="$work/centers"
[[ $status == 0 ]] && prints '^verified' && [[ $(LC_ALL=C sort "$work/centers" | paste -sd/) == 0,0.5/100,8.5/x,y ]]
report $? 'columns are found by their names in each file'
printf '1\n2\n1\n2\n1\n' >"$work/few"
run 1 2 --input="$work/few" --clusters=4 --verify
[[ $status == 0 ]] && prints '^verified' && prints '2 clusters without a row: there are fewer different rows than --clusters=4'
report $? 'fewer different rows than clusters are told'
run 1 1 --generate=1x1 --clusters=1 --verify
[[ $status == 0 ]] && prints '^kmeans: 1 cluster, 1 iteration, ' && ! prints '[^.0-9]1 (clusters|iterations|points)'
report $? 'one cluster and one iteration have nouns in the singular'

printf '1,2\n3,x\n' >"$work/letters.csv"
printf '1,2\n3\n' >"$work/ragged.csv"
printf '1,"2\n"\n' >"$work/quote.csv"
printf '1,inf\n' >"$work/infinite.csv"
refuses 65 "$work/letters.csv:2:3: 'x' is not a finite number" --input="$work/letters.csv"
refuses 65 "$work/ragged.csv:2:2: a line of 1 column; expected 2" --input="$work/ragged.csv"
refuses 65 "$work/quote.csv:1:3: a text in quotes that does not end in its line" --input="$work/quote.csv"
refuses 65 "$work/infinite.csv:1:3: 'inf' is not a finite number" --input="$work/infinite.csv"
refuses 65 "3x2: 3 rows, and --clusters=8; expected as many rows or more" --generate=3x2
refuses 66 "cannot open '$work/none'" --input="$work/none"
refuses 65 'has no column' --input="$work/ragged.csv" --columns=z
refuses 2 'pass exactly one of --input and --generate' --clusters=3
refuses 2 '--generate=10: must be ROWSxCOLUMNS' --generate=10
end_of_cases
