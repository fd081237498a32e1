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
inline constexpr std::string_view gzip_magic = "\x1f\x8b", zstd_magic = "\x28\xb5\x2f\xfd";

// Opens the packed bytes anew, at their start.
using source_opener = std::function<result<std::unique_ptr<byte_source>>()>;

// What is packed in a file, as a source that is read from its start to its end. Nothing is unpacked before
// the first read(), which goes through the archive to find the one file that has a graph, as graph_among()
// has it; from then on path() says which. bad_data: corrupt or encrypted data, and an archive without a
// graph.
std::unique_ptr<byte_source> unpack(const std::string& path, packing how, source_opener open);

// Which file of an archive has the graph: the only one; or else the only one that is no README, licence or
// metadata; or whose name is that of a graph file's; or that is called as its folder or the archive is. Where
// none is, bad_data with the list. `names` are without folders.
result<std::size_t> graph_among(const std::vector<std::string>& names, std::string_view archive);

}  // namespace orujo::formats
