// Gives a query its meaning: names become slots, and every expression gets its type.
#pragma once

#include <string>
#include <vector>

#include "framework/tables/relational/plan.hpp"

namespace orujo::internal::relational {

// The possible meanings of a name.
struct scope_column {
  std::string name;  // in small letters
  int slot;
  kind type;
  bool hidden = false;  // by USING: found by table.name only
};
struct relation {
  std::string alias;  // in small letters
  std::vector<scope_column> columns;
  std::vector<std::string> others = {};  // there are, and no part of the query names them
};

class binder {
 public:
  binder(const std::vector<relation>& scope, const query_texts& texts) : scope_(scope), texts_(texts) {}

  // Throws a query_error. aggregates: receives them, or null if they are not allowed.
  formula bind(const expression& of, std::vector<aggregate>* aggregates = nullptr, const char* clause = "");

  // Names of results, for names that are not columns.
  void know(const std::string& name, const expression* what) { aliases_.push_back({name, what}); }

  // Null: there is none. Throws if there are two.
  const scope_column* find(const std::string& table, const std::string& name, std::size_t at) const;
  std::string what_there_is() const;
  // Returns whether the values of a CASE or coalesce have been integers and reals.
  bool mixes_numbers() const { return mixes_numbers_; }

 private:
  formula column(const expression& of);
  formula call(const expression& of);
  formula arithmetic(const expression& of);
  formula comparison(const expression& of);
  formula choice(const expression& of);
  formula like(const expression& of);
  formula membership(const expression& of);
  formula aggregate_of(const expression& of);
  formula truth(const expression& of);
  std::vector<formula> all(const expression& of);

  const std::vector<relation>& scope_;
  const query_texts& texts_;
  std::vector<std::pair<std::string, const expression*>> aliases_;
  std::vector<aggregate>* aggregates_ = nullptr;
  const char* clause_ = "";
  bool mixes_numbers_ = false;
  int depth_ = 0;
};

// Makes numbers of both real where one is; false if one is a text and the other a number.
bool make_comparable(formula& a, formula& b);
formula as_real(formula of);

}  // namespace orujo::internal::relational
