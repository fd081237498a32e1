// Visits the members of a set of vertices. After Shun, Blelloch, "Ligra", PPoPP 2013.
#pragma once

#include <functional>
#include <type_traits>

#include "framework/graph/vertex_set.hpp"

namespace orujo::internal::graph {

namespace detail {

// [task; suspends] Calls visit(members, alone) at every core, where members(f) calls f(vertex) for its share
// of the set, which is not empty. The calling task goes through small sets alone. Returns what visit returns
// at the calling core.
template <class Visit>
auto over_members(const vertex_set& set, const Visit& visit) {
  if (set.state().has_lists && one_core_is_faster(set.size())) {
    const graph::locale_graph& g = set.graph().here();
    return visit(
        [&](auto&& f) {
          for (const set_list& list : set.name().here().lists)
            for (const std::uint32_t v : list.vertices) f(vertex_at(g, v));
        },
        true);
  }
  return loops::on_all_cores([name = set.name(), state = set.state(), visit] {
    const graph::locale_graph& g = name.graph.here();
    return visit(
        [&](auto&& f) {
          for_each_of_mine(g, name.here(), state, [&](std::uint32_t v) { f(vertex_at(g, v)); });
        },
        false);
  });
}

}  // namespace detail

// [task; suspends] Calls f(const vertex&) for every member, at a core of its locale. f has to be able to
// travel: it captures values and handles, no references. It must not suspend.
template <class F>
void vertex_map(const vertex_set& set, const F& f) {
  if (!set.empty()) detail::over_members(set, [f](auto members, bool) { members(f); });
}

// [task; suspends] The set of the members for which keep(const vertex&) returns true. keep is as f of
// vertex_map().
template <class F>
vertex_set vertex_filter(const vertex_set& set, const F& keep) {
  vertex_set made = vertex_set::none(set.graph());
  if (set.empty()) return made;
  const auto visit = [keep, name = made.name()](auto members, bool alone) {
    std::vector<std::uint32_t>& mine = name.here().my_list();
    if (alone) {
      for (detail::set_list& list : name.here().lists) list.vertices.clear();
    }
    mine.clear();
    detail::set_size kept;
    members([&](const vertex& v) {
      if (!keep(v)) return;
      mine.push_back(v.local);
      kept = kept + detail::set_size{1, v.out_degree};
    });
    return alone ? kept : collectives::all_reduce(kept);
  };
  made.set_state({detail::over_members(set, visit), false, true});
  return made;
}

// [task; suspends] Combines value_of(const vertex&) of all members, in any order. For an empty set it returns
// T{}, where T is the type of the values, which is trivially copyable.
template <class F, class Combine = std::plus<>>
auto vertex_reduce(const vertex_set& set, const F& value_of, Combine combine = {}) {
  using value = std::decay_t<std::invoke_result_t<const F&, const vertex&>>;
  struct partial {
    value sum;
    bool any;
  };
  if (set.empty()) return value{};
  const auto visit = [value_of, combine](auto members, bool alone) {
    partial mine{};
    members([&](const vertex& v) {
      mine = {mine.any ? value(combine(mine.sum, value_of(v))) : value(value_of(v)), true};
    });
    if (!alone) {
      mine = collectives::all_reduce(mine, [combine](const partial& a, const partial& b) {
        if (!a.any || !b.any) return a.any ? a : b;
        return partial{value(combine(a.sum, b.sum)), true};
      });
    }
    return mine;
  };
  return detail::over_members(set, visit).sum;
}

}  // namespace orujo::internal::graph
