// Preloaded into mpirun for a job on one node (bin/commands/job.sh). Open MPI's mpirun listens on all
// addresses of the machine, and has no parameter for that: `oob_tcp_if_include` only chooses the address that
// it gives to others. This library binds its sockets to the loopback interface instead. Programs that mpirun
// starts do not get it.
#include <dlfcn.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <initializer_list>

namespace {

// sockaddr_in or sockaddr_in6 at `address`, which may be unaligned for them.
template <typename Address>
Address copy_of(const sockaddr* address) {
  Address copy;
  std::memcpy(&copy, address, sizeof copy);
  return copy;
}

// A script named mpirun runs in a shell, and hands the library on to the mpirun that it starts.
bool is_mpirun() {
  for (const char* name : {"mpirun", "mpiexec", "orterun"})
    if (std::strncmp(program_invocation_short_name, name, std::strlen(name)) == 0) return true;
  return false;
}

// LD_PRELOAD begins with this library, by the path that it was loaded from (bin/commands/job.sh).
[[gnu::constructor]] void leave_environment() {
  const char* preloaded = std::getenv("LD_PRELOAD");
  Dl_info self;
  if (!is_mpirun() || !preloaded || dladdr(reinterpret_cast<void*>(&leave_environment), &self) == 0) return;
  const std::size_t length = std::strlen(self.dli_fname);
  if (std::strncmp(preloaded, self.dli_fname, length) != 0) return;
  if (preloaded[length] == ':')
    setenv("LD_PRELOAD", preloaded + length + 1, 1);
  else
    unsetenv("LD_PRELOAD");
}

}  // namespace

extern "C" [[gnu::visibility("default")]] int bind(int socket, const sockaddr* address,
                                                   socklen_t size) noexcept {
  const auto bind_of_libc = reinterpret_cast<decltype(&bind)>(dlsym(RTLD_NEXT, "bind"));
  if (size >= sizeof(sockaddr_in) && address->sa_family == AF_INET) {
    auto local = copy_of<sockaddr_in>(address);
    if (local.sin_addr.s_addr == htonl(INADDR_ANY)) local.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return bind_of_libc(socket, reinterpret_cast<const sockaddr*>(&local), sizeof local);
  }
  if (size >= sizeof(sockaddr_in6) && address->sa_family == AF_INET6) {
    auto local = copy_of<sockaddr_in6>(address);
    if (IN6_IS_ADDR_UNSPECIFIED(&local.sin6_addr)) local.sin6_addr = in6addr_loopback;
    return bind_of_libc(socket, reinterpret_cast<const sockaddr*>(&local), sizeof local);
  }
  return bind_of_libc(socket, address, size);
}
