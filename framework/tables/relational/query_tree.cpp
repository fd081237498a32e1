#include "framework/tables/relational/query_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>

namespace orujo::internal::relational {
namespace {

constexpr std::pair<std::string_view, std::string_view> node_words[] = {
    {"withClause", "WITH"},
    {"intoClause", "INTO"},
    {"windowClause", "WINDOW"},
    {"valuesLists", "VALUES"},
    {"lockingClause", "FOR UPDATE"},
    {"groupDistinct", "GROUP BY DISTINCT"},
    {"lateral", "LATERAL"},
    {"agg_filter", "FILTER"},
    {"agg_order", "ORDER BY"},
    {"agg_within_group", "WITHIN GROUP"},
    {"func_variadic", "VARIADIC"},
    {"over", "OVER"},
    {"ordinality", "ORDINALITY"},
    {"alias", "AS name"},
    {"CollateClause", "COLLATE"},
    {"A_ArrayExpr", "ARRAY"},
    {"A_Indirection", "an index or a field"},
    {"RowExpr", "a row of several values"},
    {"MinMaxExpr", "greatest() or least()"},
    {"SQLValueFunction", "CURRENT_DATE or another value of the moment"},
    {"GroupingSet", "ROLLUP, CUBE or GROUPING SETS"},
    {"GroupingFunc", "GROUPING()"},
    {"ParamRef", "a parameter"},
    {"SetToDefault", "DEFAULT"},
    {"XmlExpr", "XML"},
    {"XmlSerialize", "XML"},
};

}  // namespace

std::string_view word_for(std::string_view name) {
  const auto* const found = std::ranges::find(node_words, name, [](const auto& one) { return one.first; });
  return found == std::end(node_words) ? "" : found->second;
}

void refuse(std::size_t at, std::string what) { throw query_error{at, std::move(what)}; }

std::size_t location_of(const tree& node) {
  const auto at = node.value("location", std::int64_t{0});
  return at > 0 ? static_cast<std::size_t>(at) : 0;
}

const tree& list_of(const tree& node, const char* key) {
  static const tree none = tree::array();
  const auto found = node.find(key);
  return found == node.end() ? none : *found;
}

std::pair<std::string_view, const tree*> opened(const tree& node) {
  if (!node.is_object() || node.empty()) return {"", &node};
  return {node.begin().key(), &node.begin().value()};
}

std::string text_of(const tree& node) {
  const auto [name, content] = opened(node);
  return name == "String" ? content->value("sval", std::string()) : std::string();
}

void only(const tree& node, std::initializer_list<std::string_view> keys, std::size_t at,
          std::string_view what) {
  for (const auto& [key, value] : node.items()) {
    if (std::ranges::find(keys, key) == keys.end())
      refuse(at, fmt::format("{} with {} is not supported; write it without", what,
                             word_for(key).empty() ? "what stands here" : word_for(key)));
  }
}

}  // namespace orujo::internal::relational
