// Queries over tables of the interpreter.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "framework/tables/relational/columns.hpp"
#include "graph.hpp"
#include "values.hpp"

namespace orujo::internal::python {

// A column in the memory of this process: integers, the bits of doubles, or indices of texts.
struct table_column {
  std::string name;
  relational::kind type = relational::kind::integer;
  const std::int64_t* words = nullptr;
  const std::uint8_t* nulls = nullptr;  // 1 for NULL; null if there is none
  std::vector<std::string> texts = {};
};

// A table of columns, of a file or of a graph whose ids are positions. Nothing of it changes during the
// query.
struct given_table {
  std::string name;
  std::string path = {};                // empty: no file
  const graph_handle* graph = nullptr;  // the edges of this one
  std::uint64_t rows = 0;
  std::vector<table_column> columns = {};
  bool everywhere = false;  // all processes have these rows; otherwise those of process 0 count
};

// A column of an answer. Texts lie one behind the other, and `words` has their lengths.
struct found_column {
  std::string name;
  relational::kind type = relational::kind::integer;
  values<std::int64_t> words;
  values<double> reals;
  values<std::uint8_t> nulls, bytes;  // nulls: of all rows, or of none
  void fetch() { words.fetch(), reals.fetch(), nulls.fetch(), bytes.fetch(); }
  void release() { words.release(), reals.release(), nulls.release(), bytes.release(); }
  template <class Archive>
  void serialize(Archive& archive) {
    archive(name, type, words, reals, nulls, bytes);
  }
};
struct found_rows {
  std::vector<found_column> columns;
  void fetch() {
    for (found_column& each : columns) each.fetch();
  }
  void release() {
    for (found_column& each : columns) each.release();
  }
  template <class Archive>
  void serialize(Archive& archive) {
    archive(columns);
  }
};

// Any thread of the interpreter, without its lock; collective over the processes. Throws job_error. The steps
// of an EXPLAIN are rows, too.
found_rows query(const std::string& sql, const std::vector<given_table>& tables);

}  // namespace orujo::internal::python
