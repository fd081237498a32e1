// Pajek's networks: '*Vertices N', lines with a number and a label, then lists of edges after '*Arcs',
// '*Edges', '*Arcslist' and '*Edgeslist' (pajek.imfm.si).
#include <fmt/format.h>

#include <utility>

#include "framework/formats/document_builder.hpp"
#include "framework/formats/document_readers.hpp"
#include "framework/formats/header_reader.hpp"
#include "framework/formats/text_cursor.hpp"
#include "framework/formats/text_tokens.hpp"
#include "system/base/numbers.hpp"

namespace orujo::internal::formats {
namespace {

constexpr std::uint64_t most_pajek_vertices = std::uint64_t{1} << 40;

class pajek_reader {
 public:
  pajek_reader(byte_source& source, document_builder& builder) : cursor_(source), builder_(builder) {}

  status read() {
    status wrong;
    while (wrong.ok() && cursor_.peek() != text_cursor::end) wrong = read_line();
    if (!cursor_.failure().ok()) return cursor_.failure();
    if (wrong.ok() && !vertices_)
      wrong = builder_.bad({1, 1}, "no '*Vertices N'; expected it before the edges");
    return wrong;
  }

 private:
  enum class part { none, vertices, pairs, rows };

  status read_line() {
    cursor_.skip_blanks(false);
    const int c = cursor_.peek();
    const text_place at = cursor_.place();
    status wrong;
    if (c == '*') {
      wrong = open_part(at);
    } else if (c != '%' && c != '\n' && c != text_cursor::end) {
      wrong = part_ == part::vertices ? read_vertex(at)
              : part_ == part::none   ? builder_.bad(at, "a line before '*Vertices'; expected that first")
                                      : read_edges(at);
    }
    cursor_.skip_line();  // with the rest, which is not read
    return wrong;
  }

  status open_part(text_place at) {
    const std::string word = lower(cursor_.word());
    if (word == "*network") return {};
    if (word == "*vertices") return open_vertices(at);
    const bool arcs = word == "*arcs" || word == "*arcslist";
    if (!arcs && word != "*edges" && word != "*edgeslist")
      return builder_.bad(at,
                          fmt::format("{}, which is not read; expected *Vertices, *Arcs, *Edges, *Arcslist "
                                      "or *Edgeslist",
                                      shown(word)));
    if (!vertices_) return builder_.bad(at, "edges before '*Vertices N'; expected that first");
    cursor_.skip_blanks(false);
    if (cursor_.peek() == ':') {
      const std::string relation = cursor_.word();
      if (!relation_.empty() && relation != relation_)
        return builder_.bad(at, "a second relation; expected the edges of one");
      relation_ = relation;
    }
    part_ = word.ends_with("list") ? part::rows : part::pairs;
    both_ = !arcs;
    return {};
  }

  status open_vertices(text_place at) {
    if (vertices_) return builder_.bad(at, "a second network; expected one");
    cursor_.skip_blanks(false);
    vertices_ = base::number_of<std::uint64_t>(cursor_.word());
    if (!vertices_ || *vertices_ > most_pajek_vertices)
      return builder_.bad(at, "no number of vertices; expected '*Vertices N'");
    builder_.set_numbers(*vertices_, 1);
    part_ = part::vertices;
    return {};
  }

  // Nothing at the end of the line.
  std::string next_word() {
    cursor_.skip_blanks(false);
    return cursor_.word();
  }

  // Counts from 0.
  result<std::uint64_t> vertex_of(const std::string& word, text_place at) const {
    const auto number = base::number_of<std::uint64_t>(word);
    if (number && *number >= 1 && *number <= *vertices_) return *number - 1;
    return builder_.bad(
        at, fmt::format("{} is not a vertex; expected a number from 1 to {}", shown(word), *vertices_));
  }

  status read_vertex(text_place at) {
    const auto vertex = vertex_of(next_word(), at);
    if (!vertex.ok() || !builder_.wants_labels()) return vertex.status();
    if (vertex.value() != labels_++)
      return builder_.bad(at,
                          "vertices in another order than 1, 2, 3 ..; remove --names to use their numbers");
    cursor_.skip_blanks(false);
    const text_place label_at = cursor_.place();
    std::string label;
    if (cursor_.peek() == '"') {
      cursor_.get();
      while (cursor_.peek() != '"' && cursor_.peek() != '\n' && cursor_.peek() != text_cursor::end &&
             label.size() <= longest_text_bytes)
        label += static_cast<char>(cursor_.get());
      if (cursor_.peek() != '"')
        return builder_.bad(label_at, "a label in quotes that does not end in its line");
      cursor_.get();
    } else {
      label = cursor_.word();
    }
    return builder_.add_label(vertex.value(), label, label_at);
  }

  // 'source target [weight]', or 'source target ..'
  status read_edges(text_place at) {
    const auto source = vertex_of(next_word(), at);
    if (!source.ok()) return source.status();
    for (int k = 0;; ++k) {
      cursor_.skip_blanks(false);
      const text_place target_at = cursor_.place();
      const std::string word = cursor_.word();
      if (word.empty() && k > 0) return {};
      const auto target = vertex_of(word, target_at);
      if (!target.ok()) return target.status();
      const edge e{source.value(), target.value()};
      if (part_ == part::rows) {
        if (status wrong = builder_.add_numbered_edge(e, target_at, both_); !wrong.ok()) return wrong;
        continue;
      }
      cursor_.skip_blanks(false);
      const text_place weight_at = cursor_.place();
      const std::string weight = cursor_.word();
      if (weight.starts_with('['))
        return builder_.bad(weight_at,
                            "an edge that exists at some times only; expected a network of one time");
      // After the weight, or without one, there may be words about how an edge is drawn.
      double number = 0;
      const bool is_weight = weight.find_first_of("0123456789+-.") == 0 ||
                             parse_number(weight, number) != std::errc::invalid_argument;
      return builder_.add_numbered_edge(e, is_weight ? weight_at : target_at, both_,
                                        is_weight ? std::optional(weight) : std::nullopt);
    }
  }

  text_cursor cursor_;
  document_builder& builder_;
  part part_ = part::none;
  std::optional<std::uint64_t> vertices_;
  std::uint64_t labels_ = 0;
  std::string relation_;
  bool both_ = false;
};

}  // namespace

result<document> read_pajek(byte_source& source, const document_request& wanted, std::uint64_t most_bytes) {
  document_builder builder(source.path(), wanted, document_builder::nodes::implied, most_bytes);
  builder.set_missing_weight(1);
  if (status failed = pajek_reader(source, builder).read(); !failed.ok()) return failed;
  return builder.finish(file_format::pajek);
}

}  // namespace orujo::internal::formats
