# shellcheck shell=bash disable=SC2154,SC2034 # globals of run.sh
# How orujo run starts a job: alone, by mpirun or by srun, and with which binding. hydra.sh has MPICH's part, slurm.sh that of srun.

# How the job of run.sh starts: what find_launcher and choose_command decide.
launcher=''      # none, mpirun, mpiexec or srun
hosts=1          # number of hosts, as far as it is known here
per_host=1       # number of locales on each
several_nodes='' # the nodes in words, if it does not stay on this one
cpus=1           # of a node
command=()       # the launcher with its options, and the program
settings=()      # environment variables of the command
choice=''        # all of this in words

# Sets launcher, hosts, per_host and several_nodes.
find_launcher() {
  hosts=1 several_nodes=''
  if ((locales == 1)) && [[ -z $hostfile && -z $host_names ]] && ! is_outside_of_its_nodes; then
    launcher=none
  elif may_use_srun; then
    launcher=srun
    hosts=$(number_in SLURM_JOB_NUM_NODES 1)
  else
    launcher=mpirun
    ! is_linked_with_mpich "$program" || launcher=mpiexec
    if [[ $hostfile ]]; then
      hosts=$(hosts_in "$hostfile")
    elif [[ $host_names ]]; then
      hosts=$(lines_of_hosts "$host_names" | hosts_in /dev/stdin)
    fi
    several_nodes=$(describe_nodes)
  fi
  per_host=$(((locales + hosts - 1) / hosts))
  if [[ $host_names ]]; then per_host=$(lines_of_hosts "$host_names" | awk -F= '$2 > most {most = $2} END {print most}'); fi
}

# Sets the others, and cores.
choose_command() {
  cpus=$(usable_cpus)
  [[ $launcher != srun ]] || share_out_allocation
  cores=${cores:-$((cpus > per_host ? cpus / per_host : 1))}
  choice="$(counted "$locales" locale) x $(counted "$cores" core), "
  "choose_$launcher"
}

# counted 2 core: "2 cores"
counted() { if [[ $1 == 1 ]]; then echo "1 $2"; else echo "$1 $2s"; fi; }

hosts_in() {
  local count
  count=$(awk '$1 !~ /^#/ && NF {print $1}' <"$1" | sort -u | wc -l)
  echo $((count > 0 ? count : 1))
}

# A program that starts MPI by itself must not start a daemon for it, which would escape our session.
choose_none() {
  choice+='no launcher'
  setting ess_singleton_isolated 1
  setting orte_tmpdir_base "${job_memory_directory:-/dev/shm/orujo-job.XXXXXX}"
}

choose_mpirun() {
  local extra=() mpirun version
  version=$(find_mpirun) || exit
  mpirun=${version%% *} version=${version#* }
  read -ra extra <<<"${ORUJO_MPIRUN_FLAGS:-}"
  check_mpirun_flags "$mpirun" "${extra[@]}"
  choice+="mpirun ($version)${several_nodes:+ on $several_nodes}, "
  command=("$mpirun" -n "$locales")
  ((EUID != 0)) || command+=(--allow-run-as-root)
  if [[ $hostfile ]]; then
    command+=(--hostfile "$hostfile")
  elif [[ $host_names ]]; then
    command+=(--host "$host_names")
  fi

  if may_bind; then command+=(--map-by numa --bind-to numa); else command+=(--bind-to none); fi

  setting rmaps_base_oversubscribe 1
  setting mpi_yield_when_idle 1
  cross_memory_attach_works || setting btl_vader_single_copy_mechanism none
  if [[ $several_nodes ]]; then
    # A cut network ends the job after some 7 s.
    setting oob_tcp_keepalive_time 3
    setting oob_tcp_keepalive_intvl 1
    setting oob_tcp_keepalive_probes 3
    # For this node's part of the job. The ranks refuse to start if Open MPI's own parameter sets it.
    settings+=("TMPDIR=${job_directory:-/tmp/orujo-job.XXXXXX}")
  else
    setting pml ob1
    setting btl vader,self
    setting oob_tcp_if_include lo
    # In memory, because mpirun would wait for a disk.
    setting orte_tmpdir_base "${job_memory_directory:-/dev/shm/orujo-job.XXXXXX}"
    setting btl_vader_backing_directory "${job_memory_directory:-/dev/shm/orujo-job.XXXXXX}"
    setting osc_sm_backing_directory "${job_memory_directory:-/dev/shm/orujo-job.XXXXXX}"
  fi
  command+=("${extra[@]}")
  # These are for mpirun alone (job.sh). Messages of Open MPI in the locales still go to stderr.
  command+=(env -u OPAL_OUTPUT_STDERR_FD -u EVENT_NOEPOLL)
}

# Returns whether each locale has a NUMA node, and adds that to the choice.
may_bind() {
  local numa
  numa=$(numa_nodes)
  if ((numa > 1 && per_host % numa == 0 && per_host * cores <= cpus && cpus == $(online_cpus))); then
    choice+="each bound to a NUMA node"
  else
    choice+="not bound: $(counted "$numa" 'NUMA node'), $(counted $((per_host * cores)) core) on $(counted "$cpus" CPU)"
    return 1
  fi
}

# setting NAME VALUE: one of Open MPI's parameters, unless the user chose it.
setting() {
  local name=OMPI_MCA_$1
  [[ -z ${!name+set} && " ${ORUJO_MPIRUN_FLAGS:-} " != *"mca $1 "* ]] || return 0
  if [[ $launcher == mpirun ]]; then
    command+=(--mca "$1" "$2")
  else
    settings+=("$name=$2")
  fi
}

# The other nodes that take part, in words; nothing if the job stays on this one.
describe_nodes() {
  local default=${OMPI_MCA_orte_default_hostfile:-/etc/openmpi/openmpi-default-hostfile}
  if [[ $host_names ]]; then
    echo "$(counted "$hosts" host), $host_names"
  elif [[ $hostfile ]]; then
    echo "the $(counted "$hosts" host) of $hostfile"
  elif [[ " ${ORUJO_MPIRUN_FLAGS:-}" =~ \ --?(H|host|hostfile|machinefile|default-hostfile)\  ]]; then
    echo "the hosts of ORUJO_MPIRUN_FLAGS"
  elif [[ ${SLURM_JOB_NUM_NODES:-1} != 1 ]]; then
    echo "the $SLURM_JOB_NUM_NODES nodes of Slurm's job"
  elif grep -qsE '^[[:space:]]*[^#[:space:]]' "$default"; then
    echo "the hosts of $default"
  fi
}

# Prints the name of Open MPI's mpirun and its version. Debian provides the second name, too, where `mpirun` is another
# MPI's.
find_mpirun() {
  local mpirun first others=''
  for mpirun in mpirun mpirun.openmpi; do
    command -v "$mpirun" >/dev/null || continue
    read -r first < <("$mpirun" --version 2>/dev/null) || true
    if [[ $first =~ (Open\ MPI|OpenRTE).*\ ([0-9.]+) ]]; then
      echo "$mpirun Open MPI ${BASH_REMATCH[2]}"
      return
    fi
    others+="$mpirun on PATH is not that of Open MPI, which Orujo is built with, and prints: ${first:-nothing}; "
  done
  fail 71 "${others:-no mpirun on PATH; }bin/orujo setup installs Open MPI"
}

# check_mpirun_flags MPIRUN FLAG...: with --version mpirun starts nothing, but checks its options.
check_mpirun_flags() {
  local said
  (($# > 1)) || return 0
  said=$("$1" --version "${@:2}" 2>&1 >/dev/null) || fail 2 "mpirun does not accept ORUJO_MPIRUN_FLAGS: ${said%%$'\n'*}"
}
