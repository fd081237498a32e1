#include "framework/formats/xml_document.hpp"

#include <expat.h>
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>

#include "framework/formats/text_cursor.hpp"

namespace orujo::internal::formats {
namespace {

constexpr int xml_buffer_bytes = 64 << 10;
constexpr int deepest_tag = 100;

std::string_view without_prefix(std::string_view name) { return name.substr(name.rfind(':') + 1); }

struct parser_closer {
  void operator()(XML_Parser parser) const { ::XML_ParserFree(parser); }
};

// The callbacks of expat.
struct xml_pass {
  XML_Parser parser;
  xml_reader& reader;
  const byte_source& source;
  int depth = 0;
  status failure = {};
  std::exception_ptr thrown = {};

  text_place place() const {
    return {::XML_GetCurrentLineNumber(parser), ::XML_GetCurrentColumnNumber(parser) + 1};
  }
  status bad(std::string_view what) const {
    const text_place at = place();
    return {exit_status::bad_data, fmt::format("{}:{}:{}: {}", source.path(), at.line, at.column, what)};
  }
  void end_if(status wrong) {
    if (wrong.ok() || !failure.ok()) return;
    failure = std::move(wrong);
    ::XML_StopParser(parser, XML_FALSE);
  }

  // Until something has failed. No exception passes through expat, which would think that it is still being
  // called back, and keep its memory.
  template <class Work>
  static void call(void* self, const Work& work) noexcept {
    xml_pass& pass = *static_cast<xml_pass*>(self);
    if (!pass.failure.ok() || pass.thrown) return;
    try {
      work(pass);
    } catch (...) {
      pass.thrown = std::current_exception();
      ::XML_StopParser(pass.parser, XML_FALSE);
    }
  }
  static void open(void* self, const char* tag, const char** attributes) {
    call(self, [=](xml_pass& pass) {
      if (++pass.depth > deepest_tag)
        return pass.end_if(
            pass.bad(fmt::format("tags in more than {} others; expected a graph", deepest_tag)));
      pass.end_if(pass.reader.open(without_prefix(tag), xml_attributes(attributes), pass.place()));
    });
  }
  static void close(void* self, const char* tag) {
    call(self, [=](xml_pass& pass) {
      --pass.depth;
      pass.end_if(pass.reader.close(without_prefix(tag)));
    });
  }
  static void text(void* self, const char* bytes, int count) {
    call(self, [=](xml_pass& pass) {
      pass.end_if(pass.reader.text({bytes, static_cast<std::size_t>(count)}));
    });
  }
  static void entity(void* self, const char*, int, const char*, int, const char*, const char*, const char*,
                     const char*) {
    call(self, [](xml_pass& pass) {
      pass.end_if(pass.bad("entities are declared; expected a document without them"));
    });
  }
};

// Fills the buffer as far as the source has bytes. The first mistake that expat finds depends on the ends of
// the pieces that it gets, so they must not vary.
result<std::size_t> fill(std::span<char> buffer, byte_source& source) {
  std::size_t filled = 0;
  while (filled < buffer.size()) {
    const auto got = source.read(buffer.subspan(filled));
    if (!got.ok()) return got;
    if (got.value() == 0) break;
    filled += got.value();
  }
  return filled;
}

}  // namespace

std::optional<std::string> xml_attributes::find(std::string_view name) const {
  for (const char* const* pair = pairs_; *pair != nullptr; pair += 2) {
    if (without_prefix(*pair) == name) return std::string(pair[1]);
  }
  return {};
}

status read_xml(byte_source& source, xml_reader& reader) {
  const std::unique_ptr<std::remove_pointer_t<XML_Parser>, parser_closer> owner(::XML_ParserCreate(nullptr));
  const status no_memory(exit_status::no_resource,
                         fmt::format("no memory to read '{}'; free some memory", source.path()));
  if (!owner) return no_memory;
  XML_Parser const parser = owner.get();
  xml_pass pass{parser, reader, source};
  ::XML_SetUserData(parser, &pass);
  ::XML_SetElementHandler(parser, &xml_pass::open, &xml_pass::close);
  ::XML_SetCharacterDataHandler(parser, &xml_pass::text);
  ::XML_SetEntityDeclHandler(parser, &xml_pass::entity);
  for (std::uint64_t fed = 0;;) {
    void* const buffer = ::XML_GetBuffer(parser, xml_buffer_bytes);
    if (buffer == nullptr) return no_memory;
    const auto got = fill({static_cast<char*>(buffer), xml_buffer_bytes}, source);
    if (!got.ok()) return got.status();
    const XML_Status parsed = ::XML_ParseBuffer(parser, static_cast<int>(got.value()), got.value() == 0);
    if (pass.thrown) std::rethrow_exception(pass.thrown);
    if (!pass.failure.ok()) return pass.failure;
    if (parsed != XML_STATUS_OK) {
      const XML_Error error = ::XML_GetErrorCode(parser);
      if (error == XML_ERROR_NO_MEMORY) return no_memory;
      return pass.bad(fmt::format("not XML ({}); expected a whole document", ::XML_ErrorString(error)));
    }
    if (got.value() == 0) return {};
    fed += got.value();
    if (fed - static_cast<std::uint64_t>(std::max<XML_Index>(0, ::XML_GetCurrentByteIndex(parser))) >
        longest_text_bytes)
      return pass.bad(fmt::format("a tag of more than {} bytes; expected shorter ones", longest_text_bytes));
  }
}

}  // namespace orujo::internal::formats
