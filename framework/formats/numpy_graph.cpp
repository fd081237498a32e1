// Graphs of Python: arrays of edges (.npy), and SciPy's sparse matrices (.npz).
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "framework/formats/archive_source.hpp"
#include "framework/formats/document_readers.hpp"
#include "framework/formats/numpy_array.hpp"
#include "system/base/counted.hpp"

namespace orujo::internal::formats {
namespace {

status bad(std::string_view path, std::string_view what) {
  return {exit_status::bad_data, fmt::format("{}: {}", path, what)};
}

status append_weight(edge_list& list, const numpy_array& weights, std::uint64_t k,
                     const document_request& wanted) {
  const auto weight = weights.weight(k, list);
  if (!weight.ok()) return weight.status();
  if (wanted.non_negative_weights && weight.value() < 0)
    return bad(weights.path,
               fmt::format("entry {} is {}, a negative weight; expected none for shortest paths", k,
                           weight.value()));
  list.weights.push_back(weight.value());
  return {};
}

// Replaces ids by their ranks, ascending, as there are no other vertices.
void number_ids(document& made) {
  std::vector<std::uint64_t> ids;
  ids.reserve(2 * made.list.edges.size());
  for (const edge& e : made.list.edges) ids.insert(ids.end(), {e.source, e.target});
  std::ranges::sort(ids);
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  for (edge& e : made.list.edges) {
    for (std::uint64_t* end : {&e.source, &e.target})
      *end = static_cast<std::uint64_t>(std::ranges::lower_bound(ids, *end) - ids.begin());
  }
  made.vertices = ids.size();
  if (ids.empty() || ids.back() - ids.front() == ids.size() - 1) {
    made.first_id = ids.empty() ? 0 : ids.front();
  } else {
    made.ids = std::move(ids);
  }
}

// An array of edges: a row each, or a column.
result<document> edges_of(const numpy_array& array, const document_request& wanted,
                          std::uint64_t most_bytes) {
  const auto is_edge = [](std::uint64_t extent) { return extent == 2 || extent == 3; };
  if (!array.has_numbers() || array.shape.size() != 2 ||
      (!is_edge(array.shape[0]) && !is_edge(array.shape[1])))
    return bad(array.path,
               "not an array of edges; expected numbers with a row of 'source target' or 'source target "
               "weight' for each edge, or those in 2 or 3 rows");
  if (is_edge(array.shape[0]) && is_edge(array.shape[1]))
    return bad(array.path,
               fmt::format("{} rows of {} columns: the edges may be the rows or the columns; write such a "
                           "small graph as a table",
                           array.shape[0], array.shape[1]));
  const bool by_rows = is_edge(array.shape[1]);
  const std::uint64_t edges = array.shape[by_rows ? 0 : 1], columns = array.shape[by_rows ? 1 : 0];
  constexpr std::uint64_t bytes_of_edge = 4 * sizeof(edge);  // with those of numbering
  if (status no_room = check_room(array.bytes.size() + edges * bytes_of_edge, most_bytes, array.path);
      !no_room.ok())
    return no_room;
  document made;
  made.format = file_format::npy;
  made.ignores_its_weights = columns == 3 && wanted.ignores_weights;
  made.list.edges.reserve(edges);
  for (std::uint64_t k = 0; k < edges; ++k) {
    const auto place = [&](std::uint64_t column) {
      return by_rows ? array.place(k, column) : array.place(column, k);
    };
    const auto source = array.id(place(0)), target = array.id(place(1));
    if (!source.ok()) return source.status();
    if (!target.ok()) return target.status();
    made.list.edges.push_back({source.value(), target.value()});
    if (columns == 2 || wanted.ignores_weights) continue;
    if (status wrong = append_weight(made.list, array, place(2), wanted); !wrong.ok()) return wrong;
  }
  number_ids(made);
  return made;
}

using array_map = std::map<std::string, numpy_array>;

// A matrix as scipy.sparse.save_npz writes it. An entry is an edge from its row to its column.
class matrix_reader {
 public:
  matrix_reader(const array_map& arrays, std::string_view path, const document_request& wanted)
      : arrays_(arrays), path_(path), wanted_(wanted) {}

  result<document> read(std::uint64_t most_bytes) {
    const std::string format = arrays_.at("format").text();
    if (format != "csr" && format != "csc" && format != "coo")
      return bad(path_, fmt::format("a sparse matrix of the format '{}'; expected csr, csc or coo: "
                                    "scipy.sparse.save_npz(file, matrix.tocsr())",
                                    format));
    const numpy_array *shape = find("shape"), *data = find("data");
    if (status wrong = check_shape(shape); !wrong.ok()) return wrong;
    if (data == nullptr || data->shape.size() != 1)
      return bad(path_, "no array 'data' with an entry for each edge");
    const bool by_rows = wanted_.rows && format == "csr" && made_.vertices <= most_vertices_of_rows;
    std::uint64_t taken = data->size() * (by_rows ? sizeof(std::uint32_t) : sizeof(edge));
    for (const auto& [name, array] : arrays_) taken += array.bytes.size();
    if (status no_room = check_room(taken, most_bytes, path_); !no_room.ok()) return no_room;
    if (by_rows) made_.rows.emplace().reserve(data->size(), has_weights(*data));
    made_.format = file_format::npz;
    made_.ignores_its_weights = data->kind != 'b' && wanted_.ignores_weights;
    made_.list.edges.reserve(by_rows ? edges_at_a_time : data->size());
    const status wrong = format == "coo" ? read_pairs(*data) : read_rows(*data, format == "csc");
    if (!wrong.ok()) return wrong;
    if (by_rows) move_to_rows();
    return std::move(made_);
  }

 private:
  static constexpr std::size_t edges_at_a_time = std::size_t{1} << 14;  // on their way to rows

  const numpy_array* find(const std::string& name) const {
    const auto found = arrays_.find(name);
    return found == arrays_.end() ? nullptr : &found->second;
  }

  status check_shape(const numpy_array* shape) {
    if (shape == nullptr || shape->size() != 2 || !shape->has_numbers())
      return bad(path_, "no array 'shape' with two numbers; expected a matrix of scipy.sparse.save_npz");
    const auto rows = shape->id(0), columns = shape->id(1);
    if (!rows.ok()) return rows.status();
    if (!columns.ok()) return columns.status();
    if (rows.value() != columns.value())
      return bad(path_,
                 fmt::format("a matrix of {} and {}; expected a square one, of a graph's vertices",
                             base::counted(rows.value(), "row"), base::counted(columns.value(), "column")));
    made_.vertices = rows.value();
    return {};
  }

  // Bools say that an edge is there, and no weight.
  bool has_weights(const numpy_array& data) const { return data.kind != 'b' && !wanted_.ignores_weights; }

  status add(edge e, const numpy_array& data, std::uint64_t k) {
    if (e.source >= made_.vertices || e.target >= made_.vertices)
      return bad(path_, fmt::format("entry {} is in row {}, column {}; expected 0 to {}", k, e.source,
                                    e.target, made_.vertices - 1));
    if (made_.rows && made_.list.edges.size() == edges_at_a_time) move_to_rows();
    made_.list.edges.push_back(e);
    return has_weights(data) ? append_weight(made_.list, data, k, wanted_) : status();
  }

  void move_to_rows() {
    made_.rows->append(made_.list);
    made_.list.edges.clear();
    made_.list.weights.clear();
  }

  status check_arrays(const numpy_array* first, const numpy_array* second, const numpy_array& data,
                      std::string_view names) const {
    const auto is_good = [](const numpy_array* a) { return a && a->has_numbers() && a->shape.size() == 1; };
    if (!is_good(first) || !is_good(second))
      return bad(path_,
                 fmt::format("no arrays {} of numbers; expected a matrix of scipy.sparse.save_npz", names));
    if (has_weights(data) && !data.has_numbers())
      return bad(path_, "'data' has no real numbers; expected some, or --ignore_weights");
    return {};
  }

  status read_pairs(const numpy_array& data) {
    const numpy_array *rows = find("row"), *columns = find("col");
    if (status wrong = check_arrays(rows, columns, data, "'row' and 'col'"); !wrong.ok()) return wrong;
    if (rows->size() != data.size() || columns->size() != data.size())
      return bad(path_, fmt::format("{} and {} for {}", base::counted(rows->size(), "row"),
                                    base::counted(columns->size(), "column"),
                                    base::counted(data.size(), "entry", "entries")));
    for (std::uint64_t k = 0; k < data.size(); ++k) {
      const auto row = rows->id(k), column = columns->id(k);
      if (!row.ok()) return row.status();
      if (!column.ok()) return column.status();
      if (status wrong = add({row.value(), column.value()}, data, k); !wrong.ok()) return wrong;
    }
    return {};
  }

  // Row r has entries indptr[r] to indptr[r + 1] - 1, whose columns are in 'indices'; of csc columns and
  // rows.
  status read_rows(const numpy_array& data, bool by_columns) {
    const numpy_array *ends = find("indptr"), *indices = find("indices");
    if (status wrong = check_arrays(ends, indices, data, "'indptr' and 'indices'"); !wrong.ok()) return wrong;
    if (ends->size() != made_.vertices + 1 || indices->size() != data.size())
      return bad(path_, fmt::format("{} and {} for {} and {}", base::counted(ends->size(), "offset"),
                                    base::counted(indices->size(), "index", "indices"),
                                    base::counted(made_.vertices, "row"),
                                    base::counted(data.size(), "entry", "entries")));
    std::uint64_t k = 0;
    for (std::uint64_t row = 0; row <= made_.vertices; ++row) {
      const auto end = ends->id(row);
      if (!end.ok()) return end.status();
      const std::uint64_t least = row == made_.vertices ? data.size() : k, most = row == 0 ? 0 : data.size();
      if (end.value() < least || end.value() > most)
        return bad(path_, fmt::format("offset {} of 'indptr' is {}; expected {} to {}", row, end.value(),
                                      least, most));
      for (; k < end.value(); ++k) {
        const auto index = indices->id(k);
        if (!index.ok()) return index.status();
        const edge e{row - 1, index.value()};
        if (status wrong = add(by_columns ? edge{e.target, e.source} : e, data, k); !wrong.ok()) return wrong;
      }
    }
    return {};
  }

  const array_map& arrays_;
  const std::string_view path_;
  const document_request& wanted_;
  document made_;
};

bool is_of_matrix(std::string_view name) {
  return name == "format" || name == "shape" || name == "data" || name == "indptr" || name == "indices" ||
         name == "row" || name == "col";
}

}  // namespace

result<document> read_npy(byte_source& source, const document_request& wanted, std::uint64_t most_bytes) {
  const auto array = read_numpy(source, source.path(), most_bytes);
  if (!array.ok()) return array.status();
  return edges_of(array.value(), wanted, most_bytes);
}

result<document> read_npz(byte_source& source, const document_request& wanted, std::uint64_t most_bytes) {
  constexpr std::string_view suffix = ".npy";
  if (!source.seekable()) return bad(source.path(), "a compressed .npz cannot be read; decompress it first");
  array_map arrays;
  std::uint64_t taken = 0;
  std::size_t others = 0;
  std::string names;
  const auto take = [&](const std::string& member, byte_source& content) -> status {
    std::string name = member.ends_with(suffix) ? member.substr(0, member.size() - suffix.size()) : "";
    if (name.empty() || name.starts_with('_')) return {};
    names += (names.empty() ? "'" : ", '") + name + "'";
    if (!is_of_matrix(name) && ++others > 1) return {};
    auto array = read_numpy(content, source.path() + "/" + member, most_bytes - taken);
    if (!array.ok()) return array.status();
    taken += array.value().bytes.size();
    if (!arrays.emplace(std::move(name), std::move(array).value()).second)
      return bad(source.path(), fmt::format("holds '{}' twice; get the file again", member));
    return {};
  };
  if (status failed = visit_archive(source, packing::zip, take); !failed.ok()) return failed;
  if (arrays.contains("format")) return matrix_reader(arrays, source.path(), wanted).read(most_bytes);
  if (arrays.size() == 1 && others < 2) return edges_of(arrays.begin()->second, wanted, most_bytes - taken);
  return bad(
      source.path(),
      fmt::format("holds {}; expected a matrix of scipy.sparse.save_npz, or one array of edges: save that "
                  "by numpy.save",
                  names.empty() ? "no array" : names));
}

}  // namespace orujo::internal::formats
