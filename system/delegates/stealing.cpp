#include "system/delegates/stealing.hpp"

#include <algorithm>

#include "system/base/identity.hpp"
#include "system/observe/metrics.hpp"

namespace orujo::internal::delegates {
namespace {

const observe::counter tasks_stolen("tasks.stolen", "public tasks that came from another core");

}  // namespace

public_tasks::public_tasks(core_id me, const job_shape& shape, bool steals, std::uint64_t chaos_seed)
    : me_(me), steals_(steals), random_(chaos_seed, static_cast<std::uint64_t>(me)) {
  if (!steals) return;
  const locale_id mine = shape.locale_of(me);
  for (core_id c = 0; c < shape.cores(); ++c) {
    if (shape.locale_of(c) != mine) strangers_.push_back(c);
  }
  for (core_id bit = 1; bit < shape.cores(); bit *= 2) {
    const core_id c = me ^ bit;
    if (c < shape.cores() && shape.locale_of(c) != mine) neighbours_.push_back(c);
  }
  waits_at_.resize(neighbours_.size());
}

// Tasks that have not started are dropped with the job.
public_tasks::~public_tasks() {
  public_task t;
  while (queue_.pop(t)) t.how->bind(t);
}

void public_tasks::connect(std::span<public_tasks* const> locale_mates, node::alarms of_locale) {
  if (!steals_) return;
  alarms_ = of_locale;
  for (public_tasks* mate : locale_mates) {
    if (mate != this) mates_.push_back(mate);
  }
}

// Puts the task where any core may take it, and wakes a sleeping one.
void public_tasks::push(const public_task& t) {
  queue_.push(t);
  alarms_.ring_one();
}

void public_tasks::add(const public_task& t) {
  push(t);
  if (wants_to_share && queue_.size() >= 2 * largest_shipment) share();
}

bool public_tasks::refill() {
  const auto has_some = [](const public_tasks* mate) { return mate->queue_.size() > 0; };
  if (!has_some(this) && std::ranges::none_of(mates_, has_some)) return false;  // as in every idle turn
  public_task next;
  if (!queue_.pop(next) && !take_from_locale(next)) return false;
  attempts_left_ = random_attempts;
  tasks::scheduler::here()->spawn(next.how->bind(next));
  return true;
}

bool public_tasks::can_refill() {
  return queue_.size() > 0 || std::any_of(mates_.begin(), mates_.end(),
                                          [](public_tasks* mate) { return !mate->queue_.is_empty(); });
}

// Takes the first at once, so that tasks do not wander between idle cores.
bool public_tasks::take_from_locale(public_task& first) {
  if (mates_.empty()) return false;
  std::size_t victim = random_.below(mates_.size());
  for (std::size_t k = 0; k < mates_.size(); ++k, victim = victim + 1 < mates_.size() ? victim + 1 : 0) {
    taken_.clear();
    if (mates_[victim]->queue_.steal(taken_) == 0) continue;
    first = taken_.front();
    for (std::size_t next = 1; next < taken_.size(); ++next) push(taken_[next]);
    stolen_ += taken_.size();
    tasks_stolen.add(taken_.size());
    return true;
  }
  return false;
}

void public_tasks::seek() {
  if (asking_ || strangers_.empty()) return;
  if (attempts_left_ > 0) {
    --attempts_left_;
    return ask(strangers_[random_.below(strangers_.size())], false);
  }
  for (std::size_t k = 0; k < neighbours_.size(); ++k) {
    if (waits_at_[k]) continue;
    return ask(neighbours_[k], true);
  }
}

void public_tasks::ask(core_id victim, bool wait_there) {
  asking_ = true;
  messages::messenger::here().send(victim, [thief = me_, wait_there] { here().answer(thief, wait_there); });
}

// At the victim, in a handler. Messages between two cores stay in order, so the tasks arrive before the
// answer.
void public_tasks::answer(core_id thief, bool wait_here) {
  const bool waits = !ship_half_to(thief) && wait_here;
  if (waits) hungry_.push_back(thief);
  wants_to_share = !hungry_.empty();
  messages::messenger::here().send(thief, [victim = me_, waits] {
    here().asking_ = false;
    if (waits) here().waits_at(victim, true);
  });
}

bool public_tasks::ship_half_to(core_id thief) {
  // A variable of its own, because sending may suspend the task, and another may run this code meanwhile.
  std::vector<public_task> shipment;
  queue_.steal(shipment, std::min(largest_shipment, queue_.size() / 2));
  for (public_task& t : shipment) t.how->ship(t, thief);
  return !shipment.empty();
}

void public_tasks::receive(const public_task& t) {
  ++stolen_;
  tasks_stolen.add();
  push(t);
}

// A request that was left here is used up by the tasks that it brings.
void public_tasks::share() {
  while (!hungry_.empty() && queue_.size() > 1) {
    const core_id thief = hungry_.back();
    hungry_.pop_back();
    if (ship_half_to(thief)) {
      messages::messenger::here().send(thief, [victim = me_] { here().waits_at(victim, false); });
    } else {
      hungry_.push_back(thief);
    }
  }
  wants_to_share = !hungry_.empty();
}

void public_tasks::waits_at(core_id neighbour, bool waits) {
  const auto found = std::find(neighbours_.begin(), neighbours_.end(), neighbour);
  waits_at_[static_cast<std::size_t>(found - neighbours_.begin())] = waits;
}

}  // namespace orujo::internal::delegates
