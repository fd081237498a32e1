// A GPU that processes the edges of a locale in a search on a grid of locales.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "framework/device/array.hpp"
#include "framework/device/grid_steps.hpp"
#include "framework/device/mask_packer.hpp"
#include "framework/device/rows.hpp"
#include "framework/device/search.hpp"
#include "framework/graph/bit_set.hpp"
#include "framework/grid/grid_graph.hpp"
#include "framework/grid/grid_state.hpp"
#include "framework/grid/grid_step.hpp"
#include "framework/grid/range_exchange.hpp"
#include "system/base/identity.hpp"
#include "system/base/index_range.hpp"
#include "system/base/lap_clock.hpp"

namespace orujo::internal::algorithms::detail {

// A GPU as grid_step (grid_step.hpp) uses it, by tasks of the locale's first core. Its functions are those of
// grid_step. They suspend, and throw `device::failure` if the GPU is lost.
class grid_gpu {
 public:
  virtual ~grid_gpu() = default;
  virtual void begin() = 0;
  virtual void push() = 0;
  virtual void pull_own() = 0;
  virtual void pull_others() = 0;
  virtual void bring_parents() = 0;
  virtual bool packs_found() const = 0;
  virtual void for_each_message(locale_id l, int core_of_locale,
                                const grid_step::send_message& send) const = 0;
  virtual std::string name() const = 0;
  double copy_seconds() const { return copy_seconds_; }

 protected:
  double copy_seconds_ = 0;  // of the last one
};

// How a GPU packs the new vertices of other locales of the row.
struct found_packing {
  std::optional<device::pack_rule> rule;  // none: the cores pack them
  std::vector<std::uint32_t> encodes;     // by column, whether lists to its locale are encoded
};

// Opens the GPU of this number, with the locale's edges; `g` and `state` outlive it. Throws `device::failure`
// if there is no such GPU, or too little memory. The pointer is null if the program has no CUDA. A source for
// CUDA's compiler sets it.
using make_grid_gpu = std::unique_ptr<grid_gpu> (*)(const graph::locale_grid& g, grid_state& state,
                                                    int number, const found_packing& packing);
inline make_grid_gpu make_cuda_grid_gpu = nullptr;

// The code for both kinds of GPUs: `On` is `device::cuda` or `device::serial`. It keeps the edges, the masks
// and the parents on the GPU. Masks that the locale receives are copied there before a step. New vertices are
// copied back after it, packed for other locales if the GPU has the codec. Parents are copied once.
//
// Takes 4 bytes per edge in either direction, 12 bytes and 3 bits per vertex of the locale's row, 12 bytes
// and 2 bits per vertex of its column. To pack, it takes 2 bytes and a bit per vertex of the row.
template <class On>
class grid_gpu_on final : public grid_gpu {
 public:
  grid_gpu_on(const graph::locale_grid& g, grid_state& state, int number, const found_packing& packing)
      : state_(state),
        on_(number),
        out_(on_, *g.by_source, state.shape.column_size(), false),
        in_(on_, *g.by_target, state.shape.row_size(), false),
        sources_(on_, words_of(state.sources)),
        fresh_(on_, words_of(state.fresh)),
        targets_(on_, words_of(state.targets)),
        pullable_(on_, words_of(state.pullable)),
        found_(on_, words_of(state.found)),
        parents_(on_, state.parents.size()),
        frontier_(on_, state.shape.column_size()),
        pieces_(on_, device::most_pieces(out_.edges())),
        sizes_(on_, 1) {
    each_word(pullable_.size(),
              device::mark_rows_of_word{in_.view(), static_cast<std::uint32_t>(state.shape.row_size()),
                                        pullable_.data()});
    if (!alone_in_row() && packing.rule) {
      possible_ = {on_, words_of(state.found)};
      packer_.emplace(on_, segments_of_others(packing), *packing.rule);
    }
    on_.wait();
    pinned_fresh_ = {on_, state.fresh.words()};
    pinned_targets_ = {on_, state.targets.words()};
    pinned_found_ = {on_, state.found.words()};
    pinned_parents_ = {on_, state.parents.part(0, state.parents.size())};
  }

  void begin() override {
    for (auto* cleared : {&sources_, &fresh_, &targets_, &found_}) cleared->fill(0);
    first_ = true;
  }

  void push() override {
    hear_frontier();
    sizes* const size = sizes_.data();
    each_word(found_.size(), device::copy_word{targets_.data(), found_.data()});
    sizes_.fill(0);
    launch(fresh_.size(),
           device::list_members{fresh_.data(), nullptr, count_of(fresh_), frontier_.data(), &size->frontier});
    const device::find_targets_of_sources visitor{targets_.data(), parents_.data()};
    on_.launch(on_.resident_warps(),
               device::walk_rows<device::find_targets_of_sources>{
                   {out_.view(), frontier_.data(), &size->frontier}, pieces_.data(), &size->pieces, visitor});
    on_.launch(on_.resident_warps(), device::walk_pieces<device::find_targets_of_sources>{
                                         out_.view(), pieces_.data(), &size->pieces, visitor});
    each_word(found_.size(), device::keep_news_of_word{targets_.data(), found_.data()});
    on_.wait();
    clock_.start();
    bring(state_.found, found_, own_of_row());
    bring_others();
    end_copies();
  }

  void pull_own() override {
    hear_frontier();
    const words own = own_of_row();
    find_sources(own.size(), 0, own.first);
    clock_.start();
    bring(state_.found, found_, own);
    if (!alone_in_row()) bring(state_.targets, targets_, own);
    end_copies();
  }

  void pull_others() override {
    const words own = own_of_row();
    begin_copies();
    for (const words& others : others_of_row()) hear(targets_, state_.targets, others);
    end_copies();
    find_sources(state_.found.size_in_words() - own.size(), own.first, own.size());
    clock_.start();
    bring_others();
    end_copies();
  }

  void bring_parents() override {
    begin_copies();
    parents_.copy_out(state_.parents.part(0, state_.parents.size()));
    end_copies();
  }

  bool packs_found() const override { return packer_.has_value(); }
  void for_each_message(locale_id l, int core_of_locale, const grid_step::send_message& send) const override {
    const std::size_t part = part_of(state_.shape.column_of(l), core_of_locale);
    for (std::size_t s = first_segments_[part]; s < first_segments_[part + 1]; ++s) {
      const device::mask_segment& of = packer_->segments()[s];
      const device::packed_segment& packed = packer_->packed(s);
      const std::span<const std::byte> message = std::as_bytes(packer_->message(s));
      const bool as_words = packed.codec == device::packed_segment::as_words;
      send({{static_cast<std::uint32_t>(of.first / halves - state_.section(l)),
             static_cast<std::uint32_t>(of.words / halves),
             as_words ? exchange::bit_stretch::as_words : packed.count, packed.squeezed != 0},
            message,
            {8 * std::uint64_t{packed.count}, message.size()}});
    }
  }

  std::string name() const override { return on_.name(); }

 private:
  using mask = device::array<std::uint32_t, On>;
  // Words of bit_sets, of which the GPU sees two in each.
  struct words {
    std::size_t first, last;
    std::size_t size() const { return last - first; }
  };
  static constexpr std::size_t halves = sizeof(bit_set::word) / sizeof(std::uint32_t);
  struct sizes {
    std::uint32_t frontier, pieces;
  };

  static std::size_t words_of(const bit_set& of) { return of.size_in_words() * halves; }
  static std::uint32_t count_of(const mask& of) { return static_cast<std::uint32_t>(of.size()); }

  bool alone_in_row() const { return state_.shape.columns == 1; }
  words own_of_row() const {
    const std::size_t own = state_.section(my_locale());
    return {own, own + state_.words};
  }
  std::array<words, 2> others_of_row() const {
    return {words{0, own_of_row().first}, words{own_of_row().last, state_.targets.size_in_words()}};
  }

  // Segments are by column of the row, and by core of the locale. Each core sends the segments of its words.
  std::size_t part_of(int column, int core_of_locale) const {
    return static_cast<std::size_t>(column * my_locales_cores() + core_of_locale);
  }
  std::vector<device::mask_segment> segments_of_others(const found_packing& packing) {
    constexpr std::size_t most = exchange::range_exchange::payload_bytes / sizeof(bit_set::word);
    std::vector<device::mask_segment> segments;
    const auto cores = static_cast<std::size_t>(my_locales_cores());
    for (std::size_t column = 0; column < packing.encodes.size(); ++column) {
      for (std::size_t core = 0; core < cores; ++core) {
        first_segments_.push_back(segments.size());
        if (static_cast<int>(column) == state_.shape.column_of(my_locale())) continue;
        const index_range mine = orujo::part_of({0, state_.words}, core, cores);
        for (std::size_t w = mine.first; w < mine.last; w += most)
          segments.push_back({static_cast<std::uint32_t>((column * state_.words + w) * halves),
                              static_cast<std::uint32_t>(std::min(most, mine.last - w) * halves),
                              packing.encodes[column]});
      }
    }
    first_segments_.push_back(segments.size());
    return segments;
  }

  // Gives the kernel a lane, or a warp, for each of the items, as far as the GPU has them.
  template <class Kernel>
  void launch(std::size_t items, const Kernel& kernel, std::size_t items_of_warp = device::lanes_of_warp) {
    const std::size_t most = (items + items_of_warp - 1) / items_of_warp;
    on_.launch(std::min(on_.resident_warps(), static_cast<std::uint32_t>(most)), kernel);
  }
  template <class Of>
  void each_word(std::size_t count, const Of& of) {
    launch(count, device::for_words<Of>{static_cast<std::uint32_t>(count), of});
  }

  void hear(mask& to, const bit_set& from, const words& which) {
    const std::span<const std::byte> bytes = std::as_bytes(from.words().subspan(which.first, which.size()));
    on_.copy_in(to.data() + which.first * halves, bytes.data(), bytes.size());
  }
  void bring(const bit_set& to, const mask& from, const words& which) {
    const std::span<std::byte> bytes = std::as_writable_bytes(to.words().subspan(which.first, which.size()));
    on_.copy_out(bytes.data(), from.data() + which.first * halves, bytes.size());
  }

  // Copies what is found for other locales of the row to the process.
  void bring_others() {
    for (const words& others : others_of_row()) {
      bring(state_.targets, targets_, others);
      if (!packer_) bring(state_.found, found_, others);
    }
    if (!packer_) return;
    each_word(found_.size(), device::mark_possible_of_word{pullable_.data(), targets_.data(), found_.data(),
                                                           possible_.data()});
    packer_->pack(found_.data(), possible_.data());
  }

  void begin_copies() {
    copy_seconds_ = 0;
    clock_.start();
  }
  void end_copies() {
    on_.wait();
    copy_seconds_ += clock_.lap();
  }

  // Copies the frontier and the seen own vertices to the GPU. If the row is this locale only, the GPU has its
  // own part of both from the superstep before, except in the first.
  void hear_frontier() {
    begin_copies();
    const std::size_t own = state_.column_section(my_locale()), end = own + state_.words;
    const bool knows = alone_in_row() && !first_;
    first_ = false;
    if (knows) {
      each_word(found_.size(), device::copy_word{found_.data(), fresh_.data() + own * halves});
      hear(fresh_, state_.fresh, {0, own});
      hear(fresh_, state_.fresh, {end, state_.fresh.size_in_words()});
    } else {
      hear(fresh_, state_.fresh, {0, state_.fresh.size_in_words()});
      hear(targets_, state_.targets, own_of_row());
    }
    end_copies();
    each_word(fresh_.size(), device::merge_word{fresh_.data(), sources_.data()});
  }

  // The targets of `count` words search for sources. The words from gap_at on lie `gap` words further on.
  void find_sources(std::size_t count, std::size_t gap_at, std::size_t gap) {
    const auto as_halves = [](std::size_t of) { return static_cast<std::uint32_t>(of * halves); };
    launch(count * halves,
           device::find_sources_of_targets{{in_.view(),
                                            static_cast<std::uint32_t>(state_.shape.row_size()),
                                            sources_.data(),
                                            {parents_.data()}},
                                           as_halves(count),
                                           as_halves(gap_at),
                                           as_halves(gap),
                                           pullable_.data(),
                                           targets_.data(),
                                           found_.data()},
           1);
    on_.wait();
  }

  grid_state& state_;
  On on_;
  bool first_ = true;  // superstep
  base::lap_clock clock_;
  device::rows<On> out_, in_;  // by column index and by row index
  mask sources_, fresh_;       // by column index
  mask targets_, pullable_, found_, possible_;
  std::vector<std::size_t> first_segments_;  // by part_of(), and the end
  std::optional<device::mask_packer<On>> packer_;
  device::array<std::uint32_t, On> parents_;
  device::array<std::uint32_t, On> frontier_;  // a list
  device::array<device::row_piece, On> pieces_;
  device::array<sizes, On> sizes_;
  device::pinned<On> pinned_fresh_, pinned_targets_, pinned_found_, pinned_parents_;
};

}  // namespace orujo::internal::algorithms::detail
