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
      chunk_(my_locales_cores() == 1 ? vertices_of_chunk_alone : vertices_of_chunk),
      homes_(g),
      step_(g, *shared_),
      mirrors_(g, *shared_),
      claims_out_(*this) {}

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
    } else if (would_pull(frontier_)) {
      pull();
    } else {
      push();
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
  frontier_ = guessed_ = {};
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
  enter(0, 0);
  counted_ = true;
}

// The vertices of the level, if they have not been counted yet, and their unseen out-neighbours.
void betweenness_centrality::push() {
  claims_out_.open();
  step_.found = &list(level_ + 1);
  step_.out_edges = 0;
  detail::take_chunks(shared_->levels[parity(level_)], chunk_,
                      [&](const auto& share, std::size_t first, std::size_t last) {
                        const std::span chunk(share.vertices + first, last - first);
                        machine::compiled_for(isa_, [&] {
                          if (!counted_) step_.count_paths(chunk, parity(level_));
                          step_.push<false>(chunk);
                        });
                        if (locales() == 1) return;
                        if (!counted_) mirrors_.tell(chunk, level_);
                        claim_mirrors();
                      });
  enter(level_ + 1, level_);
  counted_ = false;
}

void betweenness_centrality::pull() {
  const std::size_t next = level_ + 1;
  step_.found = &list(next);
  step_.out_edges = 0;
  if (!counted_) {
    count_paths();
    if (locales() > 1) finish_round({}, level_);
    loops::barrier(loops::group::locale);
  }
  detail::take_chunks(shared_->words[parity(level_)], words_of_chunk,
                      [&](const auto&, std::size_t first, std::size_t last) {
                        const std::size_t before = step_.found->size();
                        machine::compiled_for(isa_, [&] { step_.pull(first, last, parity(next)); });
                        if (locales() > 1) mirrors_.tell(std::span(*step_.found).subspan(before), next);
                      });
  enter(next, next);
  counted_ = true;
}

void betweenness_centrality::count_paths() {
  detail::take_chunks(shared_->levels[parity(level_)], chunk_,
                      [&](const auto& share, std::size_t first, std::size_t last) {
                        const std::span chunk(share.vertices + first, last - first);
                        machine::compiled_for(isa_, [&] { step_.count_paths(chunk, parity(level_)); });
                        if (locales() > 1) mirrors_.tell(chunk, level_);
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
        step_.push<true>(all);
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
  enter(reached.level, reached.level);
  counted_ = false;
}

// Tells their owners of the mirrors that this core has found.
void betweenness_centrality::claim_mirrors() {
  for (const std::uint32_t mirror : step_.mirrors) claims_out_.push(homes_[mirror - graph_.own], {});
  step_.mirrors.clear();
}

void betweenness_centrality::receive(std::span<const exchange::pushed<exchange::no_value>> claims) {
  for (const auto& one : claims) {
    if (shared_->seen.shared_set(one.target)) claimed_.push_back(one.target);
  }
}

// From the deepest level to the first; the source has no score.
void betweenness_centrality::go_back() {
  if (level_ <= 1) return;
  if (locales() > 1) return go_back_between_locales();
  found_alone_.resize(level_);
  offer(level_ - 1);
  loops::barrier();
  for (std::size_t level = level_ - 1; level > 0; --level) {
    go_back_from(level);
    if (found_alone_[level] && found_alone_[level - 1]) continue;
    offer(level - 1);
    loops::barrier();
  }
}

// The cores of a locale go from level to level together, locales as soon as they have the values that they
// mirror. Those of the first level nobody reads.
void betweenness_centrality::go_back_between_locales() {
  found_alone_.assign(level_, false);
  for (std::size_t level = level_ - 1; level > 0; --level) {
    offer(level);
    loops::barrier(loops::group::locale);
    mirrors_.go_back_to(level);
    go_back_from(level);
    if (level > 1) mirrors_.await_back(level);
  }
  loops::barrier(loops::group::locale);
}

void betweenness_centrality::go_back_from(std::size_t level) {
  const auto visit = [&](std::span<const std::uint32_t> chunk) {
    machine::compiled_for(isa_, [&] { step_.go_back(chunk, parity(level), level + 1 == level_, scores_); });
    if (locales() > 1 && level > 1) mirrors_.tell_back(chunk, level);
  };
  if (!found_alone_[level]) {
    detail::take_chunks(shared_->levels[parity(level)], chunk_,
                        [&](const auto& share, std::size_t first, std::size_t last) {
                          visit({share.vertices + first, last - first});
                        });
  } else if (leads_locale()) {
    visit(list(level));
  }
}

// What this core has found of a level. A list stays where it is while others are added.
std::vector<std::uint32_t>& betweenness_centrality::list(std::size_t level) {
  if (levels_.size() <= level) levels_.resize(level + 1);
  return levels_[level];
}

// This core's part of a level, to the cores of its locale.
void betweenness_centrality::offer(std::size_t level) {
  const auto me = static_cast<std::size_t>(my_core_of_locale());
  shared_->levels[parity(level)][me].offer(std::span<const std::uint32_t>(list(level)));
  shared_->words[parity(level)][me].offer(
      loops::my_part_of_locale({0, detail::frontier::words_for(graph_.own)}));
}

// The level has been found, and of told_level numbers of paths are on their way to mirrors.
void betweenness_centrality::enter(std::size_t level, std::size_t told_level) {
  if (locales() > 1) return enter_between_locales(level, told_level);
  offer(level);
  unseen_edges_ -= frontier_.out_edges;
  frontier_ = loops::all_reduce(level_size{list(level).size(), step_.out_edges}, std::plus<>());
  level_ = level;
}

void betweenness_centrality::enter_between_locales(std::size_t level, std::size_t told_level) {
  std::vector<std::uint32_t>& found = list(level);
  const std::uint64_t sent = claims_out_.sent();
  const level_news all = finish_round(
      {{found.size(), step_.out_edges}, sent - std::exchange(sent_before_, sent), std::exchange(late_, {})},
      told_level);
  late_.vertices = claimed_.size();
  for (const std::uint32_t v : claimed_) late_.out_edges += graph_.out_rows->degree(v);
  found.insert(found.end(), claimed_.begin(), claimed_.end());
  claimed_.clear();
  offer(level);
  loops::barrier(loops::group::locale);

  const std::uint64_t vertices_before = frontier_.vertices - guessed_.vertices + all.late.vertices;
  unseen_edges_ -= frontier_.out_edges - guessed_.out_edges + all.late.out_edges;
  frontier_ = all.found;
  guess_frontier(all.claims);
  // All that the last level was guessed to have may have been seen before.
  const bool was_none = frontier_.vertices == 0 && level > 0 && vertices_before == 0;
  level_ = was_none ? level - 1 : level;
}

// The end of a round for all: nobody pushes or tells any more who has come here. Costs one latency. What the
// locale's other cores are told is there after a barrier.
betweenness_centrality::level_news betweenness_centrality::finish_round(const level_news& mine,
                                                                        std::size_t told_level) {
  mirrors_.hand_over();
  const level_news all = claims_out_.finish(
      mine,
      [](level_news a, const level_news& b) {
        a.found += b.found;
        a.claims += b.claims;
        a.late += b.late;
        return a;
      },
      mirrors_.told());
  mirrors_.await(told_level, mirrors_.told()[static_cast<std::size_t>(my_core())]);
  return all;
}

// Of what was claimed. Where the guess decides, another reduction has the truth.
void betweenness_centrality::guess_frontier(std::uint64_t claims) {
  guessed_ = engine::guess_of_told(claims, frontier_, {graph_.vertices, graph_.edges});
  if (would_pull(frontier_) != would_pull(frontier_ + guessed_)) {
    guessed_ = {};
    frontier_ += loops::all_reduce(std::exchange(late_, {}), std::plus<>());
  } else {
    frontier_ += guessed_;
  }
}

// The same at every core.
bool betweenness_centrality::would_pull(const level_size& next) const {
  return next.out_edges * push_threshold > unseen_edges_ - std::min(unseen_edges_, next.out_edges);
}

}  // namespace orujo::algorithms
