#include "framework/algorithms/betweenness.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <functional>

#include "framework/graph/kept_forms.hpp"
#include "system/collectives/collectives.hpp"

namespace orujo::internal::algorithms {
namespace {

using detail::centrality_search;

// Number of sources after which a run may be stopped. Fewer would cost more latencies.
constexpr std::size_t sources_to_stop = 64;

// Number of levels, none of them large, after which other searches start beside the first one.
constexpr std::size_t levels_alone = 16;

// Returns the searches that take the next step: all, or only the first that has a large level. Other searches
// would drive its values out of the caches, and a large level gains little from a shared reduction.
std::vector<centrality_search*> those_that_go_on(std::span<centrality_search* const> all) {
  const auto large = std::ranges::find_if(all, &centrality_search::has_large_level);
  if (large != all.end()) return {*large};
  return {all.begin(), all.end()};
}

// [task; suspends; collective over the job] Returns the bits by which a level's numbers of paths may be
// longer than those of the level before. A vertex's number is the sum of as many numbers as it has in-edges,
// at most.
std::uint64_t count_bits_per_level(const graph::locale_graph& g) {
  std::uint64_t most = 1;
  for (std::uint32_t v = g.my_part().first; v < g.my_part().last; ++v)
    most = std::max(most, g.in_rows->degree(v));
  return std::bit_width(collectives::all_reduce(most, [](auto a, auto b) { return std::max(a, b); }) - 1);
}

}  // namespace

betweenness_centrality::betweenness_centrality(const graph::locale_graph& g, std::span<double> scores,
                                               std::span<double> edge_scores)
    : graph_(graph::require_forms(g, {.in_rows = true, .out_rows = true}, "betweenness_centrality:")),
      scores_{g.own_values(scores), edge_scores},
      shared_(collectives::share_on_locale<std::deque<detail::centrality_state>>(
          [] { return std::make_shared<std::deque<detail::centrality_state>>(); })),
      mirror_rows_(locales() > 1 ? graph::turn_mirror_rows(g) : nullptr),
      mirrors_(g, *shared_),
      bits_per_level_(count_bits_per_level(g)) {
  searches_.reserve(detail::most_side_by_side);
}

betweenness_centrality::~betweenness_centrality() { collectives::barrier(); }

centrality_report betweenness_centrality::run(std::span<const std::uint64_t> sources, loops::stop_flag stop) {
  collectives::barrier();
  const auto begin = std::chrono::steady_clock::now();
  report_ = {};
  scores_.clear(graph_.own);
  for (std::size_t since = sources_to_stop; !sources.empty();) {
    if (stop && since >= sources_to_stop) {
      report_.ended = collectives::broadcast(stop.is_set() ? 0 : 1, 0) == 1;
      if (!report_.ended) break;
      since = 0;
    }
    const std::size_t done = search(sources);
    go_back(done);
    sources = sources.subspan(done);
    since += done;
  }
  report_.reached = collectives::all_reduce(report_.reached);
  report_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return report_;
}

// Searches forward from the first source or several, and returns from how many.
std::size_t betweenness_centrality::search(std::span<const std::uint64_t> sources) {
  const std::size_t batches = (sources.size() + detail::most_side_by_side - 1) / detail::most_side_by_side;
  const std::size_t most = locales() > 1 ? (sources.size() + batches - 1) / batches : 1;
  std::size_t begun = begin(sources.first(side_by_side_ ? most : 1), 0);
  bool decided = false;  // whether searches go side by side here
  for (std::size_t levels = 1; !running_.empty(); ++levels) {
    const bool large = std::ranges::any_of(running_, &centrality_search::has_large_level);
    if (!decided && (large || levels == levels_alone)) {
      decided = true;
      side_by_side_ = !large;
      if (side_by_side_) begun += begin(sources.subspan(begun, most - begun), begun);
    }
    const auto next = those_that_go_on(running_);
    if (next.front()->is_small()) {
      next.front()->push_alone();
    } else {
      find(next);
    }
    enter(next);
  }
  return begun;
}

// Begins a search from each source, in slots from `place` on. Returns their number.
std::size_t betweenness_centrality::begin(std::span<const std::uint64_t> sources, std::size_t place) {
  if (sources.empty()) return 0;
  make_room(place + sources.size());
  const auto searches = std::span(searches_).subspan(place, sources.size());
  for (centrality_search& one : searches) {
    one.clear();
    if (locales() > 1) mirrors_.begin(one.place());
  }
  collectives::barrier();
  std::vector<centrality_search*> begun;
  for (std::size_t k = 0; k < sources.size(); ++k) {
    searches[k].start(sources[k]);
    searches[k].offer_found();
    begun.push_back(&searches[k]);
  }
  running_.insert(running_.end(), begun.begin(), begun.end());
  enter(begun);
  return sources.size();
}

void betweenness_centrality::make_room(std::size_t searches) {
  if (searches <= searches_.size()) return;
  if (leads_locale()) {
    while (shared_->size() < searches) shared_->emplace_back(graph_, my_locales_cores());
  }
  collectives::barrier(collectives::group::locale);
  if (locales() > 1) mirrors_.make_room(searches);
  while (searches_.size() < searches) {
    const std::size_t place = searches_.size();
    searches_.emplace_back(graph_, (*shared_)[place], mirrors_, mirror_rows_.get(), place, bits_per_level_);
  }
}

void betweenness_centrality::find(std::span<centrality_search* const> searches) {
  if (std::ranges::any_of(searches, &centrality_search::counts_before)) {
    for (centrality_search* one : searches) {
      if (one->counts_before()) one->count_before();
    }
    collectives::barrier(collectives::group::locale);
  }
  for (centrality_search* one : searches) one->find();
  if (locales() == 1) return;
  for (centrality_search* one : searches) one->offer_found();
  collectives::barrier(collectives::group::locale);
  for (centrality_search* one : searches) {
    if (one->counts_behind()) one->count();
  }
}

// Enters the next levels, which the searches have found. On several locales they have also offered these
// levels; the values of the vertices are then reported to mirrors. Costs one latency.
void betweenness_centrality::enter(std::span<centrality_search* const> searches) {
  std::vector<std::size_t> places;
  detail::level_sizes sizes;
  for (centrality_search* one : searches) {
    places.push_back(one->place());
    sizes.of[one->place()] = one->found();
  }
  if (locales() > 1) {
    collectives::barrier(collectives::group::locale);
    for (centrality_search* one : searches) one->tell_mirrors();
    sizes = mirrors_.meet(places, sizes);
  }
  for (centrality_search* one : searches) one->offer_found();
  if (locales() > 1) {
    collectives::barrier(collectives::group::locale);
  } else {
    sizes = collectives::all_reduce(sizes, std::plus<>());
  }
  for (centrality_search* one : searches) one->enter(sizes.of[one->place()]);
  if (std::ranges::any_of(searches, &centrality_search::may_overflow)) measure_paths(searches);
  std::erase_if(running_, [](const centrality_search* one) { return !one->has_frontier(); });
}

// Measures the numbers of paths of searches where these may be large. Afterwards scaled searches have
// exponents at every locale, so peers may send them.
void betweenness_centrality::measure_paths(std::span<centrality_search* const> searches) {
  std::array<std::uint64_t, detail::most_side_by_side> bits{};
  for (const centrality_search* one : searches) {
    if (one->may_overflow()) bits[one->place()] = one->most_bits_counted();
  }
  collectives::all_reduce(bits, [](auto a, auto b) { return std::max(a, b); });
  for (centrality_search* one : searches) {
    if (one->may_overflow()) one->know_most(bits[one->place()]);
    if (!one->is_scaled()) continue;
    if (leads_locale()) one->make_exponents();
    if (locales() > 1) mirrors_.make_exponents(one->place());
  }
  collectives::barrier();
}

// Goes back from the deepest level of each search to level 1, as the source has no score, or to level 0, as
// its edges have. The cores of a
// locale go from level to level together. A locale goes on as soon as it has the values that it mirrors;
// while values of one search are under way, it works on the others. Values of level 1 are not sent unless
// edges have scores, because only the source would read them.
void betweenness_centrality::go_back(std::size_t count) {
  for (centrality_search& one : std::span(searches_).first(count)) {
    one.turn_back();
    report_.levels = std::max(report_.levels, static_cast<int>(one.levels()));
    report_.reached += one.reached();
    running_.push_back(&one);
  }
  for (;;) {
    std::erase_if(running_, [&](const centrality_search* one) { return one->is_back(with_edges()); });
    if (running_.empty()) break;
    for (centrality_search* one : those_that_go_on(running_)) go_back(*one);
  }
  collectives::barrier(collectives::group::locale);
}

// Goes back by one level. A barrier precedes each level that cores share, so scores are added in an order
// that does not depend on which cores add them.
void betweenness_centrality::go_back(centrality_search& one) {
  if (locales() > 1) one.await_mirrors_back();
  if (one.is_shared()) {
    one.offer_back();
    collectives::barrier(collectives::group::locale);
  }
  one.go_back(scores_);
  if (locales() == 1) return;
  collectives::barrier(collectives::group::locale);
  one.tell_mirrors_back(with_edges());
}

}  // namespace orujo::internal::algorithms
