# shellcheck shell=bash
# What the tests of applications share: they run one as a user does. Sourced by them, with the application's name, or
# none where there are several, which then comes first among the flags.
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
source "$root/tests/cases.sh"
application=("$@")

# run LOCALES CORES FLAG...: leaves the status in $status and the output in $work/out and $work/err.
run() {
  local locales=$1 cores=$2
  shift 2
  timeout 120 "$root/bin/orujo" run -n "$locales" -c "$cores" "${application[@]}" "$@" \
    >"$work/out" 2>"$work/err" </dev/null
  status=$?
}

# refuses STATUS TEXT FLAG...: on 1 and, where the application takes several, $several locales, one line beside the
# launcher's own, with TEXT in it.
several=2
refuses() {
  local expected=$1 text=$2 locales lines
  shift 2
  for locales in 1 $several; do
    run "$locales" 1 "$@"
    lines=$(grep -vc '^orujo: ' "$work/err")
    [[ $status == "$expected" && $lines == 1 && $(<"$work/err") == *"$text"* ]]
    report $? "$locales locales refuse $* with status $expected and '$text'"
  done
}
