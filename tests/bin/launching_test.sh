#!/usr/bin/env bash
# Tests bin/orujo in a project of fakes: lists of hosts, NUMA nodes, MPICH, and without the sources.
# shellcheck disable=SC2016 # the fakes' scripts are quoted
set -eEuo pipefail
source "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/fakes.sh"

test_another_mpi() {
  printf '#!/bin/sh\necho "HYDRA build details:"\n' >"$work/fakes/mpirun"
  printf '#!/bin/sh\necho "mpirun.openmpi (OpenRTE) 4.1.4"\n' >"$work/fakes/mpirun.openmpi"
  chmod +x "$work"/fakes/mpirun*
  with PATH="$work/fakes:$PATH" -- run --dry-run -n 2 show
  check "where mpirun is another MPI's, mpirun.openmpi starts the job" prints '^mpirun.openmpi -n 2 '
  cp "$work/fakes/mpirun" "$work/fakes/mpirun.openmpi"
  with PATH="$work/fakes:$PATH" -- run -n 2 show
  check 'or a line says so' eval "status_is 71 && one_line_of_ours && says 'not that of Open MPI, .* and prints: HYDRA'"
  rm "$work"/fakes/mpirun*
}

test_scripts_of_python() {
  printf '#!/bin/sh\n[ "$1" = -c ] || echo "rank ${OMPI_COMM_WORLD_RANK:-none} of ${OMPI_COMM_WORLD_SIZE:-none}, $ORUJO_CORES cores: $*"\n' \
    >"$work/fakes/python3"
  chmod +x "$work/fakes/python3"
  echo >"$work/ranks.py"
  with PATH="$work/fakes:$PATH" -- run -n 2 -c 3 "$work/ranks.py" --top 5
  check 'a script runs in Python on every locale' \
    prints_lines "$(printf "rank %s of 2, 3 cores: $work/ranks.py --top 5\n" 0 1)"
  with PATH="$work/fakes:$PATH" -- run --single -c 1 "$work/ranks.py"
  check '... or on one, without a launcher' prints "^rank none of none, 1 cores: $work/ranks.py\$"
  with PATH="$work/fakes:$PATH" OMPI_COMM_WORLD_SIZE=4 OMPI_COMM_WORLD_RANK=2 -- run -c 1 "$work/ranks.py"
  check '... and within a job as a part of it' prints "^rank 2 of 4, 1 cores: $work/ranks.py\$"
  with PATH="$work/fakes:$PATH" -- run "$work/none.py"
  check 'a script that is not there is no input' eval 'status_is 66 && one_line_of_ours'
  printf '#!/bin/sh\nexit 1\n' >"$work/fakes/python3"
  with PATH="$work/fakes:$PATH" -- run "$work/ranks.py"
  check 'without the package a line says how to install it' \
    eval "status_is 71 && one_line_of_ours && says 'can import orujo; install the package: .*pip install $work/applications/python'"
  rm "$work/fakes/python3"
}

test_hosts() {
  orujo run --dry-run --hosts=a:2,b:3 -c 1 show
  check 'hosts say how many locales they get' prints '^TMPDIR=.* mpirun -n 5 .*--host a:2,b:3 .*--cores=1$'
  check 'which is told' says '^orujo: 5 locales x 1 core, mpirun .* on 2 hosts, a:2,b:3, '
  orujo run --dry-run -n 2 --hosts=a,b show
  check 'one each, if they do not say' prints 'mpirun -n 2 .*--host a,b '
  for value in a:0 a,,b 'a b' :2; do
    orujo run --dry-run "--hosts=$value" show
    check "hosts '$value' are a usage error" eval 'status_is 2 && one_line_of_ours && says "such as a:2,b:2$"'
  done
  orujo run --dry-run --hosts=a --hostfile=/dev/null show
  check 'so are a list and a file of hosts' status_is 2
  orujo run --hosts=localhost:2 -c 1 show
  check 'a list becomes a file for mpirun' prints_lines "$(printf 'rank %s of 2: --cores=1\n' 0 1)"
  check 'which is removed' leaves_nothing
  orujo run --hosts=localhost:1,no-such-host.invalid:1 -c 1 show
  check 'a host that cannot be reached is named' \
    eval 'status_is 71 && says "^orujo: FATAL: mpirun cannot start anything on no-such-host.invalid: bin/orujo doctor --hosts=no-such-host.invalid "'
  check "... in place of Open MPI's page about possible causes" eval '! says "ORTE|daemons|----" && (($(grep -c "^orujo: " "$work/err") == 2))'
  printf '#!/bin/sh\nexit 127\n' >"$work/fakes/agent"
  chmod +x "$work/fakes/agent"
  with OMPI_MCA_plm_rsh_agent="$work/fakes/agent" -- run --hosts=a,b -c 1 show
  check 'so are those where there is no Open MPI' eval 'status_is 71 && says "^orujo: FATAL: mpirun cannot start anything on a,b: bin/orujo doctor --hosts=a,b " && ! says ORTE'
  with ORUJO_MPIRUN_FLAGS='--host no-such-host.invalid:2' -- run -n 2 -c 1 show
  check 'or where to look for it' eval 'status_is 71 && says "^orujo: FATAL: mpirun .*one of the hosts of ORUJO_MPIRUN_FLAGS: bin/orujo doctor --hosts="'
  check '... behind what Open MPI says' says ORTE
  check 'which leaves nothing' leaves_nothing
  orujo doctor --hosts=localhost
  check 'doctor asks the hosts' prints '^ok +localhost: [0-9]+ CPUs?, the same Orujo$'
  orujo doctor --hosts=localhost,no-such-host.invalid
  check 'and says which does not answer' eval 'status_is 1 && prints "^problem +no-such-host.invalid: mpirun cannot start anything there"'
  check 'or cannot be reached' prints '^problem +localhost: cannot reach no-such-host.invalid'
  printf 'a slots=2\n' >"$work/hosts=1"
  (cd "$work" && timeout 20 bin/orujo run --dry-run -n 2 --hostfile 'hosts=1' show) >"$work/out" 2>"$work/err" </dev/null
  check 'a file of hosts may have any name' says ' on the 1 host of hosts=1, '
  orujo run --dry-run -n 2 --hostfile "$work" show
  check 'but must be a file' status_is 66
  printf '#!/bin/bash\n[[ $1 == --version ]] && echo "mpirun (Open MPI) 4.1.4" || printf "%%s\\n" Welcome "here PATH[\$(touch %q)] yes" "here 3 yes" "b 100"\n' \
    "$work/ran" >"$work/fakes/mpirun"
  chmod +x "$work/fakes/mpirun"
  with PATH="$work/fakes:$PATH" -- doctor --hosts=a,b
  check 'what a host says before doctor asks is no answer' eval 'prints "^ok +a: 3 CPUs, the same Orujo$" && [[ ! -e $work/ran ]]'
  rm "$work/fakes/mpirun" "$work/hosts=1"
  orujo run --dry-run -n 2 -c $((25 * $(nproc))) show
  check '50 cores per CPU are warned of' says '^orujo: warning: [0-9]+ cores on '
  orujo run --dry-run -n 2 -c $((20 * $(nproc))) show
  check 'some are not' one_line_of_ours
}

test_numa() {
  mkdir -p "$work/nodes/"node{0,1}
  echo 0 | tee "$work/nodes/node0/cpulist" >"$work/nodes/node1/cpulist"
  sed -i.before "s#/sys/devices/system/node#$work/nodes#" "$work/bin/commands/machine.sh"
  if (($(nproc) == $(env -u OMP_NUM_THREADS nproc --all) && $(nproc) > 1)); then
    orujo run --dry-run show
    check 'each NUMA node gets a locale' prints '^mpirun -n 2 .*--map-by numa --bind-to numa '
  fi
  orujo run --dry-run --single show
  check 'unless one is wanted' prints '^OMPI_MCA_.*/show --cores='
  check 'or the cores are given' eval 'orujo run --dry-run -c 1 show; prints "^OMPI_MCA_.*/show --cores=1$"'
  mv "$work/bin/commands/machine.sh.before" "$work/bin/commands/machine.sh"
}

# Daemons of a job's locales, which mpirun would wait for. A quiet one lives on.
test_daemons() {
  fresh_pids
  orujo run -n 2 -c 1 daemon "$work/pids"
  check 'daemons that hold the output do not hold the job up' status_is 0
  check 'but are ended, which is told' says '^orujo: ends process [0-9]+ .bash., which a locale left with its output'
  check 'and nothing is left' leaves_nothing
  fresh_pids
  orujo run -n 2 -c 1 daemon "$work/pids" quiet
  check 'one that does not hold it lives on' eval 'status_is 0 && ! says "left behind" && await has_pids 2 && ! no_process_left'
  end_fakes
}

# As timeout does, and a terminal.
test_signal_to_the_group() {
  local launcher
  fresh_pids
  setsid env --default-signal=INT,QUIT "$work/bin/orujo" run -n 2 -c 1 nap "$work/pids" >"$work/out" 2>"$work/err" </dev/null &
  launcher=$!
  await has_pids 2 || echo "only $(pids | wc -l) of 2 processes started"
  kill -TERM -- "-$launcher"
  status=0
  wait "$launcher" 2>/dev/null || status=$?
  check 'a signal to all processes of the launcher ends the job' eval 'status_is 143 && leaves_nothing'
}

# share CPUS_PER_NODE LOCALES NODES OPTIONS: these are srun's for as many cores as fit. Uses under_slurm.
share() {
  with "${under_slurm[@]}" "SLURM_JOB_CPUS_PER_NODE=$1" "SLURM_JOB_NUM_NODES=$3" -- run --dry-run -n "$2" show
  check "$2 locales on $1 CPUs: $4" prints "^srun .*--quit-on-interrupt $4( |\$)"
}
test_shares_of_slurm() {
  share '1(x2)' 2 2 --cpus-per-task=1
  share '8(x2)' 3 2 --cpus-per-task=4
  share 2,1 3 2 --cpus-per-task=1
  share '10,6' 8 2 --cpus-per-task=2
  share '4(x2),16' 3 3 --cpus-per-task=4
  share '2,1' 4 2 '--overcommit --cpu-bind=none'
  share '16' 1 1 --cpus-per-task=16
}

test_slurm() {
  fake_srun
  local under_slurm=(PATH="$work/fakes:$PATH" SLURM_JOB_ID=7)
  with "${under_slurm[@]}" SLURM_NTASKS=3 -- run --dry-run show
  check "the tasks of salloc -n are the job's locales" prints '^srun -n 3 '
  with "${under_slurm[@]}" SLURM_NTASKS=3 -- run --dry-run -n 2 show
  check 'unless -n says otherwise' prints '^srun -n 2 '
  with "${under_slurm[@]}" SLURM_NTASKS=3 -- run --dry-run --single show
  check 'or --single, which runs on the node, too' prints '^srun -n 1 '
  with "${under_slurm[@]}" SLURMD_NODENAME=here SLURM_NTASKS=3 -- run --dry-run --single show
  check '... where the launcher is already if it is in a script of sbatch' prints '^OMPI_MCA_.*/show --cores='
  with "${under_slurm[@]}" SLURMD_NODENAME=here -- run --dry-run show
  check 'without tasks it is one locale' prints '^OMPI_MCA_.*/show --cores='
  test_shares_of_slurm
  mkdir "$work/shared"
  cd "$work/shared"
  with "${under_slurm[@]}" SLURM_JOB_NUM_NODES=2 -- run -n 2 -c 1 where
  check 'on several nodes last words lie in the working directory' prints "^$work/shared/.orujo-job.[^/]*\$"
  with "${under_slurm[@]}" SLURM_JOB_NUM_NODES=2 -- run -n 2 -c 1 end failed 066 66
  check 'where they are found' eval 'status_is 66 && ! says FATAL'
  check 'and removed' test -z "$(ls -A)"
  cd "$work"
  rm "$work/fakes/srun"
}

# A program that says so in its list of libraries.
test_mpich() {
  write_program show '# libmpich.so.12
    echo "rank ${PMI_RANK:-none} of ${PMI_SIZE:-none}: $*"'
  printf '#!/bin/sh\nprintf "HYDRA build details:\\n    Version:  4.0.2\\n"\n' >"$work/fakes/mpiexec.mpich"
  printf '#!/bin/sh\n' | tee "$work/fakes/srun" >"$work/fakes/mpiexec"
  chmod +x "$work/fakes/"{srun,mpiexec,mpiexec.mpich}
  with PATH="$work/fakes:$PATH" -- run --dry-run -n 2 -c 1 show
  check "a program of MPICH's is started by its mpiexec" eval 'prints "^mpiexec.mpich -n 2 " && says "MPICH.s, 4[.]0[.]2"'
  printf 'a slots=2\n# none\nb\n' >"$work/hosts"
  with PATH="$work/fakes:$PATH" -- run --dry-run -n 3 --hostfile "$work/hosts" show
  check 'which gets the hosts in its way' prints ' -hosts a:2,b '
  with PATH="$work/fakes:$PATH" SLURM_JOB_ID=7 -- run --dry-run -n 2 show
  check 'or by srun' prints '^srun -n 2 --mpi=pmi2 '
  rm "$work/fakes/"{srun,mpiexec,mpiexec.mpich}
  write_program show '[[ ${1:-} != --helpfull ]] || echo "  --tail (bool)"
    echo "rank ${OMPI_COMM_WORLD_RANK:-none} of ${OMPI_COMM_WORLD_SIZE:-none}: $*"'
}

# As CMake installs it (bin/packaging), without sources.
test_installed() {
  local prefix=$work/prefix
  mkdir -p "$prefix/bin" "$prefix/libexec/orujo/"{commands,applications}
  cp "$work/bin/orujo" "$prefix/bin"
  grep -LZ "^# Requires Orujo's sources" "$work/bin/commands/"*.sh | xargs -0 cp -t "$prefix/libexec/orujo/commands"
  echo 1.2.3 >"$prefix/libexec/orujo/version"
  cp "$work/build/release/applications/"{leave,show} "$prefix/libexec/orujo/applications"
  mv "$work/bin" "$work/sources"
  ln -s "$prefix/bin" "$work/bin"
  orujo version
  check 'an installed launcher knows its version' prints '^orujo 1.2.3$'
  orujo run -n 2 -c 1 show
  check 'and runs what is installed' prints_lines "$(printf 'rank %s of 2: --cores=1\n' 0 1)"
  orujo run shwo
  check 'it knows the names' eval 'status_is 2 && says "did you mean show?"'
  orujo run -c 1 "$work/build/release/applications/show"
  check 'a path is taken as it is' prints '^rank none of none: --cores=1$'
  local command
  for command in setup build install test bench; do
    orujo $command
    check "$command says that it needs the sources" eval 'status_is 71 && one_line_of_ours && says "requires Orujo.s sources"'
  done
  orujo run --report=report.html show
  check '... and so does a report' eval 'status_is 71 && one_line_of_ours && says "requires Orujo.s sources"'
  orujo help
  check 'help lists what is installed' eval 'prints "^  run  " && ! prints "^  build  "'
  orujo help run
  check 'its help calls it by its name' eval 'prints "^Usage: orujo run " && ! prints bin/orujo'
  rm "$work/bin"
  mv "$work/sources" "$work/bin"
}

status=0
make_project
test_another_mpi
test_scripts_of_python
test_hosts
test_numa
test_mpich
test_daemons
test_signal_to_the_group
test_slurm
test_installed
end_of_cases
