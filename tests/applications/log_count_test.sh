#!/usr/bin/env bash
# Runs log_count as a user does: tables and logs on any split, counts and sums, clear errors.
source "$(dirname "${BASH_SOURCE[0]}")/application_cases.sh" log_count

{
  echo 'town,price, "n, of"'
  for k in {1..500}; do echo "\"Town $((k % 11)), North\",$((k * k % 1000)).$((k % 100))5,-$k"; done
} >"$work/sales.csv"
for k in {1..400}; do echo "10.0.0.$((k % 9)) - - [$k/Oct] \"GET /$((k % 5)) HTTP/1.1\" 200 $((k * 37 % 1000))"; done >"$work/access.log"

for split in '1 1' '2 2'; do
  verifies_on "$split" --input="$work/sales.csv" --header --group_by=town --sum=price --combined_keys=3
  verifies_on "$split" --input="$work/access.log" --separator=blanks --chaos_seed=5
done
verifies_on '1 2' --input="$work/access.log" --separator=blanks --group_by=6 --sum=9 --combiner=false
verifies_on '1 2' --input="$work/sales.csv" --header --group_by='n, of' --sum=3

run 2 1 --input="$work/access.log" --separator=blanks --group_by=6 --sum=9 --output="$work/sums" --top=1 --stats_json="$work/stats.json"
[[ $status == 0 ]] && diff <(awk '{sum[$6] += $9} END {for (k in sum) print k, sum[k]}' "$work/access.log" | LC_ALL=C sort) "$work/sums" &&
  grep -q '"different": 5' "$work/stats.json"
report $? 'the sums are those of awk'

# Tables as people have them: lines of one field, files with their columns in another order, lines that end with CR.
mkdir "$work/towns"
printf 'town,price\nNew York,10\nOslo,5\n' >"$work/towns/1.csv"
printf 'price;town\r7;Oslo\r1;New York\r' >"$work/towns/2.csv"
printf 'New York\nNew Orleans\nParis\nNew York\n' >"$work/cities"
counts() {
  local expected=$1
  shift
  run 2 1 "$@" --output="$work/counts" --verify
  [[ $status == 0 ]] && prints '^verified' && [[ $(paste -sd/ "$work/counts") == "$expected" ]]
  report $? "$* counts $expected"
}
counts '"New York" 11/Oslo 12' --input="$work/towns" --header --group_by=town --sum=price
counts '"New Orleans" 1/"New York" 2/Paris 1' --input="$work/cities" --separator=none
refuses 2 "$work/cities:1:4: blanks that may be between columns or within one" --input="$work/cities"
printf 'a\nx\x1b[31m\n' >"$work/escape"
run 1 1 --input="$work/escape" --separator=comma
[[ $status == 0 ]] && grep -qF 'x\x1b[31m' "$work/out" && ! grep -qP '\x1b' "$work/out"
report $? 'control characters of groups are shown as bytes'

printf 'a,1\nb,2\nc,1e5\n' >"$work/number.csv"
printf 'a,1\nb\n' >"$work/ragged.csv"
printf 'caf\351,1\n' >"$work/latin.csv"
refuses 65 "$work/number.csv:3:3: '1e5' is not a number; expected decimal digits" --input="$work/number.csv" --sum=2
refuses 65 "$work/ragged.csv:2:2: a line of 1 column; expected 2" --input="$work/ragged.csv"
refuses 65 "$work/latin.csv:1:1: a group whose name is not UTF-8" --input="$work/latin.csv"
refuses 65 "has no column 'price'" --input="$work/number.csv" --sum=price
refuses 2 '--separator=dot: must be' --input="$work/number.csv" --separator=dot
end_of_cases
