#include "framework/tables/relational/group_states.hpp"

#include <cmath>
#include <cstring>

namespace orujo::internal::relational {
namespace {

bool precedes(word a, word b, bool real) { return real ? real_of(a) < real_of(b) : a < b; }

// The 128 bits of a sum of integers.
__int128 whole_sum(const word* state) {
  __int128 sum = 0;
  std::memcpy(&sum, state, sizeof sum);
  return sum;
}
void add_to_sum(word* state, __int128 more) {
  const __int128 sum = whole_sum(state) + more;
  std::memcpy(state, &sum, sizeof sum);
}
void add_real(word* state, double more) { *state = word_of(real_of(*state) + more); }

template <bool Real, bool Greatest>
void keep_extremes(word* states, std::span<const std::uint64_t> at, const vec& v) {
  for (std::size_t k = 0; k < at.size(); ++k) {
    if (v.nulls && v.nulls[k]) continue;
    word* const to = states + at[k];
    const word w = v.words[k];
    if (to[1]++ == 0 || (Greatest ? precedes(to[0], w, Real) : precedes(w, to[0], Real))) to[0] = w;
  }
}

}  // namespace

group_states::state group_states::state_of(const aggregate& a) {
  switch (a.does) {
    case function::count_rows:
      return state::count_rows;
    case function::count:
      return state::count;
    case function::sum:
      return a.of.type == kind::integer ? state::sum_integers : state::sum_reals;
    case function::average:
      return state::sum_reals;
    case function::minimum:
      return state::least;
    case function::maximum:
      return state::greatest;
  }
  return state::count;
}

std::size_t group_states::words_of(state s) {
  switch (s) {
    case state::count_rows:
      return 0;
    case state::count:
      return 1;
    case state::sum_integers:
      return 3;
    case state::sum_reals:
    case state::least:
    case state::greatest:
      return 2;
  }
  return 0;
}

group_states::group_states(const plan_node& group, bool counts_rows)
    : width_(counts_rows || !group.aggregates.empty() ? 1 : 0) {
  for (const aggregate& a : group.aggregates) {
    const state what = state_of(a);
    shapes_.push_back(
        {what, a.of.type == kind::real, a.does == function::average, width_, words_of(what), a.of.at});
    width_ += shapes_.back().words;
  }
}

void group_states::add(word* words, std::span<const std::uint64_t> at, const std::vector<vec>& values,
                       std::size_t first, std::size_t n) const {
  if (width_ == 0) return;
  at = at.subspan(first, n);
  for (const std::uint64_t group : at) ++words[group];
  for (std::size_t a = 0; a < shapes_.size(); ++a) {
    if (shapes_[a].what != state::count_rows) add_one(shapes_[a], words, at, values[a].from(first));
  }
}

// The word of a null is 0, which changes no sum.
void group_states::add_one(const shape& s, word* words, std::span<const std::uint64_t> at,
                           const vec& v) const {
  word* const states = words + s.at;
  switch (s.what) {
    case state::count_rows:
      return;
    case state::count:
      break;
    case state::sum_integers:
      for (std::size_t k = 0; k < at.size(); ++k) add_to_sum(states + at[k], v.words[k]);
      break;
    case state::sum_reals:
      if (s.real) {
        for (std::size_t k = 0; k < at.size(); ++k) add_real(states + at[k], real_of(v.words[k]));
      } else {
        for (std::size_t k = 0; k < at.size(); ++k) add_real(states + at[k], static_cast<double>(v.words[k]));
      }
      break;
    case state::least:
      return s.real ? keep_extremes<true, false>(states, at, v) : keep_extremes<false, false>(states, at, v);
    case state::greatest:
      return s.real ? keep_extremes<true, true>(states, at, v) : keep_extremes<false, true>(states, at, v);
  }
  if (!v.nulls) return;
  word* const nulls = states + s.words - 1;
  for (std::size_t k = 0; k < at.size(); ++k) nulls[at[k]] += v.nulls[k];
}

void group_states::merge(word* to, const word* from) const {
  if (width_ == 0) return;
  to[0] += from[0];
  for (const shape& s : shapes_) {
    word* const mine = to + s.at;
    const word* const more = from + s.at;
    switch (s.what) {
      case state::count_rows:
        continue;
      case state::count:
        break;
      case state::sum_integers:
        add_to_sum(mine, whole_sum(more));
        break;
      case state::sum_reals:
        add_real(mine, real_of(more[0]));
        break;
      case state::least:
      case state::greatest:
        if (more[1] != 0 && (mine[1] == 0 || (s.what == state::least ? precedes(more[0], mine[0], s.real)
                                                                     : precedes(mine[0], more[0], s.real))))
          mine[0] = more[0];
        break;
    }
    mine[s.words - 1] += more[s.words - 1];
  }
}

void group_states::show(const word* words, std::span<const std::uint64_t> at, std::vector<column>& aggregates,
                        overflow_place& overflow) const {
  aggregates.assign(shapes_.size(), {});
  for (std::size_t a = 0; a < shapes_.size(); ++a) {
    const shape& s = shapes_[a];
    column& to = aggregates[a];
    for (const std::uint64_t group : at) {
      const word rows = words[group];
      const word* const kept = words + group + s.at;
      const bool counts_nulls = s.what < state::least && s.words > 0;
      const word values = s.words == 0 ? rows : counts_nulls ? rows - kept[s.words - 1] : kept[1];
      if (s.what <= state::count) {
        to.push_back(values);
      } else if (values == 0) {
        to.push_null();
      } else if (s.what == state::sum_reals && std::isnan(real_of(kept[0]))) {
        to.push_null();  // of infinities of both signs
      } else if (s.averages) {
        to.push_back(word_of(real_of(kept[0]) / static_cast<double>(values)));
      } else {
        if (s.what == state::sum_integers && kept[1] != kept[0] >> 63) overflow.set(s.place_in_text);
        to.push_back(kept[0]);
      }
    }
  }
}

}  // namespace orujo::internal::relational
