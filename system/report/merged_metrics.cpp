#include "system/report/merged_metrics.hpp"

#include "system/delegates/bulk.hpp"
#include "system/delegates/delegate.hpp"
#include "system/loops/forall.hpp"

namespace orujo::internal::report {

observe::metric_values merged_metrics() {
  by_core<std::vector<std::byte>> of_core(cores());
  loops::forall_here({0, of_core.size()},
                     [&](std::size_t k) {
                       const auto core = static_cast<core_id>(k);
                       const auto values = delegates::call(core, [] { return observe::all_values_here(); });
                       of_core[core].resize(values.size());
                       delegates::get(memory::global_address<const std::byte>(core, values.data()),
                                      std::span(of_core[core]));
                     },
                     {true, 1});
  observe::metric_values merged;
  for (const auto& values : of_core) merged.merge(values);
  return merged;
}

void reset_metrics() {
  loops::on_all_cores([] {
    observe::reset_metrics_here();
    messages::messenger::here().reset_traffic();
    while (leads_locale() && !messages::messenger::here().post().try_reset_traffic()) tasks::yield();
  });
}

}  // namespace orujo::internal::report
