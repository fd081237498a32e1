# shellcheck shell=bash disable=SC2154,SC2034 # installed, summaries
# orujo explore: what a file is read as.
summaries[explore]="show what a graph's file is read as, and the command that loads it"

explore_usage() {
  cat <<'END'
Usage: bin/orujo explore FILE [FLAG...]

Prints what the graph readers make of the start of FILE: its format, header and columns, the first
edges, duplicates and self-loops in the first MiB, and the command that loads it so. FLAGs are
those of the readers, such as --names or --source_column=Sender; bin/orujo run graph_tool --help
shows them.
END
}

explore_command() {
  case ${1:---help} in
    --help | -h) explore_usage; return 0 ;;
    -*) fail 2 "explore requires a file in front of its flags, not '$1'; bin/orujo explore --help" ;;
  esac
  if [[ $installed ]]; then
    run_command -n 1 -c 1 graph_tool explore "$@" | by_its_name
  else
    run_command -n 1 -c 1 graph_tool explore "$@"
  fi
}
