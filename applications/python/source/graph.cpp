#include "graph.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <type_traits>
#include <utility>

#include "framework/formats/rounded_weight.hpp"
#include "framework/graph/build/edges_in_memory.hpp"
#include "framework/graph/build/load.hpp"
#include "framework/graph/build/memory_needs.hpp"
#include "framework/graph/look_up.hpp"
#include "framework/graph/vertex_names.hpp"
#include "system/base/identity.hpp"
#include "system/base/shape.hpp"
#include "system/collectives/collectives.hpp"
#include "system/delegates/call_on_all.hpp"
#include "system/loops/forall.hpp"
#include "system/memory/budget.hpp"

namespace orujo::internal::python {
namespace {

// Graphs without an owner whose job lives.
struct graves {
  std::mutex digging;
  std::vector<graph::distributed_graph> left;
};
graves& all_graves() {
  static graves& made = *new graves;
  return made;
}
// [task at core 0; suspends]
void bury() {
  std::vector<graph::distributed_graph> left;
  {
    const std::lock_guard alone(all_graves().digging);
    left.swap(all_graves().left);
  }
  for (const graph::distributed_graph& g : left) g.destroy();
}

// The input of the graph that is being built, at this process.
struct {
  edge_columns edges;
  bool shared = false;  // by all cores of the job, otherwise by those of the process
} brought_here;

template <class Use>
auto with_type(column::type of, const Use& use) {
  switch (of) {
    case column::type::int8:
      return use(std::type_identity<std::int8_t>());
    case column::type::int16:
      return use(std::type_identity<std::int16_t>());
    case column::type::int32:
      return use(std::type_identity<std::int32_t>());
    case column::type::int64:
      return use(std::type_identity<std::int64_t>());
    case column::type::uint8:
      return use(std::type_identity<std::uint8_t>());
    case column::type::uint16:
      return use(std::type_identity<std::uint16_t>());
    case column::type::uint32:
      return use(std::type_identity<std::uint32_t>());
    case column::type::uint64:
      return use(std::type_identity<std::uint64_t>());
    case column::type::float32:
      return use(std::type_identity<float>());
    case column::type::float64:
      return use(std::type_identity<double>());
  }
  return use(std::type_identity<std::int64_t>());
}

// Calls put(k, number) for the k-th of the numbers from `first` on.
template <class Put>
void read(const column& from, std::uint64_t first, std::size_t count, const Put& put) {
  with_type(from.of, [&]<class T>(std::type_identity<T>) {
    const T* const all = static_cast<const T*>(from.first) + static_cast<std::int64_t>(first) * from.stride;
    for (std::size_t k = 0; k < count; ++k) put(k, all[static_cast<std::int64_t>(k) * from.stride]);
  });
}

// Ids from `first` on into one end of the edges; a negative one is an error.
status read_ids(const column& from, std::uint64_t first, std::span<edge> into, std::uint64_t edge::*end) {
  constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
  std::size_t wrong = none;
  read(from, first, into.size(), [&](std::size_t k, auto id) {
    if constexpr (std::is_signed_v<decltype(id)>) {
      if (id < 0) wrong = std::min(wrong, k);
    }
    into[k].*end = static_cast<std::uint64_t>(id);
  });
  if (wrong == none) return {};
  return {exit_status::bad_data, "edge " + std::to_string(first + wrong) + " has the " +
                                     (end == &edge::source ? "source " : "target ") +
                                     std::to_string(static_cast<std::int64_t>(into[wrong].*end)) +
                                     "; expected vertices from 0 on"};
}

// Converts a weight, and notes whether a whole number was rounded.
template <class Number>
float weight_of(formats::edge_list& list, Number weight) {
  const auto kept = static_cast<float>(weight);
  if (std::abs(kept) < formats::exact_whole_weights) return kept;
  if constexpr (std::is_integral_v<Number>) {
    const auto size = static_cast<std::uint64_t>(weight);
    formats::note_whole_weight(list, weight < 0 ? -size : size, kept);
  } else if (std::abs(weight) < 0x1p64 && std::floor(weight) == weight) {
    formats::note_whole_weight(list, static_cast<std::uint64_t>(std::abs(weight)), kept);
  }
  return kept;
}

result<graph::edges_from> bring_columns() {
  const edge_columns& all = brought_here.edges;
  const index_range whole{0, all.sources.count};
  const std::uint64_t of = brought_here.shared ? static_cast<std::uint64_t>(cores())
                                               : static_cast<std::uint64_t>(my_locales_cores());
  const std::uint64_t me = static_cast<std::uint64_t>(brought_here.shared ? my_core() : my_core_of_locale());
  const std::uint64_t first = whole.last * me / of, last = whole.last * (me + 1) / of;
  graph::edges_from brought;
  brought.first = first;
  brought.mine.edges.resize(last - first);
  const std::span<edge> mine(brought.mine.edges);
  constexpr std::size_t at_a_time = 4096;  // so that both ends meet in the cache
  for (std::size_t k = 0; k < mine.size(); k += at_a_time) {
    const auto some = mine.subspan(k, std::min(at_a_time, mine.size() - k));
    if (status s = read_ids(all.sources, first + k, some, &edge::source); !s.ok()) return s;
    if (status s = read_ids(all.targets, first + k, some, &edge::target); !s.ok()) return s;
  }
  if (!all.weights) return brought;
  brought.mine.weights.resize(mine.size());
  read(*all.weights, first, mine.size(),
       [&](std::size_t k, auto weight) { brought.mine.weights[k] = weight_of(brought.mine, weight); });
  return brought;
}

// [task at core 0; suspends] Checks that there is room for the edges of the input.
status check_room_to_bring() {
  return loops::on_all_cores([] {
    const edge_columns& all = brought_here.edges;
    const auto here = static_cast<std::uint64_t>(brought_here.shared ? locales() : 1);
    const std::uint64_t each = sizeof(edge) + (all.weights ? sizeof(float) : 0);
    return graph::check_room("taking the edges", memory::bytes_of(all.sources.count / here, each));
  });
}

// [task; suspends] Returns whether this core has an edge of negative weight.
bool has_negative(const graph::locale_graph& g) {
  if (!g.weighted) return false;
  const graph::adjacency* const rows = g.out_rows ? g.out_rows.get() : g.in_rows.get();
  if (!rows || rows->weights.size() == 0) return false;
  const graph::core_part& mine = g.my_part();
  const auto weights = rows->weights.part(rows->offsets[mine.first], rows->offsets[mine.last]);
  return std::ranges::any_of(weights, [](float w) { return w < 0; });
}

graph_facts facts_of(const graph::loaded_graph& loaded, const graph::edge_forms& keep) {
  const graph::distributed_graph graph = loaded.graph;
  const graph::locale_graph& g = graph.here();
  static std::uint64_t made = 0;  // at process 0
  graph_facts facts;
  facts.handle = graph;
  facts.number = ++made;
  facts.vertices = loaded.vertices;
  facts.edges = loaded.edges;
  facts.weighted = g.weighted;
  facts.symmetric = g.symmetric;
  facts.named = g.names != nullptr;
  facts.renumbered = !g.numbers.is_identity();
  facts.in_vectors = keep.in_vectors;
  facts.in_rows = keep.in_rows || (g.both_ways && keep.out_rows);
  facts.out_rows = keep.out_rows || (g.both_ways && keep.in_rows);
  facts.positions = !facts.named && delegates::sum_of_all([graph] {
                                      const graph::locale_graph& there = graph.here();
                                      return there.external_ids.empty() && there.first_id == 0 ? 0 : 1;
                                    }) == 0;
  facts.negative = delegates::sum_of_all([graph] { return has_negative(graph.here()) ? 1 : 0; }) > 0;
  facts.seconds = loaded.seconds;
  facts.bytes = memory_of(graph);
  facts.source = loaded.source;
  facts.format = loaded.format;
  return facts;
}

std::unique_ptr<graph_handle> keep(graph_facts facts) {
  return std::make_unique<graph_handle>(std::move(facts));
}

kept_weight kept_weight_of(const std::string& name) {
  if (name == "lightest") return kept_weight::lightest;
  if (name == "heaviest") return kept_weight::heaviest;
  if (name == "sum") return kept_weight::sum;
  throw job_error({exit_status::usage, "keep_weight='" + name + "': must be lightest, heaviest or sum"});
}

}  // namespace

graph_handle::~graph_handle() {
  if (process() > 0 || !started() || generation_ != generation()) return;
  const graph::distributed_graph graph = facts_.handle.get();
  if (detail::enter_if_idle([graph] { graph.destroy(); })) return;
  const std::lock_guard alone(all_graves().digging);
  all_graves().left.push_back(graph);
}

graph::distributed_graph graph_handle::get() const {
  require_not_forked();
  if (started() && generation_ == generation()) return facts_.handle.get();
  throw job_error({exit_status::misuse, "the job of this graph has ended: load the graph again"});
}

graph::distributed_graph graph_handle::with(const graph::edge_forms& needed, const char* algorithm) const {
  const graph::distributed_graph graph = get();
  const bool has = (!needed.in_vectors || facts_.in_vectors) && (!needed.in_rows || facts_.in_rows) &&
                   (!needed.out_rows || facts_.out_rows);
  if (has) return graph;
  throw job_error({exit_status::usage, std::string(algorithm) +
                                           "() requires edges that this graph does not keep: make "
                                           "it without keep=, or add this algorithm to it"});
}

graph::distributed_graph graph_handle::symmetric_with(const graph::edge_forms& needed,
                                                      const char* algorithm) const {
  const graph::distributed_graph graph = with(needed, algorithm);
  if (facts_.symmetric) return graph;
  throw job_error({exit_status::usage, std::string(algorithm) +
                                           "() requires an undirected graph: make the graph with "
                                           "symmetrize=True, which adds the reverse of every edge"});
}

std::unique_ptr<graph_handle> load(const graph::graph_request& request, call as_called,
                                   const std::vector<std::string>& kept_for) {
  const graph::edge_forms forms = forms_for(kept_for);
  return keep(together(as_called.with("keep", kept_for), [&]() -> result<graph_facts> {
    bury();
    const auto loaded = graph::load_graph(request, forms);
    if (!loaded.ok()) return loaded.status();
    return facts_of(loaded.value(), forms);
  }));
}

std::unique_ptr<graph_handle> build(const edge_columns& edges, const columns_request& request,
                                    const std::vector<std::string>& kept_for) {
  const graph::edge_forms forms = forms_for(kept_for);
  require_not_forked();  // the fork may have left the mutex locked
  static std::mutex brought_by_one;
  const std::lock_guard alone(brought_by_one);
  brought_here = {edges, processes() == 1};
  if (!request.parts && process() > 0) brought_here.edges = {};
  const graph::brought_edges brought{.weighted = edges.weights.has_value(),
                                     .vertices = request.vertices,
                                     .up_to_largest = !request.vertices && request.up_to_largest,
                                     .symmetrize = request.symmetrize,
                                     .remove_self_loops = request.remove_self_loops,
                                     .remove_duplicates = request.remove_duplicates,
                                     .keep_weight = kept_weight_of(request.keep_weight)};
  const call as_called = call("Graph")
                             .with("vertices", request.vertices)
                             .with("sparse", !request.up_to_largest)
                             .with("symmetrize", request.symmetrize)
                             .with("remove_self_loops", request.remove_self_loops)
                             .with("remove_duplicates", request.remove_duplicates)
                             .with("keep_weight", request.keep_weight)
                             .with("parts", request.parts)
                             .with("weights", !request.parts || edges.weights.has_value())
                             .with("keep", kept_for);
  return keep(together(as_called, [&]() -> result<graph_facts> {
    bury();
    if (status room = check_room_to_bring(); !room.ok()) return room;
    const auto built = graph::build_brought_graph<&bring_columns>(brought, forms);
    if (!built.ok()) return built.status();
    return facts_of(built.value(), forms);
  }));
}

values<std::uint64_t> ids_of(const graph_handle& g) {
  return together(g, call("Graph.ids"), [graph = g.get()]() -> result<values<std::uint64_t>> {
    const auto ids = graph::property<std::uint64_t>::create(graph);
    loops::on_all_cores([graph, ids] {
      const graph::locale_graph& here = graph.here();
      for (std::uint32_t v = here.my_part().first; v < here.my_part().last; ++v)
        ids.here()[v] = here.external_id(v);
    });
    return values<std::uint64_t>::of(graph, ids);
  });
}

values<std::uint32_t> out_degrees_of(const graph_handle& g) {
  return together(g, call("Graph.out_degrees"), [graph = g.get()]() -> result<values<std::uint32_t>> {
    const auto degrees = graph::property<std::uint32_t>::create(graph);
    loops::on_all_cores([graph, degrees] {
      const graph::locale_graph& here = graph.here();
      for (std::uint32_t v = here.my_part().first; v < here.my_part().last; ++v)
        degrees.here()[v] = here.out_degree[v];
    });
    return values<std::uint32_t>::of(graph, degrees);
  });
}

namespace {

struct all_names {
  std::vector<std::string> names;
  void fetch() {}
  void release() {}
  template <class Archive>
  void serialize(Archive& archive) {
    archive(names);
  }
};

}  // namespace

std::vector<std::string> names_of(const graph_handle& g) {
  return together(g, call("Graph.ids"),
                  [graph = g.get()]() -> result<all_names> {
                    all_names all;
                    const auto& names = *graph.here().names;
                    constexpr std::uint64_t at_a_time = 1 << 16;
                    for (std::uint64_t first = 0; first < names.count(); first += at_a_time) {
                      const auto some = names.part(first, std::min(names.count(), first + at_a_time));
                      for (std::size_t k = 0; k < some.size(); ++k) all.names.emplace_back(some[k]);
                    }
                    return all;
                  })
      .names;
}

result<std::uint64_t> number_of(const graph_facts& g, const vertex_key& key) {
  const graph::distributed_graph graph = g.handle.get();
  if (g.named != key.named) {
    return status(exit_status::usage, g.named ? "this graph's vertices have names: pass one as a str"
                                              : "this graph's vertices have no names: pass an id, an int");
  }
  const auto found = key.named ? graph::find_vertex(graph, key.name) : graph::find_vertex(graph, key.id);
  if (found) return *found;
  return status(exit_status::usage,
                "the graph has no vertex " + (key.named ? "'" + key.name + "'" : std::to_string(key.id)));
}

result<std::vector<std::uint64_t>> numbers_of(const graph_facts& g, const std::vector<vertex_key>& keys) {
  std::vector<std::uint64_t> numbers;
  for (const vertex_key& key : keys) {
    const auto number = number_of(g, key);
    if (!number.ok()) return number.status();
    numbers.push_back(number.value());
  }
  return numbers;
}

}  // namespace orujo::internal::python
