// A vertex program: a plain struct that says what one vertex does. The compiler checks its members
// (gas/check_program.hpp).
//
//   struct pagerank {
//     using value = float;                                  // what a vertex shows its neighbours
//     static constexpr auto combine = orujo::sum{};         // how contributions combine
//     struct aggregate { double change = 0; };              // summed over all vertices in every superstep
//     template <class V> V gather(V source_value, V edge_weight) const { return source_value; }
//     float start(const vertex& v, aggregate& sums);        // what v shows at first
//     bool apply(const vertex& v, float total, float& shown, aggregate& sums);
//     bool next(int superstep, const aggregate& last);      // optional
//   };
//
// Supersteps. A superstep combines the contributions of each vertex's in-edges into `total`, which is the
// identity of combine if there are none. Then apply() computes what the vertex shows from now on; `shown`
// holds what it has shown so far. apply() returns true to keep the vertex active. The run ends when no vertex
// is active. Before every superstep next() gets the sums of the last one, and before the first those of
// start(). It may keep them for apply(), and returns false to end the run.
//
// Copies. Every core works on its own copy of the program. State of vertices belongs in properties. An
// `aggregate` is trivially copyable and has +=; `nothing` is the aggregate of programs that sum nothing.
//
// Code in gather(). It is called with numbers and with packs of eight numbers of type V. It may use
//   - the operators + - *, / for floating-point values, and & and | for integers;
//   - orujo::min(a, b) and orujo::max(a, b), in place of std::min and std::max;
//   - orujo::select(a < b, x, y), also with a > b and a == b, in place of `if` and `?:`;
//   - V{2} for a number. Functions of the C library do not take packs.
//
// Checkpoints. With --checkpoint_dir a run writes checkpoints between supersteps. A job that is started again
// with --resume continues from there, on any number of locales and cores. A program then has these members,
// of which one with priority() needs none, as its state is what vertices show:
//   - `void checkpoint(program_state& kept)` names what apply() and next() change beside what vertices show,
//     for example `kept.add("rank", ranks);`. These are properties, and numbers that are equal in every
//     core's copy. After a restart the program is constructed anew, and start() is not called.
//   - `value restored(const vertex& v)`, optional, returns what v shows, from what is kept. Without it a
//     checkpoint also holds what vertices show. Searches have no restored().
//
// Vector and scalar programs. A program whose value is an arithmetic type of 4 or 8 bytes, with a gather that
// is generic over packs as above, runs on the vector engine. All others are scalar programs, which run over
// rows of in-edges. forms_for() returns the forms of edges that a program needs. The value of a scalar
// program is any trivially copyable type. These members make a program scalar:
//   - `using accumulator = ...;`, optional: the type of contributions and of apply()'s `total`, in place of
//     `value`. A combine for it is associative and has the identity accumulator{}, or names another.
//   - `accumulator gather(const value& source, float edge_weight) const`, or with a third parameter, `const
//     value& own`, for what the vertex itself shows.
//   - `accumulator collect(const vertex& v, const value& own, const neighbours<value>& all)` in place of
//     gather and combine: it sees all in-neighbours at once.
//   - `accumulator collect(const vertex& v, const value& own, const neighbours<value>& in, const
//     neighbours<value>& out)`: it also sees the out-neighbours.
//
// Neighbours come in ascending order of their vertex numbers, the same in every superstep. State of edges
// belongs in an edge_property.
//
// Incremental programs. `static constexpr bool incremental = true;` lets supersteps with few active vertices
// process the edges of these only.
//   - A scalar program may say so if apply() changes nothing and returns false unless an in-neighbour shows
//     something new, and returns true if the vertex shows something new. `total` is still that of all
//     neighbours, and any combine will do.
//   - A vector program may say so if combine is idempotent (minimum, maximum, bit_or, or one that says so)
//     and a contribution that apply() has had already changes nothing. Then supersteps with few active
//     vertices push. apply() is called at least for vertices with new contributions, which `total` holds at
//     least. Without next(), one core of a single locale pushes very few vertices alone, which is faster.
//
// `bool starts(const vertex& v)`, optional, says which vertices of an incremental program are active at
// first; without it, all. In a scalar program these show something new.
//
// An incremental vector program may also have these members:
//   - `static constexpr bool settles = true;` and `bool settled(const vertex& v) const`: nothing changes this
//     vertex any more. It is called after apply() and start().
//   - `static constexpr bool asynchronous = true;`: the result does not change if a vertex sees what
//     neighbours show in the same superstep, and some neighbours earlier than others. This holds for labels
//     and lengths that are improved until nothing changes. A pull then goes from vertex to vertex over the
//     rows of in-edges, so values travel over many edges at once. Without weights a locale continues by
//     itself until nothing changes, before the others see it (run_options.ahead). Supersteps and their sums
//     depend on timing. Not with deltas.
//   - `static constexpr bool improves = true;`: a vertex shows the best contribution that it has had, so
//     apply() changes nothing and returns false if combine(shown, total) == shown. A push then reads what
//     its targets show, and passes over contributions that are no better. Not with deltas. apply() may be
//     missing. Then a vertex shows combine(shown, total), and is active if that is new.
//   - `std::uint64_t priority(const vertex& v, const value& shown) const`, in a program that improves and has
//     no apply(), next() or settles. Vertices of the least priority go first, with those of at most that
//     priority which they activate. The others wait. With the priority distance / delta, a search for
//     shortest paths is delta-stepping. Priorities do not change results. The run is a relaxation
//     (steps/relaxation.hpp). It goes along rows of out-edges only, and changes values in place. On several
//     locales it also requires rows of in-edges, and a locale may go on before others see what it has found.
//   - `static constexpr bool monotone = true;`, in a program with priority(): gather() is no better with a
//     heavier edge, or with a neighbour whose value is no better, as with lengths. Then heavy edges wait, and
//     most of them need not be looked at where vertices have many edges.
//   - `static constexpr bool deltas = true;`: what a vertex shows is a change and not a state. Neighbours get
//     it in the next superstep, once. apply() finds value{} in `shown`, which has to contribute the identity,
//     and leaves it there when it returns false. `total` holds exactly the new contributions, and any combine
//     will do. The first superstep calls apply() for every vertex.
//
// Searches. With `combine = any{}` a vertex takes one contribution, whichever arrives first, and no other. A
// small frontier is pushed. From a large one, vertices pull: each one that has taken nothing searches its
// in-neighbours for one in the frontier, and stops at the first. apply() is called once for every vertex that
// is reached, and for no other. It returns true if the vertex is in the next frontier. Vertices that are not
// reached show the identity in the end. gather() gets the weight 1. starts(), optional, says which vertices
// are in the first frontier; they take nothing. A search needs rows of in-edges and out-edges, and no
// vectors.
//
// A search that needs to know only which in-neighbour reaches a vertex has `source` for its value:
//
//   struct parents {
//     using value = source;                                 // which vertex it is
//     static constexpr auto combine = orujo::any{};
//     using aggregate = orujo::nothing;
//     bool starts(const vertex& v);                         // which vertices are active at first
//     bool apply(const vertex& v, const source& from, aggregate& sums);
//     void start(const vertex& v, aggregate& sums);         // optional: of every vertex, before starts()
//   };
//
// Such a program has no gather(), and apply() has no `shown`. Between locales a vertex costs at most a bit,
// where its number would take 4 or 8 bytes. Results belong in properties. from.number() costs a memory access
// if the vertex lives at another locale. from.local is an index at this locale only.
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

namespace orujo::internal::gas {

using graph::source, graph::vertex;
using vectors::apply_to;

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

// The type of the total that apply() receives.
template <class Program>
using total_of = typename detail::accumulator_of<Program>::type;

// A program whose collect() also takes the out-neighbours.
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

// A program whose gather() also takes what the vertex itself shows.
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

// A program whose vertices show values.
template <class Program>
concept program_of_values =
    (vectors::pull_program<Program> || scalar_program<Program>)&&std::is_trivially_copyable_v<
        typename Program::aggregate>&& requires(Program& program, const vertex& v,
                                                const total_of<Program>& total,
                                                typename Program::value& shown,
                                                typename Program::aggregate& sums,
                                                const typename Program::aggregate& last) {
  { program.start(v, sums) } -> std::same_as<typename Program::value>;
  requires requires { typename std::enable_if_t<Program::improves>; } || requires {
    { program.apply(v, total, shown, sums) } -> std::same_as<bool>;
  };
  {sums += last};
};

template <class Program>
concept vertex_program = program_of_sources<Program> || program_of_values<Program>;

// A program whose vertices take one contribution, whichever (search_runner.hpp).
template <class Program>
concept searching_program = vertex_program<Program> &&
    (program_of_sources<Program> || (vectors::pull_program<Program> && detail::takes_any<Program>));

template <class Program>
concept incremental_program =
    vertex_program<Program> && vectors::pull_program<Program> && !searching_program<Program> && requires {
  requires Program::incremental;
};

// A scalar program whose supersteps may process some vertices only (touch_phase.hpp).
template <class Program>
concept incremental_scalar_program = vertex_program<Program> && scalar_program<Program> && requires {
  requires Program::incremental;
};

// A program whose pulls may show new values at once (sweep_phase.hpp).
template <class Program>
concept asynchronous_program = incremental_program<Program> && requires {
  requires Program::asynchronous;
};

// A program whose pushes pass over contributions that are no better than what their target shows.
template <class Program>
concept improving_program = incremental_program<Program> && requires {
  requires Program::improves;
};

// A program whose vertices are gone by in the order of priority() (relaxing_runner.hpp).
template <class Program>
concept relaxing_program = improving_program<Program> &&
    requires(const Program& program, const vertex& v, const typename Program::value& shown) {
  { program.priority(v, shown) } -> std::same_as<std::uint64_t>;
};

// A relaxing program whose heavy edges may wait.
template <class Program>
concept monotone_program = relaxing_program<Program> && requires {
  requires Program::monotone;
};

template <class Program>
concept delta_program = incremental_program<Program> && requires {
  requires Program::deltas;
};

}  // namespace orujo::internal::gas
