// One graph out of an archive, or out of data that are compressed by bzip2 or xz: by libarchive.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "framework/formats/byte_source.hpp"
#include "system/base/status.hpp"

namespace orujo::formats {

// How bytes are packed that libarchive unpacks. Behind bzip2 and xz there may be a tar, too.
enum class packing { none, bzip2, xz, zip, tar };

// So many bytes from the start of a file tell it.
inline constexpr std::size_t packing_bytes = 512;
packing packing_of(std::string_view start);
inline constexpr std::string_view unpack_remedy = "unpack it, and pass the graph's file by --graph";

// Opens the packed bytes anew, at their start.
using source_opener = std::function<result<std::unique_ptr<byte_source>>()>;

// What is packed in a file, as a source that is read from its start to its end. Nothing is unpacked before
// the first read(), which goes through the archive to find the one file that has a graph, as graph_among()
// has it; from then on path() says which. bad_data: corrupt or encrypted data, and an archive without a
// graph.
std::unique_ptr<byte_source> unpack(const std::string& path, packing how, source_opener open);

// Calls visit(name, content) with every file in an archive, which a seekable source holds, in its order;
// fails where that does, as unpack() does, and where a file is encrypted or there are more than 10,000.
using member_visitor = std::function<status(const std::string& name, byte_source& content)>;
status visit_archive(byte_source& packed, packing how, const member_visitor& visit);

// Which file of an archive has the graph: the only one; or else the only one that is no README, licence or
// metadata; or whose name is that of a graph file's; or that is called as its folder or the archive is. Where
// none is, bad_data with the list. `names` are without folders.
result<std::size_t> graph_among(const std::vector<std::string>& names, std::string_view archive);

}  // namespace orujo::formats
