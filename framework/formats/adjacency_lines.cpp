// Adjacency lines, as NetworkX writes them: a vertex and where its edges lead, apart by blanks.
#include <fmt/format.h>

#include "framework/formats/document_builder.hpp"
#include "framework/formats/document_readers.hpp"
#include "framework/formats/text_cursor.hpp"

namespace orujo::internal::formats {
namespace {

status read_line(text_cursor& cursor, document_builder& builder) {
  std::string source;
  for (;;) {
    cursor.skip_blanks(false);
    const int c = cursor.peek();
    if (c == '#' || c == '\n' || c == text_cursor::end) break;
    const text_place at = cursor.place();
    const std::string word = cursor.word("#");
    if (word.size() > longest_text_bytes)
      return builder.bad(at, fmt::format("a name of more than {} bytes", longest_text_bytes));
    if (status wrong =
            source.empty() ? builder.add_node(word, at) : builder.add_edge(source, word, at, false);
        !wrong.ok())
      return wrong;
    if (source.empty()) source = word;
  }
  cursor.skip_line();
  return {};
}

}  // namespace

result<document> read_adjacency_lines(byte_source& source, const document_request& wanted,
                                      std::uint64_t most_bytes) {
  document_builder builder(source.path(), wanted, document_builder::nodes::implied, most_bytes);
  text_cursor cursor(source);
  status failed;
  while (failed.ok() && cursor.peek() != text_cursor::end) failed = read_line(cursor, builder);
  if (!cursor.failure().ok()) return cursor.failure();
  if (!failed.ok()) return failed;
  return builder.finish(file_format::adjlist);
}

}  // namespace orujo::internal::formats
