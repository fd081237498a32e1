// One core's part of an edge map of an asynchronous visitor (visitor.hpp), which goes on from its result.
// After the first step a locale pushes until it has no new members. Then it tells other locales of all of
// them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <span>
#include <vector>

#include "framework/gas/check_graph.hpp"
#include "framework/gas/edge_map_step.hpp"
#include "framework/gas/edge_map_task.hpp"
#include "framework/steps/direction.hpp"
#include "system/collectives/collectives.hpp"
#include "system/observe/step_log.hpp"
#include "system/observe/trace.hpp"

namespace orujo::internal::gas::detail {

template <class Visitor>
class edge_map_cascade : edge_map_step<Visitor> {
  using step = edge_map_step<Visitor>;
  using step::arena_, step::expect_push, step::fetch_total, step::first_shown_by, step::from_, step::graph_,
      step::home_, step::lists_of_members, step::make_push, step::me_, step::out_of_, step::pull,
      step::push_of, step::size_along, step::task_, step::tell_candidates, step::to_, step::told_by,
      step::visit_touched, step::visitor_;
  using typename step::arena;

 public:
  using step::edge_map_step;

  // [task; suspends; collective over the job] Runs the map to its end. Sizes in the outcome are this core's
  // parts.
  edge_map_outcome run() {
    check_rows(graph_, steps::direction::push);
    edge_map_outcome outcome{task_.state, {}, {}};
    make_mask(home_, task_.out_of->here(), task_.out_of_state);
    const set_size to_go = size_along();
    const bool pulls = !pushes(graph_, task_, to_go);
    const observe::trace_scope traced(pulls ? "pull" : "push", to_go.vertices);
    const observe::step_scope logged(pulls ? "pull" : "push", to_go.vertices, to_go.out_edges);
    outcome.left = take_out_members();
    set_size found;
    if (pulls) {
      make_mask(graph_, from_, task_.state);
      outcome.from.has_mask = true;
      outcome.to = pull();
      collectives::barrier(collectives::group::locale);
      make_lists(graph_, to_, outcome.to);
      found = outcome.to.size;
    } else {
      make_lists(graph_, from_, task_.state);
      outcome.from.has_lists = true;
      to_.my_list().clear();
    }
    expect_push();
    make_push();
    me_.first_waiting = me_.first_untold = 0;
    if (!pulls) {
      push_here(lists_of_members(), from_.my_list());
      found = visit_pushed();
    }
    found = found + go_on_here();
    if (locales() > 1) found = found + go_on_elsewhere(!pulls);
    outcome.to = {found, false, true};
    return outcome;
  }

 private:
  // The members of the result that each core has found from the given place on.
  std::vector<std::span<const std::uint32_t>> lists_from(std::size_t arena::core::*first) const {
    std::vector<std::span<const std::uint32_t>> lists;
    for (std::size_t c = 0; c < to_.lists.size(); ++c)
      lists.push_back(std::span<const std::uint32_t>(to_.lists[c].vertices).subspan(arena_->cores[c].*first));
    return lists;
  }
  // [task; suspends; collective over the locale] Takes this core's members of `from` out of the set that
  // visits are restricted to.
  set_size take_out_members() {
    set_size left;
    for_each_of_mine(home_, from_, task_.state, [&](std::uint32_t v) {
      if (!out_of_->shared_test(v)) return;
      left = left + set_size{1, home_.out_degree[v]};
      out_of_->shared_reset(v);
    });
    collectives::barrier(collectives::group::locale);
    return left;
  }
  // [task; suspends; collective over the locale] Pushes to own vertices from those in lists of all cores, of
  // which `mine` are this core's.
  void push_here(const std::vector<std::span<const std::uint32_t>>& lists,
                 std::span<const std::uint32_t> mine) {
    if constexpr (!arena::tells_who) {
      if (locales() > 1) {
        for (const std::uint32_t v : mine) arena_->shown[v] = visitor_.show(vertex_at(graph_, v));
        collectives::barrier(collectives::group::locale);
      }
    }
    me_.push->push_lists(lists, *me_.edges, fetch_total(),
                         [this](std::uint32_t v) { return push_of(first_shown_by(v)); });
  }
  // [task; suspends; collective over the locale] Visits the targets. Returns this core's part of the members
  // that are new.
  set_size visit_pushed() {
    tell_candidates();
    collectives::barrier(collectives::group::locale);
    me_.push->finish();
    me_.first_waiting = to_.my_list().size();
    return visit_touched(false);
  }
  // [task; suspends; collective over the locale] Goes on from new members until there are none. Returns this
  // core's part of those that it has found.
  set_size go_on_here() {
    set_size all;
    for (;;) {
      const std::span<const std::uint32_t> mine = my_waiting();
      if (collectives::all_reduce(mine.size(), std::plus<>(), collectives::group::locale) == 0) return all;
      push_here(lists_from(&arena::core::first_waiting), mine);
      all = all + visit_pushed();
    }
  }
  // [task; suspends; collective over the job] Mirrors of new members push, and of the first ones if
  // `tells_first`, until no locale has any. Returns this core's part of those that it has found.
  set_size go_on_elsewhere(bool tells_first) {
    set_size all;
    for (bool first = tells_first;; first = false) {
      auto untold = lists_from(&arena::core::first_untold);
      const std::size_t mine = (first ? 1 : 0) + to_.my_list().size() - me_.first_untold;
      if (first) std::ranges::copy(lists_of_members(), std::back_inserter(untold));
      me_.push->tell(untold, [this](std::uint32_t v) { return told_by(v); });
      if (me_.push->meet(mine, std::plus<>()) == 0) break;
      me_.first_untold = to_.my_list().size();
      me_.edges->know_mirrors();
      me_.push->push_mirrors(*me_.edges,
                             [this](std::uint32_t m) { return push_of(arena_->shown_by(graph_, m)); });
      all = all + visit_pushed();
      all = all + go_on_here();
    }
    me_.push->pass_over();
    return all;
  }
  std::span<const std::uint32_t> my_waiting() const {
    return std::span<const std::uint32_t>(to_.my_list()).subspan(me_.first_waiting);
  }
};

}  // namespace orujo::internal::gas::detail
