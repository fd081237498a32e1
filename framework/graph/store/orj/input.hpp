// The edges of an .orj file as input: if another graph is requested than it holds, and for oracles.
#pragma once

#include <memory>
#include <optional>

#include "framework/formats/byte_source.hpp"
#include "framework/formats/orj_header.hpp"
#include "framework/graph/build/input.hpp"
#include "framework/graph/vertex_names.hpp"

namespace orujo::internal::graph {

// Any thread. The header of an .orj file, or nothing if the file is of another format. Fails as the source
// does. Fails with bad_data if the header is wrong, if `from` requests .orj and the file is of another
// format, or if it requests names and the file has none.
result<std::optional<formats::orj_header>> find_orj(const input_source& from, formats::byte_source& source);

// [task; suspends; collective over the job] The names in a file that has_names() (names.hpp).
result<std::shared_ptr<const vertex_names>> share_orj_names(formats::byte_source& source,
                                                            const formats::orj_header& header);

// [task; suspends; collective over the job] Each core gets about as many edges. They are those of the first
// intact form. The fault of an earlier form goes to stderr, or to `fault` if that is given. Fails as the
// source does, and with bad_data if no form is intact, or if the rest of the file is damaged.
result<input_edges> read_orj_edges_here(formats::byte_source& source, formats::orj_header header,
                                        const input_source& from, const status& fault = {});

// Any thread. All edges by one reader.
result<input_edges> read_orj_serially(formats::byte_source& source, formats::orj_header header,
                                      const input_source& from);

}  // namespace orujo::internal::graph
