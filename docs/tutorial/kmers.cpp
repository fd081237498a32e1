// Counts the k-mers of a genome, the substrings of k letters, in a hash map that is spread over all cores:
// the first step of genome assemblers.
#include <orujo/orujo.hpp>

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <string>

using namespace orujo;

constexpr std::size_t bases = 300'000, k = 12;
constexpr char letters[] = "ACGT";

// A genome that anybody can make up: random, but every 1,000 letters a gene begins.
int base_at(std::size_t i) {
  constexpr int gene[] = {2, 0, 3, 3, 0, 1, 0, 2, 0, 3, 3, 0};  // GATTACAGATTA
  return i % 1000 < k ? gene[i % 1000] : static_cast<int>(mix64(i) % 4);
}

// 2 bits per letter.
std::uint64_t kmer_at(std::size_t i) {
  std::uint64_t kmer = 0;
  for (std::size_t at = i; at < i + k; ++at) kmer = kmer << 2 | static_cast<std::uint64_t>(base_at(at));
  return kmer;
}

std::string text_of(std::uint64_t kmer) {
  std::string text;
  for (std::size_t at = k; at-- > 0;) text += letters[kmer >> (2 * at) & 3];
  return text;
}

status count_kmers() {
  const auto counts = global_hash_map<std::uint64_t, std::uint32_t>::create(bases);

  // A k-mer's hash says which core keeps it; the closure runs there, on its count, which begins as 0.
  finish([&](event_ref event) {
    forall({0, bases - k + 1}, [counts, event](std::size_t i) {
      counts.async_update(event, kmer_at(i), [](std::uint32_t& count) { ++count; });
    });
  });

  std::printf("different %zu-mers: %zu\n", k, counts.size());
  const std::uint64_t gene = kmer_at(0);
  std::printf("%s: %" PRIu32 " times\n", text_of(gene).c_str(), counts.lookup(gene).value_or(0));

  // Each core looks at the k-mers that it keeps.
  std::uint64_t frequent = 0;
  const global_address<std::uint64_t> sum(my_core(), &frequent);
  forall(counts, [sum](const std::uint64_t&, std::uint32_t& count) {
    if (count >= 100) fetch_and_add(sum, 1);
  });
  std::printf("that occur 100 times or more: %" PRIu64 "\n", frequent);
  counts.destroy();
  return {};
}

int main(int argc, char** argv) {
  return run(argc, argv, "Counts the k-mers of a genome.", [] { return count_kmers(); });
}
