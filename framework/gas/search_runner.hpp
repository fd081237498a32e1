// One core's part of running a program whose vertices take one contribution each: a search
// (steps/search.hpp) that calls apply() where a vertex is found.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "framework/exchange/mirror_values.hpp"
#include "framework/gas/check_graph.hpp"
#include "framework/gas/members.hpp"
#include "framework/gas/program.hpp"
#include "framework/gas/run_options.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "framework/graph/graph_checkpoints.hpp"
#include "framework/graph/kept_memory.hpp"
#include "framework/steps/search.hpp"
#include "system/loops/collectives.hpp"
#include "system/machine/huge_array.hpp"

namespace orujo::gas {

namespace detail {

// What the cores of a locale share.
template <class Value>
struct search_arena : engine::search_state {
  explicit search_arena(const graph::locale_graph& g)
      : search_state(g, my_locales_cores()), shown(std::size_t{g.own} + g.mirrors) {}
  bool suits(const graph::locale_graph& g) const {
    return order.size() == g.own && shown.size() == std::size_t{g.own} + g.mirrors;
  }
  machine::huge_array<Value> shown;  // by local index; on one locale only of vertices that have been seen
};

}  // namespace detail

// A vertex that is not to tell its neighbours anything shows the identity, and only such a one does: so a
// pull knows by what a seen neighbour shows whether it may be taken.
template <searching_program Program>
class search_runner {
  using value = typename Program::value;
  using aggregate = typename Program::aggregate;
  using frontier = engine::frontier;

 public:
  // [task; suspends; collective over the job]
  search_runner(Program& program, graph::locale_graph& g, const run_options& options)
      : program_(program),
        graph_(g),
        options_(detail::checked<Program>(options)),
        part_(checked(g, options).my_part()),
        arena_(detail::share_kept<detail::search_arena<value>>(
            g, [&](const auto& kept) { return kept.suits(g); },
            [&] { return std::make_shared<detail::search_arena<value>>(g); })),
        shown_(arena_->shown.data(), arena_->shown.size()),
        checkpoints_(g, detail::writes_checkpoints<Program>(options)),
        search_(g, *arena_, *this, options.direction, options.simd),
        told_(g, exchange::told_sets::unrelated, options.codec) {
    if (!arena_->knows_pullable) {  // new: memory that is touched now need not be in the search
      std::fill(arena_->order.begin() + part_.first, arena_->order.begin() + part_.last, 0);
      std::fill(shown_.begin() + part_.first, shown_.begin() + part_.last, nothing_told);
    }
  }
  // [task; suspends; collective over the job] Nobody may still send here when it goes.
  ~search_runner() { loops::barrier(); }
  search_runner(const search_runner&) = delete;

  // [task; suspends; collective over the job] Once.
  run_report run() {
    const auto begin = std::chrono::steady_clock::now();
    run_report report;
    if (!resume_vertices()) start_vertices();
    while (search_.frontier_vertices() > 0) {
      if (search_.last_sums().due > 0) save();
      if (!wants_next()) break;
      if (supersteps() >= options_.most_supersteps || search_.last_sums().stopped > 0) {
        report.ended = false;
        break;
      }
      search_.superstep();
    }
    if (locales() > 1 && search_.frontier_vertices() > 0) search_.leave();  // nothing is on its way any more
    report.supersteps = supersteps();
    report.pushed = report.supersteps - search_.pulls();
    report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return report;
  }

  // After the run: what the calling core's vertices show. to: by own vertex of the locale.
  void copy_shown(std::span<value> to) const {
    const frontier& seen = arena_->seen[static_cast<std::size_t>(search_.mask())];
    for (std::uint32_t v = part_.first; v < part_.last; ++v) to[v] = seen.test(v) ? shown_[v] : nothing_told;
  }

 private:
  friend class engine::search<search_runner>;
  friend class engine::search_step<search_runner>;

  struct sums {
    aggregate of_vertices{};
    std::uint64_t due = 0;      // whether it is time for a checkpoint
    std::uint64_t stopped = 0;  // whether somebody wants no further superstep
    void operator+=(const sums& other) {
      of_vertices += other.of_vertices;
      due += other.due;
      stopped += other.stopped;
    }
  };

  static graph::locale_graph& checked(graph::locale_graph& g, const run_options& options) {
    detail::check_graph(g, detail::wanted_edges_of<Program>, options.direction.wanted);
    return g;
  }
  static constexpr value nothing_told = Program::combine.template identity<value>();
  value told_by(std::uint32_t source) const {
    const value shown = shown_[source];
    return shown == nothing_told ? nothing_told : program_.gather(shown, value{1});
  }
  vertex vertex_at(std::uint32_t v) const { return {v, graph_.out_degree[v], &graph_}; }

  void start_vertices() {
    std::vector<engine::discovery> mine;
    sums of_start = machine::compiled_for(options_.simd, [&] {
      sums all{};
      for (std::uint32_t v = part_.first; v < part_.last; ++v) {
        const value shown = program_.start(vertex_at(v), all.of_vertices);
        bool active = true;
        if constexpr (detail::calls_starts<Program>) active = program_.starts(vertex_at(v));
        if (active && show(v, shown)) mine.push_back({v, v});
      }
      return all;
    });
    of_start.stopped = detail::is_stopped(options_);
    search_.begin(mine, of_start);
  }

  int supersteps() const { return before_ + search_.supersteps(); }

  // What a checkpoint has of the calling core's vertices.
  struct kept_vertices {
    explicit kept_vertices(const graph::core_part& part)
        : shown(part.last - part.first, nothing_told), seen(part.last - part.first, 0) {}
    std::vector<value> shown;
    std::vector<std::uint8_t> seen;
  };
  void name_state(program_state& kept, kept_vertices& vertices, sums& last, std::int32_t& done) {
    kept.add("run", done);
    kept.add("sums", last.of_vertices);
    kept.add_part("shown", std::span(vertices.shown));
    kept.add_part("seen", std::span(vertices.seen));
    if constexpr (detail::calls_checkpoint<Program>) program_.checkpoint(kept);
  }

  void save() {
    kept_vertices mine(part_);
    for (std::uint32_t v = part_.first; v < part_.last; ++v) {
      if (!search_.seen().test(v)) continue;
      mine.seen[v - part_.first] = 1;
      mine.shown[v - part_.first] = shown_[v];
    }
    sums last = search_.last_sums();
    std::int32_t done = supersteps();
    checkpoints_.save([&](program_state& kept) { name_state(kept, mine, last, done); });
  }

  // Whether all is as it was saved. All that have something to tell are the frontier, those of earlier ones,
  // too: their neighbours have been seen.
  bool resume_vertices() {
    kept_vertices mine(part_);
    sums last{};
    std::int32_t done = 0;
    if (!checkpoints_.resume([&](program_state& kept) { name_state(kept, mine, last, done); })) return false;
    before_ = done;
    std::vector<engine::discovery> telling;
    for (std::uint32_t v = part_.first; v < part_.last; ++v) {
      shown_[v] = mine.shown[v - part_.first];
      if (shown_[v] != nothing_told) telling.push_back({v, v});
    }
    last.stopped = detail::is_stopped(options_);
    search_.begin(telling, my_core() == 0 ? last : sums{});
    for (std::uint32_t v = part_.first; v < part_.last; ++v) {
      if (mine.seen[v - part_.first] != 0) search_.seen().shared_set(v);
    }
    loops::barrier();
    return true;
  }

  // Whether it tells its neighbours something.
  bool show(std::uint32_t v, value shown) {
    const bool tells = shown != nothing_told && program_.gather(shown, value{1}) != nothing_told;
    shown_[v] = tells ? shown : nothing_told;
    return tells;
  }

  bool wants_next() {
    if constexpr (detail::calls_next<Program>)
      return program_.next(supersteps(), search_.last_sums().of_vertices);
    return true;
  }

  // Whether the vertex is of the next frontier. Nobody reads what it shows before that: it has not been seen.
  bool reach(std::uint32_t v, value told) {
    value shown = nothing_told;
    const bool active = program_.apply(vertex_at(v), told, shown, sums_.of_vertices);
    return show(v, active ? shown : nothing_told);
  }

  // What follows is what the search asks of its visitor.
  bool may_go_alone() const {
    return !detail::calls_next<Program> && options_.most_supersteps == run_options{}.most_supersteps &&
           !options_.stop;
  }
  sums summed() {
    sums mine = sums_;
    mine.due = checkpoints_.due(static_cast<std::uint64_t>(supersteps())) ? 1 : 0;
    mine.stopped = detail::is_stopped(options_);
    return mine;
  }
  void forget_sums() { sums_ = {}; }
  void superstep_ends(std::uint64_t) const {}
  void fetch(std::uint32_t vertex) const { __builtin_prefetch(shown_.data() + vertex, 1); }

  std::size_t visit(std::span<engine::discovery> found) {
    std::size_t active = 0;
    for (const engine::discovery d : found) {
      if (reach(d.vertex, told_by(d.parent))) found[active++] = d;
    }
    return active;
  }

  std::uint32_t* parents_of(std::size_t w) { return parents_[w % 2]; }
  void fetch(frontier::word children, const std::uint32_t* parents) const {
    for (; children != 0; children &= children - 1)
      __builtin_prefetch(shown_.data() + parents[std::countr_zero(children)]);
  }

  frontier::word visit(std::size_t w, frontier::word& children, const std::uint32_t* parents) {
    frontier::word active = 0;
    for (frontier::word rest = children; rest != 0; rest &= rest - 1) {
      const int bit = std::countr_zero(rest);
      const frontier::word member = frontier::word{1} << bit;
      const auto v = static_cast<std::uint32_t>(w * frontier::word_bits) + static_cast<std::uint32_t>(bit);
      value told = told_by(parents[bit]);
      if (told == nothing_told) [[unlikely]]
        told = first_told_to(v);
      if (told == nothing_told) [[unlikely]] {
        children &= ~member;
      } else if (reach(v, told)) {
        active |= member;
      }
    }
    return active;
  }

  // By any in-neighbour that has been seen at the superstep's start.
  value first_told_to(std::uint32_t v) const {
    const frontier& before = arena_->seen[static_cast<std::size_t>(1 - search_.mask())];
    for (const std::uint32_t source : graph_.in_rows->of(v)) {
      if (!before.test(source)) continue;
      if (const value told = told_by(source); told != nothing_told) return told;
    }
    return nothing_told;
  }

  void show_found(int, std::span<const std::uint32_t> found) {
    told_.send_listed(std::array{found}, [this](std::uint32_t v) { return shown_[v]; });
  }
  template <class T, class Combine>
  T meet(const T& mine, Combine combine) {
    return told_.meet(mine, combine);
  }
  void await_shown(int, std::vector<std::uint32_t>* mirrors) {
    told_.await({.members = search_.seen().words(), .shown = shown_.data(), .news = mirrors});
  }

  Program& program_;
  graph::locale_graph& graph_;
  const run_options options_;
  const graph::core_part& part_;
  std::shared_ptr<detail::search_arena<value>> arena_;
  const std::span<value> shown_;  // by local index, mirrors last
  graph_checkpoints checkpoints_;
  int before_ = 0;  // supersteps of the run that this one goes on from
  engine::search<search_runner> search_;
  sums sums_;
  std::uint32_t parents_[2][frontier::word_bits];
  exchange::mirror_values<value> told_;
};

}  // namespace orujo::gas
