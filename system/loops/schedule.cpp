#include "system/loops/schedule.hpp"

#include <fmt/format.h>
#include <glog/logging.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <numeric>
#include <thread>

#include "system/base/check.hpp"
#include "system/machine/topology.hpp"

namespace orujo::internal::loops {

double detail::thread_cpu_ns() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

schedule schedule::profiled(std::size_t chunk) {
  return user_defined(even_chunks{std::max<std::size_t>(chunk, 1)}, {.steal = true, .profile = true});
}

namespace {

std::size_t subspaces_of(const user_options& options, std::size_t cores, const call_site& at) {
  require(options.num_subspaces >= 0 && options.num_subspaces <= 1 << 20,
          "a schedule has at most 2^20 subspaces, and 0 stands for one per core", at);
  return options.num_subspaces == 0 ? cores : static_cast<std::size_t>(options.num_subspaces);
}

}  // namespace

shared_loop::shared_loop(index_range range, int cores, schedule how, const call_site& at)
    : range_(range),
      cores_(static_cast<std::size_t>(cores)),
      schedule_(std::move(how)),
      dealing_(schedule_.kind_ == schedule::kind::dynamic || schedule_.kind_ == schedule::kind::guided
                   ? dealing::shared_counter
               : schedule_.kind_ == schedule::kind::stealing || schedule_.options_.steal
                   ? dealing::own_part_and_steal
                   : dealing::own_part),
      subspaces_(subspaces_of(schedule_.options_, cores_, at)),
      shares_(std::max(cores_, subspaces_)) {
  CHECK_GE(cores, 1);
  base::require_range(range, at);
  switch (schedule_.kind_) {
    case schedule::kind::user_defined:
      reset();
      return;
    case schedule::kind::guided:
      cut_shrinking(schedule_.chunk_);
      break;
    case schedule::kind::fixed:
      if (schedule_.chunk_ == 0) {
        chunks_ = std::min(cores_, range.size());
        for (std::size_t k = 0; k < chunks_; ++k) bounds_.push_back(part_of(range, k, chunks_).first);
        bounds_.push_back(range.last);
        break;
      }
      [[fallthrough]];
    default:
      cut_evenly(schedule_.chunk_);
  }
  deal_parts();
  rewind();
}

void shared_loop::cut_evenly(std::size_t chunk) {
  chunk_size_ = std::max({chunk, std::size_t{1}, base::pieces_of(range_.size(), most_chunks)});
  chunks_ = base::pieces_of(range_.size(), chunk_size_);
}

void shared_loop::cut_shrinking(std::size_t smallest) {
  smallest = std::max({smallest, std::size_t{1}, base::pieces_of(range_.size(), most_chunks)});
  for (std::size_t at = range_.first; at < range_.last;) {
    bounds_.push_back(at);
    const std::size_t left = range_.last - at;
    at += std::min(left, std::max(smallest, base::pieces_of(left, 2 * cores_)));
  }
  chunks_ = bounds_.size();
  bounds_.push_back(range_.last);
}

// Sets the chunks that each core starts with, under schedules that are not user-defined.
void shared_loop::deal_parts() {
  const bool in_turn = schedule_.kind_ == schedule::kind::round_robin;
  if (in_turn) step_ = static_cast<std::uint32_t>(cores_);
  for (std::size_t k = 0; k < cores_; ++k) {
    const index_range own = in_turn ? index_range{k, chunks_} : part_of({0, chunks_}, k, cores_);
    shares_[k].begins_with = {static_cast<std::uint32_t>(own.first), static_cast<std::uint32_t>(own.last)};
  }
}

index_range shared_loop::part(int core) const {
  const numbers own = shares_[static_cast<std::size_t>(core)].begins_with;
  return {bound(own.first), bound(own.last)};
}

void shared_loop::rewind() {
  next_.store(0, std::memory_order_relaxed);
  gone_.store(0, std::memory_order_relaxed);
  for (share& s : shares_) s.left.store(pack(s.begins_with), std::memory_order_relaxed);
}

void shared_loop::leave() {
  // Acquires what the others wrote before they left: their loads, and their last reads of the shares.
  if (gone_.fetch_add(1, std::memory_order_acq_rel) + 1 < cores_) return;
  if (!measures()) return rewind();
  balance();
  deal_groups();
  stage_.store(stage::ready, std::memory_order_release);
}

void shared_loop::reset() {
  if (schedule_.kind_ != schedule::kind::user_defined) return;
  subspaces_claimed_.store(0, std::memory_order_relaxed);
  subspaces_cut_.store(0, std::memory_order_relaxed);
  cuts_.assign(subspaces_, {});
  stage_.store(stage::to_cut, std::memory_order_release);
}

// Called when the core's own share is empty, so nobody else changes it: the next subspace that was dealt to
// the core becomes its share.
std::uint64_t shared_loop::next_subspace(std::size_t core) {
  for (std::size_t k = core + cores_; k < shares_.size(); k += cores_) {
    const numbers all = unpack(shares_[k].left.exchange(0, std::memory_order_relaxed));
    if (all.empty()) continue;
    shares_[core].left.store(pack({all.first + 1, all.last}), std::memory_order_relaxed);
    return all.first;
  }
  return none;
}

// As next_subspace, and else half of what is left of another core's share or subspace. Between its two steps
// a thief holds chunks that others do not see; they may leave early, and the thief runs the chunks. A share
// that returns to an earlier value is harmless, because the word is the whole state.
std::uint64_t shared_loop::steal(std::size_t core) {
  if (const std::uint64_t number = next_subspace(core); number != none) return number;
  const machine::core_place& place = machine::my_place();
  const auto is_near = [&](std::size_t other) {
    return static_cast<int>(other) >= place.first_core && static_cast<int>(other) < place.last_core;
  };
  for (const bool near : {true, false}) {
    if (!near && place.domains == 1) break;
    for (std::size_t distance = 1; distance < cores_; ++distance) {
      const std::size_t victim = (core + distance) % cores_;
      if (place.domains > 1 && is_near(victim) != near) continue;
      for (std::size_t k = victim; k < shares_.size(); k += cores_) {
        const std::uint64_t number = steal_from(shares_[k].left, shares_[core].left);
        if (number != none) return number;
      }
    }
  }
  return none;
}

std::uint64_t shared_loop::steal_from(std::atomic<std::uint64_t>& theirs, std::atomic<std::uint64_t>& mine) {
  std::uint64_t word = theirs.load(std::memory_order_relaxed);
  for (;;) {
    const numbers left = unpack(word);
    if (left.empty()) return none;
    const std::uint32_t middle = left.first + (left.last - left.first) / 2;
    if (!theirs.compare_exchange_weak(word, pack({left.first, middle}), std::memory_order_relaxed)) continue;
    mine.store(pack({middle + 1, left.last}), std::memory_order_relaxed);
    return middle;
  }
}

void shared_loop::prepare() {
  if (stage_.load(std::memory_order_acquire) != stage::to_cut) return;
  for (std::size_t k; (k = subspaces_claimed_.fetch_add(1, std::memory_order_relaxed)) < subspaces_;) {
    inspect_subspace(k);
    if (subspaces_cut_.fetch_add(1, std::memory_order_acq_rel) + 1 == subspaces_) lay_out();
  }
  while (stage_.load(std::memory_order_acquire) == stage::to_cut) {
    tasks::yield();
    std::this_thread::yield();
  }
}

void shared_loop::inspect_subspace(std::size_t k) {
  subspace_cut& cut = cuts_[k];
  cut.subspace =
      schedule_.subspace_ ? schedule_.subspace_(static_cast<int>(k)) : part_of(range_, k, subspaces_);
  for (std::size_t at = cut.subspace.first; at < cut.subspace.last;) {
    const inspected found = schedule_.inspect_(at, cut.subspace.last);
    const auto refuse = [&](const std::string& what) {
      base::misuse(fmt::format("the loop's inspect({}, {}) {}", at, cut.subspace.last, what));
    };
    if (found.end <= at) refuse("made an empty chunk: it returns an end after the first");
    if (!(found.load >= 0 && std::isfinite(found.load)))
      refuse(fmt::format("returned a load of {}", found.load));
    at = std::min(found.end, cut.subspace.last);
    cut.ends.push_back(at);
    if (schedule_.tells_load_) cut.loads.push_back(found.load);
  }
}

// Concatenates the cut subspaces.
void shared_loop::lay_out() {
  subspace_of_rank_.resize(subspaces_);
  std::iota(subspace_of_rank_.begin(), subspace_of_rank_.end(), std::size_t{0});
  std::sort(subspace_of_rank_.begin(), subspace_of_rank_.end(), [&](std::size_t a, std::size_t b) {
    return std::pair(cuts_[a].subspace.first, a) < std::pair(cuts_[b].subspace.first, b);
  });
  bounds_ = {range_.first};
  loads_.clear();
  first_chunk_.assign(1, 0);
  for (const std::size_t k : subspace_of_rank_) {
    const subspace_cut& cut = cuts_[k];
    if (!cut.ends.empty() && cut.subspace.first != bounds_.back()) {
      base::misuse(
          fmt::format("the loop's subspace({}) leaves out iterations before it, or repeats some", k));
    }
    bounds_.insert(bounds_.end(), cut.ends.begin(), cut.ends.end());
    loads_.insert(loads_.end(), cut.loads.begin(), cut.loads.end());
    require(bounds_.size() - 1 <= most_chunks, "the loop's inspect() makes more than 2^31 chunks");
    first_chunk_.push_back(static_cast<std::uint32_t>(bounds_.size() - 1));
  }
  require(bounds_.back() == range_.last, "the loop's subspaces do not end where the loop does");
  chunks_ = bounds_.size() - 1;
  cuts_.clear();
  const bool measure = schedule_.options_.profile && !schedule_.tells_load_;
  if (measure) {
    loads_.resize(chunks_);
  } else if (schedule_.options_.profile) {
    balance();
  }
  deal_groups();
  stage_.store(measure ? stage::measuring : stage::ready, std::memory_order_release);
}

// Each core begins with the groups of its subspaces' ranks, so that it stays near its own iterations.
void shared_loop::deal_groups() {
  for (std::size_t rank = 0; rank < subspaces_; ++rank)
    shares_[subspace_of_rank_[rank]].begins_with = {first_chunk_[rank], first_chunk_[rank + 1]};
  rewind();
}

// Cuts the groups anew, so that all have about the same load. A group begins with the first chunk whose
// middle lies at or after its part of the load. Loads of 0 give nothing to balance by.
void shared_loop::balance() {
  const double all = std::accumulate(loads_.begin(), loads_.end(), 0.0);
  double before = 0;
  std::uint32_t number = 0;
  for (std::size_t rank = 1; rank < subspaces_ && all > 0; ++rank) {
    const double target = all * static_cast<double>(rank) / static_cast<double>(subspaces_);
    for (; number < chunks_ && before + loads_[number] / 2 < target; ++number) before += loads_[number];
    first_chunk_[rank] = number;
  }
}

}  // namespace orujo::internal::loops
