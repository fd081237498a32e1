#!/usr/bin/env bash
# Runs pagerank as a user does: right results on any split, clear errors with the right status on any number of locales.
source "$(dirname "${BASH_SOURCE[0]}")/application_cases.sh" pagerank
several=4

# Two triangles joined by an edge, and a vertex that leads nowhere:   3 -> 5 -> 9 -> 3 -> 100 <-> 200, 200 -> 7
printf '# a comment\n3\t5\n5 9\r\n\n9 3 \n3 100\n100 200\n200 100\n200 7' >"$work/small.txt"
gzip -c "$work/small.txt" >"$work/small.txt.gz"
printf '1 2 0.5\n2 3 1\n3 1 2.25\n' >"$work/weighted.wel"

for split in '1 1' '1 2' '2 1' '2 2' '4 1'; do
  # shellcheck disable=SC2086
  run $split --generate=kronecker:10 --symmetrize --verify --stats_json="$work/stats.json" --output="$work/ranks"
  [[ $status == 0 && $(grep -c '^verified' "$work/out") == 1 && $(wc -l <"$work/ranks") == 1024 ]] &&
    grep -q '"verified": true' "$work/stats.json"
  report $? "kronecker:10 is verified on $split"
  grep -E '^ +[0-9]+ ' "$work/out" >"$work/top.${split/ /x}"
  cmp -s "$work/top.1x1" "$work/top.${split/ /x}"
  report $? "the foremost vertices on $split are those on 1 1"
done

for flags in "--graph=$work/small.txt" "--graph=$work/small.txt.gz --precision=double --tolerance=1e-12" \
  "--graph=$work/weighted.wel --damping=0.5" "--generate=uniform:8:edgefactor=3 --dangling=ignore" \
  "--graph=$work/small.txt --symmetrize" "--generate=uniform:0:edgefactor=4 --remove_self_loops" \
  "--generate=kronecker:9 --remove_duplicates --remove_self_loops --simd=scalar" \
  "--generate=kronecker:8 --delta --dangling=ignore" \
  "--generate=mesh2d:31x17 --symmetrize --delta --tolerance=1e-9 --precision=double" \
  "--generate=kronecker:8 --iterations=3 --trials=2" "--generate=kronecker:8 --chaos_seed=7" \
  "--generate=mesh2d:31x17 --symmetrize --segments=5 --chunk_vectors=3" \
  "--generate=kronecker:9 --segments=3 --bundle_depth=0 --schedule=usersched_profiled"; do
  for split in '1 1' '3 1'; do
    # shellcheck disable=SC2086
    verifies_on "$split" $flags
  done
done

# By weights:   1 -(0.5)-> 2 -(1)-> 3 -(2.25)-> 1, 3 -(0.75)-> 2
printf '1 2 0.5\n2 3 1\n3 1 2.25\n3 2 0.75\n' >"$work/shares.wel"
for split in '1 1' '1 2' '2 1' '2 2'; do
  # shellcheck disable=SC2086
  run $split --graph="$work/shares.wel" --weighted --damping=0.5 --iterations=1 --precision=double --verify --output="$work/ranks"
  [[ $status == 0 ]] && prints '^verified' && awk '{ r[$1] = 6 * $2 } END { exit !(r[1] > 1.749 && r[1] < 1.751 && r[2] > 2.249 && r[2] < 2.251 && r[3] > 1.999 && r[3] < 2.001) }' "$work/ranks"
  report $? "ranks by weights are right on $split"
  verifies_on "$split" --generate=kronecker:10:weights=0..3 --weighted
done
verifies_on '2 1' --generate=uniform:9:weights=0..9 --weighted --symmetrize --precision=double --tolerance=1e-11 --dangling=ignore
printf '1 2 -0.5\n2 1 1\n' >"$work/negative.wel"
refuses 65 "negative.wel:1:5: '-0.5' is negative" --graph="$work/negative.wel" --weighted
refuses 2 '--weighted requires a graph with weights' --generate=kronecker:5 --weighted
refuses 2 '--weighted=true: must be without --delta' --generate=kronecker:5:weights=1..2 --weighted --delta
printf '1 2 1e-30\n2 1 1\n' >"$work/tiny.wel"
refuses 2 'beyond the range from 1e-20 to 1e20 of --precision=single: use --precision=double' --graph="$work/tiny.wel" --weighted
verifies_on '1 1' --graph="$work/tiny.wel" --weighted --precision=double

# Changes of ranks in 16 bits between locales.
for split in '1 2' '2 1' '3 1' '2 2'; do
  verifies_on "$split" --generate=kronecker:10 --symmetrize --rounded
  verifies_on "$split" --generate=uniform:9 --rounded --iterations=2 --dangling=ignore
  verifies_on "$split" --generate=kronecker:10:weights=0..3 --weighted --rounded
done
verifies_on '4 1' --generate=kronecker:10 --symmetrize --rounded --placement=grid
verifies_on '2 1' --generate=kronecker:10 --rounded --device=emulated
refuses 2 '--rounded=true: must be without --delta and --precision=double' --generate=kronecker:5 --rounded --delta
refuses 2 '--rounded=true: must be without --delta and --precision=double' --generate=kronecker:5 --rounded --precision=double

# Very many in-edges of one vertex.
for flags in '--generate=star:3000 --symmetrize' '--generate=star:65537 --symmetrize' '--generate=star:65537' \
  '--generate=star:65537 --symmetrize --precision=double' '--generate=star:65537 --symmetrize --delta'; do
  for split in '1 1' '2 2'; do
    # shellcheck disable=SC2086
    verifies_on "$split" $flags
    ! prints '^not converged|do not converge further'
    report $? '... and its tolerance is reached'
  done
done
run 1 1 --generate=star:20 --symmetrize --tolerance=5e-7
[[ $status == 0 ]] && prints '^the ranks do not converge further in single precision'
report $? 'ranks that only rounding changes are told'

run 2 1 --graph="$work/small.txt" --output="$work/ids"
[[ $status == 0 && $(cut -d' ' -f1 "$work/ids" | tr '\n' ' ') == '3 5 7 9 100 200 ' ]]
report $? "results are written in the file's own ids, ascending"

for simd in avx2 avx512; do
  grep -qE "\b${simd}(f?)\b" /proc/cpuinfo || continue
  run 2 1 --generate=kronecker:9 --simd=$simd --verify
  [[ $status == 0 && $(grep -c '^verified' "$work/out") == 1 ]]
  report $? "what is asked for by --simd=$simd is verified"
done

# Mistakes on the command line.
refuses 2 "unexpected argument 'web.txt': flags begin with --, for a file --graph=web.txt" web.txt
refuses 2 '--segments=none: must be auto, or a number from 1 to 65536' --generate=kronecker:5 --segments=none
refuses 2 '--bundle_depth=256: must be from 0 to 255' --generate=kronecker:5 --bundle_depth=256
refuses 2 '--schedule=best: must be auto, static, round_robin, dynamic, guided, static_steal, usersched or usersched_profiled' \
  --generate=kronecker:5 --schedule=best
refuses 2 '--stack_bytes=18446744073709551615: must be from 16384' --stack_bytes=18446744073709551615
refuses 2 '--delta=true: must be without --iterations' --generate=kronecker:5 --delta --iterations=3
refuses 2 'unknown flag --nope' --nope
refuses 2 'unknown flag --flagfile' --flagfile=/dev/null
refuses 2 'did you mean --damping' --dampin=0.5 --generate=kronecker:4
refuses 2 '--damping=x: expected a number' --damping=x --generate=kronecker:4
refuses 2 '--damping=1.5: must be from 0' --damping=1.5 --generate=kronecker:4
refuses 2 '--iterations=3x' --iterations=3x --generate=kronecker:4
refuses 2 '--numa_nodes=1000: must be NUMA nodes' --numa_nodes=1000 --generate=kronecker:4
refuses 2 'no graph' --verify
refuses 2 'exclude each other' --graph="$work/small.txt" --generate=kronecker:4
refuses 2 'kronecker' --generate=kroneker:4
refuses 2 "unexpected argument" --generate=kronecker:4 stray
refuses 2 '--tolerance' --tolerance=1e-9 --generate=kronecker:4

# More memory than there may be.
refuses 71 'raise --memory_budget_bytes' --generate=kronecker:4 --memory_budget_bytes=100000
refuses 71 'building the graph requires about' --generate=kronecker:20 --memory_budget_bytes=40000000
refuses 71 'bytes on a node and' --generate=kronecker:29 --symmetrize

# Files that cannot be opened.
refuses 66 "'$work/missing': No such file" --graph="$work/missing"
refuses 66 'directory' --graph="$work"
refuses 66 'not a regular file' --graph=/dev/null

# Malformed files: the message has FILE:LINE:COLUMN if there is a place.
malformed() {
  local text=$1 content=$2
  printf '%b' "$content" >"$work/bad.txt"
  refuses 65 "$text" --graph="$work/bad.txt"
}
malformed "no edges in $work/bad.txt" ''
malformed "no edges in $work/bad.txt" '# Nodes: 3 Edges: 2\n'
malformed 'bad.txt:2:3: ' '1 2\n3 x\n'
malformed 'bad.txt:1:1: ' 'a 2\n'
malformed 'bad.txt:3:1: ' '1 2\n2 3\n18446744073709551616 4\n'
malformed 'bad.txt:1:3: ' '1 -2\n'
malformed 'bad.txt:1:1: ' '0x1f 2\n'
malformed 'bad.txt:2:' '1 2\n3\n'
malformed 'bad.txt:2:' '1 2\n1 2 0.5\n'
malformed 'bad.txt:1:' '1 2 3 4\n'
malformed 'bad.txt:1:' '1\0002\n'
head -c 60 "$work/small.txt.gz" >"$work/cut.gz"
refuses 65 'cut.gz' --graph="$work/cut.gz"

# Results that cannot be written, which is reported before the graph is made.
refuses_early() {
  local every_refusal=1
  refuses "$@"
  ! grep -q '^graph' "$work/out"
  report $? "... before any work"
}
refuses_early 74 'cannot write' --generate=kronecker:4 --output="$work/none/ranks"
refuses_early 74 'cannot write' --generate=kronecker:4 --output="$work"
refuses_early 74 'cannot write' --generate=kronecker:4 --stats_json="$work/none/stats"
refuses_early 2 'name the same file' --generate=kronecker:4 --output="$work/same" --stats_json="$work/same"
refuses_early 74 'cannot write' --generate=kronecker:4 --metrics_json="$work/none/metrics"
refuses_early 2 'name the same file' --generate=kronecker:4 --stats_json="$work/both" --metrics_json="$work/both"

run 2 2 --generate=kronecker:10 --metrics_json="$work/metrics" --print_settings --print_metrics
grep -q '^"cores": 4,' "$work/metrics" && grep -A2 'messages.sent.other_locale' "$work/metrics" | grep -q '"value": [1-9]' &&
  grep -q '^  --generate=kronecker:10  (set)' "$work/err" && grep -q '^  cores: 4, 2 of them of locale 0' "$work/err" &&
  (($(grep -c '^metrics: 4 cores ran [0-9]* tasks, ' "$work/err") == 1)) && (($(grep -c '^  [0-9]* tasks that have run to their end (tasks.run)$' "$work/err") == 1))
report $? 'settings and metrics are told once for the job'
(($(grep -c '^  flush age: 50 us, to other locales [0-9]* us where a core writes to all of their 2: so much that' "$work/err") == 1)) &&
  (($(grep -c '^  sources at locale 0: in runs in 0 segments, ' "$work/err") == 1))
report $? '... among them the age of blocks and how sources are read, with the reasons'
run 1 1 --generate=mesh2d:100x100 --flush_age_us=7 --print_settings
grep -q '^  flush age: 7 us, as asked for$' "$work/err" && grep -q '^  sources at locale 0: in runs in [1-9]' "$work/err"
report $? '... which are others where they are asked for, and of a mesh'

refuses_early 74 'cannot write' --generate=kronecker:4 --trace_json="$work/none/trace"
refuses_early 2 'name the same file' --generate=kronecker:4 --metrics_json="$work/both" --trace_json="$work/both"
refuses 2 '--trace_events_per_core=1: must be from 16' --generate=kronecker:4 --trace_events_per_core=1

run 2 2 --generate=kronecker:10 --trace_json="$work/trace" --print_metrics
[[ $status == 0 ]] && (($(grep -c '"name":"process_name"' "$work/trace") == 2)) && (($(tail -n 1 "$work/trace" | grep -c '^\]}$') == 1)) &&
  for core in 0 1 2 3; do
    grep -q "\"pid\":$((core / 2)),\"tid\":$core,.*\"name\":\"superstep\"" "$work/trace" || status=1
  done && [[ $status == 0 ]]
report $? 'a trace is one file that has the supersteps of every core'
! command -v python3 >/dev/null || python3 -m json.tool "$work/trace" /dev/null
report $? '... and valid JSON'
grep -qE '^ +0 +1 +[1-9][0-9]* ' "$work/err" && grep -qE '^ +1 +itself ' "$work/err" && grep -q '^time in the transport' "$work/err"
report $? 'traffic is shown by source and destination locale'

run 1 1 --help
[[ $status == 0 && $(<"$work/out") == *'Flags of this application'*'--damping'*'--graph'*'--cores'* ]]
report $? "--help shows the application's flags first"

end_of_cases
