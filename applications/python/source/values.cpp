#include "values.hpp"

#include "framework/results/by_position.hpp"
#include "job.hpp"
#include "system/loops/forall.hpp"

namespace orujo::internal::python {

template <class T>
values<T> values<T>::of(graph::distributed_graph graph, graph::property<T> property) {
  values made;
  made.size_ = graph.here().vertices;
  if (processes() > 1) {
    made.spread_ = results::by_position<T>(
        graph, [property](const graph::locale_graph&, std::uint32_t v) { return property.here()[v]; });
    made.is_spread_ = true;
  } else {
    if (!made.make_room()) {
      property.destroy();
      throw std::bad_alloc();
    }
    loops::on_all_cores([graph, property, to = made.all_.get()] {
      const graph::locale_graph& g = graph.here();
      const std::span<const T> from = property.here();
      for (std::uint32_t v = g.my_part().first; v < g.my_part().last; ++v) to[g.position_of(v)] = from[v];
    });
  }
  property.destroy();
  return made;
}

template <class T>
void values<T>::fetch() {
  if (!is_spread_) return;
  if (!make_room()) throw std::bad_alloc();
  spread_.get().get(0, std::span(all_.get(), size_));
}

template <class T>
void values<T>::release() {
  if (is_spread_) spread_.get().destroy();
}

template class values<float>;
template class values<double>;
template class values<std::uint8_t>;
template class values<std::int32_t>;
template class values<std::int64_t>;
template class values<std::uint32_t>;
template class values<std::uint64_t>;

}  // namespace orujo::internal::python
