#include "framework/formats/document.hpp"

#include <fmt/format.h>

#include "framework/formats/document_readers.hpp"
#include "framework/formats/recognise.hpp"
#include "system/base/printable.hpp"

namespace orujo::internal::formats {
namespace {

result<document> read_any(byte_source& source, file_format format, const document_request& wanted,
                          std::uint64_t most_bytes) {
  switch (format) {
    case file_format::graphml:
      return read_graphml(source, wanted, most_bytes);
    case file_format::gexf:
      return read_gexf(source, wanted, most_bytes);
    case file_format::gml:
      return read_gml(source, wanted, most_bytes);
    case file_format::pajek:
      return read_pajek(source, wanted, most_bytes);
    case file_format::dot:
      return read_dot(source, wanted, most_bytes);
    case file_format::json:
      return read_json(source, wanted, most_bytes);
    case file_format::graph6:
      return read_graph6(source, wanted, most_bytes);
    case file_format::adjlist:
      return read_adjacency_lines(source, wanted, most_bytes);
    case file_format::npy:
      return read_npy(source, wanted, most_bytes);
    case file_format::npz:
      return read_npz(source, wanted, most_bytes);
    default:
      return status(exit_status::broken_invariant, fmt::format("{} is not a document", name_of(format)));
  }
}

bool has_numbers_only(file_format format) {
  return format == file_format::graph6 || format == file_format::npy || format == file_format::npz;
}

}  // namespace

result<document> read_document(byte_source& source, file_format format, const document_request& wanted,
                               std::uint64_t most_bytes) {
  if (wanted.named && has_numbers_only(format)) return no_names(source.path(), format);
  auto read = read_any(source, format, wanted, most_bytes);
  if (read.ok() && read.value().vertices == 0 && read.value().names.size() == 0)
    return status(exit_status::bad_data,
                  fmt::format("{}: a graph without vertices; expected at least one", source.path()));
  if (read.ok() && !wanted.weight.empty() && !wanted.ignores_weights && read.value().list.weights.empty() &&
      !read.value().list.edges.empty())
    return status(exit_status::bad_data,
                  fmt::format("{}: no edge has the attribute '{}' that --weight_column names", source.path(),
                              base::printable(wanted.weight)));
  return read;
}

}  // namespace orujo::internal::formats
