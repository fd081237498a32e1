// Writing a graph to a file of any format.
#pragma once

#include <cstdint>
#include <string>

#include "framework/formats/byte_sink.hpp"
#include "framework/formats/file_format.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "framework/graph/edge_forms.hpp"
#include "system/base/status.hpp"

namespace orujo::internal::graph {

struct save_request {
  std::string path;
  formats::file_format format = formats::file_format::edge_list;
  // Write positions 0..n-1 in the ascending order of the ids instead of ids.
  bool renumber = false;
};

struct saved_file {
  std::uint64_t bytes = 0;     // before compression
  std::uint64_t isolated = 0;  // vertices without edges, which the format has no place for
  std::int64_t id_shift = 0;  // what ids in the file exceed those of the graph by, as the format numbers them
};

// The forms that a graph has to keep to be written in this format. It has to be cut by range (partition.hpp).
edge_forms forms_to_save(formats::file_format format);

// [task of core 0; suspends] Writes the graph's rows, core after core, through core 0 in pieces of some MiB.
// So no locale needs access to another's files. The sink is that of request.path. The caller has opened it,
// so mistakes are found before the work. Fails with bad_data if the format cannot hold the graph, and with
// io_error if the file cannot be written; it does not appear then.
result<saved_file> save(distributed_graph graph, const save_request& request, formats::byte_sink& sink);

}  // namespace orujo::internal::graph
