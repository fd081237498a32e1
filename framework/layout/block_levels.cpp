#include "framework/layout/block_levels.hpp"

#include <unistd.h>

#include <fstream>

#include "system/base/numbers.hpp"

namespace orujo::internal::layout {
namespace {

constexpr std::size_t most_levels = 16;
constexpr std::size_t most_bytes = std::size_t{1} << 40;

std::size_t known_or(long known, std::size_t otherwise) {
  return known > 0 ? static_cast<std::size_t>(known) : otherwise;
}

void add(block_levels& to, std::size_t bytes) {
  if (to.empty() || (bytes > to.back() && bytes % to.back() == 0)) to.push_back(bytes);
}

}  // namespace

block_levels machine_levels() {
  block_levels levels;
#ifdef _SC_LEVEL1_DCACHE_LINESIZE
  add(levels, known_or(sysconf(_SC_LEVEL1_DCACHE_LINESIZE), 64));
#else
  add(levels, 64);
#endif
  add(levels, 1024);
  add(levels, known_or(sysconf(_SC_PAGESIZE), 4096));
  std::size_t huge = 0;
  std::ifstream("/sys/kernel/mm/transparent_hugepage/hpage_pmd_size") >> huge;
  add(levels, huge > 0 ? huge : std::size_t{2} << 20);
  return levels;
}

std::optional<block_levels> parse_levels(std::string_view text) {
  if (text == "auto") return machine_levels();
  block_levels levels;
  for (;;) {
    const std::size_t bytes = base::take_number<std::size_t>(text).value_or(0);
    if (bytes == 0 || bytes > most_bytes || levels.size() == most_levels) return {};
    if (!levels.empty() && (bytes <= levels.back() || bytes % levels.back() != 0)) return {};
    levels.push_back(bytes);
    if (text.empty()) return levels;
    if (text.front() != ',') return {};
    text.remove_prefix(1);
  }
}

std::string to_text(const block_levels& levels) {
  std::string text;
  for (const std::size_t bytes : levels) text.append(text.empty() ? "" : ",").append(std::to_string(bytes));
  return text;
}

}  // namespace orujo::internal::layout
