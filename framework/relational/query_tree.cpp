#include "framework/relational/query_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace orujo::relational {

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
      refuse(at, fmt::format("{} with {} is not supported; write it without", what, key));
  }
}

}  // namespace orujo::relational
