// Relaxation in order: values of vertices are improved along out-edges until nothing improves, those in the
// first bin first. Shortest paths by it are delta-stepping. The cores of a locale improve values together,
// and locales send each other the vertices whose edges they have relaxed.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "framework/exchange/codecs/selection.hpp"
#include "framework/exchange/mirror_values.hpp"
#include "framework/graph/bit_set.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "framework/graph/inner_rows.hpp"
#include "framework/graph/light_rows.hpp"
#include "framework/graph/mirror_rows.hpp"
#include "framework/steps/epochs.hpp"
#include "framework/steps/lookahead.hpp"
#include "framework/steps/relaxed_pull.hpp"
#include "framework/steps/relaxed_rows.hpp"
#include "framework/steps/row_order.hpp"
#include "framework/steps/search_step.hpp"
#include "framework/steps/shared_bins.hpp"
#include "system/base/check.hpp"
#include "system/base/identity.hpp"
#include "system/base/lap_clock.hpp"
#include "system/collectives/collectives.hpp"
#include "system/machine/huge_array.hpp"

namespace orujo::internal::steps {

// Figures of one core.
struct relaxation_report {
  std::uint64_t rounds = 0;  // of all cores together
  std::uint64_t edges = 0;   // that this core has relaxed
};

// One core's part. The algorithm is that of Meyer, Sanders, "Delta-stepping: a parallelizable shortest path
// algorithm", Journal of Algorithms 49(1), 2003, with any values in place of distances. Cores work off bins
// of vertices in ascending order (shared_bins.hpp). An edge is relaxed by combining what its source shows,
// along the edge, with what its target shows. A target that shows something better goes to the bin of its new
// value.
//
// On several locales a bin is the job's. Each locale works off its part of the bin along the edges that stay
// within the locale, with all that it adds to the bin meanwhile. At the end of the round it sends these
// vertices to each locale that mirrors them (as ghost vertices). That locale relaxes the edges to its own
// vertices. Where meetings take most of the time, a round has several bins (lookahead.hpp).
//
// Where vertices have many edges, heavy ones wait (graph/light_rows.hpp). Bins are in epochs, which heavy
// edges lead out of. Within an epoch only light edges are relaxed. At its end its vertices push along all of
// their edges, or all vertices pull that heavy edges may still improve, whichever is less work. Late epochs
// have few such vertices, so most heavy edges are never looked at.
//
// Rule says what values are. It is copied, and called by the core that has it:
//   using value = ...;                           // arithmetic, of 4 or 8 bytes
//   static constexpr bool by_weights = ...;      // false: every edge has weight 1
//   static constexpr bool monotone = ...;        // along() is no better with a heavier edge or a worse value
//   static constexpr std::uint64_t most_ahead;   // bins that a round of several locales may have
//   value along(value shown, float weight);      // what an edge contributes to its target
//   bool improves(value known, value through);   // a contribution is news to a target that shows `known`
//   value better(value known, value through);    // what the target then shows
//   std::uint64_t bin(std::uint32_t own, value); // of a vertex with this value; less than bins::none
//   bool leads(value shown);                     // if monotone: false for what was never improved or added
// What a target shows after all contributions does not depend on their order or number, as that of a minimum.
// Bins decide the order only: what comes late is put into the current bin.
template <class Rule>
class relaxation {
 public:
  using value = typename Rule::value;
  static constexpr std::uint64_t none = bins<int>::none;

  // [task; suspends; collective over the job] `shown` is the locale's array, by local index; mirrors get the
  // values that their owners send. The graph has out_rows, and on several locales in_rows. Weighted rows are
  // faster if they have arcs. On several locales the graph gets rows of mirrors, with weights if it has some,
  // the places of mirrors, and inner rows, and where it has in_rows it may get light rows. Without
  // `goes_ahead` a round has one bin.
  relaxation(const graph::locale_graph& g, std::span<value> shown, const Rule& rule,
             const exchange::codec_options& codec = exchange::codec_options_from_flags(),
             bool goes_ahead = true)
      : rule_(rule),
        graph_(g),
        rows_(*g.out_rows),
        by_weights_(Rule::by_weights && g.weighted),
        goes_ahead_(goes_ahead),
        shown_(shown),
        me_(my_core_of_locale()),
        arena_(collectives::share_on_locale<arena>(
            [&] { return std::make_shared<arena>(my_locales_cores(), locales() > 1 ? g.own : 0); })) {
    check(shown.size() == std::size_t{g.own} + g.mirrors, "a relaxation has a value for each local index");
    if (Rule::monotone && by_weights_ && g.in_rows) light_ = graph::find_light_rows(g);
    if (light_) pull_.emplace(g, shown_);
    if (locales() == 1) return;
    inner_rows_ = graph::find_inner_rows(g);
    if (by_weights_)
      arcs_of_mirrors_ = graph::turn_mirror_rows<graph::arc>(g);
    else
      edges_of_mirrors_ = graph::turn_mirror_rows(g);
    mirrors_.emplace(g, exchange::told_sets::unrelated, codec);
  }

  // [task] Begins a run. Then each core sets what its own vertices show, and adds some of them.
  void clear() {
    report_ = {};
    edges_before_ = 0;
    ahead_.reset();
    meeting_ns_ = 0;
    clock_.start();
    bins_.clear();
    next_ = {};
    epoch_.clear(light_ != nullptr);
  }
  // The edges of an own vertex of the locale are to be relaxed.
  void add(std::uint32_t own) {
    const std::uint64_t bin = rule_.bin(own, shown_[own]);
    bins_.push(bin, {own, shown_[own]});
    if (light_) {
      const std::uint64_t reached = rule_.bin(own, rule_.along(shown_[own], light_->heaviest));
      epoch_.learn_reach(reached > bin ? reached - bin : 0);
    }
  }
  // An own vertex of the locale has a value, but its edges are relaxed only if it improves.
  void leave() { epoch_.learn_reach(0); }
  // [task; suspends; collective over the job] After these: the first round begins at the first bin of any
  // core. Without agree() it begins at bin 0, and no edge waits. `rounds` were done elsewhere.
  void agree(std::uint64_t rounds = 0) {
    report_.rounds = rounds;
    next_ = collectives::all_reduce(outlook{bins_.first_from(0), {}, {}, epoch_.reach()}, first_of());
    epoch_.learn_reach(next_.reach);
    begin_epoch(next_.bin);
  }
  // [task; suspends; collective over the job] Does a round of all cores together. Returns false if nothing is
  // left.
  bool step() {
    if (mirrors_ ? !round_of_locales() : !round_of_locale()) return false;
    ++report_.rounds;
    return true;
  }

  // [task; suspends; collective over the job] True if step() would find something left.
  bool has_more() const {
    if (mirrors_) return next_.bin != none;
    return collectives::all_reduce(
               epoch_.waits().vertices > 0 || bins_.first_from(bins_.current()) != none ? 1 : 0) > 0;
  }

  // Between steps these are the same at every core. Values in bins before settled() are final if
  // contributions never come before their source. No vertex of a bin from end() on has been relaxed, but for
  // those to which one core has gone on alone: end() is behind them after the next step.
  std::uint64_t settled() const { return mirrors_ ? next_.bin : bins_.round(); }
  std::uint64_t end() const { return bins_.end(); }

  // [task; suspends; collective over the job] On several locales, without weights: goes on from vertices in a
  // bin. Each core passes some of its locale's own vertices. Returns before the first bin that is `end` or
  // more, or that has many edges.
  struct gone_on {
    // The next bin, or none if nothing is left. Values of own vertices are final up to it, those of mirrors
    // below it. Later ones may still improve.
    std::uint64_t bin;
    std::uint64_t edges;  // examined by all cores
  };
  gone_on go_on(std::span<const std::uint32_t> found, std::uint64_t bin, std::uint64_t end) {
    clear();
    for (const std::uint32_t v : found) add(v);
    next_.bin = bin;
    std::uint64_t edges = 0;
    do {
      step();
      edges += next_.last.edges;
    } while (next_.bin < end && ahead_.steps() > 1);
    return {next_.bin, edges};
  }

  // Since clear().
  const relaxation_report& report() const { return report_; }

 private:
  static constexpr std::uint64_t fetched_of_row = 32, fetched_at_once = 8;  // edges

  using found_vertex = steps::found_vertex<value>;
  using waiting = typename epochs<Rule>::waiting;
  // Own vertices with mirrors that a core was the first to relax in a round.
  struct alignas(64) told_vertices {
    std::vector<std::uint32_t> vertices;
  };
  struct arena {
    arena(int cores, std::uint32_t own) : to_tell(cores), is_told(own) {}
    // Vertices to tell mirrors of after a round between locales, as lists by core and as bits.
    by_core<told_vertices> to_tell;
    graph::bit_set is_told;
  };
  // The first bin of the next round and figures of the last round, reduced over all cores.
  struct outlook {
    std::uint64_t bin;
    lookahead::measured last = {};
    waiting waits = {};
    std::uint64_t reach = 0;  // of light edges, in agree()
  };
  auto first_of() const {
    return [this](outlook a, const outlook& b) {
      a.bin = std::min(a.bin, b.bin);
      a.last += b.last;
      a.waits = epochs<Rule>::both(rule_, a.waits, b.waits);
      a.reach = std::min(a.reach, b.reach);
      return a;
    };
  }

  value read(std::uint32_t local) const {
    return std::atomic_ref(shown_[local]).load(std::memory_order_relaxed);
  }

  bool round_of_locale() {
    while (!bins_.work_off_next(
        epoch_.end(), [this](auto& bin) { arrange(bin); },
        [this](std::span<const found_vertex> found) { relax(found); })) {
      if (!epoch_.under_way()) return false;
      pull_->renew();
      relax_heavy(collectives::all_reduce(outlook{none, {}, epoch_.waits()}, first_of()).waits);
      begin_epoch(collectives::all_reduce(outlook{bins_.first_from(bins_.current())}, first_of()).bin);
    }
    return true;
  }

  bool round_of_locales() {
    if (next_.bin == none) return false;
    const std::uint64_t first = next_.bin;
    if (!epoch_.under_way() || first >= epoch_.end()) begin_epoch(first);
    bins_.begin_at(first);
    first_outside_ = none;
    const std::uint64_t last = std::min(first + steps_from(first), epoch_.end());
    bins_.extend_end(last);
    const auto few_so_far = [this] { return report_.edges - edges_before_ < ahead_.edges(); };
    while (bins_.work_off_next_before(
        few_so_far() ? last : first + 1, [this](auto& bin) { arrange(bin); },
        [this](std::span<const found_vertex> found) { relax(found); })) {
    }
    bins_.begin_at(first);  // mirrors of this round may lead there
    if (pull_) pull_->renew();
    tell_mirrors();
    meet(first);
    if (next_.bin != none) bins_.begin_at(next_.bin);
    relax_mirrors();
    if (next_.bin >= epoch_.end() && next_.waits.vertices > 0) {
      next_.bin = epoch_.end();
      bins_.begin_at(next_.bin);
      collectives::barrier(collectives::group::locale);  // other cores have received mirrors, too
      relax_heavy(next_.waits);
    }
    return true;
  }
  std::uint64_t steps_from(std::uint64_t bin) const {
    return goes_ahead_ ? std::min(ahead_.steps(), none - bin) : 1;
  }

  // Agrees with all cores on the first bin of the next round. A core that sends vertices counts the first bin
  // to which these may lead, whether or not the owner there has as good a value already. Afterwards the
  // mirrors that this core has received have their values.
  void meet(std::uint64_t first) {
    const std::uint64_t mine = std::min(first_outside_, bins_.first_from(first));
    const lookahead::measured round{report_.edges - edges_before_, clock_.lap_ns(), meeting_ns_};
    edges_before_ = report_.edges;
    next_ = mirrors_->meet(outlook{mine, round, epoch_.waits()}, first_of());
    for (const std::uint32_t v : arena_->to_tell[me_].vertices) arena_->is_told.shared_reset(v);
    arena_->to_tell[me_].vertices.clear();
    mirrors_->await();
    meeting_ns_ = clock_.lap_ns();
    if (next_.bin != none) ahead_.learn(next_.last, next_.bin - first, cores());
  }

  // Tells mirrors of the vertices that the locale has relaxed, each once and with its last value. Vertices
  // that improve afterwards are relaxed and sent again.
  void tell_mirrors() {
    collectives::barrier(collectives::group::locale);
    std::vector<std::span<const std::uint32_t>> lists;
    for (const told_vertices& of : arena_->to_tell) lists.emplace_back(of.vertices);
    mirrors_->open({.shown = shown_.data(), .news = &told_});
    mirrors_->send_fresh(arena_->is_told.words(), lists, [this](std::uint32_t v) { return shown_[v]; });
  }
  // Notes that an own vertex has to be sent to its mirrors.
  template <sharing With>
  void will_tell(std::uint32_t vertex) {
    graph::bit_set& told = arena_->is_told;
    if constexpr (With == sharing::none) {
      if (told.test(vertex)) return;
      told.set(vertex);
    } else {
      if (!told.shared_set(vertex)) return;
    }
    arena_->to_tell[me_].vertices.push_back(vertex);
  }

  // Puts many vertices of a bin in the order of their rows. Another core may improve one of them meanwhile.
  void arrange(std::vector<found_vertex>& bin) {
    if (!order_.pays(bin.size())) return;
    for (const auto& [vertex, shown] : bin) {
      if (read(vertex) == shown) order_.add(vertex);
    }
    bin.clear();
    order_.take([&](std::uint32_t v) { bin.push_back({v, read(v)}); });
  }

  // Relaxes the edges of received mirrors. It comes after meet(), because before that a core of the locale
  // may still offer its bins.
  void relax_mirrors() {
    found_mirrors_.clear();
    for (const std::uint32_t m : told_) found_mirrors_.push_back({m - graph_.own, shown_[m]});
    told_.clear();
    if constexpr (Rule::monotone) {
      if (epoch_.under_way()) {
        epoch_.add_mirrors(found_mirrors_);
        return relax(found_mirrors_, relaxed::light_rows<false>{light_->of_mirrors.data()},
                     relaxed::arcs{light_->mirrors_edges.data()});
      }
    }
    relax_all_of_mirrors(found_mirrors_);
  }
  void relax_all_of_mirrors(std::span<const found_vertex> found) {
    if constexpr (Rule::by_weights) {
      if (by_weights_)
        return relax(found, relaxed::whole_rows<false>{arcs_of_mirrors_->offsets()},
                     relaxed::arcs{arcs_of_mirrors_->targets()});
    }
    relax(found, relaxed::whole_rows<false>{edges_of_mirrors_->offsets()},
          relaxed::unweighted{edges_of_mirrors_->targets()});
  }
  // Relaxes the edges of own vertices, or only light ones within an epoch.
  void relax(std::span<const found_vertex> found) {
    if constexpr (Rule::monotone) {
      if (epoch_.under_way())
        return relax(found, relaxed::light_rows<true>{light_->of_own.data()},
                     relaxed::arcs{light_->own_edges.data()});
    }
    inner_rows_ ? relax_along(found, relaxed::inner_rows<true>{inner_rows_->data(), !by_weights_})
                : relax_along(found, relaxed::whole_rows<true>{rows_.offsets.data()});
  }
  template <class Rows>
  void relax_along(std::span<const found_vertex> found, const Rows& rows) {
    if constexpr (Rule::by_weights) {
      if (by_weights_ && rows_.arcs.size() > 0) return relax(found, rows, relaxed::arcs{rows_.arcs.data()});
      if (by_weights_)
        return relax(found, rows, relaxed::side_by_side{rows_.neighbours.data(), rows_.weights.data()});
    }
    relax(found, rows, relaxed::unweighted{rows_.neighbours.data()});
  }

  // Bins from this one on are the next epoch's.
  void begin_epoch(std::uint64_t bin) { epoch_.begin(bin, mirrors_ ? steps_from(bin) : 1); }
  // [task; suspends; collective over the locale] Relaxes the heavy edges of the epoch's vertices. `all` is of
  // the job. Values of mirrors are those that their owners have sent.
  void relax_heavy(const waiting& all) {
    if constexpr (Rule::monotone) {
      if (!epoch_.pushes(all, light_->sources, graph_.edges)) {
        report_.edges += pull_->pull(rule_, rule_.along(all.best, light_->heaviest),
                                     [this](std::uint32_t vertex, value known, value through) {
                                       improve<sharing::cores>(vertex, known, through);
                                     });
      } else if (mirrors_) {
        relax_along(epoch_.own(), relaxed::inner_rows<false>{inner_rows_->data(), false});
        relax_all_of_mirrors(epoch_.mirrors());
      } else {
        relax_along(epoch_.own(), relaxed::whole_rows<true>{rows_.offsets.data()});
      }
      epoch_.forget();
    }
  }
  template <class Rows, class Edges>
  void relax(std::span<const found_vertex> found, const Rows& rows, const Edges& edges) {
    my_locales_cores() > 1 && !bins_.alone() ? relax_with<sharing::cores>(found, rows, edges)
                                             : relax_with<sharing::none>(found, rows, edges);
  }
  template <sharing With, class Rows, class Edges>
  void relax_with(std::span<const found_vertex> found, Rows rows, Edges edges) {
    using namespace relaxed;
    value* const shown = shown_.data();
    const std::size_t count = found.size();
    std::uint64_t looked_at = 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (i + 2 * found_ahead < count) {
        const std::uint32_t v = found[i + 2 * found_ahead].vertex;
        rows.fetch(v);
        if constexpr (Rows::of_own) __builtin_prefetch(&shown[v]);
      }
      if (i + found_ahead < count) {
        const relaxed::slots ahead = rows[found[i + found_ahead].vertex];
        const std::uint64_t end = std::min(ahead.last, ahead.first + fetched_of_row);
        for (std::uint64_t k = ahead.first; k < end; k += fetched_at_once) edges.fetch(k);
      }
      const auto [vertex, of_source] = found[i];
      if constexpr (Rows::of_own) {
        if (read(vertex) != of_source) continue;
      }
      const auto [first, last, lightest_outer] = rows[vertex];
      looked_at += last - first;
      if constexpr (Rows::light) {
        epoch_.add(rule_, found[i], rows.rows[vertex].degree);
      }
      if constexpr (Rows::cut) {
        if (lightest_outer < relaxed::unreached) {
          will_tell<With>(vertex);
          first_outside_ =
              std::min(first_outside_, rule_.bin(vertex, rule_.along(of_source, lightest_outer)));
        }
      }
      for (std::uint64_t k = first; k < last; ++k) {
        if (k + neighbours_ahead < last) __builtin_prefetch(&shown[edges.target(k + neighbours_ahead)]);
        const std::uint32_t target = edges.target(k);
        const value through = rule_.along(of_source, edges.weight(k));
        const value known = read(target);
        if (rule_.improves(known, through)) improve<With>(target, known, through);
      }
    }
    report_.edges += looked_at;
  }
  // It is not inlined because most edges lead to vertices that show as much already, which the loop over
  // edges finds without it.
  template <sharing With>
  [[gnu::noinline]] void improve(std::uint32_t vertex, value known, value through) {
    const std::atomic_ref<value> shown(shown_[vertex]);
    value after = rule_.better(known, through);
    if constexpr (With == sharing::none) {
      shown.store(after, std::memory_order_relaxed);  // cores that wait may read it, to order their bins
    } else {
      while (!shown.compare_exchange_weak(known, after, std::memory_order_relaxed)) {
        if (!rule_.improves(known, through)) return;
        after = rule_.better(known, through);
      }
    }
    bins_.push(rule_.bin(vertex, after), {vertex, after});
  }

  Rule rule_;
  const graph::locale_graph& graph_;
  const graph::adjacency& rows_;
  const bool by_weights_, goes_ahead_;
  const std::span<value> shown_;
  const int me_;  // core of the locale
  std::shared_ptr<arena> arena_;
  row_order order_{graph_.own};
  shared_bins<found_vertex> bins_;
  // Where edges may wait:
  std::shared_ptr<const graph::light_rows> light_;
  epochs<Rule> epoch_;
  std::optional<relaxed_pull<Rule>> pull_;
  // The members below are for several locales.
  outlook next_{};
  lookahead ahead_{Rule::most_ahead};  // in bins
  base::lap_clock clock_;
  std::uint64_t meeting_ns_ = 0;    // of the last round
  std::uint64_t edges_before_ = 0;  // examined before this round
  std::shared_ptr<const machine::huge_array<graph::inner_row>> inner_rows_;
  std::shared_ptr<const graph::mirror_rows> edges_of_mirrors_;          // without weights, or
  std::shared_ptr<const graph::weighted_mirror_rows> arcs_of_mirrors_;  // with
  std::uint64_t first_outside_ = 0;  // bin to which relaxed vertices may lead at other locales
  std::optional<exchange::mirror_values<value>> mirrors_;
  std::vector<std::uint32_t> told_;          // received mirrors, by local index
  std::vector<found_vertex> found_mirrors_;  // these, numbered from the first mirror on
  relaxation_report report_;
};

}  // namespace orujo::internal::steps
