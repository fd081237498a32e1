# shellcheck shell=bash disable=SC2154,SC2034 # root, summaries
# orujo list: the applications that can be run, and the word of several that a misspelt one may mean.
summaries[list]='list the applications'

list_usage() {
  cat <<'END'
Usage: bin/orujo list [--json|--names]

Prints the applications in groups, a line each. bin/orujo run APP --help shows the flags of one,
docs/reference/applications has a page with an example for each.
  --json   print an array of objects with name, group and description
  --names  print the names only
END
}

# The groups of docs/reference/applications. An application that is not named here analyses graphs.
groups=('Analyse graphs' 'Convert and inspect' 'Tables and text' Benchmarks Labs)
group_of() {
  case $1 in
    graph_tool) echo "${groups[1]}" ;;
    kmeans | log_count | query | word_count) echo "${groups[2]}" ;;
    bfs_delegates | graph500 | gups | histogram | index_gather | minimd | pointer_chasing | sample_sort | uts) echo "${groups[3]}" ;;
    *_lab | tune) echo "${groups[4]}" ;;
    *) echo "${groups[0]}" ;;
  esac
}

list_command() {
  (($# <= 1)) || fail 2 "list accepts one option, not '$2'; bin/orujo list --help"
  case ${1:-} in
    '') list_groups ;;
    --names) tr ' ' '\n' <<<"$(applications)" ;;
    --json) list_json ;;
    --help | -h) list_usage ;;
    *) fail 2 "list accepts --json and --names, not '$1'; bin/orujo list --help" ;;
  esac
}

list_groups() {
  local group name lines separator=''
  for group in "${groups[@]}"; do
    lines=''
    for name in $(applications); do
      [[ $(group_of "$name") != "$group" ]] ||
        lines+=$(printf '  %-24s %s' "$name" "$(description_of "$name")")$'\n'
    done
    [[ ! $lines ]] || printf '%s%s\n%s' "$separator" "$group" "$lines"
    [[ ! $lines ]] || separator=$'\n'
  done
}

# A description has neither quotes nor backslashes.
list_json() {
  local name separator='['
  for name in $(applications); do
    printf '%s{"name": "%s", "group": "%s", "description": "%s"}' "$separator" \
      "$name" "$(group_of "$name")" "$(description_of "$name")"
    separator=$',\n '
  done
  echo ']'
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
