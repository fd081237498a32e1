// The expressions of a query.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "framework/tables/relational/query_tree.hpp"
#include "framework/tables/relational/syntax.hpp"

namespace orujo::internal::relational {

// Throws query_error where something is not supported.
class expression_reader {
 public:
  // text: of the query, which stays.
  explicit expression_reader(std::string_view text) : text_(text) {}

  expression read(const tree& node);

  // While it lives, reading is one level deeper. Rejects expressions that are too deep.
  class nesting {
   public:
    nesting(expression_reader& of, std::size_t at);
    ~nesting() { --of_.depth_; }
    nesting(const nesting&) = delete;

   private:
    expression_reader& of_;
  };

 private:
  expression operation(const tree& node);
  expression chain(const tree& last);
  expression logic(const tree& node);
  expression truth_test(const tree& node);
  expression function(const tree& node);
  expression choice(const tree& node);
  expression cast(const tree& node);

  const std::string_view text_;
  int depth_ = 0;
};

}  // namespace orujo::internal::relational
