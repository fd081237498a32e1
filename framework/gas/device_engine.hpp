// The supersteps of a vertex program on a GPU, for one locale.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <list>
#include <span>
#include <utility>
#include <vector>

#include "framework/device/array.hpp"
#include "framework/device/program_steps.hpp"
#include "framework/device/pull.hpp"
#include "framework/device/rows.hpp"
#include "framework/gas/activity.hpp"
#include "framework/gas/program.hpp"
#include "framework/graph/bit_set.hpp"
#include "framework/graph/device_state.hpp"
#include "framework/graph/distributed_graph.hpp"

namespace orujo::internal::gas::detail {

// The state of a program on a GPU. The first copy moves it there; later copies use the same memory.
template <class On>
class moved_state final : public graph::device_state {
 public:
  moved_state(On& on, std::size_t vertices) : on_(on), vertices_(vertices) {}

  // Returns the copy of a program that the GPU can run.
  template <class Program>
  Program copy(const Program& program) {
    Program moved = program;
    next_ = values_.begin();
    if constexpr (requires { moved.device_state(*this); }) moved.device_state(*this);
    return moved;
  }
  // Copies the values back to the locale's memory.
  void copy_back() {
    for (const value& v : values_) {
      if (v.copied_back) v.there.copy_out(std::span(static_cast<std::byte*>(v.here), v.there.size()));
    }
  }

 private:
  struct value {
    void* here;
    bool copied_back;
    device::array<std::byte, On> there;
  };

  bool has_memory_of_its_own() const override { return On::on_gpu; }
  void* move(void* of_locale, std::size_t bytes_each, bool copied_back) override {
    if (next_ == values_.end()) {
      const std::span<const std::byte> bytes(static_cast<std::byte*>(of_locale), vertices_ * bytes_each);
      values_.push_back({of_locale, copied_back, device::array<std::byte, On>(on_, bytes)});
      next_ = std::prev(values_.end());
    }
    return (next_++)->there.data();
  }

  On& on_;
  const std::size_t vertices_;
  std::list<value> values_;
  typename std::list<value>::iterator next_;
};

// Used by one task of the locale. Throws `device::failure` if the GPU has too little memory or is lost.
template <vectors::pull_program Program, class On>
class device_engine {
  using value = typename Program::value;
  using partial = vectors::partial_total<Program>;
  static constexpr bool settles = has_settling_vertices<Program>;
  static constexpr bool lists = incremental_program<Program>;

 public:
  using sums = device::step_sums<Program>;

  // [task; suspends] The graph keeps in_rows in arrays, and out_rows if `pushes` is set.
  device_engine(On& on, const graph::locale_graph& g, bool pushes)
      : on_(on),
        graph_(g),
        warps_(on.resident_warps()),
        in_(on, *g.in_rows, g.own, true),
        classes_(on, g.in_rows->offsets.part(0, g.own + std::size_t{1})),
        slots_(on, classes_.pieces.size()),
        out_degree_(on, g.out_degree.part(0, g.own)),
        shown_(on, std::size_t{g.own} + g.mirrors),
        totals_(on, g.own),
        sums_(on, 2 * std::size_t{warps_} + 1),
        state_(on, g.own),
        found_(on, 1) {
    if (settles) settled_ = device::array<std::uint32_t, On>(on, words());
    if (!lists || !pushes) return;
    if (g.out_rows != g.in_rows) out_ = device::rows<On>(on, *g.out_rows, g.own, true);
    pieces_ = device::array<device::row_piece, On>(on, device::most_pieces(g.out_rows->edges()));
    touched_ = device::array<std::uint32_t, On>(on, words());
    active_ = device::array<std::uint32_t, On>(on, g.own);
    list_ = device::array<std::uint32_t, On>(on, g.own);
    counts_ = device::array<counts, On>(on, 1);
    touched_.fill(0);
  }

  // [task; suspends] Prepares the first superstep. `shown` is by local index, `active` and `settled` are by
  // own vertex.
  void begin(const Program& program, std::span<const value> shown, const graph::bit_set& active,
             const graph::bit_set& settled) {
    state_.copy(program);
    shown_.copy_in(shown);
    on_.launch(warps_, device::set_all<value>{totals_.data(), graph_.own,
                                              Program::combine.template identity<value>()});
    if (settles) on_.copy_in(settled_.data(), settled.words().data(), words() * sizeof(std::uint32_t));
    std::vector<std::uint32_t> listed;
    counts first{};
    if (active_.size() > 0) {
      active.for_each(0, active.size_in_words(),
                      [&](std::size_t v) { listed.push_back(static_cast<std::uint32_t>(v)); });
      active_.copy_in(listed);
      first.active = static_cast<std::uint32_t>(listed.size());
      counts_.copy_in({&first, 1});
    }
    on_.wait();
  }

  // [task; suspends] Copies the values of mirrors to the GPU. `shown` is by mirror.
  void show_mirrors(std::span<const value> shown) {
    shown_.copy_in(shown, graph_.own);
    on_.wait();
  }
  // [task; suspends] Copies the values of own vertices from the GPU.
  void copy_shown(std::span<value> to) const {
    shown_.copy_out(to);
    on_.wait();
  }
  // [task; suspends] Copies the program's state back.
  void end() {
    state_.copy_back();
    on_.wait();
  }

  // [task; suspends]
  sums pull(const Program& program) {
    const Program moved = state_.copy(program);
    device::pull(on_, device::pull_view<Program>{moved, in_.view(), shown_.data(), totals_.data(), settled()},
                 classes_, slots_);
    return apply(moved, false);
  }

  // [task; suspends] Pushes along the out-edges of the vertices that the last superstep left active.
  sums push(const Program& program) {
    const Program moved = state_.copy(program);
    const device::row_view rows = graph_.out_rows == graph_.in_rows ? in_.view() : out_.view();
    counts* const all = counts_.data();
    reset(&counts::pieces);
    reset(&counts::listed);
    const device::push_visitor<Program> visitor{moved,     rows.weights,    shown_.data(), totals_.data(),
                                                settled(), touched_.data(), list_.data(),  &all->listed};
    on_.launch(warps_, device::walk_rows<device::push_visitor<Program>>{
                           {rows, active_.data(), &all->active}, pieces_.data(), &all->pieces, visitor});
    on_.launch(warps_, device::walk_pieces<device::push_visitor<Program>>{rows, pieces_.data(), &all->pieces,
                                                                          visitor});
    if constexpr (delta_program<Program>)
      on_.launch(warps_, device::forget_told<value>{shown_.data(), active_.data(), &all->active});
    return apply(moved, true);
  }

 private:
  struct counts {
    std::uint32_t active, listed, pieces;
  };

  std::size_t words() const { return graph::bit_set::words_for(graph_.own) * 2; }
  std::uint32_t* settled() const { return settled_.data(); }
  void reset(std::uint32_t counts::*which) { on_.fill(&(counts_.data()->*which), 0, sizeof(std::uint32_t)); }

  sums apply(const Program& moved, bool touched) {
    counts* const all = counts_.data();
    if (all) reset(&counts::active);
    const device::vertex_view<Program> view{
        moved,     &graph_,        out_degree_.data(),           shown_.data(), totals_.data(),
        settled(), active_.data(), all ? &all->active : nullptr, sums_.data()};
    on_.launch(warps_, device::apply_program < Program, delta_program<Program>, settles,
               lists || settles > {view, graph_.own, touched ? list_.data() : nullptr,
                                   all ? &all->listed : nullptr, touched_.data()});
    sums* from = sums_.data();
    for (std::uint32_t size = warps_; size > 1;) {
      const std::uint32_t warps = (size + device::lanes_of_warp - 1) / device::lanes_of_warp;
      on_.launch(warps, device::add_up<Program>{from, size, from + size});
      from += size;
      size = warps;
    }
    on_.copy_out(found_.all().data(), from, sizeof(sums));
    on_.wait();
    return found_[0];
  }

  On& on_;
  const graph::locale_graph& graph_;
  const std::uint32_t warps_;
  device::rows<On> in_, out_;  // out_: empty where the graph is symmetric
  device::row_classes<On> classes_;
  device::array<partial, On> slots_;
  device::array<std::uint32_t, On> out_degree_;
  device::array<value, On> shown_;                      // by local index
  device::array<value, On> totals_;                     // by own vertex; between supersteps the identity
  device::array<sums, On> sums_;                        // by warp
  device::array<std::uint32_t, On> settled_, touched_;  // a bit per own vertex
  device::array<std::uint32_t, On> active_, list_;
  device::array<device::row_piece, On> pieces_;
  device::array<counts, On> counts_;
  moved_state<On> state_;
  device::array_here<sums, On> found_;
};

}  // namespace orujo::internal::gas::detail
