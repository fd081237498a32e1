// status and result: how a user's mistake (flag, file, graph) travels to main. Bugs use CHECK instead.
#pragma once

#include <string>
#include <utility>
#include <variant>

#include "system/base/exit_status.hpp"

namespace orujo {

// Either ok, or an exit status and one line that says what is wrong, where, and what to do about it. The main
// task returns one; the job then prints the line and ends with the exit status.
class [[nodiscard]] status {
 public:
  // Ok.
  status() = default;
  // A failure.
  status(exit_status code, std::string message) : code_(code), message_(std::move(message)) {}

  bool ok() const { return code_ == exit_status::ok; }
  exit_status code() const { return code_; }
  const std::string& message() const { return message_; }

 private:
  exit_status code_ = exit_status::ok;
  std::string message_;
};

// A value, or the status that says why there is none. Test ok() first: value() of a failed result throws
// std::bad_variant_access.
template <class T>
class [[nodiscard]] result {
 public:
  result(T value) : content_(std::in_place_index<0>, std::move(value)) {}
  result(orujo::status failure) : content_(std::in_place_index<1>, std::move(failure)) {}

  bool ok() const { return content_.index() == 0; }
  T& value() & { return std::get<0>(content_); }
  const T& value() const& { return std::get<0>(content_); }
  T&& value() && { return std::get<0>(std::move(content_)); }
  orujo::status status() const { return ok() ? orujo::status() : std::get<1>(content_); }

 private:
  std::variant<T, orujo::status> content_;
};

}  // namespace orujo
