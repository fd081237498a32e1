#include "framework/algorithms/levels_ahead.hpp"

#include <glog/logging.h>

#include <algorithm>
#include <bit>

#include "framework/graph/placed_array.hpp"

namespace orujo::internal::algorithms {
namespace {

using word = graph::bit_set::word;
constexpr std::size_t word_bits = graph::bit_set::word_bits;

}  // namespace

levels_ahead::levels_ahead(const graph::locale_graph& g)
    : graph_(g),
      levels_(graph::share_placed<float>(g)),
      stepping_(g, std::span(levels_->data(), levels_->size()), path_lengths<float, false>()) {}

levels_ahead::found levels_ahead::run(std::span<const std::uint32_t> frontier, std::uint64_t level,
                                      std::uint64_t end, graph::bit_set& seen, index_range words,
                                      std::uint32_t* parents) {
  prepare(seen, words);
  used_ = true;
  collectives::barrier(collectives::group::locale);
  float* const levels = levels_->data();
  for (const std::uint32_t v : frontier) levels[v] = static_cast<float>(level);
  const auto [next, edges] = stepping_.go_on(frontier, level, end);
  rounds_ += static_cast<int>(stepping_.report().rounds);
  collectives::barrier(collectives::group::locale);  // no core lowers levels any more
  frontier_.clear();
  too_far_.clear();
  const std::uint64_t last = std::min<std::uint64_t>(words.last, graph::bit_set::words_for(graph_.own));
  for (std::uint64_t w = words.first; w < last; ++w) mark(seen, w, next, parents);
  collectives::barrier(collectives::group::locale);  // no core searches for parents any more
  for (const std::uint32_t v : frontier) levels[v] = known;
  for (const steps::discovery& d : frontier_) levels[d.vertex] = known;
  for (const std::uint32_t v : too_far_) levels[v] = unreached;
  return {next, frontier_, edges};
}

// Sets the levels before a run. Mirrors get theirs from later messages. Own vertices that were found here
// before keep their levels. These are below the frontier's, so that no vertex takes one of them for a parent.
void levels_ahead::prepare(const graph::bit_set& seen, index_range words) {
  float* const levels = levels_->data();
  const std::size_t last = std::min<std::size_t>(words.last * word_bits, levels_->size());
  for (std::size_t v = words.first * word_bits; v < last; ++v) {
    if (v >= graph_.own || !seen.test(v)) {
      levels[v] = unreached;
    } else if (!used_ || levels[v] == unreached) {
      levels[v] = known;
    }
  }
}

void levels_ahead::mark(graph::bit_set& seen, std::size_t w, std::uint64_t next, std::uint32_t* parents) {
  const std::size_t first = w * word_bits;
  const std::size_t last = std::min<std::size_t>(first + word_bits, graph_.own);
  const word own = ~word{0} >> (word_bits - (last - first));
  word marked = 0;
  for (word rest = own & ~seen.words()[w]; rest != 0; rest &= rest - 1) {
    const auto v = static_cast<std::uint32_t>(first) + static_cast<std::uint32_t>(std::countr_zero(rest));
    const float level = (*levels_)[v];
    if (level == unreached) continue;
    const auto at = static_cast<std::uint64_t>(level);
    if (at > next) {
      too_far_.push_back(v);
      continue;
    }
    parents[v] = parent_of(v);
    if (at == next) {
      frontier_.push_back({v, parents[v]});
    } else {
      marked |= rest & (~rest + 1);
      deepest_ = std::max(deepest_, at);
    }
  }
  seen.words()[w] |= marked;
}

// Returns an in-neighbour in the level above.
std::uint32_t levels_ahead::parent_of(std::uint32_t v) const {
  const graph::adjacency& rows = *graph_.in_rows;
  const float* const levels = levels_->data();
  const float above = levels[v] - 1;
  const std::uint64_t last = rows.offsets[v + 1];
  std::uint64_t k = rows.offsets[v];
  while (k < last && levels[rows.neighbours[k]] != above) ++k;
  CHECK_LT(k, last) << "vertex " << graph_.number_of(v) << " was found by nobody";
  return rows.neighbours[k];
}

}  // namespace orujo::internal::algorithms
