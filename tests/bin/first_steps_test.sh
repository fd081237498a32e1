#!/usr/bin/env bash
# Tests what people begin with, in a project of fakes: bin/orujo list, new, install, and completion in bash.
# shellcheck disable=SC2016 # the fakes' scripts are quoted
set -eEuo pipefail
source "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/fakes.sh"

test_list() {
  echo 'orujo::run(argc, argv, "show: prints its place.\n" "and more")' >"$work/applications/show.cpp"
  touch "$work/applications/"{query,some_lab}.cpp
  orujo list
  check 'applications are listed' prints '^  nap +$'
  check 'with what their help says first' prints '^  show  +prints its place$'
  check 'in groups' test "$(grep -v '^  ' "$work/out" | tr '\n' ,)" = 'Analyse graphs,,Tables and text,,Labs,'
  check '... each in its own' eval '[[ $(grep -A 1 "^Tables" "$work/out") == *"  query "* && $(tail -n 1 "$work/out") == "  some_lab "* ]]'
  orujo list --json
  check 'list --json has name, group and description' test "$(python3 -c '
import json, sys
print([a for a in json.load(open(sys.argv[1])) if a["name"] in ("show", "query")])' "$work/out")" = \
    "[{'name': 'query', 'group': 'Tables and text', 'description': ''}, {'name': 'show', 'group': 'Analyse graphs', 'description': 'prints its place'}]"
  orujo list --names
  check 'list --names has the names only' eval 'diff "$work/out" <(basename -s .cpp -a "$work"/applications/*.cpp)'
  orujo list nonsense
  check 'anything else is refused' eval 'status_is 2 && one_line_of_ours'
  rm "$work/applications/"{query,some_lab}.cpp
}

# The groups are the headings of the page in the documentation.
test_groups() {
  diff <(awk '/^## / {group = substr($0, 4)} match($0, /^\| \[[a-z0-9_]+\]/) {print group ": " substr($0, 4, RLENGTH - 4)}' \
    "$source_root/docs/reference/applications/README.md" | sort) \
    <(awk '/^[A-Z]/ {group = $0} /^  / {print group ": " $1}' <("$source_root/bin/orujo" list) | sort) >"$work/out" 2>"$work/err"
  report $? 'the groups of the applications are those of the documentation'
}

completes() { (source "$work/bin/completion.sh" && COMP_WORDS=("$work/bin/orujo" "$@") COMP_CWORD=$# && _orujo && echo "${COMPREPLY[*]}"); }

test_completion() {
  write_program show 'cat <<END
  --tail (bool, default false)
      print the end
  --device (string, default "cpu")
      processor of the steps: cpu, cuda (a GPU; the locales share them), cuda:N (GPU N), or emulated (for tests)
  --direction (string, default "auto")
      direction of values: pull (over all edges), push, or auto (the cheaper one)
  --output (string, default "")
      file for the result: one line per vertex, or none
  --levels (string, default "auto")
      sizes of blocks, such as 64,1024; auto: cache line, page and huge
END'
  check 'commands are completed' test "$(completes te)" = test
  check '... all that help prints' eval 'diff <(completes "" | tr " " "\n" | sort) <("$work/bin/orujo" help | sed -n "s/^  \([a-z]\+\) .*/\1/p" | sort)'
  check 'and applications' test "$(completes run -n 2 sho)" = show
  check '... to install' test "$(completes install folder sho)" = show
  check 'and their flags' test "$(completes run show --ta)" = --tail
  check '... behind options that bash splits' test "$(completes run --preset = release show --ta)" = --tail
  check 'and the values of a flag, as bash splits them' test "$(completes run show --device =)" = 'cpu cuda emulated'
  check '... of which the beginning is there' test "$(completes run show --direction = pu)" = 'pull push'
  check '... as zsh does not split them' test "$(completes run show --direction=a)" = '--direction=auto'
  check '... but not what the text does not list' eval '[[ ! $(completes run show --output =) && ! $(completes run show --levels =) ]]'
}

# Help and completion know a command from its file and its name in bin/orujo.
test_new_command() {
  printf 'summaries[greet]="say hello"\ngreet_command() { echo "hello $*"; }\n' >"$work/bin/commands/greet.sh"
  sed -i 's/^command_names=(/&greet /' "$work/bin/orujo"
  orujo greet you
  check 'a command is its file and its name' eval 'status_is 0 && prints "^hello you$"'
  orujo help
  check '... which help lists' prints '^  greet    say hello$'
  check '... and completion knows' test "$(completes gree)" = greet
  rm "$work/bin/commands/greet.sh"
  orujo greet
  check '... but not without its file' eval 'status_is 71 && one_line_of_ours'
  sed -i 's/^command_names=(greet /command_names=(/' "$work/bin/orujo"
}

test_new() {
  orujo new my_ranks "$work/mine"
  check 'new makes a project' eval 'status_is 0 && [[ -s $work/mine/main.cpp && -s $work/mine/README.md ]]'
  check '... of that name' eval 'grep -q "add_executable(my_ranks main.cpp)" "$work/mine/CMakeLists.txt" && ! grep -rq collatz "$work/mine"'
  check '... whose README.md says how to run it' grep -q '/bin/orujo" run -n 2 build/my_ranks ' "$work/mine/README.md"
  orujo new my_ranks "$work/mine"
  check 'it does not write into a project' eval 'status_is 2 && one_line_of_ours'
  local name
  for name in '' test a-b ../x 'a;b' '$(id)'; do
    orujo new "$name" "$work/other"
    check "'$name' is no name" eval 'status_is 2 && one_line_of_ours && [[ ! -e $work/other ]]'
  done
  orujo new mine /proc/mine
  check 'a folder must be writable' eval 'status_is 74 && one_line_of_ours'
}

# A cmake that installs a library, a page, and whatever has been built.
fake_cmake() {
  cat >"$work/fakes/cmake" <<'END'
#!/bin/bash
if [[ $1 == -Dpacked=* ]]; then
  cp -r "${1#*=}" "$STAGED"
  exit
fi
[[ "$1 $3" == '--install --prefix' ]] || exit 1
mkdir -p "$4"/{lib,share/man/man1,libexec/orujo/applications}
touch "$4/lib/liborujo.a" "$4"/share/man/man1/orujo{,-show,-nap,-bfs}.1
cp "$2"/applications/* "$4/libexec/orujo/applications"
END
  chmod +x "$work/fakes/cmake"
}

test_install() {
  fake_cmake
  write_program bfs true
  local program
  {
    printf 'rule note\n  command = echo $out >>%s\nbuild libraries: note\nbuild all: note\n' "$work/built"
    for program in orujo bfs connected_components graph_tool pagerank sssp tune show nap; do echo "build manual_of_$program: note"; done
  } >"$work/build/release/build.ninja"
  with PATH="$work/fakes:$PATH" STAGED="$work/staged" -- install "$work/a folder" show
  check 'install builds and installs' eval 'status_is 0 && [[ -e "$work/a folder/lib/liborujo.a" ]] && says "^orujo: installed .* in $work/a folder;"'
  check '... the usual programs and those that are named' \
    eval '[[ $(ls "$work/a folder/libexec/orujo/applications") == bfs$'\''\n'\''show ]] && [[ $(ls "$work/a folder/share/man/man1") == orujo-bfs.1*show.1*orujo.1 ]]'
  check '... and has built no more' eval 'grep -qx libraries "$work/built" && grep -qx manual_of_show "$work/built" && ! grep -qE "all|nap" "$work/built"'
  check '... without what cpack removes, too' test -e "$work/staged/lib/liborujo.a"
  check '... and leaves no copy' test ! -e "$work/build/release/stage"
  with PATH="$work/fakes:$PATH" STAGED="$work/staged" -- install --preset=release
  check 'install requires a folder' eval 'status_is 2 && one_line_of_ours'
  with PATH="$work/fakes:$PATH" STAGED="$work/staged" -- install "$work/b" shwo
  check 'and applications that there are' eval 'status_is 2 && one_line_of_ours && says "did you mean show" && [[ ! -e $work/b ]]'
  with PATH="$work/fakes:$PATH" STAGED="$work/staged" -- install /proc/b
  check 'a folder that cannot be made is refused' eval 'status_is 71 && one_line_of_ours'
  printf '#!/bin/sh\necho no room >&2\nexit 1\n' >"$work/fakes/cmake"
  with PATH="$work/fakes:$PATH" -- install "$work/b"
  check 'a failure shows its log' eval 'status_is 1 && says "no room" && says "^orujo: installing release failed"'
  rm "$work/fakes/cmake"
}

status=0
make_project
mkdir "$work/applications/examples"
cp -r "$source_root/applications/examples/external_project" "$work/applications/examples"
test_list
test_groups
test_completion
test_new_command
test_new
test_install
end_of_cases
