// A value of every vertex out of a file.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include "framework/graph/distributed_graph.hpp"
#include "framework/graph/property.hpp"
#include "framework/results/by_position.hpp"
#include "system/base/status.hpp"
#include "system/delegates/delegate.hpp"

namespace orujo::internal::results {

namespace detail {

// A vertex's value as it is read, and where it belongs.
template <class Wide>
struct owned_value {
  Wide value;
  std::uint32_t local;
  core_id owner;
};

// Sets the value that a text has. Returns "", or "what; what is expected" for a text that has none.
template <class Wide>
using value_reader = std::function<std::string(std::string_view text, Wide& value)>;

// A reader of numbers. Wide is float, double, `std::int64_t` or `std::uint64_t`.
template <class Wide>
value_reader<Wide> number_reader(Wide least, Wide most);

// [task; suspends; collective over the job] Some of the file's values, each at one core; all cores fail
// alike. ids: of all vertices by position, or null if vertices have names.
template <class Wide>
result<std::vector<owned_value<Wide>>> read_here(const graph::locale_graph& g,
                                                 const containers::global_array<std::uint64_t>* ids,
                                                 const std::string& path, const value_reader<Wide>& read);

template <class T>
using wide = std::conditional_t<std::is_floating_point_v<T>, T,
                                std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>>;

// Makes a reader of the numbers that a T holds.
template <class T>
struct numbers_of {
  value_reader<wide<T>> operator()() const {
    return number_reader<wide<T>>(std::numeric_limits<T>::lowest(), std::numeric_limits<T>::max());
  }
};

// Makes a reader of places in a list of words, from 1 on; 0 for others.
struct places_in {
  std::vector<std::string> words;

  value_reader<std::uint64_t> operator()() const {
    return [this](std::string_view word, std::uint64_t& place) {
      const auto at = std::ranges::find(words, word);
      place = at == words.end() ? 0 : static_cast<std::uint64_t>(at - words.begin()) + 1;
      return std::string();
    };
  }
  template <class Archive>
  void serialize(Archive& archive) {
    archive(words);
  }
};

// [task; suspends] make_reader() returns a value_reader at every core.
template <class T, class MakeReader>
status read_values(graph::distributed_graph graph, graph::property<T> property, const std::string& path,
                   const MakeReader& make_reader) {
  const bool named = graph.here().names != nullptr;
  const auto id_of = [](const graph::locale_graph& g, std::uint32_t v) { return g.external_id(v); };
  const auto ids =
      named ? containers::global_array<std::uint64_t>::create(0) : by_position<std::uint64_t>(graph, id_of);
  status outcome = loops::on_all_cores(
      [=](const std::tuple<std::string, MakeReader>& given) -> status {
        const auto& [file, reader] = given;
        const auto read = read_here<wide<T>>(graph.here(), named ? nullptr : &ids, file, reader());
        if (!read.ok()) return read.status();
        delegates::completion_event written;
        for (const owned_value<wide<T>>& v : read.value()) {
          delegates::async_call(written.ref(), v.owner,
                                [property, local = v.local, value = static_cast<T>(v.value)] {
                                  property.here()[local] = value;
                                });
        }
        written.wait();
        return {};
      },
      std::tuple(path, make_reader));
  ids.destroy();
  return outcome;
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
  return detail::read_values(graph, property, path, detail::numbers_of<T>());
}

// [task; suspends] Does the same for a file with a word per vertex. A vertex gets the place of its word in
// `words`, from 1 on, or 0 where it is not among them.
inline status read_words(graph::distributed_graph graph, graph::property<std::uint32_t> property,
                         const std::string& path, const std::vector<std::string>& words,
                         const call_site& at = call_site::current()) {
  property.require_graph(graph.here(), at);
  return detail::read_values(graph, property, path, detail::places_in{words});
}

}  // namespace orujo::internal::results
