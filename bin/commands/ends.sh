# shellcheck shell=bash disable=SC2154 # globals of the job
# Explains why a job ended: from its status, from mpirun's output, and from the last words of its locales
# (system/base/last_word.hpp). Prints the reasons that no locale has printed.

usage=2
broken_invariant=70
no_resource=71
peer_lost=76
killed=137  # 128 + SIGKILL, which the system sends if memory is short
system_counts=/proc/vmstat
mpirun_lost_a_node=205 # 256 + OPAL_ERR_COMM_FAILURE
nothing_started=(126 127 255) # on a host: the shell's and ssh's statuses

# By locale: its last word (begun, ended, failed or signal), its status or signal number, and its process and host.
declare -gA word=() code=() who=()
# The locale that the launcher blames for the end, and the manner: signal, exit, abort, or silence if mpirun got no report
# of its regular end.
culprit='' manner=''
ended_by_the_system=0 # number of processes before the job

# Sets job_status if the launcher's is not the job's.
explain_end() {
  word=() code=() who=() culprit='' manner=''
  read_last_words
  case $launcher in
    none)
      culprit=0 manner='exit'
      ((job_status <= 128 || job_status > 192)) || manner=signal
      ;;
    mpirun)
      ((job_status == 0)) || find_culprit
      [[ ! -e $job_directory/hung ]] || manner=hang
      # mpirun itself may crash at the end of a job.
      [[ $manner == @(signal|hang) ]] || ((job_status <= 128 || job_status > 192)) || heed_last_words
      no_host_has_begun || show_other_words
      ;;
    mpiexec)
      if [[ -e $job_directory/hung ]]; then
        manner=hang
      elif ((job_status != 0)); then
        heed_hydra
      fi
      ;;
    srun) ((job_status == 0)) || heed_srun ;;
  esac
  "explain_${manner:-status}"
}

read_last_words() {
  local file locale line
  for file in "$words_directory"/*; do
    locale=${file##*/} line=
    [[ $locale =~ ^(0|[1-9][0-9]{0,5})$ ]] || continue
    { read -r line <"$file"; } 2>/dev/null || continue
    [[ $line =~ ^(begun|ended|failed|signal)\ +([0-9]{3})\ ([0-9]+)(\ ([[:alnum:]._-]+))?$ ]] || continue
    # Without mpirun the line may come from a program which the job's program ran.
    [[ $launcher != none || ${BASH_REMATCH[3]} == "$job" ]] || continue
    word[$locale]=${BASH_REMATCH[1]} code[$locale]=$((10#${BASH_REMATCH[2]}))
    who[$locale]=" (process ${BASH_REMATCH[3]}${BASH_REMATCH[5]:+ on ${BASH_REMATCH[5]}})"
  done
}

# name LOCALE: "locale 2 (process 4711 on node7)", as far as it is known
name() { echo "locale $1${who[$1]:-}"; }

# Prefers a locale's own last word, because srun may report how it ended the other tasks of a failed job.
heed_last_words() {
  local locale
  for locale in "${!word[@]}"; do
    [[ ${word[$locale]} != failed ]] || { job_status=${code[$locale]}; return; }
  done
  for locale in "${!word[@]}"; do
    [[ ${word[$locale]} != ended ]] || ((code[$locale] == 0)) || job_status=${code[$locale]}
  done
}

# mpirun usually names the culprit in one of these ways.
find_culprit() {
  local said process='process rank ([0-9]+) with PID [0-9]+ on[[:space:]]node [^ ]+'
  local exited='Process name: \[\[[0-9]+,[0-9]+\],([0-9]+)\][[:space:]]+Exit code:'
  said=$(<"$job_directory/mpirun_said")
  if ((job_status > 128 && job_status < 193)) && [[ $said =~ $process\ exited\ on\ signal ]]; then
    manner=signal
  elif [[ $said =~ $process\ exiting\ improperly ]]; then
    manner=silence
  elif [[ $said =~ $exited ]]; then
    manner='exit'
  elif [[ $said =~ MPI_ABORT\ was\ invoked\ on\ rank\ ([0-9]+) ]]; then
    manner=abort
  fi
  culprit=${BASH_REMATCH[1]:-}
}

# Prints Open MPI's warnings and errors, without those that explain_end rewords. In a job on several nodes it rewords
# none.
show_other_words() {
  cat "$job_directory/nodes_said" >&2
  awk '/^----------+$/ {
         if (inside && text !~ /^(Primary job |mpirun (detected that one|has exited due|noticed that)|MPI_ABORT was invoked)/)
           printf "%s", text
         inside = !inside
         text = ""
         next
       }
       inside {text = text $0 "\n"; next}
       !/ more process(es have| has) sent help message|orte_base_help_aggregate/' "$job_directory/mpirun_said" >&2
}

explain_signal() {
  if [[ ${word[$culprit]:-} == failed ]]; then
    job_status=${code[$culprit]}  # it has printed why, but could not end the job
  else
    say_signal "$(name "$culprit")"
  fi
}

# A program ended by a fault of its own prints that itself (status 73), unless its memory is too damaged.
say_signal() {
  local signal hint='' how='from outside'
  signal=$(kill -l $((job_status - 128)))
  if [[ $signal =~ ^(SEGV|BUS|ILL|FPE|ABRT)$ ]]; then
    how='before it could report why'
    hint='; its memory may be damaged: build without -DNDEBUG, or with -fsanitize=address, to see where'
  fi
  say "FATAL: signal $signal ended $1 $how, and the job with it${hint:-$(memory_hint)}"
}

# Number of processes that this system has ended for lack of memory; nothing if it does not count them.
processes_ended_by_the_system() { awk '$1 == "oom_kill" {print $2}' "$system_counts" 2>/dev/null || true; }
memory_hint() {
  local ended
  ((job_status == killed)) || return 0
  ended=$(processes_ended_by_the_system)
  if [[ $launcher == srun ]] && srun_ended_it_for_memory; then
    echo "; it exceeded the memory that Slurm allows the job: pass a larger --mem to salloc or sbatch"
  elif [[ $launcher == srun || $several_nodes || $hosts != 1 || ! $ended || ! $ended_by_the_system ]]; then
    echo '; if nobody sent it, the system may have been short of memory (see dmesg)'
  elif ((ended > ended_by_the_system)); then
    echo "; the system was short of memory, and ended $(counted $((ended - ended_by_the_system)) process) (see dmesg)"
  fi
}

# Sets `culprit` to the locale that ended first, or to nothing if that is not known. The launcher sends SIGTERM to the
# others, which leave that as their last word.
find_first_to_end() {
  local locale silent=() first=''
  for locale in "${!word[@]}"; do
    if [[ ${word[$locale]} == begun ]]; then
      silent+=("$locale")
    elif [[ ${word[$locale]} == signal ]] && ((code[$locale] == job_status - 128)); then
      [[ $first && ! $words_directory/$locale -ot $words_directory/$first ]] || first=$locale
    fi
  done
  case ${#silent[@]} in
    0) culprit=$first ;;
    1) culprit=${silent[0]} ;;
    *) culprit='' ;;
  esac
}

# For a status which shows that a signal has ended something.
explain_unknown_signal() {
  find_first_to_end
  if [[ ! $culprit ]]; then
    say_signal "$launcher or a locale"
  elif [[ ${word[$culprit]} == begun ]] && ((job_status == 128 + $(kill -l TERM))); then
    say "FATAL: $(name "$culprit") ended without a message, and the job with it"
  else
    say_signal "$(name "$culprit")"
  fi
}

# For locales that had all ended while the idle launcher was killed (leftovers.sh). The status is the locales' own.
explain_hang() {
  local locale well=0 wordless='' said
  said=$(<"$job_directory/mpirun_said")
  say "$launcher did not end though all locales had, and has been ended"
  job_status=0
  heed_last_words
  ((job_status == 0)) || return 0
  for locale in "${!word[@]}"; do
    case ${word[$locale]} in
      ended) well=$((well + 1)) ;;
      begun) wordless=1 ;;
      signal) job_status=$((128 + code[$locale])) ;;
    esac
  done
  ((well < locales)) || return 0
  if [[ $culprit && $said =~ exited\ on\ signal\ ([0-9]+) ]]; then
    job_status=$((128 + BASH_REMATCH[1]))
    explain_signal
  elif [[ $wordless || $job_status == 0 ]]; then
    find_first_to_end
    job_status=$killed
    say "FATAL: $(if [[ $culprit ]]; then name "$culprit"; else echo 'a locale'; fi) ended without a message, and the job with it"
  else
    explain_unknown_signal
  fi
}

explain_exit() {
  case ${word[$culprit]:-} in
    begun) say_left "$(name "$culprit")" ;;
    ended)
      ((code[$culprit] == job_status)) ||
        say "FATAL: $(name "$culprit") ended with status $job_status, though it had done its work with status ${code[$culprit]}"
      ;;
  esac
}

# say_left WHO: the locale left without the regular end of a program, which is never success.
say_left() {
  say "FATAL: $1 ended with status $job_status in the middle of the job, and the job with it; something in it called exit()"
  ((job_status != 0)) || job_status=$broken_invariant
}

# For a locale with status 0 that did not reach MPI_Finalize, as far as mpirun knows. A slow mpirun may have missed
# the report.
explain_silence() {
  local locale
  if [[ ${word[$culprit]:-} == begun ]]; then
    job_status=0
    say_left "$(name "$culprit")"
    return
  fi
  for ((locale = 0; locale < locales; locale++)); do
    [[ ${word[$locale]:-} != failed ]] || return 0
    if [[ ${word[$locale]:-} != ended || ${code[$locale]} != 0 ]]; then
      say "FATAL: $(name "$culprit") ended without MPI_Finalize, and the job with it"
      return
    fi
  done
  say "mpirun did not notice in time that locale $culprit was done, and reports status $job_status; all locales have ended well"
  job_status=0
}

explain_abort() {
  [[ ${word[$culprit]:-} == failed ]] || say "FATAL: $(name "$culprit") ended the job by MPI_Abort, with status $job_status"
}

# For a job that no known locale has ended.
explain_status() {
  local locale
  ((job_status != 0)) || return 0
  for locale in "${!word[@]}"; do
    [[ ${word[$locale]} == begun || ${word[$locale]} == signal ]] || ((code[$locale] != job_status)) || return 0
  done
  if [[ $launcher == mpirun ]] && ((job_status == mpirun_lost_a_node)); then
    say "FATAL: a node or the network to it was lost, and the job with it; Open MPI names it above"
    job_status=$peer_lost
  elif no_host_has_begun; then
    explain_hosts
  elif job_has_not_begun; then
    explain_beginning
  elif ((job_status > 128 && job_status < 193)); then
    explain_unknown_signal
  elif [[ $launcher == srun ]]; then
    find_first_to_end
    [[ ! $culprit ]] || say_left "$(name "$culprit")"
  elif [[ $launcher == mpiexec ]]; then
    say_left 'a locale'
  elif [[ $several_nodes ]]; then
    return
  elif [[ $(<"$job_directory/mpirun_said") != *'non-zero exit code'* ]]; then
    say "FATAL: mpirun ended with status $job_status and named no locale; another process may have ended it"
  elif ((${#word[@]} > 0)); then
    find_first_to_end
    say_left "$(if [[ $culprit ]]; then name "$culprit"; else echo 'a locale'; fi)"
  fi
}

no_host_has_begun() {
  [[ $launcher == mpirun && $several_nodes ]] && ((${#word[@]} == 0)) && [[ " ${nothing_started[*]} " == *" $job_status "* ]]
}

# mpirun starts its part on other hosts by ssh, and ends when that ends. One line replaces its pages about possible
# causes, if a host does not answer.
explain_hosts() {
  local silent=() k
  if [[ $hostfile ]]; then
    ask_hosts
    for k in "${!host_lines[@]}"; do
      [[ ${host_answers[k]} == alive ]] || silent+=("${host_lines[k]%% *}")
    done
    ((${#silent[@]} > 0)) || { show_other_words; return 0; }
    k=$(IFS=,; echo "${silent[*]}")
    say "FATAL: mpirun cannot start anything on $k: bin/orujo doctor --hosts=$k says why"
  else
    show_other_words
    say "FATAL: mpirun ended with status $job_status, as where it cannot start anything on one of $several_nodes:" \
      "bin/orujo doctor --hosts=A,B says why"
  fi
  job_status=$no_resource
}

# Returns whether mpirun's output is about a job that it did not start, or about locales in which MPI did not begin.
job_has_not_begun() {
  local locale begun='' said
  [[ $launcher == mpirun && ! $several_nodes ]] || return
  said=$(<"$job_directory/mpirun_said")
  if ((${#word[@]} == 0)); then
    [[ $said && $said != *'non-zero exit code'* ]] || return
    # mpirun also reports its own errors in starting programs by statuses above 128.
    ((job_status <= 128)) || [[ $said =~ mpirun\ was\ unable\ to\ (find|launch) ]]
    return
  fi
  for locale in "${!word[@]}"; do
    case ${word[$locale]} in
      begun) begun=1 ;;
      signal) ;;
      *) return 1 ;;
    esac
  done
  [[ $begun && $said =~ MPI_INIT|MPI_Init|ORTE_ERROR_LOG ]] && ((job_status <= 128))
}

explain_beginning() {
  local chosen=("${!OMPI_MCA_@}")
  [[ ! ${ORUJO_MPIRUN_FLAGS:-} ]] || chosen+=(ORUJO_MPIRUN_FLAGS)
  if ((${#chosen[@]} > 0)); then
    say "FATAL: mpirun could not start the job (its status is $job_status): check ${chosen[*]}, set in the environment"
    job_status=$usage
  else
    say "FATAL: mpirun could not start the job (its status is $job_status): bin/orujo doctor examines this machine"
    job_status=$no_resource
  fi
}
