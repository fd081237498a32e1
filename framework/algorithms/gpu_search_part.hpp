// One core's part of the searches on the GPUs of all locales (device_search.hpp).
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "framework/algorithms/device_search.hpp"
#include "framework/algorithms/gpu_search.hpp"
#include "framework/device/array.hpp"
#include "framework/device/gpu.hpp"
#include "framework/exchange/mirror_values.hpp"
#include "framework/graph/kept_forms.hpp"
#include "framework/graph/mirror_rows.hpp"
#include "framework/steps/direction.hpp"
#include "framework/steps/frontier_size.hpp"
#include "system/base/lap_clock.hpp"
#include "system/collectives/collectives.hpp"
#include "system/observe/step_log.hpp"
#include "system/observe/trace.hpp"

namespace orujo::internal::algorithms::detail {

// The part of a search that the cores of a locale share.
template <class On>
struct gpu_search_share : device::gpu<On> {
  gpu_search_share(const graph::locale_graph& g, int number, const graph::mirror_rows* rows_of_mirrors)
      : seen(std::size_t{g.own} + g.mirrors), places(g.own), mirrors(g.mirrors) {
    this->open(number, [&](On& opened) {
      pinned_places = {opened, places.part(0, places.size())};
      pinned_seen = {opened, seen.words()};
      search.emplace(opened, g, rows_of_mirrors);
    });
  }

  std::optional<gpu_search<On>> search;
  graph::bit_set seen;  // on several locales after every level, else when it is fetched
  machine::huge_array<device::place> places;
  device::pinned<On> pinned_places, pinned_seen;
  std::mutex fetching;
  bool fetched = false;
  // On several locales: vertices that the GPU found in this level, and mirrors that other locales have
  // reported.
  device::search_counts step{};
  std::vector<std::uint32_t> found;
  machine::huge_array<std::uint32_t> mirrors;
  std::atomic<std::uint32_t> told{0};
};

// One core's part.
template <class On>
class gpu_search_part final : public device_search {
  using share = gpu_search_share<On>;
  using counts = device::search_counts;

 public:
  // [task; suspends; collective over the job]
  gpu_search_part(const graph::locale_graph& g, const steps::direction_options& options,
                  const device::selection& device)
      : device_search(graph::require_forms(g, {.in_rows = true, .out_rows = true}, "device_search:")),
        options_(options),
        mirror_rows_(locales() > 1 ? graph::turn_mirror_rows(g) : nullptr),
        shared_(make_share(g, device)),
        told_(g, exchange::told_sets::growing) {}
  ~gpu_search_part() override { collectives::barrier(); }

  const device::gpu<On>& gpu() const { return *shared_; }

  search_report run(std::uint64_t source) override try {
    collectives::barrier();
    base::lap_clock began;
    observe::begin_run_of_steps();
    start(source);
    if (locales() > 1) {
      while (progress_->goes_on()) step_with_others();
    } else if (leads_locale()) {
      while (progress_->goes_on()) step_alone();
    }
    collectives::barrier();
    search_report mine;
    mine.seconds = began.lap();
    mine.times = times_;
    return finish(mine);
  } catch (const device::failure& why) {
    device::fail_for_gpu(why.what());
  }

 private:
  std::shared_ptr<share> make_share(const graph::locale_graph& g, const device::selection& device) {
    const int number = device::gpu_of_locale(device);
    return collectives::share_on_locale<share>(
        [&] { return std::make_shared<share>(g, number, mirror_rows_.get()); });
  }

  void start(std::uint64_t source) {
    told_.forget();
    progress_.emplace(graph_.vertices, graph_.edges);
    times_ = {};
    clock_.start();
    if (!leads_locale()) return locales() > 1 ? meet() : void();
    shared_->fetched = false;
    shared_->step = {};
    shared_->seen.clear(0, shared_->seen.size_in_words());
    std::optional<std::uint32_t> mine;
    if (source - graph_.first_vertex < graph_.own) {
      mine = static_cast<std::uint32_t>(source - graph_.first_vertex);
      shared_->step = {1, 0, graph_.out_degree[*mine]};
      shared_->seen.set(*mine);
      shared_->found.assign(1, *mine);
    }
    shared_->search->start(mine);
    locales() > 1 ? meet() : progress_->found(shared_->step.found, shared_->step.out_edges);
  }

  // The first core of the only locale makes the steps by itself.
  void step_alone() {
    gpu_search_progress& p = *progress_;
    p.choose_direction(options_);
    const observe::trace_scope traced(p.pulling() ? "pull on a GPU" : "push on a GPU", p.frontier());
    const observe::step_scope step(p.pulling() ? "pull" : "push", p.frontier());
    gpu_search<On>& search = *shared_->search;
    if (p.pulling()) {
      const counts& found = search.pull(p.level());
      p.found(found.found, found.out_edges);
    } else {
      for (const counts& found : search.push(p.level(), p.pushes_at_once())) {
        p.found(found.found, found.out_edges);
        if (found.found == 0) break;
      }
    }
    (p.pulling() ? times_.pull : times_.push) += clock_.lap();
  }

  void step_with_others() {
    gpu_search_progress& p = *progress_;
    p.choose_direction(options_);
    const observe::trace_scope traced(p.pulling() ? "pull on a GPU" : "push on a GPU", p.frontier());
    const observe::step_scope step(p.pulling() ? "pull" : "push", p.frontier());
    if (leads_locale()) {
      gpu_search<On>& search = *shared_->search;
      shared_->step = p.pulling() ? search.pull(p.level()) : search.push(p.level(), 1).front();
      search.copy_seen(shared_->seen.words());
      search.copy_found(shared_->found, shared_->step.found);
      search.wait();
    }
    (p.pulling() ? times_.pull : times_.push) += clock_.lap();
    meet();
  }

  // All cores send the vertices that the GPU has found to other locales, and the GPU receives theirs.
  void meet() {
    collectives::barrier(collectives::group::locale);
    steps::frontier_counts mine;
    if (leads_locale()) {
      mine = {shared_->step.found, shared_->step.out_edges};
      shared_->told.store(0, std::memory_order_relaxed);
    }
    told_.send_fresh(shared_->seen.words(), shared_->found);
    const steps::frontier_counts all =
        told_.meet(mine, [](steps::frontier_counts a, const steps::frontier_counts& b) { return a += b; });
    times_.reduction += clock_.lap();
    mirrors_.clear();
    told_.await({.members = shared_->seen.words(), .news = &mirrors_});
    const std::uint32_t at =
        shared_->told.fetch_add(static_cast<std::uint32_t>(mirrors_.size()), std::memory_order_relaxed);
    std::copy(mirrors_.begin(), mirrors_.end(), shared_->mirrors.data() + at);
    collectives::barrier(collectives::group::locale);
    if (leads_locale()) {
      shared_->found.clear();
      shared_->search->see_mirrors(shared_->mirrors.part(0, shared_->told.load(std::memory_order_relaxed)));
    }
    times_.exchange += clock_.lap();
    progress_->found(all.vertices, all.out_edges);
  }

  search_report finish(search_report mine) {
    struct totals {
      std::uint64_t vertices, out_edges, levels, pulls;
      exchange::byte_counts exchanged;
    };
    totals of{0, 0, 0, 0, told_.bytes()};
    if (leads_locale()) {
      of.out_edges = shared_->search->out_edges();
      of.vertices = my_core() == 0 ? progress_->reached() : 0;
      of.levels = progress_->level();
      of.pulls = static_cast<std::uint64_t>(progress_->pulls());
    }
    const totals all = collectives::all_reduce(of, [](totals a, const totals& b) {
      a.vertices += b.vertices;
      a.out_edges += b.out_edges;
      a.levels = std::max(a.levels, b.levels);
      a.pulls = std::max(a.pulls, b.pulls);
      a.exchanged += b.exchanged;
      return a;
    });
    mine.vertices = all.vertices;
    mine.out_edges = all.out_edges;
    mine.levels = static_cast<int>(all.levels);
    mine.pulls = static_cast<int>(all.pulls);
    mine.exchanged = all.exchanged;
    return mine;
  }

  result fetch() override try {
    const std::lock_guard<std::mutex> alone(shared_->fetching);
    if (!std::exchange(shared_->fetched, true)) {
      shared_->search->copy_places({shared_->places.data(), shared_->places.size()});
      shared_->search->copy_seen(shared_->seen.words());
      shared_->search->block();
    }
    return {shared_->seen, shared_->places.data()};
  } catch (const device::failure& why) {
    device::fail_for_gpu(why.what());
  }

  const steps::direction_options options_;
  std::shared_ptr<const graph::mirror_rows> mirror_rows_;
  std::shared_ptr<share> shared_;
  exchange::mirror_values<> told_;
  std::optional<gpu_search_progress> progress_;
  std::vector<std::uint32_t> mirrors_;  // that this core has received
  steps::search_times times_;
  base::lap_clock clock_;
};

template <class On>
std::shared_ptr<device_search> make_search_on(const graph::locale_graph& g,
                                              const steps::direction_options& options,
                                              const device::selection& device) try {
  const auto made = std::make_shared<gpu_search_part<On>>(g, options, device);
  if (!device::all_have_gpus(device, made->gpu().wrong, made->gpu().name())) return nullptr;
  return made;
} catch (const device::failure& why) {
  device::fail_for_gpu(why.what());
}

}  // namespace orujo::internal::algorithms::detail
