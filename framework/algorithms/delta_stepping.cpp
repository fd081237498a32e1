#include "framework/algorithms/delta_stepping.hpp"

#include <glog/logging.h>

#include <algorithm>
#include <limits>

#include "framework/algorithms/relaxed_rows.hpp"
#include "system/collectives/collectives.hpp"

namespace orujo::internal::algorithms {
namespace {

// Found vertices that a core takes from an offer at a time.
constexpr std::size_t taken_at_once = 64;
// A core goes on by itself with fewer found vertices than this.
constexpr std::size_t few = 1000;
// One core works off bins of at most this many found vertices, while the others wait. It would take them at
// once anyway.
constexpr std::size_t very_few = taken_at_once;
// Distances of prefetches: rows ahead in found vertices, the neighbours' distances ahead in edges.
constexpr std::size_t found_ahead = 8;
constexpr std::size_t neighbours_ahead = 16;
constexpr std::uint64_t fetched_of_row = 32, fetched_at_once = 8;

}  // namespace

template <class Distance>
delta_stepping<Distance>::delta_stepping(const graph::locale_graph& g, std::span<Distance> distances,
                                         float delta)
    : delta_stepping(g, distances, delta, false) {}

template <class Distance>
delta_stepping<Distance>::delta_stepping(const graph::locale_graph& g, std::span<Distance> levels)
    : delta_stepping(g, levels, 1, true) {}

template <class Distance>
delta_stepping<Distance>::delta_stepping(const graph::locale_graph& g, std::span<Distance> distances,
                                         float delta, bool by_levels)
    : graph_(g),
      by_levels_(by_levels),
      rows_(*g.out_rows),
      distances_(distances),
      me_(my_core_of_locale()),
      arena_(collectives::share_on_locale<arena>(
          [&] { return std::make_shared<arena>(my_locales_cores(), locales() > 1 ? g.own : 0); })),
      inverse_delta_(1 / delta) {
  CHECK_EQ(distances.size(), std::size_t{g.own} + g.mirrors);
  CHECK(!by_levels || locales() > 1);
  if (locales() == 1) return;
  inner_rows_ = graph::find_inner_rows(g);
  if (g.weighted && !by_levels) {
    weighted_mirror_rows_ = graph::turn_mirror_rows<graph::arc>(g);
  } else {
    mirror_rows_ = graph::turn_mirror_rows(g);
  }
  mirrors_.emplace(g, exchange::told_sets::unrelated);
}

template <class Distance>
void delta_stepping<Distance>::forget() {
  report_ = {};
  edges_before_ = 0;
  ahead_.reset();
  meeting_ns_ = 0;
  clock_.start();
  bins_.clear();
  current_ = settled_ = end_ = alone_to_ = 0;
  next_ = {};
}

template <class Distance>
void delta_stepping<Distance>::start(std::uint64_t source) {
  forget();
  const graph::core_part& part = graph_.my_part();
  std::fill(distances_.begin() + part.first, distances_.begin() + part.last, relaxed::unreached);
  const std::uint64_t place = source - graph_.first_vertex;
  if (place < part.first || place >= part.last) return;
  distances_[place] = 0;
  push({static_cast<std::uint32_t>(place), 0});
}

template <class Distance>
auto delta_stepping<Distance>::go_on(std::span<const std::uint32_t> found, std::uint64_t level,
                                     std::uint64_t end) -> gone_on {
  CHECK(by_levels_);
  forget();
  for (const std::uint32_t v : found) push({v, static_cast<Distance>(level)});
  next_.bin = level;
  std::uint64_t edges = 0;
  do {
    step();
    edges += next_.last.edges;
  } while (next_.bin < end && ahead_.steps() > 1);
  return {next_.bin, edges};
}

template <class Distance>
void delta_stepping<Distance>::start_again(std::uint64_t rounds) {
  report_.rounds = rounds;
  bins_.clear();
  const graph::core_part& part = graph_.my_part();
  for (std::uint32_t v = part.first; v < part.last; ++v) {
    if (distances_[v] < relaxed::unreached) push({v, distances_[v]});
  }
  next_ = collectives::all_reduce(outlook{bins_.first_from(0), {}}, first_of);
}

template <class Distance>
bool delta_stepping<Distance>::step() {
  if (mirrors_ ? !round_of_locales() : !round_of_locale()) return false;
  ++report_.rounds;
  return true;
}

template <class Distance>
bool delta_stepping<Distance>::round_of_locale() {
  const bool more = next_round();
  settled_ = current_;
  for (const offer& o : arena_->offers[turn_]) end_ = std::max(end_, o.end);
  if (!more) return false;
  end_ = std::max(end_, current_ + 1);
  work_off();
  return true;
}

template <class Distance>
bool delta_stepping<Distance>::round_of_locales() {
  if (next_.bin == bins::none) return false;
  const std::uint64_t first = current_ = next_.bin;
  if (!bins_.within_window(first)) bins_.move_window(first);
  nearest_outside_ = relaxed::unreached;
  end_ = std::max(end_, first + ahead_.steps());
  const auto few_so_far = [this] { return report_.edges - edges_before_ < ahead_.edges(); };
  while (next_round_of_locale(first + (few_so_far() ? ahead_.steps() : 1))) {
    work_off_offers();
    work_off_own();
  }
  current_ = first;  // mirrors of this round may lead there
  tell_mirrors();
  meet();
  relax_mirrors();
  return true;
}

// Agrees with all cores on the first bin of the next round. A core that sends vertices counts the nearest
// distance that these may lead to, whether or not the owner there has one as near already. Afterwards the
// mirrors that this core has received have their distances.
template <class Distance>
void delta_stepping<Distance>::meet() {
  const std::uint64_t told = nearest_outside_ < relaxed::unreached ? bin_of(nearest_outside_) : bins::none;
  const std::uint64_t first = current_, mine = std::min(told, bins_.first_from(first));
  const steps::lookahead::measured round{report_.edges - edges_before_, clock_.lap_ns(), meeting_ns_};
  edges_before_ = report_.edges;
  next_ = mirrors_->meet(outlook{mine, round}, first_of);
  for (const std::uint32_t v : arena_->to_tell[me_].vertices) arena_->is_told.shared_reset(v);
  arena_->to_tell[me_].vertices.clear();
  mirrors_->await();
  meeting_ns_ = clock_.lap_ns();
  if (next_.bin != bins::none) ahead_.learn(next_.last, next_.bin - first, cores());
}

// Puts many vertices of a bin in the order of their rows. Another core may find one of them nearer meanwhile.
template <class Distance>
void delta_stepping<Distance>::order(std::vector<found_vertex>& bin) {
  if (!order_.pays(bin.size())) return;
  const auto distance_of = [this](std::uint32_t v) {
    return std::atomic_ref(distances_[v]).load(std::memory_order_relaxed);
  };
  for (const auto& [vertex, distance] : bin) {
    if (distance_of(vertex) == distance) order_.add(vertex);
  }
  bin.clear();
  order_.take([&](std::uint32_t v) { bin.push_back({v, distance_of(v)}); });
}

// Offers what this core has in a bin, if any. Returns the first bin that any core of the locale offers.
template <class Distance>
std::uint64_t delta_stepping<Distance>::offer_bin(std::uint64_t bin) {
  turn_ = 1 - turn_;
  by_core<offer>& offers = arena_->offers[turn_];
  offer& mine = offers[me_];
  mine.bin = bin;
  mine.found = {};
  mine.next = 0;
  if (bin != bins::none && bins_.within_window(bin)) {
    order(bins_.bin(bin));
    mine.found = bins_.bin(bin);
  }
  if (bin != bins::none && mine.found.size() <= very_few && !mirrors_)
    mine.next = offers.size() == 1 ? bins::none : bins_.first_from(bin + 1);
  mine.end = alone_to_;
  mine.dealer.reset();
  collectives::barrier(collectives::group::locale);
  bins_.recycle(std::move(offered_[1 - turn_]));
  offered_[1 - turn_] = {};
  std::uint64_t first = bins::none;
  for (const offer& o : offers) first = std::min(first, o.bin);
  return first;
}

template <class Distance>
void delta_stepping<Distance>::take_offered() {
  if (arena_->offers[turn_][me_].bin == current_) std::swap(offered_[turn_], bins_.bin(current_));
}

// Goes on to the first bin of any core of the locale, and offers what this core has in it. Returns false if
// no core has any.
template <class Distance>
bool delta_stepping<Distance>::next_round() {
  for (;;) {
    current_ = offer_bin(bins_.first_from(current_));
    if (current_ == bins::none) return false;
    if (bins_.within_window(current_)) break;
    bins_.move_window(current_);
  }
  take_offered();
  return true;
}

// Does the same for the locale's bins before `last`.
template <class Distance>
bool delta_stepping<Distance>::next_round_of_locale(std::uint64_t last) {
  const std::uint64_t mine = bins_.first_from(current_);
  const std::uint64_t first = offer_bin(mine < last && bins_.within_window(mine) ? mine : bins::none);
  if (first == bins::none) return false;
  current_ = first;
  take_offered();
  return true;
}

// Tells mirrors of the vertices that the locale has relaxed, each once and with its last distance. Vertices
// that come nearer afterwards are relaxed and sent again.
template <class Distance>
void delta_stepping<Distance>::tell_mirrors() {
  collectives::barrier(collectives::group::locale);
  std::vector<std::span<const std::uint32_t>> lists;
  for (const told_vertices& of : arena_->to_tell) lists.emplace_back(of.vertices);
  mirrors_->open({.shown = distances_.data(), .news = &told_});
  mirrors_->send_fresh(arena_->is_told.words(), lists, [this](std::uint32_t v) { return distances_[v]; });
}

// Notes that an own vertex has to be sent to its mirrors.
template <class Distance>
template <steps::sharing With>
void delta_stepping<Distance>::will_tell(std::uint32_t vertex) {
  graph::bit_set& told = arena_->is_told;
  if constexpr (With == steps::sharing::none) {
    if (told.test(vertex)) return;
    told.set(vertex);
  } else {
    if (!told.shared_set(vertex)) return;
  }
  arena_->to_tell[me_].vertices.push_back(vertex);
}

// Works off the current bin, all cores together, or the core that has found most in it if it is very small.
template <class Distance>
void delta_stepping<Distance>::work_off() {
  const by_core<offer>& offers = arena_->offers[turn_];
  std::size_t found = 0;
  int most = me_;
  for (int k = 0; k < my_locales_cores(); ++k) {
    if (offers[k].bin != current_) continue;
    found += offers[k].next > 0 ? offers[k].found.size() : few;
    if (offers[most].bin != current_ ||
        std::pair(offers[k].found.size(), k) > std::pair(offers[most].found.size(), most))
      most = k;
  }
  if (found > very_few) {
    work_off_offers();
    work_off_own();
  } else if (most == me_) {
    work_off_alone();
  }
}

// Goes on while this core's first bin is very small and not behind any other core's.
template <class Distance>
void delta_stepping<Distance>::work_off_alone() {
  alone_ = true;
  std::uint64_t others = bins::none;
  for (int k = 0; k < my_locales_cores(); ++k) {
    const offer& o = arena_->offers[turn_][k];
    if (o.bin == current_) relax(o.found);
    if (k != me_) others = std::min(others, o.bin == current_ ? o.next : o.bin);
  }
  for (;;) {
    work_off_own();
    const std::uint64_t next = bins_.first_from(current_);
    if (next > others || !bins_.within_window(next) || bins_.bin(next).size() > very_few) break;
    current_ = next;
  }
  alone_to_ = current_ + 1;
  alone_ = false;
}

template <class Distance>
void delta_stepping<Distance>::work_off_offers() {
  steps::deal_shares(arena_->offers[turn_], [&](offer& from) {
    if (from.bin != current_) return;
    from.dealer.deal(from.found.size(), taken_at_once, [&](std::size_t first, std::size_t last) {
      relax(from.found.subspan(first, last - first));
    });
  });
}

template <class Distance>
void delta_stepping<Distance>::work_off_own() {
  while (!bins_.bin(current_).empty() && bins_.bin(current_).size() < few) {
    std::vector<found_vertex> found;
    std::swap(found, bins_.bin(current_));
    relax(found);
    bins_.recycle(std::move(found));
  }
}

// Lowers a distance. It is not inlined because most edges lead to vertices that are as near already, which
// the loop over edges finds without it.
template <class Distance>
template <steps::sharing With>
[[gnu::noinline]] void delta_stepping<Distance>::lower(Distance& known, std::uint32_t vertex,
                                                       Distance distance) {
  const std::atomic_ref<Distance> shared(known);
  if constexpr (With == steps::sharing::none) {
    // The caller has found it to be less. Cores that wait may read it, to order their bins.
    shared.store(distance, std::memory_order_relaxed);
  } else {
    Distance before = shared.load(std::memory_order_relaxed);
    do {
      if (distance >= before) return;
    } while (!shared.compare_exchange_weak(before, distance, std::memory_order_relaxed));
  }
  push({vertex, distance});
}

template <class Distance>
void delta_stepping<Distance>::relax(std::span<const found_vertex> found) {
  const auto along = [&](const auto& rows) {
    if (!graph_.weighted || by_levels_)
      return relax(found, rows, relaxed::unweighted{rows_.neighbours.data()});
    if (rows_.arcs.size() > 0) return relax(found, rows, relaxed::arcs{rows_.arcs.data()});
    relax(found, rows, relaxed::side_by_side{rows_.neighbours.data(), rows_.weights.data()});
  };
  inner_rows_ ? along(relaxed::inner_rows{inner_rows_->data(), by_levels_})
              : along(relaxed::whole_rows<true>{rows_.offsets.data()});
}

// Relaxes the edges of received mirrors. It comes after meet(), because before that a core of the locale may
// still offer its bins.
template <class Distance>
void delta_stepping<Distance>::relax_mirrors() {
  found_mirrors_.clear();
  for (const std::uint32_t m : told_) found_mirrors_.push_back({m - graph_.own, distances_[m]});
  told_.clear();
  if (mirror_rows_) {
    relax(found_mirrors_, relaxed::whole_rows<false>{mirror_rows_->offsets()},
          relaxed::unweighted{mirror_rows_->targets()});
  } else {
    relax(found_mirrors_, relaxed::whole_rows<false>{weighted_mirror_rows_->offsets()},
          relaxed::arcs{weighted_mirror_rows_->targets()});
  }
}

template <class Distance>
template <class Rows, class Edges>
void delta_stepping<Distance>::relax(std::span<const found_vertex> found, Rows rows, Edges edges) {
  my_locales_cores() > 1 && !alone_ ? relax_with<steps::sharing::cores>(found, rows, edges)
                                    : relax_with<steps::sharing::none>(found, rows, edges);
}

template <class Distance>
template <steps::sharing With, class Rows, class Edges>
void delta_stepping<Distance>::relax_with(std::span<const found_vertex> found, Rows rows, Edges edges) {
  Distance* const distances = distances_.data();
  const std::size_t count = found.size();
  std::uint64_t relaxed = 0, looked_at = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (i + 2 * found_ahead < count) {
      const std::uint32_t v = found[i + 2 * found_ahead].vertex;
      rows.fetch(v);
      if constexpr (Rows::of_own) __builtin_prefetch(&distances[v]);
    }
    if (i + found_ahead < count) {
      const relaxed::slots ahead = rows[found[i + found_ahead].vertex];
      const std::uint64_t end = std::min(ahead.last, ahead.first + fetched_of_row);
      for (std::uint64_t k = ahead.first; k < end; k += fetched_at_once) edges.fetch(k);
    }
    const auto [vertex, distance] = found[i];
    if constexpr (Rows::of_own) {
      if (std::atomic_ref(distances[vertex]).load(std::memory_order_relaxed) < distance) continue;
    }
    const auto [first, last, lightest_outer] = rows[vertex];
    ++relaxed;
    looked_at += last - first;
    if constexpr (Rows::cut) {
      if (lightest_outer < relaxed::unreached) {
        will_tell<With>(vertex);
        nearest_outside_ = std::min(nearest_outside_, distance + lightest_outer);
      }
    }
    for (std::uint64_t k = first; k < last; ++k) {
      if (k + neighbours_ahead < last) __builtin_prefetch(&distances[edges.target(k + neighbours_ahead)]);
      const std::uint32_t target = edges.target(k);
      const Distance through = distance + edges.weight(k);
      Distance& known = distances[target];
      if (through < std::atomic_ref(known).load(std::memory_order_relaxed))
        lower<With>(known, target, through);
    }
  }
  report_.relaxed += relaxed;
  report_.edges += looked_at;
}

template class delta_stepping<float>;
template class delta_stepping<double>;

}  // namespace orujo::internal::algorithms
