#include "framework/gas/superstep_report.hpp"

#include <fmt/format.h>

#include <string>

#include "framework/gas/run_options.hpp"
#include "system/base/identity.hpp"

namespace orujo::internal::gas::detail {

superstep_report::superstep_report(int most, int planned, std::uint64_t vertices)
    : most_(most), planned_(planned), vertices_(vertices) {
  if (my_core() == 0) line_.emplace();
}

void superstep_report::begins(int number, std::uint64_t active, double change) {
  if (!line_) return;
  number_ = number;
  begun_ = std::chrono::steady_clock::now();
  if (!line_->due()) return;
  std::string text = fmt::format("superstep {}", number);
  if (planned_ > 0)
    text += fmt::format(" of {}", planned_);
  else if (most_ != run_options{}.most_supersteps)
    text += fmt::format(" of at most {}", most_);
  if (change >= 0 && number > 1) text += fmt::format(", last change {:.1e}", change);
  text += fmt::format(", {} of {} vertices active", active, vertices_);
  line_->show(text, static_cast<std::uint64_t>(number - 1), static_cast<std::uint64_t>(planned_));
}

void superstep_report::ends(bool pushed, std::uint64_t active) {
  if (!line_) return;
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begun_;
  observe::log_superstep(number_, pushed, active, taken.count());
}

}  // namespace orujo::internal::gas::detail
