#include "framework/graph/transposed.hpp"

#include "framework/graph/kept_forms.hpp"
#include "system/collectives/collectives.hpp"
#include "system/loops/forall.hpp"

namespace orujo::internal::graph {
namespace {

std::shared_ptr<locale_graph> transpose(const locale_graph& g) {
  auto made = std::make_shared<locale_graph>();
  made->vertices = g.vertices;
  made->edges = g.edges;
  made->weighted = g.weighted;
  made->symmetric = g.symmetric;
  made->both_ways = g.both_ways;
  made->numbers = g.numbers;
  made->owners = g.owners;
  made->first_vertex = g.first_vertex;
  made->own = g.own;
  made->mirrors = g.mirrors;
  made->mirrored = g.mirrored;
  made->in_rows = g.out_rows;
  made->out_rows = g.in_rows;
  made->out_degree = machine::huge_array<std::uint32_t>(g.own);  // to be filled by all cores
  made->external_ids = g.external_ids;
  made->first_id = g.first_id;
  made->names = g.names;
  made->vertex_space = g.vertex_space;
  made->parts = g.parts;
  return made;
}

}  // namespace

distributed_graph transposed(distributed_graph graph) {
  require_forms(graph.here(), {.in_rows = true, .out_rows = true, .in_arrays = false}, "transposed:");
  return distributed_graph(containers::symmetric<std::shared_ptr<locale_graph>>::create_by([graph] {
    const locale_graph& g = graph.here();
    auto made = collectives::share_on_locale<locale_graph>([&] { return transpose(g); });
    for (std::uint32_t v = g.my_part().first; v < g.my_part().last; ++v) made->out_degree[v] = g.in_degree(v);
    return made;
  }));
}

}  // namespace orujo::internal::graph
