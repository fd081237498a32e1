#include "system/machine/measures.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <fstream>

#include "tests/system/base/scratch_folder.hpp"

namespace orujo::internal::machine {
namespace {

const machine_kind kind{"Some Processor 7", 4, {{1, 32 << 10, 1}, {2, 1 << 20, 1}, {3, 32 << 20, 4}}};

measures some_measures() {
  measures m;
  m.measured = true;
  m.cores = 4;
  m.gathers = {{1 << 16, 0.5, 0.5, 0.625}, {1 << 20, 0.5, 1, 1.25}, {1 << 22, 1, 4, 3}, {1 << 24, 2, 8, 4}};
  m.barrier = 400;
  return m;
}

std::string changed(std::string text, const std::string& what, const std::string& by) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return at == std::string::npos ? text : text.replace(at, what.size(), by);
}

TEST(measures, survive_their_file) {
  const result<measures> again = parse_measures(measures_text(some_measures(), kind), kind);
  ASSERT_TRUE(again.ok()) << again.status().message();
  EXPECT_EQ(again.value(), some_measures());
}

TEST(measures, of_another_machine_or_version_are_refused_with_the_reason) {
  const std::string text = measures_text(some_measures(), kind);
  machine_kind other = kind;
  other.caches[2].bytes = 16 << 20;
  EXPECT_EQ(parse_measures(text, other).status().message(), "it is of another kind of machine");
  other = kind;
  other.cpus = 8;
  EXPECT_EQ(parse_measures(text, other).status().message(), "it is of another kind of machine");
  EXPECT_EQ(parse_measures(changed(text, "measures 2", "measures 3"), kind).status().message(),
            "it is of another version");
  EXPECT_EQ(parse_measures("0 1\n1 2\n", kind).status().message(), "it is not a file of measures");
}

TEST(measures, cut_off_anywhere_are_refused) {
  const std::string text = measures_text(some_measures(), kind);
  for (std::size_t length = 0; length < text.size(); ++length) {
    const status s = parse_measures(text.substr(0, length), kind).status();
    EXPECT_EQ(s.code(), exit_status::bad_data) << length;
    EXPECT_FALSE(s.message().empty());
  }
}

TEST(measures, that_cannot_be_are_refused) {
  const std::string text = measures_text(some_measures(), kind);
  const std::pair<const char*, const char*> damages[] = {{"gather 1048576 0.5000", "gather 1048576 nan"},
                                                         {"gather 1048576 0.5000", "gather 1048576 -1"},
                                                         {"gather 1048576 0.5000", "gather 1048576 0"},
                                                         {"gather 1048576 0.5000", "gather 1048576 1e30"},
                                                         {"gather 1048576 0.5000", "gather 1048576"},
                                                         {"gather 1048576 0.5000", "gather 4194304 0.5"},
                                                         {"gather 1048576", "gather 10 48576"},
                                                         {"gather 1048576", "gather x"},
                                                         {"cores 4", "cores 0"},
                                                         {"cores 4", "cores 99999999"},
                                                         {"barrier", "barriers"},
                                                         {"barrier 400.0", "barrier inf"},
                                                         {"barrier 400.0", "barrier 1 2"},
                                                         {"barrier 400.0", "barrier 1e300"},
                                                         {"end\n", "end\nend\n"}};
  for (const auto& [what, by] : damages)
    EXPECT_EQ(parse_measures(changed(text, what, by), kind).status().code(), exit_status::bad_data) << by;
  std::string many = text;
  for (int k = 0; k < 100; ++k) many = "gather 1 1 1 1\n" + many;
  EXPECT_FALSE(parse_measures(many, kind).ok());
}

TEST(measures, are_written_as_a_whole_into_a_folder_that_is_made) {
  const scratch_folder folder;
  const std::string path = folder / "not/yet/there";
  EXPECT_EQ(read_measures(path, kind).status().code(), exit_status::no_input);
  for (int k = 0; k < 2; ++k) ASSERT_TRUE(write_measures(path, some_measures(), kind).ok());
  ASSERT_TRUE(read_measures(path, kind).ok());
  EXPECT_EQ(read_measures(path, kind).value(), some_measures());
  std::ofstream(path) << std::string(1 << 20, 'x');
  EXPECT_EQ(read_measures(path, kind).status().message(), "it is too long");
  EXPECT_EQ(write_measures("/proc/nothing/here", some_measures(), kind).code(), exit_status::io_error);
}

TEST(measures, are_not_waited_for_where_a_pipe_or_a_folder_is_in_their_place) {
  const scratch_folder folder;
  const std::string pipe = folder / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(read_measures(pipe, kind).status().code(), exit_status::bad_data);
  EXPECT_EQ(read_measures(folder.path().string(), kind).status().code(), exit_status::bad_data);
}

TEST(measures, of_different_machines_have_different_files) {
  machine_kind other = kind;
  other.processor += "+";
  ASSERT_NE(measures_path(kind), "") << "neither XDG_CACHE_HOME nor HOME is set";
  EXPECT_NE(measures_path(kind), measures_path(other));
  EXPECT_EQ(measures_path(kind), measures_path(kind));
}

TEST(measures, between_two_sizes_are_read_off_a_line) {
  const measures m = some_measures();
  EXPECT_DOUBLE_EQ(gather_ns(m, 0), 0.5);
  EXPECT_DOUBLE_EQ(gather_ns(m, 1 << 20), 1);
  EXPECT_DOUBLE_EQ(gather_ns(m, 1 << 21), 2);  // halfway from 1 to 3, which is prefetched
  EXPECT_DOUBLE_EQ(gather_ns(m, 1e12), 4);
}

TEST(measures, say_from_where_on_prefetching_pays) {
  measures m = some_measures();
  EXPECT_EQ(prefetch_from_bytes(m), std::uint64_t{1} << 22);
  m.gathers[2].prefetched = 5;
  EXPECT_EQ(prefetch_from_bytes(m), std::uint64_t{1} << 24);
}

TEST(measures, are_guessed_from_the_caches) {
  const measures m = guess(kind, 4);
  EXPECT_FALSE(m.measured);
  for (std::size_t k = 1; k < m.gathers.size(); ++k) {
    EXPECT_LT(m.gathers[k - 1].bytes, m.gathers[k].bytes);
    EXPECT_LE(m.gathers[k - 1].together, m.gathers[k].together);
  }
  EXPECT_EQ(prefetch_from_bytes(m), std::uint64_t{2} << 20);
  machine_kind small = kind, large = kind;
  small.caches[2].bytes = 4 << 20;
  large.caches[2].bytes = 256 << 20;
  const double bytes = 64 << 20;
  EXPECT_LT(gather_ns(m, bytes), gather_ns(guess(small, 4), bytes));
  EXPECT_GE(gather_ns(m, bytes), gather_ns(guess(large, 4), bytes));
  small.caches.clear();
  EXPECT_GE(gather_ns(guess(small, 4), bytes), gather_ns(m, bytes)) << "nothing is known of its caches";
}

TEST(measures, of_this_machine_are_there) {
  const known_measures& known = this_machine();
  EXPECT_FALSE(known.values.gathers.empty());
  EXPECT_GT(gather_ns(known.values, 1 << 20), 0);
  EXPECT_NE(measures_summary(known).find(known.origin), std::string::npos);
}

}  // namespace
}  // namespace orujo::internal::machine
