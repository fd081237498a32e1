// Collective operations of tasks: one task on every core takes part, all in the same order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "system/base/shape.hpp"
#include "system/base/status.hpp"
#include "system/messages/identity.hpp"
#include "system/tasks/scheduler.hpp"

namespace orujo::loops {

// Who takes part in a collective.
enum class group {
  job,      // one task on every core
  locale,   // one task on every core of this locale; other locales do their own
  leaders,  // one task on the first core of every locale
};

// Combines `from` into `into`; both have the size of the contribution.
using combine_bytes = std::function<void(std::span<std::byte> into, std::span<const std::byte> from)>;

// One core's part in collectives. Contributions go to the locale's first core, from there to the first
// locale, and back: 2 messages per core. They are combined in the order of cores, so the result does not
// depend on timing.
class collective {
 public:
  // The largest contribution of one collective; larger ones go in pieces.
  static constexpr std::size_t max_bytes = 2048;

  collective(core_id me, const job_shape& shape);
  collective(const collective&) = delete;

  // The calling core's part.
  static collective& here() { return *here_; }
  void bind_to_this_thread() { here_ = this; }

  // [task; suspends; collective over g] value becomes all contributions combined; at most max_bytes, the same
  // size at every core. All cores get the same bytes.
  void reduce(group g, std::span<std::byte> value, const combine_bytes& combine);

 private:
  // Contributions to one level, by contributor; each can be at most one collective ahead, so one slot will
  // do.
  struct level {
    std::vector<std::vector<std::byte>> contributions;
    int arrived = 0;
  };

  void contribute(core_id to, level collective::*which, int slot, std::span<const std::byte> value);
  void gather(level& from, std::span<std::byte> value, const combine_bytes& combine);
  void release(core_id to, std::span<const std::byte> result);
  void await_release(std::span<std::byte> value);

  static inline thread_local collective* here_ = nullptr;
  const core_id me_;
  const job_shape& shape_;
  const locale_id locale_;
  const core_id leader_;  // first core of this locale
  level cores_, locales_;
  std::vector<std::byte> result_;
  bool released_ = false;
  tasks::wait_queue waiting_;
};

// [task; suspends; collective] Returns when every member has called it.
inline void barrier(group g = group::job) {
  collective::here().reduce(g, {}, [](auto, auto) {});
}

// [task; suspends; collective] Replaces every element of `values` by the combination of the members'
// elements, in the order of cores: values[i] = combine(values[i] of core 0, of core 1, ...). The same size
// everywhere.
template <class T, class Combine>
void all_reduce(std::span<T> values, Combine combine, group g = group::job) {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= collective::max_bytes);
  constexpr std::size_t step = collective::max_bytes / sizeof(T);
  for (std::size_t first = 0; first < values.size(); first += step) {
    const auto piece = values.subspan(first, std::min(step, values.size() - first));
    collective::here().reduce(g, std::as_writable_bytes(piece), [&](auto into, auto from) {
      for (std::size_t at = 0; at < into.size(); at += sizeof(T)) {
        T a, b;
        std::memcpy(&a, into.data() + at, sizeof(T));
        std::memcpy(&b, from.data() + at, sizeof(T));
        a = combine(a, b);
        std::memcpy(into.data() + at, &a, sizeof(T));
      }
    });
  }
}

// [task; suspends; collective] The same for one value.
template <class T, class Combine = std::plus<T>>
T all_reduce(T value, Combine combine = {}, group g = group::job) {
  all_reduce(std::span<T>(&value, 1), combine, g);
  return value;
}

// [task; suspends; collective over the job] Every core's value, by core.
template <class T>
std::vector<T> all_gather(const T& mine) {
  static_assert(std::is_trivially_copyable_v<T>);
  std::vector<std::byte> all(static_cast<std::size_t>(cores()) * sizeof(T));
  std::memcpy(all.data() + static_cast<std::size_t>(my_core()) * sizeof(T), &mine, sizeof(T));
  all_reduce(std::span(all), std::bit_or<std::byte>());
  std::vector<T> values(static_cast<std::size_t>(cores()));
  std::memcpy(values.data(), all.data(), all.size());
  return values;
}

// [task; suspends; collective over the job] The sum of the values of the cores before this one.
template <class T>
T exclusive_sum(T mine) {
  const std::vector<T> all = all_gather(mine);
  T sum{};
  for (core_id c = 0; c < my_core(); ++c) sum += all[static_cast<std::size_t>(c)];
  return sum;
}

// [task; suspends; collective over the job] Ok if every core's status is; otherwise the first failing core's.
status first_failure(const status& mine);

// [task; suspends; collective over the locale] What the locale's first core makes, shared by its cores.
template <class T, class Make>
std::shared_ptr<T> share_on_locale(Make make) {
  std::shared_ptr<T> made;
  std::uintptr_t place = 0;
  if (leads_locale()) {
    made = make();
    place = reinterpret_cast<std::uintptr_t>(&made);
  }
  place = all_reduce(place, std::bit_or<std::uintptr_t>(), group::locale);
  std::shared_ptr<T> shared = *reinterpret_cast<const std::shared_ptr<T>*>(place);
  barrier(group::locale);  // the first core's copy stays in place until all have theirs
  return shared;
}

}  // namespace orujo::loops
