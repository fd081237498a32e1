// An .orj file in memory, put together deliberately: also one that no writer should produce.
#pragma once

#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "framework/formats/orj_header.hpp"
#include "system/files/checksum.hpp"

namespace orujo::internal::formats {

template <class T>
std::string bytes_of(const std::vector<T>& values) {
  return values.empty()
             ? std::string()
             : std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
}

struct orj_image {
  orj_header header;
  std::map<orj_section, std::string> sections;

  // The file, with the right checksums whatever it holds. Sections must be as large as the header's numbers
  // say.
  std::string file() {
    place_sections(header, {.ids = !sections[orj_section::ids].empty(),
                            .name_bytes = sections[orj_section::names].size(),
                            .names = !sections[orj_section::name_offsets].empty()});
    std::string made(header.file_bytes, '\0');
    std::vector<std::uint64_t> blocks;
    for (std::size_t k = 0; k + 1 < orj_sections; ++k) {
      const std::string& content = sections[static_cast<orj_section>(k)];
      made.replace(header.places[k].first, content.size(), content);
      const std::size_t before = blocks.size();
      for (std::size_t at = 0; at < content.size(); at += orj_block_bytes)
        blocks.push_back(files::checksum(std::as_bytes(std::span(content).subspan(at).first(
            std::min<std::size_t>(orj_block_bytes, content.size() - at)))));
      if (!content.empty())
        header.places[k].checksum = files::checksum(std::as_bytes(std::span(blocks).subspan(before)));
    }
    const std::string table = bytes_of(blocks);
    made.replace(header[orj_section::checksums].first, table.size(), table);
    const auto start = encode_header(header);
    std::memcpy(made.data(), start.data(), start.size());
    return made;
  }
};

// 0 -> 1 (0.5), 0 -> 2 (1.5), 2 -> 1 (2.5), 2 -> 2 (3.5), of the ids 10, 20 and 40.
inline orj_image small_orj_image() {
  orj_image image;
  orj_header& h = image.header;
  h.vertices = 3;
  h.edges = 4;
  h.weighted = true;
  h.no_parallel_edges = true;
  image.sections[orj_section::in_offsets] = bytes_of<std::uint64_t>({0, 0, 2, 4});
  image.sections[orj_section::in_neighbours] = bytes_of<std::uint32_t>({0, 2, 0, 2});
  image.sections[orj_section::in_weights] = bytes_of<float>({0.5f, 2.5f, 1.5f, 3.5f});
  image.sections[orj_section::out_offsets] = bytes_of<std::uint64_t>({0, 2, 2, 4});
  image.sections[orj_section::out_neighbours] = bytes_of<std::uint32_t>({1, 2, 1, 2});
  image.sections[orj_section::out_weights] = bytes_of<float>({0.5f, 1.5f, 2.5f, 3.5f});
  image.sections[orj_section::ids] = bytes_of<std::uint64_t>({10, 20, 40});
  // One slice, which is one bundle of the vertices 1 and 2, two edges deep.
  h.vectors = 3;
  h.slices = h.segments = 1;
  h.bundle_depth = 32;
  constexpr std::uint32_t valid = 1u << 31, bit = 1u << 30;
  image.sections[orj_section::vectors] =
      bytes_of<std::uint32_t>({valid | 1, valid | 2 | bit, 1, 1, 1, 1, 1, 1,  //
                               valid,     valid,           0, 0, 0, 0, 0, 0,  //
                               valid | 2, valid | 2,       0, 0, 0, 0, 0, 0});
  image.sections[orj_section::vector_weights] = bytes_of<float>({0,    0,    0, 0, 0, 0, 0, 0,  //
                                                                 0.5f, 1.5f, 0, 0, 0, 0, 0, 0,  //
                                                                 2.5f, 3.5f, 0, 0, 0, 0, 0, 0});
  image.sections[orj_section::top_level] = bytes_of<std::uint32_t>({0});
  image.sections[orj_section::slices] = bytes_of<std::uint64_t>({0, 0, 3});
  image.sections[orj_section::source_bounds] = bytes_of<std::uint32_t>({0, 3});
  return image;
}

}  // namespace orujo::internal::formats
