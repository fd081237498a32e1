#!/usr/bin/env bash
# Jobs under a real Slurm: its controller and two nodes run on this machine, in namespaces that end with the test.
# Skipped (status 4) without slurmctld, slurmd, their clients, munge or Slurm's plugin for PMIx, or where no
# namespaces can be made.
#   slurm_test.sh PAGERANK WAITING_TASKS
# shellcheck disable=SC2016 # cases are quoted
set -uo pipefail
script=$(readlink -f "${BASH_SOURCE[0]}")
root=${script%/tests/bin/*}

skip() { echo "skipped: $*"; exit 4; }

# The outer half starts the inner one in the namespaces, and ends it if a signal ends the test.
run_outside() {
  local tool inner='' status=0 signal why
  PATH=$PATH:/usr/sbin:/sbin
  for tool in munged slurmctld slurmd salloc srun sbatch scancel squeue sinfo setpriv pgrep; do
    command -v "$tool" >/dev/null || skip "no $tool (Debian packages slurmctld, slurmd, slurm-client, munge, procps)"
  done
  ((EUID == 0)) || skip 'slurmd requires root'
  local namespaces=(unshare --net --uts --ipc --mount --pid --fork --kill-child=KILL --mount-proc)
  why=$("${namespaces[@]}" sh -c 'mount -t tmpfs none /dev/shm && ip link add switch type bridge' 2>&1) ||
    skip "no namespaces can be made here: $why"
  for signal in INT TERM HUP; do
    # shellcheck disable=SC2064
    trap "[[ ! \$inner ]] || kill -KILL \$inner; exit $((128 + $(kill -l $signal)))" "$signal"
  done
  setpriv --pdeathsig KILL "${namespaces[@]}" "$script" --inside "$@" &
  inner=$!
  wait "$inner" || status=$?
  exit "$status"
}

# All files are in a file system of the namespace. Slurm looks addresses up in a way that ignores the loopback's.
make_machine() {
  mount -t tmpfs -o mode=1777 none /dev/shm && export TMPDIR=/dev/shm/tmp && mkdir "$TMPDIR" && hostname login || exit
  ip link set lo up && ip link add switch type bridge && ip addr add 10.0.0.1/24 dev switch && ip link set switch up || exit
  printf '127.0.0.1 localhost\n10.0.0.1 login node0 node1\n' >/dev/shm/names && mount --bind /dev/shm/names /etc/hosts || exit
}

configure() {
  cat <<END
ClusterName=test
SlurmctldHost=login(10.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket=$slurm/munge.socket
StateSaveLocation=$slurm/state
SlurmdSpoolDir=$slurm/spool.%n
TmpFS=$slurm/tmp.%n
SlurmctldPidFile=$slurm/slurmctld.pid
SlurmdPidFile=$slurm/slurmd.%n.pid
SlurmctldLogFile=$slurm/slurmctld.log
SlurmdLogFile=$slurm/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
DefMemPerNode=2000
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=1
JobAcctGatherParams=OverMemoryKill
ReturnToService=2
KillWait=5
NodeName=node0 NodeHostname=node0 NodeAddr=10.0.0.1 Port=6818 CPUs=2 RealMemory=2000
NodeName=node1 NodeHostname=node1 NodeAddr=10.0.0.1 Port=6819 CPUs=2 RealMemory=2000
PartitionName=all Nodes=ALL Default=YES State=UP
END
}

nodes_are_idle() { [[ $(sinfo -h -N -o '%N %t' 2>/dev/null) == $'node0 idle\nnode1 idle' ]]; }
start_slurm() {
  local node
  slurm=$work/slurm
  mkdir -p "$slurm"/{state,{spool,tmp}.node{0,1}}
  configure >"$slurm/slurm.conf"
  export SLURM_CONF=$slurm/slurm.conf
  (umask 077 && head -c 128 /dev/urandom >"$slurm/munge.key")
  munged --force --socket="$slurm/munge.socket" --key-file="$slurm/munge.key" --pid-file="$slurm/munge.pid" \
    --log-file="$slurm/munge.log" --seed-file="$slurm/munge.seed" 2>"$slurm/munged.log"
  slurmctld 2>"$slurm/start.log"
  for node in node0 node1; do
    unshare --uts sh -c 'hostname "$1" && exec slurmd -N "$1"' sh $node 2>"$slurm/start.$node.log"
  done
  srun --mpi=list 2>&1 | grep -qw pmix || skip "Slurm has no plugin for PMIx (Debian package slurm-wlm-basic-plugins)"
  await nodes_are_idle || skip "Slurm does not start: $(grep -hE 'error|fatal' "$slurm"/*.log | tail -n 3)"
}

# slurm COMMAND...: sets status, and leaves what it says in out and err. About one in 300 jobs with several tasks on
# each of several nodes faults in MPI_Init: Open MPI 4.1 may receive a message before it can handle it (its issue 12495).
slurm() {
  local attempt
  for attempt in 1 2 3; do
    status=0
    timeout -k 5 60 "$@" >"$work/out" 2>"$work/err" </dev/null || status=$?
    grep -q 'while MPI started: the fault is in MPI' "$work/err" || return 0
    echo "... MPI faulted in its start, attempt $attempt"
  done
}
status_is() { ((status == $1)); }
allocate() { # allocate NODES TASKS ARGUMENT...: a job of bin/orujo run
  slurm salloc -Q -N "$1" -n "$2" "$root/bin/orujo" run "${@:3}"
}
small=(--generate=kronecker:10 --verify --top=0)

# begin NODES TASKS OPTION...: a job that waits without end, in the background.
begin() {
  : >"$work/out"
  salloc -Q -N "$1" -n "$2" "$root/bin/orujo" run "${@:3}" "$waiting_tasks" --watchdog_seconds=0 >"$work/out" 2>"$work/err" </dev/null &
  job=$!
  check "... $2 tasks on $1 nodes wait" await prints '^waiting$'
}
# The last words are in the working directory if there are several nodes.
process_of() { cat "$TMPDIR"/orujo-job.*/last_words/"$1" .orujo-job.*/"$1" 2>/dev/null | awk '{print $3}'; }
end() { # end: waits for that job, and sets status
  status=0
  wait "$job" || status=$?
}
leave() { # leave NODES TASKS TASK SIGNAL
  begin "$1" "$2"
  kill -s "$4" "$(process_of "$3")"
  end
}
ends_with() { status_is "$1" && says "^orujo: FATAL: $2" && (($(grep -c FATAL "$work/err") == 1)); }

test_jobs() {
  allocate 1 2 "$pagerank" "${small[@]}"
  check 'salloc -n 2 gives two locales' eval 'status_is 0 && says "^orujo: 2 locales x 1 core, srun on 1 node$" && prints "^verified "'
  allocate 2 2 "$pagerank" "${small[@]}"
  check 'two tasks on two nodes have the CPUs that they were given' eval 'status_is 0 && says "^orujo: 2 locales x 1 core, srun on 2 nodes$" && prints "^verified "'
  allocate 2 3 "$pagerank" "${small[@]}"
  check 'nodes may have different numbers of tasks' eval 'status_is 0 && says "^orujo: 3 locales x 1 core, srun on 2 nodes$" && prints "^verified "'
  slurm salloc -Q -N 2 --exclusive --ntasks-per-node=1 "$root/bin/orujo" run "$pagerank" "${small[@]}"
  check 'tasks that have nodes of their own have all their CPUs' eval 'status_is 0 && says "^orujo: 2 locales x 2 cores, srun on 2 nodes$" && prints "^verified "'
  slurm salloc -Q -N 2 -n 2 -c 2 "$root/bin/orujo" run "$pagerank" "${small[@]}"
  check '... as have those that asked for them' eval 'status_is 0 && says "^orujo: 2 locales x 2 cores, srun on 2 nodes$" && prints "^verified "'
  allocate 2 2 -n 8 "$pagerank" "${small[@]}"
  check 'more locales than CPUs run unbound' eval 'status_is 0 && says "8 locales x 1 core, srun on 2 nodes, not bound" && prints "^verified "'
  allocate 1 2 --single "$pagerank" "${small[@]}"
  check 'one locale runs on a node' eval 'status_is 0 && says "^orujo: 1 locale x 2 cores, srun on 1 node$" && prints "^verified "'
  slurm srun -N 2 -n 4 --mpi=pmix "$root/bin/orujo" run "$pagerank" "${small[@]}"
  check "srun's tasks join its job" eval 'status_is 0 && prints "^verified " && prints ".4 locales x 1 core."'
  slurm srun -N 1 -n 2 --mpi=none "$root/bin/orujo" run "$pagerank" "${small[@]}"
  check 'not without PMIx' eval 'status_is 2 && says "SLURM_STEP_NUM_TASKS is 2, but MPI sees only this process"'
}

test_batch() {
  printf '%s\n' '1 2' '2 3' '3 1' '4 1' >graph.txt
  local batch=(sbatch -W -N 2 -o batch.out "$root/applications/examples/pagerank.sbatch")
  ORUJO=$root/bin/orujo slurm "${batch[@]}" graph.txt
  cat batch.out >>"$work/err"
  check 'the job script runs' eval 'status_is 0 && says "4 locales x 1 core, srun on 2 nodes" && (($(wc -l <graph.txt.ranks) >= 4))'
  ORUJO=$root/bin/orujo slurm "${batch[@]}" none.orj
  cat batch.out >>"$work/err"
  check 'and has the status of its job' eval 'status_is 66 && says "cannot open"'
}

test_statuses() {
  printf '1 2\n2 x\n' >bad.txt
  local nodes
  for nodes in 1 2; do
    allocate $nodes 2 "$pagerank" --nonsense
    check "a flag that is wrong has its status ($nodes)" eval 'status_is 2 && says nonsense && ! says "^orujo: FATAL"'
    allocate $nodes 2 "$pagerank" --graph=bad.txt
    check "so has a file that is ($nodes)" eval 'status_is 65 && says bad.txt && ! says "^orujo: FATAL"'
    allocate $nodes 2 "$pagerank" --graph=none.txt
    check "or is not there ($nodes)" eval 'status_is 66 && ! says "^orujo: FATAL"'
    leave $nodes 2 1 KILL
    check 'a task that is killed is named, and memory' \
      ends_with 137 'signal KILL ended locale 1 .process [0-9]+ on node[01]. from outside, and the job with it; if nobody sent it, .* memory'
    leave $nodes 2 0 TERM
    check 'so is one that is asked to end' ends_with 143 'signal TERM ended locale 0 .process [0-9]+ on node[01]. from outside'
    leave $nodes 2 1 SEGV
    check 'one that reports its fault is not' eval 'status_is 73 && says "^.locale 1. FATAL: signal 11" && ! says "^orujo: FATAL"'
  done
  leave 1 1 0 KILL
  check 'a task alone was on its node' ends_with 137 'signal KILL ended locale 0 .process [0-9]+ on node0. from outside'
  slurm salloc -Q -n 2 --mem=100 "$root/bin/orujo" run "$pagerank" --generate=kronecker:20 --iterations=1000000
  check "Slurm's limit of memory is named" ends_with 137 'signal KILL ended locale [01] .* it exceeded the memory that Slurm allows the job: .*--mem'
  slurm salloc -Q -N 2 -n 2 env 'SLURM_JOB_CPUS_PER_NODE=2(x2)' "$root/bin/orujo" run "$pagerank" "${small[@]}"
  check 'a step that Slurm refuses is a job that could not start' \
    eval 'ends_with 71 "srun could not start the job .its status is 1." && says "^srun: error: "'
}

started_again() { (($(grep -c '^waiting$' "$work/out") == 2)); }
test_ends() {
  begin 2 2 --retries=1
  kill -KILL "$(process_of 1)"
  check 'a job that lost a task starts again' await started_again
  kill -KILL "$(process_of 0)"
  end
  check '... as often as it may' eval 'status_is 137 && says "retries left: 0" && (($(grep -c "^orujo: FATAL: signal KILL" "$work/err") == 2))'
  begin 2 2
  scancel "$(squeue -h -o %i)"
  end
  check 'scancel ends a job' status_is 143
  check 'nothing runs' eval 'await nodes_are_idle && [[ ! $(squeue -h) ]] && ! pgrep -x pagerank && ! pgrep -x waiting_tasks'
  check 'and nothing is left' test -z "$(find /dev/shm -name '*orujo-job.*' -o -name 'vader_segment.*' -o -name 'spmix_appdir*')"
}

[[ ${1:-} == --inside ]] || run_outside "$@"
pagerank=$(readlink -f "$2") waiting_tasks=$(readlink -f "$3")
make_machine
source "$root/tests/cases.sh"
forget_jobs
export ORUJO_NO_SETUP=1
start_slurm
mkdir "$work/shared"
cd "$work/shared" || exit
test_jobs
test_batch
test_statuses
test_ends
end_of_cases
