// Names of vertices, of which position k has the k-th in ascending order of their bytes.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "framework/formats/names.hpp"
#include "system/loops/forall.hpp"

namespace orujo::graph {

// Each core has those of a range of positions, and all are found from everywhere. One object per locale, the
// same names for every one.
class vertex_names {
 public:
  // [task; suspends; collective over the job] mine: the calling core's, which come behind those of the cores
  // before it.
  static std::shared_ptr<const vertex_names> share(formats::name_table mine);

  std::uint64_t count() const { return parts_.back().first; }
  // The calling core's, and the positions that have them.
  const formats::name_table& here() const;
  loops::index_range range_here() const;

  // [task; suspends] Those of the positions first .. last - 1: two messages to each core that has some.
  formats::name_table part(std::uint64_t first, std::uint64_t last) const;
  std::string name(std::uint64_t position) const { return std::string(part(position, position + 1)[0]); }
  // [task; suspends] Asks for log2 of the number of vertices names.
  std::optional<std::uint64_t> find(std::string_view name) const;

 private:
  // Of a core, and valid in its process only.
  struct place {
    std::uint64_t first;
    const std::uint64_t* offsets;
    const char* bytes;
  };
  std::vector<formats::name_table> tables_;  // by core of the locale
  std::vector<place> parts_;                 // by core, and the end
};

}  // namespace orujo::graph
