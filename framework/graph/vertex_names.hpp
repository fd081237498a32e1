// Names of vertices, of which position k has the k-th in ascending order of their bytes.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "framework/formats/names.hpp"
#include "system/loops/forall.hpp"

namespace orujo::internal::graph {

// Each core keeps the names of a range of positions and finds those of all. One object per locale.
class vertex_names {
 public:
  // [task; suspends; collective over the job] mine: the calling core's names. Positions count those of core 0
  // first, then those of core 1, and so on.
  static std::shared_ptr<const vertex_names> share(formats::name_table mine);

  std::uint64_t count() const { return parts_.back().first; }
  // The names that the calling core keeps, and their positions.
  const formats::name_table& here() const;
  index_range range_here() const;

  // [task; suspends] The names of the positions first .. last - 1: two messages to each core that keeps some.
  formats::name_table part(std::uint64_t first, std::uint64_t last) const;
  // [task; suspends] The names of some positions, in their order. Costs a message each way, of the positions
  // and the names, for each core that keeps some.
  formats::name_table at(std::span<const std::uint64_t> positions) const;
  std::string name(std::uint64_t position) const { return std::string(part(position, position + 1)[0]); }
  // [task; suspends] The position of a name, if it has one. Fetches log2(count()) names in turn.
  std::optional<std::uint64_t> find(std::string_view name) const;

 private:
  // Where a core keeps its names; the pointers are valid in its process only.
  struct place {
    std::uint64_t first;
    const std::uint64_t* offsets;
    const char* bytes;
  };
  core_id keeper_of(std::uint64_t position) const;

  by_core<formats::name_table> tables_;  // by core of the locale
  by_core<place> parts_;                 // by core, and the end
};

}  // namespace orujo::internal::graph
