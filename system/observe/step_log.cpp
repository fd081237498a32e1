#include "system/observe/step_log.hpp"

#include <memory>

namespace orujo::observe {

const counter waiting_ns("scheduler.waiting_ns", "nanoseconds in which a core had nothing to do");

namespace {
thread_local std::unique_ptr<step_log> log_here;
}

void begin_step_log_here() {
  log_here = std::make_unique<step_log>();
  detail::steps_here = log_here.get();
}

void end_step_log_here() {
  detail::steps_here = nullptr;
  log_here.reset();
}

void step_scope::begin(const step& what) {
  what_ = what;
  waited_before_ = waiting_ns.value_here();
  start_ = base::ticks();
}

// The log may have ended during the superstep.
void step_scope::end() const {
  step_log* log = detail::steps_here;
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

}  // namespace orujo::observe
