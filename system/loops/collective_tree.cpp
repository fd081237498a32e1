#include "system/loops/collective_tree.hpp"

#include <fmt/format.h>
#include <glog/logging.h>

#include <algorithm>
#include <cstring>

#include "system/base/check.hpp"
#include "system/messages/messenger.hpp"
#include "system/observe/trace.hpp"
#include "system/tasks/wait_name.hpp"

namespace orujo::loops {
namespace {
constexpr const char* disagree =
    "the members of a collective disagree: all call the same ones in the same order, with values of one size";
}

collective::collective(core_id me, const job_shape& shape)
    : cores_(me - shape.first_core_of(shape.locale_of(me))), locales_(shape.locale_of(me)) {
  const core_id first = shape.first_core_of(shape.locale_of(me));
  for (core_id c = first; c < first + shape.cores_of(shape.locale_of(me)); ++c) cores_.add(c);
  for (locale_id l = 0; l < shape.locales(); ++l) locales_.add(shape.first_core_of(l));
}

collective::entrance::entrance(collective& of, const call_site& at) : of_(of) {
  const tasks::worker* const me = tasks::scheduler::here()->current();
  if (of.inside_ && of.inside_ != me) {
    misuse(fmt::format("two tasks of a core are in collectives at the same time, the task begun by {} in "
                       "that of {}:{}, and the task begun by {} in this: only one task of each core takes "
                       "part in them",
                       of.inside_->running.origin(), of.called_at_.file_name(), of.called_at_.line(),
                       me ? me->running.origin() : "nobody"),
           at);
  }
  if (!of.inside_) of.called_at_ = at;
  of.inside_ = me;
  ++of.depth_;
}

collective::entrance::~entrance() {
  if (--of_.depth_ == 0) of_.inside_ = nullptr;
}

// A name for diagnostics is made only where there is a wait.
template <class P>
void collective::await(const P& holds) {
  if (holds()) return;
  const tasks::wait_name waits_for("the other members of a collective", called_at_);
  while (!holds()) tasks::scheduler::here()->suspend(waiting_, waits_for.text());
}

void collective::reduce(group g, std::span<std::byte> value, const combine_bytes& combine,
                        const call_site& site) {
  CHECK_LE(value.size(), max_bytes);
  const observe::trace_scope traced("collective", value.size());
  require(g != group::leaders || cores_.me == 0, "only the first core of a locale is one of the leaders");
  const entrance entered(*this, site);
  if (g == group::leaders) return combine_all(&collective::locales_, value, combine);
  if (g == group::locale || locales_.size() == 1) return combine_all(&collective::cores_, value, combine);
  const unsigned turn = cores_.next_turn();
  if (cores_.me != 0) {
    contribute(&collective::cores_, turn, 0, value);
    return await_release(value);
  }
  gather(cores_, turn, value, combine);
  combine_all(&collective::locales_, value, combine);
  release(cores_, value);
}

// In one hop, where every member tells every other one and all combine; or by way of the first.
void collective::combine_all(tier collective::*among, std::span<std::byte> value,
                             const combine_bytes& combine) {
  tier& all = this->*among;
  const unsigned turn = all.next_turn();
  if (all.size() <= most_in_one_hop) {
    for (int k = 1; k < all.size(); ++k) contribute(among, turn, (all.me + k) % all.size(), value);
    gather(all, turn, value, combine);
  } else if (all.me == 0) {
    gather(all, turn, value, combine);
    release(all, value);
  } else {
    contribute(among, turn, 0, value);
    await_release(value);
  }
}

void collective::contribute(tier collective::*among, unsigned turn, int member,
                            std::span<const std::byte> value) {
  const tier& all = this->*among;
  const core_id to = all.core_of[static_cast<std::size_t>(member)];
  messages::messenger::here().send_with_payload(
      to,
      [among, turn, me = all.me](std::span<const std::byte> contribution) {
        collective& there = here();
        level& at = (there.*among).levels[turn];
        at.contributions[static_cast<std::size_t>(me)].assign(contribution.begin(), contribution.end());
        ++at.arrived;
        tasks::scheduler::here()->wake_all(there.waiting_);
      },
      value);
  messages::messenger::here().flush(to);
}

// Waits for the other members' contributions and combines all; this one's is `value`.
void collective::gather(tier& from, unsigned turn, std::span<std::byte> value, const combine_bytes& combine) {
  level& at = from.levels[turn];
  await([&] { return at.arrived == from.size() - 1; });
  at.arrived = 0;
  if (from.me != 0) {
    at.contributions[static_cast<std::size_t>(from.me)].assign(value.begin(), value.end());
    require(at.contributions[0].size() == value.size(), disagree);
    std::copy(at.contributions[0].begin(), at.contributions[0].end(), value.begin());
  }
  for (std::size_t k = 1; k < at.contributions.size(); ++k) {
    require(at.contributions[k].size() == value.size(), disagree);
    combine(value, at.contributions[k]);
  }
}

void collective::release(const tier& all, std::span<const std::byte> result) {
  for (std::size_t k = 1; k < all.core_of.size(); ++k) {
    messages::messenger::here().send_with_payload(
        all.core_of[k],
        [](std::span<const std::byte> combined) {
          collective& there = here();
          there.result_.assign(combined.begin(), combined.end());
          there.released_ = true;
          tasks::scheduler::here()->wake_all(there.waiting_);
        },
        result);
    messages::messenger::here().flush(all.core_of[k]);
  }
}

void collective::await_release(std::span<std::byte> value) {
  await([&] { return released_; });
  released_ = false;
  CHECK_EQ(result_.size(), value.size());
  if (!value.empty()) std::memcpy(value.data(), result_.data(), value.size());
}

}  // namespace orujo::loops
