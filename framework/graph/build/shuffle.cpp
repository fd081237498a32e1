#include "framework/graph/build/shuffle.hpp"

#include <glog/logging.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <functional>
#include <memory>
#include <numeric>
#include <span>
#include <utility>

#include "system/collectives/collectives.hpp"
#include "system/delegates/delegate.hpp"
#include "system/loops/forall.hpp"
#include "system/machine/huge_array.hpp"

namespace orujo::internal::graph {
namespace {

// A bin's keys and the room to sort them in fill half of a second-level cache of 2 MiB. Where a locale would
// have more than most_bins of them, bins are larger, so that the places written to at a time stay cached.
// Both are guesses.
constexpr std::uint64_t edges_of_bin = std::uint64_t{1} << 16;
constexpr std::uint64_t most_bins = std::uint64_t{1} << 11;

std::size_t count_buckets(std::uint64_t vertices, std::uint64_t bucket) {
  return static_cast<std::size_t>((vertices + bucket - 1) / bucket);
}

edge_counts no_edges(std::uint64_t vertices, rows_of grouping, std::uint64_t bucket) {
  edge_counts made;
  made.grouping = grouping;
  made.vertices = vertices;
  made.bucket = bucket != 0 ? bucket : bucket_size(vertices, cores());
  made.mine.resize(count_buckets(vertices, made.bucket));
  return made;
}

// Calls take(row's vertex, neighbour, weight) for every edge that is to be in the rows.
template <bool Weighted, class Take>
void for_each_entry(std::span<const edge> edges, std::span<const float> weights, const build_options& options,
                    rows_of grouping, Take take) {
  for (std::size_t k = 0; k < edges.size(); ++k) {
    edge e = edges[k];
    if (grouping == rows_of::out_edges) std::swap(e.source, e.target);
    if (options.remove_self_loops && e.source == e.target) continue;
    const float weight = Weighted ? weights[k] : 1;
    take(e.target, e.source, weight);
    if (options.symmetrize) take(e.source, e.target, weight);
  }
}

// Where the edges of one core's rows gather: bin after bin, in each the room of the locale's cores in turn,
// then that of the other locales.
class shelf {
 public:
  struct bin {
    std::uint64_t first_vertex;
    std::uint64_t first_key;
    std::uint64_t next_from_afar;
  };

  shelf(core_id owner, const partition& owners, const edge_counts& counts, std::uint64_t bin_edges,
        bool weighted)
      : keys_of_(counts.vertices),
        bucket_shift_(static_cast<unsigned>(std::countr_zero(counts.bucket))),
        first_vertex_(owners.first_of(owner)),
        last_vertex_(owners.last_of(owner)) {
    const std::size_t first = first_bucket(), last = last_bucket();
    std::uint64_t edges = 0;
    for (std::size_t b = first; b < last; ++b) {
      const std::uint64_t in_bin = bins_.empty() ? 0 : edges - bins_.back().first_key;
      if (bins_.empty() || (in_bin > 0 && in_bin + counts.of_the_job[b] > bin_edges)) {
        bins_.push_back({b << bucket_shift_, edges, 0});
      }
      bin_of_.push_back(static_cast<std::uint32_t>(bins_.size() - 1));
      edges += counts.of_the_job[b];
    }
    bins_.push_back({last_vertex_, edges, edges});  // ends the last bin
    keys = machine::huge_array<std::uint64_t>(edges, machine::pages::small);
    if (weighted) weights = machine::huge_array<float>(edges, machine::pages::small);
  }

  std::size_t bins() const { return bins_.size() - 1; }
  const bin& operator[](std::size_t k) const { return bins_[k]; }
  std::uint64_t edges() const { return bins_.back().first_key; }
  std::uint64_t last_vertex() const { return last_vertex_; }
  std::uint64_t first_vertex() const { return first_vertex_; }
  std::size_t first_bucket() const { return first_vertex_ >> bucket_shift_; }
  std::size_t last_bucket() const {
    return first_bucket() + count_buckets(last_vertex_ - first_vertex_, std::uint64_t{1} << bucket_shift_);
  }
  std::uint32_t bin_of_bucket(std::size_t bucket) const { return bin_of_[bucket - first_bucket()]; }

  // Notes the number of edges of each bin from the locale's own cores. The others lie after them.
  void leave_room(std::span<const std::uint64_t> of_the_locale) {
    for (std::size_t k = 0; k < bins(); ++k) bins_[k].next_from_afar = bins_[k].first_key + of_the_locale[k];
  }

  // [handler] Edges from another locale.
  void take(std::span<const std::uint64_t> more, const float* their_weights) {
    for (std::size_t k = 0; k < more.size(); ++k) {
      bin& into = bins_[bin_of_[keys_of_.row(more[k], first_vertex_) >> bucket_shift_]];
      if (their_weights) weights[into.next_from_afar] = their_weights[k];
      keys[into.next_from_afar++] = more[k];
    }
  }

  // The edges, bin by bin.
  grouped_edges leave() && {
    grouped_edges left{first_vertex_, {}, std::move(keys), std::move(weights)};
    for (std::size_t k = 1; k < bins_.size(); ++k) {
      left.groups.push_back({bins_[k].first_vertex, bins_[k].first_key});
    }
    return left;
  }

  machine::huge_array<std::uint64_t> keys;
  machine::huge_array<float> weights;

 private:
  edge_keys keys_of_;
  unsigned bucket_shift_;
  std::uint64_t first_vertex_, last_vertex_;
  std::vector<std::uint32_t> bin_of_;  // by bucket, from the core's first on
  std::vector<bin> bins_;              // and the end
};

// A message of keys, then as many weights, if any.
struct deliver {
  shelf* to;
  bool weighted;
  void operator()(std::span<const std::byte> bytes) const {
    const std::size_t count = bytes.size() / (sizeof(std::uint64_t) + (weighted ? sizeof(float) : 0));
    const auto* keys = reinterpret_cast<const std::uint64_t*>(bytes.data());
    to->take({keys, count}, weighted ? reinterpret_cast<const float*>(keys + count) : nullptr);
  }
};

// Writes this core's edges to the shelves of the locale's cores and sends the others.
template <bool Weighted>
class distributor {
  static constexpr std::size_t edge_bytes = sizeof(std::uint64_t) + (Weighted ? sizeof(float) : 0);
  static constexpr std::size_t edges_of_message =
      delegates::messenger::max_payload_bytes(sizeof(deliver)) / edge_bytes / 2 * 2;

 public:
  // before_me: by core of the locale, then bin: the number of edges that earlier cores have for it.
  distributor(const partition& owners, const edge_counts& counts, const by_core<shelf*>& shelves,
              const by_core<std::vector<std::uint64_t>>& before_me)
      : keys_(counts.vertices),
        bucket_shift_(static_cast<unsigned>(std::countr_zero(counts.bucket))),
        place_of_(counts.mine.size()),
        staged_(static_cast<std::size_t>(cores()) * edges_of_message * edge_bytes) {
    for (core_id c = 0; c < cores(); ++c) {
      shelf* const to = shelves[c];
      const std::size_t first = owners.first_of(c) >> bucket_shift_;
      const std::size_t last = count_buckets(owners.last_of(c), counts.bucket);
      const bool here = shape().locale_of(c) == my_locale();
      for (std::size_t b = first; b < last; ++b) {
        place_of_[b] = static_cast<std::uint32_t>(places_.size() + (here ? to->bin_of_bucket(b) : 0));
      }
      if (here) {
        add_bins(*to, before_me[c - shape().first_core_of(my_locale())]);
      } else {
        add_message(c, to);
      }
    }
  }

  // [task; suspends]
  void take(std::uint64_t vertex, std::uint64_t neighbour, float weight) {
    place& to = places_[place_of_[vertex >> bucket_shift_]];
    if constexpr (Weighted) to.weights[to.next] = weight;
    to.keys[to.next] = keys_.key(vertex, neighbour);
    if (++to.next == to.end) [[unlikely]]
      send(to);
  }

  // [task; suspends] Returns when the edges that this core has sent have arrived.
  void finish() {
    for (place& to : places_) send(to);
    moved_.wait();
  }

 private:
  // A bin of this locale, or the message to a core of another one.
  struct place {
    std::uint64_t* keys;
    float* weights;
    std::uint64_t next, end;
    shelf* of_afar;  // null for a bin
    core_id core;
  };

  void add_bins(const shelf& to, const std::vector<std::uint64_t>& before_me) {
    for (std::size_t k = 0; k < to.bins(); ++k) {
      const std::uint64_t next = to[k].first_key + before_me[k];
      places_.push_back({to.keys.data(), to.weights.data(), next, to.edges() + 1, nullptr, 0});
    }
  }

  void add_message(core_id c, shelf* to) {
    std::byte* const staged = staged_.data() + static_cast<std::size_t>(c) * edges_of_message * edge_bytes;
    auto* const keys = reinterpret_cast<std::uint64_t*>(staged);
    places_.push_back({keys, reinterpret_cast<float*>(keys + edges_of_message), 0, edges_of_message, to, c});
  }

  void send(place& to) {
    if (!to.of_afar || to.next == 0) return;
    auto* const bytes = reinterpret_cast<std::byte*>(to.keys);
    if (Weighted) std::memmove(to.keys + to.next, to.weights, to.next * sizeof(float));
    delegates::async_call(moved_, to.core, deliver{to.of_afar, Weighted},
                          std::span<const std::byte>(bytes, to.next * edge_bytes));
    to.next = 0;
  }

  edge_keys keys_;
  unsigned bucket_shift_;
  std::vector<std::uint32_t> place_of_;  // by bucket
  std::vector<place> places_;
  std::vector<std::byte> staged_;  // messages being filled
  delegates::completion_event moved_;
};

template <bool Weighted>
void distribute(input_edges& input, const partition& owners, const build_options& options,
                const edge_counts& counts, const by_core<shelf*>& shelves,
                const by_core<std::vector<std::uint64_t>>& before_me, last_use use) {
  distributor<Weighted> out(owners, counts, shelves, before_me);
  const auto take = [&](std::span<const edge> edges, std::span<const float> weights) {
    for_each_entry<Weighted>(edges, weights, options, counts.grouping,
                             [&](std::uint64_t vertex, std::uint64_t neighbour, float weight) {
                               out.take(vertex, neighbour, weight);
                             });
    // Handles what has arrived. Kronecker 20 symmetrized, 2 x 1: moving takes 0.23 s, 0.56 without.
    if (locales() > 1) tasks::yield();
  };
  if (use == last_use::yes) {
    input.consume_batches(take);
  } else {
    input.visit_batches(take);
  }
  out.finish();
}

// Room in the shelves of a locale: by its cores, then bin, how many edges the first `senders` cores bring.
by_core<std::vector<std::uint64_t>> edges_before(std::span<const shelf* const> shelves,
                                                 std::span<const std::uint64_t* const> counts,
                                                 std::size_t senders) {
  by_core<std::vector<std::uint64_t>> before;
  for (const shelf* to : shelves) {
    std::vector<std::uint64_t>& edges = before.emplace_back(to->bins());
    for (std::size_t b = to->first_bucket(); b < to->last_bucket(); ++b) {
      for (std::size_t k = 0; k < senders; ++k) edges[to->bin_of_bucket(b)] += counts[k][b];
    }
  }
  return before;
}

std::uint64_t bin_size(const partition& owners, const edge_counts& counts) {
  const core_id first = shape().first_core_of(my_locale());
  const std::uint64_t begin = owners.first_of(first), end = owners.last_of(first + my_locales_cores() - 1);
  std::uint64_t edges = 0;
  for (std::uint64_t v = begin; v < end; v += counts.bucket) edges += counts.of_the_job[v / counts.bucket];
  return std::max(edges_of_bin, edges / most_bins);
}

// Rows that are not kept need no weights: only their degrees are used.
bool keeps_weights(const build_options& options, rows_of grouping) {
  return grouping == rows_of::out_edges || options.symmetrize || options.keep.in_vectors ||
         options.keep.in_rows;
}

}  // namespace

void edge_counts::add_up() {
  of_the_job = mine;
  collectives::all_reduce(std::span(of_the_job), std::plus<std::uint64_t>());
}

edge_counts count_edges(const input_edges& input, std::uint64_t vertices, const build_options& options,
                        rows_of grouping, std::uint64_t bucket) {
  edge_counts made = no_edges(vertices, grouping, bucket);
  const auto shift = static_cast<unsigned>(std::countr_zero(made.bucket));
  input.visit_batches([&](std::span<const edge> edges, std::span<const float> weights) {
    for_each_entry<false>(edges, weights, options, grouping,
                          [&](std::uint64_t vertex, std::uint64_t, float) { ++made.mine[vertex >> shift]; });
  });
  return made;
}

vertex_counts count_by_vertex(const input_edges& input, std::uint64_t vertices,
                              const build_options& options) {
  vertex_counts made;
  made.in = machine::huge_array<std::uint32_t>(vertices);
  if (!options.symmetrize) made.out = machine::huge_array<std::uint32_t>(vertices);
  input.visit_batches([&](std::span<const edge> edges, std::span<const float> weights) {
    for_each_entry<false>(edges, weights, options, rows_of::in_edges,
                          [&](std::uint64_t target, std::uint64_t source, float) {
                            ++made.in[target];
                            if (!options.symmetrize) ++made.out[source];
                          });
  });
  return made;
}

edge_counts count_edges(const vertex_counts& counts, const numbering& numbers, const build_options& options,
                        rows_of grouping, std::uint64_t bucket) {
  edge_counts made = no_edges(counts.in.size(), grouping, bucket);
  const bool by_source = grouping == rows_of::out_edges && !options.symmetrize;
  const machine::huge_array<std::uint32_t>& all = by_source ? counts.out : counts.in;
  for (std::uint64_t v = 0; v < all.size(); ++v) made.mine[numbers.number(v) / made.bucket] += all[v];
  return made;
}

partition choose_partition(edge_counts& counts, std::uint64_t alpha, int parts) {
  counts.add_up();
  return balance(counts.vertices, counts.of_the_job, counts.bucket, parts, alpha);
}

result<partition> cut_by_offsets(std::uint64_t vertices, int parts, std::uint64_t alpha,
                                 const offsets_reader& offsets_of) {
  edge_counts counts;
  counts.vertices = vertices;
  counts.bucket = bucket_size(vertices, parts);
  counts.mine.resize((vertices + counts.bucket - 1) / counts.bucket);
  const auto first_of = [&](std::size_t b) { return std::min<std::uint64_t>(b * counts.bucket, vertices); };
  const index_range mine = my_part_of_job({0, counts.mine.size()});
  const std::uint64_t first = first_of(mine.first);
  const auto offsets = offsets_of({first, first_of(mine.last)});
  if (!offsets.ok()) return offsets.status();
  for (std::size_t b = mine.first; b < mine.last; ++b)
    counts.mine[b] = offsets.value()[first_of(b + 1) - first] - offsets.value()[first_of(b) - first];
  return choose_partition(counts, alpha, parts);
}

rows make_rows(input_edges& input, const partition& owners, const build_options& options,
               const edge_counts& counts, last_use use) {
  const bool weighted = input.weighted && keeps_weights(options, counts.grouping);
  shelf mine(my_core(), owners, counts, bin_size(owners, counts), weighted);
  const std::vector<const std::uint64_t*> counts_here =
      collectives::all_gather(counts.mine.data(), collectives::group::locale);
  const shelf* const own[] = {&mine};
  mine.leave_room(edges_before(own, counts_here, counts_here.size())[0]);
  // No core sends before all cores have a shelf.
  const by_core<shelf*> shelves = collectives::all_gather(&mine);
  const std::span<shelf* const> here = std::span(shelves).subspan(
      static_cast<std::size_t>(shape().first_core_of(my_locale())), counts_here.size());
  const auto before_me = edges_before(here, counts_here, static_cast<std::size_t>(my_core_of_locale()));
  if (weighted) {
    distribute<true>(input, owners, options, counts, shelves, before_me, use);
  } else {
    distribute<false>(input, owners, options, counts, shelves, before_me, use);
  }
  collectives::barrier();  // everybody's edges have arrived
  return sort_rows(std::move(mine).leave(), counts.vertices, options.remove_duplicates || options.symmetrize,
                   options.keep_weight);
}

}  // namespace orujo::internal::graph
