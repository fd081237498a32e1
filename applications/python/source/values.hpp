// Values on their way from the cores to the processes of the interpreter.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "framework/graph/distributed_graph.hpp"
#include "framework/results/by_position.hpp"
#include "job.hpp"
#include "system/containers/global_array.hpp"
#include "system/loops/forall.hpp"

namespace orujo::python {

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

// One T for each vertex, in ascending order of the ids or names.
template <class T>
class values {
 public:
  values() = default;

  // [task at core 0; suspends] value_of(locale_graph, own vertex) of each, called at its owner, which writes
  // it to its place where that is in the same process.
  template <class ValueOf>
  static values of(graph::distributed_graph graph, const ValueOf& value_of) {
    values made;
    made.size_ = graph.here().vertices;
    if (processes() > 1) {
      made.spread_ = results::by_position<T>(graph, value_of);
      made.is_spread_ = true;
      return made;
    }
    made.make_room();
    loops::on_all_cores([graph, value_of, to = made.all_.get()] {
      const graph::locale_graph& g = graph.here();
      for (std::uint32_t v = g.my_part().first; v < g.my_part().last; ++v)
        to[g.position_of(v)] = value_of(g, v);
    });
    return made;
  }

  // [task; suspends] For together().
  void fetch() {
    if (!is_spread_) return;
    make_room();
    spread_.get().get(0, std::span(all_.get(), size_));
  }
  void release() {
    if (is_spread_) spread_.get().destroy();
  }
  template <class Archive>
  void serialize(Archive& archive) {
    archive(size_, is_spread_, spread_);
  }

  std::size_t size() const { return size_; }
  std::span<T> all() const { return {all_.get(), size_}; }
  const std::shared_ptr<T[]>& memory() const { return all_; }

 private:
  void make_room() { all_.reset(new T[size_]); }

  std::uint64_t size_ = 0;
  std::shared_ptr<T[]> all_;
  bool is_spread_ = false;
  handle_of<containers::global_array<T>> spread_;
};

}  // namespace orujo::python
