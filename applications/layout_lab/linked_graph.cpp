#include "applications/layout_lab/linked_graph.hpp"

#include <algorithm>
#include <array>

#include "applications/layout_lab/cpu_seconds.hpp"
#include "framework/layout/hierarchical_blocking.hpp"

namespace orujo::internal::layout_lab {
namespace {

constexpr std::uint32_t far = ~std::uint32_t{0};

struct record_links {
  using node = vertex_record;
  std::size_t bytes(const vertex_record& v) const { return vertex_record::bytes(v.degree, v.weighted != 0); }
  std::size_t successors(const vertex_record& v) const { return v.degree; }
  vertex_record*& successor(vertex_record& v, std::size_t k) const { return v.neighbours()[k]; }
  vertex_record*& forward(vertex_record& v) const { return v.parent; }
};

}  // namespace

template <class Visit>
void linked_graph::for_each(Visit visit) const {
  for (std::size_t at = 0; at < memory_.size();) {
    auto& v = *reinterpret_cast<vertex_record*>(memory_.data() + at);
    at += record_links().bytes(v) / 8;
    visit(v);
  }
}

linked_graph::linked_graph(const layout::undirected_graph& g, const layout::vertex_sequence& order,
                           bool weighted, machine::pages pages) {
  std::vector<std::uint64_t> places(g.vertices());  // in words
  std::uint64_t words = 0;
  for (const std::uint32_t v : order) {
    places[v] = words;
    words += vertex_record::bytes(g.degree(v), weighted) / 8;
  }
  memory_ = machine::huge_array<std::uint64_t>(words, pages);
  const auto record = [&](std::uint32_t v) {
    return reinterpret_cast<vertex_record*>(memory_.data() + places[v]);
  };
  for (const std::uint32_t v : order) {
    const std::span<const std::uint32_t> row = g.of(v);
    vertex_record* const made = new (memory_.data() + places[v])
        vertex_record{nullptr, far, v, static_cast<std::uint32_t>(row.size()), weighted ? 1u : 0u};
    for (std::size_t k = 0; k < row.size(); ++k) {
      made->neighbours()[k] = record(row[k]);
      if (weighted) made->weights()[k] = weight_of(v, row[k]);
    }
  }
  if (g.vertices() > 0) first_ = record(0);
  queue_.reserve(g.vertices());
}

double linked_graph::copy(std::span<const std::size_t> block_bytes, machine::pages pages) {
  for_each([](vertex_record& v) { v.parent = nullptr; });
  machine::huge_array<std::uint64_t> copies(memory_.size(), pages);
  const double start = cpu_seconds();
  layout::linked_target target(std::as_writable_bytes(copies.part(0, copies.size())), record_links());
  layout::hierarchical_blocking blocking(target, block_bytes);
  if (first_ != nullptr) blocking.add(first_);
  // Adds the records that vertex 0 does not reach, in memory's order.
  for_each([&](vertex_record& v) {
    if (!target.is_copied(v)) blocking.add(&v);
  });
  const double seconds = cpu_seconds() - start;
  if (first_ != nullptr) first_ = target.copy_of(*first_);
  memory_ = std::move(copies);
  return seconds;
}

linked_graph::outcome linked_graph::breadth_first() {
  return timed([this] { search_breadth_first(); });
}
linked_graph::outcome linked_graph::shortest_paths() {
  return timed([this] { search_by_distance(); });
}

template <class Search>
linked_graph::outcome linked_graph::timed(Search search) {
  outcome all;
  if (first_ == nullptr) return all;
  for_each([](vertex_record& v) { v.distance = far; });
  const double start = cpu_seconds();
  first_->distance = 0;
  first_->parent = first_;
  search();
  all.seconds = cpu_seconds() - start;
  for_each([&](const vertex_record& v) {
    if (v.distance == far) return;
    ++all.reached;
    all.checksum += (std::uint64_t{v.name} + 1) * 0x9e3779b97f4a7c15u * (std::uint64_t{v.distance} + 1);
  });
  return all;
}

void linked_graph::search_breadth_first() {
  queue_.clear();
  queue_.push_back(first_);
  for (std::size_t at = 0; at < queue_.size(); ++at) {
    vertex_record* const v = queue_[at];
    for (vertex_record* const to : std::as_const(*v).neighbours()) {
      if (to->distance != far) continue;
      to->distance = v->distance + 1;
      to->parent = v;
      queue_.push_back(to);
    }
  }
}

void linked_graph::search_by_distance() {
  std::array<std::vector<vertex_record*>, most_weight + 1> by_distance;  // modulo their number
  by_distance[0].push_back(first_);
  std::size_t waiting = 1;
  for (std::uint32_t distance = 0; waiting > 0; ++distance) {
    std::vector<vertex_record*>& bucket = by_distance[distance % by_distance.size()];
    waiting -= bucket.size();
    for (vertex_record* const v : bucket) {
      if (v->distance != distance) continue;  // a shorter way has been found
      vertex_record** const to = v->neighbours();
      const std::uint32_t* const weights = v->weights();
      for (std::uint32_t k = 0; k < v->degree; ++k) {
        const std::uint32_t found = distance + (v->weighted != 0 ? weights[k] : 1);
        if (found >= to[k]->distance) continue;
        to[k]->distance = found;
        to[k]->parent = v;
        by_distance[found % by_distance.size()].push_back(to[k]);
        ++waiting;
      }
    }
    bucket.clear();
  }
}

std::uint32_t linked_graph::weight_of(std::uint64_t a, std::uint64_t b) {
  const std::uint64_t mixed = (std::min(a, b) << 32 | std::max(a, b)) * 0x9e3779b97f4a7c15u;
  return static_cast<std::uint32_t>((mixed >> 33) % most_weight + 1);
}

std::vector<std::uint32_t> linked_graph::distances() const {
  std::vector<std::uint32_t> by_name;
  for_each([&](const vertex_record& v) {
    by_name.resize(std::max<std::size_t>(by_name.size(), v.name + std::size_t{1}));
    by_name[v.name] = v.distance;
  });
  return by_name;
}

layout::vertex_sequence linked_graph::order() const {
  layout::vertex_sequence names;
  for_each([&](const vertex_record& v) { names.push_back(v.name); });
  return names;
}

}  // namespace orujo::internal::layout_lab
