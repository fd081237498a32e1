#!/usr/bin/env bash
# Runs every command of docs/tutorial/README.md and programs.md and compares what it prints with the page.
#   tutorial_test.sh BUILD_FOLDER
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$1
pages=("$root"/docs/tutorial/{README,programs}.md)
source "$root/tests/cases.sh"
export ORUJO_NO_SETUP=1
cd "$root" || exit 1

# compare COMMAND: its output with $work/expected.
compare() {
  local words
  read -ra words <<<"$1"
  timeout 120 "${words[@]/#build\/release/$build}" >"$work/out" 2>"$work/err" </dev/null && diff "$work/expected" "$work/out"
  report $? "$1"
  [[ ! -s $work/err ]] || sed 's/^/        | /' "$work/err"
}

command='' inside=''
while IFS= read -r line; do
  case $line in
    '```console') inside=1 ;;
    '```' | '$ '*)
      [[ ! $command ]] || compare "$command"
      command=''
      if [[ $line == '```' ]]; then
        inside=''
      elif [[ $inside ]]; then
        command=${line#'$ '}
      fi
      : >"$work/expected"
      ;;
    *)
      if [[ $command == *'\' ]]; then
        command=${command%?}$line
      elif [[ $command ]]; then
        printf '%s\n' "$line" >>"$work/expected"
      fi
      ;;
  esac
done < <(cat "${pages[@]}")

for program in "$root"/docs/tutorial/*.cpp; do
  name=$(basename "$program" .cpp)
  for split in '-n 1 -c 1' '-n 2 -c 2'; do
    grep -qE "^\\$ bin/orujo run $split build/release/docs/tutorial/$name( |$)" "${pages[@]}"
    report $? "the page runs $name with $split"
  done
done

end_of_cases
