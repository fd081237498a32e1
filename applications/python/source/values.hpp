// Values that the processes of the interpreter receive from the cores.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>

#include "framework/graph/distributed_graph.hpp"
#include "framework/graph/property.hpp"
#include "system/containers/global_array.hpp"

namespace orujo::internal::python {

// The bytes of a handle that has no default constructor.
template <class T>
class handle_of {
 public:
  handle_of() = default;
  handle_of(const T& handle) : bytes_(std::bit_cast<bytes>(handle)) {}
  T get() const { return std::bit_cast<T>(bytes_); }

 private:
  using bytes = std::array<std::byte, sizeof(T)>;
  bytes bytes_{};
};

// One T for each vertex, in ascending order of the ids or names, or for each edge.
template <class T>
class values {
 public:
  values() = default;

  // [task at core 0; suspends] Takes the values of a property and destroys it. Every core writes its own
  // values to their places in its process. Throws `std::bad_alloc` if there is no room for them, as does
  // fetch().
  static values of(graph::distributed_graph graph, graph::property<T> property);
  // Takes the elements of an array, which release() destroys.
  static values of(containers::global_array<T> all) {
    values made;
    made.size_ = all.size();
    made.spread_ = all;
    made.is_spread_ = true;
    return made;
  }

  // [task; suspends] For together().
  void fetch();
  void release();
  template <class Archive>
  void serialize(Archive& archive) {
    archive(size_, is_spread_, spread_);
  }

  std::size_t size() const { return size_; }
  std::span<T> all() const { return {all_.get(), size_}; }
  const std::shared_ptr<T[]>& memory() const { return all_; }

 private:
  bool make_room() {
    all_.reset(new (std::nothrow) T[size_]);
    return all_ != nullptr;
  }

  std::uint64_t size_ = 0;
  std::shared_ptr<T[]> all_;
  bool is_spread_ = false;
  handle_of<containers::global_array<T>> spread_;
};

extern template class values<float>;
extern template class values<double>;
extern template class values<std::uint8_t>;
extern template class values<std::int32_t>;
extern template class values<std::int64_t>;
extern template class values<std::uint32_t>;
extern template class values<std::uint64_t>;

}  // namespace orujo::internal::python
