// Connected components: which vertices are joined by a path, whatever the direction of its edges (of directed
// graphs the weak components).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "framework/algorithms/local_components.hpp"
#include "framework/exchange/mirror_exchange.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "system/machine/huge_array.hpp"

namespace orujo::algorithms {

// The edges that it needs: rows in both directions.
inline constexpr graph::edge_forms connected_components_forms{
    .in_vectors = false, .in_rows = true, .out_rows = true};

struct components_report {
  double seconds = 0;
  int exchanges = 0;  // of labels between locales; 0 with one locale
};

// One core's part. The result is the same for any number of locales and cores: every vertex gets the smallest
// vertex number of its component as its label. On several locales each finds the components that it sees
// (local_components.hpp) and then only exchanges labels of mirrored vertices, which meet in the component,
// until none changes: as many times as a chain of such components is long.
template <class Label>  // std::uint32_t for graphs of fewer than 2^32 vertices, or std::uint64_t
class connected_components {
 public:
  // [task; suspends; collective over the job] labels: the locale's, by own vertex. Beside them on several
  // locales 4 bytes and two labels per local index.
  connected_components(const graph::locale_graph& g, std::span<Label> labels);

  // [task; suspends; collective over the job] Any number of times.
  components_report run();

 private:
  // What the cores of a locale share where there are several locales; with one the labels are the trees.
  struct arena {
    explicit arena(std::size_t indices) : parents(indices), of_root(indices), shown(indices) {}
    machine::huge_array<std::uint32_t> parents;  // by local index
    machine::huge_array<Label> of_root;          // of roots, by local index
    machine::huge_array<Label> shown;            // of mirrored vertices and of mirrors, by local index
  };
  static std::shared_ptr<arena> make_arena(const graph::locale_graph& g);
  std::span<std::uint32_t> parents() const;

  void start_labels();
  bool offer(std::uint32_t vertex, Label label);
  bool exchange_labels();
  void write_labels();

  const graph::locale_graph& graph_;
  const graph::core_part& part_;
  const std::span<Label> labels_;
  const std::shared_ptr<arena> arena_;  // null with one locale
  local_components local_;
  std::optional<exchange::mirror_exchange<Label>> mirrors_;
};

extern template class connected_components<std::uint32_t>;
extern template class connected_components<std::uint64_t>;

}  // namespace orujo::algorithms
