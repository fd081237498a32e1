// What collectives are made of: groups of cores, and small contributions combined over two levels.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "system/base/call_site.hpp"
#include "system/base/identity.hpp"
#include "system/base/shape.hpp"
#include "system/tasks/scheduler.hpp"

namespace orujo::loops {

// Who takes part in a collective.
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

// One core's part in collectives. The cores of a locale combine their contributions, then the first cores of
// all locales, then the result goes to the others of each locale. Up to most_in_one_hop members all tell each
// other; more do it by way of the first of them, in two hops, which takes 2 messages per member. What is
// combined is combined in the order of cores, so the result does not depend on timing.
class collective {
 public:
  // The largest contribution of one pass; larger ones go in pieces.
  static constexpr std::size_t max_bytes = 2048;
  // Cores of a locale, or locales.
  static constexpr int most_in_one_hop = 4;

  collective(core_id me, const job_shape& shape);
  collective(const collective&) = delete;

  // The calling core's part.
  static collective& here() { return of_this_core(here_); }
  void bind_to_this_thread() { here_ = this; }

  // A task's while it takes part in a collective, called at a place; may be nested. That of another task of
  // the core meanwhile is a misuse, which names both.
  class entrance {
   public:
    entrance(collective& of, const call_site& at);
    ~entrance();
    entrance(const entrance&) = delete;

   private:
    collective& of_;
  };

  // [task; suspends; collective over g] value becomes all contributions combined; at most max_bytes, the same
  // size at every core. All cores get the same bytes.
  void reduce(group g, std::span<std::byte> value, const combine_bytes& combine,
              const call_site& at = call_site::current());
  // Where the collective was called in which a task takes part.
  const call_site& called_at() const { return called_at_; }

 private:
  // Contributions to one collective, by member.
  struct level {
    std::vector<std::vector<std::byte>> contributions;
    int arrived = 0;
  };
  // Who combine with each other. A member that is done may be one collective ahead, in which it tells of the
  // next while another still waits for a third's; hence two levels, which take turns.
  struct tier {
    int me;
    std::vector<core_id> core_of;  // by member
    std::array<level, 2> levels = {};
    unsigned turn = 0;

    explicit tier(int my_number) : me(my_number) {}
    void add(core_id member) {
      core_of.push_back(member);
      for (level& of : levels) of.contributions.emplace_back();
    }
    int size() const { return static_cast<int>(core_of.size()); }
    unsigned next_turn() { return std::exchange(turn, 1 - turn); }
  };

  void combine_all(tier collective::*among, std::span<std::byte> value, const combine_bytes& combine);
  void contribute(tier collective::*among, unsigned turn, int member, std::span<const std::byte> value);
  void gather(tier& from, unsigned turn, std::span<std::byte> value, const combine_bytes& combine);
  static void release(const tier& all, std::span<const std::byte> result);
  void await_release(std::span<std::byte> value);
  template <class P>
  void await(const P& holds);

  static inline thread_local collective* here_ = nullptr;
  tier cores_;    // of this locale
  tier locales_;  // their first cores
  std::vector<std::byte> result_;
  bool released_ = false;
  tasks::wait_queue waiting_;
  const tasks::worker* inside_ = nullptr;  // whose task takes part in a collective
  call_site called_at_ = call_site::current();
  int depth_ = 0;
};

}  // namespace orujo::loops
