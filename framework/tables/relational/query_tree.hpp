// The tree that PostgreSQL's parser makes of a query, and what it is read with.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "framework/tables/relational/syntax.hpp"

namespace orujo::internal::relational {

using tree = nlohmann::json;

// Throws query_error.
[[noreturn]] void refuse(std::size_t at, std::string what);

// The byte of the query where a node comes from; 0 where it does not say.
std::size_t location_of(const tree& node);
// A list that may be missing.
const tree& list_of(const tree& node, const char* key);
// {"Kind": {...}}
std::pair<std::string_view, const tree*> opened(const tree& node);
std::string text_of(const tree& node);
// Returns SQL's word for a kind of node or a key of one; empty if SQL has none.
std::string_view word_for(std::string_view name);
// Refuses what a node has beside the keys that are understood.
void only(const tree& node, std::initializer_list<std::string_view> keys, std::size_t at,
          std::string_view what);

}  // namespace orujo::internal::relational
