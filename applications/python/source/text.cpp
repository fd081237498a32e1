#include "text.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <optional>

namespace nb = nanobind;

namespace orujo::internal::python {
namespace {

constexpr const char* keeps_bytes = "surrogateescape";

// Flags of graphs that are true or false.
constexpr std::string_view switches[] = {
    "bipartite",         "header", "ignore_weights", "largest_component", "names", "remove_duplicates",
    "remove_self_loops", "strict", "symmetrize",     "transpose"};

bool is_switch(std::string_view name) { return std::ranges::find(switches, name) != std::end(switches); }

// Numbers, and placeholders for a value (N), have no quotes.
std::string quoted(std::string_view value) {
  const bool plain =
      std::ranges::none_of(value, [](char c) { return std::islower(static_cast<unsigned char>(c)) != 0; });
  return plain ? std::string(value) : "\"" + std::string(value) + "\"";
}

std::string argument(std::string_view flag, const std::optional<std::string_view>& value) {
  const std::string name(flag);
  if (name == "graph") return "the path";
  if (name == "help") return "docs/reference/applications/README.md";
  if (value) return name + "=" + quoted(*value);
  if (is_switch(flag)) return name + "=True";
  if (flag.starts_with("no") && is_switch(flag.substr(2))) return name.substr(2) + "=False";
  return name;
}

// Removes the first characters for which f holds, and returns them.
template <class F>
std::string_view take_while(std::string_view& from, const F& f) {
  const auto size = static_cast<std::size_t>(std::ranges::find_if_not(from, f) - from.begin());
  const std::string_view taken = from.substr(0, size);
  from.remove_prefix(size);
  return taken;
}

bool in_name(char c) {
  return std::islower(static_cast<unsigned char>(c)) || std::isdigit(static_cast<unsigned char>(c)) ||
         c == '_';
}

}  // namespace

std::string bytes_of(nb::handle text) {
  nb::object bytes = nb::borrow(text);
  if (PyUnicode_Check(text.ptr()))
    bytes = nb::steal(PyUnicode_AsEncodedString(text.ptr(), "utf-8", keeps_bytes));
  char* first = nullptr;
  Py_ssize_t size = 0;
  if (!bytes.is_valid() || PyBytes_AsStringAndSize(bytes.ptr(), &first, &size) != 0) throw nb::python_error();
  return {first, static_cast<std::size_t>(size)};
}

nb::str str_of(std::string_view bytes) {
  PyObject* const text =
      PyUnicode_DecodeUTF8(bytes.data(), static_cast<Py_ssize_t>(bytes.size()), keeps_bytes);
  if (!text) throw nb::python_error();
  return nb::steal<nb::str>(text);
}

std::string in_python_words(std::string_view said) {
  constexpr std::string_view generated = "generate=", flags = " and similar flags ";
  std::string words;
  for (;;) {
    const std::size_t at = said.find("--");
    words += said.substr(0, at);
    if (at == std::string_view::npos) break;
    said.remove_prefix(at + 2);
    const bool begins =
        words.empty() || std::string_view(" (,;:").find(words.back()) != std::string_view::npos;
    if (!begins || said.empty() || !in_name(said.front())) {
      words += "--";
    } else if (said.starts_with(generated)) {
      said.remove_prefix(generated.size());  // the arguments follow
    } else {
      const std::string_view flag = take_while(said, in_name);
      std::optional<std::string_view> value;
      if (said.starts_with('=')) {
        said.remove_prefix(1);
        value = take_while(
            said, [](char c) { return std::string_view(" ,;:)'\"").find(c) == std::string_view::npos; });
      }
      words += argument(flag, value);
    }
  }
  if (const std::size_t at = words.find(flags); at != std::string::npos)
    words.replace(at, flags.size(), " and similar arguments ");
  return words;
}

}  // namespace orujo::internal::python
