#include "tests/model/explorer.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>

namespace orujo::internal::model {
namespace {

constexpr std::size_t stack_bytes = 256 << 10;

const char* name_of(int order) {
  constexpr const char* names[] = {"relaxed", "consume", "acquire", "release", "acq_rel", "seq_cst"};
  return names[order];
}
const char* name_of(operation what) {
  constexpr const char* names[] = {"load", "store", "exchange", "add", "compare_exchange", "fence"};
  return names[static_cast<int>(what)];
}

weakening without(const void* object, std::size_t bytes, int half) {
  return [=](const access& a) {
    const auto at = reinterpret_cast<std::uintptr_t>(a.at), first = reinterpret_cast<std::uintptr_t>(object);
    if (at < first || at >= first + bytes) return a.order;
    if (a.order == half) return __ATOMIC_RELAXED;
    const bool both = a.order == __ATOMIC_ACQ_REL || a.order == __ATOMIC_SEQ_CST;
    if (!both) return a.order;
    const int other = half == __ATOMIC_ACQUIRE ? __ATOMIC_RELEASE : __ATOMIC_ACQUIRE;
    if (a.what == operation::load) return half == __ATOMIC_ACQUIRE ? __ATOMIC_RELAXED : a.order;
    if (a.what == operation::store) return half == __ATOMIC_RELEASE ? __ATOMIC_RELAXED : a.order;
    return other;
  };
}

}  // namespace

weakening without_acquire(const void* object, std::size_t bytes) {
  return without(object, bytes, __ATOMIC_ACQUIRE);
}
weakening without_release(const void* object, std::size_t bytes) {
  return without(object, bytes, __ATOMIC_RELEASE);
}

std::size_t choices::among(std::size_t count) {
  if (count == 1) return 0;
  if (random_runs_ > 0) {  // mostly on, so that runs get somewhere
    return random_.below(4) != 0 ? 0 : random_.below(count);
  }
  if (next_ == taken_.size()) taken_.push_back({count, 0});
  return taken_[next_++].taken;
}

bool choices::advance(std::uint64_t runs) {
  next_ = 0;
  if (random_runs_ > 0) return runs < random_runs_;
  while (!taken_.empty() && taken_.back().taken + 1 == taken_.back().count) taken_.pop_back();
  if (taken_.empty()) return false;
  ++taken_.back().taken;
  return true;
}

outcome explore(const limits& bounds, const std::function<void(run&)>& scenario, const weakening& weaken) {
  explorer all(bounds, weaken);
  return all.go(scenario);
}

void expect(bool holds, const char* what) {
  if (!holds) explorer::fail_here(what);
}

void let_others_run() {
  explorer* const all = explorer::active();
  const explorer::pause paused;
  all->yield();
}

void let_others_rest() {
  explorer* const all = explorer::active();
  const explorer::pause paused;
  all->yield_until_rest();
}

void others_may_go() {
  explorer* const all = explorer::active();
  const explorer::pause paused;
  all->pass();
}

outcome explorer::go(const std::function<void(run&)>& scenario) {
  native_.adopt_thread_stack();  // which reads a file
  do {
    one_run(scenario);
    ++found_.runs;
    if (!found_.failure.empty()) return found_;
    if (bounds_.random_runs == 0 && found_.runs >= bounds_.most_runs) return found_;
  } while (choices_.advance(found_.runs));
  found_.exhausted = true;
  return found_;
}

void explorer::one_run(const std::function<void(run&)>& scenario) {
  auto now = std::make_unique<run>();
  current_ = now.get();
  memory_ = {};
  me_ = 0;
  preemptions_left_ = bounds_.random_runs > 0 ? 1 << 30 : bounds_.preemptions;
  stale_left_ = bounds_.random_runs > 0 ? 1 << 30 : bounds_.stale_values;
  steps_.clear();
  running_ = this;
  scenario(*current_);
  for (int k = 0; k < most_threads; ++k) memory_.clocks[k].time[k] = 1;
  run_threads();
  if (!found_.failure.empty()) {  // what the threads have is lost
    static_cast<void>(now.release());
    for (auto& t : threads_) static_cast<void>(t.release());
  } else if (current_->finally_) {
    me_ = 0;
    for (const vector_clock& c : memory_.clocks) memory_.clocks[0].join(c);
    current_->finally_();
  }
  running_ = nullptr;
}

void explorer::run_threads() {
  for (int k = 1; k <= threads(); ++k) {
    auto& t = threads_[static_cast<std::size_t>(k - 1)];
    if (!t) t = std::make_unique<thread>();
    if (!t->stack) t->stack = std::make_unique_for_overwrite<std::byte[]>(stack_bytes);
    t->now = state::ready;
    t->turns = 0;
    t->put_off.clear();
    t->saved.make<&thread_main>(t->stack.get(), t->stack.get() + stack_bytes);
  }
  me_ = 1 + static_cast<int>(choices_.among(static_cast<std::size_t>(threads())));
  tasks::context::switch_to(native_, threads_[static_cast<std::size_t>(me_ - 1)]->saved);
}

void explorer::thread_main() {
  explorer& all = *running_;
  const auto mine = static_cast<std::size_t>(all.me_ - 1);
  if (all.current_->enters_[mine]) all.current_->enters_[mine]();
  active_ = &all;
  all.current_->bodies_[mine]();
  active_ = nullptr;
  all.catch_up();
  all.threads_[mine]->now = state::ended;
  all.end_yields();
  all.pass();
  std::abort();
}

void explorer::switch_to(int next) {
  if (next == me_) return;
  thread& from = *threads_[static_cast<std::size_t>(me_ - 1)];
  thread& to = *threads_[static_cast<std::size_t>(next - 1)];
  const int before = me_;
  me_ = next;
  tasks::context::switch_to(from.saved, to.saved);
  me_ = before;
  if (const auto& enter = current_->enters_[static_cast<std::size_t>(me_ - 1)]) enter();
}

void explorer::pass() {
  if (steps_.size() > bounds_.most_steps) fail("a thread does not end");
  std::array<int, most_threads> may{};
  std::size_t count = 0;
  bool all_ended = true;
  const auto collect = [&](state wanted) {
    for (int k = 1; k <= threads(); ++k) {
      const state now = threads_[static_cast<std::size_t>(k - 1)]->now;
      all_ended &= now == state::ended;
      if (now == wanted && k != me_) may[count++] = k;
    }
  };
  const state mine = threads_[static_cast<std::size_t>(me_ - 1)]->now;
  if (mine == state::ready) {
    may[count++] = me_;
    if (preemptions_left_ > 0) collect(state::ready);
    const std::size_t chosen = choices_.among(count);
    if (chosen > 0) --preemptions_left_;
    return switch_to(may[chosen]);
  }
  collect(state::ready);
  for (const state later : {state::yields, state::yields_until_rest}) {
    if (count == 0) count = whose_turn(later, may);
  }
  if (count > 0) {
    const int next = may[choices_.among(count)];
    thread& goes_on = *threads_[static_cast<std::size_t>(next - 1)];
    if (goes_on.now != state::ready) ++goes_on.turns;
    goes_on.now = state::ready;
    return switch_to(next);
  }
  if (!all_ended) fail("threads sleep for ever");
  tasks::context::switch_to(threads_[static_cast<std::size_t>(me_ - 1)]->saved, native_);
}

// The others first.
std::size_t explorer::whose_turn(state of, std::array<int, most_threads>& may) const {
  int fewest = 1 << 30;
  const auto turns_of = [&](int k) -> const int* {
    const thread& t = *threads_[static_cast<std::size_t>(k - 1)];
    return t.now == of ? &t.turns : nullptr;
  };
  for (int k = 1; k <= threads(); ++k) {
    if (const int* turns = turns_of(k)) fewest = std::min(fewest, *turns);
  }
  std::size_t count = 0;
  for (int k = me_ + 1; k <= me_ + threads(); ++k) {
    const int other = (k - 1) % threads() + 1;
    if (const int* turns = turns_of(other); turns && *turns == fewest) may[count++] = other;
  }
  return count;
}

// To the end of the exploration; the thread never goes on.
void explorer::fail(const std::string& what) {
  found_.failure = "thread " + std::to_string(me_) + ": " + what + story();
  tasks::context::switch_to(threads_[static_cast<std::size_t>(me_ - 1)]->saved, native_);
  std::abort();
}

void explorer::fail_here(const char* what) {
  explorer& all = *running_;
  if (all.me_ == 0) {
    all.found_.failure = what + all.story();
    return;
  }
  const pause paused;
  all.fail(what);
}

std::string explorer::story() const {
  std::string text;
  const std::size_t first = steps_.size() > 60 ? steps_.size() - 60 : 0;
  for (std::size_t k = first; k < steps_.size(); ++k) {
    const step& s = steps_[k];
    char line[160];
    std::snprintf(line, sizeof line, "\n  thread %d: %s (%s) at %p: %llx", s.thread, name_of(s.what),
                  name_of(s.order), s.at, static_cast<unsigned long long>(s.value));
    text += line;
  }
  return text;
}

void explorer::end_yields() {
  for (auto& t : threads_) {
    if (!t) continue;
    t->turns = 0;
    if (t->now == state::yields) t->now = state::ready;
  }
}

void explorer::note(operation what, const void* at, std::uint64_t value, int order) {
  steps_.push_back({me_, what, at, value, order});
  ++memory_.clocks[me_].time[me_];
}

int explorer::begin(operation what, const void* at, int order) {
  if (!bounds_.in_turns || (bounds_.at_exchanges && what == operation::exchange)) pass();
  return weaken_ ? weaken_({what, at, order, me_}) : order;
}

std::uint64_t explorer::load(const void* at, std::size_t bytes, std::uint64_t now, int order, bool newest) {
  touch_atomic(at, bytes, false);
  place& p = memory_.at(at, now, me_);
  const std::size_t may = stale_left_ > 0 && !newest ? memory_.readable(p, order, me_) : 1;
  const std::size_t age = choices_.among(may);
  if (age > 0) --stale_left_;
  const std::uint64_t value = memory_.read(p, age, order, me_);
  note(operation::load, at, value, order);
  return value;
}

void explorer::store(const void* at, std::size_t bytes, std::uint64_t now, std::uint64_t value, int order) {
  touch_atomic(at, bytes, true);
  memory_.write(memory_.at(at, now, me_), value, order, me_, false);
  note(operation::store, at, value, order);
  if (value != now) end_yields();
}

void explorer::update(operation what, const void* at, std::size_t bytes, std::uint64_t before,
                      std::uint64_t after, int order) {
  touch_atomic(at, bytes, true);
  place& p = memory_.at(at, before, me_);
  memory_.read(p, 0, order, me_);
  memory_.write(p, after, order, me_, true);
  note(what, at, after, order);
  if (before != after) end_yields();
}

void explorer::fence(int order) {
  order = begin(operation::fence, nullptr, order);
  memory_.fence(order, me_);
  note(operation::fence, nullptr, 0, order);
}

void explorer::put_off(std::function<void()> store) {
  threads_[static_cast<std::size_t>(me_ - 1)]->put_off.push_back(std::move(store));
}

void explorer::catch_up() {
  for (const auto& store : std::exchange(threads_[static_cast<std::size_t>(me_ - 1)]->put_off, {})) store();
}

bool explorer::is_on_my_stack(const void* at) const {
  const auto* const byte = static_cast<const std::byte*>(at);
  const std::byte* const stack = threads_[static_cast<std::size_t>(me_ - 1)]->stack.get();
  return std::greater_equal<>()(byte, stack) && std::less<>()(byte, stack + stack_bytes);
}

void explorer::touch_atomic(const void* at, std::size_t bytes, bool writes) {
  if (bounds_.in_turns || is_on_my_stack(at)) return;
  const std::string race = memory_.touch_atomic(reinterpret_cast<std::uintptr_t>(at), bytes, me_, writes);
  if (!race.empty()) fail_at(race, at);
}

void explorer::plain(const void* at, std::size_t bytes, bool writes) {
  if (bounds_.in_turns || is_on_my_stack(at)) return;
  const auto address = reinterpret_cast<std::uintptr_t>(at);
  const std::string race =
      writes ? memory_.write_plain(address, bytes, me_) : memory_.read_plain(address, bytes, me_);
  if (!race.empty()) fail_at(race, at);
}

void explorer::fail_at(const std::string& race, const void* at) {
  char where[40];
  std::snprintf(where, sizeof where, " at %p", at);
  fail("a data race: " + race + where);
}

void explorer::forget(const void* at, std::size_t bytes) {
  memory_.forget(reinterpret_cast<std::uintptr_t>(at), bytes);
}

void explorer::yield() {
  threads_[static_cast<std::size_t>(me_ - 1)]->now = state::yields;
  steps_.push_back({me_, operation::load, nullptr, 0, 0});
  pass();
}

void explorer::yield_until_rest() {
  threads_[static_cast<std::size_t>(me_ - 1)]->now = state::yields_until_rest;
  steps_.push_back({me_, operation::load, nullptr, 0, 0});
  pass();
}

void explorer::wait_on(const void* at) {
  thread& me = *threads_[static_cast<std::size_t>(me_ - 1)];
  me.now = state::waits;
  me.waits_on = at;
  pass();
}

void explorer::wake_one_on(const void* at) {
  for (int k = 1; k <= threads(); ++k) {
    thread& t = *threads_[static_cast<std::size_t>(k - 1)];
    if (t.now != state::waits || t.waits_on != at) continue;
    t.now = state::ready;
    return;
  }
}

}  // namespace orujo::internal::model
