#include "framework/algorithms/core_numbers.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <functional>
#include <numeric>

#include "framework/graph/graph_checkpoints.hpp"
#include "framework/graph/kept_forms.hpp"
#include "system/collectives/collectives.hpp"

namespace orujo::internal::algorithms {
namespace {

// Most vertices that a core removes before it checks whether another core has nothing to do.
constexpr std::size_t removed_at_once = 64;
// A core with fewer vertices per core of the locale to remove does not interrupt its work to share them.
// Pieces of a front on a mesh depend on those beside them, so the shorter they are, the sooner all cores meet
// again.
constexpr std::size_t few_for_each = 128;
// Distances of prefetches: rows ahead in vertices, the neighbours' entries ahead in edges.
constexpr std::size_t rows_ahead = 8;
constexpr std::size_t peels_ahead = 16;
// Neighbours of a row that are prefetched. The processor itself prefetches those after them.
constexpr std::uint64_t fetched_of_peeled = 64, neighbours_per_line = 16;

}  // namespace

core_numbers::core_numbers(const graph::locale_graph& g, std::span<std::uint32_t> cores)
    : graph_(graph::require_forms(g, {.in_rows = locales() > 1, .out_rows = true}, "core_numbers:")),
      rows_(*g.out_rows),
      left_(g.own_values(cores)),
      me_(my_core_of_locale()),
      alone_(my_locales_cores() == 1),
      arena_(
          collectives::share_on_locale<arena>([] { return std::make_shared<arena>(my_locales_cores()); })) {
  if (locales() == 1) return;
  mirror_rows_ = graph::turn_mirror_rows(g);
  mirrors_.emplace(g, exchange::told_sets::unrelated);
}

cores_report core_numbers::run() {
  collectives::barrier();
  const auto begin = std::chrono::steady_clock::now();
  cores_report report;
  start();
  graph::graph_checkpoints checkpoints(graph_);
  const auto name = [&](graph::program_state& kept) {
    kept.add_vertices("left", left_.data());
    kept.add("bound", bound_);
    kept.add("levels", report.levels);
  };
  checkpoints.resume(name);
  for (;;) {
    checkpoints.step(static_cast<std::uint64_t>(report.levels), name);
    if (!next_level()) break;
    ++report.levels;
    do {
      work_off_offers();
      work_off_own();
    } while (next_round());
  }
  report.largest = bound_ > 0 ? bound_ - 1 : 0;
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return report;
}

void core_numbers::start() {
  const graph::core_part& part = graph_.my_part();
  alive_.resize(part.last - part.first);
  std::iota(alive_.begin(), alive_.end(), part.first);
  for (const std::uint32_t v : alive_) left_[v] = static_cast<std::uint32_t>(rows_.degree(v));
  bound_ = 0;
}

// Goes on to the vertices of all cores that have the fewest neighbours left. Returns false if no vertex is
// left.
bool core_numbers::next_level() {
  const std::uint32_t fewest = find_fewest();
  make_offer(fewest);
  const std::uint32_t level =
      collectives::all_reduce(fewest, [](std::uint32_t a, std::uint32_t b) { return std::min(a, b); });
  if (level == nobody) return false;
  bound_ = level + 1;
  return true;
}

// Finds this core's vertices that have the fewest neighbours left, and forgets the removed ones. No core
// removes any meanwhile.
std::uint32_t core_numbers::find_fewest() {
  std::uint32_t fewest = nobody;
  std::size_t kept = 0;
  for (const std::uint32_t v : alive_) {
    const std::uint32_t left = left_[v];
    if (left < bound_) continue;
    alive_[kept++] = v;
    if (left > fewest) continue;
    if (left < fewest) found_.clear();
    fewest = left;
    found_.push_back(v);
  }
  alive_.resize(kept);
  return fewest;
}

// Offers the vertices that this core has found and not removed. No core takes from the offer of two rounds
// ago any more, so its list is reused.
void core_numbers::make_offer(std::uint32_t level) {
  turn_ = 1 - turn_;
  std::swap(offered_[turn_], found_);
  offer& mine = arena_->offers[turn_][me_];
  mine.level = level;
  mine.found = std::span(offered_[turn_]).subspan(next_);
  mine.dealer.reset();
  found_.clear();
  next_ = 0;
}

// Ends a round of all cores. Returns false if the level is over. Between locales, owners tell mirrors which
// vertices the round has removed, and mirrors follow their edges before the next round.
bool core_numbers::next_round() {
  struct counts {
    std::uint64_t found, told;
    counts operator+(const counts& b) const { return {found + b.found, told + b.told}; }
  } all{found_.size() - next_, 0};
  if (mirrors_) {
    tell_mirrors();
    all.told = mirrors_->sent();
  }
  make_offer(bound_ - 1);
  arena_->waiting.fetch_add(1, std::memory_order_relaxed);
  all = mirrors_ ? mirrors_->meet(all, std::plus<>()) : collectives::all_reduce(all, std::plus<>());
  arena_->waiting.fetch_sub(1, std::memory_order_relaxed);
  if (mirrors_) {
    mine_removed().clear();
    mirrors_->await();
    for (std::uint32_t& mirror : told_) mirror -= graph_.own;
    lower_neighbours(told_, mirror_rows_->offsets(), mirror_rows_->targets());
    told_.clear();
  }
  return all.found > 0 || all.told > 0;
}

// Tells mirrors which vertices the locale has removed in the round. The barrier comes first because every
// core sends from the lists of all.
void core_numbers::tell_mirrors() {
  collectives::barrier(collectives::group::locale);
  mirrors_->open({.news = &told_});
  std::vector<std::span<const std::uint32_t>> lists;
  for (const removed_list& of : arena_->removed) lists.emplace_back(of.vertices);
  mirrors_->send_listed(lists, [](std::uint32_t) { return exchange::no_value{}; });
}

void core_numbers::work_off_offers() {
  by_core<offer>& offers = arena_->offers[turn_];
  steps::deal_shares(offers, [&](offer& from) {
    if (from.level + 1 != bound_ || from.found.empty()) return;
    const std::size_t step = std::clamp<std::size_t>(from.found.size() / offers.size(), 1, removed_at_once);
    from.dealer.deal(from.found.size(), step, [&](std::size_t first, std::size_t last) {
      remove(from.found.subspan(first, last - first));
    });
  });
}

// Removes vertices until none is left, or until many are left and another core of the locale has nothing to
// do.
void core_numbers::work_off_own() {
  const std::size_t few = few_for_each * static_cast<std::size_t>(my_locales_cores());
  std::array<std::uint32_t, removed_at_once> batch;  // found_ grows meanwhile
  for (;;) {
    const std::size_t count = found_.size() - next_;
    if (count == 0 || (count >= few && arena_->waiting.load(std::memory_order_relaxed) > 0)) break;
    const std::size_t taken = std::min(count, batch.size());
    std::copy_n(found_.begin() + static_cast<std::ptrdiff_t>(next_), taken, batch.begin());
    next_ += taken;
    remove(std::span(batch).first(taken));
  }
}

// Takes one neighbour from an own vertex of the locale, unless the vertex is removed or found. Alone says
// that no other core of the locale does so meanwhile.
template <bool Alone>
inline void core_numbers::lower(std::uint32_t vertex) {
  const std::atomic_ref<std::uint32_t> left(left_[vertex]);
  std::uint32_t before = left.load(std::memory_order_relaxed);
  while (before >= bound_) {
    if constexpr (Alone) {
      left.store(before - 1, std::memory_order_relaxed);
    } else if (!left.compare_exchange_weak(before, before - 1, std::memory_order_relaxed)) {
      continue;
    }
    if (before == bound_) found_.push_back(vertex);
    return;
  }
}

// Lowers the own vertices in the rows of these vertices or mirrors.
template <bool Alone>
void core_numbers::lower_each(std::span<const std::uint32_t> rows, const std::uint64_t* offsets,
                              const std::uint32_t* neighbours) {
  const std::size_t count = rows.size();
  if (count == 0) return;
  // The last own vertex stands for mirrors in prefetches: one past the array costs a walk of page tables.
  const std::uint32_t last_own = graph_.own - 1;
  for (std::size_t i = 0; i < count; ++i) {
    __builtin_prefetch(&offsets[rows[std::min(i + 2 * rows_ahead, count - 1)]]);
    if (i + rows_ahead < count) {
      const std::uint64_t first = offsets[rows[i + rows_ahead]];
      const std::uint64_t end = std::min(offsets[rows[i + rows_ahead] + 1], first + fetched_of_peeled);
      for (std::uint64_t k = first; k < end; k += neighbours_per_line) __builtin_prefetch(&neighbours[k]);
    }
    const std::uint64_t last = offsets[rows[i] + 1];
    for (std::uint64_t k = offsets[rows[i]]; k < last; ++k) {
      if (k + peels_ahead < last) __builtin_prefetch(&left_[std::min(neighbours[k + peels_ahead], last_own)]);
      if (neighbours[k] < graph_.own) lower<Alone>(neighbours[k]);
    }
  }
}

void core_numbers::lower_neighbours(std::span<const std::uint32_t> rows, const std::uint64_t* offsets,
                                    const std::uint32_t* neighbours) {
  alone_ ? lower_each<true>(rows, offsets, neighbours) : lower_each<false>(rows, offsets, neighbours);
}

void core_numbers::remove(std::span<const std::uint32_t> vertices) {
  lower_neighbours(vertices, rows_.offsets.data(), rows_.neighbours.data());
  if (!mirrors_) return;
  std::vector<std::uint32_t>& removed = mine_removed();
  removed.insert(removed.end(), vertices.begin(), vertices.end());
  tasks::yield();
}

}  // namespace orujo::internal::algorithms
