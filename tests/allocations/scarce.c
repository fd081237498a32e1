// Preloaded by scarce_test.sh: refuses the FAIL_AT-th allocation behind the moment that ARM_AT names, or says at the end of the
// process how many there were.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

void* __libc_malloc(size_t bytes);
void* __libc_calloc(size_t count, size_t bytes);
void* __libc_realloc(void* memory, size_t bytes);
void* __libc_memalign(size_t alignment, size_t bytes);

static atomic_long asked;
static atomic_int armed;
static long refused;

// The first time that a file with this in its name is opened, or stdout is flushed.
static void arm_at(const char* moment) {
  const char *at = getenv("ARM_AT"), *number = getenv("FAIL_AT");
  if (armed || !at || !strstr(moment, at)) return;
  refused = number ? atol(number) : 0;
  armed = 1;
}

static int is_refused(void) {
  if (!armed || atomic_fetch_add(&asked, 1) + 1 != refused) return 0;
  errno = ENOMEM;
  return 1;
}

void* malloc(size_t bytes) { return is_refused() ? NULL : __libc_malloc(bytes); }
void* calloc(size_t count, size_t bytes) { return is_refused() ? NULL : __libc_calloc(count, bytes); }
void* realloc(void* memory, size_t bytes) { return is_refused() ? NULL : __libc_realloc(memory, bytes); }
void* memalign(size_t alignment, size_t bytes) { return is_refused() ? NULL : __libc_memalign(alignment, bytes); }
void* aligned_alloc(size_t alignment, size_t bytes) { return memalign(alignment, bytes); }
int posix_memalign(void** memory, size_t alignment, size_t bytes) {
  void* got = memalign(alignment, bytes);
  if (got) *memory = got;
  return got ? 0 : ENOMEM;
}

// As other parts of glibc do not come here, this is memory that the program itself maps.
void* mmap(void* at, size_t bytes, int protection, int flags, int file, off_t offset) {
  if ((flags & MAP_ANONYMOUS) && is_refused()) return MAP_FAILED;
  return (void*)syscall(SYS_mmap, at, bytes, protection, flags, file, offset);
}
void* mmap64(void* at, size_t bytes, int protection, int flags, int file, off_t offset) {
  return mmap(at, bytes, protection, flags, file, offset);
}

static int open_at(const char* path, int flags, va_list more) {
  arm_at(path);
  const int mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(more, int) : 0;
  return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}
#define OPEN(name)                          \
  int name(const char* path, int flags, ...) { \
    va_list more;                           \
    va_start(more, flags);                  \
    const int file = open_at(path, flags, more); \
    va_end(more);                           \
    return file;                            \
  }
OPEN(open)
OPEN(open64)

int fflush(FILE* file) {
  int (*next)(FILE*) = (int (*)(FILE*))dlsym(RTLD_NEXT, "fflush");
  if (file == stdout) arm_at("stdout");
  return next(file);
}

__attribute__((destructor)) static void say(void) {
  armed = 0;
  if (getenv("SAY_ALLOCATIONS")) dprintf(STDERR_FILENO, "allocations: %ld\n", (long)asked);
}
