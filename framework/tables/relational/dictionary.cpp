#include "framework/tables/relational/dictionary.hpp"

#include <algorithm>
#include <functional>
#include <span>
#include <utility>

#include "framework/tables/mapreduce/packed_texts.hpp"
#include "system/base/identity.hpp"
#include "system/collectives/collectives.hpp"

namespace orujo::internal::relational {
namespace {

constexpr int literal_bits = dictionary::code_bits_apart;
constexpr word literal_mask = (word{1} << literal_bits) - 1;
constexpr word code_of_place(std::uint64_t place) { return static_cast<word>(place + 1) << literal_bits; }
constexpr std::uint64_t place_of(word code) { return static_cast<std::uint64_t>(code >> literal_bits) - 1; }

bool same_letter(char a, char b) {
  const auto small = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; };
  return small(a) == small(b);
}
bool continues(char c) { return (c & 0xc0) == 0x80; }

std::size_t count_before(const formats::name_table& sorted, std::string_view text) {
  std::size_t first = 0, last = sorted.size();
  while (first < last) {
    const std::size_t middle = first + (last - first) / 2;
    sorted[middle] < text ? first = middle + 1 : last = middle;
  }
  return first;
}

}  // namespace

bool is_like(std::string_view text, std::string_view pattern) {
  // Goes back to the last % where it does not fit.
  std::size_t t = 0, p = 0, behind = pattern.npos, tried = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '%') {
      behind = ++p;
      tried = t;
    } else if (p < pattern.size() && pattern[p] == '_') {
      for (++t, ++p; t < text.size() && continues(text[t]);) ++t;
    } else if (p < pattern.size() && same_letter(pattern[p], text[t])) {
      ++t, ++p;
    } else if (behind != pattern.npos) {
      p = behind;
      for (++tried; tried < text.size() && continues(text[tried]);) ++tried;
      t = tried;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '%') ++p;
  return p == pattern.size();
}

dictionary dictionary::build(const formats::name_table& met, std::vector<word>& codes) {
  const std::vector<std::uint64_t> places = formats::sorted_places(met);
  formats::name_table received;
  by_core<std::size_t> ends(cores());
  for (core_id c = 0;
       const std::vector<char>& of_core : collectives::all_to_all(mapreduce::deal_texts(met, places))) {
    mapreduce::unpack_texts(of_core, received);
    ends[c++] = received.size();
  }
  dictionary made;
  std::vector<std::uint64_t> place_here(received.size());
  for (const std::uint64_t place : formats::sorted_places(received)) {
    const std::string_view text = received[place];
    if (made.mine_.size() == 0 || made.mine_[made.mine_.size() - 1] != text) made.mine_.push_back(text);
    place_here[place] = made.mine_.size() - 1;
  }
  made.firsts_.push_back(0);
  for (const std::uint64_t of_core : collectives::all_gather(std::uint64_t{made.mine_.size()}))
    made.firsts_.push_back(made.firsts_.back() + of_core);
  const std::uint64_t first = made.firsts_[my_core()];
  by_core<std::vector<word>> answers(cores());
  std::size_t at = 0;
  for (core_id c = 0; c < cores(); ++c) {
    for (; at < ends[c]; ++at) answers[c].push_back(code_of_place(first + place_here[at]));
  }
  codes.resize(met.size());
  at = 0;
  for (const std::vector<word>& of_core : collectives::all_to_all(answers)) {
    for (const word code : of_core) codes[places[at++]] = code;
  }
  return made;
}

literals dictionary::find(std::vector<std::string> texts) const {
  // For each text the number of smaller texts, and whether it is in the dictionary.
  std::vector<std::uint64_t> told;
  for (const std::string& text : texts) {
    const std::size_t before = count_before(mine_, text);
    told.push_back(2 * before + (before < mine_.size() && mine_[before] == text));
  }
  if (!told.empty()) collectives::all_reduce(told);
  literals made;
  for (std::size_t k = 0; k < texts.size(); ++k)
    made.codes.push_back(told[k] % 2
                             ? code_of_place(told[k] / 2)
                             : (static_cast<word>(told[k] / 2) << literal_bits) + static_cast<word>(k + 1));
  made.texts = std::move(texts);
  return made;
}

std::vector<std::uint64_t> dictionary::like(std::string_view pattern) const {
  std::vector<std::uint64_t> places;
  const std::uint64_t first = firsts_[my_core()];
  for (std::size_t k = 0; k < mine_.size(); ++k) {
    if (is_like(mine_[k], pattern)) places.push_back(first + k);
  }
  std::vector<std::uint64_t> bits(size() / 64 + 1);
  for (const std::uint64_t place : places) bits[place / 64] |= std::uint64_t{1} << place % 64;
  collectives::all_reduce(bits, std::bit_or<>());
  return bits;
}

std::string_view dictionary::found::operator[](word code) const {
  return texts_[static_cast<std::size_t>(std::ranges::lower_bound(codes_, code) - codes_.begin())];
}

dictionary::found dictionary::look_up(std::vector<word> codes, const literals& of_query) const {
  std::ranges::sort(codes);
  codes.erase(std::unique(codes.begin(), codes.end()), codes.end());
  by_core<std::vector<std::uint64_t>> wanted(cores());
  for (const word code : codes) {
    if (code & literal_mask) continue;
    const std::uint64_t place = place_of(code);
    const auto owner = static_cast<core_id>(std::ranges::upper_bound(firsts_, place) - firsts_.begin()) - 1;
    wanted[owner].push_back(place);
  }
  by_core<std::vector<char>> answers(cores());
  const std::uint64_t first = firsts_[my_core()];
  for (core_id c = 0; const auto& of_core : collectives::all_to_all(wanted)) {
    for (const std::uint64_t place : of_core) mapreduce::append_text(answers[c], mine_[place - first]);
    ++c;
  }
  formats::name_table fetched;  // in the order of the codes
  for (const std::vector<char>& of_core : collectives::all_to_all(answers))
    mapreduce::unpack_texts(of_core, fetched);
  found made;
  for (std::size_t next = 0; const word code : codes) {
    made.texts_.push_back(
        code & literal_mask
            ? std::string_view(of_query.texts[static_cast<std::size_t>(code & literal_mask) - 1])
            : fetched[next++]);
  }
  made.codes_ = std::move(codes);
  return made;
}

}  // namespace orujo::internal::relational
