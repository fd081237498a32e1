#include "framework/graph/store/orj/input.hpp"

#include <cstdint>
#include <memory>
#include <vector>

#include "framework/graph/build/position_names.hpp"
#include "framework/graph/store/orj/edges.hpp"
#include "framework/graph/store/orj/names.hpp"
#include "framework/graph/store/orj/rows.hpp"
#include "system/loops/collectives.hpp"
#include "system/loops/forall.hpp"

namespace orujo::graph {
namespace {

input_edges of_orj(const formats::orj_header& header) {
  input_edges read;
  read.weighted = header.weighted;
  read.format = formats::file_format::orj;
  read.vertex_count = header.vertices;
  read.first_id = header.first_id;
  read.named = has_names(header);
  return read;
}

void drop_weights(input_edges& read) {
  read.mine.weights = {};
  read.weighted = false;
}

}  // namespace

result<std::shared_ptr<const vertex_names>> share_orj_names(formats::byte_source& source,
                                                            const formats::orj_header& header) {
  const loops::index_range mine = loops::my_part_of_job({0, header.vertices});
  auto names = read_orj_names(source, header, mine.first, mine.last);
  if (const status failure = loops::first_failure(names.status()); !failure.ok()) return failure;
  return vertex_names::share(std::move(names).value());
}

result<std::optional<formats::orj_header>> find_orj(const input_source& from, formats::byte_source& source) {
  const bool wanted = from.format == formats::file_format::orj;
  if (from.format && !wanted) return std::optional<formats::orj_header>();
  auto found = formats::find_orj_header(source);
  if (found.ok() && !found.value() && wanted) {
    return status(
        exit_status::bad_data,
        from.file + (source.seekable() ? ": byte 0: header: this is no .orj file; leave --format away"
                                       : ": a compressed .orj cannot be read: decompress it first"));
  }
  if (found.ok() && found.value() && from.named && !has_names(*found.value()))
    return formats::no_names(from.file, formats::file_format::orj);
  return found;
}

result<input_edges> read_orj_edges_here(formats::byte_source& source, const formats::orj_header& header,
                                        bool ignores_weights) {
  const auto shared_numbers = loops::share_on_locale<result<numbering>>(
      [&] { return std::make_shared<result<numbering>>(numbering_of(source, header)); });
  const result<numbering>& numbers = *shared_numbers;
  if (const status failure = loops::first_failure(numbers.status()); !failure.ok()) return failure;
  using id_table = std::shared_ptr<const std::vector<std::uint64_t>>;
  const auto ids = loops::share_on_locale<result<id_table>>(
      [&] { return std::make_shared<result<id_table>>(read_orj_id_table(source, header, numbers.value())); });
  if (const status failure = loops::first_failure(ids->status()); !failure.ok()) return failure;
  const loops::index_range edges = loops::my_part_of_job({0, header.edges});
  auto list = read_orj_edges(source, header, numbers.value(), edges.first, edges.last);
  if (const status failure = loops::first_failure(list.status()); !failure.ok()) return failure;
  input_edges read = of_orj(header);
  read.ids = ids->value();
  read.mine = std::move(list).value();
  if (ignores_weights) drop_weights(read);
  if (!read.named) return read;
  auto names = share_orj_names(source, header);
  if (!names.ok()) return names.status();
  set_names(read, std::move(names).value());
  return read;
}

result<input_edges> read_orj_serially(formats::byte_source& source, const formats::orj_header& header,
                                      bool ignores_weights) {
  const auto numbers = numbering_of(source, header);
  if (!numbers.ok()) return numbers.status();
  const auto ids = read_orj_id_table(source, header, numbers.value());
  if (!ids.ok()) return ids.status();
  auto list = read_orj_edges(source, header, numbers.value(), 0, header.edges);
  if (!list.ok()) return list.status();
  input_edges read = of_orj(header);
  read.ids = ids.value();
  read.mine = std::move(list).value();
  if (ignores_weights) drop_weights(read);
  return read;
}

}  // namespace orujo::graph
