#!/usr/bin/env bash
# Runs minimd as a user does: known answers, the same on any split and under any schedule, clear errors, statistics.
source "$(dirname "${BASH_SOURCE[0]}")/application_cases.sh" minimd

# The crystal at density 0.8442 as LAMMPS prints it for its benchmark of 32,000 atoms: potential -6.7733681 per atom,
# pressure -5.0197073.
run 1 2 --size=20 --steps=1
[[ $status == 0 ]] && prints '^ +0 +1\.440000 +-6\.773368 +-4\.613436 +-5\.019707$' && prints '^atoms: 32,000, box 33\.59 x '
report $? 'the first state is that of the benchmark'

# Neither locales, cores, schedules nor delays change a bit; a grid of locales may be finer than the grid of cells.
told='"(temperature|potential|total|pressure|energy_drift|farthest_move|rebuilds)"'
same() {
  local split=$1
  shift
  # shellcheck disable=SC2086
  run $split --size=4x5x6 --steps=30 --rebuild_every=10 --verify --stats_json="$work/stats.json" "$@"
  [[ $status == 0 && $(grep -c '^verified: .* serial steps lead' "$work/out") == 1 ]] && grep -E "$told" "$work/stats.json" >"$work/told"
  [[ -e $work/first ]] || cp "$work/told" "$work/first"
  [[ $(wc -l <"$work/told") == 7 ]] && cmp -s "$work/told" "$work/first"
  report $? "on $split $* the same comes out, and is verified"
}
same '1 1'
same '2 1'
same '1 3' --schedule=static
same '1 2' --schedule=round_robin --chunk_atoms=7
same '1 2' --schedule=dynamic --chunk_atoms=1
same '2 2' --schedule=guided --chaos_seed=3
same '4 1' --schedule=static_steal
same '3 2' --schedule=usersched --chunk_atoms=100000
same '2 3' --schedule=usersched_profiled
same '37 1'

run 2 1 --size=6 --steps=40 --trials=2 --thermo_every=15 --norebuild_when_moved --stats_json="$work/stats.json"
[[ $status == 0 && $(grep -cE '^ +(0|15|30|40) ' "$work/out") == 8 ]] &&
  grep -q '"verified": null' "$work/stats.json" && (($(grep -c '"rebuilds": 2' "$work/stats.json") == 2)) &&
  (($(grep -c '"imbalance": [0-9]' "$work/stats.json") == 2)) && (($(grep -c '"force_seconds": [0-9]' "$work/stats.json") == 2)) &&
  prints 'lists made 2 times, .* neighbours per atom; force loop by usersched_profiled: the busiest core had .* and began with'
report $? 'states, trials and phases are told'

refuses 2 '--size=4x4: must be a number from 1 to 10000, or three of them such as 20x20x40' --size=4x4
refuses 2 '--size=1x0x2: must be' --size=1x0x2
refuses 2 '--size=8x: must be' --size=8x
refuses 2 "the box's shortest edge is 5.04; expected at least 5.60, twice --cutoff and --skin, so at least 4 unit cells" --size=3
refuses 2 'at most 2^29 a locale' --size=10000
refuses 2 '--verify examines every pair of 108,000 atoms' --size=30 --verify
refuses 2 '--verify and --norebuild_when_moved exclude each other' --verify --norebuild_when_moved
refuses 2 '--schedule=best: must be auto, static, round_robin, dynamic, guided, static_steal, usersched or usersched_profiled' \
  --schedule=best
refuses 2 '--dt=0: must be above 0' --dt=0
refuses 2 '--skin=0: must be from 0.01 to 5' --skin=0
refuses 2 '--dt=1: the atoms flew apart before step 100' --dt=1 --size=4
refuses 71 'bytes' --size=300 --memory_budget_bytes=1000000000

run 1 1 --help
[[ $status == 0 ]] && prints '^ +--size' && prints 'bin/orujo run minimd --size=20'
report $? '--help shows the flags'

end_of_cases
