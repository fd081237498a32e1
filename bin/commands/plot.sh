# shellcheck shell=bash disable=SC2154 # root
# orujo plot: a page with pictures of a run, from the files of --stats_json and --trace_json.

plot_command() {
  command -v python3 >/dev/null || fail 71 "plot requires python3; bin/orujo setup installs it"
  PYTHONDONTWRITEBYTECODE=1 python3 "$root/bin/plot/report.py" "$@"
}
