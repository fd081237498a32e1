#include "framework/formats/row_list.hpp"

namespace orujo::internal::formats {

void row_list::reserve(std::uint64_t edges, bool weighted) {
  neighbours.reserve(edges);
  if (weighted) weights.reserve(edges);
}

void row_list::append(const edge_list& more) {
  if (begins.empty() && !more.edges.empty()) first_vertex = more.edges.front().source;
  for (const edge& e : more.edges) {
    if (e.source >= last_vertex()) begins.resize(e.source - first_vertex + 1, edges());
    neighbours.push_back(static_cast<std::uint32_t>(e.target));
  }
  weights.insert(weights.end(), more.weights.begin(), more.weights.end());
}

}  // namespace orujo::internal::formats
