# shellcheck shell=bash disable=SC2154,SC2034 # what run_command, run_job and explain_end decide
# Jobs within an allocation of Slurm: srun starts them, and reports on stderr how its tasks ended.

choose_srun() {
  choice+="srun on $(counted "$hosts" node)"
  local way=pmix
  ! is_linked_with_mpich "${program:-}" || way=pmi2
  command=(srun -n "$locales" "--mpi=$way" --kill-on-bad-exit=1 --quit-on-interrupt)
  if ((per_host * cores <= cpus)); then
    command+=("--cpus-per-task=$cores")
  else
    choice+=", not bound: $((per_host * cores)) cores on $cpus CPUs of a node"
    command+=(--overcommit --cpu-bind=none)
  fi
}

# Copies the stderr of the job and srun to ours as it arrives, and srun's own lines to srun_said for heed_srun. Sets
# run_job's `listener`.
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
  if [[ $said =~ Error\ handler\ invoked:[^$'\n']*:([0-9]+)\] ]]; then
    culprit=${BASH_REMATCH[1]} how='Exited with exit code 0'
    [[ ! $said =~ task\ $culprit:\ ([^$'\n']*) ]] || how=${BASH_REMATCH[1]}
  elif [[ $said =~ tasks?\ ([0-9]+)[0-9,-]*:\ ([^$'\n']*) ]]; then
    culprit=${BASH_REMATCH[1]} how=${BASH_REMATCH[2]}
  fi
  if [[ $how =~ ^Exited\ with\ exit\ code\ ([0-9]{1,3})$ ]]; then
    manner='exit' status=${BASH_REMATCH[1]}
  elif [[ $how == @(Killed|Out Of Memory)* ]]; then
    manner=signal status=$killed
  elif [[ $how == Terminated* ]]; then
    manner=signal status=$((128 + $(kill -l TERM)))
  else
    culprit=''
  fi
}
