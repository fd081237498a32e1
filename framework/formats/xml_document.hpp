// Goes through an XML document by expat, tag by tag.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "framework/formats/byte_source.hpp"
#include "framework/formats/document_builder.hpp"
#include "system/base/status.hpp"

namespace orujo::internal::formats {

class xml_attributes {
 public:
  explicit xml_attributes(const char* const* pairs) : pairs_(pairs) {}
  // Names have no prefixes.
  std::optional<std::string> find(std::string_view name) const;

 private:
  const char* const* pairs_;
};

// The events of a document. A failure ends the reading.
class xml_reader {
 public:
  virtual ~xml_reader() = default;
  virtual status open(std::string_view tag, const xml_attributes& attributes, text_place at) = 0;
  virtual status close(std::string_view tag) = 0;
  // A piece of it.
  virtual status text(std::string_view some) = 0;
};

// Fails if the source or the reader does, and with bad_data if it is not XML. Entities that a document
// declares are refused, as they grow without bounds; so are deep nesting and tags of more than a MiB.
status read_xml(byte_source& source, xml_reader& reader);

}  // namespace orujo::internal::formats
