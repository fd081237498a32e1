# shellcheck shell=bash disable=SC2154,SC2034 # root, installed, summaries
# orujo new: a project of one's own, copied from applications/examples/external_project.
summaries[new]='make a project of your own'

new_usage() {
  cat <<'END'
Usage: bin/orujo new NAME [FOLDER=NAME]

Makes a project in FOLDER: a program NAME with its CMakeLists.txt, a test, and README.md, which says
how to build and run it. The project builds with an installation (bin/orujo install PREFIX).
END
}

new_command() {
  case ${1:-} in
    --help | -h) new_usage; return 0 ;;
    '' | -*) fail 2 "new requires a name for the project, such as mine, not '${1:-}'; bin/orujo new --help" ;;
  esac
  (($# <= 2)) || fail 2 "new takes a name and a folder, not '$3'"
  local name=$1 folder=${2:-$1} template=$root/applications/examples/external_project prefix="\$HOME/orujo"
  # CMake would take other names for its own targets, or not at all.
  [[ $name =~ ^[A-Za-z][A-Za-z0-9_]*$ && $name != @(all|clean|help|install|main|orujo|test) ]] ||
    fail 2 "'$name' cannot be the name of a program: use letters, digits and _, such as my_ranks"
  [[ ! $installed ]] || template=$root/share/orujo/project prefix=$root
  [[ ! -e $folder || -d $folder && ! $(ls -A -- "$folder") ]] || fail 2 "$folder exists: pass another folder: bin/orujo new $name FOLDER"
  { mkdir -p -- "$folder" && cp -- "$template"/{CMakeLists.txt,README.md,main.cpp} "$folder"; } 2>/dev/null ||
    fail 74 "cannot write to $folder: pass another folder: bin/orujo new $name FOLDER"
  # shellcheck disable=SC2001
  prefix=$(sed 's/[\\&#]/\\&/g' <<<"$prefix")
  sed -i "s/collatz/$name/g; s#\$HOME/orujo#$prefix#g; /^# A project of one/c # $name, a program on top of Orujo." "$folder/CMakeLists.txt"
  sed -i "s/collatz/$name/g; s#\$HOME/orujo#$prefix#g; s/^# .*/# $name/" "$folder/README.md"
  say "made $folder; its README.md says how to build and run it"
}
