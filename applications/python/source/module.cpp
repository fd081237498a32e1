// The module orujo._core, which the package's Python files call. bind_*.cpp have its functions.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>

#include <atomic>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "framework/device/selection.hpp"
#include "job.hpp"
#include "progress.hpp"
#include "text.hpp"

namespace orujo::internal::python {
namespace {

// Shows the progress of a call that waits. Returns whether that or a signal's handler has thrown, as Ctrl-C's
// does. The exception stays until the call returns.
bool has_thrown_while_waiting() {
  const nb::gil_scoped_acquire locked;
  return PyErr_Occurred() != nullptr || PyErr_CheckSignals() != 0 || !show_progress();
}

PyObject* type_of(const job_error& e) {
  const std::string what = e.what();
  const auto says = [&what](const char* words) { return what.find(words) != std::string::npos; };
  switch (e.code()) {
    case exit_status::usage:
    case exit_status::bad_data:
      return PyExc_ValueError;
    case exit_status::no_input:
    case exit_status::io_error:
      if (says("No such file")) return PyExc_FileNotFoundError;
      if (says("ermission denied")) return PyExc_PermissionError;
      if (says("s a directory")) return PyExc_IsADirectoryError;
      return PyExc_OSError;
    case exit_status::no_resource:
      return PyExc_MemoryError;
    default:
      return PyExc_RuntimeError;
  }
}

void translate(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const job_error& e) {
    PyErr_SetObject(type_of(e), str_of(in_python_words(e.what())).ptr());
  }
}

// Number of threads that have released the interpreter's lock here. If such a thread took it back after the
// interpreter has ended, it would be ended inside C++ code.
std::atomic<int> threads_without_lock{0};

}  // namespace

without_lock::without_lock() {
  ++threads_without_lock;  // while it still has the lock
  released_.emplace();
}
without_lock::~without_lock() {
  released_.reset();
  --threads_without_lock;
  threads_without_lock.notify_all();
}

void finish() {
  clear_progress();
  if (PyErr_Occurred()) throw nb::python_error();
}

vertex_key key_of(const nb::handle vertex) {
  if (nb::isinstance<nb::str>(vertex)) return {true, 0, bytes_of(vertex)};
  const nb::object index = nb::steal(PyNumber_Index(vertex.ptr()));
  if (!index.is_valid()) throw nb::python_error();
  std::uint64_t id = 0;
  if (!nb::try_cast(index, id)) throw nb::value_error("a vertex's id is from 0 to 2**64 - 1");
  return {false, id, {}};
}
std::vector<std::string> texts_of(const nb::list& all) {
  std::vector<std::string> texts;
  for (const nb::handle one : all) texts.push_back(bytes_of(one));
  return texts;
}
std::vector<vertex_key> keys_of(const nb::iterable vertices) {
  std::vector<vertex_key> keys;
  for (const nb::handle vertex : vertices) keys.push_back(key_of(vertex));
  return keys;
}

nb::dict told(const convergence& c) {
  nb::dict all;
  all["iterations"] = c.iterations;
  all["change"] = c.change;
  all["converged"] = c.converged;
  return all;
}

namespace {

// All calls end before the interpreter does.
void end() {
  if (!announce_end()) return;
  {
    const nb::gil_scoped_release without;
    for (int others; (others = threads_without_lock) > 0;) threads_without_lock.wait(others);
    stop();
  }
  finish();
}

}  // namespace
}  // namespace orujo::internal::python

NB_MODULE(_core, m) {
  using namespace orujo::internal::python;
  nb::set_leak_warnings(false);  // a graph may live until the end
  nb::register_exception_translator(&translate);
  set_interrupted(&has_thrown_while_waiting);
  m.def("start", [](const nb::list& flags) {
    const std::vector<std::string> words = texts_of(flags);
    unlocked([&] { start(words); });
  });
  m.def("stop", [] { unlocked([] { stop(); }); });
  m.def("end", &end);
  m.def("started", &started);
  m.def("show_progress_by", &show_progress_by, nb::arg().none());
  m.def("why_no_gpu", &orujo::internal::device::why_no_gpu);
  m.def("process", &process);
  m.def("processes", &processes);
  m.def("cores", &cores_of_job);
  define_graph(m);
  define_centralities(m);
  define_groups(m);
  define_paths(m);
  define_query(m);
}
