// One core's part of running a program whose vertices take one contribution each: a search
// (steps/search.hpp) that calls apply() where a vertex is found.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "framework/gas/check_graph.hpp"
#include "framework/gas/members.hpp"
#include "framework/gas/program.hpp"
#include "framework/gas/run_options.hpp"
#include "framework/gas/search_arena.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "framework/graph/graph_checkpoints.hpp"
#include "framework/graph/kept_memory.hpp"
#include "framework/steps/search.hpp"
#include "system/collectives/collectives.hpp"
#include "system/machine/topology.hpp"

namespace orujo::internal::gas {

using graph::graph_checkpoints, graph::program_state;

// The arena keeps the values of vertices; a vertex of a program of sources shows its local index. Silent
// vertices have been seen and contribute nothing. Their mask lets pulls pass over them.
template <searching_program Program>
class search_runner {
  using value = typename Program::value;
  using aggregate = typename Program::aggregate;
  using bit_set = graph::bit_set;
  static constexpr bool tells_who = detail::search_arena<value>::tells_who;

 public:
  // [task; suspends; collective over the job]
  search_runner(Program& program, graph::locale_graph& g, const run_options& options)
      : program_(program),
        graph_(g),
        options_(detail::checked<Program>(options)),
        part_(checked(g, options).my_part()),
        arena_(graph::share_kept<detail::search_arena<value>>(
            g, [&](const auto& kept) { return kept.suits(g); },
            [&] { return std::make_shared<detail::search_arena<value>>(g); })),
        shown_(arena_->shown.data(), arena_->shown.size()),
        checkpoints_(g, detail::writes_checkpoints<Program>(options)),
        search_(g, *arena_, *this, options.direction, options.simd),
        told_(arena_->my_exchange(g, options.codec)) {
    if (!arena_->knows_pullable) {  // new: page faults happen here and not in the search
      std::fill(arena_->order.begin() + part_.first, arena_->order.begin() + part_.last, 0);
      if constexpr (!tells_who) {
        machine::place_here(part_.of(shown_));
        std::fill(shown_.begin() + part_.first, shown_.begin() + part_.last, nothing_told);
      }
    }
    forget_silent();
  }
  // [task; suspends; collective over the job] The barrier separates this run's last message from the next
  // run's first. By then the graph has the arena at all locales, so that all of them reuse theirs or none
  // does.
  ~search_runner() {
    arena_.reset();
    collectives::barrier();
  }
  search_runner(const search_runner&) = delete;

  // [task; suspends; collective over the job] Called once.
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

  // Copies what the calling core's vertices show after the run. to: by own vertex of the locale.
  void copy_shown(std::span<value> to) const requires(!tells_who) {
    const bit_set& seen = arena_->seen[static_cast<std::size_t>(search_.mask())];
    for (std::uint32_t v = part_.first; v < part_.last; ++v)
      to[v] = seen.test(v) && tells(v) ? shown_[v] : nothing_told;
  }

 private:
  friend class steps::search<search_runner>;
  friend class steps::search_step<search_runner>;

  struct sums {
    aggregate of_vertices{};
    std::uint64_t due = 0;      // greater than 0: a checkpoint is due
    std::uint64_t stopped = 0;  // greater than 0: no further superstep is to begin
    void operator+=(const sums& other) {
      of_vertices += other.of_vertices;
      due += other.due;
      stopped += other.stopped;
    }
  };

  static graph::locale_graph& checked(graph::locale_graph& g, const run_options& options) {
    detail::check_graph(g, detail::wanted_edges_of<Program>(locales() > 1), options.direction.wanted);
    return g;
  }
  static constexpr std::uint32_t start_at_once = 256;
  static constexpr value nothing_told = Program::combine.template identity<value>();
  // The teller has been seen and is not silent.
  value told_by(std::uint32_t teller) const {
    if constexpr (tells_who)
      return {teller, &graph_};
    else
      return program_.gather(shown_[teller], value{1});
  }
  // Both are right for vertices that were seen before this superstep.
  bool has_silent() const { return arena_->has_silent.load(std::memory_order_relaxed); }
  bool tells(std::uint32_t v) const { return !has_silent() || !arena_->silent.shared_test(v); }
  vertex vertex_at(std::uint32_t v) const { return {v, graph_.out_degree[v], &graph_}; }

  void start_vertices() {
    std::vector<steps::discovery> mine;
    sums of_start = machine::compiled_for(options_.simd, [&] {
      sums all{};
      for (std::uint32_t v = part_.first; v < part_.last; v += std::min(start_at_once, part_.last - v))
        start_some(v, std::min(start_at_once, part_.last - v), all.of_vertices, mine);
      return all;
    });
    of_start.stopped = options_.stop.is_set();
    search_.begin(mine, of_start);
  }
  // Compilers vectorize these loops if the program permits it.
  void start_some(std::uint32_t first, std::uint32_t vertices, aggregate& all,
                  std::vector<steps::discovery>& to) {
    [[maybe_unused]] std::array<std::conditional_t<tells_who, exchange::no_value, value>, start_at_once>
        shown;
    for (std::uint32_t k = 0; k < vertices; ++k) {
      if constexpr (!tells_who)
        shown[k] = program_.start(vertex_at(first + k), all);
      else if constexpr (detail::has_start<Program>)
        program_.start(vertex_at(first + k), all);
    }
    std::array<bool, start_at_once> starting;
    for (std::uint32_t k = 0; k < vertices; ++k) {
      starting[k] = true;
      if constexpr (detail::calls_starts<Program>) starting[k] = program_.starts(vertex_at(first + k));
    }
    const bool* const end = starting.data() + vertices;
    for (const bool* at = starting.data(); at != end; ++at) {
      at = static_cast<const bool*>(std::memchr(at, true, static_cast<std::size_t>(end - at)));
      if (at == nullptr) break;
      const auto k = static_cast<std::uint32_t>(at - starting.data());
      bool active = true;
      if constexpr (!tells_who) active = show(first + k, shown[k]);
      if (active) to.push_back({first + k, first + k});
    }
  }

  int supersteps() const { return before_ + search_.supersteps(); }

  // The part of a checkpoint for the calling core's vertices. `shown` is empty for programs of sources.
  enum class kept_as : std::uint8_t { unseen, telling, silent };
  struct kept_vertices {
    explicit kept_vertices(const graph::core_part& part)
        : shown(tells_who ? 0 : part.last - part.first, nothing_told), seen(part.last - part.first) {}
    std::vector<value> shown;
    std::vector<kept_as> seen;
  };
  void name_state(program_state& kept, kept_vertices& vertices, sums& last, std::int32_t& done) {
    kept.add("run", done);
    kept.add("sums", last.of_vertices);
    if constexpr (!tells_who) kept.add_part("shown", std::span(vertices.shown));
    kept.add_part("seen", std::span(vertices.seen));
    if constexpr (detail::calls_checkpoint<Program>) program_.checkpoint(kept);
  }

  void save() {
    kept_vertices mine(part_);
    for (std::uint32_t v = part_.first; v < part_.last; ++v) {
      if (!search_.seen().test(v)) continue;
      mine.seen[v - part_.first] = tells(v) ? kept_as::telling : kept_as::silent;
      if constexpr (!tells_who) mine.shown[v - part_.first] = shown_[v];
    }
    sums last = search_.last_sums();
    std::int32_t done = supersteps();
    checkpoints_.save([&](program_state& kept) { name_state(kept, mine, last, done); });
  }

  // True if the state comes from a checkpoint. The frontier consists of all vertices that contribute, also
  // those of earlier frontiers, whose neighbours have been seen.
  bool resume_vertices() {
    kept_vertices mine(part_);
    sums last{};
    std::int32_t done = 0;
    if (!checkpoints_.resume([&](program_state& kept) { name_state(kept, mine, last, done); })) return false;
    before_ = done;
    std::vector<steps::discovery> telling;
    for (std::uint32_t v = part_.first; v < part_.last; ++v) {
      if constexpr (!tells_who) shown_[v] = mine.shown[v - part_.first];
      if (mine.seen[v - part_.first] == kept_as::telling) telling.push_back({v, v});
      if (mine.seen[v - part_.first] == kept_as::silent) silence(v);
    }
    last.stopped = options_.stop.is_set();
    search_.begin(telling, my_core() == 0 ? last : sums{});
    for (std::uint32_t v = part_.first; v < part_.last; ++v) {
      if (mine.seen[v - part_.first] != kept_as::unseen) search_.seen().shared_set(v);
    }
    collectives::barrier();
    return true;
  }

  // [task; may suspend] Clears the silent vertices that the previous run left in the arena.
  void forget_silent() {
    if (!has_silent()) return;  // the same at all cores of the locale
    arena_->silent.clear(search_.my_words().first, search_.my_words().last);
    collectives::barrier(collectives::group::locale);
    if (leads_locale()) arena_->has_silent.store(false, std::memory_order_relaxed);
    collectives::barrier(collectives::group::locale);
  }
  void silence(std::uint32_t v) {
    arena_->silent.shared_set(v);
    if (!has_silent()) arena_->has_silent.store(true, std::memory_order_relaxed);
  }

  // True if the vertex contributes to its neighbours.
  bool show(std::uint32_t v, value shown) requires(!tells_who) {
    shown_[v] = shown;
    return shown != nothing_told && program_.gather(shown, value{1}) != nothing_told;
  }

  bool wants_next() {
    if constexpr (detail::calls_next<Program>)
      return program_.next(supersteps(), search_.last_sums().of_vertices);
    return true;
  }

  // True if the vertex is in the next frontier. Its value is not read before that, as it has not been seen.
  bool reach(std::uint32_t v, const value& told) {
    bool tells;
    if constexpr (tells_who) {
      tells = program_.apply(vertex_at(v), told, sums_.of_vertices);
    } else {
      value shown = nothing_told;
      tells = program_.apply(vertex_at(v), told, shown, sums_.of_vertices) && show(v, shown);
    }
    if (!tells) silence(v);
    return tells;
  }

  // The search calls the following members of its visitor.
  bool may_go_alone() const {
    return !detail::calls_next<Program> && options_.most_supersteps == run_options{}.most_supersteps &&
           !options_.stop;
  }
  sums summed() {
    sums mine = sums_;
    mine.due = checkpoints_.due(static_cast<std::uint64_t>(supersteps())) ? 1 : 0;
    mine.stopped = options_.stop.is_set();
    return mine;
  }
  void forget_sums() { sums_ = {}; }
  void superstep_ends(std::uint64_t) const {}
  void fetch(std::uint32_t vertex) const {
    if constexpr (!tells_who) __builtin_prefetch(shown_.data() + vertex, 1);
  }

  std::size_t visit(std::span<steps::discovery> found) {  // from a frontier, in which no vertex is silent
    std::size_t active = 0;
    for (const steps::discovery d : found) {
      if (reach(d.vertex, told_by(d.parent))) found[active++] = d;
    }
    return active;
  }

  std::uint32_t* parents_of(std::size_t w) { return parents_[w % 2]; }
  void fetch(bit_set::word children, const std::uint32_t* parents) const {
    for (; !tells_who && children != 0; children &= children - 1)
      __builtin_prefetch(shown_.data() + parents[std::countr_zero(children)]);
  }

  std::uint32_t* visit(std::size_t w, bit_set::word& children, std::uint32_t* parents, std::uint32_t* to) {
    if (has_silent()) [[unlikely]]
      find_tellers(w, children, parents);
    for (bit_set::word rest = children; rest != 0; rest &= rest - 1) {
      const std::uint32_t v = bit_set::first_of(w, rest);
      if (reach(v, told_by(parents[std::countr_zero(rest)]))) *to++ = v;
    }
    return to;
  }

  // A child with a silent parent searches for another parent, and is no child if there is none.
  void find_tellers(std::size_t w, bit_set::word& children, std::uint32_t* parents) const {
    for (bit_set::word rest = children; rest != 0; rest &= rest - 1) {
      const int bit = std::countr_zero(rest);
      if (!tells(parents[bit]) && !find_teller(bit_set::first_of(w, rest), parents[bit]))
        children &= ~(bit_set::word{1} << bit);
    }
  }
  // Finds an in-neighbour that had been seen when the superstep began, and is not silent.
  bool find_teller(std::uint32_t v, std::uint32_t& teller) const {
    const bit_set& before = arena_->seen[static_cast<std::size_t>(1 - search_.mask())];
    const auto row = graph_.in_rows->of(v);
    const auto found =
        std::find_if(row.begin(), row.end(), [&](std::uint32_t u) { return before.test(u) && tells(u); });
    if (found == row.end()) return false;
    teller = *found;
    return true;
  }

  void show_found(int, std::span<const std::uint32_t> found) {
    const auto show = [&]([[maybe_unused]] std::uint32_t v) {
      if constexpr (tells_who)
        return exchange::no_value{};
      else
        return shown_[v];
    };
    if (has_silent())
      told_.send_listed(std::array{found}, show);
    else  // all that have been seen contribute
      told_.send_fresh(search_.seen().words(), std::array{found}, show);
  }
  template <class T, class Combine>
  T meet(const T& mine, Combine combine) {
    return told_.meet(mine, combine);
  }
  void await_shown(int, std::vector<std::uint32_t>* mirrors) {
    if constexpr (tells_who)
      told_.await({.members = search_.seen().words(), .news = mirrors});
    else
      told_.await({.members = search_.seen().words(), .shown = shown_.data(), .news = mirrors});
  }

  Program& program_;
  graph::locale_graph& graph_;
  const run_options options_;
  const graph::core_part& part_;
  std::shared_ptr<detail::search_arena<value>> arena_;
  const std::span<value> shown_;  // by local index, mirrors last; empty where vertices show which they are
  graph_checkpoints checkpoints_;
  int before_ = 0;  // supersteps of the run that this one resumes
  steps::search<search_runner> search_;
  sums sums_;
  std::uint32_t parents_[2][bit_set::word_bits];
  typename detail::search_arena<value>::exchange_type& told_;
};

}  // namespace orujo::internal::gas
