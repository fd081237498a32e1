// Counts the letters of a text that is spread over all cores, in an array that is, too (the example of figure
// 1 in Nelson et al.: "Latency-Tolerant Software Distributed Shared Memory", USENIX ATC 2015).
#include <orujo/orujo.hpp>

#include <cstdint>
#include <cstdio>
#include <string_view>

using namespace orujo;

constexpr std::string_view sentence = "the quick brown fox jumps over the lazy dog and runs back to her den ";
constexpr std::size_t length = 1'000'000, letters = 26;

status count_letters() {
  const auto text = global_array<char>::create(length);
  const auto counts = global_array<std::uint64_t>::create(letters);

  // Each core writes its own part of the text: the body gets a reference to the element.
  forall(text, [](std::size_t i, char& c) { c = sentence[i % sentence.size()]; }, {.may_suspend = false});

  // Each core reads its own part again; the count of a letter is wherever the array has it.
  finish([&](event_ref event) {
    forall(text, [counts, event](std::size_t, char c) {
      if (c >= 'a' && c <= 'z') async_increment(event, counts[static_cast<std::size_t>(c - 'a')]);
    });
  });  // until all increments that were issued anywhere are done

  for (char c : std::string_view("etaoz")) {
    const std::uint64_t count = read(counts[static_cast<std::size_t>(c - 'a')]);
    std::printf("%c %7lu\n", c, count);
  }

  // Each core counts in an object of its own, without a message.
  const auto tally = symmetric<std::uint64_t>::create(0);
  forall(text, [tally](char c) { tally.here() += c != ' ' ? 1 : 0; }, {.may_suspend = false});
  std::printf("letters: %lu\n", sum_of_all([tally] { return tally.here(); }));
  tally.destroy();
  text.destroy();
  counts.destroy();
  return {};
}

int main(int argc, char** argv) { return run(argc, argv, "Counts the letters of a text.", &count_letters); }
