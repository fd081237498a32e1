// What is done to answer a query: a tree of steps, each of which hands rows on to the one above.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "framework/tables/relational/formula.hpp"
#include "framework/tables/relational/key_range.hpp"
#include "framework/tables/relational/syntax.hpp"
#include "framework/tables/relational/tables.hpp"

namespace orujo::internal::relational {

enum class function : std::uint8_t { count_rows, count, sum, average, minimum, maximum };

struct aggregate {
  function does = function::count_rows;
  formula of = {};  // what it is of; nothing, of rows
  bool distinct = false;
  kind type = kind::integer;  // of the result
  int slot = -1;
};

struct order_key {
  int slot;
  kind type;
  bool descending = false;
  bool nulls_first = true;
};

// Values are in slots, which are numbered through the whole query.
struct plan_node {
  enum class step : std::uint8_t {
    one_row,  // without columns
    scan,     // of a table
    filter,   // by conditions, all of which must be true
    compute,  // values
    join,     // the rows of of[0], the probe, with those of of[1], the build side, whose keys are equal
    group,    // by keys; one group, if there are no keys
    unite,    // the rows of all of them
    order     // by order, then by all slots of `outputs`; at most `limit` after the first `offset`
  };
  step does = step::one_row;
  std::vector<plan_node> of = {};
  std::size_t table = 0;                                  // of a scan
  std::vector<std::pair<int, std::size_t>> columns = {};  // its slots and the table's columns
  std::vector<formula> conditions = {};                   // of a join: of those whose keys are equal
  std::vector<std::pair<int, formula>> values = {};       // of a group: its keys
  std::vector<aggregate> aggregates = {};
  std::optional<key_range> range = {};  // of the only key of a group, if that is known
  join_kind how = join_kind::inner;
  std::vector<formula> probe_keys = {}, build_keys = {};
  std::vector<order_key> keys = {};
  std::vector<order_key> ties = {};
  std::optional<std::uint64_t> limit = {};
  std::uint64_t offset = 0;

  std::vector<int> live = {};  // slots that steps above need
  double expected = 1;         // rows, about
  std::size_t number = 0;      // of all steps of the query
};

// When it pays to do things in another way; tests choose small ones.
struct execute_options {
  // A build side of few bytes goes to every core whole; of more where there are several locales and the rows
  // of the probe side, which would travel instead, take more.
  std::uint64_t few_build_bytes = std::uint64_t{1} << 20, most_copied_bytes = std::uint64_t{32} << 20;
  // Largest number of groups in the table that waits to be sent to their cores.
  std::size_t most_waiting_groups = std::size_t{1} << 17;
  // Largest size of a core's array of groups with dense keys, in bytes.
  std::uint64_t most_dense_bytes = std::uint64_t{64} << 20;
  // Largest number of rows that core 0 sorts alone.
  std::uint64_t few_rows = 50'000;
};

struct output {
  std::string name;
  kind type;
  int slot;
};

// A column of a table in `tables::all`.
struct table_column {
  std::size_t table, column;
  bool operator==(const table_column&) const = default;
};

struct plan {
  plan_node root;
  std::vector<output> outputs;
  std::vector<table_column> ordered_texts;  // whose order ORDER BY, min or max requires
  bool mixes_numbers = false;  // integers have become reals as others of CASE, coalesce or UNION are
  int slots = 0;
  std::size_t steps = 0;
};

// The texts in a query, as codes.
struct query_texts {
  literals constants;
  std::map<std::string,
           std::pair<std::shared_ptr<std::vector<std::uint64_t>>, std::shared_ptr<std::vector<word>>>>
      patterns;  // of LIKE
};
// [task; suspends; collective over the job]
query_texts texts_of(const query_text& query, const tables& data);

// [any thread] The same at every core. Fails with usage, `"query:LINE:COLUMN: what; what to do"`, if the
// query has no meaning. a_text, if not null: gets the column if the reason is a text where a number is
// expected.
result<plan> make_plan(const statement& query, const tables& data, const query_texts& texts,
                       std::optional<table_column>* a_text = nullptr);

// A line for people: "join, keys: 2", "scan lineitem".
std::string describe(const plan_node& of, const tables& data);

}  // namespace orujo::internal::relational
