// The first lines of the Koblenz network collection's files.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>

#include "framework/formats/table_header.hpp"
#include "system/base/numbers.hpp"

namespace orujo::internal::formats {
namespace {

constexpr std::array konect_kinds = {std::string_view("sym"), std::string_view("asym"),
                                     std::string_view("bip")};
constexpr std::string_view konect_weights[] = {"signed",      "posweighted",   "weighted",
                                               "multisigned", "multiweighted", "multiposweighted",
                                               "positive",    "unweighted",    "dynamic"};
constexpr std::string_view without_weight[] = {"unweighted", "dynamic"};

}  // namespace

bool is_konect_header(std::string_view line) {
  const auto words = words_of(line);
  if (words.size() < 2 || words.size() > 3 || words[0].text != "%" ||
      std::ranges::find(konect_kinds, words[1].text) == konect_kinds.end())
    return false;
  // A line of two words passes here: read_konect_header() reports what is missing.
  return words.size() == 2 || std::ranges::find(konect_weights, words[2].text) != std::end(konect_weights);
}

// '% sym|asym|bip KIND', then maybe '% EDGES SOURCES TARGETS'; rows are 'source target [weight [time]]'.
// (Kunegis: "KONECT: the Koblenz network collection", handbook, section 9.)
result<text_layout> read_konect_header(header_reader& header, const text_request& wanted) {
  text_layout layout;
  layout.format = text_format::konect;
  if (!is_konect_header(header.line()) || header.words().size() == 2)
    return header.bad(
        1, "not a header of KONECT; expected '% sym', '% asym' or '% bip' and what weights there are");
  const std::string_view kind = header.words()[1].text, weights = header.words()[2].text;
  if (weights == "dynamic")
    return header.bad_word(2, "edges that exist at some times only; expected a file of one time");
  layout.mirrored = kind == "sym";
  bool counted = false;
  while (header.next() && is_passed_over(header)) {
    const auto& words = header.words();
    if (counted || words.size() < 4 || words[0].text != "%") continue;
    std::uint64_t counts[3];
    for (std::size_t k = 0; k < 3; ++k)
      counts[k] = base::number_of<std::uint64_t>(words[k + 1].text).value_or(0);
    counted = counts[0] > 0 && counts[1] > 0 && counts[2] > 0;
    if (!counted) continue;
    layout.table.most_source = counts[1];
    layout.table.most_target = counts[2];
  }
  if (is_passed_over(header)) return header.bad(1, "no edge in the first MiB; expected 'source target'");
  if (kind == "bip") {
    if (!counted)
      return header.bad(
          1,
          "a bipartite graph whose sources and targets have the same ids, without the line '% EDGES SOURCES "
          "TARGETS'; expected it after the first, or --format=csv if the ids are of one set");
    layout.table.target_shift = layout.table.most_source;
  } else {
    layout.bipartite = wanted.table.bipartite.value_or(false);
  }
  // network-repository has commas.
  const auto commas = std::ranges::count(header.line(), ',');
  layout.table.separator = commas > 0 ? ',' : ' ';
  const bool third = (commas > 0 ? commas > 1 : header.words().size() > 2) &&
                     std::ranges::find(without_weight, weights) == std::end(without_weight);
  if (third) layout.table.weight = 2;
  layout.columns = third ? 3 : 2;
  header.set_body_here(layout);
  return layout;
}

}  // namespace orujo::internal::formats
