// What is wrong with a vertex program, said by the compiler: which member, and how it is written.
#pragma once

#include <concepts>
#include <type_traits>

#include "framework/engine/pull.hpp"
#include "framework/gas/members.hpp"
#include "framework/gas/program.hpp"

namespace orujo::gas::detail {

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

// Nothing in it says that only scalar code can express it.
template <class Program>
constexpr bool is_meant_for_vectors() {
  using value = typename Program::value;
  return std::is_arithmetic_v<value> && (sizeof(value) == 4 || sizeof(value) == 8) &&
         !names_accumulator<Program> && !two_ended_program<Program>;
}

// Only of values of 4 or 8 bytes: there are no other packs.
template <class Program>
concept gathers_packs = requires(const Program& program,
                                 engine::pack<typename Program::value, engine::isa::scalar> eight) {
  { program.gather(eight, eight) } -> std::same_as<decltype(eight)>;
};

template <class Program>
constexpr void check_gather() {
  if constexpr (is_meant_for_vectors<Program>()) {
    constexpr bool generic = gathers_packs<Program>;
    static_assert(
        generic,
        "gather() must be generic over scalars and packs, and const: template <class V> V gather(V "
        "source_value, "
        "V edge_weight) const. What only scalar code can express says so: using accumulator = value;");
    static_assert(
        !generic || engine::pull_program<Program>,
        "combine must work on scalars and on packs alike and have an identity, as those of combine.hpp: "
        "template <class V> V operator()(V a, V b) const; template <class T> static constexpr T identity()");
  } else if constexpr (!engine::pull_program<Program>) {
    static_assert(gathering_program<Program>,
                  "gather() and combine of a scalar program: accumulator gather(const value& source, float "
                  "edge_weight) const, maybe with a third argument const value& own, and accumulator "
                  "combine(const accumulator&, const accumulator&); without accumulator it is value");
  }
}

template <class Program>
constexpr void check_contributions() {
  static_assert(has_gather<Program> || has_collect<Program>,
                "a vertex program says what it takes from in-neighbours: gather() and combine, or collect()");
  static_assert(!(has_gather<Program> && has_collect<Program>),
                "gather() and collect() exclude each other: have one of the two");
  static_assert(
      !has_gather<Program> || has_combine<Program>,
      "combine is missing: beside gather() a program says how contributions meet, static constexpr auto "
      "combine = orujo::gas::sum{}; or minimum, maximum, bit_or, or an operator of your own (combine.hpp)");
  static_assert(!has_collect<Program> || collecting_program<Program>,
                "collect() cannot be called as accumulator collect(const vertex& v, const value& own, const "
                "neighbours<value>& all), maybe with a fourth argument const neighbours<value>& out; without "
                "accumulator it is value");
  if constexpr (has_gather<Program> && has_combine<Program> && !has_collect<Program>) check_gather<Program>();
}

// Those that a run calls, of which all but start() and apply() may be missing.
template <class Program>
constexpr void check_calls() {
  static_assert(calls_start<Program>,
                "start() is missing, or cannot be called as value start(const vertex& v, aggregate& sums)");
  static_assert(
      calls_apply<Program>,
      "apply() is missing, or cannot be called as bool apply(const vertex& v, const accumulator& total, "
      "value& shown, aggregate& sums); without accumulator it is value");
  static_assert(!has_next<Program> || calls_next<Program>,
                "next() cannot be called as bool next(int superstep, const aggregate& last)");
  static_assert(!has_starts<Program> || calls_starts<Program>,
                "starts() cannot be called as bool starts(const vertex& v)");
  static_assert(!has_checkpoint<Program> || calls_checkpoint<Program>,
                "checkpoint() cannot be called as void checkpoint(program_state& kept)");
  static_assert(!has_restored<Program> || calls_restored<Program>,
                "restored() cannot be called as value restored(const vertex& v)");
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
concept combines_repeatedly = requires {
  requires Program::combine.idempotent;
};

template <class Program>
constexpr void check_what_changes() {
  constexpr bool vectors = engine::pull_program<Program>;
  static_assert(
      !has_incremental<Program> || requires { std::bool_constant<Program::incremental>(); },
      "incremental is to be written static constexpr bool incremental = true;");
  static_assert(
      !has_deltas<Program> || requires { std::bool_constant<Program::deltas>(); },
      "deltas is to be written static constexpr bool deltas = true;");
  static_assert(
      !has_settles<Program> || requires { std::bool_constant<Program::settles>(); },
      "settles is to be written static constexpr bool settles = true;");
  static_assert(
      vectors || !(engine::settling_program<Program> || says_deltas<Program> || has_priority<Program>),
      "settles, deltas and priority() are for programs of the vector engine: others are given the total "
      "of all in-edges");
  static_assert(!searching_program<Program> || !(says_incremental<Program> ||
                                                 engine::settling_program<Program> || has_priority<Program>),
                "with combine = any{} a vertex takes one contribution and is settled: the program needs no "
                "incremental, deltas, settles or priority()");
  static_assert(
      !has_asynchronous<Program> || requires { std::bool_constant<Program::asynchronous>(); },
      "asynchronous is to be written static constexpr bool asynchronous = true;");
  static_assert(
      !says_asynchronous<Program> || (vectors && says_incremental<Program> && !says_deltas<Program>),
      "asynchronous is for incremental programs of the vector engine without deltas");
  static_assert(!says_deltas<Program> || says_incremental<Program>,
                "deltas stands beside static constexpr bool incremental = true;");
  static_assert(
      !vectors || !says_incremental<Program> || says_deltas<Program> || combines_repeatedly<Program>,
      "incremental programs are told the same again: combine must be idempotent (minimum, maximum, bit_or, "
      "or your own with static constexpr bool idempotent = true;), or a vertex shows changes, and says "
      "static constexpr bool deltas = true;");
  static_assert((!has_settled<Program> || has_settles<Program>)&&(!engine::settling_program<Program> ||
                                                                  calls_settled<Program>),
                "settled() and settles belong together: static constexpr bool settles = true; and bool "
                "settled(const vertex& v) const");
  static_assert(!has_priority<Program> || calls_priority<Program>,
                "priority() cannot be called as std::uint64_t priority(const vertex& v, const value& shown) "
                "const");
  static_assert(!has_priority<Program> || (says_incremental<Program> && !says_deltas<Program>),
                "priority() is for incremental programs without deltas");
}

// Compiles if Program is one, and says what is wrong else.
template <class Program>
constexpr void check_program() {
  constexpr bool can_be_asked = std::is_class_v<Program> && !std::is_final_v<Program>;
  static_assert(can_be_asked, "a vertex program is a struct, and not final");
  static_assert(
      has_total<Program>,
      "a vertex program says what a vertex shows its neighbours, using value = float; or any trivially "
      "copyable type, as is accumulator, if there is one");
  static_assert(
      has_aggregate<Program>,
      "a vertex program says what is summed over all vertices: using aggregate = orujo::gas::nothing; or a "
      "trivially copyable struct with void operator+=(const aggregate&)");
  if constexpr (can_be_asked && has_total<Program> && has_aggregate<Program>) {
    check_contributions<Program>();
    check_calls<Program>();
    check_what_changes<Program>();
  }
  constexpr bool is_one = vertex_program<Program>;
  static_assert(is_one, "this is not a vertex program (framework/gas/program.hpp)");
}

}  // namespace orujo::gas::detail
