#include "framework/algorithms/triangles.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <utility>

#include "framework/algorithms/triangle_rows.hpp"
#include "system/delegates/scatter.hpp"
#include "system/loops/collectives.hpp"

namespace orujo::algorithms {

struct detail::shared_triangles {
  shared_triangles(const graph::locale_graph& g, triangle_counts counts)
      : rows(g, counts == triangle_counts::edges_among_neighbours) {
    if (counts != triangle_counts::none) totals = machine::huge_array<std::uint64_t>(rows.ranks());
  }
  void add(std::uint32_t rank, std::uint64_t triangles) {
    std::atomic_ref(totals[rank]).fetch_add(triangles, std::memory_order_relaxed);
  }

  triangle_rows rows;
  machine::huge_array<std::uint64_t> totals;          // by rank, or empty: triangles of vertices
  alignas(64) std::atomic<std::uint64_t> claimed{0};  // members of rows
};

namespace {

// Members of rows that a core takes at a time: so few that the cores end together, whatever the hubs.
constexpr std::uint64_t least_members_at_a_time = 256, most_members_at_a_time = 16384;
// The beginnings of other rows are fetched so many members ahead.
constexpr std::size_t fetched_ahead = 4;
// So many vertices get triangles in a core's own memory; by degree most triangles are theirs.
constexpr std::uint32_t foremost = 1 << 16;

}  // namespace

// A part of the row of a vertex on its way; the parts of one row follow one another.
struct triangle_counter::row_piece {
  triangle_counter* there;
  std::uint64_t vertex;
  core_id from;
  bool last;
  void operator()(std::span<const std::byte> members) const { there->receive(from, vertex, members, last); }
};

struct triangle_counter::vertex_total {
  std::uint64_t vertex;  // number
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

triangle_counter::triangle_counter(const graph::locale_graph& g, triangle_counts counts)
    : graph_(g),
      with_counts_(counts != triangle_counts::none),
      directed_(counts == triangle_counts::edges_among_neighbours),
      isa_(machine::simd_from_flags()),
      shared_(loops::share_on_locale<detail::shared_triangles>(
          [&] { return std::make_shared<detail::shared_triangles>(g, counts); })),
      marks_(directed_ ? 0 : shared_->rows.ranks() / 64 + 1),
      edges_to_(directed_ ? shared_->rows.ranks() : 0),
      of_foremost_(with_counts_ ? std::min(foremost, shared_->rows.ranks()) : 0),
      last_there_(static_cast<std::size_t>(locales())),
      arriving_(static_cast<std::size_t>(cores())),
      arriving_both_(static_cast<std::size_t>(cores())) {
  if (my_core() == 0) sent_.emplace();
  ends_ = loops::all_gather(end{this, sent_ ? delegates::event_ref(*sent_).number() : 0});
}

triangle_counter::~triangle_counter() { loops::barrier(); }

triangle_report triangle_counter::run() {
  loops::barrier();
  const auto begin = std::chrono::steady_clock::now();
  triangles_ = 0;
  if (leads_locale()) shared_->claimed.store(0, std::memory_order_relaxed);
  const loops::index_range mine = loops::my_part_of_locale({0, shared_->totals.size()});
  std::fill(shared_->totals.data() + mine.first, shared_->totals.data() + mine.last, 0);
  shared_->rows.make();
  count_rows();
  settle();
  if (with_counts_) add_foremost();
  if (with_counts_ && locales() > 1) send_totals();
  triangle_report report;
  report.triangles = loops::all_reduce(triangles_);
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

// Rows of the locale are dealt to its cores.
void triangle_counter::count_rows() {
  const detail::triangle_rows& rows = shared_->rows;
  const std::uint64_t members = rows.members();
  const std::uint64_t step = std::clamp(members / (64 * static_cast<std::uint64_t>(my_locales_cores())),
                                        least_members_at_a_time, most_members_at_a_time);
  for (;;) {
    const std::uint64_t at = shared_->claimed.fetch_add(step, std::memory_order_relaxed);
    if (at >= members) return;
    const auto [first, last] = rows.rows_between(at, at + step);
    count_rows(first, last);
    for (std::uint32_t rank = first; locales() > 1 && rank < last; ++rank) send_to_owners(rank);
    tasks::yield();
  }
}

void triangle_counter::count_rows(std::uint32_t first, std::uint32_t last) {
  const detail::triangle_rows& rows = shared_->rows;
  for (std::uint32_t rank = first; directed_ && rank < last; ++rank)
    join(rank, rows.of(rank), rows.both_of(rank));
  if (directed_) return;
  const auto count = [&]<bool ByDegree, bool WithCounts>() {
    machine::compiled_for(isa_, [&] {
      for (std::uint32_t rank = first; rank < last; ++rank)
        intersect<ByDegree, WithCounts>(rank, rows.before(rank));
    });
  };
  if (rows.by_degree()) {
    with_counts_ ? count.template operator()<true, true>() : count.template operator()<true, false>();
  } else {
    with_counts_ ? count.template operator()<false, true>() : count.template operator()<false, false>();
  }
}

// Counts the triangles of a vertex and two of its row, one of which, the middle one, has the other in its
// row. Members that are mirrors here have no row: their owners get this one and are they who count.
template <bool ByDegree, bool WithCounts>
void triangle_counter::intersect(std::uint32_t rank, std::span<const std::uint32_t> row) {
  if (row.size() < 2) return;
  for (const std::uint32_t member : row) marks_[member / 64] |= std::uint64_t{1} << (member % 64);
  std::uint64_t found = 0;
  // A row that ascends has nothing before its first member.
  for (std::size_t k = ByDegree ? 0 : 1; k < row.size(); ++k) {
    if (k + fetched_ahead < row.size()) __builtin_prefetch(shared_->rows.of(row[k + fetched_ahead]).data());
    const std::uint64_t with_middle = count_marked<ByDegree, WithCounts>(row[k]);
    if (WithCounts) add(row[k], with_middle);
    found += with_middle;
  }
  if (WithCounts) add(rank, found);
  triangles_ += found;
  for (const std::uint32_t member : row) marks_[member / 64] = 0;
}

// The same of a directed graph. Of each triangle a corner gets the edges between the other two, one or two.
void triangle_counter::join(std::uint32_t rank, std::span<const std::uint32_t> row,
                            std::span<const std::uint8_t> both) {
  if (row.size() < 2) return;
  for (std::size_t k = 0; k < row.size(); ++k) edges_to_[row[k]] = static_cast<std::uint8_t>(1 + both[k]);
  std::uint64_t of_rank = 0;
  for (std::size_t k = 0; k < row.size(); ++k) {
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

// How many of the vertices before `middle` in its row are marked.
template <bool ByDegree, bool WithCounts>
std::uint64_t triangle_counter::count_marked(std::uint32_t middle) {
  const std::uint64_t* const marks = marks_.data();
  std::uint64_t found = 0;
  for (const std::uint32_t third : shared_->rows.of(middle)) {
    if (!ByDegree && third >= middle) break;
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

// To every other locale that has members of the row. Of those it needs what comes before the last of its own:
// what comes behind is in the row of none.
void triangle_counter::send_to_owners(std::uint32_t rank) {
  const detail::triangle_rows& rows = shared_->rows;
  const std::span<const std::uint32_t> row = rows.of(rank);
  for (const std::uint32_t member : row) {
    const locale_id l = rows.locale_of(member);
    if (l == my_locale()) continue;
    std::uint32_t& last = last_there_[static_cast<std::size_t>(l)];
    if (last == 0) to_locales_.push_back(l);
    last = std::max(last, member + 1);
  }
  for (const locale_id l : to_locales_) {
    const std::uint32_t past = std::exchange(last_there_[static_cast<std::size_t>(l)], 0);
    leaving_.clear();
    for (std::size_t k = 0; k < row.size(); ++k) {
      const std::uint64_t both = directed_ ? rows.both_of(rank)[k] : 0;
      if (row[k] < past) leaving_.push_back(rows.number_of(row[k]) << 1 | both);
    }
    const core_id one_of_them = shape().first_core_of(l) +
                                static_cast<core_id>(rank % static_cast<std::uint32_t>(shape().cores_of(l)));
    if (leaving_.size() > 1) send_row(one_of_them, rows.number_of(rank));
  }
  to_locales_.clear();
}

void triangle_counter::send_row(core_id to, std::uint64_t vertex) {
  constexpr std::size_t step =
      messages::messenger::max_payload_bytes(sizeof(row_piece)) / sizeof(std::uint64_t);
  const end& there = ends_[static_cast<std::size_t>(to)];
  const std::span<const std::uint64_t> row(leaving_);
  for (std::size_t first = 0; first < row.size(); first += step) {
    const std::span piece = row.subspan(first, std::min(step, row.size() - first));
    delegates::async_call(delegates::event_ref(ends_[0].event), to,
                          row_piece{there.counter, vertex, my_core(), first + piece.size() == row.size()},
                          std::as_bytes(piece));
  }
}

// A handler's: a row of another locale with members among this one's vertices. A member that is not known
// here is in no row.
void triangle_counter::receive(core_id from, std::uint64_t vertex, std::span<const std::byte> piece,
                               bool last) {
  const detail::triangle_rows& rows = shared_->rows;
  std::vector<std::uint32_t>& row = arriving_[static_cast<std::size_t>(from)];
  std::vector<std::uint8_t>& both = arriving_both_[static_cast<std::size_t>(from)];
  for (std::size_t at = 0; at < piece.size(); at += sizeof(std::uint64_t)) {
    std::uint64_t number;
    std::memcpy(&number, piece.data() + at, sizeof(number));
    const std::uint32_t rank = rows.find(number >> 1);
    if (rank == rows.ranks()) continue;
    row.push_back(rank);
    if (directed_) both.push_back(number & 1);
  }
  if (!last) return;
  if (directed_) {
    join(rows.find(vertex), row, both);
    row.clear();
    both.clear();
    return;
  }
  machine::compiled_for(isa_, [&] {
    with_counts_ ? intersect<true, true>(rows.find(vertex), row) : intersect<true, false>(0, row);
  });
  row.clear();
}

// What this core has found of the first vertices, to all others' totals.
void triangle_counter::add_foremost() {
  for (std::uint32_t rank = 0; rank < of_foremost_.size(); ++rank)
    shared_->add(rank, std::exchange(of_foremost_[rank], 0));
  loops::barrier(loops::group::locale);
}

// What this locale has found of other locales' vertices, to their owners.
void triangle_counter::send_totals() {
  std::vector<receive_totals> receivers;
  for (const end& e : ends_) receivers.push_back({e.counter});
  delegates::scatter out(delegates::event_ref(ends_[0].event), receivers);
  const loops::index_range mine = loops::my_part_of_locale({0, graph_.mirrors});
  for (std::size_t m = mine.first; m < mine.last; ++m) {
    const std::uint64_t total =
        shared_->totals[shared_->rows.rank_of(graph_.own + static_cast<std::uint32_t>(m))];
    if (total > 0) out.push(graph_.owners.owner(graph_.mirrored[m]), {graph_.mirrored[m], total});
  }
  out.flush();
  settle();
}

// Returns when all that any core has sent has been handled.
void triangle_counter::settle() {
  loops::barrier();
  if (sent_) sent_->wait();
  loops::barrier();
}

}  // namespace orujo::algorithms
