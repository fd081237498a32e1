#!/usr/bin/env bash
# The cluster of namespaces itself: who runs where, statuses, and that nothing is left however it ends.
# shellcheck disable=SC2016 # the programs are quoted
set -eEuo pipefail
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
trap 'echo "FAILED  the test itself, at line $LINENO"' ERR
# shellcheck source=tests/cases.sh
source "$here/../cases.sh"
forget_jobs

write_program() {
  printf '#!/usr/bin/env bash\n%s\n' "$2" >"$work/$1"
  chmod +x "$work/$1"
}
cluster() {
  status=0
  timeout -k 5 60 "$here/cluster.sh" "$@" >"$work/out" 2>"$work/err" </dev/null || status=$?
}
status_is() { ((status == $1)); }
none_left() { ! grep -qsaF "$work/" /proc/[0-9]*/cmdline; }
two_wait() { [[ -e $work/waiting.0 && -e $work/waiting.1 ]]; }

# The names of the nodes that answer are told by their addresses; what nobody listens on is refused at once.
write_program show 'exec 3<>/dev/tcp/node$((1 - OMPI_COMM_WORLD_RANK % 2))/9 || true
  echo "$OMPI_COMM_WORLD_RANK $(hostname) $(ip -4 -o addr show dev eth0 | grep -o "10[0-9.]*/") $*"'
write_program leave 'exit "${!#}"'
write_program wait 'touch "$(dirname "$0")/waiting.$OMPI_COMM_WORLD_RANK"; while :; do sleep 0.2; done'

cluster run -n 1 -- "$work/show"
check 'one node is no cluster' status_is 2
cluster run --rate=much -- "$work/show"
check 'a rate needs a unit' status_is 2
cluster run -- show
check 'the program is a path' status_is 66

cluster run -n 2 -l 2 --rate 100mbit -- "$work/show" flag
if ((status == 4)); then
  cat "$work/err"
  exit 4
fi
check 'two nodes of two locales run' status_is 0
check 'each on its own node' test "$(sort "$work/out" | sed 's/--pin=false //')" = \
  "$(printf '%s 10.0.0.%s/ --cores=1 flag\n' '0 node0' 1 '1 node0' 1 '2 node1' 2 '3 node1' 2)"
check 'which reach each other' test "$(grep -c 'node[01]/9: Connection refused' "$work/err")" = 4
check 'and what went over the links is said' says '^cluster: node1 in .* s: sent [0-9.]* MB in [0-9]+ packets, received'

cluster run -n 3 -- "$work/leave" 65
check 'the status of the program is that of the script' status_is 65

# The process is bash, with the program as its argument.
cluster run -n 2 --stop=1:0 --when="$work/waiting.1" -- "$work/wait"
check 'a fault that cannot be made ends the job' status_is 70
check '... and is told' says '^cluster: node1 runs no process of .*/wait: there is nothing to stop'

for signal in TERM KILL; do
  rm -f "$work"/waiting.*
  "$here/cluster.sh" run -n 2 -- "$work/wait" >"$work/out" 2>"$work/err" &
  script=$!
  check 'both nodes run' await two_wait
  kill -s $signal "$script"
  status=0
  wait "$script" 2>/dev/null || status=$?
  check "SIG$signal ends it" status_is $((128 + $(kill -l $signal)))
  check 'and leaves no process' await none_left
done
end_of_cases
