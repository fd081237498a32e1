#include "framework/verify/word_count_oracle.hpp"

#include <cctype>
#include <unordered_map>

#include "framework/verify/file_content.hpp"

namespace orujo::internal::verify {
namespace {

std::vector<std::string> words_in(const std::string& text, bool letters, bool lower_case) {
  std::vector<std::string> words;
  bool inside = false;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool belongs = letters ? std::isalnum(byte) != 0 || byte > 127 : byte > ' ';
    if (belongs && !inside) words.emplace_back();
    if (belongs) words.back() += lower_case && byte < 128 ? static_cast<char>(std::tolower(byte)) : c;
    inside = belongs;
  }
  return words;
}

}  // namespace

result<std::map<std::string, std::uint64_t, std::less<>>> count_words(const std::vector<std::string>& paths,
                                                                      std::size_t length, bool letters,
                                                                      bool lower_case) {
  std::unordered_map<std::string, std::uint64_t> counts;
  for (const std::string& path : paths) {
    const auto text = content_of(path);
    if (!text.ok()) return text.status();
    const std::vector<std::string> words = words_in(text.value(), letters, lower_case);
    for (std::size_t k = 0; k + length <= words.size(); ++k) {
      std::string joined = words[k];
      for (std::size_t more = 1; more < length; ++more) joined += ' ' + words[k + more];
      ++counts[joined];
    }
  }
  return std::map<std::string, std::uint64_t, std::less<>>(counts.begin(), counts.end());
}

}  // namespace orujo::internal::verify
