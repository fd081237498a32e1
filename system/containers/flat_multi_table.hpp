// One core's values by key, any number for each. Distributed multimaps are built from it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <type_traits>

#include "system/containers/flat_table.hpp"

namespace orujo::containers {

// The keys are in a flat_table, each with a chain of its values in the order of insertion. Adding moves no
// value, and new values reuse the nodes of erased ones.
template <class K, class V, class Hash = base::hash<K>, class Equal = std::equal_to<K>>
class flat_multi_table {
  static_assert(std::is_trivially_copyable_v<V>, "values of a table are trivially copyable");

 public:
  // Room for `expected` different keys before it grows.
  explicit flat_multi_table(std::size_t expected = 0) : keys_(expected) {}

  // Values, of all keys.
  std::size_t size() const { return size_; }
  std::size_t slots() const { return keys_.slots(); }
  // Changes with every add, erase and clear.
  std::uint64_t version() const { return version_; }

  void add(const K& key, const V& value) {
    const std::size_t at = take_node(value);
    chain& of = *keys_.find_or_insert(key).first;
    (of.values ? nodes_[of.last].next : of.first) = at;
    of.last = at;
    ++of.values;
    ++size_;
    ++version_;
  }

  std::size_t count(const K& key) {
    const chain* const of = keys_.find(key);
    return of ? of->values : 0;
  }

  // Returns how many values the key had.
  std::size_t erase(const K& key) {
    const chain* const found = keys_.find(key);
    if (!found) return 0;
    const chain of = *found;
    keys_.erase(key);
    nodes_[of.last].next = free_;
    free_ = of.first;
    size_ -= of.values;
    ++version_;
    return of.values;
  }

  void clear() {
    keys_.clear();
    nodes_.clear();
    free_ = none;
    size_ = 0;
    ++version_;
  }

  // Calls f(value) for each value of the key; f must not add or erase. Returns their number.
  template <class F>
  std::size_t visit(const K& key, F&& f) {
    const chain* const of = keys_.find(key);
    if (!of) return 0;
    for_each(*of, f);
    return of->values;
  }
  // Calls f(key, value) for each value of the key in slot `at` of [0, slots()), if the slot is taken.
  template <class F>
  void visit_slot(std::size_t at, F&& f) {
    keys_.visit_slot(at,
                     [&](const K& key, const chain& of) { for_each(of, [&](V& value) { f(key, value); }); });
  }

 private:
  static constexpr std::size_t none = ~std::size_t{0};
  struct node {
    V value;
    std::size_t next;  // of the same key, or free
  };
  struct chain {
    std::size_t first = none, last = none, values = 0;
  };

  template <class F>
  void for_each(const chain& of, F&& f) {
    std::size_t at = of.first;
    for (std::size_t k = 0; k < of.values; ++k) {
      node& n = nodes_[at];
      f(n.value);
      at = n.next;
    }
  }

  std::size_t take_node(const V& value) {
    if (free_ == none) {
      nodes_.push_back({value, none});
      return nodes_.size() - 1;
    }
    const std::size_t at = free_;
    free_ = nodes_[at].next;
    nodes_[at].value = value;
    return at;
  }

  flat_table<K, chain, Hash, Equal> keys_;
  std::deque<node> nodes_;
  std::size_t free_ = none;  // chained by `next`
  std::size_t size_ = 0;
  std::uint64_t version_ = 0;
};

}  // namespace orujo::containers
