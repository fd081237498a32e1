#!/usr/bin/env bash
# Jobs in a control group with little memory end in words (status 71), and never by the kernel: graphs out of small compressed
# files, edges that nearly fit, names, documents, tables, searches.
# Skipped (status 4) where this process may not make a group below its own.
source "$(dirname "${BASH_SOURCE[0]}")/application_cases.sh"
ours=$(sed -n 's/^[0-9]*:memory://p' /proc/self/cgroup)
group=/sys/fs/cgroup/memory${ours%/}/orujo-test.$$
[[ $ours ]] && mkdir "$group" 2>/dev/null && echo 500000000 2>/dev/null >"$group/memory.limit_in_bytes" || {
  rmdir "$group" 2>/dev/null
  exit 4
}
trap 'rmdir "$group"; rm -rf "$work"' EXIT

# within MB COMMAND...: sets status
within() {
  echo 1 >"$group/memory.force_empty"
  echo "${1}000000" >"$group/memory.limit_in_bytes"
  shift
  (
    echo "$BASHPID" >"$group/cgroup.procs"
    exec timeout 60 "$@"
  ) >"$work/out" 2>"$work/err" </dev/null && status=0 || status=$?
}
# ends_in_words NAME MB,MB... STATUSES COMMAND...: under each limit with one of these statuses, and a failure in one line.
ends_in_words() {
  local name=$1 limits=$2 wanted=$3 limit lines
  shift 3
  for limit in ${limits//,/ }; do
    within "$limit" "$@"
    lines=$(wc -l <"$work/err")
    check "$name in $limit MB: status $wanted" eval '[[ " $wanted " == *" $status "* ]] && ((status == 0 || lines == 1))'
  done
}
pagerank=("$programs/pagerank" --cores=2 --iterations=1 --top=0)

yes '1 2' | head -c 120000000 | gzip -1 >"$work/bomb.el.gz"
{
  printf '%%%%MatrixMarket matrix coordinate pattern general\n9 9 30000000\n'
  yes '1 2' | head -c 120000000
} | gzip -1 >"$work/bomb.mtx.gz"
{
  printf 'AdjacencyGraph\n60000000\n0\n'
  yes 0 | head -c 120000000
} | gzip -1 >"$work/bomb.adj.gz"
for bomb in el mtx adj; do
  check "a bomb.$bomb.gz is small" test "$(stat -c %s "$work/bomb.$bomb.gz")" -lt 2000000
  ends_in_words "a bomb.$bomb.gz" 100 71 "${pagerank[@]}" --graph="$work/bomb.$bomb.gz"
done

"$programs/graph_tool" generate kronecker:16 --cores=2 --output="$work/plain.el" >"$work/out" 2>&1
for format in graph adj gml; do
  "$programs/graph_tool" convert --cores=2 --graph="$work/plain.el" --symmetrize --remove_self_loops --remove_duplicates --renumber \
    --output="$work/plain.$format" >"$work/out" 2>&1
done
{
  echo source,target
  sed 's/ /,name/; s/^/name/' "$work/plain.el"
} >"$work/names.csv"
for file in plain.el plain.graph plain.adj plain.gml; do
  ends_in_words "$file" 24,32,40 '0 71' "${pagerank[@]}" --graph="$work/$file"
done
ends_in_words names.csv 24,32,48 '0 71' "${pagerank[@]}" --names --graph="$work/names.csv"
within 200 "${pagerank[@]}" --names --graph="$work/names.csv"
check 'where it fits it is read' test $status = 0
ends_in_words 'a search' 100,150 71 "$programs/graph500" --scale=20 --cores=2
if ! "$programs/graph500" --scale=4 >/dev/null 2>&1; then check 'graph500 works without a limit' false; fi
within 60 env ORUJO_NO_BUILD=1 "$root/bin/orujo" run -n 2 -c 1 "${pagerank[0]}" --iterations=1 --top=0 --graph="$work/bomb.el.gz"
check 'a bomb on two locales' eval '((status == 71)) && ! says "signal|dmesg"'
check 'the kernel has ended nothing' test "$(awk '$1 == "oom_kill" {print $2}' "$group/memory.oom_control")" = 0

end_of_cases
