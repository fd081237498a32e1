// The compiler's messages for wrong vertex programs: which member is wrong, and how it is written.
#pragma once

#include <concepts>
#include <type_traits>

#include "framework/gas/members.hpp"
#include "framework/gas/program.hpp"
#include "framework/vectors/pull.hpp"

namespace orujo::internal::gas::detail {

template <class Program>
concept has_value = std::is_trivially_copyable_v<typename Program::value>;
template <class Program>
concept has_total = has_value<Program> && std::is_trivially_copyable_v<total_of<Program>>;
template <class Program>
concept has_aggregate = std::is_trivially_copyable_v<typename Program::aggregate> &&
    requires(typename Program::aggregate& sums, const typename Program::aggregate& last) {
  sums += last;
};

template <class Program>
concept names_accumulator = requires {
  typename Program::accumulator;
};

// True if no member requires scalar code.
template <class Program>
constexpr bool is_meant_for_vectors() {
  using value = typename Program::value;
  return std::is_arithmetic_v<value> && (sizeof(value) == 4 || sizeof(value) == 8) &&
         !names_accumulator<Program> && !two_ended_program<Program>;
}

// Only values of 4 or 8 bytes have packs.
template <class Program>
concept gathers_packs = requires(const Program& program,
                                 vectors::pack<typename Program::value, vectors::isa::scalar> eight) {
  { program.gather(eight, eight) } -> std::same_as<decltype(eight)>;
};

// Each check reports an error if its condition does not hold, and returns whether all is well. Constant
// expressions call the checks, so that their messages come before other errors.
template <class Program>
constexpr bool check_gather() {
  if constexpr (is_meant_for_vectors<Program>()) {
    constexpr bool generic = gathers_packs<Program>;
    static_assert(
        generic,
        "gather() must be generic over scalars and packs, and const: template <class V> V gather(V "
        "source_value, "
        "V edge_weight) const. What only scalar code can express says so: using accumulator = value;");
    constexpr bool meets = !generic || vectors::pull_program<Program>;
    static_assert(
        meets,
        "combine must work on scalars and on packs alike and have an identity, as those of combine.hpp: "
        "template <class V> V operator()(V a, V b) const; template <class T> static constexpr T identity()");
    return generic && meets;
  } else {
    constexpr bool gathers = vectors::pull_program<Program> || gathering_program<Program>;
    static_assert(gathers,
                  "gather() and combine of a scalar program: accumulator gather(const value& source, float "
                  "edge_weight) const, maybe with a third argument const value& own, and accumulator "
                  "combine(const accumulator&, const accumulator&); without accumulator it is value");
    return gathers;
  }
}

template <class Program>
constexpr bool check_contributions() {
  constexpr bool some = has_gather<Program> || has_collect<Program>;
  static_assert(some,
                "a vertex program says what it takes from in-neighbours: gather() and combine, or collect()");
  constexpr bool one = !(has_gather<Program> && has_collect<Program>);
  static_assert(one, "gather() and collect() exclude each other: have one of the two");
  constexpr bool meets = !has_gather<Program> || has_combine<Program>;
  static_assert(
      meets,
      "combine is missing: beside gather() a program says how contributions meet, static constexpr auto "
      "combine = orujo::internal::gas::sum{}; or minimum, maximum, bit_or, or an operator of your own "
      "(combine.hpp)");
  constexpr bool collects = !has_collect<Program> || collecting_program<Program>;
  static_assert(collects,
                "collect() cannot be called as accumulator collect(const vertex& v, const value& own, const "
                "neighbours<value>& all), maybe with a fourth argument const neighbours<value>& out; without "
                "accumulator it is value");
  if constexpr (some && one && meets && collects && has_gather<Program>) return check_gather<Program>();
  return some && one && meets && collects;
}

// A run calls these members if the program has them.
template <class Program>
constexpr bool check_optional_calls() {
  constexpr bool next = !has_next<Program> || calls_next<Program>;
  static_assert(next, "next() cannot be called as bool next(int superstep, const aggregate& last)");
  constexpr bool starts = !has_starts<Program> || calls_starts<Program>;
  static_assert(starts, "starts() cannot be called as bool starts(const vertex& v)");
  constexpr bool checkpoint = !has_checkpoint<Program> || calls_checkpoint<Program>;
  static_assert(checkpoint, "checkpoint() cannot be called as void checkpoint(program_state& kept)");
  constexpr bool restored = !has_restored<Program> || calls_restored<Program>;
  static_assert(restored, "restored() cannot be called as value restored(const vertex& v)");
  return next && starts && checkpoint && restored;
}

// A run calls start() and apply() of every program.
template <class Program>
constexpr bool check_calls() {
  constexpr bool start = calls_start<Program>;
  static_assert(start,
                "start() is missing, or cannot be called as value start(const vertex& v, aggregate& sums)");
  constexpr bool apply = calls_apply<Program> || (has_improves<Program> && !has_apply<Program>);
  static_assert(
      apply,
      "apply() is missing, or cannot be called as bool apply(const vertex& v, const accumulator& total, "
      "value& shown, aggregate& sums); without accumulator it is value");
  return start && apply && check_optional_calls<Program>();
}

// Members of a program with value = source.
template <class Program>
constexpr bool check_calls_of_sources() {
  constexpr bool one_source = takes_any<Program>;
  static_assert(one_source,
                "sources have no sum or minimum: a program with value = source says static constexpr auto "
                "combine = orujo::internal::gas::any{};");
  constexpr bool no_values =
      !(has_gather<Program> || has_collect<Program> || has_restored<Program> || names_accumulator<Program>);
  static_assert(
      no_values,
      "gather(), collect(), restored() and accumulator are for values: with value = source a vertex shows "
      "which it is, and apply() receives the in-neighbour that has reached the vertex");
  constexpr bool starts = calls_starts<Program>;
  static_assert(
      starts,
      "starts() is missing, or cannot be called as bool starts(const vertex& v): with value = source "
      "it says where the search begins");
  constexpr bool start = !has_start<Program> || calls_start_of_sources<Program>;
  static_assert(
      start,
      "start() cannot be called as void start(const vertex& v, aggregate& sums): with value = source "
      "a vertex shows which it is, and start() may be missing");
  constexpr bool apply = calls_apply_of_sources<Program>;
  static_assert(apply,
                "apply() is missing, or cannot be called as bool apply(const vertex& v, const source& from, "
                "aggregate& sums): with value = source a vertex shows which it is, and no value");
  if constexpr (starts)
    return one_source && no_values && start && apply && check_optional_calls<Program>();
  else
    return false;
}

template <class Program>
concept says_incremental = requires {
  requires Program::incremental;
};
template <class Program>
concept says_deltas = requires {
  requires Program::deltas;
};
template <class Program>
concept says_asynchronous = requires {
  requires Program::asynchronous;
};
template <class Program>
concept says_improves = requires {
  requires Program::improves;
};
template <class Program>
concept combines_repeatedly = requires {
  requires Program::combine.idempotent;
};

// These members have to be constant expressions.
template <class Program>
constexpr bool check_constants() {
  constexpr bool incremental = !has_incremental<Program> || requires {
    std::bool_constant<Program::incremental>();
  };
  static_assert(incremental, "incremental is to be written static constexpr bool incremental = true;");
  constexpr bool deltas = !has_deltas<Program> || requires { std::bool_constant<Program::deltas>(); };
  static_assert(deltas, "deltas is to be written static constexpr bool deltas = true;");
  constexpr bool settles = !has_settles<Program> || requires { std::bool_constant<Program::settles>(); };
  static_assert(settles, "settles is to be written static constexpr bool settles = true;");
  constexpr bool asynchronous = !has_asynchronous<Program> || requires {
    std::bool_constant<Program::asynchronous>();
  };
  static_assert(asynchronous, "asynchronous is to be written static constexpr bool asynchronous = true;");
  constexpr bool improves = !has_improves<Program> || requires { std::bool_constant<Program::improves>(); };
  static_assert(improves, "improves is to be written static constexpr bool improves = true;");
  constexpr bool monotone = !has_monotone<Program> || requires { std::bool_constant<Program::monotone>(); };
  static_assert(monotone, "monotone is to be written static constexpr bool monotone = true;");
  return incremental && deltas && settles && asynchronous && improves && monotone;
}

template <class Program>
constexpr bool check_what_changes() {
  constexpr bool packs = vectors::pull_program<Program> || program_of_sources<Program>;
  constexpr bool settles = vectors::settling_program<Program>;
  constexpr bool incremental = says_incremental<Program>, deltas = says_deltas<Program>;
  constexpr bool engines = packs || !(settles || deltas || has_priority<Program>);
  static_assert(
      engines,
      "settles, deltas and priority() are for programs of the vector engine: others are given the total "
      "of all in-edges");
  constexpr bool searches =
      !searching_program<Program> || !(incremental || deltas || settles || has_priority<Program>);
  static_assert(searches,
                "with combine = any{} a vertex takes one contribution and is settled: the program needs no "
                "incremental, deltas, settles or priority()");
  constexpr bool asynchronous = !says_asynchronous<Program> || (packs && incremental && !deltas);
  static_assert(asynchronous, "asynchronous is for incremental programs of the vector engine without deltas");
  constexpr bool improves = !says_improves<Program> || (packs && incremental && !deltas);
  static_assert(improves, "improves is for incremental programs of the vector engine without deltas");
  constexpr bool changes = !deltas || incremental;
  static_assert(changes, "deltas requires static constexpr bool incremental = true;");
  constexpr bool repeats = !packs || !incremental || deltas || combines_repeatedly<Program>;
  static_assert(repeats,
                "incremental programs may receive the same contribution again: combine must be idempotent "
                "(minimum, maximum, bit_or, or your own with static constexpr bool idempotent = true;), or a "
                "vertex shows changes, and says static constexpr bool deltas = true;");
  constexpr bool settled =
      (!has_settled<Program> || has_settles<Program>)&&(!settles || calls_settled<Program>);
  static_assert(settled,
                "settled() and settles belong together: static constexpr bool settles = true; and bool "
                "settled(const vertex& v) const");
  constexpr bool priority = !has_priority<Program> || calls_priority<Program>;
  static_assert(priority,
                "priority() cannot be called as std::uint64_t priority(const vertex& v, const value& shown) "
                "const");
  constexpr bool ordered = !has_priority<Program> ||
                           (says_improves<Program> && !(has_apply<Program> || has_next<Program> || settles));
  static_assert(
      ordered,
      "priority() is for programs that improve, in which a vertex shows the best contribution that it "
      "has had: static constexpr bool incremental = true, improves = true; and neither apply() nor "
      "next() nor settles");
  constexpr bool monotone = !has_monotone<Program> || has_priority<Program>;
  static_assert(monotone, "monotone is for programs with priority()");
  return engines && searches && asynchronous && improves && changes && repeats && settled && priority &&
         ordered && monotone;
}

template <class Program>
constexpr bool has_right_calls() {
  if constexpr (std::is_same_v<typename Program::value, source>)
    return check_calls_of_sources<Program>();
  else
    return check_contributions<Program>() && check_calls<Program>();
}

// True of vertex programs, in constant expressions. The compiler reports what is wrong with another class.
template <class Program>
constexpr bool check_program() {
  constexpr bool can_be_asked = std::is_class_v<Program> && !std::is_final_v<Program>;
  static_assert(can_be_asked, "a vertex program is a struct, and not final");
  constexpr bool shows = has_total<Program>;
  static_assert(
      shows,
      "a vertex program says what a vertex shows its neighbours, using value = float; or any trivially "
      "copyable type, as is accumulator, if there is one");
  constexpr bool sums = has_aggregate<Program>;
  static_assert(sums,
                "a vertex program says what is summed over all vertices: using aggregate = "
                "orujo::internal::gas::nothing; or a "
                "trivially copyable struct with void operator+=(const aggregate&)");
  if constexpr (can_be_asked && shows && sums) {
    if constexpr (has_right_calls<Program>()) {
      if constexpr (check_constants<Program>()) {
        constexpr bool is_one = vertex_program<Program>;
        static_assert(is_one, "this is not a vertex program (framework/gas/program.hpp)");
        return check_what_changes<Program>() && is_one;
      }
    }
  }
  return false;
}

// True of programs that can be copied to every core, too.
template <class Program>
constexpr bool check_travelling_program() {
  constexpr bool can_travel = graph::travels<Program>;
  static_assert(
      can_travel,
      "a program that travels to every core is trivially copyable: numbers and handles (property, "
      "graph::distributed_graph), no strings, vectors or references, and no const members, which look like "
      "references. One that keeps more is made by each core, which calls gas::run(program, graph.here())");
  return check_program<Program>() && can_travel;
}

}  // namespace orujo::internal::gas::detail
