#include "applications/harness/core_shares.hpp"

#include <algorithm>

#include "system/report/merged_steps.hpp"
#include "system/report/merged_traffic.hpp"

namespace orujo::internal::harness {
namespace {

base::json told_of_step(const report::merged_step& s) {
  using observe::step;
  return {{"run", s.what.run},
          {"superstep", s.what.number},
          {"supersteps", s.what.supersteps},
          {"direction", s.what.direction},
          {"frontier", s.what.frontier},
          {"edges", s.what.edges == step::not_counted ? base::json() : base::json(s.what.edges)},
          {"seconds", s.seconds},
          {"mean_busy_seconds", s.mean_busy},
          {"most_busy_seconds", s.most_busy},
          {"mean_waiting_seconds", s.mean_waited},
          {"most_waiting_seconds", s.most_waited}};
}

base::json told_of_traffic(const messages::traffic_table& all) {
  base::json told = base::json::array();
  for (locale_id from = 0; from < all.locales(); ++from) {
    for (locale_id to = 0; to < all.locales(); ++to) {
      const messages::pair_traffic& p = all.between(from, to);
      if (p.messages == 0) continue;
      told.push_back({{"from", from}, {"to", to}, {"messages", p.messages}, {"bytes", p.bytes}});
    }
  }
  return told;
}

}  // namespace

base::json told_of_job() {
  const report::merged_steps steps = report::end_step_logs();
  base::json told = base::json::object();
  if (!steps.steps.empty()) {
    told["supersteps"] = base::json::array();
    for (const report::merged_step& s : steps.steps) told["supersteps"].push_back(told_of_step(s));
    told["supersteps_left_out"] = steps.left_out;
    told["core_seconds"] = {{"busy", steps.busy}, {"waiting", steps.waited}};
  }
  told["traffic"] = told_of_traffic(report::merged_traffic());
  return told;
}

core_meter::core_meter() : before_(report::waited_by_core()) {}

base::json core_meter::finish(double seconds) const {
  std::vector<double> waited = report::waited_by_core(), busy(waited.size());
  for (std::size_t c = 0; c < waited.size(); ++c) {
    waited[c] = std::min(waited[c] - before_[c], seconds);
    busy[c] = seconds - waited[c];
  }
  return {{"busy", busy}, {"waiting", waited}};
}

}  // namespace orujo::internal::harness
