#include "tests/allocations/failing_allocations.hpp"

#include <errno.h>

#include <cstdlib>
#include <new>

#include "tests/sanitized.hpp"

namespace orujo::internal::allocations {
namespace {

struct {
  bool watched = false;
  asking counted = asking::any;
  long asked = 0, refused = 0, kept = 0;
} thread_local constinit now;

bool is_refused(asking who) { return now.watched && who == now.counted && ++now.asked == now.refused; }

}  // namespace

watch::watch(asking counted, long refused) {
  now = {true, sanitized ? asking::by_new : counted, 0, refused, 0};
}
watch::~watch() { now.watched = false; }
long watch::asked() const { return now.asked; }
long watch::kept() const { return now.kept; }

}  // namespace orujo::internal::allocations

namespace {

// Under `any` malloc refuses.
void* given_by_new(void* memory, bool refused) {
  if (memory && !refused) return memory;
  std::free(memory);
  throw std::bad_alloc();
}

}  // namespace

// All others of them call these.
void* operator new(std::size_t bytes) {
  const bool refused = orujo::internal::allocations::is_refused(orujo::internal::allocations::asking::by_new);
  return given_by_new(std::malloc(bytes > 0 ? bytes : 1), refused);
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  const bool refused = orujo::internal::allocations::is_refused(orujo::internal::allocations::asking::by_new);
  const auto unit = static_cast<std::size_t>(alignment);
  return given_by_new(std::aligned_alloc(unit, (bytes + unit - 1) / unit * unit), refused);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

#if !defined(ORUJO_ADDRESS_SANITIZER) && !defined(ORUJO_THREAD_SANITIZER)

// glibc's own names for them.
extern "C" {

void* __libc_malloc(std::size_t bytes);
void* __libc_calloc(std::size_t count, std::size_t bytes);
void* __libc_realloc(void* memory, std::size_t bytes);
void* __libc_memalign(std::size_t alignment, std::size_t bytes);
void __libc_free(void* memory);

static void* given(void* memory) {
  if (memory && orujo::internal::allocations::now.watched) ++orujo::internal::allocations::now.kept;
  return memory;
}
static bool is_refused() {
  return orujo::internal::allocations::is_refused(orujo::internal::allocations::asking::any);
}
static void* refuse() {
  errno = ENOMEM;
  return nullptr;
}

void* malloc(std::size_t bytes) { return is_refused() ? refuse() : given(__libc_malloc(bytes)); }
void* calloc(std::size_t count, std::size_t bytes) {
  return is_refused() ? refuse() : given(__libc_calloc(count, bytes));
}
void* realloc(void* memory, std::size_t bytes) {
  if (is_refused()) return refuse();
  void* const moved = __libc_realloc(memory, bytes);
  return memory ? moved : given(moved);
}
void* memalign(std::size_t alignment, std::size_t bytes) {
  return is_refused() ? refuse() : given(__libc_memalign(alignment, bytes));
}
void* aligned_alloc(std::size_t alignment, std::size_t bytes) { return memalign(alignment, bytes); }
int posix_memalign(void** memory, std::size_t alignment, std::size_t bytes) {
  void* const got = memalign(alignment, bytes);
  if (!got) return ENOMEM;
  *memory = got;
  return 0;
}
void free(void* memory) {
  if (memory && orujo::internal::allocations::now.watched) --orujo::internal::allocations::now.kept;
  __libc_free(memory);
}

}  // extern "C"

#endif
