// The connected components of a graph; of directed ones the weak components.
#include "framework/algorithms/connected_components.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <unordered_map>

#include "applications/harness/graph_harness.hpp"
#include "applications/harness/top.hpp"
#include "framework/verify/connected_components_oracle.hpp"
#include "framework/verify/value_comparison.hpp"
#include "system/loops/collectives.hpp"
#include "system/runtime/runtime.hpp"

namespace orujo {
namespace {

using algorithms::components_report;

template <class Label>
std::vector<components_report> run_trials(graph::distributed_graph graph, gas::property<Label> labels) {
  std::vector<components_report> of_core_0;
  loops::on_all_cores([=, to = &of_core_0] {
    algorithms::connected_components<Label> finder(graph.here(), labels.here());
    for (int trial = 0; trial < harness::trials(); ++trial) {
      const components_report report = finder.run();
      if (my_core() == 0) to->push_back(report);
    }
  });
  return of_core_0;
}

// Sizes and smallest ids of components, from their vertices in ascending order of the ids.
class census {
 public:
  // Returns the smallest vertex of the vertex's component; it stays until the next one comes.
  results::vertex_label add(const results::vertex_label& vertex, std::uint64_t label) {
    component& c = components_.try_emplace(label, component{vertex.id, 0, {}}).first->second;
    if (c.size++ == 0) c.name = vertex.name;
    return {c.id, c.name};
  }
  std::size_t count() const { return components_.size(); }

  void print_largest(std::size_t places) const {
    std::vector<component> best(std::min(places, components_.size()));
    std::vector<component> all;
    all.reserve(components_.size());
    for (const auto& [label, c] : components_) all.push_back(c);
    std::partial_sort_copy(all.begin(), all.end(), best.begin(), best.end(),
                           [](const component& a, const component& b) {
                             return a.size != b.size ? a.size > b.size : a.id < b.id;
                           });
    if (best.empty()) return;
    harness::print("\n  place  {:>20}  vertices\n", "smallest vertex");
    for (std::size_t k = 0; k < best.size(); ++k)
      harness::print("  {:>5}  {:>20}  {}\n", k + 1, results::vertex_label{best[k].id, best[k].name},
                     harness::grouped(best[k].size));
  }

 private:
  struct component {
    std::uint64_t id, size;
    std::string name;  // of the smallest
  };
  std::unordered_map<std::uint64_t, component> components_;
};

template <class Label>
status report_components(graph::distributed_graph graph, gas::property<Label> labels, output_file& output,
                         harness::report& report) {
  std::optional<verify::value_comparison<std::uint64_t>> check;
  if (harness::verify()) {
    const auto simple = harness::serial_graph();
    if (!simple.ok()) return simple.status();
    check.emplace("labels", simple.value().ids(), verify::connected_components(simple.value()));
  }
  census all;
  std::optional<harness::row_writer> rows;
  if (output.wanted())
    rows.emplace(output, std::vector<results::column>{results::column_of<std::uint64_t>("label")},
                 graph.here().vertices);
  results::visit_vertices(graph, labels, [&](const results::vertex_values<Label>& part) {
    for (std::size_t k = 0; k < part.ids.size(); ++k) {
      const results::vertex_label smallest = all.add(part.label(k), part.values[k]);
      if (rows) rows->vertex(part.label(k)).label(smallest).end();
      if (check) check->add(part.ids[k], smallest.id);
    }
  });
  harness::print("components: {}\n", harness::grouped(all.count()));
  all.print_largest(static_cast<std::size_t>(harness::top()));
  if (status written = output.finish(); !written.ok()) return written;
  if (check) harness::tell_verdict(*check, report);
  return {};
}

template <class Label>
status find_components(const graph::loaded_graph& loaded, output_file& output, harness::report& report) {
  const auto labels = gas::property<Label>::create(loaded.graph);
  for (const components_report& trial : run_trials(loaded.graph, labels)) {
    report.trials.push_back({trial.seconds, trial.exchanges, loaded.edges});
    harness::print("connected_components: {:.4f} s, {}\n", trial.seconds,
                   harness::counted(trial.exchanges, "label exchange"));
  }
  const status done = report_components(loaded.graph, labels, output, report);
  labels.destroy();
  return done;
}

status main_task() {
  return harness::run_on_graph(
      "connected_components", algorithms::connected_components_forms,
      [](const graph::loaded_graph& loaded, output_file& output, harness::report& report) {
        return loaded.vertices < std::numeric_limits<std::uint32_t>::max()
                   ? find_components<std::uint32_t>(loaded, output, report)
                   : find_components<std::uint64_t>(loaded, output, report);
      });
}

}  // namespace
}  // namespace orujo

int main(int argc, char** argv) {
  return orujo::run(
      argc, argv,
      "connected_components: which vertices of a graph are joined by paths, in whatever direction: of a "
      "directed graph the weak components, with or without --symmetrize.\n\n"
      "  bin/orujo run connected_components --generate=kronecker:18 --verify\n"
      "  bin/orujo run -n 2 connected_components --graph=web.txt.gz --output=components.txt",
      &orujo::main_task);
}
