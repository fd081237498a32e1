#include "system/checkpoint/manifest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <span>

#include "system/files/checksum.hpp"

namespace orujo::internal::checkpoint {
namespace {

constexpr std::string_view magic = "orujo checkpoint ";

std::string end_line(std::string_view before) {
  return fmt::format("end {:x}\n", files::checksum(std::as_bytes(std::span(before))));
}

std::string escape(std::string_view text) {
  std::string word;
  for (const char c : text) {
    if (c > ' ' && c != '%' && c != 0x7f) {
      word += c;
    } else {
      word += fmt::format("%{:02x}", static_cast<unsigned char>(c));
    }
  }
  return word.empty() ? "%" : word;
}

int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

// Takes the words of a line one by one; `good` becomes false at the first that is missing or wrong.
struct words {
  std::string_view rest;
  bool good = true;

  std::string_view next() {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    const std::string_view word = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    good = good && !word.empty();
    return word;
  }
  std::uint64_t number(int base = 10) {
    const std::string_view word = next();
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value, base);
    good = good && error == std::errc() && end == word.data() + word.size();
    return value;
  }
  std::string text() {
    const std::string_view word = next();
    std::string text;
    if (word == "%") return text;
    for (std::size_t k = 0; k < word.size(); ++k) {
      if (word[k] != '%') {
        text += word[k];
        continue;
      }
      const int high = word.size() - k > 2 ? digit(word[k + 1]) : -1;
      const int low = word.size() - k > 2 ? digit(word[k + 2]) : -1;
      if (high < 0 || low < 0) good = false;
      text += static_cast<char>(high * 16 + low);
      k += 2;
    }
    return text;
  }
  std::vector<std::byte> bytes() {
    const std::string_view word = next();
    std::vector<std::byte> all;
    if (word == "-") return all;
    good = good && word.size() % 2 == 0;
    for (std::size_t k = 0; good && k < word.size(); k += 2) {
      good = digit(word[k]) >= 0 && digit(word[k + 1]) >= 0;
      all.push_back(static_cast<std::byte>(digit(word[k]) * 16 + digit(word[k + 1])));
    }
    return all;
  }
};

bool read_line(words line, manifest& to) {
  const std::string_view kind = line.next();
  if (kind == "epoch") {
    to.epoch = line.number();
    to.token = line.number(16);
    to.run = line.number();
  } else if (kind == "fact") {
    std::string name = line.text();
    to.facts.emplace_back(std::move(name), line.text());
  } else if (kind == "value") {
    std::string name = line.text();
    to.values.push_back({std::move(name), line.bytes()});
  } else if (kind == "section") {
    section made;
    made.name = line.text();
    const std::string_view order = line.next();
    line.good = line.good && (order == "ordered" || order == "loose");
    made.ordered = order == "ordered";
    made.record_bytes = line.number();
    made.records = line.number();
    to.sections.push_back(std::move(made));
  } else if (kind == "file") {
    to.file_bytes.push_back(line.number());
  } else if (kind == "chunk") {
    chunk made{line.number(), line.number(), line.number(), line.number(), line.number(), line.number(16)};
    to.chunks.push_back(made);
  } else {
    return false;
  }
  return line.good && line.rest.empty();
}

bool is_within(const chunk& c, const manifest& all) {
  if (c.file >= all.file_bytes.size() || c.section >= all.sections.size()) return false;
  const section& of = all.sections[c.section];
  if (of.record_bytes == 0 || c.records == 0) return false;
  const std::uint64_t most = all.file_bytes[c.file];
  return c.at <= most && c.records <= (most - c.at) / of.record_bytes && c.records <= of.records &&
         (of.ordered ? c.first <= of.records - c.records : c.first == 0);
}

// Returns whether the chunks have all records, and those of ordered sections once.
bool is_complete(const manifest& all) {
  std::vector<chunk> sorted = all.chunks;
  std::sort(sorted.begin(), sorted.end(), [](const chunk& a, const chunk& b) {
    return a.section != b.section ? a.section < b.section : a.first < b.first;
  });
  std::vector<std::uint64_t> found(all.sections.size());
  for (const chunk& c : sorted) {
    if (!is_within(c, all)) return false;
    std::uint64_t& before = found[c.section];
    if (all.sections[c.section].ordered && c.first != before) return false;
    if (c.records > all.sections[c.section].records - before) return false;
    before += c.records;
  }
  return std::equal(found.begin(), found.end(), all.sections.begin(),
                    [](std::uint64_t n, const section& s) { return n == s.records; });
}

status damaged(const std::string& path, std::string_view what) {
  return {exit_status::bad_data, fmt::format("{}: {}", path, what)};
}

}  // namespace

std::string encode(const manifest& all) {
  std::string text =
      fmt::format("{}{}\nepoch {} {:x} {}\n", magic, manifest_version, all.epoch, all.token, all.run);
  for (const auto& [name, value] : all.facts)
    text += fmt::format("fact {} {}\n", escape(name), escape(value));
  for (const named_bytes& v : all.values) {
    text += fmt::format("value {} {}", escape(v.name), v.bytes.empty() ? "-" : "");
    for (const std::byte b : v.bytes) text += fmt::format("{:02x}", std::to_integer<unsigned>(b));
    text += '\n';
  }
  for (const section& s : all.sections)
    text += fmt::format("section {} {} {} {}\n", escape(s.name), s.ordered ? "ordered" : "loose",
                        s.record_bytes, s.records);
  for (const std::uint64_t bytes : all.file_bytes) text += fmt::format("file {}\n", bytes);
  for (const chunk& c : all.chunks)
    text +=
        fmt::format("chunk {} {} {} {} {} {:x}\n", c.file, c.section, c.first, c.records, c.at, c.checksum);
  return text + end_line(text);
}

result<manifest> decode(std::string_view text, const std::string& path) {
  if (!text.starts_with(magic)) return damaged(path, "it does not begin as a checkpoint's manifest does");
  const std::size_t end = text.rfind("end ");
  if (end == std::string_view::npos || end == 0 || text[end - 1] != '\n' ||
      text.substr(end) != end_line(text.substr(0, end)))
    return damaged(path, "it is damaged: its checksum differs");
  const std::string_view version = text.substr(magic.size(), text.find('\n') - magic.size());
  if (version != std::to_string(manifest_version))
    return status(exit_status::bad_checkpoint,
                  fmt::format("{}: it is of version {}, and this program reads version {}: resume with the "
                              "program that wrote it, or pass another --checkpoint_dir",
                              path, version, manifest_version));
  manifest all;
  text = text.substr(0, end);
  text.remove_prefix(text.find('\n') + 1);
  while (!text.empty()) {
    const std::size_t length = text.find('\n');
    if (!read_line({text.substr(0, length)}, all))
      return damaged(path, fmt::format("a line cannot be read: {}", text.substr(0, length)));
    text.remove_prefix(length + 1);
  }
  if (!is_complete(all)) return damaged(path, "its chunks are not those of its sections");
  return all;
}

std::string difference(const std::vector<fact>& now, const std::vector<fact>& then) {
  const auto value_in = [](const std::vector<fact>& facts,
                           const std::string& name) -> std::optional<std::string> {
    const auto found =
        std::find_if(facts.begin(), facts.end(), [&](const fact& f) { return f.first == name; });
    return found == facts.end() ? std::nullopt : std::optional(found->second);
  };
  for (const auto& [name, value] : now) {
    const auto before = value_in(then, name);
    if (!before) return fmt::format("{} is {}, and there was none", name, value);
    if (*before != value) return fmt::format("{} is {} and was {}", name, value, *before);
  }
  for (const auto& [name, value] : then) {
    if (!value_in(now, name)) return fmt::format("{} was {}, and there is none", name, value);
  }
  return "";
}

}  // namespace orujo::internal::checkpoint
