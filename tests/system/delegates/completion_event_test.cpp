// The termination detector in a model of a job, and in jobs on the loopback transport under many chaos seeds.
#include "system/delegates/completion_event.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "system/base/random.hpp"
#include "system/base/sanitizers.hpp"
#include "system/delegates/call_on_all.hpp"
#include "system/runtime/runtime.hpp"
#include "tests/sanitized.hpp"
#include "tests/system/delegates/random_tree.hpp"

namespace orujo::internal::delegates {
namespace {

constexpr std::uint64_t interleavings = sanitized ? 20'000 : 100'000;

enum class verdict { right, early, late };

// One random interleaving of work and of the waves that look for its end, as in completion_event::wait():
//
//   issue:    a working core puts a message to any core into its run; a new run counts as issued what fits
//   leave:    a core takes back what its run lacks, and the run's messages are on their way
//   deliver:  any message on its way arrives, and its work starts there; order does not matter
//   finish:   work that has nothing more to issue counts `done` at its core
//   visit:    the wave reads the counts of one core; after the last one the detector decides, and the next
//             wave begins
//
// The probability of visits differs between runs, so that some waves see many changes and some none.
template <class Detector>
class model {
 public:
  explicit model(std::uint64_t seed) : random_(seed), cores_(2 + static_cast<std::size_t>(random_.below(4))) {
    items_left_ = random_.below(40);
    visits_of_16_ = 1 + random_.below(8);
    all_or_nothing_ = random_.below(4) > 0;
    most_issues_ = 1 + random_.below(4);
    working_.push_back({0, 1 + random_.below(3)});  // the task that issues, and will wait
    while (!working_.empty()) issue(0);
    begin_wave();
  }

  verdict run() {
    for (;;) {
      const bool outstanding = has_work();
      if (!outstanding || random_.below(16) < visits_of_16_) {
        if (!visit()) continue;
        if (detector_.complete_after(sums_)) return outstanding ? verdict::early : verdict::right;
        if (waves_since_end_ == 2) return verdict::late;
        begin_wave();
      } else {
        work();
      }
    }
  }

 private:
  struct work_item {
    std::size_t core;
    std::uint64_t issues_left;
  };

  // A core's messages that have not left.
  struct run_of_core {
    std::vector<std::size_t> destinations;
    std::uint64_t room = 0;  // counted as issued
  };

  bool has_work() const {
    return !under_way_.empty() || !working_.empty() ||
           std::ranges::any_of(runs_, [](const run_of_core& r) { return !r.destinations.empty(); });
  }
  std::size_t any_core() { return static_cast<std::size_t>(random_.below(cores_)); }

  // The item issues one more; the initial one is no work itself and vanishes when it has issued all.
  void issue(std::size_t k) {
    const std::size_t core = working_[k].core;
    run_of_core& r = runs_[core];
    if (r.destinations.size() == r.room) {
      leave(core);
      r.room = 1 + random_.below(4);
      counts_[core].issued += r.room;
    }
    r.destinations.push_back(any_core());
    if (--working_[k].issues_left == 0 && initial_) {
      working_.clear();
      initial_ = false;
    }
  }

  void leave(std::size_t core) {
    run_of_core& r = runs_[core];
    counts_[core].issued -= r.room - r.destinations.size();
    under_way_.insert(under_way_.end(), r.destinations.begin(), r.destinations.end());
    r = {};
  }

  void work() {
    const std::uint64_t choice = random_.below(under_way_.size() + working_.size() + cores_);
    if (choice >= under_way_.size() + working_.size())
      return leave(choice - under_way_.size() - working_.size());
    if (choice < under_way_.size()) {
      const std::uint64_t wanted =
          all_or_nothing_ ? random_.below(2) * most_issues_ : random_.below(most_issues_ + 1);
      const std::uint64_t more = std::min(wanted, items_left_);
      items_left_ -= more;
      working_.push_back({under_way_[choice], more});
      under_way_[choice] = under_way_.back();
      under_way_.pop_back();
      return;
    }
    const std::size_t k = choice - under_way_.size();
    if (working_[k].issues_left > 0) return issue(k);
    ++counts_[working_[k].core].done;
    working_[k] = working_.back();
    working_.pop_back();
  }

  void begin_wave() {
    sums_ = {};
    unvisited_.clear();
    for (std::size_t c = 0; c < cores_; ++c) unvisited_.push_back(c);
    began_after_end_ = !has_work();
  }

  // True when that was the wave's last core.
  bool visit() {
    const std::size_t k = random_.below(unvisited_.size());
    const work_counts& here = counts_[unvisited_[k]];
    sums_.issued += here.issued;
    sums_.done += here.done;
    unvisited_[k] = unvisited_.back();
    unvisited_.pop_back();
    if (unvisited_.empty() && began_after_end_) ++waves_since_end_;
    return unvisited_.empty();
  }

  random_stream random_;
  std::size_t cores_;
  std::uint64_t items_left_;
  std::uint64_t visits_of_16_;
  bool all_or_nothing_;        // work issues either nothing or as much as it may: hardest for the detector
  std::uint64_t most_issues_;  // of one piece of work
  bool initial_ = true;
  std::array<work_counts, 5> counts_{};
  std::array<run_of_core, 5> runs_{};
  std::vector<std::size_t> under_way_;  // destinations
  std::vector<work_item> working_;
  std::vector<std::size_t> unvisited_;
  work_counts sums_;
  bool began_after_end_ = false;
  int waves_since_end_ = 0;  // complete ones that began after it
  Detector detector_;
};

TEST(wave_detector, is_never_early_and_at_most_two_waves_late) {
  for (std::uint64_t seed = 1; seed <= interleavings; ++seed) {
    const verdict found = model<wave_detector>(seed).run();
    ASSERT_NE(found, verdict::early) << "seed " << seed;
    ASSERT_NE(found, verdict::late) << "seed " << seed;
  }
}

// As an event knows its last end, which here lies before everything.
struct knowing_the_beginning : wave_detector {
  knowing_the_beginning() : wave_detector({0, 0}) {}
};

TEST(wave_detector, that_knows_counts_of_before_is_never_early_either) {
  for (std::uint64_t seed = 1; seed <= interleavings; ++seed) {
    const verdict found = model<knowing_the_beginning>(seed).run();
    ASSERT_NE(found, verdict::early) << "seed " << seed;
    ASSERT_NE(found, verdict::late) << "seed " << seed;
  }
}

TEST(completion_event, is_exact_on_the_loopback_transport_whatever_the_chaos) {
  constexpr std::uint64_t seeds = sanitized ? 20 : 200;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    SCOPED_TRACE(testing::Message() << "chaos seed " << seed);
    runtime::job_options options;
    options.cores = 1 + static_cast<int>(seed % 3);
    options.chaos_seed = seed;
    int early = -1;
    const exit_status ended = runtime::run_loopback(1 + static_cast<int>(seed % 4), options, [&] {
      early = early_events(seed % 2 ? tree_of::private_tasks : tree_of::public_tasks, 5, 6);
      return status();
    });
    ASSERT_EQ(ended, exit_status::ok);
    ASSERT_EQ(early, 0);
  }
}

TEST(completion_event, is_exact_where_locales_ask_for_others) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    runtime::job_options options;
    options.cores = 1;
    options.chaos_seed = seed;
    int early = -1;
    const exit_status ended = runtime::run_loopback(12, options, [&] {
      early = early_events(tree_of::private_tasks, 2, 5);
      return status();
    });
    ASSERT_EQ(ended, exit_status::ok);
    ASSERT_EQ(early, 0);
  }
}

std::vector<std::unique_ptr<completion_event>> events(std::size_t count) {
  std::vector<std::unique_ptr<completion_event>> made(count);
  for (auto& one : made) one = std::make_unique<completion_event>();
  return made;
}

// Number of messages of all cores so far. The query itself adds the same number each time.
std::uint64_t messages_sent_by_all() {
  return sum_of_all([] {
    messages::messenger::here().flush_all();
    std::uint64_t sent = 0;
    for (const messages::block_traffic& to : messages::messenger::here().traffic()) sent += to.messages_sent;
    return sent;
  });
}

// Messages of a wait without work, while core 0 has this many other events. With odd seeds the locales share
// a node.
std::uint64_t messages_of_wait(int locales, int cores, std::uint64_t chaos_seed, std::size_t others = 0) {
  runtime::job_options options;
  options.cores = cores;
  options.steal = false;  // nobody asks for work meanwhile
  options.chaos_seed = chaos_seed;
  std::uint64_t taken = 0;
  runtime::run_loopback(locales, options, [&] {
    const std::vector<std::unique_ptr<completion_event>> alive = events(others);
    messages_sent_by_all();
    const std::uint64_t before = messages_sent_by_all(), again = messages_sent_by_all();
    completion_event none;
    none.wait();
    taken = messages_sent_by_all() - again - (again - before);
    return status();
  });
  return taken;
}

TEST(completion_event, without_work_takes_two_messages_per_other_locale) {
  EXPECT_EQ(messages_of_wait(1, 4, 0), 0u);
  EXPECT_EQ(messages_of_wait(2, 2, 0), 2u);
  EXPECT_EQ(messages_of_wait(20, 1, 0), 38u);
}

TEST(completion_event, without_work_takes_no_message_within_a_node) {
  EXPECT_EQ(messages_of_wait(2, 2, 1), 0u);
  EXPECT_EQ(messages_of_wait(20, 1, 1), 0u);
  // messages_sent_by_all() has an event, too
  EXPECT_EQ(messages_of_wait(3, 2, 1, node::work_table::slots - 2), 0u);
  EXPECT_EQ(messages_of_wait(3, 2, 1, node::work_table::slots), 4u);
}

TEST(wave_detector, needs_two_waves_even_when_there_is_no_work) {
  wave_detector detector;
  EXPECT_FALSE(detector.complete_after({0, 0}));
  EXPECT_TRUE(detector.complete_after({0, 0}));
}

TEST(wave_detector, needs_one_wave_where_nothing_has_happened_since) {
  EXPECT_TRUE(wave_detector({3, 3}).complete_after({3, 3}));
  EXPECT_FALSE(wave_detector({3, 3}).complete_after({4, 4}));
  EXPECT_FALSE(wave_detector({3, 3}).complete_after({4, 3}));
}

TEST(wave_detector_death, finds_out_that_more_was_done_than_issued) {
  wave_detector detector;
  EXPECT_FALSE(detector.complete_after({5, 6}));  // a wave is no snapshot
  EXPECT_FALSE(detector.complete_after({6, 6}));
  EXPECT_FALSE(detector.complete_after({6, 7}));
  EXPECT_DEATH(detector.complete_after({6, 7}), "more operations done than issued");
}

// Detectors that are nearly right. The model is only worth something if it finds each of them out.
struct remembering {
  work_counts previous;
  bool has_previous = false;
  // Returns whether there was a previous wave, whose sums `was` receives.
  bool next(const work_counts& sums, work_counts& was) {
    was = previous;
    previous = sums;
    return std::exchange(has_previous, true);
  }
};
struct content_with_one_wave {
  bool complete_after(const work_counts& sums) { return sums.issued == sums.done; }
};
struct content_with_the_balance_of_the_second_wave : remembering {
  bool complete_after(const work_counts& sums) {
    work_counts was;
    return next(sums, was) && sums.issued == sums.done;
  }
};
struct content_with_two_waves_in_balance : remembering {
  bool complete_after(const work_counts& sums) {
    work_counts was;
    return next(sums, was) && was.issued == was.done && sums.issued == sums.done;
  }
};
struct comparing_only_done : remembering {
  bool complete_after(const work_counts& sums) {
    work_counts was;
    return next(sums, was) && was.done == sums.done;
  }
};
struct comparing_only_issued : remembering {
  bool complete_after(const work_counts& sums) {
    work_counts was;
    return next(sums, was) && was.issued == sums.issued && sums.issued == sums.done;
  }
};
struct never_content {
  bool complete_after(const work_counts&) { return false; }
};

template <class Detector>
class wrong_detector : public testing::Test {};
using wrong_detectors =
    testing::Types<content_with_one_wave, content_with_the_balance_of_the_second_wave,
                   content_with_two_waves_in_balance, comparing_only_done, comparing_only_issued>;
TYPED_TEST_SUITE(wrong_detector, wrong_detectors);

TYPED_TEST(wrong_detector, is_found_out_by_the_model) {
  std::uint64_t seed = 1;
  while (seed <= 10 * interleavings && model<TypeParam>(seed).run() != verdict::early) ++seed;
  EXPECT_LE(seed, 10 * interleavings) << "never declared the end early";
}

TEST(model, finds_out_who_never_declares_the_end) { EXPECT_EQ(model<never_content>(1).run(), verdict::late); }

}  // namespace
}  // namespace orujo::internal::delegates
