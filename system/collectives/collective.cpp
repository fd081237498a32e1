#include "system/collectives/collective.hpp"

#include <fmt/format.h>
#include <glog/logging.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

#include "system/base/check.hpp"
#include "system/messages/messenger.hpp"
#include "system/observe/trace.hpp"
#include "system/tasks/wait_name.hpp"

namespace orujo::internal::collectives {
namespace {

constexpr const char* disagree =
    "the members of a collective disagree: all call the same ones in the same order, with values of one size";

// The slots of the messages between two locales in one collective: that of a pair, then those of the rounds.
constexpr int slot_of_pair = 0;
constexpr std::size_t slots_between(int locales) {
  return 1 + static_cast<std::size_t>(rounds_to_reach(locales)) * radix;
}

}  // namespace

collective::collective(core_id me, const job_shape& shape, meeting& mates, transport::meeting_place place)
    : shape_(shape),
      locale_(shape.locale_of(me)),
      place_(me - shape.first_core_of(shape.locale_of(me))),
      mates_(mates),
      board_(std::move(place.on_node)),
      speakers_(std::move(place.first_of_nodes)) {
  if (place_ != 0) return;
  if (!board_) {
    speakers_.resize(static_cast<std::size_t>(shape.locales()));
    std::iota(speakers_.begin(), speakers_.end(), 0);
  }
  const auto next_node = std::upper_bound(speakers_.begin(), speakers_.end(), locale_);
  place_of_speaker_ = static_cast<int>(next_node - speakers_.begin()) - 1;
  for (auto& of_turn : told_) of_turn.resize(slots_between(shape.locales()));
}

collective::entrance::entrance(collective& of, const call_site& at) : of_(of) {
  const tasks::worker* const me = tasks::scheduler::here()->current();
  if (of.inside_ && of.inside_ != me) {
    base::misuse(
        fmt::format("two tasks of a core are in collectives at the same time, the task begun by {} in "
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

// Makes a name for diagnostics only if there is a wait.
template <class P>
void collective::await(const P& holds) {
  if (holds()) return;
  const tasks::wait_name waits_for("the other members of a collective", called_at_);
  while (!holds()) tasks::scheduler::here()->suspend(waiting_, waits_for.text());
}

// Collects the members' parts. The finisher of a locale is the last core to arrive, or its first core if
// there are other locales. finish() does the work for all cores and returns their common result.
template <class Finish>
void collective::meet(group g, const collective_part& mine, const Finish& finish) {
  ++meeting_;
  const bool last = mates_.arrive(place_, meeting_, mine);
  const bool first_finishes = has_other_locales(g);
  if (last && first_finishes && place_ != 0) mates_.ring(0);
  if (first_finishes ? place_ != 0 : !last) return await_word(mates_.concluded(), meeting_);
  if (!last) await_word(mates_.arrived(), mates_.all_have_arrived(meeting_));
  mates_.conclude(meeting_, finish());
}

void collective::reduce(group g, std::span<std::byte> value, const combine_bytes& combine,
                        const call_site& site) {
  CHECK_LE(value.size(), max_bytes);
  const observe::trace_scope traced("collective", value.size());
  const entrance entered(*this, site);
  if (g == group::leaders) return reduce_between_leaders(value, combine);
  meet(g, {value, {}}, [&] {
    std::span<std::byte> all = mates_.part(0).in;
    if (mates_.copies(value.size())) {  // leaves the first core's line with it
      require(all.size() == value.size(), disagree);
      std::copy(all.begin(), all.end(), value.begin());
      all = value;
    }
    for (int k = 1; k < mates_.size(); ++k) {
      const std::span<std::byte> other = mates_.part(k).in;
      require(other.size() == all.size(), disagree);
      combine(all, other);
    }
    if (has_other_locales(g)) reduce_between(all, combine);
    return all;
  });
  const std::span<const std::byte> all = mates_.result(value.size());
  std::copy(all.begin(), all.end(), value.begin());
}

void collective::gather(group g, std::span<std::byte> mine, std::span<std::byte> all, const call_site& site) {
  const observe::trace_scope traced("collective", all.size());
  const entrance entered(*this, site);
  const std::size_t of_member = mine.size();
  CHECK_EQ(all.size(), of_member * static_cast<std::size_t>(members(g).size()));
  if (g == group::leaders) {
    require_leader();
    pieces_of(g, all, of_member).replace(locale_, 1, mine);
    return shape_.locales() > 1 ? gather_between(pieces_of(g, all, of_member)) : void();
  }
  meet(g, {mine, all}, [&] {
    const std::span<std::byte> together = mates_.part(0).out;
    auto to = together.begin();
    if (g == group::job) to += static_cast<std::ptrdiff_t>(of_member) * shape_.first_core_of(locale_);
    for (int k = 0; k < mates_.size(); ++k) {
      const auto [in, out] = mates_.part(k);
      require(in.size() == of_member && out.size() == together.size(), disagree);
      to = std::copy(in.begin(), in.end(), to);
    }
    if (has_other_locales(g)) gather_between(pieces_of(g, all, of_member));
    for (int k = 1; k < mates_.size(); ++k)
      std::copy(together.begin(), together.end(), mates_.part(k).out.begin());
    return std::span<std::byte>();
  });
}

std::uint64_t collective::sum_for_me(std::span<std::uint64_t> for_each, const call_site& site) {
  const std::span<std::byte> numbers = std::as_writable_bytes(for_each);
  const observe::trace_scope traced("collective", numbers.size());
  const entrance entered(*this, site);
  CHECK_EQ(for_each.size(), static_cast<std::size_t>(shape_.cores()));
  std::uint64_t sum = 0;
  meet(group::job, {numbers, std::as_writable_bytes(std::span(&sum, 1))}, [&] {
    const std::span<std::byte> all = mates_.part(0).in;
    for (int k = 1; k < mates_.size(); ++k) {
      require(mates_.part(k).in.size() == all.size(), disagree);
      add_numbers(all, mates_.part(k).in);
    }
    if (has_other_locales(group::job)) sum_between(pieces_of(group::job, all, 8));
    const std::byte* from = all.data() + 8 * shape_.first_core_of(locale_);
    for (int k = 0; k < mates_.size(); ++k, from += 8) std::memcpy(mates_.part(k).out.data(), from, 8);
    return std::span<std::byte>();
  });
  return sum;
}

void collective::require_leader() const {
  require(place_ == 0, "only the first core of a locale is one of the leaders");
}

void collective::reduce_between_leaders(std::span<std::byte> value, const combine_bytes& combine) {
  require_leader();
  if (shape_.locales() > 1) reduce_between(value, combine);
}

void collective::reduce_between(std::span<std::byte> value, const combine_bytes& combine) {
  turn_ = 1 - turn_;
  board_ ? reduce_on_board(value, combine) : reduce_by_rounds(value, combine);
}

// The last locale to arrive reduces, or the node's first one if there are other nodes.
void collective::reduce_on_board(std::span<std::byte> value, const combine_bytes& combine) {
  board_.bring(value);
  const bool last = board_.arrive();
  if (!is_one_node() && last) board_.ring(0);
  if (is_one_node() ? !last : board_.me() != 0) {
    await_word(board_.concluded(), board_.is_concluded());
    require(board_.result().size() == value.size(), disagree);
    std::copy(board_.result().begin(), board_.result().end(), value.begin());
    return;
  }
  await_word(board_.arrived(), board_.all_have_arrived());
  for (int k = 0; k < board_.members(); ++k) {
    const std::span<const std::byte> brought = board_.brought_by(k);
    require(brought.size() == value.size(), disagree);
    k == 0 ? void(std::copy(brought.begin(), brought.end(), value.begin())) : combine(value, brought);
  }
  if (!is_one_node()) reduce_by_rounds(value, combine);
  board_.conclude(value);
}

void collective::gather_on_board(const pieces_by_locale& pieces) {
  if (!is_one_node()) return reduce_on_board({}, [](auto, auto) {});  // a barrier
  pieces.copy(locale_, 1, leaving_);
  show_on_board(leaving_);
  if (pieces.size() == 0) return;
  for (int k = 0; k < board_.members(); ++k) {
    const std::span<const std::byte> brought = board_.brought_by(k);
    require(brought.size() == pieces.bytes(k, 1), disagree);
    pieces.replace(k, 1, brought);
  }
}

void collective::sum_on_board(const pieces_by_locale& pieces) {
  pieces.copy(0, shape_.locales(), leaving_);
  show_on_board(leaving_);
  pieces.clear(locale_);
  for (int k = 0; k < board_.members(); ++k) {
    const std::span<const std::byte> brought = board_.brought_by(k);
    require(brought.size() == pieces.size(), disagree);
    pieces.add_from_all(locale_, brought);
  }
}

// Returns when all members of the node, which is the whole job, have shown their parts.
void collective::show_on_board(std::span<const std::byte> mine) {
  board_.bring(mine);
  if (board_.arrive()) return board_.conclude({});
  await_word(board_.concluded(), board_.is_concluded());
}

void collective::await_word(const std::atomic<std::uint64_t>& word, std::uint64_t least) {
  await([&] {
    if (word.load(std::memory_order_acquire) >= least) return true;
    messages::messenger::here().watch(word, least, waiting_);
    return false;
  });
}

void collective::reduce_by_rounds(std::span<std::byte> value, const combine_bytes& combine) {
  const reduction_plan plan(static_cast<int>(speakers_.size()), place_of_speaker_);
  const auto speaker = [this](int number) { return speakers_[static_cast<std::size_t>(number)]; };
  if (plan.hands_over()) {
    tell(speaker(place_of_speaker_ - 1), slot_of_pair, value);
    const auto result = hear(slot_of_pair, value.size());
    std::copy(result.begin(), result.end(), value.begin());
    return;
  }
  if (plan.is_paired()) combine(value, hear(slot_of_pair, value.size()));
  join_groups(plan, value, combine);
  if (plan.is_paired()) tell(speaker(place_of_speaker_ + 1), slot_of_pair, value);
}

void collective::join_groups(const reduction_plan& plan, std::span<std::byte> value,
                             const combine_bytes& combine) {
  const int place = plan.place();
  std::vector<std::byte> own;
  for (int stride = 1, slot = slot_of_pair + 1; stride < plan.grouped(); slot += radix) {
    const joining_groups round(stride, plan.grouped(), place);
    for (int k = 0; k < round.groups; ++k) {
      if (k == round.digit) continue;
      const auto to = static_cast<std::size_t>(plan.member_at(round.place_in(k, place)));
      tell(speakers_[to], slot + round.digit, value);
    }
    own.assign(value.begin(), value.end());
    for (int k = 0; k < round.groups; ++k) {
      const std::span<const std::byte> next = k == round.digit ? own : hear(slot + k, value.size());
      if (k > 0) {
        combine(value, next);
      } else {
        std::copy(next.begin(), next.end(), value.begin());
      }
    }
    stride *= round.groups;
  }
}

// After each round a locale has the pieces of `radix` times as many locales, counted from its own on.
void collective::gather_between(const pieces_by_locale& pieces) {
  turn_ = 1 - turn_;
  if (fits_board(pieces)) return gather_on_board(pieces);
  const int n = shape_.locales();
  for (int reached = 1, slot = 0; reached < n; reached *= radix, slot += radix - 1) {
    for (int k = 1; k < radix && k * reached < n; ++k) {
      pieces.copy(locale_, std::min(reached, n - k * reached), leaving_);
      tell((locale_ + n - k * reached) % n, slot + k - 1, leaving_);
    }
    for (int k = 1; k < radix && k * reached < n; ++k) {
      const int from = (locale_ + k * reached) % n, count = std::min(reached, n - k * reached);
      pieces.replace(from, count, hear(slot + k - 1, pieces.bytes(from, count)));
    }
  }
}

// Runs the rounds backwards. Before each round a locale has sums for a number of locales, counted from its
// own on, and afterwards for a fourth of them.
void collective::sum_between(const pieces_by_locale& pieces) {
  turn_ = 1 - turn_;
  if (fits_board(pieces)) return sum_on_board(pieces);
  const int n = shape_.locales();
  int kept = 1, slot = 0;
  while (kept * radix < n) kept *= radix;
  for (; kept > 0; kept /= radix, slot += radix - 1) {
    for (int k = 1; k < radix && k * kept < n; ++k) {
      const int to = (locale_ + k * kept) % n;
      pieces.copy(to, std::min(kept, n - k * kept), leaving_);
      tell(to, slot + k - 1, leaving_);
    }
    for (int k = 1; k < radix && k * kept < n; ++k) {
      const int count = std::min(kept, n - k * kept);
      pieces.add(locale_, count, hear(slot + k - 1, pieces.bytes(locale_, count)));
    }
  }
}

// Sends the bytes in pieces that fit a message.
void collective::tell(locale_id to, int slot, std::span<const std::byte> bytes) {
  const core_id first = shape_.first_core_of(to);
  constexpr std::size_t step = 4000;
  std::size_t offset = 0;
  do {
    const auto piece = bytes.subspan(offset, std::min(step, bytes.size() - offset));
    const auto arrive = [turn = turn_, slot, offset,
                         size = bytes.size()](std::span<const std::byte> content) {
      collective& there = here();
      told& at = there.told_[turn][static_cast<std::size_t>(slot)];
      if (offset == 0) {
        at.bytes.resize(size);
        at.missing = size;
        at.begun = true;
      }
      std::copy(content.begin(), content.end(), at.bytes.begin() + static_cast<std::ptrdiff_t>(offset));
      at.missing -= content.size();
      if (at.missing == 0) tasks::scheduler::here()->wake_all(there.waiting_);
    };
    static_assert(step <= messages::messenger::max_payload_bytes(sizeof(arrive)));
    messages::messenger::here().send_with_payload(first, arrive, piece);
    offset += piece.size();
  } while (offset < bytes.size());
  messages::messenger::here().flush(first);
}

// Waits for the bytes of a tell(); they stay valid until the next collective but one.
std::span<const std::byte> collective::hear(int slot, std::size_t bytes) {
  told& at = told_[turn_][static_cast<std::size_t>(slot)];
  await([&at] { return at.begun && at.missing == 0; });
  at.begun = false;
  require(at.bytes.size() == bytes, disagree);
  return at.bytes;
}

std::uint32_t collective::begin_exchange(group g, exchange* begun) {
  const auto kind = static_cast<std::size_t>(g);
  const auto number = static_cast<std::uint32_t>(exchanges_begun_[kind]++ * exchanges_begun_.size() + kind);
  exchanges_.emplace_back(number, begun);
  return number;
}

exchange& collective::exchange_of(std::uint32_t number) const {
  const auto found = std::find_if(exchanges_.rbegin(), exchanges_.rend(),
                                  [number](const auto& one) { return one.first == number; });
  require(found != exchanges_.rend(), disagree);
  return *found->second;
}

void collective::end_exchange(std::uint32_t number) {
  std::erase_if(exchanges_, [number](const auto& one) { return one.first == number; });
}

}  // namespace orujo::internal::collectives
