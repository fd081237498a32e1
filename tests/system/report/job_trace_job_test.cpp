#include "system/report/job_trace.hpp"

#include <gflags/gflags.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "system/base/identity.hpp"
#include "system/collectives/collectives.hpp"
#include "system/delegates/delegate.hpp"
#include "system/loops/forall.hpp"
#include "system/tasks/scheduler.hpp"

DECLARE_string(trace_json);
DECLARE_uint64(trace_events_per_core);

namespace orujo::internal::report {
namespace {

using nlohmann::json;

class job_trace_file : public testing::Test {
 protected:
  job_trace_file()
      : path_(std::filesystem::temp_directory_path() / ("orujo_trace_" + std::to_string(getpid()))) {
    FLAGS_trace_json = path_;
  }
  ~job_trace_file() override { std::filesystem::remove(path_); }

  // The file's events during work().
  template <class Work>
  json trace_of(const Work& work) {
    result<job_trace> trace = job_trace::open();
    EXPECT_TRUE(trace.ok());
    trace.value().begin();
    work();
    trace.value().end();
    const status done = trace.value().write();
    EXPECT_TRUE(done.ok()) << done.message();
    std::ifstream file(path_);
    return json::parse(file);
  }

  std::string path_;
  gflags::FlagSaver as_before_;
};

// Every core to every core, and back.
void exchange() {
  loops::on_all_cores([] {
    for (core_id to = 0; to < cores(); ++to) delegates::call(to, [] { return my_core(); });
  });
}

TEST_F(job_trace_file, shows_every_locale_and_core) {
  const json trace = trace_of([] {
    loops::on_all_cores([] {
      const observe::trace_scope whole("everywhere", static_cast<std::uint64_t>(my_core()));
      collectives::barrier();
    });
  });
  std::set<int> locales_named, cores_named, cores_seen;
  for (const json& e : trace["traceEvents"]) {
    if (e["name"] == "process_name") locales_named.insert(e["pid"].get<int>());
    if (e["name"] == "thread_name") {
      cores_named.insert(e["tid"].get<int>() % cores());
      EXPECT_EQ(e["pid"], shape().locale_of(e["tid"].get<int>() % cores()));
    }
    if (e["name"] != "everywhere") continue;
    EXPECT_EQ(e["ph"], "X");
    EXPECT_EQ(e["args"]["value"].get<int>() % cores(), e["tid"].get<int>() % cores());
    cores_seen.insert(e["tid"].get<int>() % cores());
  }
  EXPECT_EQ(locales_named.size(), static_cast<std::size_t>(locales()));
  EXPECT_EQ(cores_named.size(), static_cast<std::size_t>(cores()));
  EXPECT_EQ(cores_seen.size(), static_cast<std::size_t>(cores()));
  EXPECT_EQ(trace["otherData"]["cores"], cores());
  EXPECT_EQ(trace["otherData"]["dropped_events_by_core"].size(), static_cast<std::size_t>(cores()));
}

TEST_F(job_trace_file, has_spans_that_do_not_cross) {
  const json trace = trace_of([] {
    for (int k = 0; k < 3; ++k) exchange();
    loops::on_all_cores([] {
      for (int k = 0; k < 4; ++k) {
        tasks::spawn([] {
          const observe::trace_scope interleaved("interleaved");
          tasks::yield();
          tasks::yield();
        });
        tasks::yield();
      }
      collectives::barrier();
    });
    exchange();
  });
  std::map<int, std::vector<std::pair<double, double>>> open;  // by thread, in order of their starts
  for (const json& e : trace["traceEvents"]) {
    if (e["ph"] != "X") continue;
    const double start = e["ts"], end = start + e["dur"].get<double>();
    auto& around = open[e["tid"]];
    constexpr double rounding_us = 0.002;
    while (!around.empty() && around.back().second <= start + rounding_us) around.pop_back();
    if (!around.empty()) {
      ASSERT_LE(around.back().first, start + rounding_us) << "not in order: " << e;
      ASSERT_LE(end, around.back().second + rounding_us) << "crosses: " << e;
    }
    around.emplace_back(start, end);
  }
}

TEST_F(job_trace_file, joins_what_is_sent_to_what_is_received) {
  const json trace = trace_of([] {
    exchange();
    observe::trace_instant("all parcels from before have arrived");
    exchange();
    observe::trace_instant("all cores still record");
  });
  std::map<std::uint64_t, double> sent;
  double first = 0, last = 0;
  for (const json& e : trace["traceEvents"]) {
    if (e["name"] == "all parcels from before have arrived") first = e["ts"];
    if (e["name"] == "all cores still record") last = e["ts"];
    if (e["ph"] != "s") continue;
    EXPECT_TRUE(sent.emplace(e["id"].get<std::uint64_t>(), e["ts"].get<double>()).second) << "twice: " << e;
  }
  const std::vector<double> clock_errors = trace["otherData"]["clock_error_us_by_locale"];
  std::size_t joined = 0;
  for (const json& e : trace["traceEvents"]) {
    if (e["ph"] != "f") continue;
    const auto from = sent.find(e["id"].get<std::uint64_t>());
    if (from == sent.end()) {
      const double when = e["ts"];
      EXPECT_TRUE(when < first || when > last) << "received, but never sent: " << e;
      continue;
    }
    ++joined;
    double error = 0.002;
    for (double of_locale : clock_errors) error += of_locale;
    EXPECT_GE(e["ts"].get<double>() + error, from->second) << "received before it was sent: " << e;
  }
  if (locales() > 1) {
    EXPECT_GE(joined, static_cast<std::size_t>(locales() * (locales() - 1)));
  } else {
    EXPECT_EQ(joined, 0u);
  }
}

// Every core's tasks and messages, every locale's memory, from the first millisecond on.
TEST_F(job_trace_file, has_curves_of_tasks_messages_and_memory) {
  const json trace = trace_of([] {
    exchange();
    loops::on_all_cores([] {
      tasks::scheduler::here()->pause(std::chrono::milliseconds(3));  // samples are due
      exchange();
    });
  });
  std::map<std::string, std::set<int>> seen;  // by curve: the threads
  std::map<std::string, std::size_t> samples;
  std::uint64_t most_memory = 0;
  for (const json& e : trace["traceEvents"]) {
    if (e["ph"] != "C") continue;
    const std::string name = e["name"].get<std::string>();
    const std::string curve = name.substr(0, name.find(", core "));
    seen[curve].insert(e["tid"].get<int>());
    ++samples[curve];
    ASSERT_EQ(e["args"].size(), 1u) << e;
    if (curve == "memory") most_memory = std::max(most_memory, e["args"]["bytes"].get<std::uint64_t>());
  }
  const auto all = static_cast<std::size_t>(cores());
  EXPECT_EQ(seen["tasks ready"].size(), all);
  EXPECT_EQ(seen["messages sent"].size(), all);
  EXPECT_EQ(seen["messages handled"].size(), all);
  EXPECT_EQ(seen["memory"].size(), static_cast<std::size_t>(locales()));
  EXPECT_GE(samples["tasks ready"], 2 * all) << "only the first samples were taken";
  EXPECT_GT(most_memory, std::uint64_t{1} << 20);
}

TEST_F(job_trace_file, keeps_the_latest_events_and_says_how_many_it_dropped) {
  FLAGS_trace_events_per_core = 16;
  const json trace = trace_of([] {
    loops::on_all_cores([] {
      for (std::uint64_t k = 0; k < 100; ++k) observe::trace_counter("k", k);
    });
  });
  std::map<int, std::size_t> events;
  for (const json& e : trace["traceEvents"]) {
    if (e["ph"] == "X" || e["ph"] == "i" || e["ph"] == "C") ++events[e["tid"].get<int>() % cores()];
  }
  for (core_id c = 0; c < cores(); ++c) {
    EXPECT_EQ(events[c], 16u);
    EXPECT_GE(trace["otherData"]["dropped_events_by_core"][static_cast<std::size_t>(c)], 84u);
  }
}

TEST_F(job_trace_file, may_be_long) {
  FLAGS_trace_events_per_core = 6'000;  // several pieces
  const json trace = trace_of([] {
    loops::on_all_cores([] {
      for (std::uint64_t k = 0; k < 8'000; ++k) observe::trace_counter("k", k);
    });
  });
  EXPECT_GE(trace["traceEvents"].size(), 6'000u * static_cast<std::size_t>(cores()));
}

TEST_F(job_trace_file, that_cannot_be_written_is_refused_at_once) {
  FLAGS_trace_json = "/nonexistent/directory/trace";
  const result<job_trace> trace = job_trace::open();
  ASSERT_FALSE(trace.ok());
  EXPECT_EQ(trace.status().code(), exit_status::io_error);
}

}  // namespace
}  // namespace orujo::internal::report
