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
#include "system/loops/forall.hpp"
#include "system/memory/symmetric.hpp"

namespace orujo::relational {

// One core's rows of an answer; core 0 has the first ones, and so on.
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

// A handle that can travel. Made by select(), destroyed by any task.
class answer {
 public:
  explicit answer(memory::symmetric<answer_part> parts) : parts_(parts) {}

  // The calling core's.
  answer_part& local() const { return parts_.here(); }
  // [task; suspends] 2 messages per core.
  std::uint64_t rows() const;
  // [task; suspends]
  void destroy() const;

 private:
  memory::symmetric<answer_part> parts_;
};

// [task; suspends] An edge for each row, from the value of its first column to that of its second. Values are
// integers, or texts, whose ids are their codes in the database, the same in all of its answers. A row with a
// NULL gives none. A graph can be built of these edges (framework/graph/build/edges_in_memory.hpp).
containers::global_array<edge> edges_of(const answer& rows);

// [task; suspends; collective over the job] The calling core's part of the answer. Fails with usage if the
// query has no meaning, and with bad_data if integers overflow; both name the position. Ends the job with
// no_resource if memory is exhausted.
result<answer_part> select_on_all(const statement& query, const tables& data,
                                  const execute_options& options = {});

// Tables that stay as they are. A handle that can travel.
class database {
 public:
  // [task; suspends] Every column of the files. As load_tables().
  static result<database> load(const std::vector<table_file>& files);
  // [task; suspends] The tables that make(), a closure that travels, returns at every core:
  // result<tables>() [task; suspends; collective over the job].
  template <class Make>
  static result<database> made_by(const Make& make) {
    const database made(memory::symmetric<tables>::reserve());
    status failed;
    const memory::global_address<status> said(my_core(), &failed);
    loops::on_all_cores([made, said, make] { made.take(make(), said); });
    if (!failed.ok()) return failed;
    return made;
  }

  // [task; suspends] As select_on_all().
  result<answer> select(std::string_view query, const execute_options& options = {}) const;
  // [task; suspends; collective over the job] The texts of codes, as edges_of() makes ids of them, by code.
  dictionary::found texts_of(std::vector<word> codes) const {
    return local().texts.look_up(std::move(codes), {});
  }
  // The calling core's.
  const tables& local() const { return parts_.here(); }
  // [task; suspends]
  void destroy() const;

 private:
  explicit database(memory::symmetric<tables> parts) : parts_(parts) {}
  // [collective] Keeps what is good at all cores.
  void take(result<tables> part, memory::global_address<status> said) const;

  memory::symmetric<tables> parts_;
};

}  // namespace orujo::relational
