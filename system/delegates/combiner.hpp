// Flat combining: the operations of one core's tasks on the same hot object are merged into one.
//
// The method is from Hendler, Incze, Shavit, Tzafrir, "Flat Combining and the Synchronization-Parallelism
// Tradeoff", SPAA 2010. Holt, Nelson, Myers, Briggs, Ceze, Kahan, Oskin apply it between the cores of a PGAS,
// in "Flat Combining Synchronized Global Data Structures", PGAS 2013.
#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "system/delegates/delegate.hpp"
#include "system/tasks/sync.hpp"

namespace orujo::internal::delegates {

// Merges the operations of one core's tasks on a hot object into batches (flat combining). It belongs to one
// core; usually it is a symmetric object, one per core and hot object. While a batch is under way, further
// operations gather in the next. So a single task waits for no other, and 1,000 tasks share a message.
template <class Batch>
class combiner {
 public:
  // run(batch) performs a batch, in a task, and may suspend. Batches run one after the other.
  explicit combiner(std::function<void(Batch&)> run) : run_(std::move(run)) {}
  combiner(const combiner&) = delete;

  // [task; suspends] Calls join(Batch&), which adds the caller's operation to the next batch, and returns
  // that batch when it has run.
  template <class Join>
  std::shared_ptr<const Batch> perform(const Join& join) {
    const std::shared_ptr<gathering> mine = open_;
    join(mine->batch);
    if (!std::exchange(mine->led, true)) {
      lead(mine);
    } else {
      while (!mine->done) mine->finished.wait();
    }
    return {mine, &mine->batch};
  }

  // [task or handler] As perform, without waiting: the operation is complete when the event is.
  template <class Join>
  void async_perform(event_ref event, const Join& join) {
    event.issue();
    join(open_->batch);
    auto& waiting = open_->events;
    if (waiting.empty() || waiting.back().first.number() != event.number()) waiting.push_back({event, 0});
    ++waiting.back().second;
    if (!std::exchange(open_->led, true)) tasks::spawn([this, mine = open_] { lead(mine); });
  }

 private:
  struct gathering {
    Batch batch{};
    bool led = false;  // by the first task to join
    bool done = false;
    tasks::condition_variable finished;
    std::vector<std::pair<event_ref, std::uint64_t>> events;  // of operations nobody waits for here
  };

  void lead(const std::shared_ptr<gathering>& mine) {
    turn_.lock();
    open_ = std::make_shared<gathering>();
    run_(mine->batch);
    mine->done = true;
    mine->finished.notify_all();
    for (const auto& [event, operations] : mine->events) event.done(operations);
    turn_.unlock();
  }

  const std::function<void(Batch&)> run_;
  std::shared_ptr<gathering> open_ = std::make_shared<gathering>();
  tasks::mutex turn_;
};

// Adds to a word of global memory on behalf of many tasks of one core, with one message for all that wait. It
// belongs to one core. Other cores and delegates may change the word, too.
template <class T>
class hot_word {
 public:
  explicit hot_word(global_address<T> word)
      : additions_([word](additions& all) { all.before = delegates::fetch_and_add(word, all.sum); }) {}

  // [task; suspends] Adds to the word, and returns its value before. Costs one message each way for all tasks
  // that wait at once.
  T fetch_and_add(T increment) {
    T before_mine{};
    const auto all = additions_.perform([&](additions& merged) {
      before_mine = merged.sum;
      merged.sum = static_cast<T>(merged.sum + increment);
    });
    return static_cast<T>(all->before + before_mine);
  }
  // [task or handler] Adds to the word; complete when the event is.
  void async_increment(event_ref event, T by) {
    additions_.async_perform(event, [&](additions& merged) { merged.sum = static_cast<T>(merged.sum + by); });
  }

 private:
  struct additions {
    T sum{};
    T before{};  // of the word, once added
  };
  combiner<additions> additions_;
};

}  // namespace orujo::internal::delegates
