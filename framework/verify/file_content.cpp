#include "framework/verify/file_content.hpp"

#include <span>

#include "framework/formats/byte_source.hpp"

namespace orujo::internal::verify {

result<std::string> content_of(const std::string& path) {
  const auto source = formats::open_source(path);
  if (!source.ok()) return source.status();
  std::string all;
  for (;;) {
    const std::size_t before = all.size();
    all.resize(before + (std::size_t{1} << 20));
    const auto got = source.value()->read(std::span(all).subspan(before));
    if (!got.ok()) return got.status();
    all.resize(before + got.value());
    if (got.value() == 0) return all.starts_with("\xef\xbb\xbf") ? all.substr(3) : all;
  }
}

}  // namespace orujo::internal::verify
