# shellcheck shell=bash
# The common part of the *_test.sh: a folder of their own, counted cases, and the output of a program under test in
# $work/out and $work/err. They source it.

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
# The programs under test are built, and must not change meanwhile.
export ORUJO_NO_BUILD=1

# As if no launcher had started the test, and nobody had chosen anything by the environment.
forget_jobs() { unset "${!OMPI_@}" "${!PMIX_@}" "${!PMI_@}" "${!SLURM_@}" "${!ORUJO_@}"; }

# report STATUS NAME counts one case, which holds if the status is 0.
report() {
  if (($1 == 0)); then
    echo "ok      $2"
  else
    echo "FAILED  $2${status:+ (status $status)}; it said:"
    { sed 's/^/        | /' "$work/out" "$work/err" 2>/dev/null || true; } | tail -n 40
    failures=$((failures + 1))
  fi
}

# check NAME COMMAND... counts one case, which holds if the command does.
check() {
  local name=$1 held=0
  shift
  "$@" || held=$?
  report $held "$name"
}

# await CONDITION...: up to 20 s
await() {
  local i
  for ((i = 0; i < 200; i++)); do
    ! "$@" || return 0
    sleep 0.1
  done
  return 1
}

says() { grep -qE -- "$1" "$work/err"; }
prints() { grep -qE -- "$1" "$work/out"; }

end_of_cases() {
  ((failures == 0)) || { echo "$failures cases failed"; exit 1; }
  echo 'all cases passed'
}
