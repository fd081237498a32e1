// DOT, of Graphviz: digraph { a -> b -> c [weight=2]; d }, and graph { a -- b }
// (graphviz.org/doc/info/lang.html).
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "framework/formats/document_builder.hpp"
#include "framework/formats/document_readers.hpp"
#include "framework/formats/header_reader.hpp"
#include "framework/formats/text_cursor.hpp"
#include "framework/formats/text_tokens.hpp"

namespace orujo::internal::formats {
namespace {

constexpr int deepest_subgraph = 100;
constexpr std::size_t longest_path = std::size_t{1} << 20;  // of 'a -> b -> ..'

class dot_reader {
 public:
  dot_reader(byte_source& source, document_builder& builder) : cursor_(source), builder_(builder) {}

  status read() {
    const status wrong = read_graph();
    return cursor_.failure().ok() ? wrong : cursor_.failure();
  }
  bool is_strict() const { return strict_; }

 private:
  // A token: an id, in quotes or not, an edge "->" or "--", one other byte, or nothing at the end.
  struct token {
    enum class kind { end, id, arrow, line, other } what = kind::end;
    std::string text;
    bool quoted = false;
    text_place at;

    bool is(char c) const { return what == kind::other && text[0] == c; }
    bool is_word(std::string_view word) const { return what == kind::id && !quoted && lower(text) == word; }
    bool is_edge() const { return what == kind::arrow || what == kind::line; }
  };
  using kind = token::kind;

  status bad(const token& at, std::string_view what) const {
    if (at.what == kind::end) return builder_.bad(at.at, fmt::format("the end; {}", what));
    return builder_.bad(at.at, fmt::format("{}; {}", shown(at.text), what));
  }

  status skip_to_token() {
    for (;;) {
      cursor_.skip_blanks(true);
      const text_place at = cursor_.place();
      if (cursor_.peek() == '#' && at.column == 1) {
        cursor_.skip_line();
        continue;
      }
      if (cursor_.peek() != '/') return {};
      cursor_.get();
      const int c = cursor_.get();
      if (c == '/') {
        cursor_.skip_line();
      } else if (c == '*') {
        for (int last = 0, next = cursor_.get();; last = next, next = cursor_.get()) {
          if (next == text_cursor::end) return builder_.bad(at, "a comment that does not end; expected '*/'");
          if (last == '*' && next == '/') break;
        }
      } else {
        return builder_.bad(at, "'/'; expected a comment after it");
      }
    }
  }

  static bool is_id_byte(int c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           c == '.' || c >= 0x80;
  }

  status next(token& t) {
    if (status wrong = skip_to_token(); !wrong.ok()) return wrong;
    t = {};
    t.at = cursor_.place();
    int c = cursor_.peek();
    if (c == text_cursor::end) return {};
    if (c == '"') return next_quoted(t);
    if (c == '<') return next_html(t);
    t.text = static_cast<char>(cursor_.get());
    if (c == '-' && (cursor_.peek() == '-' || cursor_.peek() == '>')) {
      c = cursor_.get();
      t.text += static_cast<char>(c);
      t.what = c == '>' ? kind::arrow : kind::line;
      return {};
    }
    t.what = is_id_byte(c) || c == '-' ? kind::id : kind::other;
    while (t.what == kind::id && is_id_byte(cursor_.peek()) && t.text.size() <= longest_text_bytes)
      t.text += static_cast<char>(cursor_.get());
    if (t.text == "-") return builder_.bad(t.at, "'-'; expected a number after it, or '->' or '--'");
    return t.text.size() > longest_text_bytes ? builder_.bad(t.at, "an id of more than a MiB") : status();
  }

  status next_quoted(token& t) {
    t.what = kind::id;
    t.quoted = true;
    cursor_.get();
    while (cursor_.peek() != '"') {
      int c = cursor_.get();
      if (c == text_cursor::end || t.text.size() > longest_text_bytes)
        return builder_.bad(t.at, "a text that does not end, or not within a MiB");
      if (c == '\\' && (cursor_.peek() == '"' || cursor_.peek() == '\n')) {
        c = cursor_.get();
        if (c == '\n') continue;  // the line goes on
      }
      t.text += static_cast<char>(c);
    }
    cursor_.get();
    return {};
  }

  status next_html(token& t) {
    t.what = kind::id;
    t.quoted = true;
    int depth = 0;
    do {
      const int c = cursor_.get();
      if (c == text_cursor::end || t.text.size() > longest_text_bytes)
        return builder_.bad(t.at, "a text that does not end, or not within a MiB");
      depth += c == '<' ? 1 : c == '>' ? -1 : 0;
      t.text += static_cast<char>(c);
    } while (depth > 0);
    return {};
  }

  status read_graph() {
    token t;
    if (status wrong = next(t); !wrong.ok()) return wrong;
    strict_ = t.is_word("strict");
    if (strict_) {
      if (status wrong = next(t); !wrong.ok()) return wrong;
    }
    directed_ = t.is_word("digraph");
    if (!directed_ && !t.is_word("graph")) return bad(t, "expected 'graph' or 'digraph'");
    if (status wrong = next(t); !wrong.ok()) return wrong;
    if (t.what == kind::id) {
      if (status wrong = next(t); !wrong.ok()) return wrong;
    }
    if (!t.is('{')) return bad(t, "expected '{'");
    if (status wrong = read_statements(); !wrong.ok()) return wrong;
    if (status wrong = next(t); !wrong.ok()) return wrong;
    return t.what == kind::end ? status() : bad(t, "expected nothing after one graph");
  }

  // Reads up to the '}' of the graph.
  status read_statements() {
    token t;
    status wrong = next(t);
    for (int depth = 1; wrong.ok();) {
      if (t.what == kind::end) return bad(t, "expected '}'");
      if (t.is('}')) {
        if (--depth == 0) return {};
        wrong = next(t);
        if (wrong.ok() && t.is_edge()) return bad(t, "expected edges between nodes, none of subgraphs");
      } else if (t.is(';') || t.is(',')) {
        wrong = next(t);
      } else if (t.is('{')) {
        if (++depth > deepest_subgraph)
          return bad(t, fmt::format("subgraphs in more than {} others", deepest_subgraph));
        wrong = next(t);
      } else if (t.is_word("subgraph")) {
        wrong = next(t);
        if (wrong.ok() && t.what == kind::id) wrong = next(t);
        if (wrong.ok() && !t.is('{')) return bad(t, "expected '{'");
      } else if (t.is_word("graph") || t.is_word("node") || t.is_word("edge")) {
        const bool of_edges = t.is_word("edge");
        weight_.reset();
        wrong = next(t);
        if (wrong.ok() && !t.is('[')) return bad(t, "expected '['");
        if (wrong.ok()) wrong = read_attributes(t);
        if (wrong.ok() && of_edges && weight_)
          return bad(t, "expected no weight before, for edges that follow");
      } else {
        wrong = read_path(t);
      }
    }
    return wrong;
  }

  // Reads a statement: a, or a = b, or a -> b -> .. [attributes]. Leaves the token after it.
  status read_path(token& t) {
    std::vector<std::string> ids;
    const text_place at = t.at;
    for (std::size_t bytes = 0;;) {
      if (t.is('{') || t.is_word("subgraph"))
        return bad(t, "expected edges between nodes, none of subgraphs");
      if (t.what != kind::id) return bad(t, "expected the id of a node");
      if (t.quoted && t.text.starts_with('<')) return bad(t, "expected an id that is not HTML");
      ids.push_back(t.text);
      bytes += t.text.size() + sizeof(std::string);
      if (bytes > longest_path) return bad(t, "expected shorter rows of edges");
      if (status wrong = next_behind_port(t); !wrong.ok()) return wrong;
      if (!t.is_edge()) break;
      if ((t.what == kind::arrow) != directed_)
        return bad(t, directed_ ? "expected '->' in a digraph" : "expected '--' in a graph");
      if (status wrong = next(t); !wrong.ok()) return wrong;
    }
    if (ids.size() == 1 && t.is('=')) {
      if (status wrong = next(t); !wrong.ok()) return wrong;
      return t.what == kind::id ? next(t) : bad(t, "expected a value");
    }
    weight_.reset();
    while (t.is('[')) {
      if (status wrong = read_attributes(t); !wrong.ok()) return wrong;
    }
    if (ids.size() == 1) return builder_.add_node(ids[0], at);
    for (std::size_t k = 0; k + 1 < ids.size(); ++k) {
      if (status wrong = builder_.add_edge(ids[k], ids[k + 1], at, !directed_, weight_); !wrong.ok())
        return wrong;
    }
    return {};
  }

  // The token after an id and its ':port:compass', if there is one.
  status next_behind_port(token& t) {
    status wrong = next(t);
    while (wrong.ok() && t.is(':')) {
      wrong = next(t);
      if (wrong.ok() && t.what != kind::id) return bad(t, "expected a port");
      if (wrong.ok()) wrong = next(t);
    }
    return wrong;
  }

  // Called after '['. Leaves the token after ']', and the weight that is among the attributes.
  status read_attributes(token& t) {
    status wrong = next(t);
    while (wrong.ok() && !t.is(']')) {
      if (t.is(',') || t.is(';')) {
        wrong = next(t);
        continue;
      }
      if (t.what != kind::id) return bad(t, "expected 'name=value' or ']'");
      const std::string name = t.text;
      wrong = next(t);
      if (!wrong.ok() || !t.is('=')) continue;
      wrong = next(t);
      if (wrong.ok() && t.what != kind::id) return bad(t, "expected a value");
      if (builder_.is_weight(name)) weight_ = t.text;
      if (wrong.ok()) wrong = next(t);
    }
    return wrong.ok() ? next(t) : wrong;
  }

  text_cursor cursor_;
  document_builder& builder_;
  std::optional<std::string> weight_;
  bool strict_ = false, directed_ = false;
};

// In a strict graph a repeated edge is the same edge, and its later attributes replace the earlier ones.
status check_strict(const document& made, std::string_view path) {
  std::vector<edge> sorted = made.list.edges;
  std::ranges::sort(sorted);
  if (std::ranges::adjacent_find(sorted) == sorted.end()) return {};
  return {
      exit_status::bad_data,
      fmt::format(
          "{}: a strict graph has an edge twice; remove 'strict', and pass --remove_duplicates to merge them",
          path)};
}

}  // namespace

result<document> read_dot(byte_source& source, const document_request& wanted, std::uint64_t most_bytes) {
  document_builder builder(source.path(), wanted, document_builder::nodes::implied, most_bytes);
  dot_reader reader(source, builder);
  if (status failed = reader.read(); !failed.ok()) return failed;
  auto made = builder.finish(file_format::dot);
  if (!made.ok() || !reader.is_strict()) return made;
  if (status wrong = check_strict(made.value(), source.path()); !wrong.ok()) return wrong;
  return made;
}

}  // namespace orujo::internal::formats
