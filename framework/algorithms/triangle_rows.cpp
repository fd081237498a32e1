#include "framework/algorithms/triangle_rows.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <numeric>

#include "system/base/random.hpp"
#include "system/collectives/collectives.hpp"

namespace orujo::internal::algorithms::detail {
namespace {

constexpr std::uint64_t sampled_edges = 512, sampled_neighbours = 16;
// The cost of ordering by degree, per edge of the graph, in tests of a bit.
constexpr std::uint64_t tests_of_ordering = 24;
// By number, rows travel to lower locales only, which therefore count more, and names take longer to look up.
// That order is for graphs of which at most this part of the edges is between locales.
constexpr std::uint64_t cut_share_inverse = 8;

}  // namespace

triangle_rows::triangle_rows(const graph::locale_graph& g, bool directed, bool wide)
    : graph_(g),
      directed_(directed),
      ranks_(g.own + g.mirrors),
      order_(g, wide),
      own_offsets_(std::size_t{ranks_} + 1) {
  if (directed) neighbours_ = machine::huge_array<std::uint32_t>(g.own);
  if (locales() == 1) return;
  own_of_ = machine::huge_array<std::uint32_t>(ranks_);
  for (locale_id l = 0; l < locales(); ++l)
    mirrors_of_.push_back(g.mirrors_before(g.owners.first_of(shape().first_core_of(l))));
  mirrors_of_.push_back(g.mirrors);
  below_ = mirrors_of_[my_locale()];
  bucket_bits_ = static_cast<unsigned>(std::bit_width(g.owners.vertices() / (std::uint64_t{g.mirrors} + 1)));
  const std::uint64_t buckets = (g.owners.vertices() >> bucket_bits_) + 1;
  for (std::uint64_t b = 0; b <= buckets; ++b) buckets_.push_back(g.mirrors_before(b << bucket_bits_));
}

void triangle_rows::make(bool always_by_degree) {
  const bool by_degree = directed_ || always_by_degree || degree_order_pays();
  if (by_degree) {
    order_.make();
    place_rows();
    if (directed_) {
      fill_directed_rows();
    } else {
      locales() == 1 ? fill_rows() : fill_cut_rows();
    }
  }
  if (leads_locale()) {
    by_degree_ = by_degree;
    rows_ = by_degree ? ranks_ : graph_.own;
    if (!by_degree && graph_.out_rows->edges() == 0) rows_ = 0;  // there may be no offsets
    offsets_ = by_degree ? own_offsets_.data() : graph_.out_rows->offsets.data();
    members_ = by_degree ? own_members_.data() : graph_.out_rows->neighbours.data();
  }
  collectives::barrier();
}

std::pair<std::uint32_t, std::uint32_t> triangle_rows::rows_between(std::uint64_t first,
                                                                    std::uint64_t last) const {
  const std::uint64_t* const end = offsets_ + rows_;
  const std::uint64_t* const from = std::lower_bound(offsets_, end, first);
  const std::uint64_t* const to = std::lower_bound(from, end, last);
  return {static_cast<std::uint32_t>(from - offsets_), static_cast<std::uint32_t>(to - offsets_)};
}

std::pair<std::size_t, locale_id> triangle_rows::of_one_owner(std::span<const std::uint32_t> mirrors) const {
  if (locales() == 2) return {mirrors.size(), 1 - my_locale()};
  const auto mirror = [&](std::uint32_t rank) {
    return (by_degree_ ? order_.local_of(rank) : rank) - graph_.own;
  };
  const auto next = std::upper_bound(mirrors_of_.begin(), mirrors_of_.end(), mirror(mirrors[0]));
  std::size_t count = 1;
  while (count < mirrors.size() && mirror(mirrors[count]) < *next) ++count;
  return {count, static_cast<locale_id>(next - mirrors_of_.begin()) - 1};
}

std::uint32_t triangle_rows::find_number(std::uint64_t number) const {
  if (number - graph_.first_vertex < graph_.own)
    return static_cast<std::uint32_t>(number - graph_.first_vertex);
  const auto bucket = buckets_.begin() + static_cast<std::ptrdiff_t>(number >> bucket_bits_);
  const auto end = graph_.mirrored.begin() + bucket[1];
  const auto at = std::lower_bound(graph_.mirrored.begin() + bucket[0], end, number);
  if (at == end || *at != number) return ranks_;
  return graph_.own + static_cast<std::uint32_t>(at - graph_.mirrored.begin());
}

// Samples edges (v, u), in either order, and counts the members of rows that would be examined for them:
// those before u, if u is before v. A small sample suffices: where the order matters, the numbers differ by
// more than chance explains. The rows and degrees of other locales' vertices are not known.
bool triangle_rows::degree_order_pays() const {
  struct sample {
    std::uint64_t edges = 0, between_locales = 0, tests_by_number = 0, tests_by_degree = 0;
    sample operator+(const sample& other) const {
      return {edges + other.edges, between_locales + other.between_locales,
              tests_by_number + other.tests_by_number, tests_by_degree + other.tests_by_degree};
    }
  } mine;
  const graph::adjacency& rows = *graph_.out_rows;
  random_stream random(1, static_cast<std::uint64_t>(my_core()));
  if (rows.edges() > 0) mine.edges = sampled_edges / static_cast<std::uint64_t>(cores()) + 1;
  for (std::uint64_t k = 0; k < mine.edges; ++k) {
    const std::uint64_t edge = random.below(rows.edges());
    const std::uint32_t to = rows.neighbours[edge];
    const auto from = static_cast<std::uint32_t>(
        std::upper_bound(rows.offsets.begin(), rows.offsets.end(), edge) - rows.offsets.begin() - 1);
    if (to >= graph_.own) {
      ++mine.between_locales;
      continue;
    }
    const std::span<const std::uint32_t> row = rows.of(to);
    const auto before = [this, to](std::uint32_t n) { return n < to || is_below(n); };
    if (to < from)
      mine.tests_by_number +=
          static_cast<std::uint64_t>(std::partition_point(row.begin(), row.end(), before) - row.begin());
    mine.tests_by_degree += tests_by_degree(from, to, random());
  }
  const sample all = collectives::all_reduce(mine);
  return all.between_locales * cut_share_inverse > all.edges ||
         all.tests_by_number > all.tests_by_degree + tests_of_ordering * all.edges;
}

// Estimates the tests from a sample of the neighbours of `to`.
std::uint64_t triangle_rows::tests_by_degree(std::uint32_t from, std::uint32_t to,
                                             std::uint64_t random) const {
  const std::uint32_t* const degrees = graph_.out_degree.data();
  const auto is_before = [&](std::uint32_t a, std::uint32_t b) {
    return a < graph_.own && (degrees[a] != degrees[b] ? degrees[a] > degrees[b] : a < b);
  };
  if (!is_before(to, from)) return 0;
  const std::span<const std::uint32_t> row = graph_.out_rows->of(to);
  random_stream places(random);
  const std::uint64_t looked_at = std::min<std::uint64_t>(row.size(), sampled_neighbours);
  std::uint64_t before = 0;
  for (std::uint64_t k = 0; k < looked_at; ++k) before += is_before(row[places.below(row.size())], to);
  return row.size() * before / looked_at;
}

void triangle_rows::place_rows() {
  const graph::core_part& mine = graph_.my_part();
  std::vector<neighbour> scratch;
  for (std::uint32_t v = mine.first; v < mine.last; ++v)
    own_offsets_[order_.rank_of(v) + 1] = size_row(v, scratch);
  const index_range mirrors = my_part_of_locale({graph_.own, ranks_});
  for (std::size_t m = mirrors.first; m < mirrors.last; ++m)
    own_offsets_[order_.rank_of(static_cast<std::uint32_t>(m)) + 1] = 0;
  collectives::barrier(collectives::group::locale);
  const index_range ranks = my_part_of_locale({0, ranks_});
  std::uint64_t* const ends = own_offsets_.data() + 1;
  const std::uint64_t members = std::accumulate(ends + ranks.first, ends + ranks.last, std::uint64_t{0});
  std::uint64_t before = collectives::exclusive_scan(members, std::uint64_t{0}, std::plus<std::uint64_t>(),
                                                     collectives::group::locale);
  for (std::size_t r = ranks.first; r < ranks.last; ++r) ends[r] = before += ends[r];
  const std::uint64_t all =
      collectives::all_reduce(members, std::plus<std::uint64_t>(), collectives::group::locale);
  if (leads_locale() && own_members_.size() != all) {
    own_members_ = machine::huge_array<std::uint32_t>(all);
    if (directed_) own_both_ = machine::huge_array<std::uint8_t>(all);
  }
  collectives::barrier(collectives::group::locale);
}

// Returns the number of neighbours before the vertex. In a directed graph also stores the number of all
// neighbours.
std::uint64_t triangle_rows::size_row(std::uint32_t v, std::vector<neighbour>& scratch) {
  const std::uint32_t rank = order_.rank_of(v);
  std::uint64_t size = 0;
  if (!directed_) {
    for (const std::uint32_t n : graph_.out_rows->of(v)) size += order_.rank_of(n) < rank;
    return size;
  }
  find_neighbours(v, scratch);
  neighbours_[v] = static_cast<std::uint32_t>(scratch.size());
  for (const neighbour& n : scratch) size += order_.rank_of(n.local) < rank;
  return size;
}

// Finds neighbours by edges of either direction, each once, without v itself; own vertices, then mirrors,
// ascending.
void triangle_rows::find_neighbours(std::uint32_t v, std::vector<neighbour>& to) const {
  to.clear();
  std::vector<std::uint32_t> ends[2];
  for (const int way : {0, 1}) {
    const std::span<const std::uint32_t> row = (way == 0 ? graph_.out_rows : graph_.in_rows)->of(v);
    ends[way].assign(row.begin(), row.end());
    std::ranges::sort(ends[way]);  // by local index: own vertices, then mirrors
    ends[way].erase(std::unique(ends[way].begin(), ends[way].end()), ends[way].end());
    std::erase(ends[way], v);
  }
  auto in = ends[1].begin();
  for (const std::uint32_t out : ends[0]) {
    for (; in != ends[1].end() && *in < out; ++in) to.push_back({*in, false});
    const bool both = in != ends[1].end() && *in == out;
    in += both ? 1 : 0;
    to.push_back({out, both});
  }
  for (; in != ends[1].end(); ++in) to.push_back({*in, false});
}

void triangle_rows::fill_directed_rows() {
  const graph::core_part& mine = graph_.my_part();
  std::vector<neighbour> scratch;
  for (std::uint32_t v = mine.first; v < mine.last; ++v) {
    const std::uint32_t rank = order_.rank_of(v);
    std::uint64_t place = own_offsets_[rank];
    find_neighbours(v, scratch);
    std::uint32_t own = 0;
    for (const neighbour& n : scratch) {
      if (order_.rank_of(n.local) >= rank) continue;
      own += n.local < graph_.own ? 1 : 0;
      own_members_[place] = order_.rank_of(n.local);
      own_both_[place++] = n.both ? 1 : 0;
    }
    if (locales() > 1) own_of_[rank] = own;
  }
}

// Each row is gathered in a buffer, without branches, as its neighbour in memory may be another core's.
void triangle_rows::fill_rows() {
  const graph::core_part& mine = graph_.my_part();
  std::vector<std::uint32_t> gathered;
  for (std::uint32_t v = mine.first; v < mine.last; ++v) {
    const std::uint32_t rank = order_.rank_of(v);
    const std::span<const std::uint32_t> row = graph_.out_rows->of(v);
    if (gathered.size() <= row.size()) gathered.resize(2 * row.size() + 1);
    std::uint32_t* to = gathered.data();
    for (const std::uint32_t n : row) {
      *to = order_.rank_of(n);
      to += *to < rank;
    }
    std::copy(gathered.data(), to, own_members_.data() + own_offsets_[rank]);
  }
}

// For several locales: own vertices first, then mirrors in the order of numbers.
void triangle_rows::fill_cut_rows() {
  const graph::core_part& mine = graph_.my_part();
  const std::uint32_t own = graph_.own;
  std::vector<std::uint32_t> own_ones, mirrors;
  for (std::uint32_t v = mine.first; v < mine.last; ++v) {
    const std::uint32_t rank = order_.rank_of(v);
    const std::span<const std::uint32_t> row = graph_.out_rows->of(v);
    if (own_ones.size() <= row.size()) {
      own_ones.resize(2 * row.size() + 1);
      mirrors.resize(2 * row.size() + 1);
    }
    std::uint32_t *to_own = own_ones.data(), *to_mirrors = mirrors.data();
    for (const std::uint32_t n : row) {
      const std::uint32_t member = order_.rank_of(n);
      *to_own = *to_mirrors = member;
      to_own += (member < rank) & (n < own);
      to_mirrors += (member < rank) & (n >= own);
    }
    std::uint32_t* const members = own_members_.data() + own_offsets_[rank];
    std::copy(mirrors.data(), to_mirrors, std::copy(own_ones.data(), to_own, members));
    own_of_[rank] = static_cast<std::uint32_t>(to_own - own_ones.data());
  }
}

}  // namespace orujo::internal::algorithms::detail
