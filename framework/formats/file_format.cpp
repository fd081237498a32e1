#include "framework/formats/file_format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "framework/formats/byte_sink.hpp"

namespace orujo::internal::formats {
namespace {

constexpr std::string_view format_names[] = {
    "edge_list", "matrix_market", "dimacs", "metis",   "csv",  "konect", "gap",
    "adjacency", "graph500",      "orj",    "graphml", "gexf", "gml",    "pajek",
    "dot",       "json",          "graph6", "adjlist", "npy",  "npz",    "ldbc"};
static_assert(std::size(format_names) == static_cast<std::size_t>(file_format::ldbc) + 1);

constexpr std::pair<std::string_view, file_format> suffixes[] = {
    {".el", file_format::edge_list},    {".wel", file_format::edge_list},
    {".txt", file_format::edge_list},   {".mtx", file_format::matrix_market},
    {".gr", file_format::dimacs},       {".graph", file_format::metis},
    {".metis", file_format::metis},     {".csv", file_format::csv},
    {".tsv", file_format::csv},         {".sg", file_format::gap},
    {".wsg", file_format::gap},         {".adj", file_format::adjacency},
    {".g500", file_format::graph500},   {".packed", file_format::graph500},
    {".orj", file_format::orj},         {".col", file_format::dimacs},
    {".max", file_format::dimacs},      {".graphml", file_format::graphml},
    {".gexf", file_format::gexf},       {".gml", file_format::gml},
    {".net", file_format::pajek},       {".dot", file_format::dot},
    {".gv", file_format::dot},          {".json", file_format::json},
    {".g6", file_format::graph6},       {".s6", file_format::graph6},
    {".d6", file_format::graph6},       {".adjlist", file_format::adjlist},
    {".properties", file_format::ldbc}, {".v", file_format::ldbc},
    {".e", file_format::ldbc},          {".npy", file_format::npy},
    {".npz", file_format::npz}};

}  // namespace

std::string_view name_of(file_format format) { return format_names[static_cast<std::size_t>(format)]; }

status no_names(std::string_view path, file_format format) {
  return {exit_status::bad_data,
          fmt::format("{}: vertices of {} have no names; remove --names{}", path, name_of(format),
                      format == file_format::orj ? "" : ", or pass --format=edge_list if this is one")};
}

status no_sides(std::string_view path, file_format format) {
  return {exit_status::bad_data,
          fmt::format("{}: edges of {} are between vertices of one set; remove --bipartite, or write a table",
                      path, name_of(format))};
}

std::optional<file_format> find_format(std::string_view name) {
  const auto found = std::ranges::find(format_names, name);
  if (found == std::end(format_names)) return {};
  return static_cast<file_format>(found - std::begin(format_names));
}

std::optional<file_format> format_of_path(std::string_view path) {
  take_compression(path);
  for (const auto& [suffix, format] : suffixes) {
    if (path.ends_with(suffix)) return format;
  }
  return {};
}

}  // namespace orujo::internal::formats
