// Tables in global memory, and questions to them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "framework/formats/edge.hpp"
#include "framework/tables/relational/execute.hpp"
#include "framework/tables/relational/tables.hpp"
#include "system/base/status.hpp"
#include "system/containers/global_array.hpp"
#include "system/containers/symmetric.hpp"
#include "system/loops/forall.hpp"

namespace orujo::internal::relational {

// One core's rows of an answer. Core 0 has the first rows, core 1 the next ones, and so on.
struct answer_part {
  std::vector<output> columns;
  row_part rows;
  dictionary::found texts;  // of its rows

  struct step {
    std::string what;
    int depth = 0;
    step_figures figures;
  };
  std::vector<step> steps;     // of all cores
  bool mixes_numbers = false;  // as the plan says

  // The text of a code; also of none.
  std::string_view text(word code) const { return texts[code]; }
};

// The rows that `database::select()` found. The object is a handle, which can travel; any task destroys the
// answer.
class answer {
 public:
  // Not for callers: select() makes it.
  explicit answer(containers::symmetric<answer_part> parts) : parts_(parts) {}

  // The calling core's rows.
  answer_part& local() const { return parts_.here(); }
  // [task; suspends] The number of rows at all cores. Costs 2 messages per core.
  std::uint64_t rows() const;
  // [task; suspends] Frees the rows.
  void destroy() const;

 private:
  containers::symmetric<answer_part> parts_;
};

// [task; suspends] The edges of an answer, for build_graph(): each row is an edge from the value of its first
// column to that of its second. Values are integers, or texts, whose ids are their codes in the database and
// the same in all of its answers. A row with a NULL is no edge.
containers::global_array<edge> edges_of(const answer& rows);

// [task; suspends; collective over the job] The calling core's part of the answer. Fails with usage if the
// query has no meaning, and with bad_data if integers overflow; both name the position. Ends the job with
// no_resource if memory is exhausted.
result<answer_part> select_on_all(const statement& query, const tables& data,
                                  const execute_options& options = {});

// Tables in global memory, which do not change, for queries in SQL. The object is a handle, which can travel.
class database {
 public:
  // [task; suspends] Loads every column of the files. Fails as load_tables() does.
  static result<database> load(const std::vector<table_file>& files);
  // [task; suspends] Makes a database of the tables that make() returns at every core, such as those of
  // load_tables(). make() can travel, returns result<tables>, and is [task; suspends; collective over the
  // job].
  template <class Make>
  static result<database> made_by(const Make& make) {
    const database made(containers::symmetric<tables>::reserve());
    status failed;
    const memory::global_address<status> said(my_core(), &failed);
    loops::on_all_cores([made, said, make] { made.take(make(), said); });
    if (!failed.ok()) return failed;
    return made;
  }

  // [task; suspends] Runs a SELECT statement. Fails with usage if the query is wrong, and with bad_data if
  // integers overflow. The job ends with no_resource if memory does not suffice.
  result<answer> select(std::string_view query, const execute_options& options = {}) const;
  // [task; suspends; collective over the job] The texts of codes, which are the ids of edges_of(), by code.
  dictionary::found texts_of(std::vector<word> codes) const {
    return local().texts.look_up(std::move(codes), {});
  }
  // The calling core's part of the tables.
  const tables& local() const { return parts_.here(); }
  // [task; suspends]
  void destroy() const;

 private:
  explicit database(containers::symmetric<tables> parts) : parts_(parts) {}
  // [collective] Keeps what is good at all cores.
  void take(result<tables> part, memory::global_address<status> said) const;

  containers::symmetric<tables> parts_;
};

}  // namespace orujo::internal::relational
