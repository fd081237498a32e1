#include "framework/algorithms/triangle_intensities.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "system/collectives/collectives.hpp"
#include "system/collectives/exchange_by.hpp"

namespace orujo::internal::algorithms::detail {
namespace {

// Edges of a core that travel at a time, which bounds their memory.
constexpr std::size_t most_travelling = 1 << 17;
// Edges that a core takes from an offer at a time.
constexpr std::size_t least_edges_taken = 16, most_edges_taken = 1024;

// In double precision the C library's root of 1/8 is not 1/2.
double cube_root(double x) { return static_cast<double>(std::cbrt(static_cast<long double>(x))); }

// Sorted factors have the same rounding at any locale.
double product(double a, double b, double c) {
  const auto [low, high] = std::minmax({a, b, c});
  const double middle = std::max(std::min(a, b), std::min(std::max(a, b), c));
  return low * middle * high;
}

}  // namespace

triangle_intensities::triangle_intensities(const graph::locale_graph& g, bool wide)
    : graph_(g),
      shared_(collectives::share_on_locale<shared>([&] { return std::make_shared<shared>(g, wide); })),
      rows_(shared_->rows),
      thirds_(rows_) {}

std::uint64_t triangle_intensities::run() {
  rows_.make();
  find_roots();
  const std::vector<ranked_edge> own = rows_.edges_here();
  const std::size_t at_once = locales() == 1 ? std::max<std::size_t>(own.size(), 1) : most_travelling;
  const std::size_t rounds = collectives::all_reduce(
      (own.size() + at_once - 1) / at_once, [](std::size_t a, std::size_t b) { return std::max(a, b); });
  for (std::size_t round = 0; round < rounds; ++round) {
    const std::size_t first = std::min(round * at_once, own.size());
    const auto some = std::span(own).subspan(first, std::min(at_once, own.size() - first));
    if (locales() > 1) exchange_edges(some);
    work_off(some);
  }
  if (locales() > 1) send_sums();
  return collectives::all_reduce(triangles_);
}

// Shares these edges, and those of other locales, with the cores of the locale.
void triangle_intensities::work_off(std::span<const ranked_edge> edges) {
  const auto me = static_cast<std::size_t>(my_core_of_locale());
  offer& own = shared_->offers[2 * me];
  offer& others = shared_->offers[2 * me + 1];
  own.edges = edges;
  own.roots = shared_->roots.data();
  others.edges = heard_;
  others.roots = heard_roots_.data();
  own.dealer.reset();
  others.dealer.reset();
  collectives::barrier(collectives::group::locale);
  steps::deal_shares(shared_->offers, [&](offer& from) {
    const std::size_t step =
        std::clamp(from.edges.size() / (8 * shared_->offers.size()), least_edges_taken, most_edges_taken);
    from.dealer.deal(from.edges.size(), step, [&](std::size_t first, std::size_t last) {
      add_up(from.edges.subspan(first, last - first), from.roots);
    });
  });
  collectives::barrier(collectives::group::locale);
}

float triangle_intensities::find_largest_weight() const {
  const graph::adjacency& all = *graph_.out_rows;
  const graph::core_part& mine = graph_.my_part();
  float largest = all.weights.size() > 0 ? 0 : 1;
  if (all.weights.size() > 0) {
    for (std::uint64_t k = all.offsets[mine.first]; k < all.offsets[mine.last]; ++k)
      largest = std::max(largest, all.weights[k]);
  }
  return collectives::all_reduce(largest, [](float a, float b) { return std::max(a, b); });
}

// Finds the root of each edge that has an own end, at its slot here. They are 0 if all weights are.
void triangle_intensities::find_roots() {
  const float largest = find_largest_weight();
  const graph::adjacency& all = *graph_.out_rows;
  const graph::core_part& mine = graph_.my_part();
  for (std::uint32_t v = mine.first; largest > 0 && v < mine.last; ++v) {
    const std::uint32_t rank = rows_.rank_of(v);
    const edge_rows::row row = rows_.of(rank);
    for (std::uint64_t k = all.offsets[v]; k < all.offsets[v + 1]; ++k) {
      const std::uint32_t member = rows_.rank_of(all.neighbours[k]);
      if (member == rank || (member < rank && rows_.is_own(member))) continue;  // a loop; in the other row
      const double weight = all.weights.size() > 0 ? all.weights[k] : 1;
      const std::uint64_t slot = row.slots[edge_rows::place(row.members, member)] & ~edge_rows::remote;
      shared_->roots[slot] = cube_root(weight / static_cast<double>(largest));
    }
  }
  collectives::barrier(collectives::group::locale);
}

// Sends those of the edges that lead to other locales to all of them, and keeps those that others send.
void triangle_intensities::exchange_edges(std::span<const ranked_edge> edges) {
  std::vector<travelling_edge> out;
  for (const ranked_edge& e : edges) {
    if (rows_.is_own(e.last)) continue;
    for (locale_id l = 0; l < locales(); ++l) {
      if (l == my_locale()) continue;
      const core_id to = shape().first_core_of(l) + my_core_of_locale() % shape().cores_of(l);
      out.push_back({rows_.name_of(e.first), rows_.name_of(e.last), shared_->roots[e.slot], to});
    }
  }
  heard_.clear();
  heard_roots_.clear();
  for (const travelling_edge& e :
       collectives::exchange_by(out, [](const travelling_edge& each) { return each.to; })) {
    const std::uint32_t first = rows_.find(e.first), last = rows_.find(e.last);
    if (first == rows_.ranks() || last == rows_.ranks()) continue;
    heard_.push_back({first, last, heard_roots_.size()});
    heard_roots_.push_back(e.root);
  }
  std::ranges::sort(heard_);
}

// Each triangle is found from the edge whose ends come last. Sums of the first end and of its row are kept in
// this core's memory meanwhile.
void triangle_intensities::add_up(std::span<const ranked_edge> edges, const double* roots) {
  exact_sum of_edge = 0, of_first = 0;
  const std::uint64_t* slots = nullptr;
  std::uint32_t first = rows_.ranks();
  thirds_.of_each<thirds::below>(
      edges,
      [&](const ranked_edge& edge, std::size_t place, std::uint64_t slot, std::uint32_t) {
        if (edge.first != first) slots = rows_.of(first = edge.first).slots;
        const exact_sum found =
            in_units(product(roots[edge.slot], shared_->roots[slots[place] & ~edge_rows::remote],
                             shared_->roots[slot & ~edge_rows::remote]));
        if (by_place_.size() <= place) by_place_.resize(2 * place + 64);
        by_place_[place] += found;
        of_edge += found;
        ++triangles_;
      },
      [&](const ranked_edge& edge) {
        if (of_edge == 0) return;
        shared_->sums[edge.last].add(of_edge);
        of_first += std::exchange(of_edge, 0);
      },
      [&](std::uint32_t rank, std::size_t places) {
        if (of_first == 0) return;
        shared_->sums[rank].add(std::exchange(of_first, 0));
        const std::span<const std::uint32_t> members = rows_.of(rank).members;
        for (std::size_t place = 0; place < std::min(by_place_.size(), places); ++place) {
          if (by_place_[place] > 0) shared_->sums[members[place]].add(std::exchange(by_place_[place], 0));
        }
      });
}

// Sends this locale's sums of other locales' vertices to their owners.
void triangle_intensities::send_sums() {
  std::vector<travelling_sum> out;
  const index_range mine = my_part_of_locale({graph_.own, rows_.ranks()});
  for (std::size_t v = mine.first; v < mine.last; ++v) {
    const std::uint32_t rank = rows_.rank_of(static_cast<std::uint32_t>(v));
    if (const exact_sum sum = shared_->sums[rank].value(); sum > 0)
      out.push_back({rows_.name_of(rank), sum, rows_.owner_of(rank)});
  }
  for (const travelling_sum& each :
       collectives::exchange_by(out, [](const travelling_sum& s) { return s.to; }))
    shared_->sums[rows_.find(each.name)].add(each.sum);
}

double triangle_intensities::sum_of(std::uint32_t own_vertex) const {
  return rounded(shared_->sums[rows_.rank_of(own_vertex)].value());
}

std::size_t triangle_intensities::neighbours_of(std::uint32_t own_vertex) const {
  return rows_.of(rows_.rank_of(own_vertex)).members.size();
}

}  // namespace orujo::internal::algorithms::detail
