// Per-vertex state of a program, beside the value that neighbours see.
#pragma once

#include <memory>
#include <span>

#include "framework/gas/vertex.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "system/loops/collectives.hpp"
#include "system/loops/forall.hpp"
#include "system/machine/huge_array.hpp"
#include "system/machine/topology.hpp"
#include "system/memory/symmetric.hpp"

namespace orujo::gas {

// One T per vertex, zero at first; a handle that can travel. A core touches its own vertices only, and those
// that its program is called for.
template <class T>
class property {
 public:
  // [task; suspends]
  static property create(graph::distributed_graph graph) {
    property made(memory::symmetric<std::shared_ptr<machine::huge_array<T>>>::reserve());
    loops::on_all_cores([made, graph] {
      made.parts_.emplace_here(loops::share_on_locale<machine::huge_array<T>>(
          [&] { return std::make_shared<machine::huge_array<T>>(graph.here().own); }));
      machine::place_here(graph.here().my_part().of(made.here()));
    });
    return made;
  }
  // [task; suspends]
  void destroy() const {
    loops::on_all_cores([parts = parts_] { parts.erase_here(); });
  }

  // The calling core's locale's values by own vertex.
  std::span<T> here() const {
    machine::huge_array<T>& values = *parts_.here();
    return {values.data(), values.size()};
  }
  // Of an own vertex of the calling core's locale.
  T& operator[](const vertex& v) const { return (*parts_.here())[v.local]; }

 private:
  explicit property(memory::symmetric<std::shared_ptr<machine::huge_array<T>>> parts) : parts_(parts) {}
  memory::symmetric<std::shared_ptr<machine::huge_array<T>>> parts_;
};

}  // namespace orujo::gas
