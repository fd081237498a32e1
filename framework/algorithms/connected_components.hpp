// Connected components: sets of vertices joined by paths, whatever the direction of edges. In a directed
// graph these are the weak components.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "framework/algorithms/local_components.hpp"
#include "framework/exchange/mirror_exchange.hpp"
#include "framework/exchange/mirror_values.hpp"
#include "framework/graph/bit_set.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "framework/graph/edge_forms.hpp"
#include "system/machine/huge_array.hpp"

namespace orujo::internal::algorithms {

// The forms of edges that connected_components needs, for load_from_flags(): rows in both directions.
inline constexpr graph::edge_forms connected_components_forms{
    .in_vectors = false, .in_rows = true, .out_rows = true, .weights = false};

// The figures of a run of connected_components.
struct components_report {
  double seconds = 0;
  int exchanges = 0;  // between locales: of bits, and of labels; 0 with one locale
};

// Connected components, without directions of edges. One task on every core makes its part and runs it. The
// result is the same for any number of locales and cores: every vertex gets the smallest vertex number of its
// component as its label.
//
// On several locales, each first joins what some of its edges join (local_components.hpp). Two exchanges of
// bits of mirrored vertices then report which vertices are in the giant component, that of the job's largest
// tree. The first is repeated where locales have no mirrors from those that know of it yet, as strips of a
// mesh. Only vertices outside of it examine their edges. Those still outside exchange labels until none
// changes. The number of these exchanges is the length of the longest chain of the locales' components.
template <class Label>  // std::uint32_t for graphs of fewer than 2^32 - 1 vertices, or std::uint64_t
class connected_components {
 public:
  // [task; suspends; collective over the job] `labels` are the locale's, by own vertex. Takes a bit per own
  // vertex beside them. On several locales it also takes 4 bytes, two labels and 2 bits per local index, and
  // another bit per own vertex.
  connected_components(const graph::locale_graph& g, std::span<Label> labels);

  // [task; suspends; collective over the job] Finds the components, and writes the labels. May be called any
  // number of times.
  components_report run();

  // The locale's trees, by place in them.
  std::span<std::uint32_t> parents() const;
  const tree_places& places() const { return local_.places(); }

 private:
  static constexpr std::uint32_t nowhere = local_components::nowhere;
  // Between locales a label is one more than the number of a vertex of the component. The giant component has
  // 0, which is less than any other label.
  static constexpr Label of_giant = 0;
  // State that the cores of a locale share on several locales. On one locale the labels are the trees.
  struct arena {
    explicit arena(const graph::locale_graph& g);
    machine::huge_array<std::uint32_t> parents;  // by place in the trees
    machine::huge_array<Label> of_root;          // of trees, by their roots' places
    machine::huge_array<Label> shown;            // of mirrored vertices and of mirrors, by local index
    // Bits of mirrored vertices and mirrors, by local index. The first set is that of the first exchange of
    // bits, the second that of the second, which sends new bits to mirrors.
    std::array<graph::bit_set, 2> in_giant;
    graph::bit_set mirrored;  // own vertices
  };
  // A tree: the number of its smallest vertex, and the approximate number of its vertices at its locale.
  struct ballot {
    std::uint64_t vertex = 0, weight = 0;
  };
  static std::shared_ptr<arena> make_arena(const graph::locale_graph& g);

  void run_alone();
  int run_between_locales();
  void forget();
  void elect();
  void show_some();
  int spread_giant();
  void exchange_bits(int which);
  void plant_giant();
  void sort_out();
  void join_outside();
  void collect_rest();
  bool show_labels();
  void exchange_labels();
  void take_labels();
  void write_labels();
  Label label_of(std::uint32_t local) const;
  std::uint32_t root_of(std::uint32_t local) const {
    return local_.trees().root(local_.places().place_of(local));
  }

  const graph::locale_graph& graph_;
  const graph::core_part& part_;
  const std::span<Label> labels_;
  const std::shared_ptr<arena> arena_;  // null with one locale and labels of 4 bytes
  local_components local_;
  bool all_meet_ = false;  // each locale mirrors vertices of each other one
  std::optional<exchange::mirror_exchange<Label>> mirrors_;
  std::optional<exchange::mirror_values<>> bits_;
  std::uint64_t giant_ = 0;             // a vertex of the giant component
  std::uint32_t giant_root_ = nowhere;  // the place of its tree's root, if this locale knows any
  // `rest_` has own vertices of this core that are not known as the giant's, `to_show_` those of them with
  // mirrors. `to_take_` has mirrors whose labels this core takes.
  std::vector<std::uint32_t> rest_, to_show_, to_take_, news_;
};

extern template class connected_components<std::uint32_t>;
extern template class connected_components<std::uint64_t>;

}  // namespace orujo::internal::algorithms
