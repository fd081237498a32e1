#include "framework/algorithms/boruvka.hpp"

#include <glog/logging.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <span>

#include "framework/graph/neighbours.hpp"
#include "system/collectives/collectives.hpp"
#include "system/collectives/exchange_by.hpp"

namespace orujo::internal::algorithms {
namespace {

// Ascends with the weight.
std::uint32_t rank_of(float weight) {
  const auto bits = std::bit_cast<std::uint32_t>(weight + 0.0f);  // no -0
  return bits >> 31 != 0 ? ~bits : bits | std::uint32_t{1} << 31;
}

bool is_lighter(const boruvka::forest_edge& a, const boruvka::forest_edge& b) {
  if (a.value != b.value) return a.value < b.value;
  return a.source != b.source ? a.source < b.source : a.target < b.target;
}

}  // namespace

// The state that the cores of a locale share. Arrays are by local index, but for `edges`.
struct boruvka::arena {
  explicit arena(const graph::locale_graph& g)
      : parents(std::size_t{g.own} + g.mirrors), lightest(parents.size()) {
    if (locales() > 1) components = machine::huge_array<std::uint64_t>(parents.size());
  }
  // Trees of vertices that are known to be in one component. Two trees may be of one component, except on a
  // single locale.
  machine::huge_array<std::uint32_t> parents;
  // The lightest edge out of a root's component: the rank of its weight, and its index in `edges`.
  machine::huge_array<std::uint64_t> lightest;
  // The number of the vertex that a root's component is called by, on several locales.
  machine::huge_array<std::uint64_t> components;
  machine::huge_array<local_edge> edges;
};

boruvka::boruvka(graph::distributed_graph graph, graph::property<std::uint64_t> joined)
    : graph_(graph),
      g_(graph.here()),
      mine_(g_.my_part()),
      joined_(joined),
      shared_(collectives::share_on_locale<arena>([&] { return std::make_shared<arena>(g_); })),
      trees_({shared_->parents.data(), shared_->parents.size()}),
      locals_(my_part_of_locale({0, shared_->parents.size()})) {
  for (std::size_t k = locals_.first; k < locals_.last; ++k) {
    const auto v = static_cast<std::uint32_t>(k);
    trees_.set_parent(v, v);
    shared_->lightest[k] = nothing;
    if (locales() > 1) shared_->components[k] = g_.number_of(v);
  }
  if (locales() > 1) {
    chosen_.assign(mine_.last - mine_.first, not_chosen);
    for (std::uint32_t v = mine_.first; v < mine_.last; ++v) joined_.here()[v] = g_.number_of(v);
  }
  collectives::barrier();
}

std::uint64_t boruvka::component_of_root(std::uint32_t root) const {
  return locales() == 1 ? root : shared_->components[root];
}

boruvka::forest_edge boruvka::with_positions(const local_edge& e) const {
  const auto [first, second] = std::minmax({g_.position_of(e.a), g_.position_of(e.b)});
  return {first, second, e.weight};
}

void boruvka::begin(const std::vector<local_edge>& edges) {
  first_ = collectives::exclusive_scan(edges.size(), {}, std::plus<>(), collectives::group::locale);
  last_ = first_ + edges.size();
  const std::size_t all = collectives::all_reduce(edges.size(), std::plus<>(), collectives::group::locale);
  CHECK(all < not_chosen) << all << " edges between components at a locale";
  if (leads_locale()) shared_->edges = machine::huge_array<local_edge>(all);
  collectives::barrier(collectives::group::locale);
  std::ranges::copy(edges, shared_->edges.data() + first_);
}

bool boruvka::round(bool stops) {
  // Offers are atomic operations, which loads do not overtake. So roots are found for many edges at a time.
  constexpr std::size_t at_a_time = 64;
  std::array<std::array<std::uint32_t, 2>, at_a_time> ends;
  std::size_t last = first_;
  for (std::size_t k = first_; k < last_;) {
    const std::size_t next = std::min(k + at_a_time, last_), first_kept = last;
    for (; k < next; ++k) {
      const local_edge e = shared_->edges[k];
      const std::uint32_t a = root_of(e.a), b = root_of(e.b);
      __builtin_prefetch(&shared_->lightest[a], 1);
      __builtin_prefetch(&shared_->lightest[b], 1);
      if (component_of_root(a) == component_of_root(b)) continue;
      ends[last - first_kept] = {a, b};
      shared_->edges[last++] = e;
    }
    for (std::size_t kept = first_kept; kept < last; ++kept) {
      for (const std::uint32_t root : ends[kept - first_kept]) offer(root, kept);
    }
  }
  last_ = last;
  const auto [edges, stopping] = collectives::all_reduce(std::array{last_ - first_, std::size_t{stops}});
  if (edges == 0 || stopping > 0) return false;
  locales() == 1 ? join_here() : join_between_locales();
  return true;
}

void boruvka::offer(std::uint32_t root, std::size_t edge) {
  const std::uint64_t offered = std::uint64_t{rank_of(shared_->edges[edge].weight)} << 32 | edge;
  const std::atomic_ref lightest(shared_->lightest[root]);
  std::uint64_t seen = lightest.load(std::memory_order_acquire);
  while (goes_before(offered, seen)) {
    if (!lightest.compare_exchange_weak(seen, offered, std::memory_order_acq_rel)) continue;
    if (seen == nothing) open_.push_back(root);
    return;
  }
}
bool boruvka::goes_before(std::uint64_t offered, std::uint64_t seen) const {
  if (offered >> 32 != seen >> 32) return offered < seen;
  return is_lighter(with_positions(edge_at(offered)), with_positions(edge_at(seen)));
}
const local_edge& boruvka::edge_at(std::uint64_t lightest) const {
  return shared_->edges[static_cast<std::uint32_t>(lightest)];
}
// The root at the other end of an edge of the tree of a root.
std::uint32_t boruvka::across(const local_edge& e, std::uint32_t root) const {
  const std::uint32_t a = root_of(e.a);
  return a == root ? root_of(e.b) : a;
}

// On one locale. Two components may take the same edge. The smaller root then stays one.
void boruvka::join_here() {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> joins;
  for (std::size_t k = 0; k < open_.size(); ++k) {
    fetch_ahead(k);
    const std::uint32_t root = open_[k];
    const local_edge& e = edge_at(shared_->lightest[root]);
    const std::uint32_t other = across(e, root);
    if (root < other && across(edge_at(shared_->lightest[other]), other) == root) continue;
    joins.emplace_back(root, other);
    found_.push_back(with_positions(e));
  }
  collectives::barrier();
  for (const auto& [root, other] : joins) trees_.set_parent(root, other);
  for (const std::uint32_t root : open_) shared_->lightest[root] = nothing;
  open_.clear();
  collectives::barrier();
}
void boruvka::fetch_ahead(std::size_t k) const {
  constexpr std::size_t edges_ahead = 32, ends_ahead = 16;
  if (k + edges_ahead >= open_.size()) return;
  __builtin_prefetch(&edge_at(shared_->lightest[open_[k + edges_ahead]]));
  const local_edge& soon = edge_at(shared_->lightest[open_[k + ends_ahead]]);
  for (const std::uint32_t end : {soon.a, soon.b}) {
    __builtin_prefetch(&shared_->lightest[end]);
    __builtin_prefetch(&shared_->parents[end]);
  }
}

// On several locales.
void boruvka::join_between_locales() {
  std::vector<offered_edge> offers;
  offers.reserve(open_.size());
  for (std::size_t k = 0; k < open_.size(); ++k) {
    fetch_ahead(k);
    const std::uint32_t root = open_[k];
    const local_edge& e = edge_at(shared_->lightest[root]);
    offers.push_back({component_of_root(root), component_of_root(across(e, root)), with_positions(e)});
  }
  choose(collectives::exchange_by(offers, [&](const offered_edge& o) { return g_.owners.owner(o.from); }));
  take_names();
}

// Joins the components that are called by this core's vertices.
void boruvka::choose(const std::vector<offered_edge>& offers) {
  const std::span<std::uint64_t> joined = joined_.here();
  const std::uint64_t first = g_.first_vertex;
  std::vector<std::uint64_t> components;
  for (std::size_t k = 0; k < offers.size(); ++k) {
    std::uint32_t& chosen = chosen_[offers[k].from - first - mine_.first];
    if (chosen == not_chosen) components.push_back(offers[k].from);
    if (chosen == not_chosen || is_lighter(offers[k].edge, offers[chosen].edge))
      chosen = static_cast<std::uint32_t>(k);
  }
  std::vector<std::uint64_t> to, beyond(components.size());
  for (const std::uint64_t c : components)
    to.push_back(joined[c - first] = offers[chosen_[c - first - mine_.first]].to);
  collectives::barrier();
  graph::gather_values(graph_, joined_, to, std::span(beyond));
  collectives::barrier();
  std::vector<std::uint64_t> open;
  for (std::size_t k = 0; k < components.size(); ++k) {
    const std::uint64_t c = components[k];
    const std::uint32_t chosen = std::exchange(chosen_[c - first - mine_.first], not_chosen);
    if (beyond[k] == c && c < to[k]) {
      joined[c - first] = c;
    } else {
      found_.push_back(offers[chosen].edge);
      open.push_back(c);
    }
  }
  follow(std::move(open));
}

// Pointer doubling: each of these components gets the name of the one that it has joined in the end.
void boruvka::follow(std::vector<std::uint64_t> open) {
  const std::span<std::uint64_t> joined = joined_.here();
  std::vector<std::uint64_t> to, beyond;
  while (collectives::all_reduce(open.size()) > 0) {
    to.clear();
    for (const std::uint64_t c : open) to.push_back(joined[c - g_.first_vertex]);
    beyond.resize(open.size());
    graph::gather_values(graph_, joined_, to, std::span(beyond));
    collectives::barrier();
    std::vector<std::uint64_t> rest;
    for (std::size_t k = 0; k < open.size(); ++k) {
      joined[open[k] - g_.first_vertex] = beyond[k];
      if (beyond[k] != to[k]) rest.push_back(open[k]);
    }
    open = std::move(rest);
  }
}

// Gives trees that edges lead from the names of their components. Joins two that the lightest edge of one
// leads between, if they are of one component now.
void boruvka::take_names() {
  std::vector<std::uint64_t> names, now(open_.size());
  for (const std::uint32_t root : open_) names.push_back(component_of_root(root));
  graph::gather_values(graph_, joined_, names, std::span(now));
  for (std::size_t k = 0; k < open_.size(); ++k) shared_->components[open_[k]] = now[k];
  collectives::barrier();
  for (const std::uint32_t root : open_) {
    const local_edge& e = edge_at(std::exchange(shared_->lightest[root], nothing));
    if (component_of(e.a) == component_of(e.b)) trees_.link(e.a, e.b);
  }
  open_.clear();
  collectives::barrier(collectives::group::locale);
}

// Gives all trees the names of their components, which may have joined others by edges elsewhere.
void boruvka::refresh_names() {
  if (locales() == 1) return;
  std::vector<std::uint32_t> roots;
  for (std::size_t k = locals_.first; k < locals_.last; ++k) {
    if (is_root(static_cast<std::uint32_t>(k))) roots.push_back(static_cast<std::uint32_t>(k));
  }
  std::vector<std::uint64_t> names, now;
  while (collectives::all_reduce(roots.size()) > 0) {
    names.clear();
    for (const std::uint32_t root : roots) names.push_back(component_of_root(root));
    now.resize(names.size());
    graph::gather_values(graph_, joined_, names, std::span(now));
    std::vector<std::uint32_t> rest;
    for (std::size_t k = 0; k < roots.size(); ++k) {
      if (now[k] == names[k]) continue;
      shared_->components[roots[k]] = now[k];
      rest.push_back(roots[k]);
    }
    roots = std::move(rest);
  }
}

}  // namespace orujo::internal::algorithms
