// A file with the value of every vertex.
#pragma once

#include <string>
#include <type_traits>
#include <utility>

#include "framework/results/ordered_values.hpp"

namespace orujo::internal::results {

// [task; suspends] Writes a line for each vertex, "ID VALUE" or "NAME VALUE" where vertices have names, in
// ascending order. Numbers are the shortest decimals that read back as the same. Other values are written by
// append(std::string& to, const T&), which is copied to all cores. As with --output, FILE.csv is a table with
// the header "id,value", and FILE.npy an array for NumPy. npy takes numbers only and no names; else it fails
// with `usage`. All cores make lines and write them as write_texts() does, to a file of the calling core's
// machine, a device or "-" (output_file.hpp). Fails with io_error if that fails; a file is then as it was.
// The property is one of this graph.
template <class T, class Append = as_decimals>
status write_values(graph::distributed_graph graph, graph::property<T> property, const std::string& path,
                    Append append = {}, const call_site& at = call_site::current()) {
  constexpr bool are_numbers = std::is_same_v<Append, as_decimals>;
  const row_format format = row_format_of(path);
  if (format == row_format::npy && (!are_numbers || graph.here().names))
    return {exit_status::usage,
            path + ": .npy output requires integer ids, and this graph has names; write a .csv"};
  auto output = files::output_file::open(path);
  if (!output.ok()) return output.status();
  const auto ordered = ordered_values<T>::create(graph, property, at);
  if constexpr (are_numbers) {
    ordered.write_table(output.value(), format, {"value"});
  } else {
    ordered.write_lines(output.value(), std::move(append), format);
  }
  ordered.destroy();
  return output.value().finish();
}

}  // namespace orujo::internal::results
