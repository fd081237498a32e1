# shellcheck shell=bash disable=SC2154,SC2034 # root, summaries
# orujo bench: builds the program of benchmarks and runs it as a job, or repeats the papers' claims.
# Requires Orujo's sources.
summaries[bench]='build and run the benchmarks'

bench_usage() {
  cat <<'END'
Usage: bin/orujo bench [OPTION...] [FLAG...]
       bin/orujo bench papers [OPTION...]
       bin/orujo bench ldbc [-n LOCALES] [-c CORES] FOLDER...
       bin/orujo bench scaling [OPTION...]
       bin/orujo bench choices [OPTION...]

Builds the micro-benchmarks in the release preset and runs them in the main task of a job.
  -n LOCALES      number of processes (default 1)
  -c CORES        cores of each locale (default: as `run` chooses)
  --filter=REGEX  run only the benchmarks whose names match
  --json=FILE     also write the results to FILE as JSON
FLAGs go to the program: Google Benchmark's (--benchmark_repetitions=10, --benchmark_list_tests) and
the runtime's (--stack_bytes=16384). docs/benchmarks/how_we_measure.md says how to measure.

Other benchmarks; each shows its options with --help:
  papers   repeats claims of five papers (--paper=NAME: of one); table and plots in build/papers/
  ldbc     runs the six algorithms of LDBC Graphalytics on its graphs, and compares with its
           references
  scaling  measures pagerank, bfs and gups over cores, locales and nodes; table and plots in
           build/scaling/; with --model fits a model, and draws it to 16,384 cores
  choices  compares what programs choose by themselves with the best settings, on twelve graphs
END
}

bench_command() {
  case ${1:-} in
    papers)
      # The targets depend on the claims that are requested.
      bench_script "$(python3 "$root/bin/lab" papers --targets "${@:2}" 2>/dev/null)" "$@"
      return
      ;;
    ldbc) bench_script "bfs connected_components label_propagation pagerank sssp triangle_counting" "$@"; return ;;
    choices) bench_script "pagerank bfs sssp connected_components engine_lab" "$@"; return ;;
    scaling) bench_script "pagerank bfs gups tune delaying_switch" "$@"; return ;;
  esac
  local options=() flags=()
  while (($# > 0)); do
    case $1 in
      -n | --locales | -c | --cores) need_value "$1" $#; options+=("$1" "$2"); shift ;;
      --filter | --json) need_value "$1" $#; set -- "$1=$2" "${@:3}"; continue ;;
      --filter=*) flags+=("--benchmark_filter=${1#*=}") ;;
      --json=*) flags+=("--benchmark_out=${1#*=}" --benchmark_out_format=json) ;;
      -n?* | -c?* | --locales=* | --cores=*) options+=("$1") ;;
      --help | -h) bench_usage; return 0 ;;
      --?*) flags+=("$1") ;;
      *) fail 2 "bench has no option or argument '$1'; bin/orujo bench --help" ;;
    esac
    shift
  done
  set_up_if_needed release
  build_preset release benchmarks
  ORUJO_NO_BUILD=1 run_command "${options[@]}" "$root/build/release/tests/benchmarks" "${flags[@]}"
}

# bench_script "TARGET..." NAME ARGUMENT...: builds the targets and runs the benchmark of bin/lab.
bench_script() {
  local targets argument
  read -ra targets <<<"$1"
  shift
  command -v python3 >/dev/null || fail 71 "this benchmark requires python3; bin/orujo setup installs it"
  for argument; do
    [[ $argument != --help && $argument != -h ]] || targets=()
  done
  if ((${#targets[@]} > 0)) && [[ ! ${ORUJO_NO_BUILD:-} ]]; then
    set_up_if_needed release
    build_preset release "${targets[@]}"
  fi
  python3 "$root/bin/lab" "$@"
}
