// Texts between the interpreter and the cores: whose are bytes, where a str is what its bytes are in UTF-8.
// Bytes that are none become lone surrogates (PEP 383), and back, as in the names of files.
#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <string_view>

namespace orujo::python {

// text: a str or bytes. Throws Python's error where it is neither.
std::string bytes_of(nanobind::handle text);
nanobind::str str_of(std::string_view bytes);

// A sentence about flags as one about keyword arguments: `add --symmetrize` as `add symmetrize=True`.
std::string in_python_words(std::string_view said);

}  // namespace orujo::python
