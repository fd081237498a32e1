// How the cores of a locale share a loop: a schedule cuts it into chunks and deals them out.
//
// After Bak, Guo, Balaji, Sarkar, "Optimized Execution of Parallel Loops via User-Defined Scheduling
// Policies", ICPP 2019; docs/design/loops.md says what each schedule is for and where this departs.
//
// Under every schedule the chunks are fixed before the first of them runs, do not depend on timing, and are
// numbered in the order of their iterations. So a body may keep one slot per chunk (the pull engine's merge
// buffer) under any schedule; only which core runs a chunk, and when, depends on timing.
#pragma once

#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "system/base/check.hpp"
#include "system/collectives/collectives.hpp"
#include "system/loops/forall.hpp"

namespace orujo::internal::loops {

// Consecutive iterations [first, last) that one core runs without a break. Chunks are numbered in the order
// of their iterations.
struct chunk {
  std::size_t first, last;
  std::size_t number;
};

// What a policy's inspect() returns if it also knows the load of the chunk: where the chunk ends, and its
// work in any unit, at least 0.
struct inspected {
  std::size_t end;
  double load;
};

// The user's part of a user-defined schedule has these members.
//   inspect(first, last)  where the chunk that begins at `first` ends: in (first, last], cut off at last.
//                         Called for a subspace in order, for several subspaces at the same time,
//                         before anything runs. Must not suspend.
//   subspace(k)           optional: the iterations of subspace k. The subspaces cover the range once, and are
//                         dealt to the cores of the locale in turn: if there is one per core, k is the core.
//                         Default: equal consecutive parts in the order of k.
template <class Policy>
concept schedule_policy = requires(const Policy& policy, std::size_t i) {
  { policy.inspect(i, i) } -> std::convertible_to<std::size_t>;
}
|| requires(const Policy& policy, std::size_t i) {
  { policy.inspect(i, i) } -> std::same_as<inspected>;
};

// A policy of user-defined schedules: chunks of one size, at least 1.
struct even_chunks {
  std::size_t size = 1;
  std::size_t inspect(std::size_t first, std::size_t last) const {
    return last - first > size ? first + size : last;
  }
};

// Options of user-defined schedules: whether cores steal chunks, whether chunks are balanced once, and how
// many subspaces the policy has.
struct user_options {
  bool steal = true;      // cores without work take it from others
  bool profile = false;   // balance the subspaces once, by the load inspect() tells or else by measured time
  int num_subspaces = 0;  // at most 2^20; 0 stands for one per core
};

// How a loop is cut into chunks, and how cores get them. A chunk size of 0 stands for 1, and a size that
// would make more than 2^31 chunks is raised. Profiled, user-defined and guided schedules keep a table of 8
// bytes per chunk, or 16 if it is balanced; fixed() keeps one of a chunk per core. More than 2^31 chunks of a
// user-defined schedule are a misuse. docs/design/loops.md says which schedule is for what.
class schedule {
 public:
  // Each core runs its own consecutive part, in chunks of this size. By default the part is one chunk, and
  // the core handles no messages until it is done.
  static schedule fixed(std::size_t chunk = 0) { return {kind::fixed, chunk}; }
  // Chunks go to the cores in turn.
  static schedule round_robin(std::size_t chunk) { return {kind::round_robin, chunk}; }
  // A core that is free takes the next chunk.
  static schedule dynamic(std::size_t chunk) { return {kind::dynamic, chunk}; }
  // As dynamic, with chunks that shrink: each is half a core's even share of the remaining iterations, and at
  // least the smallest chunk.
  static schedule guided(std::size_t smallest_chunk) { return {kind::guided, smallest_chunk}; }
  // As fixed, but a core that is done takes half of the chunks that another has left.
  static schedule stealing(std::size_t chunk) { return {kind::stealing, chunk}; }
  // The chunks that the policy makes. Its member inspect(first, last) says where the chunk that begins at
  // `first` ends, in (first, last]; it returns an index or an `inspected`, and must not suspend. Its optional
  // member subspace(k) says which iterations the k-th subspace has, of those that are dealt to the cores of
  // the locale in turn; by default subspaces are equal.
  template <schedule_policy Policy>
  static schedule user_defined(Policy policy, user_options options = {});
  // As stealing, and after the first execution the chunks are balanced over the cores by their measured time.
  static schedule profiled(std::size_t chunk);

 private:
  friend class shared_loop;
  enum class kind { fixed, round_robin, dynamic, guided, stealing, user_defined };
  schedule(kind k, std::size_t chunk) : kind_(k), chunk_(chunk) {}

  kind kind_;
  std::size_t chunk_;
  user_options options_{false, false, 0};
  bool tells_load_ = false;
  std::function<inspected(std::size_t, std::size_t)> inspect_;
  std::function<index_range(int)> subspace_;
};

// A loop that the cores of a locale share, made once and executed any number of times, by collective_forall()
// or forall_on_locale(). Its chunks stay the same in all executions. Between two executions the cores meet,
// in collectives::barrier(collectives::group::locale) or as a task waits for all. The members below are for
// loops of your own; each core of the locale calls prepare(), then next() until there is no more, then
// leave().
class shared_loop {
 public:
  // `cores` is the number of cores of the locale.
  shared_loop(index_range range, int cores, schedule how, const call_site& at = call_site::current());

  // The number of cores that share the loop.
  int cores() const { return static_cast<int>(cores_); }

  // [task; suspends] Cuts the chunks if that is still to do. Cores that call it at the same time share the
  // work, and none waits for a core that has not called it.
  void prepare();

  // The number of chunks, after prepare().
  std::size_t chunks() const { return chunks_; }
  // Whether each core begins with consecutive iterations. Otherwise chunks are dealt in turn, or to a core
  // that is free.
  bool deals_parts() const {
    return dealing_ != dealing::shared_counter && step_ == 1 && subspaces_ == cores_;
  }
  // The iterations that a core begins with, after prepare() and if deals_parts().
  index_range part(int core) const;

  // The next chunk for this core of the locale; none when no more is left. Other cores may still run theirs.
  std::optional<chunk> next(int core) {
    const std::uint64_t number = take(static_cast<std::size_t>(core));
    if (number == none) return std::nullopt;
    return chunk{bound(number), bound(number + 1), number};
  }

  // Whether this execution measures the loads of chunks. If so, report them by set_load().
  bool measures() const { return stage_.load(std::memory_order_relaxed) == stage::measuring; }
  void set_load(std::size_t number, double load) { loads_[number] = load; }

  // Ends a core's part of an execution, after its last next(). When all cores have called it, the loop can be
  // executed again.
  void leave();

  // Discards the chunks of a user-defined schedule and their balance, so that the next execution inspects
  // anew. One task calls it, between two executions.
  void reset();

 private:
  enum class dealing { own_part, shared_counter, own_part_and_steal };
  // The stages of a loop, in order. A measuring loop is ready when all cores have left.
  enum class stage { to_cut, measuring, ready };
  static constexpr std::uint64_t none = ~std::uint64_t{0};
  static constexpr std::size_t most_chunks = std::size_t{1} << 31;

  // Chunk numbers [first, last) in one word, so that an owner and thieves agree by one compare-and-swap.
  struct numbers {
    std::uint32_t first, last;
    bool empty() const { return first >= last; }
  };
  static std::uint64_t pack(numbers n) { return std::uint64_t{n.last} << 32 | n.first; }
  static numbers unpack(std::uint64_t word) {
    return {static_cast<std::uint32_t>(word), static_cast<std::uint32_t>(word >> 32)};
  }
  struct alignas(64) share {
    std::atomic<std::uint64_t> left{0};  // chunk numbers. Relaxed, because the chunks do not change meanwhile
    numbers begins_with{0, 0};
  };
  // A subspace, cut.
  struct subspace_cut {
    index_range subspace;
    std::vector<std::size_t> ends;
    std::vector<double> loads;
  };

  std::size_t bound(std::uint64_t number) const {
    if (!bounds_.empty()) return bounds_[number];
    return number == chunks_ ? range_.last : range_.first + number * chunk_size_;
  }

  std::uint64_t take(std::size_t core) {
    if (dealing_ == dealing::shared_counter) {
      const std::uint64_t number = next_.fetch_add(1, std::memory_order_relaxed);
      return number < chunks_ ? number : none;
    }
    std::atomic<std::uint64_t>& left = shares_[core].left;
    std::uint64_t word = left.load(std::memory_order_relaxed);
    if (dealing_ == dealing::own_part) {
      const numbers own = unpack(word);
      if (own.empty()) return next_subspace(core);
      left.store(pack({own.first + step_, own.last}), std::memory_order_relaxed);
      return own.first;
    }
    for (;;) {
      const numbers own = unpack(word);
      if (own.empty()) return steal(core);
      if (left.compare_exchange_weak(word, pack({own.first + 1, own.last}), std::memory_order_relaxed))
        return own.first;
    }
  }

  std::uint64_t next_subspace(std::size_t core);
  std::uint64_t steal(std::size_t core);  // from cores of the own NUMA domain first
  static std::uint64_t steal_from(std::atomic<std::uint64_t>& theirs, std::atomic<std::uint64_t>& mine);
  void cut_evenly(std::size_t chunk);
  void cut_shrinking(std::size_t smallest);
  void deal_parts();
  void inspect_subspace(std::size_t k);
  void lay_out();
  void deal_groups();
  void balance();
  void rewind();

  const index_range range_;
  const std::size_t cores_;
  const schedule schedule_;
  const dealing dealing_;
  const std::size_t subspaces_;  // subspace k is of core k % cores_

  std::size_t chunks_ = 0;
  std::size_t chunk_size_ = 1;       // where bounds_ is empty
  std::vector<std::size_t> bounds_;  // chunk n is [bounds_[n], bounds_[n + 1])
  std::uint32_t step_ = 1;           // from one own chunk to the next
  std::vector<share> shares_;        // by core, then by subspace
  alignas(64) std::atomic<std::uint64_t> next_{0};
  alignas(64) std::atomic<std::size_t> gone_{0};  // cores that have left this execution

  // For user-defined schedules. Subspaces are ranked in the order of their iterations.
  std::atomic<stage> stage_{stage::ready};
  alignas(64) std::atomic<std::size_t> subspaces_claimed_{0}, subspaces_cut_{0};
  std::vector<subspace_cut> cuts_;             // by subspace
  std::vector<std::size_t> subspace_of_rank_;  // by rank
  std::vector<double> loads_;                  // by chunk
  std::vector<std::uint32_t> first_chunk_;     // by rank, and one more that is chunks_
};

// A body that knows of chunks, with an object per core:
//   start_chunk(first, chunk number), body(i) for each iteration in order, finish_chunk(last, chunk number).
template <class Body>
concept scheduler_aware = requires(Body& body, std::size_t i) {
  body.start_chunk(i, i);
  body.body(i);
  body.finish_chunk(i, i);
};

// Runs one chunk. A body is scheduler-aware, plain, `body(i)`, or takes the whole chunk, `body(chunk)`.
template <class Body>
void run_chunk(Body& body, const chunk& c) {
  if constexpr (scheduler_aware<Body>) {
    body.start_chunk(c.first, c.number);
    for (std::size_t i = c.first; i < c.last; ++i) body.body(i);
    body.finish_chunk(c.last, c.number);
  } else if constexpr (std::invocable<Body&, std::size_t>) {
    for (std::size_t i = c.first; i < c.last; ++i) body(i);
  } else {
    body(c);
  }
}

namespace detail {
// CPU time of the calling thread, because time that another job takes is not the load of a chunk.
double thread_cpu_ns();
}  // namespace detail

// [task; suspends] Runs the calling core's share of the loop's execution. `core_of_locale` counts from 0.
// Between chunks other tasks run and messages are handled. The measured time of a body that suspends includes
// what its core does meanwhile.
template <class Body>
void run_share(shared_loop& loop, int core_of_locale, Body&& body) {
  loop.prepare();
  const bool measures = loop.measures();
  while (const std::optional<chunk> c = loop.next(core_of_locale)) {
    const double start = measures ? detail::thread_cpu_ns() : 0;
    run_chunk(body, *c);
    if (measures) loop.set_load(c->number, detail::thread_cpu_ns() - start);
    tasks::yield();
  }
  loop.leave();
}

// [task; suspends; collective over the locale] Executes the loop once. The cores share it, and each passes
// its own body: body(std::size_t) or body(chunk).
template <class Body>
void collective_forall(shared_loop& loop, Body&& body) {
  require(loop.cores() == my_locales_cores(),
          "a shared loop made for another number of cores than the locale has");
  run_share(loop, my_core_of_locale(), body);
  collectives::barrier(collectives::group::locale);
}

// [task; suspends; collective over the locale] As collective_forall above, for a loop that is executed once.
// Every core passes the same schedule and range.
template <class Body>
void collective_forall(const schedule& how, index_range range, Body&& body,
                       const call_site& at = call_site::current()) {
  const auto loop = collectives::share_on_locale<shared_loop>(
      [&] { return std::make_shared<shared_loop>(range, my_locales_cores(), how, at); });
  collective_forall(*loop, body);
}

// [task; suspends] Executes the loop once on all cores of this locale, each with its own copy of the body,
// which may hold references: body(std::size_t) or body(chunk). Costs 2 messages per core.
template <class Body>
void forall_on_locale(shared_loop& loop, const Body& body, call_site origin = call_site::current()) {
  require(loop.cores() == my_locales_cores(),
          "a shared loop made for another number of cores than the locale has");
  on_locale(
      [&loop, &body] {
        Body mine = body;
        run_share(loop, my_core_of_locale(), mine);
      },
      origin);
}

// [task; suspends] As forall_on_locale above, for a loop that is executed once.
template <class Body>
void forall_on_locale(const schedule& how, index_range range, const Body& body,
                      call_site origin = call_site::current()) {
  shared_loop loop(range, my_locales_cores(), how, origin);
  forall_on_locale(loop, body, origin);
}

template <schedule_policy Policy>
schedule schedule::user_defined(Policy policy, user_options options) {
  schedule made(kind::user_defined, 0);
  made.options_ = options;
  const auto shared = std::make_shared<const Policy>(std::move(policy));
  using answer = decltype(shared->inspect(0, 0));
  made.tells_load_ = std::same_as<answer, inspected>;
  made.inspect_ = [shared](std::size_t first, std::size_t last) -> inspected {
    if constexpr (std::same_as<answer, inspected>)
      return shared->inspect(first, last);
    else
      return {static_cast<std::size_t>(shared->inspect(first, last)), 0};
  };
  if constexpr (requires(int k) {
                  { shared->subspace(k) } -> std::same_as<index_range>;
                })
    made.subspace_ = [shared](int k) { return shared->subspace(k); };
  return made;
}

}  // namespace orujo::internal::loops
