// A visitor: a plain struct that says what an edge map does along edges. The compiler checks its members.
//
//   struct parents {
//     using value = std::uint32_t;                          // what a member of the set shows
//     static constexpr auto combine = orujo::any{};         // how contributions combine
//     value show(const vertex& source) const;               // once for every member
//     bool wants(const vertex& target) const;               // optional: false leaves the target out
//     value gather(value shown, float weight) const;        // optional: along an edge; without it `shown`
//     bool enough(const value& total) const;                // optional: further contributions change nothing
//     bool visit(const vertex& target, const value& total); // true: a member of the resulting set
//     static constexpr bool asynchronous = true;            // optional: new members go on at once
//   };
//
// Visits. visit() is called once for every vertex for which wants() returns true and which has an
// in-neighbour in the set. `total` combines the contributions of these in-neighbours in any order. A vertex
// whose total is the identity is not visited. With combine = any{} a vertex gets the contribution of one
// in-neighbour, whichever, and gather() gets the weight 1.
//
// Order. All members have called show(), and all targets wants(), before any visit(). So visit() may change
// what these read. With value = source and combine = any{} a visitor has no show(): a member shows which
// vertex it is, which `source::number()` returns. Between locales that takes at most a bit, where the number
// would take 8 bytes.
//
// Asynchronous visitors. The map goes on from the members of its result, until no vertex is visited any more,
// and returns all of them, as in a cascade of removals. It requires edge_map_options.out_of, so that a vertex
// becomes a member once; those of `from` leave that set first. A member shows once and contributes once along
// each of its out-edges, so any combine will do. But a vertex may be visited several times, with the
// contributions that have arrived since. A locale goes on until it is quiet before others hear of its
// members. So locales meet as often as the cascade goes from one to another.
//
// Where it runs. A vertex is visited by one core of its locale. Each core works on its own copy of the
// visitor, so results belong in properties. No member may suspend.
//
// Values. `value` is a trivially copyable type. With 4 or 8 bytes contributions combine without locks. Values
// are compared by ==. A struct needs one if equal values may differ in their bytes, because of padding or
// floating-point members.
#pragma once

#include <atomic>
#include <concepts>
#include <cstring>
#include <type_traits>

#include "framework/graph/vertex.hpp"
#include "framework/vectors/combine.hpp"

namespace orujo::internal::gas::detail {

using graph::source, graph::vertex;

template <class Visitor>
concept shows = requires(const Visitor& visitor, const vertex& v) {
  { visitor.show(v) } -> std::same_as<typename Visitor::value>;
};
template <class Visitor>
concept shows_itself = std::is_same_v<typename Visitor::value, source>;
template <class Visitor>
concept visits = requires(Visitor& visitor, const vertex& v, const typename Visitor::value& total) {
  { visitor.visit(v, total) } -> std::same_as<bool>;
};
template <class Visitor>
concept combines = requires(const typename Visitor::value& a) {
  { Visitor::combine(a, a) } -> std::same_as<typename Visitor::value>;
  {
    std::remove_cvref_t<decltype(Visitor::combine)>::template identity<typename Visitor::value>()
    } -> std::same_as<typename Visitor::value>;
};
template <class Visitor>
concept wants_some = requires(const Visitor& visitor, const vertex& v) {
  { visitor.wants(v) } -> std::same_as<bool>;
};
template <class Visitor>
concept gathers_along = requires(const Visitor& visitor, const typename Visitor::value& shown) {
  { visitor.gather(shown, 1.0f) } -> std::same_as<typename Visitor::value>;
};
template <class Visitor>
concept has_enough = requires(const Visitor& visitor, const typename Visitor::value& total) {
  { visitor.enough(total) } -> std::same_as<bool>;
};

template <class Visitor>
concept goes_on_at_once = requires {
  requires Visitor::asynchronous;
};

// True if the member exists, whatever its type (members.hpp).
struct visitor_names {
  int wants, gather, enough, asynchronous;
};
template <class Visitor>
struct beside_visitor : Visitor, visitor_names {};
// clang-format off
template <class V> concept names_wants = !requires { &beside_visitor<V>::wants; };
template <class V> concept names_gather = !requires { &beside_visitor<V>::gather; };
template <class V> concept names_enough = !requires { &beside_visitor<V>::enough; };
template <class V> concept names_asynchronous = !requires { &beside_visitor<V>::asynchronous; };
template <class V> concept has_plain_value = std::is_trivially_copyable_v<typename V::value>;
template <class V> concept has_comparable_value = std::equality_comparable<typename V::value> ||
                                                  std::has_unique_object_representations_v<typename V::value>;
// clang-format on

// True of visitors, in constant expressions. The compiler says what is wrong with another class.
template <class Visitor>
constexpr bool check_visitor() {
  constexpr bool can_travel = graph::travels<Visitor>;
  static_assert(can_travel,
                "a visitor is copied to every core: it is trivially copyable, with numbers and handles "
                "(property), no strings, vectors or references, and no const members, which look like "
                "references");
  constexpr bool can_be_asked = !std::is_final_v<Visitor>;
  static_assert(can_be_asked, "a visitor is a struct, and not final");
  constexpr bool plain = has_plain_value<Visitor>;
  static_assert(
      plain,
      "a visitor says what a member of the set shows: using value = float; or any trivially copyable type");
  if constexpr (can_travel && can_be_asked && plain) {
    constexpr bool compares = has_comparable_value<Visitor>;
    static_assert(compares,
                  "values of an edge map are compared, and equal ones of this type may differ in their bytes "
                  "(padding, or floating-point members): give it bool operator==(const value&) const = "
                  "default;");
    constexpr bool meets = combines<Visitor>;
    static_assert(meets,
                  "a visitor says how values meet, static constexpr auto combine = "
                  "orujo::internal::gas::sum{}; or minimum, "
                  "maximum, bit_or, any, or an operator of your own with an identity (combine.hpp)");
    constexpr bool show = shows<Visitor> || shows_itself<Visitor>;
    static_assert(show, "show() is missing, or cannot be called as value show(const vertex& source) const");
    constexpr bool one_source = !shows_itself<Visitor> || takes_any<Visitor>;
    static_assert(one_source, "sources have no sum or minimum: a visitor of them says combine = any{}");
    constexpr bool visit = visits<Visitor>;
    static_assert(
        visit,
        "visit() is missing, or cannot be called as bool visit(const vertex& target, const value& total)");
    constexpr bool wants = !names_wants<Visitor> || wants_some<Visitor>;
    static_assert(wants, "wants() cannot be called as bool wants(const vertex& target) const");
    constexpr bool gather = !names_gather<Visitor> || gathers_along<Visitor>;
    static_assert(gather,
                  "gather() cannot be called as value gather(const value& shown, float weight) const");
    constexpr bool enough = !names_enough<Visitor> || has_enough<Visitor>;
    static_assert(enough, "enough() cannot be called as bool enough(const value& total) const");
    constexpr bool asynchronous = !names_asynchronous<Visitor> || requires {
      std::bool_constant<Visitor::asynchronous>();
    };
    static_assert(asynchronous, "asynchronous is to be written static constexpr bool asynchronous = true;");
    return compares && meets && show && one_source && visit && wants && gather && enough && asynchronous;
  }
  return false;
}

// True if two values are equal. Values that differ from themselves are if their bytes are, so that NaN may be
// an identity.
template <class Value>
bool same(const Value& a, const Value& b) {
  if constexpr (std::equality_comparable<Value>) {
    if (a == b) return true;
    if (a == a) return false;
  }
  return std::memcmp(&a, &b, sizeof(Value)) == 0;
}
template <class Visitor>
typename Visitor::value identity_of() {
  return std::remove_cvref_t<decltype(Visitor::combine)>::template identity<typename Visitor::value>();
}
template <class Visitor>
bool wants(const Visitor& visitor, const vertex& target) {
  if constexpr (wants_some<Visitor>) return visitor.wants(target);
  return true;
}
template <class Visitor>
typename Visitor::value along(const Visitor& visitor, const typename Visitor::value& shown, float weight) {
  if constexpr (gathers_along<Visitor>) return visitor.gather(shown, weight);
  return shown;
}

}  // namespace orujo::internal::gas::detail
