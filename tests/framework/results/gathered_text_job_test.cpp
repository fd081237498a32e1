#include "framework/results/gathered_text.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "system/loops/forall.hpp"
#include "tests/system/base/scratch_folder.hpp"

namespace orujo::internal::results {
namespace {

namespace fs = std::filesystem;

// A core's pieces: one of no bytes, one of a few, and one of more than are fetched at a time. One core has
// none.
text_pieces pieces_of(core_id core) {
  if (core == 1) return {};
  const std::string line = "line of core " + std::to_string(core) + '\n';
  text_pieces pieces{line, "", line + line, ""};
  while (pieces.back().size() < (std::size_t{3} << 19)) pieces.back() += line;
  pieces.push_back("end\n");
  return pieces;
}

std::string expected_text() {
  std::string all = "head\n";
  for (core_id c = 0; c < cores(); ++c) {
    for (const std::string& piece : pieces_of(c)) all += piece;
  }
  return all + "tail\n";
}

void write_between(files::output_file& output, const std::string& head, const std::string& tail) {
  output.write(head);
  const auto texts = containers::symmetric<text_pieces>::create_by([] { return pieces_of(my_core()); });
  write_texts(texts, output);
  texts.destroy();
  output.write(tail);
}

TEST(write_texts, puts_those_of_all_cores_into_a_file) {
  const scratch_folder folder;
  auto output = files::output_file::open(folder / "texts").value();
  write_between(output, "head\n", "tail\n");
  EXPECT_TRUE(output.finish().ok());
  EXPECT_TRUE(content_of_file(folder / "texts") == expected_text());
}

TEST(write_texts, fetches_what_others_cannot_write) {
  const scratch_folder folder;
  auto output = files::output_file::open(folder / "texts").value();
  const fs::path begun = fs::directory_iterator(folder.path())->path();
  fs::rename(begun, folder / "hidden");
  write_between(output, "head\n", "tail\n");
  fs::rename(folder / "hidden", begun);
  EXPECT_TRUE(output.finish().ok());
  EXPECT_TRUE(content_of_file(folder / "texts") == expected_text());
}

TEST(write_texts, says_that_a_device_is_full) {
  auto output = files::output_file::open("/dev/full").value();
  write_between(output, "", "");
  EXPECT_EQ(output.finish().code(), exit_status::io_error);
}

}  // namespace
}  // namespace orujo::internal::results
