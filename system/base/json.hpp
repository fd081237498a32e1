// Values for JSON files, as a tree that nlohmann's library writes. The library's own headers would add
// seconds of compilation to each source that builds an object.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace orujo::internal::base {

// A null, a truth value, a number, a string, an array, or an object. The keys of an object stay in the order
// of insertion.
//   json trial = {{"seconds", 0.25}, {"layout", "bfs"}};
//   trial["gain"] = 2;
class json {
 public:
  using member = std::pair<std::string, json>;

  json() = default;
  json(std::same_as<bool> auto truth) : value_(truth) {}
  json(std::signed_integral auto number) : value_(std::int64_t{number}) {}
  json(std::unsigned_integral auto number) requires(!std::same_as<decltype(number), bool>)
      : value_(std::uint64_t{number}) {}
  json(double number) : value_(number) {}
  json(std::string text) : value_(std::move(text)) {}
  json(std::string_view text) : value_(std::string(text)) {}
  json(const char* text) : value_(std::string(text)) {}
  template <class T>
  json(const std::vector<T>& values) : value_(std::vector<json>(values.begin(), values.end())) {}
  json(std::initializer_list<member> members) : value_(std::vector<member>(members)) {}
  static json array() { return std::vector<json>(); }
  static json object() { return std::initializer_list<member>(); }

  // push_back() and back() are for arrays, operator[] for objects. A new key has null, and a null becomes an
  // object.
  void push_back(json value) { std::get<std::vector<json>>(value_).push_back(std::move(value)); }
  json& back() { return std::get<std::vector<json>>(value_).back(); }
  bool empty() const;  // also null
  std::size_t size() const;
  json& operator[](std::string_view key);
  // Takes over the members of another object, in place of those of the same keys.
  void update(const json& object);

  // Writes `indent` spaces per level, or a single line for -1. Bytes that are not UTF-8 become U+FFFD.
  std::string dump(int indent = -1) const;

 private:
  struct writer;
  std::variant<std::nullptr_t, bool, std::int64_t, std::uint64_t, double, std::string, std::vector<json>,
               std::vector<member>>
      value_;
};

}  // namespace orujo::internal::base
