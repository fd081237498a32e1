// Types and functions that the files bind_*.cpp share. Each of these binds the functions of a family.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "algorithms.hpp"
#include "graph.hpp"
#include "job.hpp"
#include "values.hpp"

namespace orujo::internal::python {

namespace nb = nanobind;

void define_graph(nb::module_& m);
void define_centralities(nb::module_& m);
void define_groups(nb::module_& m);
void define_paths(nb::module_& m);
void define_query(nb::module_& m);

class without_lock {
 public:
  without_lock();
  ~without_lock();
  without_lock(const without_lock&) = delete;

 private:
  std::optional<nb::gil_scoped_release> released_;
};

// Throws the exception of a signal's handler.
void finish();

// Runs f without the interpreter's lock; throws the exception of a signal's handler during f.
template <class F>
auto unlocked(const F& f) {
  require_no_end();
  try {
    if constexpr (std::is_void_v<decltype(f())>) {
      {
        const without_lock free;
        f();
      }
      finish();
    } else {
      auto found = [&] {
        const without_lock free;
        return f();
      }();
      finish();
      return found;
    }
  } catch (const job_error&) {
    finish();
    throw;
  }
}

template <class T>
nb::object array_of(const values<T>& found) {
  auto* const kept = new std::shared_ptr<T[]>(found.memory());
  const nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::shared_ptr<T[]>*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<1>>(kept->get(), {found.size()}, owner));
}

// Throws Python's error for what is not a vertex.
vertex_key key_of(nb::handle vertex);
std::vector<vertex_key> keys_of(nb::iterable vertices);
std::vector<std::string> texts_of(const nb::list& all);

// Convergence as a dict.
nb::dict told(const convergence& c);

template <class Found>
nb::tuple with_convergence(const Found& found) {
  return nb::make_tuple(array_of(found.first), told(found.about));
}

template <class T>
nb::tuple columns_of(const found_edges<T>& found) {
  return nb::make_tuple(array_of(found.sources), array_of(found.targets), array_of(found.its_values));
}

}  // namespace orujo::internal::python
