// The choice of the graph's file in an archive.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "framework/formats/archive_source.hpp"
#include "framework/formats/file_format.hpp"
#include "framework/formats/header_reader.hpp"

namespace orujo::internal::formats {
namespace {

constexpr std::size_t members_shown = 5;

std::string_view base_of(std::string_view path) { return path.substr(path.rfind('/') + 1); }  // npos + 1 is 0

// The name up to its first dot.
std::string_view stem_of(std::string_view path) {
  const std::string_view base = base_of(path);
  return base.substr(0, base.find('.'));
}

std::string_view folder_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == path.npos ? std::string_view() : base_of(path.substr(0, slash));
}

bool is_about(std::string_view path) {
  const std::string base = lower(base_of(path));
  for (const std::string_view start : {"readme", "license", "licence", "copying", "meta.", "ent."}) {
    if (base.starts_with(start)) return true;
  }
  return base.ends_with(".md") || base.ends_with(".html") || base.ends_with(".pdf");
}

bool is_named_as_graph(std::string_view path) {
  return base_of(path).starts_with("out.") || format_of_path(path).has_value();
}

std::string listed(const std::vector<std::string>& names) {
  std::string list;
  for (std::size_t k = 0; k < std::min(names.size(), members_shown); ++k)
    list += (k > 0 ? ", '" : "'") + names[k] + "'";
  return names.size() <= members_shown ? list
                                       : fmt::format("{} and {} more", list, names.size() - members_shown);
}

}  // namespace

result<std::size_t> graph_among(const std::vector<std::string>& names, std::string_view archive) {
  const auto refuse = [&](std::string_view what) {
    return status(exit_status::bad_data, fmt::format("{}: {}; {}", archive, what, unpack_remedy));
  };
  if (names.empty()) return refuse("holds no file");
  std::vector<std::size_t> left(names.size());
  for (std::size_t k = 0; k < left.size(); ++k) left[k] = k;
  const auto keep_those = [&](auto is_one) {
    std::vector<std::size_t> some;
    std::ranges::copy_if(left, std::back_inserter(some), [&](std::size_t k) { return is_one(names[k]); });
    if (!some.empty()) left = some;
    return left.size() == 1;
  };
  if (left.size() == 1) return left[0];
  if (keep_those([](const std::string& name) { return !is_about(name); })) return left[0];
  if (keep_those(is_named_as_graph)) return left[0];
  const bool one = keep_those([&](const std::string& name) {
    return stem_of(name) == folder_of(name) || stem_of(name) == stem_of(archive);
  });
  if (one) return left[0];
  return refuse(
      fmt::format("holds several files, and it is not clear which is the graph: {}", listed(names)));
}

}  // namespace orujo::internal::formats
