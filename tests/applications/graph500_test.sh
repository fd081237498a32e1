#!/usr/bin/env bash
# Runs graph500 as a user does.
source "$(dirname "${BASH_SOURCE[0]}")/application_cases.sh" graph500

# The figures that do not depend on the clock.
figures() { grep -E '^(SCALE|edgefactor|NBFS|[a-z_]*nedge)' "$work/out"; }

# The reference code's block, to the letter: names, blanks, and where the values begin.
block() { # block KERNEL...
  local what k kernels=() statistics='min firstquartile median thirdquartile max mean stddev'
  for k; do kernels+=("$(printf '%-5s' "$k")"); done
  for what in SCALE edgefactor NBFS graph_generation num_mpi_processes construction_time; do printf '%-32s\n' "$what:"; done
  for k in "${kernels[@]}"; do for what in $statistics; do printf '%-32s\n' "$k${what}_time:"; done; done
  for what in $statistics; do printf '%-32s\n' "${what}_nedge:"; done
  for k in "${kernels[@]}"; do
    for what in min firstquartile median thirdquartile max; do printf '%-32s\n' "$k${what}_TEPS:"; done
    printf '%-29s!  \n%-32s\n' "${k}harmonic_mean_TEPS:" "${k}harmonic_stddev_TEPS:"
  done
  for k in "${kernels[@]}"; do for what in $statistics; do printf '%-32s\n' "$k${what}_validate:"; done; done
}
shows_block() { cmp -s <(block "$@") <(sed -n '/^SCALE/,/stddev_validate/p; /stddev_validate/q' "$work/out" | cut -c 1-32) ||
  cmp -s <(block "$@") <(grep -vE '^[bs][a-z]* *(mean|max)_[a-z_]*_(time|bytes|bytes_raw):|^valid: |^orujo' "$work/out" | cut -c 1-32); }

for split in '1 1' '1 2' '2 1'; do
  # shellcheck disable=SC2086
  run $split --scale=10 --kernel=both --roots=4 --verify --stats_json="$work/stats.json"
  [[ $status == 0 && $(figures | wc -l) == 10 && $(grep -c 'harmonic_mean_TEPS' "$work/out") == 2 &&
    $(grep -c '"validate_seconds"' "$work/stats.json") == 8 ]] && prints '^valid: 8 trees$' &&
    grep -q '"verified": true' "$work/stats.json"
  report $? "bfs and sssp of scale 10 are valid on $split"
  check '... in one block, as the reference code writes it' shows_block bfs sssp
  figures >"$work/figures.${split/ /x}"
  cmp -s "$work/figures.1x1" "$work/figures.${split/ /x}"
  report $? '... with the figures of 1 1'
done

for split in '1 1' '1 2' '2 1' '4 1' '3 2'; do
  # shellcheck disable=SC2086
  run $split --scale=10 --partition=2d --roots=4 --verify --stats_json="$work/stats.json"
  [[ $status == 0 && $(grep -c '"row_bytes_raw"' "$work/stats.json") == 4 ]] && prints '^valid: 4 trees$' &&
    prints '^bfs  mean_expansion_time: ' && prints '^bfs  max_parents_time: ' && prints '^bfs  mean_column_bytes: '
  report $? "bfs of scale 10 on a grid is valid on $split"
  figures >"$work/figures.2d"
  cmp -s "$work/figures.1x1" "$work/figures.2d"
  report $? '... with the figures of --partition=1d'
done

for split in '1 1' '1 2' '2 1' '4 1'; do
  # shellcheck disable=SC2086
  run $split --scale=10 --partition=2d --device=emulated --roots=4 --verify --stats_json="$work/stats.json" --print_settings
  [[ $status == 0 && $(grep -c '"copies_seconds"' "$work/stats.json") == 4 ]] && prints '^valid: 4 trees$' &&
    prints '^bfs  mean_copies_time: ' && grep -q 'device at locale 0: emulated on the CPU' "$work/err"
  report $? "bfs of scale 10 on an emulated GPU is valid on $split"
  figures >"$work/figures.GPU"
  cmp -s "$work/figures.1x1" "$work/figures.GPU"
  report $? '... with the figures of the CPU'
done
run 1 1 --scale=8 --partition=2d --device=auto --roots=2
[[ $status == 0 ]]
report $? '--device=auto goes on with the CPU where there is no GPU'

for layout in degree bfs random; do
  run 2 2 --scale=10 --kernel=both --roots=4 --layout="$layout" --verify
  figures >"$work/figures.layout"
  [[ $status == 0 ]] && prints '^valid: 8 trees$' && cmp -s "$work/figures.1x1" "$work/figures.layout"
  report $? "--layout=$layout has the figures of none"
done

run 2 1 --scale=12 --skip_validation --roots=2 --stats_json="$work/stats.json"
[[ $status == 0 ]] && prints '^NBFS: *2$' && prints '^bfs  mean_exchange_time: ' && ! prints 'validate|valid$' &&
  ! prints TEPS && ! grep -q edges_per_second "$work/stats.json"
report $? '--skip_validation validates nothing, and says no TEPS'
python3 - "$work/stats.json" <<'END'
import json, sys
names = ("push", "pull", "exchange", "reduction", "parents")
for trial in json.load(open(sys.argv[1]))["trials"]:
    for name in names:
        assert trial[name + "_seconds"] <= trial[name + "_seconds_max"] <= trial["seconds"], (name, trial)
    assert sum(trial[name + "_seconds"] for name in names) <= trial["seconds"], trial
END
report $? 'the mean of the cores is below the largest, and the parts make up no more than the time'
run 1 1 --scale=1 --edgefactor=2
[[ $status == 0 ]] && prints '^NBFS: *2$'
report $? 'a graph with fewer vertices than roots is searched from each'

refuses 2 '--kernel=dfs: must be bfs, sssp or both' --kernel=dfs
refuses 2 '--partition=3d: must be 1d, or 2d with --kernel=bfs' --partition=3d
refuses 2 '--partition=2d: must be 1d, or 2d with --kernel=bfs' --partition=2d --kernel=both
refuses 2 '--device=emulated has an effect only with --partition=2d' --device=emulated
refuses 2 '--layout has no effect' --partition=2d --layout=degree
refuses 2 '--scale=0: must be from 1 to 40' --scale=0

end_of_cases
