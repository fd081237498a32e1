// An unordered collection: put where you are, take from here or, if there is nothing, from others.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "system/base/random.hpp"
#include "system/containers/symmetric.hpp"
#include "system/delegates/call_on_all.hpp"
#include "system/delegates/combiner.hpp"
#include "system/loops/forall.hpp"
#include "system/memory/budget.hpp"

namespace orujo::internal::containers {

using loops::async_forall, loops::forall, loops::forall_here;  // found by argument-dependent lookup

// An unordered collection. A core puts values into its own part and takes them from there, or, when it has
// none, from other cores. The object is a handle, which can travel. T is trivially copyable.
template <class T>
class global_bag {
  static_assert(std::is_trivially_copyable_v<T> && std::is_default_constructible_v<T>,
                "elements are trivially copyable and default-constructible, as they travel in messages");

 public:
  // [task; suspends] Makes an empty bag.
  static global_bag create() {
    const global_bag made(symmetric<part>::reserve());
    loops::on_all_cores([made] { made.parts_.emplace_here(made); });
    return made;
  }
  // [task; suspends] Frees the bag. No operation on it may be under way.
  void destroy() const { parts_.destroy(); }

  // [task or handler] Adds a value. Sends no message: the value stays at the calling core until a task takes
  // it.
  void put(const T& value) const {
    part& mine = parts_.here();
    mine.values.push_back(value);
    ++mine.counts.issued;
  }

  // [task; suspends if there is nothing here] Takes a value: one of this core's if it has any, else one of
  // another core, of whose values half move here in one message of at most 4 KiB. Returns nothing only if
  // there was a moment during the call when the bag was empty. Costs no message, or 2 to 4, or several waves
  // of 2 messages per core; all tasks of this core that wait share them.
  std::optional<T> take() const {
    part& mine = parts_.here();
    for (;;) {
      if (mine.has_any()) {
        ++mine.counts.done;
        return mine.take_one();
      }
      const auto found = mine.searches.perform([](search&) {});
      if (!mine.has_any() && found->drained) return std::nullopt;
    }
  }

  // [task; suspends] True if there was a moment during the call when the bag was empty; false if there was
  // one when it was not. Costs 2 waves of 2 messages per core.
  bool drained() const {
    delegates::wave_detector detector;
    detector.complete_after(ask_all().counts);
    return detector.complete_after(ask_all().counts);
  }

  // [task; suspends] The number of values in the bag, which is exact when no task puts or takes. Costs 2
  // messages per core.
  std::size_t size() const {
    const delegates::work_counts all = ask_all().counts;
    return all.issued - all.done;
  }

  // The values that lie at the calling core.
  std::span<T> local() const { return parts_.here().values; }

  // [task; suspends] Runs body(T&) for every value at the calling core; forall() calls it at every core. No
  // task may put or take meanwhile.
  template <class Body>
  void forall_here(const Body& body, loops::loop_options options = {}) const {
    loops::forall_here(local(), body, options);
  }

 private:
  // The tasks of a core that find nothing here share one search.
  struct search {
    bool drained = false;
  };
  struct part {
    explicit part(global_bag bag)
        : random(0, static_cast<std::uint64_t>(my_core())),
          searches([bag](search& s) { s.drained = bag.find_nothing_anywhere(); }) {}
    bool has_any() const { return kept || !values.empty(); }
    T take_one() {
      if (kept) return *std::exchange(kept, std::nullopt);
      const T value = values.back();
      values.pop_back();
      return value;
    }
    std::vector<T, memory::allocator_with_room<T>> values;
    // The first value that a search has brought, until a waiting task resumes. It cannot be stolen: otherwise
    // two searching cores could pass one value between them endlessly.
    std::optional<T> kept;
    delegates::work_counts counts;  // put here, taken here
    random_stream random;
    delegates::combiner<search> searches;
  };
  struct census {
    delegates::work_counts counts;
    std::size_t most = 0;  // values of the richest core
    core_id richest = 0;
  };
  // Values on their way to a thief.
  struct loot {
    symmetric<part> parts;
    tasks::join_counter* missing;
    void operator()(std::span<const std::byte> bytes) const {
      part& mine = parts.here();
      if (!bytes.empty() && !mine.kept) {
        std::memcpy(&mine.kept.emplace(), bytes.data(), sizeof(T));
        bytes = bytes.subspan(sizeof(T));
      }
      auto& values = mine.values;
      const std::size_t before = values.size();
      values.resize(before + bytes.size() / sizeof(T));
      if (!bytes.empty()) std::memcpy(values.data() + before, bytes.data(), bytes.size());
      missing->complete();
    }
  };
  static constexpr std::size_t most_stolen =
      delegates::messenger::max_payload_bytes(sizeof(loot)) / sizeof(T);
  static_assert(most_stolen > 0, "values of a bag are smaller than a block");

  explicit global_bag(symmetric<part> parts) : parts_(parts) {}

  census ask_all() const {
    census all;
    delegates::call_on_all(
        [parts = parts_] {
          const part& p = parts.here();
          return census{p.counts, p.values.size(), 0};
        },
        [&](core_id core, const census& there) {
          all.counts.issued += there.counts.issued;
          all.counts.done += there.counts.done;
          if (there.most > all.most) {
            all.most = there.most;
            all.richest = core;
          }
        });
    return all;
  }

  void steal_from(core_id victim) const {
    const core_id me = my_core();
    tasks::join_counter missing(1, "values of a global_bag");
    delegates::messenger::here().send(victim, [deliver = loot{parts_, &missing}, me] {
      auto& values = deliver.parts.here().values;
      const std::size_t stolen = std::min((values.size() + 1) / 2, most_stolen);
      const std::size_t left = values.size() - stolen;
      const auto leaving = std::span<const T>(values).subspan(left);
      delegates::messenger::here().send_with_payload(me, deliver, std::as_bytes(leaving));
      values.resize(left);
    });
    missing.wait();
  }

  // Brings values here from other cores, or returns true if it found the bag empty. It is empty if the counts
  // of put and taken values agree, and are equal in two successive waves (the argument of completion events).
  bool find_nothing_anywhere() const {
    part& mine = parts_.here();
    constexpr int random_victims = 2;
    for (int k = 0; k < random_victims && cores() > 1; ++k) {
      const auto others = static_cast<std::uint64_t>(cores() - 1);
      const auto step = static_cast<core_id>(1 + mine.random.below(others));
      steal_from((my_core() + step) % cores());
      if (mine.has_any()) return false;
    }
    delegates::wave_detector detector;
    for (;;) {
      const census all = ask_all();
      if (mine.has_any()) return false;
      if (detector.complete_after(all.counts)) return true;
      if (all.most > 0 && all.richest != my_core()) steal_from(all.richest);
      if (mine.has_any()) return false;
      tasks::yield();
    }
  }

  symmetric<part> parts_;
};

}  // namespace orujo::internal::containers
