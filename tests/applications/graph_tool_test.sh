#!/usr/bin/env bash
# Runs graph_tool as a user does, on a graph whose figures are known.
source "$(dirname "${BASH_SOURCE[0]}")/application_cases.sh" graph_tool

# 0 -> 1, 0 -> 2, .. 0 -> 9, 9 -> 9
{
  for v in {1..9}; do echo "0 $v"; done
  echo "9 9"
} >"$work/star.txt"

for split in '1 1' '1 2' '2 1'; do
  # shellcheck disable=SC2086
  run $split stats --graph="$work/star.txt"
  report "$status" "stats $split"
  for expected in '10 vertices, 10 edges' '1 self-loop, 1 vertex without in-edges, 8 without out-edges' \
    '^  1 weakly connected component, the largest of 10 vertices \(100\.0 %\)$' 'by in-degree \(largest 2\)' 'by out-degree \(largest 9\)' '^ +1 +8 ' ' 4 lanes   27\.8 %' ' 8 lanes   13\.9 %' \
    '16 lanes    6\.9 %'; do
    check "stats $split prints '$expected'" prints "$expected"
  done
done
# Over two locales of a core: 0 to 4 and 5 to 9, which mirrors 0.
run 1 1 stats --graph="$work/star.txt" --locales=2
for expected in '^partition \(range\) over 2 locales x 1 core$' ': 1\.00 of the vertices, 1\.20 of the in-edges$' \
  ' 50\.0 % of the edges come from another locale$' 'each vertex is on 1\.10 locales' 'mirrors: 1 in all, at most 1 on a locale$' \
  'sends 4 bytes of 4-byte values, at most 4 to a locale$' '^  with edges on a grid, 20$'; do
  check "stats --locales=2 prints '$expected'" prints "$expected"
done

# The report for N locales equals the report of a job of N locales.
for flags in '--symmetrize' '--partition=hash' '--partition=hash --symmetrize --partition_alpha=0'; do
  # shellcheck disable=SC2086
  {
    run 3 1 stats --generate=kronecker:10 $flags
    sed -n '/^partition/,$p' "$work/out" >"$work/of_job"
    run 1 1 stats --generate=kronecker:10 $flags --locales 3
    sed -n '/^partition/,$p' "$work/out" >"$work/foretold"
  }
  cmp -s "$work/of_job" "$work/foretold" && [[ $(wc -l <"$work/foretold") == 7 ]]
  report $? "stats --locales=3 $flags tells what 3 locales tell"
done
refuses 2 '--for_locales=4097: must be from 0 to 4096' stats --graph="$work/star.txt" --locales=4097

# Three apart: 0 - 1 - .. - 5, 7 - 8 and 6.
printf '%s\n' '5 4' '3 4' '3 2' '1 2' '1 0' '8 7' '6 6' >"$work/apart.txt"
for split in '1 1' '1 3' '2 2' '4 1'; do
  # shellcheck disable=SC2086
  run $split stats --graph="$work/apart.txt"
  check "stats $split counts components" prints '^  3 weakly connected components, the largest of 6 vertices \(66\.7 %\)$'
done

run 1 1 stats --generate=kronecker:10 --stats_json="$work/stats.json"
check 'stats writes --stats_json' grep -q '"application": "graph_tool"' "$work/stats.json"
check 'stats writes the costs of the partition' grep -q '"replication": 1.0' "$work/stats.json"
refuses 2 'no command: graph_tool check, convert, explore, generate, layout or stats' --graph="$work/star.txt"
refuses 2 "no command 'frob': graph_tool check, convert, explore, generate, layout or stats" frob --graph="$work/star.txt"
# explore says what readers do, and its last line is a command that they take.
loads() {
  local command
  command=$(tail -1 "$work/out")
  eval "run 1 1 convert --output=$work/loaded.el ${command#*pagerank }"
  [[ $status == 0 && $(wc -l <"$work/loaded.el") == "$1" ]]
}
printf 'Sender,Recipient,Messages\nann,bob,3\nbob,cyd,4\nbob,bob,4\nann,bob,5\n' >"$work/mail.csv"
run 1 1 explore "$work/mail.csv"
for expected in ' csv$' '^separator: commas$' '^header: the first row$' '^columns: Sender, Recipient, Messages$' \
  '^ends of an edge: Sender -> Recipient$' '^weights: none; columns of numbers, for --weight_column: Messages$' \
  '^vertices: names$' '^direction: unknown' '^whole file: 4 edges, 1 duplicate, 1 self-loop$' '^  ann -> bob$' \
  '--names --source_column=Sender --target_column=Recipient$'; do
  check "explore prints '$expected'" prints "$expected"
done
check 'what explore prints loads the table' loads 4
printf 'emp,boss\nann,bob\nbob,cyd\n' >"$work/staff.csv"
run 1 1 explore "$work/staff.csv"
check 'explore tells of a header that is found among names' prints 'pass --noheader if it is an edge'
check '... which its command names' loads 2
printf '# Undirected graph\n1 2\n2 3\n' >"$work/snap.txt"
run 1 1 explore "$work/snap.txt"
check "explore takes SNAP's word for the direction" loads 4
printf '3 2\n1 2\n2 3\n' >"$work/counts.txt"
run 1 1 explore "$work/counts.txt"
check 'explore tells of counts in front' prints "the first line, '3 2', may be the numbers of vertices and edges"
printf '%%%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 2\n' >"$work/half.mtx"
run 1 1 explore "$work/half.mtx"
check 'explore tells of a symmetric matrix' prints '^direction: undirected, as the file says$'
seq 400000 | awk '{print $1, $1 + 1}' >"$work/long.el"
run 1 1 explore "$work/long.el"
check 'explore looks at the start of a long file' prints '^first MiB: [1-9][0-9],[0-9]+ edges|^first MiB: 1[0-9]{2},'
run 1 1 generate mesh2d:3x3 --output="$work/mesh.orj"
run 1 1 explore "$work/mesh.orj"
check 'explore names other formats' prints 'orj, 9 vertices, 12 edges, without weights$'
run 1 1 explore lesmis
for expected in '^sample: characters .*Knuth' '^weights: yes$' '^vertices: names$' '^direction: each edge has its reverse$' \
  '^whole file: 508 edges, 0 duplicates, 0 self-loops$' '^  Myriel -> MlleBaptistine  \(8\)$'; do
  check "explore prints '$expected' of a document" prints "$expected"
done
check '... and its command loads the sample' loads 508
printf '1 2\n3 x y z\n' >"$work/bad.txt"
refuses 65 "$work/bad.txt:2:" explore "$work/bad.txt"
refuses 2 '--strict=true has an effect only with convert' explore "$work/snap.txt" --strict
end_of_cases
