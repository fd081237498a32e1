#include "framework/graph/build/read_ahead.hpp"

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "framework/graph/build/watched_source.hpp"
#include "system/collectives/collectives.hpp"

namespace orujo::internal::graph {
namespace {

constexpr std::size_t piece_bytes = std::size_t{256} << 10;
constexpr std::size_t most_pieces = 8;

// Pieces of a file, from one thread to another.
class pipe {
 public:
  // The writer's loop: runs until the source ends or fails, or the reader stops.
  void fill_from(formats::byte_source& source) {
    for (bool more = true; more;) {
      std::vector<char> piece(piece_bytes);
      auto got = source.read(piece);
      more = got.ok() && got.value() > 0;
      piece.resize(more ? got.value() : 0);
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return pieces_.size() < most_pieces || closed_; });
      if (closed_) return;
      if (more) {
        pieces_.push_back(std::move(piece));
      } else {
        end_ = got.status();
      }
      changed_.notify_all();
    }
  }

  // Called by the reader. Returns nothing at the end.
  result<std::vector<char>> take() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !pieces_.empty() || end_; });
    if (pieces_.empty()) return end_->ok() ? result<std::vector<char>>(std::vector<char>()) : *end_;
    std::vector<char> piece = std::move(pieces_.front());
    pieces_.pop_front();
    changed_.notify_all();
    return piece;
  }
  void close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::vector<char>> pieces_;
  std::optional<status> end_;  // after them
  bool closed_ = false;
};

// The bytes of a pipe, under the name of the source that is read into it.
class piped_source final : public formats::byte_source {
 public:
  piped_source(const formats::byte_source& of, pipe& from) : byte_source(of.path()), of_(of), from_(from) {}
  ~piped_source() override { from_.close(); }

  const std::string& path() const override { return of_.path(); }
  bool seekable() const override { return false; }
  std::uint64_t size() const override { return 0; }
  result<std::unique_ptr<byte_source>> again() const override { return of_.again(); }
  result<std::size_t> read_at(std::uint64_t, std::span<char>) override {
    return status(exit_status::broken_invariant, "read_at() of a pipe");
  }
  result<std::size_t> read(std::span<char> into) override {
    if (given_ == piece_.size()) {
      auto next = from_.take();
      if (!next.ok()) return next.status();
      piece_ = std::move(next).value();
      given_ = 0;
    }
    const std::size_t count = std::min(into.size(), piece_.size() - given_);
    std::copy_n(piece_.begin() + static_cast<std::ptrdiff_t>(given_), count, into.begin());
    given_ += count;
    return count;
  }

 private:
  const formats::byte_source& of_;
  pipe& from_;
  std::vector<char> piece_;
  std::size_t given_ = 0;
};

}  // namespace

void read_at_core_0(formats::byte_source& source, const std::function<void(formats::byte_source&)>& read) {
  if (source.seekable() || shape().cores_of(0) == 1) {
    if (my_core() == 0) watching(source, read);
    return;
  }
  if (my_locale() != 0) return;
  const auto shared = collectives::share_on_locale<pipe>([] { return std::make_shared<pipe>(); });
  if (my_core() == 1) shared->fill_from(source);
  if (my_core() != 0) return;
  piped_source piped(source, *shared);
  watching(piped, read);
}

}  // namespace orujo::internal::graph
