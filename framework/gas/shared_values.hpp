// An array at every locale, shared by its cores: what properties are made of.
#pragma once

#include <memory>

#include "framework/graph/distributed_graph.hpp"
#include "system/loops/collectives.hpp"
#include "system/loops/forall.hpp"
#include "system/machine/huge_array.hpp"
#include "system/machine/topology.hpp"
#include "system/memory/symmetric.hpp"

namespace orujo::gas::detail {

// A handle that can travel; zeros at first.
template <class T>
class shared_values {
 public:
  // [task; suspends] count(locale_graph) values; place(locale_graph) is the range of them that the calling
  // core had better have near.
  template <class Count, class Place>
  static shared_values create(graph::distributed_graph graph, Count count, Place place) {
    shared_values made(memory::symmetric<std::shared_ptr<machine::huge_array<T>>>::reserve());
    loops::on_all_cores([made, graph, count, place] {
      const graph::locale_graph& g = graph.here();
      const machine::huge_array<T>& values =
          *made.parts_.emplace_here(loops::share_on_locale<machine::huge_array<T>>(
              [&] { return std::make_shared<machine::huge_array<T>>(count(g)); }));
      const loops::index_range near = place(g);
      machine::place_here(values.part(near.first, near.last));
    });
    return made;
  }
  // [task; suspends]
  void destroy() const {
    loops::on_all_cores([parts = parts_] { parts.erase_here(); });
  }

  // The calling core's locale's.
  machine::huge_array<T>& here() const { return *parts_.here(); }

 private:
  explicit shared_values(memory::symmetric<std::shared_ptr<machine::huge_array<T>>> parts) : parts_(parts) {}
  memory::symmetric<std::shared_ptr<machine::huge_array<T>>> parts_;
};

}  // namespace orujo::gas::detail
