// Vectors with one element per core or per locale, whose index is the number of the core or locale.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "system/base/check.hpp"
#include "system/base/thread_state.hpp"

namespace orujo::internal::base {

// A std::vector whose index is the number of a core, a locale or a member of a group. A plain vector becomes
// one and the other way round by a move: collectives, as functions for users, return plain vectors.
template <class T>
class by_id : public std::vector<T> {
  using vector = std::vector<T>;

 public:
  using vector::vector;
  by_id() = default;
  explicit by_id(int count) : vector(static_cast<std::size_t>(count)) {}
  by_id(int count, const T& value) : vector(static_cast<std::size_t>(count), value) {}
  by_id(vector values) : vector(std::move(values)) {}

  T& operator[](placed_id id) { return vector::operator[](index_of(id)); }
  const T& operator[](placed_id id) const { return vector::operator[](index_of(id)); }

  using vector::resize;
  void resize(int count) { vector::resize(static_cast<std::size_t>(count)); }
  using vector::assign;
  void assign(int count, const T& value) { vector::assign(static_cast<std::size_t>(count), value); }

 private:
  std::size_t index_of(const placed_id& id) const {
    debug_require_index(id, this->size(), "a by_core or by_locale");
    return static_cast<std::size_t>(id);
  }
};

}  // namespace orujo::internal::base

namespace orujo {

// One T per core of the job or of a locale, at [core_id] or [core of the locale].
template <class T>
using by_core = internal::base::by_id<T>;
// One T per locale, at [locale_id].
template <class T>
using by_locale = internal::base::by_id<T>;

}  // namespace orujo
