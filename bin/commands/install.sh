# shellcheck shell=bash disable=SC2154,SC2034 # root, summaries
# orujo install: libraries, headers, launcher and some programs in a folder, without debug information.
# Requires Orujo's sources.
summaries[install]='build libraries and programs, and install them in a folder'

# Each program of graphs has 4 to 5 MB, 3.5 of them the engine.
usual_programs=(bfs connected_components graph_tool pagerank sssp tune)

install_usage() {
  cat <<END
Usage: bin/orujo install [OPTION...] PREFIX [APP...]

Builds libraries, launcher and programs, not the tests, and installs them in the folder PREFIX, with
files for CMake and pkg-config. Besides each APP (bin/orujo list) the programs are
  ${usual_programs[*]}
  --all            install all applications
  --preset=PRESET  build to use (default release)
The folder may be moved. PREFIX/bin/orujo is the launcher. Files of another installation there are
replaced.
END
}

install_command() {
  local preset=release programs=("${usual_programs[@]}") prefix name
  while (($# > 0)); do
    case $1 in
      --help | -h) install_usage; return 0 ;;
      --all) read -ra programs <<<"$(applications)" ;;
      --preset) need_value "$1" $#; preset=$2; shift ;;
      --preset=*) preset=${1#*=} ;;
      -*) fail 2 "install has no option '$1'; bin/orujo install --help" ;;
      *) break ;;
    esac
    shift
  done
  (($# > 0)) || fail 2 "install requires a folder: bin/orujo install \$HOME/orujo"
  prefix=$1
  shift
  for name; do
    # shellcheck disable=SC2046
    is_application "$name" ||
      fail 2 "no application '$name'$(did_you_mean "$name" $(applications)); bin/orujo list shows all"
    programs+=("$name")
  done
  check_preset "$preset"
  { mkdir -p -- "$prefix" && [[ -w $prefix ]]; } 2>/dev/null || fail 71 "cannot write to $prefix: pass another folder"
  prefix=$(realpath -- "$prefix")
  if [[ ! ${ORUJO_NO_BUILD:-} ]]; then
    set_up_if_needed "$preset"
    # A manual page depends on its program.
    build_preset "$preset" libraries manual_of_orujo "${programs[@]/#/manual_of_}"
  fi
  with_build_lock "$preset" install_programs "$preset" "$prefix" "${programs[@]}" || exit 1
  say "installed $(du -sh "$prefix" | cut -f1) in $prefix; projects find it by -DCMAKE_PREFIX_PATH=$prefix"
}

# install_programs PRESET PREFIX PROGRAM...: installs these programs, and no others that may have been built, by way of
# a folder in which it removes the debug information.
install_programs() {
  local preset=$1 prefix=$2 build=$root/build/$1 file name
  local stage=$build/stage log=$build/install.log
  rm -rf "$stage"
  cmake --install "$build" --prefix "$stage" >"$log" 2>&1 || { show_failure "$log" "installing $preset failed"; return 1; }
  for file in "$stage"/libexec/orujo/applications/* "$stage"/share/man/man1/orujo-*; do
    name=${file##*/} name=${name#orujo-} name=${name%.1}
    [[ " ${*:3} " == *" $name "* ]] || rm -f "$file"
  done
  { cmake "-Dpacked=$stage" -P "$root/bin/packaging/before_packing.cmake" && cp -a "$stage/." "$prefix"; } >>"$log" 2>&1 ||
    { show_failure "$log" "installing in $prefix failed"; return 1; }
  rm -rf "$stage"
}
