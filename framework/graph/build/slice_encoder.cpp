#include "framework/graph/build/slice_encoder.hpp"

#include <glog/logging.h>

#include <algorithm>
#include <array>

namespace orujo::internal::graph {
namespace {

std::size_t vectors_for(std::uint64_t degree) { return (degree + edge_lanes - 1) / edge_lanes; }

// The edges first .. last - 1 of the rows, which are those of a vertex from one segment.
struct row_piece {
  std::uint32_t vertex;
  std::uint64_t first, last;
  std::uint64_t degree() const { return last - first; }
};

// Follows the top-level vertices of one slice and says where a jump is needed.
class slice_cursor {
 public:
  // Call once for each vertex with edges, ascending.
  bool needs_jump(std::uint32_t vertex) const { return !started_ || vertex - vertex_ > max_step; }
  void move_to(std::uint32_t vertex) {
    vertex_ = vertex;
    started_ = true;
  }
  std::uint32_t vertex() const { return vertex_; }

 private:
  std::uint32_t vertex_ = 0;
  bool started_ = false;
};

edge_vector jump_to(std::uint32_t vertex) {
  edge_vector jump;
  std::fill_n(jump.lane, edge_lanes, edge_step_bit);
  jump.lane[0] |= vertex;
  return jump;
}

std::uint32_t step_bit(std::uint32_t number, std::size_t lane) { return (number >> lane & 1) << 30; }

// Up to eight pieces of a window, and the depth of their bundle.
struct bundle {
  std::span<const row_piece> pieces;
  std::uint32_t depth() const { return static_cast<std::uint32_t>(pieces[0].degree()); }
};

// Counts the vectors of a slice.
class counting_sink {
 public:
  void add_single(const row_piece& piece) {
    size_.single += vectors_for(piece.degree()) + (cursor_.needs_jump(piece.vertex) ? 1 : 0);
    cursor_.move_to(piece.vertex);
  }
  void add_bundle(const bundle& of) { size_.bundled += 1 + of.depth(); }
  slice_size size() const { return size_; }

 private:
  slice_cursor cursor_;
  slice_size size_;
};

// Appends the vectors of a slice to a graph from given positions on and keeps its side index.
class writing_sink {
 public:
  writing_sink(const in_edge_rows& rows, const vector_sparse_buffer& graph, const edge_slice& slice)
      : rows_(rows), graph_(graph), slice_(slice), single_(slice.first), bundled_(slice.bundles) {}

  void add_single(const row_piece& piece) {
    if (cursor_.needs_jump(piece.vertex)) {
      put(single_++, jump_to(piece.vertex), piece.vertex);
      cursor_.move_to(piece.vertex);
    }
    for (std::uint64_t edge = piece.first; edge < piece.last; edge += edge_lanes) {
      const std::size_t count = std::min<std::uint64_t>(edge_lanes, piece.last - edge);
      const std::uint32_t step = piece.vertex - cursor_.vertex();
      edge_vector vector{};
      for (std::size_t i = 0; i < edge_lanes; ++i) {
        vector.lane[i] = (i < count ? valid_lane(edge + i) : 0) | step_bit(step, i);
      }
      put(single_, vector, cursor_.vertex());
      for (std::size_t i = 0; i < count; ++i) set_weight(single_, i, edge + i);
      ++single_;
      cursor_.move_to(piece.vertex);
    }
  }

  void add_bundle(const bundle& of) {
    edge_vector head{};
    for (std::size_t i = 0; i < edge_lanes; ++i) {
      const std::uint32_t vertex =
          i < of.pieces.size() ? edge_valid_bit | of.pieces[i].vertex : of.pieces[0].vertex;
      head.lane[i] = vertex | step_bit(of.depth(), i);
    }
    put(bundled_++, head, 0);
    for (std::uint32_t k = 0; k < of.depth(); ++k, ++bundled_) {
      edge_vector body{};
      for (std::size_t i = 0; i < of.pieces.size(); ++i) {
        if (k < of.pieces[i].degree()) body.lane[i] = valid_lane(of.pieces[i].first + k);
      }
      put(bundled_, body, 0);
      for (std::size_t i = 0; i < of.pieces.size(); ++i) {
        if (k < of.pieces[i].degree()) set_weight(bundled_, i, of.pieces[i].first + k);
      }
    }
  }

  void check_complete() const {
    CHECK_EQ(single_, slice_.bundles) << "a slice has other vectors than were counted";
    CHECK_EQ(bundled_, slice_.last) << "a slice has other bundles than were counted";
  }

 private:
  std::uint32_t valid_lane(std::uint64_t edge) const {
    DCHECK_LE(rows_.neighbours[edge], local_index_mask) << "a local index of 2^30 or more";
    return edge_valid_bit | rows_.neighbours[edge];
  }
  // `before` is the entry of the vector for the side index.
  void put(std::size_t at, const edge_vector& vector, std::uint32_t before) {
    CHECK_LT(at, slice_.last) << "the graph has fewer vectors than its rows need";
    if (at % vectors_per_index_entry == 0) graph_.top_level_at[at / vectors_per_index_entry] = before;
    if (!graph_.weights.empty()) graph_.weights[at] = weight_vector{};
    graph_.edges[at] = vector;
  }
  void set_weight(std::size_t at, std::size_t lane, std::uint64_t edge) {
    if (graph_.weights.empty()) return;
    graph_.weights[at].lane[lane] = rows_.weights.empty() ? 1.0f : rows_.weights[edge];
  }

  const in_edge_rows& rows_;
  const vector_sparse_buffer& graph_;
  const edge_slice slice_;
  slice_cursor cursor_;
  std::size_t single_, bundled_;  // where the next vector goes
};

// The pieces of a window that are to be bundled.
class bundle_window {
 public:
  void add(const row_piece& piece) {
    pieces_.push_back(piece);
    ++of_degree_[piece.degree()];
  }

  // Bundles what the window has, by descending degree, then ascending vertex, and empties it.
  template <class Sink>
  void flush(Sink& sink) {
    if (pieces_.empty()) return;
    std::size_t before = 0;
    for (std::size_t degree = of_degree_.size(); degree-- > 0;) {
      before += std::exchange(of_degree_[degree], static_cast<std::uint32_t>(before));
    }
    sorted_.resize(pieces_.size());
    for (const row_piece& piece : pieces_) sorted_[of_degree_[piece.degree()]++] = piece;
    const std::span<const row_piece> all(sorted_);
    for (std::size_t k = 0; k < all.size(); k += edge_lanes) {
      sink.add_bundle({all.subspan(k, std::min(edge_lanes, all.size() - k))});
    }
    pieces_.clear();
    of_degree_.fill(0);
  }

 private:
  std::vector<row_piece> pieces_, sorted_;
  std::array<std::uint32_t, deepest_bundle + 1> of_degree_{};
};

}  // namespace

slice_encoder::slice_encoder(const in_edge_rows& rows, std::span<const std::uint32_t> source_bounds,
                             std::uint32_t depth)
    : rows_(rows), source_bounds_(source_bounds), depth_(depth) {
  CHECK_LE(depth, deepest_bundle);
  CHECK_GE(source_bounds.size(), 2u);
  const auto rewind = [&] {
    const std::size_t vertices = rows.offsets.empty() ? 0 : rows.offsets.size() - 1;
    next_.assign(rows.offsets.begin(), rows.offsets.begin() + static_cast<std::ptrdiff_t>(vertices));
  };
  rewind();
  for (std::size_t s = 0; s + 1 < source_bounds.size(); ++s) {
    counting_sink sink;
    pass(s, sink);
    sizes_.push_back(sink.size());
  }
  rewind();
}

edge_slice slice_encoder::encode(std::size_t segment, std::size_t first_vector,
                                 const vector_sparse_buffer& graph) {
  const slice_size size = sizes_[segment];
  const edge_slice slice{first_vector, first_vector + size.single, first_vector + size.vectors()};
  writing_sink sink(rows_, graph, slice);
  pass(segment, sink);
  sink.check_complete();
  return slice;
}

// Calls visit(row, piece) for every row with edges from the segment.
template <class Visit>
void slice_encoder::take_segment(std::size_t segment, Visit visit) {
  const bool last_segment = segment + 2 == source_bounds_.size();
  const std::uint32_t end_source = source_bounds_[segment + 1];
  for (std::size_t row = 0; row < next_.size(); ++row) {
    const std::uint64_t first = next_[row], end = rows_.offsets[row + 1];
    std::uint64_t last = first;
    if (last_segment) {
      last = end;
    } else {
      while (last < end && rows_.neighbours[last] < end_source) ++last;
    }
    if (first == last) continue;
    next_[row] = last;
    visit(row, row_piece{static_cast<std::uint32_t>(rows_.first_vertex + row), first, last});
  }
}

template <class Sink>
void slice_encoder::pass(std::size_t segment, Sink& sink) {
  bundle_window window;
  std::size_t window_end = 0;
  take_segment(segment, [&](std::size_t row, const row_piece& piece) {
    if (row >= window_end) {
      window.flush(sink);
      window_end = row / vertices_per_bundle_window * vertices_per_bundle_window + vertices_per_bundle_window;
    }
    piece.degree() > depth_ ? sink.add_single(piece) : window.add(piece);
  });
  window.flush(sink);
}

}  // namespace orujo::internal::graph
