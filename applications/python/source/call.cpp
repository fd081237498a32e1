#include "call.hpp"

#include <algorithm>
#include <span>

#include "job.hpp"
#include "system/files/checksum.hpp"

namespace orujo::internal::python {
namespace {

constexpr std::size_t longest_text = 200;

std::string done(const std::string& name) {
  return name.empty() ? "has stopped or ended its program" : "calls " + shown_name(name);
}

}  // namespace

std::string text_of(bool value) { return value ? "True" : "False"; }
std::string text_of(const std::string& value) { return "'" + value + "'"; }

std::string shown_name(const std::string& name) {
  return name.find_first_of(".(") == std::string::npos ? name + "()" : name;
}

bool call::compares() { return processes() > 1; }

void call::add(const std::string& argument, std::string text) {
  if (text.size() > longest_text) {
    const std::string sum = std::to_string(files::checksum(std::as_bytes(std::span(text))));
    text = text.substr(0, longest_text / 2) + "... (checksum " + sum + ")";
  }
  arguments_.emplace_back(argument, std::move(text));
}

std::string call::difference_of(int process, const call& other) const {
  const std::string who = "process " + std::to_string(process) + " ";
  if (other.name_ != name_)
    return who + done(other.name_) + " where process 0 " + done(name_) +
           ": all processes make the same calls in the same order";
  const auto [ours, theirs] = std::ranges::mismatch(arguments_, other.arguments_);
  if (ours == arguments_.end() || theirs == other.arguments_.end())
    return {};  // as many where names are equal
  const auto shown = [](const auto& argument) { return argument.first + "=" + argument.second; };
  return who + done(name_) + " with " + shown(*theirs) + " where process 0 has " + shown(*ours) +
         ": all processes pass the same arguments";
}

}  // namespace orujo::internal::python
