// graph6, digraph6 and sparse6: six bits a byte, from 63 on (users.cecs.anu.edu.au/~bdm/data/formats.txt).
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "framework/formats/document_builder.hpp"
#include "framework/formats/document_readers.hpp"
#include "framework/formats/text_cursor.hpp"

namespace orujo::internal::formats {
namespace {

constexpr int least_byte = 63, most_byte = 126, bits_of_byte = 6;

class graph6_reader {
 public:
  graph6_reader(byte_source& source, document_builder& builder) : cursor_(source), builder_(builder) {}

  status read() {
    status wrong = read_graph();
    if (wrong.ok()) wrong = check_end();
    return cursor_.failure().ok() ? wrong : cursor_.failure();
  }

 private:
  status bad(std::string_view what) const { return builder_.bad(cursor_.place(), what); }

  status read_graph() {
    if (cursor_.peek() == '>') {
      std::string header;
      while (cursor_.peek() != text_cursor::end && !header.ends_with("<<") && header.size() < 16)
        header += static_cast<char>(cursor_.get());
      if (header != ">>graph6<<" && header != ">>sparse6<<" && header != ">>digraph6<<")
        return builder_.bad({1, 1},
                            "no header of graph6, sparse6 or digraph6; expected '>>graph6<<' or similar");
    }
    const int kind = cursor_.peek();
    if (kind == ';') return bad("incremental sparse6; expected a whole graph");
    if (kind == ':' || kind == '&') cursor_.get();
    if (status wrong = read_size(); !wrong.ok()) return wrong;
    builder_.set_numbers(vertices_, 0);
    if (kind == ':') return read_sparse();
    return kind == '&' ? read_matrix() : read_triangle();
  }

  // The number of vertices: in one byte, or 126 and three, or 126 twice and six.
  status read_size() {
    int bytes = 1;
    for (int k = 0; k < 2 && cursor_.peek() == most_byte; ++k, cursor_.get()) bytes = k == 0 ? 3 : 6;
    for (int k = 0; k < bytes; ++k) {
      if (status wrong = next_byte(); !wrong.ok()) return wrong;
      vertices_ = vertices_ << bits_of_byte | bits_;
    }
    left_ = 0;
    return {};
  }

  // Into bits_.
  status next_byte() {
    const int c = cursor_.peek();
    if (c < least_byte || c > most_byte)
      return bad(c == text_cursor::end || c == '\n' || c == '\r'
                     ? "the line ends too soon; expected six bits a byte, and as many as the graph needs"
                     : "a byte that is not of graph6; expected bytes from '?' to '~'");
    cursor_.get();
    bits_ = static_cast<std::uint64_t>(c - least_byte);
    left_ = bits_of_byte;
    return {};
  }

  status next_bit(bool& bit) {
    if (left_ == 0) {
      if (status wrong = next_byte(); !wrong.ok()) return wrong;
    }
    bit = (bits_ >> --left_ & 1) != 0;
    return {};
  }

  // Reads a bit for each pair of vertices, ordered by the larger one: 1 if they have an edge.
  status read_triangle() {
    for (std::uint64_t to = 1; to < vertices_; ++to) {
      for (std::uint64_t from = 0; from < to; ++from) {
        bool bit = false;
        if (status wrong = next_bit(bit); !wrong.ok()) return wrong;
        if (!bit) continue;
        if (status wrong = builder_.add_numbered_edge({from, to}, cursor_.place(), true); !wrong.ok())
          return wrong;
      }
    }
    return {};
  }

  status read_matrix() {
    for (std::uint64_t from = 0; from < vertices_; ++from) {
      for (std::uint64_t to = 0; to < vertices_; ++to) {
        bool bit = false;
        if (status wrong = next_bit(bit); !wrong.ok()) return wrong;
        if (!bit) continue;
        if (status wrong = builder_.add_numbered_edge({from, to}, cursor_.place(), false); !wrong.ok())
          return wrong;
      }
    }
    return {};
  }

  // Reads pairs of a bit and a number. A bit of 1 moves to the next vertex. A number above the current vertex
  // then moves to that vertex; any other is a neighbour of the current one.
  status read_sparse() {
    const int width = std::bit_width(vertices_ > 0 ? vertices_ - 1 : 0);
    for (std::uint64_t here = 0;;) {
      const auto is_over = [&] {
        const int c = cursor_.peek();
        return left_ == 0 && (c == text_cursor::end || c == '\n' || c == '\r');
      };
      if (is_over()) return {};
      bool step = false;
      if (status wrong = next_bit(step); !wrong.ok()) return wrong;
      std::uint64_t number = 0;
      for (int k = 0; k < width; ++k) {
        if (left_ == 0 && is_over()) return {};  // what fills the last byte up
        bool bit = false;
        if (status wrong = next_bit(bit); !wrong.ok()) return wrong;
        number = number << 1 | (bit ? 1u : 0u);
      }
      here += step ? 1 : 0;
      if (here >= vertices_) {
        left_ = 0;
        return {};
      }
      if (number > here) {
        here = number;
        if (here >= vertices_) {
          left_ = 0;
          return {};
        }
      } else if (status wrong = builder_.add_numbered_edge({number, here}, cursor_.place(), true);
                 !wrong.ok()) {
        return wrong;
      }
    }
  }

  status check_end() {
    if (left_ > 0 && (bits_ & ((std::uint64_t{1} << left_) - 1)) != 0)
      return bad("more bits than the graph has; expected the last byte to be filled up with zeros");
    cursor_.skip_blanks(true);
    return cursor_.peek() == text_cursor::end ? status() : bad("data after the graph; expected one graph");
  }

  text_cursor cursor_;
  document_builder& builder_;
  std::uint64_t vertices_ = 0, bits_ = 0;
  int left_ = 0;
};

}  // namespace

result<document> read_graph6(byte_source& source, const document_request& wanted, std::uint64_t most_bytes) {
  document_builder builder(source.path(), wanted, document_builder::nodes::implied, most_bytes);
  if (status failed = graph6_reader(source, builder).read(); !failed.ok()) return failed;
  return builder.finish(file_format::graph6);
}

}  // namespace orujo::internal::formats
