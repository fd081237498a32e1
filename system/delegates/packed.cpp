#include "system/delegates/packed.hpp"

#include <memory>
#include <unordered_map>

#include "system/base/shape.hpp"
#include "system/delegates/bulk.hpp"

namespace orujo::delegates::detail {
namespace {

constexpr std::size_t most_under_way = 16;

// This core's packed values under way. The job may end before the report that some have been fetched.
struct outgoing {
  tasks::semaphore permits{most_under_way};  // of tasks
  std::unordered_map<std::vector<std::byte>*, std::unique_ptr<std::vector<std::byte>>> kept;
};
outgoing& mine() {
  static thread_local outgoing all;
  return all;
}

void let_go(const large_packed& what) {
  messenger::here().send(what.from, [what] {
    mine().kept.erase(what.bytes);
    if (what.counted) mine().permits.release();
  });
}

}  // namespace

large_packed keep_for_fetching(std::vector<std::byte>&& bytes) {
  const bool counted = tasks::scheduler::here()->may_suspend();
  if (counted) mine().permits.acquire();
  auto owned = std::make_unique<std::vector<std::byte>>(std::move(bytes));
  std::vector<std::byte>* const kept = owned.get();
  mine().kept.emplace(kept, std::move(owned));
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

}  // namespace orujo::delegates::detail
