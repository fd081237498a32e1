#include "progress.hpp"

#include <chrono>
#include <string>

#include "system/observe/progress.hpp"
#include "text.hpp"

namespace nb = nanobind;

namespace orujo::internal::python {
namespace {

using clock = std::chrono::steady_clock;
constexpr auto pace = std::chrono::milliseconds(250);

struct display {
  nb::object function;
  clock::time_point last;
  bool shown = false;
};
display& the_display() {
  static display& made = *new display;  // never destroyed, because the interpreter ends before
  return made;
}

bool pass(const std::string& line) {
  the_display().shown = !line.empty();
  const nb::object function = the_display().function;
  try {
    function(str_of(line));
    return true;
  } catch (nb::python_error& thrown) {
    thrown.restore();
    return false;
  }
}

}  // namespace

void show_progress_by(const nb::object& function) {
  the_display().function = function.is_none() ? nb::object() : function;
  observe::keep_progress_text(!function.is_none());
}

bool show_progress() {
  display& here = the_display();
  if (!here.function.is_valid() || clock::now() - here.last < pace) return true;
  here.last = clock::now();
  const std::string line = observe::progress_text();
  return line.empty() || pass(line);
}

void clear_progress() {
  if (!the_display().shown || !the_display().function.is_valid()) return;
  PyObject *type = nullptr, *value = nullptr, *trace = nullptr;
  PyErr_Fetch(&type, &value, &trace);
  const bool cleared = pass("");
  if (!type) return;  // a new exception is the caller's
  if (!cleared) PyErr_Clear();
  PyErr_Restore(type, value, trace);
}

}  // namespace orujo::internal::python
