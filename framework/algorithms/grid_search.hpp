// Breadth-first search on a graph cut in two dimensions: Buluc, Madduri, "Parallel Breadth-First Search on
// Distributed Memory Systems", SC 2011; with pulling, after Beamer, Buluc, Asanovic, Patterson, "Distributed
// Memory Breadth-First Search Revisited", MTAAP 2013.
//
// A superstep: the owners of the frontier tell the locales of their *column*, which look along their edges;
// what they find they tell the owners, who are in their *row*. Vertices travel without their parents: whoever
// finds a vertex keeps its parent, the owner remembers which column told it first, and fetches the parents at
// the end.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "framework/algorithms/row_pull.hpp"
#include "framework/algorithms/search_direction.hpp"
#include "framework/exchange/packed_values.hpp"
#include "framework/exchange/range_exchange.hpp"
#include "framework/graph/grid_graph.hpp"
#include "system/loops/collectives.hpp"
#include "system/loops/forall.hpp"
#include "system/observe/trace.hpp"

namespace orujo::algorithms {

// Where the time of one core's supersteps goes.
struct grid_search_times {
  double expansion = 0;  // looking along edges, in either direction
  double row = 0;     // telling the row what is found, and before a pull what it need not look for; parents
  double column = 0;  // telling the column the frontier
  double reduction = 0;  // the ends of supersteps: what is new, and waiting for the slowest core
};

struct grid_search_report {
  double seconds = 0;
  grid_search_times times;
  int levels = 0;                              // of the tree: 1 if the source reaches nobody else
  int pulls = 0;                               // supersteps
  std::uint64_t vertices = 0;                  // reached, with the source
  std::uint64_t out_edges = 0;                 // of those reached
  exchange::byte_counts row, column, parents;  // of all locales
};

namespace detail {

// What the cores of a locale share. Masks of row indices begin with the range of the row's first column,
// those of column indices with that of the first row.
struct grid_search_state {
  explicit grid_search_state(const graph::locale_grid& g)
      : sources(g.shape.column_size()),
        fresh(g.shape.column_size()),
        targets(g.shape.row_size()),
        pullable(g.shape.row_size()),
        found(g.shape.row_size()),
        heard(g.shape.row_size()),
        known(g.shape.row_size()),
        taken(g.shape.row_size()),
        parents(g.shape.row_size()) {}

  // By column index.
  frontier sources;  // seen
  frontier fresh;    // the frontier
  // By row index.
  frontier targets;   // known here to be seen; of own vertices: seen
  frontier pullable;  // with in-edges here
  frontier found;     // by this locale in this superstep
  // Own vertices, once for each column of the row.
  frontier heard;  // told by the column's locale in this superstep
  frontier known;  // to that locale as seen
  frontier taken;  // told first by it
  // By row index: column index of the parent of what was found here. In the end own vertices have their
  // parents here, as column indices of the column that they are from.
  machine::huge_array<std::uint32_t> parents;
  // Of the two parts of a superstep's work, by their chunks. Three are used in turn: the first core clears
  // the next.
  struct alignas(64) counter {
    std::atomic<std::uint64_t> claimed{0}, claimed_later{0};
    void reset() {
      claimed.store(0, std::memory_order_relaxed);
      claimed_later.store(0, std::memory_order_relaxed);
    }
  };
  std::array<counter, 3> counters;
};

}  // namespace detail

// One core's part of the searches on one graph, which reuse their memory; made and used by one task per core.
// Takes 4 bytes and 7 bits per vertex of the locale's row, 2 bits per vertex of its column.
class grid_search {
  using frontier = engine::frontier;
  using word = frontier::word;

 public:
  // [task; suspends; collective over the job]
  explicit grid_search(const graph::locale_grid& g,
                       const engine::direction_options& options = {engine::direction::automatic,
                                                                   search_push_threshold},
                       const exchange::codec_options& codecs = exchange::codec_options_from_flags())
      : graph_(g),
        options_(options),
        codecs_(codecs),
        words_(g.shape.range / frontier::word_bits),
        shared_(loops::share_on_locale<detail::grid_search_state>(
            [&] { return std::make_shared<detail::grid_search_state>(g); })),
        column_(
            column_mates(g), words_,
            [this](locale_id from, std::size_t w, word bits) { take_frontier(from, w, bits); }, codecs),
        told_(
            row_mates(g), words_,
            [this](locale_id from, std::size_t w, word bits) {
              shared_->targets.words()[section(from) + w] |= bits;
            },
            codecs),
        found_(
            row_mates(g), words_,
            [this](locale_id from, std::size_t w, word bits) {
              shared_->heard.words()[section(from) + w] = bits;
            },
            codecs),
        wanted_(
            row_mates(g), words_,
            [this](locale_id from, std::size_t w, word bits) {
              shared_->found.words()[section(from) + w] = bits;
            },
            codecs),
        parents_expected_(exchange::elements_received(wanted_.peers(), words_)),
        ends_(loops::all_gather(this)) {
    const loops::index_range mine = my_words_of(shared_->pullable);
    for (std::size_t row = mine.first * frontier::word_bits; row < mine.last * frontier::word_bits; ++row) {
      if (g.by_target->degree(static_cast<std::uint32_t>(row)) > 0) shared_->pullable.set(row);
    }
  }
  // [task; suspends; collective over the job] Nobody may still send here when it goes.
  ~grid_search() { loops::barrier(); }
  grid_search(const grid_search&) = delete;

  // [task; suspends; collective over the job] From the vertex of this number. Its result stays until the
  // next.
  grid_search_report run(std::uint64_t source) {
    loops::barrier();
    const auto begin = std::chrono::steady_clock::now();
    grid_search_report report;
    start(source);
    while (frontier_.vertices > 0) {
      choose_direction();
      report.pulls += pulling_ ? 1 : 0;
      superstep();
    }
    fetch_parents();
    lap(times_.row);
    loops::barrier();
    lap(times_.reduction);
    report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    report.times = times_;
    report.levels = static_cast<int>(level_ends_.size()) - 1;  // the last is empty
    totals_.vertices = order_.size();
    totals_.out_edges = out_edges_from(0);
    totals_.row = told_.bytes();
    totals_.row += found_.bytes();
    totals_.column = column_.bytes();
    totals_.parents += wanted_.bytes();
    const totals all = loops::all_reduce(totals_, [](totals a, const totals& b) { return a += b; });
    report.vertices = all.vertices;
    report.out_edges = all.out_edges;
    report.row = all.row;
    report.column = all.column;
    report.parents = all.parents;
    return report;
  }

  // [task] After run(). Calls visit(own vertex, number of its parent, level) for this core's share of the
  // vertices that this locale owns and the search reached; the source is its own parent at level 0.
  template <class Visit>
  void for_each_reached(Visit visit) const {
    std::size_t first = 0;
    for (std::size_t level = 0; level < level_ends_.size(); ++level) {
      for (std::size_t k = first; k < level_ends_[level]; ++k)
        visit(order_[k], level == 0 ? graph_.first_vertex + order_[k] : parent_of(order_[k]), level);
      first = level_ends_[level];
    }
  }

 private:
  // Words of a mask at a time. After each chunk messages are handled, which may cost a system call.
  static constexpr std::size_t most_words_of_chunk = 256;

  struct frontier_size {
    std::uint64_t vertices = 0, out_edges = 0;
    frontier_size& operator+=(const frontier_size& b) {
      vertices += b.vertices;
      out_edges += b.out_edges;
      return *this;
    }
  };
  struct totals {
    std::uint64_t vertices = 0, out_edges = 0;
    exchange::byte_counts row, column, parents;
    totals& operator+=(const totals& b) {
      vertices += b.vertices;
      out_edges += b.out_edges;
      row += b.row;
      column += b.column;
      parents += b.parents;
      return *this;
    }
  };

  static std::vector<locale_id> column_mates(const graph::locale_grid& g) {
    std::vector<locale_id> mates;
    for (int r = 0; r < g.shape.rows; ++r) {
      if (r != g.row) mates.push_back(g.shape.at(r, g.column));
    }
    return mates;
  }
  static std::vector<locale_id> row_mates(const graph::locale_grid& g) {
    std::vector<locale_id> mates;
    for (int c = 0; c < g.shape.columns; ++c) {
      if (c != g.column) mates.push_back(g.shape.at(g.row, c));
    }
    return mates;
  }

  // First word, in masks of row indices, of a locale of this row; in masks of column indices, of this column.
  std::size_t section(locale_id l) const {
    return static_cast<std::size_t>(graph_.shape.column_of(l)) * words_;
  }
  std::size_t column_section(locale_id l) const {
    return static_cast<std::size_t>(graph_.shape.row_of(l)) * words_;
  }
  // This core's words of a range.
  loops::index_range my_words() const { return found_.my_words(); }
  static loops::index_range my_words_of(const frontier& mask) {
    return loops::my_part_of_locale({0, mask.size_in_words()});
  }
  std::span<word> mine_of(const frontier& mask, std::size_t section) const {
    return mask.words().subspan(section + my_words().first, my_words().size());
  }

  void start(std::uint64_t source) {
    detail::grid_search_state& s = *shared_;
    for (frontier* mask : {&s.sources, &s.fresh, &s.targets, &s.found, &s.heard, &s.known, &s.taken}) {
      const loops::index_range mine = my_words_of(*mask);
      mask->clear(mine.first, mine.last);
    }
    order_.clear();
    level_ends_.clear();
    totals_ = {};
    times_ = {};
    superstep_ = 0;
    pulling_ = false;
    unexplored_ = graph_.edges;
    for (exchange::range_exchange* e : {&column_, &told_, &found_, &wanted_}) e->forget_bytes();
    if (leads_locale()) {
      for (auto& counter : s.counters) counter.reset();
    }
    loops::barrier(loops::group::locale);
    frontier_size mine;
    if (source - graph_.first_vertex < graph_.own) {
      const std::size_t vertex = source - graph_.first_vertex, w = frontier::word_of(vertex);
      if (w >= my_words().first && w < my_words().last) settle(w, frontier::bit_of(vertex), mine);
    }
    end_superstep(mine);
    vertices_before_ = 0;
    lap_ = std::chrono::steady_clock::now();
  }

  // Adds the time since the last call.
  void lap(double& to) {
    const auto now = std::chrono::steady_clock::now();
    to += std::chrono::duration<double>(now - std::exchange(lap_, now)).count();
  }

  // The same at every core.
  void choose_direction() {
    pulling_ = pulls_next(options_, pulling_,
                          {.vertices = graph_.shape.vertices,
                           .frontier = frontier_.vertices,
                           .frontier_before = vertices_before_,
                           .frontier_out_edges = frontier_.out_edges,
                           .unexplored_out_edges = unexplored_});
  }

  void superstep() {
    const observe::trace_scope traced(pulling_ ? "pull" : "push", frontier_.vertices);
    auto& counter = shared_->counters[superstep_ % 3];
    if (leads_locale()) shared_->counters[(superstep_ + 1) % 3].reset();
    vertices_before_ = frontier_.vertices;
    unexplored_ -= std::min(unexplored_, frontier_.out_edges);
    tell_frontier();
    if (pulling_) {
      pull(counter);
    } else if (my_locales_cores() == 1) {
      push<false>(counter.claimed);
    } else {
      push<true>(counter.claimed);
    }
    loops::barrier(loops::group::locale);
    lap(times_.expansion);
    tell_found();
    lap(times_.row);
    frontier_size mine;
    settle_found(mine);
    end_superstep(mine);
    lap(times_.reduction);
    ++superstep_;
  }

  void tell_frontier() {
    column_.send_all(mine_of(shared_->fresh, column_section(my_locale())));
    column_.await();
    loops::barrier(loops::group::locale);
    lap(times_.column);
  }

  // The row need not look for what its owner knows to be seen.
  void tell_seen() {
    const std::span<const word> seen = mine_of(shared_->targets, section(my_locale()));
    for (const locale_id l : told_.peers()) {
      const std::span<word> known = mine_of(shared_->known, section(l));
      news_.assign(seen.begin(), seen.end());
      for (std::size_t w = 0; w < seen.size(); ++w) news_[w] &= ~std::exchange(known[w], seen[w]);
      told_.send(l, news_);
    }
    told_.await();
    loops::barrier(loops::group::locale);
  }

  // A handler's. Nobody reads them meanwhile: who sends has left the last superstep, so nobody works on it.
  void take_frontier(locale_id from, std::size_t w, word bits) {
    const std::size_t at = column_section(from) + w;
    shared_->sources.words()[at] |= bits;
    shared_->fresh.words()[at] = bits;
  }

  // Calls work(first, last), which says whether there was any, for chunks of so many words that the locale's
  // cores take in turn.
  template <class Work>
  void share_words(std::size_t words, std::atomic<std::uint64_t>& claimed, Work work) const {
    const auto cores = static_cast<std::size_t>(my_locales_cores());
    const std::size_t chunk = std::clamp<std::size_t>(words / (cores * 64), 1, most_words_of_chunk);
    for (;;) {
      const std::size_t at = chunk * claimed.fetch_add(1, std::memory_order_relaxed);
      if (at >= words) break;
      if (work(at, std::min(at + chunk, words))) tasks::yield();
    }
  }

  template <bool Shared>
  void push(std::atomic<std::uint64_t>& claimed) {
    const graph::adjacency& rows = *graph_.by_source;
    frontier& targets = shared_->targets;
    frontier& found = shared_->found;
    std::uint32_t* const parents = shared_->parents.data();
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
    const std::span<const word> fresh = shared_->fresh.words();
    share_words(fresh.size(), claimed, [&](std::size_t first, std::size_t last) {
      const auto words = fresh.subspan(first, last - first);
      if (std::ranges::all_of(words, [](word w) { return w == 0; })) return false;
      detail::fetch_rows(rows, first, fresh[first]);
      for (std::size_t w = first; w < last; ++w) {
        if (w + 1 < last) detail::fetch_rows(rows, w + 1, fresh[w + 1]);
        shared_->fresh.for_each(w, w + 1, [&](std::size_t source) {
          const auto from = static_cast<std::uint32_t>(source);
          for (const std::uint32_t target : rows.of(from)) find(from, target);
        });
      }
      return true;
    });
  }

  // Every locale looks for its own vertices' parents first; for those that it finds none for, then its row
  // does.
  void pull(detail::grid_search_state::counter& counter) {
    const std::size_t own = section(my_locale()), others = shared_->targets.size_in_words() - words_;
    pull(
        words_, [=](std::size_t k) { return own + k; }, counter.claimed);
    if (told_.peers().empty()) return;
    loops::barrier(loops::group::locale);
    lap(times_.expansion);
    tell_seen();
    lap(times_.row);
    const std::size_t range = words_;
    pull(
        others, [=](std::size_t k) { return k < own ? k : k + range; }, counter.claimed_later);
  }

  // Of so many words; word_at() says which is the k-th.
  template <class WordAt>
  void pull(std::size_t words, WordAt word_at, std::atomic<std::uint64_t>& claimed) {
    const graph::adjacency& rows = *graph_.by_target;
    const std::span<word> targets = shared_->targets.words(), found = shared_->found.words();
    const auto unseen = [&](std::size_t w) { return shared_->pullable.words()[w] & ~targets[w]; };
    const auto fetch = [&](std::size_t k) { detail::fetch_rows(rows, word_at(k), unseen(word_at(k))); };
    share_words(words, claimed, [&](std::size_t first, std::size_t last) {
      fetch(first);
      for (std::size_t k = first; k < last; ++k) {
        if (k + 1 < last) fetch(k + 1);
        const std::size_t w = word_at(k);
        found[w] = detail::pull_word(rows, shared_->sources, w, unseen(w), shared_->parents.data());
        targets[w] |= found[w];
      }
      return true;
    });
  }

  // The owners learn what is found.
  void tell_found() {
    for (const locale_id l : found_.peers()) {
      const std::span<word> found = mine_of(shared_->found, section(l));
      news_.assign(found.begin(), found.end());
      std::ranges::fill(found, word{0});
      found_.send(l, news_);
    }
    found_.await();
    loops::barrier(loops::group::locale);
  }

  // What is found and was not seen before is the next frontier; what this locale finds itself goes first, as
  // its parents are here already.
  void settle_found(frontier_size& size) {
    detail::grid_search_state& s = *shared_;
    const std::size_t own = section(my_locale());
    for (std::size_t w = my_words().first; w < my_words().last; ++w) {
      const word seen = s.targets.words()[own + w];  // with what is found
      word news = std::exchange(s.found.words()[own + w], 0);
      for (const locale_id l : found_.peers()) {
        const std::size_t at = section(l) + w;
        const word told = std::exchange(s.heard.words()[at], 0);
        s.known.words()[at] |= told;
        const word first = told & ~(seen | news);  // of the locales that tell it
        s.taken.words()[at] |= first;
        news |= first;
      }
      if ((news | s.fresh.words()[column_section(my_locale()) + w]) != 0) settle(w, news, size);
    }
    for (const locale_id l : column_.peers()) std::ranges::fill(mine_of(s.fresh, column_section(l)), word{0});
  }

  // Own vertices of a word of the range, of which `news` are in the next frontier.
  void settle(std::size_t w, word news, frontier_size& size) {
    detail::grid_search_state& s = *shared_;
    s.targets.words()[section(my_locale()) + w] |= news;
    s.sources.words()[column_section(my_locale()) + w] |= news;
    s.fresh.words()[column_section(my_locale()) + w] = news;
    const std::size_t count = static_cast<std::size_t>(std::popcount(news)), at = order_.size();
    size.vertices += count;
    order_.resize(at + count);
    for (std::uint32_t* to = order_.data() + at; news != 0; news &= news - 1) {
      *to++ = static_cast<std::uint32_t>(w * frontier::word_bits) +
              static_cast<std::uint32_t>(std::countr_zero(news));
    }
  }

  std::uint64_t out_edges_from(std::size_t first) const {
    std::uint64_t sum = 0;
    for (std::size_t k = first; k < order_.size(); ++k) sum += graph_.out_degree[order_[k]];
    return sum;
  }

  // The end of a superstep for all. Nobody asks for the out-edges of what was found by pulling.
  void end_superstep(frontier_size mine) {
    if (!pulling_) mine.out_edges = out_edges_from(order_.size() - mine.vertices);
    level_ends_.push_back(order_.size());
    frontier_ = loops::all_reduce(mine, [](frontier_size a, const frontier_size& b) { return a += b; });
  }

  // Owners ask those who told them a vertex first for its parent. The mask of what is found is free by now:
  // it takes the questions.
  void fetch_parents() {
    for (const locale_id l : wanted_.peers()) wanted_.send(l, mine_of(shared_->taken, section(l)));
    wanted_.await();
    loops::barrier(loops::group::locale);
    for (const locale_id l : wanted_.peers()) send_parents(l);
    while (parents_arrived_ < parents_expected_)
      tasks::scheduler::here()->suspend(parents_waiting_, "parents from the locale's row");
    parents_arrived_ -= parents_expected_;
  }

  // Parents of own vertices of the words first, first + 1, .. that were taken from a column.
  struct unpack_parents {
    grid_search* there;
    std::uint32_t first, words, width;
    int column;
    void operator()(std::span<const std::byte> payload) const { there->take_parents(*this, payload); }
  };
  static constexpr std::size_t parents_bytes =
      messages::messenger::max_payload_bytes(sizeof(unpack_parents)) - sizeof(std::uint64_t);

  // As many bits as column indices have, where they are to be compressed.
  unsigned parent_width(core_id to) const {
    const bool plain = codecs_.wanted == 0 || (codecs_.wanted < 0 && mates_.contain(to));
    return plain ? 32u : static_cast<unsigned>(std::bit_width(graph_.shape.column_size() - 1));
  }

  void send_parents(locale_id l) {
    const core_id to = exchange::receiver(my_core(), l);
    const unsigned width = parent_width(to);
    const std::size_t most = parents_bytes * 8 / width, last = my_words().last;
    const std::span<const word> wanted = shared_->found.words().subspan(section(l), words_);
    const std::uint32_t* const parents = shared_->parents.data() + section(l) * frontier::word_bits;
    for (std::size_t first = my_words().first, w = first; first < last; first = w) {
      values_.clear();
      for (; w < last && values_.size() + static_cast<std::size_t>(std::popcount(wanted[w])) <= most; ++w) {
        for (word rest = wanted[w]; rest != 0; rest &= rest - 1)
          values_.push_back(
              parents[w * frontier::word_bits + static_cast<std::size_t>(std::countr_zero(rest))]);
      }
      exchange::pack_values(values_, width, packed_);
      totals_.parents += {values_.size() * sizeof(std::uint64_t), packed_.size()};
      messages::messenger::here().send_with_payload(
          to,
          unpack_parents{ends_[static_cast<std::size_t>(to)], static_cast<std::uint32_t>(first),
                         static_cast<std::uint32_t>(w - first), width, graph_.column},
          packed_);
    }
    messages::messenger::here().flush(to);
  }

  // A handler's.
  void take_parents(const unpack_parents& what, std::span<const std::byte> payload) {
    const std::size_t from = static_cast<std::size_t>(what.column) * words_ + what.first;
    std::uint32_t* const parents =
        shared_->parents.data() + (section(my_locale()) + what.first) * frontier::word_bits;
    std::size_t k = 0;
    shared_->taken.for_each(from, from + what.words, [&](std::size_t at) {
      parents[at - from * frontier::word_bits] = exchange::packed_value(payload, k++, what.width);
    });
    parents_arrived_ += what.words;
    tasks::scheduler::here()->wake_all(parents_waiting_);
  }

  // The number of the parent of an own vertex.
  std::uint64_t parent_of(std::uint32_t vertex) const {
    int column = graph_.column;
    for (const locale_id l : found_.peers()) {
      if (shared_->taken.test(section(l) * frontier::word_bits + vertex)) column = graph_.shape.column_of(l);
    }
    return graph_.shape.vertex_of_column(
        column, shared_->parents[section(my_locale()) * frontier::word_bits + vertex]);
  }

  const graph::locale_grid& graph_;
  const engine::direction_options options_;
  const exchange::codec_options codecs_;
  const std::size_t words_;  // of a range
  const exchange::node_mates mates_;
  std::shared_ptr<detail::grid_search_state> shared_;

  // The same at every core.
  std::uint64_t superstep_ = 0;
  bool pulling_ = false;
  frontier_size frontier_;
  std::uint64_t vertices_before_ = 0;
  std::uint64_t unexplored_ = 0;  // out-edges of no frontier so far

  // Own vertices of this core's words, by level.
  std::vector<std::uint32_t> order_;
  std::vector<std::size_t> level_ends_;

  std::vector<word> news_;
  std::vector<std::uint32_t> values_;
  std::vector<std::byte> packed_;
  totals totals_;
  grid_search_times times_;
  std::chrono::steady_clock::time_point lap_;

  std::uint64_t parents_arrived_ = 0;
  tasks::wait_queue parents_waiting_;
  // Last, when this core is ready to receive.
  exchange::range_exchange column_, told_, found_, wanted_;
  const std::uint64_t parents_expected_;  // words
  const std::vector<grid_search*> ends_;  // by core
};

}  // namespace orujo::algorithms
