// Copies of elements of a global array that other cores own, which are updated again and again: the halo of a
// mesh, the columns of a sparse matrix.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <ranges>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "system/collectives/collectives.hpp"
#include "system/containers/flat_table.hpp"
#include "system/containers/global_array.hpp"
#include "system/delegates/bulk.hpp"
#include "system/memory/global_address.hpp"

namespace orujo::internal::containers {

// Copies of the elements that a core reads, and a plan by which their owners send them. An update sends
// values alone, where a gather sends indices, too.
//   ghosts<double> columns(x, column_of_entry);
//   for (...) {
//     columns.update();
//     ... sum += value[k] * columns[k]; ...
//   }
// Only the task that makes it uses it. It has to be gone before the array.
//
// The plan resembles a PETSc VecScatter (Balay et al., "Efficient Management of Parallelism in
// Object-Oriented Numerical Software Libraries", 1997).
template <class T>
class ghosts {
 public:
  static_assert(std::is_trivially_copyable_v<T>, "elements that have ghosts are trivially copyable");

  // [task; suspends; collective over the job] Plans copies of the elements indices[k], which may repeat: an
  // element has one copy. The copies hold no values before an update. An index past the end is a misuse.
  // Sends 8 bytes for each element of another locale. Takes 4 bytes for each index, and 8 + sizeof(T) for
  // each element, as much again at its owner if that is in another locale.
  template <delegates::detail::indices Indices>
  ghosts(const global_array<T>& array, const Indices& indices, const call_site& at = call_site::current())
      : array_(array) {
    detail::require_indices(indices, array.size(), at);
    number_copies(indices, at);
    by_core<std::vector<std::size_t>> asked(cores());
    by_core<T*> places(cores());
    for (core_id c = 0; c < cores(); ++c) {
      const run of_core = run_of(c);
      const auto first = wanted_.begin() + of_core.first, last = wanted_.begin() + of_core.last;
      if (shape().locale_of(c) == my_locale())
        near_.push_back(of_core);
      else
        asked[c].assign(first, last);
      places[c] = copies_.data() + of_core.first;
    }
    asked = collectives::all_to_all(asked, collectives::group::job, at);
    places = collectives::all_to_all(places, collectives::group::job, at);
    for (core_id c = 0; c < cores(); ++c) {
      if (asked[c].empty()) continue;
      far_.push_back({{c, places[c]}, {}, std::vector<T>(asked[c].size())});
      far_.back().wanted = std::move(asked[c]);
    }
  }
  ghosts(ghosts&&) = default;
  ghosts& operator=(ghosts&&) = delete;

  // [task; suspends; collective over the job] Copies the values that the elements have when all cores have
  // called it. Its end is a barrier: the elements may change then. Between cores of a locale a copy is a load
  // and a store; owners send all values for a core of another locale as one range
  // (system/delegates/bulk.hpp).
  void update(const call_site& at = call_site::current()) {
    collectives::barrier(collectives::group::job, at);
    tasks::join_counter missing(0, "an update of ghosts");
    for (request& r : far_) {
      missing.add();
      tasks::spawn([this, &r, &missing] {
        const std::span<const T> mine = array_.local();
        const std::size_t first = array_.range_here().first;
        for (std::size_t k = 0; k < r.wanted.size(); ++k) r.values[k] = mine[r.wanted[k] - first];
        delegates::put(r.to, std::span<const T>(r.values));
        missing.complete();
      });
    }
    for (const run& r : near_) copy(r);
    missing.wait();
    collectives::barrier(collectives::group::job, at);
  }

  // The number of indices.
  std::size_t size() const { return copy_of_.size(); }
  // The value of element indices[k] at the last update.
  const T& operator[](std::size_t k) const { return copies_[copy_of_[k]]; }

 private:
  static constexpr std::size_t most_copies = std::numeric_limits<std::uint32_t>::max();

  // The part of wanted_ and copies_ that belongs to a core.
  struct run {
    core_id core;
    std::ptrdiff_t first, last;
  };
  // The elements of this core that a core of another locale reads.
  struct request {
    memory::global_address<T> to;
    std::vector<std::size_t> wanted;
    std::vector<T> values;
  };

  // Numbers the distinct elements in the order of their indices.
  template <class Indices>
  void number_copies(const Indices& indices, const call_site& at) {
    flat_table<std::size_t, std::uint32_t> order_of;
    std::vector<std::pair<std::size_t, std::uint32_t>> found;  // index, order of its first use
    copy_of_.reserve(std::ranges::size(indices));
    for (const auto index : indices) {
      const auto [order, is_new] = order_of.find_or_insert(static_cast<std::size_t>(index));
      if (is_new) {
        require(found.size() < most_copies, "ghosts of 2^32 elements or more", at);
        *order = static_cast<std::uint32_t>(found.size());
        found.emplace_back(index, *order);
      }
      copy_of_.push_back(*order);
    }
    std::sort(found.begin(), found.end());
    std::vector<std::uint32_t> number_of(found.size());  // by that order
    for (const auto& [index, order] : found) {
      number_of[order] = static_cast<std::uint32_t>(wanted_.size());
      wanted_.push_back(index);
    }
    for (std::uint32_t& copy : copy_of_) copy = number_of[copy];
    copies_.resize(wanted_.size());
  }
  run run_of(core_id c) const {
    const index_range owned = array_.range_of(c);
    const auto bound = [&](std::size_t i) {
      return std::lower_bound(wanted_.begin(), wanted_.end(), i) - wanted_.begin();
    };
    return {c, bound(owned.first), bound(owned.last)};
  }
  // Copies elements of a core of this locale, which has met this one at a barrier.
  void copy(const run& r) {
    const T* const base = array_.values_of(r.core);
    const std::size_t first = array_.range_of(r.core).first;
    for (std::ptrdiff_t k = r.first; k < r.last; ++k) {
      const auto at = static_cast<std::size_t>(k);
      copies_[at] = base[wanted_[at] - first];
    }
  }

  const global_array<T> array_;
  std::vector<std::size_t> wanted_;     // distinct and ascending, so that those of an owner are together
  std::vector<T> copies_;               // of each
  std::vector<std::uint32_t> copy_of_;  // by index
  std::vector<run> near_;
  std::vector<request> far_;
};

}  // namespace orujo::internal::containers
