#include "framework/graph/store/orj/write.hpp"

#include <functional>
#include <utility>
#include <vector>

#include "framework/graph/kept_forms.hpp"
#include "framework/graph/store/orj/encode.hpp"
#include "framework/graph/store/orj/output.hpp"
#include "framework/graph/store/orj/rows.hpp"
#include "framework/graph/vertex_names.hpp"
#include "system/collectives/collectives.hpp"
#include "system/loops/forall.hpp"

namespace orujo::internal::graph {
namespace {

using formats::orj_header;
using formats::orj_section;

orj_section next_section(orj_section s, int by) { return static_cast<orj_section>(static_cast<int>(s) + by); }

// Properties of the edges, for the flags of the file.
struct edge_facts {
  std::uint64_t self_loops = 0, parallel = 0;
};

edge_facts facts_of(const locale_graph& g) {
  edge_facts mine;
  const adjacency& rows = *g.in_rows;
  const edge_reader edges = rows.any_form();
  for (std::uint32_t v = g.my_part().first; v < g.my_part().last; ++v) {
    for (std::uint64_t k = rows.offsets[v]; k < rows.offsets[v + 1]; ++k) {
      mine.self_loops += edges.neighbour(k) == v ? 1 : 0;
      mine.parallel += k > rows.offsets[v] && edges.neighbour(k) == edges.neighbour(k - 1) ? 1 : 0;
    }
  }
  return collectives::all_reduce(mine, [](edge_facts a, const edge_facts& b) {
    return edge_facts{a.self_loops + b.self_loops, a.parallel + b.parallel};
  });
}

// One core's part of the writing.
class orj_writer {
 public:
  orj_writer(const locale_graph& g, orj_output& to) : graph_(g), to_(to) {}

  // [task; suspends; collective over the job]
  status run() {
    const bool ids = collectives::all_reduce(graph_.external_ids.empty() ? 0 : 1) > 0;
    describe();
    place_sections(header_, {.ids = ids, .name_bytes = bytes_of_names(), .names = graph_.names != nullptr});
    status failed = collectives::first_failure(write_rows(orj_rows_of::in_edges, *graph_.in_rows));
    if (failed.ok() && !header_.symmetric)
      failed = collectives::first_failure(write_rows(orj_rows_of::out_edges, *graph_.out_rows));
    if (failed.ok() && ids) failed = write_ids();
    if (failed.ok() && graph_.numbers.table()) failed = write_table();
    failed = collectives::first_failure(failed);
    if (failed.ok() && graph_.names) failed = collectives::first_failure(write_names());
    if (failed.ok()) failed = to_.seal(header_, orj_section::in_offsets, blocks_);
    if (failed.ok() && header_.vertices <= local_index_mask) failed = add_vectors(to_, header_, blocks_);
    return failed.ok() ? to_.finish() : failed;
  }

 private:
  void describe() {
    const edge_facts facts = facts_of(graph_);
    header_.vertices = graph_.vertices;
    header_.edges = graph_.edges;
    header_.first_id = graph_.first_id;
    header_.weighted = graph_.weighted;
    header_.symmetric = graph_.symmetric;
    header_.no_self_loops = facts.self_loops == 0;
    header_.no_parallel_edges = facts.parallel == 0;
    if (graph_.numbers.is_identity()) return;
    header_.numbering =
        graph_.numbers.table() ? formats::orj_numbering::table : formats::orj_numbering::scattered;
    header_.seed = graph_.numbers.seed();
    header_.layout = graph_.order.name;
  }

  std::uint64_t first_vertex() const { return graph_.first_vertex + graph_.my_part().first; }

  // [task; suspends; collective over the job] A failure is this core's alone, as of write_names().
  status write_rows(orj_rows_of which, const adjacency& rows) {
    const core_part& part = graph_.my_part();
    const std::uint64_t mine = rows.offsets[part.last] - rows.offsets[part.first];
    std::uint64_t edge = collectives::exclusive_sum<std::uint64_t>(mine);
    const auto at = [&](int k, std::uint64_t value, std::size_t bytes) {
      const orj_section first =
          which == orj_rows_of::in_edges ? orj_section::in_offsets : orj_section::out_offsets;
      return header_[next_section(first, k)].first + value * bytes;
    };
    orj_stream<std::uint64_t> offsets(to_, at(0, first_vertex(), 8));
    orj_stream<std::uint32_t> low(to_, at(1, edge, 4)), high(to_, at(2, edge, 4));
    orj_stream<float> weights(to_, at(3, edge, 4));
    const edge_reader edges = rows.any_form();
    for (std::uint32_t v = part.first; v < part.last; ++v) {
      offsets.put(edge);
      edge += rows.degree(v);
      for (std::uint64_t k = rows.offsets[v]; k < rows.offsets[v + 1]; ++k) {
        const std::uint64_t number = graph_.number_of(edges.neighbour(k));
        low.put(static_cast<std::uint32_t>(number));
        if (header_.has_high_bits()) high.put(static_cast<std::uint32_t>(number >> 32));
        if (header_.weighted) weights.put(edges.weight(k));
      }
    }
    if (my_core() == cores() - 1) offsets.put(header_.edges);
    status failed;
    for (const status& s : {offsets.finish(), low.finish(), high.finish(), weights.finish()}) {
      if (failed.ok()) failed = s;
    }
    return failed;
  }

  status write_ids() {
    const core_part& part = graph_.my_part();
    const std::span<const std::uint64_t> mine = part.of(std::span(graph_.external_ids));
    return to_.write(header_[orj_section::ids].first + first_vertex() * sizeof(std::uint64_t),
                     std::as_bytes(mine));
  }

  // Every locale has the whole table: each core writes the part of its vertices.
  status write_table() {
    const index_array& positions = graph_.numbers.table()->positions;
    const std::size_t size = positions.bytes_each(), mine = graph_.my_part().last - graph_.my_part().first;
    return to_.write(header_[orj_section::layout].first + first_vertex() * size,
                     positions.bytes().subspan(first_vertex() * size, mine * size));
  }

  // The bytes of all cores' names.
  std::uint64_t bytes_of_names() const {
    return graph_.names ? collectives::all_reduce<std::uint64_t>(graph_.names->here().bytes().size()) : 0;
  }

  // Each core writes the names that it keeps, whichever core owns the vertices.
  status write_names() {
    const formats::name_table& mine = graph_.names->here();
    const std::uint64_t before = collectives::exclusive_sum<std::uint64_t>(mine.bytes().size());
    orj_stream<std::uint64_t> offsets(
        to_, header_[orj_section::name_offsets].first + graph_.names->range_here().first * 8);
    for (std::size_t k = 0; k < mine.size(); ++k) offsets.put(before + mine.offsets()[k]);
    if (my_core() == cores() - 1) offsets.put(before + mine.bytes().size());
    const status failed = to_.write(header_[orj_section::names].first + before, std::as_bytes(mine.bytes()));
    return failed.ok() ? offsets.finish() : failed;
  }

  const locale_graph& graph_;
  orj_output& to_;
  orj_header header_;
  std::vector<std::uint64_t> blocks_;
};

}  // namespace

status write_orj(distributed_graph graph, const std::string& path) {
  require_forms(graph.here(), {.in_rows = true, .out_rows = true, .in_arrays = false}, "write_orj:");
  const memory::global_address<const std::string> name(0, &path);
  return loops::on_all_cores([graph, name] {
    auto output = orj_output::open(collectives::broadcast(my_core() == 0 ? *name.local() : std::string(), 0));
    return output.ok() ? orj_writer(graph.here(), output.value()).run() : output.status();
  });
}

status can_write_orj(const std::string& path) { return orj_output::create(path).status(); }

}  // namespace orujo::internal::graph
