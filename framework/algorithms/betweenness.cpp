#include "framework/algorithms/betweenness.hpp"

#include <algorithm>
#include <chrono>
#include <functional>
#include <utility>

#include "system/loops/collectives.hpp"

namespace orujo::algorithms {
namespace {

constexpr std::size_t vertices_of_chunk = 64;
// Where nobody shares them: what comes waits for the end of a chunk.
constexpr std::size_t vertices_of_chunk_alone = 256;
constexpr std::size_t words_of_chunk = 16;
// A frontier of so few vertices and out-edges is left to one core, which does without barriers.
constexpr std::uint64_t alone_below = 1024;
// A level is pulled if its frontier's out-edges, times this, are more than those of the vertices not seen. A
// pull looks at all these edges. So do pushes in the end, when the paths of what they have found are counted.
constexpr std::uint64_t push_threshold = 1;

std::size_t parity(std::size_t level) { return level % 2; }

}  // namespace

betweenness_centrality::betweenness_centrality(const graph::locale_graph& g, std::span<double> scores)
    : graph_(g),
      scores_(scores),
      shared_(loops::share_on_locale<detail::centrality_state>(
          [&] { return std::make_shared<detail::centrality_state>(g, my_locales_cores()); })),
      alone_(my_locales_cores() == 1),
      chunk_(alone_ ? vertices_of_chunk_alone : vertices_of_chunk),
      mirror_rows_(locales() > 1 ? graph::turn_mirror_rows(g) : nullptr),
      step_(g, *shared_),
      mirrors_(g, *shared_) {}

betweenness_centrality::~betweenness_centrality() { loops::barrier(); }

centrality_report betweenness_centrality::run(std::span<const std::uint64_t> sources) {
  loops::barrier();
  const auto begin = std::chrono::steady_clock::now();
  report_ = {};
  const loops::index_range mine = loops::my_part_of_locale({0, graph_.own});
  std::ranges::fill(std::span(scores_).subspan(mine.first, mine.size()), 0);
  for (const std::uint64_t source : sources) search(source);
  report_.reached = loops::all_reduce(report_.reached);
  report_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return report_;
}

void betweenness_centrality::search(std::uint64_t source) {
  start(source);
  while (frontier_.vertices > 0) {
    if (locales() == 1 && frontier_.vertices + frontier_.out_edges < alone_below) {
      push_alone();
    } else if (would_pull()) {
      pull();
    } else {
      alone_ ? push<true>() : push<false>();
    }
  }
  report_.levels = std::max(report_.levels, static_cast<int>(level_));
  for (const std::vector<std::uint32_t>& found : levels_) report_.reached += found.size();
  go_back();
}

void betweenness_centrality::start(std::uint64_t source) {
  const loops::index_range mine = loops::my_part_of_locale({0, shared_->values[0].size()});
  for (const auto& values : shared_->values)
    std::fill(values.begin() + mine.first, values.begin() + mine.last, 0);
  const loops::index_range words = loops::my_part_of_locale({0, shared_->seen.size_in_words()});
  shared_->seen.clear(words.first, words.last);
  for (std::vector<std::uint32_t>& found : levels_) found.clear();
  found_alone_.clear();
  unseen_edges_ = graph_.edges;
  frontier_ = {};
  mirrors_.begin();
  loops::barrier();
  step_.out_edges = 0;
  if (leads_locale() && source - graph_.first_vertex < graph_.own) {
    const auto vertex = static_cast<std::uint32_t>(source - graph_.first_vertex);
    list(0).push_back(vertex);
    shared_->seen.set(vertex);
    shared_->values[0][vertex] = -1;
    step_.out_edges = graph_.out_rows->degree(vertex);
    if (locales() > 1) mirrors_.tell(list(0), 0);
  }
  enter(0);
  counted_ = true;
}

// Finds the unseen out-neighbours of the level's vertices. Of one locale, paths are counted when a vertex is
// pushed from, as its rows are looked at together then; of several, when it has been found, as mirrors that
// are told of it are pushed from meanwhile.
template <bool Alone>
void betweenness_centrality::push() {
  const std::size_t next = level_ + 1;
  step_.found = &list(next);
  step_.out_edges = 0;
  take_vertices(shared_->levels, level_, [&](std::span<const std::uint32_t> chunk) {
    machine::compiled_for(isa_, [&] {
      if (!counted_) step_.count_paths(chunk, parity(level_));
      step_.push<Alone>(chunk, graph_.out_rows->offsets.data(), graph_.out_rows->neighbours.data());
    });
  });
  counted_ = locales() > 1;
  if (counted_) {
    take_vertices(shared_->mirrors, level_, [&](std::span<const std::uint32_t> chunk) {
      machine::compiled_for(
          isa_, [&] { step_.push<Alone>(chunk, mirror_rows_->offsets(), mirror_rows_->targets()); });
    });
    offer(next);
    loops::barrier(loops::group::locale);
    count_paths(next);
  }
  enter(next);
}

void betweenness_centrality::pull() {
  const std::size_t next = level_ + 1;
  step_.found = &list(next);
  step_.out_edges = 0;
  if (!counted_) {
    count_paths(level_);
    loops::barrier(loops::group::locale);
  }
  detail::take_chunks(shared_->words[parity(level_)], words_of_chunk,
                      [&](const auto&, std::size_t first, std::size_t last) {
                        const std::size_t before = step_.found->size();
                        machine::compiled_for(isa_, [&] { step_.pull(first, last, parity(next)); });
                        if (locales() > 1) mirrors_.tell(std::span(*step_.found).subspan(before), next);
                      });
  counted_ = true;
  enter(next);
}

// Of vertices that have been found and offered.
void betweenness_centrality::count_paths(std::size_t level) {
  take_vertices(shared_->levels, level, [&](std::span<const std::uint32_t> chunk) {
    machine::compiled_for(isa_, [&] { step_.count_paths(chunk, parity(level)); });
    if (locales() > 1) mirrors_.tell(chunk, level);
  });
}

// Levels of one core, until there is none or a large one.
void betweenness_centrality::push_alone() {
  struct way {
    std::size_t level;
    std::uint64_t out_edges;  // of levels passed
  } reached{level_, 0};
  step_.out_edges = 0;
  if (leads_locale()) {
    const auto visit = [&](std::span<const std::uint32_t> all) {
      machine::compiled_for(isa_, [&] {
        if (!counted_) step_.count_paths(all, parity(reached.level));
        step_.push<true>(all, graph_.out_rows->offsets.data(), graph_.out_rows->neighbours.data());
      });
    };
    step_.found = &list(level_ + 1);
    for (const detail::centrality_share& share : shared_->levels[parity(level_)])
      visit({share.vertices, share.last});
    counted_ = false;
    for (;;) {
      ++reached.level;
      step_.found = &list(reached.level + 1);
      const std::span<const std::uint32_t> all = list(reached.level);
      if (all.empty() || all.size() + step_.out_edges >= alone_below) break;
      reached.out_edges += std::exchange(step_.out_edges, 0);
      visit(all);
    }
  }
  reached = loops::all_reduce(reached, [](way a, const way& b) {
    return way{std::max(a.level, b.level), a.out_edges + b.out_edges};
  });
  found_alone_.resize(level_ + 1);
  found_alone_.resize(reached.level, true);
  unseen_edges_ -= reached.out_edges;
  enter(reached.level);
  counted_ = false;
}

// From the deepest level to the first; the source has no score. The cores of a locale go from level to level
// together, locales as soon as they have the values that they mirror; those of the first level nobody reads.
void betweenness_centrality::go_back() {
  if (level_ <= 1) return;
  found_alone_.resize(level_);
  for (std::size_t level = level_ - 1; level > 0; --level) {
    const bool alone = found_alone_[level] && (level + 1 == level_ || found_alone_[level + 1]);
    if (!alone) {
      offer(level);
      loops::barrier(loops::group::locale);
    }
    mirrors_.go_back_to(level);
    go_back_from(level);
    if (locales() > 1 && level > 1) mirrors_.await_back(level);
  }
  loops::barrier(loops::group::locale);
}

void betweenness_centrality::go_back_from(std::size_t level) {
  const auto visit = [&](std::span<const std::uint32_t> chunk) {
    machine::compiled_for(isa_, [&] { step_.go_back(chunk, parity(level), level + 1 == level_, scores_); });
    if (locales() > 1 && level > 1) mirrors_.tell_back(chunk, level);
  };
  if (!found_alone_[level]) {
    take_vertices(shared_->levels, level, visit);
  } else if (leads_locale()) {
    visit(list(level));
  }
}

// What this core has found of a level. A list stays where it is while others are added.
std::vector<std::uint32_t>& betweenness_centrality::list(std::size_t level) {
  if (levels_.size() <= level) levels_.resize(level + 1);
  return levels_[level];
}

template <class Visit>
void betweenness_centrality::take_vertices(detail::shares_by_parity& shares, std::size_t level, Visit visit) {
  detail::take_chunks(shares[parity(level)], chunk_,
                      [&](const auto& share, std::size_t first, std::size_t last) {
                        visit(std::span(share.vertices + first, last - first));
                      });
}

// This core's part of a level, to the cores of its locale.
void betweenness_centrality::offer(std::size_t level) {
  const auto me = static_cast<std::size_t>(my_core_of_locale());
  shared_->levels[parity(level)][me].offer(std::span<const std::uint32_t>(list(level)));
  shared_->mirrors[parity(level)][me].offer(mirrors_.of(level));
  shared_->words[parity(level)][me].offer(
      loops::my_part_of_locale({0, detail::frontier::words_for(graph_.own)}));
}

// The level has been found, and with several locales its vertices' values are on their way to mirrors. Costs
// one latency.
void betweenness_centrality::enter(std::size_t level) {
  const level_size mine{list(level).size(), step_.out_edges};
  unseen_edges_ -= frontier_.out_edges;
  level_ = level;
  if (locales() == 1) {
    offer(level);
    frontier_ = loops::all_reduce(mine, std::plus<>());
  } else {
    frontier_ = mirrors_.finish(level, mine);
    offer(level);
    loops::barrier(loops::group::locale);
  }
}

// The same at every core.
bool betweenness_centrality::would_pull() const {
  const std::uint64_t out_edges = frontier_.out_edges;
  return out_edges * push_threshold > unseen_edges_ - std::min(unseen_edges_, out_edges);
}

}  // namespace orujo::algorithms
