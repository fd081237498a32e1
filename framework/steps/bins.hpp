// Entries of one core by bins, which are worked off in ascending order. Delta-stepping has vertices by
// distance (Meyer, Sanders, "Delta-stepping: a parallelizable shortest path algorithm", Journal of Algorithms
// 49(1), 2003). Vertex programs have active vertices by priority().
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace orujo::internal::steps {

// Bins are vectors whose memory is reused. The bins of a window are kept apart; entries of other bins lie
// together until the window is moved. A caller works off bins of the window by bin(), and moves the window
// when the next bin is not within it.
template <class Entry>
class bins {
 public:
  static constexpr std::size_t window = 2048;  // bins
  static constexpr std::uint64_t none = ~std::uint64_t{0};

  bins() : bins_(window) {}

  void clear() {
    first_ = 0;
    for (std::vector<Entry>& bin : bins_) bin.clear();
    far_.clear();
  }
  // `bin` is below `none`. Inlined, as the loops that push do little else.
  [[gnu::always_inline]] void push(std::uint64_t bin, const Entry& one) {
    const std::uint64_t k = bin - first_;
    if (k >= window) [[unlikely]]
      return push_far(bin, one);
    std::vector<Entry>& to = bins_[k];
    if (to.size() == to.capacity()) [[unlikely]]
      grow(to);
    to.push_back(one);
  }
  // The first bin from `from` on with entries, or none. No bin before `from` has entries.
  std::uint64_t first_from(std::uint64_t from) const {
    for (std::uint64_t k = from < first_ ? 0 : from - first_; k < window; ++k) {
      if (!bins_[k].empty()) return first_ + k;
    }
    std::uint64_t first = none;
    for (const auto& [bin, entry] : far_) first = std::min(first, bin);
    return first;
  }
  bool within_window(std::uint64_t bin) const { return bin - first_ < window; }
  // Makes the window begin with this bin. No bin before it has entries.
  void move_window(std::uint64_t first) {
    gather_all();
    first_ = first;
    for (const auto& [bin, entry] : std::exchange(far_, {})) push(bin, entry);
  }
  // The entries of a bin within the window.
  std::vector<Entry>& bin(std::uint64_t bin) { return bins_[bin - first_]; }
  // Gives back the memory of a vector that bin() had.
  void recycle(std::vector<Entry>&& emptied) {
    if (emptied.capacity() == 0) return;
    emptied.clear();
    spare_.push_back(std::move(emptied));
  }

 private:
  void push_far(std::uint64_t bin, const Entry& one) {
    far_.push_back({bin, one});
    if (bin < first_) move_window(bin);
  }
  void gather_all() {
    for (std::uint64_t k = 0; k < window; ++k) {
      for (const Entry& one : bins_[k]) far_.push_back({first_ + k, one});
      bins_[k].clear();
    }
  }
  void grow(std::vector<Entry>& full) {
    if (full.empty() && !spare_.empty()) {
      full = std::move(spare_.back());
      spare_.pop_back();
    } else {
      full.reserve(std::max<std::size_t>(64, 2 * full.size()));
    }
  }

  std::uint64_t first_ = 0;  // of the window
  std::vector<std::vector<Entry>> bins_;
  std::vector<std::pair<std::uint64_t, Entry>> far_;  // with their bins
  std::vector<std::vector<Entry>> spare_;
};

}  // namespace orujo::internal::steps
