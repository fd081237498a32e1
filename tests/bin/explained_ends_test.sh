#!/usr/bin/env bash
# Tests in a project of fakes which status bin/orujo run ends with, and what it says of why a job ended.
# shellcheck disable=SC2016 # the fakes' scripts are quoted
set -eEuo pipefail
source "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/fakes.sh"

test_ends() {
  orujo run end begun 000 3
  check 'a program that leaves in the middle keeps its status' status_is 3
  check 'and is named' says '^orujo: FATAL: locale 0 .process [0-9]+ on here. ended with status 3 in the middle of the job'
  orujo run end begun 000 0
  check 'but has not succeeded' eval 'status_is 70 && says "^orujo: FATAL: locale 0 .* ended with status 0"'
  orujo run end ended 000 5
  check 'a status that is not that of the work is explained' eval 'status_is 5 && says "^orujo: FATAL: locale 0"'
  orujo run parent
  check 'what a program does with others is its own affair' eval 'status_is 0 && one_line_of_ours'
  # mpirun does not always name it.
  orujo run -n 2 end begun 000 3
  check 'one locale of two that leaves ends the job with its status' status_is 3
  check 'and is named' says '^orujo: FATAL: locale 0 .process [0-9]+ on here. ended with status 3 in the middle of the job'
  orujo run -n 2 end begun 000 KILL
  check 'so does one that is killed' eval 'status_is 137 && says "FATAL: signal KILL ended locale 0 .process [0-9]+ on here. from"'
  check 'not for lack of memory, as the system says' eval '! says memory'
  orujo run -n 2 end begun 000 TERM
  check 'or is asked to end' eval 'status_is 143 && says "FATAL: signal TERM ended locale 0 .process [0-9]+ on here. from"'
  test_lack_of_memory
  orujo run -n 2 end failed 071 71
  check 'what a locale has said is not said again' eval 'status_is 71 && one_line_of_ours'
}

# The counts of a system that has ended one more process at each look, and of one that does not tell.
test_lack_of_memory() {
  local counts=$work/vmstat
  echo 'oom_kill 4' >"$counts"
  sed -i "s|^system_counts=.*|system_counts=$counts|" "$work/bin/commands/ends.sh"
  orujo run starve "$counts"
  check 'where memory was short the system says so' eval 'status_is 137 && says "ended locale 0.*; the system was short of memory, and ended 1 process "'
  rm "$counts"
  orujo run -n 2 end begun 000 KILL
  check 'or it may have been' eval 'status_is 137 && says "; if nobody sent it, the system may have been short of memory"'
  cp "$source_root/bin/commands/ends.sh" "$work/bin/commands/ends.sh"
}

# An mpirun that misses the regular end of locale 1 and exits with status 1, whatever the locales report, and one that
# crashes.
test_deaf_mpirun() {
  cat >"$work/fakes/mpirun" <<'END'
#!/bin/bash
[[ $1 != --version ]] || { echo 'mpirun (Open MPI) 4.1.4'; exit 0; }
[[ ${EVENT_NOEPOLL:-} ]] || echo '[warn] Epoll MOD(1) on fd 30 failed: Bad file descriptor' >&2
for ((rank = 0; rank < 2; rank++)); do
  read -r -a words <<<"${LAST_WORDS:?}"
  [[ ${words[rank]} == none ]] || echo "${words[rank]/:/ } 4711" >"$ORUJO_LAST_WORDS/$rank"
done
case ${CRASH:-} in
  silent) kill -SEGV $$ ;;
  told) echo 'MPI_ABORT was invoked on rank 1 in communicator MPI_COMM_WORLD' >&"$OPAL_OUTPUT_STDERR_FD"; kill -SEGV $$ ;;
esac
cat >&"$OPAL_OUTPUT_STDERR_FD" <<'WORDS'
--------------------------------------------------------------------------
mpirun has exited due to process rank 1 with PID 0 on
node here exiting improperly. There are three reasons this could occur:

1. this process did not call "init" before exiting, but others in
the job did.
--------------------------------------------------------------------------
--------------------------------------------------------------------------
Something else that Open MPI has to say.
--------------------------------------------------------------------------
WORDS
exit 1
END
  chmod +x "$work/fakes/mpirun"
  local words
  with PATH="$work/fakes:$PATH" LAST_WORDS='ended:000 ended:000' -- run -n 2 show
  check 'a job whose locales have all ended well is well' status_is 0
  check 'though mpirun says otherwise, which is told' says '^orujo: mpirun did not notice in time that locale 1 was done'
  check 'and so is what else Open MPI says, but no more' \
    eval 'says "^Something else that Open MPI has to say" && ! says "exiting improperly|----"'
  check 'and nothing of how it waits' eval '! says Epoll'
  for words in 'ended:000 begun:000' 'begun:000 begun:000'; do
    with PATH="$work/fakes:$PATH" LAST_WORDS="$words" -- run -n 2 show
    check "one that left in the middle is a failure ($words)" \
      eval 'status_is 70 && says "^orujo: FATAL: locale 1 .process 4711. ended with status 0 in the middle"'
  done
  for words in 'begun:000 ended:000' 'ended:065 ended:065' 'none ended:000' 'none none'; do
    with PATH="$work/fakes:$PATH" LAST_WORDS="$words" -- run -n 2 show
    check "so is anything else but an end of all locales ($words)" \
      eval 'status_is 1 && says "^orujo: FATAL: locale 1( .process 4711.)? ended without MPI_Finalize"'
  done
  with PATH="$work/fakes:$PATH" LAST_WORDS='failed:074 ended:000' -- run -n 2 show
  check 'which a locale that has said why need not hear again' eval 'status_is 1 && ! says FATAL'
  for words in silent told; do
    with PATH="$work/fakes:$PATH" CRASH=$words LAST_WORDS='begun:000 failed:076' -- run -n 2 show
    check "where mpirun crashes over the end of a job, the job has the status that a locale has said ($words)" \
      eval 'status_is 76 && ! says "signal SEGV ended"'
  done
  with PATH="$work/fakes:$PATH" CRASH=silent LAST_WORDS='begun:000 begun:000' -- run -n 2 show
  check 'where none has, its own' status_is 139
  rm "$work/fakes/mpirun"
}

# A mpirun that waits for itself when all locales have ended, and holds a child that has.
test_hanging_mpirun() {
  cat >"$work/fakes/mpirun" <<'END'
#!/bin/bash
[[ $1 != --version ]] || { echo 'mpirun (Open MPI) 4.1.4'; exit 0; }
read -r -a words <<<"${LAST_WORDS:?}"
for rank in "${!words[@]}"; do echo "${words[rank]/:/ } 471$rank here" >"$ORUJO_LAST_WORDS/$rank"; done
echo 'a result'
[[ ! ${SAID:-} ]] || echo "$SAID" >&"$OPAL_OUTPUT_STDERR_FD"
sleep 0 &
exec sleep 300
END
  chmod +x "$work/fakes/mpirun"
  local told='says "^orujo: mpirun did not end though all locales had, and has been ended$"'
  with PATH="$work/fakes:$PATH" LAST_WORDS='ended:000 ended:000' -- run -n 2 show
  check 'a mpirun that does not end though all locales have is ended' eval "status_is 0 && $told && prints '^a result$' && ! says FATAL"
  with PATH="$work/fakes:$PATH" LAST_WORDS='ended:065 ended:000' -- run -n 2 show
  check "the job's status is what the locales say" eval "status_is 65 && $told && ! says FATAL"
  with PATH="$work/fakes:$PATH" LAST_WORDS='signal:015 failed:076' -- run -n 2 show
  check '... or have said as FATAL' eval "status_is 76 && $told && ! says FATAL"
  with PATH="$work/fakes:$PATH" LAST_WORDS='signal:015 begun:000' -- run -n 2 show
  check 'one that says nothing is named' \
    eval "status_is 137 && $told && says 'FATAL: locale 1 .process 4711 on here. ended without a message'"
  with PATH="$work/fakes:$PATH" LAST_WORDS='signal:015 begun:000' \
    SAID=$'mpirun noticed that process rank 1 with PID 0 on\nnode here exited on signal 11 (Segmentation fault).' -- run -n 2 show
  check '... with its signal, where mpirun tells it' eval "status_is 139 && $told && says 'signal SEGV ended locale 1 .process 4711 .*before it could report why, and the job with it; its memory may be damaged'"
  with PATH="$work/fakes:$PATH" LAST_WORDS='signal:015 ended:000' -- run -n 2 show
  check '... or it does' eval "status_is 143 && $told && says 'signal TERM ended locale 0 .process 4710'"
  check 'nothing is left' leaves_nothing
  rm "$work/fakes/mpirun"
}

# Jobs that mpirun does not start, or in which MPI does not begin: the user's own choices are named, where there are any.
test_beginnings() {
  local flags
  with ORUJO_MPIRUN_FLAGS=--bogus -- run -n 2 show
  check 'an option that mpirun does not have is refused' eval 'status_is 2 && one_line_of_ours && says "ORUJO_MPIRUN_FLAGS: .*--bogus"'
  for flags in '--map-by nonsense' '-x $(touch pw)'; do
    with ORUJO_MPIRUN_FLAGS="$flags" -- run -n 2 show
    check "one that it does not start with is named ($flags)" \
      eval 'status_is 2 && says "^orujo: FATAL: mpirun could not start the job .*: check ORUJO_MPIRUN_FLAGS, set in"'
  done
  cat >"$work/fakes/mpirun" <<'END'
#!/bin/bash
[[ $1 != --version ]] || { echo 'mpirun (Open MPI) 4.1.4'; exit 0; }
echo 'begun  000 4711 here' >"$ORUJO_LAST_WORDS/0"
echo 'signal 015 4712 here' >"$ORUJO_LAST_WORDS/1"
[[ $SAID == none ]] || echo "*** $SAID" >&"$OPAL_OUTPUT_STDERR_FD"
exit 1
END
  chmod +x "$work/fakes/mpirun"
  with PATH="$work/fakes:$PATH" SAID='An error occurred in MPI_Init_thread' OMPI_MCA_btl=nope -- run -n 2 show
  check 'so is a parameter with which MPI does not begin' eval 'status_is 2 && says "^orujo: FATAL: .*: check OMPI_MCA_btl, set in"'
  with PATH="$work/fakes:$PATH" SAID='An error occurred in MPI_Init_thread' -- run -n 2 show
  check 'where nothing is chosen the machine may lack something' \
    eval 'status_is 71 && says "An error occurred" && says "^orujo: FATAL: mpirun could not start the job .*doctor"'
  with PATH="$work/fakes:$PATH" SAID=none OMPI_MCA_btl=self -- run -n 2 show
  check 'but a job that has begun may have been ended' eval 'status_is 1 && says "another process may have ended it"'
  rm "$work/fakes/mpirun"
}

# Slurm ends the other tasks of a job that has failed, and may say that instead.
test_srun() {
  fake_srun
  local under_slurm=(PATH="$work/fakes:$PATH" SLURM_JOB_ID=7)
  with "${under_slurm[@]}" -- run -n 2 -c 1 end failed 066 66
  check 'under srun the status is that of the locale that failed' eval 'status_is 66 && ! says FATAL'
  with "${under_slurm[@]}" -- run -n 2 -c 1 end ended 065 65
  check 'or that its program returned' eval 'status_is 65 && ! says FATAL'
  with "${under_slurm[@]}" -- run -n 2 -c 1 end begun 000 1
  check 'else that of srun, and who said nothing is named' \
    eval 'status_is 143 && says "FATAL: locale 0 .process [0-9]+ on here. ended without a message" && ! says memory'
  with "${under_slurm[@]}" -- run -n 2 -c 1 end signal 015 TERM
  check 'one that was asked to end is' eval 'status_is 143 && says "FATAL: signal TERM ended locale 0 .process [0-9]+ on here. from outside" && ! says memory'
  test_words_of_srun
  rm "$work/fakes/srun"
}

# Real ones, which srun 22.05 has said; the first task that it names is the one that ended the job. Uses under_slurm.
test_words_of_srun() {
  local others=$'\nsrun: error: here: task 1: Terminated\nsrun: Force Terminated StepId=7.0'
  with "${under_slurm[@]}" SRUN_SAYS="srun: error: here: task 0: Killed$others" -- run -n 2 -c 1 end begun 000 1
  check 'what srun says of a task that was killed is the status' \
    eval 'status_is 137 && says "FATAL: signal KILL ended locale 0 .process [0-9]+ on here. from outside.*; if nobody sent it"'
  check 'and is shown' says '^srun: error: here: task 0: Killed$'
  with "${under_slurm[@]}" SLURM_JOB_NUM_NODES=2 SRUN_SAYS="srun: error: node[1-2]: tasks 0,2: Out Of Memory" -- run -n 2 -c 1 end begun 000 1
  check 'where Slurm says that memory was short, so does the line' eval 'status_is 137 && says "ended locale 0 .*exceeded the memory .*--mem"'
  with "${under_slurm[@]}" SRUN_SAYS='srun: error: Unable to create step for job 7: More processors requested than permitted' -- run -n 2 -c 1 leave 1
  check 'a step that Slurm refuses is a job that could not start' eval 'status_is 71 && says "^orujo: FATAL: srun could not start the job .its status is 143."'
  with "${under_slurm[@]}" SRUN_SAYS=$'srun: error: task 1 launch failed: Unspecified error\nsrun: error: here: task 0: Killed' -- run -n 2 -c 1 end begun 000 1
  check '... and so is one without some of its tasks' eval 'status_is 71 && says "could not start" && ! says "signal KILL"'
  with "${under_slurm[@]}" SRUN_SAYS="srun: error: here: task 0: Exited with exit code 3$others" -- run -n 2 -c 1 end begun 000 1
  check 'one that called exit() has its status' eval 'status_is 3 && says "FATAL: locale 0 .* ended with status 3 in the middle"'
  with "${under_slurm[@]}" SRUN_SAYS=$'slurmstepd-here: error:  mpi/pmix_v4: _errhandler: here [0]: pmixp_client_v2.c:211: Error handler invoked: status = -61, source = [slurm.pmix.4.4:0]\nsrun: error: here: task 1: Killed' \
    -- run -n 2 -c 1 end begun 000 1
  check 'exit(0) is no success' eval 'status_is 70 && says "FATAL: locale 0 .* ended with status 0 in the middle"'
  with "${under_slurm[@]}" SRUN_SAYS="srun: error: here: task 1: Killed" -- run -n 2 -c 1 end failed 066 66
  check 'what a locale says of itself comes first' eval 'status_is 66 && ! says FATAL'
  with "${under_slurm[@]}" SRUN_SAYS="srun: error: here: task 0: Exited with exit code PATH[\$(>$work/ran)]" -- run -n 2 -c 1 end begun 000 1
  check 'and what is not a number is none' eval 'status_is 143 && [[ ! -e $work/ran ]]'
}

status=0
make_project
test_ends
test_srun
test_deaf_mpirun
test_hanging_mpirun
test_beginnings
end_of_cases
