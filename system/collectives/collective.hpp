// The base of collectives: groups of cores, whose contributions are combined or gathered over two levels.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "system/base/call_site.hpp"
#include "system/base/identity.hpp"
#include "system/base/shape.hpp"
#include "system/collectives/meeting.hpp"
#include "system/collectives/pieces_by_locale.hpp"
#include "system/collectives/rounds.hpp"
#include "system/tasks/scheduler.hpp"
#include "system/transport/transport.hpp"

namespace orujo::internal::collectives {

class exchange;

// The group of a collective: the cores of which one task each takes part.
enum class group {
  job,      // one task on every core
  locale,   // one task on every core of this locale; other locales do their own
  leaders,  // one task on the first core of every locale
};

// A group's cores, numbered 0..size()-1 in the order of cores; seen from one of them.
class members {
 public:
  explicit members(group g) : group_(g) {}
  group kind() const { return group_; }

  int size() const {
    return group_ == group::job ? cores() : group_ == group::locale ? my_locales_cores() : locales();
  }
  int me() const { return number_of(my_core()); }
  core_id core(int member) const {
    return group_ == group::job      ? member
           : group_ == group::locale ? shape().first_core_of(my_locale()) + member
                                     : shape().first_core_of(member);
  }
  int number_of(core_id core) const {
    return group_ == group::job      ? core
           : group_ == group::locale ? core - shape().first_core_of(my_locale())
                                     : shape().locale_of(core);
  }

 private:
  group group_;
};

// Combines `from` into `into`; both have the size of the contribution.
using combine_bytes = std::function<void(std::span<std::byte> into, std::span<const std::byte> from)>;

// One core's part in collectives. The cores of a locale meet in memory. Between locales the first core of
// each takes part, in about log4 of their number rounds (rounds.hpp) of up to three messages each, as large
// as the contributions. Contributions are combined in the order of cores, and in the same way at all of them,
// so the result does not depend on timing.
//
// The locales of a node meet in memory, too, if each contribution fits (node/board.hpp). The last one to
// arrive combines all. With several nodes the first locale of each does, and these go through the rounds.
// Gathering and sums for each core use memory in jobs of one node only.
class collective {
 public:
  // The largest value that is reduced at once; larger arrays go in pieces.
  static constexpr std::size_t max_bytes = meeting::max_result;

  // All cores of a locale have the same `mates`. `place` is the locale's place on its node, for its first
  // core only.
  collective(core_id me, const job_shape& shape, meeting& mates, transport::meeting_place place = {});
  collective(const collective&) = delete;

  static constexpr base::core_part part = base::core_part::collective;
  // The calling core's part.
  static collective& here() { return base::part_of_this_core<collective>(); }

  // Marks a task that takes part in a collective, called at a place; may be nested. A collective of another
  // task of the core meanwhile is a misuse, and the message names both.
  class entrance {
   public:
    entrance(collective& of, const call_site& at);
    ~entrance();
    entrance(const entrance&) = delete;

   private:
    collective& of_;
  };

  // [task; suspends; collective over g] Replaces `value` by all contributions combined. It has at most
  // max_bytes, the same number at every core. All cores get the same bytes.
  void reduce(group g, std::span<std::byte> value, const combine_bytes& combine,
              const call_site& at = call_site::current());
  // [task; suspends; collective over g] Fills `all` with the contributions of the members, one after the
  // other and equally large. With empty contributions it is a barrier.
  void gather(group g, std::span<std::byte> mine, std::span<std::byte> all,
              const call_site& at = call_site::current());
  // [task; suspends; collective over the job] Returns the sum of the numbers that all cores have for this
  // one. `for_each` has a number for each core, and is overwritten.
  std::uint64_t sum_for_me(std::span<std::uint64_t> for_each, const call_site& at = call_site::current());
  // The place of the call of the collective that a task is in.
  const call_site& called_at() const { return called_at_; }

  // Exchanges of this core under way have numbers on which the members of their group agree.
  std::uint32_t begin_exchange(group g, exchange* begun);
  exchange& exchange_of(std::uint32_t number) const;
  void end_exchange(std::uint32_t number);

 private:
  pieces_by_locale pieces_of(group g, std::span<std::byte> all, std::size_t of_member) const {
    return {all, g == group::leaders ? nullptr : &shape_, shape_.locales(), of_member};
  }

  // Bytes that another locale sends to this one in a collective.
  struct told {
    std::vector<std::byte> bytes;
    std::size_t missing = 0;
    bool begun = false;
  };
  void require_leader() const;
  void reduce_between_leaders(std::span<std::byte> value, const combine_bytes& combine);
  template <class Finish>
  void meet(group g, const collective_part& mine, const Finish& finish);
  bool has_other_locales(group g) const { return g != group::locale && shape_.locales() > 1; }
  bool is_one_node() const { return speakers_.size() == 1; }
  void reduce_between(std::span<std::byte> value, const combine_bytes& combine);
  void reduce_on_board(std::span<std::byte> value, const combine_bytes& combine);
  void reduce_by_rounds(std::span<std::byte> value, const combine_bytes& combine);
  void gather_on_board(const pieces_by_locale& pieces);
  void sum_on_board(const pieces_by_locale& pieces);
  bool fits_board(const pieces_by_locale& pieces) const {
    return board_ && (pieces.size() == 0 || (is_one_node() && pieces.size() <= node::board::room));
  }
  void show_on_board(std::span<const std::byte> mine);
  void await_word(const std::atomic<std::uint64_t>& word, std::uint64_t least);
  void join_groups(const reduction_plan& plan, std::span<std::byte> value, const combine_bytes& combine);
  void gather_between(const pieces_by_locale& pieces);
  void sum_between(const pieces_by_locale& pieces);
  void tell(locale_id to, int slot, std::span<const std::byte> bytes);
  std::span<const std::byte> hear(int slot, std::size_t bytes);
  template <class P>
  void await(const P& holds);

  const job_shape& shape_;
  const locale_id locale_;
  const int place_;  // among the locale's cores
  meeting& mates_;
  node::board board_;                // of the first core
  std::vector<locale_id> speakers_;  // for all: of each node, or all locales
  int place_of_speaker_ = 0;         // index of this locale, or of its node, among them
  std::uint64_t meeting_ = 0;        // number of this core's last meeting
  // For the first core. A locale may be one collective ahead of another, and send for the next one while the
  // other still waits for a third locale's bytes. Hence there are two sets, which take turns.
  std::array<std::vector<told>, 2> told_;
  unsigned turn_ = 0;
  std::vector<std::byte> leaving_;  // scratch
  tasks::wait_queue waiting_;
  const tasks::worker* inside_ = nullptr;  // the worker of the task that takes part in a collective
  call_site called_at_ = call_site::current();
  int depth_ = 0;
  std::array<std::uint32_t, 3> exchanges_begun_ = {};  // by group
  std::vector<std::pair<std::uint32_t, exchange*>> exchanges_;
};

}  // namespace orujo::internal::collectives
