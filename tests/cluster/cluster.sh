#!/usr/bin/env bash
# A cluster of 2 to 8 nodes on one machine, to run a program on: every node is a network namespace with a host name of
# its own, joined to the others by a switch whose links may be limited in rate.  cluster.sh --help
#
#   node0 (eth0 10.0.0.1) ---+
#   node1 (eth0 10.0.0.2) ---+--- bridge        rates: at both ends of each link, by tc
#   ...                   ---+
#
# Needs root, or a kernel that gives users namespaces of their own; iproute2 and Open MPI. Where something is missing
# it says so in one line and ends with status 4, which ctest takes for "skipped".
#
# All of it lives in namespaces of its own: network, host name, mounts and process numbers. The first process there is
# this script's inner half. When that ends, the kernel ends the processes that it started and removes the links. The
# job's files, which lie in a tmpfs over /dev/shm, vanish, too. No end needs a clean-up, and two clusters cannot meet.
#
# The nodes share the machine's CPUs: each gets an equal slice where there are enough for all, else all get all and
# cores are not bound. Node 0 starts the job by bin/orujo run; instead of ssh, mpirun enters the other namespaces.
# shellcheck disable=SC2016 # what other shells expand
set -eEuo pipefail

script=$(readlink -f "${BASH_SOURCE[0]}")
root=$(dirname "$(dirname "$(dirname "$script")")")

usage() {
  cat <<'END'
Usage: tests/cluster/cluster.sh run [OPTION...] -- PROGRAM [FLAG...]

Runs PROGRAM (a path) on a cluster made for it out of network namespaces, and says what went over each node's link.
  -n NODES            2 to 8 (default 2)
  -l LOCALES          of each node (default 1)
  -c CORES            of each locale (default 1)
  --rate=RATE         of each link and direction, as tc takes it: 1gbit, 100mbit (default: unlimited)
  --slow=NODE:RATE    this node's link has another rate
  --mtu=BYTES         of each link (default 9000)
  --delay=US          microseconds that each packet takes longer on its way, by a switch of our own
                      (build/release/tests/delaying_switch); --rate is of what a node sends, then
  --loss=PERCENT      of the packets that a node sends so many are dropped, at random (needs nft)
  --disk=NODE:SIZE:FOLDER  this node, not 0, has a disk of its own of so many bytes (64k, 1m) at FOLDER
One fault, so long after the job's start, which has to end on both sides if the fault does not:
  --cut=NODE:SECONDS  takes this node's link away, and tells nobody
  --down=NODE:SECONDS this node's interface goes down
  --stop=NODE:SECONDS stops the program's processes on this node
  --when=PATTERN      ... or so long after a file is there whose path is like this
  --heal=SECONDS      ends the fault so long after it began
  --retries=N         of bin/orujo run
Exit status: that of the program; 4 where this machine does not allow it; 70 if it goes on behind a fault, or
there was nothing to stop.
END
}

say() { echo "cluster: $*" >&2; }
fail() { say "${@:2}"; exit "$1"; }
skip() { say "skipped: $*"; exit 4; }

PATH+=:/usr/sbin:/sbin # where Debian has ip and tc, and users' paths do not lead

nodes=2 locales=1 cores=1 rate='' slow='' mtu=9000 delay=0 loss=0 disk='' fault='' fault_at='' heal='' when='' retries=0

need_number() { # need_number OPTION VALUE LEAST MOST
  if [[ ! $2 =~ ^[1-9][0-9]{0,4}$ ]] || (($2 < $3 || $2 > $4)); then fail 2 "$1 needs a number from $3 to $4, not '$2'"; fi
}

parse() {
  while (($# > 0)); do
    case $1 in
      -n) nodes=${2-}; shift ;;
      -l) locales=${2-}; shift ;;
      -c) cores=${2-}; shift ;;
      --rate) rate=${2-}; shift ;;
      --mtu) mtu=${2-}; shift ;;
      --delay) delay=${2-}; shift ;;
      --loss) loss=${2-}; shift ;;
      --disk) disk=${2-}; shift ;;
      --cut | --down | --stop) fault=${1#--} fault_at=${2-}; shift ;;
      --heal) heal=${2-}; shift ;;
      --slow) slow=${2-}; shift ;;
      --when) when=${2-}; shift ;;
      --retries) retries=${2-}; shift ;;
      --rate=* | --slow=* | --mtu=* | --delay=* | --loss=* | --disk=* | --cut=* | --down=* | --stop=* | --heal=* | --when=* | --retries=*) set -- "${1%%=*}" "${1#*=}" "${@:2}"; continue ;;
      -[nlc]?*) set -- "${1:0:2}" "${1:2}" "${@:2}"; continue ;;
      --) shift; break ;;
      *) fail 2 "no option '$1'; tests/cluster/cluster.sh --help" ;;
    esac
    shift || fail 2 "the last option needs a value"
  done
  need_number -n "$nodes" 2 8
  need_number -l "$locales" 1 64
  need_number -c "$cores" 1 256
  need_number --mtu "$mtu" 1500 65535
  [[ $delay == 0 ]] || need_number --delay "$delay" 1 99999
  [[ $delay == 0 || ! $slow$fault && $loss == 0 ]] || fail 2 "--delay goes with none of --slow, --loss and the faults"
  [[ ! $rate || $rate =~ ^[0-9]+[kmg]bit$ ]] || fail 2 "--rate needs a rate such as 1gbit or 100mbit, not '$rate'"
  [[ ! $slow || $slow =~ ^[0-7]:[0-9]+[kmg]bit$ ]] || fail 2 "--slow needs a node and a rate such as 1:10mbit, not '$slow'"
  [[ $loss =~ ^[0-9]{1,2}$ ]] || fail 2 "--loss needs a percentage below 100, not '$loss'"
  [[ ! $disk || $disk =~ ^[1-7]:[0-9]+[km]:/.+$ ]] || fail 2 "--disk needs a node, a size and a folder such as 1:64k:/tmp/here, not '$disk'"
  [[ ! $heal || $heal =~ ^[0-9]{1,4}$ ]] || fail 2 "--heal needs seconds, not '$heal'"
  if [[ $fault ]] && { [[ ! $fault_at =~ ^[0-7]:[0-9]{1,4}$ ]] || ((${fault_at%:*} >= nodes)); }; then
    fail 2 "--$fault needs one of the nodes 0 to $((nodes - 1)) and seconds, such as 1:5, not '$fault_at'"
  fi
  (($# > 0)) || fail 2 "run needs a program behind --"
  program=("$@")
  [[ ${program[0]} == */* && -x ${program[0]} ]] || fail 66 "'${program[0]}' is no path of a program that can be run"
  program[0]=$(readlink -f "${program[0]}") # by which its processes are found
}

# The outer half: starts the inner one in namespaces of its own, and ends it should this one be ended.

namespaces() {
  local as_root=()
  ((EUID == 0)) || as_root=(--user --map-root-user)
  echo unshare "${as_root[@]}" --net --uts --ipc --mount --pid --fork --kill-child=KILL --mount-proc
}

check_machine() {
  local tool why
  ((loss == 0)) || command -v nft >/dev/null || skip "there is no 'nft' here; bin/orujo setup installs what the tests need"
  for tool in ip tc hostname unshare nsenter setpriv taskset pgrep mpirun; do
    command -v "$tool" >/dev/null || skip "there is no '$tool' here; bin/orujo setup installs what the tests need"
  done
  # shellcheck disable=SC2046 # words
  why=$($(namespaces) bash -euc '
    mount -t tmpfs none /dev/shm
    hostname node0
    ip link add switch type bridge
    ip link add port0 type veth peer name eth0
    ip link set port0 master switch up
    tc qdisc replace dev port0 root tbf rate 1gbit burst 256kb latency 20ms' 2>&1) ||
    skip "this machine does not let user $(id -un) make network namespaces, links and rates: ${why//$'\n'/; }"
}

run_outside() {
  parse "$@"
  check_machine
  local inner='' status=0 signal
  for signal in INT TERM HUP QUIT; do
    # shellcheck disable=SC2064
    trap "[[ ! \$inner ]] || kill -KILL \$inner; exit $((128 + $(kill -l $signal)))" "$signal"
  done
  # shellcheck disable=SC2046 # words
  setpriv --pdeathsig KILL $(namespaces) "$script" inside "$@" &
  inner=$!
  wait "$inner" || status=$?
  return "$status"
}

# The inner half, whose network namespace holds the switch.

holders=() # by node: the process that keeps the node's namespaces

# The options of unshare and nsenter for a node's own namespaces.
spaces_of() { if [[ ${disk%%:*} == "$1" ]]; then echo --net --uts --mount; else echo --net --uts; fi; }
# shellcheck disable=SC2046 # words
in_node() { nsenter -t "${holders[$1]}" $(spaces_of "$1") -- "${@:2}"; }

make_node() {
  local k=$1 ready size=''
  [[ ${disk%%:*} != "$k" ]] || size=${disk#*:}
  # shellcheck disable=SC2046 # words
  exec {ready}< <(exec unshare $(spaces_of "$k") sh -c 'hostname "$1" &&
    { [ ! "$2" ] || mount -t tmpfs -o size="${2%%:*}" none "${2#*:}"; } && echo ready && exec sleep infinity' sh "node$k" "$size")
  holders[k]=$!
  read -r -u "$ready" || fail 71 "node $k could not be made"
  if ((delay == 0)); then
    ip link add "port$k" mtu "$mtu" type veth peer name eth0 mtu "$mtu" netns "${holders[k]}"
    ip link set "port$k" master switch up
  else
    ip link set "tap$k" mtu "$mtu" txqueuelen 20000 netns "${holders[k]}" name eth0
  fi
  in_node "$k" ip link set lo up
  in_node "$k" ip addr add "10.0.0.$((k + 1))/24" dev eth0
  in_node "$k" ip link set eth0 up
  local rate=$rate
  [[ ${slow%%:*} != "$k" ]] || rate=${slow#*:}
  [[ $rate ]] || return 0
  # Limits the traffic from a node, and from the switch to it, where many nodes send to one.
  in_node "$k" tc qdisc replace dev eth0 root tbf rate "$rate" burst 256kb latency 20ms
  ((delay > 0)) || tc qdisc replace dev "port$k" root tbf rate "$rate" burst 256kb latency 20ms
}

# Ends with the namespaces.
start_delaying_switch() {
  local relay=$root/build/release/tests/delaying_switch ready
  [[ -x $relay ]] || fail 66 "--delay needs $relay: cmake --build build/release --target delaying_switch"
  exec {ready}< <(exec "$relay" "$nodes" "$delay")
  read -r -u "$ready" || skip "this machine lets user $(id -un) make no TAP devices"
}

make_cluster() {
  local k
  mount -t tmpfs -o mode=1777 none /dev/shm
  export TMPDIR=/dev/shm/tmp
  mkdir "$TMPDIR"
  ip link add switch mtu "$mtu" type bridge
  ip link set switch up
  ((delay == 0)) || start_delaying_switch
  {
    echo '127.0.0.1 localhost'
    for ((k = 0; k < nodes; k++)); do echo "10.0.0.$((k + 1)) node$k"; done
  } >"$TMPDIR/names"
  mount --bind "$TMPDIR/names" /etc/hosts
  for ((k = 0; k < nodes; k++)); do make_node "$k"; done
  ((loss == 0)) || lose_packets

  for ((k = 0; k < nodes; k++)); do echo "node$k slots=$locales"; done >"$TMPDIR/hostfile"
  {
    echo '#!/usr/bin/env bash'
    echo '# In place of ssh, which passes no variables on: AGENT [OPTION...] NODE WORD...'
    echo 'while [[ $1 == -* ]]; do shift; done'
    echo 'case $1 in'
    for ((k = 0; k < nodes; k++)); do echo "node$k) holder=${holders[k]} cpus=$(cpus_of "$k") spaces='$(spaces_of "$k")' ;;"; done
    echo 'esac'
    echo 'exec env -u OPAL_OUTPUT_STDERR_FD nsenter -t "$holder" $spaces -- taskset -c "$cpus" sh -c "${*:2}"'
  } >"$TMPDIR/agent"
  chmod +x "$TMPDIR/agent"
}

# Where they arrive at the switch, after they have been sent for good: once on each way.
lose_packets() {
  local k
  for ((k = 0; k < nodes; k++)); do
    nft "table netdev loss { chain port$k { type filter hook ingress device port$k priority 0; numgen random mod 100 < $loss drop; }; }" ||
      skip 'this kernel drops no packets at random: it lacks nf_tables for devices'
  done
}

# As taskset takes them.
cpus_of() {
  local cpus=() each
  mapfile -t cpus < <(usable_cpus)
  each=$((${#cpus[@]} / nodes))
  ((each == 0)) || cpus=("${cpus[@]:$1 * each:each}")
  (IFS=,; echo "${cpus[*]}")
}
usable_cpus() {
  local list range
  list=$(taskset -cp $$)
  for range in $(tr , ' ' <<<"${list##*: }"); do seq "${range%-*}" "${range#*-}"; done
}

# The variables say what bin/orujo leaves to Open MPI where a job has several hosts.
run_job() {
  local flags=("${program[@]:1}")
  (($(usable_cpus | wc -l) >= nodes)) || flags=(--pin=false "${flags[@]}")
  in_node 0 taskset -c "$(cpus_of 0)" env ORUJO_NO_SETUP=1 ORUJO_NO_BUILD=1 ORUJO_MPIRUN_FLAGS= \
    OMPI_MCA_plm=rsh OMPI_MCA_plm_rsh_agent="$TMPDIR/agent" OMPI_MCA_oob_tcp_if_include=eth0 \
    OMPI_MCA_pml=ob1 OMPI_MCA_btl=tcp,vader,self OMPI_MCA_btl_tcp_if_include=eth0 \
    "$root/bin/orujo" run --retries="$retries" -n $((nodes * locales)) -c "$cores" --hostfile "$TMPDIR/hostfile" "${program[0]}" "${flags[@]}"
}

make_fault() {
  local node=${fault_at%:*}
  [[ ! $when ]] || until compgen -G "$when" >/dev/null; do sleep 0.1; done
  sleep "${fault_at#*:}"
  case $fault in
    cut) ip link set "port$node" nomaster && say "node$node is cut off" ;;  # as by a pulled cable
    down) in_node "$node" ip link set eth0 down && say "the interface of node$node is down" ;;
    stop) if signal_program "$node" STOP; then say "node$node is stopped"; else no_fault; fi ;;
  esac
  [[ $heal ]] || return 0
  sleep "$heal"
  case $fault in
    cut) ip link set "port$node" master switch ;;
    down) in_node "$node" ip link set eth0 up ;;
    stop) signal_program "$node" CONT ;;
  esac
  say "node$node is well again"
}

# A job without its fault shows nothing, and is ended.
no_fault() {
  say "node$node runs no process of ${program[0]}: there is nothing to stop"
  : >"$TMPDIR/no_fault"
  pkill -x mpirun
}

# signal_program NODE SIGNAL: the node's processes are those of its network. 1 if there is none.
signal_program() {
  local process any=1
  for process in $(pgrep -f "^${program[0]}"); do
    [[ /proc/$process/ns/net -ef /proc/${holders[$1]}/ns/net ]] || continue
    kill -s "$2" "$process" && any=0
  done
  return "$any"
}

# Both sides of a fault notice it by themselves, not necessarily together.
await_end_of_program() {
  local i
  for ((i = 0; i < 200; i++)); do
    pgrep -f "^${program[0]}" >/dev/null || return 0
    sleep 0.1
  done
  fail 70 "after the job there still runs: $(pgrep -a -f "^${program[0]}" | head -n 1)"
}

# With a rate the queues count what is on the wire; without, the headers of segments that the wire would have cut are
# not in it.
report_traffic() {
  local seconds=$1 k
  for ((k = 0; k < nodes; k++)); do
    if [[ $rate ]] && ((delay == 0)); then
      say "node$k in $seconds s: sent $(queued in_node "$k" tc -s -j qdisc show dev eth0), received $(queued tc -s -j qdisc show dev "port$k")"
    else
      awk -v k="$k" '$1 == "eth0:" {printf "cluster: node%d: sent %.3f MB in %d packets, received %.3f MB in %d packets\n",
        k, $10 / 1e6, $11, $2 / 1e6, $3}' "/proc/${holders[k]}/net/dev" >&2
    fi
  done
}

# queued COMMAND...: of tc's JSON, bytes and packets.
queued() {
  local json
  json=$("$@")
  [[ $json =~ \"bytes\":([0-9]+),\"packets\":([0-9]+) ]]
  awk -v b="${BASH_REMATCH[1]}" -v p="${BASH_REMATCH[2]}" 'BEGIN {printf "%.3f MB in %d packets", b / 1e6, p}'
}

run_inside() {
  parse "$@"
  trap 'say "could not be made: line $LINENO"; exit 71' ERR
  make_cluster
  trap - ERR
  local status=0 before=$EPOCHREALTIME
  [[ ! $fault ]] || make_fault &
  run_job || status=$?
  [[ ! $fault ]] || await_end_of_program
  [[ ! -e $TMPDIR/no_fault ]] || status=70
  report_traffic "$(awk -v a="$before" -v b="$EPOCHREALTIME" 'BEGIN {printf "%.2f", b - a}')"
  exit "$status"
}

case ${1:---help} in
  run) run_outside "${@:2}" ;;
  inside) run_inside "${@:2}" ;;
  --help | -h) usage ;;
  *) fail 2 "no command '$1'; tests/cluster/cluster.sh --help" ;;
esac
