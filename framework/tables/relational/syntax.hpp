// The syntax of a query: the tree that its text is parsed to, before names have a meaning.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "system/base/status.hpp"

namespace orujo::internal::relational {

struct expression {
  enum class form {
    column,   // name, of `table` where it says so
    star,     // * or table.*
    null,     //
    integer,  // number
    real,     // fraction
    text,     // name
    call,     // of the operator or function `name`: "=", "and", "case", "count", ...
    chain     // of operands with `operators` between them, done from the left: a + b * 2
  };
  form is = form::null;
  std::string name = {}, table = {};
  std::int64_t number = 0;
  double fraction = 0;
  bool distinct = false;  // arguments of an aggregate
  struct between {
    char sign;       // + - * / %
    std::size_t at;  // byte of the text
  };
  std::vector<between> operators = {};
  std::vector<expression> of = {};
  std::size_t at = 0;  // byte of the text
};

struct selected {
  expression what;
  std::string name;  // AS name; empty: none
};

struct query_text;
enum class join_kind { inner, left };
struct source {
  std::string table = {}, alias = {};
  std::vector<std::string> columns = {};   // new names of the first ones
  std::shared_ptr<query_text> query = {};  // in the place of a table
  join_kind join = join_kind::inner;       // with those before it
  std::optional<expression> on = {};
  std::vector<std::string> using_columns = {};
  std::size_t at = 0;
};

struct ordering {
  expression by;
  bool descending = false;
  std::optional<bool> nulls_first = {};  // not given
};

// One SELECT, or the union of some.
struct query_text {
  bool distinct = false;
  std::vector<selected> items;
  std::vector<source> from;
  std::optional<expression> where, having;
  std::vector<expression> group_by;

  std::vector<query_text> united = {};
  std::size_t once = 0;  // so many of the first ones together have each row once

  std::vector<ordering> order;
  std::optional<std::uint64_t> limit;
  std::uint64_t offset = 0;
  std::size_t limit_at =
      0;  // in the text, where the number of LIMIT or OFFSET stands that comes first; 0: none
};

struct statement {
  std::string text;
  bool explain = false;
  query_text query;
};

inline constexpr std::size_t longest_query = std::size_t{64} << 10;  // bytes
inline constexpr int deepest_nesting = 50;                           // of expressions
inline constexpr int deepest_queries = 12;                           // one within the other
inline constexpr int most_tables = 24;                               // of one SELECT

// The stack on which a core parses or plans a query: recursion may be as deep as a text is long. It is
// mapped, and mostly unused.
inline constexpr std::size_t query_stack_bytes = std::size_t{128} << 20;

// Any thread; never suspends. Runs the function on a thread of its own, with a stack for deep recursion.
// Throws std::system_error if no such thread is available: the job then ends, because the other cores may
// have theirs and wait for this one.
void on_large_stack(const std::function<void()>& work);
// As above, and returns what `work` returns.
template <class Work>
auto found_on_large_stack(const Work& work) {
  std::optional<decltype(work())> found;
  on_large_stack([&] { found.emplace(work()); });
  return *std::move(found);
}

// Any thread. The parser is PostgreSQL's. Fails with usage, `"query:LINE:COLUMN: what; what to do"`, if the
// text is not a supported SELECT.
result<statement> parse(std::string_view text);

// Why a query cannot be run, with the place in its text.
status query_mistake(std::string_view text, std::size_t at, const std::string& what);

// What is wrong with a query, on its way up within parse() or plan(): thrown and caught on one stack.
struct query_error {
  std::size_t at;
  std::string what;
  int text_slot = -1;  // of the column of texts where a number is expected
};

// Every expression of a query, and of the queries within it.
void visit_expressions(const query_text& of, const std::function<void(const expression&)>& visit);
// Returns whether a table after FROM, also of a query within it, gets new names for its columns: AS t(a, b).
bool names_columns_anew(const query_text& of);
// The name of a column without one.
std::string name_of(const expression& of);

// Names of columns and tables are equal whatever their case.
std::string in_small_letters(std::string_view name);

}  // namespace orujo::internal::relational
