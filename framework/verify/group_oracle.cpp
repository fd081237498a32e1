#include "framework/verify/group_oracle.hpp"

#include <sstream>
#include <utility>

#include "framework/verify/file_content.hpp"

namespace orujo::verify {
namespace {

constexpr std::int64_t billion = 1'000'000'000;

// A state machine over the characters.
std::vector<std::string> fields_in(const std::string& line, char separator) {
  std::vector<std::string> fields(1);
  bool quoted = false, begun = false;
  const auto end_field = [&] {
    std::string& field = fields.back();
    while (!begun && !field.empty() && (field.back() == ' ' || field.back() == '\t')) field.pop_back();
    begun = false;
  };
  for (std::size_t k = 0; k < line.size(); ++k) {
    const char c = line[k];
    const bool blank = c == ' ' || (c == '\t' && separator != '\t');
    if (quoted) {
      if (c == '"' && k + 1 < line.size() && line[k + 1] == '"') {
        fields.back() += line[++k];
      } else if (c == '"') {
        quoted = false;
      } else {
        fields.back() += c;
      }
    } else if (separator == ' ' ? blank : c == separator) {
      if (separator == ' ' && fields.back().empty()) continue;
      end_field();
      fields.emplace_back();
    } else if (separator != ' ' && c == '"' && fields.back().empty()) {
      quoted = begun = true;
    } else if (!(blank && (fields.back().empty() || begun))) {
      fields.back() += c;
    }
  }
  end_field();
  if (separator == ' ' && fields.back().empty()) fields.pop_back();
  return fields;
}

// "-12.5" is -12 and -500,000,000.
decimal_sum number_in(const std::string& text) {
  const bool negative = text.starts_with('-');
  const std::string digits = text.substr(negative || text.starts_with('+') ? 1 : 0);
  const std::size_t point = digits.find('.');
  std::string behind = point == digits.npos ? "" : digits.substr(point + 1);
  behind.resize(9, '0');
  std::string before(1, '0');
  before.append(digits, 0, point);
  const decimal_sum number{std::stoll(before), std::stoll(behind)};
  return negative ? decimal_sum{-number.whole, -number.billionths} : number;
}

void add(decimal_sum& to, const decimal_sum& more) {
  to.whole += more.whole;
  to.billionths += more.billionths;
  to.whole += to.billionths / billion;
  to.billionths %= billion;
  if (to.whole > 0 && to.billionths < 0) --to.whole, to.billionths += billion;
  if (to.whole < 0 && to.billionths > 0) ++to.whole, to.billionths -= billion;
}

}  // namespace

result<std::map<std::string, decimal_sum, std::less<>>> group_lines(const std::vector<std::string>& paths,
                                                                    char separator, bool header,
                                                                    std::size_t group_by,
                                                                    std::optional<std::size_t> sum_of) {
  std::map<std::string, decimal_sum, std::less<>> groups;
  for (const std::string& path : paths) {
    const auto content = content_of(path);
    if (!content.ok()) return content.status();
    std::istringstream lines(content.value());
    bool skipped = !header;
    for (std::string line; std::getline(lines, line);) {
      if (line.ends_with('\r')) line.pop_back();
      if (!std::exchange(skipped, true) || line.find_first_not_of(" \t") == line.npos) continue;
      const std::vector<std::string> fields = fields_in(line, separator);
      add(groups[fields[group_by]], sum_of ? number_in(fields[*sum_of]) : decimal_sum{1, 0});
    }
  }
  return groups;
}

}  // namespace orujo::verify
