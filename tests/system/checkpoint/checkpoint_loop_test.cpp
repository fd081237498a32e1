// Checkpoints of loops of one task, in other process layouts (locales x cores) and with damaged files.
#include "system/checkpoint/checkpoint_loop.hpp"

#include <gflags/gflags.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "system/checkpoint/folder.hpp"
#include "system/containers/global_array.hpp"
#include "system/containers/global_hash_map.hpp"
#include "system/containers/global_hash_set.hpp"
#include "system/containers/global_vector.hpp"
#include "tests/sanitized.hpp"
#include "tests/system/base/scratch_folder.hpp"
#include "tests/system/checkpoint/jobs.hpp"

DECLARE_int32(minloglevel);

namespace orujo::internal::checkpoint {
namespace {

namespace fs = std::filesystem;

// One of each, whose contents follow from the round.
struct things {
  containers::global_array<std::uint64_t> array;
  containers::global_hash_map<std::uint64_t, std::uint32_t> map;
  containers::global_hash_set<std::uint32_t> set;
  containers::global_vector<std::uint32_t> vector;

  explicit things(std::size_t n)
      : array(decltype(array)::create(n)),
        map(decltype(map)::create()),
        set(decltype(set)::create()),
        vector(decltype(vector)::create(cores() - 1)) {}
  void destroy() const {
    array.destroy();
    map.destroy();
    set.destroy();
    vector.destroy();
  }
  void fill(std::uint64_t round) const {
    const std::size_t n = array.size();
    vector.clear();
    loops::forall(array, [round](std::size_t i, std::uint64_t& x) { x = mix64(i + round); });
    for (std::uint64_t k = 0; k < n; ++k) {
      map.erase(k * 7 + round - 1);
      map.insert(k * 7 + round, static_cast<std::uint32_t>(k));
      set.insert(static_cast<std::uint32_t>(k * round));
      vector.push(static_cast<std::uint32_t>(k + round));
    }
    vector.push(0);
    vector.pop();
    vector.dequeue();
  }
  // Expects the values of fill(round), if the rounds before it were filled, too.
  void expect(std::uint64_t round) const {
    const std::size_t n = array.size();
    std::vector<std::uint64_t> values(n);
    array.get(0, std::span(values));
    for (std::size_t i = 0; i < n; ++i) EXPECT_EQ(values[i], mix64(i + round));
    EXPECT_EQ(map.size(), n);
    for (std::uint64_t k = 0; k < n; ++k) {
      EXPECT_EQ(map.lookup(k * 7 + round), static_cast<std::uint32_t>(k));
      EXPECT_TRUE(set.contains(static_cast<std::uint32_t>(k * round)));
    }
    EXPECT_FALSE(set.contains(1'000'000'000));
    EXPECT_EQ(vector.size(), n == 0 ? 0 : n - 1);
    for (std::uint64_t k = 1; k < n; ++k) EXPECT_EQ(vector.dequeue(), static_cast<std::uint32_t>(k + round));
    EXPECT_FALSE(vector.pop().has_value());
  }
};

struct named_things {
  things all;
  memory::global_address<std::uint64_t> round;
  void operator()(state& kept) const {
    kept.add("array", all.array);
    kept.add("map", all.map);
    kept.add("set", all.set);
    kept.add("vector", all.vector);
    kept.add("round", round);
  }
};

// Rounds 1 to `last`, each of which is kept.
void write_rounds(std::size_t n, std::uint64_t last) {
  std::uint64_t round = 0;
  const things all(n);
  checkpoint_loop loop(named_things{all, {my_core(), &round}});
  EXPECT_FALSE(loop.resume());
  while (round < last) {
    all.fill(++round);
    const status saved = loop.save();
    EXPECT_TRUE(saved.ok()) << saved.message();
  }
  all.destroy();
}

// Resumes from `expected`, or fails to if it is 0.
void read_round(std::size_t n, std::uint64_t expected) {
  std::uint64_t round = 0;
  const things all(n);
  all.fill(9);  // replaced by the checkpoint
  checkpoint_loop loop(named_things{all, {my_core(), &round}});
  const auto resumed = loop.try_resume();
  if (expected == 0) {
    EXPECT_EQ(resumed.status().code(), exit_status::bad_checkpoint);
  } else {
    EXPECT_TRUE(resumed.ok() && resumed.value()) << resumed.status().message();
    EXPECT_EQ(round, expected);
    all.expect(expected);
  }
  all.destroy();
}

settings in(const scratch_folder& folder, bool resume) { return {.folder = folder.path(), .resume = resume}; }

TEST(checkpoint_loop, goes_on_on_any_split) {
  constexpr std::size_t n = 50;
  const split splits[] = {{2, 2}, {1, 3}, {3, 1}, {1, 1}};
  for (std::size_t k = 0; k < std::size(splits); ++k) {
    const scratch_folder folder;
    expect_job(splits[k], in(folder, false), [] { write_rounds(n, 3); });
    EXPECT_EQ(epochs_in(folder.path()), (std::vector<std::uint64_t>{3, 2}));
    EXPECT_EQ(folder.entries(), 1 + 2 * (1 + splits[k].locales));
    expect_job(splits[(k + 1) % std::size(splits)], in(folder, true), [] { read_round(n, 3); });
    expect_job(splits[(k + 2) % std::size(splits)], in(folder, true), [] { read_round(n, 3); });
    expect_job({1, 2}, in(folder, true), [] { read_round(n + 1, 0); });  // the array has another size
  }
}

TEST(checkpoint_loop, keeps_what_is_empty) {
  const scratch_folder folder;
  expect_job({2, 1}, in(folder, false), [] { write_rounds(0, 1); });
  expect_job({1, 2}, in(folder, true), [] { read_round(0, 1); });
}

TEST(checkpoint_loop, begins_anew_where_there_is_none) {
  const scratch_folder folder;
  expect_job({2, 1}, in(folder, true), [] { write_rounds(3, 1); });
}

// Every byte of the data, and some of the manifest, of which manifest_test.cpp tries all.
TEST(checkpoint_loop, passes_over_what_is_damaged) {
  const google::FlagSaver flags;
  FLAGS_minloglevel = 2;  // it warns each time
  constexpr std::size_t n = 2;
  const scratch_folder folder;
  expect_job({2, 1}, in(folder, false), [] { write_rounds(n, 2); });
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator(folder.path())) {
    if (entry.path().filename().string().starts_with("epoch-2.")) files.push_back(entry.path());
  }
  ASSERT_EQ(files.size(), 3u);
  int tried = 0;
  expect_job({1, 2}, in(folder, true), [&] {
    for (const std::string& file : files) {
      const std::string right = content_of_file(file);
      const auto try_with = [&](const std::string& content) {
        std::ofstream(file, std::ios::binary) << content;
        use(in(folder, true));
        read_round(n, 1);
        ++tried;
      };
      for (std::size_t at = 0; at < right.size(); at += file.ends_with(".manifest") ? 16
                                                        : sanitized                 ? 3
                                                                                    : 1) {
        std::string content = right;
        content[at] = static_cast<char>(content[at] ^ 0x10);
        try_with(content);
        if (at % 16 == 0) try_with(right.substr(0, at));
      }
      std::ofstream(file, std::ios::binary) << right;
    }
    use(in(folder, true));
    read_round(n, 2);
  });
  EXPECT_GT(tried, 100);
  RecordProperty("passed_over", tried);
  fs::remove(files[0]);
  expect_job({1, 1}, in(folder, true), [] { read_round(n, 1); });
}

TEST(checkpoint_loop, refuses_where_all_are_damaged) {
  const scratch_folder folder;
  expect_job({2, 1}, in(folder, false), [] { write_rounds(2, 2); });
  for (const auto& entry : fs::directory_iterator(folder.path())) {
    if (entry.path().extension() != ".locale-1") continue;
    std::fstream file(entry.path(), std::ios::in | std::ios::out);
    file.put('?');
  }
  expect_job({2, 1}, in(folder, true), [] { read_round(2, 0); });
}

// The last is still there.
TEST(checkpoint_loop, goes_on_without_where_a_disk_is_full) {
  const google::FlagSaver flags;
  FLAGS_minloglevel = 2;
  constexpr std::size_t n = 2000;
  const scratch_folder folder;
  expect_job({2, 1}, in(folder, false), [] {
    std::uint64_t round = 0;
    const things all(n);
    checkpoint_loop loop(named_things{all, {my_core(), &round}});
    all.fill(++round);
    EXPECT_TRUE(loop.save().ok());
    {
      const file_size_limit full(4096);
      EXPECT_EQ(loop.save().code(), exit_status::io_error);
    }
    all.destroy();
  });
  EXPECT_EQ(folder.entries(), 1 + 1 + 2);
  expect_job({1, 2}, in(folder, true), [] { read_round(n, 1); });
}

TEST(checkpoint_loop, is_refused_by_another_problem) {
  const scratch_folder folder;
  const auto work_on = [](const char* what) {
    std::uint64_t round = 7;
    const memory::global_address<std::uint64_t> at(my_core(), &round);
    checkpoint_loop loop([at](state& kept) { kept.add("round", at); }, {{"what", what}});
    const auto resumed = loop.try_resume();
    if (resumed.ok() && !resumed.value()) {
      EXPECT_TRUE(loop.save().ok());
    }
    return resumed.status();
  };
  EXPECT_EQ(run_job({1, 1}, in(folder, false), [&] { return work_on("this"); }), exit_status::ok);
  EXPECT_EQ(run_job({2, 1}, in(folder, true), [&] { return work_on("this"); }), exit_status::ok);
  EXPECT_EQ(run_job({2, 1}, in(folder, true), [&] { return work_on("that"); }), exit_status::bad_checkpoint);
}

// By steps; the two last ones stay.
TEST(checkpoint_loop, writes_when_it_is_time) {
  const scratch_folder folder;
  settings how = in(folder, false);
  how.every = {.steps = 3};
  expect_job({1, 2}, how, [] {
    std::uint64_t step = 0;
    const memory::global_address<std::uint64_t> at(my_core(), &step);
    checkpoint_loop loop([at](state& kept) { kept.add("step", at); });
    for (; step < 11; ++step) loop.step();
  });
  EXPECT_EQ(epochs_in(folder.path()), (std::vector<std::uint64_t>{3, 2}));
  how.resume = true;
  expect_job({2, 1}, how, [] {
    std::uint64_t step = 0;
    const memory::global_address<std::uint64_t> at(my_core(), &step);
    checkpoint_loop loop([at](state& kept) { kept.add("step", at); });
    EXPECT_TRUE(loop.resume());
    EXPECT_EQ(step, 9u);
  });
}

// The second run of a job is known again; the first is run once more, and writes nothing meanwhile.
TEST(checkpoint_loop, knows_which_run_it_is) {
  const scratch_folder folder;
  const auto run_twice = [](std::uint64_t expected_first, std::uint64_t expected_second) {
    for (const std::uint64_t expected : {expected_first, expected_second}) {
      std::uint64_t step = 0;
      const memory::global_address<std::uint64_t> at(my_core(), &step);
      checkpoint_loop loop([at](state& kept) { kept.add("step", at); });
      loop.resume();
      EXPECT_EQ(step, expected);
      for (; step < 5; ++step) loop.step();
    }
  };
  settings how = in(folder, false);
  how.every = {.steps = 2};
  expect_job({1, 1}, how, [&] { run_twice(0, 0); });
  const auto before = epochs_in(folder.path());
  how.resume = true;
  expect_job({1, 1}, how, [&] { run_twice(0, 4); });
  EXPECT_EQ(epochs_in(folder.path()), before);
}

}  // namespace
}  // namespace orujo::internal::checkpoint
