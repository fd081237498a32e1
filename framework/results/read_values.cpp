#include "framework/results/read_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <system_error>
#include <utility>

#include "framework/formats/byte_sink.hpp"
#include "framework/formats/byte_source.hpp"
#include "framework/formats/feed_range.hpp"
#include "framework/formats/line_ends.hpp"
#include "framework/formats/text_tokens.hpp"
#include "framework/formats/value_lines.hpp"
#include "framework/graph/vertex_names.hpp"
#include "framework/results/table_rows.hpp"
#include "system/collectives/collectives.hpp"

namespace orujo::internal::results::detail {
namespace {

template <class Wide>
struct read_line {
  std::uint64_t vertex;  // its id, or how many bytes its name has
  std::uint64_t line;    // of the file, from 1
  Wide value;
  std::uint32_t column;  // of the vertex, from 1
};

// One core's part of reading.
template <class Wide>
struct file_part {
  std::vector<read_line<Wide>> lines;
  std::string names;  // of the lines, one after the other
};

std::string place(const std::string& path, std::uint64_t line, std::uint32_t column) {
  return fmt::format("{}:{}:{}: ", path, line, column);
}

template <class Wide>
std::string why_no_value(std::string_view token, std::errc error, Wide least, Wide most) {
  const std::string_view why =
      error == std::errc::invalid_argument ? "is not a valid number" : "does not fit the values";
  return std::is_floating_point_v<Wide>
             ? fmt::format("{} {}; expected a decimal number", formats::shown(token), why)
             : fmt::format("{} {}; expected a whole number from {} to {}", formats::shown(token), why, least,
                           most);
}

status feed_stream(formats::byte_source& source, formats::value_parser& parser) {
  std::vector<char> buffer(std::size_t{1} << 20);
  formats::text_stream stream(source);
  while (!parser.failed()) {
    const auto got = stream.read(buffer);
    if (!got.ok()) return got.status();
    if (got.value() == 0) break;
    parser.feed({buffer.data(), got.value()});
  }
  parser.finish();
  return {};
}

// [task; suspends; collective over the job] All cores fail alike.
template <class Wide>
result<file_part<Wide>> read_part(const std::string& path, bool named, const value_reader<Wide>& value_of) {
  const auto opened = formats::open_source(path);
  if (status failure = collectives::first_failure(opened.status()); !failure.ok()) return failure;
  formats::byte_source& source = *opened.value();
  file_part<Wide> part;
  const auto take = [&](const formats::value_line& line, std::uint32_t& wrong_column) -> std::string {
    read_line<Wide> read{line.vertex.size(), line.line, {}, line.vertex_column};
    wrong_column = line.vertex_column;
    if (named) {
      part.names += line.vertex;
    } else if (formats::parse_number(line.vertex, read.vertex) != std::errc()) {
      return formats::why_no_id(line.vertex, {});
    }
    wrong_column = line.value_column;
    const std::string wrong = value_of(line.value, read.value);
    if (wrong.empty()) part.lines.push_back(read);
    return wrong;
  };
  const index_range bytes = source.seekable() ? my_part_of_job({0, source.size()}) : index_range{};
  std::string_view name = source.path();
  formats::take_compression(name);
  using layout = formats::value_parser::layout;
  formats::value_parser parser(source.seekable() ? bytes.first == 0 : true, take,
                               row_format_of(name) == row_format::csv ? layout::table : layout::lines);
  status failure;
  if (source.seekable()) {
    failure = formats::feed_range(source, 0, bytes.first, bytes.last, parser,
                                  [](std::uint64_t, std::uint64_t) { return status(); });
  } else if (my_core() == 0) {
    failure = feed_stream(source, parser);
  }
  const auto lines_before = collectives::exclusive_sum<std::uint64_t>(parser.lines());
  if (failure.ok() && parser.failed())
    failure = status(exit_status::bad_data,
                     place(path, lines_before + parser.lines() + 1, parser.error_column()) + parser.error());
  if (failure = collectives::first_failure(failure); !failure.ok()) return failure;
  for (read_line<Wide>& line : part.lines) line.line += lines_before;
  return part;
}

// The number of ascending keys that are at most `key`.
template <class Table, class Key>
std::size_t at_most(const Table& keys, const Key& key) {
  std::size_t first = 0, last = keys.size();
  while (first < last) {
    const std::size_t middle = first + (last - first) / 2;
    if (keys[middle] <= key) {
      first = middle + 1;
    } else {
      last = middle;
    }
  }
  return first;
}

// Vertices by ids: every core has those of a range of positions.
struct by_id {
  std::span<const std::uint64_t> mine;
  std::size_t first_position;
  std::vector<std::uint64_t> firsts = {};  // of the ranges that are not empty
  std::vector<core_id> cores = {};         // parallel

  // [task; suspends; collective over the job]
  static by_id share(const containers::global_array<std::uint64_t>& ids) {
    by_id made{ids.local(), ids.range_here().first};
    const std::vector<std::uint64_t> first(made.mine.begin(),
                                           made.mine.begin() + (made.mine.empty() ? 0 : 1));
    const auto all = collectives::all_gather(first);
    for (std::size_t c = 0; c < all.size(); ++c) {
      if (all[c].empty()) continue;
      made.firsts.push_back(all[c][0]);
      made.cores.push_back(static_cast<core_id>(c));
    }
    return made;
  }
  template <class Line>
  static std::uint64_t take_key(const Line& line, std::string_view&) {
    return line.vertex;
  }
  static std::string shown(std::uint64_t id) { return std::to_string(id); }
};

// And by names.
struct by_name {
  const formats::name_table& mine;
  std::size_t first_position;
  formats::name_table firsts = {};
  std::vector<core_id> cores = {};

  // [task; suspends; collective over the job]
  static by_name share(const graph::vertex_names& names) {
    by_name made{names.here(), names.range_here().first};
    const std::string_view first =
        made.mine.size() > 0 ? made.mine[0] : std::string_view();  // names are not empty
    const auto all = collectives::all_gather(std::vector<char>(first.begin(), first.end()));
    for (std::size_t c = 0; c < all.size(); ++c) {
      if (all[c].empty()) continue;
      made.firsts.push_back({all[c].data(), all[c].size()});
      made.cores.push_back(static_cast<core_id>(c));
    }
    return made;
  }
  template <class Line>
  static std::string_view take_key(const Line& line, std::string_view& names) {
    const std::string_view name = names.substr(0, line.vertex);
    names.remove_prefix(line.vertex);
    return name;
  }
  static std::string shown(std::string_view name) { return formats::shown(name); }
};

// The first mistake among lines that are well-formed.
struct wrong_line {
  std::uint64_t line = ~std::uint64_t{0};
  std::uint32_t column = 0;
  std::array<char, 240> text = {};
};

template <class Wide>
struct given_value {
  std::uint64_t line = 0;  // that gave it; 0: none
  Wide value;
};

// [task; suspends; collective over the job] The values of the calling core's range of positions. All cores
// fail alike.
template <class Wide, class Keys>
result<std::vector<given_value<Wide>>> sort_out(file_part<Wide> part, const Keys& keys,
                                                const std::string& path) {
  by_core<std::vector<read_line<Wide>>> lines(cores());
  by_core<std::vector<char>> names(cores());
  std::string_view rest = part.names;
  for (const read_line<Wide>& line : part.lines) {
    const std::string_view before = rest;
    const std::size_t begun = at_most(keys.firsts, Keys::take_key(line, rest));
    const core_id to = begun == 0 ? 0 : keys.cores[begun - 1];
    lines[to].push_back(line);
    names[to].insert(names[to].end(), before.begin(),
                     before.end() - static_cast<std::ptrdiff_t>(rest.size()));
  }
  part = {};
  const auto lines_here = collectives::all_to_all(lines);
  const auto names_here = collectives::all_to_all(names);

  std::vector<given_value<Wide>> given(keys.mine.size());
  wrong_line wrong;
  const auto note = [&](const read_line<Wide>& line, const std::string& text) {
    if (line.line > wrong.line) return;
    wrong = {line.line, line.column, {}};
    text.copy(wrong.text.data(), wrong.text.size() - 1);
  };
  std::size_t next = 0;  // after the last one found: most come in ascending order
  for (std::size_t c = 0; c < lines_here.size(); ++c) {
    rest = {names_here[c].data(), names_here[c].size()};
    for (const read_line<Wide>& line : lines_here[c]) {
      const auto key = Keys::take_key(line, rest);
      if (next == given.size() || keys.mine[next] != key) next = at_most(keys.mine, key) - 1;
      if (next >= given.size() || keys.mine[next] != key) {
        note(line, fmt::format("{} is not in the graph; expected one of its vertices", Keys::shown(key)));
        next = 0;
        continue;
      }
      given_value<Wide>& to = given[next++];
      if (to.line != 0)
        note(line, fmt::format("{} has a value already, of line {}; expected each vertex once",
                               Keys::shown(key), to.line));
      to = {line.line, line.value};
    }
  }
  wrong = collectives::all_reduce(
      wrong, [](const wrong_line& a, const wrong_line& b) { return b.line < a.line ? b : a; });
  if (wrong.column > 0)
    return status(exit_status::bad_data, place(path, wrong.line, wrong.column) + wrong.text.data());
  return given;
}

template <class Wide, class Keys>
result<std::vector<owned_value<Wide>>> find_owners(const graph::locale_graph& g, file_part<Wide> part,
                                                   const Keys& keys, const std::string& path) {
  const auto given = sort_out(std::move(part), keys, path);
  if (!given.ok()) return given.status();
  std::vector<owned_value<Wide>> owned;
  for (std::size_t k = 0; k < given.value().size(); ++k) {
    if (given.value()[k].line == 0) continue;
    const std::uint64_t number = g.numbers.number(keys.first_position + k);
    const core_id owner = g.owners.owner(number);
    const core_id leader = shape().first_core_of(shape().locale_of(owner));
    owned.push_back(
        {given.value()[k].value, static_cast<std::uint32_t>(number - g.owners.first_of(leader)), owner});
  }
  return owned;
}

}  // namespace

template <class Wide>
value_reader<Wide> number_reader(Wide least, Wide most) {
  return [least, most](std::string_view text, Wide& value) -> std::string {
    std::errc error = formats::parse_number(text, value);
    if (!std::is_floating_point_v<Wide> && error == std::errc() && (value < least || value > most))
      error = std::errc::result_out_of_range;
    return error == std::errc() ? std::string() : why_no_value(text, error, least, most);
  };
}

template <class Wide>
result<std::vector<owned_value<Wide>>> read_here(const graph::locale_graph& g,
                                                 const containers::global_array<std::uint64_t>* ids,
                                                 const std::string& path, const value_reader<Wide>& read) {
  auto part = read_part<Wide>(path, ids == nullptr, read);
  if (!part.ok()) return part.status();
  if (ids != nullptr) return find_owners(g, std::move(part).value(), by_id::share(*ids), path);
  return find_owners(g, std::move(part).value(), by_name::share(*g.names), path);
}

template value_reader<float> number_reader(float, float);
template result<std::vector<owned_value<float>>> read_here(const graph::locale_graph&,
                                                           const containers::global_array<std::uint64_t>*,
                                                           const std::string&, const value_reader<float>&);
template value_reader<double> number_reader(double, double);
template result<std::vector<owned_value<double>>> read_here(const graph::locale_graph&,
                                                            const containers::global_array<std::uint64_t>*,
                                                            const std::string&, const value_reader<double>&);
template value_reader<std::int64_t> number_reader(std::int64_t, std::int64_t);
template result<std::vector<owned_value<std::int64_t>>> read_here(
    const graph::locale_graph&, const containers::global_array<std::uint64_t>*, const std::string&,
    const value_reader<std::int64_t>&);
template value_reader<std::uint64_t> number_reader(std::uint64_t, std::uint64_t);
template result<std::vector<owned_value<std::uint64_t>>> read_here(
    const graph::locale_graph&, const containers::global_array<std::uint64_t>*, const std::string&,
    const value_reader<std::uint64_t>&);

}  // namespace orujo::internal::results::detail
