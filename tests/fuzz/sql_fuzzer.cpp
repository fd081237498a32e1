// Any bytes as a query: parsed and planned for two tables (sql_properties.hpp).
#include "tests/fuzz/sql_properties.hpp"

#include "tests/fuzz/check.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return orujo::internal::fuzz::check_property(
      orujo::internal::fuzz::broken_sql_property({reinterpret_cast<const char*>(data), size}));
}
