#!/usr/bin/env bash
# Where results go: files that are replaced whole or not at all, devices and pipes that stay what they are, stdout.
source "$(dirname "${BASH_SOURCE[0]}")/application_cases.sh"
graph=--generate=kronecker:8
several=
every_refusal=1
by=launcher  # it has a hand in what is printed
cd "$work" || exit 1

# leaves COUNT is true if the folder of results has this number of files, none of them half written.
results=$work/results
leaves() { [[ $(find "$results" -mindepth 1 | wc -l) == "$1" ]]; }
fresh() { rm -rf "$results" && mkdir "$results"; }

fresh
run 1 1 pagerank $graph --output="$work/expected" --top=0
report "$status" 'a result is written'

# Existing files that are not regular ones.
if mknod "$results/null" c 1 3 && mknod "$results/full" c 1 7 && : >"$results/null"; then
  run 1 1 pagerank $graph --output="$results/null" --stats_json="$results/null2" --metrics_json="$results/full"
  [[ $status == 74 && -c $results/null && -c $results/full ]] && says "cannot write '.*/full': No space left on device"
  report $? 'devices are written to, and stay devices'
  run 2 1 graph_tool generate kronecker:4:weights=1..3 --to=graph500 --output="$results/null"
  [[ $status == 74 && ! -e $results/null.weights ]] && says 'the weights go to a file beside it'
  report $? 'beside a device no file is made'
else
  echo 'skipped devices: this user cannot make them'
fi 2>/dev/null
fresh
mkfifo "$results/pipe"
timeout 20 cat "$results/pipe" >"$work/got" &
run 2 1 pagerank $graph --output="$results/pipe"
wait $!
[[ $status == 0 && -p $results/pipe ]] && cmp -s <(cut -d' ' -f1 "$work/got") <(cut -d' ' -f1 "$work/expected") && leaves 1
report $? 'a pipe is written to, and stays a pipe'
refuses 74 'an .orj file is written by many cores and read again; use a regular file' graph_tool generate path:4 --to=orj --output="$results/pipe"

# Links and modes.
fresh
ln -s real "$results/link"
run 1 1 pagerank $graph --output="$results/link"
[[ $status == 0 && -L $results/link ]] && cmp -s "$results/real" "$work/expected"
report $? 'a link is followed to a file that is not there yet'
chmod 600 "$results/real"
run 1 1 pagerank $graph --output="$results/link"
[[ $status == 0 && -L $results/link && $(stat -c %a "$results/real") == 600 ]] && leaves 2
report $? '... and to one that is, which keeps its mode'
echo precious >"$work/precious"
ln -s "$work/precious" "$results/list.el.partial"
run 2 1 graph_tool generate path:5 --output="$results/list.el"
run 2 1 graph_tool generate path:5 --output="$results/path.orj"
[[ $status == 0 && $(<"$work/precious") == precious && $(wc -l <"$results/list.el") == 4 ]] && leaves 5
report $? 'no link is followed that is in the way of a temporary file'

# The same file twice: a refused job writes nothing. keeps TEXT FLAG... expects status 2, and that all files stay as
# they are.
sums() { find "$results" -type f -printf '%P ' -exec md5sum {} \; | sort; }
keeps() {
  local before
  before=$(sums)
  refuses 2 "$@"
  check "$* leaves all files as they were" test "$before" == "$(sums)"
}
cp "$results/list.el" "$results/input.el"
ln "$results/input.el" "$results/hard.el"
ln -s input.el "$results/soft.el"
for flag in output stats_json metrics_json trace_json; do
  for name in input hard soft; do
    keeps "--graph and --$flag name the same file: use two files" pagerank --graph="$results/input.el" --$flag="$results/$name.el"
  done
  keeps "--graph and --$flag name the same file: use two files" pagerank --graph="$results/path.orj" --$flag="$results/path.orj"
done
exec 7<"$results/input.el"
keeps '--graph and --output name the same file' pagerank --graph=/dev/fd/7 --output="$results/input.el" --format=edge_list
exec 7<&-
keeps '--graph and --stats_json name the same file' graph_tool stats --graph="$results/input.el" --stats_json="$results/soft.el"
keeps '--graph and --trace_json name the same file' graph_tool check --graph="$results/path.orj" --trace_json="$results/path.orj"
keeps '--graph and --output name the same file' graph_tool convert --graph="$results/input.el" --to=orj --output="$results/input.el"
keeps '--output and --stats_json name the same file' pagerank $graph --output="$results/new" --stats_json="$results/./new"
keeps '--output and --trace_json name the same file' pagerank $graph --output="$results/new" --trace_json="$results/new"
keeps '--metrics_json and --trace_json name the same file' pagerank $graph --metrics_json="$results/new" --trace_json="$results/new"
check 'nothing new is there' test ! -e "$results/new"
run 2 1 graph_tool generate kronecker:4:weights=1..3 --to=graph500 --output="$results/packed"
report "$status" 'packed edges have weights in a file of their own'
keeps '--graph and --output name the same file' bfs --graph="$results/packed" --format=graph500 --output="$results/packed.weights"
keeps '--output and --stats_json name the same file' graph_tool convert --graph="$results/list.el" --to=graph500 --output="$results/packed.weights" --stats_json="$results/packed.weights.weights"
mkdir "$results/texts" "$results/texts/deep" "$results/tables" "$results/ldbc"
echo 'a b a' | tee "$results/texts/one" >"$results/texts/deep/two"
printf 'a,b\n1,2\n' | tee "$results/t.csv" >"$results/tables/u.csv"
printf 'graph.g.%s\n' 'vertex-file = vertices' 'edge-file = edges' 'directed = true' >"$results/ldbc/g.properties"
printf '1\n2\n' >"$results/ldbc/vertices"
printf '1 2\n' >"$results/ldbc/edges"
for name in g.properties vertices edges; do
  keeps '--graph and --output name the same file' bfs --graph="$results/ldbc/g.properties" --output="$results/ldbc/$name"
done
for flag in output stats_json metrics_json trace_json; do
  keeps "--input and --$flag name the same file" word_count --input="$results/texts" --$flag="$results/texts/deep/two"
  keeps "--$flag is in the directory that --input names" word_count --input="$results/texts" --$flag="$results/texts/deep/new"
  keeps "--table and --$flag name the same file" query --table="t=$results/t.csv,u=$results/tables" --$flag="$results/t.csv" 'SELECT a FROM t'
  keeps "--$flag is in the directory that --table names" query --table="t=$results/t.csv,u=$results/tables" --$flag="$results/tables/new" 'SELECT a FROM t'
done
keeps '--centers_output and --output name the same file' kmeans --generate=100x2 --output="$results/new" --centers_output="$results/new"
run 1 1 pagerank $graph --checkpoint_dir="$results/checkpoints" --checkpoint_every=1 --top=0
report "$status" 'a folder of checkpoints is written'
keeps '--checkpoint_dir and --output name the same file' pagerank $graph --checkpoint_dir="$results/checkpoints" --output="$results/checkpoints/lock"
# Jobs that are refused for other reasons report nothing, either.
echo precious >"$results/precious"
keeps 'unknown flag' pagerank $graph --nonsense --metrics_json="$results/precious" --trace_json="$results/precious"
keeps '--source=none' bfs $graph --source=none --metrics_json="$results/precious" --output="$results/t.csv"
echo 'x y' >"$results/bad.el"
refuses 65 bad.el pagerank --graph="$results/bad.el" --metrics_json="$results/precious"
check 'a job whose input is bad leaves files as they were' test "$(<"$results/precious")" == precious
for k in 1 2; do
  "$programs/graph_tool" generate kronecker:$((8 + k)) --cores=1 --output="$results/shared.orj" >/dev/null 2>&1 &
  jobs[k]=$!
done
wait "${jobs[1]}" && wait "${jobs[2]}"
report $? 'two jobs write one file'
run 1 1 graph_tool check --graph="$results/shared.orj"
[[ $status == 0 ]] && prints 'all is well'
report $? '... which is that of one of them'

# stdout. The link is as /dev/stdout.
ln -s /proc/self/fd/1 "$results/stdout"
for locales in 1 2; do
  run $locales 1 pagerank $graph --output=- --verify
  [[ $status == 0 ]] && cmp -s <(cut -d' ' -f1 "$work/out") <(cut -d' ' -f1 "$work/expected") && says '^verified'
  report $? "$locales locales write results alone to stdout, and the report to stderr"
  bash -c "'$root/bin/orujo' run -n $locales -c 1 '$programs/pagerank' $graph --top=256 >/dev/full" 2>"$work/err"
  status=$?
  [[ $status == 74 ]] && says 'No space left on device$' && (($(wc -l <"$work/err") == 2))
  report $? '... and say that it cannot be written'
  "$root/bin/orujo" run -n $locales -c 1 "$programs/pagerank" --generate=kronecker:14 --top=16384 --output="$results/never" 2>"$work/err" | head -n 1 >"$work/out"
  status=${PIPESTATUS[0]}
  # Between two locales and the reader, the launcher may take all of it: then the job ends well before it is told.
  [[ $locales == 2 || ! -e $results/never ]] && [[ $status == 141 && $(wc -l <"$work/err") == 1 ]] &&
    ! compgen -G "$results/.never*" >/dev/null
  report $? '... and end quietly where nobody reads it'
done
run 1 1 pagerank $graph --stats_json=- --output="$results/ranks"
[[ $status == 0 && $(head -n 1 "$work/out") == '{' && $(tail -n 1 "$work/out") == '}' ]] && says '^pagerank: '
report $? 'so it is with --stats_json'
run 1 1 graph_tool convert --graph="$results/list.el" --to=edge_list --output=-
[[ $status == 0 ]] && cmp -s "$work/out" "$results/list.el" && says '^written: '
report $? '... and with converted graphs'
refuses 2 '--output and --stats_json name the same file: use two files' pagerank $graph --output=- --stats_json=-
refuses 2 '--output and --stats_json name the same file: use two files' pagerank $graph --output=- --stats_json="$results/stdout"
refuses 2 'an .orj file cannot be streamed' graph_tool generate path:4 --to=orj --output=-
"$programs/pagerank" --help >/dev/full 2>"$work/err"
status=$?
[[ $status == 74 ]] && says 'cannot write to stdout: No space left on device'
report $? '--help that cannot be printed is an error'

# Nothing is left of what fails.
fresh
for name in ranks graph.orj; do
  flags=(pagerank --generate=kronecker:12 --top=0)
  [[ $name == ranks ]] || flags=(graph_tool generate kronecker:12)
  (ulimit -f 1 && exec "$programs/${flags[0]}" "${flags[@]:1}" --cores=1 --output="$results/$name" >/dev/null) 2>"$work/err"
  status=$?
  [[ $status == 74 ]] && says "cannot write '.*/$name': File too large" && (($(wc -l <"$work/err") == 1)) && leaves 0
  report $? "a limit of file sizes is told of $name"
done
mkfifo "$results/pipe"
for signal in TERM SEGV; do
  "$programs/pagerank" $graph --metrics_json="$results/metrics" --trace_json="$results/pipe" 2>"$work/err" >"$work/out" &
  job=$!
  await compgen -G "$results/.metrics.*.partial" >/dev/null
  { kill -s $signal $job && wait $job; } 2>/dev/null
  status=$?
  [[ $status == $([[ $signal == TERM ]] && echo 143 || echo 73) ]] && leaves 1
  report $? "SIG$signal leaves nothing behind"
done

# Programs that write no result.
refuses 2 'unknown flag --output' codec_lab $graph --output="$results/x"
refuses 2 'unknown flag --output' engine_lab $graph --output="$results/x"
refuses 2 'unknown flag --output' layout_lab $graph --output="$results/x"
for command in stats check layout; do
  refuses 2 'has an effect only with convert and generate' graph_tool $command --graph="$work/expected" --output="$results/x"
done
end_of_cases
