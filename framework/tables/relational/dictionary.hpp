// The texts of all columns as numbers that are in the order of the texts.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "framework/formats/names.hpp"
#include "framework/tables/relational/columns.hpp"
#include "system/base/by_core.hpp"

namespace orujo::internal::relational {

// The texts of a query itself, ascending, and where they are in the order of all.
//
//   code  | place + 1 of a text of the dictionary (48 bits) | 0 (16 bits) |
//         | how many of them come before (48 bits)          | number + 1  |  of another literal
struct literals {
  std::vector<std::string> texts;
  std::vector<word> codes;

  // The code of one of the texts.
  word code_of(std::string_view text) const {
    return codes[static_cast<std::size_t>(std::ranges::lower_bound(texts, text) - texts.begin())];
  }
};

// Each core keeps a range of the texts, about as many as any other. Codes order as the bytes of texts do, so
// that whatever compares, groups, joins or sorts texts does so with numbers.
class dictionary {
 public:
  // The number of lower bits that are 0 in the code of a text of the dictionary.
  static constexpr int code_bits_apart = 16;

  // [task; suspends; collective over the job] The dictionary of the texts that cores have met. codes: those
  // of the calling core's texts, by their number in `met`. Texts are distributed by a sample, as by
  // `mapreduce::sorted()`.
  static dictionary build(const formats::name_table& met, std::vector<word>& codes);

  std::uint64_t size() const { return firsts_.back(); }

  // [task; suspends; collective over the job] The same texts at every core, ascending and distinct.
  literals find(std::vector<std::string> texts) const;

  // [task; suspends; collective over the job] A bit for each text of the dictionary: 1 if it is like the
  // pattern. % is any bytes, _ one character. ASCII letters are equal whatever their case.
  std::vector<std::uint64_t> like(std::string_view pattern) const;

  // Texts of codes that the calling core has requested.
  class found {
   public:
    std::string_view operator[](word code) const;

   private:
    friend class dictionary;
    std::vector<word> codes_;  // ascending
    formats::name_table texts_;
  };
  // [task; suspends; collective over the job] The texts of any codes, also of literals. Costs a message or
  // more to and from each core, and the memory of these texts.
  found look_up(std::vector<word> codes, const literals& of_query) const;

 private:
  formats::name_table mine_;
  by_core<std::uint64_t> firsts_;  // its first text's place; at the end their number
};

bool is_like(std::string_view text, std::string_view pattern);

}  // namespace orujo::internal::relational
