#!/usr/bin/env bash
# Runs word_count as a user does: files, directories and compressed ones on any split, clear errors, statistics.
source "$(dirname "${BASH_SOURCE[0]}")/application_cases.sh" word_count

mkdir -p "$work/texts/more"
for line in {1..300}; do
  echo "The line $line of $((line % 7)), Then café \"said\" the_end $((line * line % 97))."
done >"$work/texts/a.txt"
sed 's/line/LINE/' "$work/texts/a.txt" | gzip >"$work/texts/b.txt.gz"
printf 'no end of line' >"$work/texts/more/c"

for split in '1 1' '2 2'; do
  verifies_on "$split" --input="$work/texts"
  verifies_on "$split" --input="$work/texts" --letters --lower_case --length=2 --combined_keys=5 --chaos_seed=3
done
verifies_on '1 2' --input="$work/texts/b.txt.gz" --combiner=false --length=3

run 2 2 --input="$work/texts/a.txt" --letters --top=2 --trials=2 --output="$work/counts" --stats_json="$work/stats.json"
[[ $status == 0 ]] && diff <(tr -cs '[:alnum:]\200-\377' '\n' <"$work/texts/a.txt" | grep . | LC_ALL=C sort | uniq -c |
  awk '{print $2, $1}') "$work/counts"
report $? 'the counts are those of sort and uniq'
(($(grep -c '"saved_bytes": [1-9]' "$work/stats.json") == 2)) && grep -q '"different": 309' "$work/stats.json" &&
  prints '^combiner: ' && prints '^ +1 +300  The$'
report $? 'trials, what the combiner saves, and the most frequent words are told'

printf 'a\xc2\x9b1m b' >"$work/control"
run 1 1 --input="$work/control"
[[ $status == 0 ]] && grep -qF 'a\xc2\x9b1m' "$work/out"
report $? 'control characters of words are shown as bytes'

printf 'fine\na\0b' >"$work/nul"
printf 'caf\351' >"$work/latin"
head -c 1000000 /dev/zero | tr '\0' x >"$work/long"
mkdir "$work/empty"
refuses 65 "$work/nul:2:2: a NUL byte" --input="$work/nul"
refuses 65 "$work/latin:1:1: bytes that are not UTF-8" --input="$work/latin"
refuses 65 "$work/long:1:1: a word of more than 65536 bytes" --input="$work/long"
refuses 66 "no files in the directory" --input="$work/empty"
refuses 66 "cannot open '$work/none': No such file or directory" --input="$work/none"
refuses 2 '--input is missing' --length=2
refuses 2 '--length=0: must be from 1 to 100' --input="$work/nul" --length=0
refuses 2 '--input and --output name the same file' --input="$work/nul" --output="$work/nul"
run 1 1 --input="$work/latin" --any_bytes --verify
[[ $status == 0 ]] && prints '^verified'
report $? '--any_bytes takes what is not UTF-8'
end_of_cases
