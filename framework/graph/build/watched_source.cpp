#include "framework/graph/build/watched_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "system/observe/progress.hpp"

namespace orujo::internal::graph {
namespace {

// Estimates the progress as if all cores were as far as core 0. `of` must outlive it.
class watched_source final : public formats::byte_source {
 public:
  explicit watched_source(formats::byte_source& of)
      : byte_source(of.path()), of_(of), progress_("reading " + of.path()) {}

  const std::string& path() const override { return of_.path(); }
  bool seekable() const override { return of_.seekable(); }
  std::uint64_t size() const override { return of_.size(); }
  std::optional<formats::compression> compressed_by() const override { return of_.compressed_by(); }
  result<std::unique_ptr<byte_source>> again() const override { return of_.again(); }
  std::uint64_t start_near(std::uint64_t offset, std::uint64_t most) const override {
    return of_.start_near(offset, most);
  }
  result<std::size_t> read(std::span<char> into) override { return watched(of_.read(into), 1); }
  result<std::size_t> read_at(std::uint64_t offset, std::span<char> into) override {
    return watched(of_.read_at(offset, into), static_cast<std::uint64_t>(cores()));
  }

 private:
  result<std::size_t> watched(result<std::size_t> got, std::uint64_t readers) {
    constexpr std::uint64_t mega = 1'000'000;
    if (got.ok()) read_ += got.value() * readers;
    if (!progress_.due()) return got;
    // Some formats are read twice, compressed ones have no size.
    const std::uint64_t done = seekable() ? std::min(read_, size()) : read_;
    if (seekable()) {
      progress_.show(fmt::format("reading {}, {} of {} MB", path(), done / mega, size() / mega), done,
                     size());
    } else {
      progress_.show(fmt::format("reading {}, {} MB", path(), done / mega));
    }
    return got;
  }

  formats::byte_source& of_;
  observe::progress_line progress_;
  std::uint64_t read_ = 0;
};

}  // namespace

std::unique_ptr<formats::byte_source> watch(formats::byte_source& source) {
  if (my_core() != 0) return nullptr;
  return std::make_unique<watched_source>(source);
}

}  // namespace orujo::internal::graph
