// What a vertex program is: a plain struct that the compiler checks.
//
//   struct pagerank {
//     using value = float;                                  // what a vertex shows its neighbours
//     static constexpr auto combine = orujo::gas::sum{};    // how contributions meet
//     struct aggregate { double change = 0; };              // summed over all vertices in every superstep
//     template <class V> V gather(V source_value, V edge_weight) const { return source_value; }
//     float start(const vertex& v, aggregate& sums);        // what v shows at first
//     bool apply(const vertex& v, float total, float& shown, aggregate& sums);
//     bool next(int superstep, const aggregate& last);      // optional
//   };
//
// A superstep combines the contributions of each vertex's in-edges into `total` (the identity of combine
// where there are none), then apply() computes what the vertex shows from now on: `shown` holds what it
// showed so far. apply() returns true to keep the vertex active; when no vertex is, the run ends. Before
// every superstep next() sees the sums of the last one (before the first: of start()), which it may keep for
// apply(), and returns false to end the run.
//
// gather() is called with numbers and with packs of eight, and so may use
//   + - *, / of floating-point values, & and | of integers
//   orujo::min(a, b), orujo::max(a, b)
//   orujo::select(a < b, x, y), also of a > b and a == b
// on values of its type V; V{2} is a number. A pack has no answer for if and ?:, and is no argument of
// std::min and <cmath>.
//
// Every core works on its own copy of the program; per-vertex state belongs in properties (property.hpp).
// `aggregate` is trivially copyable and has += ; `nothing` is the one of programs that sum up nothing. A
// member that is there and cannot be called as it stands here does not compile (check_program.hpp).
//
// With --checkpoint_dir a run writes checkpoints between supersteps, and one that is started again with
// --resume goes on from there, on any number of locales and cores. Then a program says what it keeps:
//
//   void checkpoint(program_state& kept) { kept.add("rank", ranks); kept.add("change", change); }
//       all that it changes beside what vertices show: properties, and numbers that every core's copy has
//       alike (program_state.hpp). What it is made with is made again. start() is not called then
//   value restored(const vertex& v);
//       optional: what v shows, from what is kept; without it a checkpoint also has what vertices show. Not
//       of searches
//
// Programs with an arithmetic value of 4 or 8 bytes and a gather that is generic over packs, as above, run on
// the vector engine. All others are scalar programs; they are run over the rows of in-edges. In which forms a
// graph is to keep its edges for a program, load.hpp knows. The value of a scalar program is any trivially
// copyable type, and so is
//
//   using accumulator = ...;        what contributions meet in and apply() is given; without it `value`. It
//                                   says, too, that a program with numbers as values is meant to be scalar
//
// They say how by gather and combine, which is associative and has the identity accumulator{} or says another
// as combine.hpp does:
//
//   accumulator gather(const value& source, float edge_weight) const;
//   accumulator gather(const value& source, float edge_weight, const value& own) const;    // or this
//
// or see all in-neighbours at once, where contributions cannot be combined two by two:
//
//   accumulator collect(const vertex& v, const value& own, const neighbours<value>& all);
//   accumulator collect(const vertex& v, const value& own, const neighbours<value>& in,
//                       const neighbours<value>& out);      // or this, which sees out-neighbours, too
//
// `own` is what the vertex itself shows. In which order the neighbours come depends on the split, and is the
// same in every superstep: what a vertex remembers of its edges belongs in an edge_property.
//
// A scalar program of which apply() changes nothing and returns false unless an in-neighbour shows something
// new, and returns true if the vertex itself does, may say so:
//
//   static constexpr bool incremental = true;
//   bool starts(const vertex& v);
//       optional: which vertices show something new at first; without it all do, and the first superstep
//       calls apply() for every vertex
//
// While few vertices are active only their out-neighbours are then looked at, and their in-neighbours where
// collect() sees out-neighbours. `total` is still that of all neighbours, whatever combine is; apply() is
// called for vertices that hear of something new at least.
//
// Where only changes matter, a program of the vector engine may say so and is then pushed while few vertices
// are active:
//
//   static constexpr bool incremental = true;
//       combine is idempotent (minimum, maximum, bit_or, or one's own that says so), and what apply() has
//       been given once changes nothing, and returns false, again
//   bool starts(const vertex& v);
//       optional: which vertices are active at first; without it, all
//   static constexpr bool settles = true;  bool settled(const vertex& v) const;
//       optional: there are vertices that nothing changes any more, and this is one (asked after apply() and
//       start())
//   std::uint64_t priority(const vertex& v, const value& shown) const;
//       optional: active vertices of the least priority go first, and among those that they activate those of
//       the same or a lesser one; the others wait until none of these is left. A search for shortest paths
//       with the priority distance / delta is delta-stepping. Not with deltas
//
//   static constexpr bool asynchronous = true;
//       optional, not with deltas: what comes out is the same if a vertex hears of what neighbours have come
//       to show in the same superstep, and of some in-neighbours sooner than of others, as where labels or
//       lengths go on until nothing changes. A pull then goes from vertex to vertex over the rows of
//       in-edges, and news goes many edges far. Where edges have no weights each of several locales goes on
//       by itself until it is quiet, before others hear of it (run_options.ahead). With priority() it pushes
//       on by itself, also with greater priorities, as long as a meeting of all would take (push_ahead.hpp).
//       Supersteps and their sums depend on timing
//
// apply() is then called for vertices with new contributions at least, and `total` holds those at least. With
// any combine, such as sum, that works where what a vertex shows is not a state but a change:
//
//   static constexpr bool deltas = true;
//       beside incremental: what apply() or start() leaves in `shown` is told to the neighbours in the next
//       superstep and then never again. apply() finds value{} there, which must contribute the identity, and
//       leaves it there when it returns false. `total` holds exactly what has not been told before. The
//       first superstep calls apply() for every vertex
//
// Where any contribution will do, and the first that comes is the last that a vertex takes, a search needs to
// look at few edges only:
//
//   static constexpr auto combine = orujo::gas::any{};
//   bool starts(const vertex& v);
//       which vertices are active at first; they take nothing. Optional; without it, all
//
// Such a program is pushed while the frontier is small, and pulled, by each vertex that has taken nothing
// until it meets one that has something to say, while it is large (search_runner.hpp). apply() is called once
// for every vertex that is reached, and only for these; it returns true if the vertex goes on to tell its
// out-neighbours, in the next superstep. What the others show is nobody's business: it becomes the identity,
// which contributes nothing. gather() is given the weight 1, whatever the edge's. It needs rows of in- and
// out-edges (edge_forms), and no vectors.
//
// A search that only has to know which in-neighbour reaches a vertex has sources for values:
//
//   struct parents {
//     using value = source;                                 // a vertex shows which it is (vertex.hpp)
//     static constexpr auto combine = orujo::gas::any{};
//     using aggregate = orujo::gas::nothing;
//     bool starts(const vertex& v);                         // which vertices are active at first
//     bool apply(const vertex& v, const source& from, aggregate& sums);
//     void start(const vertex& v, aggregate& sums);         // optional: of every vertex, before starts()
//   };
//
// Such a program has no gather(), and apply() has nothing to show. Between locales a vertex costs a bit at
// most, where its number as a value takes 4 or 8 bytes. Results belong in properties, as run() can leave no
// sources in one. next() and checkpoint() are those of other programs. from.number() costs a memory access
// where the vertex lives at another locale. from.local is an index at this locale, and means nothing at
// others.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "framework/graph/adjacency.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "framework/graph/vertex.hpp"
#include "framework/vectors/combine.hpp"
#include "framework/vectors/pull.hpp"

namespace orujo::gas {

using graph::source, graph::vertex;

// An aggregate without anything in it.
struct nothing {
  ORUJO_HOST_DEVICE void operator+=(const nothing&) {}
};

template <class Value>
struct neighbour {
  const Value& value;
  float weight;  // of the edge; 1 in graphs without weights
};

// The in-neighbours of a vertex, or the out-neighbours, one per edge, ascending by vertex number and parallel
// edges by weight, as a range of neighbour<Value>. Costs nothing to copy.
template <class Value>
class neighbours {
 public:
  // shown: by local index.
  neighbours(const graph::adjacency& rows, std::uint32_t vertex, const Value* shown)
      : row_(rows.of(vertex)),
        weights_(rows.weights.size() != 0 ? rows.weights.data() + rows.offsets[vertex] : nullptr),
        shown_(shown) {}

  class iterator {
   public:
    iterator(const std::uint32_t* at, const float* weight, const Value* shown)
        : at_(at), weight_(weight), shown_(shown) {}
    neighbour<Value> operator*() const { return {shown_[*at_], weight_ ? *weight_ : 1.0f}; }
    iterator& operator++() {
      ++at_;
      if (weight_) ++weight_;
      return *this;
    }
    bool operator==(const iterator& other) const { return at_ == other.at_; }

   private:
    const std::uint32_t* at_;
    const float* weight_;
    const Value* shown_;
  };

  std::size_t size() const { return row_.size(); }
  iterator begin() const { return {row_.data(), weights_, shown_}; }
  iterator end() const { return {row_.data() + row_.size(), nullptr, nullptr}; }

 private:
  std::span<const std::uint32_t> row_;
  const float* weights_;  // parallel, or null
  const Value* shown_;
};

namespace detail {
template <class Program>
struct accumulator_of {
  using type = typename Program::value;
};
template <class Program>
  requires requires { typename Program::accumulator; }
struct accumulator_of<Program> {
  using type = typename Program::accumulator;
};
}  // namespace detail

// What apply() is given.
template <class Program>
using total_of = typename detail::accumulator_of<Program>::type;

// Its collect also wants the out-neighbours.
template <class Program>
concept two_way_program = requires(Program& program, const vertex& v, const typename Program::value& own,
                                   const neighbours<typename Program::value>& all) {
  { program.collect(v, own, all, all) } -> std::same_as<total_of<Program>>;
};

template <class Program>
concept collecting_program = two_way_program<Program> ||
    requires(Program& program, const vertex& v, const typename Program::value& own,
             const neighbours<typename Program::value>& all) {
  { program.collect(v, own, all) } -> std::same_as<total_of<Program>>;
};

// Its gather also wants what the vertex itself shows.
template <class Program>
concept two_ended_program = requires(Program& program, const typename Program::value& shown) {
  { program.gather(shown, 1.0f, shown) } -> std::same_as<total_of<Program>>;
};

template <class Program>
concept gathering_program = requires(Program& program, const typename Program::value& shown,
                                     const total_of<Program>& total) {
  { Program::combine(total, total) } -> std::same_as<total_of<Program>>;
  requires two_ended_program<Program> || requires {
    { program.gather(shown, 1.0f) } -> std::same_as<total_of<Program>>;
  };
};

template <class Program>
concept scalar_program =
    !vectors::pull_program<Program> && std::is_trivially_copyable_v<typename Program::value> &&
    std::is_trivially_copyable_v<total_of<Program>> &&
    (collecting_program<Program> || gathering_program<Program>);

// A search whose vertices show which they are, and no more (search_runner.hpp).
template <class Program>
concept program_of_sources = std::is_same_v<typename Program::value, source> && detail::takes_any<Program> &&
    std::is_trivially_copyable_v<typename Program::aggregate> &&
    requires(Program& program, const vertex& v, const source& from, typename Program::aggregate& sums,
             const typename Program::aggregate& last) {
  { program.starts(v) } -> std::convertible_to<bool>;
  { program.apply(v, from, sums) } -> std::same_as<bool>;
  {sums += last};
};

// Its vertices show values.
template <class Program>
concept program_of_values =
    (vectors::pull_program<Program> || scalar_program<Program>)&&std::is_trivially_copyable_v<
        typename Program::aggregate>&& requires(Program& program, const vertex& v,
                                                const total_of<Program>& total,
                                                typename Program::value& shown,
                                                typename Program::aggregate& sums,
                                                const typename Program::aggregate& last) {
  { program.start(v, sums) } -> std::same_as<typename Program::value>;
  { program.apply(v, total, shown, sums) } -> std::same_as<bool>;
  {sums += last};
};

template <class Program>
concept vertex_program = program_of_sources<Program> || program_of_values<Program>;

// A vertex takes one contribution, whichever (search_runner.hpp).
template <class Program>
concept searching_program = vertex_program<Program> &&
    (program_of_sources<Program> || (vectors::pull_program<Program> && detail::takes_any<Program>));

template <class Program>
concept incremental_program =
    vertex_program<Program> && vectors::pull_program<Program> && !searching_program<Program> && requires {
  requires Program::incremental;
};

// Its supersteps look at some vertices only (touch_phase.hpp).
template <class Program>
concept incremental_scalar_program = vertex_program<Program> && scalar_program<Program> && requires {
  requires Program::incremental;
};

// Its pulls may show what is new at once (sweep_phase.hpp).
template <class Program>
concept asynchronous_program = incremental_program<Program> && requires {
  requires Program::asynchronous;
};

template <class Program>
concept delta_program = incremental_program<Program> && requires {
  requires Program::deltas;
};

}  // namespace orujo::gas
