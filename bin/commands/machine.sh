# shellcheck shell=bash
# Facts about this machine and this process's share of it.

online_cpus() { env -u OMP_NUM_THREADS -u OMP_THREAD_LIMIT nproc --all; }

# The CPUs this process may use: its affinity mask, or the quota of its control group where that is less.
usable_cpus() {
  local count quota period
  count=$(env -u OMP_NUM_THREADS -u OMP_THREAD_LIMIT nproc)
  if { read -r quota period </sys/fs/cgroup/cpu.max; } 2>/dev/null && [[ $quota != max ]]; then
    quota=$(((quota + period - 1) / period))
    ((quota >= count)) || count=$quota
  fi
  echo "$count"
}

available_memory_kib() {
  local available limit used
  available=$(awk '/^MemAvailable:/ {print $2}' /proc/meminfo)
  if { read -r limit </sys/fs/cgroup/memory.max; } 2>/dev/null && [[ $limit != max ]] &&
    read -r used </sys/fs/cgroup/memory.current; then
    limit=$(((limit - used) / 1024))
    ((limit >= available)) || available=$limit
  fi
  echo "${available:-0}"
}

# NUMA nodes that have CPUs.
numa_nodes() {
  local node list count=0
  for node in /sys/devices/system/node/node[0-9]*/cpulist; do
    { read -r list <"$node"; } 2>/dev/null && [[ $list ]] && count=$((count + 1))
  done
  echo $((count > 0 ? count : 1))
}

# free_kib DIRECTORY: its free space, 0 if that is not known.
free_kib() {
  local free
  { read -r free && read -r free; } < <(df --output=avail -k -- "$1" 2>/dev/null) || true
  [[ ${free:-} =~ ^[0-9]+$ ]] || free=0
  echo "$free"
}

# may_have -n 76: whether this limit (of ulimit) is at least that high.
may_have() {
  local limit
  limit=$(ulimit "$1")
  [[ $limit == unlimited ]] || ((limit >= $2))
}

# With 200 KiB mpirun ends by SIGSEGV, with 512 ninja does.
needed_stack=1024
raise_stack_limit() { may_have -s $needed_stack || ulimit -S -s $needed_stack 2>/dev/null || true; }
# Names the missing resource; prints nothing if the stack is large enough.
lack_of_stack() {
  may_have -s $needed_stack || echo "$needed_stack KiB for its stack, and $(ulimit -s) are allowed: ulimit -s $needed_stack"
}

in_container() {
  [[ -e /.dockerenv || -e /run/.containerenv || -e /run/systemd/container ]] ||
    grep -qsE 'docker|kubepods|lxc|containerd' /proc/1/cgroup
}

# Returns whether one process of a job may copy from another's memory (cross-memory attach), which MPI does for large
# messages. Opening a sibling's memory requires the same permission as process_vm_readv.
cross_memory_attach_works() {
  local sibling works=1
  [[ $(awk '/^Seccomp:/ {print $2}' /proc/self/status) =~ ^0?$ ]] || return 1
  # Scope 1 allows only descendants, but Open MPI lifts that for its own processes.
  [[ $(cat /proc/sys/kernel/yama/ptrace_scope 2>/dev/null) != 1 ]] || return 0
  sleep 10 >/dev/null 2>&1 &
  sibling=$!
  (: </proc/"$sibling"/mem) 2>/dev/null || works=0
  kill -KILL "$sibling"
  wait "$sibling" 2>/dev/null || true
  ((works))
}
