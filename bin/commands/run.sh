# shellcheck shell=bash disable=SC2154,SC2034 # root, globals of other files
# orujo run: chooses launcher, cores and binding for an application. job.sh runs and ends the job.
summaries[run]='run an application on one or many locales, building it first'

run_usage() {
  cat <<'END'
Usage: bin/orujo run [OPTION...] APP [FLAG...]

Builds APP if needed and runs it with its FLAGs (bin/orujo run APP --help shows them). APP is an
application (bin/orujo list), or the path of a program, built here
(build/release/docs/tutorial/hello) or elsewhere. A script that ends in .py is run on every locale
by python3, or by env/bin/python of this folder, whichever has the package orujo.
  -n LOCALES       number of processes (default: the sum of --hosts, else one per NUMA node; one
                   needs no MPI launcher)
  -c CORES         cores of each locale (default: the CPUs divided by the locales)
  --single         one locale, also on several NUMA nodes
  --preset=PRESET  build to use (default release)
  --hosts=A:2,B:2  hosts, and the number of locales on each (default 1)
  --hostfile=FILE  the same as a hostfile of Open MPI
  --retries=N      start a job again that has lost a process or a node, up to N times: on the hosts
                   that answer, and with --checkpoint_dir from the last checkpoint (default 0)
  --report=PAGE    make a report with pictures of the run, such as report.html (bin/orujo plot)
  --dry-run        print the command and stop
In a Slurm allocation srun starts the job. Under mpirun or srun the application joins the running
job.
ORUJO_MPIRUN_FLAGS adds options to mpirun's. OMPI_MCA_* variables override the launcher's choices.
Exit status: that of the application; 128 + N if signal N ended it; 76 if a node or the network to
it was lost.
END
}

# The job that run_command or `doctor` starts, as it was asked for. launcher.sh fills in what nobody chose, and retries.sh
# changes it if hosts are lost.
locales='' # their number
cores=''   # of each locale
job_preset=release
hostfile=''   # a hostfile of Open MPI
host_names='' # the same as a list, A:2,B
application='' # as it was named
program=''     # its path
arguments=()   # its flags

run_command() {
  local single='' dry_run='' retries=0 report=''
  while (($# > 0)); do
    case $1 in
      -n | -np | --np | --locales) need_value "$1" $#; locales=$2; shift ;;
      -c | --cores) need_value "$1" $#; cores=$2; shift ;;
      --preset) need_value "$1" $#; job_preset=$2; shift ;;
      --hostfile) need_value "$1" $#; hostfile=$2; shift ;;
      --hosts) need_value "$1" $#; host_names=$2; shift ;;
      --single) single=1 ;;
      --retries) need_value "$1" $#; retries=$2; shift ;;
      --report) need_value "$1" $#; report=$2; shift ;;
      --locales=* | --cores=* | --preset=* | --hostfile=* | --hosts=* | --retries=* | --report=?*) set -- "${1%%=*}" "${1#*=}" "${@:2}"; continue ;;
      -n?* | -c?*) set -- "${1:0:2}" "${1:2}" "${@:2}"; continue ;;
      --dry-run) dry_run=1 ;;
      --help | -h) run_usage; return 0 ;;
      --) shift; break ;;
      -*) fail 2 "run has no option '$1'; bin/orujo run --help" ;;
      *) break ;;
    esac
    shift
  done
  [[ -z $locales ]] || need_count -n "$locales"
  [[ -z $cores ]] || need_count -c "$cores"
  [[ $retries =~ ^(0|[1-9][0-9]{0,3})$ ]] || fail 2 "--retries requires a whole number, not '$retries'"
  [[ -z $hostfile || -r $hostfile && ! -d $hostfile ]] || fail 66 "cannot read the hostfile $hostfile"
  [[ -z $hostfile || -z $host_names ]] || fail 2 '--hosts and --hostfile exclude each other: pass one'
  [[ -z $host_names ]] || need_hosts "$host_names"
  [[ ! $report || ! $installed ]] || fail 71 "--report requires Orujo's sources; this is an installation in $root"
  [[ ! $report ]] || check_report "$report"
  (($# > 0)) || fail 2 "run requires an application: $(applications)"
  [[ $installed ]] || check_preset "$job_preset"
  application=$1
  shift
  [[ $application == */* || $application == *.py ]] || need_no_options "$@"
  local target=$application # of the build
  program=$root/build/$job_preset/applications/$application
  [[ ! $installed ]] || program=$installed/applications/$application target=
  if [[ $application == *.py ]]; then
    [[ -r $application && ! -d $application ]] || fail 66 "cannot read the script $application"
    [[ ! $report ]] || fail 2 "--report requires an application; a script of Python makes no report"
    program=$(python_with_orujo) || exit
    target=''
    set -- "$application" "$@"
  elif [[ $application == */* ]]; then
    program=$application
    [[ $installed ]] || target=$(target_of "$program")
    [[ ! $target ]] || job_preset=${target%%/*} target=${target#*/}
    [[ $target ]] || need_program
  elif ! is_application "$application"; then
    # shellcheck disable=SC2046
    fail 2 "no application '$application'$(did_you_mean "$application" $(applications)); bin/orujo list shows all${installed:+, and bin/orujo install, of the sources, adds others}"
  fi

  local size ended
  size=$(size_of_surrounding_job)
  if [[ $size ]]; then
    [[ ! $report ]] || fail 2 "--report has no effect in a job that mpirun or srun started; pass --stats_json, and bin/orujo plot"
    join_surrounding_job "$size" "$dry_run" "$@"
    return
  fi

  arguments=("$@")
  [[ $locales ]] || choose_locales "$single"
  if [[ -z $dry_run ]]; then
    [[ -z $target || ${ORUJO_NO_BUILD:-} ]] || build_target "$target"
    need_program
  fi
  find_launcher
  if [[ -z $dry_run ]]; then
    sweep_dead_jobs
    make_job_directories
    [[ -z $host_names ]] || make_hostfile
  fi
  choose_command
  say "$choice"
  warn_of_crowds
  [[ ! $report || $dry_run ]] || ask_for_report
  add_program
  if [[ $dry_run ]]; then
    print_command
  else
    # Under mpirun the application's own stdout and stderr are pipes.
    [[ ! -t 2 ]] || export ORUJO_STDERR_IS_TERMINAL=1 COLUMNS=${COLUMNS:-$(stty size <&2 2>/dev/null | cut -d' ' -f2)}
    # In containers without /sys Open MPI's topology library would complain on every rank.
    export HWLOC_HIDE_ERRORS=${HWLOC_HIDE_ERRORS:-2}
    if [[ $report ]]; then
      run_with_retries "$retries" && ended=0 || ended=$?
      make_report "$ended" "$report"
    elif ((retries == 0)); then run_job; else run_with_retries "$retries"; fi
  fi
}

# need_no_options FLAG...: refuses options of `run` among the flags of the application.
need_no_options() {
  local option
  while (($# > 0)); do
    option=$1
    case $1 in
      -n | -np | -c | --hosts | --hostfile | --retries | --preset) (($# == 1)) || option+=" $2" ;;
      -n[0-9]* | -c[0-9]* | --hosts=* | --hostfile=* | --retries=* | --preset=* | --single | --dry-run) ;;
      *) shift; continue ;;
    esac
    fail 2 "${option%%[ =]*} belongs before $application: bin/orujo run $option $application"
  done
}

# Appends the program to the command, the number of its cores and its arguments.
add_program() {
  if [[ $application == *.py ]]; then
    command+=(env "ORUJO_CORES=$cores" "$program" "${arguments[@]}")
  else
    command+=("$program" "--cores=$cores" "${arguments[@]}")
  fi
}

# The path of a Python that has the package.
python_with_orujo() {
  local python
  for python in python3 "$root/env/bin/python"; do
    ! "$python" -c 'import orujo' 2>/dev/null || { command -v "$python"; return; }
  done
  fail 71 "neither python3 nor $root/env/bin/python can import orujo; install the package: python3 -m venv env &&" \
    "env/bin/pip install $root/applications/python"
}

# need_hosts LIST: accepts names as ssh takes them, without characters that awk, mpirun or bash's arithmetic would
# interpret.
need_hosts() {
  local host='[[:alnum:]_][[:alnum:]_.@-]*(:[1-9][0-9]{0,3})?'
  [[ $1 =~ ^$host(,$host)*$ ]] ||
    fail 2 "--hosts=$1: expected names, and the locales of each behind a colon, such as a:2,b:2"
  ! may_use_srun || fail 2 '--hosts has no effect in a Slurm allocation, which has its own hosts: remove it'
}

# lines_of_hosts LIST: the hosts of --hosts, a line each as in Open MPI's hostfiles.
lines_of_hosts() { tr , '\n' <<<"$1" | sed 's/:/ slots=/; /slots=/!s/$/ slots=1/'; }

# The hostfile of mpirun. Retries remove hosts from it.
make_hostfile() {
  hostfile=$job_directory/hosts
  lines_of_hosts "$host_names" >"$hostfile"
}

# choose_locales SINGLE: the default of -n. It is the sum of --hosts, or the -n of salloc or sbatch. On a machine with several
# NUMA nodes it is one for each, if all of its CPUs may be used, and not SINGLE.
choose_locales() {
  local single=$1 nodes
  nodes=$(numa_nodes)
  locales=1
  if [[ $host_names ]]; then
    locales=$(lines_of_hosts "$host_names" | awk -F= '{sum += $2} END {print sum}')
  elif [[ ! $single && ! $hostfile ]] && may_use_srun; then
    locales=$(number_in SLURM_NTASKS 1)
  elif [[ ! $single && ! $cores && ! $hostfile ]] && ((nodes > 1 && $(usable_cpus) == $(online_cpus))); then
    locales=$nodes
  fi
}

# Warns of threads that wait for a CPU, not for messages: a job of 100 on 2 CPUs works, but slowly.
warn_of_crowds() {
  ((per_host * cores < 50 * cpus)) ||
    say "warning: $((per_host * cores)) cores on $(counted "$cpus" CPU): for trials only, as timings mean nothing"
}

need_program() { [[ -f $program && -x $program ]] || fail 66 "'$program' is not an executable program"; }

# target_of PROGRAM: prints PRESET/TARGET if it lies in a build folder.
target_of() {
  local path builds
  path=$(realpath -m -- "$1") builds=$(realpath -m -- "$root/build")
  [[ $path == "$builds"/*/* ]] || return 0
  path=${path#"$builds"/}
  ! is_preset "${path%%/*}" || echo "$path"
}

# build_target TARGET: builds the application. If the build folder is not writable, the existing program is used.
build_target() {
  local target=$1
  if ! can_build "$job_preset"; then
    [[ -e $program ]] || fail 71 "$target is not built, and $(may_not_write "$job_preset"):" \
      "have bin/orujo build $job_preset $target run there, or use a checkout of your own"
    say "$(may_not_write "$job_preset"): runs the built program without checking for changes"
    return
  fi
  set_up_if_needed "$job_preset"
  configure_preset "$job_preset"
  # A path may lead to another program that lies there.
  [[ $application != */* ]] || is_target "$job_preset" "$target" || return 0
  build_preset "$job_preset" "$target"
}

# The number of processes if mpirun or srun started this launcher, otherwise nothing.
size_of_surrounding_job() {
  local step tasks=SLURM_NTASKS
  if [[ ${OMPI_COMM_WORLD_SIZE:-} ]]; then
    number_in OMPI_COMM_WORLD_SIZE
  elif [[ ${PMI_SIZE:-} ]]; then
    number_in PMI_SIZE
  elif [[ ${SLURM_PROCID:-} && ${SLURM_STEP_ID:-} ]]; then
    step=$(number_in SLURM_STEP_ID) || return
    [[ -z ${SLURM_STEP_NUM_TASKS:-} ]] || tasks=SLURM_STEP_NUM_TASKS
    # Larger ids are the shells of sbatch and salloc.
    ((step >= 4294967290)) || number_in $tasks 1
  fi
}

# join_surrounding_job SIZE DRY_RUN FLAG...: replaces the launcher by the application.
join_surrounding_job() {
  local size=$1 dry_run=$2
  shift 2
  [[ -z $locales ]] || ((locales == size)) || fail 2 "-n $locales inside a job of $size; remove -n, which the launcher decides"
  if [[ $application == *.py ]]; then
    [[ -z $cores ]] || export ORUJO_CORES=$cores
  else
    [[ -z $cores ]] || set -- "--cores=$cores" "$@"
  fi
  if [[ $dry_run ]]; then
    print_words "$program" "$@"
    return
  fi
  [[ -x $program ]] || fail 2 "$program is not built; run bin/orujo build $job_preset $application first"
  exec "$program" "$@"
}

print_command() { print_words "${settings[@]}" "${command[@]}"; }

# Prints the words as one line that a shell accepts.
print_words() {
  local argument line=''
  for argument; do
    [[ $argument =~ ^[[:alnum:]_./:=,@%+-]+$ ]] || argument=${argument@Q}
    line+=" $argument"
  done
  echo "${line# }"
}
