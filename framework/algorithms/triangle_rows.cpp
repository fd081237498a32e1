#include "framework/algorithms/triangle_rows.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <numeric>

#include "framework/exchange/mirror_exchange.hpp"
#include "system/base/random.hpp"
#include "system/loops/collectives.hpp"

namespace orujo::algorithms::detail {
namespace {

// Degrees up to 15 have a class each, others one of 8 between two powers of two; the highest come first.
constexpr std::uint32_t degree_classes = 240;
std::uint32_t class_of(std::uint32_t degree) {
  const auto octave = static_cast<std::uint32_t>(std::max<int>(std::bit_width(degree), 4) - 4);
  return degree_classes - 1 - (octave * 8 + (degree >> octave));
}

constexpr std::uint64_t sampled_edges = 512, sampled_neighbours = 16;
// Ordering by degree costs as much as so many tests of a bit, per edge of the graph.
constexpr std::uint64_t tests_of_ordering = 24;

}  // namespace

triangle_rows::triangle_rows(const graph::locale_graph& g, bool directed)
    : graph_(g),
      directed_(directed),
      ranks_(g.own + g.mirrors),
      degrees_(g.out_degree.part(0, g.out_degree.size())),
      rank_of_(ranks_),
      own_offsets_(std::size_t{ranks_} + 1) {
  if (directed) neighbours_ = machine::huge_array<std::uint32_t>(g.own);
  if (locales() == 1) return;
  mirrors_degrees_ = machine::huge_array<std::uint32_t>(ranks_);
  degrees_ = mirrors_degrees_.part(0, ranks_);
  local_of_ = machine::huge_array<std::uint32_t>(ranks_);
  const auto mirrors_before = [&](std::uint64_t number) {
    return static_cast<std::uint32_t>(std::lower_bound(g.mirrored.begin(), g.mirrored.end(), number) -
                                      g.mirrored.begin());
  };
  for (locale_id l = 0; l < locales(); ++l)
    mirrors_of_.push_back(mirrors_before(g.owners.first_of(shape().first_core_of(l))));
  mirrors_of_.push_back(g.mirrors);
  bucket_bits_ = static_cast<unsigned>(std::bit_width(g.owners.vertices() / (std::uint64_t{g.mirrors} + 1)));
  const std::uint64_t buckets = (g.owners.vertices() >> bucket_bits_) + 1;
  for (std::uint64_t b = 0; b <= buckets; ++b) buckets_.push_back(mirrors_before(b << bucket_bits_));
}

void triangle_rows::make() {
  const bool by_degree = directed_ || locales() > 1 || degree_order_pays();
  if (by_degree) {
    share_degrees();
    rank();
    place_rows();
    directed_ ? fill_directed_rows() : fill_rows();
  }
  if (leads_locale()) {
    by_degree_ = by_degree;
    offsets_ = by_degree ? own_offsets_.data() : graph_.out_rows->offsets.data();
    members_ = by_degree ? own_members_.data() : graph_.out_rows->neighbours.data();
  }
  loops::barrier();
}

std::span<const std::uint32_t> triangle_rows::before(std::uint32_t rank) const {
  const std::span<const std::uint32_t> row = of(rank);
  if (by_degree_) return row;
  return {row.begin(), std::find_if(row.begin(), row.end(), [=](std::uint32_t n) { return n >= rank; })};
}

std::pair<std::uint32_t, std::uint32_t> triangle_rows::rows_between(std::uint64_t first,
                                                                    std::uint64_t last) const {
  const std::uint64_t* const end = offsets_ + ranks_;
  const std::uint64_t* const from = std::lower_bound(offsets_, end, first);
  const std::uint64_t* const to = std::lower_bound(from, end, last);
  return {static_cast<std::uint32_t>(from - offsets_), static_cast<std::uint32_t>(to - offsets_)};
}

locale_id triangle_rows::locale_of(std::uint32_t rank) const {
  const std::uint32_t local = local_of_[rank];
  if (local < graph_.own) return my_locale();
  return static_cast<locale_id>(std::upper_bound(mirrors_of_.begin(), mirrors_of_.end(), local - graph_.own) -
                                mirrors_of_.begin()) -
         1;
}

std::uint32_t triangle_rows::find(std::uint64_t number) const {
  if (number - graph_.first_vertex < graph_.own)
    return rank_of_[static_cast<std::uint32_t>(number - graph_.first_vertex)];
  const auto bucket = buckets_.begin() + static_cast<std::ptrdiff_t>(number >> bucket_bits_);
  const auto end = graph_.mirrored.begin() + bucket[1];
  const auto at = std::lower_bound(graph_.mirrored.begin() + bucket[0], end, number);
  if (at == end || *at != number) return ranks_;
  return rank_of_[graph_.own + static_cast<std::uint32_t>(at - graph_.mirrored.begin())];
}

// How many members of rows would be looked at for some edges (v, u), in either order: those before u, if u is
// before v. Few edges will do: where it matters the numbers differ by more than chance makes them.
bool triangle_rows::degree_order_pays() const {
  const graph::adjacency& rows = *graph_.out_rows;
  const std::uint64_t edges = rows.edges();
  if (edges == 0) return true;  // there may be no offsets either
  random_stream random(1, static_cast<std::uint64_t>(my_core()));
  const std::uint64_t samples = sampled_edges / static_cast<std::uint64_t>(cores()) + 1;
  std::array<std::uint64_t, 2> tests{};  // by number, by degree
  for (std::uint64_t k = 0; k < samples; ++k) {
    const std::uint64_t edge = random.below(edges);
    const std::uint32_t to = rows.neighbours[edge];
    const auto from = static_cast<std::uint32_t>(
        std::upper_bound(rows.offsets.begin(), rows.offsets.end(), edge) - rows.offsets.begin() - 1);
    const std::span<const std::uint32_t> row = rows.of(to);
    if (to < from)
      tests[0] += static_cast<std::uint64_t>(std::lower_bound(row.begin(), row.end(), to) - row.begin());
    tests[1] += tests_by_degree(from, to, random());
  }
  loops::all_reduce(std::span<std::uint64_t>(tests), std::plus<std::uint64_t>());
  return tests[0] > tests[1] + tests_of_ordering * samples * static_cast<std::uint64_t>(cores());
}

// Estimated by some of the neighbours of `to`.
std::uint64_t triangle_rows::tests_by_degree(std::uint32_t from, std::uint32_t to,
                                             std::uint64_t random) const {
  const auto is_before = [&](std::uint32_t a, std::uint32_t b) {
    return degrees_[a] != degrees_[b] ? degrees_[a] > degrees_[b] : a < b;
  };
  if (!is_before(to, from)) return 0;
  const std::span<const std::uint32_t> row = graph_.out_rows->of(to);
  random_stream places(random);
  const std::uint64_t looked_at = std::min<std::uint64_t>(row.size(), sampled_neighbours);
  std::uint64_t before = 0;
  for (std::uint64_t k = 0; k < looked_at; ++k) before += is_before(row[places.below(row.size())], to);
  return row.size() * before / looked_at;
}

void triangle_rows::share_degrees() {
  if (locales() == 1) return;
  const graph::core_part& mine = graph_.my_part();
  std::copy(graph_.out_degree.data() + mine.first, graph_.out_degree.data() + mine.last,
            mirrors_degrees_.data() + mine.first);
  exchange::mirror_exchange<std::uint32_t> mirrors(graph_, mirrors_degrees_.part(0, ranks_));
  mirrors.start();
  mirrors.finish();
  loops::barrier(loops::group::locale);
}

// The local index at a place in the order of numbers: mirrors, own vertices, mirrors.
std::uint32_t triangle_rows::local_at(std::uint32_t place) const {
  const std::uint32_t below = mirrors_of_.empty() ? 0 : mirrors_of_[static_cast<std::size_t>(my_locale())];
  if (place < below) return graph_.own + place;
  return place < below + graph_.own ? place - below : place;
}

// Counts the classes of degrees, then deals the ranks of each to its vertices in the order of numbers.
void triangle_rows::rank() {
  const loops::index_range places = loops::my_part_of_locale({0, ranks_});
  std::vector<std::uint32_t> next(degree_classes);
  for (std::size_t p = places.first; p < places.last; ++p)
    ++next[class_of(degrees_[local_at(static_cast<std::uint32_t>(p))])];
  std::uint32_t dealt = 0;
  const std::vector<std::vector<std::uint32_t>> sizes = loops::all_gather(next, loops::group::locale);
  for (std::size_t c = 0; c < degree_classes; ++c) {
    for (std::size_t core = 0; core < sizes.size(); ++core) {
      if (core == static_cast<std::size_t>(my_core_of_locale())) next[c] = dealt;
      dealt += sizes[core][c];
    }
  }
  for (std::size_t p = places.first; p < places.last; ++p) {
    const std::uint32_t local = local_at(static_cast<std::uint32_t>(p));
    const std::uint32_t rank = next[class_of(degrees_[local])]++;
    rank_of_[local] = rank;
    if (local_of_.size() > 0) local_of_[rank] = local;
    if (local >= graph_.own) own_offsets_[rank + 1] = 0;  // the size of a row until place_rows()
  }
  loops::barrier(loops::group::locale);
}

void triangle_rows::place_rows() {
  const graph::core_part& mine = graph_.my_part();
  std::vector<neighbour> scratch;
  for (std::uint32_t v = mine.first; v < mine.last; ++v) {
    own_offsets_[rank_of_[v] + 1] = size_row(v, scratch);
  }
  loops::barrier(loops::group::locale);
  const loops::index_range ranks = loops::my_part_of_locale({0, ranks_});
  std::uint64_t* const ends = own_offsets_.data() + 1;
  const std::uint64_t members = std::accumulate(ends + ranks.first, ends + ranks.last, std::uint64_t{0});
  std::uint64_t before =
      loops::exclusive_scan(members, std::uint64_t{0}, std::plus<std::uint64_t>(), loops::group::locale);
  for (std::size_t r = ranks.first; r < ranks.last; ++r) ends[r] = before += ends[r];
  const std::uint64_t all = loops::all_reduce(members, std::plus<std::uint64_t>(), loops::group::locale);
  if (leads_locale() && own_members_.size() != all) {
    own_members_ = machine::huge_array<std::uint32_t>(all);
    if (directed_) own_both_ = machine::huge_array<std::uint8_t>(all);
  }
  loops::barrier(loops::group::locale);
}

// How many neighbours come before the vertex; of a directed graph notes how many there are.
std::uint64_t triangle_rows::size_row(std::uint32_t v, std::vector<neighbour>& scratch) {
  const std::uint32_t rank = rank_of_[v];
  std::uint64_t size = 0;
  if (!directed_) {
    for (const std::uint32_t n : graph_.out_rows->of(v)) size += rank_of_[n] < rank;
    return size;
  }
  find_neighbours(v, scratch);
  neighbours_[v] = static_cast<std::uint32_t>(scratch.size());
  for (const neighbour& n : scratch) size += rank_of_[n.local] < rank;
  return size;
}

// By edges of either direction, each once, without itself.
void triangle_rows::find_neighbours(std::uint32_t v, std::vector<neighbour>& to) const {
  to.clear();
  std::vector<std::uint32_t> ends[2];
  for (const int way : {0, 1}) {
    const std::span<const std::uint32_t> row = (way == 0 ? graph_.out_rows : graph_.in_rows)->of(v);
    ends[way].assign(row.begin(), row.end());
    std::ranges::sort(ends[way]);  // own vertices and mirrors ascend apart
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
    const std::uint32_t rank = rank_of_[v];
    std::uint64_t place = own_offsets_[rank];
    find_neighbours(v, scratch);
    for (const neighbour& n : scratch) {
      if (rank_of_[n.local] >= rank) continue;
      own_members_[place] = rank_of_[n.local];
      own_both_[place++] = n.both ? 1 : 0;
    }
  }
}

// Each row is gathered beside, without branches, as its neighbour in memory may be another core's.
void triangle_rows::fill_rows() {
  const graph::core_part& mine = graph_.my_part();
  std::vector<std::uint32_t> gathered;
  for (std::uint32_t v = mine.first; v < mine.last; ++v) {
    const std::uint32_t rank = rank_of_[v];
    const std::span<const std::uint32_t> row = graph_.out_rows->of(v);
    if (gathered.size() <= row.size()) gathered.resize(2 * row.size() + 1);
    std::uint32_t* to = gathered.data();
    for (const std::uint32_t n : row) {
      *to = rank_of_[n];
      to += *to < rank;
    }
    std::copy(gathered.data(), to, own_members_.data() + own_offsets_[rank]);
  }
}

}  // namespace orujo::algorithms::detail
