#include "framework/graph/build/document_input.hpp"

#include <fmt/format.h>

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "framework/formats/document.hpp"
#include "framework/formats/recognise.hpp"
#include "framework/graph/build/memory_needs.hpp"
#include "framework/graph/build/position_names.hpp"
#include "framework/graph/build/read_ahead.hpp"
#include "system/collectives/collectives.hpp"

namespace orujo::internal::graph {
namespace {

constexpr std::size_t bytes_looked_at = std::size_t{64} << 10;

// Edges and all that is said of them, but names.
input_edges of_document(formats::document& read) {
  input_edges input;
  input.mine = std::move(read.list);
  input.rows = std::move(read.rows);
  input.weighted = !(input.rows ? input.rows->weights : input.mine.weights).empty();
  input.format = read.format;
  input.named = read.named;
  if (!read.named) input.vertex_count = read.vertices;
  input.first_id = read.first_id;
  if (!read.ids.empty()) input.ids = std::make_shared<const std::vector<std::uint64_t>>(std::move(read.ids));
  return input;
}

formats::document_request document_request_of(const input_source& from) {
  return {from.named, from.ignores_weights, from.non_negative_weights, from.table.weight, from.wants_rows};
}

}  // namespace

result<std::optional<formats::file_format>> find_document(const input_source& from,
                                                          formats::looked_at_source& source) {
  if (from.format && !formats::is_document(*from.format)) return std::optional<formats::file_format>();
  const auto head = source.look(bytes_looked_at);
  if (!head.ok()) return head.status();
  auto found = formats::recognise_document(head.value(), source.path(), from.format);
  if (!found.ok() || !found.value() || !from.table.asks_for_columns()) return found;
  return status(
      exit_status::bad_data,
      fmt::format(
          "{}:1:1: this begins like {}, but --source_column and similar flags are for tables; remove them",
          source.path(), formats::name_of(*found.value())));
}

result<input_edges> read_document_file(const input_source& from, formats::byte_source& source,
                                       formats::file_format format) {
  result<formats::document> read = formats::document{};
  const std::uint64_t room = room_to_read(readers::core_0);
  read_at_core_0(source, [&](formats::byte_source& all) {
    read = formats::read_document(all, format, document_request_of(from), room);
  });
  if (const status failure = collectives::first_failure(read.status()); !failure.ok()) return failure;
  if (read.value().ignores_its_weights) tell_ignored_weights(from);
  input_edges input = of_document(read.value());
  struct said {
    std::uint64_t vertices, first_id, ids;
    bool weighted, named, rows;
  };
  const said all = collectives::broadcast(
      said{input.vertex_count.value_or(0), input.first_id, input.ids ? input.ids->size() : 0, input.weighted,
           input.named, input.rows.has_value()},
      0);
  input.format = format;
  input.weighted = all.weighted;
  if (all.rows && !input.rows) input.rows.emplace();
  if (all.named) {
    set_names(input, position_names(input.mine, read.value().names));
    return input;
  }
  input.vertex_count = all.vertices;
  input.first_id = all.first_id;
  if (all.ids == 0) return input;
  std::vector<std::uint64_t> ids(leads_locale() ? all.ids : 0);
  if (my_core() == 0) ids = *input.ids;
  if (leads_locale()) collectives::broadcast(std::span(ids), 0, collectives::group::leaders);
  input.ids = collectives::share_on_locale<const std::vector<std::uint64_t>>(
      [&] { return std::make_shared<const std::vector<std::uint64_t>>(std::move(ids)); });
  return input;
}

result<input_edges> read_document_serially(const input_source& from, formats::byte_source& source,
                                           formats::file_format format) {
  auto read = formats::read_document(source, format, document_request_of(from));
  if (!read.ok()) return read.status();
  input_edges input = of_document(read.value());
  if (!input.named) return input;
  position_names_serially(input.mine, read.value().names);
  input.vertex_count = read.value().names.size();
  return input;
}

}  // namespace orujo::internal::graph
