# shellcheck shell=bash disable=SC2154,SC2034 # summaries
# orujo tune: measures this machine for the choices that depend on it.
summaries[tune]='measure this machine, so that programs choose the fastest settings'

tune_usage() {
  cat <<'END'
Usage: bin/orujo tune [OPTION...] [FLAG...]

Measures the speed of this machine's memory, in about a second, and writes it to a file in the
user's cache directory ($XDG_CACHE_HOME/orujo, or ~/.cache/orujo), one for each kind of machine.
Programs read it to choose their settings. Without it they guess from the sizes of the caches. Run
it on an otherwise idle machine.
  -n LOCALES   number of processes; with two or more, messages between them are measured, too
               (default 1)
  -c CORES     cores of each locale (default: as `run` chooses)
FLAGs go to the program: --trials=5 measures longer, --keep=false only prints the figures; bin/orujo
run tune --help shows all.
END
}

tune_command() {
  local argument options=()
  for argument; do
    case $argument in
      --help | -h) tune_usage; return 0 ;;
    esac
  done
  while (($# > 0)); do
    case $1 in
      -n | --locales | -c | --cores) need_value "$1" $#; options+=("$1" "$2"); shift 2 ;;
      -n?* | -c?* | --locales=* | --cores=*) options+=("$1"); shift ;;
      *) break ;;
    esac
  done
  run_command "${options[@]}" tune "$@"
}
