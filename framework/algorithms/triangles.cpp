#include "framework/algorithms/triangles.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <utility>

#include "framework/algorithms/travelling_rows.hpp"
#include "framework/algorithms/triangle_rows.hpp"
#include "framework/graph/kept_forms.hpp"
#include "framework/steps/dealer.hpp"
#include "system/collectives/collectives.hpp"
#include "system/delegates/scatter.hpp"

namespace orujo::internal::algorithms {

using detail::row_order;

struct detail::shared_triangles {
  shared_triangles(const graph::locale_graph& g, triangle_counts counts, bool wide)
      : rows(g, counts == triangle_counts::edges_among_neighbours, wide) {
    if (counts != triangle_counts::none) totals = machine::huge_array<std::uint64_t>(rows.ranks());
  }
  void add(std::uint32_t rank, std::uint64_t triangles) {
    std::atomic_ref(totals[rank]).fetch_add(triangles, std::memory_order_relaxed);
  }

  triangle_rows rows;
  machine::huge_array<std::uint64_t> totals;  // by rank, or empty: triangles of vertices
  alignas(64) steps::dealer dealer;           // of members of rows
};

namespace {

// Members of rows that a core takes at a time: few enough that the cores finish together, whatever the hubs.
constexpr std::uint64_t least_members_at_a_time = 256, most_members_at_a_time = 16384;
// The starts of other rows are fetched this number of members ahead.
constexpr std::size_t fetched_ahead = 4;
// Number of vertices whose triangles are counted in a core's own memory. By degree they have most triangles.
constexpr std::uint32_t foremost = 1 << 16;

}  // namespace

// The message of rows that travelling_rows packs.
template <class Word>
struct triangle_counter::some_rows {
  triangle_counter* there;
  core_id from;
  void operator()(std::span<const std::byte> bytes) const {
    there->receive(from, std::span(reinterpret_cast<const Word*>(bytes.data()), bytes.size() / sizeof(Word)));
  }
};

struct triangle_counter::vertex_total {
  std::uint64_t vertex;  // its name
  std::uint64_t triangles;
};

struct triangle_counter::receive_totals {
  using value = vertex_total;
  triangle_counter* there;
  void operator()(std::span<const vertex_total> all) const {
    detail::shared_triangles& shared = *there->shared_;
    for (const vertex_total& t : all) shared.add(shared.rows.find(t.vertex), t.triangles);
  }
};

triangle_counter::triangle_counter(const graph::locale_graph& g, triangle_counts counts, wire_words words)
    : graph_(graph::require_forms(
          g, {.in_rows = counts == triangle_counts::edges_among_neighbours, .out_rows = true},
          "triangle_counter:")),
      with_counts_(counts != triangle_counts::none),
      directed_(counts == triangle_counts::edges_among_neighbours),
      wide_(words == wire_words::wide || g.vertices > std::uint64_t{1} << (directed_ ? 31 : 32)),
      isa_(machine::simd_from_flags()),
      shared_(collectives::share_on_locale<detail::shared_triangles>(
          [&] { return std::make_shared<detail::shared_triangles>(g, counts, wide_); })),
      marks_(directed_ ? 0 : shared_->rows.ranks() / 64 + 1),
      edges_to_(directed_ ? shared_->rows.ranks() : 0),
      of_foremost_(with_counts_ ? std::min(foremost, shared_->rows.ranks()) : 0),
      under_way_(std::make_unique<detail::travelling_rows>(shared_->rows, with_counts_, directed_)) {
  if (my_core() == 0) sent_.emplace();
  ends_ = collectives::all_gather(end{this, sent_ ? delegates::event_ref(*sent_).number() : 0});
}

triangle_counter::~triangle_counter() { collectives::barrier(); }

triangle_report triangle_counter::run() {
  collectives::barrier();
  const auto begin = std::chrono::steady_clock::now();
  triangles_ = 0;
  if (leads_locale()) shared_->dealer.reset();
  const index_range mine = my_part_of_locale({0, shared_->totals.size()});
  std::fill(shared_->totals.data() + mine.first, shared_->totals.data() + mine.last, 0);
  shared_->rows.make();
  wide_ ? count_rows<std::uint64_t>() : count_rows<std::uint32_t>();
  settle();
  if (with_counts_) add_foremost();
  if (with_counts_ && locales() > 1) send_totals();
  triangle_report report;
  report.triangles = collectives::all_reduce(triangles_);
  report.by_degree = shared_->rows.by_degree();
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return report;
}

std::uint64_t triangle_counter::count_of(std::uint32_t own_vertex) const {
  return shared_->totals[shared_->rows.rank_of(own_vertex)];
}

std::uint32_t triangle_counter::neighbours_of(std::uint32_t own_vertex) const {
  return shared_->rows.neighbours_of(own_vertex);
}

// Divides the rows of the locale among its cores.
template <class Word>
void triangle_counter::count_rows() {
  const detail::triangle_rows& rows = shared_->rows;
  const std::uint64_t members = rows.members();
  const std::uint64_t step = std::clamp(members / (64 * static_cast<std::uint64_t>(my_locales_cores())),
                                        least_members_at_a_time, most_members_at_a_time);
  const auto send = [this](core_id to, std::span<const std::byte> words) {
    using message = some_rows<Word>;
    static_assert(detail::travelling_rows::batch_bytes <=
                  messages::messenger::max_payload_bytes(sizeof(message)));
    delegates::async_call(delegates::event_ref(ends_[0].event), to, message{ends_[to].counter, my_core()},
                          words);
  };
  shared_->dealer.deal(members, step, [&](std::size_t first, std::size_t last) {
    const std::pair<std::uint32_t, std::uint32_t> ranks = rows.rows_between(first, last);
    with_order([&]<row_order Order, bool WithCounts>() {
      count_rows<Order, WithCounts>(ranks.first, ranks.second);
    });
    for (const std::uint32_t rank : to_send_) under_way_->leave<Word>(rank, send);
    to_send_.clear();
    tasks::yield();
  });
  under_way_->flush(send);
}

// Calls f<order of the rows, true if triangles are counted by vertex>().
template <class Function>
void triangle_counter::with_order(Function f) {
  const auto with = [&]<row_order Order>() {
    with_counts_ ? f.template operator()<Order, true>() : f.template operator()<Order, false>();
  };
  switch (shared_->rows.order()) {
    case row_order::degree:
      return with.template operator()<row_order::degree>();
    case row_order::number:
      return with.template operator()<row_order::number>();
    case row_order::number_on_several:
      return with.template operator()<row_order::number_on_several>();
  }
}

// Also notes the rows that have members elsewhere.
template <row_order Order, bool WithCounts>
void triangle_counter::count_rows(std::uint32_t first, std::uint32_t last) {
  const detail::triangle_rows& rows = shared_->rows;
  const auto count = [&](std::uint32_t rank) {
    if (Order == row_order::number || (Order == row_order::number_on_several && !rows.begins_below(rank))) {
      const std::span<const std::uint32_t> row = rows.before<row_order::number>(rank).all;
      // All are own vertices, and in ascending order nothing is before the first.
      if (row.size() >= 2) intersect<Order, WithCounts>(rank, row, 1, row.size());
      return;
    }
    const detail::triangle_row row = rows.before<Order>(rank);
    if (row.all.size() < 2) return;
    if (!row.mirrors.empty()) to_send_.push_back(rank);
    if (directed_) return join(rank, row.all, rows.both_of(rank), row.own.size());
    const auto first_own = static_cast<std::size_t>(row.own.data() - row.all.data());
    intersect<Order, WithCounts>(rank, row.all, first_own, first_own + row.own.size());
  };
  machine::compiled_for(isa_, [&] {
    for (std::uint32_t rank = first; rank < last; ++rank) count(rank);
  });
}

// Counts the triangles of a vertex and two of its row, of which the middle one has the other in its row.
// Middles are the members first .. last - 1. Members that are mirrors have no row here: their owners get this
// row and count.
template <row_order Order, bool WithCounts>
void triangle_counter::intersect(std::uint32_t rank, std::span<const std::uint32_t> row, std::size_t first,
                                 std::size_t last) {
  if (first == last) return;
  for (const std::uint32_t member : row) marks_[member / 64] |= std::uint64_t{1} << (member % 64);
  std::uint64_t found = 0;
  for (std::size_t k = first; k < last; ++k) {
    if (k + fetched_ahead < last) __builtin_prefetch(shared_->rows.of(row[k + fetched_ahead]).data());
    const std::uint64_t with_middle = count_marked<Order, WithCounts>(row[k]);
    if (WithCounts) add(row[k], with_middle);
    found += with_middle;
  }
  if (WithCounts) add(rank, found);
  triangles_ += found;
  for (const std::uint32_t member : row) marks_[member / 64] = 0;
}

// Counts likewise in a directed graph. A corner of a triangle gets the number of edges between the other two,
// 1 or 2.
void triangle_counter::join(std::uint32_t rank, std::span<const std::uint32_t> row,
                            std::span<const std::uint8_t> both, std::size_t middles) {
  if (middles == 0) return;
  for (std::size_t k = 0; k < row.size(); ++k) edges_to_[row[k]] = static_cast<std::uint8_t>(1 + both[k]);
  std::uint64_t of_rank = 0;
  for (std::size_t k = 0; k < middles; ++k) {
    const std::span<const std::uint32_t> thirds = shared_->rows.of(row[k]);
    const std::span<const std::uint8_t> both_of_third = shared_->rows.both_of(row[k]);
    std::uint64_t of_middle = 0;
    for (std::size_t t = 0; t < thirds.size(); ++t) {
      const std::uint64_t edges = edges_to_[thirds[t]];
      if (edges == 0) continue;
      ++triangles_;
      of_middle += edges;
      of_rank += 1 + both_of_third[t];
      add(thirds[t], 1 + std::uint64_t{both[k]});
    }
    add(row[k], of_middle);
  }
  add(rank, of_rank);
  for (const std::uint32_t member : row) edges_to_[member] = 0;
}

// Returns the number of marked vertices before `middle` in its row.
template <row_order Order, bool WithCounts>
std::uint64_t triangle_counter::count_marked(std::uint32_t middle) {
  const detail::triangle_rows& rows = shared_->rows;
  const std::uint64_t* const marks = marks_.data();
  std::uint64_t found = 0;
  for (const std::uint32_t third : rows.of(middle)) {
    if constexpr (Order == row_order::number) {
      if (third >= middle) break;
    } else if constexpr (Order == row_order::number_on_several) {
      if (third >= middle && !rows.is_below(third)) break;
    }
    const std::uint64_t marked = marks[third / 64] >> (third % 64) & 1;
    if (WithCounts && marked) add(third, 1);
    found += marked;
  }
  return found;
}

void triangle_counter::add(std::uint32_t rank, std::uint64_t triangles) {
  if (rank < of_foremost_.size()) {
    of_foremost_[rank] += triangles;
  } else if (triangles > 0) {
    shared_->add(rank, triangles);
  }
}

// Called by a message handler, for rows of another locale with members among this one's vertices.
template <class Word>
void triangle_counter::receive(core_id from, std::span<const Word> words) {
  using incoming = detail::travelling_rows::incoming;
  machine::compiled_for(isa_, [&] {
    under_way_->arrive(from, words, [&](const incoming& row) {
      const std::span<const std::uint32_t> members(row.members.data(), row.known);
      if (directed_) return join(row.rank, members, std::span(row.both.data(), row.known), row.middles);
      with_order([&]<row_order Order, bool WithCounts>() {
        intersect<Order, WithCounts>(row.rank, members, 0, row.middles);
      });
    });
  });
}

// Adds this core's counts of the first vertices to the locale's totals.
void triangle_counter::add_foremost() {
  for (std::uint32_t rank = 0; rank < of_foremost_.size(); ++rank)
    shared_->add(rank, std::exchange(of_foremost_[rank], 0));
  collectives::barrier(collectives::group::locale);
}

// Sends this locale's counts of other locales' vertices to their owners.
void triangle_counter::send_totals() {
  std::vector<receive_totals> receivers;
  for (const end& e : ends_) receivers.push_back({e.counter});
  delegates::scatter out(delegates::event_ref(ends_[0].event), receivers);
  const index_range mine = my_part_of_locale({0, graph_.mirrors});
  for (std::size_t m = mine.first; m < mine.last; ++m) {
    const std::uint32_t rank = shared_->rows.rank_of(graph_.own + static_cast<std::uint32_t>(m));
    const std::uint64_t total = shared_->totals[rank];
    if (total > 0) out.push(graph_.owners.owner(graph_.mirrored[m]), {shared_->rows.name_of(rank), total});
  }
  out.flush();
  settle();
}

// Returns when all messages of all cores have been handled.
void triangle_counter::settle() {
  collectives::barrier();
  if (sent_) sent_->wait();
  collectives::barrier();
}

}  // namespace orujo::internal::algorithms
