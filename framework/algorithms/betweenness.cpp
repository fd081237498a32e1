#include "framework/algorithms/betweenness.hpp"

#include <algorithm>
#include <chrono>

#include "framework/exchange/peers.hpp"
#include "system/loops/collectives.hpp"

namespace orujo::algorithms {
namespace {

constexpr std::size_t vertices_of_chunk = 64;
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
      places_(loops::share_on_locale<const mirror_places>(
          [&] { return std::make_shared<const mirror_places>(find_places()); })),
      step_(g, *shared_),
      values_out_(*this),
      claims_out_(*this) {}

betweenness_centrality::~betweenness_centrality() { loops::barrier(); }

betweenness_centrality::mirror_places betweenness_centrality::find_places() const {
  mirror_places all;
  if (locales() == 1) return all;
  const auto for_each_list = [&](auto visit) {
    for (const graph::core_part& part : graph_.parts) {
      for (std::size_t l = 0; l < part.mirrored_by.size(); ++l)
        visit(static_cast<std::uint32_t>(l), part.mirrored_by[l]);
    }
  };
  all.offsets.resize(graph_.own + std::size_t{2});  // two behind at first: filling moves each by one
  for_each_list([&](std::uint32_t, const graph::mirror_list& of) {
    for (const std::uint32_t v : of.vertices) ++all.offsets[v + 2];
  });
  for (std::size_t v = 1; v < all.offsets.size(); ++v) all.offsets[v] += all.offsets[v - 1];
  all.places.resize(all.offsets.back());
  for_each_list([&](std::uint32_t locale, const graph::mirror_list& of) {
    const core_id first = shape().first_core_of(static_cast<locale_id>(locale));
    const core_id last = first + shape().cores_of(static_cast<locale_id>(locale)) - 1;
    const std::uint64_t own = graph_.owners.last_of(last) - graph_.owners.first_of(first);
    std::uint32_t index = static_cast<std::uint32_t>(own) + of.first_mirror;
    for (const std::uint32_t v : of.vertices) all.places[all.offsets[v + 1]++] = {locale, index++};
  });
  return all;
}

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
    } else if (frontier_.out_edges * push_threshold > unseen_edges_) {
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
  loops::barrier();
  step_.out_edges = 0;
  if (leads_locale() && source - graph_.first_vertex < graph_.own) {
    const auto vertex = static_cast<std::uint32_t>(source - graph_.first_vertex);
    list(0).push_back(vertex);
    shared_->seen.set(vertex);
    shared_->values[0][vertex] = -1;
    step_.out_edges = graph_.out_rows->degree(vertex);
    tell_mirrors(list(0), 0);
  }
  enter(0);
  counted_ = true;
}

// The vertices of the level, if they have not been counted yet, and their unseen out-neighbours.
void betweenness_centrality::push() {
  step_.found = &list(level_ + 1);
  step_.out_edges = 0;
  detail::take_chunks(shared_->levels[parity(level_)], vertices_of_chunk,
                      [&](const auto& share, std::size_t first, std::size_t last) {
                        const std::span chunk(share.vertices + first, last - first);
                        machine::compiled_for(isa_, [&] {
                          if (!counted_) step_.count_paths(chunk, parity(level_));
                          step_.push<false>(chunk);
                        });
                        if (locales() == 1) return;
                        if (!counted_) tell_mirrors(chunk, level_);
                        claim_mirrors();
                      });
  enter(level_ + 1);
  counted_ = false;
}

void betweenness_centrality::pull() {
  const std::size_t next = level_ + 1;
  step_.found = &list(next);
  step_.out_edges = 0;
  if (!counted_) {
    count_paths();
    settle(next);
  }
  detail::take_chunks(shared_->words[parity(level_)], words_of_chunk,
                      [&](const auto&, std::size_t first, std::size_t last) {
                        const std::size_t before = step_.found->size();
                        machine::compiled_for(isa_, [&] { step_.pull(first, last, parity(next)); });
                        tell_mirrors(std::span(*step_.found).subspan(before), next);
                      });
  enter(next);
  counted_ = true;
}

void betweenness_centrality::count_paths() {
  detail::take_chunks(shared_->levels[parity(level_)], vertices_of_chunk,
                      [&](const auto& share, std::size_t first, std::size_t last) {
                        const std::span chunk(share.vertices + first, last - first);
                        machine::compiled_for(isa_, [&] { step_.count_paths(chunk, parity(level_)); });
                        tell_mirrors(chunk, level_);
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
  enter(reached.level);
  counted_ = false;
}

// From the deepest level to the first; the source has no score.
void betweenness_centrality::go_back() {
  if (level_ <= 1) return;
  found_alone_.resize(level_);
  settle(level_ - 1);
  for (std::size_t level = level_ - 1; level > 0; --level) {
    go_back_from(level);
    if (!found_alone_[level] || !found_alone_[level - 1]) settle(level - 1);
  }
}

void betweenness_centrality::go_back_from(std::size_t level) {
  const auto visit = [&](std::span<const std::uint32_t> chunk) {
    machine::compiled_for(isa_, [&] { step_.go_back(chunk, parity(level), level + 1 == level_, scores_); });
    tell_mirrors(chunk, level);
  };
  if (!found_alone_[level]) {
    detail::take_chunks(shared_->levels[parity(level)], vertices_of_chunk,
                        [&](const auto& share, std::size_t first, std::size_t last) {
                          visit({share.vertices + first, last - first});
                        });
  } else if (leads_locale()) {
    visit(list(level));
  }
}

void betweenness_centrality::tell_mirrors(std::span<const std::uint32_t> vertices, std::size_t level) {
  if (locales() == 1) return;
  const double* const values = shared_->values[parity(level)].data();
  values_out_.set_note({static_cast<std::uint32_t>(parity(level))});
  for (const std::uint32_t v : vertices) {
    for (std::uint32_t k = places_->offsets[v]; k < places_->offsets[v + 1]; ++k) {
      const auto [locale, index] = places_->places[k];
      values_out_.push(exchange::receiver(my_core(), static_cast<locale_id>(locale)), {index, values[v]});
    }
  }
}

void betweenness_centrality::receive(const of_level& level,
                                     std::span<const exchange::pushed<double>> values) {
  for (const auto& [mirror, value] : values) {
    shared_->values[level.parity][mirror] = value;
    if (value < 0) shared_->seen.shared_set(mirror);
  }
}

// Tells their owners of the mirrors that this core has found.
void betweenness_centrality::claim_mirrors() {
  for (const std::uint32_t mirror : step_.mirrors) {
    claims_out_.push(graph_.home_of(mirror - graph_.own), {});
  }
  step_.mirrors.clear();
}

void betweenness_centrality::receive(std::span<const exchange::pushed<exchange::no_value>> claims) {
  for (const auto& one : claims) {
    if (shared_->seen.shared_set(one.target)) claimed_.push_back(one.target);
  }
}

// What this core has found of a level. A list stays where it is while others are added.
std::vector<std::uint32_t>& betweenness_centrality::list(std::size_t level) {
  if (levels_.size() <= level) levels_.resize(level + 1);
  return levels_[level];
}

// The end of a level for all: returns the size of the level that comes next, and offers this core's part of
// it. Nobody sends any more who has come here, so what is sent has arrived as soon as the sums agree.
betweenness_centrality::level_size betweenness_centrality::settle(std::size_t level) {
  values_out_.flush();
  claims_out_.flush();
  level_size all;
  do {
    std::vector<std::uint32_t>& found = list(level);
    for (const std::uint32_t v : claimed_) step_.out_edges += graph_.out_rows->degree(v);
    found.insert(found.end(), claimed_.begin(), claimed_.end());
    claimed_.clear();
    const auto me = static_cast<std::size_t>(my_core_of_locale());
    shared_->levels[parity(level)][me].offer(std::span<const std::uint32_t>(found));
    shared_->words[parity(level)][me].offer(
        loops::my_part_of_locale({0, detail::frontier::words_for(graph_.own)}));
    all = loops::all_reduce(level_size{found.size(), step_.out_edges, values_out_.sent() + claims_out_.sent(),
                                       values_out_.received() + claims_out_.received()},
                            [](const level_size& a, const level_size& b) {
                              return level_size{a.vertices + b.vertices, a.out_edges + b.out_edges,
                                                a.sent + b.sent, a.received + b.received};
                            });
  } while (all.sent != all.received);
  return all;
}

void betweenness_centrality::enter(std::size_t level) {
  frontier_ = settle(level);
  level_ = level;
  unseen_edges_ -= frontier_.out_edges;
}

}  // namespace orujo::algorithms
