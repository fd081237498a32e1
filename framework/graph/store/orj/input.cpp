#include "framework/graph/store/orj/input.hpp"

#include <glog/logging.h>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "framework/graph/build/position_names.hpp"
#include "framework/graph/store/orj/edges.hpp"
#include "framework/graph/store/orj/mapped_vectors.hpp"
#include "framework/graph/store/orj/names.hpp"
#include "framework/graph/store/orj/rows.hpp"
#include "system/collectives/collectives.hpp"
#include "system/loops/forall.hpp"

namespace orujo::internal::graph {
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

weight_rule rule_of(const input_source& from) {
  return from.non_negative_weights ? weight_rule::non_negative : weight_rule::any;
}

// A form of the edges that is whole, and why the first one was not.
struct whole_form {
  formats::edge_list edges;
  status fault;
};

// The first whole form: rows of in-edges, Vector-Sparse, rows of out-edges. It is the same for any number of
// readers, and so is the failure where none is whole: the fault of the first. The offsets of the in-edges
// must be whole, as every split reads them.
result<whole_form> read_whole_form(formats::byte_source& source, const formats::orj_header& header,
                                   const numbering& numbers, weight_rule rule, const orj_share& share) {
  auto read = read_orj_edges(source, header, numbers, orj_rows_of::in_edges, rule, share);
  const status fault = read.status();
  const auto is_damaged = [&] { return read.status().code() == exit_status::bad_data; };
  if (is_damaged()) {
    const auto offsets =
        read_orj_offsets(source, header, orj_rows_of::in_edges, share.of(header.vertices), share.agree);
    if (!offsets.ok()) return fault;
  }
  if (is_damaged() && header.segments > 0)
    read = read_orj_vector_edges(header, source.path(), numbers, rule, share);
  if (is_damaged() && !header.symmetric)
    read = read_orj_edges(source, header, numbers, orj_rows_of::out_edges, rule, share);
  if (!read.ok()) return is_damaged() ? fault : read.status();
  return whole_form{std::move(read).value(), fault};
}

}  // namespace

result<std::shared_ptr<const vertex_names>> share_orj_names(formats::byte_source& source,
                                                            const formats::orj_header& header) {
  const orj_share share = share_of_job();
  auto names = read_orj_names(source, header, share.of(header.vertices), share.agree);
  if (!names.ok()) return names.status();
  return vertex_names::share(std::move(names).value());
}

result<std::optional<formats::orj_header>> find_orj(const input_source& from, formats::byte_source& source) {
  const bool wanted = from.format == formats::file_format::orj;
  if (from.format && !wanted) return std::optional<formats::orj_header>();
  auto found = formats::find_orj_header(source);
  if (found.ok() && !found.value() && wanted) {
    return status(
        exit_status::bad_data,
        from.file + (source.seekable() ? ": byte 0: header: this is not an .orj file; remove --format"
                                       : ": a compressed .orj cannot be read: decompress it first"));
  }
  if (found.ok() && found.value() && from.named && !has_names(*found.value()))
    return formats::no_names(from.file, formats::file_format::orj);
  return found;
}

result<input_edges> read_orj_edges_here(formats::byte_source& source, formats::orj_header header,
                                        const input_source& from, const status& fault) {
  if (from.ignores_weights && std::exchange(header.weighted, false)) tell_ignored_weights(from);
  const auto shared_numbers = collectives::share_on_locale<result<numbering>>(
      [&] { return std::make_shared<result<numbering>>(numbering_of(source, header)); });
  const result<numbering>& numbers = *shared_numbers;
  if (const status failure = collectives::first_failure(numbers.status()); !failure.ok()) return failure;
  using id_table = std::shared_ptr<const std::vector<std::uint64_t>>;
  const auto ids = collectives::share_on_locale<result<id_table>>(
      [&] { return std::make_shared<result<id_table>>(read_orj_id_table(source, header, numbers.value())); });
  auto form = read_whole_form(source, header, numbers.value(), rule_of(from), share_of_job());
  if (!form.ok()) return form.status();
  const status& passed_over = fault.ok() ? form.value().fault : fault;
  if (!passed_over.ok() && my_core() == 0)
    LOG(WARNING) << passed_over.message() << "; its edges are read from another section that has them, too";
  if (const status failure = collectives::first_failure(ids->status()); !failure.ok()) return failure;
  input_edges read = of_orj(header);
  read.ids = ids->value();
  read.mine = std::move(form.value().edges);
  if (!read.named) return read;
  auto names = share_orj_names(source, header);
  if (!names.ok()) return names.status();
  set_names(read, std::move(names).value());
  return read;
}

result<input_edges> read_orj_serially(formats::byte_source& source, formats::orj_header header,
                                      const input_source& from) {
  if (from.ignores_weights) header.weighted = false;
  const auto numbers = numbering_of(source, header);
  if (!numbers.ok()) return numbers.status();
  auto form = read_whole_form(source, header, numbers.value(), rule_of(from), {});
  if (!form.ok()) return form.status();
  const auto ids = read_orj_id_table(source, header, numbers.value());
  if (!ids.ok()) return ids.status();
  input_edges read = of_orj(header);
  read.ids = ids.value();
  read.mine = std::move(form.value().edges);
  return read;
}

}  // namespace orujo::internal::graph
