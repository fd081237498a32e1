// The texts in a query, as codes: apart from the rest of planning, which needs no job.
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "framework/tables/relational/plan.hpp"

namespace orujo::internal::relational {

query_texts texts_of(const query_text& query, const tables& data) {
  std::set<std::string> texts, patterns;
  visit_expressions(query, [&](const expression& one) {
    if (one.is == expression::form::text) texts.insert(one.name);
    if (one.is == expression::form::call && one.name == "like" && one.of[1].is == expression::form::text)
      patterns.insert(one.of[1].name);
  });
  query_texts made{data.texts.find({texts.begin(), texts.end()}), {}};
  for (const std::string& pattern : patterns) {
    auto bits = std::make_shared<std::vector<std::uint64_t>>(data.texts.like(pattern));
    auto codes = std::make_shared<std::vector<word>>();
    for (std::size_t k = 0; k < made.constants.texts.size(); ++k) {
      if (is_like(made.constants.texts[k], pattern)) codes->push_back(made.constants.codes[k]);
    }
    made.patterns.emplace(pattern, std::pair(std::move(bits), std::move(codes)));
  }
  return made;
}

}  // namespace orujo::internal::relational
