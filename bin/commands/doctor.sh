# shellcheck shell=bash disable=SC2154,SC2034 # root, packages; what find_launcher and run_job read
# orujo doctor: what this machine has, one line each, and the remedy for what is in the way.

doctor_usage() {
  cat <<'END'
Usage: bin/orujo doctor

Checks this machine. "ok" is fine, "note" costs speed or room, "problem" keeps jobs from running.
Exit status: 1 if there is a problem.
END
}

doctor_command() {
  case ${1:-} in
    '') ;;
    --help | -h) doctor_usage; return 0 ;;
    *) fail 2 "doctor has no option '$1'" ;;
  esac
  local problems=0 green='' yellow='' red='' plain=''
  if [[ -t 1 ]]; then green=$'\e[32m' yellow=$'\e[33m' red=$'\e[31m' plain=$'\e[0m'; fi
  check_software
  check_processors
  check_memory
  check_limits
  check_build
  check_job
  ((problems == 0)) || { say "$(counted "$problems" problem)"; return 1; }
}

ok() { printf '%sok%s       %s\n' "$green" "$plain" "$*"; }
note() { printf '%snote%s     %s\n' "$yellow" "$plain" "$*"; }
problem() {
  printf '%sproblem%s  %s\n' "$red" "$plain" "$*"
  problems=$((problems + 1))
}

# check_program NAME: its first line of --version.
check_program() {
  local version
  if command -v "$1" >/dev/null && read -r version < <("$1" --version 2>/dev/null); then
    ok "$1: $version"
  else
    problem "$1 is missing: bin/orujo setup"
  fi
}

check_software() {
  local name missing container=''
  if in_container; then container=', in a container'; fi
  name=$(. /etc/os-release 2>/dev/null && echo "${PRETTY_NAME:-}")
  ok "system: ${name:-unknown}, Linux $(uname -r), $(uname -m)$container"
  for name in g++ cmake ninja mpirun; do check_program "$name"; done
  if ! command -v dpkg-query >/dev/null; then
    note "packages: not a Debian system; install the like of ${packages[*]}"
  else
    mapfile -t missing < <(missing_packages)
    if ((${#missing[@]} == 0)); then ok "packages: all installed"
    else problem "packages: ${missing[*]} missing: bin/orujo setup"; fi
  fi
  if getent hosts "$(uname -n)" >/dev/null; then
    ok "host name: $(uname -n) has an address"
  else
    note "host name: $(uname -n) has no address, for which mpirun waits some 5 s: add '127.0.0.1 $(uname -n)' to /etc/hosts"
  fi
}

check_processors() {
  local usable online features=''
  usable=$(usable_cpus) online=$(online_cpus)
  if ((usable == online)); then ok "CPUs: all $online usable"
  else note "CPUs: $usable of $online usable; the affinity mask (taskset, Slurm) or the control group's quota says so"; fi
  grep -qw avx2 /proc/cpuinfo && features='AVX2'
  grep -qw avx512f /proc/cpuinfo && features+=', AVX-512'
  if [[ $features ]]; then ok "vectors: $features"; else note "vectors: no AVX2; the pull engine runs its scalar code"; fi
  ok "NUMA nodes: $(numa_nodes)"
}

check_memory() {
  local kib setting
  kib=$(available_memory_kib)
  if ((kib >= 2000000)); then ok "memory: $((kib >> 10)) MiB available"
  else note "memory: only $((kib >> 10)) MiB available; compiling takes up to 1.5 GB"; fi
  setting=$(sed -n 's/.*\[\(.*\)\].*/\1/p' /sys/kernel/mm/transparent_hugepage/enabled 2>/dev/null || true)
  case $setting in
    always | madvise) ok "huge pages: $setting" ;;
    *) note "huge pages: ${setting:-not supported}; echo madvise >/sys/kernel/mm/transparent_hugepage/enabled" ;;
  esac
  kib=$(free_kib /dev/shm || true)
  if ((${kib:-0} >= 262144)); then ok "/dev/shm: $((kib >> 10)) MiB free"
  else note "/dev/shm: $((${kib:-0} >> 10)) MiB free; mount -o remount,size=1g /dev/shm (docker run --shm-size=1g)"; fi
}

check_limits() {
  local maps files
  maps=$(cat /proc/sys/vm/max_map_count 2>/dev/null || echo 65530)
  if ((maps >= 262144)); then ok "vm.max_map_count: $maps"
  else note "vm.max_map_count: $maps, guard pages for $((maps / 2)) task stacks; sysctl vm.max_map_count=1048576"; fi
  ok "stack limit (ulimit -s): $(ulimit -s) KiB"
  files=$(ulimit -n)
  if [[ $files == unlimited ]] || ((files >= 1024)); then ok "open files (ulimit -n): $files"
  else note "open files (ulimit -n): $files; ulimit -n 4096"; fi
  if cross_memory_attach_works; then ok "cross-memory attach: works"
  else note "cross-memory attach: refused, so large messages are copied twice; docker run --cap-add=SYS_PTRACE" \
    "--security-opt seccomp=unconfined, or sysctl kernel.yama.ptrace_scope=0"; fi
}

# By time stamps: a dry run of ninja always wants to look at the globs first.
check_build() {
  local log=$root/build/release/.ninja_log newer
  if [[ ! -e $log ]]; then
    note "build: none yet; bin/orujo build"
    return
  fi
  newer=$(cd "$root" && find CMakeLists.txt system framework applications tests -type f -newer "$log" | wc -l)
  if ((newer == 0)); then ok "build: no source is newer than release"
  else note "build: $(counted "$newer" source) newer than release; bin/orujo build, though run does so by itself"; fi
}

# A job of two locales that do nothing.
check_job() {
  command -v mpirun >/dev/null || return 0
  local locales=2 cores=1 hostfile='' launcher hosts per_host several_nodes command=() settings=() choice output status=0
  sweep_dead_jobs
  find_launcher
  raise_file_limit
  output=$(lack_for_job)
  [[ -z $output ]] || { problem "job of 2 locales: $output"; return; }
  make_job_directories
  choose_command
  command+=(true)
  output=$(run_job 2>&1) || status=$?
  if ((status == 0)); then ok "job of 2 locales: runs, $choice"
  else problem "job of 2 locales: status $status: $(print_command) says: ${output:-nothing}"; fi
}
