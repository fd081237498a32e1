#include "framework/formats/text_layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "framework/formats/file_format.hpp"

namespace orujo::formats {
namespace {

constexpr std::string_view between_words = " \t\r";
constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
constexpr std::string_view matrix_market_banner = "%%matrixmarket";
constexpr std::uint64_t most_vertex_weights = 1024;
constexpr std::uint64_t most_vertices_of_file = std::uint64_t{1} << 40;

struct word {
  std::string_view text;
  std::size_t column;  // from 1
};

std::vector<word> words_of(std::string_view line) {
  std::vector<word> words;
  for (std::size_t end = 0;;) {
    const std::size_t start = line.find_first_not_of(between_words, end);
    if (start == line.npos) return words;
    end = std::min(line.find_first_of(between_words, start), line.size());
    words.push_back({line.substr(start, end - start), start + 1});
  }
}

std::string lower(std::string_view text) {
  std::string copy(text);
  for (char& c : copy) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return copy;
}

std::optional<std::uint64_t> whole_number(std::string_view text) {
  std::uint64_t number = 0;
  const auto [past, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || past != text.data() + text.size()) return {};
  return number;
}

// Goes through the lines of a header.
class header_reader {
 public:
  header_reader(std::string_view head, std::string_view path) : head_(head), path_(path) {}

  // The next line; false at the end of the head.
  bool next() {
    at_ = past_;
    if (at_ >= head_.size()) return false;
    const std::size_t end = head_.find('\n', at_);
    line_ = head_.substr(at_, end - at_);
    if (at_ == 0 && line_.starts_with(byte_order_mark)) line_.remove_prefix(byte_order_mark.size());
    past_ = end == head_.npos ? head_.size() : end + 1;
    ++number_;
    words_ = words_of(line_);
    return true;
  }
  std::string_view line() const { return line_; }
  const std::vector<word>& words() const { return words_; }

  void set_body_behind(text_layout& layout) const {
    layout.body = past_;
    layout.lines_before = number_ - (head_[past_ - 1] == '\n' ? 0 : 1);
  }

  status bad(std::size_t column, std::string_view what) const {
    return {exit_status::bad_data, fmt::format("{}:{}:{}: {}", path_, number_, column, what)};
  }
  // Of the line; of word k, or of its end where it has fewer.
  status bad_word(std::size_t k, std::string_view what) const {
    return bad(k < words_.size() ? words_[k].column : line_.size() + 1, what);
  }

 private:
  std::string_view head_, path_, line_;
  std::vector<word> words_;
  std::size_t at_ = 0, past_ = 0;
  std::uint64_t number_ = 0;
};

// "39 39 170", the numbers from word `first` on; returns what is wrong, if anything.
status read_counts(const header_reader& header, std::size_t first, std::span<std::uint64_t> counts,
                   std::string_view expected) {
  for (std::size_t k = 0; k < counts.size(); ++k) {
    const auto number = first + k < header.words().size() ? whole_number(header.words()[first + k].text)
                                                          : std::optional<std::uint64_t>();
    if (!number) return header.bad_word(first + k, fmt::format("no whole number; {}", expected));
    counts[k] = *number;
  }
  if (header.words().size() > first + counts.size())
    return header.bad_word(first + counts.size(), fmt::format("more than that; {}", expected));
  return {};
}

status set_vertices(const header_reader& header, std::size_t at, std::uint64_t vertices,
                    text_layout& layout) {
  if (vertices > most_vertices_of_file)
    return header.bad_word(at, fmt::format("{} vertices; at most {}", vertices, most_vertices_of_file));
  layout.vertices = vertices;
  layout.least_id = 1;
  layout.most_id = vertices;
  return {};
}

// %%MatrixMarket matrix coordinate real|integer|pattern general|symmetric|skew-symmetric, comments, then the
// sizes.
result<text_layout> read_matrix_market(header_reader& header) {
  constexpr std::string_view expected_banner =
      "expected '%%MatrixMarket matrix coordinate', then real, integer or pattern, then general, symmetric "
      "or "
      "skew-symmetric";
  text_layout layout;
  layout.format = text_format::matrix_market;
  std::string words[5];
  for (std::size_t k = 0; k < 5; ++k) {
    if (k >= header.words().size())
      return header.bad_word(k, fmt::format("an end too soon; {}", expected_banner));
    words[k] = lower(header.words()[k].text);
  }
  const auto refuse = [&](std::size_t k) {
    return header.bad_word(k, fmt::format("'{}' makes no graph; {}", words[k], expected_banner));
  };
  if (words[1] != "matrix") return refuse(1);
  if (words[2] != "coordinate") return refuse(2);
  if (words[3] == "pattern") {
    layout.columns = 2;
  } else if (words[3] == "real" || words[3] == "integer") {
    layout.columns = 3;
  } else {
    return refuse(3);
  }
  layout.negated = words[4] == "skew-symmetric";
  layout.mirrored = layout.negated || words[4] == "symmetric";
  if (!layout.mirrored && words[4] != "general") return refuse(4);

  constexpr std::string_view expected_sizes = "expected 'rows columns entries'";
  do {
    if (!header.next())
      return header.bad(1, fmt::format("no size line in the first MiB; {}", expected_sizes));
  } while (header.words().empty() || header.line().starts_with('%'));
  std::uint64_t sizes[3];
  if (status wrong = read_counts(header, 0, sizes, expected_sizes); !wrong.ok()) return wrong;
  if (sizes[0] != sizes[1]) {
    return header.bad_word(
        1, fmt::format("{} rows and {} columns; a graph's matrix has as many of both", sizes[0], sizes[1]));
  }
  if (status wrong = set_vertices(header, 0, sizes[0], layout); !wrong.ok()) return wrong;
  layout.entries = sizes[2];
  header.set_body_behind(layout);
  return layout;
}

// Comments, 'c ...', then 'p sp VERTICES ARCS' or 'p edge VERTICES EDGES'.
result<text_layout> read_dimacs(header_reader& header) {
  constexpr std::string_view expected_problem = "expected 'p sp VERTICES ARCS' or 'p edge VERTICES EDGES'";
  text_layout layout;
  layout.format = text_format::dimacs;
  while (header.words().empty() || header.words()[0].text == "c" || header.line().starts_with("c")) {
    if (!header.next())
      return header.bad(1, fmt::format("no problem line in the first MiB; {}", expected_problem));
  }
  if (header.words()[0].text != "p")
    return header.bad_word(0, fmt::format("no problem line; {}", expected_problem));
  const std::string_view kind = header.words().size() > 1 ? header.words()[1].text : std::string_view();
  if (kind == "sp") {
    layout.letter = 'a';
    layout.columns = 3;
  } else if (kind == "edge" || kind == "col") {
    layout.letter = 'e';
    layout.columns = 2;
  } else {
    return header.bad_word(1, fmt::format("no kind of problem that is known; {}", expected_problem));
  }
  std::uint64_t sizes[2];
  if (status wrong = read_counts(header, 2, sizes, expected_problem); !wrong.ok()) return wrong;
  if (status wrong = set_vertices(header, 2, sizes[0], layout); !wrong.ok()) return wrong;
  layout.entries = sizes[1];
  header.set_body_behind(layout);
  return layout;
}

// VERTICES EDGES [FLAGS [WEIGHTS_PER_VERTEX]] behind comments; the three digits of FLAGS say whether vertices
// have a size, vertices have weights, and edges have weights.
result<text_layout> read_metis(header_reader& header) {
  constexpr std::string_view expected_header =
      "expected 'VERTICES EDGES', then maybe three digits 0 or 1 and the number of weights of a vertex";
  text_layout layout;
  layout.format = text_format::metis;
  while (header.words().empty() || header.words()[0].text.starts_with('%')) {
    if (!header.next())
      return header.bad(1, fmt::format("no size line in the first MiB; {}", expected_header));
  }
  std::uint64_t numbers[4] = {0, 0, 0, 1};
  const std::size_t given = std::clamp<std::size_t>(header.words().size(), 2, 4);
  if (status wrong = read_counts(header, 0, std::span(numbers).first(given), expected_header); !wrong.ok())
    return wrong;
  const auto [vertices, edges, flags, weights] = numbers;
  if (flags % 10 > 1 || flags / 10 % 10 > 1 || flags / 100 > 1)
    return header.bad_word(2, fmt::format("no three digits 0 or 1; {}", expected_header));
  if (weights > most_vertex_weights)
    return header.bad_word(3, fmt::format("more than {} weights; {}", most_vertex_weights, expected_header));
  if (edges > std::numeric_limits<std::uint64_t>::max() / 2)
    return header.bad_word(1, fmt::format("too many edges; {}", expected_header));
  if (status wrong = set_vertices(header, 0, vertices, layout); !wrong.ok()) return wrong;
  layout.columns = flags % 10 == 1 ? 3 : 2;
  layout.skipped_columns = static_cast<std::uint32_t>(flags / 100 + (flags / 10 % 10 == 1 ? weights : 0));
  layout.entries = 2 * edges;
  header.set_body_behind(layout);
  return layout;
}

// What is recognised and cannot be read: a clear word is better than a complaint about the first byte.
status refuse_others(std::string_view head, std::string_view path) {
  const auto refuse = [&](std::string_view what) {
    return status(exit_status::bad_data, fmt::format("{}: {}", path, what));
  };
  using namespace std::string_view_literals;
  for (const std::string_view version : {"\1\0\0\0\0\0\0\0"sv, "\2\0\0\0\0\0\0\0"sv}) {
    if (head.starts_with(version))
      return refuse("this looks like Galois' binary .gr; write an edge list: graph-convert -gr2edgelist");
  }
  if (head.starts_with("AdjacencyGraph") || head.starts_with("WeightedAdjacencyGraph"))
    return refuse(
        "this is an adjacency graph, as Ligra has them; leave --format away, and name a compressed one "
        ".adj.gz");
  return {};
}

text_format recognise(const header_reader& header, std::string_view path) {
  if (lower(header.line().substr(0, matrix_market_banner.size())) == matrix_market_banner)
    return text_format::matrix_market;
  if (!header.words().empty() && (header.words()[0].text == "c" || header.words()[0].text == "p"))
    return text_format::dimacs;
  for (const std::string_view compressed : {".gz", ".zst"}) {
    if (path.ends_with(compressed)) path.remove_suffix(compressed.size());
  }
  return path.ends_with(".graph") || path.ends_with(".metis") ? text_format::metis : text_format::edge_list;
}

}  // namespace

std::string expected_line(const text_layout& layout) {
  switch (layout.format) {
    case text_format::edge_list:
      return "expected 'source target' or 'source target weight'";
    case text_format::matrix_market:
      return layout.columns == 2 ? "expected 'row column'" : "expected 'row column value'";
    case text_format::dimacs:
      return layout.columns == 2 ? "expected 'e source target'" : "expected 'a source target weight'";
    case text_format::metis:
      break;
  }
  return fmt::format(
      "expected {}{}neighbours{}", layout.skipped_columns,
      layout.skipped_columns == 1 ? " weight of the vertex, then " : " weights of the vertex, then ",
      layout.columns == 2 ? "" : ", each with a weight");
}

result<text_layout> read_layout(std::string_view head, std::string_view path, const text_request& wanted) {
  if (status refused = refuse_others(head, path); !refused.ok()) return refused;
  header_reader header(head, path);
  text_layout edge_list;
  edge_list.named = wanted.named;
  if (!header.next()) return edge_list;
  const text_format format = wanted.format ? *wanted.format : recognise(header, path);
  if (wanted.named && format != text_format::edge_list)
    return no_names(path, static_cast<file_format>(format));
  switch (format) {
    case text_format::edge_list:
      break;
    case text_format::matrix_market:
      return read_matrix_market(header);
    case text_format::dimacs:
      return read_dimacs(header);
    case text_format::metis:
      return read_metis(header);
  }
  return edge_list;
}

}  // namespace orujo::formats
