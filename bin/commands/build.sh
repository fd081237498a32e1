# shellcheck shell=bash disable=SC2154,SC2034 # root, summaries
# orujo build: configures a preset once, and lets ninja do the rest.
# Requires Orujo's sources.
summaries[build]='build everything, or some targets'

build_usage() {
  cat <<'END'
Usage: bin/orujo build [PRESET=release] [TARGET...]

Builds everything, or only the TARGETs, in build/PRESET. Presets are release, mpich (with that MPI),
debug, asan, tsan, and fuzz with the target fuzzers (CMakePresets.json).
The output is in build/PRESET/build.log. Its end is printed when a build fails.
END
}

build_command() {
  local argument
  for argument; do
    case $argument in
      --help | -h) build_usage; return 0 ;;
      -*) fail 2 "build has no option '$argument'; bin/orujo build --help" ;;
    esac
  done
  local preset=${1:-release}
  (($# == 0)) || shift
  check_preset "$preset"
  set_up_if_needed "$preset"
  build_preset "$preset" "$@"
  say "$preset is up to date"
}

is_preset() { [[ $1 =~ ^[a-z0-9_-]+$ ]] && grep -qs "\"configurePreset\": *\"$1\"" "$root/CMakePresets.json"; }

check_preset() { is_preset "$1" || fail 2 "unknown preset '$1'; CMakePresets.json lists the presets"; }

# is_target PRESET TARGET: true if the configured preset has this target.
is_target() { ninja -C "$root/build/$1" -t query "$2" >/dev/null 2>&1; }

# can_build PRESET: false if the checkout is not writable, such as someone else's.
can_build() {
  local directory=$root/build/$1
  [[ ! -e $directory/.lock || -w $directory/.lock ]] || return 1
  while [[ ! -e $directory ]]; do directory=$(dirname "$directory"); done
  [[ -w $directory ]]
}

may_not_write() {
  echo "$(id -un 2>/dev/null || id -u) may not write to $root/build/$1, in a checkout of $(stat -c %U "$root")"
}

# A compiler needs up to 1.5 GB for a source of Orujo.
build_jobs() {
  local jobs by_memory
  jobs=$(usable_cpus)
  by_memory=$(($(available_memory_kib) / 1500000))
  ((by_memory >= jobs)) || jobs=$by_memory
  echo $((jobs > 1 ? jobs : 1))
}

# with_build_lock PRESET COMMAND...: runs one build of a preset at a time, in a subshell.
with_build_lock() {
  local preset=$1 lock
  shift
  can_build "$preset" || fail 71 "$(may_not_write "$preset"): build in a checkout of your own"
  [[ ! $(lack_of_stack) ]] || fail 71 "a build requires $(lack_of_stack)"
  mkdir -p "$root/build/$preset"
  (
    exec {lock}>"$root/build/$preset/.lock"
    if ! flock -w 1 "$lock"; then
      say "waiting for another build of $preset"
      flock "$lock"
    fi
    "$@"
  )
}

# configure_preset PRESET and build_preset PRESET [TARGET...] end the launcher with status 1 if they fail; try_build
# returns the status instead.
configure_preset() { with_build_lock "$1" configure_locked "$1" || exit 1; }
build_preset() { try_build "$@" || exit 1; }
try_build() { with_build_lock "$1" build_locked "$@"; }

configure_locked() {
  local preset=$1 directory=$root/build/$1
  local made=$directory/build.ninja
  [[ -e $made && ! $root/CMakePresets.json -nt $made ]] && return 0
  say "building $preset (first time takes a few minutes)"
  if ! (cd "$root" && cmake --preset "$preset") >"$directory/build.log" 2>&1 </dev/null; then
    show_failure "$directory/build.log" "configuring $preset failed"
    return 1
  fi
  touch "$made"
}

build_locked() {
  local preset=$1 directory=$root/build/$1
  shift
  configure_locked "$preset" || return 1
  ninja -C "$directory" -j "$(build_jobs)" "$@" 2>&1 </dev/null | log_progress "$preset" "$directory/build.log" ||
    { show_failure "$directory/build.log" "building $preset failed"; return 1; }
}

# log_progress PRESET LOG copies ninja's output to the log. On a terminal it shows how many steps are done, and the
# time to go if the others take as long, or that there are steps.
log_progress() {
  local line announced='' log start=$SECONDS
  exec {log}>"$2"
  while IFS= read -r line; do
    printf '%s\n' "$line" >&"$log"
    [[ $line =~ ^\[([0-9]+)/([0-9]+)\]\ (Building|Linking) ]] || continue
    if [[ -t 2 ]]; then
      printf '\r\e[Korujo: building %s, %s of %s%s' "$1" "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}" \
        "$(time_to_go $((SECONDS - start)) "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}")" >&2
    elif [[ -z $announced ]]; then
      say "building $1 ..."
    fi
    announced=1
  done
  if [[ $announced && -t 2 ]]; then echo >&2; fi
}

# time_to_go SECONDS DONE TOTAL: ", 40 s, about 2 min to go"
time_to_go() {
  local left=$(($1 * ($3 - $2) / $2))
  if (($1 < 2 || $3 == $2)); then return; fi
  if ((left < 100)); then echo ", $1 s, about $left s to go"; else echo ", $1 s, about $(((left + 30) / 60)) min to go"; fi
}

# show_failure LOG MESSAGE
show_failure() {
  tail -n 40 "$1" >&2
  say "$2; its whole output is in $1"
}
