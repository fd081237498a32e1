# shellcheck shell=bash disable=SC2154,SC2034 # globals of the job
# Jobs within an allocation of Slurm: srun starts them, and reports on stderr how its tasks ended.

# salloc runs its command where it was called, which is no node of the job; sbatch runs its script on a node.
may_use_srun() { [[ ${SLURM_JOB_ID:-} ]] && command -v srun >/dev/null; }
is_outside_of_its_nodes() { [[ ! ${SLURMD_NODENAME:-} ]] && may_use_srun; }

allocated=() # the CPUs of each node of Slurm's job

# Sets `allocated`, and `cpus` to those of the smallest node. Slurm writes 16 16 8 as "16(x2),8".
read_allocation() {
  local list=${SLURM_JOB_CPUS_PER_NODE:-"$cpus(x$hosts)"} part repeated
  allocated=()
  [[ $list =~ ^[1-9][0-9]{0,5}(\(x[1-9][0-9]{0,5}\))?(,[1-9][0-9]{0,5}(\(x[1-9][0-9]{0,5}\))?)*$ ]] ||
    fail 2 "SLURM_JOB_CPUS_PER_NODE in the environment is no list of numbers: '$list'"
  cpus=${list%%[(,]*}
  for part in ${list//,/ }; do
    repeated=1
    [[ $part != *x* ]] || { repeated=${part#*x}; repeated=${repeated%)}; }
    part=${part%(*}
    ((part >= cpus)) || cpus=$part
    while ((repeated-- > 0)); do allocated+=("$part"); done
  done
}

# has_room CORES: returns whether the nodes have CPUs for all locales of this size, and each node for one.
has_room() {
  local node room=0
  (($1 <= cpus)) || return
  for node in "${allocated[@]}"; do room=$((room + node / $1)); done
  ((room >= locales))
}

# Sets `cpus`, and `cores` to the most for which there is room, unless -c was given.
share_out_allocation() {
  read_allocation
  [[ ! $cores ]] || return 0
  for ((cores = cpus; cores > 1; cores--)); do
    ! has_room "$cores" || break
  done
}

choose_srun() {
  choice+="srun on $(counted "$hosts" node)"
  local way=pmix
  ! is_linked_with_mpich "$program" || way=pmi2
  command=(srun -n "$locales" "--mpi=$way" --kill-on-bad-exit=1 --quit-on-interrupt)
  if has_room "$cores"; then
    command+=("--cpus-per-task=$cores")
  else
    choice+=", not bound: $((per_host * cores)) cores on $cpus CPUs of a node"
    command+=(--overcommit --cpu-bind=none)
  fi
}

# Copies the stderr of the job and srun to ours as it arrives, and srun's own lines to srun_said for heed_srun. Sets
# `listener`.
listen_to_srun() {
  # shellcheck disable=SC2016
  setsid bash -c '
    exec {own}> >(exec grep -aE "^(srun|slurmstepd-[^ ]*): error: " >"$1/srun_said")
    tee -p "/dev/fd/$own" >&2
    exec {own}>&-
    wait "$!"' listener "$job_directory" <&"$heard" >/dev/null {output}>&- {relayed}<&- {errors}>&- {heard}<&- &
  listener=$!
}

# Finds how a failed job ended. srun also reports the statuses of tasks that it ended itself, so a locale's own last
# word has priority. Otherwise the first task that srun names is the one that ended the job.
#   srun: error: node7: task 1: Killed
#   srun: error: node[7-8]: tasks 2-3: Exited with exit code 3
# Slurm's PMIx ends the job of a task that leaves with status 0, and names it before srun names the others.
#   slurmstepd-node7: error:  mpi/pmix_v4: _errhandler: ...: Error handler invoked: status = -61, source = [slurm.pmix.2.4:1]
heed_srun() {
  local said locale how=''
  heed_last_words
  for locale in "${!word[@]}"; do
    [[ ${word[$locale]} != failed && (${word[$locale]} != ended || ${code[$locale]} == 0) ]] || return 0
  done
  said=$(<"$job_directory/srun_said")
  if srun_began_nothing "$said"; then
    manner=no_step
    return
  fi
  if [[ $said =~ Error\ handler\ invoked:[^$'\n']*:([0-9]+)\] ]]; then
    culprit=${BASH_REMATCH[1]} how='Exited with exit code 0'
    [[ ! $said =~ task\ $culprit:\ ([^$'\n']*) ]] || how=${BASH_REMATCH[1]}
  elif [[ $said =~ tasks?\ ([0-9]+)[0-9,-]*:\ ([^$'\n']*) ]]; then
    culprit=${BASH_REMATCH[1]} how=${BASH_REMATCH[2]}
  fi
  if [[ $how =~ ^Exited\ with\ exit\ code\ ([0-9]{1,3})$ ]]; then
    manner='exit' job_status=${BASH_REMATCH[1]}
  elif [[ $how == @(Killed|Out Of Memory)* ]]; then
    manner=signal job_status=$killed
  elif [[ $how == Terminated* ]]; then
    manner=signal job_status=$((128 + $(kill -l TERM)))
  else
    culprit=''
  fi
}

# srun_began_nothing SAID: returns whether no task ran, or some could not be started.
#   srun: error: Unable to create step for job 7: More processors requested than permitted
#   srun: error: task 2 launch failed: Unspecified error
srun_began_nothing() {
  local said=$1
  [[ $said =~ task\ [0-9]+\ launch\ failed ]] || { ((${#word[@]} == 0)) && [[ $said == *srun:\ error:* && ! $said =~ tasks?\ [0-9,-]+:\  ]]; }
}

explain_no_step() {
  say "FATAL: srun could not start the job (its status is $job_status), and says why above;" \
    "the same command with --dry-run prints how srun is called"
  job_status=$no_resource
}

# Returns whether Slurm ended the job for its memory, as its accounting or its control groups say it.
#   slurmstepd-node7: error: StepId=7.0 exceeded memory limit (223420416 > 104857600), being killed
#   srun: error: node7: task 1: Out Of Memory
srun_ended_it_for_memory() { grep -qiE 'exceeded .*memory limit|out of memory|oom-kill event' "$job_directory/srun_said"; }
