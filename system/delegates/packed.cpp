#include "system/delegates/packed.hpp"

#include <memory>

#include "system/base/shape.hpp"
#include "system/delegates/bulk.hpp"
#include "system/delegates/core_limits.hpp"

namespace orujo::internal::delegates::detail {
namespace {

void let_go(const large_packed& what) {
  messenger::here().send(what.from, [what] {
    core_limits& mine = core_limits::here();
    mine.packed_values.erase(what.bytes);
    if (what.counted) mine.packed.release();
  });
}

}  // namespace

large_packed keep_for_fetching(std::vector<std::byte>&& bytes) {
  const bool counted = tasks::scheduler::here()->may_suspend();
  core_limits& mine = core_limits::here();
  if (counted) mine.packed.acquire();
  auto owned = std::make_unique<std::vector<std::byte>>(std::move(bytes));
  std::vector<std::byte>* const kept = owned.get();
  mine.packed_values.emplace(kept, std::move(owned));
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
    tasks::scheduler::here()->run_as_handler([&] { receive(here); });
  });
}

}  // namespace orujo::internal::delegates::detail
