#include "system/delegates/completion_event.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "system/messages/messenger.hpp"
#include "system/tasks/sync.hpp"
#include "system/tasks/wait_name.hpp"

namespace orujo::internal::delegates {
namespace {

using messages::messenger;

constexpr std::chrono::nanoseconds longest_pause = std::chrono::milliseconds(10);

// A wave goes along a tree of locales. Each locale asks at most this many others.
constexpr int most_asked = 8;

// Sums that a locale has received from the subtree below it.
struct answers {
  work_counts sums;
  std::size_t missing = 0;
  core_id to = 0;  // the core that asked, where its sums lie
  answers* of_asker = nullptr;
  tasks::join_counter* root;  // set at the root, where nobody has asked
};

void take(answers* here, const work_counts& more) {
  // A core that only runs waves counts as idle, because a wave is no progress.
  messenger::here().count_as_look();
  here->sums += more;
  if (here->root) return here->root->complete();
  if (--here->missing > 0) return;
  messenger::here().send(here->to, [to = here->of_asker, sums = here->sums] { take(to, sums); });
  delete here;
}

// Locales in their order, of which the first follows the last of all.
struct locale_run {
  locale_id first;
  int count;
};

// Asks a run of locales, at the cores with this number, or its rest. Returns the number of answers that will
// come.
std::size_t ask(std::uint32_t number, const locale_run& run, int place, answers* to);

void be_asked(std::uint32_t number, const locale_run& run, int place, core_id asker, answers* to) {
  messenger& here = messenger::here();
  here.count_as_look();
  const work_counts mine = work_ledger::here().of_locale(number);
  if (run.count == 1) return here.send(asker, [to, mine] { take(to, mine); });
  auto* const heard = new answers{mine, 0, asker, to, nullptr};
  heard->missing = ask(number, {(run.first + 1) % here.shape().locales(), run.count - 1}, place, heard);
}  // NOLINT(clang-analyzer-cplusplus.NewDeleteLeaks): who answers has it

std::size_t ask(std::uint32_t number, const locale_run& run, int place, answers* to) {
  messenger& here = messenger::here();
  const job_shape& shape = here.shape();
  const int asked = std::min(run.count, most_asked);
  for (int k = 0; k < asked; ++k) {
    const int begin = k * run.count / asked, end = (k + 1) * run.count / asked;
    const locale_run part{(run.first + begin) % shape.locales(), end - begin};
    here.send(shape.first_core_of(part.first) + place % shape.cores_of(part.first),
              [number, part, place, asker = here.core(), to] { be_asked(number, part, place, asker, to); });
  }
  return static_cast<std::size_t>(asked);
}

// [task; suspends if there are other nodes] Runs a wave.
work_counts sums_of_job(std::uint32_t number, const char* waits_for) {
  messenger& here = messenger::here();
  const work_ledger& ledger = work_ledger::here();
  const job_shape& shape = here.shape();
  const bool of_node = ledger.is_shared(number);
  const auto counts_here = [&] { return of_node ? ledger.of_node(number) : ledger.of_locale(number); };
  const locale_id first = of_node ? shape.locale_of(ledger.first_on_node()) : my_locale();
  const locale_id last = of_node ? shape.locale_of(ledger.last_on_node()) : my_locale();
  const locale_run others{(last + 1) % shape.locales(), shape.locales() - (last - first + 1)};
  if (others.count == 0) return counts_here();
  tasks::join_counter missing(static_cast<std::size_t>(std::min(others.count, most_asked)), waits_for);
  answers heard{{}, 0, 0, nullptr, &missing};
  ask(number, others, my_core_of_locale(), &heard);
  tasks::scheduler::here()->only_looks();
  missing.wait();
  return heard.sums += counts_here();
}

}  // namespace

void completion_event::wait(const call_site& at) {
  using clock = std::chrono::steady_clock;
  require(
      static_cast<core_id>(number_ >> 16) == my_core(),
      "a completion event waited for away from its core: it stays where it was made, only its ref() travels",
      at);
  tasks::wait_name waits_for("a completion event", at);
  const std::uint64_t earlier = work_ledger::here().complete(number_);
  wave_detector detector({earlier, earlier});
  for (const auto start = clock::now();;) {
    const work_counts sums = sums_of_job(number_, waits_for.text());
    if (detector.complete_after(sums)) {
      work_ledger::here().complete(number_) = sums.done;
      break;
    }
    // With equal sums the next wave may be the last, and follows at once. Otherwise the pause grows with the
    // time waited.
    if (sums.issued == sums.done) continue;
    const std::chrono::nanoseconds waited = clock::now() - start;
    waits_for = tasks::wait_name(fmt::format("a completion event with {} issued and {} done",
                                             sums.issued - earlier, sums.done - earlier),
                                 at);
    tasks::scheduler::here()->pause(std::min<std::chrono::nanoseconds>(waited / 16, longest_pause),
                                    waits_for.text(), tasks::scheduler::pauses::to_look_again);
  }
  waited_for_ = issued_here();
}

void completion_event::wait_at_its_end() {
  require(tasks::scheduler::here()->may_suspend(),
          "a completion event ends in a message handler, which cannot wait for the work issued to it: keep "
          "it in a task",
          made_);
  wait(made_);
}

}  // namespace orujo::internal::delegates
