// Counts the words of a text by map and reduce, then the lengths of these words.
#include <orujo/mapreduce.hpp>
#include <orujo/orujo.hpp>

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace orujo;

using counts_by_word = global_groups<std::string_view, std::uint64_t>;
using counts_by_length = global_groups<std::uint32_t, std::uint64_t>;
using words_and_counts = std::vector<std::pair<std::string, std::uint64_t>>;

// On every core: each reads a part of the file.
status count_words_of(const std::string& path, counts_by_word counts) {
  const auto files = find_input_on_all(path);
  if (!files.ok()) return files.status();
  status read;
  map_reduce(counts, [&](auto& emit) {
    read = read_words(files.value(), {.letters = true, .lower_case = true},
                      [&](std::string_view word) { emit(word, 1); });
  });
  return first_failure(read);
}

status main_task() {
  const auto counts = counts_by_word::create();
  const auto lengths = counts_by_length::create();
  const auto best = on_all_cores([=]() -> result<words_and_counts> {
    if (const status counted = count_words_of("docs/tutorial/words.txt", counts); !counted.ok())
      return counted;
    const words_and_counts first = largest(counts, 3);

    // What a core holds is the input of the next step.
    map_reduce(lengths, [&](auto& emit) {
      counts.local().visit(
          [&](std::string_view word, std::uint64_t) { emit(static_cast<std::uint32_t>(word.size()), 1); });
    });
    return first;
  });
  if (!best.ok()) return best.status();
  for (const auto& [word, count] : best.value()) std::printf("%s: %" PRIu64 " times\n", word.c_str(), count);
  std::printf("core: %" PRIu64 " times\n", counts.lookup("core").value_or(0));
  std::printf("different words of four letters: %" PRIu64 "\n", lengths.lookup(4).value_or(0));
  counts.destroy();
  lengths.destroy();
  return {};
}

int main(int argc, char** argv) { return run(argc, argv, "Counts words.", &main_task); }
