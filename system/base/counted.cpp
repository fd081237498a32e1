#include "system/base/counted.hpp"

namespace orujo::internal::base {

std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, 1, ',');
  return digits;
}

std::string counted(std::uint64_t number, const char* noun, const char* plural) {
  std::string text = grouped(number) + ' ';
  if (number == 1) return text + noun;
  return plural ? text + plural : text + noun + 's';
}

}  // namespace orujo::internal::base
