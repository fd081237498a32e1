// Sends totals of guests from the locales that keep their in-edges to their owners, which combine them: the
// way back of edges that are placed on a grid.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

#include "framework/exchange/rounded_changes.hpp"
#include "framework/exchange/value_message.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "system/base/identity.hpp"
#include "system/collectives/collectives.hpp"
#include "system/messages/messenger.hpp"
#include "system/observe/trace.hpp"
#include "system/tasks/sync.hpp"

namespace orujo::internal::exchange {

// One core's part; made and used by one task per core. An exchange is a start() and a fold(), and a
// collective over the job separates it from the next. Both ends know the guests and their order, so that
// totals travel alone: sizeof(T) bytes per guest, or 2 if they are rounded, and 24 per about 4,000. Memory: a
// T per guest at the owners, and one at the guests if totals are rounded.
template <class T>
class guest_totals {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  // [task; suspends; collective over the job] `totals` are the locale's, by target index, the same for all
  // its cores. Edges must lie on a grid. `rounded`: changes of
  // floats are rounded.
  guest_totals(const graph::locale_graph& g, std::span<T> totals, bool rounded = false)
      : rounds_(std::is_same_v<T, float> && rounded),
        part_(g.my_part()),
        totals_(totals),
        first_of_(locales()) {
    find_runs(g);
    std::size_t count = 0;
    for (locale_id l = 0; l < locales(); ++l) {
      first_of_[l] = count;
      count += part_.guests_at[l].size();
    }
    arrived_.resize(count);
    ends_ = collectives::all_gather(this);
  }
  guest_totals(const guest_totals&) = delete;

  // [task] Another task sends the totals of this core's guests, and sets them to `identity`. Nobody may read
  // or write these before fold() has returned.
  void start(const T& identity) {
    sending_.add();
    tasks::spawn([this, identity] {
      for (const run& of : runs_) send(of);
      if (rounds_ && first_time_) known_.assign(my_totals().begin(), my_totals().end());
      std::ranges::fill(my_totals(), identity);
      sending_.complete();
    });
  }

  // [task; suspends] Waits for the totals of this core's vertices from all locales, and combines them into
  // its own, as values of type Partial and in the order of the locales.
  template <class Partial, class Combine>
  void fold(Combine combine) {
    wait();
    constexpr std::uint32_t vertices_of_block = 1024;  // whose partial totals stay in the nearest cache
    std::array<Partial, vertices_of_block> partial;
    by_locale<std::size_t> next(locales());
    for (std::uint32_t first = part_.first; first < part_.last; first += vertices_of_block) {
      const std::uint32_t last = std::min(first + vertices_of_block, part_.last);
      std::copy(totals_.begin() + first, totals_.begin() + last, partial.begin());
      for (locale_id l = 0; l < locales(); ++l) {
        const std::vector<std::uint32_t>& vertices = part_.guests_at[l];
        std::size_t k = next[l];
        for (; k < vertices.size() && vertices[k] < last; ++k) {
          Partial& to = partial[vertices[k] - first];
          to = combine(to, static_cast<Partial>(arrived_[first_of_[l] + k]));
        }
        next[l] = k;
      }
      std::transform(partial.begin(), partial.begin() + (last - first), totals_.begin() + first,
                     [](const Partial& p) { return static_cast<T>(p); });
    }
    first_time_ = false;
  }

 private:
  struct unpack {
    guest_totals* there;
    locale_id from;
    std::uint32_t first;  // among the receiver's guests there
    void operator()(std::span<const std::byte> payload) const { there->receive(from, first, payload); }
  };
  // Guests of one owner.
  struct run {
    core_id owner;
    std::uint32_t first, last;  // target indices
  };
  static constexpr std::size_t most_values =
      messages::messenger::max_payload_bytes(sizeof(unpack)) / sizeof(T);
  static constexpr std::size_t most_changes =
      messages::messenger::max_payload_bytes(sizeof(unpack)) / sizeof(rounded_change);
  static_assert(most_values > 0, "what vertices show is smaller than a block");

  // The owners after this core come first, so that not all locales send to the same.
  void find_runs(const graph::locale_graph& g) {
    const auto numbers = std::span(g.guests).first(part_.last_guest - g.own);
    for (std::size_t k = part_.first_guest - g.own; k < numbers.size();) {
      const core_id owner = g.owners.owner(numbers[k]);
      const auto end = std::lower_bound(numbers.begin() + static_cast<std::ptrdiff_t>(k), numbers.end(),
                                        g.owners.last_of(owner));
      const auto last = static_cast<std::size_t>(end - numbers.begin());
      runs_.push_back(
          {owner, static_cast<std::uint32_t>(g.own + k), static_cast<std::uint32_t>(g.own + last)});
      k = last;
    }
    const auto of_later =
        std::partition_point(runs_.begin(), runs_.end(), [](const run& of) { return of.owner < my_core(); });
    std::rotate(runs_.begin(), of_later, runs_.end());
  }

  std::span<T> my_totals() const {
    return totals_.subspan(part_.first_guest, part_.last_guest - part_.first_guest);
  }
  bool sends_changes() const { return rounds_ && !first_time_; }

  void send(const run& of) {
    const std::size_t most = sends_changes() ? most_changes : most_values;
    messages::messenger& messenger = messages::messenger::here();
    for (std::uint32_t first = of.first; first < of.last;) {
      const auto count = static_cast<std::uint32_t>(std::min<std::size_t>(of.last - first, most));
      const std::span<const std::byte> payload =
          sends_changes() ? changes_of(first, count) : std::as_bytes(totals_.subspan(first, count));
      count_values(count * sizeof(T), payload.size());
      messenger.send_with_payload(of.owner, unpack{ends_[of.owner], my_locale(), first - of.first}, payload);
      first += count;
    }
    messenger.flush(of.owner);
  }
  std::span<const std::byte> changes_of([[maybe_unused]] std::uint32_t first, std::uint32_t count) {
    if constexpr (std::is_same_v<T, float>) {
      const float* const totals = totals_.data() + first;
      take_changes(
          std::span(known_).subspan(first - part_.first_guest, count),
          [totals](std::size_t k) { return totals[k]; }, changes_.data());
    }
    return std::as_bytes(std::span(changes_).first(count));
  }

  // Called by a message handler.
  void receive(locale_id from, std::uint32_t first, std::span<const std::byte> payload) {
    T* const into = arrived_.data() + first_of_[from] + first;
    if (!sends_changes())
      std::memcpy(into, payload.data(), payload.size());
    else if constexpr (std::is_same_v<T, float>)
      add_changes(payload, into);
    received_ += payload.size() / (sends_changes() ? sizeof(rounded_change) : sizeof(T));
    if (received_ == arrived_.size()) tasks::scheduler::here()->wake_all(arrivals_);
  }

  void wait() {
    const observe::trace_scope traced("wait for totals of guests", arrived_.size());
    while (received_ < arrived_.size()) tasks::scheduler::here()->suspend(arrivals_, "totals of guests");
    received_ = 0;
    sending_.wait();
  }

  const bool rounds_;
  bool first_time_ = true;  // until the first fold()
  const graph::core_part& part_;
  const std::span<T> totals_;
  std::vector<T> known_;  // the core's guests' totals as their owners know them; of rounded ones
  std::array<rounded_change, most_changes> changes_;
  std::vector<run> runs_;
  by_locale<std::size_t> first_of_;  // in arrived_, of the totals from a locale
  std::vector<T> arrived_;
  std::size_t received_ = 0;  // of them
  tasks::join_counter sending_;
  tasks::wait_queue arrivals_;
  by_core<guest_totals*> ends_;
};

}  // namespace orujo::internal::exchange
