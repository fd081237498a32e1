// Sets of vertices of a distributed graph, such as the frontier of a search. edge_map() and vertex_map()
// traverse them. After Shun, Blelloch, "Ligra: A Lightweight Graph Processing Framework for Shared Memory",
// PPoPP 2013, whose vertexSubset this is.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <initializer_list>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "framework/graph/bit_set.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "framework/graph/vertex.hpp"
#include "system/base/call_site.hpp"
#include "system/collectives/collectives.hpp"
#include "system/loops/forall.hpp"

namespace orujo::internal::graph {

class vertex_set;

namespace detail {

// Vertices of a locale, each in the list of one of its cores: the one that has found it.
struct alignas(64) set_list {
  std::vector<std::uint32_t> vertices;
};

// A locale's part of a set. Which of the two forms are valid is the same at all locales (set_state).
struct set_part {
  set_part(const graph::locale_graph& g, int cores) : mask(std::size_t{g.own} + g.mirrors), lists(cores) {}

  std::vector<std::uint32_t>& my_list() { return lists[my_core_of_locale()].vertices; }

  graph::bit_set mask;      // by local index; those of mirrors are meaningless but in a pull
  by_core<set_list> lists;  // by core of the locale
};

struct set_size {
  std::uint64_t vertices = 0, out_edges = 0;
  friend set_size operator+(set_size a, const set_size& b) {
    return {a.vertices + b.vertices, a.out_edges + b.out_edges};
  }
};

struct set_state {
  set_size size;
  bool has_mask = false, has_lists = false;
  void add_forms_of(const set_state& other) {
    has_mask |= other.has_mask;
    has_lists |= other.has_lists;
  }
};

// The sets' parts at one locale, by the core that has made the set, and a number. They are used again.
class set_pool {
 public:
  static std::shared_ptr<set_pool> of(const graph::locale_graph& g) {
    return g.kept->get<set_pool>([] { return std::make_shared<set_pool>(); });
  }
  // Any thread.
  set_part& part(const graph::locale_graph& g, core_id maker, std::uint32_t number);
  // Kept at the maker's locale, because no other locale needs it.
  std::uint32_t take(core_id maker);
  void give_back(core_id maker, std::uint32_t number);

 private:
  std::mutex mutex_;
  std::map<std::pair<core_id, std::uint32_t>, std::unique_ptr<set_part>> parts_;
  std::map<core_id, std::vector<std::uint32_t>> unused_;
  std::map<core_id, std::uint32_t> made_;
};

// Names a set at every core.
struct set_name {
  graph::distributed_graph graph;
  core_id maker;
  std::uint32_t number;
  // The calling core's locale's part.
  set_part& here() const {
    const graph::locale_graph& g = graph.here();
    return set_pool::of(g)->part(g, maker, number);
  }
};

// [task; suspends; collective over the job] Makes a missing form of the other one.
void make_lists(const graph::locale_graph& g, set_part& part, const set_state& state);
void make_mask(const graph::locale_graph& g, set_part& part, const set_state& state);

// The calling core's share of the words of a mask that stand for own vertices.
inline index_range my_words(const graph::locale_graph& g) {
  return my_part_of_locale({0, graph::bit_set::words_for(g.own)});
}
// Word w without the bits of mirrors.
inline graph::bit_set::word own_bits(const graph::locale_graph& g, std::size_t w) {
  const std::size_t left = g.own - std::min<std::size_t>(g.own, w * graph::bit_set::word_bits);
  return left >= graph::bit_set::word_bits ? ~graph::bit_set::word{0} : (graph::bit_set::word{1} << left) - 1;
}

// The size of a set of own vertices of word w.
inline set_size size_of_word(const graph::locale_graph& g, std::size_t w, graph::bit_set::word members) {
  const std::uint32_t* const degrees = &g.out_degree[w * graph::bit_set::word_bits];
  set_size size{static_cast<std::uint64_t>(std::popcount(members)), 0};
  if (~members == 0) {
    for (std::size_t k = 0; k < graph::bit_set::word_bits; ++k) size.out_edges += degrees[k];
  } else {
    for (; members != 0; members &= members - 1) size.out_edges += degrees[std::countr_zero(members)];
  }
  return size;
}

// Calls visit(own vertex) for the calling core's share of the members.
template <class Visit>
void for_each_of_mine(const graph::locale_graph& g, const set_part& part, const set_state& state,
                      Visit visit) {
  if (state.has_lists) {
    for (const std::uint32_t v : part.lists[my_core_of_locale()].vertices) visit(v);
    return;
  }
  if (!state.has_mask) return;  // nothing has been put in
  const index_range words = my_words(g);
  part.mask.for_each(words.first, words.last, [&](std::size_t v) {
    if (v < g.own) visit(static_cast<std::uint32_t>(v));
  });
}

// Ends the job with `exit_status::misuse` if an edge map over the graph cannot start from the one set, or be
// restricted to the other, if there is one.
void check_sets(graph::distributed_graph graph, const vertex_set& from, const vertex_set* out_of,
                const call_site& at);
// Ends the job unless there is such a set, for asynchronous visitors.
void check_out_of(const vertex_set* out_of, const call_site& at);

}  // namespace detail

// A set of vertices, such as the frontier of a search. One task owns it, at the core where it was made. It
// can be moved, not copied, cannot travel, and has to be destroyed before the graph. Its memory, up to a bit
// per local index and 4 bytes per member, belongs to the graph and is reused.
class vertex_set {
 public:
  // [task] The empty set.
  static vertex_set none(graph::distributed_graph graph) { return vertex_set(graph); }
  // [task; suspends] The set of all vertices.
  static vertex_set all(graph::distributed_graph graph);
  // [task; suspends] The set of the vertices with these numbers (vertex::number()), which may repeat.
  static vertex_set of(graph::distributed_graph graph, std::span<const std::uint64_t> numbers);
  static vertex_set of(graph::distributed_graph graph, std::initializer_list<std::uint64_t> numbers) {
    return of(graph, std::span(numbers.begin(), numbers.size()));
  }

  vertex_set(vertex_set&& other) noexcept;
  vertex_set& operator=(vertex_set&& other) noexcept;
  ~vertex_set();

  // The graph of the vertices.
  graph::distributed_graph graph() const { return name_.graph; }
  // The number of members.
  std::uint64_t size() const { return state_.size.vertices; }
  bool empty() const { return size() == 0; }
  // The number of out-edges of all members.
  std::uint64_t out_edges() const { return state_.size.out_edges; }

  // [task; suspends] Another set with the same members.
  vertex_set copy() const;
  // [task; suspends] The numbers of all members, ascending, at the calling core.
  std::vector<std::uint64_t> numbers() const;

  // Internal: for maps over sets.

  const detail::set_name& name() const { return name_; }
  const detail::set_state& state() const { return state_; }
  // It has other members.
  void set_state(const detail::set_state& state) { state_ = state; }
  // It has the same members in further forms.
  void add_forms_of(const detail::set_state& state) const { state_.add_forms_of(state); }

 private:
  explicit vertex_set(graph::distributed_graph graph);

  std::shared_ptr<detail::set_pool> pool_;  // the maker's locale's; null when moved from
  detail::set_name name_;
  mutable detail::set_state state_;
};

// [task; suspends] The union of two sets of one graph. Costs a pass over a bit per vertex, however small the
// sets are.
vertex_set unite(const vertex_set& a, const vertex_set& b);
// [task; suspends] The intersection of two sets of one graph. Costs what unite() does.
vertex_set intersect(const vertex_set& a, const vertex_set& b);
// [task; suspends] The members of a that are not in b, two sets of one graph. Costs what unite() does.
vertex_set subtract(const vertex_set& a, const vertex_set& b);

}  // namespace orujo::internal::graph
