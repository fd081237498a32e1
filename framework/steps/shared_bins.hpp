// Bins of the cores of a locale, which work off one bin after the other together.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "framework/steps/bins.hpp"
#include "framework/steps/dealer.hpp"
#include "system/base/identity.hpp"
#include "system/collectives/collectives.hpp"

namespace orujo::internal::steps {

// One core's part; made and used by one task per core. Cores go by bins in ascending order, and each puts
// what it finds into its own ones. At the beginning of a round it offers what it has in the bin, of which all
// cores take. While a core has put few entries into the current bin, it goes on with these without a barrier.
// This is the bucket fusion of Zhang et al., "Optimizing Ordered Graph Algorithms with GraphIt", CGO 2020.
//
// Functions that work off a bin call work(entries), which may push further entries, also to the current bin.
template <class Entry>
class shared_bins {
  using own_bins = bins<Entry>;

 public:
  static constexpr std::uint64_t none = own_bins::none;

  // [task; suspends; collective over the locale]
  shared_bins()
      : me_(my_core_of_locale()), arena_(collectives::share_on_locale<arena>([] {
          return std::make_shared<arena>(my_locales_cores());
        })) {}

  // Forgets all entries, and begins again at bin 0.
  void clear() {
    own_.clear();
    current_ = round_ = end_ = alone_to_ = 0;
  }
  // Adds an entry, to the current bin if its own one comes before that.
  [[gnu::always_inline]] void push(std::uint64_t bin, const Entry& one) {
    if (bin < current_) [[unlikely]]
      bin = current_;
    own_.push(bin, one);
  }
  // The first bin from `bin` on of which this core has entries, or none. It has none before `bin`.
  std::uint64_t first_from(std::uint64_t bin) const { return own_.first_from(bin); }

  // The bin that this core works off.
  std::uint64_t current() const { return current_; }
  // True while one core works off bins by itself and the others wait.
  bool alone() const { return alone_; }
  // The same at all cores: the bin with which the last work_off_next() began, none if nothing was left.
  std::uint64_t round() const { return round_; }
  // The same at all cores. No entry of a bin from end() on has been worked off, except where a core has gone
  // on alone. end() is behind those after the next round.
  std::uint64_t end() const { return end_; }

  // [task; suspends; collective over the locale] Works off the first bin of any core before `last`, all cores
  // together, or the core with the most entries alone if there are very few. That one goes on to its later
  // bins while these are as small, and not behind those of the other cores. So a path takes no barrier per
  // vertex. Returns false if no core has entries in such a bin. arrange(entries) is called before the entries
  // of a bin are offered.
  template <class Arrange, class Work>
  bool work_off_next(std::uint64_t last, Arrange arrange, Work work) {
    const bool more = go_to_next(last, arrange, asks::later_bins);
    for (const offer& o : arena_->offers[turn_]) end_ = std::max(end_, o.end);
    round_ = more ? current_ : none;
    if (!more) return false;
    end_ = std::max(end_, current_ + 1);
    work_off_current(last, work);
    return true;
  }

  // For rounds of several locales. Sets the current bin.
  void begin_at(std::uint64_t bin) {
    current_ = bin;
    if (!own_.within_window(bin)) own_.move_window(bin);
  }
  // [task; suspends; collective over the locale] Works off the locale's first bin before the `last` of all
  // cores, which may differ. Returns false if no core has entries in one.
  template <class Arrange, class Work>
  bool work_off_next_before(std::uint64_t last, Arrange arrange, Work work) {
    if (!go_to_next(last, arrange, asks::nothing)) return false;
    work_off_offers(work);
    work_off_own(work);
    return true;
  }
  void extend_end(std::uint64_t bin) { end_ = std::max(end_, bin); }

 private:
  // Entries that a core takes from an offer at a time.
  static constexpr std::size_t taken_at_once = 64;
  // A core goes on by itself with fewer entries than this.
  static constexpr std::size_t few = 1000;
  // One core works off bins of at most this many entries, while the others wait. It would take them at once
  // anyway.
  static constexpr std::size_t very_few = taken_at_once;

  // Entries of a bin that a core has. All cores of the locale take some.
  struct alignas(64) offer {
    std::uint64_t bin = none, last = none;  // the core's first bin, and which one it may not work off
    std::uint64_t next = 0;  // the core's first later bin if it offers few and was asked, otherwise 0
    std::uint64_t end = 0;   // behind the last bin that the core has worked off alone
    std::span<const Entry> found;
    dealer of_found;
  };
  struct arena {
    explicit arena(int cores) : offers{by_core<offer>(cores), by_core<offer>(cores)} {}
    by_core<offer> offers[2];  // rounds use the two in turn
  };
  enum class asks { nothing, later_bins };

  // Offers what this core has in its first bin, if that is before `last`. Returns the first bin of any core
  // of the locale, or none if a core may not work it off.
  template <class Arrange>
  std::uint64_t offer_bin(std::uint64_t last, Arrange arrange, asks what) {
    const std::uint64_t bin = own_.first_from(current_);
    turn_ = 1 - turn_;
    by_core<offer>& offers = arena_->offers[turn_];
    offer& mine = offers[me_];
    mine.bin = bin;
    mine.last = last;
    mine.found = {};
    mine.next = 0;
    if (bin < last && own_.within_window(bin)) {
      arrange(own_.bin(bin));
      mine.found = own_.bin(bin);
    }
    if (bin != none && mine.found.size() <= very_few && what == asks::later_bins)
      mine.next = offers.size() == 1 ? none : own_.first_from(bin + 1);
    mine.end = alone_to_;
    mine.of_found.reset();
    collectives::barrier(collectives::group::locale);
    own_.recycle(std::move(offered_[1 - turn_]));
    offered_[1 - turn_] = {};
    std::uint64_t first = none;
    for (const offer& o : offers) {
      first = std::min(first, o.bin);
      last = std::min(last, o.last);
    }
    return first < last ? first : none;
  }

  void take_offered() {
    if (arena_->offers[turn_][me_].bin == current_) std::swap(offered_[turn_], own_.bin(current_));
  }

  // Goes on to the first bin of any core before `last`. Cores whose window does not have it move that, and
  // then all offer again, as windows differ where a core has gone on alone.
  template <class Arrange>
  bool go_to_next(std::uint64_t last, Arrange arrange, asks what) {
    for (bool offered = false; !offered;) {
      const std::uint64_t first = offer_bin(last, arrange, what);
      if (first == none) return false;
      offered = std::ranges::none_of(arena_->offers[turn_],
                                     [first](const offer& o) { return o.bin == first && o.found.empty(); });
      begin_at(first);
    }
    take_offered();
    return true;
  }

  template <class Work>
  void work_off_current(std::uint64_t last, Work work) {
    const by_core<offer>& offers = arena_->offers[turn_];
    std::size_t found = 0;
    int most = me_;
    for (int k = 0; k < my_locales_cores(); ++k) {
      if (offers[k].bin != current_) continue;
      found += offers[k].next > 0 ? offers[k].found.size() : few;
      if (offers[most].bin != current_ ||
          std::pair(offers[k].found.size(), k) > std::pair(offers[most].found.size(), most))
        most = k;
    }
    if (found > very_few) {
      work_off_offers(work);
      work_off_own(work);
    } else if (most == me_) {
      work_off_alone(last, work);
    }
  }

  // Goes on while this core's first bin is very small, before `last` and not behind any other core's.
  template <class Work>
  void work_off_alone(std::uint64_t last, Work work) {
    alone_ = true;
    std::uint64_t others = none;
    for (int k = 0; k < my_locales_cores(); ++k) {
      const offer& o = arena_->offers[turn_][k];
      if (o.bin == current_) work(o.found);
      if (k != me_) others = std::min(others, o.bin == current_ ? o.next : o.bin);
    }
    for (;;) {
      work_off_own(work);
      const std::uint64_t next = own_.first_from(current_);
      if (next > others || next >= last) break;
      if (!own_.within_window(next)) own_.move_window(next);
      if (own_.bin(next).size() > very_few) break;
      current_ = next;
    }
    alone_to_ = current_ + 1;
    alone_ = false;
  }

  template <class Work>
  void work_off_offers(Work work) {
    deal_shares(arena_->offers[turn_], [&](offer& from) {
      if (from.bin != current_) return;
      from.of_found.deal(from.found.size(), taken_at_once, [&](std::size_t first, std::size_t last) {
        work(from.found.subspan(first, last - first));
      });
    });
  }

  template <class Work>
  void work_off_own(Work work) {
    while (!own_.bin(current_).empty() && own_.bin(current_).size() < few) {
      std::vector<Entry> found;
      std::swap(found, own_.bin(current_));
      work(std::span<const Entry>(found));
      own_.recycle(std::move(found));
    }
  }

  const int me_;  // core of the locale
  const std::shared_ptr<arena> arena_;
  own_bins own_;
  std::uint64_t current_ = 0, round_ = 0, end_ = 0;
  bool alone_ = false;
  std::uint64_t alone_to_ = 0;  // behind the last bin that this core worked off alone
  std::size_t turn_ = 0;
  std::vector<Entry> offered_[2];
};

}  // namespace orujo::internal::steps
