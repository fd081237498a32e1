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

namespace orujo::internal::formats {

// The packings that libarchive unpacks. A file in bzip2 or xz may be a tar, too.
enum class packing { none, bzip2, xz, zip, tar };

// The number of bytes from the start of a file that determine its packing.
inline constexpr std::size_t packing_bytes = 512;
packing packing_of(std::string_view start);
inline constexpr std::string_view unpack_remedy = "unpack it, and pass the graph's file by --graph";

// Opens the packed bytes anew, at their start.
using source_opener = std::function<result<std::unique_ptr<byte_source>>()>;

// The content of a packed file, as a source that is read from its start to its end. Nothing is unpacked
// before the first read(). That searches the archive for the one file that has a graph (graph_among()), and
// path() names it from then on. Fails with bad_data for corrupt or encrypted data, and for an archive without
// a graph.
std::unique_ptr<byte_source> unpack(const std::string& path, packing how, source_opener open);

// Calls visit(name, content) with every file in an archive, in its order. The source of the archive is
// seekable. Fails if visit() does, as unpack() does, and if a file is encrypted or there are more than
// 10,000.
using member_visitor = std::function<status(const std::string& name, byte_source& content)>;
status visit_archive(byte_source& packed, packing how, const member_visitor& visit);

// Finds the file of an archive that has the graph. That is the only file, or else the only one that is not a
// README, licence or metadata, or that has the name of a graph file, or that is named like its folder or the
// archive. Fails with bad_data and the list of files if there is none. `names` are without folders.
result<std::size_t> graph_among(const std::vector<std::string>& names, std::string_view archive);

}  // namespace orujo::internal::formats
