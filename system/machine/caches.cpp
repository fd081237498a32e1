#include "system/machine/caches.hpp"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "system/base/numbers.hpp"

namespace orujo::internal::machine {

std::size_t detail::parse_cache_size(std::string_view text) {
  const std::size_t size = base::take_number<std::size_t>(text).value_or(0);
  if (size > (std::size_t{1} << 40)) return 0;
  return text.empty() ? size : text == "K" ? size << 10 : text == "M" ? size << 20 : 0;
}

int detail::count_cpus(const std::string& list) {
  constexpr int most = 1 << 20;
  int all = 0;
  std::istringstream ranges(list);
  for (std::string range; std::getline(ranges, range, ',');) {
    const std::size_t dash = std::min(range.find('-'), range.size());
    const auto first = base::number_of<int>(std::string_view(range).substr(0, dash));
    const auto last =
        dash < range.size() ? base::number_of<int>(std::string_view(range).substr(dash + 1)) : first;
    if (!first || !last || *first < 0 || *last < *first || *last > most) return 1;
    all += *last - *first + 1;
  }
  return std::max(all, 1);
}

std::vector<cache> data_caches(const std::string& root) {
  std::vector<cache> found;
  for (int index = 0; index < 8; ++index) {
    const std::string folder =
        root + "/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(index) + "/";
    std::string type, size, cpus;
    cache one;
    std::ifstream(folder + "type") >> type;
    std::ifstream(folder + "size") >> size;
    std::ifstream(folder + "level") >> one.level;
    std::ifstream(folder + "shared_cpu_list") >> cpus;
    one.bytes = detail::parse_cache_size(size);
    one.cpus = detail::count_cpus(cpus);
    if ((type == "Data" || type == "Unified") && one.level > 0 && one.bytes > 0) found.push_back(one);
  }
  std::ranges::sort(found, {}, &cache::level);
  return found;
}

std::size_t second_level_cache_bytes() {
  static const std::size_t bytes = []() -> std::size_t {
#ifdef _SC_LEVEL2_CACHE_SIZE
    if (const long known = sysconf(_SC_LEVEL2_CACHE_SIZE); known > 0) return static_cast<std::size_t>(known);
#endif
    const std::vector<cache> caches = data_caches();
    const auto second = std::ranges::find(caches, 2, &cache::level);
    return second != caches.end() ? second->bytes : std::size_t{1} << 20;
  }();
  return bytes;
}

}  // namespace orujo::internal::machine
