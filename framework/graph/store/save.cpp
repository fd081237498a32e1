#include "framework/graph/store/save.hpp"

#include <fmt/format.h>
#include <glog/logging.h>

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "framework/formats/graph_writer.hpp"
#include "framework/formats/packed_edges.hpp"
#include "framework/graph/kept_forms.hpp"
#include "framework/graph/vertex_names.hpp"
#include "system/collectives/collectives.hpp"
#include "system/loops/forall.hpp"
#include "system/observe/progress.hpp"

namespace orujo::internal::graph {
namespace {

constexpr std::uint64_t edges_of_piece = std::uint64_t{1} << 17;  // 1 MiB of them, some MiB of text

// Vertices without edges have no place there.
bool has_edges_only(formats::file_format format) {
  return format == formats::file_format::edge_list || format == formats::file_format::csv ||
         format == formats::file_format::graph500;
}

// The external ids by position, at every locale.
using id_table = std::vector<std::uint64_t>;

// [task; suspends; collective over the job]
std::shared_ptr<const id_table> gather_ids(const locale_graph& g) {
  return collectives::share_on_locale<id_table>([&] {
    auto all = std::make_shared<id_table>();
    for (const id_table& part : collectives::all_gather(g.external_ids, collectives::group::leaders))
      all->insert(all->end(), part.begin(), part.end());
    return all;
  });
}

// Vertices are written as names or ids where these are given, else as positions, which the writer shifts.
struct vertex_texts {
  std::shared_ptr<const id_table> ids;
  std::shared_ptr<const formats::name_table> names;
};

// [task; suspends; collective over the job]
vertex_texts texts_of(const locale_graph& g, formats::file_format format, bool named, bool numbered) {
  if (formats::first_id_in(format) || (numbered && !named)) return {};
  if (!named) return {gather_ids(g), nullptr};
  return {nullptr, collectives::share_on_locale<formats::name_table>(
                       [&] { return std::make_shared<formats::name_table>(g.names->part(0, g.vertices)); })};
}

// The calling core's rows in pieces.
class row_cutter {
 public:
  row_cutter(const locale_graph& g, const adjacency& rows, const vertex_texts& texts,
             std::uint64_t edges_before)
      : g_(g),
        rows_(rows),
        ids_(texts.ids.get()),
        names_(texts.names.get()),
        row_(g.my_part().first),
        last_(g.my_part().last),
        edges_before_(edges_before) {
    edge_ = last_ > row_ ? rows.offsets[row_] : 0;
    first_edge_ = edge_;
  }

  // Advances to the next piece, or returns false if there is none. with_edges: rows with too many edges are
  // cut.
  bool next(bool with_edges) {
    if (row_ == last_) return false;
    block_ = {};
    block_.names = names_;
    block_.first_vertex = g_.position_of(row_);
    block_.first_edge = edges_before_ + edge_ - first_edge_;
    block_.first_begun = edge_ > rows_.offsets[row_];
    first_row_ = row_;
    offsets_.assign(1, edge_);
    const std::uint64_t most = with_edges ? edge_ + edges_of_piece : ~std::uint64_t{0};
    while (row_ < last_ && offsets_.size() <= edges_of_piece && !block_.last_goes_on) {
      edge_ = std::min(rows_.offsets[row_ + 1], most);
      offsets_.push_back(edge_);
      block_.last_goes_on = edge_ < rows_.offsets[row_ + 1];
      row_ += block_.last_goes_on ? 0 : 1;
    }
    return true;
  }

  // The piece, with its edges if they are requested; valid until next().
  const formats::row_block& block(bool with_edges) {
    block_.offsets = offsets_;
    if (ids_ != nullptr) {
      row_ids_.clear();
      for (std::size_t r = 0; r + 1 < offsets_.size(); ++r)
        row_ids_.push_back(id_of(first_row_ + static_cast<std::uint32_t>(r)));
      block_.ids = row_ids_;
    }
    if (!with_edges) return block_;
    const std::uint64_t first = offsets_.front(), last = offsets_.back();
    neighbours_.clear();
    for (const std::uint32_t local : rows_.neighbours.part(first, last)) neighbours_.push_back(id_of(local));
    block_.neighbours = neighbours_;
    if (g_.weighted) block_.weights = rows_.weights.part(first, last);
    return block_;
  }

 private:
  std::uint64_t id_of(std::uint32_t local) const {
    const std::uint64_t position = g_.position_of(local);
    return ids_ ? (*ids_)[position] : position;
  }

  const locale_graph& g_;
  const adjacency& rows_;
  const id_table* ids_;
  const formats::name_table* names_;
  std::uint32_t row_, first_row_ = 0;
  const std::uint32_t last_;
  std::uint64_t edge_ = 0, first_edge_ = 0;
  const std::uint64_t edges_before_;
  formats::row_block block_;
  std::vector<std::uint64_t> offsets_, neighbours_, row_ids_;
};

// [task; suspends; collective over the job] The id of position 0 if the ids have no gaps.
std::optional<std::uint64_t> first_of_consecutive_ids(const locale_graph& g) {
  struct bounds {
    std::uint64_t least = ~std::uint64_t{0}, most = 0;
  } mine;
  for (std::uint32_t v = g.my_part().first; v < g.my_part().last; ++v) {
    const std::uint64_t shift = g.external_id(v) - g.position_of(v);
    mine = {std::min(mine.least, shift), std::max(mine.most, shift)};
  }
  const bounds all = collectives::all_reduce(mine, [](const bounds& a, const bounds& b) {
    return bounds{std::min(a.least, b.least), std::max(a.most, b.most)};
  });
  if (all.least > all.most) return 0;  // no vertex
  return all.least == all.most ? std::optional(all.least) : std::nullopt;
}

// [task; suspends; collective over the job]
formats::graph_traits traits_of(const locale_graph& g, const vertex_texts& texts,
                                std::optional<std::uint64_t> first_id) {
  formats::graph_traits mine;
  row_cutter cutter(g, *g.out_rows, texts, 0);
  while (cutter.next(true)) mine.note(cutter.block(true));
  if (g.in_rows) {
    for (std::uint32_t v = g.my_part().first; v < g.my_part().last; ++v)
      mine.isolated += g.out_rows->degree(v) == 0 && g.in_rows->degree(v) == 0 ? 1 : 0;
  }
  if (!first_id && !texts.ids) {
    for (std::uint32_t v = g.my_part().first; v < g.my_part().last; ++v)
      mine.largest_id = std::max(mine.largest_id, g.external_id(v));
  }
  formats::graph_traits all =
      collectives::all_reduce(mine, [](formats::graph_traits a, const formats::graph_traits& b) {
        a += b;
        return a;
      });
  all.vertices = g.vertices;
  all.edges = g.edges;
  all.weighted = g.weighted;
  all.numbered = first_id.has_value();
  all.first_id = first_id.value_or(0);
  return all;
}

// The output of core 0. The pointers are core 0's, and other cores only pass them on.
struct outlet {
  formats::byte_sink* file = nullptr;
  std::unique_ptr<formats::byte_sink>* weights = nullptr;  // opened when it is needed
  std::uint64_t* bytes = nullptr;
  observe::progress_line* progress = nullptr;
  const std::string* path = nullptr;

  void write(bool to_weights, std::string_view text) const {
    *bytes += text.size();
    (to_weights ? **weights : *file).write(text);
    if (progress->due()) progress->show(fmt::format("writing {}, {} MB", *path, *bytes / 1'000'000));
  }
};

// [task; suspends; collective over the job] Every piece is sent to core 0 in turn.
status write_section(const locale_graph& g, const formats::graph_writer& writer, int section,
                     const vertex_texts& texts, const outlet& to) {
  const adjacency& rows = writer.of_in_rows(section) ? *g.in_rows : *g.out_rows;
  const bool with_edges = writer.of_edges(section), to_weights = writer.to_weights_file(section);
  const core_part& part = g.my_part();
  const std::uint64_t edges = part.last > part.first ? rows.offsets[part.last] - rows.offsets[part.first] : 0;
  const std::uint64_t before = collectives::exclusive_sum(edges);
  std::uint64_t mine = 0;
  for (row_cutter counting(g, rows, texts, before); counting.next(with_edges);) ++mine;
  const by_core<std::uint64_t> pieces = collectives::all_gather(mine);

  if (my_core() == 0) to.write(to_weights, writer.opening(section));
  row_cutter cutter(g, rows, texts, before);
  std::string text;
  for (core_id c = 0; c < cores(); ++c) {
    for (std::uint64_t k = 0; k < pieces[c]; ++k) {
      text.clear();
      if (my_core() == c) {
        cutter.next(with_edges);
        writer.append(section, cutter.block(with_edges), text);
      }
      if (c == 0) {
        if (my_core() == 0) to.write(to_weights, text);
        continue;
      }
      const by_core<std::vector<char>> arrived =
          collectives::gather(std::vector<char>(text.begin(), text.end()), 0);
      if (my_core() != 0) continue;
      const std::vector<char>& bytes = arrived[c];
      to.write(to_weights, {bytes.data(), bytes.size()});
    }
  }
  const bool failed = my_core() == 0 && (to_weights ? (*to.weights)->failed() : to.file->failed());
  return collectives::all_reduce<int>(failed ? 1 : 0) == 0 ? status() : status(exit_status::io_error, "");
}

// Core 0 opens the file of weights, if there is one.
status open_weights(const formats::graph_writer& writer, const outlet& to) {
  if (!writer.to_weights_file(writer.sections() - 1)) return {};
  if (to.file->in_place())
    return files::cannot_write(*to.path, "the weights go to a file beside it; use a regular file");
  auto opened = formats::byte_sink::open(formats::packed_weights_path(*to.path));
  if (!opened.ok()) return opened.status();
  *to.weights = std::move(opened).value();
  return {};
}

// [task; suspends; collective over the job] The same status everywhere. finish() returns an io_error.
status write_all(const locale_graph& g, formats::file_format format, bool renumber, const outlet& to,
                 saved_file* saved) {
  const bool named = g.names && !renumber;
  const std::optional<std::uint64_t> first_id =
      renumber ? std::optional<std::uint64_t>(0) : first_of_consecutive_ids(g);
  const vertex_texts texts = texts_of(g, format, named, first_id.has_value());
  formats::graph_traits traits = traits_of(g, texts, first_id);
  traits.named = named;
  const formats::graph_writer writer(format, traits);
  status ready;
  if (my_core() == 0) {
    if (has_edges_only(format)) saved->isolated = traits.isolated;
    if (!renumber) saved->id_shift = writer.id_shift();
    ready = writer.refused(*to.path);
    if (ready.ok()) ready = open_weights(writer, to);
  }
  if (status failure = collectives::first_failure(ready); !failure.ok()) return failure;
  for (int section = 0; section < writer.sections(); ++section) {
    if (!write_section(g, writer, section, texts, to).ok()) break;
  }
  return {};
}

}  // namespace

edge_forms forms_to_save(formats::file_format format) {
  const bool both_ways = format == formats::file_format::gap || has_edges_only(format);
  return {.in_vectors = false, .in_rows = both_ways, .out_rows = true, .order = requested_order::of_ids};
}

result<saved_file> save(distributed_graph graph, const save_request& request, formats::byte_sink& sink) {
  require_forms(graph.here(), {.in_rows = forms_to_save(request.format).in_rows, .out_rows = true}, "save:");
  CHECK(graph.here().numbers.is_identity()) << "rows are written in the order of the ids";
  saved_file saved;
  std::unique_ptr<formats::byte_sink> weights;
  observe::progress_line progress("writing " + request.path);
  const outlet to{&sink, &weights, &saved.bytes, &progress, &request.path};
  status outcome;
  loops::on_all_cores(
      [graph, to, format = request.format, renumber = request.renumber, saved = &saved, outcome = &outcome] {
        const status done = write_all(graph.here(), format, renumber, to, saved);
        if (my_core() == 0) *outcome = done;
      });
  if (!outcome.ok()) return outcome;
  if (weights) {
    if (status written = weights->finish(); !written.ok()) return written;
  }
  if (status written = sink.finish(); !written.ok()) return written;
  return saved;
}

}  // namespace orujo::internal::graph
