# shellcheck shell=bash disable=SC2154,SC2034 # root, globals of the job
# orujo plot: a page with pictures of a run, from the files of --stats_json, --trace_json and --output. run --report
# asks the application for them.
# Requires Orujo's sources.
summaries[plot]='make a report with pictures of a run'

plot_command() {
  command -v python3 >/dev/null || fail 71 "plot requires python3; bin/orujo setup installs it"
  python3 "$root/bin/lab" plot "$@"
}

report_files=() # that the application writes for it

# check_report PAGE: refuses a report that cannot be made, before the job starts.
check_report() {
  local report=$1
  command -v python3 >/dev/null || fail 71 "--report requires python3; bin/orujo setup installs it"
  [[ $report != */* || -d ${report%/*}/ ]] || fail 74 "--report=$report: no directory ${report%/*}; create it first"
  [[ ! -d $report ]] || fail 2 "--report=$report is a directory; name a file, such as $report/report.html"
}

# Adds to the arguments the flags of a report's files that the application has and the user did not pass.
ask_for_report() {
  local flags flag file suffix k name folder=$job_directory/report
  report_files=()
  # Core 0, which writes the files, may be on another host. That one usually finds the working directory.
  ((hosts == 1)) || folder=$(mktemp -d "$PWD/.orujo-report.XXXXXX") || fail 74 "--report requires a writable working directory"
  ((hosts == 1)) || far_report_directory=$folder
  mkdir -p "$folder"
  flags=$("$program" --helpfull 2>/dev/null </dev/null) || true
  for flag in stats_json trace_json output; do
    file='' suffix=.json
    [[ $flag != output ]] || suffix=.csv
    for k in "${!arguments[@]}"; do
      name=${arguments[k]%%=*}
      [[ ${name//-/_} =~ ^__?$flag$ ]] || continue
      if [[ ${arguments[k]} == *=* ]]; then file=${arguments[k]#*=}; else file=${arguments[k + 1]:-}; fi
    done
    if [[ $file == *$suffix ]]; then
      report_files+=("$file")
    elif [[ $file ]]; then
      say "--report leaves out --$flag=$file, which is no $suffix file"
    elif [[ $flag != output && $flags == *"--$flag ("* ]] || { [[ $flag == output ]] && writes_values "$flags"; }; then
      report_files+=("$folder/$flag$suffix")
      arguments+=("--$flag=$folder/$flag$suffix")
    fi
  done
}

# writes_values HELP: returns whether the application's --output has a value of each vertex, and CSV is possible.
writes_values() {
  [[ $1 == *'one line per vertex'* && ${program##*/} != graph_tool && ! " ${arguments[*]}" =~ \ --?output[_-]format ]]
}

# make_report STATUS PAGE: the page, if the application, which ended with STATUS, wrote its files. Returns STATUS, or of a
# page that cannot be made its own one.
make_report() {
  local file files=()
  # An application that finds its result wrong ends with 1, and has written them.
  (($1 <= 1)) || return "$1"
  for file in "${report_files[@]}"; do [[ ! -f $file ]] || files+=("$file"); done
  if ((${#files[@]} == 0)); then
    say "no report: $application writes no files for it"
  else
    plot_command "${files[@]}" -o "$2" || { (($1 != 0)) || return; }
  fi
  return "$1"
}
