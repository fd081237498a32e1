// A switch with long links. It joins the nodes of tests/cluster/cluster.sh --delay by TAP devices tap0, tap1,
// ... in its network namespace. It forwards every frame after a delay, in order.
//   delaying_switch NODES MICROSECONDS
// It prints "ready" once the devices exist, and ends with status 4 if they cannot.
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <string>
#include <vector>

namespace {

using clock_type = std::chrono::steady_clock;
using address = std::array<unsigned char, 6>;  // of Ethernet
using frame = std::vector<unsigned char>;

struct late_frame {
  clock_type::time_point due;
  std::size_t from;
  frame bytes;
};

int open_port(std::size_t number) {
  const int port = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
  ifreq request{};
  request.ifr_flags = IFF_TAP | IFF_NO_PI;
  std::snprintf(request.ifr_name, sizeof(request.ifr_name), "tap%zu", number);
  if (port < 0 || ioctl(port, TUNSETIFF, &request) != 0) {
    std::perror("delaying_switch: /dev/net/tun");
    std::exit(4);
  }
  return port;
}

class late_switch {
 public:
  late_switch(std::size_t nodes, std::chrono::microseconds delay) : delay_(delay) {
    for (std::size_t k = 0; k < nodes; ++k) ports_.push_back({open_port(k), POLLIN, 0});
  }

  void run() {
    for (;;) {
      await();
      for (std::size_t k = 0; k < ports_.size(); ++k) {
        if (ports_[k].revents != 0) take(k);
      }
      for (const auto now = clock_type::now(); !under_way_.empty() && under_way_.front().due <= now;) {
        hand_on(under_way_.front());
        spare_.push_back(std::move(under_way_.front().bytes));
        under_way_.pop_front();
      }
    }
  }

 private:
  static constexpr std::size_t largest = 1 << 16;

  void await() {
    timespec left{};
    if (!under_way_.empty()) {
      const auto wait = std::chrono::nanoseconds(under_way_.front().due - clock_type::now()).count();
      left.tv_nsec = wait > 0 ? wait % 1'000'000'000 : 0;
      left.tv_sec = wait > 0 ? wait / 1'000'000'000 : 0;
    }
    ppoll(ports_.data(), ports_.size(), under_way_.empty() ? nullptr : &left, nullptr);
  }
  // Some, so that those that are due do not wait for long.
  void take(std::size_t port) {
    for (int k = 0; k < 16; ++k) {
      frame bytes;
      if (!spare_.empty()) {
        bytes = std::move(spare_.back());
        spare_.pop_back();
      }
      bytes.resize(largest);
      const ssize_t got = read(ports_[port].fd, bytes.data(), bytes.size());
      if (got < 14) return;
      bytes.resize(static_cast<std::size_t>(got));
      address source;
      std::memcpy(source.data(), bytes.data() + source.size(), source.size());
      port_of_[source] = port;
      under_way_.push_back({clock_type::now() + delay_, port, std::move(bytes)});
    }
  }
  void hand_on(const late_frame& f) {
    address target;
    std::memcpy(target.data(), f.bytes.data(), target.size());
    const auto known = port_of_.find(target);
    for (std::size_t k = 0; k < ports_.size(); ++k) {
      if (k == f.from || (known != port_of_.end() && k != known->second)) continue;
      // A node that is not up yet, or takes no more, loses it.
      [[maybe_unused]] const ssize_t written = write(ports_[k].fd, f.bytes.data(), f.bytes.size());
    }
  }

  const std::chrono::microseconds delay_;
  std::vector<pollfd> ports_;
  std::map<address, std::size_t> port_of_;
  std::deque<late_frame> under_way_;  // as they came, so as they are due
  std::vector<frame> spare_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fputs("usage: delaying_switch NODES MICROSECONDS\n", stderr);
    return 2;
  }
  prctl(PR_SET_TIMERSLACK, 1);
  late_switch made(std::stoul(argv[1]), std::chrono::microseconds(std::stoul(argv[2])));
  std::puts("ready");
  std::fflush(stdout);
  made.run();
}
