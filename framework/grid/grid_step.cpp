#include "framework/grid/grid_step.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "framework/device/failure.hpp"
#include "framework/device/mask_packer.hpp"
#include "framework/device/serial.hpp"
#include "framework/exchange/peers.hpp"
#include "framework/graph/bit_set.hpp"
#include "framework/grid/grid_gpu.hpp"
#include "framework/steps/dealer.hpp"
#include "framework/steps/row_pull.hpp"
#include "system/base/fatal.hpp"
#include "system/base/identity.hpp"
#include "system/collectives/collectives.hpp"
#include "system/machine/isa.hpp"
#include "system/tasks/scheduler.hpp"

namespace orujo::internal::algorithms::detail {
namespace {

// Steps by the cores of the locale, which take words of masks in turn.
class cpu_step final : public grid_step {
  using word = bit_set::word;

 public:
  cpu_step(const graph::locale_grid& g, grid_state& state) : graph_(g), state_(state) {}

  void push(grid_state::dealers& dealt) override {
    if (my_locales_cores() == 1) {
      push<false>(dealt.first);
    } else {
      push<true>(dealt.first);
    }
  }
  void pull_own(grid_state::dealers& dealt) override {
    const std::size_t own = state_.section(my_locale());
    pull(
        state_.words, [=](std::size_t k) { return own + k; }, dealt.first);
  }
  void pull_others(grid_state::dealers& dealt) override {
    const std::size_t own = state_.section(my_locale()), range = state_.words;
    pull(
        state_.targets.size_in_words() - range, [=](std::size_t k) { return k < own ? k : k + range; },
        dealt.later);
  }

 private:
  // Other cores push, too, if `Shared` is set.
  template <bool Shared>
  void push(steps::dealer& by) {
    const graph::adjacency& rows = *graph_.by_source;
    bit_set& targets = state_.targets;
    bit_set& found = state_.found;
    std::uint32_t* const parents = state_.parents.data();
    const auto find = [&](std::uint32_t source, std::uint32_t target) {
      if constexpr (Shared) {
        if (!targets.shared_set(target)) return;
        found.shared_set(target);
      } else {
        if (targets.test(target)) return;
        targets.set(target);
        found.set(target);
      }
      parents[target] = source;
    };
    const std::span<const word> fresh = state_.fresh.words();
    share_words(fresh.size(), by, [&](std::size_t first, std::size_t last) {
      const auto words = fresh.subspan(first, last - first);
      if (std::ranges::all_of(words, [](word w) { return w == 0; })) return false;
      steps::fetch_rows(rows, first, fresh[first]);
      for (std::size_t w = first; w < last; ++w) {
        if (w + 1 < last) steps::fetch_rows(rows, w + 1, fresh[w + 1]);
        state_.fresh.for_each(w, w + 1, [&](std::size_t source) {
          const auto from = static_cast<std::uint32_t>(source);
          for (const std::uint32_t target : rows.of(from)) find(from, target);
        });
      }
      return true;
    });
  }

  // The unseen vertices of `words` words search for parents. word_at(k) returns the k-th word.
  template <class WordAt>
  void pull(std::size_t words, WordAt word_at, steps::dealer& by) {
    const graph::adjacency& rows = *graph_.by_target;
    const std::span<word> targets = state_.targets.words(), found = state_.found.words();
    const auto unseen = [&](std::size_t w) { return state_.pullable.words()[w] & ~targets[w]; };
    const auto fetch = [&](std::size_t k) { steps::fetch_rows(rows, word_at(k), unseen(word_at(k))); };
    share_words(words, by, [&](std::size_t first, std::size_t last) {
      fetch(first);
      for (std::size_t k = first; k < last; ++k) {
        if (k + 1 < last) fetch(k + 1);
        const std::size_t w = word_at(k);
        found[w] = steps::pull_word(rows, state_.sources, w, unseen(w),
                                    state_.parents.data() + w * bit_set::word_bits);
        targets[w] |= found[w];
      }
      return true;
    });
  }

  // Words of a mask that a core takes at a time. It handles messages after each chunk, which may cost a
  // system call.
  static constexpr std::size_t most_words_of_chunk = 256;

  // Calls work(first, last) for chunks of the words, which the locale's cores take in turn. It returns
  // whether there was any work.
  template <class Work>
  void share_words(std::size_t words, steps::dealer& by, Work work) const {
    const auto cores = static_cast<std::size_t>(my_locales_cores());
    const std::size_t chunk = std::clamp<std::size_t>(words / (cores * 64), 1, most_words_of_chunk);
    by.deal(words, chunk, [&](std::size_t first, std::size_t last) {
      if (machine::compiled_for(isa_, [&] { return work(first, last); })) tasks::yield();
    });
  }

  const graph::locale_grid& graph_;
  grid_state& state_;
  const machine::instruction_set isa_ = machine::simd_from_flags();
};

// A locale's GPU, or the reason why it has none.
struct held_gpu {
  std::unique_ptr<grid_gpu> gpu;
  std::string wrong;
};

// Steps by the locale's GPU, which its first core controls.
class gpu_step final : public grid_step {
 public:
  explicit gpu_step(std::shared_ptr<held_gpu> held) : held_(std::move(held)) {}

  void begin() override { lead(&grid_gpu::begin); }
  void push(grid_state::dealers&) override { lead(&grid_gpu::push); }
  void pull_own(grid_state::dealers&) override { lead(&grid_gpu::pull_own); }
  void pull_others(grid_state::dealers&) override { lead(&grid_gpu::pull_others); }
  void bring_parents() override { lead(&grid_gpu::bring_parents); }
  bool packs_found() const override { return held_->gpu->packs_found(); }
  void for_each_message(locale_id l, const send_message& send) const override {
    held_->gpu->for_each_message(l, my_core_of_locale(), send);
  }
  double copy_seconds() const override { return held_->gpu->copy_seconds(); }

 private:
  void lead(void (grid_gpu::*does)()) const {
    if (!leads_locale()) return;
    try {
      ((*held_->gpu).*does)();
    } catch (const device::failure& why) {
      device::fail_for_gpu(why.what());
    }
  }

  const std::shared_ptr<held_gpu> held_;
};

std::unique_ptr<grid_gpu> make_emulated_gpu(const graph::locale_grid& g, grid_state& state, int number,
                                            const found_packing& packing) {
  return std::make_unique<grid_gpu_on<device::serial>>(g, state, number, packing);
}

// [task; suspends; collective over the job]
found_packing packing_of(const graph::locale_grid& g, const exchange::codec_options& codecs) {
  const exchange::node_mates mates;
  found_packing packing{device::pack_rule_of(codecs), {}};
  for (int column = 0; column < g.shape.columns; ++column) {
    const core_id there = shape().first_core_of(g.shape.at(g.row, column));
    packing.encodes.push_back(device::encodes(codecs, mates.contain(there)));
  }
  return packing;
}

std::shared_ptr<held_gpu> hold_gpu(make_grid_gpu make, const graph::locale_grid& g, grid_state& state,
                                   int number, const found_packing& packing) {
  const auto held = std::make_shared<held_gpu>();
  try {
    if (make == nullptr) throw device::failure("this program is built without CUDA");
    held->gpu = make(g, state, number, packing);
  } catch (const device::failure& why) {
    held->wrong = why.what();
  }
  return held;
}

}  // namespace

std::unique_ptr<grid_step> make_grid_step(const graph::locale_grid& g, grid_state& state,
                                          const device::selection& device,
                                          const exchange::codec_options& codecs) {
  const auto make = device.wanted == device::kind::emulated ? &make_emulated_gpu : make_cuda_grid_gpu;
  if (!device.may_be_gpu()) return std::make_unique<cpu_step>(g, state);
  const int number = device::gpu_of_locale(device);
  const found_packing packing = packing_of(g, codecs);
  auto held = collectives::share_on_locale<held_gpu>(
      [&, number] { return hold_gpu(make, g, state, number, packing); });
  if (!device::all_have_gpus(device, held->wrong, held->gpu ? held->gpu->name() : std::string()))
    return std::make_unique<cpu_step>(g, state);
  return std::make_unique<gpu_step>(std::move(held));
}

}  // namespace orujo::internal::algorithms::detail
