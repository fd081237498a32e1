// Connected components: which vertices are joined by a path, whatever the direction of its edges (of directed
// graphs the weak components).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "framework/algorithms/local_components.hpp"
#include "framework/exchange/mirror_exchange.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "framework/graph/edge_forms.hpp"
#include "system/machine/huge_array.hpp"

namespace orujo::algorithms {

// The edges that it needs: rows in both directions.
inline constexpr graph::edge_forms connected_components_forms{
    .in_vectors = false, .in_rows = true, .out_rows = true, .weights = false};

struct components_report {
  double seconds = 0;
  int exchanges = 0;  // of labels between locales; 0 with one locale
};

// One core's part. The result is the same for any number of locales and cores: every vertex gets the smallest
// vertex number of its component as its label. On several locales each joins what some of its edges join
// (local_components.hpp), an exchange of labels of mirrored vertices shows which component is the job's
// largest, and then only vertices outside it look at all their edges. Labels are exchanged until none
// changes: as many times as a chain of components that locales see is long.
template <class Label>  // std::uint32_t for graphs of fewer than 2^32 - 1 vertices, or std::uint64_t
class connected_components {
 public:
  // [task; suspends; collective over the job] labels: the locale's, by own vertex. Beside them on several
  // locales 4 bytes and two labels per local index.
  connected_components(const graph::locale_graph& g, std::span<Label> labels);

  // [task; suspends; collective over the job] Any number of times.
  components_report run();

 private:
  // Between locales a label is the number of a vertex of the component, and 1 more, so that 0 is left for the
  // giant component: it is less than any.
  static constexpr Label of_giant = 0;
  // What the cores of a locale share where there are several locales; with one the labels are the trees.
  struct arena {
    explicit arena(std::size_t indices)
        : parents(indices), of_root(locales() > 1 ? indices : 0), shown(locales() > 1 ? indices : 0) {}
    machine::huge_array<std::uint32_t> parents;  // by place in the trees
    machine::huge_array<Label> of_root;          // of trees, by their roots' places
    machine::huge_array<Label> shown;            // of mirrored vertices and of mirrors, by local index
  };
  // A locale's word for the largest component, and how many vertices the locale has.
  struct ballot {
    Label label = of_giant;
    std::uint64_t weight = 0;
  };
  static std::shared_ptr<arena> make_arena(const graph::locale_graph& g);
  std::span<std::uint32_t> parents() const;

  void run_alone();
  int run_between_locales();
  Label shown_label(std::uint32_t root) const;
  Label label_of(std::uint32_t own_vertex);
  Label frequent_label() const;
  void start_labels(Label giant);
  void show_all();
  bool show_news();
  void exchange_shown();
  void take_all();
  void take_news();
  void lower(std::uint32_t mirror);
  void write_labels();

  const graph::locale_graph& graph_;
  const graph::core_part& part_;
  const std::span<Label> labels_;
  const std::shared_ptr<arena> arena_;  // null with one locale and labels of 4 bytes
  local_components local_;
  std::optional<exchange::mirror_exchange<Label>> mirrors_;
  // Mirrored vertices and mirrors of this core that are not known to be the giant's.
  std::vector<std::uint32_t> to_show_, to_take_;
};

extern template class connected_components<std::uint32_t>;
extern template class connected_components<std::uint64_t>;

}  // namespace orujo::algorithms
