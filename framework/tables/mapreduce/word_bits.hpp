// Classes of bytes of text, a bit for each of 64.
#pragma once

#include <cstdint>

namespace orujo::internal::mapreduce {

// The lowest bit is the first byte's.
struct word_bits {
  std::uint64_t of_word = 0, nul = 0, beyond_ascii = 0;
  bool operator==(const word_bits&) const = default;
};

// Any thread. Classifies 64 bytes. letters: words are letters, digits and bytes beyond ASCII, else all bytes
// above a blank. NUL is in no word.
word_bits word_bits_of(const char* bytes, bool letters);

// The same on every machine, byte by byte.
namespace portable {
word_bits word_bits_of(const char* bytes, bool letters);
}

}  // namespace orujo::internal::mapreduce
