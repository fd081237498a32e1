#include "system/machine/caches.hpp"

#include <unistd.h>

#include <charconv>
#include <fstream>

namespace orujo::machine {

std::size_t detail::parse_cache_size(const std::string& text) {
  std::size_t size = 0;
  const char* const end = text.data() + text.size();
  const auto [past, error] = std::from_chars(text.data(), end, size);
  if (error != std::errc() || size > (std::size_t{1} << 40)) return 0;
  if (past == end) return size;
  if (past + 1 != end) return 0;
  return *past == 'K' ? size << 10 : *past == 'M' ? size << 20 : 0;
}

std::size_t second_level_cache_bytes() {
  static const std::size_t bytes = []() -> std::size_t {
#ifdef _SC_LEVEL2_CACHE_SIZE
    if (const long known = sysconf(_SC_LEVEL2_CACHE_SIZE); known > 0) return static_cast<std::size_t>(known);
#endif
    for (int index = 0; index < 8; ++index) {
      const std::string folder = "/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(index);
      std::string level, size;
      std::ifstream(folder + "/level") >> level;
      std::ifstream(folder + "/size") >> size;
      if (level != "2") continue;
      if (const std::size_t known = detail::parse_cache_size(size); known > 0) return known;
    }
    return std::size_t{1} << 20;
  }();
  return bytes;
}

}  // namespace orujo::machine
