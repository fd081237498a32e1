#include "framework/results/gathered_text.hpp"

#include <algorithm>
#include <span>

#include "system/base/identity.hpp"
#include "system/delegates/bulk.hpp"
#include "system/delegates/call_on_all.hpp"
#include "system/delegates/delegate.hpp"
#include "system/files/shared_output.hpp"
#include "system/loops/forall.hpp"

namespace orujo::internal::results {
namespace {

constexpr std::size_t fetched_bytes = std::size_t{1} << 20;

struct piece_place {
  const char* bytes;  // null after the last piece
  std::size_t size;
};

piece_place find_piece(containers::symmetric<text_pieces> texts, core_id core, std::size_t k) {
  return delegates::call(core, [texts, k] {
    const text_pieces& mine = texts.here();
    return k < mine.size() ? piece_place{mine[k].data(), mine[k].size()} : piece_place{nullptr, 0};
  });
}

// One core's text, by the calling core.
void fetch_and_write(containers::symmetric<text_pieces> texts, core_id core, files::output_file& output) {
  std::vector<char> buffer;
  piece_place piece = find_piece(texts, core, 0);
  for (std::size_t k = 0; piece.bytes != nullptr; piece = find_piece(texts, core, ++k)) {
    for (std::size_t at = 0; at < piece.size; at += buffer.size()) {
      if (output.failed()) return;
      buffer.resize(std::min(piece.size - at, fetched_bytes));
      delegates::get(memory::global_address<const char>(core, piece.bytes + at), std::span(buffer));
      output.write({buffer.data(), buffer.size()});
    }
  }
}

// The start of each core's text, and the end of all.
by_core<std::uint64_t> find_places(containers::symmetric<text_pieces> texts, std::uint64_t first) {
  by_core<std::uint64_t> places(cores() + 1);
  const auto count = [texts] {
    std::uint64_t bytes = 0;
    for (const std::string& piece : texts.here()) bytes += piece.size();
    return bytes;
  };
  delegates::call_on_all(count, [&](core_id c, std::uint64_t bytes) { places[c + 1] = bytes; });
  places[0] = first;
  for (core_id c = 1; c <= cores(); ++c) places[c] += places[c - 1];
  return places;
}

constexpr int not_here = -1;  // the file

// The calling core's text. 0, errno or not_here.
int write_mine(const text_pieces& mine, const files::shared_output_place& place, std::uint64_t at) {
  const base::descriptor file = place.open();
  if (!file.is_open()) return not_here;
  for (const std::string& piece : mine) {
    if (const int error = file.write_at(at, std::as_bytes(std::span(piece))); error != 0) return error;
    at += piece.size();
    tasks::yield();
  }
  return 0;
}

by_core<int> write_all(containers::symmetric<text_pieces> texts, const files::shared_output_place& place,
                       const by_core<std::uint64_t>& places) {
  by_core<int> outcomes(cores(), not_here);
  const memory::global_address<const std::uint64_t> of_cores(my_core(), places.data());
  const memory::global_address<int> told(my_core(), outcomes.data());
  const auto write = [=](const files::shared_output_place& file) {
    const std::uint64_t at =
        delegates::read(memory::global_address(of_cores.core(), of_cores.local() + my_core()));
    const int outcome = write_mine(texts.here(), file, at);
    delegates::write(memory::global_address(told.core(), told.local() + my_core()), outcome);
  };
  loops::on_all_cores(write, place);
  return outcomes;
}

}  // namespace

void write_texts(containers::symmetric<text_pieces> texts, files::output_file& output) {
  const auto place = output.share();
  by_core<std::uint64_t> places;
  by_core<int> outcomes;
  if (place) {
    places = find_places(texts, place->size);
    outcomes = write_all(texts, *place, places);
  }
  for (core_id c = 0; c < cores(); ++c) {
    if (!place || outcomes[c] == not_here) {
      fetch_and_write(texts, c, output);
    } else if (outcomes[c] != 0) {
      output.fail(outcomes[c]);
    } else {
      output.skip(places[c + 1] - places[c]);
    }
    if (output.failed()) return;
  }
}

}  // namespace orujo::internal::results
