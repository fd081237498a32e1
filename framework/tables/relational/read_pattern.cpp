#include "framework/tables/relational/read_pattern.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string>
#include <utility>

#include "framework/formats/text_tokens.hpp"
#include "framework/tables/relational/query_tree.hpp"

namespace orujo::internal::relational {
namespace {

class pattern_reader {
 public:
  pattern_reader(std::string_view pattern, std::size_t at) : left_(pattern), at_(at) {}

  std::vector<source> read() && {
    do {
      std::string before = vertex();
      do {
        before = step(before);
      } while (!left_.empty() && left_.front() != ',');
    } while (takes(","));
    if (!left_.empty()) unexpected("',' or the end");
    return std::move(made_);
  }

 private:
  // An edge and the vertex after it, which is returned.
  std::string step(const std::string& before) {
    const bool reversed = takes("<-[");
    if (!reversed && !takes("-[")) unexpected("an edge, -[table]-> or <-[table]-");
    source edge{.table = word(), .at = at_};
    if (takes(":")) {
      edge.alias = std::exchange(edge.table, word());
      if (edge.alias.empty() || edge.table.empty()) unexpected("a name and a table, as in [name:table]");
    }
    if (edge.table.empty()) edge.table = "edges";
    if (edge.alias.empty()) edge.alias = fmt::format("edge {} of the pattern", made_.size() + 1);
    if (!takes(reversed ? "]-" : "]->")) unexpected(reversed ? "]-" : "]->");
    std::string after = vertex();
    if (before == after)
      refuse(at_,
             fmt::format("an edge from '{}' to itself in a pattern; write {} AS t WHERE t.source = t.target, "
                         "with the names of its columns",
                         before, edge.table));
    edge.columns = reversed ? std::vector{after, before} : std::vector{before, after};
    join(edge);
    made_.push_back(std::move(edge));
    return after;
  }

  // On those of its vertices that occur in edges before it.
  void join(source& edge) {
    for (const std::string& name : edge.columns) {
      if (std::ranges::count(known_, name) > 0) {
        edge.using_columns.push_back(name);
      } else {
        known_.push_back(name);
      }
    }
    if (!made_.empty() && edge.using_columns.empty())
      refuse(at_,
             fmt::format("the pattern falls into two at '{}'; begin the path at a vertex that occurs before, "
                         "or join two patterns",
                         edge.columns[0]));
  }

  std::string vertex() {
    if (!takes("(")) unexpected("a vertex, (name) or ()");
    std::string name = word();
    if (!takes(")")) unexpected("')'");
    return name.empty() ? fmt::format("vertex {} of the pattern", ++unnamed_) : name;
  }

  // Letters, digits and underscores; letters are small, as those of names in a query are.
  std::string word() {
    skip_blanks();
    const auto end = std::ranges::find_if_not(left_, [](char c) {
      const auto byte = static_cast<unsigned char>(c);
      return std::isalnum(byte) != 0 || c == '_' || byte >= 0x80;
    });
    const auto size = static_cast<std::size_t>(end - left_.begin());
    std::string found = in_small_letters(left_.substr(0, size));
    left_.remove_prefix(size);
    skip_blanks();
    return found;
  }

  bool takes(std::string_view text) {
    skip_blanks();
    const bool there = left_.starts_with(text);
    if (there) left_.remove_prefix(text.size());
    if (there) skip_blanks();
    return there;
  }

  void skip_blanks() { left_.remove_prefix(std::min(left_.find_first_not_of(" \t\r\n"), left_.size())); }

  [[noreturn]] void unexpected(std::string_view expected) const {
    refuse(at_, fmt::format("the pattern has {} where {} is expected; an example is "
                            "match('(a)-[follows]->(b)<-[follows]-(c)')",
                            left_.empty() ? "its end" : formats::shown(left_.substr(0, 20)), expected));
  }

  std::string_view left_;
  const std::size_t at_;
  std::vector<source> made_;
  std::vector<std::string> known_;  // vertices
  int unnamed_ = 0;
};

}  // namespace

std::vector<source> read_pattern(std::string_view pattern, std::size_t at) {
  return pattern_reader(pattern, at).read();
}

}  // namespace orujo::internal::relational
