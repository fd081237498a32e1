// Many updates of few elements of a global array.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "system/containers/global_array.hpp"
#include "system/delegates/delegate.hpp"

namespace orujo::internal::harness {

// One core's updates. Those of one element are joined here before they travel, so that its owner gets few
// messages even if all cores update it.
template <class T, class Join>
class joined_updates {
 public:
  // word = join(word, value) at the owners, and of values here; complete when the event is, after flush().
  joined_updates(delegates::event_ref event, containers::global_array<T> words, Join join)
      : event_(event), words_(words), join_(join) {}
  joined_updates(const joined_updates&) = delete;

  // [task; suspends]
  void tell(std::uint64_t place, T value) {
    waiting& w = waiting_[place % waiting_.size()];
    if (w.place == place) {
      w.value = join_(w.value, value);
      return;
    }
    send(w);
    w = {place, value};
  }
  // [task; suspends]
  void flush() {
    for (waiting& w : waiting_) send(w);
  }

 private:
  static constexpr std::uint64_t none = ~std::uint64_t{0};
  struct waiting {
    std::uint64_t place = none;
    T value{};
  };
  void send(waiting& w) {
    if (w.place == none) return;
    delegates::async_call(event_, words_[w.place],
                          [join = join_, value = w.value](T& word) { word = join(word, value); });
    w.place = none;
  }

  const delegates::event_ref event_;
  const containers::global_array<T> words_;
  const Join join_;
  std::array<waiting, 1024> waiting_;
};

}  // namespace orujo::internal::harness
