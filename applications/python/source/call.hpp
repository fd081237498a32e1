// A call of the interpreter as its processes compare it.
#pragma once

#include <charconv>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace orujo::internal::python {

// Values of arguments as the interpreter shows them. Classes of the package have functions of their own
// beside them.
std::string text_of(bool value);
std::string text_of(const std::string& value);
template <class T>
  requires(std::integral<T> || std::floating_point<T>)
std::string text_of(T value) {
  char digits[32];
  return {digits, std::to_chars(digits, digits + sizeof(digits), value).ptr};
}
template <class T>
std::string text_of(const std::optional<T>& value) {
  return value ? text_of(*value) : "None";
}
template <class T>
std::string text_of(const std::vector<T>& values) {
  std::string all;
  for (const T& value : values) all += (all.empty() ? "" : ", ") + text_of(value);
  return "[" + all + "]";
}

// "bfs" as bfs(), "Graph.ids" as it is.
std::string shown_name(const std::string& name);

// The name and the arguments, in order, of a function or an attribute, which all processes must give alike.
// Of long values the beginning and a checksum are kept.
class call {
 public:
  call() = default;
  explicit call(std::string name) : name_(std::move(name)) {}
  // The end of a job, by the program or with it.
  static call to_stop() { return call(""); }

  template <class T>
  call& with(const std::string& argument, const T& value) {
    if (compares()) add(argument, text_of(value));
    return *this;
  }

  const std::string& name() const { return name_; }
  // The difference of another process's call from this one, which process 0 makes: a sentence, or nothing.
  std::string difference_of(int process, const call& other) const;

  template <class Archive>
  void serialize(Archive& archive) {
    archive(name_, arguments_);
  }

 private:
  static bool compares();  // there is another process
  void add(const std::string& argument, std::string text);

  std::string name_;
  std::vector<std::pair<std::string, std::string>> arguments_;
};

}  // namespace orujo::internal::python
