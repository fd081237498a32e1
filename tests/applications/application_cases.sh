# shellcheck shell=bash
# The common part of the tests of applications, which run one as a user does. They source it with the application's
# name. Tests of several applications give none, and name one first among the flags.
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
source "$root/tests/cases.sh"
application=("$@")
programs=$root/build/${ORUJO_CASES_PRESET:-release}/applications

# How jobs run: as one process by the loopback transport, or launched as a user does, by bin/orujo and mpirun, which takes
# thirty times as long. The test NAME_launched launches each application's jobs on several locales and its first on one;
# NAME_runs the first on several.
by=${ORUJO_CASES_BY:-loopback}
declare -A launched

# A noun in the plural, of which there is one.
one_of_several='(^|[ (])1 (clusters|cores|edges|factors|hubs|integers|iterations|labels|levels|lists|locales|ranks|rounds|rows|searches|steps|vertices|walks)\b'

# run LOCALES CORES FLAG...: leaves the status in $status and the output in $work/out and $work/err.
run() {
  local locales=$1 cores=$2 job reasons=0
  shift 2
  set -- "${application[@]}" "$@"
  ((locales == 1)) || reasons=1
  [[ $by != launcher ]] || reasons=$((reasons + 1))
  [[ ${launched[$1 on $((locales > 1))]:-} ]] || reasons=$((reasons + 1))  # the first
  # By its path: it has been built, and looking whether it still is takes as long as a small job.
  local program=$programs/$1
  if ((reasons > 1)); then
    launched[$1 on $((locales > 1))]=1
    job=("$root/bin/orujo" run -n "$locales" -c "$cores" "$program")
  else
    job=("$program" --locales="$locales" --cores="$cores")
  fi
  shift
  timeout 120 "${job[@]}" "$@" >"$work/out" 2>"$work/err" </dev/null
  status=$?
  ! grep -qE "$one_of_several" "$work/out" "$work/err" || report 1 "one is in the singular: ${job[*]} $*"
}

# The program's own lines on stderr, without those of the launcher and mpirun.
words_of_program() { grep -vE '^orujo: |ORTE_ERROR_LOG' "$work/err"; }
goes_in_silence() { [[ $status == 0 && ! $(words_of_program) ]]; }

# refuses STATUS TEXT FLAG...: one line with TEXT in it, beside the launcher's own and what mpirun says of itself when it ends a
# job on a busy machine. On $several locales where the application takes several, and on 1, by NAME_runs, what depends on the
# input (a mistake on the command line, status 2, does not). For mpirun one refusal is like another with its status, and takes
# a second longer: NAME_launched has the first of each.
several=2
every_refusal=
declare -A refused
# shellcheck disable=SC2206
refuses() {
  local expected=$1 text=$2 splits=(1 $several) locales lines
  shift 2
  if [[ $by == launcher && ! $every_refusal ]]; then
    [[ ! ${refused[$expected]:-} ]] || return 0
    refused[$expected]=1
    splits=("${splits[-1]}")
  fi
  ((expected != 2)) || splits=("${splits[-1]}")
  for locales in "${splits[@]}"; do
    run "$locales" 1 "$@"
    lines=$(words_of_program | grep -vc ': this program ignores the weights of the edges$')
    [[ $status == "$expected" && $lines == 1 && $(<"$work/err") == *"$text"* ]]
    report $? "$locales locales refuse $* with status $expected and '$text'"
  done
}

# scattered_graph FILE: sparse ids, weighted, directed, with a component of its own (1000000007 and 5000000000).
scattered_graph() {
  {
    for v in {1..400}; do
      echo "$((v * 7919)) $((v * v % 401 * 7919)) $((v % 17 + 1))"
      echo "$((v % 23 * 7919)) $((v * 7919)) $((v % 5 + 1))"
    done
    echo '1000000007 5000000000 3'
  } >"$1"
}

# varied same|verified 'FLAG...' APP ARGUMENT...: with each FLAG in turn it is verified, and where bits are promised gives
# what it gives on 1x1 without. The function told_of FLAG, where a test has it, checks what is said besides.
varied() {
  local compared=$1 flags=$2 flag
  shift 2
  run 1 1 "$@" --output="$work/plain"
  report "$status" "$*"
  for flag in $flags; do
    run 2 2 "$@" "$flag" --verify --output="$work/varied"
    [[ $status == 0 ]] && prints '^verified' && [[ -s $work/varied ]] && { ! declare -F told_of >/dev/null || told_of "$flag"; }
    report $? "$* with $flag is verified"
    [[ $compared == same ]] || continue
    cmp -s "$work/plain" "$work/varied"
    report $? "$* with $flag gives what it gives without"
  done
}

# verifies_on 'LOCALES CORES' FLAG...
verifies_on() {
  local split=$1
  shift
  # shellcheck disable=SC2086
  run $split "$@" --verify
  [[ $status == 0 && $(grep -c '^verified' "$work/out") == 1 ]]
  report $? "$* is verified on $split"
}

# two_trials 'LOCALES CORES' FIELD FLAG...: are verified once, and --stats_json has the field, not 0, of both.
two_trials() {
  local split=$1 field=$2
  shift 2
  # shellcheck disable=SC2086
  run $split "$@" --trials=2 --verify --stats_json="$work/stats.json"
  [[ $status == 0 && $(grep -c '^verified' "$work/out") == 1 ]] && grep -q '"verified": true' "$work/stats.json" &&
    (($(grep -c "\"$field\": [1-9]" "$work/stats.json") == 2))
  report $? "two trials of $* are verified on $split"
}

# same_searches FLAG...: bfs draws the same sources with each, and reaches as many.
same_searches() {
  local flag first=
  for flag; do
    run 2 1 bfs --generate=kronecker:9 --trials=4 "$flag"
    sed -n 's/^\(bfs: .* traversed\), .*/\1/p' "$work/out" >"$work/searches"
    [[ $first ]] || { first=$flag; cp "$work/searches" "$work/first_searches"; }
    [[ -s $work/searches ]] && cmp -s "$work/searches" "$work/first_searches"
    report $? "$flag searches from the sources that $first draws, and reaches as many"
  done
}

# same_file_on_splits 'NAME...' FLAG...: --output=NAME is the same on every split, and with the vertices in another order.
same_file_on_splits() {
  local names=$1 name split
  shift
  for name in $names; do
    run 1 1 "$@" --output="$work/alone.$name"
    report "$status" "$* writes a .$name"
    for split in '1 2' '2 1' '2 2' '2 1 --layout=random' '1 2 --partition=hash'; do
      # shellcheck disable=SC2086
      run $split "$@" --output="$work/together.$name"
      [[ $status == 0 && -s $work/alone.$name ]] && cmp -s "$work/alone.$name" "$work/together.$name"
      report $? "... which is the same on $split"
    done
  done
}
