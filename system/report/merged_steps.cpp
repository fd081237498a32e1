#include "system/report/merged_steps.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "system/delegates/bulk.hpp"
#include "system/delegates/call_on_all.hpp"
#include "system/loops/forall.hpp"

namespace orujo::internal::report {
namespace {

using observe::step;
using observe::step_time;

struct times_place {
  const step_time* first = nullptr;
  std::size_t count = 0;
};

times_place prepare_times() {
  auto* const log = base::part_here<observe::step_log>();
  if (!log) return {};
  log->shared_times.clear();
  for (std::size_t k = 0; k < log->steps.size(); ++k) {
    if (!log->steps[k].alone) log->shared_times.push_back(log->times[k]);
  }
  return {log->shared_times.data(), log->shared_times.size()};
}

void add(merged_step& to, const step_time& t, int sharers) {
  const double busy = t.seconds - t.waited;
  to.mean_busy += busy / sharers;
  to.mean_waited += t.waited / sharers;
  to.most_busy = std::max(to.most_busy, busy);
  to.most_waited = std::max(to.most_waited, t.waited);
}

}  // namespace

void begin_step_logs() {
  loops::on_all_cores([] { observe::begin_step_log_here(); });
}

merged_steps end_step_logs() {
  merged_steps merged;
  const auto* mine = base::part_here<observe::step_log>();
  if (!mine) return merged;
  merged.left_out = mine->left_out;
  std::vector<std::size_t> shared;  // indices of the supersteps that all took part in
  for (std::size_t k = 0; k < mine->steps.size(); ++k) {
    merged.steps.push_back({.what = mine->steps[k], .seconds = mine->times[k].seconds});
    if (mine->steps[k].alone) {
      add(merged.steps[k], mine->times[k], 1);
    } else {
      shared.push_back(k);
    }
  }
  by_core<times_place> places(cores());
  delegates::call_on_all([] { return prepare_times(); },
                         [&](core_id c, const times_place& at) { places[c] = at; });
  std::vector<step_time> times;
  for (core_id c = 0; c < cores(); ++c) {
    const times_place& at = places[c];
    times.resize(std::min(at.count, shared.size()));
    if (!times.empty())
      delegates::get(memory::global_address<const step_time>(c, at.first), std::span(times));
    step_time all;
    for (std::size_t k = 0; k < times.size(); ++k) {
      add(merged.steps[shared[k]], times[k], cores());
      all.seconds += times[k].seconds;
      all.waited += times[k].waited;
    }
    merged.busy.push_back(all.seconds - all.waited);
    merged.waited.push_back(all.waited);
  }
  loops::on_all_cores([] { observe::end_step_log_here(); });
  return merged;
}

std::vector<double> waited_by_core() {
  by_core<double> waited(cores());
  delegates::call_on_all([] { return static_cast<double>(observe::waiting_ns.value_here()) * 1e-9; },
                         [&](core_id c, double seconds) { waited[c] = seconds; });
  return waited;
}

}  // namespace orujo::internal::report
