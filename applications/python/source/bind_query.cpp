// Queries.
#include <nanobind/stl/optional.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "query.hpp"
#include "text.hpp"

namespace orujo::internal::python {

using namespace nb::literals;

namespace {

using relational::kind;
using words_of_column = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using nulls_of_column = nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// A table of columns is (name, rows, everywhere, [(name, type, words, nulls, texts), ...]), one of a file
// (name, path), one of a graph (name, graph).
given_table table_of(const nb::tuple& from) {
  given_table made{.name = bytes_of(from[0])};
  if (from.size() == 2) {
    if (!nb::try_cast(from[1], made.graph)) made.path = bytes_of(from[1]);
    made.everywhere = made.graph != nullptr;
    if (made.graph) made.rows = made.graph->facts().edges;
    return made;
  }
  made.rows = nb::cast<std::uint64_t>(from[1]);
  made.everywhere = nb::cast<bool>(from[2]);
  for (const nb::handle each : nb::cast<nb::list>(from[3])) {
    const auto all = nb::cast<nb::tuple>(each);
    const auto type = bytes_of(all[1]);
    table_column c{.name = bytes_of(all[0]),
                   .type = type == "integer" ? kind::integer
                           : type == "real"  ? kind::real
                                             : kind::text};
    c.words = nb::cast<words_of_column>(all[2]).data();
    if (!all[3].is_none()) c.nulls = nb::cast<nulls_of_column>(all[3]).data();
    c.texts = texts_of(nb::cast<nb::list>(all[4]));
    made.columns.push_back(std::move(c));
  }
  return made;
}

nb::list texts_in(const found_column& c) {
  nb::list all;
  const auto bytes = c.bytes.all();
  std::size_t first = 0;
  for (std::size_t row = 0; row < c.words.size(); ++row) {
    const auto size = static_cast<std::size_t>(c.words.all()[row]);
    if (c.nulls.size() > 0 && c.nulls.all()[row]) {
      all.append(nb::none());
    } else {
      all.append(str_of({reinterpret_cast<const char*>(bytes.data()) + first, size}));
    }
    first += size;
  }
  return all;
}

// (name, values, nulls or None); texts are a list.
nb::tuple shown_column(const found_column& c) {
  const nb::object nulls = c.nulls.size() > 0 ? array_of(c.nulls) : nb::object(nb::none());
  const nb::object found = c.type == kind::integer ? array_of(c.words)
                           : c.type == kind::real  ? array_of(c.reals)
                                                   : nb::object(texts_in(c));
  return nb::make_tuple(str_of(c.name), found, nulls);
}

}  // namespace

void define_query(nb::module_& m) {
  m.def(
      "query",
      [](const nb::str& sql, const nb::list& tables) {
        const std::string text = bytes_of(sql);
        std::vector<given_table> all;
        for (const nb::handle each : tables) all.push_back(table_of(nb::cast<nb::tuple>(each)));
        const found_rows found = unlocked([&] { return query(text, all); });
        nb::list columns;
        for (const found_column& c : found.columns) columns.append(shown_column(c));
        return columns;
      },
      "sql"_a, "tables"_a);
}

}  // namespace orujo::internal::python
