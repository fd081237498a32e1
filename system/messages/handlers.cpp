#include "system/messages/handlers.hpp"

#include <algorithm>
#include <atomic>
#include <functional>
#include <mutex>
#include <vector>

#include "system/messages/wire.hpp"

namespace orujo::internal::messages {
namespace {

constinit std::atomic<const announced_handler*> newest{nullptr};

bool is_before(const announced_handler* a, handler b) { return std::less<>()(a->run, b); }

// All announced handlers, by their address.
class handler_table {
 public:
  const announced_handler* find(handler of) {
    std::lock_guard lock(mutex_);
    const announced_handler* const last = newest.load(std::memory_order_acquire);
    if (last != seen_) read(last);
    const auto found = std::lower_bound(sorted_.begin(), sorted_.end(), of, is_before);
    return found != sorted_.end() && (*found)->run == of ? *found : nullptr;
  }

 private:
  void read(const announced_handler* last) {
    sorted_.clear();
    for (const announced_handler* h = seen_ = last; h; h = h->next) sorted_.push_back(h);
    std::sort(sorted_.begin(), sorted_.end(),
              [](const auto* a, const auto* b) { return is_before(a, b->run); });
  }

  std::mutex mutex_;
  const announced_handler* seen_ = nullptr;
  std::vector<const announced_handler*> sorted_;
};

}  // namespace

announced_handler::announced_handler(handler of, std::uint32_t bytes)
    : run(of), message_bytes(bytes), next(newest.exchange(this, std::memory_order_acq_rel)) {}

const announced_handler* find_announced(handler of) {
  static handler_table table;
  return table.find(of);
}

std::uint64_t known_handlers::handle(block& b, handler anchor, const job_shape& shape, work_ledger& ledger) {
  const std::byte* at = b.content();
  const std::byte* const end = at + b.bytes;
  std::uint64_t messages = 0;
  while (at < end) {
    const std::size_t left = static_cast<std::size_t>(end - at);
    const run_header& header = *reinterpret_cast<const run_header*>(at);
    if (left < sizeof(run_header)) [[unlikely]]
      fail_for_damage("a block", "it ends within a run's header", shape.locale_of(b.source));
    const auto run = reinterpret_cast<handler>(reinterpret_cast<std::intptr_t>(anchor) + header.handler);
    const std::uint32_t message_bytes = message_bytes_of(header.handler, run);
    if (message_bytes == unknown) [[unlikely]]
      fail_for_damage("a block", "a run is for what handles no messages", shape.locale_of(b.source));
    if (const char* fault = fault_of_run(header, left, message_bytes)) [[unlikely]]
      fail_for_damage("a block", fault, shape.locale_of(b.source));
    at += sizeof(run_header);
    messages += header.count;
    run({at, header.count, header.bytes, header.tag, b.source});
    if (header.tag != no_tag) ledger.at(header.tag).done(header.count);
    at += padded(header.bytes);
  }
  return messages;
}

// Unknown handlers are not remembered, because a library that is loaded later may announce them.
void known_handlers::find(handler_id id, handler run, entry& into) {
  into = {};
  if (const auto* const found = find_announced(run)) into = {id, found->message_bytes};
}

}  // namespace orujo::internal::messages
