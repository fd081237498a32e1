#include "framework/graph/vertex_set.hpp"

#include <algorithm>
#include <functional>

#include "system/base/check.hpp"
#include "system/delegates/bulk.hpp"

namespace orujo::internal::graph {
namespace detail {

set_part& set_pool::part(const graph::locale_graph& g, core_id maker, std::uint32_t number) {
  const std::scoped_lock locked(mutex_);
  std::unique_ptr<set_part>& made = parts_[{maker, number}];
  if (!made) made = std::make_unique<set_part>(g, my_locales_cores());
  return *made;
}

std::uint32_t set_pool::take(core_id maker) {
  const std::scoped_lock locked(mutex_);
  std::vector<std::uint32_t>& unused = unused_[maker];
  if (unused.empty()) return made_[maker]++;
  const std::uint32_t number = unused.back();
  unused.pop_back();
  return number;
}

void set_pool::give_back(core_id maker, std::uint32_t number) {
  const std::scoped_lock locked(mutex_);
  unused_[maker].push_back(number);
}

void make_lists(const graph::locale_graph& g, set_part& part, const set_state& state) {
  if (state.has_lists) return;
  std::vector<std::uint32_t>& mine = part.my_list();
  mine.clear();
  for_each_of_mine(g, part, state, [&](std::uint32_t v) { mine.push_back(v); });
  collectives::barrier(collectives::group::locale);
}

void make_mask(const graph::locale_graph& g, set_part& part, const set_state& state) {
  if (state.has_mask) return;
  const index_range words = my_part_of_locale({0, part.mask.size_in_words()});
  part.mask.clear(words.first, words.last);
  collectives::barrier(collectives::group::locale);
  const bool alone = my_locales_cores() == 1;
  for_each_of_mine(g, part, state,
                   [&](std::uint32_t v) { alone ? part.mask.set(v) : void(part.mask.shared_set(v)); });
  collectives::barrier(collectives::group::locale);
}

namespace {

constexpr const char* two_graphs =
    "two sets of vertices of different graphs: make both of one graph, by vertex_set::of(graph, numbers) and "
    "the "
    "like";

// [task; suspends] Every core adds members to its list: fill(graph, list). No vertex is added twice.
template <class Fill>
void fill_lists(vertex_set& set, const Fill& fill) {
  set_state state{{}, false, true};
  state.size = loops::on_all_cores([name = set.name(), fill] {
    const graph::locale_graph& g = name.graph.here();
    std::vector<std::uint32_t>& mine = name.here().my_list();
    mine.clear();
    fill(g, mine);
    set_size size{mine.size(), 0};
    for (const std::uint32_t v : mine) size.out_edges += g.out_degree[v];
    return collectives::all_reduce(size);
  });
  set.set_state(state);
}

template <class Combine>
vertex_set combined(const vertex_set& a, const vertex_set& b, Combine combine) {
  require(&a.graph().here() == &b.graph().here(), two_graphs);
  vertex_set made = vertex_set::none(a.graph());
  set_state state{{}, true, false};
  state.size = loops::on_all_cores([of_a = a.name(), of_b = b.name(), into = made.name(), state_a = a.state(),
                                    state_b = b.state(), combine] {
    const graph::locale_graph& g = into.graph.here();
    set_part &from = of_a.here(), &with = of_b.here(), &result = into.here();
    make_mask(g, from, state_a);
    if (&from != &with) make_mask(g, with, state_b);
    const index_range words = my_words(g);
    set_size size;
    for (std::size_t w = words.first; w < words.last; ++w) {
      const bit_set::word members = combine(from.mask.words()[w], with.mask.words()[w]) & own_bits(g, w);
      result.mask.words()[w] = members;
      size = size + size_of_word(g, w, members);
    }
    return collectives::all_reduce(size);
  });
  a.add_forms_of(state);
  b.add_forms_of(state);
  made.set_state(state);
  return made;
}

}  // namespace

void check_sets(graph::distributed_graph graph, const vertex_set& from, const vertex_set* out_of,
                const call_site& at) {
  require(
      graph.here().vertex_space == from.graph().here().vertex_space,
      "an edge map over one graph from a set of vertices of another: pass the set's graph, its transpose, or "
      "a set of this graph",
      at);
  if (!out_of) return;
  require(&from != out_of, "an edge map from a set cannot be out of this set itself", at);
  require(&from.graph().here() == &out_of->graph().here(), two_graphs, at);
}

void check_out_of(const vertex_set* out_of, const call_site& at) {
  require(out_of != nullptr,
          "an edge map of an asynchronous visitor goes on until no vertex is visited, and has to be out of a "
          "set: pass {.out_of = &set}, which vertices leave",
          at);
}

}  // namespace detail

vertex_set::vertex_set(graph::distributed_graph graph)
    : pool_(detail::set_pool::of(graph.here())), name_{graph, my_core(), pool_->take(my_core())} {}

vertex_set::vertex_set(vertex_set&& other) noexcept
    : pool_(std::move(other.pool_)), name_(other.name_), state_(std::exchange(other.state_, {})) {}

vertex_set& vertex_set::operator=(vertex_set&& other) noexcept {
  std::swap(pool_, other.pool_);
  std::swap(name_, other.name_);
  std::swap(state_, other.state_);
  return *this;
}

vertex_set::~vertex_set() {
  if (pool_) pool_->give_back(name_.maker, name_.number);
}

vertex_set vertex_set::all(graph::distributed_graph graph) {
  vertex_set made(graph);
  loops::on_all_cores([name = made.name()] {
    const graph::locale_graph& g = name.graph.here();
    const index_range words = detail::my_words(g);
    for (std::size_t w = words.first; w < words.last; ++w)
      name.here().mask.words()[w] = detail::own_bits(g, w);
  });
  made.set_state({{graph.here().vertices, graph.here().edges}, true, false});
  return made;
}

vertex_set vertex_set::of(graph::distributed_graph graph, std::span<const std::uint64_t> numbers) {
  vertex_set made(graph);
  const memory::global_address<const std::uint64_t> all(my_core(), numbers.data());
  for (const std::uint64_t n : numbers)
    require(n < graph.here().vertices, "a set of vertices has a number that no vertex of the graph has");
  detail::fill_lists(
      made, [all, count = numbers.size()](const graph::locale_graph& g, std::vector<std::uint32_t>& mine) {
        std::vector<std::uint64_t> wanted(count);
        delegates::get(all, std::span(wanted));
        const graph::core_part& part = g.my_part();
        for (const std::uint64_t n : wanted) {
          const std::uint64_t local = n - g.first_vertex;
          if (local >= part.first && local < part.last) mine.push_back(static_cast<std::uint32_t>(local));
        }
        std::sort(mine.begin(), mine.end());
        mine.erase(std::unique(mine.begin(), mine.end()), mine.end());
      });
  return made;
}

vertex_set vertex_set::copy() const {
  vertex_set made(name_.graph);
  const detail::set_state state{state_.size, state_.has_mask, state_.has_lists && !state_.has_mask};
  loops::on_all_cores([from = name_, to = made.name_, state] {
    const graph::locale_graph& g = to.graph.here();
    detail::set_part &here = from.here(), &copied = to.here();
    if (state.has_lists) copied.my_list() = here.my_list();
    if (!state.has_mask) return;
    const index_range words = detail::my_words(g);
    for (std::size_t w = words.first; w < words.last; ++w)
      copied.mask.words()[w] = here.mask.words()[w] & detail::own_bits(g, w);
  });
  made.state_ = state;
  return made;
}

std::vector<std::uint64_t> vertex_set::numbers() const {
  std::vector<std::uint64_t> all = loops::on_all_cores([name = name_, state = state_, here = my_core()] {
    const graph::locale_graph& g = name.graph.here();
    std::vector<std::uint64_t> mine;
    detail::for_each_of_mine(g, name.here(), state, [&](std::uint32_t v) { mine.push_back(g.number_of(v)); });
    std::vector<std::uint64_t> of_all;
    for (const std::vector<std::uint64_t>& part : collectives::gather(mine, here))
      of_all.insert(of_all.end(), part.begin(), part.end());
    return of_all;
  });
  std::sort(all.begin(), all.end());
  return all;
}

vertex_set unite(const vertex_set& a, const vertex_set& b) {
  return detail::combined(a, b, std::bit_or<std::uint64_t>());
}
vertex_set intersect(const vertex_set& a, const vertex_set& b) {
  return detail::combined(a, b, std::bit_and<std::uint64_t>());
}
vertex_set subtract(const vertex_set& a, const vertex_set& b) {
  return detail::combined(a, b, [](std::uint64_t in, std::uint64_t out) { return in & ~out; });
}

}  // namespace orujo::internal::graph
