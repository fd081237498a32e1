// Properties of any text that is given for a query: it has a plan, or one sentence names the place of the
// error.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "framework/tables/relational/plan.hpp"

namespace orujo::internal::fuzz {

inline relational::tables tables_to_query() {
  using relational::kind;
  relational::tables made;
  for (const char* name : {"t", "u"}) {
    relational::table& t = made.all.emplace_back();
    t.name = name;
    t.names = {{"a", kind::integer}, {"b", kind::real}, {"c", kind::text}};
    t.mine.columns.resize(3);
  }
  return made;
}

// Without a dictionary: every text of the query is a literal.
inline relational::query_texts texts_in(const relational::query_text& query) {
  using form = relational::expression::form;
  std::set<std::string> texts;
  relational::query_texts made;
  relational::visit_expressions(query, [&](const relational::expression& one) {
    if (one.is == form::text) texts.insert(one.name);
    if (one.name == "like" && one.of[1].is == form::text) made.patterns[one.of[1].name];
  });
  for (const std::string& text : texts) {
    made.constants.texts.push_back(text);
    made.constants.codes.push_back(static_cast<relational::word>(made.constants.texts.size()));
  }
  return made;
}

inline bool is_good_query(std::string_view text, status& said) {
  const auto parsed = relational::parse(text);
  said = parsed.status();
  if (!said.ok()) return false;
  const auto made = relational::make_plan(parsed.value(), tables_to_query(), texts_in(parsed.value().query));
  said = made.status();
  return said.ok();
}

// Empty: none is broken.
inline std::string broken_sql_property(std::string_view text) {
  status said, again;
  if (is_good_query(text, said)) return "";
  if (said.code() != exit_status::usage) return "another status: " + said.message();
  if (!said.message().starts_with("query:")) return "no place: " + said.message();
  is_good_query(text, again);
  return again.message() == said.message() ? "" : "not the same again: " + again.message();
}

}  // namespace orujo::internal::fuzz
