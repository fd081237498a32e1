#include "system/runtime/cpu_share.hpp"

#include <algorithm>
#include <cstdint>

#include "system/base/by_core.hpp"
#include "system/machine/cpus.hpp"

namespace orujo::internal::runtime {

cpu_share find_cpu_share(transport::transport& link) {
  cpu_share share;
  share.domains = machine::usable_domains();
  share.cpus = machine::usable_cpus();
  const by_locale<std::uint64_t> all = link.all_gather(machine::cpus_fingerprint());
  const std::uint64_t mine = all[link.locale()];
  share.locales = static_cast<std::size_t>(std::count(all.begin(), all.end(), mine));
  share.place = static_cast<std::size_t>(std::count(all.begin(), all.begin() + link.locale(), mine));
  return share;
}

bool is_crowded(const cpu_share& share, int cores_of_locale) {
  return share.cpus.size() < static_cast<std::size_t>(cores_of_locale) * share.locales;
}

std::vector<int> cpus_to_pin(const cpu_share& share, int cores_of_locale) {
  if (is_crowded(share, cores_of_locale)) return {};
  const auto cores = static_cast<std::size_t>(cores_of_locale);
  const auto first = share.cpus.begin() + static_cast<std::ptrdiff_t>(cores * share.place);
  return {first, first + cores_of_locale};
}

}  // namespace orujo::internal::runtime
