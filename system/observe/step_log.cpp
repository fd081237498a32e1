#include "system/observe/step_log.hpp"

namespace orujo::internal::observe {

const counter waiting_ns("scheduler.waiting_ns", "nanoseconds in which a core had nothing to do");

void begin_step_log_here() { base::made_part<step_log>() = {}; }

void end_step_log_here() { base::drop_part<step_log>(); }

void step_scope::begin(const step& what) {
  what_ = what;
  waited_before_ = waiting_ns.value_here();
  start_ = base::ticks();
}

// The log may have ended during the superstep.
void step_scope::end() const {
  auto* log = base::part_here<step_log>();
  if (!log) return;
  const std::uint32_t number = log->next_number;
  log->next_number += what_.supersteps;
  if (log->steps.size() == step_log::capacity) {
    ++log->left_out;
    return;
  }
  const double seconds = static_cast<double>(base::ticks() - start_) * base::ns_per_tick() * 1e-9;
  const double waited = static_cast<double>(waiting_ns.value_here() - waited_before_) * 1e-9;
  log->steps.push_back(what_);
  log->steps.back().run = log->runs == 0 ? 0 : log->runs - 1;
  log->steps.back().number = number;
  log->times.push_back({seconds, waited < seconds ? waited : seconds});
}

}  // namespace orujo::internal::observe
