# shellcheck shell=bash disable=SC2154 # root
# orujo list: the applications that can be run, and the word of several that a misspelt one may mean.

list_usage() {
  cat <<'END'
Usage: bin/orujo list

Prints the applications, a line each. bin/orujo run APP --help shows the flags of one,
docs/reference/applications has a page with an example for each.
END
}

list_command() {
  case ${1:-} in
    '') ;;
    --help | -h) list_usage; return 0 ;;
    *) fail 2 "list accepts no argument, such as '$1'; bin/orujo list --help" ;;
  esac
  local application
  for application in $(applications); do
    printf '%-24s %s\n' "$application" "$(description_of "$application")"
  done
}

applications() {
  local source names=()
  for source in "${installed:-$root}"/applications/*; do
    [[ ! -f $source || ! $installed && $source != *.cpp ]] || names+=("$(basename "$source" .cpp)")
  done
  echo "${names[*]:-none yet}"
}

is_application() {
  if [[ $installed ]]; then [[ -f $installed/applications/$1 ]]; else [[ -f $root/applications/$1.cpp ]]; fi
}

# The first clause of --help, from the last text in the source that begins with "APP: ".
description_of() {
  if [[ $installed ]]; then
    COLUMNS=100000 "$installed/applications/$1" --help | sed -n '1s/^[^:]*: //; s/[.;:"].*//; 1p'
    return
  fi
  tr -d '\n' <"$root/applications/$1.cpp" |
    sed -n "s/\" *\"//g; s/.*\"$1: //; T; s/\\\\n.*//; s/[.;:\"].*//; p"
}

# nearest WORD CANDIDATE...: the candidate that differs from the word by at most two letters, or a third of it.
nearest() {
  printf '%s\n' "${@:2}" | awk -v word="$1" '
    function least(a, b) { return a < b ? a : b }
    function distance(a, b,   i, j, row, diagonal, above) {
      for (j = 0; j <= length(b); ++j) row[j] = j
      for (i = 1; i <= length(a); ++i) {
        diagonal = row[0]; row[0] = i
        for (j = 1; j <= length(b); ++j) {
          above = row[j]
          row[j] = least(least(above, row[j - 1]) + 1, diagonal + (substr(a, i, 1) != substr(b, j, 1)))
          diagonal = above
        }
      }
      return row[length(b)]
    }
    { d = distance(word, $0); if (NR == 1 || d < best) { best = d; found = $0 } }
    END { if (best <= 2 || best <= length(word) / 3) print found }'
}

# did_you_mean WORD CANDIDATE... prints "; did you mean X?" or nothing.
did_you_mean() {
  local found
  found=$(nearest "$@")
  [[ ! $found ]] || echo "; did you mean $found?"
}
