// Texts between the interpreter and the cores. The cores have bytes; a str becomes its bytes in UTF-8. Bytes
// of another encoding become lone surrogates (PEP 383), and back, as in the names of files.
#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <string_view>

namespace orujo::internal::python {

// `text` is a str or bytes. Throws Python's error for other types.
std::string bytes_of(nanobind::handle text);
nanobind::str str_of(std::string_view bytes);

// Rewords a sentence about flags for keyword arguments: `add --symmetrize` becomes `add symmetrize=True`.
std::string in_python_words(std::string_view said);

}  // namespace orujo::internal::python
