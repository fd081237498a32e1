// Refuses each allocation in turn, in readers of all formats, in tables and encoders. They must throw, report
// lack of memory, or do without it. No memory may be kept, and nothing else may go wrong.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "system/containers/flat_table.hpp"
#include "tests/allocations/failing_allocations.hpp"
#include "tests/framework/row_store.hpp"
#include "tests/fuzz/archive_properties.hpp"
#include "tests/fuzz/orj_properties.hpp"
#include "tests/fuzz/reader_properties.hpp"
#include "tests/sanitized.hpp"

namespace orujo::internal::allocations {
namespace {

namespace fs = std::filesystem;

exit_status code_of(const formats::reading& r) { return r.code; }
exit_status code_of(const fuzz::orj_reading& r) { return r.code; }
exit_status code_of(const fuzz::unpacked_bytes& r) { return r.code; }
template <class T>
exit_status code_of(const T&) {
  return exit_status::ok;
}

struct tally {
  long tried = 0, refused = 0, did_without = 0;
};

// work() is the same each time; what it returns can be compared. Refuses each of its allocations, or some
// 200.
template <class Work>
void refuse_each(asking counted_of, const Work& work, const std::string& name, tally& all) {
  using outcome = decltype(work());
  const auto undisturbed = work();  // and what is made once and kept is there
  const long count = [&] {
    const watch counted(counted_of);
    { [[maybe_unused]] const outcome again = work(); }
    EXPECT_EQ(counted.kept(), 0) << name << " keeps memory in any case";
    return counted.asked();
  }();
  for (long k = 1; k <= count; k += 1 + count / 200) {
    bool same = false, said = false;
    const long kept = [&] {
      const watch refusing(counted_of, k);
      try {
        const outcome made = work();
        same = made == undisturbed;
        said = code_of(made) == exit_status::no_resource;
      } catch (const std::bad_alloc&) {
        said = true;
      }
      return refusing.kept();
    }();
    const std::string which =
        name + ", where allocation " + std::to_string(k) + " of " + std::to_string(count) + " is refused";
    EXPECT_EQ(kept, 0) << which << ", keeps memory";
    EXPECT_TRUE(same || said) << which << ", comes to something else";
    ++all.tried;
    all.refused += said;
    all.did_without += same;
  }
}

template <class Work>
void refuse_each(const Work& work, const std::string& name, tally& all) {
  for (const asking counted : {asking::by_new, asking::any}) refuse_each(counted, work, name, all);
}

// The kept files of a fuzzer.
template <class Visit>
void for_each_kept_file(std::string_view folder, Visit visit) {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(fs::path(ORUJO_SOURCE_DIR) / "tests/fuzz/corpus" / folder))
    paths.push_back(entry.path());
  ASSERT_FALSE(paths.empty()) << folder;
  std::sort(paths.begin(), paths.end());
  for (const fs::path& path : paths) {
    std::ifstream file(path, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    visit(path.parent_path().filename() / path.filename(), bytes);
  }
}

void expect_refusals(const tally& all) {
  EXPECT_TRUE(sanitized || all.refused > 0);  // of what asks malloc
  std::printf("%ld allocations refused: %ld said so, %ld did without\n", all.tried, all.refused,
              all.did_without);
}

TEST(allocations, that_are_kept_or_refused_are_noticed) {
  const auto some = [] { return std::make_unique<std::string>(100, 'x'); };
  {
    const watch two(asking::by_new);
    auto kept = some();
    EXPECT_EQ(two.asked(), 2);
    EXPECT_EQ(two.kept(), sanitized ? 0 : 2);
    kept.reset();
    EXPECT_EQ(two.kept(), 0);
  }
  const watch second(asking::by_new, 2);
  EXPECT_THROW(some(), std::bad_alloc);
  EXPECT_NO_THROW(some());
  EXPECT_EQ(second.kept(), 0);
}

TEST(allocations, of_readers) {
  tally all;
  for (int k = 0; k <= static_cast<int>(formats::file_format::npz); ++k) {
    const auto format = static_cast<formats::file_format>(k);
    if (format == formats::file_format::orj) continue;
    for_each_kept_file(formats::name_of(format), [&](const fs::path& name, const std::string& bytes) {
      for (const bool named : {false, true}) {
        formats::whole_file file = fuzz::file_of(format, bytes);
        file.named = named;
        const auto read = [&] { return formats::read_parts(file, 2); };
        if (format == formats::file_format::npz) {
          refuse_each(asking::by_new, read, name.string(), all);  // libarchive crashes where it gets nothing
        } else {
          refuse_each(read, name.string(), all);
        }
        if (format != formats::file_format::edge_list && !formats::is_document(format)) break;
      }
    });
  }
  expect_refusals(all);
}

TEST(allocations, of_readers_of_orj) {
  tally all;
  for_each_kept_file("orj", [&](const fs::path& name, const std::string& bytes) {
    const std::string file = fuzz::orj_file_of(bytes);
    refuse_each([&] { return fuzz::read_orj(file, 2); }, name.string(), all);
  });
  expect_refusals(all);
}

TEST(allocations, of_archives) {
  tally all;
  for_each_kept_file("archive", [&](const fs::path& name, const std::string& bytes) {
    refuse_each(
        asking::by_new, [&] { return fuzz::unpack_all(bytes, 61, 1 << 12); }, name.string(), all);
  });
  expect_refusals(all);
}

TEST(allocations, of_tables) {
  tally all;
  refuse_each(
      [] {
        containers::flat_table<std::uint64_t, std::uint64_t> table;
        for (std::uint64_t k = 0; k < 300; ++k) *table.find_or_insert(k * k).first = k;
        return table.size();
      },
      "flat_table", all);
  expect_refusals(all);
}

TEST(allocations, of_vector_sparse) {
  tally all;
  test_graphs::row_store store;
  for (std::uint32_t k = 0; k < 100; ++k) store.add_vertex(k % 7, [k] { return k; });
  refuse_each([&] { return test_graphs::decode(test_graphs::encode_all(store)); }, "vector_sparse", all);
  expect_refusals(all);
}

}  // namespace
}  // namespace orujo::internal::allocations
