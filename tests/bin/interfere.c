// Preloaded into the locales of a job by ends_test.sh, to make happen what seldom does.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int number(const char* name) {
  const char* value = getenv(name);
  return value ? atoi(value) : -1;
}

// A locale leaves the job where it gets SIGUSR2, by _exit() with LEAVE_STATUS.
static void leave(int signal) {
  (void)signal;
  _exit(number("LEAVE_STATUS"));
}

__attribute__((constructor)) static void listen_for_leave(void) {
  if (number("LEAVE_STATUS") >= 0) signal(SIGUSR2, leave);
}

// The locale STOPPED stops itself while MPI begins (STOPPED_AT=begin) or ends.
static void stop_at(const char* place) {
  const char* where = getenv("STOPPED_AT");
  if (where && strcmp(where, place) == 0 && number("OMPI_COMM_WORLD_RANK") == number("STOPPED")) raise(SIGSTOP);
}

static void* of_pmix(const char* name) { return dlsym(dlopen("libpmix.so.2", RTLD_NOW), name); }

int PMIx_Init(void* process, void* information, size_t size) {
  stop_at("begin");
  int (*init)(void*, void*, size_t) = (int (*)(void*, void*, size_t))of_pmix("PMIx_Init");
  return init(process, information, size);
}

// mpirun stops for DEAF_SECONDS just when locale 0 tells it, in the second of its two calls of this, that it is done.
int PMIx_Finalize(const void* information, size_t size) {
  static int calls;
  stop_at("end");
  if (++calls == 2 && number("DEAF_SECONDS") > 0 && number("OMPI_COMM_WORLD_RANK") == 0) {
    const pid_t mpirun = getppid();
    if (fork() == 0) {
      closefrom(0);
      sleep((unsigned)number("DEAF_SECONDS"));
      kill(mpirun, SIGCONT);
      _exit(0);
    }
    kill(mpirun, SIGSTOP);
  }
  int (*finalize)(const void*, size_t) = (int (*)(const void*, size_t))of_pmix("PMIx_Finalize");
  return finalize(information, size);
}
