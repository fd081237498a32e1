# shellcheck shell=bash disable=SC2154,SC2034 # root, packages, globals of the job
# orujo doctor: the state of this machine, a line each, with a remedy for each obstacle.
summaries[doctor]='check this machine, and say how to mend problems'

doctor_usage() {
  cat <<'END'
Usage: bin/orujo doctor [--hosts=A,B,...]

Checks this machine. With --hosts, also checks whether jobs can start on each host, and whether each
host reaches the others.
Prints "ok", "note" (costs speed or memory, with the amount) or "problem" (jobs cannot run), with
the remedy.
Exit status: 1 if there is a problem.
END
}

# The number of problems found, and the colours of a terminal.
problems=0 green='' yellow='' red='' plain=''

doctor_command() {
  local asked=''
  while (($# > 0)); do
    case $1 in
      --hosts) need_value "$1" $#; asked=$2; shift ;;
      --hosts=*) asked=${1#*=} ;;
      --help | -h) doctor_usage; return 0 ;;
      *) fail 2 "doctor has no option '$1'" ;;
    esac
    shift
  done
  [[ -z $asked ]] || need_hosts "$asked"
  if [[ -t 1 ]]; then green=$'\e[32m' yellow=$'\e[33m' red=$'\e[31m' plain=$'\e[0m'; fi
  check_software
  check_processors
  check_memory
  check_limits
  check_temporary
  [[ $installed ]] || check_build
  check_job
  [[ -z $asked ]] || check_hosts "$asked"
  ((problems == 0)) || { say "$(counted "$problems" problem)"; return 1; }
}

ok() { printf '%sok%s       %s\n' "$green" "$plain" "$*"; }
note() { printf '%snote%s     %s\n' "$yellow" "$plain" "$*"; }
problem() {
  printf '%sproblem%s  %s\n' "$red" "$plain" "$*"
  problems=$((problems + 1))
}

# check_program NAME: prints the first line of its --version.
check_program() {
  local version
  if command -v "$1" >/dev/null && read -r version < <("$1" --version 2>/dev/null); then
    ok "$1: $version"
  else
    problem "$1 is missing: bin/orujo setup"
  fi
}

check_software() {
  local name container=''
  if in_container; then container=', in a container'; fi
  name=$(. /etc/os-release 2>/dev/null && echo "${PRETTY_NAME:-}")
  ok "system: ${name:-unknown}, Linux $(uname -r), $(uname -m)$container"
  if [[ $installed ]]; then
    check_program mpirun
    ok "Orujo: $(version), installed in $root"
  else
    check_build_tools
  fi
  if getent hosts "$(uname -n)" >/dev/null; then
    ok "host name: $(uname -n) has an address"
  else
    note "host name: $(uname -n) has no address, for which mpirun waits some 5 s: add '127.0.0.1 $(uname -n)' to /etc/hosts"
  fi
}

check_build_tools() {
  local name missing
  for name in g++ cmake ninja mpirun; do check_program "$name"; done
  if command -v mpiexec.mpich >/dev/null; then
    ok "MPICH: $(mpiexec.mpich --version | awk '$1 == "Version:" {print $2}'), for the preset mpich"
  fi
  if ! command -v dpkg-query >/dev/null; then
    note "packages: not a Debian system; install equivalents of ${packages[*]}"
  else
    mapfile -t missing < <(missing_packages)
    if ((${#missing[@]} == 0)); then ok "packages: all installed"
    else problem "packages: ${missing[*]} missing: bin/orujo setup"; fi
  fi
}

check_processors() {
  local usable online features=''
  usable=$(usable_cpus) online=$(online_cpus)
  if ((usable == online)); then ok "CPUs: all $online usable"
  else note "CPUs: $usable of $online usable; the affinity mask (taskset, Slurm) or the control group's quota says so"; fi
  grep -qw avx2 /proc/cpuinfo && features='AVX2'
  grep -qw avx512f /proc/cpuinfo && features+=', AVX-512'
  if [[ $features ]]; then ok "vectors: $features"; else note "vectors: no AVX2; kernels run their scalar code"; fi
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
    *)
      note "huge pages: ${setting:-not supported}, so accesses outside of the caches may cost a page walk;" \
        'echo madvise >/sys/kernel/mm/transparent_hugepage/enabled'
      ;;
  esac
  kib=$(free_kib /dev/shm)
  if ((kib >= 262144)); then ok "/dev/shm: $((kib >> 10)) MiB free"
  else note "/dev/shm: $((kib >> 10)) MiB free, room for $((kib / 8192 > 1 ? kib / 8192 - 1 : 0)) locales; more share" \
    "files in $(temporary_directory), which is slower where that is a disk; mount -o remount,size=1g /dev/shm (docker run --shm-size=1g)"; fi
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
  files=$(ulimit -l)
  if [[ $files == unlimited ]] || ((files >= 65536)); then ok "locked memory (ulimit -l): $files"
  else note "locked memory (ulimit -l): $files KiB; InfiniBand requires more, TCP and shared memory none"; fi
  if cross_memory_attach_works; then ok "cross-memory attach: works"
  else note "cross-memory attach: refused, so large messages are copied twice; docker run --cap-add=SYS_PTRACE" \
    "--security-opt seccomp=unconfined, or sysctl kernel.yama.ptrace_scope=0"; fi
}

check_temporary() {
  local directory kib kind
  directory=$(temporary_directory)
  kib=$(free_kib "$directory") kind=$(stat -f -c %T "$directory" 2>/dev/null) || kind=unknown
  if [[ ! -d $directory || ! -w $directory ]]; then problem "TMPDIR: $directory cannot be written, and jobs require it; set TMPDIR"
  elif ((kib < 16384)); then note "TMPDIR: $((kib >> 10)) MiB free in $directory; a job on several nodes requires 16"
  elif [[ $kind =~ ^(nfs|lustre|gpfs|smb|cifs|fuse) ]]; then note "TMPDIR: $directory is on a network ($kind): jobs start seconds later; export TMPDIR=/tmp"
  else ok "TMPDIR: $((kib >> 10)) MiB free in $directory"; fi
}

# Compares time stamps, because a dry run of ninja always examines the globs first.
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

# Runs a job of two locales that do nothing.
check_job() {
  command -v mpirun >/dev/null || return 0
  local said ended=0
  locales=2 cores=1
  sweep_dead_jobs
  find_launcher
  raise_file_limit
  said=$(lack_for_job)
  [[ -z $said ]] || { problem "job of 2 locales: $said"; return; }
  make_job_directories
  choose_command
  command+=(true)
  said=$(run_job 2>&1) || ended=$?
  if ((ended == 0)); then ok "job of 2 locales: runs, $choice"
  else problem "job of 2 locales: status $ended: $(print_command) says: ${said:-nothing}"; fi
}

unused_port=47803

# check_hosts LIST: checks all hosts at once, each by itself and its way to all others. A refused connection to a port
# without a listener is as good as an answer, because a firewall would let it wait.
check_hosts() {
  local host hosts_asked=() answers mpirun as_root=() k said count
  mapfile -t hosts_asked < <(lines_of_hosts "$1" | cut -d' ' -f1)
  mpirun=$(find_mpirun) || exit
  ((EUID != 0)) || as_root=(--allow-run-as-root)
  answers=$(mktemp -d)
  for k in "${!hosts_asked[@]}"; do
    mkdir "$answers/files.$k" # two that begin at once may take each other's folder away
    # shellcheck disable=SC2016 # for the host
    TMPDIR=$answers/files.$k timeout -k 2 30 "${mpirun%% *}" "${as_root[@]}" -n 1 --bind-to none --host "${hosts_asked[k]}" bash -c '
      echo "here $(nproc) $([[ -e $1 ]] && echo yes || echo no)"
      for other in "${@:3}"; do
        start=${EPOCHREALTIME/./}
        timeout 3 bash -c "exec 3<>/dev/tcp/$other/$2" 2>/dev/null
        [[ $? != 124 ]] && getent hosts "$other" >/dev/null && echo "$other $((${EPOCHREALTIME/./} - start))" || echo "$other silent"
      done' ask "$root/bin/orujo" "$unused_port" "${hosts_asked[@]}" >"$answers/$k" 2>"$answers/$k.err" </dev/null &
  done
  wait
  for k in "${!hosts_asked[@]}"; do
    host=${hosts_asked[k]}
    said=$(grep -xE -m 1 'here [1-9][0-9]* (yes|no)' "$answers/$k") || said=''
    if [[ ! $said ]]; then
      problem "$host: mpirun cannot start anything there: $(grep -m 1 '[[:alpha:]]' "$answers/$k.err" || echo 'no word'); ssh $host must work without a password"
      continue
    fi
    read -r _ count said <<<"$said"
    if [[ $said == yes ]]; then ok "$host: $(counted "$count" CPU), the same Orujo"
    else problem "$host: there is no $root/bin/orujo; the same build must lie under the same path on every host"; fi
    said=$(awk -v host="$host" '$1 != host && $2 == "silent" {print $1}' "$answers/$k" | tr '\n' ' ')
    if [[ $said ]]; then problem "$host: cannot reach ${said% }; MPI requires all ports above 1023 between the hosts: check the firewall"
    else ok "$host: reaches the others in $(awk -v host="$host" '$1 != host && $1 != "here" {if ($2 > most) most = $2} END {printf "%.1f", most / 1000}' "$answers/$k") ms with the start of a program"; fi
  done
  rm -rf "$answers"
}
