#include "system/delegates/packed.hpp"

#include "system/base/shape.hpp"
#include "system/delegates/bulk.hpp"

namespace orujo::delegates::detail {
namespace {

constexpr std::size_t most_under_way = 16;

// Of this core's tasks.
tasks::semaphore& permits() {
  static thread_local tasks::semaphore all(most_under_way);
  return all;
}

void let_go(const large_packed& what) {
  messenger::here().send(what.from, [what] {
    delete what.bytes;
    if (what.counted) permits().release();
  });
}

}  // namespace

large_packed keep_for_fetching(std::vector<std::byte>&& bytes) {
  const bool counted = tasks::scheduler::here()->may_suspend();
  if (counted) permits().acquire();
  auto* const kept = new std::vector<std::byte>(std::move(bytes));
  return {my_core(), kept, kept->data(), kept->size(), counted};
}

void fetch(const large_packed& what, std::function<void(std::span<const std::byte>)> receive) {
  if (shape().locale_of(what.from) == my_locale()) {
    receive({what.first, what.size});
    return let_go(what);
  }
  tasks::spawn([what, receive = std::move(receive)] {
    std::vector<std::byte> here(what.size);
    delegates::get(global_address<const std::byte>(what.from, what.first), std::span(here));
    let_go(what);
    const tasks::scheduler::handler_scope in_handler(*tasks::scheduler::here());
    receive(here);
  });
}

}  // namespace orujo::delegates::detail
