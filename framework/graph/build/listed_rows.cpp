#include "framework/graph/build/listed_rows.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "framework/graph/build/given_rows.hpp"
#include "framework/graph/build/shuffle.hpp"
#include "system/collectives/collectives.hpp"
#include "system/delegates/bulk.hpp"
#include "system/delegates/delegate.hpp"
#include "system/loops/forall.hpp"

namespace orujo::internal::graph {
namespace {

class listed_rows final : public given_rows {
 public:
  listed_rows(input_edges& input, const build_options& options)
      : list_(*input.rows), vertices_(*input.vertex_count), weighted_(input.weighted), options_(options) {}

  // Returns whether the lists of all cores, one after the other, are rows to be taken.
  bool are_good() {
    const bool positive = !options_.keep.non_negative_weights ||
                          std::ranges::none_of(list_.weights, [](float weight) { return weight < 0; });
    row_checker checker(vertices_, options_, edges_of::both_ends);
    for (std::uint64_t v = list_.first_vertex; v < list_.last_vertex() && checker.found().good; ++v) {
      const std::uint64_t last = list_.begin_of(v + 1);
      for (std::uint64_t k = list_.begin_of(v); k < last; ++k)
        checker.take(v, list_.neighbours[k], weight(k));
    }
    row_checker::findings all = collectives::all_reduce(checker.found() + row_checker::findings{positive});
    if (!all.good || all.edges != 0) return false;
    all = all + findings_of_ends();
    no_parallel_ = all.no_parallel;
    return all.good;
  }

  result<partition> cut(int parts) override {
    edge_counts counts;
    counts.vertices = vertices_;
    counts.bucket = bucket_size(vertices_, parts);
    counts.mine.resize((vertices_ + counts.bucket - 1) / counts.bucket);
    for (std::uint64_t v = list_.first_vertex; v < list_.last_vertex(); ++v)
      counts.mine[v / counts.bucket] += list_.begin_of(v + 1) - list_.begin_of(v);
    return choose_partition(counts, options_.partition.alpha, parts);
  }

  std::optional<both> take(const partition& owners) override {
    // Where the edges of each owner begin: in this core's list, and in all lists, one after the other.
    std::vector<std::uint64_t> begin_here;
    for (core_id c = 0; c < cores(); ++c) begin_here.push_back(list_.begin_of(owners.first_of(c)));
    begin_here.push_back(list_.edges());
    std::vector<std::uint64_t> begin = begin_here;
    collectives::all_reduce(begin);
    const auto me = static_cast<std::size_t>(my_core());
    const list_here mine{&list_, collectives::exclusive_sum(list_.edges())};
    both made;
    rows& to = made.in;
    to.first_vertex = owners.first_of(my_core());
    to.offsets = machine::huge_array<std::uint64_t>(owners.last_of(my_core()) - to.first_vertex + 1);
    to.neighbours = machine::huge_array<std::uint32_t>(begin[me + 1] - begin[me]);
    to.weights = machine::huge_array<float>(weighted_ ? to.neighbours.size() : 0);
    // No core sends before all cores have room.
    const by_core<room> rooms = collectives::all_gather(room{&to, to.neighbours.data(), to.weights.data()});
    delegates::completion_event moved;
    for (int k = 1; k < cores(); ++k) {
      const core_id c = (my_core() + k) % cores();
      if (shape().locale_of(c) == my_locale()) continue;
      const auto owner = static_cast<std::size_t>(c);
      send(moved, c, rooms[c], {owners.first_of(c), owners.last_of(c)}, mine.edges_before - begin[owner]);
    }
    for (const list_here& list : collectives::all_gather(mine, collectives::group::locale))
      copy(*list.rows, owners.last_of(my_core()), list.edges_before - begin[me], to);
    moved.wait();
    collectives::barrier();  // everybody's edges have arrived, and nobody reads this core's list
    list_ = {};
    for (std::size_t r = 1; r < to.offsets.size(); ++r) to.offsets[r] += to.offsets[r - 1];
    made.no_parallel = no_parallel_;
    return made;
  }

 private:
  // Where a core's rows are made.
  struct room {
    rows* of;
    std::uint32_t* neighbours;
    float* weights;
  };
  struct list_here {
    const formats::row_list* rows;
    std::uint64_t edges_before;  // in the lists of the cores before
  };

  float weight(std::size_t k) const { return list_.weights.empty() ? 0 : list_.weights[k]; }

  // The lists of the cores do not overlap, and rows that two of them share ascend there, too.
  row_checker::findings findings_of_ends() const {
    struct end {
      edge at;
      float weight = 0;
      bool there = false;
    };
    std::array<end, 2> ends;
    const std::uint64_t edges = list_.edges();
    if (edges > 0) ends[0] = {{list_.first_vertex, list_.neighbours[0]}, weight(0), true};
    if (edges > 1)
      ends[1] = {{list_.last_vertex() - 1, list_.neighbours[edges - 1]}, weight(edges - 1), true};
    row_checker checker(vertices_, options_, edges_of::both_ends);
    for (const auto& of_core : collectives::all_gather(ends)) {
      for (const end& e : of_core) {
        if (e.there) checker.take(e.at.source, e.at.target, e.weight);
      }
    }
    return checker.found();
  }

  // [task; suspends] Sends the edges of another core's vertices. `shift` leads from this core's edges to
  // their slots there, modulo 2^64.
  void send(delegates::completion_event& moved, core_id owner, const room& there, index_range vertices,
            std::uint64_t shift) const {
    const std::uint64_t first = list_.begin_of(vertices.first), count = list_.begin_of(vertices.last) - first;
    if (count == 0) return;
    const auto put = [&](const auto& values, auto* to) {
      delegates::async_put(moved, memory::global_address(owner, to + (first + shift)),
                           std::span(values).subspan(first, count));
    };
    put(list_.neighbours, there.neighbours);
    if (weighted_) put(list_.weights, there.weights);
    const std::uint64_t begin = std::max<std::uint64_t>(vertices.first, list_.first_vertex),
                        end = std::min<std::uint64_t>(vertices.last, list_.last_vertex());
    std::vector<std::uint64_t> degrees;
    for (std::uint64_t v = begin; v < end; ++v) degrees.push_back(list_.begin_of(v + 1) - list_.begin_of(v));
    const auto add = [to = there.of, row = begin - vertices.first](const std::vector<std::uint64_t>& more) {
      for (std::size_t k = 0; k < more.size(); ++k) to->offsets[row + k + 1] += more[k];
    };
    delegates::async_call(moved, owner, add, degrees);
  }

  // Copies the edges of this core's vertices from a list of its locale.
  static void copy(const formats::row_list& from, std::uint64_t last_vertex, std::uint64_t shift, rows& to) {
    const std::uint64_t first = from.begin_of(to.first_vertex), count = from.begin_of(last_vertex) - first;
    if (count == 0) return;
    std::copy_n(&from.neighbours[first], count, &to.neighbours[first + shift]);
    if (to.weights.size() > 0) std::copy_n(&from.weights[first], count, &to.weights[first + shift]);
    for (std::uint64_t v = std::max(to.first_vertex, from.first_vertex);
         v < std::min(last_vertex, from.last_vertex()); ++v)
      to.offsets[v - to.first_vertex + 1] += from.begin_of(v + 1) - from.begin_of(v);
  }

  formats::row_list& list_;
  const std::uint64_t vertices_;
  const bool weighted_;
  const build_options& options_;
  bool no_parallel_ = false;
};

}  // namespace

result<std::shared_ptr<locale_graph>> load_listed_rows(input_edges& input, const build_options& options) {
  const given_rows_facts facts{*input.vertex_count, collectives::all_reduce(input.rows->edges()),
                               input.first_id, input.weighted, false};
  listed_rows given(input, options);
  if (!may_be_given(facts, options) || !given.are_good()) return std::shared_ptr<locale_graph>();
  return load_given_rows(given, facts, options);
}

}  // namespace orujo::internal::graph
