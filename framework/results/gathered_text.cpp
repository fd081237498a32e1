#include "framework/results/gathered_text.hpp"

#include <algorithm>
#include <span>

#include "system/base/identity.hpp"
#include "system/delegates/bulk.hpp"
#include "system/delegates/delegate.hpp"

namespace orujo::results {
namespace {

constexpr std::size_t fetched_bytes = std::size_t{1} << 20;

struct piece_place {
  const char* bytes;  // null behind the last piece
  std::size_t size;
};

piece_place find_piece(memory::symmetric<text_pieces> texts, core_id core, std::size_t k) {
  return delegates::call(core, [texts, k] {
    const text_pieces& mine = texts.here();
    return k < mine.size() ? piece_place{mine[k].data(), mine[k].size()} : piece_place{nullptr, 0};
  });
}

}  // namespace

void write_texts(memory::symmetric<text_pieces> texts, output_file& output) {
  std::vector<char> buffer;
  for (core_id core = 0; core < cores(); ++core) {
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
}

}  // namespace orujo::results
