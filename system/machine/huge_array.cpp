#include "system/machine/huge_array.hpp"

#include <fmt/format.h>
#include <glog/logging.h>
#include <sys/mman.h>

#include <fstream>

#include "system/base/fatal.hpp"

namespace orujo::internal::machine {
namespace {

constexpr std::size_t huge_page_bytes = std::size_t{2} << 20;

// Rounds arrays of at least one huge page up to whole huge pages, so that the end is on a huge page, too.
std::size_t mapped_bytes(std::size_t bytes) {
  const std::size_t page = bytes >= huge_page_bytes ? huge_page_bytes : 4096;
  return (bytes + page - 1) / page * page;
}

void warn_without_huge_pages() {
  [[maybe_unused]] static const bool once = [] {
    LOG_IF(WARNING, !gives_huge_pages())
        << "no huge pages: large graphs run up to 1.4 times slower; "
           "echo madvise >/sys/kernel/mm/transparent_hugepage/enabled as root, on the host of a container";
    return true;
  }();
}

}  // namespace

bool gives_huge_pages(const std::string& root) {
  std::ifstream file(root + "/sys/kernel/mm/transparent_hugepage/enabled");
  std::string setting;
  return std::getline(file, setting) && setting.find("[never]") == std::string::npos;
}

void* try_map_memory(std::size_t bytes, pages kind) {
  const std::size_t mapped = mapped_bytes(bytes);
  void* memory =
      mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  // A hint: pages of the other size work as well.
  if (mapped >= huge_page_bytes) {
    madvise(memory, mapped, kind == pages::huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
    if (kind == pages::huge) warn_without_huge_pages();
  }
  return memory;
}

void* map_memory(std::size_t bytes, pages kind) {
  void* memory = try_map_memory(bytes, kind);
  if (!memory) {
    base::fail(exit_status::no_resource,
               fmt::format("cannot map {} bytes: use a smaller graph or more locales on more nodes", bytes));
  }
  return memory;
}

void unmap_memory(void* memory, std::size_t bytes) { munmap(memory, mapped_bytes(bytes)); }

void discard_pages(void* memory, std::size_t bytes) {
  constexpr std::uintptr_t page = 4096;
  const auto first = (reinterpret_cast<std::uintptr_t>(memory) + page - 1) / page * page;
  const auto last = (reinterpret_cast<std::uintptr_t>(memory) + bytes) / page * page;
  if (first < last) madvise(reinterpret_cast<void*>(first), last - first, MADV_DONTNEED);
}

}  // namespace orujo::internal::machine
