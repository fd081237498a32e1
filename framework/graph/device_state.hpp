// The per-vertex state of a vertex program that runs on a GPU.
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>

#include "framework/graph/property.hpp"

namespace orujo::internal::graph {

// The per-vertex state of a vertex program that runs on a GPU. The program names all of it by a member
// function, always in the same order:
//
//   void device_state(orujo::device_state& on) { on.vertices(rank); }
//
// It is called for copies of the program, whose pointers and properties then lead to the GPU's memory.
class device_state {
 public:
  // Names the locale's values, by own vertex. Values of const pointers and spans are not copied back.
  template <class T>
  void vertices(T*& of_locale) {
    of_locale = moved(of_locale);
  }
  template <class T>
  void vertices(std::span<T>& of_locale) {
    of_locale = {moved(of_locale.data()), of_locale.size()};
  }
  template <class T>
  void vertices(property<T>& values) {
    if (has_memory_of_its_own()) values.on_gpu_ = moved(values.here().data());
  }

 protected:
  ~device_state() = default;
  // False if the GPU is emulated: a property's values are then where they are.
  virtual bool has_memory_of_its_own() const = 0;
  // Returns the address on the GPU of these values, `bytes_each` per own vertex.
  virtual void* move(void* of_locale, std::size_t bytes_each, bool copied_back) = 0;

 private:
  template <class T>
  T* moved(T* of_locale) {
    using plain = std::remove_const_t<T>;
    static_assert(std::is_trivially_copyable_v<T>);
    return static_cast<T*>(move(const_cast<plain*>(of_locale), sizeof(T), !std::is_const_v<T>));
  }
};

}  // namespace orujo::internal::graph
