// Graphs as the interpreter sees them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "framework/graph/build/request.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "framework/graph/edge_forms.hpp"
#include "job.hpp"
#include "system/base/status.hpp"
#include "values.hpp"

namespace orujo::internal::python {

// Numbers of any type, contiguous or with a stride.
struct column {
  enum class type { int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64 };
  const void* first = nullptr;
  std::uint64_t count = 0;
  std::int64_t stride = 1;  // in elements
  type of = type::int64;
};

// Edges in the memory of this process. They must not change or move while a graph is made.
struct edge_columns {
  column sources, targets;
  std::optional<column> weights;
};
struct columns_request {
  std::optional<std::uint64_t> vertices = {};  // 0 to this, less 1
  bool up_to_largest = true;                   // otherwise those that occur
  bool symmetrize = false, remove_self_loops = false, remove_duplicates = false;
  std::string keep_weight = "lightest";
  bool parts = false;  // every process passes its own; otherwise process 0 passes all
};

// The facts about a graph that every process has.
struct graph_facts {
  handle_of<graph::distributed_graph> handle;
  std::uint64_t number = 0;  // counts created graphs, from 1 on
  std::uint64_t vertices = 0, edges = 0;
  bool weighted = false, symmetric = false, named = false;
  bool negative = false;    // some weight is
  bool positions = false;   // the ids are 0 to vertices - 1
  bool renumbered = false;  // vertices have other numbers than positions
  bool in_vectors = false, in_rows = false, out_rows = false;
  double seconds = 0;
  std::uint64_t bytes = 0;  // of vertices and edges, at all processes
  std::string source, format;

  void fetch() {}
  void release() {}
  void discard() { handle.get().destroy(); }
  template <class Archive>
  void serialize(Archive& archive) {
    archive(handle, number, vertices, edges, weighted, symmetric, named, negative, positions, renumbered,
            in_vectors, in_rows, out_rows, seconds, bytes, source, format);
  }
};

// A vertex as users name it.
struct vertex_key {
  bool named = false;
  std::uint64_t id = 0;
  std::string name = {};
};
inline std::string text_of(const vertex_key& key) { return key.named ? text_of(key.name) : text_of(key.id); }

// Frees the graph's memory when it is destroyed or, if a call is under way then, when the next graph is made.
class graph_handle {
 public:
  explicit graph_handle(graph_facts facts) : facts_(std::move(facts)), generation_(generation()) {}
  ~graph_handle();
  graph_handle(const graph_handle&) = delete;

  const graph_facts& facts() const { return facts_; }
  // Throws job_error if the graph's job is over, or it lacks edges in a form that is needed.
  graph::distributed_graph with(const graph::edge_forms& needed, const char* algorithm) const;
  // Does the same for algorithms on undirected graphs.
  graph::distributed_graph symmetric_with(const graph::edge_forms& needed, const char* algorithm) const;
  graph::distributed_graph get() const;

 private:
  graph_facts facts_;
  std::uint64_t generation_;
};

inline std::string text_of(const graph_handle& g) {
  return "<graph " + text_of(g.facts().number) + ", " + g.facts().source + ">";
}

// The edges that algorithms of these names need, or, without any, all of them.
graph::edge_forms forms_for(const std::vector<std::string>& algorithms);

// [task at core 0; suspends] Fails with no_resource where an algorithm of this name would find no room for
// its values and results.
status check_room(const graph_facts& g, const std::string& algorithm);

// Calls together() for an algorithm on a graph; fails if there is no room.
template <class Work>
auto together(const graph_handle& g, call mine, const Work& work) {
  return together(mine.with("g", g), [&]() -> std::invoke_result_t<const Work&> {
    if (status room = check_room(g.facts(), mine.name()); !room.ok()) return room;
    return work();
  });
}

// Any thread of the interpreter, without its lock; collective over the processes. These throw job_error.
// as_called: the request as processes compare it.
std::unique_ptr<graph_handle> load(const graph::graph_request& request, call as_called,
                                   const std::vector<std::string>& keep);
std::unique_ptr<graph_handle> build(const edge_columns& edges, const columns_request& request,
                                    const std::vector<std::string>& keep);
values<std::uint64_t> ids_of(const graph_handle& g);
values<std::uint32_t> out_degrees_of(const graph_handle& g);
std::vector<std::string> names_of(const graph_handle& g);
// Ends as positions of vertices, in any order, and weights if the graph has them.
struct edge_values {
  values<std::int64_t> sources, targets;
  values<float> weights;
  void fetch() { sources.fetch(), targets.fetch(), weights.fetch(); }
  void release() { sources.release(), targets.release(), weights.release(); }
  template <class Archive>
  void serialize(Archive& archive) {
    archive(sources, targets, weights);
  }
};
edge_values edges_of(const graph_handle& g);

// [task at core 0; suspends] The bytes that the graph takes at all locales.
std::uint64_t memory_of(graph::distributed_graph graph);

// [task at core 0; suspends] Returns the vertex's number, or a usage error if there is no such vertex.
result<std::uint64_t> number_of(const graph_facts& g, const vertex_key& key);
// The numbers of all keys, in their order.
result<std::vector<std::uint64_t>> numbers_of(const graph_facts& g, const std::vector<vertex_key>& keys);

}  // namespace orujo::internal::python
