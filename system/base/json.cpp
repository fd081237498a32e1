#include "system/base/json.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace orujo::internal::base {

struct json::writer {
  using result = nlohmann::ordered_json;
  result operator()(const std::vector<json>& values) const {
    result all = result::array();
    for (const json& each : values) all.push_back(std::visit(*this, each.value_));
    return all;
  }
  result operator()(const std::vector<member>& members) const {
    result all = result::object();
    for (const auto& [key, value] : members) all[key] = std::visit(*this, value.value_);
    return all;
  }
  result operator()(const auto& plain) const { return plain; }
};

std::size_t json::size() const {
  if (const auto* values = std::get_if<std::vector<json>>(&value_)) return values->size();
  if (const auto* members = std::get_if<std::vector<member>>(&value_)) return members->size();
  return 0;
}

bool json::empty() const { return size() == 0; }

json& json::operator[](std::string_view key) {
  if (std::holds_alternative<std::nullptr_t>(value_)) *this = object();
  auto& members = std::get<std::vector<member>>(value_);
  const auto found =
      std::find_if(members.begin(), members.end(), [&](const member& m) { return m.first == key; });
  return found != members.end() ? found->second : members.emplace_back(key, json()).second;
}

void json::update(const json& other) {
  for (const auto& [key, value] : std::get<std::vector<member>>(other.value_)) (*this)[key] = value;
}

std::string json::dump(int indent) const {
  return std::visit(writer(), value_)
      .dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace orujo::internal::base
