// An array at every locale, shared by its cores: what properties are made of.
#pragma once

#include <memory>

#include "framework/graph/distributed_graph.hpp"
#include "system/collectives/collectives.hpp"
#include "system/containers/symmetric.hpp"
#include "system/loops/forall.hpp"
#include "system/machine/huge_array.hpp"
#include "system/machine/topology.hpp"

namespace orujo::internal::graph::detail {

// A handle that can travel; zeros at first.
template <class T>
class shared_values {
 public:
  // [task; suspends] count(locale_graph) values. place(locale_graph) is the range of them that should lie
  // near the calling core. owner(locale_graph): the part of the graph that the values describe, a
  // `std::shared_ptr`.
  template <class Owner, class Count, class Place>
  static shared_values create(graph::distributed_graph graph, Owner owner, Count count, Place place) {
    shared_values made(containers::symmetric<part>::reserve());
    loops::on_all_cores([made, graph, owner, count, place] {
      const graph::locale_graph& g = graph.here();
      const auto values = collectives::share_on_locale<machine::huge_array<T>>(
          [&] { return std::make_shared<machine::huge_array<T>>(count(g)); });
      made.parts_.emplace_here(part{values->data(), values, owner(g)});
      const index_range near = place(g);
      machine::place_here(made.here().part(near.first, near.last));
    });
    return made;
  }
  // [task; suspends]
  void destroy() const { parts_.destroy(); }

  // The calling core's locale's.
  machine::huge_array<T>& here() const { return *parts_.here().values; }
  T& operator[](std::size_t k) const { return parts_.here().first[k]; }
  // True if the values were made for this owner, at the calling core's locale.
  bool belong_to(const std::shared_ptr<const void>& owner) const {
    const std::weak_ptr<const void>& mine = parts_.here().owner;
    return !mine.owner_before(owner) && !owner.owner_before(mine);
  }

 private:
  struct part {
    T* first;  // of the values
    std::shared_ptr<machine::huge_array<T>> values;
    std::weak_ptr<const void> owner;  // whose address no later owner has while this names it
  };
  explicit shared_values(containers::symmetric<part> parts) : parts_(parts) {}
  containers::symmetric<part> parts_;
};

}  // namespace orujo::internal::graph::detail
