#include "framework/algorithms/centrality_search.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "framework/algorithms/centrality_values.hpp"
#include "framework/steps/direction.hpp"
#include "system/collectives/collectives.hpp"

namespace orujo::internal::algorithms::detail {
namespace {

constexpr std::size_t vertices_of_chunk = 64;
// The only core of a locale takes larger chunks, as no core shares them. Arriving messages wait until a chunk
// ends.
constexpr std::size_t vertices_of_chunk_alone = 256;
constexpr std::size_t words_of_chunk = 16;
// Weight of a push in the choice of a level's direction (steps::pull_looks_at_less). It is 1 because a push
// examines each edge of unseen vertices, too: it counts the paths of the vertices that it has found.
constexpr double search_alpha = 1;

std::size_t parity(std::size_t level) { return level % 2; }

}  // namespace

centrality_search::centrality_search(const graph::locale_graph& g, centrality_state& shared,
                                     centrality_mirrors& mirrors, const graph::mirror_rows* mirror_rows,
                                     std::size_t place, std::uint64_t bits_per_level)
    : graph_(g),
      shared_(shared),
      mirrors_(mirrors),
      mirror_rows_(mirror_rows),
      place_(place),
      alone_(my_locales_cores() == 1),
      chunk_(alone_ ? vertices_of_chunk_alone : vertices_of_chunk),
      bits_per_level_(bits_per_level),
      step_(g, shared) {}

void centrality_search::clear() {
  const index_range mine = my_part_of_locale({0, shared_.values[0].size()});
  for (const auto& values : shared_.values)
    std::fill(values.begin() + mine.first, values.begin() + mine.last, 0);
  for (const auto& exponents : shared_.exponents) {
    if (exponents.size() > 0) std::fill(exponents.begin() + mine.first, exponents.begin() + mine.last, 0);
  }
  const index_range words = my_part_of_locale({0, shared_.seen.size_in_words()});
  shared_.seen.clear(words.first, words.last);
  for (std::vector<std::uint32_t>& found : levels_) found.clear();
  found_alone_.clear();
  unseen_edges_ = graph_.edges;
  frontier_ = {};
  level_ = before_first;
  out_edges_.clear();
  known_level_ = 0;
  known_bits_ = 0;
  scaled_from_ = never;
}

void centrality_search::start(std::uint64_t source) {
  step_.out_edges = 0;
  counts_behind_ = false;
  if (leads_locale() && source - graph_.first_vertex < graph_.own) {
    const auto vertex = static_cast<std::uint32_t>(source - graph_.first_vertex);
    list(0).push_back(vertex);
    shared_.seen.set(vertex);
    shared_.values[0][vertex] = -1;
    step_.out_edges = graph_.out_rows->degree(vertex);
  }
  counted_ = true;
}

void centrality_search::count_before() {
  count_paths(level_);
  counted_ = true;
}

void centrality_search::find() {
  step_.found = &list(level_ + 1);
  step_.out_edges = 0;
  counts_behind_ = locales() > 1 && !would_pull();
  if (would_pull()) {
    pull();
  } else {
    alone_ ? push<true>() : push<false>();
  }
}

// Finds the unseen out-neighbours of the level's vertices. On one locale, paths to a vertex are counted when
// it is pushed from, because its rows are examined together then. On several, they are counted when it has
// been found, because peers push from its mirrors at the same time.
template <bool Alone>
void centrality_search::push() {
  take_vertices(shared_.levels, level_, [&](std::span<const std::uint32_t> chunk) {
    if (!counted_) count_chunk(chunk, level_);
    machine::compiled_for(isa_, [&] {
      step_.push<Alone>(chunk, graph_.out_rows->offsets.data(), graph_.out_rows->neighbours.data());
    });
  });
  counted_ = false;
  if (locales() > 1) push_mirrors<Alone>();
  order_.sort(list(level_ + 1));
}

template <bool Alone>
void centrality_search::push_mirrors() {
  take_vertices(shared_.mirrors, level_, [&](std::span<const std::uint32_t> chunk) {
    machine::compiled_for(
        isa_, [&] { step_.push<Alone>(chunk, mirror_rows_->offsets(), mirror_rows_->targets()); });
  });
}

void centrality_search::pull() {
  const std::size_t next = level_ + 1;
  take_chunks(shared_.words[parity(level_)], words_of_chunk,
              [&](index_range words, std::size_t first, std::size_t last) {
                with_values(next, next, [&](const auto& values) {
                  machine::compiled_for(isa_,
                                        [&] { step_.pull(words.first + first, words.first + last, values); });
                });
              });
  counted_ = true;
}

void centrality_search::count() {
  count_paths(level_ + 1);
  counted_ = true;
}

// Counts the paths to vertices that have been found and offered.
void centrality_search::count_paths(std::size_t level) {
  take_vertices(shared_.levels, level,
                [&](std::span<const std::uint32_t> chunk) { count_chunk(chunk, level); });
}

void centrality_search::count_chunk(std::span<const std::uint32_t> chunk, std::size_t level) {
  with_values(level, level, [&](const auto& values) {
    machine::compiled_for(isa_, [&] { step_.count_paths(chunk, values); });
  });
}

// Calls visit(values of the level). The work reads values of levels up to `last_level`.
template <class Visit>
void centrality_search::with_values(std::size_t level, std::size_t last_level, Visit visit) {
  if (last_level < scaled_from_) {
    visit(plain_values(shared_, parity(level)));
  } else {
    visit(scaled_values(shared_, parity(level), level < scaled_from_));
  }
}

std::uint64_t centrality_search::most_bits_counted() const {
  const double* const values = shared_.values[parity(counted_level())].data();
  double most = 1;
  for (const std::uint32_t v : found_of(counted_level())) most = std::max(most, -values[v]);
  return static_cast<std::uint64_t>(std::ilogb(most)) + 1;
}

void centrality_search::know_most(std::uint64_t bits) {
  known_level_ = counted_level();
  known_bits_ = bits;
  if (bits + few_levels * bits_per_level_ > most_bits) scaled_from_ = known_level_ + 1;
}

void centrality_search::make_exponents() {
  for (auto& exponents : shared_.exponents) {
    if (exponents.size() == 0) exponents = machine::huge_array<std::int32_t>(shared_.values[0].size());
  }
}

void centrality_search::tell_mirrors() { mirrors_.tell(place_, level_ + 1, level_ + 1 >= scaled_from_); }

void centrality_search::enter(const steps::frontier_counts& all) {
  unseen_edges_ -= frontier_.out_edges;
  ++level_;
  frontier_ = all;
  out_edges_.resize(level_);
  if (all.vertices > 0) out_edges_.push_back(all.out_edges);
}

void centrality_search::push_alone() {
  struct way {
    std::size_t level = 0;
    std::uint64_t out_edges = 0;  // of levels passed
    std::size_t known_level = 0, scaled_from = 0;
    std::uint64_t known_bits = 0;
    way operator+(const way& b) const {  // all cores but one have zeros
      return {level + b.level, out_edges + b.out_edges, known_level + b.known_level,
              scaled_from + b.scaled_from, known_bits + b.known_bits};
    }
  } gone;
  const std::size_t first = level_;
  step_.out_edges = 0;
  if (leads_locale()) {
    const std::uint64_t out_edges = pass_levels();
    gone = {level_, out_edges, known_level_, scaled_from_, known_bits_};
  }
  gone = collectives::all_reduce(gone, std::plus<>());
  found_alone_.resize(first + 1);
  found_alone_.resize(gone.level, true);
  unseen_edges_ -= gone.out_edges;
  level_ = gone.level - 1;
  known_level_ = gone.known_level;
  known_bits_ = gone.known_bits;
  scaled_from_ = gone.scaled_from;
  counted_ = false;
}

// Passes levels, by one core alone, up to the level that is left to all. Returns the out-edges of the levels
// passed.
std::uint64_t centrality_search::pass_levels() {
  const auto visit = [&](std::span<const std::uint32_t> all) {
    if (!counted_) count_chunk(all, level_);
    machine::compiled_for(isa_, [&] {
      step_.push<true>(all, graph_.out_rows->offsets.data(), graph_.out_rows->neighbours.data());
    });
  };
  std::uint64_t passed = 0;
  step_.found = &list(level_ + 1);
  for (const auto& share : shared_.levels[parity(level_)]) visit(share.part);
  for (;;) {
    ++level_;
    counted_ = false;
    step_.found = &list(level_ + 1);
    const std::span<const std::uint32_t> all = list(level_);
    if (all.empty() || !graph::one_core_is_faster(all.size() + step_.out_edges)) return passed;
    passed += std::exchange(step_.out_edges, 0);
    visit(all);
    counted_ = true;
    if (!may_overflow()) continue;
    know_most(most_bits_counted());
    if (is_scaled()) make_exponents();
  }
}

void centrality_search::turn_back() {
  found_alone_.resize(level_);
  --level_;
}

std::uint64_t centrality_search::reached() const {
  std::uint64_t sum = 0;
  for (const std::vector<std::uint32_t>& found : levels_) sum += found.size();
  return sum;
}

// False if one core has found this level and the one after it: it then needs no barrier.
bool centrality_search::is_shared() const {
  return !found_alone_[level_] || (level_ + 1 != levels() && !found_alone_[level_ + 1]);
}

void centrality_search::go_back(const centrality_scores& scores) {
  const bool deepest = level_ + 1 == levels();
  const auto visit = [&](std::span<const std::uint32_t> chunk) {
    with_values(level_, level_ + 1, [&](const auto& values) {
      machine::compiled_for(isa_, [&] { step_.go_back(chunk, values, deepest, level_ == 0, scores); });
    });
  };
  if (!found_alone_[level_]) {
    take_vertices(shared_.levels, level_, visit);
  } else if (leads_locale()) {
    visit(list(level_));
  }
  --level_;
}

void centrality_search::tell_mirrors_back(bool with_edges) {
  const std::size_t level = level_ + 1;
  if (level > (with_edges ? 0 : 1)) mirrors_.tell_back(place_, level, level >= scaled_from_);
}

void centrality_search::await_mirrors_back() {
  const std::size_t level = level_ + 1;
  if (level < levels()) mirrors_.await_back(place_, level, level >= scaled_from_);
}

// The vertices of a level that this core has found. They stay where they are while other lists are added.
std::vector<std::uint32_t>& centrality_search::list(std::size_t level) {
  if (levels_.size() <= level) levels_.resize(level + 1);
  return levels_[level];
}

std::span<const std::uint32_t> centrality_search::found_of(std::size_t level) const {
  return level < levels_.size() ? std::span(levels_[level]) : std::span<const std::uint32_t>();
}

template <class Visit>
void centrality_search::take_vertices(shared_lists& shares, std::size_t level, Visit visit) {
  take_chunks(shares[parity(level)], chunk_, [&](auto part, std::size_t first, std::size_t last) {
    visit(part.subspan(first, last - first));
  });
}

// Offers this core's part of a level to the cores of its locale.
void centrality_search::offer(std::size_t level) {
  const int me = my_core_of_locale();
  shared_.levels[parity(level)][me].offer(list(level));
  if (locales() > 1) shared_.mirrors[parity(level)][me].offer(mirrors_.of(place_, level));
  shared_.words[parity(level)][me].offer(my_part_of_locale({0, bit_set::words_for(graph_.own)}));
}

bool centrality_search::would_pull() const {
  const std::uint64_t out_edges = frontier_.out_edges;
  return steps::pull_looks_at_less(search_alpha, out_edges,
                                   unseen_edges_ - std::min(unseen_edges_, out_edges));
}

}  // namespace orujo::internal::algorithms::detail
