// A breadth-first search on one GPU, level by level (device_search.hpp).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "framework/device/array.hpp"
#include "framework/device/rows.hpp"
#include "framework/device/search.hpp"
#include "framework/graph/bit_set.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "framework/graph/mirror_rows.hpp"
#include "framework/steps/direction.hpp"

namespace orujo::internal::algorithms::detail {

// The largest number of pushes that are launched in a row before their counts are read.
inline constexpr int most_pushes_at_once = 32;

// The rows of a locale and the state of a search on its GPU. One task at a time uses it. Throws
// `device::failure`.
template <class On>
class gpu_search {
  using counts = device::search_counts;

 public:
  // The rows `mirrors` have the edges from mirrors, on several locales.
  gpu_search(On& on, const graph::locale_graph& g, const graph::mirror_rows* mirrors)
      : on_(on),
        own_(g.own),
        words_(static_cast<std::uint32_t>(graph::bit_set::words_for(std::size_t{g.own} + g.mirrors) * 2)),
        warps_(on.resident_warps()),
        symmetric_(g.in_rows == g.out_rows),
        in_(on, *g.in_rows, g.own, false),
        seen_{device::array<std::uint32_t, On>(on, words_), device::array<std::uint32_t, On>(on, words_)},
        places_(on, g.own),
        lists_{device::array<std::uint32_t, On>(on, g.own), device::array<std::uint32_t, On>(on, g.own)},
        counts_(on, places_of_counts),
        found_(on, most_pushes_at_once),
        source_(on, 1) {
    if (!symmetric_) out_ = device::rows<On>(on, *g.out_rows, g.own, false);
    std::uint64_t edges = g.out_rows->edges();
    if (mirrors) {
      const std::uint64_t of_mirrors = mirrors->offsets()[g.mirrors];
      mirrors_ = device::rows<On>(on, {mirrors->offsets(), g.mirrors + std::size_t{1}},
                                  {mirrors->targets(), of_mirrors});
      told_ = device::array<std::uint32_t, On>(on, g.mirrors);
      told_size_ = device::array<std::uint32_t, On>(on, 1);
      edges = std::max(edges, of_mirrors);
    }
    pieces_ = device::array<device::row_piece, On>(on, device::most_pieces(edges));
    has_pieces_ = device::has_long_row(g.out_rows->offsets.part(0, g.own + std::size_t{1})) ||
                  (mirrors && device::has_long_row({mirrors->offsets(), g.mirrors + std::size_t{1}}));
    on.wait();
  }

  // [task; may suspend] Starts a search. There is no `source` if another locale has it.
  void start(std::optional<std::uint32_t> source) {
    mask_ = list_ = told_now_ = at_ = 0;
    listed_ = true;
    seen_[0].fill(0);
    counts_.fill(0);
    if (!source) return;
    source_[0] = {*source, std::uint32_t{1} << *source % 32, {*source, 0}, {1, 0, 0}};
    lists_[0].copy_in({&source_[0].vertex, 1});
    seen_[0].copy_in({&source_[0].bit, 1}, *source / 32);
    places_.copy_in({&source_[0].at, 1}, *source);
    counts_.copy_in({&source_[0].frontier, 1});
  }

  // [task; may suspend] Pushes `steps` times, for levels `level`, level + 1 and so on. On several locales
  // `steps` is 1. Returns what each push has found.
  std::span<const counts> push(std::uint32_t level, int steps) {
    if (!listed_) list_last();
    for (int k = 0; k < steps; ++k) {
      counts *const from = counts_.data() + at_ + k, *const to = from + 1;
      device::find_targets visitor{own_,
                                   seen_[mask_].data(),
                                   places_.data(),
                                   lists_[1 - list_].data(),
                                   to,
                                   out().offsets,
                                   level + static_cast<std::uint32_t>(k)};
      walk({out(), lists_[list_].data(), &from->found}, to, visitor);
      if (told_now_ > 0) {
        on_.fill(&to->pieces, 0, sizeof(to->pieces));
        walk({mirrors_.view(), told_.data(), told_size_.data(), own_}, to, visitor);
      }
      list_ = 1 - list_;
    }
    return read(steps);
  }

  // [task; may suspend] Pulls for one level, and returns what it has found.
  const counts& pull(std::uint32_t level) {
    on_.launch(std::min(words_, 64 * warps_),
               device::find_parents{in_.view(), own_, words_, seen_[mask_].data(), seen_[1 - mask_].data(),
                                    places_.data(), counts_.data() + at_ + 1, level});
    mask_ = 1 - mask_;
    listed_ = false;
    return read(1).front();
  }

  // [task; may suspend] Adds mirrors that other locales have reported, by local index; each once in a search.
  void see_mirrors(std::span<const std::uint32_t> mirrors) {
    told_now_ = static_cast<std::uint32_t>(mirrors.size());
    if (mirrors.empty()) return;
    told_.copy_in(mirrors);
    told_size_.copy_in({&told_now_, 1});
    on_.launch(warps_, device::add_members{told_.data(), told_now_, seen_[mask_].data()});
    on_.wait();
  }

  // [task; may suspend] After a step. Copies the mask of seen vertices, by own vertex.
  void copy_seen(std::span<graph::bit_set::word> to) const {
    on_.copy_out(to.data(), seen_[mask_].data(), graph::bit_set::words_for(own_) * sizeof(to[0]));
  }
  // [task; may suspend] After a step. Copies the vertices that it has found.
  void copy_found(std::vector<std::uint32_t>& to, std::uint32_t size) {
    if (!listed_) list_last();
    to.resize(size);
    lists_[list_].copy_out(to);
  }
  void copy_places(std::span<device::place> to) const { places_.copy_out(to); }
  void wait() { on_.wait(); }
  // As wait(), but blocks the thread.
  void block() { on_.block(); }

  // [task; may suspend] Returns the number of out-edges of all seen vertices.
  std::uint64_t out_edges() {
    std::uint64_t sum = 0;
    counts_.fill(0);
    on_.launch(warps_,
               device::add_degrees{seen_[mask_].data(), out().offsets, own_, &counts_.data()->out_edges});
    on_.copy_out(&sum, &counts_.data()->out_edges, sizeof(sum));
    on_.wait();
    return sum;
  }

 private:
  static constexpr std::uint32_t places_of_counts = 1024;
  struct first_frontier {
    std::uint32_t vertex, bit;
    device::place at;
    counts frontier;
  };

  device::row_view out() const { return symmetric_ ? in_.view() : out_.view(); }

  void walk(const device::row_list& of, counts* to, const device::find_targets& visitor) {
    on_.launch(warps_, device::walk_rows<device::find_targets>{of, pieces_.data(), &to->pieces, visitor});
    if (!has_pieces_) return;
    on_.launch(warps_,
               device::walk_pieces<device::find_targets>{of.rows, pieces_.data(), &to->pieces, visitor});
  }

  // Lists the vertices that the last pull has found.
  void list_last() {
    std::uint32_t* const size = &(counts_.data() + at_)->found;
    on_.fill(size, 0, sizeof(*size));
    on_.launch(warps_, device::list_members{seen_[mask_].data(), seen_[1 - mask_].data(),
                                            static_cast<std::uint32_t>(graph::bit_set::words_for(own_) * 2),
                                            lists_[list_].data(), size});
    listed_ = true;
  }

  // Reads the counts of the last steps. The last one is the size of the next frontier.
  std::span<const counts> read(int steps) {
    const auto size = static_cast<std::size_t>(steps);
    on_.copy_out(found_.all().data(), counts_.data() + at_ + 1, size * sizeof(counts));
    on_.wait();
    at_ += static_cast<std::uint32_t>(steps);
    if (at_ + most_pushes_at_once >= places_of_counts) {
      at_ = 0;
      counts_.fill(0);
      counts_.copy_in(found_.all().subspan(size - 1, 1));
    }
    return found_.first(size);
  }

  On& on_;
  const std::uint32_t own_, words_, warps_;  // words of 32 bits: of a mask by local index
  const bool symmetric_;
  device::rows<On> in_, out_, mirrors_;  // out_: empty where the graph is symmetric
  std::array<device::array<std::uint32_t, On>, 2> seen_;
  device::array<device::place, On> places_;                // by own vertex, of those that are seen
  std::array<device::array<std::uint32_t, On>, 2> lists_;  // the frontier, and the vertices found
  device::array<device::row_piece, On> pieces_;
  device::array<counts, On> counts_;  // of the frontier at at_, then of the next steps; zero at first
  device::array<std::uint32_t, On> told_, told_size_;
  device::array_here<counts, On> found_;
  device::array_here<first_frontier, On> source_;
  bool has_pieces_ = false;
  std::uint32_t mask_ = 0, list_ = 0, at_ = 0;
  std::uint32_t told_now_ = 0;
  bool listed_ = true;  // the frontier is in lists_[list_]
};

// The progress of a search, the same at every core that makes its steps.
class gpu_search_progress {
 public:
  explicit gpu_search_progress(std::uint64_t vertices, std::uint64_t edges)
      : now_{.vertices = vertices, .unexplored_out_edges = edges} {}

  bool goes_on() const { return now_.frontier > 0; }
  std::uint64_t frontier() const { return now_.frontier; }
  bool pulling() const { return pulling_; }
  std::uint32_t level() const { return level_; }  // of the vertices that the next step finds
  int pulls() const { return pulls_; }
  std::uint64_t reached() const { return reached_; }

  void choose_direction(const steps::direction_options& options) {
    pulling_ = steps::pulls_next(options, pulling_, now_);
    pulls_ += pulling_ ? 1 : 0;
    const bool grows = now_.frontier > 2 * now_.frontier_before;
    small_ = !pulling_ && !grows && now_.frontier < most_of_small ? small_ + 1 : 0;
  }
  // Half as many pushes as there were small frontiers in a row without doubling.
  int pushes_at_once() const { return std::clamp(small_ / 2, 1, most_pushes_at_once); }

  void found(std::uint64_t vertices, std::uint64_t out_edges) {
    now_.frontier_before = std::exchange(now_.frontier, vertices);
    now_.frontier_out_edges = pulling_ ? 0 : out_edges;
    now_.unexplored_out_edges -= std::min(now_.unexplored_out_edges, now_.frontier_out_edges);
    reached_ += vertices;
    if (vertices > 0) ++level_;
  }

 private:
  static constexpr std::uint64_t most_of_small = 1 << 16;
  steps::search_progress now_;
  bool pulling_ = false;
  std::uint32_t level_ = 0;
  int pulls_ = 0, small_ = 0;
  std::uint64_t reached_ = 0;
};

}  // namespace orujo::internal::algorithms::detail
