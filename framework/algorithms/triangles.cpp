#include "framework/algorithms/triangles.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstring>
#include <numeric>
#include <utility>

#include "framework/exchange/mirror_exchange.hpp"
#include "system/delegates/scatter.hpp"
#include "system/loops/collectives.hpp"

namespace orujo::algorithms {

// Rows by own vertex; a row's members are vertex numbers, ascending.
struct detail::oriented_rows {
  explicit oriented_rows(const graph::locale_graph& g, bool with_counts)
      : degrees(std::size_t{g.own} + g.mirrors), offsets(std::size_t{g.own} + 1) {
    if (with_counts) totals = machine::huge_array<std::uint64_t>(std::size_t{g.own} + g.mirrors);
  }
  std::span<const std::uint64_t> of(std::uint32_t v) const {
    return members.part(offsets[v], offsets[v + 1]);
  }

  machine::huge_array<std::uint32_t> degrees;  // by local index
  machine::huge_array<std::uint64_t> offsets;
  machine::huge_array<std::uint64_t> members;
  machine::huge_array<std::uint64_t> totals;  // by local index, or empty: triangles of vertices
  alignas(64) std::atomic<std::uint32_t> claimed{0};
};

namespace {

constexpr std::uint32_t vertices_at_a_time = 64;
// From here on members are looked up one by one instead of merging two rows.
constexpr std::size_t much_longer = 32;

// Calls found(member) for all that two ascending rows have in common.
template <class Found>
void for_each_common(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b, Found found) {
  if (a.size() > b.size()) std::swap(a, b);
  auto at = b.begin();
  if (b.size() > a.size() * much_longer) {
    for (const std::uint64_t member : a) {
      at = std::lower_bound(at, b.end(), member);
      if (at == b.end()) return;
      if (*at == member) found(member);
    }
    return;
  }
  for (auto from = a.begin(); from != a.end() && at != b.end();) {
    const std::uint64_t x = *from, y = *at;
    if (x == y) found(x);
    from += x <= y;
    at += y <= x;
  }
}

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
    for (const vertex_total& t : all) there->add(t.vertex, t.triangles);
  }
};

triangle_counter::triangle_counter(const graph::locale_graph& g, bool with_counts)
    : graph_(g),
      with_counts_(with_counts),
      rows_(loops::share_on_locale<detail::oriented_rows>(
          [&] { return std::make_shared<detail::oriented_rows>(g, with_counts); })),
      arriving_(static_cast<std::size_t>(cores())) {
  if (my_core() == 0) sent_.emplace();
  ends_ = loops::all_gather(end{this, sent_ ? delegates::event_ref(*sent_).number() : 0});
}

triangle_counter::~triangle_counter() { loops::barrier(); }

triangle_report triangle_counter::run() {
  loops::barrier();
  const auto begin = std::chrono::steady_clock::now();
  triangles_ = 0;
  if (leads_locale()) rows_->claimed.store(0, std::memory_order_relaxed);
  const loops::index_range mine = loops::my_part_of_locale({0, rows_->totals.size()});
  std::fill(rows_->totals.data() + mine.first, rows_->totals.data() + mine.last, 0);
  orient();
  count_rows();
  settle();
  if (with_counts_ && locales() > 1) send_totals();
  triangle_report report;
  report.triangles = loops::all_reduce(triangles_);
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return report;
}

std::uint64_t triangle_counter::count_of(std::uint32_t own_vertex) const { return rows_->totals[own_vertex]; }

// Fills the rows; everybody has them when it returns.
void triangle_counter::orient() {
  const graph::core_part& mine = graph_.my_part();
  const graph::adjacency& all = *graph_.out_rows;
  detail::oriented_rows& rows = *rows_;
  std::copy_n(graph_.out_degree.data() + mine.first, mine.last - mine.first,
              rows.degrees.data() + mine.first);
  const std::span<std::uint32_t> degrees(rows.degrees.data(), rows.degrees.size());
  exchange::mirror_exchange<std::uint32_t> mirrors(graph_, degrees);
  mirrors.start();
  mirrors.finish();
  loops::barrier(loops::group::locale);
  const auto is_higher = [&](std::uint32_t neighbour, std::uint32_t v) {
    return degrees[neighbour] != degrees[v] ? degrees[neighbour] > degrees[v]
                                            : graph_.number_of(neighbour) > graph_.number_of(v);
  };
  std::uint64_t kept = 0;
  for (std::uint32_t v = mine.first; v < mine.last; ++v) {
    for (const std::uint32_t n : all.of(v)) kept += is_higher(n, v);
    rows.offsets[v + 1] = kept;
  }
  const std::vector<std::uint64_t> of_cores = loops::all_gather(kept, loops::group::locale);
  if (leads_locale()) {
    rows.members = machine::huge_array<std::uint64_t>(
        std::accumulate(of_cores.begin(), of_cores.end(), std::uint64_t{0}));
  }
  loops::barrier(loops::group::locale);
  const std::uint64_t first =
      std::accumulate(of_cores.begin(), of_cores.begin() + my_core_of_locale(), std::uint64_t{0});
  std::uint64_t* to = rows.members.data() + first;
  for (std::uint32_t v = mine.first; v < mine.last; ++v) {
    std::uint64_t* const row = to;
    for (const std::uint32_t n : all.of(v)) {
      if (is_higher(n, v)) *to++ = graph_.number_of(n);
    }
    std::sort(row, to);
    rows.offsets[v + 1] += first;
  }
  loops::barrier();
}

// Rows of the locale are dealt to its cores.
void triangle_counter::count_rows() {
  for (;;) {
    const std::uint32_t first = rows_->claimed.fetch_add(vertices_at_a_time, std::memory_order_relaxed);
    if (first >= graph_.own) return;
    const std::uint32_t last = std::min(first + vertices_at_a_time, graph_.own);
    for (std::uint32_t v = first; v < last; ++v) {
      const std::span<const std::uint64_t> row = rows_->of(v);
      if (row.size() < 2) continue;
      for (const std::uint64_t target : row) {
        if (target - graph_.first_vertex < graph_.own) intersect(graph_.first_vertex + v, row, target);
      }
      if (locales() > 1) send_to_owners(v, row);
    }
    tasks::yield();
  }
}

void triangle_counter::send_to_owners(std::uint32_t vertex, std::span<const std::uint64_t> row) {
  for (auto at = row.begin(); at != row.end();) {
    const core_id owner = graph_.owners.owner(*at);
    if (shape().locale_of(owner) != my_locale()) send_row(owner, graph_.first_vertex + vertex, row);
    at = std::lower_bound(at, row.end(), graph_.owners.last_of(owner));
  }
}

void triangle_counter::send_row(core_id to, std::uint64_t vertex, std::span<const std::uint64_t> row) {
  constexpr std::size_t step =
      messages::messenger::max_payload_bytes(sizeof(row_piece)) / sizeof(std::uint64_t);
  const end& there = ends_[static_cast<std::size_t>(to)];
  for (std::size_t first = 0; first < row.size(); first += step) {
    const std::span piece = row.subspan(first, std::min(step, row.size() - first));
    delegates::async_call(delegates::event_ref(ends_[0].event), to,
                          row_piece{there.counter, vertex, my_core(), first + piece.size() == row.size()},
                          std::as_bytes(piece));
  }
}

// A handler's: a row of another locale with members among this core's vertices.
void triangle_counter::receive(core_id from, std::uint64_t vertex, std::span<const std::byte> piece,
                               bool last) {
  std::vector<std::uint64_t>& row = arriving_[static_cast<std::size_t>(from)];
  const std::size_t before = row.size();
  row.resize(before + piece.size() / sizeof(std::uint64_t));
  std::memcpy(row.data() + before, piece.data(), piece.size());
  if (!last) return;
  const auto first = std::lower_bound(row.begin(), row.end(), graph_.owners.first_of(my_core()));
  const auto past = std::lower_bound(first, row.end(), graph_.owners.last_of(my_core()));
  for (auto target = first; target != past; ++target) intersect(vertex, row, *target);
  row.clear();
}

// Counts the triangles of a vertex, the target, which is one of this locale, and any third.
void triangle_counter::intersect(std::uint64_t vertex, std::span<const std::uint64_t> row,
                                 std::uint64_t target) {
  const std::span<const std::uint64_t> other =
      rows_->of(static_cast<std::uint32_t>(target - graph_.first_vertex));
  std::uint64_t found = 0;
  if (with_counts_) {
    for_each_common(row, other, [&](std::uint64_t third) { ++found, add(third, 1); });
    add(vertex, found);
    add(target, found);
  } else {
    for_each_common(row, other, [&](std::uint64_t) { ++found; });
  }
  triangles_ += found;
}

// Of an own vertex or a mirror, by number.
void triangle_counter::add(std::uint64_t vertex, std::uint64_t triangles) {
  if (triangles == 0) return;
  std::uint64_t local = vertex - graph_.first_vertex;
  if (local >= graph_.own) {
    const auto at = std::lower_bound(graph_.mirrored.begin(), graph_.mirrored.end(), vertex);
    local = graph_.own + static_cast<std::uint64_t>(at - graph_.mirrored.begin());
  }
  std::atomic_ref(rows_->totals[local]).fetch_add(triangles, std::memory_order_relaxed);
}

// What this locale has found of other locales' vertices, to their owners.
void triangle_counter::send_totals() {
  std::vector<receive_totals> receivers;
  for (const end& e : ends_) receivers.push_back({e.counter});
  delegates::scatter out(delegates::event_ref(ends_[0].event), receivers);
  const loops::index_range mine = loops::my_part_of_locale({0, graph_.mirrors});
  for (std::size_t m = mine.first; m < mine.last; ++m) {
    const std::uint64_t total = rows_->totals[graph_.own + m];
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
