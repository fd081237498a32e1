# shellcheck shell=bash disable=SC2154,SC2034 # globals of the job
# Programs that are linked with MPICH or one of its kin (MVAPICH, Intel MPI): their launcher is hydra.

# is_linked_with_mpich PROGRAM: its libmpi.so.12 is theirs, Open MPI's has another number.
is_linked_with_mpich() { [[ -f $1 ]] && grep -qaE 'libmpich\.so\.|libmpi\.so\.12' "$1"; }

# Prints the name of MPICH's mpiexec and its version.
find_mpiexec() {
  local mpiexec version
  for mpiexec in mpiexec.mpich mpiexec.hydra mpiexec; do
    command -v "$mpiexec" >/dev/null || continue
    version=$("$mpiexec" --version 2>/dev/null | awk '/HYDRA/ {hydra = 1} $1 == "Version:" && hydra {print $2; exit}') || true
    [[ ! $version ]] || { echo "$mpiexec $version"; return; }
  done
  fail 71 "${program##*/} is linked with MPICH, whose mpiexec is not on PATH; Debian's package is mpich"
}

choose_mpiexec() {
  local mpiexec version extra=()
  version=$(find_mpiexec) || exit
  mpiexec=${version%% *} version=${version#* }
  read -ra extra <<<"${ORUJO_MPIRUN_FLAGS:-}"
  choice+="mpiexec (MPICH's, $version)${several_nodes:+ on $several_nodes}, "
  # Hydra prints its own messages about an end to its standard output, so the job's results go elsewhere (job.sh).
  command=("$mpiexec" -n "$locales" -outfile-pattern "${job_directory:-/tmp/orujo-job.XXXXXX}/output")
  if [[ $hostfile ]]; then
    command+=(-hosts "$(host_list "$hostfile")")
  elif [[ ! $several_nodes ]]; then
    command+=(-launcher fork -localhost localhost)
  fi
  if may_bind; then command+=(-bind-to numa -map-by numa); else command+=(-bind-to none); fi
  command+=("${extra[@]}")
}

# host_list FILE prints an Open MPI hostfile as "a:2,b:2".
host_list() {
  awk '$1 !~ /^#/ && NF {
         count = ""
         for (k = 2; k <= NF; ++k) if ($k ~ /^slots=[0-9]+$/) count = ":" substr($k, 7)
         printf "%s%s%s", (any++ ? "," : ""), $1, count
       }' <"$1"
}

# Hydra reports the signal of a failed job and all processes that it ended, including those that it killed itself. It
# reports all statuses combined by a bitwise OR. A locale is named if it is the only one without a last word.
heed_hydra() {
  local said locale
  said=$(<"$job_directory/mpirun_said")
  heed_last_words
  for locale in "${!word[@]}"; do
    [[ ${word[$locale]} != failed ]] || return 0
  done
  [[ $said =~ EXIT\ STRING:\ [^\(]*\(signal\ ([0-9]+)\) ]] || return 0
  job_status=$((128 + BASH_REMATCH[1]))
  find_first_to_end
  [[ ! $culprit ]] || manner=signal
}
