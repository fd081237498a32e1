// What collectives are made of: groups of cores, and small contributions combined over two levels.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "system/base/shape.hpp"
#include "system/messages/identity.hpp"
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

// One core's part in collectives. Contributions go to the locale's first core, from there to the first
// locale, and back: 2 messages per core. They are combined in the order of cores, so the result does not
// depend on timing.
class collective {
 public:
  // The largest contribution of one pass; larger ones go in pieces.
  static constexpr std::size_t max_bytes = 2048;

  collective(core_id me, const job_shape& shape);
  collective(const collective&) = delete;

  // The calling core's part.
  static collective& here() { return *here_; }
  void bind_to_this_thread() { here_ = this; }

  // [task; suspends; collective over g] value becomes all contributions combined; at most max_bytes, the same
  // size at every core. All cores get the same bytes.
  void reduce(group g, std::span<std::byte> value, const combine_bytes& combine);

 private:
  // Contributions to one level, by contributor; each can be at most one collective ahead, so one slot will
  // do.
  struct level {
    std::vector<std::vector<std::byte>> contributions;
    int arrived = 0;
  };

  void contribute(core_id to, level collective::*which, int slot, std::span<const std::byte> value);
  void gather(level& from, std::span<std::byte> value, const combine_bytes& combine);
  void release(core_id to, std::span<const std::byte> result);
  void await_release(std::span<std::byte> value);

  static inline thread_local collective* here_ = nullptr;
  const core_id me_;
  const job_shape& shape_;
  const locale_id locale_;
  const core_id leader_;  // first core of this locale
  level cores_, locales_;
  std::vector<std::byte> result_;
  bool released_ = false;
  tasks::wait_queue waiting_;
};

}  // namespace orujo::loops
