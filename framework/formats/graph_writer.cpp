#include "framework/formats/graph_writer.hpp"

#include <fmt/format.h>
#include <glog/logging.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "framework/formats/document_writer.hpp"
#include "framework/formats/edge_hash.hpp"
#include "framework/formats/packed_edges.hpp"
#include "framework/formats/source_bytes.hpp"
#include "system/base/counted.hpp"

namespace orujo::internal::formats {
namespace {

constexpr std::uint64_t most_gap_vertices_written = std::uint64_t{1} << 31;
constexpr float exact_whole_floats = 9.0e18f;

// Calls visit(source, edge index within the block) for each edge.
template <class Visit>
void for_each_row_edge(const row_block& block, Visit visit) {
  for (std::size_t r = 0; r < block.rows(); ++r) {
    const std::uint64_t source = block.ids.empty() ? block.first_vertex + r : block.ids[r];
    for (std::uint64_t k = block.offsets[r] - block.offsets[0]; k < block.offsets[r + 1] - block.offsets[0];
         ++k)
      visit(source, static_cast<std::size_t>(k));
  }
}

void append_whole(std::string& to, std::uint64_t number) {
  const fmt::format_int text(number);
  to.append(text.data(), text.size());
}
void append_whole(std::string& to, float weight) {
  const fmt::format_int text(static_cast<std::int64_t>(weight));
  to.append(text.data(), text.size());
}
// The shortest text that is read as the same float.
void append_float(std::string& to, float weight) { to += fmt::format("{}", weight); }

// Lines with an edge each: what comes before its ends, what is between the columns, and how weights are
// written.
struct line_style {
  std::string_view before;
  char between = ' ';
  bool whole_weights = false;
};

void append_lines(const row_block& block, const line_style& style, std::uint64_t first_id, std::string& to) {
  const auto append_vertex = [&](std::uint64_t vertex) {
    if (block.names) {
      append_name(to, (*block.names)[vertex]);
    } else {
      append_whole(to, vertex + first_id);
    }
  };
  for_each_row_edge(block, [&](std::uint64_t source, std::size_t k) {
    to += style.before;
    append_vertex(source);
    to += style.between;
    append_vertex(block.neighbours[k]);
    if (!block.weights.empty()) {
      to += style.between;
      if (style.whole_weights) {
        append_whole(to, block.weights[k]);
      } else {
        append_float(to, block.weights[k]);
      }
    }
    to += '\n';
  });
}

// A line per row: neighbours from 1 on, each followed by its weight.
void append_neighbour_lists(const row_block& block, std::string& to) {
  for (std::size_t r = 0; r < block.rows(); ++r) {
    const std::uint64_t first = block.offsets[r] - block.offsets[0];
    for (std::uint64_t k = first; k < block.offsets[r + 1] - block.offsets[0]; ++k) {
      if (k > first || (r == 0 && block.first_begun)) to += ' ';
      append_whole(to, block.neighbours[k] + 1);
      if (block.weights.empty()) continue;
      to += ' ';
      append_whole(to, block.weights[k]);
    }
    if (r + 1 < block.rows() || !block.last_goes_on) to += '\n';
  }
}

void append_gap_neighbours(const row_block& block, std::string& to) {
  for (std::size_t k = 0; k < block.neighbours.size(); ++k) {
    append_number(to, static_cast<std::uint32_t>(block.neighbours[k]));
    if (!block.weights.empty()) append_number(to, static_cast<std::int32_t>(block.weights[k]));
  }
}

// At the start of a line, or of the file.
bool is_lost_in_front(std::string_view name) {
  return begins_comment(name) || name.starts_with("\xef\xbb\xbf") || name.starts_with("\xff\xfe") ||
         name.starts_with("\xfe\xff");
}

}  // namespace

void graph_traits::note_parallel(const row_block& block) {
  for (std::size_t r = 0; r < block.rows(); ++r) {
    std::size_t k = block.offsets[r] - block.offsets[0];
    const std::size_t end = block.offsets[r + 1] - block.offsets[0];
    const bool goes_on = r == 0 && block.first_begun;
    if (k < end && !goes_on) last_neighbour = block.neighbours[k++];
    for (; k < end; ++k)
      parallel += std::exchange(last_neighbour, block.neighbours[k]) == block.neighbours[k];
  }
}

void graph_traits::note(const row_block& block) {
  note_parallel(block);
  for (const std::uint64_t id : block.ids) largest_id = std::max(largest_id, id);
  if (block.ids.empty() && block.rows() > 0)
    largest_id = std::max(largest_id, block.first_vertex + block.rows() - 1);
  for (std::size_t r = 0; block.names && r < block.rows(); ++r) {
    quoted += needs_quotes((*block.names)[block.first_vertex + r]) ? 1 : 0;
    no_xml += is_xml_text((*block.names)[block.first_vertex + r]) ? 0 : 1;
    lost_in_front +=
        block.offsets[r + 1] > block.offsets[r] && is_lost_in_front((*block.names)[block.first_vertex + r]);
  }
  for_each_row_edge(block, [&](std::uint64_t source, std::size_t k) {
    const std::uint64_t target = block.neighbours[k];
    const float weight = block.weights.empty() ? 1 : block.weights[k];
    self_loops += source == target ? 1 : 0;
    if (!block.weights.empty()) {
      fractions += std::trunc(weight) != weight || std::abs(weight) > exact_whole_floats ? 1 : 0;
      large += weight < -2147483648.0f || weight >= 2147483648.0f ? 1 : 0;
      below_one += weight < 1 ? 1 : 0;
    }
    for (std::size_t h = 0; h < forwards.size(); ++h) {
      forwards[h] += hash_of_edge(source, target, weight, h + 1);
      backwards[h] += hash_of_edge(target, source, weight, h + 1);
    }
  });
}

graph_traits& graph_traits::operator+=(const graph_traits& more) {
  largest_id = std::max(largest_id, more.largest_id);
  self_loops += more.self_loops;
  fractions += more.fractions;
  large += more.large;
  below_one += more.below_one;
  lost_in_front += more.lost_in_front;
  quoted += more.quoted;
  no_xml += more.no_xml;
  parallel += more.parallel;
  isolated += more.isolated;
  for (std::size_t h = 0; h < forwards.size(); ++h) {
    forwards[h] += more.forwards[h];
    backwards[h] += more.backwards[h];
  }
  return *this;
}

std::string graph_writer::why_no_ids() const {
  const std::uint64_t largest = traits_.largest_id + traits_.first_id;
  if (const auto first = first_id_in(format_); first && !(traits_.numbered && traits_.first_id <= 1))
    return fmt::format(
        "{} has vertices {} to {}, but the ids of these {} are others, up to {}; pass --renumber, which "
        "numbers them in ascending order",
        name_of(format_), *first, std::max<std::uint64_t>(traits_.vertices, 1) - 1 + *first, traits_.vertices,
        largest);
  if (format_ == file_format::graph500 && largest > most_packed_id)
    return fmt::format("packed edges have ids up to {}, but one is {}; pass --renumber", most_packed_id,
                       largest);
  if (format_ == file_format::gap && traits_.vertices > most_gap_vertices_written)
    return fmt::format("gap has up to {} vertices, but these are {}; use another format",
                       most_gap_vertices_written, traits_.vertices);
  return {};
}

std::string graph_writer::why_no_names() const {
  const bool lines = format_ == file_format::edge_list, document = is_document(format_);
  if (!lines && !document && format_ != file_format::csv)
    return fmt::format(
        "{} has no names of vertices; pass --renumber, which numbers them in ascending order of their names, "
        "or use edge_list, csv, graphml or orj",
        name_of(format_));
  if (traits_.lost_in_front > 0 && lines)
    return fmt::format(
        "the names of {} begin with #, % or //, as comments do, or with a byte order mark; use csv or orj",
        base::counted(traits_.lost_in_front, "source"));
  if (traits_.quoted > 0 && lines)
    return fmt::format("the names of {} have blanks, commas or quotes; use csv or orj",
                       base::counted(traits_.quoted, "vertex", "vertices"));
  if (traits_.no_xml > 0 && document)
    return fmt::format("the names of {} are not UTF-8, or hold U+FFFE or U+FFFF; use csv or orj",
                       base::counted(traits_.no_xml, "vertex", "vertices"));
  return {};
}

std::string graph_writer::why_no_weights(std::string_view path) const {
  const bool gap = format_ == file_format::gap;
  if (gap && path.ends_with(".sg") && traits_.weighted)
    return "a .sg has no weights, but these edges do; name it .wsg";
  if (gap && path.ends_with(".wsg") && !traits_.weighted)
    return "a .wsg has weights, but these edges do not; name it .sg";
  if (!traits_.weighted) return {};
  const bool whole = gap || format_ == file_format::dimacs || format_ == file_format::metis;
  if (whole && traits_.fractions > 0)
    return fmt::format(
        "{} has whole weights, but {} of these {} are not; use edge_list, matrix_market, adjacency or "
        "graph500",
        name_of(format_), traits_.fractions, traits_.edges);
  if (gap && traits_.large > 0)
    return fmt::format("gap has weights of 32 bits, but {} of these {} do not fit", traits_.large,
                       traits_.edges);
  return {};
}

std::string graph_writer::why_not_metis() const {
  if (traits_.self_loops > 0)
    return fmt::format("metis has no self-loops, but these edges have {}; pass --remove_self_loops",
                       traits_.self_loops);
  if (!traits_.symmetric())
    return "metis has undirected graphs only, but some edge has no reverse of the same weight; pass "
           "--symmetrize";
  if (traits_.weighted && traits_.below_one > 0)
    return fmt::format("metis has weights from 1 on, but {} of these are less", traits_.below_one);
  return {};
}

status graph_writer::refused(std::string_view path) const {
  const auto no = [&](std::string_view why) {
    return status(exit_status::bad_data, fmt::format("{}: {}", path, why));
  };
  if (format_ == file_format::konect) return no("konect is read only; use edge_list or csv");
  if (format_ == file_format::ldbc) return no("ldbc is read only; use edge_list");
  if (format_ == file_format::npy || format_ == file_format::npz)
    return no(fmt::format("{} is read only; use edge_list or csv", name_of(format_)));
  if (is_document(format_) && !is_written_document(format_))
    return no(fmt::format("{} is read only; use graphml or gml", name_of(format_)));
  const bool edges_only =
      format_ == file_format::edge_list || format_ == file_format::csv || format_ == file_format::graph500;
  if (edges_only && traits_.edges == 0)
    return no("an edge list without edges is not a graph; use another format");
  if (traits_.named) {
    if (const std::string why = why_no_names(); !why.empty()) return no(why);
  }
  if (const std::string why = why_no_ids(); !why.empty()) return no(why);
  if (const std::string why = why_no_weights(path); !why.empty()) return no(why);
  if (format_ != file_format::metis) return {};
  const std::string why = why_not_metis();
  return why.empty() ? status() : no(why);
}

std::int64_t graph_writer::id_shift() const {
  const auto first = first_id_in(format_);
  return first ? static_cast<std::int64_t>(*first) - static_cast<std::int64_t>(traits_.first_id) : 0;
}

int graph_writer::sections() const {
  switch (format_) {
    case file_format::edge_list:
    case file_format::matrix_market:
    case file_format::dimacs:
    case file_format::metis:
    case file_format::csv:
    case file_format::konect:
    case file_format::orj:
      break;
    default:
      return document_sections;
    case file_format::gap:
      return traits_.symmetric() ? 2 : 4;
    case file_format::adjacency:
      return traits_.weighted ? 3 : 2;
    case file_format::graph500:
      return traits_.weighted ? 2 : 1;
  }
  return 1;
}

bool graph_writer::of_in_rows(int section) const { return format_ == file_format::gap && section >= 2; }

bool graph_writer::to_weights_file(int section) const {
  return format_ == file_format::graph500 && section == 1;
}

bool graph_writer::of_edges(int section) const {
  if (format_ == file_format::gap) return section % 2 == 1;
  if (is_document(format_)) return section == document_edges_section;
  return format_ != file_format::adjacency || section > 0;
}

std::string graph_writer::opening(int section) const {
  const std::uint64_t vertices = traits_.vertices, edges = traits_.edges;
  const bool weighted = traits_.weighted;
  switch (format_) {
    case file_format::edge_list:
    case file_format::konect:
    case file_format::graph500:
    case file_format::orj:
      break;
    default:
      return document_opening(format_, section, traits_);
    case file_format::csv:
      return weighted ? "source,target,weight\n" : "source,target\n";
    case file_format::matrix_market:
      return fmt::format("%%MatrixMarket matrix coordinate {} general\n{} {} {}\n",
                         weighted ? "real" : "pattern", vertices, vertices, edges);
    case file_format::dimacs:
      return fmt::format("p {} {} {}\n", weighted ? "sp" : "edge", vertices, edges);
    case file_format::metis:
      return fmt::format("{} {}{}\n", vertices, edges / 2, weighted ? " 001" : "");
    case file_format::gap: {
      std::string bytes;
      if (section == 0) {
        bytes += traits_.symmetric() ? '\0' : '\1';
        append_number(bytes, edges);
        append_number(bytes, vertices);
      }
      if (section % 2 == 0) append_number(bytes, std::uint64_t{0});  // where the first row begins
      return bytes;
    }
    case file_format::adjacency:
      if (section > 0) break;
      return fmt::format("{}AdjacencyGraph\n{}\n{}\n", weighted ? "Weighted" : "", vertices, edges);
  }
  return {};
}

void graph_writer::append(int section, const row_block& block, std::string& to) const {
  const std::uint64_t first_id = first_id_in(format_).value_or(traits_.first_id);
  switch (format_) {
    case file_format::edge_list:
    case file_format::konect:
      return append_lines(block, {}, first_id, to);
    default:
      return append_to_document(format_, section, traits_, block, to);
    case file_format::csv:
      return append_lines(block, {"", ','}, first_id, to);
    case file_format::matrix_market:
      return append_lines(block, {}, first_id, to);
    case file_format::dimacs:
      return append_lines(block, {traits_.weighted ? "a " : "e ", ' ', true}, first_id, to);
    case file_format::metis:
      return append_neighbour_lists(block, to);
    case file_format::gap:
      if (section % 2 == 1) return append_gap_neighbours(block, to);
      for (std::size_t r = 0; r < block.rows(); ++r)
        append_number(to, block.first_edge + block.offsets[r + 1] - block.offsets[0]);
      return;
    case file_format::adjacency:
      for (std::size_t r = 0; section == 0 && r < block.rows(); ++r) {
        append_whole(to, block.first_edge + block.offsets[r] - block.offsets[0]);
        to += '\n';
      }
      for (std::size_t k = 0; section == 1 && k < block.neighbours.size(); ++k) {
        append_whole(to, block.neighbours[k]);
        to += '\n';
      }
      for (std::size_t k = 0; section == 2 && k < block.weights.size(); ++k) {
        append_float(to, block.weights[k]);
        to += '\n';
      }
      return;
    case file_format::graph500:
      if (section == 1) {
        for (const float weight : block.weights) append_number(to, weight);
        return;
      }
      for_each_row_edge(block, [&](std::uint64_t source, std::size_t k) {
        append_packed_edge(to, {source + first_id, block.neighbours[k] + first_id});
      });
      return;
    case file_format::orj:
      LOG(FATAL) << "graph/store/orj/write.hpp writes .orj files";
  }
}

}  // namespace orujo::internal::formats
