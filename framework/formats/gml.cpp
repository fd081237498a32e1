// GML: graph [ directed 1 node [ id 1 label "a" ] edge [ source 1 target 2 weight 3 ] ]
// (Himsolt, GML: A portable Graph File Format, 1997).
#include <fmt/format.h>

#include <charconv>
#include <utility>

#include "framework/formats/document_builder.hpp"
#include "framework/formats/document_readers.hpp"
#include "framework/formats/header_reader.hpp"
#include "framework/formats/text_cursor.hpp"
#include "framework/formats/text_tokens.hpp"

namespace orujo::internal::formats {
namespace {

constexpr int deepest_list = 100;

void append_utf8(std::string& to, std::uint32_t code) {
  if (code < 0x80) {
    to += static_cast<char>(code);
  } else if (code < 0x800) {
    to += static_cast<char>(0xc0 | code >> 6);
    to += static_cast<char>(0x80 | (code & 0x3f));
  } else if (code < 0x10000) {
    to += static_cast<char>(0xe0 | code >> 12);
    to += static_cast<char>(0x80 | (code >> 6 & 0x3f));
    to += static_cast<char>(0x80 | (code & 0x3f));
  } else {
    to += static_cast<char>(0xf0 | code >> 18);
    to += static_cast<char>(0x80 | (code >> 12 & 0x3f));
    to += static_cast<char>(0x80 | (code >> 6 & 0x3f));
    to += static_cast<char>(0x80 | (code & 0x3f));
  }
}

// Replaces "&quot;", "&#228;" and the like. Other text stays as it is.
std::string without_entities(const std::string& text) {
  constexpr std::pair<std::string_view, char> names[] = {
      {"&quot;", '"'}, {"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&apos;", '\''}};
  constexpr std::uint32_t most_code = 0x10ffff;
  std::string plain;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view rest = std::string_view(text).substr(at);
    const auto named =
        std::ranges::find_if(names, [&](const auto& entity) { return rest.starts_with(entity.first); });
    std::uint32_t code = 0;
    const auto numbered = rest.starts_with("&#")
                              ? std::from_chars(rest.data() + 2, rest.data() + rest.size(), code)
                              : std::from_chars_result{rest.data(), std::errc::invalid_argument};
    if (named != std::end(names)) {
      plain += named->second;
      at += named->first.size();
    } else if (numbered.ec == std::errc() && numbered.ptr != rest.data() + rest.size() &&
               *numbered.ptr == ';' && code <= most_code) {
      append_utf8(plain, code);
      at += static_cast<std::size_t>(numbered.ptr - rest.data()) + 1;
    } else {
      plain += text[at++];
    }
  }
  return plain;
}

class gml_reader {
 public:
  gml_reader(byte_source& source, document_builder& builder) : cursor_(source), builder_(builder) {}

  status read() {
    while (!done_) {
      if (status wrong = step(); !wrong.ok()) return cursor_.failure().ok() ? wrong : cursor_.failure();
    }
    if (!cursor_.failure().ok()) return cursor_.failure();
    if (graphs_ == 0) return builder_.bad({1, 1}, "no graph; expected 'graph ['");
    if (!directed_) builder_.set_undirected();
    return {};
  }

 private:
  enum class list { top, graph, node, edge, other };

  list here() const { return open_.empty() ? list::top : open_.back().kind; }

  // Reads a key and its value, or the end of a list.
  status step() {
    skip_to_token();
    const text_place at = cursor_.place();
    const int c = cursor_.peek();
    if (c == text_cursor::end) {
      done_ = true;
      return open_.empty() ? status() : builder_.bad(at, "the end, inside of a list; expected ']'");
    }
    if (c == ']') {
      cursor_.get();
      return close(at);
    }
    const std::string key = lower(cursor_.word("[]\"#"));
    if (key.empty() || key.size() > longest_text_bytes) return builder_.bad(at, "no key; expected a word");
    skip_to_token();
    if (cursor_.peek() != '[') return read_value(key);
    cursor_.get();
    return open(key, at);
  }

  void skip_to_token() {
    cursor_.skip_blanks(true);
    while (cursor_.peek() == '#') {
      cursor_.skip_line();
      cursor_.skip_blanks(true);
    }
  }

  status open(const std::string& key, text_place at) {
    if (static_cast<int>(open_.size()) == deepest_list)
      return builder_.bad(at, fmt::format("lists in more than {} others", deepest_list));
    list kind = list::other;
    if (here() == list::top && key == "graph") {
      kind = list::graph;
      if (++graphs_ > 1) return builder_.bad(at, "a second graph; expected one");
    } else if (here() == list::graph && (key == "node" || key == "edge")) {
      kind = key == "node" ? list::node : list::edge;
      id_.reset(), label_.reset(), source_.reset(), target_.reset(), weight_.reset();
    } else if (here() == list::node && key == "graph") {
      return builder_.bad(at, "a graph in a node; expected one without nested graphs");
    }
    open_.push_back({kind, at});
    return {};
  }

  status close(text_place at) {
    if (open_.empty()) return builder_.bad(at, "']' without '['");
    const auto [kind, begin] = open_.back();
    open_.pop_back();
    if (kind == list::node) {
      if (!id_) return builder_.bad(begin, "a node without id; expected 'node [ id .. ]'");
      return builder_.add_labelled_node(*id_, label_, begin);
    }
    if (kind != list::edge) return {};
    if (!source_ || !target_)
      return builder_.bad(begin, "an edge without its ends; expected 'edge [ source .. target .. ]'");
    return builder_.add_edge(*source_, *target_, begin, false, weight_);
  }

  status read_value(const std::string& key) {
    const text_place at = cursor_.place();
    std::string value;
    if (cursor_.peek() == '"') {
      cursor_.get();
      while (cursor_.peek() != '"' && cursor_.peek() != text_cursor::end &&
             value.size() <= longest_text_bytes)
        value += static_cast<char>(cursor_.get());
      if (cursor_.peek() != '"') return builder_.bad(at, "a text that does not end, or not within a MiB");
      cursor_.get();
      value = without_entities(value);
    } else {
      value = cursor_.word("[]\"");
      if (value.empty() || value.size() > longest_text_bytes)
        return builder_.bad(at,
                            fmt::format("nothing after {}; expected a number, a text or a list", shown(key)));
    }
    return take_value(key, std::move(value), at);
  }

  status take_value(const std::string& key, std::string value, text_place at) {
    if (here() == list::graph && key == "directed") {
      if (value != "0" && value != "1") return builder_.bad(at, "directed neither 0 nor 1");
      directed_ = value == "1";
    }
    std::optional<std::string>* to = nullptr;
    if (here() == list::node) to = key == "id" ? &id_ : key == "label" ? &label_ : nullptr;
    if (here() == list::edge)
      to = key == "source"           ? &source_
           : key == "target"         ? &target_
           : builder_.is_weight(key) ? &weight_
                                     : nullptr;
    if (to == nullptr) return {};
    if (*to) return builder_.bad(at, fmt::format("{} once more; expected it once", shown(key)));
    *to = std::move(value);
    return {};
  }

  text_cursor cursor_;
  document_builder& builder_;
  struct open_list {
    list kind;
    text_place begin;
  };
  std::vector<open_list> open_;
  std::optional<std::string> id_, label_, source_, target_, weight_;
  int graphs_ = 0;
  bool directed_ = false, done_ = false;
};

}  // namespace

result<document> read_gml(byte_source& source, const document_request& wanted, std::uint64_t most_bytes) {
  document_builder builder(source.path(), wanted, document_builder::nodes::declared, most_bytes);
  if (status failed = gml_reader(source, builder).read(); !failed.ok()) return failed;
  return builder.finish(file_format::gml);
}

}  // namespace orujo::internal::formats
