// A value of every vertex out of a file.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "framework/graph/distributed_graph.hpp"
#include "framework/graph/property.hpp"
#include "framework/results/by_position.hpp"
#include "system/base/status.hpp"
#include "system/delegates/bulk.hpp"
#include "system/delegates/delegate.hpp"

namespace orujo::results {

namespace detail {

// A vertex's value as it is read, and where it belongs.
template <class Wide>
struct owned_value {
  Wide value;
  std::uint32_t local;
  core_id owner;
};

// [task; suspends; collective over the job] Some of the file's values, each at one core; all cores fail
// alike. ids: of all vertices by position, or null if vertices have names. Wide is float, double,
// `std::int64_t` or `std::uint64_t`.
template <class Wide>
result<std::vector<owned_value<Wide>>> read_here(const graph::locale_graph& g,
                                                 const containers::global_array<std::uint64_t>* ids,
                                                 const std::string& path, Wide least, Wide most);

template <class T>
using wide = std::conditional_t<std::is_floating_point_v<T>, T,
                                std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>>;

template <class T>
status read_values_here(graph::distributed_graph graph, graph::property<T> property,
                        const containers::global_array<std::uint64_t>* ids, const std::string& path) {
  using limits = std::numeric_limits<T>;
  const auto read = read_here<wide<T>>(graph.here(), ids, path, limits::lowest(), limits::max());
  if (!read.ok()) return read.status();
  delegates::completion_event written;
  for (const owned_value<wide<T>>& v : read.value()) {
    delegates::async_call(
        written.ref(), v.owner,
        [property, local = v.local, value = static_cast<T>(v.value)] { property.here()[local] = value; });
  }
  written.wait();
  return {};
}

}  // namespace detail

// [task; suspends] Gives vertices the values of a text file as write_values() writes it. A line is "ID
// VALUE", or "NAME VALUE" if vertices have names, in any order. Vertices without a line keep their values.
// Empty lines and those that begin with '#' or '%' are skipped, so a name that begins like that cannot be
// read. A FILE.csv is a table, with or without the header that write_values() writes, and has no comments.
// Every locale has to see the file. All cores read a plain file, core 0 a compressed one. Takes about 32
// bytes per line and 24 per vertex, and the names, spread over the readers. Fails as open_source() does.
// Fails with bad_data, `"FILE:LINE:COLUMN: what; what is expected"`, if a line is wrong, or if a vertex is
// not in the graph or has a value already. No value is changed then. The property is one of this graph.
template <class T>
status read_values(graph::distributed_graph graph, graph::property<T> property, const std::string& path,
                   const call_site& at = call_site::current()) {
  static_assert(
      (std::is_floating_point_v<T> && sizeof(T) <= 8) || (std::is_integral_v<T> && !std::is_same_v<T, bool>),
      "values are read as numbers");
  property.require_graph(graph.here(), at);
  const bool named = graph.here().names != nullptr;
  const auto id_of = [](const graph::locale_graph& g, std::uint32_t v) { return g.external_id(v); };
  const auto ids =
      named ? containers::global_array<std::uint64_t>::create(0) : by_position<std::uint64_t>(graph, id_of);
  const memory::global_address<const char> text(my_core(), path.data());
  status outcome = loops::on_all_cores([=, length = path.size()] {
    std::string file(length, '\0');
    delegates::get(text, std::span(file));
    return detail::read_values_here(graph, property, named ? nullptr : &ids, file);
  });
  ids.destroy();
  return outcome;
}

}  // namespace orujo::results
