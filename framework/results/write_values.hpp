// A file with the value of every vertex.
#pragma once

#include <string>
#include <utility>

#include "framework/results/ordered_values.hpp"

namespace orujo::results {

// [task; suspends] Writes a line for each vertex, "ID VALUE" or "NAME VALUE" where vertices have names, in
// ascending order: numbers as the shortest decimals that read back as the same, others as
// append(std::string& to, const T&) has them, which travels. All cores make lines, and write
// them to a file of the calling core's machine, a device or "-" (output_file.hpp) as write_texts() does.
// io_error where that fails; a file is then as it was. The property is one of this graph.
template <class T, class Append = as_decimals>
status write_values(graph::distributed_graph graph, gas::property<T> property, const std::string& path,
                    Append append = {}, const call_site& at = call_site::current()) {
  auto output = output_file::open(path);
  if (!output.ok()) return output.status();
  const auto ordered = ordered_values<T>::create(graph, property, at);
  ordered.write_lines(output.value(), std::move(append));
  ordered.destroy();
  return output.value().finish();
}

}  // namespace orujo::results
